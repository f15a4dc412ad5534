//! Running the program.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Whether these are the tests of `scripts/test full`.
pub(crate) fn is_full() -> bool {
    std::env::var_os("VERIFY_TESTS").is_some_and(|tests| tests == "full")
}

/// A directory with files in it, deleted at the end.
pub(crate) struct Files(tempfile::TempDir);

impl Files {
    /// Makes these files: (name, content).
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for (name, content) in files {
            std::fs::write(directory.path().join(name), content).expect("a file in it");
        }
        Files(directory)
    }

    /// Writes a file in it, and its directories.
    pub(crate) fn write(&self, name: &str, content: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("it is below one")).expect("a directory");
        std::fs::write(path, content).expect("a file in it");
    }

    /// The path of a file in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The program, started in the directory with these arguments, separated by blanks.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = command(self.0.path());
        command.args(arguments.split_whitespace());
        command
    }

    /// Runs it.
    pub(crate) fn run(&self, arguments: &str) -> Done {
        done(self.command(arguments).output().expect("verify starts"))
    }
}

/// The program in a directory, with an environment that does not depend on the user who runs the tests.
pub(crate) fn command(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verify"));
    command.current_dir(directory).env_remove("NO_COLOR").env_remove("COLUMNS").env_remove("RUST_BACKTRACE");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"VERIFY_")) {
        command.env_remove(name);
    }
    // (With several processors, which engine answers is a matter of time, after two seconds of a busy machine.)
    command.env("VERIFY_JOBS", "1");
    command
}

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Done {
    /// The exit code; nothing after a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Reads the result.
pub(crate) fn done(output: Output) -> Done {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is text");
    Done { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Two threads that add to a plain variable.
pub(crate) const RACE: &str = r"#include <pthread.h>
int c;
void *add(void *p) {
  c++;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
}
";

/// The same with a lock.
pub(crate) const LOCKED: &str = r"#include <pthread.h>
int c;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *p) {
  pthread_mutex_lock(&m);
  c++;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
}
";

/// Two locks in two orders.
pub(crate) const DEADLOCK: &str = r"#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *other(void *p) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
}
";

/// More executions than any test waits for: eight threads that each take a lock eight times, and count.
pub(crate) const ENDLESS: &str = r"#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
void *work(void *p) {
  for (int i = 0; i < 8; i++) {
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
  }
  return p;
}
int main(void) {
  pthread_t t[8];
  for (int i = 0; i < 8; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 8; i++)
    pthread_join(t[i], 0);
}
";

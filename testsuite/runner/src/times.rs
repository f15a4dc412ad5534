//! How long tests took the last time. It only decides about the order, so that nothing is lost with it.
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Times by executable and test.
#[derive(Default)]
pub(crate) struct Times(BTreeMap<(String, String), Duration>);

impl Times {
    /// Those of the last run, if there was one.
    pub(crate) fn load() -> Self {
        let text = file().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
        let entry = |line: &str| {
            let (milliseconds, rest) = line.split_once(' ')?;
            let (executable, test) = rest.split_once(' ')?;
            Some(((executable.to_owned(), test.to_owned()), Duration::from_millis(milliseconds.parse().ok()?)))
        };
        Times(text.lines().filter_map(entry).collect())
    }

    /// Keeps them for the next run.
    pub(crate) fn save(&self) {
        let mut text = String::new();
        for ((executable, test), duration) in &self.0 {
            writeln!(text, "{} {executable} {test}", duration.as_millis()).expect("a string takes everything");
        }
        if let Some(Err(error)) = file().map(|file| std::fs::write(file, text)) {
            eprintln!("the times of the tests are not kept: {error}");
        }
    }

    /// What is known of a test.
    pub(crate) fn of(&self, executable: &str, test: &str) -> Option<Duration> {
        self.0.get(&(executable.to_owned(), test.to_owned())).copied()
    }

    /// What it took now.
    pub(crate) fn note(&mut self, executable: &str, test: &str, duration: Duration) {
        self.0.insert((executable.to_owned(), test.to_owned()), duration);
    }
}

/// Beside this program, where everything is that was built.
fn file() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.with_file_name("test-times"))
}

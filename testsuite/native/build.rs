//! Programs on the machine at hand: ways to build and to run them.
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A way to build and run programs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    compiler: &'static str,
    options: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
    /// With an allocator of our own.
    bump: bool,
    /// Knows nothing of fences.
    pub(crate) tsan: bool,
}

const PLAIN: Way = Way { compiler: "clang-19", options: &["-O0"], environment: &[], bump: false, tsan: false };
const TSAN: Way = Way { options: &["-O1", "-g1", "-fsanitize=thread"], tsan: true, ..PLAIN };

/// Ways that need no sanitizer.
pub(crate) const PLAINLY: [Way; 7] = [
    PLAIN,
    Way { options: &["-O1"], environment: &[("MALLOC_PERTURB_", "165")], ..PLAIN },
    Way { options: &["-O2"], environment: &[("MALLOC_ARENA_MAX", "1")], ..PLAIN },
    Way {
        compiler: "gcc",
        options: &["-O2"],
        environment: &[("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0")],
        ..PLAIN
    },
    Way { options: &["-O2"], bump: true, ..PLAIN },
    Way {
        compiler: "gcc",
        options: &["-O0"],
        environment: &[("MALLOC_PERTURB_", "1"), ("MALLOC_ARENA_MAX", "2")],
        ..PLAIN
    },
    Way { options: &["-O3", "-fomit-frame-pointer"], bump: true, ..PLAIN },
];
/// Ways with those of clang.
pub(crate) const SANITIZED: [Way; 3] = [
    TSAN,
    Way { options: &["-O1", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"], ..PLAIN },
    Way { options: &["-O2", "-g1", "-fsanitize=thread"], ..TSAN },
];

/// A run that failed, or several times none.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Which program.
    pub(crate) number: usize,
    /// How often.
    pub(crate) times: u64,
    /// What happened the last time, if it failed.
    pub(crate) failure: Option<String>,
}

/// Builds a file of programs and runs these of them so many times, or until they fail.
pub(crate) fn run(text: &str, numbers: &[usize], times: u64, way: Way) -> Vec<Ran> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let put = |name: &str, text: &str| -> PathBuf {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("it can be written");
        path
    };
    let (programs, driver) = (put("programs.c", &delayed(text)), put("driver.c", include_str!("driver.c")));
    let (object, executable) = (directory.path().join("programs.o"), directory.path().join("programs"));
    let compile = |from: &Path, to: &Path, options: &[&str], others: &[&Path]| {
        let mut command = Command::new(way.compiler);
        command.args(["-w", "-pthread"]).args(way.options).args(options).arg("-o").arg(to).arg(from).args(others);
        let output = command.output().expect("the compiler can be started");
        assert!(output.status.success(), "{command:?}: {}\n{text}", String::from_utf8_lossy(&output.stderr));
    };
    // (LLVM knows the value of an atomic variable that is never written, and takes a loop that waits for another one to
    // be unreachable, although loops with atomic operations may go on for ever: C17, 6.8.5.)
    compile(&programs, &object, &["-c", "-Dmain=run_one", "-fno-finite-loops"], &[]);
    compile(&driver, &executable, &[], &[&object]);
    let mut command = Command::new(&executable);
    command.arg(times.to_string()).args(numbers.iter().map(usize::to_string)).stdin(Stdio::null());
    // (One thread alone may take two locks in both orders. Threads that really wait for one another never end.)
    let options = "report_thread_leaks=0:detect_deadlocks=0";
    command.env("TSAN_OPTIONS", options).envs(way.environment.iter().copied());
    // (Leaks are ours to find where the process ends in the ordinary way; here it may end beside threads.)
    command.env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1");
    if way.bump {
        let (source, library) = (put("bump.c", include_str!("bump.c")), directory.path().join("bump.so"));
        compile(&source, &library, &["-shared", "-fPIC"], &[]);
        command.env("LD_PRELOAD", library);
    }
    let output = command.output().expect("it can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    text.split("\n@@ begins ").skip(1).map(ran).collect()
}

fn ran(text: &str) -> Ran {
    let (number, rest) = text.split_once('\n').expect("the end of the line");
    let (output, end) = rest.rsplit_once("\n@@ ends ").expect("how it ended");
    let words: Vec<&str> = end.split_whitespace().collect();
    let [_, _, status, _, times] = words[..] else { panic!("{end}") };
    let failed = status != "0";
    Ran {
        number: number.parse().expect("a number"),
        times: times.parse().expect("a number"),
        failure: failed.then(|| format!("status {status} after {times} runs: {output}")),
    }
}

/// The text with a delay before every statement.
fn delayed(text: &str) -> String {
    let mut all = "void delay(void);\n".to_owned();
    let mut function = false;
    for line in text.lines() {
        // Functions begin in the first column; what is declared there ends in the same line.
        let begins = line.starts_with("static") && line.ends_with("{");
        function = (function || begins) && line != "}";
        let indented = line.trim_start();
        let statement = function && line.starts_with("  ") && !indented.starts_with('}');
        let indent = &line[..line.len() - indented.len()];
        match statement {
            true => all += &format!("{indent}delay(); {indented}\n"),
            false => all += &format!("{line}\n"),
        }
    }
    all
}

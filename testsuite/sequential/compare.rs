//! What is said of programs against what happens when they are run.
use crate::campaign::setting;
use crate::native::{self, Build, Run};
use crate::ours::{self, Verdict};
use crate::program::{self, Judge, MARK, Program};
use std::collections::BTreeSet;
use std::fmt;

/// How a batch is compiled.
#[derive(Debug)]
pub(crate) struct Builds {
    /// For 64 bits, not 32.
    pub(crate) wide: bool,
    /// With sanitizers of addresses and undefined behaviour.
    sanitized: Option<Build>,
    /// Without, or with that of memory that was never written.
    other: Build,
    /// Options of our own compilation.
    cflags: &'static [&'static str],
}

const CLANG: &str = "clang-19";
const MSAN: &[&str] = &["-O0", "-fsanitize=memory", "-fno-sanitize-recover=all"];
/// With what makes the code short, which takes half the time to compile: a trap in place of a message, calls in place
/// of checks of addresses.
const CLANG_SANITIZERS: &[&str] =
    &["-O0", SANITIZE, "-fsanitize-trap=all", "-mllvm", "-asan-instrumentation-with-call-threshold=0"];
const SANITIZE: &str = "-fsanitize=address,undefined,float-cast-overflow";

impl Builds {
    /// Those of a batch.
    pub(crate) fn of(batch: u64) -> Builds {
        let clang = setting("SANITIZERS", 0) != 0;
        let wide = !batch.is_multiple_of(4);
        let build = |compiler, options| Build { compiler, options };
        let sanitized = match (clang, wide) {
            (true, _) => Some(build(CLANG, CLANG_SANITIZERS)),
            (false, true) => Some(build("gcc", &["-O0", SANITIZE, "-fno-sanitize-recover=all"])),
            // (gcc computes with more precision there than the types have.)
            (false, false) => None,
        };
        let mut others = vec![build(CLANG, &["-O0"] as &[_]), build(CLANG, &["-O1"]), build(CLANG, &["-O2"])];
        others.push(build(CLANG, &["-Os"]));
        if wide {
            others.extend([build("gcc", &["-O0"]), build("gcc", &["-O2"]), build("gcc", &["-O1"])]);
        }
        if wide && clang {
            others.extend([build(CLANG, MSAN), build(CLANG, MSAN)]);
        }
        let other = others[(batch / 4 % others.len() as u64) as usize];
        let cflags: &[&[&str]] = &[&[], &[], &["-fsanitize=undefined"]];
        Builds { wide, sanitized, other, cflags: cflags[(batch / 64 % 3) as usize] }
    }
}

/// What agreed.
#[derive(Debug)]
pub(crate) enum Seen {
    Safe,
    Bug(&'static str),
    Unknown(String),
    /// Nothing did, and the campaign goes on.
    Different(String),
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seen::Safe => f.write_str("safe"),
            Seen::Bug(name) => write!(f, "bug: {name}"),
            Seen::Different(sort) => write!(f, "different: {sort}"),
            Seen::Unknown(reason) => write!(f, "unknown: {}", reason.split(" at /").next().unwrap_or(reason)),
        }
    }
}

/// What did not agree.
#[derive(Debug)]
pub(crate) struct Difference {
    /// Of which sort it is: a smaller program must show one of the same.
    pub(crate) sort: String,
    text: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.sort, self.text)
    }
}

/// Compares each of the programs; `Err` if they cannot be compiled.
pub(crate) fn compare(programs: &[&Program], builds: &Builds) -> Result<Vec<Result<Seen, Difference>>, String> {
    let text = program::unit(programs);
    let ours = ours::run(&text, programs.len(), builds.wide, builds.cflags)?;
    let sanitized = builds.sanitized.map(|build| native::run(&text, build, builds.wide)).transpose()?;
    let other = native::run(&text, builds.other, builds.wide)?;
    let mut marks = text.lines().zip(1..).filter(|(line, _)| line.contains(MARK)).map(|(_, number)| number);
    let each = programs.iter().zip(ours).zip(other).enumerate();
    let compared = each.map(|(number, ((program, ours), other))| {
        let sanitized = sanitized.as_ref().map(|runs| &runs[number]);
        match program.planted {
            None => without_error(&ours, sanitized, &other),
            Some(planted) => {
                let line = program.marked().then(|| marks.next().expect("a line for each"));
                let judge = match planted.judge {
                    // (With 32 bits that of addresses misses some, which it notices with 64.)
                    // (And a jump out of a function makes it forget what it knows of the whole stack.)
                    Judge::Usual => sanitized.filter(|_| builds.wide && !program.contains("setjmp(")),
                    Judge::Msan => Some(&other).filter(|_| builds.other.options == MSAN),
                    Judge::Nobody => None,
                };
                with_error(planted, line, &ours, judge)
            }
        }
    });
    Ok(compared.collect())
}

/// How each of the programs differs, if it can be compiled and does.
pub(crate) fn compare_what_compiles(programs: &[Program], builds: &Builds) -> Vec<Option<Difference>> {
    let mut left: Vec<usize> = (0..programs.len()).collect();
    loop {
        let some: Vec<&Program> = left.iter().map(|at| &programs[*at]).collect();
        let text = program::unit(&some);
        let rejected = native::rejected(&text, builds.wide);
        if rejected.is_empty() {
            let compared = compare(&some, builds).unwrap_or_default();
            let mut all: Vec<Option<Difference>> = programs.iter().map(|_| None).collect();
            left.into_iter().zip(compared).for_each(|(at, result)| all[at] = result.err());
            return all;
        }
        let lines = program::lines(&some);
        let of = |line: &usize| lines.iter().rposition(|begin| begin <= line);
        let bad: BTreeSet<usize> = rejected.iter().filter_map(of).collect();
        if bad.is_empty() {
            return programs.iter().map(|_| None).collect();
        }
        left = left.into_iter().enumerate().filter(|(number, _)| !bad.contains(number)).map(|(_, at)| at).collect();
    }
}

fn without_error(ours: &Verdict, sanitized: Option<&Run>, other: &Run) -> Result<Seen, Difference> {
    let differs = |sort: &str, text: String| Err(Difference { sort: sort.to_owned(), text });
    for run in sanitized.into_iter().chain([other]) {
        if let Some(error) = run.error() {
            let sort = error.split(':').next().unwrap_or("").trim_matches(|c: char| !c.is_alphabetic());
            return differs(&format!("an error that was not planted ({sort})"), format!("{error}; ours: {ours:?}"));
        }
    }
    if let Some(sanitized) = sanitized.filter(|run| *run != other) {
        return differs("native runs", changed(&sanitized.output, &other.output));
    }
    match ours {
        Verdict::Safe { output, status } if (output, status) == (&other.output, &other.status) => Ok(Seen::Safe),
        Verdict::Safe { output, .. } if *output == other.output => differs("exit code", format!("{ours:?}, {other:?}")),
        Verdict::Safe { output, .. } => differs("output", changed(output, &other.output)),
        Verdict::Bug { kind, .. } => differs(&format!("a bug ({})", kind.name()), format!("{ours:?}")),
        Verdict::Unknown(reason) if reason.contains("internal error") => differs("internal error", reason.clone()),
        Verdict::Unknown(reason) => Ok(Seen::Unknown(reason.clone())),
    }
}

fn with_error(
    planted: program::Planted,
    line: Option<u32>,
    ours: &Verdict,
    judge: Option<&Run>,
) -> Result<Seen, Difference> {
    let name = planted.name;
    if judge.is_some_and(|run| run.error().is_none()) {
        let (sort, text) = (format!("not noticed natively ({name})"), format!("{judge:?}"));
        return Err(Difference { sort, text });
    }
    match ours {
        Verdict::Bug { kind, lines, .. } if *kind == planted.kind && line.is_none_or(|line| lines.contains(&line)) => {
            Ok(Seen::Bug(name))
        }
        Verdict::Unknown(reason) if !reason.contains("internal error") => Ok(Seen::Unknown(reason.clone())),
        _ => {
            let (sort, native) = (format!("missed ({name})"), judge.and_then(Run::error));
            let text = format!("{} in line {line:?}, but {ours:?}; natively {native:?}", planted.kind.name());
            Err(Difference { sort, text })
        }
    }
}

/// The first line in which two outputs differ.
fn changed(one: &str, two: &str) -> String {
    let mut lines = one.lines().map(Some).chain([None]).zip(two.lines().map(Some).chain([None])).enumerate();
    match lines.find(|(_, (one, two))| one != two) {
        Some((number, (one, two))) => format!("line {} is {one:?} and {two:?}", number + 1),
        None => "the end".to_owned(),
    }
}

//! What a trace from another person may have clang do without being asked: what a compiler does with sources, and no
//! more. Options that load code into clang, start other programs or write files elsewhere need `--trust`.
use crate::cli::low::CheckArguments;
use frontend::load::CompileCommand;

/// Options that take the next argument with them, and are as harmless as without.
const WITH_ARGUMENT: [&str; 6] = ["-D", "-U", "-I", "-include", "-isystem", "-iquote"];

/// Beginnings of options that only change how the source is read, or what the code is like.
const HARMLESS: [&str; 14] = [
    "-D",
    "-U",
    "-I",
    "-W",
    "-O",
    "-std=",
    "-w",
    "-ansi",
    "-pedantic",
    "-pthread",
    "-g",
    "-fsanitize=",
    "-fno-sanitize=",
    "-fsanitize-",
];

/// Options of a build that the front end drops, and the argument of each with it.
const DROPPED_WITH_ARGUMENT: [&str; 5] = ["-o", "-x", "-MF", "-MT", "-MQ"];

/// Options of a build that the front end drops.
const DROPPED: [&str; 5] = ["-c", "-MD", "-MMD", "-MP", "-pipe"];

/// The first part of a command line that a stranger should not be able to choose.
pub(crate) fn dubious(typed: &CheckArguments) -> Option<String> {
    if let Some(clang) = &typed.clang {
        return Some(format!("--clang {clang}"));
    }
    let paths = typed.inputs.iter().chain(&typed.includes).map(|path| path.display().to_string());
    let paths = paths.chain(typed.stubs.iter().cloned());
    paths.into_iter().find(|path| is_response_file(path)).or_else(|| dubious_flag(&typed.cflags, &[], &[]))
}

/// The first argument of a compilation database that a stranger should not be able to choose.
pub(crate) fn dubious_in_build(commands: &[CompileCommand]) -> Option<String> {
    commands.iter().find_map(|command| dubious_flag(&command.arguments, &DROPPED, &DROPPED_WITH_ARGUMENT))
}

/// The first of these flags that is not harmless, and none of those that are dropped.
fn dubious_flag(flags: &[String], dropped: &[&str], with_argument: &[&str]) -> Option<String> {
    // Clang reads these wherever they stand, also where another option takes them with it.
    if let Some(flag) = flags.iter().find(|flag| is_response_file(flag)) {
        return Some(flag.clone());
    }
    let is_build = !dropped.is_empty();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if WITH_ARGUMENT.contains(&flag.as_str()) || with_argument.contains(&flag.as_str()) {
            flags.next();
        } else if !(is_harmless(flag) || dropped.contains(&flag.as_str()) || is_build && !flag.starts_with('-')) {
            return Some(flag.clone());
        }
    }
    None
}

/// Whether clang takes an argument for the name of a file with more arguments.
fn is_response_file(argument: &str) -> bool {
    argument.starts_with('@')
}

fn is_harmless(flag: &str) -> bool {
    // Those that go through to other programs, and names of files.
    let passed_on = flag.starts_with("-W") && flag.contains(',');
    let switch = (flag.starts_with("-f") || (flag.starts_with("-m") && flag != "-mllvm" && flag != "-mmlir"))
        && !flag.contains(['=', '/']);
    let machine = flag.starts_with("-march=") || flag.starts_with("-mtune=");
    let level = |rest: &str| rest.len() <= 1 && rest.chars().all(|c| c.is_ascii_alphanumeric());
    let named = HARMLESS.iter().any(|start| match *start {
        "-g" | "-O" => flag.strip_prefix(start).is_some_and(level),
        "-w" | "-ansi" | "-pedantic" | "-pthread" => flag == *start,
        "-fsanitize-" => flag.starts_with(start) && !flag.contains('='),
        start => flag.starts_with(start),
    });
    (named && !passed_on) || switch || machine
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::low::Arguments;
    use clap::Parser;

    #[test]
    fn what_strangers_may_choose() {
        let dubious = |flags: &[&str]| {
            let cflags = flags.iter().map(|flag| (*flag).to_owned()).collect();
            super::dubious(&CheckArguments { cflags, ..CheckArguments::of(vec!["a.c".into()]) })
        };
        assert_eq!(
            dubious(&["-DN=2", "-Wall", "-O2", "-isystem", "/opt/x", "-fno-builtin", "-m32", "-g3", "-w"]),
            None
        );
        assert_eq!(dubious(&["-fsanitize=shift,bounds", "-std=gnu11", "-march=native"]), None);
        for flag in [
            "-fplugin=x.so",
            "-Xclang",
            "-B/tmp",
            "-o",
            "-Wp,-MD,x",
            "-ftime-trace=x",
            "-mllvm",
            "@x",
            "x.c",
            "--config=x",
            "-save-temps",
            "-gsplit-dwarf",
            "-specs=x",
            "-fsanitize-ignorelist=x",
            "-MF",
            "-wrapper",
        ] {
            assert_eq!(dubious(&["-w", flag]).as_deref(), Some(flag));
        }
        for flags in [&["-I", "@x"][..], &["-D", "@x"], &["-include", "@x"]] {
            assert_eq!(dubious(flags).as_deref(), Some("@x"), "{flags:?}");
        }
        for line in [&["@x.c"][..], &["a.c", "-I", "@x.c"]] {
            let words = ["verify"].iter().chain(line);
            let typed = Arguments::try_parse_from(words).expect("it parses").check;
            assert_eq!(super::dubious(&typed).as_deref(), Some("@x.c"), "{line:?}");
        }
        let named = CheckArguments { clang: Some("./clang".to_owned()), ..CheckArguments::of(vec!["a.c".into()]) };
        assert_eq!(super::dubious(&named).as_deref(), Some("--clang ./clang"));
    }

    #[test]
    fn what_builds_of_strangers_may_do() {
        let dubious = |line: &str| {
            let arguments = line.split_whitespace().map(str::to_owned).collect();
            dubious_in_build(&[CompileCommand { directory: "".into(), file: "a.c".into(), arguments }])
        };
        assert_eq!(dubious("-O2 -DN=1 -I inc -MD -MT t -MF a.d -o x/a.o -x c -c src/a.c"), None);
        for flag in ["-fplugin=x.so", "-Xclang", "-B/tmp", "@x", "-wrapper", "--config=x", "-Wp,-MD,x"] {
            assert_eq!(dubious(&format!("-c a.c {flag} -o a.o")).as_deref(), Some(flag));
        }
        assert_eq!(dubious("-c a.c -o @x").as_deref(), Some("@x"));
    }
}

//! What a trace from somebody else may have clang do without being asked: what a compiler does with sources, and no more. Options that
//! load code into clang, start other programs or write files elsewhere need `--trust`.
use crate::cli::low::CheckArguments;

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

/// The first part of a command line that a stranger should not be able to choose.
pub(crate) fn dubious(typed: &CheckArguments) -> Option<String> {
    if let Some(clang) = &typed.clang {
        return Some(format!("--clang {clang}"));
    }
    let mut flags = typed.cflags.iter();
    while let Some(flag) = flags.next() {
        if WITH_ARGUMENT.contains(&flag.as_str()) {
            flags.next();
        } else if !is_harmless(flag) {
            return Some(flag.clone());
        }
    }
    None
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
        let named = CheckArguments { clang: Some("./clang".to_owned()), ..CheckArguments::of(vec!["a.c".into()]) };
        assert_eq!(super::dubious(&named).as_deref(), Some("--clang ./clang"));
    }
}

//! What GCC's headers say to GCC only: a file that GCC has preprocessed holds it, and clang would reject the file.
//!
//! Macros put it right while clang reads. So strings and comments are not touched, parentheses are matched, and
//! whatever is not replaced keeps its line and column.
use std::path::Path;

/// Words that a file has to contain for a macro to be of use, and the macro.
const MACROS: [(&str, &str); 6] = [
    // The function that frees the result, and by which parameter.
    ("__malloc__", "-D__malloc__(...)=__malloc__"),
    // Types that GCC knows by themselves.
    ("_Float32", "-D_Float32=float"),
    ("_Float32x", "-D_Float32x=double"),
    ("_Float64", "-D_Float64=double"),
    ("_Float64x", "-D_Float64x=long double"),
    ("_Float128", "-D_Float128=__float128"),
];

/// How to read a file that went through GCC's preprocessor. No flags for any other: headers that clang reads suit
/// clang.
pub(super) fn flags(path: &Path, source: &[u8]) -> Vec<&'static str> {
    let is_called = |suffix| path.extension().is_some_and(|extension| extension == suffix);
    let is_preprocessed = is_called("i");
    if !(is_preprocessed || is_called("c") && is_complete(source)) {
        return Vec::new();
    }
    let is_mentioned = |word: &str| source.windows(word.len()).any(|window| window == word.as_bytes());
    let mut flags: Vec<&str> = MACROS.iter().filter(|(word, _)| is_mentioned(word)).map(|(_, flag)| *flag).collect();
    if is_preprocessed && !flags.is_empty() {
        // By the file's name clang would read it without macros. The macros that clang defines by itself are switched
        // off: GCC has already replaced them.
        flags.extend(["-undef", "-x", "c"]);
    }
    flags
}

/// Whether the source includes no other.
fn is_complete(source: &[u8]) -> bool {
    let includes = |line: &[u8]| {
        let rest = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
        rest.is_some_and(|rest| rest.starts_with(b"include"))
    };
    !source.split(|byte| *byte == b'\n').any(includes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_mentioned_is_defined() {
        let attribute = b"void *make(void) __attribute__ ((__malloc__ (drop, 1)));";
        let flags = |name: &str, source: &[u8]| flags(Path::new(name), source).join(" ");
        assert_eq!(flags("a.i", attribute), "-D__malloc__(...)=__malloc__ -undef -x c");
        assert_eq!(flags("a.c", attribute), "-D__malloc__(...)=__malloc__");
        assert_eq!(flags("a.cpp", attribute), "");
        assert_eq!(flags("a.i", b"_Float32x f;"), "-D_Float32=float -D_Float32x=double -undef -x c");
        assert_eq!(flags("a.i", b"int x;"), "");
    }

    #[test]
    fn headers_that_clang_reads_are_left_alone() {
        let source = b" # include <stdlib.h>\n_Float32 f;";
        assert!(flags(Path::new("a.c"), source).is_empty());
        assert!(is_complete(b"int include;\n#define X"));
    }
}

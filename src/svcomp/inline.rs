//! What `inline` means in a program that is one file.
//!
//! In C99 a function that is `inline` and not `extern` has no code in its own file: the code has to be in another file.
//! Older GNU C makes the code in this file. Some programs of one file were written for such compilers. If there is no
//! other file, only the function in this file can be meant, under either rule.
use std::path::{Path, PathBuf};

/// Has clang make the code of such functions.
const FLAG: &str = "-fgnu89-inline";

/// The flag, if the program is one file of C in which nothing is `extern` and `inline` (which is the other way round in
/// the two languages).
pub(super) fn flag(inputs: &[PathBuf]) -> Option<&'static str> {
    let [input] = inputs else { return None };
    let is_c = |path: &Path| path.extension().is_some_and(|extension| extension == "c" || extension == "i");
    let text = std::fs::read(input).ok().filter(|_| is_c(input))?;
    has_the_same_meaning(&String::from_utf8_lossy(&text)).then_some(FLAG)
}

/// Whether something is `inline`, and nothing `extern` as well. What follows an include is not looked at, so there may
/// be none.
fn has_the_same_meaning(text: &str) -> bool {
    let is_inline = |word: &str| matches!(word, "inline" | "__inline" | "__inline__");
    let words = || text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let both = |(one, next): (&str, &str)| (one == "extern" && is_inline(next)) || (is_inline(one) && next == "extern");
    words().any(is_inline) && !words().zip(words().skip(1)).any(both) && !text.contains("#include")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_rules_agree() {
        assert!(has_the_same_meaning("inline int f(void) { return 1; }\nstatic __inline int g(void);"));
        assert!(!has_the_same_meaning("int f(void) { return 1; }"), "there is nothing to do");
        assert!(!has_the_same_meaning("inline int f(void);\nextern\n__inline__ int g(void) { return 1; }"));
        assert!(!has_the_same_meaning("__inline extern int g(void) { return 1; }"));
        assert!(!has_the_same_meaning("#include \"a.h\"\ninline int f(void) { return 1; }"));
    }
}

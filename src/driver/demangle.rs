//! Names of C++ as people write them. All that a report says of a program comes through here, and so nothing of it is
//! left that a terminal or a log obeys.
use crate::report::printable::printable;
use cpp_demangle::{DemangleOptions, Symbol};

/// The text with every mangled name in it replaced, on one line.
pub(crate) fn demangled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("_Z") {
        let (before, name) = rest.split_at(start);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        let (name, after) = name.split_at(end);
        out.push_str(before);
        // In the middle of a longer name it is none.
        let whole = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        out.push_str(&readable(name).filter(|_| whole).unwrap_or_else(|| name.to_owned()));
        rest = after;
    }
    out.push_str(rest);
    printable(&out)
}

/// Without parameters, as names of functions in C are shown.
fn readable(name: &str) -> Option<String> {
    let symbol = Symbol::new(name).ok()?;
    symbol.demangle_with_options(&DemangleOptions::new().no_params().no_return_type()).ok()
}

#[cfg(test)]
mod tests {
    use super::demangled;

    #[test]
    fn names_within_text() {
        assert_eq!(demangled("locks mutex `_ZN1a1mE`"), "locks mutex `a::m`");
        assert_eq!(demangled("_ZNSt6thread4joinEv"), "std::thread::join");
        assert_eq!(demangled("`_ZN1a1mE\n\x1b`"), "`a::m\\n\\x1b`");
        for text in ["plain", "_Z", "my_ZN1a1mE", "`_Zwrong`", ""] {
            assert_eq!(demangled(text), text);
        }
    }
}

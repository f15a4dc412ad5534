//! Names of places and transitions as text shows them.
use crate::report::printable::printable;
use por::nets::{Net, TransitionId};

/// A name among words: in quotes, with escapes, unless it is one word.
pub(super) fn shown(name: &str) -> String {
    let is_word = |c: char| !c.is_whitespace() && !c.is_control() && !"\"\\,`".contains(c);
    match !name.is_empty() && name.chars().all(is_word) {
        true => name.to_owned(),
        false => format!("\"{}\"", printable(&name.replace('\\', "\\\\").replace('"', "\\\""))),
    }
}

/// A run as its transitions, one after the other.
pub(super) fn run(net: &Net, run: &[TransitionId]) -> String {
    run.iter().map(|&id| shown(&net.transition(id).name)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn names_that_are_no_words() {
        for (name, text) in [
            ("t1", "t1"),
            ("p·2", "p·2"),
            ("", "\"\""),
            ("a b", "\"a b\""),
            ("a\"\\\n", "\"a\\\"\\\\\\n\""),
            ("\x1b[2J", "\"\\x1b[2J\""),
        ] {
            assert_eq!(shown(name), text);
        }
    }
}

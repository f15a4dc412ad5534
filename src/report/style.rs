//! How text looks: its width, and its colours if any.
use anstyle::{AnsiColor, Effects};

/// The narrowest text that reports are laid out for.
const NARROWEST: usize = 60;

/// The widest: beyond, lines are hard to follow.
const WIDEST: usize = 120;

/// Width and colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Style {
    /// Columns.
    pub width: usize,
    /// Whether to emit colours.
    pub colored: bool,
}

/// The role of a piece of text, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// A bug, or an error.
    Bad,
    /// A proof.
    Good,
    /// Neither a bug nor a proof.
    Unclear,
    /// Headings.
    Strong,
    /// Places and other details.
    Faint,
    /// All else.
    Plain,
}

impl Style {
    /// A style for that many columns, within what is readable.
    pub(crate) fn new(width: usize, colored: bool) -> Self {
        Style { width: width.clamp(NARROWEST, WIDEST), colored }
    }

    /// The text in the colours of its role.
    pub(crate) fn paint(self, role: Role, text: &str) -> String {
        if !self.colored || role == Role::Plain {
            return text.to_owned();
        }
        let style = match role {
            Role::Bad => AnsiColor::BrightRed.on_default().effects(Effects::BOLD),
            Role::Good => AnsiColor::BrightGreen.on_default().effects(Effects::BOLD),
            Role::Unclear => AnsiColor::BrightYellow.on_default().effects(Effects::BOLD),
            Role::Strong => anstyle::Style::new().effects(Effects::BOLD),
            Role::Faint => anstyle::Style::new().effects(Effects::DIMMED),
            Role::Plain => anstyle::Style::new(),
        };
        format!("{style}{text}{style:#}")
    }

    /// Lines of at most the width, the first after `first`, the others indented by as many columns. Ends in a newline.
    pub(crate) fn wrap(self, first: &str, text: &str) -> String {
        let indent = " ".repeat(textwrap::core::display_width(first));
        let options = textwrap::Options::new(self.width)
            .initial_indent(first)
            .subsequent_indent(&indent)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .break_words(false);
        let mut out = textwrap::fill(text, options);
        out.push('\n');
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_only_when_asked_for() {
        assert_eq!(Style::new(80, false).paint(Role::Bad, "bug"), "bug");
        assert!(Style::new(80, true).paint(Role::Bad, "bug").starts_with('\x1b'));
    }

    #[test]
    fn wrapping_hangs() {
        let text = Style::new(0, false).wrap("bug: ", &"word ".repeat(20));
        assert!(text.lines().all(|l| l.len() <= 60));
        assert!(text.starts_with("bug: word"));
        assert!(text.lines().skip(1).all(|l| l.starts_with("     word")));
    }
}

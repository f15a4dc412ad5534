//! `verify explain`: the pages of docs/kinds/ as text for a terminal.
use crate::report::style::{Role, Style};
use interp::fault::Kind;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// The page in Markdown.
fn source(kind: Kind) -> &'static str {
    match kind {
        Kind::Assertion => include_str!("../docs/kinds/assertion.md"),
        Kind::Abort => include_str!("../docs/kinds/abort.md"),
        Kind::DataRace => include_str!("../docs/kinds/data-race.md"),
        Kind::Deadlock => include_str!("../docs/kinds/deadlock.md"),
        Kind::Livelock => include_str!("../docs/kinds/livelock.md"),
        Kind::EndlessLoop => include_str!("../docs/kinds/endless-loop.md"),
        Kind::Memory => include_str!("../docs/kinds/memory.md"),
        Kind::Uninitialised => include_str!("../docs/kinds/uninitialised.md"),
        Kind::Leak => include_str!("../docs/kinds/leak.md"),
        Kind::Overflow => include_str!("../docs/kinds/overflow.md"),
        Kind::Misuse => include_str!("../docs/kinds/misuse.md"),
    }
}

/// All there is to say of a kind of bug.
pub(crate) fn page(kind: Kind, style: Style) -> String {
    render(source(kind), style)
}

/// The titles of all pages.
pub(crate) fn list(style: Style) -> String {
    let title = |kind| source(kind).lines().next().unwrap_or_default().trim_start_matches("# ");
    let mut out: String = Kind::ALL.map(|kind| style.wrap("", title(kind))).concat();
    out += "\n`verify explain KIND` says more.\n";
    out
}

/// Paragraphs and lists fitted to the width, programs and outputs indented, links without their targets.
fn render(markdown: &str, style: Style) -> String {
    let mut out = String::new();
    let mut text = String::new();
    let mut bullet = "";
    for event in Parser::new(markdown) {
        match event {
            Event::Text(piece) => text += &piece,
            Event::Code(code) => text += &format!("`{code}`"),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::Start(Tag::Heading { .. } | Tag::Paragraph | Tag::CodeBlock(_)) if !out.is_empty() => out.push('\n'),
            Event::End(TagEnd::Heading(_)) => {
                out += &format!("{}\n", style.paint(Role::Strong, &std::mem::take(&mut text)));
            }
            Event::End(TagEnd::Paragraph) => out += &style.wrap("", &std::mem::take(&mut text)),
            Event::Start(Tag::List(_)) => out.push('\n'),
            Event::Start(Tag::Item) => bullet = "- ",
            Event::End(TagEnd::Item) => out += &style.wrap(bullet, &std::mem::take(&mut text)),
            Event::End(TagEnd::CodeBlock) => {
                let lines = std::mem::take(&mut text);
                let indented = lines.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n");
                out += &indented.collect::<String>();
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style { width: 60, colored: false };

    #[test]
    fn each_page_has_its_parts() {
        for kind in Kind::ALL {
            let page = page(kind, PLAIN);
            assert!(page.starts_with(&format!("{}: ", kind.name())), "{page}");
            for part in ["A program that has it", "How to mend it", "What it is not", "Options"] {
                assert!(page.lines().any(|line| line == part), "{part}: {page}");
            }
            assert!(!page.contains("```") && !page.contains(".md)"), "{page}");
            assert!(list(PLAIN).contains(&format!("{}: ", kind.name())));
        }
    }

    #[test]
    fn what_becomes_of_markdown() {
        let markdown = "# a: title\n\nSome **words** and\n`code`, see\n[there](b.md).\n\n## Part\n```c x.c\nint x;\n\n  y\n```\nText.\n\n- one\n- two\n  lines\n";
        let text = "a: title\n\nSome words and `code`, see there.\n\nPart\n\n    int x;\n\n      y\n\nText.\n\n- one\n- two lines\n";
        assert_eq!(render(markdown, PLAIN), text);
    }
}

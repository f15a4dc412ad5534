//! The page of the documentation that lists the models.
use crate::code::CODE;
use interp::hooks::{Registered, Registry, TermUse};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use textwrap::{Options, WordSplitter};

/// What the page says about the list as a whole.
const INTRODUCTION: &str = "\
# What is modelled of the library

Calls of functions that the program does not define are carried out by the models below. A call of any other undefined
function makes the verdict *unknown*, naming the function and the line, but only if the call is reached. A function that
the program defines itself is run as it is, except for those marked *always*: there the model takes its place.

Every function checks its arguments: memory that is not there, not alive or never written is a violation like in the
program's own code, and its reads and writes take part in the detection of data races. An assumption in parentheses is
named by every *safe* of a program that exercised it.
";

/// The page: families in alphabetical order, and in each the functions with what is to be known about them.
pub fn markdown(registry: &Registry) -> String {
    let mut families: BTreeMap<&str, BTreeMap<&str, Vec<String>>> = BTreeMap::new();
    let mut add = |family, note, name| families.entry(family).or_default().entry(note).or_default().push(name);
    let public =
        registry.entries().iter().filter(|entry| !entry.name.starts_with("__verify_") && !entry.name.starts_with("_Z"));
    public.for_each(|entry| add(entry.family, entry.note, name(entry)));
    for code in CODE {
        let public = code.provides().filter(|name| !name.starts_with("__verify_") && !name.starts_with("_Z"));
        public.for_each(|name| add(code.family, code.note, format!("`{name}`")));
    }
    let mut page = INTRODUCTION.to_owned();
    let on_data = registry.entries().iter().filter(|entry| entry.takes == TermUse::Data).map(|entry| entry.family);
    let on_data: BTreeSet<&str> = on_data.collect();
    let paragraph = format!(
        "These groups work on [symbolic data](symbolic.md#library-functions), but for floating-point numbers: {}. What \
         is written in C does so as the program itself does. Others decide the values of their arguments, and are \
         unknown where they read memory that depends on inputs.",
        on_data.into_iter().collect::<Vec<_>>().join(", ")
    );
    let _ = writeln!(page, "\n{}", fill(&paragraph, ""));
    for (family, notes) in families {
        let (first, rest) = family.split_at(1);
        let _ = write!(page, "\n## {}{rest}\n\n", first.to_uppercase());
        for (note, mut names) in notes {
            names.sort_by_key(|name| name.replace('`', ""));
            let separator = if note.is_empty() { "" } else { ": " };
            let _ = writeln!(page, "{}", fill(&format!("- {}{separator}{note}", names.join(", ")), "  "));
        }
    }
    page
}

/// A paragraph in lines of at most 120 columns, all but the first with that in front.
fn fill(paragraph: &str, indent: &str) -> String {
    let options = Options::new(120).subsequent_indent(indent).break_words(false);
    textwrap::fill(paragraph, options.word_splitter(WordSplitter::NoHyphenation))
}

fn name(entry: &Registered) -> String {
    let always = if entry.overrides_definition { " (always)" } else { "" };
    format!("`{}`{always}", entry.name)
}

#[cfg(test)]
mod tests {
    /// The committed page is the one that the tables give. `BLESS=1` writes it.
    #[test]
    fn the_page_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/library.md");
        let page = super::markdown(crate::registry());
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(committed == page, "docs/library.md is out of date; run the tests of runtime-model with BLESS=1");
    }
}

//! The lines of source that a report speaks of, with marks below them.
use super::style::Style;
use super::{Place, Thread};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use std::ops::Range;

/// Columns left of the source: up to five digits and the bar; the renderer does not count them.
const GUTTER: usize = 8;

/// A place with a label.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark<'a> {
    /// The place in the source.
    pub place: &'a Place,
    /// The label at the place.
    pub label: &'a str,
    /// The names of the threads, where there is no room for more.
    pub thread: Option<&'a Thread>,
}

/// Shows all places; the first is the main one. A place whose source cannot be read is named by file and line. Where
/// the labels do not fit beside the source they follow below it.
pub(crate) fn render(marks: &[Mark<'_>], style: Style) -> String {
    let full = marked(marks, style, |mark| Some(mark.label));
    if fits(&full, style) {
        return full;
    }
    let short = marked(marks, style, |mark| mark.thread.map(|thread| thread.name.as_str()));
    let mut out = if fits(&short, style) { short } else { marked(marks, style, |_| None) };
    for mark in marks {
        out += &style.wrap("  = ", &format!("{}: {}", shorten_place(mark.place), mark.label));
    }
    out
}

fn fits(text: &str, style: Style) -> bool {
    text.lines().all(|line| textwrap::core::display_width(line) <= style.width)
}

fn marked<'a>(marks: &[Mark<'a>], style: Style, label: impl Fn(&Mark<'a>) -> Option<&'a str>) -> String {
    let mut files: Vec<(&str, Vec<&Mark<'a>>)> = Vec::new();
    for mark in marks {
        match files.iter_mut().find(|(file, _)| *file == mark.place.file) {
            Some((_, marks)) => marks.push(mark),
            None => files.push((&mark.place.file, vec![mark])),
        }
    }
    let mut out = String::new();
    let mut group = Group::with_level(Level::ERROR);
    for (file, marks_here) in files {
        let source = std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let lines = line_ranges(&source);
        let (shown, missing): (Vec<&Mark<'_>>, Vec<&Mark<'_>>) =
            marks_here.into_iter().partition(|mark| (1..=lines.len()).contains(&(mark.place.line as usize)));
        for mark in missing {
            let label = label(mark).map(|label| format!(": {label}")).unwrap_or_default();
            out += &style.wrap("  --> ", &format!("{}{label}", shorten_place(mark.place)));
        }
        let Some(first) = shown.iter().map(|mark| mark.place.line as usize).min() else { continue };
        let last = shown.iter().map(|mark| mark.place.line as usize).max().unwrap_or(first);
        let start = lines[first - 1].start;
        let window = source[start..lines[last - 1].end].to_owned();
        let annotations = shown.iter().map(|mark| {
            let token = token(&source, &lines[mark.place.line as usize - 1], mark.place.column as usize);
            let main = marks.first().is_some_and(|first| std::ptr::eq(first.place, mark.place));
            let kind = if main { AnnotationKind::Primary } else { AnnotationKind::Context };
            kind.span(token.start - start..token.end - start).label(label(mark))
        });
        let annotations: Vec<Annotation<'_>> = annotations.collect();
        let snippet = Snippet::source(window).line_start(first).path(shorten(file).to_owned());
        group = group.element(snippet.annotations(annotations));
    }
    if !group.is_empty() {
        let renderer = if style.colored { Renderer::styled() } else { Renderer::plain() };
        out += &renderer.term_width(style.width - GUTTER).render(&[group]);
        out.push('\n');
    }
    out
}

/// Byte ranges of the lines, without their ends.
fn line_ranges(source: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let lines = source.split_inclusive('\n').map(|line| {
        let range = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        range
    });
    lines.collect()
}

/// What stands at a column: a word, or one character; the whole line if the column is unknown.
fn token(source: &str, line: &Range<usize>, column: usize) -> Range<usize> {
    let text = &source[line.clone()];
    let whole = line.start + (text.len() - text.trim_start().len())..line.start + text.trim_end().len();
    let Some(at) = column.checked_sub(1).filter(|at| text.is_char_boundary(*at) && *at < text.len()) else {
        return if whole.is_empty() { line.start..line.start } else { whole };
    };
    let word = text[at..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len() - at);
    let length = if word == 0 { text[at..].chars().next().map_or(0, char::len_utf8) } else { word };
    line.start + at..line.start + at + length
}

/// The file as seen from the current directory, if it is below it.
pub(crate) fn shorten(file: &str) -> &str {
    let here = std::env::current_dir().unwrap_or_default();
    std::path::Path::new(file).strip_prefix(&here).ok().and_then(std::path::Path::to_str).unwrap_or(file)
}

/// A place with its file shortened.
pub(crate) fn shorten_place(place: &Place) -> String {
    Place { file: shorten(&place.file).to_owned(), ..place.clone() }.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(file: &str, line: u32, column: u32) -> Place {
        Place { file: file.to_owned(), line, column, function: "f".to_owned() }
    }

    #[test]
    fn tokens() {
        let check = |text: &str, column, expect: &str| {
            let lines = line_ranges(text);
            assert_eq!(&text[token(text, &lines[0], column)], expect, "{text} at {column}");
        };
        check("  count++;\n", 3, "count");
        check("  count++;\r\n", 8, "+");
        check("  count++;", 0, "count++;");
        check("  count++;", 99, "count++;");
        check("é = 1;", 2, "é = 1;");
        check("   ", 0, "");
    }

    #[test]
    fn two_places_in_one_file() {
        let file = tempfile::Builder::new().prefix("race").suffix(".c").tempfile().unwrap();
        std::fs::write(&file, "int c;\n\nvoid f(void) { c++; }\n\n\n\n\n\nvoid g(void) { c = 2; }\n").unwrap();
        let name = file.path().to_str().unwrap();
        let (first, second) = (place(name, 3, 16), place(name, 9, 16));
        let marks = [
            Mark { place: &first, label: "written by thread 1", thread: None },
            Mark { place: &second, label: "and here", thread: None },
        ];
        let text = render(&marks, Style::new(80, false)).replace(name, "race.c");
        insta::assert_snapshot!(text);
    }

    #[test]
    fn labels_that_do_not_fit_follow_below() {
        let file = tempfile::Builder::new().prefix("race").suffix(".c").tempfile().unwrap();
        std::fs::write(&file, format!("int c; {} c++;\n", "long_name++; ".repeat(20))).unwrap();
        let name = file.path().to_str().unwrap();
        let place = place(name, 1, 268);
        let thread = Thread { number: 1, name: "thread 1 (`worker`)".to_owned(), routine: None };
        let label = "a label that is far too long to stand beside a line of source";
        let marks = [Mark { place: &place, label, thread: Some(&thread) }];
        let text = render(&marks, Style::new(60, false)).replace(name, "race.c");
        insta::assert_snapshot!(text);
    }

    #[test]
    fn a_missing_file_is_still_named() {
        let gone = place("/gone/away.c", 12, 3);
        let text = render(&[Mark { place: &gone, label: "fails here", thread: None }], Style::new(80, false));
        assert_eq!(text, "  --> /gone/away.c:12:3: fails here\n");
    }

    #[test]
    fn a_line_beyond_the_end_is_still_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, "x\n").unwrap();
        let gone = place(file.path().to_str().unwrap(), 2, 1);
        assert!(
            render(&[Mark { place: &gone, label: "here", thread: None }], Style::new(80, false)).contains(":2:1: here")
        );
    }
}

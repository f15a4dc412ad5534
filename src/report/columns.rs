//! Rows of a schedule as text: one column for each thread where there is room, else one line after the other.
use super::Thread;
use super::excerpt::shorten_place;
use super::schedule::Row;
use super::style::{Role, Style};
use textwrap::core::display_width;

/// A column narrower than this is hard to read.
const NARROWEST: usize = 22;

/// What is between two columns.
const GAP: usize = 2;

/// The rows, in columns if they fit.
pub(crate) fn render(rows: &[Row<'_>], style: Style) -> String {
    let mut threads: Vec<&Thread> = rows.iter().filter_map(|row| row.thread).collect();
    threads.sort_by_key(|thread| thread.number);
    threads.dedup_by_key(|thread| thread.number);
    let number = rows.iter().map(|row| display_width(&row.number)).max().unwrap_or(0);
    let room = style.width.saturating_sub(2 + number);
    let width = (room / threads.len().max(1)).saturating_sub(GAP);
    match threads.len() > 1 && width >= NARROWEST {
        true => columns(rows, &threads, number, width, style),
        false => list(rows, &threads, number, style),
    }
}

fn columns(rows: &[Row<'_>], threads: &[&Thread], number: usize, width: usize, style: Style) -> String {
    let heads = threads.iter().map(|thread| fold(&name(thread, width), width, Role::Strong)).collect();
    let mut out = line(" ".repeat(number), heads, width, style);
    for row in rows {
        let number = format!("{:>number$}", row.number);
        let Some(thread) = row.thread else {
            out += &style.wrap(&format!("  {number}  "), &style.paint(row.role, &row.text));
            continue;
        };
        let mut cells = vec![Vec::new(); threads.len()];
        let column = threads.iter().position(|other| other.number == thread.number).expect("each has a column");
        cells[column] = cell(row, width);
        out += &line(number, cells, width, style);
    }
    out
}

/// Lines of text in one cell, each of one colour only.
type Cell = Vec<Vec<(String, Role)>>;

/// What happens, and where, in short (the excerpts have the whole path): on the same line if there is room.
fn cell(row: &Row<'_>, width: usize) -> Cell {
    let mut lines = fold(&row.text, width, row.role);
    let Some(place) = &row.place else { return lines };
    let line = format!("line {}", place.line);
    let named = format!("{}:{}", file_name(&place.file), place.line);
    let place = if display_width(&named) <= width { named } else { line };
    let used = lines.last().map_or(0, |line| line.iter().map(|(text, _)| display_width(text)).sum());
    match lines.last_mut() {
        Some(last) if used + GAP + display_width(&place) <= width => {
            last.push((" ".repeat(GAP), Role::Plain));
            last.push((place, Role::Faint));
        }
        _ => lines.extend(fold(&place, width, Role::Faint)),
    }
    lines
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn fold(text: &str, width: usize, role: Role) -> Cell {
    textwrap::wrap(text, width).into_iter().map(|line| vec![(line.into_owned(), role)]).collect()
}

/// Cells beside one another.
fn line(number: String, cells: Vec<Cell>, width: usize, style: Style) -> String {
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let mut out = String::new();
    for at in 0..height {
        let mut text = match at {
            0 => format!("  {number}  "),
            _ => " ".repeat(4 + display_width(&number)),
        };
        for (column, cell) in cells.iter().enumerate() {
            let pieces = cell.get(at).map(Vec::as_slice).unwrap_or_default();
            pieces.iter().for_each(|(piece, role)| text += &style.paint(*role, piece));
            if column + 1 < cells.len() {
                let used: usize = pieces.iter().map(|(piece, _)| display_width(piece)).sum();
                text += &" ".repeat((width + GAP).saturating_sub(used));
            }
        }
        out += text.trim_end();
        out.push('\n');
    }
    out
}

/// One row below the other, with the name of the thread.
fn list(rows: &[Row<'_>], threads: &[&Thread], number: usize, style: Style) -> String {
    // A long name of a thread's function must not push everything else aside; it stands in the stacks anyway.
    let most = style.width / 3;
    let widest = threads.iter().map(|thread| display_width(&name(thread, most))).max().unwrap_or(0);
    let line = |row: &Row<'_>| {
        let thread = row.thread.map(|thread| name(thread, most)).unwrap_or_default();
        let place = row.place.as_ref().map(|place| format!("  {}", style.paint(Role::Faint, &shorten_place(place))));
        let text = format!("{}{}", style.paint(row.role, &row.text), place.unwrap_or_default());
        style.wrap(&format!("  {:>number$}  {thread:<widest$}  ", row.number), &text)
    };
    rows.iter().map(line).collect()
}

/// The name of a thread, without its function if that is too long.
fn name(thread: &Thread, most: usize) -> String {
    match display_width(&thread.name) <= most {
        true => thread.name.clone(),
        false => thread.name.split(" (").next().unwrap_or(&thread.name).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{samples, schedule};

    #[test]
    fn a_column_for_each_thread() {
        let violation = samples::race().violations.remove(0);
        insta::assert_snapshot!(schedule::render(&violation, Style::new(90, false)));
    }

    #[test]
    fn no_line_is_too_wide() {
        let violation = samples::race().violations.remove(0);
        for width in 60..=120 {
            let text = schedule::render(&violation, Style::new(width, false));
            assert!(text.lines().all(|line| display_width(line) <= width), "{width}\n{text}");
        }
    }
}

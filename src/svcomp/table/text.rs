//! Results as text.
use super::super::answer::{Answer, Category};
use super::results::{Record, Results};
use super::{Done, Run};
use std::fmt::Write as _;

/// One result while the others are awaited.
pub(super) fn line(run: &Run, record: &Record) -> String {
    let category = category(run, record);
    format!("{category}: {} {}: {} ({:.1} s)", record.task, run.check.property.name(), record.answer, record.seconds)
}

/// The table of all questions and the sums below it; the exit code says whether an answer is wrong.
pub(super) fn table(runs: &[Run], results: &Results) -> Done {
    let rows: Vec<Row> = runs.iter().map(|run| Row::new(run, results.get(run))).collect();
    let width = |cell: fn(&Row) -> &str| rows.iter().map(|row| cell(row).len()).max().unwrap_or(0);
    let (task, property, answer) = (width(|row| &row.task), width(|row| row.property), width(|row| &row.answer));
    let mut out = String::new();
    for row in &rows {
        let score = row.category.map_or(0, Category::score);
        let what = row.category.map_or("not run", Category::name);
        let _ = write!(
            out,
            "{:<task$}  {:<property$}  {:<answer$}  {what:<13}  {score:>3}  {:>7}",
            row.task, row.property, row.answer, row.seconds
        );
        // Where there is nothing to be proud of, why.
        let explained = row.category.is_some_and(|category| category == Category::Unknown || category.is_wrong());
        let _ = if explained { writeln!(out, "  {}", row.reason) } else { writeln!(out) };
    }
    out.push('\n');
    for category in Category::ALL {
        let count = rows.iter().filter(|row| row.category == Some(category)).count();
        if count > 0 || category.is_wrong() {
            let _ = writeln!(out, "{:<14} {count:>6}", category.name());
        }
    }
    let missing = rows.iter().filter(|row| row.category.is_none()).count();
    if missing > 0 {
        let _ = writeln!(out, "{:<14} {missing:>6}", "not run");
    }
    let score: i64 = rows.iter().filter_map(|row| row.category).map(Category::score).sum();
    let best: i64 = runs.iter().map(best).sum();
    let _ = writeln!(out, "{:<14} {score:>6} of {best}", "score");
    let wrong = rows.iter().any(|row| row.category.is_some_and(Category::is_wrong));
    (out, u8::from(wrong))
}

struct Row {
    task: String,
    property: &'static str,
    answer: String,
    reason: String,
    seconds: String,
    /// Nothing if the question was not asked.
    category: Option<Category>,
}

impl Row {
    fn new(run: &Run, record: Option<&Record>) -> Row {
        let record_of = |read: fn(&Record) -> String| record.map(read).unwrap_or_default();
        Row {
            task: run.key().0,
            property: run.check.property.name(),
            answer: record_of(|record| record.answer.clone()),
            reason: record_of(|record| record.reason.lines().next().unwrap_or_default().to_owned()),
            seconds: record_of(|record| format!("{:.1} s", record.seconds)),
            category: record.map(|record| category_of(run, record)),
        }
    }
}

fn category(run: &Run, record: &Record) -> &'static str {
    category_of(run, record).name()
}

fn category_of(run: &Run, record: &Record) -> Category {
    // An answer that cannot be understood is none.
    let answer = record.answer.parse().unwrap_or(Answer::Unknown);
    Category::of(answer, run.check.expected.as_ref())
}

/// What the right answer is worth.
fn best(run: &Run) -> i64 {
    match &run.check.expected {
        Some(expected) if expected.holds => Category::CorrectTrue.score(),
        Some(_) => Category::CorrectFalse.score(),
        None => 0,
    }
}

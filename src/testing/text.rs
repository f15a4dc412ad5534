//! The result of many checks for people.
use crate::report::Verdict;
use crate::report::case::{Case, Outcome};
use crate::report::excerpt::shorten_place;
use crate::report::printable::printable;
use crate::report::style::{Role, Style};
use crate::report::text::{self, Detail};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One case, when it has ended.
pub(super) fn line(case: &Case, style: Style) -> String {
    let outcome = case.outcome();
    let name = format!("{:<7}", outcome.name());
    let place = |place: &_| format!("{}: ", shorten_place(place));
    let found = case
        .violations()
        .first()
        .map(|violation| format!("{}{}", violation.place.as_ref().map(place).unwrap_or_default(), violation.message));
    let accepted = || Some(format!("accepted, although unknown: {}", case.accepted()?.first_reason()));
    let why =
        found.into_iter().chain(case.remark()).chain(accepted()).map(|what| format!(": {what}")).collect::<String>();
    let (title, why) = (printable(&case.name), printable(&why));
    format!("{} {title} ({:.1} s){why}\n", style.paint(role(outcome), &name), case.seconds)
}

/// The reports of all that is not as expected, unless that is too much, and the sums.
pub(super) fn end(cases: &[Case], style: Style, brief: bool, seconds: f64) -> String {
    let mut out = String::new();
    let bad = cases.iter().filter(|case| case.outcome() != Outcome::Passed && !brief);
    for (case, report) in bad.filter_map(|case| case.result.as_ref().ok().map(|report| (case, report))) {
        let _ = write!(out, "\n{}\n{}", style.paint(Role::Strong, &format!("== {}", printable(&case.name))), {
            text::write(report, style, Detail::Normal)
        });
    }
    let count = |outcome| cases.iter().filter(|case| case.outcome() == outcome).count();
    let counts = Outcome::ALL.map(|outcome| (outcome, count(outcome)));
    let shown = counts.iter().filter(|(outcome, count)| *count > 0 || *outcome == Outcome::Passed);
    let mut parts: Vec<String> =
        shown.map(|(outcome, count)| style.paint(role(*outcome), &format!("{count} {}", outcome.name()))).collect();
    let suppressed: usize = cases.iter().filter_map(|case| case.result.as_ref().ok()).map(|r| r.suppressed.len()).sum();
    if suppressed > 0 {
        parts.push(format!("{suppressed} suppressed"));
    }
    let _ = writeln!(out, "\n{} of {} in {seconds:.1} s", parts.join(", "), cases.len());
    out += &narrowed(cases);
    out
}

/// What was not looked for where nothing was found.
fn narrowed(cases: &[Case]) -> String {
    let safe = cases.iter().filter_map(|case| case.result.as_ref().ok()).filter(|r| r.verdict == Verdict::Safe);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    safe.filter_map(|report| report.narrowed.as_ref()).for_each(|n| *counts.entry(n.text()).or_default() += 1);
    counts.iter().map(|(text, count)| format!("{text}, in {count} of {}\n", cases.len())).collect()
}

/// That some harnesses were left out, if they were.
pub(super) fn chosen(count: usize, left_out: usize) -> String {
    match left_out {
        0 => String::new(),
        _ => format!("{count} of {} harnesses chosen by --filter\n", count + left_out),
    }
}

fn role(outcome: Outcome) -> Role {
    match outcome {
        Outcome::Passed => Role::Good,
        Outcome::Failed | Outcome::Error => Role::Bad,
        Outcome::Unknown => Role::Unclear,
    }
}

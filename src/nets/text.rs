//! What came of it, for people.
use super::names;
use super::outcome::{End, Outcome};
use super::questions::Answer;
use crate::cli::unfold::NetOrderName;
use crate::report::style::{Role, Style};
use crate::report::text::{Detail, counted};
use crate::units::{show_bytes, show_count};

/// The summary.
pub(super) fn write(outcome: &Outcome, style: Style, detail: Detail) -> String {
    let (role, sentence) = match (&outcome.end, &outcome.stop_at) {
        (End::Complete, Some(name)) => (Role::Good, format!("{name} never fires")),
        (End::Complete, None) if outcome.order == NetOrderName::ErvWords => (
            Role::Unclear,
            "nothing is left to unfold; that the prefix represents every marking is not shown".to_owned(),
        ),
        (End::Complete, None) => (Role::Good, "the prefix represents every reachable marking".to_owned()),
        (End::Reached(_), name) => (Role::Bad, format!("{} can fire", name.as_deref().unwrap_or_default())),
        (End::Stopped { reason, complete: true, .. }, _) => {
            (Role::Unclear, format!("{reason}; the prefix is complete, but questions are left"))
        }
        (End::Stopped { reason, .. }, _) => (Role::Unclear, format!("{reason}; the prefix is not complete")),
    };
    let first = format!("{}: ", style.paint(role, outcome.word()));
    let mut out = match detail {
        Detail::Brief => format!("{first}{sentence}\n"),
        _ => style.wrap(&first, &sentence),
    };
    for (asked, answer) in &outcome.answers {
        let role = match answer {
            Answer::No => Role::Good,
            Answer::Yes(_) => Role::Bad,
            Answer::Unknown => Role::Unclear,
        };
        let after = match answer {
            Answer::Yes(run) if run.is_empty() => ", at the beginning".to_owned(),
            Answer::Yes(run) if detail != Detail::Brief => format!(", after {}", names::run(outcome.net, run)),
            _ => String::new(),
        };
        out += &style.wrap(&format!("{}: ", asked.shown()), &(style.paint(role, answer.word()).to_string() + &after));
    }
    if detail == Detail::Brief {
        return out;
    }
    if let End::Reached(run) = &outcome.end {
        out += &style.wrap("run: ", &names::run(outcome.net, run));
    }
    out += &style.wrap("net: ", &net(outcome));
    out += &style.wrap("prefix: ", &prefix(outcome));
    let statistics = &outcome.statistics;
    out += &format!("{:.2} s, {}\n", statistics.seconds, show_bytes(statistics.peak_memory_bytes));
    if let End::Stopped { hint: Some(hint), .. } = outcome.end {
        out += &style.wrap("hint: ", hint);
    }
    out
}

fn net(outcome: &Outcome) -> String {
    let net = outcome.net;
    let counts = [
        counted(net.places().len() as u64, "place"),
        counted(net.transitions().len() as u64, "transition"),
        counted(net.read_arcs() as u64, "read arc"),
    ];
    counts.join(", ")
}

fn prefix(outcome: &Outcome) -> String {
    let statistics = &outcome.statistics;
    let histories = match statistics.histories {
        1 => "1 history".to_owned(),
        n => format!("{} histories", show_count(n)),
    };
    let counts = [
        Some(counted(statistics.events, "event")),
        statistics.conditions.map(|conditions| counted(conditions, "condition")),
        Some(format!("{histories} of up to {}", counted(statistics.depth, "event"))),
        Some(counted(statistics.cutoffs, "cutoff")),
    ];
    counts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

//! The prefix as a graph for Graphviz: conditions are circles, events are boxes, read arcs are dashed and have no
//! heads, and what has cutoffs for its only histories is grey and dashed.
use super::conditions::Conditions;
use super::names;
use super::outcome::Outcome;
use crate::report::dot::quoted;
use crate::report::printable::printable;
use crate::report::text::counted;
use por::nets::{EnrichedPrefix, NetEventId};
use std::io::{Result, Write};

/// The histories of an event.
#[derive(Clone, Copy, Default)]
struct Histories {
    all: u64,
    cutoffs: u64,
}

/// Writes the graph.
pub(super) fn write(outcome: &Outcome, prefix: &EnrichedPrefix<'_>, out: &mut dyn Write) -> Result<()> {
    let statistics = &outcome.statistics;
    let counts = [counted(statistics.events, "event"), counted(statistics.cutoffs, "cutoff")].join(", ");
    let label = quoted(&format!("{}: {}, {counts}", names::shown(&outcome.file), outcome.word()));
    writeln!(out, "digraph prefix {{")?;
    writeln!(out, "  graph [labelloc=t, fontname=\"sans-serif\", label={label}];")?;
    writeln!(out, "  node [fontname=\"sans-serif\"];")?;
    let conditions = Conditions::new(prefix);
    for (number, condition) in conditions.all().iter().enumerate() {
        let name = quoted(&printable(&prefix.net().place(condition.place).name));
        writeln!(out, "  c{number} [shape=circle, label={name}];")?;
    }
    let mut histories = vec![Histories::default(); prefix.events().len()];
    for history in prefix.histories() {
        let of_event = &mut histories[prefix.event(history).0 as usize];
        of_event.all += 1;
        of_event.cutoffs += u64::from(prefix.is_cutoff(history));
    }
    for event in prefix.events() {
        event_with_arcs(prefix, event, histories[event.0 as usize], &conditions, out)?;
    }
    writeln!(out, "}}")
}

fn event_with_arcs(
    prefix: &EnrichedPrefix<'_>,
    event: NetEventId,
    histories: Histories,
    conditions: &Conditions,
    out: &mut dyn Write,
) -> Result<()> {
    // ⊥ is not shown: the conditions that it generates have no arc to them.
    let Some(transition) = prefix.transition(event) else { return Ok(()) };
    let number = event.0;
    let mut label = printable(&prefix.net().transition(transition).name);
    if histories.all > 1 {
        label += &format!("\n{} histories", histories.all);
        if histories.cutoffs > 0 {
            label += &format!(", {}", counted(histories.cutoffs, "cutoff"));
        }
    }
    let is_cutoff = histories.cutoffs == histories.all;
    let look = if is_cutoff { ", style=dashed, color=gray50, fontcolor=gray50" } else { "" };
    writeln!(out, "  e{number} [shape=box, label={}{look}];", quoted(&label))?;
    for condition in prefix.preset(event) {
        writeln!(out, "  c{} -> e{number};", conditions.number(condition))?;
    }
    for condition in prefix.context(event) {
        writeln!(out, "  c{} -> e{number} [dir=none, style=dashed];", conditions.number(condition))?;
    }
    for condition in prefix.postset(event) {
        writeln!(out, "  e{number} -> c{};", conditions.number(condition))?;
    }
    Ok(())
}

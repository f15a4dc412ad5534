//! What came of it, as a JSON object; `docs/schema/unfold-1.schema.json` describes it.
use super::ask::Answered;
use super::outcome::{End, Outcome};
use super::questions;
use crate::report::json::milliseconds;
use serde::Serialize;
use std::io::Write;

/// Number of the schema.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Object<'a> {
    schema: u32,
    net: Net<'a>,
    encoding: &'static str,
    order: &'static str,
    end: &'static str,
    reason: Option<&'a str>,
    run: Option<Vec<&'a str>>,
    answers: Vec<Answer<'a>>,
    stats: Stats,
}

#[derive(Serialize)]
struct Answer<'a> {
    question: &'static str,
    places: &'a [String],
    answer: &'static str,
    run: Option<Vec<&'a str>>,
}

#[derive(Serialize)]
struct Net<'a> {
    file: &'a str,
    places: usize,
    transitions: usize,
    read_arcs: usize,
}

#[derive(Serialize)]
struct Stats {
    events: u64,
    conditions: Option<u64>,
    histories: u64,
    cutoffs: u64,
    depth: u64,
    concurrent_pairs: u64,
    seconds: f64,
    peak_memory_bytes: u64,
}

fn answer<'a>(net: &'a por::nets::Net, (asked, answer): &'a Answered) -> Answer<'a> {
    let name = |&id| &net.transition(id).name[..];
    Answer {
        question: asked.kind,
        places: &asked.places,
        answer: answer.word(),
        run: match answer {
            questions::Answer::Yes(run) => Some(run.iter().map(name).collect()),
            questions::Answer::No | questions::Answer::Unknown => None,
        },
    }
}

/// Writes the object, and ends the line.
pub(super) fn write(outcome: &Outcome, out: &mut dyn Write) -> std::io::Result<()> {
    let (net, statistics) = (outcome.net, &outcome.statistics);
    let name = |&id| &net.transition(id).name[..];
    let object = Object {
        schema: SCHEMA,
        net: Net {
            file: &outcome.file,
            places: net.places().len(),
            transitions: net.transitions().len(),
            read_arcs: net.read_arcs(),
        },
        encoding: outcome.encoding_name(),
        order: outcome.order_name(),
        end: outcome.word(),
        reason: match &outcome.end {
            End::Stopped { reason, .. } => Some(reason),
            End::Complete | End::Reached(_) => None,
        },
        run: match &outcome.end {
            End::Reached(run) => Some(run.iter().map(name).collect()),
            End::Complete | End::Stopped { .. } => None,
        },
        answers: outcome.answers.iter().map(|answered| answer(net, answered)).collect(),
        stats: Stats {
            events: statistics.events,
            conditions: statistics.conditions,
            histories: statistics.histories,
            cutoffs: statistics.cutoffs,
            depth: statistics.depth,
            concurrent_pairs: statistics.concurrent_pairs,
            seconds: milliseconds(statistics.seconds),
            peak_memory_bytes: statistics.peak_memory_bytes,
        },
    };
    serde_json::to_writer(&mut *out, &object)?;
    out.write_all(b"\n")
}

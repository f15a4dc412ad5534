//! Witnesses in YAML, format 2.2, in which waypoints name their threads.
//!
//! Number k is the thread that the k-th call on the way creates; 0 is the main thread. Each step is a segment of its
//! own, which a validator passes in this order: the entrance of a function where the step is a call, else an assumption
//! that always holds, which only says that control comes by. Values of `__VERIFIER_nondet_…` are what a function
//! returns. A race ends in two targets that nothing orders.
use super::Origin;
use super::path::{Event, Path};
use crate::report::Place;
use frontend::ir::DataModel;
use serde::Serialize;
use std::collections::BTreeMap;

/// The witness of a violation, or of a proof if there is no way to one.
pub(super) fn write(origin: &Origin, path: Option<&Path>) -> Result<String, serde_saphyr::ser::Error> {
    let names = || origin.sources.iter().map(|source| source.name.as_str());
    let hashes = origin.sources.iter().map(|source| source.hash.as_str());
    let metadata = Metadata {
        format_version: "2.2",
        uuid: &origin.uuid,
        creation_time: &origin.created,
        producer: Producer { name: "verify", version: env!("CARGO_PKG_VERSION") },
        task: Task {
            input_files: names().collect(),
            input_file_hashes: names().zip(hashes).collect(),
            specification: &origin.specification,
            data_model: match origin.model {
                DataModel::Ilp32 => "ILP32",
                DataModel::Lp64 => "LP64",
            },
            language: "C",
        },
    };
    let entry_type = if path.is_some() { "violation_sequence" } else { "invariant_set" };
    let content = path.map_or_else(Vec::new, |path| segments(origin, path));
    serde_saphyr::to_string(&[Entry { entry_type, metadata, content }])
}

/// A segment for each step whose place is known, and one for the end.
fn segments(origin: &Origin, path: &Path) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for step in &path.moves {
        let Some(place) = &step.place else { continue };
        match &step.event {
            // A thread ends where its function returns, which is no waypoint.
            Event::Ends { .. } => {}
            Event::Creates { .. } => segments.push(Segment::of([entered(origin, step.thread, place)])),
            Event::Step => segments.push(Segment::of([passed(origin, step.thread, place)])),
            Event::Chooses { value } => segments.push(Segment::of([returned(origin, step.thread, place, *value)])),
        }
    }
    let targets = path.targets.iter().filter_map(|target| {
        let place = target.place.as_ref()?;
        Some(Waypoint::new("target", target.thread, statement(origin, place)))
    });
    segments.push(Segment::of(targets));
    segments
}

/// The statement at a place. The format wants its first column, or none: then the first statement of the line that fits
/// is meant.
fn statement(origin: &Origin, place: &Place) -> Location {
    let location = Location::of(origin, place);
    let column = origin.source(place).and_then(|source| source.statement_column(place));
    Location { column: location.column.and(column), ..location }
}

/// Control comes by.
fn passed(origin: &Origin, thread: u32, place: &Place) -> Waypoint {
    if end_of_call(origin, place).is_some() {
        return entered(origin, thread, place);
    }
    let location = statement(origin, place);
    let constraint = Some(Constraint { value: "1".to_owned(), format: "c_expression" });
    Waypoint { constraint, ..Waypoint::new("assumption", thread, location) }
}

/// The function that is called at the place returns this value.
fn returned(origin: &Origin, thread: u32, place: &Place, value: i128) -> Waypoint {
    if end_of_call(origin, place).is_none() {
        return passed(origin, thread, place);
    }
    let constraint = Some(Constraint { value: format!("\\result == {value}"), format: "acsl_expression" });
    Waypoint { kind: "function_return", constraint, ..entered(origin, thread, place) }
}

/// A function is called at that place. The format wants the place where its arguments end.
fn entered(origin: &Origin, thread: u32, place: &Place) -> Waypoint {
    let location = match end_of_call(origin, place) {
        Some((line, column)) => Location { line, column: Some(column), ..Location::of(origin, place) },
        None => Location { column: None, ..Location::of(origin, place) },
    };
    Waypoint::new("function_enter", thread, location)
}

fn end_of_call(origin: &Origin, place: &Place) -> Option<(u32, u32)> {
    origin.source(place)?.end_of_call(place)
}

#[derive(Serialize)]
struct Entry<'a> {
    entry_type: &'static str,
    metadata: Metadata<'a>,
    content: Vec<Segment>,
}

#[derive(Serialize)]
struct Metadata<'a> {
    format_version: &'static str,
    uuid: &'a str,
    creation_time: &'a str,
    producer: Producer,
    task: Task<'a>,
}

#[derive(Serialize)]
struct Producer {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Task<'a> {
    input_files: Vec<&'a str>,
    input_file_hashes: BTreeMap<&'a str, &'a str>,
    specification: &'a str,
    data_model: &'static str,
    language: &'static str,
}

#[derive(Serialize)]
struct Segment {
    segment: Vec<Wrapped>,
}

impl Segment {
    fn of(waypoints: impl IntoIterator<Item = Waypoint>) -> Segment {
        Segment { segment: waypoints.into_iter().map(|waypoint| Wrapped { waypoint }).collect() }
    }
}

#[derive(Serialize)]
struct Wrapped {
    waypoint: Waypoint,
}

#[derive(Serialize)]
struct Waypoint {
    #[serde(rename = "type")]
    kind: &'static str,
    action: &'static str,
    thread_id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<Constraint>,
    location: Location,
}

impl Waypoint {
    fn new(kind: &'static str, thread_id: u32, location: Location) -> Waypoint {
        Waypoint { kind, action: "follow", thread_id, constraint: None, location }
    }
}

#[derive(Serialize)]
struct Constraint {
    value: String,
    format: &'static str,
}

#[derive(Serialize)]
struct Location {
    file_name: String,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    function: String,
}

impl Location {
    fn of(origin: &Origin, place: &Place) -> Location {
        let column = Some(place.column).filter(|column| *column != 0);
        let file_name = origin.source(place).map_or(&place.file, |source| &source.name).clone();
        Location { file_name, line: place.line, column, function: place.function.clone() }
    }
}

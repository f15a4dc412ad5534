//! The report as a stream: one JSON object on each line, each with the key `event`. A violation comes as soon as it is
//! known.
use super::{Report, Statistics, Violation, json};
use serde::Serialize;

/// What happens in a run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'a> {
    /// It begins with these inputs.
    Start(&'a [String]),
    /// A bug.
    Violation(&'a Violation),
    /// What has been done so far.
    Progress(&'a Statistics),
    /// It is over.
    Result(&'a Report),
}

/// Writes one line.
pub(crate) fn line(event: Event<'_>) -> String {
    let line = match event {
        Event::Start(inputs) => serde_json::to_string(&Start { event: "start", schema: json::SCHEMA, inputs }),
        Event::Violation(violation) => {
            serde_json::to_string(&Named { event: "violation", object: json::violation(violation) })
        }
        Event::Progress(statistics) => {
            let Statistics { executions, events, explored, instructions, seconds, .. } = *statistics;
            let seconds = json::milliseconds(seconds);
            serde_json::to_string(&Progress { event: "progress", executions, events, explored, instructions, seconds })
        }
        Event::Result(report) => serde_json::to_string(&Named { event: "result", object: json::object(report) }),
    };
    line.expect("plain data can be written as JSON") + "\n"
}

/// The whole of a run that is over.
pub(crate) fn write(inputs: &[String], report: &Report) -> String {
    line(Event::Start(inputs)) + &end(report, 0)
}

/// What is left to say when a run is over and that many violations have been told.
pub(crate) fn end(report: &Report, told: usize) -> String {
    let violations = report.violations.iter().skip(told).map(Event::Violation);
    violations.chain([Event::Result(report)]).map(line).collect()
}

#[derive(Serialize)]
struct Start<'a> {
    event: &'static str,
    schema: u32,
    inputs: &'a [String],
}

#[derive(Serialize)]
struct Named<T> {
    event: &'static str,
    #[serde(flatten)]
    object: T,
}

#[derive(Serialize)]
struct Progress {
    event: &'static str,
    executions: u64,
    events: u64,
    explored: u32,
    instructions: u64,
    seconds: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn a_bug() {
        insta::assert_snapshot!(write(&["a.c".to_owned()], &samples::race()));
    }

    #[test]
    fn the_last_line_is_the_json_report() {
        let text = write(&[], &samples::race());
        let last = text.lines().last().unwrap().replace(r#""event":"result","#, "");
        assert_eq!(last + "\n", json::write(&samples::race()));
    }

    #[test]
    fn progress() {
        let statistics = Statistics { executions: 3, seconds: 1.23456, ..Statistics::default() };
        let expected =
            r#"{"event":"progress","executions":3,"events":0,"explored":0,"instructions":0,"seconds":1.235}"#;
        assert_eq!(line(Event::Progress(&statistics)), format!("{expected}\n"));
    }
}

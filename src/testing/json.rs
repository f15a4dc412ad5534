//! The result of many checks as one JSON object; docs/ci.md describes it.
use crate::config::harness::Harness;
use crate::report::case::{Case, Outcome};
use crate::report::json;
use serde::Serialize;
use std::collections::BTreeMap;

/// Writes the object as one line.
pub(super) fn write(cases: &[Case], harnesses: &[Harness], left_out: usize, seconds: f64) -> String {
    let count = |outcome| cases.iter().filter(|case| case.outcome() == outcome).count();
    let result = Result {
        schema: json::SCHEMA,
        summary: Outcome::ALL.iter().map(|outcome| (outcome.name(), count(*outcome))).collect(),
        seconds: json::milliseconds(seconds),
        left_out,
        harnesses: cases.iter().zip(harnesses).map(|(case, harness)| entry(case, harness)).collect(),
    };
    serde_json::to_string(&result).expect("plain data can be written as JSON") + "\n"
}

#[derive(Serialize)]
struct Result<T> {
    schema: u32,
    summary: BTreeMap<&'static str, usize>,
    seconds: f64,
    /// How many harnesses no filter names.
    left_out: usize,
    harnesses: Vec<T>,
}

#[derive(Serialize)]
struct Entry<'a, T> {
    name: &'a str,
    outcome: &'static str,
    expected: String,
    /// Why that is expected.
    reason: Option<&'a str>,
    /// What is wrong besides the bugs in the report.
    message: Option<String>,
    seconds: f64,
    report: Option<T>,
}

fn entry<'a>(case: &'a Case, harness: &'a Harness) -> impl Serialize {
    Entry {
        name: &case.name,
        outcome: case.outcome().name(),
        expected: case.expected.to_string(),
        reason: harness.reason.as_deref(),
        message: case.remark(),
        seconds: json::milliseconds(case.seconds),
        report: case.result.as_ref().ok().map(|report| json::object(report)),
    }
}

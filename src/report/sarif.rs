//! The report for code scanning: SARIF 2.1.0 (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>).
//!
//! A schedule is one code flow with a thread flow for each thread; the execution order of its places is the number of
//! the step in the schedule. What is suppressed or expected is no result: GitHub would open an alert for it.
use super::case::{Case, Outcome};
use super::excerpt::shorten;
use super::rules::rule;
use super::{Place, Related, Step, Thread, Violation};
use interp::fault::Kind;
use serde_sarif::sarif;
use serde_sarif::sarif::{NotificationLevel, ReportingConfigurationLevel, ResultLevel, Version};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The most places that one result may name: viewers drop what is beyond.
const MOST_PLACES: usize = 1000;

/// How fingerprints are made; another way needs another name.
const FINGERPRINT: &str = "verify/v1";

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

/// Writes one run with the bugs of all cases.
pub(crate) fn write(cases: &[Case]) -> String {
    let mut seen = BTreeMap::new();
    let results = cases.iter().flat_map(|case| case.violations().iter().map(move |violation| (case, violation)));
    let results = results.map(|(case, violation)| result(case, violation, &mut seen)).collect::<Vec<_>>();
    let notifications = cases.iter().filter_map(notification).collect::<Vec<_>>();
    let done = !cases.iter().any(|case| case.result.is_err());
    let invocation = sarif::Invocation::builder().execution_successful(done);
    let run = sarif::Run::builder()
        .tool(sarif::Tool::builder().driver(driver()).build())
        .invocations(vec![invocation.tool_execution_notifications(notifications).build()])
        // Our columns count bytes, which are these for all but characters beyond ASCII.
        .column_kind("utf16CodeUnits")
        .results(results)
        .build();
    let version = serde_json::to_value(Version::V2_1_0).expect("a name");
    let log = sarif::Sarif::builder().schema(SCHEMA).version(version).runs(vec![run]).build();
    serde_json::to_string(&log).expect("plain data can be written as JSON") + "\n"
}

fn driver() -> sarif::ToolComponent {
    sarif::ToolComponent::builder()
        .name("verify")
        .version(env!("CARGO_PKG_VERSION"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .rules(Kind::ALL.map(descriptor).to_vec())
        .build()
}

fn descriptor(kind: Kind) -> sarif::ReportingDescriptor {
    let rule = rule(kind);
    let text = |text: &str| sarif::MultiformatMessageString::builder().text(text).build();
    let level = serde_json::to_value(ReportingConfigurationLevel::Error).expect("a name");
    let tags = ["concurrency".to_owned(), format!("external/cwe/cwe-{:03}", rule.cwe)];
    // Every bug was seen to happen in a replay.
    let properties =
        BTreeMap::from([("precision".to_owned(), "very-high".into()), ("problem.severity".to_owned(), "error".into())]);
    sarif::ReportingDescriptor::builder()
        .id(kind.name())
        .short_description(text(rule.title))
        .full_description(text(rule.description))
        .help(text(rule.help))
        .default_configuration(sarif::ReportingConfiguration::builder().level(level).build())
        .properties(sarif::PropertyBag::builder().tags(tags.to_vec()).additional_properties(properties).build())
        .build()
}

/// What has to be said of a case besides its bugs.
fn notification(case: &Case) -> Option<sarif::Notification> {
    let level = match case.outcome() {
        Outcome::Unknown => NotificationLevel::Warning,
        Outcome::Passed | Outcome::Failed | Outcome::Error => NotificationLevel::Error,
    };
    let notification = sarif::Notification::builder()
        .level(serde_json::to_value(level).expect("a name"))
        .message(message(&format!("{}: {}", case.name, case.remark()?)));
    Some(notification.build())
}

fn result(case: &Case, violation: &Violation, seen: &mut BTreeMap<String, usize>) -> sarif::Result {
    let fingerprint = fingerprint(violation);
    let count = seen.entry(fingerprint.clone()).or_default();
    *count += 1;
    let room = MOST_PLACES.saturating_sub(1 + violation.related.len());
    let shown = &violation.trace[violation.trace.len().saturating_sub(room)..];
    let mut text = violation.message.clone();
    if shown.len() < violation.trace.len() {
        let (all, last) = (violation.trace.len(), shown.len());
        let _ = write!(text, " (the schedule has {all} steps, of which the last {last} are here)");
    }
    let related = violation.related.iter().zip(1..).map(|(related, id)| related_location(related, id));
    let main = violation.place.as_ref().or_else(|| last_place(violation));
    let program = BTreeMap::from([("program".to_owned(), case.name.clone().into())]);
    let result = sarif::Result::builder()
        .rule_id(violation.kind.name())
        .rule_index(Kind::ALL.iter().position(|kind| *kind == violation.kind).map_or(-1, |at| at as i64))
        .level(ResultLevel::Error)
        .message(message(&text))
        .locations(main.map(|place| location(Some(place), None)).into_iter().collect::<Vec<_>>())
        .related_locations(related.collect::<Vec<_>>())
        .partial_fingerprints(BTreeMap::from([(FINGERPRINT.to_owned(), format!("{fingerprint}:{count}"))]))
        .properties(sarif::PropertyBag::builder().additional_properties(program).build());
    match shown {
        [] => result.build(),
        _ => result.code_flows(vec![code_flow(shown, violation.trace.len() - shown.len())]).build(),
    }
}

/// Where the schedule ends, for a bug without a place of its own: a result without any would not be shown.
fn last_place(violation: &Violation) -> Option<&Place> {
    let frames = violation.stacks.iter().flat_map(|stack| &stack.frames);
    let steps = violation.trace.iter().rev().filter_map(|step| step.place.as_ref());
    frames.filter_map(|frame| frame.place.as_ref()).chain(steps).next()
}

/// The steps, each in the flow of its thread; `skipped` come before them.
fn code_flow(steps: &[Step], skipped: usize) -> sarif::CodeFlow {
    let mut flows: Vec<(&Thread, Vec<sarif::ThreadFlowLocation>)> = Vec::new();
    for (step, number) in steps.iter().zip(skipped + 1..) {
        let text = format!("{} {}", step.thread.name, step.sentence());
        let at = sarif::ThreadFlowLocation::builder()
            .execution_order(number as i64)
            .location(location(step.place.as_ref(), Some(&text)))
            .build();
        match flows.iter_mut().find(|(thread, _)| **thread == step.thread) {
            Some((_, places)) => places.push(at),
            None => flows.push((&step.thread, vec![at])),
        }
    }
    flows.sort_by_key(|(thread, _)| thread.number);
    let flows = flows.into_iter().map(|(thread, places)| {
        let flow = sarif::ThreadFlow::builder().id(thread.number.to_string()).message(message(&thread.name));
        flow.locations(places).build()
    });
    sarif::CodeFlow::builder().thread_flows(flows.collect::<Vec<_>>()).build()
}

fn related_location(related: &Related, id: i64) -> sarif::Location {
    sarif::Location { id: Some(id), ..location(related.place.as_ref(), Some(&related.message)) }
}

fn location(place: Option<&Place>, text: Option<&str>) -> sarif::Location {
    let functions = place.filter(|place| !place.function.is_empty()).map(|place| {
        let function = sarif::LogicalLocation::builder().fully_qualified_name(&place.function).kind("function");
        vec![function.build()]
    });
    sarif::Location {
        physical_location: place.map(physical),
        logical_locations: functions,
        message: text.map(message),
        ..sarif::Location::builder().build()
    }
}

fn physical(place: &Place) -> sarif::PhysicalLocation {
    let column = (place.column != 0).then_some(i64::from(place.column));
    let region = sarif::Region::builder().start_line(i64::from(place.line)).build();
    sarif::PhysicalLocation::builder()
        .artifact_location(sarif::ArtifactLocation::builder().uri(uri(&place.file)).build())
        .region(sarif::Region { start_column: column, ..region })
        .build()
}

fn message(text: &str) -> sarif::Message {
    sarif::Message::builder().text(text).build()
}

/// The file as seen from the current directory: relative if it is below it.
fn uri(file: &str) -> String {
    let path = shorten(file);
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut out = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// What stays the same when lines move that have nothing to do with the bug: the kind, the functions, and the words of
/// the message without numbers. Which end of a race comes first is a matter of chance, so the order does not count.
fn fingerprint(violation: &Violation) -> String {
    let place = |place: &Place| format!("{} {}", uri(&place.file), place.function);
    let mut places: Vec<String> = violation.place.iter().map(place).collect();
    places.extend(violation.related.iter().filter_map(|related| related.place.as_ref()).map(place));
    places.sort();
    let said = violation.message.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut words: Vec<&str> = said.filter(|word| !word.is_empty() && !is_number(word)).collect();
    words.sort_unstable();
    let all = format!("{}\n{}\n{}", violation.kind.name(), places.join("\n"), words.join(" "));
    Sha256::digest(all).iter().take(16).fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// A number or an address.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    digits.chars().next().is_some_and(|c| c.is_ascii_digit()) || (digits.len() < word.len())
}

#[cfg(test)]
mod tests;

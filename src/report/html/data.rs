//! What the script of the page gets to know. It belongs to this version of the page, so it may change with any version.
use super::source::{File, Files, PlaceData};
use crate::report::diagram::{Diagram, Node};
use crate::report::text::{self, Detail};
use crate::report::{Effect, Event, Frame, Profile, Report, Step, Thread, Unfolding, Violation};
use serde::Serialize;

/// Everything.
#[derive(Serialize)]
pub(crate) struct Page<'a> {
    version: &'static str,
    program: String,
    verdict: &'static str,
    headline: String,
    reasons: Vec<String>,
    hints: Vec<String>,
    assumptions: Vec<String>,
    suppressed: Vec<SuppressedData<'a>>,
    statistics: Vec<String>,
    profile: Option<ProfileData>,
    violations: Vec<ViolationData<'a>>,
    unfolding: Option<UnfoldingData<'a>>,
    no_unfolding: Option<&'a str>,
    files: Vec<File>,
}

/// Seconds and counts, with their names in words.
#[derive(Serialize)]
struct ProfileData {
    time: Vec<(String, f64)>,
    engine: Vec<(String, u64)>,
    orders: Vec<(String, u64)>,
}

#[derive(Serialize)]
struct ViolationData<'a> {
    kind: &'static str,
    title: String,
    place: Option<PlaceData>,
    lanes: Vec<ThreadData<'a>>,
    nodes: Vec<NodeData>,
    /// From, to, what it means.
    arrows: Vec<(usize, usize, &'static str)>,
    /// What is to be said of the steps.
    note: Option<String>,
    /// The state is known: no steps are left out.
    complete: bool,
    stacks: Vec<StackData<'a>>,
    related: Vec<StackData<'a>>,
    /// What the program is given, line by line.
    given: Vec<String>,
    output: Option<&'a str>,
}

/// A bug that is not to be reported.
#[derive(Serialize)]
struct SuppressedData<'a> {
    kind: &'static str,
    message: &'a str,
    place: Option<PlaceData>,
    reason: &'a str,
}

#[derive(Serialize)]
struct ThreadData<'a> {
    number: u32,
    name: &'a str,
    routine: Option<&'a str>,
    /// The nodes between which it exists.
    life: (usize, usize),
}

/// Threads are places among the lanes.
#[derive(Serialize)]
struct NodeData {
    lane: usize,
    text: String,
    place: Option<PlaceData>,
    wrong: bool,
    holds: Vec<String>,
    access: Option<AccessData>,
    creates: Option<usize>,
    ends: bool,
    waits: bool,
    wakes: Vec<usize>,
}

/// Numbers are texts: those of the script are not exact.
#[derive(Serialize)]
struct AccessData {
    variable: String,
    read: Option<String>,
    written: Option<String>,
}

#[derive(Serialize)]
struct StackData<'a> {
    heading: &'a str,
    frames: Vec<FrameData<'a>>,
}

#[derive(Serialize)]
struct FrameData<'a> {
    function: &'a str,
    place: Option<PlaceData>,
}

#[derive(Serialize)]
struct UnfoldingData<'a> {
    events: Vec<EventData<'a>>,
    conflicts: &'a [(usize, usize)],
}

#[derive(Serialize)]
struct EventData<'a> {
    thread: u32,
    name: &'a str,
    text: String,
    place: Option<PlaceData>,
    causes: &'a [usize],
    cutoff: bool,
}

impl<'a> Page<'a> {
    /// Gathers it, and reads the source.
    pub(crate) fn new(inputs: &[String], report: &'a Report) -> Self {
        let mut files = Files::default();
        let violations = report.violations.iter().map(|violation| self::violation(violation, &mut files)).collect();
        let unfolding = match &report.unfolding {
            Some(Ok(unfolding)) => Some(self::unfolding(unfolding, &mut files)),
            _ => None,
        };
        let suppressed = report.suppressed.iter().map(|found| SuppressedData {
            kind: found.kind.name(),
            message: &found.message,
            place: found.place.as_ref().map(|place| files.place(place)),
            reason: &found.reason,
        });
        let suppressed = suppressed.collect();
        let code = report.code.as_ref().map(|code| code.sentence());
        Page {
            version: env!("CARGO_PKG_VERSION"),
            program: inputs.join(" "),
            verdict: report.verdict.name(),
            headline: text::verdict(report),
            reasons: report.reasons.iter().map(ToString::to_string).collect(),
            hints: text::so_far(report).into_iter().chain(code).chain(text::hints(report, Detail::Normal)).collect(),
            assumptions: report.all_assumptions(),
            suppressed,
            statistics: text::statistics(&report.statistics),
            profile: report.profile.as_ref().map(profile),
            violations,
            unfolding,
            no_unfolding: report.unfolding.as_ref().and_then(|unfolding| unfolding.as_ref().err().map(String::as_str)),
            files: files.read(),
        }
    }
}

fn profile(profile: &Profile) -> ProfileData {
    let words = |name: &str| name.replace('_', " ");
    ProfileData {
        time: profile.time.iter().map(|&(name, seconds)| (words(name), seconds)).collect(),
        engine: profile.engine.iter().map(|&(name, count)| (words(name), count)).collect(),
        orders: profile.orders.clone(),
    }
}

fn violation<'a>(violation: &'a Violation, files: &mut Files) -> ViolationData<'a> {
    let diagram = Diagram::new(violation);
    let place = violation.place.as_ref().map(|place| files.place(place));
    let lanes = diagram.threads.iter().enumerate().map(|(lane, thread)| ThreadData {
        number: thread.number,
        name: &thread.name,
        routine: thread.routine.as_deref(),
        life: diagram.life(lane),
    });
    let stack = |heading: &'a str, frames: &'a [Frame], files: &mut Files| StackData {
        heading,
        frames: frames
            .iter()
            .map(|frame| FrameData {
                function: &frame.function,
                place: frame.place.as_ref().map(|place| files.place(place)),
            })
            .collect(),
    };
    let ordered = violation.trace.iter().all(|step| step.after.is_some());
    ViolationData {
        kind: violation.kind.name(),
        title: text::title(violation),
        place,
        lanes: lanes.collect(),
        nodes: diagram.nodes.iter().map(|node| self::node(node, &diagram, files)).collect(),
        arrows: diagram.arrows.iter().map(|arrow| (arrow.from, arrow.to, arrow.link.name())).collect(),
        note: diagram.note().or_else(|| (!ordered).then(|| "it is not known which steps depend on which".to_owned())),
        complete: diagram.left_out == 0,
        stacks: violation.stacks.iter().map(|own| stack(&own.thread.name, &own.frames, files)).collect(),
        related: violation.related.iter().map(|other| stack(&other.message, &other.frames, files)).collect(),
        given: violation.given.iter().flat_map(|given| given.lines().into_iter().chain(given.command())).collect(),
        output: violation.output.as_deref(),
    }
}

fn node(node: &Node<'_>, diagram: &Diagram<'_>, files: &mut Files) -> NodeData {
    let lane = |thread: &Thread| diagram.threads.iter().position(|other| other.number == thread.number);
    let effect = node.step.map_or(&Effect::None, |step| &step.effect);
    let access = node.step.and_then(|step| step.access.as_ref());
    NodeData {
        lane: node.lane,
        text: node.text.clone(),
        place: node.place.map(|place| files.place(place)),
        wrong: node.step.is_none(),
        holds: node.step.map(|step| step.holds.clone()).unwrap_or_default(),
        access: access.map(|access| AccessData {
            variable: access.variable.clone(),
            read: access.read.map(|value| value.to_string()),
            written: access.written.map(|value| value.to_string()),
        }),
        creates: match effect {
            Effect::Creates(thread) => lane(thread),
            _ => None,
        },
        ends: *effect == Effect::Ends,
        waits: *effect == Effect::Waits,
        wakes: match effect {
            Effect::Wakes(threads) => threads.iter().filter_map(lane).collect(),
            _ => Vec::new(),
        },
    }
}

fn unfolding<'a>(unfolding: &'a Unfolding, files: &mut Files) -> UnfoldingData<'a> {
    UnfoldingData {
        events: unfolding.events.iter().map(|event| self::event(event, files)).collect(),
        conflicts: &unfolding.conflicts,
    }
}

fn event<'a>(event: &'a Event, files: &mut Files) -> EventData<'a> {
    let Step { thread, place, .. } = &event.step;
    EventData {
        thread: thread.number,
        name: &thread.name,
        text: event.step.sentence(),
        place: place.as_ref().map(|place| files.place(place)),
        causes: event.step.causes(),
        cutoff: event.cutoff,
    }
}

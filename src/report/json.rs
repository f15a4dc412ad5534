//! The report as one JSON object. Keys and their order are a contract (docs/cli.md): tools read this.
use super::given::{Given, Returned, characters};
use super::{Effect, Place, Profile, Report, Step, Suppressed, Verdict, Violation};
use serde::{Serialize, Serializer};

/// Number of the format; grows when a key is removed or changes its meaning.
pub(crate) const SCHEMA: u32 = 1;

/// Writes the report as one line.
pub(crate) fn write(report: &Report) -> String {
    serde_json::to_string(&object(report)).expect("plain data can be written as JSON") + "\n"
}

/// The report as an object to be part of another one.
pub(crate) fn object(report: &Report) -> impl Serialize {
    Object {
        schema: SCHEMA,
        verdict: report.verdict.name(),
        reason: (report.verdict == Verdict::Unknown).then(|| report.first_reason()),
        incomplete: report.given_up(),
        assumptions: report.all_assumptions(),
        violations: report.violations.iter().map(violation).collect(),
        suppressed: report.suppressed.iter().map(suppressed).collect(),
        engine: report.answered.as_ref().map(|answered| &answered.engine[..]),
        certificate: report.certificate.as_ref().map(|certificate| match certificate {
            Ok(written) => {
                CertificateObject::Written { file: &written.file, states: written.states, bytes: written.bytes }
            }
            Err(reason) => CertificateObject::Missing { reason },
        }),
        stats: Stats {
            executions: report.statistics.executions,
            blocked: report.statistics.blocked,
            pruned: report.statistics.pruned,
            paths: report.statistics.paths,
            decisions: report.statistics.decisions,
            events: report.statistics.events,
            cutoffs: report.statistics.cutoffs,
            states: report.statistics.states,
            samples: report.sampling.as_ref().map_or(0, |sampling| sampling.samples),
            promoted: report.statistics.promoted,
            restarts: report.statistics.restarts,
            jobs: report.answered.as_ref().map(|answered| answered.workers).filter(|&workers| workers > 1),
            one_job: report.answered.as_ref().and_then(|answered| answered.alone.as_deref()),
            threads: report.statistics.threads,
            instructions: report.statistics.instructions,
            seconds: milliseconds(report.statistics.seconds),
            peak_memory_bytes: report.statistics.peak_memory_bytes,
            profile: report.profile.as_ref().map(profile),
        },
        coverage: coverage(report),
    }
}

#[derive(Serialize)]
struct Object<'a> {
    schema: u32,
    verdict: &'static str,
    reason: Option<String>,
    /// Only there if there are bugs, and may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<String>,
    assumptions: Vec<String>,
    violations: Vec<ViolationObject<'a>>,
    /// Only there if something is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressed: Vec<SuppressedObject<'a>>,
    /// Only there if the program was explored.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'a str>,
    /// Only there if one was asked for and the program is safe.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<CertificateObject<'a>>,
    stats: Stats<'a>,
    /// Only there if there is something to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<CoverageObject<'a>>,
}

/// What was covered, as far as the verdict does not say it.
#[derive(Serialize)]
struct CoverageObject<'a> {
    accepted: bool,
    actions: Option<u32>,
    preemptions: Option<u32>,
    samples: Option<SamplesObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<CodeObject<'a>>,
}

#[derive(Serialize)]
struct SamplesObject<'a> {
    count: u64,
    classes: u64,
    unseen: Option<f64>,
    too_long: u64,
    found_by: Option<&'a str>,
}

#[derive(Serialize)]
struct CodeObject<'a> {
    lines: usize,
    lines_reached: usize,
    functions: usize,
    functions_reached: usize,
    unreached_functions: Vec<UnreachedFunction<'a>>,
    unreached_lines: Vec<UnreachedLine<'a>>,
}

#[derive(Serialize)]
struct UnreachedFunction<'a> {
    file: &'a str,
    line: u32,
    name: &'a str,
}

#[derive(Serialize)]
struct UnreachedLine<'a> {
    file: &'a str,
    line: u32,
}

fn coverage(report: &Report) -> Option<CoverageObject<'_>> {
    let explored = report.statistics.explored;
    let unknown = report.verdict == Verdict::Unknown;
    if report.code.is_none() && !(unknown && (explored > 0 || report.sampling.is_some())) {
        return None;
    }
    let samples = report.sampling.as_ref().map(|sampling| SamplesObject {
        count: sampling.samples,
        classes: sampling.classes,
        unseen: sampling.unseen.map(milliseconds),
        too_long: sampling.too_long,
        found_by: sampling.found_by.as_ref().map(|(_, name)| name.as_str()),
    });
    let code = report.code.as_ref().map(|code| {
        let ((lines, lines_reached), (functions, functions_reached)) = (code.lines(), code.functions());
        CodeObject {
            lines,
            lines_reached,
            functions,
            functions_reached,
            unreached_functions: code
                .unreached_functions()
                .map(|(file, line, name)| UnreachedFunction { file, line, name })
                .collect(),
            unreached_lines: code.unreached_lines().map(|(file, line)| UnreachedLine { file, line }).collect(),
        }
    });
    Some(CoverageObject {
        accepted: report.is_accepted,
        actions: (explored > 0).then_some(explored),
        preemptions: report.sampling.as_ref().and_then(|sampling| sampling.preemptions),
        samples,
        code,
    })
}

#[derive(Serialize)]
#[serde(untagged)]
enum CertificateObject<'a> {
    Written { file: &'a str, states: u64, bytes: u64 },
    Missing { reason: &'a str },
}

/// A bug.
#[derive(Serialize)]
pub(super) struct ViolationObject<'a> {
    kind: &'static str,
    message: &'a str,
    location: Option<Location<'a>>,
    trace: Vec<StepObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<GivenObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<&'a str>,
}

#[derive(Serialize)]
struct SuppressedObject<'a> {
    kind: &'static str,
    message: &'a str,
    location: Option<Location<'a>>,
    reason: &'a str,
}

#[derive(Serialize)]
struct Location<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
}

#[derive(Serialize)]
struct StepObject<'a> {
    thread: u32,
    action: &'a str,
    location: Option<Location<'a>>,
    value: Option<&'a str>,
    library: Option<&'a str>,
    holds: &'a [String],
    after: Option<&'a [usize]>,
    /// Only there if the step reads one.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<InputObject>,
}

#[derive(Serialize)]
struct GivenObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stdin: Option<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    externals: &'a [Returned],
}

#[derive(Serialize)]
struct InputObject {
    value: i128,
    matters: Option<bool>,
}

#[derive(Serialize)]
struct Stats<'a> {
    executions: u64,
    blocked: u64,
    pruned: u64,
    /// Only there with inputs that may be anything.
    #[serde(skip_serializing_if = "is_zero")]
    paths: u64,
    /// As `paths`.
    #[serde(skip_serializing_if = "is_zero")]
    decisions: u64,
    events: u64,
    cutoffs: u64,
    /// Only there with an engine that visits states.
    #[serde(skip_serializing_if = "is_zero")]
    states: u64,
    /// Only there if schedules were sampled.
    #[serde(skip_serializing_if = "is_zero")]
    samples: u64,
    promoted: u64,
    restarts: u64,
    /// Only there if there were several.
    #[serde(skip_serializing_if = "Option::is_none")]
    jobs: Option<usize>,
    /// Only there if more were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    one_job: Option<&'a str>,
    threads: u32,
    instructions: u64,
    seconds: f64,
    peak_memory_bytes: u64,
    #[serde(flatten)]
    profile: Option<ProfileObject>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Keys of the statistics that are there if they were asked for.
#[derive(Serialize)]
struct ProfileObject {
    #[serde(serialize_with = "as_map")]
    time: Vec<(&'static str, f64)>,
    #[serde(serialize_with = "as_map")]
    engine: Vec<(&'static str, u64)>,
    orders: Vec<OrderObject>,
}

/// Whose actions were put into another order how often.
#[derive(Serialize)]
struct OrderObject {
    object: String,
    count: u64,
}

fn as_map<T: Serialize, S: Serializer>(entries: &[(&'static str, T)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
}

fn profile(profile: &Profile) -> ProfileObject {
    let time = profile.time.iter().map(|&(name, seconds)| (name, milliseconds(seconds)));
    let orders = profile.orders.iter().map(|(object, count)| OrderObject { object: object.clone(), count: *count });
    ProfileObject { time: time.collect(), engine: profile.engine.clone(), orders: orders.collect() }
}

/// As many digits as mean something.
pub(crate) fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// A violation as an object to be part of another one.
pub(super) fn violation(violation: &Violation) -> ViolationObject<'_> {
    ViolationObject {
        kind: violation.kind.name(),
        message: &violation.message,
        location: violation.place.as_ref().map(location),
        trace: violation.trace.iter().map(step).collect(),
        given: violation.given.as_ref().map(given),
        replay: violation.replay.as_deref(),
    }
}

/// Each character of the texts is a byte.
fn given(given: &Given) -> GivenObject<'_> {
    let args = given.args.as_ref().map(|args| args.iter().map(|arg| characters(arg)).collect());
    GivenObject { args, stdin: given.stdin.as_deref().map(characters), externals: &given.externals }
}

fn suppressed(suppressed: &Suppressed) -> SuppressedObject<'_> {
    SuppressedObject {
        kind: suppressed.kind.name(),
        message: &suppressed.message,
        location: suppressed.place.as_ref().map(location),
        reason: &suppressed.reason,
    }
}

fn step(step: &Step) -> StepObject<'_> {
    StepObject {
        thread: step.thread.number,
        action: &step.action,
        location: step.place.as_ref().map(location),
        value: step.value.as_deref(),
        library: step.library.as_deref(),
        holds: &step.holds,
        after: step.after.as_deref(),
        input: match step.effect {
            Effect::Chooses { value, matters } => Some(InputObject { value, matters }),
            _ => None,
        },
    }
}

fn location(place: &Place) -> Location<'_> {
    Location { file: &place.file, line: place.line, column: place.column, function: &place.function }
}

#[cfg(test)]
mod tests {
    use crate::report::{Reason, Report, Verdict, samples};

    #[test]
    fn a_bug() {
        insta::assert_snapshot!(super::write(&samples::race()));
    }

    #[test]
    fn statistics_that_were_asked_for() {
        let report = Report { profile: Some(samples::profile()), ..samples::race() };
        let text = super::write(&report);
        let end = r#","time":{"loading":0.123,"machine":0.4},"engine":{"events_made":12345},"#;
        let orders = r#""orders":[{"object":"`lock`","count":7}]}}"#;
        assert!(text.trim_end().ends_with(&format!("{end}{orders}")), "{text}");
    }

    #[test]
    fn what_is_suppressed() {
        let text = super::write(&Report { suppressed: vec![samples::suppressed()], ..samples::safe() });
        let key = r#""violations":[],"suppressed":[{"kind":"data-race","message":"data race on `c`"#;
        assert!(text.contains(key) && text.contains(r#""reason":"a statistic"}],"stats""#), "{text}");
    }

    #[test]
    fn what_was_not_looked_for() {
        let text = super::write(&Report { narrowed: Some(samples::narrowed()), ..samples::safe() });
        assert!(text.contains(r#""assumptions":["allocation-succeeds","not-looked-for: data-race, leak","#), "{text}");
    }

    #[test]
    fn dependencies_that_are_not_known() {
        let mut report = samples::race();
        report.violations[0].trace[0].after = None;
        let text = super::write(&report);
        assert!(text.contains(r#""holds":[],"after":null}"#) && text.contains(r#""after":[0]"#), "{text}");
    }

    #[test]
    fn bugs_that_may_not_be_all() {
        let reasons = vec![Reason::ExecutionLimit(5000), Reason::Interrupted];
        let text = super::write(&Report { reasons, ..samples::race() });
        let key = r#""reason":null,"incomplete":"limit of 5,000 executions reached (and 1 more)","assumptions""#;
        assert!(text.contains(key), "{text}");
    }

    #[test]
    fn unknown() {
        let reasons = vec![Reason::ExecutionLimit(5000), Reason::Interrupted];
        let report = Report { verdict: Verdict::Unknown, reasons, violations: Vec::new(), ..samples::race() };
        insta::assert_snapshot!(super::write(&report));
    }
}

//! One program with its result and the expected result. `verify test` has many of these, `verify check` has one.
use super::transfer::kind_named;
use super::{FailOn, Reason, Report, Verdict, Violation};
use interp::fault::Kind;
use std::fmt;
use std::str::FromStr;

/// A program that was checked.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The name that reports use.
    pub name: String,
    /// The verdict that is expected.
    pub expected: Expected,
    /// What came out; a message if there is no report: the input is wrong, or the process crashed.
    pub result: Result<Box<Report>, Broken>,
    /// Time taken.
    pub seconds: f64,
}

/// Why there is no report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Broken {
    /// Wrong input or wrong options; this is what the check said.
    Mistake(String),
    /// The process ended without an answer.
    Crash(String),
}

/// The verdict that is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Expected {
    /// A proof.
    #[default]
    Safe,
    /// A bug, and none of another kind if one is named.
    Unsafe(Option<Kind>),
    /// No answer.
    Unknown,
}

/// How the verdict compares with the expected one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// As expected.
    Passed,
    /// A bug, or a verdict that is not the expected one.
    Failed,
    /// No answer where one was expected.
    Unknown,
    /// The check could not be carried out.
    Error,
}

impl Outcome {
    /// All outcomes, the best first.
    pub(crate) const ALL: [Outcome; 4] = [Outcome::Passed, Outcome::Failed, Outcome::Unknown, Outcome::Error];

    /// As text and JSON name it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::Unknown => "unknown",
            Outcome::Error => "error",
        }
    }
}

impl Case {
    /// The outcome of the check.
    pub(crate) fn outcome(&self) -> Outcome {
        let report = match &self.result {
            Ok(report) => report,
            Err(Broken::Mistake(_)) => return Outcome::Error,
            Err(Broken::Crash(_)) => return Outcome::Unknown,
        };
        match (report.verdict, self.expected) {
            // That is never expected.
            (Verdict::Unknown, _) if report.was_interrupted() => Outcome::Unknown,
            (Verdict::Safe, Expected::Safe) | (Verdict::Unknown, Expected::Unknown) => Outcome::Passed,
            (Verdict::Unsafe, Expected::Unsafe(kind)) if report.is_unsafe_of(kind) => Outcome::Passed,
            (Verdict::Unknown, Expected::Safe) if report.is_accepted => Outcome::Passed,
            (Verdict::Unknown, _) => Outcome::Unknown,
            (Verdict::Safe | Verdict::Unsafe, _) => Outcome::Failed,
        }
    }

    /// Whether the check was ended from outside, or by a fault: not even "unknown" is a verdict on the program then.
    pub(super) fn is_unanswered(&self) -> bool {
        match &self.result {
            Ok(report) => report.verdict == Verdict::Unknown && report.was_interrupted(),
            Err(broken) => matches!(broken, Broken::Crash(_)),
        }
    }

    /// The bugs that were not expected.
    pub(crate) fn violations(&self) -> &[Violation] {
        match &self.result {
            Ok(report) if self.outcome() != Outcome::Passed => &report.violations,
            _ => &[],
        }
    }

    /// The report if there is no proof and `--accept` asks for no more than what there is.
    pub(crate) fn accepted(&self) -> Option<&Report> {
        let report = self.result.as_deref().ok()?;
        let passed = report.is_accepted && self.expected == Expected::Safe && self.outcome() == Outcome::Passed;
        passed.then_some(report)
    }

    /// What is wrong apart from [`Self::violations`], in one line: no answer, a mistake, or a verdict that was not
    /// expected.
    pub(crate) fn remark(&self) -> Option<String> {
        let report = match &self.result {
            Ok(report) => report,
            Err(Broken::Mistake(message) | Broken::Crash(message)) => return Some(message.clone()),
        };
        match (self.outcome(), report.verdict) {
            (Outcome::Passed, _) => None,
            (_, Verdict::Unknown) => Some(format!("unknown: {}", report.first_reason())),
            (_, found) if self.expected != Expected::Safe => {
                let kinds = report.violations.iter().map(|violation| violation.kind.name()).collect::<Vec<_>>();
                let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
                Some(format!("expected {}, found {}{kinds}", self.expected, found.name()))
            }
            _ => None,
        }
    }
}

impl Report {
    /// Whether all bugs are of that kind, if one is named.
    fn is_unsafe_of(&self, kind: Option<Kind>) -> bool {
        kind.is_none_or(|kind| self.violations.iter().all(|violation| violation.kind == kind))
    }

    /// Whether a signal ended the exploration.
    pub(crate) fn was_interrupted(&self) -> bool {
        self.reasons.contains(&Reason::Interrupted)
    }

    /// The exit code of the program, given which verdicts count as a failure. An interrupted check is a failure, unless
    /// nothing is.
    pub(crate) fn exit_code(&self, fail_on: FailOn) -> u8 {
        match self.verdict {
            Verdict::Unsafe if fail_on.violation => 1,
            Verdict::Unknown if self.is_accepted => 0,
            Verdict::Unknown if fail_on.unknown || fail_on.any() && self.was_interrupted() => 3,
            _ => 0,
        }
    }

    /// Why there may be more bugs than those found: the first reason why not everything was explored, and how many more
    /// there are. `None` if there are no bugs, or none but that the exploration ends at the first one.
    pub(crate) fn given_up(&self) -> Option<String> {
        (self.verdict == Verdict::Unsafe && !self.reasons.is_empty()).then(|| self.first_reason())
    }

    /// Why the verdict is "unknown": the first reason, and how many more there are.
    pub(crate) fn first_reason(&self) -> String {
        match self.reasons.as_slice() {
            [] => String::new(),
            [only] => only.to_string(),
            [first, more @ ..] => format!("{first} (and {} more)", more.len()),
        }
    }
}

/// The exit code for all of them together: bugs come first, then mistakes, then missing answers. A check that did not
/// come to its end has none of the verdicts that `--fail-on` names. So it is a failure whatever `--fail-on` names,
/// except with `none`.
pub(crate) fn exit_code(cases: &[Case], fail_on: FailOn) -> u8 {
    let any = |outcome| cases.iter().any(|case| case.outcome() == outcome);
    match () {
        () if fail_on.violation && any(Outcome::Failed) => 1,
        () if any(Outcome::Error) => 2,
        () if fail_on.unknown && any(Outcome::Unknown) => 3,
        () if fail_on.any() && cases.iter().any(Case::is_unanswered) => 3,
        () => 0,
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Safe => write!(f, "safe"),
            Expected::Unsafe(None) => write!(f, "unsafe"),
            Expected::Unsafe(Some(kind)) => write!(f, "unsafe({})", kind.name()),
            Expected::Unknown => write!(f, "unknown"),
        }
    }
}

impl FromStr for Expected {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let kind = text.strip_prefix("unsafe(").and_then(|rest| rest.strip_suffix(')'));
        match (text, kind) {
            ("safe", _) => Ok(Expected::Safe),
            ("unsafe", _) => Ok(Expected::Unsafe(None)),
            ("unknown", _) => Ok(Expected::Unknown),
            (_, Some(name)) => match kind_named(name) {
                Some(kind) => Ok(Expected::Unsafe(Some(kind))),
                None => Err(format!("`{name}` is no kind of bug; there are {}", Kind::ALL.map(Kind::name).join(", "))),
            },
            _ => Err(format!("`{text}` is no verdict; there are safe, unsafe, unsafe(KIND) and unknown")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Reason, samples};
    use std::slice;

    fn case(expected: &str, report: Report) -> Case {
        Case { name: "a".to_owned(), expected: expected.parse().unwrap(), result: Ok(Box::new(report)), seconds: 0.0 }
    }

    #[test]
    fn outcomes() {
        let race = samples::race;
        let safe = || Report { verdict: Verdict::Safe, violations: Vec::new(), ..race() };
        let unknown = || Report { verdict: Verdict::Unknown, reasons: vec![Reason::ExecutionLimit(1)], ..safe() };
        let accepted = || Report { is_accepted: true, ..unknown() };
        for (expected, report, outcome, code) in [
            ("safe", safe(), Outcome::Passed, 0),
            ("safe", race(), Outcome::Failed, 1),
            ("safe", unknown(), Outcome::Unknown, 3),
            ("unsafe", race(), Outcome::Passed, 0),
            ("unsafe(data-race)", race(), Outcome::Passed, 0),
            ("unsafe(deadlock)", race(), Outcome::Failed, 1),
            ("unsafe(deadlock)", safe(), Outcome::Failed, 1),
            ("unsafe", unknown(), Outcome::Unknown, 3),
            ("unknown", unknown(), Outcome::Passed, 0),
            ("unknown", safe(), Outcome::Failed, 1),
            ("unknown", race(), Outcome::Failed, 1),
            ("safe", accepted(), Outcome::Passed, 0),
            ("unsafe", accepted(), Outcome::Unknown, 3),
        ] {
            let case = case(expected, report);
            assert_eq!(case.outcome(), outcome, "{expected}: {case:?}");
            assert_eq!(exit_code(&[case], FailOn::default()), code, "{expected}");
        }
    }

    #[test]
    fn the_worst_decides() {
        let race = case("safe", samples::race());
        let broken = Case { result: Err(Broken::Mistake("no such file".to_owned())), ..race.clone() };
        let crash = Case { result: Err(Broken::Crash("killed".to_owned())), ..race.clone() };
        let all = FailOn::default();
        assert_eq!(exit_code(&[crash.clone(), broken.clone(), race.clone()], all), 1);
        assert_eq!(exit_code(&[crash.clone(), broken.clone()], all), 2);
        assert_eq!(exit_code(slice::from_ref(&crash), all), 3);
        let (bugs, none) = (FailOn { unknown: false, ..all }, FailOn { violation: false, unknown: false });
        // A check that crashed shows no bug, but it counts as a failure, unless nothing does.
        assert_eq!(exit_code(slice::from_ref(&crash), bugs), 3);
        assert_eq!(exit_code(slice::from_ref(&crash), none), 0);
        // A mistake is never forgiven.
        assert_eq!(exit_code(&[crash, broken, race], FailOn { violation: false, unknown: false }), 2);
    }

    #[test]
    fn an_interruption_is_no_verdict() {
        let report = |reason| Report { verdict: Verdict::Unknown, reasons: vec![reason], ..samples::safe() };
        let (bugs, none) = (FailOn { violation: true, unknown: false }, FailOn { violation: false, unknown: false });
        for (expected, reason, outcome, code) in [
            ("safe", Reason::Interrupted, Outcome::Unknown, 3),
            ("unknown", Reason::Interrupted, Outcome::Unknown, 3),
            ("safe", Reason::ExecutionLimit(1), Outcome::Unknown, 0),
            ("unknown", Reason::ExecutionLimit(1), Outcome::Passed, 0),
        ] {
            let report = report(reason.clone());
            assert_eq!(report.exit_code(bugs), code, "{reason}");
            assert_eq!(report.exit_code(none), 0, "{reason}");
            let case = case(expected, report);
            assert_eq!(case.outcome(), outcome, "{expected}, {reason}");
            assert_eq!(exit_code(slice::from_ref(&case), bugs), code, "{expected}, {reason}");
            assert_eq!(exit_code(&[case], none), 0, "{expected}, {reason}");
        }
    }

    #[test]
    fn expectations_as_text() {
        for text in ["safe", "unsafe", "unsafe(endless-loop)", "unknown"] {
            assert_eq!(text.parse::<Expected>().unwrap().to_string(), text);
        }
        assert!("unsafe(race)".parse::<Expected>().unwrap_err().contains("data-race"));
        assert!("fine".parse::<Expected>().is_err());
    }
}

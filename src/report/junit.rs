//! The report for test runners and their dashboards: JUnit's XML, one test case for each program.
//!
//! A violation is a failure. No answer is an error, or a test that was skipped where `--fail-on` says that it is no
//! failure. An interrupted check is an error too, unless `--fail-on none` is given.
use super::case::{Broken, Case, Outcome};
use super::printable::for_xml;
use super::style::Style;
use super::text::{self, Detail};
use super::{FailOn, excerpt};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// Text inside of XML has no terminal to fit.
const STYLE: Style = Style { width: 100, colored: false };

/// Writes one suite with all cases.
pub(crate) fn write(cases: &[Case], fail_on: FailOn) -> String {
    let mut suite = TestSuite::new("verify");
    suite.add_test_cases(cases.iter().map(|case| test_case(case, fail_on)));
    let time: f64 = cases.iter().map(|case| case.seconds).sum();
    suite.set_time(duration(time));
    let mut report = Report::new("verify");
    report.set_time(duration(time)).add_test_suite(suite);
    report.to_string().expect("what a string is made of can be written")
}

fn test_case(case: &Case, fail_on: FailOn) -> TestCase {
    let mut status = match case.outcome() {
        Outcome::Passed => TestCaseStatus::success(),
        Outcome::Failed if fail_on.violation => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Outcome::Unknown if fail_on.unknown || fail_on.any() && case.is_unanswered() => {
            TestCaseStatus::non_success(NonSuccessKind::Error)
        }
        Outcome::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
        Outcome::Failed | Outcome::Unknown => TestCaseStatus::skipped(),
    };
    if case.outcome() != Outcome::Passed {
        let remark = case.remark();
        let first = case.violations().first();
        let message = first.map(|violation| violation.message.clone()).or_else(|| remark.clone()).unwrap_or_default();
        let kind = first.map_or(case.outcome().name(), |violation| violation.kind.name());
        status.set_type(kind).set_message(for_xml(&message));
        let text = match &case.result {
            Ok(report) => text::write(report, STYLE, Detail::Normal),
            Err(Broken::Mistake(message) | Broken::Crash(message)) => message.clone(),
        };
        let remark = remark.map(|remark| remark + "\n\n").unwrap_or_default();
        status.set_description(for_xml(&(remark + &text)));
    }
    let mut test = TestCase::new(for_xml(&case.name), status);
    test.set_classname("verify").set_time(duration(case.seconds));
    if let Some(place) = case.violations().iter().find_map(|violation| violation.place.as_ref()) {
        test.extra.insert("file".into(), for_xml(excerpt::shorten(&place.file)).into());
    }
    test
}

/// The time, rounded as in JSON.
fn duration(seconds: f64) -> Duration {
    Duration::from_millis((seconds * 1000.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Reason, samples};
    use junit_parser::TestStatus;

    /// The cases as a reader of such files finds them.
    fn read(cases: &[Case], fail_on: FailOn) -> junit_parser::TestSuite {
        let text = write(cases, fail_on);
        let suites = junit_parser::from_reader(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
        suites.suites.into_iter().next().expect("one suite")
    }

    #[test]
    fn a_bug_is_a_failure() {
        let suite = read(&[samples::case(samples::race())], FailOn::default());
        assert_eq!((suite.tests, suite.failures, suite.errors, suite.skipped), (1, 1, 0, 0));
        let TestStatus::Failure(failure) = &suite.cases[0].status else { panic!("{suite:?}") };
        assert_eq!(failure.failure_type, "data-race");
        assert_eq!(failure.message, samples::race().violations[0].message);
        assert!(failure.text.contains("The schedule that leads there:"), "{failure:?}");
        assert_eq!(suite.cases[0].file.as_deref(), Some("/src/race.c"));
    }

    #[test]
    fn no_answer_is_an_error_or_skipped() {
        let case = samples::case(samples::unknown());
        let suite = read(std::slice::from_ref(&case), FailOn::default());
        assert_eq!((suite.tests, suite.failures, suite.errors, suite.skipped), (1, 0, 1, 0));
        let TestStatus::Error(error) = &suite.cases[0].status else { panic!("{suite:?}") };
        assert_eq!((error.error_type.as_str(), error.message.as_str()), ("unknown", "unknown: interrupted"));
        let count = |case: &Case, fail_on| {
            let suite = read(std::slice::from_ref(case), fail_on);
            (suite.tests, suite.failures, suite.errors, suite.skipped)
        };
        let (bugs, none) = (FailOn { violation: true, unknown: false }, FailOn { violation: false, unknown: false });
        let limited = crate::report::Report { reasons: vec![Reason::ExecutionLimit(1)], ..samples::unknown() };
        assert_eq!(count(&samples::case(limited), bugs), (1, 0, 0, 1));
        assert_eq!(count(&case, bugs), (1, 0, 1, 0), "an interruption is no verdict");
        assert_eq!(count(&case, none), (1, 0, 0, 1));
    }

    #[test]
    fn what_xml_cannot_hold_is_left_out() {
        let mut report = samples::race();
        report.violations[0].message = "a < b & \u{1b}[0m \"c\" ]]> \u{0}\u{ffff}\u{fffe}".to_owned();
        let suite = read(&[samples::case(report)], FailOn::default());
        let TestStatus::Failure(failure) = &suite.cases[0].status else { panic!("{suite:?}") };
        assert_eq!(failure.message, "a < b &  \"c\" ]]> ");
    }

    #[test]
    fn a_proof_passes() {
        let suite = read(&[samples::case(samples::safe())], FailOn::default());
        assert_eq!((suite.tests, suite.failures, suite.errors, suite.skipped), (1, 0, 0, 0));
        assert!(suite.cases[0].status.is_success());
    }
}

//! Judges whether the real program failed as the report says, and not in another way: the same kind, the same thread,
//! and as far as the runtime sees it, the same place and the same message.
//!
//! A crash is seen from outside only, by its signal. A trap can only come from clang's checks. A bad access is taken
//! for the bug if the report is about one.
use super::Outcome;
use crate::report::Violation;
use crate::report::printable::printable;
use interp::fault::Kind;

/// The place that the runtime names if a function of a library, which has no places, called it.
const IN_LIBRARY: i64 = -2;

// Signals, as Linux numbers them.
const SIGILL: i32 = 4;
const SIGTRAP: i32 = 5;
const SIGBUS: i32 = 7;
const SIGSEGV: i32 = 11;

/// What was seen of the run.
#[derive(Debug)]
pub(super) struct Seen {
    /// What the runtime says.
    pub(super) told: Told,
    /// The signal that ended the process, if a signal did.
    pub(super) signal: Option<i32>,
    /// The exit status, if no signal ended the process.
    pub(super) status: i32,
}

/// What the runtime says: how many moves were made and of how many, a word, a sentence, and below these, each on a line
/// of its own, what there is to compare.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Told {
    made: String,
    what: String,
    text: String,
    /// The thread that failed.
    thread: Option<u32>,
    /// Number of the place from which the function that fails was called.
    place: Option<i64>,
    /// The function there.
    function: String,
    /// The place from which that function was called.
    outer: Option<i64>,
    /// The message of a report that would be about this.
    says: String,
}

impl Told {
    /// Reads what the runtime has written; nothing if it has not.
    pub(super) fn read(text: &str) -> Self {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        // Words of the program's own come last, and may have any form.
        let (lines, says) = rest.split_once("says ").unwrap_or((rest, ""));
        let value = |key: &str| lines.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
        let mut words = first.splitn(4, ' ').map(str::to_owned);
        let mut word = || words.next().unwrap_or_default();
        let (made, _, what, text) = (word(), word(), word(), word());
        Told {
            made,
            what,
            text: printable(&text),
            thread: value("thread").and_then(|text| text.parse().ok()),
            place: value("place").and_then(|text| text.parse().ok()),
            function: value("function").unwrap_or_default().to_owned(),
            outer: value("outer").and_then(|text| text.parse().ok()),
            says: printable(says),
        }
    }
}

/// Judges. `fault` is the number of the place where the report has the failure.
pub(super) fn judge(violation: &Violation, fault: Option<usize>, seen: &Seen, moves: usize) -> Outcome {
    let Seen { told, signal, status } = seen;
    let enforced = format!("{moves} moves were enforced");
    match (told.what.as_str(), signal) {
        ("diverged" | "stuck", _) => {
            let made = &told.made;
            Outcome::No(format!("it does not keep to the schedule: {} (move {made} of {moves})", told.text))
        }
        ("", None) => Outcome::No(format!("the program ended with status {status} and nothing else to be seen")),
        ("", Some(signal)) if is_signal_of(violation.kind, *signal) => {
            Outcome::Happened(format!("the process ends by signal {signal}; {enforced}"))
        }
        ("", Some(signal)) => Outcome::No(format!("the program ended by signal {signal} instead")),
        ("nothing", _) => Outcome::No(told.text.clone()),
        _ if is_it(violation, fault, told) => Outcome::Happened(format!("{}; {enforced}", told.text)),
        _ => Outcome::No(format!("another failure comes first: {}", told.text)),
    }
}

/// Whether a failure that the runtime saw is the one of the report.
fn is_it(violation: &Violation, fault: Option<usize>, told: &Told) -> bool {
    let is_fault = |place: Option<i64>| fault.is_some_and(|fault| place == i64::try_from(fault).ok());
    let here = is_fault(told.place);
    let in_library = told.place == Some(IN_LIBRARY);
    // A function that the report stops at, and that the program defines to fail in its own way.
    let is_inside = || violation.message == format!("`{}` is reached", told.function) && is_fault(told.outer);
    match (violation.kind, told.what.as_str()) {
        // The schedule says where these are, and the runtime looks nowhere else.
        (Kind::Deadlock, "deadlock") | (Kind::DataRace, "data-race") => true,
        _ if told.thread != Some(violation.thread.number) => false,
        (Kind::Assertion, "assertion") => (here && told.says == violation.message) || is_inside(),
        (Kind::Assertion, "abort") => is_inside(),
        (Kind::Abort, "abort") | (Kind::Memory, "memory") => here || in_library,
        _ => false,
    }
}

/// Whether a crash is what a violation of this kind comes to.
fn is_signal_of(kind: Kind, signal: i32) -> bool {
    match kind {
        Kind::Memory => matches!(signal, SIGSEGV | SIGBUS),
        // (For `abort` clang has the program trap where it declares that it never comes to.)
        Kind::Overflow | Kind::Abort => matches!(signal, SIGILL | SIGTRAP),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    /// Whether a violation of that kind and message, in thread 2 at place 3, is what was seen.
    fn happens(kind: Kind, message: &str, told: &str, signal: Option<i32>) -> bool {
        let violation = Violation { kind, message: message.to_owned(), ..samples::race().violations.remove(0) };
        assert_eq!(violation.thread.number, 2);
        let seen = Seen { told: Told::read(told), signal, status: 0 };
        matches!(judge(&violation, Some(3), &seen, 7), Outcome::Happened(_))
    }

    #[test]
    fn only_the_same_failure_counts() {
        let failed = |thread, place, says| {
            format!("7 7 assertion it failed\nthread {thread}\nplace {place}\nfunction f\nouter 9\nsays {says}")
        };
        let said = "assertion `a && \"x\ny\"` fails";
        let message = "assertion `a && \"x\\ny\"` fails";
        let happens_so = |text: &str| happens(Kind::Assertion, message, text, Some(6));
        assert!(happens_so(&failed(2, 3, said)));
        assert!(!happens_so(&failed(1, 3, said)), "another thread");
        assert!(!happens_so(&failed(2, -1, said)), "another place");
        assert!(!happens_so(&failed(2, 3, "assertion `b` fails")));
        assert!(!happens_so("7 7 abort abort was called\nthread 2\nplace 3\n"));
        let aborted = |place| format!("7 7 abort abort was called\nthread 2\nplace {place}\nfunction f\nouter 3\n");
        assert!(happens(Kind::Abort, "`abort` is called", &aborted(3), Some(6)));
        assert!(happens(Kind::Abort, "`std::terminate` is called", &aborted(-2), Some(6)));
        assert!(!happens(Kind::Abort, "`abort` is called", &aborted(-1), Some(6)));
        assert!(happens(Kind::Assertion, "`f` is reached", &aborted(-1), Some(6)), "the program says what `f` does");
        assert!(!happens(Kind::Assertion, "`g` is reached", &aborted(-1), Some(6)));
    }

    #[test]
    fn signals_of_kinds() {
        let ends_by = |kind, signal| happens(kind, "", "", Some(signal));
        assert!(ends_by(Kind::Memory, SIGSEGV) && ends_by(Kind::Memory, SIGBUS) && !ends_by(Kind::Memory, 6));
        assert!(ends_by(Kind::Overflow, SIGILL) && !ends_by(Kind::Overflow, 6) && !ends_by(Kind::Overflow, SIGSEGV));
        assert!(!ends_by(Kind::Assertion, 6) && !ends_by(Kind::Abort, SIGSEGV));
        assert!(!happens(Kind::Memory, "", "7 7 abort abort was called\nthread 2\nplace 3\n", Some(6)));
    }
}

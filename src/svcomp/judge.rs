//! From the result of an exploration to an answer by the rules of the competition.
use super::answer::{Answer, Violated};
use super::property::{MemoryFormula, Property};
use crate::report::{Reason, Report, Verdict, Violation};
use interp::Assumption;
use interp::fault::{Kind, MemoryRule};

/// An answer and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Judgement {
    /// The answer.
    pub answer: Answer,
    /// One sentence.
    pub reason: String,
}

impl Judgement {
    /// No answer, for this reason.
    pub(crate) fn unknown(reason: impl Into<String>) -> Self {
        Judgement { answer: Answer::Unknown, reason: reason.into() }
    }
}

/// Assumptions that the rules of the competition make themselves.
///
/// Memory is sequentially consistent there, allocations and creations succeed, and a program that uses a pointer after
/// it was freed is wrong only where memory is what is asked about.
const RULES: [&str; 4] = [
    Assumption::SequentialConsistency.name(),
    Assumption::AllocationSucceeds.name(),
    Assumption::CreationSucceeds.name(),
    ADDRESS_REUSE,
];

/// Freed addresses are given out again sooner than a stale pointer would be noticed.
const ADDRESS_REUSE: &str = Assumption::AddressReuse.name();

/// Whether the assumption makes "true" say less than the rules ask for.
fn weakens(assumption: &str, property: &Property) -> bool {
    match property {
        Property::Memory(_) if assumption == ADDRESS_REUSE => true,
        _ => !RULES.contains(&assumption),
    }
}

/// Whether the only obstacle to "true" is that addresses are used again too soon.
pub(crate) fn needs_fresh_addresses(property: &Property, report: &Report) -> bool {
    let mut weak = report.assumptions.iter().filter(|assumption| weakens(assumption, property)).peekable();
    report.verdict == Verdict::Safe && weak.peek().is_some() && weak.all(|assumption| assumption == ADDRESS_REUSE)
}

/// The answer.
pub(crate) fn judge(property: &Property, report: &Report) -> Judgement {
    match report.verdict {
        Verdict::Unsafe => violation(property, &report.violations[0]),
        Verdict::Unknown => {
            let reasons: Vec<String> = report.reasons.iter().map(Reason::to_string).collect();
            Judgement::unknown(reasons.join("; "))
        }
        Verdict::Safe => match report.assumptions.iter().find(|assumption| weakens(assumption, property)) {
            Some(assumption) => Judgement::unknown(format!("nothing is wrong, but {}", why(assumption))),
            None => Judgement { answer: Answer::True, reason: proof(report) },
        },
    }
}

fn violation(property: &Property, violation: &Violation) -> Judgement {
    let place = violation.place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
    let reason = format!("{} in {}{place}", violation.message, violation.thread.name);
    if violation.rests_on_unwritten {
        return Judgement::unknown(format!("it may be due to values that were never written: {reason}"));
    }
    match violated(property, violation) {
        Some(violated) => Judgement { answer: Answer::False(violated), reason },
        None => Judgement::unknown(format!("something else is wrong than what was asked about: {reason}")),
    }
}

/// The part of the property that a violation breaks, if it breaks one.
pub(crate) fn violated(property: &Property, violation: &Violation) -> Option<Violated> {
    let formula = match (property, violation.kind, violation.rule) {
        (Property::UnreachCall(_), Kind::Assertion, _) => return Some(Violated::UnreachCall),
        (Property::NoOverflow, Kind::Assertion, _) => return Some(Violated::NoOverflow),
        // A race with the end of a variable's life is no data race here: in another order it is an access after that
        // end.
        (Property::NoDataRace, Kind::DataRace, None) => return Some(Violated::NoDataRace),
        (Property::Memory(_), Kind::Memory, Some(MemoryRule::Access)) => MemoryFormula::Deref,
        (Property::Memory(_), Kind::Memory, Some(MemoryRule::Free)) => MemoryFormula::Free,
        (Property::Memory(asked), Kind::Leak, _) if asked.contains(&MemoryFormula::Memcleanup) => {
            MemoryFormula::Memcleanup
        }
        (Property::Memory(_), Kind::Leak, _) => MemoryFormula::Memtrack,
        _ => return None,
    };
    match property {
        Property::Memory(asked) if asked.contains(&formula) => Some(Violated::Memory(formula)),
        _ => None,
    }
}

/// What an assumption leaves out.
fn why(assumption: &str) -> String {
    let text = match assumption {
        "nondet-range" => "some values of __VERIFIER_nondet_ functions were left out (--nondet)",
        "one-layout" => "what happens depends on where objects lie in memory, and one way was explored",
        "fixed-random" => "random numbers were those of one seed",
        "fixed-clock" => "time passed in one way only",
        "fixed-environment" => "the environment was a fixed one",
        "fixed-arguments" => "`main` was called without arguments, and looks at them",
        ADDRESS_REUSE => {
            "addresses of freed memory were given out again before a stale pointer would have been noticed"
        }
        other => return format!("the assumption {other} was made"),
    };
    text.to_owned()
}

fn proof(report: &Report) -> String {
    let executions = crate::units::show_count(report.statistics.executions);
    let assuming = match report.assumptions.is_empty() {
        true => String::new(),
        false => format!(", assuming {}", report.assumptions.join(", ")),
    };
    let explored = match report.statistics.executions {
        1 => "the only execution was explored".to_owned(),
        _ => format!("all {executions} executions were explored"),
    };
    format!("{explored}{assuming}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;
    use std::collections::BTreeSet;

    fn safe(assumptions: &[&str]) -> Report {
        let assumptions = assumptions.iter().map(|name| (*name).to_owned()).collect();
        Report { verdict: Verdict::Safe, violations: Vec::new(), assumptions, ..samples::race() }
    }

    fn memory() -> Property {
        Property::Memory(BTreeSet::from([MemoryFormula::Deref, MemoryFormula::Free]))
    }

    #[test]
    fn assumptions_of_a_proof() {
        let all = |assumptions: &[&str], property: &Property| judge(property, &safe(assumptions)).answer;
        let rules = ["allocation-succeeds", "creation-succeeds", "sequential-consistency"];
        assert_eq!(all(&rules, &memory()), Answer::True);
        assert_eq!(all(&["address-reuse"], &Property::NoDataRace), Answer::True);
        assert_eq!(all(&["address-reuse"], &memory()), Answer::Unknown);
        // Threads are explored with spurious wake-ups, so the assumption that there are none is never made.
        for other in [
            "fixed-clock",
            "fixed-environment",
            "fixed-random",
            "fixed-arguments",
            "nondet-range",
            "no-spurious-wake-ups",
            "new-one",
        ] {
            assert_eq!(all(&[other], &Property::NoOverflow), Answer::Unknown, "{other}");
        }
    }

    #[test]
    fn when_a_second_exploration_is_worth_it() {
        assert!(needs_fresh_addresses(&memory(), &safe(&["address-reuse", "creation-succeeds"])));
        assert!(!needs_fresh_addresses(&memory(), &safe(&["address-reuse", "fixed-clock"])));
        assert!(!needs_fresh_addresses(&memory(), &safe(&["creation-succeeds"])));
        assert!(!needs_fresh_addresses(&Property::NoDataRace, &safe(&["address-reuse"])));
        let unknown = Report { verdict: Verdict::Unknown, ..safe(&["address-reuse"]) };
        assert!(!needs_fresh_addresses(&memory(), &unknown));
    }

    #[test]
    fn what_is_violated() {
        let with = |kind, rule| Violation { kind, rule, ..samples::race().violations.remove(0) };
        let race = with(Kind::DataRace, None);
        assert_eq!(violated(&Property::NoDataRace, &race), Some(Violated::NoDataRace));
        assert_eq!(violated(&Property::NoDataRace, &with(Kind::DataRace, Some(MemoryRule::Access))), None);
        assert_eq!(violated(&Property::UnreachCall("f".to_owned()), &race), None);
        let access = with(Kind::Memory, Some(MemoryRule::Access));
        assert_eq!(violated(&memory(), &access), Some(Violated::Memory(MemoryFormula::Deref)));
        assert_eq!(violated(&memory(), &with(Kind::Memory, None)), None);
        let leak = with(Kind::Leak, None);
        assert_eq!(violated(&memory(), &leak), None);
        for formula in [MemoryFormula::Memtrack, MemoryFormula::Memcleanup] {
            let property = Property::Memory(BTreeSet::from([formula]));
            assert_eq!(violated(&property, &leak), Some(Violated::Memory(formula)));
        }
        let free_only = Property::Memory(BTreeSet::from([MemoryFormula::Free]));
        assert_eq!(violated(&free_only, &access), None);
    }
}

//! How long jobs take: short ones first, so that everybody has something soon, and longer ones where the coordinator
//! cannot keep up with what comes of them.
use std::time::Duration;

/// How long the first jobs take: what they say is needed for all others.
const FIRST: Duration = Duration::from_millis(100);

/// How often it is looked at how busy the coordinator is.
const PERIOD: Duration = Duration::from_secs(1);

/// How many times as long as asked for jobs may take.
const MOST: u32 = 64;

/// The time that jobs take.
#[derive(Debug)]
pub(super) struct Pace {
    /// What was asked for.
    budget: Duration,
    /// How many times as long jobs take.
    factor: u32,
    /// In this period, the coordinator was busy for so long.
    busy: Duration,
    passed: Duration,
}

impl Pace {
    /// For jobs that are to take that long.
    pub(super) fn new(budget: Duration) -> Self {
        Pace { budget, factor: 1, busy: Duration::ZERO, passed: Duration::ZERO }
    }

    /// The coordinator was busy for the first of these times, and had nothing to do for the second.
    pub(super) fn note(&mut self, busy: Duration, idle: Duration) {
        self.busy += busy;
        self.passed += busy + idle;
        if self.passed >= PERIOD {
            // What takes half of the time now may take all of it soon.
            if self.busy * 2 > self.passed {
                self.factor = MOST.min(self.factor * 2);
            } else if self.busy * 8 < self.passed {
                self.factor = 1.max(self.factor / 2);
            }
            (self.busy, self.passed) = (Duration::ZERO, Duration::ZERO);
        }
    }

    /// How long jobs take after `rounds` of them for everybody: each round takes twice as long as the one before.
    pub(super) fn budget(&self, rounds: u64) -> Duration {
        let first = FIRST.saturating_mul(1 << rounds.min(20));
        first.min(self.budget.saturating_mul(self.factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_get_longer_while_the_coordinator_is_busy() {
        let (second, none) = (Duration::from_secs(1), Duration::ZERO);
        let mut pace = Pace::new(second * 5);
        let budgets: Vec<u128> = [0, 1, 2, 5, 6, 90].map(|rounds| pace.budget(rounds).as_millis()).to_vec();
        assert_eq!(budgets, [100, 200, 400, 3200, 5000, 5000]);
        pace.note(second * 3 / 5, second * 2 / 5);
        assert_eq!(pace.budget(90), second * 10);
        // A part of a period says nothing yet; and what is neither much nor little changes nothing.
        pace.note(second / 2, none);
        assert_eq!(pace.budget(90), second * 10);
        pace.note(none, second);
        assert_eq!(pace.budget(90), second * 10);
        for _ in 0..20 {
            pace.note(second, none);
        }
        assert_eq!(pace.budget(90), second * 5 * 64);
        for _ in 0..20 {
            pace.note(none, second);
        }
        assert_eq!(pace.budget(90), second * 5);
    }
}

//! When states are not looked up, because that costs more than cutoffs save.
//!
//! To look up the state of an event takes about as long as to execute one, and memory besides. What a cutoff saves is
//! what would have been explored after it. Where no state comes back, or only at the ends of executions, nothing is
//! saved, and the walk is better off without. So what was saved is compared with what was looked up, after a *period*
//! of so many actions; if it was too little, the walk *rests* for some periods: it does not look up states. Then it
//! tries again. Each time in vain makes the next rest longer, up to a limit, so that trying costs little, and resting
//! too long costs a bounded multiple of what was spent.
//!
//! **What is always looked up**: an event after which much is explored, as far as that is known of its height, or of
//! whose height nothing is known. It costs next to nothing beside what comes after it. So an execution that goes on and
//! on, beyond all that were seen, ends at a cutoff whether the walk rests or not.
//!
//! **Nothing is lost.** Less is cut off, and nothing wrongly: what [`super::cutoff`] says of forgetting holds of what
//! was never known. What an event contributes to fingerprints is settled all the same, so that looking up can begin
//! with any event.
use serde::{Deserialize, Serialize};

/// After how many actions, usually, it should be known whether looking up is worthwhile.
pub(crate) const PERIOD: u64 = 20_000;

/// Actions saved by which so many look-ups are worthwhile.
const LOOK_UPS: u64 = 4;

/// The longest rest in periods, as a power of two.
const LONGEST: u32 = 4;

/// Where there are so many actions after an event, on the average, it is always looked up.
const MANY: u64 = 64;

/// Up to which height there are observations; higher up, nothing is known.
const HEIGHTS: usize = 1 << 16;

/// What was explored after the events at one height.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct After {
    events: u64,
    /// The actions of these events, and of all that came after them.
    actions: u64,
}

impl After {
    /// How many actions an event comes to, on the average, with all that comes after it.
    fn mean(self) -> Option<u64> {
        self.actions.checked_div(self.events)
    }
}

/// Whether to look up states.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Worth {
    /// In actions; the largest number: states are always looked up.
    period: u64,
    /// The period, or the rest, ends after so many actions.
    until: u64,
    rests: bool,
    /// How many periods in a row were in vain.
    in_vain: u32,
    looked_up: u64,
    saved: u64,
    after: Vec<After>,
}

impl Worth {
    /// With periods of so many actions.
    pub(super) fn new(period: u64) -> Self {
        Worth { period, until: period, rests: false, in_vain: 0, looked_up: 0, saved: 0, after: Vec::new() }
    }

    /// A new pass begins, after so many actions: what was observed at heights does not hold for it.
    pub(super) fn begin(&mut self, actions: u64) {
        *self = Worth { until: actions.saturating_add(self.period), ..Worth::new(self.period) };
    }

    /// Whether to look up the state of an event that is added at a height, after so many actions.
    pub(super) fn looks_up(&mut self, height: usize, actions: u64) -> bool {
        if actions >= self.until {
            self.decide(actions);
        }
        !self.rests || self.mean(height).is_none_or(|mean| mean >= MANY)
    }

    /// The state of an event at a height was looked up, and it is cut off or not.
    pub(super) fn looked_up(&mut self, height: usize, is_cut: bool) {
        self.looked_up += 1;
        if is_cut {
            // (Where nothing is known, it may be anything.)
            self.saved = self.saved.saturating_add(self.mean(height).unwrap_or(self.period));
        }
    }

    /// An event at a height, and all that comes after it, is explored.
    pub(super) fn explored(&mut self, height: usize, actions: u64) {
        if (self.after.len()..HEIGHTS).contains(&height) {
            self.after.resize(height + 1, After::default());
        }
        if let Some(after) = self.after.get_mut(height) {
            after.events += 1;
            after.actions += actions;
        }
    }

    fn mean(&self, height: usize) -> Option<u64> {
        self.after.get(height).and_then(|after| after.mean())
    }

    fn decide(&mut self, actions: u64) {
        if self.rests {
            self.rests = false;
        } else if self.saved.saturating_mul(LOOK_UPS) < self.looked_up {
            self.rests = true;
            self.in_vain = (self.in_vain + 1).min(LONGEST);
        } else {
            self.in_vain = 0;
        }
        let periods = if self.rests { 1 << self.in_vain } else { 1 };
        (self.looked_up, self.saved) = (0, 0);
        self.until = actions.saturating_add(self.period.saturating_mul(periods));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds events at one height, each explored with as many actions, of which every `n`th is cut off instead; how many
    /// of them were looked up.
    fn run(worth: &mut Worth, events: u64, each: u64, n: u64) -> u64 {
        let mut looked_up = 0;
        let mut actions = 0;
        for event in 0..events {
            if worth.looks_up(3, actions) {
                looked_up += 1;
                worth.looked_up(3, event % n == 0);
                if event % n == 0 {
                    continue;
                }
            }
            actions += each;
            worth.explored(3, each);
        }
        looked_up
    }

    #[test]
    fn looks_up_what_saves_something() {
        assert_eq!(run(&mut Worth::new(1_000), 10_000, 10, 20), 10_000);
        assert_eq!(run(&mut Worth::new(100), 10_000, 1, 2), 10_000);
    }

    #[test]
    fn rests_where_nothing_is_saved() {
        let looked_up = run(&mut Worth::new(100), 20_000, 1, 1_000);
        assert!((1_000..3_000).contains(&looked_up), "{looked_up}");
        assert_eq!(run(&mut Worth::new(u64::MAX), 10_000, 1, 1_000), 10_000);
    }

    #[test]
    fn always_looks_up_what_much_comes_after() {
        assert_eq!(run(&mut Worth::new(100), 10_000, MANY, 1_000_000), 10_000);
        let mut worth = Worth::new(100);
        run(&mut worth, 1_000, 1, 1_000_000);
        worth.rests = true;
        assert!(!worth.looks_up(3, 0));
        assert!(worth.looks_up(4, 0), "of that height nothing is known");
        assert!(worth.looks_up(HEIGHTS, 0));
    }

    #[test]
    fn wakes_up_again() {
        let mut worth = Worth::new(100);
        run(&mut worth, 5_000, 1, 1_000_000);
        // (Its count of actions goes on from there.)
        worth.until = 0;
        worth.rests = true;
        let looked_up = run(&mut worth, 5_000, 1, 2);
        assert!(looked_up > 4_000, "{looked_up}");
    }
}

//! Numbers for the conditions of a prefix: those of ⊥ first, then those of each event, by place.
use por::nets::{Condition, EnrichedPrefix};

/// All conditions of a prefix.
pub(super) struct Conditions {
    all: Vec<Condition>,
    /// Of each event, how many conditions come before its own.
    before: Vec<usize>,
}

impl Conditions {
    pub(super) fn new(prefix: &EnrichedPrefix<'_>) -> Self {
        let (mut all, mut before) = (Vec::new(), Vec::new());
        for event in prefix.events() {
            before.push(all.len());
            all.extend(prefix.postset(event));
        }
        Conditions { all, before }
    }

    /// The conditions, in the order of their numbers.
    pub(super) fn all(&self) -> &[Condition] {
        &self.all
    }

    /// The number of a condition.
    pub(super) fn number(&self, condition: Condition) -> usize {
        let before = self.before[condition.event.0 as usize];
        // Those of an event are sorted by place, as its transition's are.
        let number = before + self.all[before..].partition_point(|other| *other < condition);
        assert!(self.all.get(number) == Some(&condition), "an event generates what others take from it");
        number
    }
}

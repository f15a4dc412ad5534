//! Alternatives to D after C (RSSK15, Def. 8), and their k-partial form (NRSCP18).
//!
//! An alternative is a configuration J such that C ∪ J is a configuration, J avoids D, and every event of D has an
//! event of C ∪ J in conflict with it. The search takes the events of D that can still be added to C ∪ J, one after the
//! other. For each, it adds the local configuration of an event in direct conflict with it, and goes back when that
//! fails. Finding one is NP-complete; a k-partial alternative considers the k most recent events of D only and is
//! polynomial for fixed k.
use super::event::EventId;
use super::walk::{Disabled, Walk};
use crate::system::Unfoldable;
use crate::{Alternatives, Listener, Phase};

impl<S: Unfoldable, O: Listener<S>> Walk<'_, S, O> {
    /// Looks for an alternative to D after C and makes J ∖ C the guide. The event disabled last is the last of D.
    pub(super) fn find_alternative(&mut self) -> bool {
        let found = self.during(Phase::Alternatives, Self::search);
        self.statistics.work.searches += 1;
        self.statistics.work.alternatives += u64::from(found);
        found
    }

    fn search(&mut self) -> bool {
        let height = self.configuration.trail().len();
        let newest = self.disabled.len().checked_sub(1).expect("an event has just been disabled");
        // The event disabled last has just been removed from C, so it can be added.
        let first = self.conflicts_of(newest);
        let found = self.scratch.candidates.len() > first && {
            let oldest = self.oldest_to_avoid(newest);
            self.replace(first, newest, oldest)
        };
        self.scratch.candidates.truncate(first);
        self.guide.clear();
        self.guide_base = self.nodes.len();
        while self.configuration.trail().len() > height {
            let event = self.configuration.pop(&mut self.unfolding);
            if found {
                self.guide.push(event);
            }
        }
        found
    }

    /// The first event of D that an alternative must care for: the K-th from the end of those that can be added to C.
    fn oldest_to_avoid(&mut self, newest: usize) -> usize {
        let Alternatives::Partial(k) = self.options.alternatives else { return 0 };
        let mut open = 1;
        let mut oldest = newest;
        while open < k && oldest > 0 {
            oldest -= 1;
            open += u32::from(self.can_be_added(oldest));
        }
        oldest
    }

    /// Whether event number `index` of D can be added to C.
    fn can_be_added(&mut self, index: usize) -> bool {
        let Disabled { event, obstacle } = self.disabled[index];
        if obstacle.is_some_and(|obstacle| self.unfolding.event(obstacle).in_configuration) {
            return false;
        }
        let obstacle = self.configuration.obstacle(&self.unfolding, event);
        self.disabled[index].obstacle = obstacle;
        obstacle.is_none()
    }

    /// Puts the events in conflict with event number `index` of D on top of the candidates, and returns where they
    /// begin.
    fn conflicts_of(&mut self, index: usize) -> usize {
        let first = self.scratch.candidates.len();
        self.unfolding.conflicts(self.disabled[index].event, &mut self.scratch.candidates);
        first
    }

    /// Adds events to C (without executing them) until none of D's events from number `oldest` up to and with `newest`
    /// can be added to it. On failure C is as before.
    fn avoid(&mut self, newest: usize, oldest: usize) -> bool {
        let Some(d) = (oldest..=newest).rev().find(|&d| self.can_be_added(d)) else { return true };
        let first = self.conflicts_of(d);
        let found = self.replace(first, d, oldest);
        self.scratch.candidates.truncate(first);
        found
    }

    /// The same for an event number `newest` of D that can be added, and the candidates from number `first` on, which
    /// are in conflict with it.
    fn replace(&mut self, first: usize, newest: usize, oldest: usize) -> bool {
        let height = self.configuration.trail().len();
        for i in first..self.scratch.candidates.len() {
            let candidate = self.scratch.candidates[i];
            if self.push_history(candidate) && (newest == oldest || self.avoid(newest - 1, oldest)) {
                return true;
            }
            while self.configuration.trail().len() > height {
                self.configuration.pop(&mut self.unfolding);
            }
        }
        false
    }

    /// Adds `[event]` ∖ C to C, in causal order. On failure, because an event is in D or in conflict with C, what was
    /// added by then stays for the caller to remove.
    fn push_history(&mut self, event: EventId) -> bool {
        let mut pending = std::mem::take(&mut self.scratch.pending);
        pending.clear();
        pending.push(event);
        let mut possible = true;
        while let Some(&top) = pending.last() {
            let known = self.unfolding.event(top);
            if known.in_configuration {
                pending.pop();
                continue;
            }
            if known.disabled || known.cutoff && !known.kept {
                possible = false;
                break;
            }
            let height = pending.len();
            let before = known.before;
            if !self.unfolding.event(before).in_configuration {
                pending.push(before);
            }
            for &p in self.unfolding.predecessors(top) {
                if !self.unfolding.event(p).in_configuration {
                    pending.push(p);
                }
            }
            if pending.len() == height {
                if !self.configuration.can_add(&self.unfolding, top) {
                    possible = false;
                    break;
                }
                self.configuration.push(&mut self.unfolding, top);
                pending.pop();
            }
        }
        self.scratch.pending = pending;
        possible
    }
}

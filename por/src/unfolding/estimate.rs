//! A guess of how many executions there will be, made from the executions so far.
//!
//! The walk is a tree: at a configuration one event is added, and when everything after that was seen, another one in
//! its place, if there is an alternative. Of the configurations on the way to the current one it is known how many
//! executions the events tried before have taken. What is not known is guessed (Knuth 1975; Kilby, Slaney, Thiébaux and
//! Walsh 2006): how many more events will be tried there, by how often there was another one at that height, and that
//! each takes as many executions as those before it on the average.
//!
//! It is a guess, and says so: see docs/benchmarks.md for how wrong it is. Where the walk goes in passes of bounded
//! length, most of what the tree looks like is the bound's doing, and nothing is guessed.
use serde::{Deserialize, Serialize};

/// How many observations at other heights count as much as those at one.
const WEIGHT: f64 = 4.0;

/// How many more events are expected at most.
const MOST: f64 = 100.0;

/// Steps between two guesses, at least. On a long way there are as many as it has events, so that guessing costs no
/// more for each step, however long that is.
const INTERVAL: u64 = 1024;

/// Up to which height there are observations of each; higher up, all count alike.
const HEIGHTS: usize = 1 << 16;

/// How an event came to be tried.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Visit {
    /// Executions when the first event was tried here.
    first: u64,
    /// Executions when this event was tried.
    start: u64,
    /// How many other events were tried at this height before this one.
    before: u32,
}

/// How often events were given up at a height, and how often there was another one.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Tally {
    /// How many events were given up: for the first event tried, and for all others.
    tries: [u64; 2],
    found: [u64; 2],
}

/// What was observed.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Estimate {
    all: Tally,
    by_height: Vec<Tally>,
    /// The height at which an alternative begins, and how it comes to be tried there.
    next: Option<(usize, Visit)>,
    /// The number of steps after which the next guess is made.
    due: u64,
}

impl Estimate {
    /// How the event comes to be tried that is added at a height, after so many executions.
    #[inline]
    pub(super) fn visit(&mut self, height: usize, ends: u64) -> Visit {
        match self.next {
            Some((at, visit)) if at == height => {
                self.next = None;
                Visit { start: ends, ..visit }
            }
            _ => Visit { first: ends, start: ends, before: 0 },
        }
    }

    /// An event was given up at a height, and there was another one or not.
    #[inline]
    pub(super) fn given_up(&mut self, height: usize, visit: Visit, found: bool) {
        if (self.by_height.len()..HEIGHTS).contains(&height) {
            self.by_height.resize(height + 1, Tally::default());
        }
        let again = usize::from(visit.before > 0);
        for tally in std::iter::once(&mut self.all).chain(self.by_height.get_mut(height)) {
            tally.tries[again] += 1;
            tally.found[again] += u64::from(found);
        }
        self.next = found.then_some((height, Visit { before: visit.before + 1, ..visit }));
    }

    /// Instead of the event tried last at that height, which has turned out to be none, comes another one.
    pub(super) fn goes_on(&mut self, height: usize, visit: Visit) {
        self.next = Some((height, visit));
    }

    /// Whether it is time for a guess, after so many steps, on a way of so many events.
    pub(super) fn is_due(&mut self, steps: u64, length: usize) -> bool {
        let due = steps >= self.due;
        if due {
            self.due = steps + INTERVAL.max(length as u64);
        }
        due
    }

    /// The number of executions in all, given how the events on the way to the current configuration came to be tried,
    /// with their heights, and that there were so many executions.
    pub(super) fn total(&self, path: impl DoubleEndedIterator<Item = (usize, Visit)>, ends: u64) -> f64 {
        // The execution that is under way.
        let mut total = 1.0f64;
        for (height, visit) in path.rev() {
            let current = total.max(ends.saturating_sub(visit.start) as f64);
            let all = visit.start.saturating_sub(visit.first) as f64 + current;
            total = all * (1.0 + self.more(height, visit) / (f64::from(visit.before) + 1.0));
        }
        total
    }

    /// How many more events will be tried at a height, besides the current one.
    fn more(&self, height: usize, visit: Visit) -> f64 {
        let again = self.chance(height, 1);
        let further = if again < 1.0 { (again / (1.0 - again)).min(MOST) } else { MOST };
        match visit.before {
            0 => self.chance(height, 0) * (1.0 + further),
            _ => further,
        }
    }

    /// How likely it is that there is another event when the first one (0), or a later one (1), is given up.
    fn chance(&self, height: usize, again: usize) -> f64 {
        let all = ratio(self.all.found[again] as f64, self.all.tries[again] as f64);
        let here = self.by_height.get(height).copied().unwrap_or_default();
        ratio(here.found[again] as f64 + WEIGHT * all, here.tries[again] as f64 + WEIGHT)
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_cost_little_for_each_step() {
        let mut estimate = Estimate::default();
        let (mut looked_at, mut guesses, last) = (0, 0, 4_000_000);
        // One execution that goes on and on, asked for at every poll.
        for steps in (0..last).step_by(1024) {
            if estimate.is_due(steps, steps as usize) {
                guesses += 1;
                looked_at += steps;
            }
        }
        assert!(looked_at <= 2 * last && guesses > 10, "{guesses} guesses looked at {looked_at} events");
    }

    #[test]
    fn tallies_take_little_memory() {
        let mut estimate = Estimate::default();
        for height in [0, 1 << 30, 7] {
            let visit = estimate.visit(height, 0);
            estimate.given_up(height, visit, true);
        }
        assert!(estimate.by_height.len() <= HEIGHTS);
        assert_eq!(estimate.all.found[0], 3);
    }
}

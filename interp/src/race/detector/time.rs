//! The time that threads find when they look at the clock.
//!
//! It grows along happens-before and depends on nothing else, so that threads that look at the clock stay independent.
//! A thread that knows a component of a clock knows how much time had passed for that thread then: a step for each unit
//! of it, and what the thread has slept or found between its looks. The time is the sum over all threads.
//!
//! Between two looks of a thread twice as much time passes as between the two before, up to a minute. So a thread that
//! waits until some time is over finds it over after few looks.
use super::Detector;
use por::ThreadId;

/// Nanoseconds of a step, and from a thread's beginning to its first look.
const STEP: u64 = 1000;

/// How often the time between two looks doubles.
const DOUBLINGS: u32 = 26;

/// No time is later, so that programs can count nanoseconds. In nanoseconds: 146 years.
const LATEST: u64 = u64::MAX >> 2;

/// By thread: when time has passed (its component of clocks then), and how much has since the thread began. The list
/// may have older entries behind those that count, see [`super::ThreadClock::passed`].
pub(super) type Passed = Vec<Vec<(u32, u64)>>;

impl Detector {
    /// The thread looks at the clock, which makes its logical time go on by one. In nanoseconds.
    pub(crate) fn look(&mut self, thread: ThreadId) -> u64 {
        let changed = self.change(thread);
        changed.epoch += 1;
        changed.looks += 1;
        let doublings = (changed.looks - 1).min(DOUBLINGS);
        self.pass(thread, (STEP << doublings) - STEP);
        self.now(thread)
    }

    /// How often the thread has looked.
    pub(crate) fn looks(&self, thread: ThreadId) -> u32 {
        self.threads[thread.index()].looks
    }

    /// So many nanoseconds pass for the thread. Nobody else knows, until it releases something.
    pub(crate) fn pass(&mut self, thread: ThreadId, nanoseconds: u64) {
        if nanoseconds == 0 {
            return;
        }
        let changed = self.change(thread);
        changed.passed += 1;
        let (epoch, count) = (changed.epoch, changed.passed as usize);
        if self.passed.len() <= thread.index() {
            self.passed.resize(thread.index() + 1, Vec::new());
        }
        let list = &mut self.passed[thread.index()];
        list.truncate(count - 1);
        let before = list.last().map_or(0, |&(_, before)| before);
        list.push((epoch, before.saturating_add(nanoseconds)));
    }

    /// Time passes for the thread until then, in nanoseconds, if it is not over yet.
    pub(crate) fn pass_until(&mut self, thread: ThreadId, time: u64) {
        self.pass(thread, time.saturating_sub(self.now(thread)));
    }

    /// The thread's time, in nanoseconds.
    pub(crate) fn now(&self, thread: ThreadId) -> u64 {
        let state = self.threads[thread.index()];
        let own = self.clocks.component(state.clock, thread);
        let steps = self.clocks.sum(state.clock) - u64::from(own) + u64::from(state.epoch);
        let threads = (0..).map(ThreadId).zip(self.passed.iter().zip(&self.threads));
        let passed = threads.map(|(other, (list, of_other))| {
            let known = if other == thread { state.epoch } else { self.clocks.component(state.clock, other) };
            let list = &list[..of_other.passed as usize];
            let count = list.partition_point(|&(when, _)| when <= known);
            list[..count].last().map_or(0, |&(_, passed)| passed)
        });
        passed.fold(STEP.saturating_mul(steps), u64::saturating_add).min(LATEST)
    }
}

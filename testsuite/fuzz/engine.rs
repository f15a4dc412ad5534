//! What one engine finds in one program.

use crate::campaign::setting;
use interp::Machine;
use interp::engines::explore_with;
use interp::fault::{Fault, Kind};
use por::jobs::{Explored, Jobs};
use por::{Alternatives, Ending, Engine, Flow, Listener, Move, Options, Order, Outcome, Reduction, Replayed, System};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::time::Duration;

/// Ways to known states for each execution that other engines may explore, and new states as well: a program without
/// a bound may come to new ones for ever.
const STATES_FOR_EACH: u64 = 50;

/// A way to explore.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    /// For messages.
    pub(crate) name: &'static str,
    /// No class of executions twice.
    pub(crate) optimal: bool,
    engine: Engine,
    alternatives: Alternatives,
    cache: usize,
    cutoffs: Option<Order>,
    /// [`Options::late`].
    late: u64,
    /// [`Options::period`].
    period: u64,
    /// Fingerprints are compared with whole states, which takes longer than all the rest (`VERIFY_WHOLE_STATES=0`: they
    /// are not).
    verify_states: bool,
    /// [`Options::persistent_sets`].
    persistent_sets: bool,
    /// [`Options::known_from`].
    known_from: Option<u64>,
    workers: usize,
}

impl Mode {
    const fn unfolding(name: &'static str, alternatives: Alternatives, cache: usize) -> Self {
        let optimal = matches!(alternatives, Alternatives::Optimal);
        Mode {
            name,
            optimal,
            engine: Engine::Unfolding,
            alternatives,
            cache,
            cutoffs: None,
            late: 16,
            period: u64::MAX,
            verify_states: false,
            persistent_sets: true,
            known_from: None,
            workers: 1,
        }
    }

    /// Every class once, remembering everything.
    pub(crate) const OPTIMAL: Mode = Mode::unfolding("optimal alternatives", Alternatives::Optimal, usize::MAX);
    /// Every interleaving.
    pub(crate) const NAIVE: Mode = Mode { engine: Engine::Naive, name: "naive engine", ..Mode::OPTIMAL };
    /// Each state once.
    pub(crate) const STATES: Mode = Mode { engine: Engine::States, name: "states", ..Mode::OPTIMAL };
    /// The same without leaving out any.
    pub(crate) const ALL_STATES: Mode = Mode { name: "all states", persistent_sets: false, ..Mode::STATES };
    /// Nothing behind a known state.
    pub(crate) const CUTOFFS: Mode = Mode {
        cutoffs: Some(Order::Erv),
        verify_states: true,
        ..Mode::unfolding("cutoffs", Alternatives::Within(1_000), 1 << 12)
    };
    /// The same with other alternatives and orders.
    pub(crate) const ALL_CUTOFFS: [Mode; 4] = [
        Mode::CUTOFFS,
        Mode {
            cutoffs: Some(Order::Erv),
            late: 0,
            ..Mode::unfolding("cutoffs with optimal alternatives", Alternatives::Optimal, 0)
        },
        Mode {
            cutoffs: Some(Order::Size),
            late: u64::MAX,
            period: 8,
            ..Mode::unfolding("cutoffs by size", Alternatives::Partial(1), 16)
        },
        Mode {
            cutoffs: Some(Order::Erv),
            late: 2,
            ..Mode::unfolding("cutoffs with K = 2", Alternatives::Partial(2), 64)
        },
    ];
    /// Further ways to reduce, which forget events sooner or later.
    pub(crate) const OTHERS: [Mode; 11] = [
        Mode::unfolding("short searches", Alternatives::Within(2), 1 << 12),
        Mode::unfolding("K = 1", Alternatives::Partial(1), 1 << 12),
        Mode::unfolding("K = 1 with a small cache", Alternatives::Partial(1), 16),
        Mode::unfolding("K = 2", Alternatives::Partial(2), 64),
        Mode::unfolding("K = 3", Alternatives::Partial(3), 0),
        Mode::unfolding("optimal alternatives without a cache", Alternatives::Optimal, 0),
        Mode { engine: Engine::Dpor(Reduction::Source), optimal: false, name: "source sets", ..Mode::OPTIMAL },
        Mode::WAKEUP_TREES,
        Mode { workers: 3, name: "wakeup trees, three workers", ..Mode::WAKEUP_TREES },
        Mode { known_from: Some(0), name: "wakeup trees, known states", ..Mode::WAKEUP_TREES },
        Mode {
            engine: Engine::Dpor(Reduction::Source),
            optimal: false,
            known_from: Some(1),
            verify_states: true,
            name: "source sets, known states compared",
            ..Mode::OPTIMAL
        },
    ];
    /// The same by sequences.
    pub(crate) const WAKEUP_TREES: Mode =
        Mode { engine: Engine::Dpor(Reduction::Optimal), name: "wakeup trees", ..Mode::OPTIMAL };
    /// Coarser classes: writes that nobody reads have no order, and so final states differ.
    pub(crate) const OBSERVERS: Mode =
        Mode { engine: Engine::Dpor(Reduction::Observers), name: "observers", ..Mode::OPTIMAL };
}

/// A violation by kind and line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Bug {
    kind: Kind,
    line: u32,
}

/// Whether the fault is one of two threads that do something that is only wrong together, see [`Found::entangled`]. (A
/// deadlock names others only to leave the end of the process out of its schedule.)
pub(crate) fn entangles(fault: &Fault) -> bool {
    !fault.involved.is_empty() && fault.kind != Kind::Deadlock
}

/// Whether the reason for "unknown" is one that two threads give together, in the same way.
pub(crate) fn entangles_reason(reason: &str) -> bool {
    reason.contains("changes its rights (mprotect), which nothing orders with that")
}

impl Bug {
    /// The place is where the innermost function with a known line stands.
    pub(crate) fn new(machine: &Machine, fault: &Fault) -> Self {
        let locations = &machine.module().locations;
        if fault.kind == Kind::Livelock {
            // Where threads stand that spin is a matter of the way there.
            return Bug { kind: fault.kind, line: 0 };
        }
        let lines = fault.stack.iter().map(|frame| locations[frame.location.index()].line);
        Bug { kind: fault.kind, line: lines.into_iter().find(|line| *line != 0).unwrap_or(0) }
    }
}

/// Everything in which explorations can be compared.
#[derive(Default)]
pub(crate) struct Found {
    /// Digests of the final states.
    pub(crate) states: FxHashSet<u128>,
    /// The same without those of pruned executions.
    pub(crate) complete: FxHashSet<u128>,
    /// The same without saying which thread is which.
    pub(crate) up_to_exchange: FxHashSet<u128>,
    /// The violations that happen before the end of the process.
    pub(crate) bugs: BTreeSet<Bug>,
    /// Two threads do something that is only wrong together, without depending on one another. Whoever comes second has
    /// the fault.
    pub(crate) entangled: bool,
    /// Reasons for "unknown".
    pub(crate) unknown: BTreeSet<String>,
    /// Complete and pruned executions.
    pub(crate) executions: u64,
    /// Those that were stopped.
    pub(crate) blocked: u64,
    /// With quiet sections something was found that is not seen with all sections in order: then they are.
    pub(crate) unconfirmed: bool,
}

impl Found {
    /// Whether there is a data race or the like, or a use after free, which may be one: the free need not be ordered.
    pub(crate) fn racy(&self) -> bool {
        self.entangled || self.bugs.iter().any(|b| matches!(b.kind, Kind::DataRace | Kind::Memory))
    }

    /// Whether it is known not to be safe, or may not be because of what one thread does to the rights of another one.
    fn is_wrong(&self) -> bool {
        !self.bugs.is_empty() || self.unknown.iter().any(|reason| entangles_reason(reason))
    }

    /// Whether the same bugs, and perhaps the same final states, are found where no race is left that would hide
    /// anything.
    pub(crate) fn agree_exactly(&self, all: &Found, states: bool) -> Result<(), String> {
        if self.bugs != all.bugs {
            return Err(format!("violations {:?} instead of {:?}", self.bugs, all.bugs));
        }
        match !states || self.complete == all.complete {
            true => Ok(()),
            false => Err(format!("{} final states instead of {}", self.complete.len(), all.complete.len())),
        }
    }

    /// An honest answer of the unfolding engine, which needs the history of every cell and does not see what atomic
    /// blocks and plain accesses write.
    pub(crate) fn gave_up(&self) -> bool {
        self.unknown.iter().any(|reason| reason.contains("exploration cannot follow"))
    }

    /// The same for an exploration that does not reach all final states. (Where there are races, which thread stops
    /// differs.)
    pub(crate) fn finds_the_same(&self, all: &Found) -> Result<(), String> {
        if self.gave_up() || all.gave_up() {
            return Ok(());
        }
        if self.racy() || all.racy() {
            let both = self.is_wrong() && all.is_wrong();
            return if both { Ok(()) } else { Err("only one finds a data race".into()) };
        }
        if !self.finds_bugs_of(all) || self.needed_reasons(all) != all.unknown.iter().collect::<BTreeSet<_>>() {
            let (found, wanted) = ((&self.bugs, &self.unknown), (&all.bugs, &all.unknown));
            return Err(format!("{found:?} instead of {wanted:?}"));
        }
        Ok(())
    }

    /// The same for an exploration of threads up to exchange. (Which thread of those that wait for one another is the
    /// first one, where a deadlock is reported, depends on which is which.)
    pub(crate) fn finds_the_same_up_to_exchange(&self, all: &Found) -> Result<(), String> {
        let like = |one: &Found, other: &Found| one.bugs.iter().all(|bug| other.has_one_like(*bug));
        if like(self, all) && like(all, self) && self.unknown == all.unknown {
            return Ok(());
        }
        self.finds_the_same(all)
    }

    /// The reasons for "unknown" but for those that only say why a deadlock is not reported yet, where deadlocks are
    /// found. A cutoff ends an execution in which threads wait for one another while another one goes on. It cannot be
    /// seen there whether that one ever cancels one of them. Where it comes to an end without that, the deadlock is
    /// found at that end, which may be in an execution that is explored later. The reason is told at once, and is not
    /// taken back: the verdict is "unsafe" either way. (Where a circle that stays is missed, a bug of `all` is
    /// missing.)
    fn needed_reasons(&self, all: &Found) -> BTreeSet<&String> {
        let finds = |found: &Found| found.bugs.iter().any(|bug| bug.kind == Kind::Deadlock);
        let needless = finds(self) && finds(all);
        let waits = |reason: &str| reason.starts_with("whether a thread that goes on ever cancels");
        self.unknown.iter().filter(|reason| !needless || all.unknown.contains(*reason) || !waits(reason)).collect()
    }

    /// Whether the bugs are those of an exploration without cutoffs. Of an execution that ends in a deadlock the first
    /// circle is reported; one that is cut off may only have another one yet.
    pub(crate) fn finds_bugs_of(&self, all: &Found) -> bool {
        self.bugs.is_superset(&all.bugs) && self.bugs.iter().all(|bug| all.has_one_like(*bug))
    }

    /// Whether that bug was found, or another deadlock for a deadlock. (Threads that spin under locks may block one
    /// another for ever at last: such a livelock need not be found beside the deadlock.)
    fn has_one_like(&self, bug: Bug) -> bool {
        let stuck = [Kind::Deadlock, Kind::Livelock].contains(&bug.kind);
        let another = |found: &Bug| found.kind == Kind::Deadlock && stuck;
        self.bugs.contains(&bug) || self.bugs.iter().any(another)
    }

    /// As if nobody had looked for livelocks.
    pub(crate) fn overlook_livelocks(&mut self) {
        self.bugs.retain(|bug| bug.kind != Kind::Livelock);
    }

    /// Whether every bug is found that is known from less of the program, or from another exploration of it with
    /// cutoffs.
    pub(crate) fn finds_all_of(&self, part: &Found) -> Result<(), String> {
        if self.gave_up() || part.gave_up() {
            return Ok(());
        }
        let missing = match self.racy() || part.racy() {
            true => !self.is_wrong() && part.is_wrong(),
            false => !part.bugs.iter().all(|bug| self.has_one_like(*bug)),
        };
        if missing { Err(format!("violations {:?} instead of {:?}", self.bugs, part.bugs)) } else { Ok(()) }
    }

    /// After a race the second thread stops, and which one that is differs between interleavings of one class. So
    /// where there are races it only counts that the program is found to be wrong.
    pub(crate) fn agree(&self, all: &Found) -> Result<(), String> {
        if self.gave_up() || all.gave_up() {
            return Ok(());
        }
        if self.racy() || all.racy() {
            let both = self.is_wrong() && all.is_wrong();
            return if both { Ok(()) } else { Err("only one finds a data race".into()) };
        }
        // (Of threads that are stuck, whoever is first: who else is so by then differs between interleavings of one
        // class.)
        if [(self, all), (all, self)].iter().any(|(one, other)| !one.bugs.iter().all(|bug| other.has_one_like(*bug))) {
            return Err(format!("violations {:?} instead of {:?}", self.bugs, all.bugs));
        }
        if self.unknown != all.unknown {
            return Err(format!("unknown for {:?} instead of {:?}", self.unknown, all.unknown));
        }
        match self.states == all.states {
            true => Ok(()),
            false => Err(format!("{} final states instead of {}", self.states.len(), all.states.len())),
        }
    }
}

/// Explores a machine that was not started yet; `None` if there are too many executions. The machine then knows all
/// that there is to learn.
pub(crate) fn learn(pristine: &mut Machine, mode: Mode, most: u64) -> Result<Option<Found>, String> {
    loop {
        match explore(pristine, mode, most)? {
            (Outcome::Restart, _, machine) => pristine.learn_from(&machine),
            (_, found, mut machine) if found.unconfirmed => {
                machine.learn_to_take_all_actions();
                pristine.learn_from(&machine);
            }
            (outcome, found, machine) => {
                // Which thread needs address space first is a matter of the order of exploration. Explorations of the
                // same machine name the same addresses after this.
                pristine.give_out(&machine.given_out())?;
                return Ok((outcome == Outcome::Complete).then_some(found));
            }
        }
    }
}

/// The same for a machine that has nothing to learn. (Several learn for a restart what one alone learns without.)
pub(crate) fn run(pristine: &Machine, mode: Mode, most: u64) -> Result<Option<Found>, String> {
    if mode.workers > 1 || mode.known_from.is_some() {
        return learn(&mut pristine.clone(), mode, most);
    }
    match explore(pristine, mode, most)? {
        (Outcome::Restart, _, _) => Err(format!("{}: the exploration wants to start again", mode.name)),
        (outcome, found, _) => Ok((outcome == Outcome::Complete).then_some(found)),
    }
}

fn explore(pristine: &Machine, mode: Mode, most: u64) -> Result<(Outcome, Found, Machine), String> {
    // (Each state has as many ways to it as actions that lead there, and may lie behind all others.)
    let (most, max_depth) = match mode.engine {
        Engine::States => (STATES_FOR_EACH * most, u64::MAX),
        _ => (most, 10 * most.min(100)),
    };
    let options = Options {
        engine: mode.engine,
        alternatives: mode.alternatives,
        cache: mode.cache,
        cutoffs: mode.cutoffs,
        late: mode.late,
        period: mode.period,
        verify_states: (mode.verify_states && setting("VERIFY_WHOLE_STATES", 1) > 0).then_some(u64::MAX),
        persistent_sets: mode.persistent_sets,
        known_from: mode.known_from,
        max_executions: Some(most),
        max_states: (mode.engine == Engine::States).then_some(most),
        max_depth,
        ..Options::default()
    };
    let mut witness = Witness { pristine, replays: mode.engine != Engine::Naive, found: Found::default(), error: None };
    let mut machine = pristine.clone();
    let jobs = Jobs { workers: mode.workers, patience: Duration::ZERO, stack: 8 << 20 };
    let Explored { outcome, statistics, .. } = explore_with(&mut machine, &options, &mut witness, jobs);
    if let Some(error) = witness.error {
        return Err(format!("{}: {error}", mode.name));
    }
    witness.found.executions = statistics.executions + statistics.pruned;
    witness.found.blocked = statistics.blocked;
    Ok((outcome, witness.found, machine))
}

struct Witness<'a> {
    pristine: &'a Machine,
    /// A reduction's schedule holds the end of the process only if the violation must come behind it. Other
    /// interleavings are met by those who try them all.
    replays: bool,
    found: Found,
    error: Option<String>,
}

impl Listener<Machine> for Witness<'_> {
    fn execution(&mut self, machine: &Machine, ending: Ending, _: &[Move]) -> Flow {
        if ending == Ending::Cutoff {
            return Flow::Continue;
        }
        self.found.states.insert(machine.digest());
        if ending == Ending::Complete {
            self.found.complete.insert(machine.digest());
            self.found.up_to_exchange.insert(machine.digest_up_to_exchange());
        }
        Flow::Continue
    }

    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        let bug = Bug::new(self.pristine, &fault);
        // (Who raced has stopped before it did what others build upon, and so what is behind that may not come again.)
        let behind_a_race = self.found.racy();
        self.found.entangled |= entangles(&fault);
        if self.found.bugs.contains(&bug) {
            return Flow::Continue;
        }
        if !self.replays {
            if !fault.after_end {
                self.found.bugs.insert(bug);
            }
            return Flow::Continue;
        }
        let same = |found: &Fault| (found.kind, found.thread, &found.stack) == (fault.kind, fault.thread, &fault.stack);
        let mut ordered = self.pristine.clone();
        ordered.take_all_actions();
        if let Err(error) = ordered.give_out(&fault.given_out) {
            self.error = Some(error);
            return Flow::Stop;
        }
        let mut shows = None;
        let in_order = interp::schedules_in_order(&fault, &schedule);
        let has_sections = interp::with_sections_in_order(&schedule).len() > schedule.len();
        for (number, mut schedule) in in_order.into_iter().enumerate() {
            if fault.merges_ends {
                schedule = ordered.with_ends(&schedule);
            }
            // (In another order than the first one the other access of a race may come second.)
            let same = |found: &Fault| {
                same(found) || number > 0 && (found.kind, fault.kind) == (Kind::DataRace, Kind::DataRace)
            };
            if let Replayed::Finished(faults) = por::replay(&mut ordered.clone(), &schedule, |_, _| {}, |_, _| {}) {
                shows = faults.into_iter().find(|(_, found)| same(found)).or(shows);
            }
            if shows.is_some() {
                break;
            }
        }
        match shows {
            Some((_, again)) if again.after_end => {}
            Some(_) => {
                self.found.bugs.insert(bug);
            }
            None if has_sections => {
                self.found.unconfirmed = true;
                return Flow::Stop;
            }
            None if behind_a_race => {}
            None => {
                self.error = Some(format!("the schedule of {bug:?} does not show it again"));
                return Flow::Stop;
            }
        }
        Flow::Continue
    }

    fn unknown(&mut self, reason: String) -> Flow {
        self.found.entangled |= entangles_reason(&reason);
        self.found.unknown.insert(reason);
        Flow::Continue
    }
}

//! Where the time goes, for `--stats`: the explorer says what it is at, and a thread of its own looks now and then. So
//! measuring costs the explorer one store for each change, and what takes long is not made longer by being timed.
use super::findings::{Findings, Shared};
use super::recorder::Recorder;
use crate::report::Profile;
use interp::Machine;
use interp::fault::Fault;
use interp::solver::Counters;
use por::{Ending, Flow, Listener, Move, ObjectId, Phase, Prefix};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long the other thread looks away.
const PAUSE: Duration = Duration::from_micros(200);

/// What the explorer is at, as an index of [`Phase::ALL`].
#[derive(Debug, Default)]
pub(crate) struct Current(AtomicU8);

/// Time for each of [`Phase::ALL`].
type Times = [Duration; Phase::ALL.len()];

/// The thread that looks.
pub(crate) struct Sampler {
    done: Arc<AtomicBool>,
    thread: JoinHandle<Times>,
}

impl Sampler {
    /// Begins to look at what the explorer is at.
    pub(crate) fn start(shared: Arc<Shared>) -> std::io::Result<Self> {
        let done = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&done);
        let thread = std::thread::Builder::new().name("sampler".to_owned()).spawn(move || {
            let mut times = Times::default();
            let mut last = Instant::now();
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(PAUSE);
                let now = Instant::now();
                times[usize::from(shared.phase.0.load(Ordering::Relaxed))] += now - last;
                last = now;
            }
            times
        })?;
        Ok(Sampler { done, thread })
    }

    /// Ends it: what took how long, besides `loading` before the exploration, and what was done.
    pub(crate) fn finish(self, loading: Duration, findings: &Findings, shared: &Shared) -> Profile {
        let (executions, work) = (findings.statistics.ends, &findings.work);
        self.done.store(true, Ordering::Relaxed);
        let times = self.thread.join().unwrap_or_default();
        let all: Duration = times.iter().sum();
        let phases = Phase::ALL.iter().zip(times).map(|(phase, time)| (name(*phase), time.as_secs_f64()));
        Profile {
            time: std::iter::once(("loading", loading.as_secs_f64())).chain(phases).collect(),
            engine: vec![
                ("events_made", work.events_made),
                ("events_found_again", work.events_found_again),
                ("events_forgotten", work.events_forgotten),
                ("most_events", work.most_events),
                ("most_memory_bytes", work.most_bytes),
                ("collections", work.collections),
                ("purges", work.purges),
                ("passes", work.passes),
                ("states", work.states),
                ("states_reached_late", work.late),
                ("events_not_looked_up", work.not_looked_up),
                ("visits_again", work.visits_again),
                ("races_reversed", work.races),
                ("events_looked_at", work.looked_at),
                ("searches", work.searches),
                ("alternatives_found", work.alternatives),
                ("conflicts_looked_at", work.conflicts),
                ("instructions_from_start", shared.from_start.load(Ordering::Relaxed)),
                ("executions_per_second", (executions as f64 / all.as_secs_f64().max(1e-3)) as u64),
            ]
            .into_iter()
            .chain(findings.questions.iter().flat_map(questions))
            .collect(),
            orders: orders(shared),
        }
    }
}

/// Where other orders came from, most of them first.
fn orders(shared: &Shared) -> Vec<(String, u64)> {
    let mut orders = shared.orders.lock().unwrap_or_else(PoisonError::into_inner).clone();
    orders.sort_by(|(first, a), (second, b)| b.cmp(a).then_with(|| first.cmp(second)));
    orders
}

/// How questions about inputs were answered. (With these, the exploration is that of the engine `optimal`, unless
/// another one that explores sequences was asked for.)
fn questions(counters: &Counters) -> [(&'static str, u64); 11] {
    [
        ("decisions", counters.decisions),
        ("questions_asked", counters.asked),
        ("answered_by_facts", counters.by_facts),
        ("answered_by_models", counters.by_models),
        ("answered_by_cache", counters.by_cache),
        ("answered_by_trying", counters.by_trying),
        ("answered_by_changes", counters.by_changes),
        ("answered_by_solver", counters.by_solver),
        ("unanswered", counters.unknown),
        ("confirmed", counters.confirmed),
        ("solver_milliseconds", counters.time.as_millis() as u64),
    ]
}

fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Walk => "walk",
        Phase::System => "machine",
        Phase::Extension => "extension",
        Phase::Alternatives => "alternatives",
        Phase::Cutoffs => "cutoffs",
        Phase::Livelocks => "livelocks",
        Phase::Collection => "collection",
    }
}

/// A witness that passes on what the engine is at. (A type of its own, so that nothing of this is there without
/// `--stats`.)
pub(crate) struct Sampled<'a> {
    witness: &'a mut Recorder,
    shared: Arc<Shared>,
    /// By object (none: choices): its place among [`Shared::orders`].
    places: FxHashMap<Option<ObjectId>, usize>,
}

impl<'a> Sampled<'a> {
    /// For this witness.
    pub(crate) fn new(witness: &'a mut Recorder) -> Self {
        let shared = Arc::clone(&witness.shared);
        shared.orders.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Sampled { witness, shared, places: FxHashMap::default() }
    }
}

impl Listener<Machine> for Sampled<'_> {
    fn execution(&mut self, machine: &Machine, ending: Ending, schedule: &[Move]) -> Flow {
        self.shared.from_start.fetch_add(machine.instructions_since_start(), Ordering::Relaxed);
        self.witness.execution(machine, ending, schedule)
    }

    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        self.witness.violation(fault, schedule)
    }

    fn unknown(&mut self, reason: String) -> Flow {
        self.witness.unknown(reason)
    }

    fn prefix(&mut self, prefix: Option<Prefix>) {
        self.witness.prefix(prefix);
    }

    fn poll(&mut self, machine: &Machine, statistics: &por::Statistics) -> Flow {
        self.witness.poll(machine, statistics)
    }

    fn wants_checkpoint(&mut self) -> bool {
        self.witness.wants_checkpoint()
    }

    fn checkpoint(&mut self, machine: &Machine, exploration: Vec<u8>) -> Flow {
        self.witness.checkpoint(machine, exploration)
    }

    fn restored(&mut self, machine: &mut Machine) {
        self.witness.restored(machine);
    }

    fn wants_phases(&self) -> bool {
        true
    }

    fn another_order(&mut self, machine: &Machine, object: Option<ObjectId>) {
        let mut orders = self.shared.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let place = *self.places.entry(object).or_insert_with(|| {
            let name = object.map_or_else(|| "choices".to_owned(), |object| machine.name_of_shared(object));
            // (An array of many has one name, say.)
            orders.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
                orders.push((name, 0));
                orders.len() - 1
            })
        });
        orders[place].1 += 1;
    }

    fn phase(&mut self, phase: Phase) {
        self.shared.phase.0.store(phase as u8, Ordering::Relaxed);
    }
}

//! How fast the unfolding engine is by itself, and how that grows, on a system that costs next to nothing.
//!
//! `cargo run --release -p por --example families [FAMILY] [cutoffs|no-cutoffs] [1-partial|optimal] [SMALLEST]
//! [LARGEST]` prints, for n = SMALLEST … LARGEST (6 and 16), what an action costs in processor time and how many events
//! in conflict are looked at in the searches for alternatives. `growth` is the cost of an action compared with that for
//! the smallest n. Explorations end after [`MOST`] executions.
//!
//! A main thread creates the others and joins them all. They are
//! * `Locks`: n critical sections of one mutex;
//! * `LastWrite`: n stores of different values to one place;
//! * `Readers`: n loads of a place, and one store;
//! * `ChosenWriter`: one store to each of n cells; a counter that runs from 1 to n - 1; three threads that read it and
//!   store to the cell of that number.
use por::{
    Access, Accesses, Alternatives, Change, Commuting, Decisions, Ending, Findings, Fingerprints, Lanes, Listener,
    Livelocks, Move, ObjectId, Options, Order, Step, System, ThreadId, Twins, Variant,
};

/// Executions after which an exploration ends.
const MOST: u64 = 70_000;

/// Explorations are repeated until they have taken so many seconds.
const LONG_ENOUGH: f64 = 0.2;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Family {
    Locks,
    LastWrite,
    Readers,
    ChosenWriter,
}

const FAMILIES: [Family; 4] = [Family::Locks, Family::LastWrite, Family::Readers, Family::ChosenWriter];

#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
enum Op {
    Create(u32),
    Join(u32),
    Lock,
    Unlock,
    Load(u32),
    Store(u32, u64),
    /// To the place after the one whose number was read.
    StoreThere(u64),
    End,
}

impl Family {
    /// What each thread but the main one does.
    fn code(self, n: u32) -> Vec<Vec<Op>> {
        let all = |ops: &dyn Fn(u32) -> Vec<Op>| (0..n).map(ops).collect::<Vec<_>>();
        match self {
            Family::Locks => all(&|_| vec![Op::Lock, Op::Unlock]),
            Family::LastWrite => all(&|i| vec![Op::Store(0, u64::from(i) + 1)]),
            Family::Readers => [vec![vec![Op::Store(0, 1)]], all(&|_| vec![Op::Load(0)])].concat(),
            Family::ChosenWriter => {
                let counter = (1..n).map(|i| Op::Store(0, u64::from(i))).collect();
                let chooser = vec![Op::Load(0), Op::StoreThere(2)];
                [all(&|i| vec![Op::Store(1 + i, 1)]), vec![counter], vec![chooser; 3]].concat()
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Thread {
    exists: bool,
    done: u32,
    register: u64,
    pending: Option<Op>,
}

/// What an action has changed, to take it back.
struct Undo {
    thread: ThreadId,
    register: u64,
    place: Option<(usize, u64)>,
    created: Option<ThreadId>,
}

struct Threads {
    code: Vec<Vec<Op>>,
    threads: Vec<Thread>,
    /// A mutex, or places of memory.
    words: Vec<u64>,
    log: Vec<Undo>,
    marks: Vec<usize>,
}

/// The end of a thread, as an object.
fn end(thread: u32) -> u32 {
    1000 + thread
}

impl Threads {
    fn new(family: Family, n: u32) -> Self {
        let workers = family.code(n);
        let ids = || 1..=workers.len() as u32;
        let main = ids().map(Op::Create).chain(ids().map(Op::Join)).collect();
        let ended = |mut ops: Vec<Op>| {
            ops.push(Op::End);
            ops
        };
        let code: Vec<Vec<Op>> = std::iter::once(main).chain(workers.into_iter().map(ended)).collect();
        let none = Thread { exists: false, done: 0, register: 0, pending: None };
        let threads = vec![none; code.len()];
        let mut all = Threads { code, threads, words: vec![0; n as usize + 1], log: Vec::new(), marks: Vec::new() };
        all.threads[0].exists = true;
        all.refresh(ThreadId(0));
        all
    }

    fn refresh(&mut self, thread: ThreadId) {
        let it = &mut self.threads[thread.index()];
        let op = self.code[thread.index()].get(it.done as usize).copied().filter(|_| it.exists);
        it.pending = match op {
            Some(Op::StoreThere(value)) => Some(Op::Store(it.register as u32 + 1, value)),
            op => op,
        };
    }

    fn ended(&self, thread: u32) -> bool {
        let it = &self.threads[thread as usize];
        it.exists && it.pending.is_none()
    }

    /// The thread's own term of the state.
    fn control(&self, thread: ThreadId) -> u128 {
        let it = &self.threads[thread.index()];
        term([1, u64::from(thread.0), u64::from(it.done), it.register])
    }
}

/// A term of a state.
fn term(words: [u64; 4]) -> u128 {
    words.into_iter().fold(0, |sum: u128, word| {
        (sum ^ u128::from(word)).wrapping_add(1).wrapping_mul(0xda94_2042_e4dd_58b5_2360_ed05_1fc6_5da4) ^ sum >> 64
    })
}

impl System for Threads {
    type Operation = Op;
    type Fault = ();

    fn start(&mut self) -> Step<()> {
        Step::default()
    }

    fn threads(&self) -> u32 {
        self.threads.len() as u32
    }

    fn operation(&self, thread: ThreadId) -> Option<&Op> {
        self.threads[thread.index()].pending.as_ref()
    }

    fn footprint(&self, thread: ThreadId, op: &Op) -> Accesses {
        let access = |object, reads, writes| {
            Accesses::one(Access { object: ObjectId(object), lanes: Lanes::Whole, reads, writes })
        };
        match op {
            Op::Create(_) => Accesses::none(),
            Op::Join(thread) => access(end(*thread), 1, 0),
            Op::Lock | Op::Unlock => access(0, 0, 1),
            Op::Load(place) => access(*place, 1, 0),
            Op::Store(place, _) => access(*place, 0, 1),
            Op::StoreThere(_) => unreachable!("it is known where"),
            Op::End => access(end(thread.0), 0, 1),
        }
    }

    fn word(&self, object: ObjectId) -> u64 {
        match self.words.get(object.index()) {
            Some(word) => *word,
            None => u64::from(self.ended(object.0 - end(0))),
        }
    }

    fn variants(&self, _: ThreadId, op: &Op, footprint: &Accesses, words: &[u64], out: &mut Vec<Variant>) {
        let blocked = match op {
            Op::Lock => words[0] != 0,
            Op::Join(_) => words[0] == 0,
            _ => false,
        };
        if !blocked {
            out.push(Variant { label: 0, accesses: *footprint });
        }
    }

    fn awaits(&self, op: &Op, access: &Access) -> bool {
        matches!(op, Op::Join(thread) if access.object.0 == end(*thread))
    }

    fn is_rarely_replaced(&self, op: &Op) -> bool {
        matches!(op, Op::Create(_) | Op::Join(_) | Op::Unlock | Op::End)
    }

    fn execute(&mut self, thread: ThreadId, _: u32) -> Step<()> {
        let it = self.threads[thread.index()];
        let mut undo = Undo { thread, register: it.register, place: None, created: None };
        let mut write = |words: &mut Vec<u64>, place: u32, value| {
            let word = &mut words[place as usize];
            undo.place = Some((place as usize, std::mem::replace(word, value)));
            value
        };
        match it.pending.expect("only pending operations are executed") {
            Op::Create(child) => undo.created = Some(ThreadId(child)),
            Op::Lock => _ = write(&mut self.words, 0, u64::from(thread.0)),
            Op::Unlock => _ = write(&mut self.words, 0, 0),
            Op::Store(place, value) => _ = write(&mut self.words, place, value),
            Op::Load(place) => self.threads[thread.index()].register = self.words[place as usize],
            Op::Join(_) | Op::End | Op::StoreThere(_) => {}
        }
        self.threads[thread.index()].done += 1;
        self.refresh(thread);
        let mut change = Change { control: self.control(thread), ..Change::default() };
        if let Some((place, before)) = undo.place {
            let word = |word| term([2, place as u64, word, 0]);
            change.action = word(self.words[place]).wrapping_sub(word(before));
        }
        if let Some(child) = undo.created {
            self.threads[child.index()].exists = true;
            self.refresh(child);
            change.child = self.control(child);
            change.action = change.action.wrapping_add(change.child);
        }
        let created = undo.created;
        self.log.push(undo);
        Step { created, change: Some(change), ..Step::default() }
    }

    fn mark(&mut self) {
        self.marks.push(self.log.len());
    }

    fn undo(&mut self) {
        let height = self.marks.pop().expect("marks and undos are paired");
        while self.log.len() > height {
            let Undo { thread, register, place, created } = self.log.pop().expect("it is longer than that");
            if let Some((place, word)) = place {
                self.words[place] = word;
            }
            if let Some(child) = created {
                self.threads[child.index()].exists = false;
                self.refresh(child);
            }
            let it = &mut self.threads[thread.index()];
            (it.done, it.register) = (it.done - 1, register);
            self.refresh(thread);
        }
    }

    fn ending(&mut self) -> (Ending, Findings<()>) {
        (Ending::Complete, Findings::default())
    }

    fn involved((): &()) -> Vec<(ThreadId, u32)> {
        Vec::new()
    }

    fn digest(&self) -> u128 {
        self.words.iter().fold(0, |sum, word| sum << 1 ^ u128::from(*word))
    }
}

impl Commuting for Threads {}

impl Fingerprints for Threads {}

impl Livelocks for Threads {}

impl Twins for Threads {}

impl Decisions for Threads {}

struct Count;

impl Listener<Threads> for Count {
    fn violation(&mut self, (): (), _: Vec<Move>) -> por::Flow {
        por::Flow::Continue
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (numbers, words): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|it| it.parse::<u32>().is_ok());
    let number = |at: usize, default: u32| numbers.get(at).map_or(default, |n| n.parse().expect("it is a number"));
    let range = number(0, 6)..=number(1, 16);
    let ways = [Alternatives::Partial(1), Alternatives::Optimal];
    let all = FAMILIES.into_iter().flat_map(|family| [true, false].map(|cutoffs| (family, cutoffs)));
    let all = all.flat_map(|(family, cutoffs)| ways.map(|alternatives| (family, cutoffs, alternatives)));
    println!(
        "family       cutoffs alternatives   n executions blocked steps/end   ends/s ns/step growth conflicts/step"
    );
    for (family, cutoffs, alternatives) in all {
        let names = [
            format!("{family:?}"),
            if cutoffs { "cutoffs" } else { "no-cutoffs" }.to_owned(),
            if alternatives == Alternatives::Optimal { "optimal" } else { "1-partial" }.to_owned(),
        ];
        if words.iter().all(|word| names.contains(word)) {
            let cutoffs = cutoffs.then_some(Order::Erv);
            let options = Options { alternatives, cutoffs, max_executions: Some(MOST), ..Options::default() };
            let mut first = None;
            range.clone().for_each(|n| measure(family, n, &names, &options, &mut first));
        }
    }
}

/// Prints one line. `first`: what an action costs for the smallest n.
fn measure(family: Family, n: u32, names: &[String; 3], options: &Options, first: &mut Option<f64>) {
    let begin = processor_time();
    let mut times = 0;
    let (s, seconds) = loop {
        let (_, statistics) = por::explore(&mut Threads::new(family, n), options, &mut Count);
        let seconds = processor_time() - begin;
        times += 1;
        if seconds > LONG_ENOUGH {
            break (statistics, seconds / f64::from(times));
        }
    };
    let (steps, ends) = (s.steps as f64, s.ends() as f64);
    let cost = seconds * 1e9 / steps;
    println!(
        "{:<12} {:<10} {:<9} {n:>3} {:>10} {:>7} {:>9.1} {:>8.0} {cost:>7.0} {:>6.2} {:>14.2}",
        names[0],
        names[1],
        names[2],
        s.executions,
        s.blocked,
        steps / ends,
        ends / seconds,
        cost / *first.get_or_insert(cost),
        s.work.conflicts as f64 / steps,
    );
}

/// The seconds for which this thread has had a processor, as Linux tells them.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("this runs on Linux");
    let nanoseconds = text.split_whitespace().next().and_then(|text| text.parse::<u64>().ok());
    nanoseconds.expect("the first number is the time on a processor") as f64 / 1e9
}

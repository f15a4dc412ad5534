//! How fast the unfolding engine is by itself: two families on a system that costs next to nothing.
//!
//! `cargo run --release -p por --example families [n]` prints executions per second for n locks and n atomic writers.
//! Each of n threads, created by a main thread that joins them all, does the same few operations on one object.
use por::{
    Access, Accesses, Alternatives, Commuting, Decisions, Ending, Findings, Fingerprints, Lanes, Listener, Livelocks,
    Move, ObjectId, Options, Step, System, ThreadId, Twins, Variant,
};
use std::time::Instant;

/// What every worker does: a critical section, or one write.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Family {
    Locks,
    LastWrite,
}

#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
enum Op {
    Create(u32),
    Join(u32),
    Lock,
    Unlock,
    Write,
    End,
}

struct Threads {
    family: Family,
    workers: u32,
    /// Per thread how many operations it has done; `u32::MAX` before it exists.
    done: Vec<u32>,
    ops: Vec<Option<Op>>,
    word: u64,
    /// (thread, word before) per executed operation.
    log: Vec<(ThreadId, u64, Option<ThreadId>)>,
}

impl Threads {
    fn new(family: Family, workers: u32) -> Self {
        let n = workers as usize + 1;
        let mut threads =
            Threads { family, workers, done: vec![u32::MAX; n], ops: vec![None; n], word: 0, log: Vec::new() };
        threads.done[0] = 0;
        threads.refresh(ThreadId(0));
        threads
    }

    fn refresh(&mut self, thread: ThreadId) {
        let done = self.done[thread.index()];
        self.ops[thread.index()] = match (thread.0, self.family) {
            _ if done == u32::MAX => None,
            (0, _) if done < self.workers => Some(Op::Create(done + 1)),
            (0, _) if done < 2 * self.workers => Some(Op::Join(done + 1 - self.workers)),
            (0, _) => None,
            (_, Family::Locks) => [Op::Lock, Op::Unlock, Op::End].get(done as usize).copied(),
            (_, Family::LastWrite) => [Op::Write, Op::End].get(done as usize).copied(),
        };
    }

    fn ended(&self, thread: u32) -> bool {
        self.done[thread as usize] != u32::MAX && self.ops[thread as usize].is_none()
    }
}

impl System for Threads {
    type Operation = Op;
    type Fault = ();

    fn start(&mut self) -> Step<()> {
        Step::default()
    }
    fn threads(&self) -> u32 {
        self.workers + 1
    }
    fn operation(&self, thread: ThreadId) -> Option<&Op> {
        self.ops[thread.index()].as_ref()
    }
    fn footprint(&self, thread: ThreadId, op: &Op) -> Accesses {
        let access = |object, reads, writes| {
            Accesses::one(Access { object: ObjectId(object), lanes: Lanes::Whole, reads, writes })
        };
        match op {
            Op::Create(_) => Accesses::none(),
            Op::Join(t) => access(*t, 1, 0),
            Op::Lock | Op::Unlock | Op::Write => access(0, 0, 1),
            Op::End => access(thread.0, 0, 1),
        }
    }
    fn word(&self, object: ObjectId) -> u64 {
        if object.0 == 0 { self.word } else { u64::from(self.ended(object.0)) }
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
    fn execute(&mut self, thread: ThreadId, _: u32) -> Step<()> {
        let op = self.ops[thread.index()].expect("pending");
        let mut step = Step::default();
        let word = self.word;
        match op {
            Op::Create(t) => {
                self.done[t as usize] = 0;
                self.refresh(ThreadId(t));
                step.created = Some(ThreadId(t));
            }
            Op::Lock | Op::Write => self.word = u64::from(thread.0),
            Op::Unlock => self.word = 0,
            Op::Join(_) | Op::End => {}
        }
        self.log.push((thread, word, step.created));
        self.done[thread.index()] += 1;
        self.refresh(thread);
        step
    }
    fn mark(&mut self) {}
    fn undo(&mut self) {
        let (thread, word, created) = self.log.pop().expect("paired");
        self.word = word;
        self.done[thread.index()] -= 1;
        self.refresh(thread);
        if let Some(child) = created {
            self.done[child.index()] = u32::MAX;
            self.refresh(child);
        }
    }
    fn ending(&mut self) -> (Ending, Findings<()>) {
        (Ending::Complete, Findings::default())
    }
    fn involved((): &()) -> Vec<(ThreadId, u32)> {
        Vec::new()
    }
    fn digest(&self) -> u128 {
        u128::from(self.word)
    }
}

impl Commuting for Threads {}

impl Fingerprints for Threads {}

impl Livelocks for Threads {}

impl Twins for Threads {}

struct Count;

impl Listener<Threads> for Count {
    fn violation(&mut self, (): (), _: Vec<Move>) -> por::Flow {
        por::Flow::Continue
    }
}

fn main() {
    let largest = std::env::args().nth(1).map_or(8, |n| n.parse().expect("a number of threads"));
    println!("family     alternatives   n  executions  blocked   steps/execution  executions/s  ns/step");
    for family in [Family::Locks, Family::LastWrite] {
        for alternatives in [Alternatives::Partial(1), Alternatives::Optimal] {
            for n in 5.min(largest)..=largest {
                let options = Options { alternatives, ..Options::default() };
                let begin = Instant::now();
                let (_, s) = por::explore(&mut Threads::new(family, n), &options, &mut Count);
                let seconds = begin.elapsed().as_secs_f64();
                println!(
                    "{:<10} {:<12} {n:>3} {:>11} {:>8} {:>17.1} {:>13.0} {:>8.0}",
                    format!("{family:?}"),
                    format!("{alternatives:?}"),
                    s.executions,
                    s.blocked,
                    s.steps as f64 / s.executions as f64,
                    s.executions as f64 / seconds,
                    seconds * 1e9 / s.steps as f64,
                );
            }
        }
    }
}

impl Decisions for Threads {}

//! Tiny abstract programs as a [`System`].
//!
//! The whole state is cloned at every mark, but for the list of actions so far, which only grows: slow and obviously
//! right.
//!
//! Each operation is a branch in the same few methods of one implementation; what only some engines ask for stands in
//! [`besides`].
mod besides;

use crate::class::{ALL, Effects, Logged, hash, mix};
use crate::code::{self, Code, Op, flatten};
use crate::program::{Cell, Program, spread};
use por::{
    Access, Accesses, Change, Commuting, Companions, Constraint, Decisions, Effect, Ending, Findings, Fingerprints,
    Lanes, Livelocks, LocalSteps, ObjectId, Places, Rest, Step, System, ThreadId, Twins, Variant,
};
use std::hash::Hash;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Status {
    Absent,
    Running,
    Ended,
    Failed,
}

#[derive(Clone, Debug, Hash)]
struct Thread {
    status: Status,
    pc: usize,
    registers: [u8; 4],
    pending: Option<Op>,
}

#[derive(Clone, Debug)]
struct State {
    threads: Vec<Thread>,
    mutexes: [u64; OBJECTS],
    waiting: [u64; OBJECTS],
    granules: [u64; OBJECTS],
    ended: bool,
    pruned: bool,
    /// The inputs, as bits, for which all decisions would have been the same.
    open: u8,
    creator: Vec<u64>,
}

const OBJECTS: usize = 3;

/// A violation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    Assert { thread: u32, pc: usize },
    Deadlock { waiting: Vec<(u32, usize)> },
    Livelock { spinning: Vec<u32> },
}

/// The system.
#[derive(Clone)]
pub struct Toy {
    code: Vec<Vec<Code>>,
    /// By thread: a number for its code.
    routines: Vec<u64>,
    state: State,
    /// Every action so far, for classes: see [`Toy::class`].
    log: Vec<Logged>,
    /// What was there at each mark, and how many actions.
    marks: Vec<(State, usize)>,
    following: bool,
    /// The last action changed what is shared.
    changed_shared: bool,
    /// Nobody asks for its class: it has no list of actions.
    classless: bool,
    /// Keeps about half of the actions even if they are cutoffs.
    pub keep_some: bool,
    /// Cells that somebody waits for.
    awaited: Vec<Cell>,
    /// Cells whose bytes are written by plain stores of one value to the cell only.
    pub set: Vec<Cell>,
    /// Whoever creates a thread writes zeros to this granule: a mistake if that is where something is set.
    pub wiped: Option<usize>,
    /// Which effects count.
    pub effects: Effects,
    /// Forgets this register of thread 1 in fingerprints: a mistake that is to be found.
    pub forgotten: Option<usize>,
}

impl Toy {
    pub fn new(program: &Program) -> Self {
        let mut code = Vec::new();
        for statements in &program.threads {
            let mut out = Vec::new();
            flatten(statements, &mut out);
            out.push(Code::Op(Op::End));
            code.push(out);
        }
        let n = code.len();
        let thread = Thread { status: Status::Absent, pc: 0, registers: [0; 4], pending: None };
        let state = State {
            threads: vec![thread; n],
            mutexes: [0; OBJECTS],
            waiting: [0; OBJECTS],
            granules: [0; OBJECTS],
            ended: false,
            pruned: false,
            open: u8::MAX,
            creator: vec![0; n],
        };
        let awaited = code.iter().flatten().filter_map(|code| match code {
            Code::Op(Op::Await(x, ..) | Op::Take(x, ..)) => Some(*x),
            _ => None,
        });
        let awaited: Vec<Cell> = awaited.collect();
        let set = code::set_cells(&code);
        let routines = code.iter().map(|code| hash(&format!("{code:?}"))).collect();
        Toy {
            code,
            routines,
            state,
            log: Vec::new(),
            marks: Vec::new(),
            following: false,
            changed_shared: false,
            classless: false,
            keep_some: false,
            awaited,
            set,
            wiped: None,
            effects: ALL,
            forgotten: None,
        }
    }

    /// The same where nobody asks for classes.
    pub fn without_classes(program: &Program) -> Self {
        Toy { classless: true, ..Toy::new(program) }
    }

    /// The same with one input, so that each decision has one variant.
    pub fn with_input(mut self, input: u8) -> Self {
        self.state.open = 1 << input;
        self
    }

    /// Everything but how threads go on that have not ended, and who holds which mutex.
    pub fn shared_and_ended(&self) -> (u128, Vec<bool>) {
        let mut toy = self.clone();
        toy.state.mutexes = Default::default();
        (toy.shared(), self.state.threads.iter().map(|t| t.status == Status::Running).collect())
    }

    /// For each mutex, which thread holds it.
    pub fn holders(&self) -> Vec<Option<ThreadId>> {
        self.state.mutexes.iter().map(|&word| word.checked_sub(1).map(|thread| ThreadId(thread as u32))).collect()
    }

    /// The whole state, as a key.
    pub fn key(&self) -> u128 {
        let threads = (0..self.state.threads.len()).map(|t| self.control(t)).fold(0, u128::wrapping_add);
        let pending: Vec<_> = self.state.threads.iter().map(|t| &t.pending).collect();
        threads.wrapping_add(self.shared()).wrapping_add(term(&pending))
    }

    /// What is left when nobody can move: how threads ended, and what is in the cells.
    #[allow(dead_code, reason = "compared with C programs by testsuite/translation")]
    pub fn remains(&self) -> u128 {
        let State { threads, granules, ended, pruned, .. } = &self.state;
        let statuses: Vec<Status> = threads.iter().map(|t| t.status).collect();
        u128::from(hash(&(statuses, granules, ended, pruned)))
    }

    /// The Mazurkiewicz class of the run so far: the set of its canonical event names, as a hash.
    pub fn class(&self) -> u64 {
        self.log.iter().fold(0, |sum: u64, action| sum.wrapping_add(mix(action.name)))
    }

    /// Every action so far, for classes that are coarser.
    pub fn log(&self) -> &[Logged] {
        &self.log
    }

    /// What the threads know in the end: all but what is in the cells.
    pub fn known(&self) -> u64 {
        let State { threads, mutexes, waiting, ended, pruned, .. } = &self.state;
        hash(&(threads, mutexes, waiting, ended, pruned))
    }

    /// The name of an action: its thread and label with the names of all earlier actions that it depends on.
    fn note(&mut self, thread: ThreadId, label: u32, accesses: Accesses, effect: Effect, sets: bool) {
        let depends = |earlier: &Logged| {
            let meets = |x: &Access| accesses.iter().any(|y| x.depends(y));
            let related = earlier.thread == thread || earlier.accesses.iter().any(meets);
            related.then_some(mix(earlier.name))
        };
        let history = self.log.iter().filter_map(depends).fold(0u64, u64::wrapping_add);
        let creator = self.state.creator[thread.index()];
        let name = hash(&(thread, label, history, creator));
        self.log.push(Logged { thread, label, accesses, effect, sets, name });
    }

    /// Runs local code up to the next operation.
    fn advance(&mut self, thread: ThreadId) -> Option<Fault> {
        let state = &mut self.state.threads[thread.index()];
        loop {
            match &self.code[thread.index()][state.pc] {
                Code::Op(op) => {
                    state.pending = Some(op.clone());
                    return None;
                }
                Code::StoreRegister(cell, r) => {
                    state.pending = Some(Op::Store(*cell, state.registers[usize::from(*r)].wrapping_add(1) % 4));
                    return None;
                }
                Code::Unless(r, value, target) => {
                    state.pc = if state.registers[usize::from(*r)] == *value { state.pc + 1 } else { *target };
                }
                Code::Goto(target) => state.pc = *target,
                Code::Assert(r, value) => {
                    if state.registers[usize::from(*r)] == *value {
                        state.status = Status::Failed;
                        return Some(Fault::Assert { thread: thread.0, pc: state.pc });
                    }
                    state.pc += 1;
                }
                Code::Assume(r, value) => {
                    if state.registers[usize::from(*r)] != *value {
                        state.pending = Some(Op::AssumeFailed);
                        return None;
                    }
                    state.pc += 1;
                }
            }
        }
    }

    /// The terms of everything but the threads.
    fn shared(&self) -> u128 {
        let state = &self.state;
        // A term for each lane that is not 0: independent actions change different lanes of one object.
        let mut sum = 0u128;
        let mut add = |kind: char, object: usize, lanes: Lanes, word: u64| {
            let lane = |lane: u64| (lane, word & lanes.bits(1 << lane));
            let lanes = (0..if lanes == Lanes::Bytes { 8 } else { 64 }).filter(|_| word != 0).map(lane);
            for (lane, value) in lanes.filter(|(_, value)| *value != 0) {
                sum = sum.wrapping_add(term(&(kind, object, lane, value)));
            }
        };
        for object in 0..OBJECTS {
            add('m', object, Lanes::Bits, state.mutexes[object]);
            add('w', object, Lanes::Bits, state.waiting[object]);
            add('c', object, Lanes::Bytes, state.granules[object]);
        }
        sum
    }

    /// The term of what was decided.
    fn decided(&self) -> u128 {
        term(&('d', self.state.open))
    }

    /// The term of a thread.
    fn control(&self, thread: usize) -> u128 {
        let Thread { status, pc, registers, .. } = &self.state.threads[thread];
        match status {
            Status::Running => {
                let mut registers = *registers;
                if let Some(register) = self.forgotten.filter(|_| thread == 1) {
                    registers[register] = 0;
                }
                term(&('r', thread, pc, registers))
            }
            // That the process has ended is known from the threads that ended it.
            Status::Failed => term(&('f', thread, pc)),
            over => term(&('o', thread, over)),
        }
    }

    /// What an operation does to what it writes, if these effects count.
    fn effect_of(&self, op: &Op, [stores, flips, sets]: Effects) -> Effect {
        // Who waits sees which store came last even if it goes on waiting.
        match op {
            Op::Store(x, _) if sets && self.set.contains(x) => Effect::Sets,
            Op::Store(x, _) if stores && !self.awaited.iter().any(|y| x.meets(*y)) => Effect::Overwrites,
            Op::Xor(..) if flips => Effect::Updates(7),
            _ => Effect::Ordered,
        }
    }

    fn object(kind: usize, index: usize) -> ObjectId {
        ObjectId((kind * 16 + index) as u32)
    }
}

fn mutex(m: u8) -> Access {
    Access { object: Toy::object(0, usize::from(m)), lanes: Lanes::Whole, reads: 0, writes: 1 }
}

/// A look at a mutex that is held.
fn locked(m: u8) -> Access {
    Access { reads: 1, writes: 0, ..mutex(m) }
}

fn condition(c: u8, reads: u64, writes: u64) -> Access {
    Access { object: Toy::object(1, usize::from(c)), lanes: Lanes::Bits, reads, writes }
}

fn cell(x: Cell, reads: bool, writes: bool) -> Access {
    let mask = |on: bool| if on { x.mask() } else { 0 };
    Access {
        object: Toy::object(2, usize::from(x.granule)),
        lanes: Lanes::Bytes,
        reads: mask(reads),
        writes: mask(writes),
    }
}

fn thread_end(t: u32, reads: u64, writes: u64) -> Access {
    Access { object: Toy::object(3, t as usize), lanes: Lanes::Whole, reads, writes }
}

fn all(accesses: &[Access]) -> Accesses {
    let mut out = Accesses::none();
    for a in accesses {
        out.push(*a);
    }
    out
}

impl System for Toy {
    type Operation = Op;
    type Fault = Fault;

    fn start(&mut self) -> Step<Fault> {
        self.state.threads[0].status = Status::Running;
        Step { fault: self.advance(ThreadId(0)).map(Box::new), ..Step::default() }
    }

    fn threads(&self) -> u32 {
        let last = self.state.threads.iter().rposition(|t| t.status != Status::Absent);
        last.map_or(1, |index| index as u32 + 1)
    }

    fn operation(&self, thread: ThreadId) -> Option<&Op> {
        let t = &self.state.threads[thread.index()];
        if t.status == Status::Running { t.pending.as_ref() } else { None }
    }

    fn footprint(&self, thread: ThreadId, op: &Op) -> Accesses {
        match op {
            Op::Lock(m) | Op::Unlock(m) | Op::TryLock(m, _) => all(&[mutex(*m)]),
            Op::Wait1(c, m) => all(&[mutex(*m), condition(*c, 0, 1 << thread.0)]),
            Op::Wait2(c, m) => all(&[mutex(*m), condition(*c, 1 << thread.0, 0)]),
            Op::Signal(c) | Op::Broadcast(c) => all(&[condition(*c, u64::MAX, u64::MAX)]),
            Op::Load(x, _) | Op::Await(x, ..) => all(&[cell(*x, true, false)]),
            Op::Store(x, _) => all(&[cell(*x, false, true)]),
            Op::Xor(x, _) | Op::CompareExchange(x, ..) | Op::Take(x, ..) => all(&[cell(*x, true, true)]),
            Op::Join(t) => all(&[thread_end(*t, 1, 0)]),
            Op::End => all(&[thread_end(thread.0, 0, 1)]),
            Op::Choose(..) | Op::Decide(..) | Op::Create(_) | Op::Exit | Op::AssumeFailed => Accesses::none(),
        }
    }

    fn word(&self, object: ObjectId) -> u64 {
        let index = object.index() % 16;
        match object.index() / 16 {
            0 => self.state.mutexes[index],
            1 => self.state.waiting[index],
            2 => self.state.granules[index],
            _ => u64::from(matches!(self.state.threads[index].status, Status::Ended)),
        }
    }

    fn variants(&self, thread: ThreadId, op: &Op, plain: &Accesses, words: &[u64], out: &mut Vec<Variant>) {
        let mut add = |label, accesses| out.push(Variant { label, accesses });
        let plain = *plain;
        match op {
            Op::Lock(_) if words[0] != 0 => {}
            // (One's own counts as if it could be locked again, as some mutexes can.)
            Op::TryLock(m, _) if ![0, u64::from(thread.0) + 1].contains(&words[0]) => add(0, all(&[locked(*m)])),
            Op::Wait2(..) if words[0] != 0 || words[1] >> thread.0 & 1 != 0 => {}
            Op::Join(_) if words[0] == 0 => {}
            Op::Await(x, _, value) if x.read(words[0]) == *value => {}
            Op::Take(x, expected, _) if !x.holds(words[0], *expected) => {}
            Op::Signal(c) => {
                if words[0] == 0 {
                    add(0, all(&[condition(*c, u64::MAX, 0)]));
                }
                for t in (0..64).filter(|t| words[0] >> t & 1 != 0) {
                    add(t + 1, all(&[condition(*c, 1 << t, 1 << t)]));
                }
            }
            Op::Broadcast(c) => add(0, all(&[condition(*c, u64::MAX, words[0])])),
            Op::CompareExchange(x, expected, ..) if !x.holds(words[0], *expected) => {
                add(0, all(&[cell(*x, true, false)]));
            }
            Op::Choose(n, _) => (0..u32::from(*n)).for_each(|v| add(v, plain)),
            Op::Decide(..) => (0..2).for_each(|v| add(v, plain)),
            _ => add(0, plain),
        }
    }

    /// Not only where that is so, since it is but a hint.
    fn is_rarely_replaced(&self, op: &Op) -> bool {
        matches!(op, Op::Join(_) | Op::Create(_) | Op::End | Op::Load(..) | Op::Unlock(_))
    }

    fn picks(&self, op: &Op) -> bool {
        matches!(op, Op::Signal(_))
    }

    fn awaits(&self, op: &Op, access: &Access) -> bool {
        matches!(op, Op::Join(t) if access.object == Toy::object(3, *t as usize))
    }

    fn execute(&mut self, thread: ThreadId, label: u32) -> Step<Fault> {
        self.execute_partly(thread, label, LocalSteps { own: true, child: true })
    }

    fn mark(&mut self) {
        self.marks.push((self.state.clone(), self.log.len()));
    }

    fn undo(&mut self) {
        let (state, actions) = self.marks.pop().expect("marks and undos are paired");
        self.state = state;
        self.log.truncate(actions);
    }

    fn ending(&mut self) -> (Ending, Findings<Fault>) {
        let state = &self.state;
        if state.pruned {
            return (Ending::Pruned, Findings::default());
        }
        let failed = state.threads.iter().any(|t| t.status == Status::Failed);
        let waiting: Vec<(u32, usize)> = (0..self.threads())
            .filter(|&t| self.operation(ThreadId(t)).is_some())
            .map(|t| (t, state.threads[t as usize].pc))
            .collect();
        let deadlock = !waiting.is_empty() && !failed && !state.ended;
        (Ending::Complete, deadlock.then_some(Fault::Deadlock { waiting }).into_iter().collect())
    }

    fn involved(_: &Fault) -> Vec<(ThreadId, u32)> {
        Vec::new()
    }

    fn digest(&self) -> u128 {
        let s = &self.state;
        u128::from(hash(&(&s.threads, &s.mutexes, &s.waiting, &s.granules, s.ended, s.pruned)))
    }
}

impl Companions for Toy {
    /// Threads and objects have the same numbers in all of them, as they are.
    fn share_numbers(&mut self, _: &mut Toy) -> Result<(), String> {
        let decides = self.code.iter().flatten().any(|code| matches!(code, Code::Op(Op::Decide(..))));
        if decides { Err("there are decisions".to_owned()) } else { Ok(()) }
    }
}

impl Commuting for Toy {
    fn effect(&self, op: &Op) -> Effect {
        self.effect_of(op, self.effects)
    }

    fn word_after_update(&self, op: &Op, word: u64) -> u64 {
        match op {
            Op::Xor(x, k) => word ^ spread(*k) & x.bits(),
            _ => unreachable!("nothing else updates"),
        }
    }

    fn retract_same_value(&mut self, object: ObjectId) {
        self.set.retain(|x| Toy::object(2, usize::from(x.granule)) != object);
    }
}

/// A term of a fingerprint.
fn term(value: &impl Hash) -> u128 {
    let (low, high) = (hash(value), hash(&(1, hash(value), value)));
    u128::from(mix(high)) << 64 | u128::from(mix(low))
}

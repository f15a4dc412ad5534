mod normal;
mod oracle;

use super::*;
use crate::library::hooks::Content;
use crate::memory::tests::empty;
use crate::memory::{AccessError, Memory, Quarantine, Request, Role};
use frontend::ir::{DataModel, Ordering};
use oracle::Oracle;
use por::ObjectId;
use random::Random;

/// One step of a trace. Places are (offset, size) in one block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    Write(u64, u64),
    Read(u64, u64),
    Load(u64, u64, Ordering),
    Store(u64, u64, Ordering),
    Rmw(u64, u64, Ordering),
    Fence(Ordering),
    Lock(u32),
    Unlock(u32),
    Post(u32),
    Fork(u32),
    Join(u32),
    Free,
}
use Op::*;
use Ordering::*;

/// A memory with one block, and the thread that ran last.
#[derive(Clone)]
struct World {
    memory: Memory,
    block: u64,
    running: u32,
}

impl World {
    fn new(model: RaceModel) -> Self {
        let mut memory = Memory::new(&empty(DataModel::Lp64), model, Quarantine::long(DataModel::Lp64), 0);
        memory.race.start(ThreadId(0));
        let request = Request { kind: ObjectKind::Heap, size: 200, align: 16, content: Content::Zero };
        let block = memory.allocate(&origin(0, Mode::Plain), request).expect("fits");
        World { memory, block, running: 0 }
    }

    fn granule(&mut self, offset: u64) -> ObjectId {
        let key = self.memory.key_at(Role::Granule, self.block + offset).expect("alive");
        self.memory.ids.intern(key)
    }

    /// Does one step; the race, if it is one.
    fn step(&mut self, thread: u32, op: Op) -> Option<Race> {
        if self.running != thread {
            self.memory.race.enter(ThreadId(thread));
            self.running = thread;
        }
        let (me, block) = (ThreadId(thread), self.block);
        let bytes = |offset: u64, size: u64| (0xff >> (8 - size) << (offset % 8)) as u8;
        if let Load(offset, size, ordering) | Rmw(offset, size, ordering) = op {
            let granule = self.granule(offset);
            self.memory.race.atomic_load(me, granule, bytes(offset, size), ordering);
        }
        let (plain, atomic) = (&origin(thread, Mode::Plain), &origin(thread, Mode::Atomic));
        let result = match op {
            Write(offset, 4) if self.memory.fast_store::<4>(block + offset, 1) => Ok(()),
            Read(offset, 4) if self.memory.fast_load::<4>(block + offset).is_some() => Ok(()),
            Write(offset, size) => self.memory.store(plain, block + offset, size, 1),
            Read(offset, size) => self.memory.load(plain, block + offset, size).map(|_| ()),
            Load(offset, size, _) => self.memory.load(atomic, block + offset, size).map(|_| ()),
            Store(offset, size, _) | Rmw(offset, size, _) => self.memory.store(atomic, block + offset, size, 1),
            Free => self.memory.free(plain, block),
            _ => Ok(()),
        };
        match result {
            Ok(()) => {}
            Err(AccessError::Race(race)) => return Some(*race),
            Err(other) => panic!("{other:?}"),
        }
        let object = |k: u32| ObjectId(1000 + k);
        match op {
            Store(offset, size, ordering) => {
                let granule = self.granule(offset);
                self.memory.race.atomic_store(me, granule, bytes(offset, size), ordering);
            }
            Rmw(offset, size, ordering) => {
                let granule = self.granule(offset);
                self.memory.race.atomic_rmw(me, granule, bytes(offset, size), ordering);
            }
            Fence(ordering) => self.memory.race.fence(me, ordering),
            Lock(k) => self.memory.race.acquire(me, object(k)),
            Unlock(k) => self.memory.race.release(me, object(k)),
            Post(k) => self.memory.race.release_more(me, object(k)),
            Fork(child) => self.memory.race.fork(me, ThreadId(child)),
            Join(child) => self.memory.race.join(me, ThreadId(child)),
            Write(..) | Read(..) | Load(..) | Free => {}
        }
        None
    }
}

fn origin(thread: u32, mode: Mode) -> Origin {
    Origin { thread: ThreadId(thread), event: 0, stack: StackId::EMPTY, mode }
}

/// The number of the first step that races, of a trace that begins with thread 0 alone.
fn first_race(model: RaceModel, trace: &[(u32, Op)]) -> Option<usize> {
    let mut world = World::new(model);
    trace.iter().position(|&(thread, op)| world.step(thread, op).is_some())
}

#[track_caller]
fn check(model: RaceModel, trace: &[(u32, Op)], expected: Option<usize>) {
    assert_eq!(first_race(model, trace), expected);
    let mut oracle = Oracle::new(model);
    let race = trace.iter().position(|&(thread, op)| {
        let races = oracle.races(thread, op);
        oracle.add(thread, op);
        races
    });
    assert_eq!(race, expected, "the oracle");
}

const DATA: u64 = 64;

fn message(store: Ordering, load: Ordering) -> [(u32, Op); 5] {
    [(0, Fork(1)), (0, Write(DATA, 4)), (0, Store(0, 4, store)), (1, Load(0, 4, load)), (1, Read(DATA, 4))]
}

#[test]
fn message_passing() {
    check(RaceModel::C11, &message(Release, Acquire), None);
    check(RaceModel::C11, &message(SeqCst, SeqCst), None);
    check(RaceModel::C11, &message(Relaxed, Acquire), Some(4));
    check(RaceModel::C11, &message(Release, Relaxed), Some(4));
    check(RaceModel::Sc, &message(Relaxed, Relaxed), None);
}

#[test]
fn what_follows_a_release_is_not_released() {
    let trace =
        [(0, Fork(1)), (0, Store(0, 4, Release)), (0, Write(DATA, 4)), (1, Load(0, 4, Acquire)), (1, Read(DATA, 4))];
    check(RaceModel::C11, &trace, Some(4));
    // Not even by an access of the same kind that came before it in the same run.
    let trace = [
        (0, Fork(1)),
        (0, Write(DATA, 4)),
        (0, Store(0, 4, Release)),
        (0, Write(DATA, 4)),
        (1, Load(0, 4, Acquire)),
        (1, Read(DATA, 4)),
    ];
    check(RaceModel::C11, &trace, Some(5));
}

#[test]
fn fences() {
    let with = |first, second| {
        [
            (0, Fork(1)),
            (0, Write(DATA, 4)),
            (0, Fence(first)),
            (0, Store(0, 4, Relaxed)),
            (1, Load(0, 4, Relaxed)),
            (1, Fence(second)),
            (1, Read(DATA, 4)),
        ]
    };
    check(RaceModel::C11, &with(Release, Acquire), None);
    check(RaceModel::C11, &with(SeqCst, AcqRel), None);
    check(RaceModel::C11, &with(Acquire, Acquire), Some(6));
    check(RaceModel::C11, &with(Release, Release), Some(6));
    // A store before the fence carries nothing.
    let early = [
        (0, Fork(1)),
        (0, Write(DATA, 4)),
        (0, Store(0, 4, Relaxed)),
        (0, Fence(Release)),
        (1, Load(0, 4, Acquire)),
        (1, Read(DATA, 4)),
    ];
    check(RaceModel::C11, &early, Some(5));
}

#[test]
fn release_sequences() {
    let with = |middle: (u32, Op)| {
        [
            (0, Fork(1)),
            (0, Fork(2)),
            (0, Write(DATA, 4)),
            (0, Store(0, 4, Release)),
            middle,
            (1, Load(0, 4, Acquire)),
            (1, Read(DATA, 4)),
        ]
    };
    check(RaceModel::C11, &with((2, Rmw(0, 4, Relaxed))), None);
    check(RaceModel::C11, &with((2, Store(0, 4, Relaxed))), Some(6));
    check(RaceModel::C11, &with((2, Store(0, 4, Release))), Some(6));
    check(RaceModel::C11, &with((0, Store(0, 4, Relaxed))), None);
    check(RaceModel::C20, &with((0, Store(0, 4, Relaxed))), Some(6));
    check(RaceModel::C20, &with((2, Rmw(0, 4, Relaxed))), None);
    check(RaceModel::Sc, &with((2, Rmw(0, 4, Relaxed))), None);
}

#[test]
fn stores_of_the_thread_itself_carry_on() {
    let with = |middle: &[(u32, Op)]| {
        let begin = [(0, Fork(1)), (0, Fork(2)), (0, Write(DATA, 4)), (0, Store(0, 4, Release))];
        let end = [(0, Store(0, 4, Relaxed)), (1, Load(0, 4, Acquire)), (1, Read(DATA, 4))];
        [&begin[..], middle, &end].concat()
    };
    let store = |thread, ordering| (thread, Store(0, 4, ordering));
    let update = |thread, ordering| (thread, Rmw(0, 4, ordering));
    check(RaceModel::C11, &with(&[store(0, Relaxed), update(2, Relaxed), store(0, Relaxed)]), None);
    check(RaceModel::C11, &with(&[update(2, Release), update(1, Relaxed)]), None);
    check(RaceModel::C11, &with(&[(2, Store(2, 2, Relaxed))]), None);
    check(RaceModel::C11, &with(&[store(2, Relaxed)]), Some(7));
    check(RaceModel::C11, &with(&[store(2, Release), update(0, Relaxed)]), Some(8));
    check(RaceModel::C20, &with(&[]), Some(6));
    // What others have released by read-modify-writes in between is not carried on by the store.
    let other = [
        (0, Fork(1)),
        (0, Fork(2)),
        (0, Store(0, 4, Release)),
        (2, Write(DATA, 4)),
        (2, Rmw(0, 4, Release)),
        (0, Store(0, 4, Relaxed)),
        (1, Load(0, 4, Acquire)),
        (1, Read(DATA, 4)),
    ];
    check(RaceModel::C11, &other, Some(7));
}

/// A thread with the number of one that is over is another thread.
#[test]
fn sequences_end_with_their_thread() {
    let with = |again: bool| {
        let mut trace = vec![(0, Fork(1)), (0, Fork(2)), (1, Write(DATA, 4)), (1, Store(0, 4, Release))];
        if again {
            trace.extend([(0, Join(1)), (0, Fork(1))]);
        }
        trace.extend([(1, Store(0, 4, Relaxed)), (2, Load(0, 4, Acquire)), (2, Read(DATA, 4))]);
        trace
    };
    assert_eq!(first_race(RaceModel::C11, &with(false)), None);
    assert_eq!(first_race(RaceModel::C11, &with(true)), Some(8));
}

#[test]
fn locks() {
    let with = |lock, other| {
        [
            (0, Fork(1)),
            (0, Lock(lock)),
            (0, Write(DATA, 4)),
            (0, Unlock(lock)),
            (1, Lock(other)),
            (1, Write(DATA, 4)),
            (1, Unlock(other)),
        ]
    };
    check(RaceModel::C11, &with(0, 0), None);
    check(RaceModel::C11, &with(0, 1), Some(5));
}

#[test]
fn several_releases_meet() {
    let with = |release: fn(u32) -> Op| {
        [
            (0, Fork(1)),
            (0, Fork(2)),
            (0, Write(DATA, 4)),
            (0, release(0)),
            (1, Write(DATA + 8, 4)),
            (1, release(0)),
            (2, Lock(0)),
            (2, Read(DATA + 8, 4)),
            (2, Read(DATA, 4)),
        ]
    };
    check(RaceModel::C11, &with(Post), None);
    check(RaceModel::C11, &with(Unlock), Some(8));
}

#[test]
fn create_and_join() {
    let trace = [
        (0, Write(DATA, 4)),
        (0, Fork(1)),
        (1, Write(DATA, 4)),
        (0, Join(1)),
        (0, Write(DATA, 4)),
        (0, Fork(2)),
        (0, Write(DATA, 4)),
        (2, Read(DATA, 4)),
    ];
    check(RaceModel::C11, &trace, Some(7));
}

#[test]
fn kinds_of_accesses() {
    let with = |first, second| [(0, Fork(1)), (0, first), (1, second)];
    check(RaceModel::C11, &with(Read(DATA, 4), Read(DATA, 4)), None);
    check(RaceModel::C11, &with(Read(DATA, 4), Write(DATA, 4)), Some(2));
    check(RaceModel::C11, &with(Write(DATA, 4), Read(DATA, 4)), Some(2));
    check(RaceModel::C11, &with(Write(DATA, 4), Write(DATA, 4)), Some(2));
    check(RaceModel::C11, &with(Store(DATA, 4, Relaxed), Store(DATA, 4, Relaxed)), None);
    check(RaceModel::C11, &with(Store(DATA, 4, SeqCst), Read(DATA, 4)), Some(2));
    check(RaceModel::C11, &with(Load(DATA, 4, SeqCst), Write(DATA, 4)), Some(2));
    check(RaceModel::C11, &with(Load(DATA, 4, SeqCst), Read(DATA, 4)), None);
    check(RaceModel::C11, &with(Write(DATA, 4), Write(DATA + 4, 4)), None);
    check(RaceModel::C11, &with(Write(60, 8), Read(67, 1)), Some(2));
    check(RaceModel::C11, &with(Write(60, 8), Read(68, 1)), None);
    check(RaceModel::C11, &with(Load(DATA, 4, SeqCst), Free), Some(2));
    check(RaceModel::C11, &with(Read(199, 1), Free), Some(2));
}

#[test]
fn reports_name_both_accesses() {
    let mut world = World::new(RaceModel::C11);
    world.step(0, Fork(1));
    let stack = world.memory.stacks.push(
        StackId::EMPTY,
        crate::verdict::fault::StackFrame { function: frontend::ir::FuncId(0), location: frontend::ir::LocId(1) },
    );
    let first = Origin { event: 7, stack, ..origin(0, Mode::Plain) };
    world.memory.store(&first, world.block + 40, 8, 0).expect("no race yet");
    let race = world.step(1, Load(44, 4, SeqCst)).expect("a race");
    assert_eq!(race.address, world.block + 44);
    assert_eq!((race.location.first, race.location.last), (44, 47));
    assert_eq!(race.first, RaceAccess { thread: ThreadId(0), event: 7, stack, write: true, mode: Mode::Plain });
    assert_eq!(race.second.thread, ThreadId(1));
    assert_eq!(race.cause, Cause::Access);
    world.memory.race.mute(race.location);
    assert_eq!(world.step(1, Load(44, 4, SeqCst)), None, "muted");
    assert!(world.step(1, Load(40, 4, SeqCst)).is_some(), "another place");
}

/// A random step of a thread that has `children` created and not joined.
fn random_op(random: &mut Random) -> Op {
    let (offset, size) = random.pick(&[(0, 4), (4, 4), (0, 8), (2, 2), (64, 4), (72, 8)]);
    let (plain, len) = random.pick(&[(64, 4), (64, 4), (68, 4), (60, 8), (66, 1), (0, 4), (130, 4)]);
    let lock = random.below(2) as u32;
    match random.below(16) {
        0..3 => Write(plain, len),
        3..6 => Read(plain, len),
        6..8 => Load(offset, size, random.pick(&[Relaxed, Acquire, SeqCst])),
        8..10 => Store(offset, size, random.pick(&[Relaxed, Release, SeqCst])),
        10 => Rmw(offset, size, random.pick(&[Relaxed, Acquire, Release, AcqRel])),
        11 => Fence(random.pick(&[Acquire, Release, AcqRel, SeqCst])),
        12..14 => Lock(lock),
        14 => Unlock(lock),
        _ => Post(lock),
    }
}

#[test]
fn time_grows_along_happens_before() {
    let mut race = Detector::new(RaceModel::C11);
    let [main, one, two] = [0, 1, 2].map(ThreadId);
    let lock = ObjectId(0);
    race.start(main);
    let first = race.now(main);
    assert!(race.look(main) > first);
    race.fork(main, one);
    race.fork(main, two);
    race.mark();
    let apart = race.now(two);
    assert!(race.now(one) > first && apart > first);
    for _ in 0..5 {
        race.look(one);
    }
    race.pass(one, 1_000_000);
    let before = race.now(one);
    assert!(before > 1_000_000 + apart);
    assert_eq!(race.now(two), apart);
    race.release(one, lock);
    race.acquire(two, lock);
    let after = race.now(two);
    assert!(after > before);
    race.join(main, two);
    assert!(race.now(main) > after);
    race.pass_until(main, after);
    assert!(race.now(main) < 2 * after);
    race.pass_until(main, 2 * after);
    assert_eq!(race.now(main), 2 * after);
    race.undo();
    assert_eq!(race.now(two), apart);
    // Nothing is left of what was undone.
    race.pass(two, 7);
    race.release(one, lock);
    race.acquire(two, lock);
    assert!(race.now(two) < apart + 1_000_000);
}

/// A later thread with the same number goes on where the time of the first one was.
#[test]
fn time_goes_on_from_thread_to_thread() {
    let mut race = Detector::new(RaceModel::C11);
    let [main, one] = [0, 1].map(ThreadId);
    race.start(main);
    race.fork(main, one);
    race.pass(one, 1_000_000_000);
    race.join(main, one);
    let before = race.now(main);
    assert!(before > 1_000_000_000);
    race.fork(main, one);
    assert!(race.now(one) >= before);
    race.pass(one, 5);
    assert!(race.now(one) >= before + 5);
    race.join(main, one);
    assert!(race.now(main) > before + 5);
}

/// What is between two looks doubles, so that any time is over after few of them.
#[test]
fn looks_come_later_and_later() {
    let mut race = Detector::new(RaceModel::C11);
    let main = ThreadId(0);
    race.start(main);
    let began = race.look(main);
    let hour = 3_600_000_000_000;
    assert!((0..30).all(|_| race.look(main) < began + hour));
    assert!((0..60).any(|_| race.look(main) >= began + hour));
}

/// Random traces, with marks and undos, against the oracle, step by step. Steps that race are tried on a copy and left
/// out of most traces, so that traces become long.
#[test]
fn random_traces() {
    let mut reported = 0;
    for seed in 0..3000 {
        let mut random = Random(seed);
        let model = [RaceModel::Sc, RaceModel::C11, RaceModel::C20, RaceModel::C11][seed as usize % 4];
        let mut world = World::new(model);
        let mut oracle = Oracle::new(model);
        let mut marks = Vec::new();
        let mut threads = 1;
        while oracle.steps.len() < 100 {
            let mut thread = random.below(threads) as u32;
            let op = match random.below(40) {
                0..2 if threads < 5 => {
                    threads += 1;
                    Fork(threads as u32 - 1)
                }
                2 if threads > 1 => {
                    thread = 0;
                    Join(1 + random.below(threads - 1) as u32)
                }
                3..6 if marks.len() < 5 => {
                    marks.push((oracle.clone(), threads, world.running));
                    world.memory.mark();
                    continue;
                }
                6..8 if !marks.is_empty() => {
                    (oracle, threads, _) = marks.pop().expect("not empty");
                    world.memory.undo();
                    // The thread that runs next has to be entered again.
                    world.running = u32::MAX;
                    if random.below(20) == 0 {
                        break;
                    }
                    continue;
                }
                _ => random_op(&mut random),
            };
            let expected = oracle.races(thread, op);
            if expected {
                let mut copy = world.clone();
                assert!(copy.step(thread, op).is_some(), "seed {seed}: race of {op:?} by {thread} is missed");
                reported += 1;
                continue;
            }
            let race = world.step(thread, op);
            assert_eq!(race, None, "seed {seed}: {op:?} by {thread} does not race");
            if random.below(8) == 0 {
                // To look at the clock changes nothing.
                world.memory.race.look(ThreadId(thread));
            }
            oracle.add(thread, op);
        }
    }
    assert!(reported > 10_000, "{reported} races are too few for a test");
}

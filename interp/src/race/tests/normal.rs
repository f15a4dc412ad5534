//! Normal forms of happens-before: histories with the same one race with the same of whatever follows.
use super::*;
use crate::memory::ObjectKey;
use por::Past;
use std::collections::BTreeMap;

/// A trace whose journal was kept.
#[derive(Clone)]
struct History {
    world: World,
    trace: Vec<(u32, Op)>,
    pages: Vec<Past>,
}

impl History {
    fn new() -> Self {
        let mut history = History { world: World::new(RaceModel::C11), trace: Vec::new(), pages: Vec::new() };
        history.world.memory.race.keep_journal(true, true);
        for thread in [1, 2] {
            history.step(0, Fork(thread));
        }
        history
    }

    /// Whether it races; then it is not done.
    fn step(&mut self, thread: u32, op: Op) -> bool {
        let mut world = self.world.clone();
        world.memory.race.begin_page();
        if world.step(thread, op).is_some() {
            return true;
        }
        world.memory.race.begin_local();
        let journal = world.memory.race.keep_page().expect("it is on");
        self.world = world;
        self.trace.push((thread, op));
        self.pages.extend([Past::Action(journal), Past::Own(journal)]);
        false
    }

    fn normal_form(&self) -> u128 {
        let key = |object: ObjectId| ObjectKey::Process(object.0);
        self.world.memory.race.clone().order_after(ThreadId(0), 0, &self.pages, key)
    }
}

fn small_op(random: &mut Random) -> Op {
    let place = random.pick(&[0, 4]);
    match random.below(12) {
        0..3 => Write(DATA + place, 4),
        3 => Read(DATA + place, 4),
        4 | 5 => Load(place, 4, random.pick(&[Relaxed, Acquire])),
        6 | 7 => Store(place, 4, random.pick(&[Relaxed, Release])),
        8 => Rmw(place, 4, random.pick(&[Relaxed, Acquire, Release])),
        9 => Fence(random.pick(&[Acquire, Release])),
        10 => Lock(0),
        _ => Unlock(0),
    }
}

#[test]
fn equal_normal_forms_have_equal_futures() {
    let mut known: BTreeMap<u128, History> = BTreeMap::new();
    let (mut pairs, mut races) = (0, 0);
    for seed in 0..8_000 {
        let mut random = Random(seed);
        let mut history = History::new();
        let len = 2 + random.below(6) as usize;
        while history.trace.len() < 2 + len {
            history.step(random.below(3) as u32, small_op(&mut random));
        }
        let normal = history.normal_form();
        let Some(other) = known.get(&normal) else {
            known.insert(normal, history);
            continue;
        };
        if other.trace == history.trace {
            continue;
        }
        pairs += 1;
        for _ in 0..10 {
            let (mut one, mut two) = (history.clone(), other.clone());
            for _ in 0..8 {
                let (thread, op) = (random.below(3) as u32, small_op(&mut random));
                let race = one.step(thread, op);
                assert_eq!(two.step(thread, op), race, "{op:?} by {thread} behind {:?} and {:?}", one.trace, two.trace);
                races += u32::from(race);
            }
            assert_eq!(one.normal_form(), two.normal_form(), "behind {:?} and {:?}", one.trace, two.trace);
        }
    }
    assert!(pairs > 1_000 && races > 5_000, "{pairs} pairs and {races} races are too few for a test");
}

#[test]
fn loops_come_back() {
    let mut history = History::new();
    let mut forms = Vec::new();
    for round in 0..6 {
        for thread in [1, 2] {
            assert!(!history.step(thread, Lock(0)), "round {round}");
            assert!(!history.step(thread, Write(DATA, 4)));
            assert!(!history.step(thread, Store(0, 4, Relaxed)));
            assert!(!history.step(thread, Unlock(0)));
        }
        forms.push(history.normal_form());
    }
    assert_eq!(forms[2..].iter().filter(|form| **form != forms[2]).count(), 0);
}

#[test]
fn what_nobody_has_seen_is_told_apart() {
    let form = |trace: &[(u32, Op)]| {
        let mut history = History::new();
        assert!(trace.iter().all(|&(thread, op)| !history.step(thread, op)));
        history.normal_form()
    };
    let message = |store, load| form(&[(1, Write(DATA, 4)), (1, Store(0, 4, store)), (2, Load(0, 4, load))]);
    let forms = [message(Release, Acquire), message(Release, Relaxed), message(Relaxed, Acquire)];
    assert!(forms[0] != forms[1] && forms[1] != forms[2] && forms[0] != forms[2]);
    assert_eq!(message(Relaxed, Relaxed), message(Relaxed, Acquire));
}

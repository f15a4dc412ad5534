//! Where the addresses of new objects come from: addresses that were never used, or those of dead objects that are used
//! again.
//!
//! Every thread has a pool of its own, so that what others do has no influence on its addresses. Globals have one, too.
use super::life::nothing;
use super::space::Frontier;
use super::{AccessError, Memory, ObjectKind, Origin, StackId};
use frontend::ir::DataModel;
use por::{Numbers, ThreadId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How many objects of one kind must die before the address of the first one is used again. (Variables are of one kind
/// if they are the same variable of the same function, blocks if they were allocated at the same place.)
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Quarantine {
    /// For variables, at least 1. With 1 the one that died last goes first, as on a stack, so that calls leave no
    /// trace.
    pub variables: u32,
    /// For heap blocks, at least 1.
    pub blocks: u32,
}

impl Quarantine {
    /// So long that a stale pointer hardly ever meets something new.
    pub fn long(model: DataModel) -> Self {
        match model {
            DataModel::Lp64 => Quarantine { variables: 128, blocks: 1 << 16 },
            DataModel::Ilp32 => Quarantine { variables: 128, blocks: 1 << 12 },
        }
    }

    /// So short that loops that allocate and free come back to the same state soon.
    pub const SHORT: Quarantine = Quarantine { variables: 1, blocks: 2 };

    /// For ever: no address is used again.
    pub const ENDLESS: Quarantine = Quarantine { variables: u32::MAX, blocks: u32::MAX };

    fn of(self, kind: ObjectKind) -> u32 {
        if kind == ObjectKind::Heap { self.blocks } else { self.variables }
    }
}

/// Blocks that may have one another's addresses in an allocator: those to which glibc's gives the same number of bytes.
/// (They also take as many slots here.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct SizeClass(pub u32);

/// Where one thread's objects go.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    frontier: Frontier,
    stamp: u32,
    /// Its dead objects, those to be used again first in front: by the number that their kind has in the memory.
    pub(super) queues: Vec<Queue>,
    /// Its dead objects that another thread has freed.
    pub(super) handed_over: Vec<HandedOver>,
    handed_over_stamp: u32,
}

impl Pool {
    pub(super) fn new() -> Self {
        Pool {
            frontier: Frontier::default(),
            stamp: 0,
            queues: Vec::new(),
            handed_over: Vec::new(),
            handed_over_stamp: 0,
        }
    }

    pub(super) fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    pub(super) fn restore_handed_over(&mut self, handed_over: &[HandedOver], stamp: u32) {
        self.handed_over.clear();
        self.handed_over.extend_from_slice(handed_over);
        self.handed_over_stamp = stamp;
    }

    pub(super) fn restore_frontier(&mut self, frontier: Frontier, stamp: u32) {
        self.frontier = frontier;
        self.stamp = stamp;
    }
}

/// A dead object that another thread than its own has freed. Its address is used again once its own thread knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HandedOver {
    pub(super) object: u32,
    /// The number of the queue in which the object would be if its own thread had freed it.
    number: usize,
    /// The thread that freed it, and when.
    by: ThreadId,
    clock: u32,
}

impl HandedOver {
    /// The number of its queue, the thread that freed it, and when.
    pub(super) fn freed(&self) -> (usize, ThreadId, u32) {
        (self.number, self.by, self.clock)
    }
}

/// A list of dead objects, linked through their headers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Queue {
    head: u32,
    tail: u32,
    len: u32,
    stamp: u32,
}

impl Queue {
    /// Its first and last object, and how many it has.
    pub(super) fn ends(&self) -> (u32, u32, u32) {
        (self.head, self.tail, self.len)
    }
}

/// What objects have in common that may have each other's addresses: what they are, where blocks were allocated, and
/// the size class.
pub(crate) type Kin = (ObjectKind, StackId, u8);

pub(super) fn kin(kind: ObjectKind, allocated: StackId, class: u8) -> Kin {
    (kind, if kind == ObjectKind::Heap { allocated } else { StackId::EMPTY }, class)
}

pub(super) fn pool_of(kind: ObjectKind, origin: &Origin) -> usize {
    match kind {
        ObjectKind::Global(_) => 0,
        _ => origin.thread.index() + 1,
    }
}

impl Memory {
    /// The size class of a block of that many bytes.
    pub(crate) fn size_class(&self, size: u64) -> SizeClass {
        let word = u64::from(64 - self.space.mask.leading_zeros()) / 8;
        let units = size.saturating_add(word + 15) / 16;
        SizeClass((units.max(word / 4).min(u64::from(u32::MAX >> 8)) as u32) << 8 | u32::from(self.space.class(size)))
    }

    /// Lets the explorer choose the addresses of new blocks of these classes.
    pub(crate) fn choose_addresses(&mut self, classes: &BTreeSet<SizeClass>) {
        self.reused.clone_from(classes);
    }

    /// An object at addresses never used in this history.
    pub(super) fn fresh(&mut self, pool: usize, class: u8, align: u64) -> Result<usize, AccessError> {
        let depth = self.log.depth();
        let Pool { frontier, stamp, .. } = &mut self.pools[pool];
        if *stamp < depth {
            self.log.note_frontier(pool, *frontier, *stamp);
            *stamp = depth;
        }
        let Some(base) = self.space.fresh(pool as u32, frontier, class, align) else {
            return Err(AccessError::Unknown("the address space of the program is exhausted".to_string()));
        };
        let object = self.objects.len();
        let mut it = nothing();
        it.header.base = base;
        it.header.class = class;
        it.header.stamp = depth;
        self.objects.push(it);
        self.space.assign(base, class, u32::try_from(object).expect("fewer than 2^32 objects"));
        Ok(object)
    }

    /// An object whose address may be used again for one of that kind.
    pub(super) fn dequeue(&mut self, pool: usize, kin: Kin, align: u64) -> Option<usize> {
        let number = self.queue_number(kin);
        let queue = self.pools[pool].queues.get(number).copied().unwrap_or_default();
        let object = queue.head as usize;
        let quarantine = self.quarantine_of(kin);
        if queue.len < quarantine || !self.objects[object].header.base.is_multiple_of(align.max(1)) {
            let any = !self.pools[pool].handed_over.is_empty();
            return if any { self.take_handed_over(pool, number, align.max(1), quarantine) } else { None };
        }
        let next = self.objects[object].header.next;
        let queue = self.change_queue(pool, number);
        queue.head = next;
        queue.len -= 1;
        self.save_header(object);
        self.objects[object].header.generation += 1;
        self.reused_early |= self.quarantine == Quarantine::SHORT;
        Some(object)
    }

    /// Lets a dead object wait for its next life.
    pub(super) fn enqueue(&mut self, object: usize) {
        let header = self.objects[object].header;
        let pool = header.allocated.thread.index() + 1;
        let number = self.queue_number(kin(header.kind, header.allocated.stack, header.class));
        let in_front = self.quarantine_of(kin(header.kind, header.allocated.stack, header.class)) == 1;
        let queue = self.change_queue(pool, number);
        let Queue { head, tail, len, .. } = *queue;
        queue.len += 1;
        if len == 0 || in_front {
            queue.head = object as u32;
        }
        if len == 0 || !in_front {
            queue.tail = object as u32;
        }
        if len > 0 {
            let (link, to) = if in_front { (object, head) } else { (tail as usize, object as u32) };
            self.save_header(link);
            self.objects[link].header.next = to;
        }
    }

    /// How many objects of that kind must be dead. Of promoted ones many: which object a thread is about to access is
    /// settled when it comes to the access, and must not depend on what others have freed and made anew in the
    /// meantime.
    fn quarantine_of(&self, (kind, allocated, _): Kin) -> u32 {
        match self.promoted.of(kind, allocated).is_promoted() {
            true => self.long_quarantine.of(kind),
            false => self.quarantine.of(kind),
        }
    }

    /// The kinds of dead objects that have numbers, by number.
    pub(crate) fn queues(&self) -> Vec<Kin> {
        self.queue_numbers.all().to_vec()
    }

    /// Takes over these numbers.
    pub(crate) fn set_queues(&mut self, queues: Vec<Kin>) {
        self.queue_numbers = Numbers::default();
        queues.iter().for_each(|kin| _ = self.queue_numbers.number(kin));
    }

    /// The number of the queues for dead objects of that kind; the same in all executions.
    fn queue_number(&mut self, kin: Kin) -> usize {
        self.queue_numbers.number(&kin) as usize
    }

    /// The kind of dead objects whose queues have that number.
    pub(super) fn kin_of_queue(&self, number: usize) -> Kin {
        *self.queue_numbers.thing(number as u32)
    }

    /// A queue, to be changed.
    fn change_queue(&mut self, pool: usize, number: usize) -> &mut Queue {
        let depth = self.log.depth();
        let queues = &mut self.pools[pool].queues;
        if queues.len() <= number {
            queues.resize(number + 1, Queue::default());
        }
        let queue = &mut queues[number];
        if queue.stamp < depth {
            self.log.note_queue(pool, number, *queue);
            queue.stamp = depth;
        }
        queue
    }

    /// Lets a dead object that another thread than its own has freed wait until its own thread knows.
    pub(super) fn hand_over(&mut self, by: ThreadId, object: usize) {
        let header = self.objects[object].header;
        let number = self.queue_number(kin(header.kind, header.allocated.stack, header.class));
        let clock = self.race.epoch(by);
        let entry = HandedOver { object: object as u32, number, by, clock };
        self.change_handed_over(header.allocated.thread.index() + 1).push(entry);
        self.race.journal_handed_over(by, header.allocated.thread, header.base);
    }

    /// Whether others have freed blocks of any thread's.
    pub(crate) fn has_handed_over(&self) -> bool {
        self.pools.iter().any(|pool| !pool.handed_over.is_empty())
    }

    /// The blocks of a thread's that others have freed as far as it knows, by address.
    pub(crate) fn known_handed_over(&self, thread: ThreadId) -> Vec<u64> {
        let Some(pool) = self.pools.get(thread.index() + 1) else { return Vec::new() };
        let known = pool.handed_over.iter().filter(|entry| self.race.knows_of(thread, entry.by, entry.clock));
        let mut known: Vec<u64> = known.map(|entry| self.objects[entry.object as usize].header.base).collect();
        known.sort_unstable();
        known
    }

    /// The first such block of that kind, if there are enough of them.
    fn take_handed_over(&mut self, pool: usize, number: usize, align: u64, quarantine: u32) -> Option<usize> {
        let thread = ThreadId((pool as u32).checked_sub(1)?);
        let base = |entry: &HandedOver| self.objects[entry.object as usize].header.base;
        let known = self.pools[pool].handed_over.iter().enumerate().filter(|(_, entry)| {
            entry.number == number
                && self.race.knows_of(thread, entry.by, entry.clock)
                && base(entry).is_multiple_of(align)
        });
        let known: Vec<_> = known.collect();
        if known.len() < quarantine as usize {
            return None;
        }
        let (index, entry) = known.into_iter().min_by_key(|(_, entry)| base(entry))?;
        let object = entry.object as usize;
        self.race.journal_taken_back(self.objects[object].header.base);
        self.change_handed_over(pool).remove(index);
        self.save_header(object);
        self.objects[object].header.generation += 1;
        self.reused_early |= self.quarantine == Quarantine::SHORT;
        Some(object)
    }

    fn change_handed_over(&mut self, pool: usize) -> &mut Vec<HandedOver> {
        let depth = self.log.depth();
        let Pool { handed_over, handed_over_stamp, .. } = &mut self.pools[pool];
        if *handed_over_stamp < depth {
            self.log.note_handed_over(pool, handed_over.clone(), *handed_over_stamp);
            *handed_over_stamp = depth;
        }
        handed_over
    }
}

//! The lives of objects.
use super::object::{CHUNK, Chunk, Header, Life, Object};
use super::promoted::Visibility;
use super::space::Frontier;
use super::{AccessError, Attempt, Content, Memory, Mode, ObjectKind, Origin, Problem, Request, Site, StackId};
use crate::race::Cause;
use frontend::ir::DataModel;
use por::ThreadId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The largest object that we hold, contents and all.
const LARGEST: u64 = 1 << 28;

/// How many objects of one kind must die before the address of the first one is used again. (Variables are of one kind if
/// they are the same variable of the same function, blocks if they were allocated at the same place.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quarantine {
    /// For variables, at least 1. With 1 the one that died last goes first, as on a stack, so that calls leave no trace.
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

/// Blocks that may have one another's addresses in an allocator: those to which glibc's gives the same number of bytes. (They also take as
/// many slots here.)
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

/// A dead object that another thread than its own has freed. Its address is used again once its own thread knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HandedOver {
    pub(super) object: u32,
    /// That of the queue in which it would be otherwise.
    number: usize,
    /// Who freed it, and when.
    by: ThreadId,
    clock: u32,
}

impl HandedOver {
    /// The number of its queue, who freed it, and when.
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

impl Pool {
    fn new() -> Self {
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

/// The object that stands for "none": every access of it is out of bounds.
pub(super) fn nothing() -> Object {
    let header = Header {
        base: 0,
        readable: 0,
        writable: 0,
        size: 0,
        visibility: Visibility::default(),
        kind: ObjectKind::Heap,
        life: Life::Dead,
        align: 0,
        class: 0,
        generation: 0,
        allocated: Site::NOWHERE,
        freed: Site::NOWHERE,
        freed_at: 0,
        next: 0,
        stamp: 0,
        born: 0,
    };
    Object { header, chunks: Box::default() }
}

/// What objects have in common that may have each other's addresses: what they are, where blocks were allocated, and the
/// size class.
pub(crate) type Kin = (ObjectKind, StackId, u8);

fn kin(kind: ObjectKind, allocated: StackId, class: u8) -> Kin {
    (kind, if kind == ObjectKind::Heap { allocated } else { StackId::EMPTY }, class)
}

fn pool_of(kind: ObjectKind, origin: &Origin) -> usize {
    match kind {
        ObjectKind::Global(_) => 0,
        _ => origin.thread.index() + 1,
    }
}

impl Memory {
    /// A new object. Globals belong to no thread's pool; everything else goes to the pool of `origin.thread`.
    ///
    /// # Errors
    /// [`AccessError::Unknown`] if it is too large for us, or the address space is full.
    pub fn allocate(&mut self, origin: &Origin, request: Request) -> Result<u64, AccessError> {
        let Request { kind, size, align, .. } = request;
        if size > LARGEST {
            return Err(AccessError::Unknown(format!("an object of {size} bytes is more than we hold in memory")));
        }
        let pool = pool_of(kind, origin);
        if self.pools.len() <= pool {
            self.pools.resize_with(pool + 1, Pool::new);
        }
        let class = self.space.class(size);
        let object = match self.dequeue(pool, kin(kind, origin.stack, class), align) {
            Some(object) => object,
            None => self.fresh(pool, class, align)?,
        };
        Ok(self.begin(origin, request, object))
    }

    /// A new block where one of its size class was freed.
    pub(crate) fn allocate_again(&mut self, origin: &Origin, request: Request, base: u64) -> u64 {
        let object = self.space.object(base) as usize;
        let header = &self.objects[object].header;
        assert!(header.base == base && header.life == Life::Dead, "no block was freed at {base:#x}");
        self.save_header(object);
        self.objects[object].header.generation += 1;
        self.begin(origin, request, object)
    }

    /// The life of an object begins that was dead.
    fn begin(&mut self, origin: &Origin, request: Request, object: usize) -> u64 {
        let Request { kind, size, align, content } = request;
        let chunks = self.contents(size, content);
        let depth = self.log.depth();
        let visibility = self.promoted.of(kind, origin.stack);
        let it = &mut self.objects[object];
        it.chunks = chunks;
        it.header = Header {
            size,
            visibility,
            kind,
            life: Life::Live,
            align: align.max(1).ilog2() as u8,
            allocated: Site { thread: origin.thread, event: origin.event, stack: origin.stack },
            freed: Site::NOWHERE,
            next: 0,
            born: depth,
            ..it.header
        };
        it.header.set_limits(false);
        it.header.base
    }

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

    /// `free` of a heap block; the address must be its start. Counts as a plain write of every byte.
    ///
    /// # Errors
    /// Not a live heap block, or a race.
    pub fn free(&mut self, origin: &Origin, address: u64) -> Result<(), AccessError> {
        let object = self.block(Attempt::Free, address)?;
        self.bury(origin, object)
    }

    /// The end of a stack, thread-local, argument or variadic object: the same, for objects that the machine made.
    ///
    /// # Errors
    /// A race.
    ///
    /// # Panics
    /// When no such object starts there.
    pub fn end(&mut self, origin: &Origin, address: u64) -> Result<(), AccessError> {
        let object = self.space.object(address) as usize;
        let header = self.objects[object].header;
        assert!(header.base == address && header.life != Life::Dead, "no object of ours at {address:#x}");
        self.bury(origin, object)
    }

    /// The stack object's life begins (again): its content is unwritten. Anything but the start of a stack object is left
    /// alone.
    ///
    /// # Errors
    /// A race: it counts as a plain write of every byte.
    pub fn lifetime_start(&mut self, origin: &Origin, address: u64) -> Result<(), AccessError> {
        let Some(object) = self.variable(address) else {
            return Ok(());
        };
        self.save_header(object);
        let header = &mut self.objects[object].header;
        header.life = Life::Live;
        header.set_limits(false);
        let size = header.size;
        self.store_unwritten(origin, address, size)
    }

    /// The stack object's life ends, but its address stays its own until [`Memory::end`]. Anything but the start of a
    /// stack object is left alone.
    ///
    /// # Errors
    /// A race: it counts as a plain write of every byte.
    pub fn lifetime_end(&mut self, origin: &Origin, address: u64) -> Result<(), AccessError> {
        match self.variable(address) {
            Some(object) => self.retire(origin, object),
            None => Ok(()),
        }
    }

    /// The same for any object that is alive.
    ///
    /// # Errors
    /// A race.
    pub(crate) fn end_for_now(&mut self, origin: &Origin, address: u64) -> Result<(), AccessError> {
        self.retire(origin, self.space.object(address) as usize)
    }

    fn retire(&mut self, origin: &Origin, object: usize) -> Result<(), AccessError> {
        self.die(origin, object)?;
        self.forget_contents(object);
        self.save_header(object);
        let header = &mut self.objects[object].header;
        header.life = Life::Dormant;
        header.set_limits(false);
        header.freed = Site { thread: origin.thread, event: origin.event, stack: origin.stack };
        header.freed_at = self.race.time(origin.thread);
        Ok(())
    }

    /// What an object held is gone: states do not differ by it.
    fn forget_contents(&mut self, object: usize) {
        for index in 0..self.objects[object].chunks.len() {
            let chunk = &self.objects[object].chunks[index];
            if chunk.written != 0 || chunk.data != [0; CHUNK] {
                self.save_chunk(object, index);
                let chunk = &mut self.objects[object].chunks[index];
                (chunk.data, chunk.written) = ([0; CHUNK], 0);
            }
        }
    }

    /// Size of the live heap block that starts here.
    ///
    /// # Errors
    /// There is none.
    pub fn heap_size(&self, address: u64) -> Result<u64, AccessError> {
        self.block(Attempt::SizeOf, address).map(|object| self.objects[object].header.size)
    }

    /// Makes an object read-only from now on (constants, once initialised).
    ///
    /// # Panics
    /// When no live object starts there.
    pub fn protect(&mut self, address: u64) {
        let object = self.space.object(address) as usize;
        let header = self.objects[object].header;
        assert!(header.base == address && header.life == Life::Live, "no object at {address:#x} to protect");
        self.save_header(object);
        let header = &mut self.objects[object].header;
        header.visibility = Visibility::default();
        header.set_limits(true);
    }

    /// The live heap block that starts there.
    fn block(&self, attempt: Attempt, address: u64) -> Result<usize, AccessError> {
        let object = self.space.object(address) as usize;
        let header = &self.objects[object].header;
        let offset = address.wrapping_sub(header.base) as i64;
        let problem = match (header.life, header.kind) {
            _ if object == 0 => return Err(self.misplaced(attempt, address, 0)),
            (Life::Live, ObjectKind::Heap) if offset == 0 => return Ok(object),
            (Life::Dead, ObjectKind::Heap) => Problem::AfterFree,
            (Life::Dead, _) => Problem::AfterReturn,
            (Life::Dormant, _) => Problem::AfterScope,
            (Life::Live, ObjectKind::Heap) => Problem::NotABlock { offset },
            (Life::Live, _) => Problem::NotOnHeap,
        };
        Err(self.memory_error(attempt, problem, address, 0, object))
    }

    /// The stack object that starts there and whose function has not returned.
    fn variable(&self, address: u64) -> Option<usize> {
        let object = self.space.object(address) as usize;
        let header = &self.objects[object].header;
        let ours = header.base == address && header.life != Life::Dead && matches!(header.kind, ObjectKind::Stack(..));
        ours.then_some(object)
    }

    /// Ends an object's life for good.
    fn bury(&mut self, origin: &Origin, object: usize) -> Result<(), AccessError> {
        if self.objects[object].header.life == Life::Live {
            self.die(origin, object)?;
        }
        self.save_header(object);
        let header = &mut self.objects[object].header;
        header.life = Life::Dead;
        header.set_limits(false);
        header.freed = Site { thread: origin.thread, event: origin.event, stack: origin.stack };
        header.freed_at = self.race.time(origin.thread);
        let header = *header;
        self.race.journal_gone(header.base, header.size);
        if header.born < self.log.depth() {
            let chunks = std::mem::take(&mut self.objects[object].chunks);
            self.log.keep_contents(object, chunks);
        } else {
            for chunk in &self.objects[object].chunks {
                self.race.discard(chunk.records);
            }
            self.recycle(object);
        }
        let chosen = header.kind == ObjectKind::Heap
            && !self.reused.is_empty()
            && self.reused.contains(&self.size_class(header.size));
        if chosen {
            // Whether its address is used again is not settled here.
        } else if header.allocated.thread == origin.thread && !matches!(header.kind, ObjectKind::Global(_)) {
            self.enqueue(object);
        } else if header.kind == ObjectKind::Heap && self.quarantine == Quarantine::SHORT {
            let number = self.queue_number(kin(header.kind, header.allocated.stack, header.class));
            let clock = self.race.epoch(origin.thread);
            let entry = HandedOver { object: object as u32, number, by: origin.thread, clock };
            self.change_handed_over(header.allocated.thread.index() + 1).push(entry);
        }
        Ok(())
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

    /// What the race detector thinks of the end of an object.
    fn die(&mut self, origin: &Origin, object: usize) -> Result<(), AccessError> {
        if self.race.checking() {
            let size = self.objects[object].header.size;
            let mode = if origin.mode == Mode::Visible { Mode::Visible } else { Mode::Plain };
            let origin = &Origin { mode, ..*origin };
            self.prepare_range(origin, Cause::EndOfLife, true, object, 0, size)?;
        }
        Ok(())
    }

    /// Contents of that many bytes.
    fn contents(&mut self, size: u64, content: Content) -> Box<[Chunk]> {
        let written = match content {
            Content::Unwritten => 0,
            Content::Zero => u64::MAX,
        };
        let chunk = Chunk::new(written, self.log.depth());
        match size.div_ceil(CHUNK as u64) as usize {
            1 => match self.spare.pop() {
                Some(mut chunks) => {
                    chunks[0] = chunk;
                    chunks
                }
                None => Box::new([chunk]),
            },
            n => vec![chunk; n].into_boxed_slice(),
        }
    }

    /// An object at addresses never used in this history.
    fn fresh(&mut self, pool: usize, class: u8, align: u64) -> Result<usize, AccessError> {
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
    fn dequeue(&mut self, pool: usize, kin: Kin, align: u64) -> Option<usize> {
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
    fn enqueue(&mut self, object: usize) {
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

    /// How many objects of that kind must be dead. Of promoted ones many: which object a thread is about to access is settled
    /// when it comes to the access, and must not depend on what others have freed and made anew in the meantime.
    fn quarantine_of(&self, (kind, allocated, _): Kin) -> u32 {
        match self.promoted.of(kind, allocated).is_promoted() {
            true => self.long_quarantine.of(kind),
            false => self.quarantine.of(kind),
        }
    }

    /// The kinds of dead objects that have numbers, by number.
    pub(crate) fn queues(&self) -> Vec<Kin> {
        let mut queues: Vec<(usize, Kin)> = self.queue_numbers.iter().map(|(kin, number)| (*number, *kin)).collect();
        queues.sort_unstable_by_key(|(number, _)| *number);
        queues.into_iter().map(|(_, kin)| kin).collect()
    }

    /// Takes over these numbers.
    pub(crate) fn set_queues(&mut self, queues: Vec<Kin>) {
        self.queue_numbers = queues.into_iter().enumerate().map(|(number, kin)| (kin, number)).collect();
    }

    /// The number of the queues for dead objects of that kind; the same in all executions.
    fn queue_number(&mut self, kin: Kin) -> usize {
        let next = self.queue_numbers.len();
        *self.queue_numbers.entry(kin).or_insert(next)
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
}

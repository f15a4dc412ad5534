//! The lives of objects.
use super::object::{CHUNK, Chunk, Header, Life, Object};
use super::pool::{Pool, Quarantine, kin, pool_of};
use super::promoted::Visibility;
use super::{AccessError, Attempt, Content, Memory, Mode, ObjectKind, Origin, Problem, Request, Site};
use crate::race::Cause;

/// The largest object that we hold, contents and all.
const LARGEST: u64 = 1 << 28;

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
            self.hand_over(origin.thread, object);
        }
        Ok(())
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
}

//! The lives of objects.
use super::object::{CHUNK, Chunk, Filled, Header, Life, Object};
use super::pages::{Contents, PAGE};
use super::pool::{Pool, Quarantine, kin, pool_of};
use super::promoted::Visibility;
use super::{AccessError, Attempt, Content, Memory, Mode, ObjectKind, Origin, Problem, Request, Site};
use crate::race::{Cause, Race, RaceAccess, RaceLocation, Records};

/// An object that is larger than this has no room in any address space.
const LARGEST: u64 = 1 << 46;

/// The largest object of which all pages are made at once.
const LARGEST_IN_FULL: u64 = 1 << 28;

/// All pages of an object would have to exist.
fn in_full(size: u64) -> AccessError {
    AccessError::Unknown(format!("a variable of {size} bytes, each of which has to be looked at, is more than we hold"))
}

/// The object that stands for "none": every access of it is out of bounds.
pub(super) fn nothing() -> Object {
    let header = Header {
        base: 0,
        readable: 0,
        writable: 0,
        size: 0,
        restricted: false,
        visibility: Visibility::default(),
        counted: false,
        kind: ObjectKind::Heap,
        life: Life::Dead,
        align: 0,
        class: 0,
        generation: 0,
        allocated: Site::NOWHERE,
        freed: Site::NOWHERE,
        freed_at: 0,
        filled: Filled::ByNobody,
        next: 0,
        rest: Records::default(),
        stamp: 0,
        born: 0,
    };
    Object { header, contents: Contents::default() }
}

impl Memory {
    /// A new object. Globals belong to no thread's pool; everything else goes to the pool of `origin.thread`.
    ///
    /// # Errors
    /// [`AccessError::Unknown`] if it is too large for us, or the address space is full.
    pub fn allocate(&mut self, origin: &Origin, request: Request) -> Result<u64, AccessError> {
        let Request { kind, size, align, content } = request;
        if size > LARGEST {
            let reason = format!("an object of {size} bytes has no room in the address space of the program");
            return Err(AccessError::Unknown(reason));
        }
        if content == Content::Zero && matches!(kind, ObjectKind::Stack(..)) && size > LARGEST_IN_FULL {
            // Each of its lives begins with zeros.
            return Err(in_full(size));
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
        self.is_divided |= origin.thread.0 != 0 && !matches!(kind, ObjectKind::Stack(..));
        let contents = self.contents(size, content);
        let depth = self.log.depth();
        let visibility = self.promoted.of(kind, origin.stack);
        let counted = self.counted.has(kind, origin.stack);
        debug_assert!(!self.mappings.contains_key(&(object as u32)), "it ended with its life");
        let it = &mut self.objects[object];
        it.contents = contents;
        it.header = Header {
            size,
            restricted: false,
            visibility,
            counted,
            kind,
            life: Life::Live,
            align: align.max(1).ilog2() as u8,
            allocated: Site { thread: origin.thread, event: origin.event, stack: origin.stack },
            freed: Site::NOWHERE,
            filled: Filled::ByNobody,
            next: 0,
            rest: Records::default(),
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

    /// The stack object's life begins (again): its content is unwritten. Anything but the start of a stack object is
    /// left alone.
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
        if !self.objects[object].contents.is_paged() || self.objects[object].contents.is_zero() {
            return self.store_unwritten(origin, address, size);
        }
        self.touch_whole(origin, Cause::Access, object, Afterwards::Remembered)?;
        self.forget_contents(object);
        Ok(())
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
        self.die(origin, object, Afterwards::Remembered)?;
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
        if self.objects[object].contents.is_zero() {
            self.make_all(object);
        }
        let nothing = |chunk: &Chunk| chunk.written == 0 && chunk.data == [0; CHUNK];
        let chunks = self.pages.chunks(&self.objects[object].contents).filter(|(_, chunk)| !nothing(chunk));
        let chunks: Vec<usize> = chunks.map(|(index, _)| index).collect();
        for index in chunks {
            self.save_chunk(object, index);
            let chunk = self.existing_mut(object, index);
            (chunk.data, chunk.written) = ([0; CHUNK], 0);
        }
    }

    /// Size of the live heap block that starts here.
    ///
    /// # Errors
    /// There is none.
    pub fn heap_size(&self, address: u64) -> Result<u64, AccessError> {
        self.block(Attempt::SizeOf, address).map(|object| self.objects[object].header.size)
    }

    /// What is done next depends on whether the object that holds an address is alive, and how, or changes that.
    pub(crate) fn note_life(&mut self, address: u64, changes: bool) {
        let base = self.objects[self.space.object(address) as usize].header.base;
        self.watch.note(base, 0, 1, changes);
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
        header.counted = false;
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
            self.die(origin, object, Afterwards::Gone)?;
        }
        self.forget_mapping(object);
        self.save_header(object);
        let header = &mut self.objects[object].header;
        header.life = Life::Dead;
        header.set_limits(false);
        header.freed = Site { thread: origin.thread, event: origin.event, stack: origin.stack };
        header.freed_at = self.race.time(origin.thread);
        let header = *header;
        self.race.journal_gone(header.base, header.size);
        if header.born < self.log.depth() {
            let contents = std::mem::take(&mut self.objects[object].contents);
            self.log.keep_contents(object, contents);
        } else {
            let Memory { objects, pages, race, .. } = self;
            pages.chunks(&objects[object].contents).for_each(|(_, chunk)| race.discard(chunk.records));
            race.discard(objects[object].header.rest);
            objects[object].header.rest = Records::default();
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
    fn die(&mut self, origin: &Origin, object: usize, afterwards: Afterwards) -> Result<(), AccessError> {
        let mode = if origin.mode == Mode::Visible { Mode::Visible } else { Mode::Plain };
        if mode == Mode::Plain && self.race.checking() && self.promoted.ends(self.objects[object].header.visibility) {
            return Err(self.not_an_action(object, 0));
        }
        self.touch_whole(&Origin { mode, ..*origin }, Cause::EndOfLife, object, afterwards)
    }

    /// The checks of a plain write of every byte of an object.
    fn touch_whole(
        &mut self,
        origin: &Origin,
        cause: Cause,
        object: usize,
        afterwards: Afterwards,
    ) -> Result<(), AccessError> {
        if !self.race.checking() {
            return Ok(());
        }
        let Object { header, contents } = &self.objects[object];
        let (size, visibility) = (header.size, header.visibility);
        if header.kind == ObjectKind::Heap {
            self.watch.note(header.base, 0, 1, true);
        }
        if !contents.is_paged() {
            return self.prepare_range(origin, cause, true, object, 0, size);
        }
        // What is remembered of pages that do not exist is the same for all of them.
        let all_alike = !visibility.any() && !self.race.keeps_journal();
        if afterwards == Afterwards::Remembered && !all_alike {
            if size > LARGEST_IN_FULL {
                return Err(in_full(size));
            }
            self.make_all(object);
        }
        let pages = self.pages.list(&self.objects[object].contents);
        for (page, _) in &pages {
            let start = (page * PAGE * CHUNK) as u64;
            self.prepare_range(origin, cause, true, object, start, (size - start).min((PAGE * CHUNK) as u64))?;
        }
        let exists = |index: u64| pages.binary_search_by_key(&(index as usize / PAGE), |(page, _)| *page).is_ok();
        let absent = (0..).find(|page| !exists(*page * PAGE as u64)).expect("objects end somewhere");
        let first = absent * (PAGE * CHUNK) as u64;
        if first >= size {
            return Ok(());
        }
        if origin.mode == Mode::Plain
            && let Some(offset) = self.first_promoted(object)
        {
            return Err(self.not_an_action(object, offset));
        }
        let Memory { objects, race, watch, .. } = self;
        let header = &objects[object].header;
        watch.note(header.base, 0, 1, true);
        race.note_access(true);
        race.note_plain((header.kind, header.allocated.stack), origin.thread, |index| !exists(index));
        let new = race.record(origin, true, u64::MAX);
        let finding = race.find(header.rest, &new);
        if let Some((one, _)) = race.conflict(finding, &new) {
            let last = (first + CHUNK as u64).min(size) - 1;
            let location = RaceLocation { kind: header.kind, allocated: header.allocated.stack, first, last };
            if !race.overlooks(location, origin) {
                let (address, second) = (header.base + first, RaceAccess::new(origin, true));
                return Err(AccessError::Race(Box::new(Race { address, location, first: one, second, cause })));
            }
        }
        if afterwards == Afterwards::Remembered {
            self.save_header(object);
            let Memory { objects, race, .. } = self;
            race.remember(&mut objects[object].header.rest, &new, finding);
        }
        Ok(())
    }

    /// Contents of that many bytes.
    fn contents(&mut self, size: u64, content: Content) -> Contents {
        let zero = content == Content::Zero;
        match (size.div_ceil(CHUNK as u64), self.spare.pop()) {
            (1, Some(mut chunks)) => {
                let fresh = if zero { u64::MAX } else { 0 };
                chunks[0] = Chunk::new(fresh, self.log.depth());
                Contents::small(chunks, zero)
            }
            (count, spare) => {
                self.spare.extend(spare);
                Contents::new(count, zero, self.log.depth())
            }
        }
    }
}

/// Whether later accesses may race with one to all of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Afterwards {
    /// They may.
    Remembered,
    /// There are none: the object is gone.
    Gone,
}

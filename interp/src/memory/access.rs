//! Accesses of up to eight bytes, and the checks common to all.
use super::object::{CHUNK, Chunk, Header, Life, Object};
use super::stray::Substitute;
use super::undo::Log;
use super::{AccessError, Attempt, Loaded, Memory, MemoryError, ObjectKind, Origin, Problem};
use crate::race::{Cause, Detector, Race, RaceAccess, RaceLocation};

/// A part of an access that lies in one chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// The chunk.
    pub(super) chunk: usize,
    /// First byte within the chunk.
    pub(super) within: usize,
    /// How many bytes.
    pub(super) len: usize,
    /// First byte within the access.
    pub(super) position: usize,
}

impl Piece {
    /// The bytes as a mask of the chunk.
    pub(super) fn mask(&self) -> u64 {
        (u64::MAX >> (CHUNK - self.len)) << self.within
    }

    /// The bytes as a range of the chunk.
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.within..self.within + self.len
    }

    /// The bytes as a range of the access.
    pub(super) fn part(&self) -> std::ops::Range<usize> {
        self.position..self.position + self.len
    }
}

/// The parts of an access of `len` bytes at `offset` in an object.
pub(super) fn pieces(offset: u64, len: u64) -> impl Iterator<Item = Piece> {
    let (offset, len) = (offset as usize, len as usize);
    let mut position = 0;
    std::iter::from_fn(move || {
        if position == len {
            return None;
        }
        let within = (offset + position) % CHUNK;
        let n = (CHUNK - within).min(len - position);
        let piece = Piece { chunk: (offset + position) / CHUNK, within, len: n, position };
        position += n;
        Some(piece)
    })
}

/// Writes `SIZE` bytes of a chunk if nothing stands in the way.
#[inline(always)]
fn store_within<const SIZE: usize>(chunk: &mut Chunk, log: &Log, race: &Detector, offset: u64, value: u64) -> bool {
    let within = offset as usize % CHUNK;
    let mask = (u64::MAX >> (CHUNK - SIZE)) << within;
    if chunk.stamp != log.depth() || !chunk.is_settled(race, mask, true) {
        return false;
    }
    let Some(bytes) = chunk.data.get_mut(within..within + SIZE) else {
        return false;
    };
    bytes.copy_from_slice(&value.to_le_bytes()[..SIZE]);
    chunk.written |= mask;
    true
}

/// The race of an access with one that is remembered for common bytes of the chunk that begins at `start`, unless such
/// races are overlooked.
#[cold]
fn race_of(
    header: &Header,
    start: u64,
    (first, common): (RaceAccess, u64),
    race: &mut Detector,
    (origin, write, cause): (&Origin, bool, Cause),
) -> Option<Box<Race>> {
    let location = RaceLocation {
        kind: header.kind,
        allocated: header.allocated.stack,
        first: start + u64::from(common.trailing_zeros()),
        last: start + 63 - u64::from(common.leading_zeros()),
    };
    // An operation on a synchronisation object is ordered with the end of that, not with accesses to it.
    let ends = cause == Cause::EndOfLife && first.mode == super::Mode::Synchronising;
    if race.overlooks(if ends { location.end() } else { location }, origin) {
        return None;
    }
    let (address, second) = (header.base + location.first, RaceAccess::new(origin, write));
    Some(Box::new(Race { address, location, first, second, cause }))
}

impl Memory {
    /// Reads `SIZE` (1, 2, 4, 8) bytes if nothing stands in the way; otherwise [`Memory::load`] says what does.
    #[inline(never)]
    pub fn fast_load<const SIZE: usize>(&self, address: u64) -> Option<u64> {
        self.load_checked::<SIZE>(address, address)
    }

    /// The same for an address that was computed from another one, which has to be one of the same object.
    #[inline(never)]
    pub fn fast_load_from<const SIZE: usize>(&self, from: u64, address: u64) -> Option<u64> {
        self.load_checked::<SIZE>(from, address)
    }

    /// The object is the one to which `from` belongs; [`Memory::derive`] has nothing to add where the access lies in
    /// it.
    #[inline(always)]
    fn load_checked<const SIZE: usize>(&self, from: u64, address: u64) -> Option<u64> {
        let object = self.objects.get(self.space.find(from)? as usize)?;
        let offset = address.wrapping_sub(object.header.base);
        if offset.wrapping_add(SIZE as u64) > object.header.readable {
            return None;
        }
        match object.contents.chunks.get((offset / CHUNK as u64) as usize) {
            Some(chunk) => self.load_within::<SIZE>(chunk, offset),
            None => self.load_paged::<SIZE>(object, offset),
        }
    }

    /// The same in an object that lies in pages.
    #[inline(never)]
    fn load_paged<const SIZE: usize>(&self, object: &Object, offset: u64) -> Option<u64> {
        let chunk = self.pages.chunk(&object.contents, (offset / CHUNK as u64) as usize)?;
        self.load_within::<SIZE>(chunk, offset)
    }

    #[inline(always)]
    fn load_within<const SIZE: usize>(&self, chunk: &Chunk, offset: u64) -> Option<u64> {
        let within = offset as usize % CHUNK;
        let bytes = chunk.data.get(within..within + SIZE)?;
        let mask = (u64::MAX >> (CHUNK - SIZE)) << within;
        if mask & !chunk.written != 0 || !chunk.is_settled(&self.race, mask, false) {
            return None;
        }
        let mut word = [0; 8];
        word[..SIZE].copy_from_slice(bytes);
        Some(u64::from_le_bytes(word))
    }

    /// Writes `SIZE` (1, 2, 4, 8) bytes if nothing stands in the way, and says whether; otherwise [`Memory::store`]
    /// says what does, or does what is left to do.
    #[inline(never)]
    pub fn fast_store<const SIZE: usize>(&mut self, address: u64, value: u64) -> bool {
        self.store_checked::<SIZE>(address, address, value)
    }

    /// The same for an address that was computed from another one, which has to be one of the same object.
    #[inline(never)]
    pub fn fast_store_from<const SIZE: usize>(&mut self, from: u64, address: u64, value: u64) -> bool {
        self.store_checked::<SIZE>(from, address, value)
    }

    #[inline(always)]
    fn store_checked<const SIZE: usize>(&mut self, from: u64, address: u64, value: u64) -> bool {
        let Memory { objects, space, log, race, .. } = self;
        let Some(number) = space.find(from) else { return false };
        let Some(object) = objects.get_mut(number as usize) else { return false };
        let offset = address.wrapping_sub(object.header.base);
        if offset.wrapping_add(SIZE as u64) > object.header.writable {
            return false;
        }
        match object.contents.chunks.get_mut((offset / CHUNK as u64) as usize) {
            Some(chunk) => store_within::<SIZE>(chunk, log, race, offset, value),
            None => self.store_paged::<SIZE>(number, offset, value),
        }
    }

    /// The same in an object that lies in pages.
    #[inline(never)]
    fn store_paged<const SIZE: usize>(&mut self, object: u32, offset: u64, value: u64) -> bool {
        let Memory { objects, pages, log, race, .. } = self;
        let contents = &mut objects[object as usize].contents;
        match pages.chunk_mut(contents, (offset / CHUNK as u64) as usize) {
            Some(chunk) => store_within::<SIZE>(chunk, log, race, offset, value),
            None => false,
        }
    }

    /// Notes that bytes were stored to by an action that is ordered only if an operation says that it reads them.
    pub(crate) fn note_blind(&mut self, address: u64, size: u64) {
        let Ok((object, offset)) = self.locate(Attempt::Write, address, size) else { return };
        for piece in pieces(offset, size) {
            self.make_chunk(object, piece.chunk);
            self.save_chunk(object, piece.chunk);
            self.existing_mut(object, piece.chunk).blind |= piece.mask();
        }
    }

    fn note_blind_access(&mut self, origin: &Origin, object: usize, index: usize, blind: u64) {
        let begin = (index * CHUNK) as u64;
        // An action says of promoted bytes that it accesses them, but not of others that it accesses with them.
        let said = if origin.mode == super::Mode::Visible { self.promoted_part(object, begin, blind) } else { 0 };
        if blind & !said != 0 {
            let offset = begin + u64::from((blind & !said).trailing_zeros());
            self.accessed_blind = Some(self.objects[object].header.base + offset);
        }
    }

    /// Where bytes of which that was noted have been accessed by what is no action, since this was asked last.
    pub(crate) fn take_blind_access(&mut self) -> Option<u64> {
        self.accessed_blind.take()
    }

    /// Reads 1…8 bytes.
    ///
    /// # Errors
    /// A violation of the rules of memory, or a race.
    pub fn load(&mut self, origin: &Origin, address: u64, size: u64) -> Result<Loaded, AccessError> {
        let (object, offset) = self.locate(Attempt::Read, address, size)?;
        let (index, within) = (offset as usize / CHUNK, offset as usize % CHUNK);
        if within + size as usize <= CHUNK {
            let bytes = (u64::MAX >> (CHUNK - size as usize)) << within;
            self.prepare(origin, Cause::Access, false, object, index, bytes)?;
            let chunk = self.existing(object, index);
            let unwritten = ((bytes & !chunk.written) >> within) as u8;
            return Ok(Loaded { value: chunk.word(within, size as usize), unwritten });
        }
        let (mut value, mut unwritten) = (0, 0);
        for piece in pieces(offset, size) {
            self.prepare(origin, Cause::Access, false, object, piece.chunk, piece.mask())?;
            let chunk = self.existing(object, piece.chunk);
            value |= chunk.word(piece.within, piece.len) << (8 * piece.position);
            unwritten |= ((piece.mask() & !chunk.written) >> piece.within) << piece.position;
        }
        Ok(Loaded { value, unwritten: unwritten as u8 })
    }

    /// Writes 1…8 bytes.
    ///
    /// # Errors
    /// A violation of the rules of memory, or a race.
    pub fn store(&mut self, origin: &Origin, address: u64, size: u64, value: u64) -> Result<(), AccessError> {
        self.store_partial(origin, address, size, Loaded { value, unwritten: 0 })
    }

    /// Writes 1…8 bytes, some of which become unwritten: what [`Memory::load`] gave.
    ///
    /// # Errors
    /// A violation of the rules of memory, or a race.
    pub fn store_partial(
        &mut self,
        origin: &Origin,
        address: u64,
        size: u64,
        value: Loaded,
    ) -> Result<(), AccessError> {
        let (object, offset) = self.locate(Attempt::Write, address, size)?;
        let mut word = value.value;
        if value.unwritten != 0 {
            word &= !crate::undefined::shadow_of_bytes(value.unwritten);
        }
        for piece in pieces(offset, size) {
            self.prepare(origin, Cause::Access, true, object, piece.chunk, piece.mask())?;
            let chunk = self.existing_mut(object, piece.chunk);
            chunk.set_word(piece.within, piece.len, word >> (8 * piece.position));
            let unwritten = (u64::from(value.unwritten) >> piece.position) << piece.within;
            chunk.written = (chunk.written & !piece.mask()) | (piece.mask() & !unwritten);
        }
        Ok(())
    }

    /// Checks that an address is a multiple of `align`. Accesses do not ask for that by themselves.
    ///
    /// # Errors
    /// It is not.
    pub fn check_alignment(&self, attempt: Attempt, address: u64, size: u64, align: u64) -> Result<(), AccessError> {
        if address.is_multiple_of(align) {
            return Ok(());
        }
        let object = self.space.object(address) as usize;
        Err(self.memory_error(attempt, Problem::Misaligned { align }, address, size, object))
    }

    /// A chunk that exists: the page was made, or a place in it accessed before.
    #[inline]
    pub(super) fn existing(&self, object: usize, index: usize) -> &Chunk {
        self.pages.chunk(&self.objects[object].contents, index).expect("the page was made")
    }

    /// The same, to be changed.
    #[inline]
    pub(super) fn existing_mut(&mut self, object: usize, index: usize) -> &mut Chunk {
        self.pages.known(&mut self.objects[object].contents, index)
    }

    /// The object that holds all bytes of an access, and the offset in it.
    #[inline]
    pub(super) fn locate(&self, attempt: Attempt, address: u64, size: u64) -> Result<(usize, u64), AccessError> {
        let object = self.space.object(address) as usize;
        let header = &self.objects[object].header;
        let offset = address.wrapping_sub(header.base);
        let limit = if attempt == Attempt::Write { header.writable } else { header.readable };
        if offset.checked_add(size).is_none_or(|end| end > limit) {
            self.check_place(attempt, address, size, object)?;
        }
        Ok((object, offset))
    }

    /// Checks an access that is not within what may be accessed without further ado.
    #[inline(never)]
    fn check_place(&self, attempt: Attempt, address: u64, size: u64, object: usize) -> Result<(), AccessError> {
        let header = &self.objects[object].header;
        let fits = || address.wrapping_sub(header.base).checked_add(size).is_some_and(|end| end <= header.size);
        if !(header.visibility.any() || header.counted || header.restricted) || header.life != Life::Live || !fits() {
            return Err(self.misplaced(attempt, address, size));
        }
        if header.restricted { self.check_rights(object, attempt, address, size) } else { Ok(()) }
    }

    /// The race detector's checks of an access to a range.
    pub(super) fn prepare_range(
        &mut self,
        origin: &Origin,
        cause: Cause,
        write: bool,
        object: usize,
        offset: u64,
        len: u64,
    ) -> Result<(), AccessError> {
        let (index, within) = (offset as usize / CHUNK, offset as usize % CHUNK);
        if len != 0 && within as u64 + len <= CHUNK as u64 {
            let bytes = (u64::MAX >> (CHUNK as u64 - len)) << within;
            return self.prepare(origin, cause, write, object, index, bytes);
        }
        for piece in pieces(offset, len) {
            self.prepare(origin, cause, write, object, piece.chunk, piece.mask())?;
        }
        Ok(())
    }

    /// What has to be done before an access to bytes of a chunk: remember its state, check for races.
    #[inline]
    pub(super) fn prepare(
        &mut self,
        origin: &Origin,
        cause: Cause,
        write: bool,
        object: usize,
        index: usize,
        bytes: u64,
    ) -> Result<(), AccessError> {
        let known = self.pages.chunk(&self.objects[object].contents, index).map(|chunk| chunk.blind & bytes);
        if known.is_none() {
            self.make_page(object, index);
        }
        let blind = known.unwrap_or(0);
        // (The end of a life leaves nothing that could be read. It changes only the records, as a read does: what
        // becomes of the contents is saved apart.)
        if write && cause != Cause::EndOfLife {
            self.save_chunk(object, index);
        }
        if blind != 0 && origin.mode != super::Mode::Atomic && !(write && cause == Cause::EndOfLife) {
            self.note_blind_access(origin, object, index, blind);
        }
        if self.objects[object].header.counted && cause == Cause::Access {
            self.note_counts(write, object, index, bytes);
        }
        if self.race.checking() { self.check_race(origin, cause, write, object, index, bytes) } else { Ok(()) }
    }

    /// The race detector's check of bytes of a chunk.
    fn check_race(
        &mut self,
        origin: &Origin,
        cause: Cause,
        write: bool,
        object: usize,
        index: usize,
        mut bytes: u64,
    ) -> Result<(), AccessError> {
        let header = &self.objects[object].header;
        let is_constant = header.is_constant();
        if !is_constant {
            self.watch.note(header.base, header.base + (index * CHUNK) as u64, bytes, write);
        }
        if header.visibility.any() {
            let promoted = self.promoted_part(object, (index * CHUNK) as u64, bytes);
            let is_action = matches!(origin.mode, super::Mode::Visible | super::Mode::Atomic);
            if promoted != 0 && (!is_action || cause == Cause::Synchronisation) {
                let first = (index * CHUNK) as u64 + u64::from(promoted.trailing_zeros());
                return Err(self.not_an_action(object, first));
            }
            // Actions are ordered by what they say they access.
            bytes &= !promoted;
            if bytes == 0 {
                return Ok(());
            }
        }
        if self.race.is_alone() {
            return Ok(());
        }
        let Memory { objects, pages, race, log, .. } = self;
        let Object { header, contents } = &mut objects[object];
        let chunk = pages.known(contents, index);
        if chunk.segment != race.segment() {
            (chunk.segment, chunk.reads, chunk.writes) = (race.segment(), 0, 0);
        }
        let plain = matches!(origin.mode, super::Mode::Plain | super::Mode::Visible);
        let seen = if write { chunk.writes } else { chunk.reads | chunk.writes };
        if plain && bytes & !seen == 0 {
            return Ok(());
        }
        race.note_access(plain);
        if !is_constant {
            // So are ends of lives that are actions and operations on synchronisation objects, which read these lives.
            let ends = cause == Cause::EndOfLife && origin.mode == super::Mode::Visible;
            let origin = &Origin { mode: if ends { super::Mode::Synchronising } else { origin.mode }, ..*origin };
            let new = race.record(origin, write, bytes);
            let finding = race.find(chunk.records, &new);
            let place = (header.kind, header.allocated.stack, index as u64);
            race.note_kind(place, origin.thread, plain, bytes);
            let address = header.base + (index * CHUNK) as u64;
            let order_matters = race.note_sharing(address, origin, write);
            if let Some(conflict) = race.conflict(finding, &new)
                && let Some(found) = race_of(header, (index * CHUNK) as u64, conflict, race, (origin, write, cause))
            {
                return Err(AccessError::Race(found));
            }
            if chunk.stamp < log.depth() && !race.is_new(chunk.records) {
                log.note_records(object as u32, index, chunk.records);
            }
            race.remember(&mut chunk.records, &new, finding);
            if order_matters {
                race.journal_access(origin, write, address, bytes);
            }
        }
        if plain {
            if write { chunk.writes |= bytes } else { chunk.reads |= bytes }
        }
        Ok(())
    }

    /// Why an access is not within a live object.
    #[cold]
    pub(super) fn misplaced(&self, attempt: Attempt, address: u64, size: u64) -> AccessError {
        let (object, address) = match self.strays.decode(address) {
            None => (self.nearest(address), address),
            Some(Substitute::For { .. }) => self.owner(address),
            Some(Substitute::Lost) => {
                let reason = "more addresses left their objects than we can tell apart";
                return AccessError::Unknown(reason.to_string());
            }
        };
        let header = &self.objects[object].header;
        let offset = self.space.distance(header.base, address);
        let problem = match header.life {
            _ if object == 0 && address < self.space.first => Problem::Null,
            _ if object == 0 && self.code.contains(address) => Problem::Code,
            _ if object == 0 => Problem::Unmapped,
            Life::Dead if header.kind == ObjectKind::Heap => Problem::AfterFree,
            Life::Dead => Problem::AfterReturn,
            Life::Dormant => Problem::AfterScope,
            Life::Live if offset >= 0 && offset as u64 + size <= header.size => Problem::Constant,
            Life::Live => Problem::OutOfBounds { offset },
        };
        self.memory_error(attempt, problem, address, size, object)
    }

    /// The object whose bytes are nearest to an address in its slots or in those next to them; 0 if none.
    fn nearest(&self, address: u64) -> usize {
        let own = self.space.object(address) as usize;
        let header = &self.objects[own].header;
        let next = if own == 0 {
            let slot = 1u64 << self.space.slot_bits;
            self.space.object((address & !(slot - 1)).saturating_add(slot))
        } else if address < header.base {
            self.space.object(self.space.before(header.base))
        } else {
            self.space.object(self.space.end(header.base, header.class))
        };
        // How far it is from an object; an address in front of one whose slots it does not share may be meant for
        // another.
        let distance = |object: usize| {
            let header = &self.objects[object].header;
            match header.base.checked_sub(address) {
                _ if object == 0 => u64::MAX,
                Some(before) if object != own && before >= 1 << 16 => u64::MAX,
                Some(before) => before,
                None => (address - header.base).saturating_sub(header.size),
            }
        };
        if distance(next as usize) < distance(own) { next as usize } else { own }
    }

    /// An error concerning that object.
    pub(super) fn memory_error(
        &self,
        attempt: Attempt,
        problem: Problem,
        address: u64,
        size: u64,
        object: usize,
    ) -> AccessError {
        let object = (object != 0).then(|| self.objects[object].header.info());
        AccessError::Memory(Box::new(MemoryError { attempt, problem, address, size, object }))
    }
}

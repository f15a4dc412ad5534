//! Accesses of many bytes, and looks at a few without any check.
use super::access::pieces;
use super::object::{CHUNK, Filled};
use super::{AccessError, Attempt, Memory, Origin};
use crate::race::Cause;
use por::ThreadId;

impl Memory {
    /// The eight bytes at a multiple of eight, 0 where there is nothing: the word of a granule. No checks.
    pub fn granule(&self, address: u64) -> u64 {
        let object = &self.objects[self.space.object(address) as usize];
        let offset = address.wrapping_sub(object.header.base) as usize & !7;
        let Some(chunk) = self.pages.chunk(&object.contents, offset / CHUNK) else {
            return 0;
        };
        let within = offset % CHUNK;
        u64::from_le_bytes(chunk.data[within..within + 8].try_into().expect("eight bytes"))
    }

    /// 1…8 bytes without any check, 0 where there is nothing.
    pub fn peek(&self, address: u64, size: u64) -> u64 {
        let low = self.granule(address) >> (8 * (address % 8));
        let high = match address % 8 {
            0 => 0,
            skipped => self.granule((address & !7).wrapping_add(8)) << (64 - 8 * skipped),
        };
        (low | high) & (u64::MAX >> (64 - 8 * size))
    }

    /// Appends `len` bytes to `out`; says which is the first that was never written, if any.
    ///
    /// # Errors
    /// A violation of the rules of memory, or a race.
    pub fn load_bytes(
        &mut self,
        origin: &Origin,
        address: u64,
        len: u64,
        out: &mut Vec<u8>,
    ) -> Result<Option<u64>, AccessError> {
        if len == 0 {
            return Ok(None);
        }
        let (object, offset) = self.locate(Attempt::Read, address, len)?;
        let mut first = None;
        for piece in pieces(offset, len) {
            self.prepare(origin, Cause::Access, false, object, piece.chunk, piece.mask())?;
            let chunk = self.existing(object, piece.chunk);
            out.extend_from_slice(&chunk.data[piece.range()]);
            let gaps = (piece.mask() & !chunk.written) >> piece.within;
            if gaps != 0 && first.is_none() {
                first = Some(piece.position as u64 + u64::from(gaps.trailing_zeros()));
            }
        }
        Ok(first)
    }

    /// Appends the bytes of a C string, without its end, to `out`. Stops at a byte that was never written, and says
    /// which.
    ///
    /// # Errors
    /// A violation of the rules of memory (the string has no end within its object), or a race.
    pub fn load_string(
        &mut self,
        origin: &Origin,
        address: u64,
        out: &mut Vec<u8>,
    ) -> Result<Option<u64>, AccessError> {
        let (object, offset) = self.locate(Attempt::Read, address, 1)?;
        let header = &self.objects[object].header;
        let all = header.size - offset;
        let available = if header.restricted { self.readable_part(object, offset) } else { all };
        for mut piece in pieces(offset, available) {
            self.make_chunk(object, piece.chunk);
            let chunk = self.existing(object, piece.chunk);
            let gaps = piece.mask() & !chunk.written;
            let known = if gaps == 0 { piece.len } else { gaps.trailing_zeros() as usize - piece.within };
            let bytes = &chunk.data[piece.within..piece.within + known];
            let end = bytes.iter().position(|&byte| byte == 0);
            out.extend_from_slice(&bytes[..end.unwrap_or(known)]);
            let complete = end.is_some() || gaps != 0;
            // The byte that ends the string is read too.
            piece.len = end.map_or(known, |end| end + 1);
            if piece.len > 0 {
                self.prepare(origin, Cause::Access, false, object, piece.chunk, piece.mask())?;
            }
            if complete {
                let gap = (piece.position + known) as u64;
                return Ok(end.is_none().then_some(gap));
            }
        }
        if available < all {
            self.check_rights(object, Attempt::Read, address + available, 1)?;
        }
        Err(self.misplaced(Attempt::Read, address + available, 1))
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// A violation of the rules of memory, or a race.
    pub fn store_bytes(&mut self, origin: &Origin, address: u64, bytes: &[u8]) -> Result<(), AccessError> {
        self.write(origin, address, bytes.len() as u64, u64::MAX, |data, part| data.copy_from_slice(&bytes[part]))
    }

    /// memset.
    ///
    /// # Errors
    /// A violation of the rules of memory, or a race.
    pub fn fill(&mut self, origin: &Origin, to: u64, byte: u8, len: u64) -> Result<(), AccessError> {
        self.write(origin, to, len, u64::MAX, |data, _| data.fill(byte))
    }

    /// Makes bytes unwritten (a store of an undefined value).
    ///
    /// # Errors
    /// A violation of the rules of memory, or a race.
    pub fn store_unwritten(&mut self, origin: &Origin, to: u64, len: u64) -> Result<(), AccessError> {
        self.write(origin, to, len, 0, |data, _| data.fill(0))
    }

    /// memmove: unwritten bytes stay unwritten.
    ///
    /// # Errors
    /// A violation of the rules of memory, or a race.
    pub fn copy(&mut self, origin: &Origin, to: u64, from: u64, len: u64) -> Result<(), AccessError> {
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        let result = self.copy_through(origin, to, from, len, &mut bytes);
        self.scratch = bytes;
        result
    }

    fn copy_through(
        &mut self,
        origin: &Origin,
        to: u64,
        from: u64,
        len: u64,
        bytes: &mut Vec<u8>,
    ) -> Result<(), AccessError> {
        let gap = self.load_bytes(origin, from, len, bytes)?;
        let gaps = if gap.is_some() { self.gaps(from, len) } else { Vec::new() };
        self.store_bytes(origin, to, bytes)?;
        for (start, len) in gaps {
            self.store_unwritten(origin, to + start, len)?;
        }
        Ok(())
    }

    /// Only the checks (also the race detector's) of an access. An operation on a synchronisation object is an atomic
    /// [`Attempt::Synchronise`] (a read), its initialisation a plain [`Attempt::Write`].
    ///
    /// # Errors
    /// A violation of the rules of memory, or a race.
    pub fn touch(&mut self, origin: &Origin, attempt: Attempt, address: u64, len: u64) -> Result<(), AccessError> {
        let (object, offset) = self.locate(attempt, address, len)?;
        let cause = if attempt == Attempt::Synchronise { Cause::Synchronisation } else { Cause::Access };
        self.prepare_range(origin, cause, attempt == Attempt::Write, object, offset, len)
    }

    /// Writes bytes that must lie in an object that is alive, constant or not, without any check: initialisation.
    ///
    /// # Panics
    /// When they do not.
    pub fn poke(&mut self, address: u64, bytes: &[u8]) {
        let len = bytes.len() as u64;
        if len == 0 {
            return;
        }
        let (object, offset) = self.locate(Attempt::Read, address, len).expect("initialisation stays in its object");
        for piece in pieces(offset, len) {
            self.make_chunk(object, piece.chunk);
            self.save_chunk(object, piece.chunk);
            let chunk = self.existing_mut(object, piece.chunk);
            chunk.data[piece.range()].copy_from_slice(&bytes[piece.part()]);
            chunk.written |= piece.mask();
        }
    }

    /// Writes through `put`, which gets the bytes of one chunk and says which part of the access they are.
    fn write(
        &mut self,
        origin: &Origin,
        to: u64,
        len: u64,
        written: u64,
        mut put: impl FnMut(&mut [u8], std::ops::Range<usize>),
    ) -> Result<(), AccessError> {
        if len == 0 {
            return Ok(());
        }
        let (object, offset) = self.locate(Attempt::Write, to, len)?;
        for piece in pieces(offset, len) {
            self.prepare(origin, Cause::Access, true, object, piece.chunk, piece.mask())?;
            let chunk = self.existing_mut(object, piece.chunk);
            put(&mut chunk.data[piece.range()], piece.part());
            chunk.written = (chunk.written & !piece.mask()) | (written & piece.mask());
        }
        Ok(())
    }

    /// Whether some bytes in a range were never given a value.
    pub(crate) fn has_gaps(&self, from: u64, len: u64) -> bool {
        let Ok((object, offset)) = self.locate(Attempt::Read, from, len) else { return true };
        (offset..offset + len).any(|at| !self.has_value(object, at as usize))
    }

    /// Whether no byte in a range was ever given a value.
    pub(crate) fn has_no_value(&self, from: u64, len: u64) -> bool {
        let Ok((object, offset)) = self.locate(Attempt::Read, from, len) else { return false };
        !(offset..offset + len).any(|at| self.has_value(object, at as usize))
    }

    /// Whether that byte of an object was ever given a value.
    fn has_value(&self, object: usize, at: usize) -> bool {
        let chunk = self.pages.chunk(&self.objects[object].contents, at / CHUNK);
        chunk.is_some_and(|chunk| chunk.written >> (at % CHUNK) & 1 != 0)
    }

    /// The thread, which runs, is about to give bytes of the object there a value which have none, by an action.
    pub(crate) fn record_first_value(&mut self, thread: ThreadId, address: u64) {
        let object = self.space.object(address) as usize;
        self.save_header(object);
        self.objects[object].header.filled = match self.knows_first_values(address) {
            true => Filled::By(thread, self.race.time(thread)),
            false => Filled::BySeveral,
        };
    }

    /// Whether all actions that gave bytes of the object there their first values happen before what the thread that
    /// runs does now.
    pub(crate) fn knows_first_values(&self, address: u64) -> bool {
        match self.objects[self.space.object(address) as usize].header.filled {
            Filled::ByNobody => true,
            Filled::By(thread, time) => self.race.knows(thread, time),
            Filled::BySeveral => false,
        }
    }

    /// The runs of unwritten bytes in a range of a live object: start relative to the range, and length.
    fn gaps(&self, from: u64, len: u64) -> Vec<(u64, u64)> {
        let (object, offset) = self.locate(Attempt::Read, from, len).expect("it has just been read");
        let mut runs: Vec<(u64, u64)> = Vec::new();
        for position in 0..len {
            let at = (offset + position) as usize;
            if self.existing(object, at / CHUNK).written >> (at % CHUNK) & 1 != 0 {
                continue;
            }
            match runs.last_mut() {
                Some((start, len)) if *start + *len == position => *len += 1,
                _ => runs.push((position, 1)),
            }
        }
        runs
    }
}

//! The state of happens-before in a normal form: two histories have the same one iff each access made so far can race
//! with the same of what may follow.
//!
//! What a clock says of a thread matters only as far as it tells apart accesses of that thread that can still race. So
//! the times of such accesses are numbered; a clock's component becomes the number of those that it covers. An access
//! of which every other thread knows that is not over can race with nothing any more, and what was released to a lock
//! or location matters only as far as some thread does not know it. So loops come back to the same normal form.
//!
//! A block that another thread than its own has freed is as an access: the address of a later block of its own thread
//! depends on whether that one knows, and so on who may tell it.
//!
//! It is found anew for each state, so it is quick about that. The times are put into one row, by thread and sorted,
//! and each clock is looked at once: it becomes a row of bits, one for each time, set if the clock covers it. Of one
//! thread the set bits come first, and where they end two times are told apart. Of times that nothing tells apart one
//! bit is kept, whose place is their number.
use super::Detector;
use super::clock::{ClockId, Clocks};
use super::reading::{HandedOver, SmallMap};
use super::sequence::SequencesId;
use super::shadow::{AccessKind, Records};
use crate::fingerprint::{Term, words};
use por::{ObjectId, ThreadId};

/// What there is to be brought into a normal form.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) detector: &'a Detector,
    /// The records of each chunk, by address.
    pub(super) chunks: &'a SmallMap<u64, Records>,
    /// Synchronisation objects and locations to which something may have been released, and their names.
    pub(super) objects: &'a SmallMap<ObjectId, u64>,
    /// Threads that exist and were not joined; whether they have ended.
    pub(super) threads: &'a SmallMap<ThreadId, bool>,
    /// Blocks that another thread than their own has freed, by address.
    pub(super) handed_over: &'a SmallMap<u64, HandedOver>,
}

impl Known<'_> {
    /// The term of what is ordered and what is not.
    pub(super) fn normal_form(self, room: &mut Room) -> u128 {
        self.find_accesses(room);
        if room.accesses.is_empty() {
            return 0;
        }
        room.find_times();
        self.look_at_threads(room);
        self.look_at_objects(room);
        room.number_times();
        room.settle_accesses();
        room.term()
    }

    /// Finds the accesses that can still race.
    fn find_accesses(self, room: &mut Room) {
        let Room { accesses, known_to_all, .. } = room;
        accesses.clear();
        self.find_known_to_all(known_to_all);
        for (chunk, records) in self.chunks.iter() {
            for record in self.detector.shadow.list(records) {
                let thread = record.thread;
                if record.clock > known_to_all.get(thread as usize).copied().unwrap_or(0) {
                    let (time, kind, bytes) = (record.clock, record.kind, record.bytes);
                    accesses.push(Access { thread, chunk, time, number: 0, kind, bytes });
                }
            }
        }
        self.add_handed_over(room);
    }

    /// The free of a block of another thread's is as an access at an address of its own: who knows of it counts, until
    /// the block's own thread does. (Another term says of which it knows. A later thread under its number knows of them
    /// too: it is created by one that has joined it.)
    fn add_handed_over(self, room: &mut Room) {
        let Room { accesses, known_to_all, .. } = room;
        for (base, HandedOver { by, time, owner }) in self.handed_over.iter() {
            if !self.detector.knows_of(owner, by, time) && time > known_to_all.get(by.index()).copied().unwrap_or(0) {
                let (chunk, kind) = (base | 1, AccessKind::ALL[0]);
                accesses.push(Access { thread: by.0, chunk, time, number: 0, kind, bytes: 1 });
            }
        }
    }

    /// Finds what of each thread all others know that are not over; beyond the list it is nothing.
    fn find_known_to_all(self, known_to_all: &mut Vec<u32>) {
        let threads = self.detector.threads.len();
        known_to_all.clear();
        known_to_all.resize(threads, u32::MAX);
        for (thread, _) in self.threads.iter().filter(|(_, over)| !over) {
            let components = self.detector.clocks.components(self.detector.threads[thread.index()].clock);
            let own = known_to_all[thread.index()];
            let common = components.len().min(threads);
            let (first, rest) = known_to_all.split_at_mut(common);
            first.iter_mut().zip(components).for_each(|(least, component)| *least = (*least).min(*component));
            rest.fill(0);
            known_to_all[thread.index()] = own;
        }
    }

    /// Looks at what threads know, what an acquire fence would add, and what relaxed stores release.
    fn look_at_threads(self, room: &mut Room) {
        for (thread, over) in self.threads.iter() {
            let state = &self.detector.threads[thread.index()];
            // What it did itself it knows anyway. (What it released at its last fence is older.)
            let own = Some(thread.0);
            room.look_at(&self.detector.clocks, state.clock, own);
            room.look_at(&self.detector.clocks, state.readable, own);
            room.look_at(&self.detector.clocks, state.fenced, None);
            if over {
                // It neither acquires nor releases any more.
                let rows = room.rows.len() - 2 * room.width;
                room.rows[rows..].fill(0);
            }
            room.end(Whose::Thread(thread.0));
        }
    }

    /// Looks at what was released to objects, and by release sequences that their threads may still carry on.
    fn look_at_objects(self, room: &mut Room) {
        for (object, name) in self.objects.iter() {
            let Some(published) = self.detector.all_published(object) else { continue };
            let mut last = (ClockId::NONE, SequencesId::NONE);
            for (byte, here) in published.bytes().enumerate() {
                // (Mostly neighbours are alike.)
                if here == last {
                    room.also(name, byte);
                    continue;
                }
                last = here;
                let (clock, sequences) = here;
                room.look_at(&self.detector.clocks, clock, None);
                let go_on = |(head, _): &(ThreadId, _)| self.threads.get(*head) == Some(false);
                let mut carried = std::mem::take(&mut room.carried);
                carried.extend(self.detector.heads(sequences).filter(go_on));
                carried.sort_unstable();
                for (head, clock) in carried.drain(..) {
                    if room.look_at(&self.detector.clocks, clock, None) {
                        room.heads.push(head.0);
                    } else {
                        room.rows.truncate(room.rows.len() - room.width);
                    }
                }
                room.carried = carried;
                room.end(Whose::Bytes(name, 1 << byte));
            }
        }
    }
}

/// An access that can still race, with its time as it is and as a number.
#[derive(Clone, Copy, Debug)]
struct Access {
    thread: u32,
    chunk: u64,
    time: u32,
    number: u32,
    kind: AccessKind,
    bytes: u64,
}

impl Access {
    fn key(&self) -> (u32, u64, u32, AccessKind) {
        (self.thread, self.chunk, self.number, self.kind)
    }
}

/// Who or what knows of accesses.
#[derive(Clone, Copy, Debug)]
enum Whose {
    Thread(u32),
    /// These bytes of the object of that name; neighbours, of which the same is true.
    Bytes(u64, u8),
}

/// What it knows: the rows up to here from where the one before it ends, and the heads of its release sequences, which
/// have the last of these.
#[derive(Clone, Copy, Debug)]
struct Knowing {
    whose: Whose,
    rows: usize,
    heads: usize,
}

/// Room for finding a normal form.
#[derive(Clone, Default, Debug)]
pub(super) struct Room {
    accesses: Vec<Access>,
    /// By thread: what every other one knows of it.
    known_to_all: Vec<u32>,
    /// Thread and time of the accesses, each once and sorted.
    times: Vec<(u32, u32)>,
    /// Words of a row: it has a bit for each time.
    width: usize,
    /// The times that have a later one of the same thread behind them, and those of these that some clock tells apart
    /// from it.
    followed: Vec<u64>,
    told_apart: Vec<u64>,
    /// Which times the clocks cover.
    rows: Vec<u64>,
    heads: Vec<u32>,
    knowing: Vec<Knowing>,
    /// Release sequences at some byte.
    carried: Vec<(ThreadId, ClockId)>,
}

impl Room {
    /// Sorts the times of the accesses.
    fn find_times(&mut self) {
        let Room { accesses, times, width, followed, told_apart, rows, heads, knowing, .. } = self;
        times.clear();
        times.extend(accesses.iter().map(|access| (access.thread, access.time)));
        times.sort_unstable();
        times.dedup();
        *width = times.len().div_ceil(64);
        for bits in [&mut *followed, told_apart] {
            bits.clear();
            bits.resize(*width, 0);
        }
        for (index, pair) in times.windows(2).enumerate() {
            followed[index / 64] |= u64::from(pair[0].0 == pair[1].0) << (index % 64);
        }
        rows.clear();
        heads.clear();
        knowing.clear();
    }

    /// Adds the row of what a clock says of all threads but that one. Whether it covers any time.
    fn look_at(&mut self, clocks: &Clocks, clock: ClockId, own: Option<u32>) -> bool {
        let Room { times, width, followed, told_apart, rows, .. } = self;
        let start = rows.len();
        if clock == ClockId::NONE {
            rows.resize(start + *width, 0);
            return false;
        }
        let components = clocks.components(clock);
        let own = own.unwrap_or(u32::MAX);
        let row_of = |times: &[(u32, u32)]| {
            times.iter().rev().fold(0u64, |row, (thread, time)| {
                let known = components.get(*thread as usize).copied().unwrap_or(0);
                row << 1 | u64::from(*time <= known && *thread != own)
            })
        };
        if let [told_apart] = &mut told_apart[..] {
            // (Mostly.)
            let row = row_of(times);
            rows.push(row);
            *told_apart |= row & !(row >> 1) & followed[0];
            return row != 0;
        }
        rows.extend(times.chunks(64).map(row_of));
        let mut any = false;
        for (index, row) in rows[start..].iter().enumerate() {
            any |= *row != 0;
            let behind = row >> 1 | rows.get(start + index + 1).map_or(0, |next| next << 63);
            told_apart[index] |= row & !behind & followed[index];
        }
        any
    }

    /// The last rows are what that knows.
    #[inline]
    fn end(&mut self, whose: Whose) {
        let Room { rows, heads, knowing, .. } = self;
        let start = knowing.last().map_or(0, |last| last.rows);
        match rows[start..].iter().all(|row| *row == 0) {
            true => rows.truncate(start),
            false => knowing.push(Knowing { whose, rows: rows.len(), heads: heads.len() }),
        }
    }

    /// A byte of an object is as the one before it.
    fn also(&mut self, name: u64, byte: usize) {
        if let Some(Knowing { whose: Whose::Bytes(object, bytes), .. }) = self.knowing.last_mut()
            && *object == name
            && byte > 0
        {
            *bytes |= (*bytes >> (byte - 1) & 1) << byte;
        }
    }

    /// Numbers the times. Those that no clock tells apart have one number, and of their bits one is kept.
    fn number_times(&mut self) {
        let Room { accesses, times, width, followed, told_apart, rows, knowing, .. } = self;
        let is_kept = |time: usize| (!followed[time / 64] | told_apart[time / 64]) >> (time % 64) & 1 != 0;
        let (mut number, mut kept) = (0, 0);
        for access in accesses.iter_mut() {
            access.number = times.binary_search(&(access.thread, access.time)).expect("each is in the list") as u32;
        }
        if followed == told_apart {
            return;
        }
        // (Seldom.)
        let numbers: Vec<u32> = (0..times.len())
            .map(|time| {
                let its = number;
                if is_kept(time) {
                    kept += 1;
                    number = kept;
                }
                its
            })
            .collect();
        accesses.iter_mut().for_each(|access| access.number = numbers[access.number as usize]);
        let narrow = (kept as usize).div_ceil(64);
        let mut narrowed = vec![0; rows.len() / *width * narrow];
        for (row, new) in rows.chunks(*width).zip(narrowed.chunks_mut(narrow)) {
            for time in (0..times.len()).filter(|time| is_kept(*time) && row[time / 64] >> (time % 64) & 1 != 0) {
                let number = numbers[time] as usize;
                new[number / 64] |= 1 << (number % 64);
            }
        }
        knowing.iter_mut().for_each(|knowing| knowing.rows = knowing.rows / *width * narrow);
        (*rows, *width) = (narrowed, narrow);
    }

    /// Sorts the accesses, and puts those together that differ in their bytes alone.
    fn settle_accesses(&mut self) {
        self.accesses.sort_unstable_by_key(Access::key);
        self.accesses.dedup_by(|next, access| {
            let same = next.key() == access.key();
            if same {
                access.bytes |= next.bytes;
            }
            same
        });
    }

    /// The term of all that.
    fn term(&self) -> u128 {
        let Room { accesses, rows, heads, knowing, .. } = self;
        let of_objects = knowing.iter().position(|knowing| matches!(knowing.whose, Whose::Bytes(..)));
        let (threads, mut objects) = knowing.split_at(of_objects.unwrap_or(knowing.len()));
        let (mut row, mut head) = (0, 0);
        let mut sum = words(Term::Order, |words| {
            for (index, Access { thread, chunk, number, kind, .. }) in accesses.iter().enumerate() {
                let bytes = left(accesses, index);
                if bytes != 0 {
                    words.add((0u8, thread, chunk, number, *kind as u8, bytes));
                }
            }
            for Knowing { whose, rows: end, .. } in threads {
                if let Whose::Thread(thread) = whose {
                    words.add((1u8, thread));
                    rows[row..*end].iter().for_each(|row| words.add(row));
                }
                row = *end;
            }
        });
        // (The numbers of objects depend on the order in which they were met, so that each has a term.)
        let mut next = || {
            let (Knowing { whose: Whose::Bytes(name, bytes), rows: end, heads: last }, behind) =
                objects.split_first()?
            else {
                unreachable!("objects come behind threads")
            };
            let known = (&rows[row..*end], &heads[head..*last]);
            (row, head, objects) = (*end, *last, behind);
            Some((*name, *bytes, known))
        };
        let mut object = next();
        while let Some((name, mut bytes, known)) = object {
            // Others of its bytes may be alike as well, though their clocks are not the same.
            loop {
                object = next();
                match object {
                    Some((same, more, also))
                        if same == name
                            && bytes.leading_zeros() + more.trailing_zeros() == u8::BITS
                            && also == known =>
                    {
                        bytes |= more;
                    }
                    _ => break,
                }
            }
            sum = sum.wrapping_add(words(Term::Order, |words| {
                words.add((2u8, name, bytes));
                words.add(known);
            }));
        }
        sum
    }
}

/// The bytes of an access, but for those of which another one of the same thread says all that it says.
fn left(accesses: &[Access], index: usize) -> u64 {
    let access = &accesses[index];
    let of_the_place = |other: &&Access| (other.thread, other.chunk) == (access.thread, access.chunk);
    let before =
        accesses[..index].iter().rev().take_while(|other| of_the_place(other) && other.number == access.number);
    let after = accesses[index + 1..].iter().take_while(of_the_place);
    let replace = before.chain(after).filter(|other| other.kind.replaces(access.kind));
    access.bytes & !replace.fold(0, |said, other| said | other.bytes)
}

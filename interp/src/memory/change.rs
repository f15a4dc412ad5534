//! What has changed since the last mark, as terms of a fingerprint.
use super::mapping::Mapping;
use super::object::{CHUNK, Chunk, Header, Life, Object};
use super::pages::{Contents, PAGE};
use super::pool::{HandedOver, Queue};
use super::space::Frontier;
use super::{Memory, ObjectKind};
use crate::fingerprint::{Term, byte, words};
use frontend::ir::GlobalId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

impl Memory {
    /// The difference between the terms of the memory now and at the last mark: those of bytes, of objects, and of what
    /// decides which addresses new objects get.
    pub(crate) fn changed(&self) -> u128 {
        let mut sum = Sum(0);
        self.add_changes(|_| true, &mut sum);
        if self.has_changed_lives() {
            self.add_order_of_addresses(&mut sum);
        }
        sum.0
    }

    /// The part of that which is about variables of functions whose lives have begun or ended since the last mark.
    pub(crate) fn changed_lives_of_variables(&self) -> u128 {
        let mut sum = Sum(0);
        if self.has_changed_lives() {
            let all = self.changed_lives();
            let is_variable = |object: u32| matches!(self.objects[object as usize].header.kind, ObjectKind::Stack(..));
            self.add_changes(|object| all.contains(&object) && is_variable(object), &mut sum);
        }
        sum.0
    }

    /// The part of that which is about what objects of some kinds hold, as far as their lives have not begun or ended.
    pub(crate) fn changed_contents(&self, counts: impl Fn(ObjectKind) -> bool) -> u128 {
        let mut sum = Sum(0);
        let lives = if self.has_changed_lives() { self.changed_lives() } else { FxHashSet::default() };
        let counts = |object| counts(self.objects[object as usize].header.kind) && !lives.contains(&object);
        self.add_changes(counts, &mut sum);
        sum.0
    }

    /// The objects whose lives have begun or ended since the last mark.
    fn changed_lives(&self) -> FxHashSet<u32> {
        let marks = self.log.depth();
        let logged = self.log.headers.since(marks).map(|(object, _)| *object);
        logged.chain(self.touched(marks).map(|(object, _)| object as u32)).collect()
    }

    /// Adds what has changed of some objects.
    fn add_changes(&self, counts: impl Fn(u32) -> bool, sum: &mut Sum) {
        let marks = self.log.depth();
        // What the objects held at the mark that have died since, as far as it is not in the log chunk by chunk.
        let mut dead: FxHashMap<u32, &Contents> = FxHashMap::default();
        if self.has_changed_lives() {
            dead.extend(self.log.contents.since(marks).map(|(object, contents)| (*object, contents)));
            self.add_lives(&counts, &dead, sum);
        }
        for (object, index, old) in self.log.chunks.since(marks).filter(|(object, ..)| counts(*object)) {
            let (base, contents) = self.at_mark(&dead, *object);
            let now = self.pages.chunk(contents, *index).expect("what is in the log exists");
            let place = (base + (index * CHUNK) as u64, self.looked_at(*object, *index));
            difference(place, old, now, contents.is_zero(), sum);
        }
        for (object, page) in self.log.pages.since(marks).filter(|(object, _)| counts(*object)) {
            let (base, contents) = self.at_mark(&dead, *object);
            for (chunk, index) in self.pages.page(contents, *page).iter().zip(page * PAGE..) {
                let place = (base + (index * CHUNK) as u64, self.looked_at(*object, index));
                sum.add(chunk_term(place, chunk, contents));
            }
        }
    }

    /// Whether objects came or went since the last mark.
    pub(crate) fn has_changed_lives(&self) -> bool {
        self.log.has_changed_lives()
    }

    /// Where an object is, and what it held at the mark or holds.
    fn at_mark<'a>(&'a self, dead: &FxHashMap<u32, &'a Contents>, object: u32) -> (u64, &'a Contents) {
        let Object { header, contents } = &self.objects[object as usize];
        let held = if dead.is_empty() { None } else { dead.get(&object).copied() };
        (header.base, held.unwrap_or(contents))
    }

    /// Adds what came of some objects that came or went.
    fn add_lives(&self, counts: impl Fn(u32) -> bool, dead: &FxHashMap<u32, &Contents>, sum: &mut Sum) {
        let marks = self.log.depth();
        for (object, old) in self.log.headers.since(marks).filter(|(object, _)| counts(*object)) {
            let now = &self.objects[*object as usize];
            sum.add(self.header_term(&now.header, &now.contents));
            sum.subtract(self.header_term(old, self.at_mark(dead, *object).1));
            if old.life == Life::Dead && now.header.life != Life::Dead {
                sum.add(self.content_term(*object, &now.contents));
            }
        }
        for (object, old) in self.log.contents.since(marks).filter(|(object, _)| counts(*object)) {
            let now = &self.objects[*object as usize];
            sum.subtract(self.content_term(*object, old));
            if now.header.life != Life::Dead {
                sum.add(self.content_term(*object, &now.contents));
            }
        }
        for (number, object) in self.touched(marks).filter(|(object, _)| counts(*object as u32)) {
            sum.add(self.header_term(&object.header, &object.contents));
            sum.add(self.content_term(number as u32, &object.contents));
        }
        for (object, old) in self.log.mappings.since(marks).filter(|(object, _)| counts(*object)) {
            let term = |mapping: &Mapping| {
                words(Term::Mapping, |words| words.add((self.base(*object), mapping.rights(), mapping.shows_number())))
            };
            self.mappings.get(object).iter().for_each(|mapping| sum.add(term(mapping)));
            old.iter().for_each(|mapping| sum.subtract(term(mapping)));
        }
    }

    /// Adds what came of that which decides which addresses new objects get.
    fn add_order_of_addresses(&self, sum: &mut Sum) {
        let marks = self.log.depth();
        for (pool, old, _) in self.log.frontiers.since(marks) {
            sum.add(frontier_term(*pool, self.pools[*pool as usize].frontier()));
            sum.subtract(frontier_term(*pool, old));
        }
        for (pool, number, old) in self.log.queues.since(marks) {
            let now = &self.pools[*pool as usize].queues[*number as usize];
            sum.add(self.queue_term(*pool, *number, now));
            sum.subtract(self.queue_term(*pool, *number, old));
        }
        for (pool, old, _) in self.log.handed_over.since(marks) {
            let term = |entry: &HandedOver| {
                words(Term::HandedOver, |words| words.add((self.base(entry.object), self.kin_content(entry.freed().0))))
            };
            self.pools[*pool as usize].handed_over.iter().for_each(|entry| sum.add(term(entry)));
            old.iter().for_each(|entry| sum.subtract(term(entry)));
        }
    }

    /// The lives of objects that have ended since the last mark, each as address and generation.
    pub(crate) fn ended_lives(&self) -> impl Iterator<Item = (u64, u32)> {
        let marks = self.log.depth();
        let old = self.log.headers.since(marks).map(|(object, old)| {
            let first = old.generation + u32::from(old.life == Life::Dead);
            (&self.objects[*object as usize].header, first)
        });
        let new = self.touched(marks).map(|(_, object)| (&object.header, 0));
        old.chain(new).flat_map(|(now, first)| {
            let end = now.generation + u32::from(now.life == Life::Dead);
            (first..end).map(|generation| (now.base, generation))
        })
    }

    /// Objects that are new since there are that many marks, and whose older headers are not in the log: the last ones.
    fn touched(&self, marks: u32) -> impl Iterator<Item = (usize, &Object)> {
        let touched = self.objects.iter().enumerate().rev().take_while(move |(_, object)| object.header.stamp >= marks);
        let any = self.objects.last().is_some_and(|object| object.header.stamp >= marks);
        let logged = self.log.headers.since(if any { marks } else { u32::MAX });
        let logged: FxHashSet<u32> = logged.map(|(object, _)| *object).collect();
        touched.filter(move |(index, _)| !logged.contains(&(*index as u32)))
    }

    /// The terms of the bytes of an object that are no longer what they were at first, if it holds that.
    fn content_term(&self, object: u32, contents: &Contents) -> u128 {
        let base = self.base(object);
        self.pages.chunks(contents).fold(0, |sum, (index, chunk)| {
            let place = (base + (index * CHUNK) as u64, self.looked_at(object, index));
            sum.wrapping_add(chunk_term(place, chunk, contents))
        })
    }

    /// From now on these bytes have no terms.
    pub(crate) fn leave_out(&mut self, ignored: &Ignored) {
        self.ignored = Arc::clone(ignored);
    }

    /// The bytes of a chunk of an object that have terms.
    pub(crate) fn looked_at(&self, object: u32, chunk: usize) -> u64 {
        if self.ignored.is_empty() && !self.leaves_counts_out() {
            return u64::MAX;
        }
        let counts = if self.leaves_counts_out() { self.counts_in(object as usize, chunk) } else { 0 };
        let ignored = match self.objects[object as usize].header.kind {
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global) => self.ignored.get(&(global, chunk)).copied(),
            _ => None,
        };
        !(counts | ignored.unwrap_or(0))
    }

    fn header_term(&self, header: &Header, contents: &Contents) -> u128 {
        match header.life {
            Life::Dead if header.next == 0 => 0,
            Life::Dead => words(Term::NextDead, |words| words.add((header.base, self.base(header.next)))),
            life => words(Term::Object, |words| {
                words.add((header.base, header.size, header.kind, life == Life::Live, header.writable));
                words.add(contents.is_zero());
                // Where a block was allocated decides in which queue it waits when it is dead, and so which addresses
                // others get; and which of its bytes are promoted.
                if header.kind == ObjectKind::Heap {
                    words.add(self.stacks.content(header.allocated.stack));
                }
            }),
        }
    }

    fn queue_term(&self, pool: u32, number: u32, queue: &Queue) -> u128 {
        let (head, tail, len) = queue.ends();
        match len {
            0 => 0,
            _ => words(Term::Queue, |words| {
                words.add((pool, self.kin_content(number as usize)));
                words.add((self.base(head), self.base(tail), len));
            }),
        }
    }

    /// What tells the kin that have that number from all others: the number depends on when they were met.
    fn kin_content(&self, number: usize) -> (ObjectKind, u128, u8) {
        let (kind, allocated, class) = self.kin_of_queue(number);
        (kind, self.stacks.content(allocated), class)
    }

    fn base(&self, object: u32) -> u64 {
        self.objects[object as usize].header.base
    }
}

/// By chunk of a variable of the program, or of its copies: the bytes that decide nothing.
pub(crate) type Ignored = Arc<FxHashMap<(GlobalId, usize), u64>>;

/// A sum of terms.
struct Sum(u128);

impl Sum {
    fn add(&mut self, term: u128) {
        self.0 = self.0.wrapping_add(term);
    }

    fn subtract(&mut self, term: u128) {
        self.0 = self.0.wrapping_sub(term);
    }
}

fn frontier_term(pool: u32, frontier: &Frontier) -> u128 {
    words(Term::Frontier, |words| words.add((pool, frontier)))
}

/// The terms of the bytes of a chunk that are not what they were at first: of those of a mask, from that address on.
fn chunk_term(place: (u64, u64), chunk: &Chunk, contents: &Contents) -> u128 {
    let mut sum = Sum(0);
    if !contents.is_fresh(chunk) {
        difference(place, &Chunk::new(contents.fresh(), 0), chunk, contents.is_zero(), &mut sum);
    }
    sum.0
}

/// Adds what makes the terms of `old` those of `new`. Bytes have none that are what they were at first: zeros, or never
/// written. Only those in the mask count.
fn difference((address, mask): (u64, u64), old: &Chunk, new: &Chunk, zero: bool, sum: &mut Sum) {
    let mut differ = old.written ^ new.written;
    let words = old.data.as_chunks().0.iter().zip(new.data.as_chunks().0);
    for (word, (a, b)) in words.enumerate() {
        let (a, b) = (u64::from_le_bytes(*a), u64::from_le_bytes(*b));
        if a != b {
            let bytes = (0..8).filter(|i| (a ^ b) >> (8 * i) & 0xff != 0);
            differ |= bytes.fold(0, |mask, i| mask | 1 << (8 * word + i));
        }
    }
    for i in set_bits(differ & mask) {
        let term = |chunk: &Chunk| match (chunk.written >> i & 1 != 0, chunk.data[i as usize]) {
            (true, 0) if zero => 0,
            (true, value) => byte(address + i, Some(value)),
            (false, _) if zero => byte(address + i, None),
            (false, _) => 0,
        };
        sum.subtract(term(old));
        sum.add(term(new));
    }
}

/// The positions of the set bits.
fn set_bits(mut mask: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let next = (mask != 0).then(|| u64::from(mask.trailing_zeros()));
        mask &= mask.wrapping_sub(1);
        next
    })
}

//! Bytes of which only some bits have a value: bit-fields that were written while their neighbours were not.
//!
//! Memory knows for each byte whether it was written. A byte that is defined in part is unwritten there, and here it
//! has its value and the bits that are undefined. An entry means something only while the byte is unwritten in memory
//! and the object is the one for which it was made; so a complete store need not know of it.
use crate::fingerprint::{self, TermNumbers, words};
use crate::machine::Machine;
use crate::memory::Memory;
use crate::term::Term;
use crate::undefined::SYMBOLIC;
use crate::undo::trail::Trail;
use std::collections::BTreeMap;

/// A byte that is defined in part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Partial {
    value: u8,
    /// The bits without a value; all of them: there is nothing to know.
    undefined: u8,
    /// Which of the objects at its address it belongs to.
    generation: u32,
    /// If it is a byte of a term: which, and the number of the byte. Then all of its bits are undefined.
    term: Option<(Term, u8)>,
    /// The number of marks when it was last noted in the log.
    stamp: u32,
}

/// What is known of a byte that is defined in part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KnownByte {
    address: u64,
    value: u8,
    undefined: u8,
    term: Option<(Term, u8)>,
}

/// All of them, by address, and how to go back.
#[derive(Clone, Default, Debug)]
pub(crate) struct PartialBytes {
    bytes: BTreeMap<u64, Partial>,
    log: Trail<(u64, Option<Partial>)>,
    marks: u32,
    /// There has been a byte of a term.
    has_terms: bool,
}

impl PartialBytes {
    pub(crate) fn mark(&mut self) {
        self.marks += 1;
    }

    pub(crate) fn undo(&mut self) {
        let marks = self.marks;
        self.marks = marks.checked_sub(1).expect("every undo has its mark");
        while let Some((address, old)) = self.log.pop(marks) {
            match old {
                Some(old) => self.bytes.insert(address, old),
                None => self.bytes.remove(&address),
            };
        }
    }

    fn set(&mut self, address: u64, value: u8, undefined: u8, generation: u32) {
        self.put(address, Partial { value, undefined, generation, term: None, stamp: 0 });
    }

    fn put(&mut self, address: u64, byte: Partial) {
        let stamp = self.marks;
        let old = self.bytes.get(&address).copied();
        if stamp > 0 && old.is_none_or(|old| old.stamp < stamp) {
            self.log.push(stamp, (address, old));
        }
        self.has_terms |= byte.term.is_some();
        self.bytes.insert(address, Partial { stamp, ..byte });
    }

    /// The difference between the terms of the bytes now and at the last mark.
    pub(crate) fn changed(&self, numbers: TermNumbers) -> u128 {
        let term = |address: u64, partial: Option<&Partial>| match partial {
            Some(p) if p.undefined != 0xff => {
                words(fingerprint::Term::PartialByte, |words| words.add((address, p.value, p.undefined, p.generation)))
            }
            Some(Partial { term: Some(term), generation, .. }) if numbers == TermNumbers::Count => {
                words(fingerprint::Term::PartialByte, |words| words.add((address, term, generation)))
            }
            // There is nothing to know.
            _ => 0,
        };
        let changes = self
            .log
            .since(self.marks)
            .map(|(address, old)| term(*address, self.bytes.get(address)).wrapping_sub(term(*address, old.as_ref())));
        changes.fold(0, u128::wrapping_add)
    }

    /// All that means something, as text: see [`crate::state_dump`].
    pub(crate) fn whole_state(&self, memory: &Memory) -> impl Iterator<Item = String> {
        let meant = self.bytes.iter().filter(|(address, partial)| {
            let generation = memory.object_at(**address).map(|object| object.generation);
            partial.undefined != 0xff && Some(partial.generation) == generation && !memory.is_written(**address)
        });
        meant.map(|(address, p)| {
            format!("partial {address:#x}: {:x}, undefined {:x}", p.value & !p.undefined, p.undefined)
        })
    }

    /// The bytes of terms that mean something, by address: which term it is, and which byte of that.
    pub(crate) fn terms(&self, memory: &Memory) -> impl Iterator<Item = (u64, Term, u8)> {
        let terms = self.bytes.iter().filter_map(|(address, p)| p.term.map(|term| (*address, p.generation, term)));
        let meant = terms.filter(|(address, generation, _)| {
            let object = memory.object_at(*address).filter(|object| object.live);
            object.is_some_and(|object| object.generation == *generation) && !memory.is_written(*address)
        });
        meant.map(|(address, _, (term, byte))| (address, term, byte))
    }

    /// What is known of each of these bytes, for comparing states.
    pub(crate) fn known(&self) -> Vec<KnownByte> {
        let known = |(&address, p): (&u64, &Partial)| KnownByte {
            address,
            value: p.value,
            undefined: p.undefined,
            term: p.term,
        };
        self.bytes.iter().map(known).collect()
    }
}

impl Machine {
    /// The undefined bits of loaded bytes, of which `unwritten` says which memory does not know; adds the bits that are
    /// known of those to the value.
    pub(crate) fn complete_load(&self, address: u64, value: &mut u64, unwritten: u8) -> u64 {
        let mut shadow = crate::undefined::shadow_of_bytes(unwritten);
        if unwritten == 0 || self.state.partial.bytes.is_empty() {
            return shadow;
        }
        let generation = self.state.memory.object_at(address).map(|object| object.generation);
        for (&at, byte) in self.state.partial.bytes.range(address..address + 8) {
            let shift = 8 * (at - address);
            if shadow >> shift & 0xff != 0 && Some(byte.generation) == generation {
                shadow &= !(0xff << shift);
                shadow |= u64::from(byte.undefined) << shift;
                *value |= u64::from(byte.value & !byte.undefined) << shift;
            }
        }
        shadow
    }

    /// Which of the bytes at an address are bytes of terms, if any are.
    pub(crate) fn terms_in_memory(&self, address: u64, size: u64, unwritten: u8) -> Option<[Option<(Term, u8)>; 8]> {
        if !self.state.partial.has_terms {
            return None;
        }
        let generation = self.state.memory.object_at(address).map(|object| object.generation);
        let mut terms = [None; 8];
        for (&at, byte) in self.state.partial.bytes.range(address..address.saturating_add(size)) {
            let place = (at - address) as usize;
            if unwritten >> place & 1 != 0 && Some(byte.generation) == generation {
                terms[place] = byte.term;
            }
        }
        terms.iter().any(Option::is_some).then_some(terms)
    }

    /// Whether some bits of a byte that memory does not know are known, and not all.
    pub(crate) fn is_partly_known(&self, address: u64) -> bool {
        let generation = self.state.memory.object_at(address).map(|object| object.generation);
        let byte = self.state.partial.bytes.get(&address);
        byte.is_some_and(|byte| byte.undefined != 0xff && Some(byte.generation) == generation)
    }

    /// The bits that are known of bytes that are defined in part, as a part of the bytes at an address.
    pub(crate) fn partly_known(&self, address: u64, size: u64) -> u64 {
        if self.state.partial.bytes.is_empty() {
            return 0;
        }
        let unwritten =
            (0..size).filter(|i| !self.state.memory.is_written(address + i)).fold(0, |mask, i| mask | 1 << i);
        let mut value = 0;
        self.complete_load(address, &mut value, unwritten);
        value
    }

    /// Notes the bytes of a value just stored that are defined in part, and forgets what was known of those that are
    /// not defined at all.
    pub(crate) fn complete_store(&mut self, address: u64, size: u64, value: u64, shadow: u64) {
        if shadow == 0 {
            return;
        }
        let generation = self.state.memory.object_at(address).map_or(0, |object| object.generation);
        if shadow == SYMBOLIC {
            for i in 0..size {
                let term = Some((Term(value as u32), i as u8));
                let byte = Partial { value: 0, undefined: 0xff, generation, term, stamp: 0 };
                self.state.partial.put(address + i, byte);
            }
            return;
        }
        for i in 0..size {
            let (value, undefined) = ((value >> (8 * i)) as u8, (shadow >> (8 * i)) as u8);
            if undefined != 0 && (undefined != 0xff || self.state.partial.bytes.contains_key(&(address + i))) {
                self.state.partial.set(address + i, value, undefined, generation);
            }
        }
    }

    /// Memory was copied: what is known of bytes that are defined in part goes with them.
    pub(crate) fn copy_partial(&mut self, to: u64, from: u64, len: u64) {
        if self.state.partial.bytes.is_empty() {
            return;
        }
        let live = self.state.memory.object_at(from).map(|object| object.generation);
        let sources = self.state.partial.bytes.range(from..from.saturating_add(len));
        let sources: Vec<(u64, Partial)> =
            sources.filter(|(_, p)| Some(p.generation) == live).map(|(at, p)| (*at, *p)).collect();
        self.forget_partial(to, len);
        let generation = self.state.memory.object_at(to).map_or(0, |object| object.generation);
        for (at, byte) in sources {
            self.state.partial.put(to + (at - from), Partial { generation, ..byte });
        }
    }

    /// Bytes became unwritten altogether.
    pub(crate) fn forget_partial(&mut self, from: u64, len: u64) {
        if self.state.partial.bytes.is_empty() {
            return;
        }
        let known: Vec<u64> =
            self.state.partial.bytes.range(from..from.saturating_add(len)).map(|(at, _)| *at).collect();
        for at in known {
            self.state.partial.set(at, 0, 0xff, 0);
        }
    }
}

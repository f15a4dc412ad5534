//! Tallies wherever addresses lead: `me->spins++`, where `me` is a parameter, or in an array, or on the heap.
//!
//! The code does not show who else looks at such a word. So that nobody does is a guess, of which the exploration finds
//! out whether it is true. A thread that comes to stand before an access, and would count on its way back, names the
//! word: the bytes of an object, what that is, and where it was allocated. The exploration starts again
//! ([`Learned::counted`](crate::machine::Learned)). From then on all is noted that reads the word, in all executions
//! and whether the thread has counted or not, by the memory itself ([`memory::counted`](crate::memory)). Reads by
//! instructions that only count there do not matter ([`counting`](super::counting)), nor do reads of which the result
//! decides nothing ([`faint`](crate::waiting::faint)). If anything else reads the word, it is no tally, and the
//! exploration starts again. So where an exploration comes to its end, all executions that it has seen are the same
//! whatever the word held, and those without the turns that were left out stand for those with them.
//!
//! Who looks for blocks that are lost looks everywhere. So an address that stands in such a word, or is stored there at
//! any time, counts as a look: the next turn could lose it.
//!
//! **Atomic updates** without a result count, too. They are actions of which others may learn. But an execution without
//! them is one of the program, in which threads know less of one another: so each race of one with them is one of it.
//! They are shown to the race detector as atomic accesses.
//!
//! **What was counted in a register** may be added up in such a word behind the loop: `stats->spins += spins`. Two
//! places in which the register holds different numbers are alike ([`alike`](crate::waiting::alike)) as long as nobody
//! looks at that word. A proof that relies on it counts only once the word is known as above.
//!
//! **A word without a value**, or with bits that were never given, is read by nobody who only counts: what becomes of
//! such bits could be another matter after another turn.
//!
//! What a word holds is a part of states here. (Turns that are left out do not change it.)
use super::counting::{Address, Counting};
use super::{MOST_ADDED, Passable, Tallied};
use crate::machine::Machine;
use crate::memory::Mode;
use crate::race::RaceLocation;
use crate::value;
use crate::waiting::faint;
use crate::waiting::open::without_operands;
use crate::waiting::walker::{Value, Walker};
use frontend::ir::{FuncId, Inst, Operand, Slot};
use serde::{Deserialize, Serialize};

/// What is known of a word in which threads count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Count {
    pub(crate) is_signed: bool,
    /// Somebody looks at it: it is no tally.
    pub(crate) is_looked_at: bool,
}

impl Machine {
    /// Whether the word is known to be one in which threads count. If that is not known yet, it is from now on, and the
    /// exploration starts again.
    pub(super) fn is_counted(&mut self, tallied: &Tallied) -> bool {
        let Tallied { address, size, is_signed, is_atomic, .. } = *tallied;
        let memory = &self.state.memory;
        let Some(word) = memory.word_to_count_in(address, size) else { return false };
        // (An address that stands there may be the last one that leads to a block. And a value may be given there that
        // a turn could come before.)
        if memory.has_address(address, size.into())
            || memory.has_gaps(address, size.into())
            || !memory.knows_first_values(address)
            || is_atomic && !address.is_multiple_of(size.into())
        {
            return false;
        }
        let count = self.learned.counted.entry(word).or_insert_with(|| {
            self.segment.restart = true;
            Count { is_signed, is_looked_at: false }
        });
        if count.is_signed != is_signed && !count.is_looked_at {
            count.is_looked_at = true;
            self.segment.restart = true;
        }
        !count.is_looked_at && !self.segment.restart
    }

    /// Whether all these are known as words in which threads count and at which nobody looks. Where that is not known
    /// yet, it is to be found out.
    pub(in crate::waiting) fn may_rely_on(&self, words: &[Tallied]) -> bool {
        let unknown = words.iter().filter(|word| !self.is_known_as_counted(word) && self.may_be_counted(word));
        let unknown: Vec<Tallied> = unknown.copied().collect();
        let known = unknown.is_empty() && words.iter().all(|word| self.is_known_as_counted(word));
        self.want_counted(unknown);
        known
    }

    /// Finds out who looks at words on which some proof would rely.
    pub(crate) fn count_where_wanted(&mut self) {
        for word in self.take_wanted() {
            if self.is_quiet(word.address, word.size) {
                self.is_counted(&word);
            }
        }
    }

    /// Whether nobody is known to look at the word.
    pub(super) fn may_be_counted(&self, tallied: &Tallied) -> bool {
        let word = self.state.memory.word_to_count_in(tallied.address, tallied.size);
        word.is_some_and(|word| self.learned.counted.get(&word).is_none_or(|count| !count.is_looked_at))
    }

    /// Whether it is known that threads count in the word, and nobody is known to look at it.
    fn is_known_as_counted(&self, tallied: &Tallied) -> bool {
        let word = self.state.memory.word_to_count_in(tallied.address, tallied.size);
        word.and_then(|word| self.learned.counted.get(&word)).is_some_and(|count| !count.is_looked_at)
    }

    /// Words in which threads count were read, by an access of so many bytes there if that is known. If somebody looks
    /// at one, it is no tally, and the exploration starts again.
    #[cold]
    pub(crate) fn note_read_counts(&mut self, access: Option<(u64, u64)>) {
        let read = self.state.memory.take_read_counts();
        let top = self.thread(self.segment.current).frames.last().map(|frame| (frame.function, frame.pc));
        let at = top.filter(|_| access.is_some());
        let counting = at.and_then(|at| self.program.tallies().counting.get(&at).copied());
        // (What was never given may be so in another way after another turn.)
        let is_given = access.is_some_and(|(address, size)| !self.state.memory.has_gaps(address, size));
        let accessed = access.and_then(|(address, size)| self.state.memory.word_to_count_in(address, size as u8));
        for word in read {
            let Some(count) = self.learned.counted.get(&word).copied().filter(|count| !count.is_looked_at) else {
                continue;
            };
            let is_idle = match (counting, at) {
                _ if !is_given => false,
                (Some(counting), _) => counting.is_signed == count.is_signed && accessed == Some(word),
                (None, Some((function, pc))) => self.tells_nobody(function, pc),
                (None, None) => false,
            };
            if !is_idle {
                self.give_up(word);
            }
        }
    }

    /// Somebody looks at that word: it is no tally, and the exploration starts again.
    fn give_up(&mut self, word: RaceLocation) {
        if let Some(count) = self.learned.counted.get_mut(&word).filter(|count| !count.is_looked_at) {
            count.is_looked_at = true;
            self.segment.restart = true;
        }
    }

    /// Words in which threads count were written. Where an address is stored, the next turn could lose it, and with it
    /// a block: such a word is no tally.
    #[cold]
    pub(crate) fn note_written_counts(&mut self) {
        let memory = &mut self.state.memory;
        let written = memory.take_written_counts();
        let lost = |&(address, word): &(u64, RaceLocation)| {
            memory.word_to_count_in(address, word_bytes(&word)) == Some(word)
                && memory.has_address(address, word_bytes(&word).into())
        };
        let lost: Vec<RaceLocation> = written.iter().filter(|place| lost(place)).map(|(_, word)| *word).collect();
        lost.into_iter().for_each(|word| self.give_up(word));
    }

    /// Whether threads wait that count where an address leads.
    pub fn counts_anywhere(&self) -> bool {
        self.learned.counted.values().any(|count| !count.is_looked_at)
    }

    /// Whether the instruction is a load that tells nobody what it reads, if that is a number.
    fn tells_nobody(&mut self, function: FuncId, pc: u32) -> bool {
        if let Some(&known) = self.lifelong.turns.tell_nobody.get(&(function, pc)) {
            return known;
        }
        let code = &self.program.module.functions[function.index()];
        let loads = matches!(
            code.code[pc as usize],
            Inst::AtomicLoad { .. }
                | Inst::Load8 { .. }
                | Inst::Load16 { .. }
                | Inst::Load32 { .. }
                | Inst::Load64 { .. }
                | Inst::LoadIndexed { .. }
        );
        let tells_nobody = loads && !faint::heeded_number(&self.program, function).is_for_something(code, pc as usize);
        self.lifelong.turns.tell_nobody.insert((function, pc), tells_nobody);
        tells_nobody
    }
}

/// How many bytes the word has.
fn word_bytes(word: &RaceLocation) -> u8 {
    (word.last - word.first + 1) as u8
}

impl Walker<'_> {
    /// Goes through an access that only counts; `None` if it may not be passed.
    pub(super) fn go_through_counting(&mut self, counting: Counting) -> Option<()> {
        let Counting { place, size, result, value, is_signed, is_atomic } = counting;
        let address = self.address(place)?;
        let machine = self.machine;
        // (Addresses may be lost there.)
        let value = value.map(|value| self.get(value));
        let may_be_stored = match (value, self.open) {
            (None, _) => true,
            (Some(Value::Known(value)), _) => !machine.state.memory.is_address(value),
            (Some(Value::Unknown(name)), Some(open)) => open.borrow().is_given(name),
            _ => false,
        };
        if !may_be_stored {
            return None;
        }
        let (writes, in_section) = (value.is_some(), self.holds_mutex());
        let tallied = Tallied { address, size, writes, is_signed, is_atomic, is_pointed: true, in_section };
        let may_pass = match self.passes {
            Passable::Shown(shown) => shown.contains(&tallied),
            // (Where it is proved that places are alike, memory is any.)
            Passable::All if self.open.is_some() => true,
            Passable::Quiet => machine.is_quiet(address, size) && machine.may_be_counted(&tallied),
            // (It goes on for long, and nothing of that is shown.)
            Passable::All => machine.is_quiet(address, size) && machine.is_known_as_counted(&tallied),
        };
        if let Some(Value::Known(value)) = value
            && is_signed
        {
            // (It was 0 for the walker.)
            self.added = self.added.saturating_add(value::sign_extend(8 * size, value).unsigned_abs());
        }
        if !may_pass || self.added > MOST_ADDED {
            return None;
        }
        // (Where places are compared, what is there has a name, the same one for both. So it shows whether they make
        // the same of it.)
        let there = match self.open {
            Some(open) => {
                let nth = Value::Known(self.tallied.len() as u64);
                let name = |inst, other| open.borrow_mut().name(inst, [Value::Known(address), other, nth]);
                if let Some(value) = value {
                    let inst = self.function().code[self.pc() as usize];
                    let made = if is_atomic { name(without_operands(inst), value) } else { value };
                    self.made_of_counts.push((tallied, made));
                }
                name(Inst::Trunc { width: 64, dst: Slot(0), a: Operand(0) }, Value::Known(size.into()))
            }
            None => Value::Known(0),
        };
        self.tallied.push(tallied);
        if let Some(dst) = result {
            self.set(dst, there);
        }
        self.pass();
        Some(())
    }

    /// Where that leads.
    fn address(&self, Address { base, index, offset }: Address) -> Option<u64> {
        let scaled = match index {
            Some((index, scale)) => self.known(index)?.wrapping_mul(scale.into()),
            None => 0,
        };
        let address = self.known(base)?.wrapping_add_signed(offset.into()).wrapping_add(scaled);
        Some(address & self.machine.program.pointer_mask)
    }
}

impl Tallied {
    /// How it is accessed.
    pub(super) fn mode(self) -> Mode {
        if self.is_atomic { Mode::Atomic } else { Mode::Plain }
    }
}

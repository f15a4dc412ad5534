//! Variables of the program in which a thread notes what nobody looks at: `static unsigned long spins;` above functions
//! that count there how often they had to wait.
//!
//! Words to which addresses lead, and those that are accessed atomically, are another matter: [`pointed`].
//!
//! **A tally** is a word of a variable of the program, shared or thread-local, of which the code shows all that is done
//! with it. Constants are stored there, or what was made of what it held before; what was loaded from it goes nowhere
//! else; its address is used for nothing else. So what it holds decides nothing, and nobody ever acts on it. (What it
//! holds are numbers, so that no block on the heap is there only because it leads there.)
//!
//! A walker goes through its accesses as if they were not there. What a turn does to a tally does not keep the thread
//! from having come back, then. Two things about these accesses matter all the same:
//!
//! * *Races.* A thread-local one is accessed by its thread alone. All others are shown to the race detector as what a
//!   turn reads plainly is (see [`plain`](super::plain)): those on ways back when the thread comes to stand there,
//!   those on its way here once more. If one of them races, the variable is no tally any more, and the exploration
//!   starts again. (What is accessed atomically is no tally: an access is an action, and a thread that counts so for
//!   ever does something that others may be told of.)
//! * *Overflow.* A tally that counts in a signed number overflows at last, which is an error. It waits only where that
//!   number is at most half of the largest one, and at most 1,024 is added between two accesses: more than a million
//!   accesses come before it overflows, and they are taken not to be so many
//!   ([`FewTurns`](crate::Assumption::FewTurns)). Such a tally is a shared one: what it holds is looked at when it is
//!   shown to the race detector.
//!
//! Where a thread polls under a mutex, a thread-local variable is no tally: at the end of an execution it is looked at
//! whether that thread changes nothing, and there the first access of such a variable begins its life.
//!
//! What a tally holds is no part of the state either, unless it may overflow, so that a thread that counts for ever
//! comes back to the same state. (Where it is asked who spins, what may overflow is no part of it either.)
//!
//! Two places are alike only if the thread accesses the same tallies from both on, so that no race of a later turn is
//! lost.
mod counting;
mod finder;
mod pointed;

use crate::machine::{Machine, Program};
use crate::memory::Ignored;
use crate::step::Halt;
use crate::value;
use crate::waiting::turn::Ways;
use crate::waiting::walker::{NOWHERE, Value, Walker};
use counting::Counting;
use frontend::ir::{FuncId, GlobalId, Operand, Slot};
pub(crate) use pointed::Count;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What is added to a signed tally between two accesses, at most.
const MOST_ADDED: u64 = 1024;

/// The accesses of all tallies, and what makes the addresses of thread-local ones.
#[derive(Clone, Default, Debug)]
pub(crate) struct Tallies {
    all: FxHashMap<(FuncId, u32), Tally>,
    unsigned: Ignored,
    words: Ignored,
    /// Instructions that only count wherever their addresses lead, besides.
    counting: FxHashMap<(FuncId, u32), Counting>,
}

/// What an instruction does with a tally.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tally {
    /// Where the result of the instruction goes, and whether that is an address.
    result: Option<(Slot, bool)>,
    /// What it stores.
    value: Option<Operand>,
    /// The word, if another thread may access it.
    shared: Option<Word>,
}

/// A word of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Word {
    global: GlobalId,
    offset: u64,
    size: u8,
    /// It is written there.
    writes: bool,
    /// It counts in a signed number.
    is_signed: bool,
}

/// An access of a tally, as it is shown to the race detector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Tallied {
    address: u64,
    size: u8,
    writes: bool,
    is_signed: bool,
    is_atomic: bool,
    /// That the word is a tally is a guess: see [`pointed`].
    is_pointed: bool,
    /// The thread holds the mutex meanwhile under which it polls.
    in_section: bool,
}

impl Tallied {
    /// Whether it counts in a signed number.
    pub(super) fn is_signed(self) -> bool {
        self.is_signed
    }

    /// Whether the thread holds the mutex meanwhile under which it polls.
    pub(super) fn is_in_section(self) -> bool {
        self.in_section
    }
}

/// Which plain accesses of tallies a walker goes through.
#[derive(Clone, Copy, Debug)]
pub(super) enum Passable<'a> {
    /// Those that were shown when the thread came to stand where it does.
    Shown(&'a [Tallied]),
    /// Those of variables that are not known to race.
    Quiet,
    All,
}

impl Tallies {
    /// Finds the tallies of a program.
    pub(crate) fn new(program: &Program) -> Tallies {
        let mut tallies = finder::find(program);
        tallies.counting = counting::find(program);
        tallies.counting.retain(|at, _| !tallies.all.contains_key(at));
        tallies
    }

    /// Those that never overflow: two states that differ in what these hold alone go on in the same way.
    pub(crate) fn unsigned(&self) -> &Ignored {
        &self.unsigned
    }

    /// All of them: what a thread does that goes round with these alone is the same in each turn, for very many turns.
    pub(crate) fn words(&self) -> &Ignored {
        &self.words
    }

    /// Whether the instruction has to do with nothing but a tally.
    pub(super) fn has(&self, function: FuncId, pc: u32) -> bool {
        self.all.contains_key(&(function, pc)) || self.counting.contains_key(&(function, pc))
    }

    /// Whether it counts wherever its address leads.
    pub(super) fn counts_anywhere(&self, function: FuncId, pc: u32) -> bool {
        self.counting.contains_key(&(function, pc))
    }

    /// Whether it accesses one that another thread may access.
    pub(super) fn is_shared(&self, function: FuncId, pc: u32) -> bool {
        let is_shared = self.all.get(&(function, pc)).is_some_and(|tally| tally.shared.is_some());
        is_shared || self.counting.contains_key(&(function, pc))
    }
}

impl Machine {
    /// Whether all these accesses of tallies may be passed. (If it is not known yet of a word that threads count in it,
    /// they may not: the exploration starts again.)
    pub(super) fn may_count(&mut self, tallied: &[Tallied]) -> bool {
        tallied.iter().all(|shown| {
            let &Tallied { address, size, is_signed, is_pointed, .. } = shown;
            let number = || value::sign_extend(8 * size, self.state.memory.peek(address, size.into()));
            self.is_quiet(address, size)
                && !(is_signed && number().unsigned_abs() > 1 << (8 * size - 2))
                && (!is_pointed || self.is_counted(shown))
        })
    }

    /// Shows plain accesses of tallies to the race detector. Whether all of them may be passed.
    pub(crate) fn show_tallied(&mut self, tallied: &[Tallied]) -> Result<bool, Halt> {
        for shown in tallied {
            if !self.may_count(std::slice::from_ref(shown)) {
                return Ok(false);
            }
            let &Tallied { address, size, writes, .. } = shown;
            let object = self.state.memory.object_at(address).expect("it was looked at");
            let awaited = (object.kind, object.allocated.stack);
            if self.learned.awaited.insert(awaited) {
                self.segment.restart |= self.exploration.effects;
            }
            if self.state.memory.has_read_counts() {
                self.note_read_counts(None);
            }
            let origin = self.origin(shown.mode());
            let there = self.state.memory.load(&origin, address, size.into())?;
            // (It looks at nothing.)
            self.state.memory.take_read_counts();
            if writes {
                self.state.memory.store_partial(&origin, address, size.into(), there)?;
            }
        }
        Ok(true)
    }

    /// Whether all that a turn does to tallies, of which that is known, may be passed now.
    pub(super) fn may_pass_tallied(&self, ways: &Ways) -> bool {
        ways.tallied.iter().flatten().all(|tallied| {
            self.is_quiet(tallied.address, tallied.size) && (!tallied.is_pointed || self.may_be_counted(tallied))
        })
    }
}

impl Walker<'_> {
    /// Goes through an access of a tally, or through what makes the address of one; `None` if it is another
    /// instruction, or an access that may race.
    pub(super) fn go_through_tally(&mut self) -> Option<()> {
        let program = &self.machine.program;
        let at = (self.top().function, self.pc());
        if let Some(&counting) = program.tallies().counting.get(&at) {
            return self.go_through_counting(counting);
        }
        let Tally { result, value, shared } = *program.tallies().all.get(&at)?;
        // (The first turn may be the one in which a variable of the thread comes to life.)
        if self.polls.is_some() && shared.is_none() {
            return None;
        }
        if let Some(word) = shared {
            self.pass_word(word, value.map(|value| self.get(value)))?;
        }
        if let Some((dst, is_address)) = result {
            self.set(dst, if is_address { NOWHERE } else { Value::Known(0) });
        }
        self.pass();
        Some(())
    }

    /// Takes note of a plain access of a word, in which a value is stored or not; `None` if it is not to be passed.
    fn pass_word(
        &mut self,
        Word { global, offset, size, writes, is_signed }: Word,
        value: Option<Value>,
    ) -> Option<()> {
        let base = self.machine.program.globals[global.index()];
        let (address, in_section) = (base + offset, self.holds_mutex());
        let tallied = Tallied { address, size, writes, is_signed, is_atomic: false, is_pointed: false, in_section };
        let may_pass = base != 0
            && match self.passes {
                Passable::Shown(shown) => shown.contains(&tallied),
                Passable::Quiet => self.machine.is_quiet(tallied.address, size),
                Passable::All => true,
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
        self.tallied.push(tallied);
        Some(())
    }
}

//! Which operations need not be ordered with others like them, see [`Effect`].
//!
//! *Stores* overwrite, whatever was there. What orders them are the operations that read them, or wait for what they
//! write: [`crate::race`] finds races by what is read. Where blocks on the heap are tracked to the end, whatever can
//! lead to one is read then, also a pointer that was written in pieces. What is read by no action (plainly, after a
//! join) is seen when it is read: stores there are ordered then, and the exploration starts again.
//!
//! By C11 a relaxed store carries on what its thread has released there, unless another thread has stored since. Then a
//! thread that reads it learns of the order of the stores before it, which are not read: where a thread releases and
//! then stores relaxed, stores are ordered.
//!
//! *Updates* whose result is not used (a counter goes up, a flag is added) come to the same in every order. But each of
//! them may acquire what the one before has released, and so the order could decide what races. Here they acquire
//! nothing. That is right if nothing races then: what races in some order does so in this one, where less is ordered.
//! If something does, it may be for this alone: updates are then ordered as everything else, and the exploration starts
//! again.
//!
//! *Sets* are stores to a variable to which no thread ever stores anything else: a flag goes up. What early executions
//! show of that is taken to be so; a store of something else, or any other write there, takes it back, and the
//! exploration starts again. Readers acquire nothing from sets, for it is not known which of them they read: as with
//! updates, a race may be for that alone.
use crate::machine::Machine;
use crate::memory::ObjectKey;
use crate::operation::atomic;
use crate::operation::{Operation, RmwOp};
use crate::race::RaceModel;
use crate::sync::footprint::{accessed, directions};
use crate::thread::{Pending, Resume};
use crate::verdict::fault::Kind;
use por::{Effect, ObjectId, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// Executions after which it is too late to begin again only because several threads store the same.
const EARLY: u32 = 1000;

/// What early executions have stored to variables, by address.
#[derive(Clone, Default, Debug)]
pub(crate) struct Stores {
    /// By address: the value, its size in bytes, the thread that stored it, and whether another thread stored the same.
    seen: FxHashMap<u64, (u64, u8, ThreadId, bool)>,
    /// A second thread stored the same, for the first time.
    news: bool,
    /// How many executions are over.
    executions: u32,
    /// Which threads have released something at which place.
    releases: FxHashSet<(ThreadId, u64)>,
}

/// What is stored by an operation that does nothing else.
fn stored(operation: &Operation) -> Option<u64> {
    match *operation {
        Operation::AtomicStore { address, size, value, undefined: [0, 0], .. }
        | Operation::Store { address, size, value, undefined: [0, 0] }
            if address % 8 + u64::from(size) <= 8 =>
        {
            Some(value[0])
        }
        _ => None,
    }
}

impl Machine {
    /// See [`por::System::effect`].
    pub(crate) fn effect_of(&self, pending: &Pending) -> Effect {
        // (A machine that was not asked for observers does not look for what is read where no action says so; nor does
        // an action say what an atomic block reads.) (Terms have no words that could be compared.)
        let is_ordered = pending.place.is_some() || self.program.block_object.is_some() || self.learned.reads_inputs;
        if !self.exploration.effects || is_ordered {
            return Effect::Ordered;
        }
        if self.is_set(pending) {
            return Effect::Sets;
        }
        match pending.operation {
            Operation::AtomicStore { address, .. } | Operation::Store { address, .. } if self.overwrites(address) => {
                Effect::Overwrites
            }
            Operation::AtomicRmw { op, address, size, unused: true, .. }
                if self.updates_commute()
                    && !pending.in_block
                    && matches!(pending.resume, Resume::Instruction)
                    && address % 8 + u64::from(size) <= 8 =>
            {
                kind(op).map_or(Effect::Ordered, Effect::Updates)
            }
            _ => Effect::Ordered,
        }
    }

    /// Whether a store there is read by no operation that does not say so.
    fn overwrites(&self, address: u64) -> bool {
        let is_read_at_the_end = self.program.allocates && self.program.options.checks.contains(Kind::Leak);
        let has_no_room = || self.state.memory.is_too_small_to_lead_anywhere(address, self.program.pointer_bytes);
        let is_read_plainly = self.learned.ordered_stores || self.learned.read_plainly.contains(&(address & !7));
        !is_read_plainly && !self.is_awaited(address) && (!is_read_at_the_end || has_no_room())
    }

    /// An operation has been executed: whether others of its kind are ordered with it only if an operation says that it
    /// reads what it stored.
    pub(crate) fn note_blind_store(&mut self, pending: &Pending) {
        if self.effect_of(pending) == Effect::Overwrites
            && let Some((address, size)) = accessed(&pending.operation)
        {
            self.state.memory.note_blind(address, size.into());
        }
    }

    /// Something was read or written by what is no action (plainly after a join, say). If it was stored to blindly,
    /// stores there are ordered from now on, and the exploration starts again: a read would see the last one, and
    /// whoever reads what was written plainly would be taken to see it.
    pub(crate) fn note_blind_accesses(&mut self) {
        if let Some(address) = self.state.memory.take_blind_access() {
            self.order_stores(address);
        }
    }

    /// A store or update is executed that releases something, or a store that carries on what its thread has released
    /// there.
    pub(crate) fn note_release_sequence(&mut self, pending: &Pending, releases: bool) {
        if !self.exploration.effects || self.state.memory.race.model() != RaceModel::C11 {
            return;
        }
        let Some((address, size)) = accessed(&pending.operation) else { return };
        for address in [address, address + u64::from(size) - 1] {
            let release = (self.segment.current, address & !7);
            if releases {
                self.lifelong.stores.releases.insert(release);
            } else if !directions(&pending.operation).0 && self.lifelong.stores.releases.contains(&release) {
                self.order_stores(address);
            }
        }
    }

    /// Stores there are ordered from now on; if they were not, the exploration starts again.
    fn order_stores(&mut self, address: u64) {
        let place = address & !7;
        let is_new = match self.state.memory.variable_at(address, 1) {
            Some(_) => self.learned.read_plainly.insert(place),
            None => !std::mem::replace(&mut self.learned.ordered_stores, true),
        };
        self.segment.restart |= is_new;
    }

    /// Whether the operation stores to a variable what all others do.
    pub(crate) fn is_set(&self, pending: &Pending) -> bool {
        let Some(stored) = stored(&pending.operation).filter(|_| self.sets_commute()) else { return false };
        let Some((address, size)) = accessed(&pending.operation) else { return false };
        self.learned.sets.get(&address).is_some_and(|&(value, bytes)| {
            bytes == size && stored == value && !pending.in_block && !self.is_awaited(address)
        })
    }

    fn sets_commute(&self) -> bool {
        // (The clock shows what was acquired.)
        let options = &self.program.options;
        self.exploration.effects && options.same_values && !self.learned.ordered_sets && !self.learned.clock
    }

    /// An operation is executed: what that says of the places where every thread stores the same.
    pub(crate) fn note_stored(&mut self, pending: &Pending) {
        if !self.sets_commute() {
            return;
        }
        let Some((address, size)) = accessed(&pending.operation).filter(|_| directions(&pending.operation).1) else {
            return;
        };
        let value = stored(&pending.operation).filter(|_| !pending.in_block);
        // (A variable of eight bytes may begin before.)
        let near = self.learned.sets.range(address.saturating_sub(7)..address.saturating_add(size.into()));
        let unlike = |&(&other, &(set, bytes)): &(&u64, &(u64, u8))| {
            other + u64::from(bytes) > address && (other, bytes, Some(set)) != (address, size, value)
        };
        let broken: Vec<u64> = near.filter(unlike).map(|(&other, _)| other).collect();
        broken.iter().for_each(|&other| self.stop_setting(other));
        if self.learned.sets.contains_key(&address) {
            self.lifelong.has_set = true;
            return;
        }
        if self.lifelong.stores.executions >= EARLY
            || self.learned.unlike.contains(&address)
            || self.state.memory.variable_at(address, size.into()).is_none()
        {
            return;
        }
        let Some(value) = value else {
            self.learned.unlike.insert(address);
            return;
        };
        let me = self.segment.current;
        match self.lifelong.stores.seen.entry(address) {
            Entry::Vacant(entry) => {
                entry.insert((value, size, me, false));
            }
            Entry::Occupied(mut entry) => {
                let (first, first_size, thread, shared) = entry.get_mut();
                if (*first, *first_size) == (value, size) {
                    self.lifelong.stores.news |= *thread != me && !*shared;
                    *shared |= *thread != me;
                } else {
                    self.learned.unlike.insert(address);
                }
            }
        }
    }

    /// An execution is over. If an early one shows where several threads store the same, the exploration starts again
    /// with that.
    pub(crate) fn learn_sets(&mut self) {
        self.lifelong.stores.executions = self.lifelong.stores.executions.saturating_add(1);
        if !std::mem::take(&mut self.lifelong.stores.news) || !self.sets_commute() {
            return;
        }
        for (&address, &(value, size, _, shared)) in &self.lifelong.stores.seen {
            if shared && !self.learned.unlike.contains(&address) {
                self.segment.restart |= self.learned.sets.insert(address, (value, size)).is_none();
            }
        }
    }

    /// Something else is written there.
    fn stop_setting(&mut self, address: u64) {
        self.learned.unlike.insert(address);
        self.segment.restart |= self.learned.sets.remove(&address).is_some();
    }

    /// See [`por::System::is_no_set`].
    pub(crate) fn stop_setting_in(&mut self, object: ObjectId) {
        if let ObjectKey::InMemory { base, offset, .. } = self.state.memory.ids.key(object) {
            let granule = (base + offset) & !7;
            let there: Vec<u64> = self.learned.sets.range(granule..granule + 8).map(|(&address, _)| address).collect();
            there.into_iter().for_each(|address| self.stop_setting(address));
        }
    }

    fn updates_commute(&self) -> bool {
        let options = &self.program.options;
        self.exploration.effects && options.commuting_updates && !self.learned.ordered_updates && !self.learned.clock
    }

    /// Something races. Whether that may be so only because nothing was acquired from sets, or by updates: then they
    /// are ordered from now on, and the exploration starts again.
    pub(crate) fn order_commuting(&mut self) -> bool {
        if self.lifelong.has_set && self.sets_commute() {
            self.learned.ordered_sets = true;
            self.segment.restart = true;
            return true;
        }
        let doubtful = self.lifelong.commuted && self.updates_commute();
        self.learned.ordered_updates |= doubtful;
        self.segment.restart |= doubtful;
        doubtful
    }
}

/// A number for the updates that commute with one another.
fn kind(op: RmwOp) -> Option<u8> {
    Some(match op {
        RmwOp::Add | RmwOp::Sub => 0,
        RmwOp::And => 1,
        RmwOp::Or => 2,
        RmwOp::Xor => 3,
        RmwOp::SMax => 4,
        RmwOp::SMin => 5,
        RmwOp::UMax => 6,
        RmwOp::UMin => 7,
        _ => return None,
    })
}

/// What an update leaves where the granule held this word.
pub(crate) fn updated(operation: &Operation, word: u64) -> u64 {
    let Operation::AtomicRmw { op, address, size, value, .. } = *operation else {
        unreachable!("only read-modify-writes update")
    };
    let (shift, mask) = (8 * (address % 8), u64::MAX >> (64 - 8 * u32::from(size)));
    let new = atomic::update(op, size, u128::from(word >> shift & mask), u128::from(value[0]));
    let new = new.expect("integers are modelled exactly") as u64;
    word & !(mask << shift) | new << shift
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::ir::Ordering;

    #[test]
    fn updates_change_their_bytes_alone() {
        let ordering = Ordering::Relaxed;
        let rmw = |op, size, value| Operation::AtomicRmw {
            op,
            address: 18,
            size,
            ordering,
            unused: true,
            value: [value, 0],
            undefined: [0; 2],
        };
        assert_eq!(updated(&rmw(RmwOp::Add, 2, 1), 0x1111_2222_ffff_3333), 0x1111_2222_0000_3333);
        assert_eq!(updated(&rmw(RmwOp::Sub, 1, 2), 0x0000_0000_0001_0000), 0x0000_0000_00ff_0000);
        assert_eq!(updated(&rmw(RmwOp::Or, 4, 0x8000_0001), 0x2_0000), 0x8000_0003_0000);
        let whole = Operation::AtomicRmw {
            op: RmwOp::Xor,
            address: 16,
            size: 8,
            ordering,
            unused: true,
            value: [u64::MAX, 0],
            undefined: [0; 2],
        };
        assert_eq!(updated(&whole, 1), u64::MAX - 1);
    }

    /// In which order they come makes no difference to what is left.
    #[test]
    fn kinds_commute() {
        use RmwOp::{Add, And, Or, SMax, SMin, Sub, UMax, UMin, Xor};
        let all = [Add, Sub, And, Or, Xor, SMax, SMin, UMax, UMin];
        let values = [0u128, 1, 0x7f, 0x80, 0xff];
        for (x, y) in all.iter().flat_map(|x| all.iter().map(move |y| (*x, *y))).filter(|(x, y)| kind(*x) == kind(*y)) {
            for [a, b, old] in values.iter().flat_map(|a| values.map(|b| values.map(|old| [*a, b, old])).concat()) {
                let then =
                    |first, a, second, b| atomic::update(second, 1, atomic::update(first, 1, old, a).unwrap(), b);
                assert_eq!(then(x, a, y, b), then(y, b, x, a), "{x:?} {a}, {y:?} {b} on {old}");
            }
        }
    }
}

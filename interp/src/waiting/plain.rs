//! What a turn reads besides, without an action: plain memory that nothing races for.
//!
//! While a thread waits, nobody may change that memory. So the thread reads it once, for the race detector, when it
//! comes to stand before the access at which it may wait. Whoever writes there while it waits races with that, for
//! nothing of the thread is ordered before what others do behind it. Then the object is not waited for any more, and
//! the exploration starts again; as it does if this read races only because the thread has not learned yet what it
//! would have learned from the access.
//!
//! What is read may depend on what the access reads. So all is read that is read on some way back.
//!
//! If a turn has several accesses, the thread has taken some of them when it waits, and has read what lies between.
//! That is read once more as well. For it may have been before an action of the thread by which others know of the
//! read, so that they may write there.
use crate::machine::Machine;
use crate::memory::{Mode, ObjectKind};
use crate::step::Halt;
use crate::waiting::MOST;
use crate::waiting::alike::MOST_WAYS;
use crate::waiting::open::Open;
use crate::waiting::tally::Tallied;
use crate::waiting::turn::{PlainRead, Turn, TurnId, Ways};
use crate::waiting::walker::{Stop, Value, Walker};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// Instructions on all ways, at most.
const LONGEST: u32 = 1 << 14;

impl Machine {
    /// Notes what the turn reads on its way on, with what is there now; and reads once more what the thread has read on
    /// its way here. If that has changed, or may not be waited for, the turn begins here.
    pub(super) fn read_on_the_way(&mut self, turn: &mut Turn) -> Result<(), Halt> {
        if !self.looks_for_races() || self.has_terms() {
            return Ok(());
        }
        let passed: Vec<PlainRead> = self
            .lifelong
            .turns
            .since(turn.since)
            .flat_map(|turn| turn.passed.iter().chain(&turn.plain))
            .copied()
            .collect();
        let tallied = self.lifelong.turns.since(turn.since).flat_map(|turn| turn.tallied.iter().flatten());
        let tallied: Vec<Tallied> = tallied.copied().collect();
        if !self.read_again(&passed)? || !self.show_tallied(&tallied)? {
            turn.since = TurnId::NONE;
        }
        if !self.lifelong.turns.reads_plainly(turn) {
            return Ok(());
        }
        let ways = self.ways_of(turn);
        turn.passed = ways.passed.as_slice().into();
        if self.read_again(&ways.back)? {
            turn.plain = ways.back.as_slice().into();
        }
        let [back, passed] = &ways.tallied;
        turn.tallied[1] = passed.as_slice().into();
        if self.show_tallied(back)? {
            turn.tallied[0] = back.as_slice().into();
        }
        Ok(())
    }

    /// What the turn reads, as it is known or as it is found.
    fn ways_of(&mut self, turn: &Turn) -> Arc<Ways> {
        let is_as_now = |read: &PlainRead| {
            self.is_quiet(read.address, read.size)
                && self.state.memory.peek(read.address, read.size.into()) == read.value
        };
        let known = self.lifelong.turns.ways.get(turn);
        if let Some(known) =
            known.filter(|known| !known.stops && known.all.iter().all(is_as_now) && self.may_pass_tallied(known))
        {
            return Arc::clone(known);
        }
        let ways = Arc::new(self.plain_reads(turn));
        self.lifelong.turns.ways.insert(turn.clone(), Arc::clone(&ways));
        ways
    }

    /// Reads all that, for the race detector. Whether it is as it was, and may be waited for.
    fn read_again(&mut self, reads: &[PlainRead]) -> Result<bool, Halt> {
        for read in reads {
            if !self.is_quiet(read.address, read.size) {
                return Ok(false);
            }
            let object = self.state.memory.object_at(read.address).expect("it was looked at");
            let awaited = (object.kind, object.allocated.stack);
            if self.learned.awaited.insert(awaited) {
                self.segment.restart |= self.exploration.effects;
            }
            let origin = self.origin(Mode::Plain);
            let there = self.state.memory.load(&origin, read.address, read.size.into())?;
            if there.unwritten != 0 || there.value != read.value {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the turn reads without an action before the next access, whatever the access reads: on ways that lead back,
    /// and on all that lead to an access. (That is a matter of the place and of this memory, for whether a thread waits
    /// may not depend on what others have done meanwhile that has nothing to do with it.)
    fn plain_reads(&self, turn: &Turn) -> Ways {
        let mut ways_on = Ways::default();
        let open = RefCell::new(Open::new(LONGEST));
        let read = open.borrow_mut().begin(0);
        let mut ways = vec![FxHashMap::default()];
        let mut count = 0;
        while let Some(way) = ways.pop() {
            open.borrow_mut().decide(&way);
            let mut walker = Walker::reading_anything(self, turn, &open);
            let on_way = walker.finish_access(read).and_then(|()| self.reads_of_way(&mut walker, &mut ways_on));
            count += 1;
            if count > MOST_WAYS || open.borrow().has_spent_all() {
                return Ways { stops: ways_on.stops, all: ways_on.all, ..Ways::default() };
            }
            let asked = open.borrow().asked();
            if let Some(name) = asked {
                for holds in [false, true] {
                    let mut more = way.clone();
                    more.insert(name, holds);
                    ways.push(more);
                }
                continue;
            }
            let Some(reads) = on_way else { continue };
            let since = self.lifelong.turns.since(turn.since);
            let does_any = !reads.is_empty() || !walker.tallied.is_empty();
            if does_any && std::iter::once(turn).chain(since).any(|turn| self.is_back(&walker, turn)) {
                add_all(&mut ways_on.back, &reads);
                add_all(&mut ways_on.tallied[0], &walker.tallied);
            }
            add_all(&mut ways_on.passed, &reads);
            add_all(&mut ways_on.tallied[1], &walker.tallied);
        }
        ways_on
    }

    /// Goes on to the next action; `None` if it comes to none, or reads something on the way that is not to be waited
    /// for. What it reads.
    fn reads_of_way(&self, walker: &mut Walker<'_>, ways: &mut Ways) -> Option<Vec<PlainRead>> {
        let mut reads = Vec::new();
        while walker.go_on() == Stop::Access {
            let loaded = walker.plain_load().map(|word| vec![word]);
            let plain = loaded.or_else(|| walker.slept().map(Vec::from)).unwrap_or_default();
            if plain.is_empty() || !plain.iter().all(|&(address, size)| self.is_quiet(address, size)) {
                ways.stops |= !plain.is_empty();
                return Some(reads);
            }
            for (address, size) in plain {
                let read = PlainRead { address, size, value: walker.peek((address, size))? };
                add_all(&mut reads, &[read]);
                add_all(&mut ways.all, &[read]);
            }
            if reads.len() > MOST {
                return None;
            }
            walker.finish_access(Value::Known(walker.read_now()?))?;
        }
        None
    }

    /// Whether the memory is there, has a value, is accessed by no action, and may be waited for.
    pub(super) fn is_quiet(&self, address: u64, size: u8) -> bool {
        let memory = &self.state.memory;
        let Some(object) = memory.object_at(address).filter(|object| object.live && size <= 8) else { return false };
        let waits = matches!(object.kind, ObjectKind::Global(_) | ObjectKind::Heap | ObjectKind::Stack(..));
        waits
            && address - object.base + u64::from(size) <= object.size
            && memory.visible_bytes(address, size.into()) == 0
            && !memory.is_promoted_mortal(address)
            && (matches!(object.kind, ObjectKind::Global(_)) || !memory.has_gaps(address, size.into()))
            && !self.learned.racing.contains(&(object.kind, object.allocated.stack))
    }
}

/// Adds those that are not there yet.
fn add_all<T: Copy + PartialEq>(all: &mut Vec<T>, more: &[T]) {
    for new in more {
        if !all.contains(new) {
            all.push(*new);
        }
    }
}

//! Packing frames: values that are never alive at the same time share slots.
//!
//! Frames are saved at every event of the exploration, so that small ones matter. Slots that an instruction reads or
//! writes together form a unit and stay together. Units are alive over intervals of the code (from liveness by
//! block), and intervals that do not overlap may get the same slots, first come first served.
use super::function::Unit;
use crate::ir::liveness::{block_end, live_in, successors};
use crate::ir::{Function, Heeds, Inst, Operand, Pc, Slot, Visitor};

/// Renumbers the slots of a function whose slots are cut into `units`. Parameters keep their places. `labels` are
/// the blocks that computed gotos may lead to.
pub(super) fn pack(function: &mut Function, units: &[Unit], labels: &[Pc]) {
    if function.code.is_empty() {
        let params: u32 = function.params.iter().map(|p| p.slots).sum();
        function.frame_slots = params;
        return;
    }
    let params: u32 = function.params.iter().map(|p| p.slots).sum();
    let units = joined(function, units);
    let mut unit_of = vec![0; function.frame_slots as usize];
    for (number, unit) in units.iter().enumerate() {
        unit_of[unit.start as usize..(unit.start + unit.len) as usize].fill(number);
    }
    let intervals = intervals(function, &units, &unit_of, params, labels);
    let (places, frame) = assign(&units, &intervals, params);
    let mut renumber = Renumber { units: &units, unit_of: &unit_of, places: &places };
    for index in 0..function.code.len() {
        function.visit(index, &mut renumber);
    }
    function.frame_slots = frame;
}

/// Units that some instruction reads or writes across become one.
fn joined(function: &Function, units: &[Unit]) -> Vec<Unit> {
    // `together[i]`: slot i belongs to the same unit as slot i - 1.
    let mut together = vec![false; function.frame_slots as usize];
    let mut join = |first: u32, n: u32| {
        for slot in first + 1..first + n {
            together[slot as usize] = true;
        }
    };
    for unit in units {
        join(unit.start, unit.len);
    }
    for index in 0..function.code.len() {
        function.reads(index, |operand, n| {
            if let Some(slot) = operand.as_slot() {
                join(slot.0, n);
            }
        });
        function.writes(index, |slot, n| join(slot.0, n));
    }
    let mut joined: Vec<Unit> = Vec::new();
    for (slot, together) in together.into_iter().enumerate() {
        match joined.last_mut() {
            Some(last) if together => last.len += 1,
            _ => joined.push(Unit { start: slot as u32, len: 1 }),
        }
    }
    joined
}

/// From where to where a unit is alive, in twice the index of the instruction: reads are at even places, writes that
/// may share a slot with what was read at odd ones.
#[derive(Clone, Copy)]
struct Interval {
    from: u32,
    to: u32,
}

impl Interval {
    const NEVER: Interval = Interval { from: u32::MAX, to: 0 };

    fn include(&mut self, place: u32) {
        self.from = self.from.min(place);
        self.to = self.to.max(place);
    }
}

fn intervals(function: &Function, units: &[Unit], unit_of: &[usize], params: u32, labels: &[Pc]) -> Vec<Interval> {
    let live_in = live_in(function, labels, &Heeds::new());
    let mut intervals = vec![Interval::NEVER; units.len()];
    for slot in 0..params {
        intervals[unit_of[slot as usize]].include(0);
    }
    for (number, block) in function.blocks.iter().enumerate() {
        let end = block_end(function, number);
        // Slots alive where the block begins, and where one of its successors does.
        for slot in live_in[number].iter() {
            intervals[unit_of[slot]].include(2 * block.0);
        }
        for successor in successors(function, number, labels) {
            for slot in live_in[successor].iter() {
                intervals[unit_of[slot]].include(2 * end + 1);
            }
        }
    }
    for index in 0..function.code.len() {
        let here = 2 * index as u32;
        let reuses = may_reuse(&function.code[index]);
        function.reads(index, |operand, _| {
            if let Some(slot) = operand.as_slot() {
                intervals[unit_of[slot.index()]].include(here);
            }
        });
        function.writes(index, |slot, _| {
            let interval = &mut intervals[unit_of[slot.index()]];
            interval.include(here + 1);
            if !reuses {
                interval.include(here);
            }
        });
    }
    intervals
}

/// The result may take the place of an operand: one word is written, after everything was read.
fn may_reuse(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Add(_)
            | Inst::Sub(_)
            | Inst::Mul(_)
            | Inst::And(_)
            | Inst::Or(_)
            | Inst::Xor(_)
            | Inst::Shl(_)
            | Inst::LShr(_)
            | Inst::AShr(_)
            | Inst::Int { .. }
            | Inst::ICmp { .. }
            | Inst::Trunc { .. }
            | Inst::Sext { .. }
            | Inst::Copy { .. }
            | Inst::Select { .. }
            | Inst::Freeze { .. }
            | Inst::Address { .. }
            | Inst::AddressOffset { .. }
            | Inst::Load8 { .. }
            | Inst::Load16 { .. }
            | Inst::Load32 { .. }
            | Inst::Load64 { .. }
            | Inst::LoadIndexed { .. }
    )
}

/// Gives units their first slots; says how many slots there are.
fn assign(units: &[Unit], intervals: &[Interval], params: u32) -> (Vec<u32>, u32) {
    let mut places = vec![0; units.len()];
    let mut order: Vec<usize> = (0..units.len()).filter(|u| intervals[*u].from != u32::MAX).collect();
    order.sort_by_key(|u| (intervals[*u].from, *u));
    // Per slot of the new frame: when it is free again.
    let mut free_from: Vec<u32> = vec![0; params as usize];
    for unit in 0..units.len() {
        if units[unit].start < params {
            places[unit] = units[unit].start;
            for slot in units[unit].start..units[unit].start + units[unit].len {
                if slot as usize >= free_from.len() {
                    free_from.push(0);
                }
                free_from[slot as usize] = intervals[unit].to + 1;
            }
        }
    }
    for unit in order {
        if units[unit].start < params {
            continue;
        }
        let (len, interval) = (units[unit].len as usize, intervals[unit]);
        let is_free = |slot: usize, free_from: &[u32]| free_from.get(slot).is_none_or(|from| *from <= interval.from);
        let place = (0..).find(|place| (*place..place + len).all(|slot| is_free(slot, &free_from)));
        let place = place.expect("there is always room at the end");
        if free_from.len() < place + len {
            free_from.resize(place + len, 0);
        }
        free_from[place..place + len].fill(interval.to + 1);
        places[unit] = place as u32;
    }
    (places, free_from.len() as u32)
}

struct Renumber<'a> {
    units: &'a [Unit],
    unit_of: &'a [usize],
    places: &'a [u32],
}

impl Renumber<'_> {
    fn slot(&self, slot: Slot) -> Slot {
        let unit = self.unit_of[slot.index()];
        Slot(self.places[unit] + slot.0 - self.units[unit].start)
    }
}

impl Visitor for Renumber<'_> {
    fn read(&mut self, operand: &mut Operand, _: u32) {
        if let Some(slot) = operand.as_slot() {
            *operand = Operand::slot(self.slot(slot));
        }
    }

    fn write(&mut self, slot: &mut Slot, _: u32) {
        *slot = self.slot(*slot);
    }
}

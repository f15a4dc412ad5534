//! Merging a value with the copy that a phi takes of it, so that no copy is left to do.
//!
//! Two slots may become one if neither is written while the other is still needed. Slots that are copied to one another
//! are tried in the order of the code; what is known of two slots is joined when they become one.
use super::function::Unit;
use crate::ir::liveness::{block_end, live_in, live_out};
use crate::ir::{Function, Heeds, Inst, Operand, Pc, Slot, Visitor};

/// More slots than this are left alone: the table of conflicts is quadratic.
const MAX_RELATED: usize = 8192;

/// Merges slots that are copied to one another where that is possible. Copies of a slot to itself remain.
pub(super) fn merge(function: &mut Function, units: &[Unit], labels: &[Pc]) {
    let copies = copies(function, units);
    let mut related: Vec<u32> = copies.iter().flat_map(|(dst, a)| [*dst, *a]).collect();
    related.sort_unstable();
    related.dedup();
    if related.is_empty() || related.len() > MAX_RELATED {
        return;
    }
    let mut conflicts = conflicts(function, &related, labels);
    let number = |slot: u32| related.binary_search(&slot).expect("copied slots are related");
    let params: u32 = function.params.iter().map(|p| p.slots).sum();
    let mut leader: Vec<usize> = (0..related.len()).collect();
    let find = |leader: &[usize], mut of: usize| {
        while leader[of] != of {
            of = leader[of];
        }
        of
    };
    for (dst, a) in copies {
        let (x, y) = (find(&leader, number(dst)), find(&leader, number(a)));
        // Parameters keep their places, so that the smaller slot leads.
        let (first, second) = (x.min(y), x.max(y));
        if first == second || related[second] < params || conflicts.between(first, second) {
            continue;
        }
        leader[second] = first;
        conflicts.join(first, second);
    }
    let mut place: Vec<u32> = (0..function.frame_slots).collect();
    for (index, slot) in related.iter().enumerate() {
        place[*slot as usize] = related[find(&leader, index)];
    }
    let mut renumber = Renumber(place);
    for index in 0..function.code.len() {
        function.visit(index, &mut renumber);
    }
}

/// Copies between slots that stand alone.
fn copies(function: &Function, units: &[Unit]) -> Vec<(u32, u32)> {
    let mut alone = vec![false; function.frame_slots as usize];
    for unit in units.iter().filter(|unit| unit.len == 1) {
        alone[unit.start as usize] = true;
    }
    // Some instructions take several neighbours at once.
    for index in 0..function.code.len() {
        let mut together = |first: u32, n: u32| {
            if n > 1 {
                alone[first as usize..(first + n) as usize].fill(false);
            }
        };
        function.writes(index, |slot, n| together(slot.0, n));
        function.reads(index, |operand, n| {
            if let Some(slot) = operand.as_slot() {
                together(slot.0, n);
            }
        });
    }
    let copied = function.code.iter().filter_map(|inst| match inst {
        Inst::Copy { dst, a } => Some((dst.0, a.as_slot()?.0)),
        _ => None,
    });
    copied.filter(|(dst, a)| alone[*dst as usize] && alone[*a as usize] && dst != a).collect()
}

/// Which of the related slots must stay apart, as a square of bits.
struct Conflicts {
    words: usize,
    rows: Vec<u64>,
}

impl Conflicts {
    fn mark(&mut self, a: usize, b: usize) {
        self.rows[a * self.words + b / 64] |= 1 << (b % 64);
        self.rows[b * self.words + a / 64] |= 1 << (a % 64);
    }

    fn between(&self, a: usize, b: usize) -> bool {
        self.rows[a * self.words + b / 64] >> (b % 64) & 1 != 0
    }

    /// Whatever conflicts with `b` now conflicts with `a` too.
    fn join(&mut self, a: usize, b: usize) {
        for other in 0..self.rows.len() / self.words {
            if self.between(b, other) {
                self.mark(a, other);
            }
        }
    }
}

fn conflicts(function: &Function, related: &[u32], labels: &[Pc]) -> Conflicts {
    let words = related.len().div_ceil(64);
    let mut conflicts = Conflicts { words, rows: vec![0; words * related.len()] };
    let live_in = live_in(function, labels, &Heeds::new());
    let number = |slot: u32| related.binary_search(&slot).ok();
    for block in 0..function.blocks.len() {
        let mut live = live_out(function, block, &live_in, labels);
        for index in (function.blocks[block].index()..=block_end(function, block) as usize).rev() {
            let source = match function.code[index] {
                Inst::Copy { a, .. } => a.as_slot(),
                _ => None,
            };
            function.writes(index, |slot, n| {
                for written in (slot.0..slot.0 + n).filter_map(number) {
                    for (other, slot) in related.iter().enumerate() {
                        let same = other == written || source == Some(Slot(*slot));
                        if !same && live.contains(*slot as usize) {
                            conflicts.mark(written, other);
                        }
                    }
                }
            });
            live.step(function, index, None);
        }
    }
    // Parameters are all written before the code begins.
    let params: u32 = function.params.iter().map(|p| p.slots).sum();
    for (param, _) in related.iter().enumerate().filter(|(_, slot)| **slot < params) {
        for (other, slot) in related.iter().enumerate() {
            if other != param && (*slot < params || live_in[0].contains(*slot as usize)) {
                conflicts.mark(param, other);
            }
        }
    }
    conflicts
}

struct Renumber(Vec<u32>);

impl Visitor for Renumber {
    fn read(&mut self, operand: &mut Operand, _: u32) {
        if let Some(slot) = operand.as_slot() {
            *operand = Operand::slot(Slot(self.0[slot.index()]));
        }
    }

    fn write(&mut self, slot: &mut Slot, _: u32) {
        *slot = Slot(self.0[slot.index()]);
    }
}

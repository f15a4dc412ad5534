//! Sequences that become one operation.
use super::{Op, Place, Widen};
use frontend::ir::{Pc, Slot};

/// The operation at a place, together with those behind it if they go together.
pub(super) fn fuse(ops: &[Op], at: usize) -> Op {
    let together = match ops[at] {
        Op::Widen(widen) => ops.get(at + 1).and_then(|next| widened(widen, *next)),
        Op::Jump { target } => jump(ops, target),
        Op::Add32I { nsw, dst, a, b } if dst == a => {
            i16::try_from(b as i32).ok().and_then(|step| count32(ops, at + 1, nsw, step, a))
        }
        Op::Add64I { nsw, dst, a, b } if dst == a => {
            i16::try_from(b as i64).ok().and_then(|step| count64(ops, at + 1, nsw, step, a))
        }
        _ => None,
    };
    together.unwrap_or(ops[at])
}

/// A sign extension and what uses its result.
fn widened(widen: Widen, next: Op) -> Option<Op> {
    let Widen { dst: wide, a: narrow } = widen;
    let fits = |place: Place| place.index == wide;
    let a = narrow;
    Some(match next {
        Op::Add64 { nsw, dst, a, b } => Op::WidenAdd64 { nsw, widen, dst, a, b },
        Op::Address { dst, place } if fits(place) => Op::WidenAddress { a, dst, place },
        Op::LoadAt1 { dst, place } if fits(place) => Op::WidenLoadAt1 { a, dst, place },
        Op::LoadAt2 { dst, place } if fits(place) => Op::WidenLoadAt2 { a, dst, place },
        Op::LoadAt4 { dst, place } if fits(place) => Op::WidenLoadAt4 { a, dst, place },
        Op::LoadAt8 { dst, place } if fits(place) => Op::WidenLoadAt8 { a, dst, place },
        Op::StoreAt1 { place, value } if fits(place) => Op::WidenStoreAt1 { a, place, value },
        Op::StoreAt2 { place, value } if fits(place) => Op::WidenStoreAt2 { a, place, value },
        Op::StoreAt4 { place, value } if fits(place) => Op::WidenStoreAt4 { a, place, value },
        Op::StoreAt8 { place, value } if fits(place) => Op::WidenStoreAt8 { a, place, value },
        _ => return None,
    })
}

/// A jump to the comparison at the head of a loop.
fn jump(ops: &[Op], header: Pc) -> Option<Op> {
    Some(match ops[header.index()] {
        Op::BranchSlt32 { a, b, paths } => Op::LoopSlt32 { header, a, b, paths },
        Op::BranchSlt32I { a, b, paths } => Op::LoopSlt32I { header, a, b, paths },
        Op::BranchSlt64 { a, b, paths } => Op::LoopSlt64 { header, a, b, paths },
        Op::BranchSlt64I { a, b, paths } => Op::LoopSlt64I { header, a, b, paths },
        _ => return None,
    })
}

fn count32(ops: &[Op], at: usize, nsw: bool, step: i16, counter: Slot) -> Option<Op> {
    Some(match jump(ops, target(ops, at)?)? {
        Op::LoopSlt32 { header, a, b, paths } if a == counter => Op::Count32 { nsw, step, header, a, b, paths },
        Op::LoopSlt32I { header, a, b, paths } if a == counter => Op::Count32I { nsw, step, header, a, b, paths },
        _ => return None,
    })
}

fn count64(ops: &[Op], at: usize, nsw: bool, step: i16, counter: Slot) -> Option<Op> {
    Some(match jump(ops, target(ops, at)?)? {
        Op::LoopSlt64 { header, a, b, paths } if a == counter => Op::Count64 { nsw, step, header, a, b, paths },
        _ => return None,
    })
}

fn target(ops: &[Op], at: usize) -> Option<Pc> {
    match *ops.get(at)? {
        Op::Jump { target } => Some(target),
        _ => None,
    }
}

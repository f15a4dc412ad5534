//! Sequences that become one operation.
use super::{Op, Place, Widen};
use frontend::ir::Slot;

/// The operation at a place, together with those behind it if they go together.
pub(super) fn fuse(ops: &[Op], at: usize) -> Op {
    let Some(next) = ops.get(at + 1) else {
        return ops[at];
    };
    let together = match ops[at] {
        Op::Widen(widen) => widened(widen, *next),
        Op::Add32I { nsw, dst, a, b } if dst == a => {
            i16::try_from(b as i32).ok().and_then(|step| count32(*next, nsw, step, a))
        }
        Op::Add64I { nsw, dst, a, b } if dst == a => {
            i16::try_from(b as i64).ok().and_then(|step| count64(*next, nsw, step, a))
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

/// Counting and the comparison at the end of a loop.
fn count32(next: Op, nsw: bool, step: i16, counter: Slot) -> Option<Op> {
    match next {
        Op::BranchSlt32 { a, b, paths } if a == counter => Some(Op::Count32 { nsw, step, a, b, paths }),
        Op::BranchSlt32I { a, b, paths } if a == counter => Some(Op::Count32I { nsw, step, a, b, paths }),
        _ => None,
    }
}

/// The same with 64 bits.
fn count64(next: Op, nsw: bool, step: i16, counter: Slot) -> Option<Op> {
    match next {
        Op::BranchSlt64 { a, b, paths } if a == counter => Some(Op::Count64 { nsw, step, a, b, paths }),
        Op::BranchSlt64I { a, b, paths } if a == counter => Some(Op::Count64I { nsw, step, a, b, paths }),
        _ => None,
    }
}

//! Sequences that become one operation.
use super::{Op, Place, Reg, Test, TestI, Widen};

/// The operation at a place, together with those behind it if they go together.
pub(super) fn fuse(ops: &[Op], at: usize) -> Op {
    let Some(next) = ops.get(at + 1) else {
        return ops[at];
    };
    let together = match ops[at] {
        Op::Widen(widen) => widened(widen, *next).map(|two| match &ops[at + 2..] {
            [Op::Widen(column), load, ..] => element(two, *column, *load),
            [third, ..] => decided(two, *third),
            [] => two,
        }),
        Op::Mul32(mul) => match *next {
            Op::Add32(add) => Some(Op::MulAdd32 { mul, add }),
            _ => None,
        },
        Op::Slt32 { not, dst, a, b } => match *next {
            Op::Branch { condition, paths } if condition == dst => Some(Op::Slt32Branch { not, dst, a, b, paths }),
            _ => None,
        },
        Op::Add32I(add) if add.dst == add.a => {
            i16::try_from(add.b as i32).ok().and_then(|step| count32(*next, add.nsw, step, add.a)).or(match *next {
                Op::Jump { target } => Some(Op::AddJump32I { add, target }),
                _ => None,
            })
        }
        Op::Add64I(add) if add.dst == add.a => {
            i16::try_from(add.b as i64).ok().and_then(|step| count64(*next, add.nsw, step, add.a))
        }
        _ => None,
    };
    together.unwrap_or(ops[at])
}

/// A sign extension and what uses its result.
fn widened(widen: Widen, next: Op) -> Option<Op> {
    let Widen { dst: wide, a } = widen;
    let fits = |place: Place| place.index == wide;
    Some(match next {
        Op::Add64(add) => Op::WidenAdd64 { widen, add },
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

/// The address of a row, together with the load of one of its elements if they go together.
fn element(op: Op, column: Widen, load: Op) -> Op {
    let Op::WidenAddress { a, dst: row, place } = op else { return op };
    let fits = |at: Place| at.base == row && at.index == column.dst && at.offset == 0 && column.dst != row;
    match load {
        Op::LoadAt4 { dst, place: at } if fits(at) => {
            Op::WidenRowLoadAt4 { a, row, place, column, scale: at.scale, dst }
        }
        Op::LoadAt8 { dst, place: at } if fits(at) => {
            Op::WidenRowLoadAt8 { a, row, place, column, scale: at.scale, dst }
        }
        _ => op,
    }
}

/// An operation, together with a decision behind it if they go together.
fn decided(op: Op, next: Op) -> Op {
    // There is always a slot with 0.
    let equal = match next {
        Op::BranchEq(test) => Some(test),
        Op::BranchEqI(TestI { a, b: 0, paths }) => Some(Test { a, b: Reg::ZERO, paths }),
        _ => None,
    };
    match (op, next, equal) {
        (Op::WidenAdd64 { widen, add }, Op::BranchSlt64(test), _) => Op::WidenAdd64Slt64 { widen, add, test },
        (Op::WidenAdd64 { widen, add }, Op::BranchSlt64I(test), _) => Op::WidenAdd64Slt64I { widen, add, test },
        (Op::WidenLoadAt1 { a, dst, place }, _, Some(test)) => Op::WidenLoadAt1Eq { a, dst, place, test },
        (Op::WidenLoadAt4 { a, dst, place }, _, Some(test)) => Op::WidenLoadAt4Eq { a, dst, place, test },
        (Op::WidenLoadAt4 { a, dst, place }, Op::BranchSlt32(test), _) => Op::WidenLoadAt4Slt32 { a, dst, place, test },
        _ => op,
    }
}

/// Counting and the comparison at the end of a loop.
fn count32(next: Op, nsw: bool, step: i16, counter: Reg) -> Option<Op> {
    match next {
        Op::BranchSlt32(Test { a, b, paths }) if a == counter => Some(Op::Count32 { nsw, step, a, b, paths }),
        Op::BranchSlt32I(TestI { a, b, paths }) if a == counter => Some(Op::Count32I { nsw, step, a, b, paths }),
        _ => None,
    }
}

/// The same with 64 bits.
fn count64(next: Op, nsw: bool, step: i16, counter: Reg) -> Option<Op> {
    match next {
        Op::BranchSlt64(Test { a, b, paths }) if a == counter => Some(Op::Count64 { nsw, step, a, b, paths }),
        Op::BranchSlt64I(TestI { a, b, paths }) if a == counter => Some(Op::Count64I { nsw, step, a, b, paths }),
        _ => None,
    }
}

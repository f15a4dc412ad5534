//! When arithmetic on terms does not fit.
use crate::machine::Machine;
use crate::term::{Op, Term};
use frontend::ir::OverflowOp;

impl Machine {
    /// Whether the result of an operation on terms of up to 64 bits does not fit into as many: a single bit.
    pub(super) fn overflows(&mut self, op: OverflowOp, a: Term, b: Term) -> Term {
        let terms = &mut self.lifelong.symbols.terms;
        let width = terms.width(a);
        let (operation, signed) = match op {
            OverflowOp::SAdd => (Op::Add, true),
            OverflowOp::SSub => (Op::Sub, true),
            OverflowOp::SMul => (Op::Mul, true),
            OverflowOp::UAdd => (Op::Add, false),
            OverflowOp::USub => return terms.binary(Op::Ult, a, b),
            OverflowOp::UMul => (Op::Mul, false),
        };
        // Wide enough for every result.
        let wide = if operation == Op::Mul { 2 * width } else { width + 1 };
        let (a, b) = match signed {
            true => (terms.sext(a, wide), terms.sext(b, wide)),
            false => (terms.zext(a, wide), terms.zext(b, wide)),
        };
        let whole = terms.binary(operation, a, b);
        let low = terms.extract(whole, 0, width);
        let back = if signed { terms.sext(low, wide) } else { terms.zext(low, wide) };
        let fits = terms.binary(Op::Eq, whole, back);
        terms.not(fits)
    }
}

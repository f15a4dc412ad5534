//! Values that a walker does not know: they have names, and conditions on them are decided one way and the other.
use crate::value;
use crate::waiting::walker::Value;
use frontend::ir::{Bin, CastKind, Float, FloatOp, Inst, IntOp, Operand, Slot, flags};
use rustc_hash::FxHashMap;

/// What walkers that go through the same accesses know of values.
#[derive(Debug)]
pub(super) struct Open {
    /// How many names stand for any number. Those behind them are of what was computed.
    any: u32,
    /// What was computed, without its operands.
    computed: Vec<Inst>,
    /// The numbers of what was computed from these.
    from: FxHashMap<[Value; 3], Vec<u32>>,
    /// The conditions that hold, and those that do not.
    decided: FxHashMap<u32, bool>,
    /// A condition that was not decided yet.
    asked: Option<u32>,
    /// What of these is known to count turns.
    counts: Counts,
    /// Instructions that walkers may still execute.
    left: u32,
    /// By name of what was computed: whether all of it was given.
    given: Vec<bool>,
}

/// What is known of an unknown value where it is met.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Origin {
    /// From which number on it has counted turns.
    pub(super) from: From,
    /// All bits of it were given, so that it may be printed, and it is no address. (What is read may never have been.)
    pub(super) given: bool,
}

impl Open {
    /// Nothing is known, and so many instructions may be executed.
    pub(super) fn new(left: u32) -> Self {
        Open {
            any: 0,
            computed: Vec::new(),
            from: FxHashMap::default(),
            decided: FxHashMap::default(),
            asked: None,
            counts: Counts::default(),
            left,
            given: Vec::new(),
        }
    }

    /// From now on there are so many names that stand for any number, and no others. Returns a new one.
    pub(super) fn begin(&mut self, any: u32) -> Value {
        self.begin_with(&vec![Origin::default(); any as usize])
    }

    /// The same, and that is known of each of them.
    pub(super) fn begin_with(&mut self, origins: &[Origin]) -> Value {
        let any = origins.len() as u32;
        self.counts = Counts { origins: origins.to_vec(), more: FxHashMap::default() };
        self.any = any + 1;
        self.computed.clear();
        self.given.clear();
        self.from.clear();
        Value::Unknown(any)
    }

    /// From now on these conditions are decided.
    pub(super) fn decide(&mut self, decided: &FxHashMap<u32, bool>) {
        self.decided.clone_from(decided);
        self.asked = None;
    }

    /// The name of what that instruction, without its operands, makes of these.
    pub(super) fn name(&mut self, inst: Inst, operands: [Value; 3]) -> Value {
        let is_given = |operand: &Value| match *operand {
            Value::Known(_) => true,
            Value::Unknown(name) => self.is_given(name),
            Value::Own(..) => false,
        };
        // (What is read has a name, too.)
        let all_given = written(inst).is_some() && operands.iter().all(is_given);
        let Open { any, computed, given, from, .. } = self;
        let numbers = from.entry(operands).or_default();
        let known = numbers.iter().copied().find(|&number| computed[number as usize] == inst);
        let number = known.unwrap_or_else(|| {
            let number = computed.len() as u32;
            computed.push(inst);
            given.push(all_given);
            numbers.push(number);
            number
        });
        Value::Unknown(*any + number)
    }

    /// Whether the instruction adds a small number to what counts turns, so that it fails only after very many; that of
    /// this name does so, too, then.
    pub(super) fn counts(&mut self, inst: Inst, operands: [Value; 3], name: Value) -> bool {
        let Value::Unknown(name) = name else { return false };
        self.counts.count(inst, operands, name)
    }

    /// What is known of the value of that name.
    pub(super) fn origin(&self, name: u32) -> Origin {
        Origin { from: self.counts.of(name).map(|(from, _)| from), given: self.is_given(name) }
    }

    /// Whether all bits of it were given.
    pub(super) fn is_given(&self, name: u32) -> bool {
        match name.checked_sub(self.any) {
            Some(computed) => self.given.get(computed as usize).is_some_and(|given| *given),
            None => self.counts.origins.get(name as usize).is_some_and(|origin| origin.given),
        }
    }

    /// Whether the condition of that name holds. If that is not decided, it is noted.
    pub(super) fn ask(&mut self, name: u32) -> Option<bool> {
        let known = self.decided.get(&name).copied();
        if known.is_none() {
            self.asked.get_or_insert(name);
        }
        known
    }

    /// The condition that was not decided, if there was one.
    pub(super) fn asked(&self) -> Option<u32> {
        self.asked
    }

    /// One instruction more. Whether it is one too many.
    pub(super) fn is_spent(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.has_spent_all()
    }

    /// No instruction is left.
    pub(super) fn spend_all(&mut self) {
        self.left = 0;
    }

    /// Whether no instruction is left.
    pub(super) fn has_spent_all(&self) -> bool {
        self.left == 0
    }
}

/// From which number on a value has counted turns, in each of two copies of a thread; `None` if it may be another one.
pub(super) type From = Option<[u64; 2]>;

/// What is added to a number between two accesses, at most, and how often.
const STEP: u64 = 64;
const STEPS: u8 = 16;

/// Values that count turns: a small number is added to them now and then, and nothing else. If they are small where
/// that begins, they do not overflow before very many turns.
#[derive(Default, Debug)]
struct Counts {
    /// Of the names that stand for any number.
    origins: Vec<Origin>,
    /// Of what was computed: how often something was added, too.
    more: FxHashMap<u32, ([u64; 2], u8)>,
}

impl Counts {
    fn of(&self, name: u32) -> Option<([u64; 2], u8)> {
        let any = self.origins.get(name as usize).and_then(|origin| origin.from).map(|from| (from, 0));
        any.or_else(|| self.more.get(&name).copied())
    }

    /// Notes that what has this name counts turns as well, if it does.
    fn count(&mut self, inst: Inst, [left, right, _]: [Value; 3], name: u32) -> bool {
        let (bin, counts, step) = match (inst, left, right) {
            (Inst::Add(bin) | Inst::Sub(bin), Value::Unknown(counts), Value::Known(step))
            | (Inst::Add(bin), Value::Known(step), Value::Unknown(counts)) => (bin, counts, step),
            _ => return false,
        };
        let signed = |number| value::sign_extend(bin.width, number).unsigned_abs();
        // (From half of the largest number on it takes more than a million accesses to overflow.)
        let is_small = |number: &u64| signed(*number) <= 1 << (bin.width - 2);
        let Some((from, steps)) = self.of(counts).filter(|_| bin.flags == flags::NSW && bin.width >= 32) else {
            return false;
        };
        let counts = steps < STEPS && signed(step) <= STEP && from.iter().all(is_small);
        if counts {
            self.more.insert(name, (from, steps + 1));
        }
        counts
    }
}

/// The operands of an instruction that computes something.
pub(super) fn operands(inst: Inst) -> [Option<Operand>; 3] {
    match inst {
        Inst::Add(b)
        | Inst::Sub(b)
        | Inst::Mul(b)
        | Inst::And(b)
        | Inst::Or(b)
        | Inst::Xor(b)
        | Inst::Shl(b)
        | Inst::LShr(b)
        | Inst::AShr(b)
        | Inst::UDiv(b)
        | Inst::SDiv(b)
        | Inst::URem(b)
        | Inst::SRem(b) => [Some(b.a), Some(b.b), None],
        Inst::ICmp { a, b, .. } | Inst::UseAddress { a, b, .. } => [Some(a), Some(b), None],
        Inst::Int { a, b, .. } => [Some(a), Some(b), None],
        Inst::FunnelShift { a, b, c, .. } => [Some(a), Some(b), Some(c)],
        Inst::Float { a, b, .. } | Inst::FCmp { a, b, .. } if is_of_words(inst) => [Some(a), Some(b), None],
        Inst::Bits { a, .. } | Inst::FloatUnary { a, .. } | Inst::Cast { a, .. } if is_of_words(inst) => {
            [Some(a), None, None]
        }
        Inst::Trunc { a, .. } | Inst::Sext { a, .. } => [Some(a), None, None],
        Inst::Address { base, index, .. } => [Some(base), Some(index), None],
        Inst::AddressOffset { base, .. } => [Some(base), None, None],
        Inst::AtomicLoad { address, .. }
        | Inst::Load8 { address, .. }
        | Inst::Load16 { address, .. }
        | Inst::Load32 { address, .. }
        | Inst::Load64 { address, .. }
        | Inst::LoadBits { address, .. } => [Some(address), None, None],
        Inst::LoadIndexed { base, index, .. } => [Some(base), Some(index), None],
        Inst::AtomicRmw { address, value, .. } => [Some(address), Some(value), None],
        Inst::CompareExchange { address, expected, new, .. } => [Some(address), Some(expected), Some(new)],
        _ => [None; 3],
    }
}

/// Whether the operands of a less common operation, and what it comes to, have a slot each.
pub(super) fn is_of_words(inst: Inst) -> bool {
    match inst {
        Inst::Float { format, .. } | Inst::FloatUnary { format, .. } | Inst::FCmp { format, .. } => {
            format != Float::F80
        }
        Inst::Bits { width, .. } => width <= 64,
        Inst::Cast { from, to, .. } => from <= 64 && to <= 64,
        _ => true,
    }
}

/// Where the result of an instruction that computes something goes.
pub(super) fn written(inst: Inst) -> Option<Slot> {
    match inst {
        Inst::Add(b)
        | Inst::Sub(b)
        | Inst::Mul(b)
        | Inst::And(b)
        | Inst::Or(b)
        | Inst::Xor(b)
        | Inst::Shl(b)
        | Inst::LShr(b)
        | Inst::AShr(b)
        | Inst::UDiv(b)
        | Inst::SDiv(b)
        | Inst::URem(b)
        | Inst::SRem(b) => Some(b.dst),
        Inst::Bits { dst, .. }
        | Inst::Float { dst, .. }
        | Inst::FloatUnary { dst, .. }
        | Inst::FCmp { dst, .. }
        | Inst::Cast { dst, .. } => is_of_words(inst).then_some(dst),
        Inst::Int { dst, .. }
        | Inst::FunnelShift { dst, .. }
        | Inst::ICmp { dst, .. }
        | Inst::Trunc { dst, .. }
        | Inst::Sext { dst, .. }
        | Inst::Address { dst, .. }
        | Inst::AddressOffset { dst, .. } => Some(dst),
        _ => None,
    }
}

/// The instruction without its operands and its result: what two of them at different places have in common.
pub(super) fn without_operands(inst: Inst) -> Inst {
    const NONE: Operand = Operand(0);
    const NOWHERE: Slot = Slot(0);
    let bare = |b: Bin| Bin { dst: NOWHERE, a: NONE, b: NONE, ..b };
    match inst {
        Inst::Add(b) => Inst::Add(bare(b)),
        Inst::Sub(b) => Inst::Sub(bare(b)),
        Inst::Mul(b) => Inst::Mul(bare(b)),
        Inst::And(b) => Inst::And(bare(b)),
        Inst::Or(b) => Inst::Or(bare(b)),
        Inst::Xor(b) => Inst::Xor(bare(b)),
        Inst::Shl(b) => Inst::Shl(bare(b)),
        Inst::LShr(b) => Inst::LShr(bare(b)),
        Inst::AShr(b) => Inst::AShr(bare(b)),
        Inst::UDiv(b) => Inst::UDiv(bare(b)),
        Inst::SDiv(b) => Inst::SDiv(bare(b)),
        Inst::URem(b) => Inst::URem(bare(b)),
        Inst::SRem(b) => Inst::SRem(bare(b)),
        Inst::ICmp { predicate, width, .. } => Inst::ICmp { predicate, width, dst: NOWHERE, a: NONE, b: NONE },
        Inst::UseAddress { what, .. } => Inst::UseAddress { what, a: NONE, b: NONE },
        Inst::Int { op, width, .. } => Inst::Int { op, width, dst: NOWHERE, a: NONE, b: NONE },
        Inst::Bits { op, width, .. } => Inst::Bits { op, width, dst: NOWHERE, a: NONE },
        Inst::FunnelShift { left, width, .. } => {
            Inst::FunnelShift { left, width, dst: NOWHERE, a: NONE, b: NONE, c: NONE }
        }
        Inst::Float { op, format, .. } => Inst::Float { op, format, dst: NOWHERE, a: NONE, b: NONE },
        Inst::FloatUnary { op, format, .. } => Inst::FloatUnary { op, format, dst: NOWHERE, a: NONE },
        Inst::FCmp { predicate, format, .. } => Inst::FCmp { predicate, format, dst: NOWHERE, a: NONE, b: NONE },
        Inst::Cast { kind, from, to, .. } => Inst::Cast { kind, from, to, dst: NOWHERE, a: NONE },
        Inst::Trunc { width, .. } => Inst::Trunc { width, dst: NOWHERE, a: NONE },
        Inst::Sext { from, to, .. } => Inst::Sext { from, to, dst: NOWHERE, a: NONE },
        Inst::Address { scale, offset, .. } => Inst::Address { dst: NOWHERE, base: NONE, index: NONE, scale, offset },
        Inst::AddressOffset { offset, .. } => Inst::AddressOffset { dst: NOWHERE, base: NONE, offset },
        Inst::AtomicLoad { size, ordering, .. } => Inst::AtomicLoad { size, ordering, dst: NOWHERE, address: NONE },
        Inst::Load8 { offset, .. } => Inst::Load8 { dst: NOWHERE, address: NONE, offset },
        Inst::Load16 { offset, .. } => Inst::Load16 { dst: NOWHERE, address: NONE, offset },
        Inst::Load32 { offset, .. } => Inst::Load32 { dst: NOWHERE, address: NONE, offset },
        Inst::Load64 { offset, .. } => Inst::Load64 { dst: NOWHERE, address: NONE, offset },
        Inst::LoadBits { bits, offset, .. } => Inst::LoadBits { bits, dst: NOWHERE, address: NONE, offset },
        Inst::LoadIndexed { size, scale, offset, .. } => {
            Inst::LoadIndexed { size, scale, dst: NOWHERE, base: NONE, index: NONE, offset }
        }
        Inst::AtomicRmw { op, size, ordering, unused, .. } => {
            Inst::AtomicRmw { op, size, ordering, unused, dst: NOWHERE, address: NONE, value: NONE }
        }
        Inst::CompareExchange { size, success, failure, .. } => {
            Inst::CompareExchange { size, success, failure, dst: NOWHERE, address: NONE, expected: NONE, new: NONE }
        }
        other => other,
    }
}

/// Whether what the instruction computes of these operands may be an error.
pub(super) fn may_fail(inst: Inst, [_, right, _]: [Value; 3]) -> bool {
    // (The number by which something is divided or shifted is mostly known.)
    let right_is = |fits: &dyn Fn(u64) -> bool| matches!(right, Value::Known(right) if fits(right));
    match inst {
        Inst::Add(b) | Inst::Sub(b) | Inst::Mul(b) => b.flags != 0,
        Inst::Shl(b) | Inst::LShr(b) | Inst::AShr(b) => b.flags != 0 || !right_is(&|count| count < u64::from(b.width)),
        Inst::UDiv(b) | Inst::URem(b) => b.flags != 0 || !right_is(&|divisor| divisor != 0),
        Inst::SDiv(b) | Inst::SRem(b) => {
            let minus_one = u64::MAX >> (64 - b.width.min(64));
            b.flags != 0 || !right_is(&|divisor| divisor != 0 && divisor != minus_one)
        }
        // (Some have no exact model. A number may not fit into an integer.)
        Inst::Float { op, .. } => op == FloatOp::Pow,
        Inst::FloatUnary { .. } => true,
        Inst::Cast { kind, .. } => matches!(kind, CastKind::FloatToSigned | CastKind::FloatToUnsigned),
        Inst::Int { op, .. } => matches!(op, IntOp::SShlSat | IntOp::UShlSat),
        _ => false,
    }
}

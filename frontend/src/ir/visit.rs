//! Which slots an instruction reads and writes: the one place that knows, used by the checker, by the packing of
//! frames and by code that tracks properties of values.
use super::{Float, Function, Inst, Operand, Pc, Slot};

/// Gets every operand and every destination of an instruction, reads before writes.
pub trait Visitor {
    /// `slots` consecutive slots (or constants) from `operand` on are read.
    fn read(&mut self, operand: &mut Operand, slots: u32);
    /// `slots` consecutive slots from `slot` on are written.
    fn write(&mut self, slot: &mut Slot, slots: u32);
}

/// Slots of an integer or floating-point value of that many bits.
pub fn slots_of_bits(bits: u32) -> u32 {
    if bits > 64 { 2 } else { 1 }
}

impl Float {
    /// Slots of a value of this format.
    pub fn slots(self) -> u32 {
        match self {
            Float::F32 | Float::F64 => 1,
            Float::F80 => 2,
        }
    }
}

impl Inst {
    /// Visits the operands and destinations. Arguments and results of calls are not here but in the call site; see
    /// [`Function::visit`].
    pub fn visit(&mut self, v: &mut impl Visitor) {
        match self {
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
            | Inst::SRem(b) => {
                v.read(&mut b.a, 1);
                v.read(&mut b.b, 1);
                v.write(&mut b.dst, 1);
            }
            Inst::Int { dst, a, b, .. } | Inst::ICmp { dst, a, b, .. } => {
                v.read(a, 1);
                v.read(b, 1);
                v.write(dst, 1);
            }
            Inst::Bits { width, dst, a, .. } => {
                let n = slots_of_bits(u32::from(*width));
                v.read(a, n);
                v.write(dst, n);
            }
            Inst::FunnelShift { dst, a, b, c, .. } => {
                v.read(a, 1);
                v.read(b, 1);
                v.read(c, 1);
                v.write(dst, 1);
            }
            Inst::Overflow { width, dst, a, b, .. } => {
                let n = slots_of_bits(u32::from(*width));
                v.read(a, n);
                v.read(b, n);
                v.write(dst, n + 1);
            }
            Inst::Trunc { dst, a, .. }
            | Inst::Sext { dst, a, .. }
            | Inst::Copy { dst, a }
            | Inst::Freeze { dst, a } => {
                v.read(a, 1);
                v.write(dst, 1);
            }
            Inst::Wide { dst, a, b, .. } => {
                v.read(a, 2);
                v.read(b, 2);
                v.write(dst, 2);
            }
            Inst::WideICmp { dst, a, b, .. } => {
                v.read(a, 2);
                v.read(b, 2);
                v.write(dst, 1);
            }
            Inst::Float { format, dst, a, b, .. } => {
                let n = format.slots();
                v.read(a, n);
                v.read(b, n);
                v.write(dst, n);
            }
            Inst::FloatUnary { format, dst, a, .. } => {
                v.read(a, format.slots());
                v.write(dst, format.slots());
            }
            Inst::FusedMulAdd { format, dst, a, b, c } => {
                let n = format.slots();
                v.read(a, n);
                v.read(b, n);
                v.read(c, n);
                v.write(dst, n);
            }
            Inst::FCmp { format, dst, a, b, .. } => {
                v.read(a, format.slots());
                v.read(b, format.slots());
                v.write(dst, 1);
            }
            Inst::Cast { kind: _, from, to, dst, a } => {
                v.read(a, slots_of_bits(u32::from(*from)));
                v.write(dst, slots_of_bits(u32::from(*to)));
            }
            Inst::CopyN { n, dst, a } => {
                v.read(a, *n);
                v.write(dst, *n);
            }
            Inst::Select { dst, c, a, b } => {
                v.read(c, 1);
                v.read(a, 1);
                v.read(b, 1);
                v.write(dst, 1);
            }
            Inst::Poison { dst, a, c } => {
                v.read(a, 1);
                v.read(c, 1);
                v.write(dst, 1);
            }
            Inst::ExtractDynamic { n, stride, dst, vector, index } => {
                v.read(vector, u32::from(*n) * u32::from(*stride));
                v.read(index, 1);
                v.write(dst, u32::from(*stride));
            }
            Inst::InsertDynamic { n, stride, dst, index, value } => {
                let all = u32::from(*n) * u32::from(*stride);
                // The other elements keep their values, so that the whole vector is read too.
                let mut whole = Operand::slot(*dst);
                v.read(&mut whole, all);
                v.read(index, 1);
                v.read(value, u32::from(*stride));
                v.write(dst, all);
            }
            Inst::Undef { dst }
            | Inst::ThreadLocal { dst, .. }
            | Inst::StackSave { dst }
            | Inst::FrameAddress { dst } => {
                v.write(dst, 1);
            }
            Inst::Address { dst, base, index, .. } => {
                v.read(base, 1);
                v.read(index, 1);
                v.write(dst, 1);
            }
            Inst::AddressOffset { dst, base, .. } => {
                v.read(base, 1);
                v.write(dst, 1);
            }
            Inst::Load8 { dst, address, .. }
            | Inst::Load16 { dst, address, .. }
            | Inst::Load32 { dst, address, .. }
            | Inst::Load64 { dst, address, .. } => {
                v.read(address, 1);
                v.write(dst, 1);
            }
            Inst::LoadBits { bits, dst, address, .. } => {
                v.read(address, 1);
                v.write(dst, slots_of_bits(u32::from(*bits)));
            }
            Inst::LoadIndexed { dst, base, index, .. } => {
                v.read(base, 1);
                v.read(index, 1);
                v.write(dst, 1);
            }
            Inst::Store8 { address, value, .. }
            | Inst::Store16 { address, value, .. }
            | Inst::Store32 { address, value, .. }
            | Inst::Store64 { address, value, .. } => {
                v.read(address, 1);
                v.read(value, 1);
            }
            Inst::StoreBits { bits, address, value, .. } => {
                v.read(address, 1);
                v.read(value, slots_of_bits(u32::from(*bits)));
            }
            Inst::StoreIndexed { base, index, value, .. } => {
                v.read(base, 1);
                v.read(index, 1);
                v.read(value, 1);
            }
            Inst::MemCopy { to, from, len } | Inst::MemMove { to, from, len } => {
                v.read(to, 1);
                v.read(from, 1);
                v.read(len, 1);
            }
            Inst::MemSet { to, value, len } => {
                v.read(to, 1);
                v.read(value, 1);
                v.read(len, 1);
            }
            Inst::Alloca { dst, count, .. } => {
                v.read(count, 1);
                v.write(dst, 1);
            }
            Inst::UseAddress { a, b, .. } => {
                v.read(a, 1);
                v.read(b, 1);
            }
            Inst::LifetimeStart { address } | Inst::LifetimeEnd { address } => v.read(address, 1),
            Inst::StackRestore { saved } => v.read(saved, 1),
            Inst::AtomicLoad { size, dst, address, .. } => {
                v.read(address, 1);
                v.write(dst, slots_of_bits(u32::from(*size) * 8));
            }
            Inst::AtomicStore { size, address, value, .. } => {
                v.read(address, 1);
                v.read(value, slots_of_bits(u32::from(*size) * 8));
            }
            Inst::AtomicRmw { size, dst, address, value, .. } => {
                let n = slots_of_bits(u32::from(*size) * 8);
                v.read(address, 1);
                v.read(value, n);
                v.write(dst, n);
            }
            Inst::CompareExchange { size, dst, address, expected, new, .. } => {
                let n = slots_of_bits(u32::from(*size) * 8);
                v.read(address, 1);
                v.read(expected, n);
                v.read(new, n);
                v.write(dst, n + 1);
            }
            Inst::Branch { condition, .. } => v.read(condition, 1),
            Inst::BranchICmp { a, b, .. } => {
                v.read(a, 1);
                v.read(b, 1);
            }
            Inst::Switch { value, .. } => v.read(value, 1),
            Inst::IndirectJump { target } => v.read(target, 1),
            Inst::Return { n, value } => {
                if *n > 0 {
                    v.read(value, *n);
                }
            }
            Inst::CallIndirect { callee, .. } => v.read(callee, 1),
            Inst::VaStart { ap } | Inst::VaEnd { ap } => v.read(ap, 1),
            Inst::VaCopy { to, from } => {
                v.read(to, 1);
                v.read(from, 1);
            }
            Inst::VaArg { bits, registers: _, dst, ap } => {
                v.read(ap, 1);
                v.write(dst, slots_of_bits(u32::from(*bits)));
            }
            Inst::Fence { .. }
            | Inst::Jump { .. }
            | Inst::Call { .. }
            | Inst::Trap
            | Inst::Unreachable
            | Inst::Unsupported { .. }
            | Inst::Nop => {}
        }
    }

    /// The call site's index, if it is a call.
    pub fn call_site(&self) -> Option<u32> {
        match *self {
            Inst::Call { site, .. } | Inst::CallIndirect { site, .. } => Some(site),
            _ => None,
        }
    }

    /// Where control may go, except by a switch, whose targets are in its table, or a computed goto.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Pc> {
        let (first, second) = match self {
            Inst::Jump { target } => (Some(target), None),
            Inst::Branch { then, otherwise, .. } | Inst::BranchICmp { then, otherwise, .. } => {
                (Some(then), Some(otherwise))
            }
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Control does not simply go on to the next instruction.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Inst::Jump { .. }
                | Inst::Branch { .. }
                | Inst::BranchICmp { .. }
                | Inst::Switch { .. }
                | Inst::IndirectJump { .. }
                | Inst::Return { .. }
                | Inst::Trap
                | Inst::Unreachable
                | Inst::Unsupported { .. }
        )
    }
}

impl Function {
    /// Visits the operands and destinations of the instruction at `index`, those of calls included.
    pub fn visit(&mut self, index: usize, v: &mut impl Visitor) {
        self.code[index].visit(v);
        if let Some(site) = self.code[index].call_site() {
            let site = &mut self.calls[site as usize];
            for arg in &mut site.args {
                if arg.slots > 0 {
                    v.read(&mut arg.value, arg.slots);
                }
            }
            if let Some(dst) = &mut site.dst {
                v.write(dst, site.result_slots);
            }
        }
    }

    /// Where control may go from the terminator at `index`. `labels` are the
    /// blocks whose addresses are taken, where computed gotos may go.
    pub fn targets(&self, index: usize, labels: &[Pc]) -> Vec<Pc> {
        let mut inst = self.code[index];
        match inst {
            Inst::Switch { table, .. } => {
                let table = &self.switches[table as usize];
                table.cases.iter().map(|(_, target)| *target).chain([table.default]).collect()
            }
            Inst::IndirectJump { .. } => labels.to_vec(),
            _ => inst.targets_mut().map(|target| *target).collect(),
        }
    }

    /// What the instruction at `index` reads.
    pub fn reads(&self, index: usize, mut each: impl FnMut(Operand, u32)) {
        self.look(index, &mut each, &mut |_, _| {});
    }

    /// What the instruction at `index` writes.
    pub fn writes(&self, index: usize, mut each: impl FnMut(Slot, u32)) {
        self.look(index, &mut |_, _| {}, &mut each);
    }

    fn look(&self, index: usize, read: &mut dyn FnMut(Operand, u32), write: &mut dyn FnMut(Slot, u32)) {
        let mut looker = Looker { read, write };
        // Instructions are small and Copy: visiting a copy spares a second, immutable visitor.
        let mut inst = self.code[index];
        inst.visit(&mut looker);
        if let Some(site) = inst.call_site() {
            let site = &self.calls[site as usize];
            for arg in site.args.iter().filter(|arg| arg.slots > 0) {
                (looker.read)(arg.value, arg.slots);
            }
            if let Some(dst) = site.dst {
                (looker.write)(dst, site.result_slots);
            }
        }
    }
}

struct Looker<'a> {
    read: &'a mut dyn FnMut(Operand, u32),
    write: &'a mut dyn FnMut(Slot, u32),
}

impl Visitor for Looker<'_> {
    fn read(&mut self, operand: &mut Operand, slots: u32) {
        (self.read)(*operand, slots);
    }

    fn write(&mut self, slot: &mut Slot, slots: u32) {
        (self.write)(*slot, slots);
    }
}

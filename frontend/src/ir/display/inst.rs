//! The text of one instruction.
use crate::ir::{Arg, Bin, Function, Inst, Module, Operand, Slot, flags, slots_of_bits};
use std::fmt::{self, Display, Formatter};

/// An instruction of a function.
pub(super) struct InstText<'a> {
    pub(super) module: &'a Module,
    pub(super) function: &'a Function,
    pub(super) inst: &'a Inst,
}

impl InstText<'_> {
    fn operand(&self, operand: Operand) -> String {
        match operand.as_constant() {
            Some(index) => match self.module.constants.get(index as usize) {
                Some(constant) => self.module.constant_text(*constant),
                None => format!("{operand}?"),
            },
            None => operand.to_string(),
        }
    }

    /// An operand of several slots.
    fn range(&self, operand: Operand, slots: u32) -> String {
        match slots {
            0 => "()".into(),
            1 => self.operand(operand),
            _ => match operand.as_slot() {
                Some(slot) => format!("r{}..{}", slot.0, slot.0 + slots),
                None => {
                    let parts: Vec<_> = (0..slots).map(|i| self.operand(operand.offset(i))).collect();
                    format!("{{{}}}", parts.join(", "))
                }
            },
        }
    }

    fn place(&self, base: Operand, offset: i64) -> String {
        let base = self.operand(base);
        if offset == 0 { format!("[{base}]") } else { format!("[{base}{offset:+}]") }
    }

    fn indexed(&self, base: Operand, index: Operand, scale: u32, offset: i32) -> String {
        let (base, index) = (self.operand(base), self.operand(index));
        let offset = if offset == 0 { String::new() } else { format!("{offset:+}") };
        format!("[{base} + {index}*{scale}{offset}]")
    }

    fn bin(&self, f: &mut Formatter<'_>, name: &str, bin: &Bin) -> fmt::Result {
        let marks = flag_marks(bin.flags);
        let (a, b) = (self.operand(bin.a), self.operand(bin.b));
        write!(f, "{} = {name}.{}{marks} {a}, {b}", bin.dst, bin.width)
    }

    fn call(&self, f: &mut Formatter<'_>, site: u32, callee: &str) -> fmt::Result {
        let Some(site) = self.function.calls.get(site as usize) else {
            return write!(f, "call {callee} ?");
        };
        if let Some(Slot(dst)) = site.dst {
            match site.result_slots {
                1 => write!(f, "r{dst} = ")?,
                n => write!(f, "r{dst}..{} = ", dst + n)?,
            }
        }
        let args: Vec<String> = site.args.iter().map(|arg| self.arg(arg)).collect();
        let (fixed, more) = args.split_at((site.fixed_args as usize).min(args.len()));
        write!(f, "call {callee}({}", fixed.join(", "))?;
        if !more.is_empty() {
            write!(f, "; {}", more.join(", "))?;
        }
        write!(f, ")")
    }

    fn arg(&self, arg: &Arg) -> String {
        let value = self.range(arg.value, arg.slots);
        match arg.byval {
            Some((size, align)) => format!("copy of {size} align {align} at {value}"),
            None => value,
        }
    }
}

impl Display for InstText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let op = |operand: &Operand| self.operand(*operand);
        let at = |base: &Operand, offset: i64| self.place(*base, offset);
        let row = |operand: &Operand, slots: u32| self.range(*operand, slots);
        match self.inst {
            Inst::Add(b) => self.bin(f, "add", b),
            Inst::Sub(b) => self.bin(f, "sub", b),
            Inst::Mul(b) => self.bin(f, "mul", b),
            Inst::And(b) => self.bin(f, "and", b),
            Inst::Or(b) => self.bin(f, "or", b),
            Inst::Xor(b) => self.bin(f, "xor", b),
            Inst::Shl(b) => self.bin(f, "shl", b),
            Inst::LShr(b) => self.bin(f, "lshr", b),
            Inst::AShr(b) => self.bin(f, "ashr", b),
            Inst::UDiv(b) => self.bin(f, "udiv", b),
            Inst::SDiv(b) => self.bin(f, "sdiv", b),
            Inst::URem(b) => self.bin(f, "urem", b),
            Inst::SRem(b) => self.bin(f, "srem", b),
            Inst::Int { op: kind, width, dst, a, b } => write!(f, "{dst} = {kind:?}.{width} {}, {}", op(a), op(b)),
            Inst::Bits { op: kind, width, dst, a } => {
                write!(f, "{dst} = {kind:?}.{width} {}", row(a, slots_of_bits(u32::from(*width))))
            }
            Inst::FunnelShift { left, width, dst, a, b, c } => {
                let name = if *left { "fshl" } else { "fshr" };
                write!(f, "{dst} = {name}.{width} {}, {}, {}", op(a), op(b), op(c))
            }
            Inst::Overflow { op: kind, width, dst, a, b } => {
                let n = slots_of_bits(u32::from(*width));
                write!(f, "{dst}..{} = {kind:?}Overflow.{width} {}, {}", dst.0 + n + 1, row(a, n), row(b, n))
            }
            Inst::ICmp { predicate, width, dst, a, b } => {
                write!(f, "{dst} = {predicate:?}.{width} {}, {}", op(a), op(b))
            }
            Inst::Trunc { width, dst, a } => write!(f, "{dst} = trunc.{width} {}", op(a)),
            Inst::Sext { from, to, dst, a } => write!(f, "{dst} = sext.{from}.{to} {}", op(a)),
            Inst::Wide { op: kind, width, flags, dst, a, b } => {
                let marks = flag_marks(*flags);
                write!(f, "{dst}..{} = {kind:?}.{width}{marks} {}, {}", dst.0 + 2, row(a, 2), row(b, 2))
            }
            Inst::WideICmp { predicate, width, dst, a, b } => {
                write!(f, "{dst} = {predicate:?}.{width} {}, {}", row(a, 2), row(b, 2))
            }
            Inst::Float { op: kind, format, dst, a, b } => {
                let n = format.slots();
                write!(f, "{dst} = {kind:?}.{format:?} {}, {}", row(a, n), row(b, n))
            }
            Inst::FloatUnary { op: kind, format, dst, a } => {
                write!(f, "{dst} = {kind:?}.{format:?} {}", row(a, format.slots()))
            }
            Inst::FusedMulAdd { format, dst, a, b, c } => {
                let n = format.slots();
                write!(f, "{dst} = fma.{format:?} {}, {}, {}", row(a, n), row(b, n), row(c, n))
            }
            Inst::FCmp { predicate, format, dst, a, b } => {
                let n = format.slots();
                write!(f, "{dst} = {predicate:?}.{format:?} {}, {}", row(a, n), row(b, n))
            }
            Inst::Cast { kind, from, to, dst, a } => {
                let n = slots_of_bits(u32::from(*from));
                write!(f, "{dst} = {kind:?}.{from}.{to} {}", row(a, n))
            }
            Inst::Copy { dst, a } => write!(f, "{dst} = {}", op(a)),
            Inst::CopyN { n, dst, a } => write!(f, "{dst}..{} = {}", dst.0 + n, row(a, *n)),
            Inst::Select { dst, c, a, b } => {
                write!(f, "{dst} = select {}, {}, {}", op(c), op(a), op(b))
            }
            Inst::ExtractDynamic { n, stride, dst, vector, index } => {
                let all = u32::from(*n) * u32::from(*stride);
                write!(f, "{dst} = extract {}, {} stride {stride}", row(vector, all), op(index))
            }
            Inst::InsertDynamic { n, stride, dst, index, value } => {
                let all = u32::from(*n) * u32::from(*stride);
                let value = row(value, u32::from(*stride));
                write!(f, "{dst}..{}[{}] = {value} stride {stride}", dst.0 + all, op(index))
            }
            Inst::Undef { dst } => write!(f, "{dst} = undefined"),
            Inst::Freeze { dst, a } => write!(f, "{dst} = freeze {}", op(a)),
            Inst::Poison { dst, a, c } => write!(f, "{dst} = {}, undefined if {}", op(a), op(c)),
            Inst::Address { dst, base, index, scale, offset } => {
                write!(f, "{dst} = address {}", self.indexed(*base, *index, *scale, *offset))
            }
            Inst::AddressOffset { dst, base, offset } => {
                write!(f, "{dst} = address {}", at(base, *offset))
            }
            Inst::ThreadLocal { dst, global } => {
                write!(f, "{dst} = thread_local {}", self.module.globals[global.index()].name)
            }
            Inst::Load8 { dst, address, offset } => write!(f, "{dst} = load.8 {}", at(address, i64::from(*offset))),
            Inst::Load16 { dst, address, offset } => write!(f, "{dst} = load.16 {}", at(address, i64::from(*offset))),
            Inst::Load32 { dst, address, offset } => write!(f, "{dst} = load.32 {}", at(address, i64::from(*offset))),
            Inst::Load64 { dst, address, offset } => write!(f, "{dst} = load.64 {}", at(address, i64::from(*offset))),
            Inst::LoadBits { bits, dst, address, offset } => {
                write!(f, "{dst} = load_bits.{bits} {}", at(address, i64::from(*offset)))
            }
            Inst::LoadIndexed { size, scale, dst, base, index, offset } => {
                let place = self.indexed(*base, *index, u32::from(*scale), *offset);
                write!(f, "{dst} = load.{} {place}", size * 8)
            }
            Inst::Store8 { address, offset, value } => {
                write!(f, "store.8 {}, {}", at(address, i64::from(*offset)), op(value))
            }
            Inst::Store16 { address, offset, value } => {
                write!(f, "store.16 {}, {}", at(address, i64::from(*offset)), op(value))
            }
            Inst::Store32 { address, offset, value } => {
                write!(f, "store.32 {}, {}", at(address, i64::from(*offset)), op(value))
            }
            Inst::Store64 { address, offset, value } => {
                write!(f, "store.64 {}, {}", at(address, i64::from(*offset)), op(value))
            }
            Inst::StoreBits { bits, address, offset, value } => {
                let value = row(value, slots_of_bits(u32::from(*bits)));
                write!(f, "store_bits.{bits} {}, {value}", at(address, i64::from(*offset)))
            }
            Inst::StoreIndexed { size, scale, base, index, offset, value } => {
                let place = self.indexed(*base, *index, u32::from(*scale), *offset);
                write!(f, "store.{} {place}, {}", size * 8, op(value))
            }
            Inst::MemCopy { to, from, len } => {
                write!(f, "memcpy {}, {}, {}", op(to), op(from), op(len))
            }
            Inst::MemMove { to, from, len } => {
                write!(f, "memmove {}, {}, {}", op(to), op(from), op(len))
            }
            Inst::MemSet { to, value, len } => {
                write!(f, "memset {}, {}, {}", op(to), op(value), op(len))
            }
            Inst::Alloca { info, dst, count } => match self.function.allocas.get(*info as usize) {
                Some(info) => {
                    let (size, align, name) = (info.size, info.align, &info.name);
                    write!(f, "{dst} = alloca {name} size {size} align {align} count {}", op(count))
                }
                None => write!(f, "{dst} = alloca ?"),
            },
            Inst::LifetimeStart { address } => write!(f, "lifetime_start {}", op(address)),
            Inst::LifetimeEnd { address } => write!(f, "lifetime_end {}", op(address)),
            Inst::StackSave { dst } => write!(f, "{dst} = stack_save"),
            Inst::StackRestore { saved } => write!(f, "stack_restore {}", op(saved)),
            Inst::AtomicLoad { size, ordering, dst, address } => {
                write!(f, "{dst} = atomic_load.{} {ordering:?} {}", u32::from(*size) * 8, at(address, 0))
            }
            Inst::AtomicStore { size, ordering, address, value } => {
                let bits = u32::from(*size) * 8;
                let value = row(value, slots_of_bits(bits));
                write!(f, "atomic_store.{bits} {ordering:?} {}, {value}", at(address, 0))
            }
            Inst::AtomicRmw { op: kind, size, ordering, unused, dst, address, value } => {
                let bits = u32::from(*size) * 8;
                let value = row(value, slots_of_bits(bits));
                let unused = if *unused { " (unused)" } else { "" };
                write!(f, "{dst} = atomic_{kind:?}.{bits} {ordering:?} {}, {value}{unused}", at(address, 0))
            }
            Inst::CompareExchange { size, success, failure, dst, address, expected, new } => {
                let bits = u32::from(*size) * 8;
                let n = slots_of_bits(bits);
                let (expected, new, end) = (row(expected, n), row(new, n), dst.0 + n + 1);
                let place = at(address, 0);
                write!(f, "{dst}..{end} = compare_exchange.{bits} {success:?} {failure:?} {place}, {expected}, {new}")
            }
            Inst::Fence { ordering, compiler_only } => {
                let signal = if *compiler_only { " (compiler only)" } else { "" };
                write!(f, "fence {ordering:?}{signal}")
            }
            Inst::Jump { target } => write!(f, "jump {target}"),
            Inst::Branch { condition, then, otherwise } => {
                write!(f, "branch {} ? {then} : {otherwise}", op(condition))
            }
            Inst::BranchICmp { predicate, width, a, b, then, otherwise } => {
                write!(f, "branch {predicate:?}.{width} {}, {} ? {then} : {otherwise}", op(a), op(b))
            }
            Inst::Switch { table, width, value } => {
                write!(f, "switch.{width} {}", op(value))?;
                if let Some(table) = self.function.switches.get(*table as usize) {
                    for (case, target) in &table.cases {
                        write!(f, ", {case} {target}")?;
                    }
                    write!(f, ", else {}", table.default)?;
                }
                Ok(())
            }
            Inst::IndirectJump { target } => write!(f, "jump_to {}", op(target)),
            Inst::Return { n, value } => write!(f, "return {}", row(value, *n)),
            Inst::Call { site, callee } => self.call(f, *site, &self.module.functions[callee.index()].name),
            Inst::CallIndirect { site, callee } => self.call(f, *site, &format!("*{}", op(callee))),
            Inst::VaStart { ap } => write!(f, "va_start {}", op(ap)),
            Inst::VaEnd { ap } => write!(f, "va_end {}", op(ap)),
            Inst::VaCopy { to, from } => write!(f, "va_copy {}, {}", op(to), op(from)),
            Inst::VaArg { bits, dst, ap, .. } => write!(f, "{dst} = va_arg.{bits} {}", op(ap)),
            Inst::FrameAddress { dst } => write!(f, "{dst} = frame_address"),
            Inst::Trap => write!(f, "trap"),
            Inst::Unreachable => write!(f, "unreachable"),
            Inst::Unsupported { reason } => match self.function.unsupported.get(*reason as usize) {
                Some(reason) => write!(f, "unsupported: {}", reason.replace('\n', " ")),
                None => write!(f, "unsupported"),
            },
            Inst::UseAddress { what, a, b } => write!(f, "use_address {what:?} {}, {}", op(a), op(b)),
            Inst::Nop => write!(f, "nop"),
        }
    }
}

/// The flags of an arithmetic instruction.
fn flag_marks(set: u8) -> String {
    let all = [(flags::NSW, " nsw"), (flags::NUW, " nuw"), (flags::EXACT, " exact")];
    all.iter().filter(|(flag, _)| set & flag != 0).map(|(_, mark)| *mark).collect()
}

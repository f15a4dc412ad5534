//! Constants: the pool, and addresses known up to the place of their symbol.
use super::function::{Body, Leaf, Leaves};
use super::llvm::{Kind, LLVMOpcode, Type, TypeKind, Value};
use super::{Context, Refusal, Res};
use crate::ir::{Constant, FuncId, GlobalId, Inst, Operand, Pc};
use rustc_hash::FxHashMap;

/// The module's constant pool. Equal constants are one entry.
#[derive(Default)]
pub(super) struct Pool {
    entries: Vec<Constant>,
    single: FxHashMap<Constant, u32>,
    pairs: FxHashMap<(Constant, Constant), u32>,
}

impl Pool {
    /// The operand for a constant of one slot.
    pub(super) fn one(&mut self, constant: Constant) -> Operand {
        let index = *self.single.entry(constant).or_insert_with(|| {
            self.entries.push(constant);
            self.entries.len() as u32 - 1
        });
        Operand::constant(index)
    }

    /// The operand for a number.
    pub(super) fn bits(&mut self, bits: u64) -> Operand {
        self.one(Constant::Bits(bits))
    }

    /// The operand for a constant of two slots.
    pub(super) fn two(&mut self, low: Constant, high: Constant) -> Operand {
        let index = *self.pairs.entry((low, high)).or_insert_with(|| {
            let index = self.entries.len() as u32;
            self.entries.extend([low, high]);
            index
        });
        Operand::constant(index)
    }

    /// A constant that is a number: its value.
    pub(super) fn number(&self, operand: Operand) -> Option<u64> {
        match self.entries[operand.as_constant()? as usize] {
            Constant::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    /// Entry of the pool.
    pub(super) fn get(&self, index: u32) -> Constant {
        self.entries[index as usize]
    }

    /// The finished pool.
    pub(super) fn into_entries(self) -> Vec<Constant> {
        self.entries
    }
}

/// Something with an address that only the machine knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Symbol {
    Global(GlobalId),
    Function(FuncId),
    /// A basic block, by its number in the function until all code exists.
    Block(FuncId, u32),
}

/// `plus - minus + offset`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Linear {
    pub(super) plus: Option<Symbol>,
    pub(super) minus: Option<Symbol>,
    pub(super) offset: i64,
}

impl Linear {
    fn number(offset: i64) -> Self {
        Linear { offset, ..Linear::default() }
    }

    fn symbol(symbol: Symbol) -> Self {
        Linear { plus: Some(symbol), ..Linear::default() }
    }

    pub(super) fn is_number(self) -> bool {
        self.plus.is_none() && self.minus.is_none()
    }

    fn add(self, other: Linear) -> Option<Linear> {
        let plus = match (self.plus, other.plus) {
            (a, None) => a,
            (None, b) => b,
            _ => return None,
        };
        let minus = match (self.minus, other.minus) {
            (a, None) => a,
            (None, b) => b,
            _ => return None,
        };
        let (plus, minus) = if plus == minus { (None, None) } else { (plus, minus) };
        Some(Linear { plus, minus, offset: self.offset.wrapping_add(other.offset) })
    }

    fn negate(self) -> Linear {
        Linear { plus: self.minus, minus: self.plus, offset: self.offset.wrapping_neg() }
    }
}

/// Keeps the low `bits` of a number.
pub(super) fn mask(value: u64, bits: u32) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

impl Context {
    /// A constant of the pool for an address expression; refused for the negation of an address.
    pub(super) fn linear_constant(&mut self, linear: Linear, bits: u32) -> Res<Constant> {
        Ok(match (linear.plus, linear.minus) {
            (None, None) => Constant::Bits(mask(linear.offset.cast_unsigned(), bits)),
            (Some(symbol), None) => symbol_constant(symbol, linear.offset)?,
            (Some(plus), Some(minus)) => {
                let plus = symbol_constant(plus, 0)?;
                let minus = symbol_constant(minus, 0)?;
                Constant::Difference {
                    minuend: self.pool.one(plus).as_constant().expect("the pool gives constants"),
                    subtrahend: self.pool.one(minus).as_constant().expect("the pool gives constants"),
                    offset: linear.offset,
                }
            }
            (None, Some(_)) => return Err(Refusal("the negative of an address".into())),
        })
    }

    /// Folds a scalar integer or pointer constant to symbols and a number. Refused when it does not fold; the caller
    /// then makes code of it.
    pub(super) fn linear(&mut self, v: Value) -> Res<Linear> {
        let refuse = || Refusal(format!("constant {}", v.text()));
        match v.kind() {
            Kind::Int => v.as_i64().map(Linear::number).ok_or_else(refuse),
            Kind::Null => Ok(Linear::default()),
            Kind::Global if v.is_thread_local() => Err(Refusal(format!("address of thread-local {}", v.name()))),
            Kind::Global | Kind::Function if v.is_extern_weak() && is_in_doubt(&v.name()) => {
                Err(Refusal(format!("address of {}, which is weak and nowhere defined", v.name())))
            }
            Kind::Global => Ok(Linear::symbol(Symbol::Global(self.globals[&v]))),
            Kind::Function | Kind::IFunc => {
                let id = self.functions.get(&v).ok_or_else(refuse)?;
                Ok(Linear::symbol(Symbol::Function(*id)))
            }
            Kind::Alias => self.linear(v.aliasee()),
            Kind::BlockAddress => {
                let (function, block) = v.block_address();
                let id = *self.functions.get(&function).ok_or_else(refuse)?;
                let ordinal = function.blocks().position(|b| b == block).ok_or_else(refuse)?;
                Ok(Linear::symbol(Symbol::Block(id, ordinal as u32)))
            }
            Kind::Expression => self.linear_expression(v),
            _ => Err(refuse()),
        }
    }

    fn linear_expression(&mut self, v: Value) -> Res<Linear> {
        let refuse = || Refusal(format!("constant {}", v.text()));
        let ty = v.ty();
        let bits = self.types.bits(self.types.scalar(ty)?);
        let linear = match v.opcode() {
            LLVMOpcode::LLVMGetElementPtr => {
                let base = self.linear(v.operand(0))?;
                let offset = self.gep_offset(v)?.ok_or_else(refuse)?;
                base.add(Linear::number(offset))
            }
            LLVMOpcode::LLVMPtrToInt | LLVMOpcode::LLVMIntToPtr | LLVMOpcode::LLVMBitCast | LLVMOpcode::LLVMTrunc => {
                let from = self.types.scalar(v.operand(0).ty())?;
                let inner = self.linear(v.operand(0))?;
                // An address cut down to fewer bits is not an address.
                (inner.is_number() || bits >= self.types.bits(from)).then_some(inner)
            }
            LLVMOpcode::LLVMAdd => {
                let (a, b) = (self.linear(v.operand(0))?, self.linear(v.operand(1))?);
                a.add(b)
            }
            LLVMOpcode::LLVMSub => {
                let (a, b) = (self.linear(v.operand(0))?, self.linear(v.operand(1))?);
                a.add(b.negate())
            }
            _ => None,
        };
        let mut linear = linear.ok_or_else(refuse)?;
        if linear.is_number() && bits < 64 {
            let shift = 64 - bits;
            linear.offset = linear.offset << shift >> shift;
        }
        Ok(linear)
    }

    /// Offset of a getelementptr whose indices are all constant.
    pub(super) fn gep_offset(&mut self, gep: Value) -> Res<Option<i64>> {
        let mut offset = 0i64;
        for step in self.gep_steps(gep)? {
            match step {
                Step::Constant(bytes) => offset = offset.wrapping_add(bytes),
                Step::Variable { .. } => return Ok(None),
            }
        }
        Ok(Some(offset))
    }

    /// What each index of a getelementptr adds to the address.
    pub(super) fn gep_steps(&mut self, gep: Value) -> Res<Vec<Step>> {
        let mut steps = Vec::new();
        let layout = self.types.layout;
        let mut ty: Type = gep.gep_source();
        for i in 1..gep.operands() {
            let index = gep.operand(i);
            if i > 1 && ty.kind() == TypeKind::LLVMStructTypeKind {
                // Struct indices of vector getelementptrs are splats.
                let scalar = if index.ty().is_vector() { index.element(0) } else { Some(index) };
                let field = scalar.and_then(Value::as_u64).ok_or_else(|| Refusal(format!("index {}", index.text())))?;
                steps.push(Step::Constant(layout.field_offset(ty, field as u32) as i64));
                ty = ty.field(field as u32);
                continue;
            }
            let element = if i == 1 { ty } else { ty.element() };
            if !element.is_sized() {
                return Err(Refusal(format!("an address of {}", element.text())));
            }
            let scale = layout.size(element);
            match index.as_i64() {
                Some(n) => steps.push(Step::Constant(n.wrapping_mul(scale.cast_signed()))),
                None => steps.push(Step::Variable { index, scale }),
            }
            ty = element;
        }
        Ok(steps)
    }
}

/// What an index of a getelementptr adds to the address.
pub(super) enum Step {
    /// Bytes.
    Constant(i64),
    /// `index * scale` bytes.
    Variable { index: Value, scale: u64 },
}

fn symbol_constant(symbol: Symbol, offset: i64) -> Res<Constant> {
    match symbol {
        Symbol::Global(id) => Ok(Constant::Global(id, offset)),
        Symbol::Function(id) => Ok(Constant::Function(id, offset)),
        // The block's number stands in for its place; see `Context::finish_blocks`.
        Symbol::Block(id, ordinal) if offset == 0 => Ok(Constant::Block(id, Pc(ordinal))),
        Symbol::Block(..) => Err(Refusal("an offset from a label".into())),
    }
}

impl Body<'_> {
    /// Where to read the parts of a constant. Those that do not fold are computed once, at the start of the function.
    pub(super) fn constant(&mut self, v: Value) -> Res<Leaves> {
        let shape = self.shape(v)?;
        match v.kind() {
            Kind::Undef => Ok(vec![Leaf::Undef; shape.leaves.len()].into()),
            Kind::Zero | Kind::Null => Ok(shape
                .leaves
                .iter()
                .map(|leaf| Leaf::At(self.wide_number(0, self.context.types.bits(leaf.scalar))))
                .collect()),
            Kind::Int | Kind::Float => {
                let words = v.words(self.context.types.layout);
                if shape.leaves.len() > 1 {
                    return Ok(words.into_iter().map(|word| Leaf::At(self.number(word))).collect());
                }
                let high = words.get(1).copied().unwrap_or(0);
                let number = u128::from(high) << 64 | u128::from(words[0]);
                let bits = self.context.types.bits(shape.leaves[0].scalar);
                Ok([Leaf::At(self.wide_number(number, bits))].into())
            }
            Kind::Aggregate => {
                let mut leaves = Vec::with_capacity(shape.leaves.len());
                for index in 0..v.ty().len() as u32 {
                    let element = v.element(index).ok_or_else(|| Refusal(format!("constant {}", v.text())))?;
                    leaves.extend_from_slice(&self.leaves(element)?);
                }
                Ok(leaves.into())
            }
            Kind::Alias => self.leaves(v.aliasee()),
            Kind::Global if v.is_thread_local() => {
                let global = self.context.globals[&v];
                self.in_prologue(|body| {
                    let dst = body.define_one(v)?;
                    body.emit(Inst::ThreadLocal { dst, global });
                    body.leaves(v)
                })
            }
            Kind::Expression => match self.symbolic(v) {
                Ok(leaves) => Ok(leaves),
                Err(_) => self.in_prologue(|body| {
                    body.compute(v)?;
                    body.leaves(v)
                }),
            },
            Kind::Global | Kind::Function | Kind::IFunc | Kind::BlockAddress => self.symbolic(v),
            _ => Err(Refusal(format!("constant {}", v.text()))),
        }
    }

    /// A constant that folds to an address.
    fn symbolic(&mut self, v: Value) -> Res<Leaves> {
        let linear = self.context.linear(v)?;
        let bits = self.context.types.bits(self.context.types.scalar(v.ty())?);
        let constant = self.context.linear_constant(linear, bits)?;
        Ok([Leaf::At(self.context.pool.one(constant))].into())
    }
}

/// Whether a library may or may not have what has that name: it belongs to the implementation, or only the later ones
/// of the versions of glibc have it that we stand for (2.36 to 2.41).
fn is_in_doubt(name: &str) -> bool {
    name.starts_with('_') || LATER.contains(&name)
}

/// What came to glibc after 2.36.
const LATER: [&str; 11] = [
    "pidfd_getpid",
    "pidfd_spawn",
    "pidfd_spawnp",
    "posix_spawnattr_getcgroup_np",
    "posix_spawnattr_setcgroup_np",
    "sched_getattr",
    "sched_setattr",
    "strlcat",
    "strlcpy",
    "wcslcat",
    "wcslcpy",
];

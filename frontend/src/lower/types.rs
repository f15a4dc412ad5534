//! Every first-class type as a list of scalar leaves.
use super::llvm::{Layout, Type, TypeKind};
use super::{Refusal, Res};
use crate::ir;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Values of more leaves than this are refused: programs do not use them, and each leaf costs code.
const MAX_LEAVES: u64 = 4096;

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scalar {
    /// 1…128 bits.
    Int(u32),
    /// Of the default address space.
    Pointer,
    /// A format that has arithmetic.
    Float(ir::Float),
    /// A floating-point format that can only be moved: its number of bits.
    Opaque(u32),
}

/// A scalar inside a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LeafType {
    /// What it is.
    pub(super) scalar: Scalar,
    /// Bytes from the start of the value in memory.
    pub(super) offset: u64,
}

/// The leaves of a type, in order.
#[derive(Debug)]
pub(super) struct Shape {
    /// One per scalar.
    pub(super) leaves: Vec<LeafType>,
    /// Bytes from one array element to the next.
    pub(super) size: u64,
    /// A vector whose elements are this many bits apart in memory, which is not a whole number of bytes.
    pub(super) packed: Option<u32>,
}

impl Shape {
    /// Slots of all leaves together.
    pub(super) fn slots(&self, types: &Types) -> u32 {
        self.leaves.iter().map(|leaf| types.slots(leaf.scalar)).sum()
    }

    /// The bits that a value has in each of its slots.
    pub(super) fn masks(&self, types: &Types) -> Vec<u64> {
        let masks = |leaf: &LeafType| {
            let bits = types.bits(leaf.scalar);
            (0..types.slots(leaf.scalar)).map(move |slot| u64::MAX >> (64 - (bits - 64 * slot).min(64)))
        };
        self.leaves.iter().flat_map(masks).collect()
    }
}

/// Shapes of types, each computed once.
pub(super) struct Types {
    pub(super) layout: Layout,
    pub(super) pointer_bits: u32,
    shapes: FxHashMap<Type, Rc<Shape>>,
}

impl Types {
    pub(super) fn new(layout: Layout) -> Self {
        Types { layout, pointer_bits: layout.pointer_bytes() * 8, shapes: FxHashMap::default() }
    }

    /// Bits of a scalar.
    pub(super) fn bits(&self, scalar: Scalar) -> u32 {
        match scalar {
            Scalar::Int(bits) | Scalar::Opaque(bits) => bits,
            Scalar::Pointer => self.pointer_bits,
            Scalar::Float(ir::Float::F32) => 32,
            Scalar::Float(ir::Float::F64) => 64,
            Scalar::Float(ir::Float::F80) => 80,
        }
    }

    /// Slots of a scalar.
    pub(super) fn slots(&self, scalar: Scalar) -> u32 {
        ir::slots_of_bits(self.bits(scalar))
    }

    /// The scalar that a type is.
    pub(super) fn scalar(&self, ty: Type) -> Res<Scalar> {
        Ok(match ty.kind() {
            TypeKind::LLVMIntegerTypeKind if ty.int_bits() <= 128 => Scalar::Int(ty.int_bits()),
            TypeKind::LLVMPointerTypeKind if ty.address_space() == 0 => Scalar::Pointer,
            TypeKind::LLVMFloatTypeKind => Scalar::Float(ir::Float::F32),
            TypeKind::LLVMDoubleTypeKind => Scalar::Float(ir::Float::F64),
            TypeKind::LLVMX86_FP80TypeKind => Scalar::Float(ir::Float::F80),
            TypeKind::LLVMHalfTypeKind | TypeKind::LLVMBFloatTypeKind => Scalar::Opaque(16),
            TypeKind::LLVMFP128TypeKind => Scalar::Opaque(128),
            _ => return Err(Refusal(format!("a value of type {}", ty.text()))),
        })
    }

    /// The leaves of any first-class type. Void has none.
    pub(super) fn shape(&mut self, ty: Type) -> Res<Rc<Shape>> {
        if let Some(shape) = self.shapes.get(&ty) {
            return Ok(shape.clone());
        }
        let shape = Rc::new(self.compute(ty)?);
        self.shapes.insert(ty, shape.clone());
        Ok(shape)
    }

    fn compute(&mut self, ty: Type) -> Res<Shape> {
        if ty.is_void() {
            return Ok(Shape { leaves: Vec::new(), size: 0, packed: None });
        }
        let refuse = || Refusal(format!("a value of type {}", ty.text()));
        if !ty.is_sized() {
            return Err(refuse());
        }
        let size = self.layout.size(ty);
        let mut leaves = Vec::new();
        let mut packed = None;
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => {
                for i in 0..ty.len() as u32 {
                    let part = self.part(ty.field(i))?;
                    append(&mut leaves, &part, self.layout.field_offset(ty, i));
                    if leaves.len() as u64 > MAX_LEAVES {
                        return Err(refuse());
                    }
                }
            }
            TypeKind::LLVMArrayTypeKind => {
                let part = self.part(ty.element())?;
                if ty.len().saturating_mul(part.leaves.len() as u64) > MAX_LEAVES {
                    return Err(refuse());
                }
                for i in 0..ty.len() {
                    append(&mut leaves, &part, i * part.size);
                }
            }
            TypeKind::LLVMVectorTypeKind => {
                let scalar = self.scalar(ty.element())?;
                let bits = self.bits(scalar);
                if ty.len() > MAX_LEAVES {
                    return Err(refuse());
                }
                if !bits.is_multiple_of(8) {
                    packed = Some(bits);
                }
                // Elements of a vector are as close as their bits allow.
                leaves.extend((0..ty.len()).map(|i| LeafType { scalar, offset: i * u64::from(bits) / 8 }));
            }
            // A row of words; see `huge`.
            TypeKind::LLVMIntegerTypeKind if ty.int_bits() > 128 => {
                let bits = ty.int_bits();
                if u64::from(bits) > 64 * MAX_LEAVES {
                    return Err(refuse());
                }
                leaves.extend(
                    (0..bits)
                        .step_by(64)
                        .map(|at| LeafType { scalar: Scalar::Int((bits - at).min(64)), offset: u64::from(at / 8) }),
                );
            }
            _ => leaves.push(LeafType { scalar: self.scalar(ty)?, offset: 0 }),
        }
        Ok(Shape { leaves, size, packed })
    }

    /// The shape of a part of an aggregate.
    fn part(&mut self, ty: Type) -> Res<Rc<Shape>> {
        let shape = self.shape(ty)?;
        if shape.packed.is_some() {
            return Err(Refusal(format!("a value of type {} inside of another", ty.text())));
        }
        Ok(shape)
    }

    /// Index of the first leaf, and the type, of the part that `indices` lead to.
    pub(super) fn part_at(&mut self, ty: Type, indices: &[u32]) -> Res<(usize, Type)> {
        let (mut first, mut ty) = (0, ty);
        for &index in indices {
            if ty.kind() == TypeKind::LLVMStructTypeKind {
                for i in 0..index {
                    first += self.shape(ty.field(i))?.leaves.len();
                }
                ty = ty.field(index);
            } else {
                first += self.shape(ty.element())?.leaves.len() * index as usize;
                ty = ty.element();
            }
        }
        Ok((first, ty))
    }
}

fn append(leaves: &mut Vec<LeafType>, part: &Shape, offset: u64) {
    leaves.extend(part.leaves.iter().map(|leaf| LeafType { offset: leaf.offset + offset, ..*leaf }));
}

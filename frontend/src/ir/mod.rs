//! Our own code: flat arrays of small instructions over frames of 64-bit slots.
//!
//! **Values.** A frame is an array of 64-bit slots. An integer of up to 64 bits, a pointer, a `float` or a `double` is
//! one slot, always *zero-extended* from its width (floats are their IEEE bits). Integers of 65…128 bits and x86 long
//! doubles are two consecutive slots, low word first. Vectors, structs and arrays held in registers are flattened to
//! their scalar leaves, in order, each in its own slot(s). An `i1` is 0 or 1.
//!
//! **Operands** are slots of the frame or entries of the module's constant pool ([`Operand`]).
//!
//! **Control** is by index into the function's code; phis have become copies on edges. Integers of more than 128 bits
//! are rows of 64-bit leaves.
mod check;
mod display;
mod entity;
mod inst;
pub(crate) mod liveness;
mod module;
mod names;
mod operator;
pub mod reach;
mod visit;

pub use check::check;
pub use entity::*;
pub use inst::*;
pub use liveness::{Heeds, Liveness, Slots};
pub use module::*;
pub use names::*;
pub use operator::*;
pub use visit::{Visitor, slots_of_bits};

//! Data that is not settled yet: decisions that nothing orders, and that leave others fewer variants.
use super::{System, ThreadId};
use serde::{Deserialize, Serialize};

/// What a variant settles of the data, as a number: the same number is the same for as long as the system lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Constraint(pub u32);

/// A system some of whose operations are *decisions*. By default none is.
///
/// A decision touches nothing, and in the current state each of its variants may exist or not. It is about data that is
/// not settled yet: each variant settles some of it, so that one thread's decision may leave another thread's with
/// fewer variants, though nothing orders them. At least one variant exists in every state. Engines that do not know of
/// decisions take all variants to exist; such a system is not explored by them.
pub trait Decisions: System {
    /// Whether the operation is a decision.
    fn is_decision(&self, operation: &Self::Operation) -> bool {
        let _ = operation;
        false
    }

    /// Whether the variant of that label of the decision before which the thread stands exists in the current state.
    /// One that does not is no event of the system.
    fn is_feasible(&mut self, thread: ThreadId, label: u32) -> bool {
        let _ = (thread, label);
        true
    }

    /// What the variant of that label settles, of the operation before which the thread stands. It is a function of the
    /// thread's history. (Every variant of a decision settles something; what is not a decision may, too, but then
    /// what it settles can hold together with anything that the others settle.)
    fn constraint(&mut self, thread: ThreadId, label: u32) -> Option<Constraint> {
        let _ = (thread, label);
        None
    }

    /// Whether a constraint can hold together with others, which can hold together themselves.
    fn can_hold(&mut self, others: &[Constraint], constraint: Constraint) -> bool {
        let _ = (others, constraint);
        true
    }
}

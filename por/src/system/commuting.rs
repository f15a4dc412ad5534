//! What the engine `observers` asks of a system: which operations need no order although they write the same.
use super::{ObjectId, System};
use serde::{Deserialize, Serialize};

/// What an operation does to what it writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Effect {
    /// Its order with all that it depends on matters.
    #[default]
    Ordered,
    /// It writes one object, whatever was there, and what it writes matters only to actions that read it, now or at the
    /// end. Two such operations with the same accesses need not be ordered if no action reads what they wrote.
    Overwrites,
    /// It changes one object, and learns nothing of what was there. Those of the same kind with the same accesses come
    /// to the same in every order.
    Updates(u8),
    /// It writes one object, whatever was there, and reads nothing; and every operation that ever writes any of these
    /// lanes, in the whole exploration, has this effect, the same accesses, and leaves the same there. Such operations
    /// need not be ordered, and a read only with those of which none has come before it. A system that learns that it
    /// is not so says that the exploration has to start again, and then has another effect there.
    Sets,
}

/// A system that knows what its operations do to what they write. By default it is said of none that it need not be
/// ordered.
pub trait Commuting: System {
    /// What the operation does to what it writes, as far as that says which others need not be ordered with it. A
    /// function of the operation's own history. (What the system says of races must then not rely on their order
    /// either.)
    fn effect(&self, operation: &Self::Operation) -> Effect {
        let _ = operation;
        Effect::Ordered
    }

    /// What an operation that updates an object leaves there if its word was this before.
    fn word_after_update(&self, operation: &Self::Operation, word: u64) -> u64 {
        let _ = operation;
        word
    }

    /// What operations that set lanes of this object left there was not there any more when they were accessed again,
    /// or an operation that does not set them writes there. The exploration starts again, and [`Commuting::effect`]
    /// must not say any more that they are set.
    fn retract_same_value(&mut self, object: ObjectId) {
        let _ = object;
    }
}

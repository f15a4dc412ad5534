//! Which shape queues have, and what an operation on one of that shape may do: functions of the operation and of words
//! alone.
use crate::operation::{End, Operation, Patience, QueueKind};
use serde::{Deserialize, Serialize};

/// What explorations have shown of how a program uses its queues.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct QueueUsage {
    /// Receives from System V queues take the oldest message, as far as they are known.
    pub(super) oldest: bool,
    /// Some receives take the oldest message and some choose otherwise, or a queue may be full.
    pub(super) anyhow: bool,
    /// Messages in POSIX queues have priorities.
    pub(super) priorities: bool,
    /// Pieces are read from a stream that were not written as such, or it may be full.
    pub(super) pieces: bool,
    /// How often the rings had to become twice as large.
    pub(super) doublings: u8,
}

/// How the messages of a queue are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// One after the other, in so many places.
    Ring(u64),
    /// In any order.
    List,
}

/// The lanes of the place of the next message to be sent, in a ring.
pub(super) const TAIL: u64 = 0x3f;
/// The lanes of the place of the next message to be received, in a ring.
pub(super) const HEAD: u64 = 0x3f << HEAD_AT;
pub(super) const HEAD_AT: u32 = 6;
/// Lane: the queue was removed, or the reading end of the stream is closed.
pub(super) const REMOVED: u64 = 1 << 12;
/// Lane: the writing end of the stream is closed.
pub(super) const ENDED: u64 = 1 << 13;
/// From here on in the word of a ring: which places are full.
pub(super) const PLACES_AT: u32 = 16;
/// The number of places of the largest ring.
pub(super) const MOST_PLACES: u64 = 48;
/// In the word of a list: bytes, of a POSIX queue messages.
pub(super) const AMOUNT_AT: u32 = 14;
pub(super) const AMOUNT: u64 = 0x3_ffff;
/// From here on in the word of a list: the types of the messages in it, 1 first.
pub(super) const TYPES_AT: u32 = 32;
/// A list cannot tell apart types beyond this number.
pub(super) const MOST_TYPES: u64 = 32;
/// The most messages or bytes in one list.
pub(super) const MOST_IN_LIST: u64 = 4096;
/// How many bytes a System V queue takes.
pub(super) const SYSTEM_V_BYTES: u64 = 16384;
/// How many bytes a stream takes.
pub(super) const STREAM_BYTES: u64 = 65536;

/// What stands in the way of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Nothing.
    Ready,
    /// The queue is full, or has no such message.
    Waits,
    /// The ring is full, the queue is not.
    Crowded,
    /// The queue was removed, or the reading end of the stream is closed.
    Removed,
    /// The stream is at its end.
    Ended,
    /// The end that the thread uses has been closed since it began to.
    Closed,
}

/// The queue that an operation is about, and what rules it has.
pub(crate) fn queue_of(operation: &Operation) -> Option<(u64, QueueKind)> {
    match *operation {
        Operation::QueuePut { queue, kind, .. }
        | Operation::QueueTake { queue, kind, .. }
        | Operation::QueueLook { queue, kind, .. }
        | Operation::QueueClose { queue, kind, .. } => Some((queue, kind)),
        _ => None,
    }
}

/// The bit of a type in the word of a list.
pub(super) fn type_bit(number: u64) -> u64 {
    if (1..=MOST_TYPES).contains(&number) { 1 << (TYPES_AT as u64 + number - 1) } else { 0 }
}

/// Whether a message of that type is one of those that a receive chooses from.
pub(super) fn is_chosen(number: u64, choice: i64, except: bool) -> bool {
    match choice {
        0 => true,
        1.. if except => number != choice as u64,
        1.. => number == choice as u64,
        _ => number <= choice.unsigned_abs(),
    }
}

pub(super) fn amount(word: u64) -> u64 {
    word >> AMOUNT_AT & AMOUNT
}

/// The lane of a place of a ring.
pub(super) fn lane_of(place: u64) -> u64 {
    1 << (u64::from(PLACES_AT) + place)
}

pub(super) fn tail(word: u64) -> u64 {
    word & TAIL
}

pub(super) fn head(word: u64) -> u64 {
    (word & HEAD) >> HEAD_AT
}

impl QueueUsage {
    /// No queue is a ring, as if programs had shown all of it.
    pub const LISTS: QueueUsage =
        QueueUsage { oldest: true, anyhow: true, priorities: true, pieces: true, doublings: 0 };

    /// How the messages are kept that an operation is about, and in which ring; `None` if it shows that the program
    /// uses queues in another way.
    pub(super) fn place(self, operation: &Operation) -> Option<(Shape, u64)> {
        let (_, kind) = queue_of(operation)?;
        let list = match kind {
            QueueKind::SystemV => self.anyhow,
            QueueKind::Priority => self.priorities,
            QueueKind::Stream => self.pieces,
        };
        if list {
            return Some((Shape::List, 0));
        }
        let mut places = (4u64 << self.doublings.min(4)).min(MOST_PLACES);
        let ring = match (kind, *operation) {
            (QueueKind::SystemV, Operation::QueuePut { tag, .. }) if !self.oldest => tag,
            (QueueKind::SystemV, Operation::QueueTake { choice, except: false, .. }) if choice > 0 && !self.oldest => {
                choice as u64
            }
            (QueueKind::SystemV, Operation::QueueTake { choice: 0, .. }) if self.oldest => 0,
            (QueueKind::SystemV, Operation::QueueTake { .. }) => return None,
            (QueueKind::SystemV, Operation::QueueLook { .. }) if !self.oldest => return None,
            (QueueKind::Priority, Operation::QueuePut { tag: 1.., .. }) => return None,
            _ => 0,
        };
        if kind == QueueKind::Priority
            && let Operation::QueuePut { room, .. } | Operation::QueueTake { room, .. } = *operation
        {
            places = places.min(u64::from(room));
        }
        (ring >> 31 == 0).then_some((Shape::Ring(places), ring))
    }

    /// Adds to the usage what an operation shows.
    pub(super) fn with(mut self, operation: &Operation) -> Self {
        match (queue_of(operation), *operation) {
            (_, Operation::QueueTake { kind: QueueKind::SystemV, choice: 0, .. }) if !self.oldest => self.oldest = true,
            (Some((_, QueueKind::SystemV)), _) => self.anyhow = true,
            (Some((_, QueueKind::Priority)), _) => self.priorities = true,
            _ => self.pieces = true,
        }
        self
    }

    /// With larger rings, or, if they cannot be larger, without.
    pub(super) fn with_more_room(mut self, operation: &Operation) -> Self {
        if 4u64 << self.doublings.min(4) >= MOST_PLACES {
            return match queue_of(operation) {
                Some((_, QueueKind::SystemV)) => QueueUsage { anyhow: true, ..self },
                _ => self.with(operation),
            };
        }
        self.doublings += 1;
        self
    }
}

/// What stands in the way of an operation if its ring or list has this word and the queue that one.
pub(super) fn state_of(operation: &Operation, shape: Shape, word: u64, queue: u64) -> State {
    match *operation {
        Operation::QueuePut { .. } if queue & REMOVED != 0 => State::Removed,
        Operation::QueuePut { kind: QueueKind::Stream, .. } if queue & ENDED != 0 => State::Closed,
        Operation::QueueTake { kind: QueueKind::Stream, .. } if queue & REMOVED != 0 => State::Closed,
        Operation::QueuePut { kind, room, .. } => match (shape, kind) {
            (Shape::Ring(_), _) if word & lane_of(tail(word)) == 0 => State::Ready,
            (Shape::Ring(places), QueueKind::Priority) if places == u64::from(room) => State::Waits,
            (Shape::Ring(_), _) => State::Crowded,
            (Shape::List, QueueKind::SystemV) if amount(word) + size_of(operation) > SYSTEM_V_BYTES => State::Waits,
            (Shape::List, QueueKind::Priority) if amount(word) >= u64::from(room) => State::Waits,
            (Shape::List, _) => State::Ready,
        },
        Operation::QueueTake { kind: QueueKind::SystemV, .. } if queue & REMOVED != 0 => State::Removed,
        Operation::QueueTake { kind, choice, except, .. } => {
            let has = match (shape, kind) {
                (Shape::Ring(_), _) => word & lane_of(head(word)) != 0,
                (Shape::List, QueueKind::SystemV) => {
                    (1..=MOST_TYPES).any(|number| word & type_bit(number) != 0 && is_chosen(number, choice, except))
                }
                (Shape::List, _) => amount(word) > 0,
            };
            match has {
                true => State::Ready,
                false if kind == QueueKind::Stream && word & ENDED != 0 => State::Ended,
                false => State::Waits,
            }
        }
        _ => State::Ready,
    }
}

pub(super) fn size_of(operation: &Operation) -> u64 {
    match *operation {
        Operation::QueuePut { size, .. } | Operation::QueueTake { size, .. } => size,
        _ => 0,
    }
}

pub(super) fn patience_of(operation: &Operation) -> Patience {
    match *operation {
        Operation::QueuePut { patience, .. } | Operation::QueueTake { patience, .. } => patience,
        _ => Patience::Never,
    }
}

/// The lanes of a ring, or of a list, that an operation reads and writes in that state.
pub(super) fn lanes(operation: &Operation, shape: Shape, word: u64, state: State) -> (u64, u64) {
    if shape == Shape::List {
        // The end matters only if there is nothing more to be read.
        let ended = if matches!(operation, Operation::QueuePut { .. }) { 0 } else { ENDED };
        return if state == State::Ready { (!ended, !(REMOVED | ENDED)) } else { (u64::MAX, 0) };
    }
    let (own, others) = match operation {
        Operation::QueuePut { .. } => (TAIL | lane_of(tail(word)), REMOVED | ENDED),
        // As above.
        _ if state == State::Ready => (HEAD | lane_of(head(word)), REMOVED),
        _ => (HEAD | lane_of(head(word)), REMOVED | ENDED),
    };
    (own | others, if state == State::Ready { own } else { 0 })
}

/// What an operation on a queue may touch of its ring or list.
pub(in crate::sync) fn all_lanes(operation: &Operation) -> (u64, u64) {
    match *operation {
        Operation::QueueLook { .. } => (u64::MAX, 0),
        Operation::QueueClose { end, .. } => {
            let lanes = closed(end);
            (lanes, lanes)
        }
        _ => (u64::MAX, u64::MAX),
    }
}

/// The lanes that closing sets.
pub(super) fn closed(end: End) -> u64 {
    match end {
        End::Reading => REMOVED,
        End::Writing => ENDED,
        End::Both => REMOVED,
    }
}

/// The lane of a queue that those read whose messages are in a ring of its own.
pub(in crate::sync) const WHETHER_IT_EXISTS: u64 = REMOVED;

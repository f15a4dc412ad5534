//! Queues of messages, and streams of bytes. This module decides which operations interfere. The library code in C
//! (`runtime-model/src/code/`) knows what a message is, and how long the queue with a key or name lives.
//!
//! **A ring.** If messages leave in the order in which they came, sending and receiving need not know of one another,
//! as long as the queue is neither empty nor full. So a queue is a ring of places, each with a lane that says whether
//! it is full, besides lanes for the place of the next message to be sent and for that of the next one to be received:
//!
//! | action | reads and writes |
//! | --- | --- |
//! | send | the place to send to, whether it is full |
//! | receive | the place to receive from, whether it is full |
//! | what fails, at once or after a time | reads the same |
//! | removal, closing of an end | a lane of its own, which the others read as far as it matters |
//!
//! Two sends depend on each other, two receives do, a receive depends on the send of its message, and a send on the
//! receive that made its place free, and on no other.
//!
//! **A list.** If the choice of the message that is received depends on more than that, all actions on a queue depend
//! on one another.
//!
//! **Ring or list** is found out by exploring ([`QueueUsage`]): at first, all queues are rings. A ring for each type of
//! a System V queue is right as long as every receive names a type; one ring for the queue, as long as every receive
//! takes the oldest message; a ring is right for POSIX queues as long as all messages have the same priority, and for a
//! stream as long as each read takes exactly what one write wrote. A ring is as small as possible, so that loops soon
//! come back to where they began: if it is full before the queue is, exploration starts again with a larger one. All of
//! this is noticed when an action happens, or a thread comes to it, which depends on nothing but what that action
//! depends on. A System V queue or stream that is full would make all types depend on one another. That none is ever
//! full is concluded from all that was ever sent in an execution: the sum is the same in whatever order, and it is no
//! part of the state. (A state in which a queue is full is one of an execution that is explored, cutoffs or not, and
//! there as much was sent.)
//!
//! **What happens before what.** A thread that receives a message knows what was done before it was sent; one that
//! reads from a stream that is a list, what was done before everything written to it so far; and one that is told that
//! a queue was removed, or that an end was closed, what was done before that. A thread learns nothing else.
mod rules;

pub use rules::QueueUsage;
pub(crate) use rules::queue_of;
pub(super) use rules::{WHETHER_IT_EXISTS, all_lanes};

use crate::machine::Machine;
use crate::memory::{ObjectKey, Role};
use crate::operation::{Operation, Patience, QueueKind};
use crate::step::Halt;
use crate::sync::SyncState;
use crate::sync::cancel::{CANCELLED, IS_CANCELLED};
use crate::sync::mutex::errno;
use crate::thread::{NO_OBJECT, Pending};
use por::{Access, Accesses, ObjectId, Variant};
use rules::*;

/// Results of [`Operation::QueuePut`] besides error numbers: the message is in the queue, or a copy of its bytes is.
const KEPT: u64 = 0;
const COPIED: u64 = u64::MAX;

/// The number of the place that stands for what the threads know that removed the queue or closed an end of it.
const CLOSING: u64 = 0xffff;

impl Machine {
    /// What an operation on a queue touches: the ring or list, the queue if that is something else, and the thread, if
    /// it can be asked to end while it waits.
    pub(super) fn queue_objects(&mut self, operation: &Operation) -> [ObjectId; 3] {
        let Some((_, ring)) = self.exploration.queues.place(operation) else {
            self.learn_of_queues(self.exploration.queues.with(operation));
            return [NO_OBJECT; 3];
        };
        let (queue, _) = queue_of(operation).expect("it is about a queue");
        let first = self.queue_object(queue, ring, 0);
        let second = if ring == 0 { NO_OBJECT } else { self.queue_object(queue, 0, 0) };
        let waits = matches!(operation, Operation::QueuePut { .. } | Operation::QueueTake { .. });
        let own = if waits && self.can_be_cancelled() && patience_of(operation) != Patience::Never {
            self.state.memory.ids.intern(ObjectKey::Thread(self.segment.current.0))
        } else {
            NO_OBJECT
        };
        [first, second, own]
    }

    /// Exploration is to start again, with that.
    fn learn_of_queues(&mut self, usage: QueueUsage) {
        self.learned.queues = usage;
        self.segment.restart = true;
    }

    /// A ring of a queue (the queue itself has number 0), or (from 1) what is in one of its places.
    fn queue_object(&mut self, queue: u64, ring: u64, place: u64) -> ObjectId {
        match self.state.memory.object_at(queue) {
            Some(object) => self.state.memory.ids.intern(ObjectKey::InMemory {
                role: Role::Queue,
                base: object.base,
                generation: object.generation,
                offset: ring << 16 | place,
            }),
            None => NO_OBJECT,
        }
    }

    /// The ways in which an operation on a queue can happen.
    pub(super) fn queue_variants(&self, pending: &Pending, all: &Accesses, words: &[u64], out: &mut Vec<Variant>) {
        let operation = &pending.operation;
        let [first, second, own] = pending.objects;
        let Some((shape, _)) = self.exploration.queues.place(operation) else { return };
        let word_of = |object| all.iter().position(|access| access.object == object).map(|index| words[index]);
        let word = word_of(first).unwrap_or(0);
        let queue = word_of(second).unwrap_or(word);
        let state = state_of(operation, shape, word, queue);
        let happens = state != State::Waits || patience_of(operation) != Patience::Forever;
        if happens {
            let lanes = match (state, operation) {
                (_, Operation::QueueLook { .. } | Operation::QueueClose { .. }) => Some(all_lanes(operation)),
                (State::Removed, _) if second == NO_OBJECT => Some((REMOVED, 0)),
                (State::Removed, _) => None,
                _ => Some(lanes(operation, shape, word, state)),
            };
            let mut accesses = Accesses::none();
            for access in all.iter().filter(|access| access.object != own) {
                match lanes {
                    Some((reads, writes)) if access.object == first => {
                        accesses.push(Access { reads, writes, ..*access });
                    }
                    None if access.object == first => {}
                    _ => accesses.push(*access),
                }
            }
            out.push(Variant { label: 0, accesses });
        }
        if word_of(own).is_some_and(|word| word & CANCELLED != 0) {
            let mut accesses = Accesses::none();
            all.iter().filter(|a| a.object != first && a.object != second).for_each(|access| accesses.push(*access));
            out.push(Variant { label: IS_CANCELLED, accesses });
        }
    }

    /// What a thread waits for.
    pub(crate) fn what_it_waits_for(&self, operation: &Operation) -> &'static str {
        match operation {
            Operation::QueuePut { .. } => "room",
            Operation::QueueTake { kind: QueueKind::Stream, .. } => "something to read",
            _ => "a message",
        }
    }

    fn queue_word(&self, object: ObjectId) -> u64 {
        self.sync_state(object).word()
    }

    fn set_queue_word(&mut self, object: ObjectId, word: u64) {
        self.set_sync_state(object, SyncState::Queue { word });
    }

    /// Carries out an operation on a queue.
    pub(super) fn use_queue(&mut self, pending: &Pending) -> Result<[u64; 2], Halt> {
        let operation = &pending.operation;
        let [first, second, _] = pending.objects;
        let Some((shape, ring)) = self.exploration.queues.place(operation).filter(|_| first != NO_OBJECT) else {
            return Err(Halt::unknown(format!("a queue is used in another way than before{}", self.at())));
        };
        let (queue, kind) = queue_of(operation).expect("it is about a queue");
        self.note_unordered();
        let word = self.queue_word(first);
        let whole = if second == NO_OBJECT { word } else { self.queue_word(second) };
        match state_of(operation, shape, word, whole) {
            State::Ready => {}
            State::Waits if patience_of(operation) == Patience::ForATime => return Ok([errno::ETIMEDOUT, 0]),
            State::Waits if matches!(operation, Operation::QueueTake { kind: QueueKind::SystemV, .. }) => {
                return Ok([errno::ENOMSG, 0]);
            }
            State::Waits => return Ok([errno::EAGAIN, 0]),
            State::Removed | State::Ended => {
                let closing = self.queue_object(queue, 0, CLOSING);
                self.state.memory.race.acquire(self.segment.current, closing);
                let end = matches!(operation, Operation::QueueTake { .. });
                return Ok([
                    match kind {
                        QueueKind::Stream if end => 0,
                        QueueKind::Stream => errno::EPIPE,
                        _ => errno::EIDRM,
                    },
                    0,
                ]);
            }
            State::Closed => {
                return Err(Halt::unknown(format!("a descriptor is closed while a thread uses it{}", self.at())));
            }
            State::Crowded => {
                self.learn_of_queues(self.exploration.queues.with_more_room(operation));
                return Err(Halt::Silent);
            }
        }
        let at = Ring { queue, ring, object: first, word };
        match (*operation, shape) {
            (Operation::QueuePut { message, tag, size, .. }, Shape::Ring(places)) => {
                self.count_sent(operation);
                let place = tail(word);
                let next = (place + 1) % places;
                self.set_queue_word(first, word & !TAIL | next | lane_of(place));
                self.put_into(at, place, Message { message, tag, size, rank: 0 });
                Ok([KEPT, 0])
            }
            (Operation::QueuePut { kind: QueueKind::Stream, message, size, .. }, Shape::List) => {
                self.append(at, message, size)?;
                Ok([COPIED & self.program.pointer_mask, 0])
            }
            (Operation::QueuePut { kind, message, tag, size, .. }, Shape::List) => {
                if kind == QueueKind::SystemV && type_bit(tag) == 0 {
                    let reason =
                        format!("limit: a message of type {tag} in a queue from which not only types are received");
                    return Err(Halt::unknown(format!("{reason}{}", self.at())));
                }
                let known = self.listed(at);
                let free = (0..MOST_IN_LIST).find(|place| known.iter().all(|(known, _)| known != place));
                let Some(place) = free else {
                    return Err(Halt::unknown(format!("limit: {MOST_IN_LIST} messages in a queue{}", self.at())));
                };
                let more = if kind == QueueKind::SystemV { size } else { 1 };
                self.set_queue_word(first, (word | type_bit_of(kind, tag)) + (more << AMOUNT_AT));
                self.put_into(at, place, Message { message, tag, size, rank: known.len() as u32 });
                Ok([KEPT, 0])
            }
            (Operation::QueueTake { kind, size, truncate, .. }, Shape::Ring(places)) => {
                let place = head(word);
                let found = self.look_at(at, place);
                match kind {
                    QueueKind::SystemV if found.size > size && !truncate => return Ok([errno::E2BIG, 0]),
                    QueueKind::Stream if found.size != size => {
                        self.learn_of_queues(self.exploration.queues.with(operation));
                        return Err(Halt::Silent);
                    }
                    _ => {}
                }
                let next = (place + 1) % places;
                self.set_queue_word(first, word & !HEAD & !lane_of(place) | next << HEAD_AT);
                self.take_from(at, place);
                Ok([found.message, 0])
            }
            (Operation::QueueTake { kind: QueueKind::Stream, size, buffer, .. }, Shape::List) => {
                let count = self.read_stream(at, size, buffer)?;
                Ok([count.wrapping_neg() & self.program.pointer_mask, 0])
            }
            (Operation::QueueTake { kind, choice, except, truncate, size, .. }, Shape::List) => {
                let mut known = self.listed(at);
                known.retain(|(_, found)| kind == QueueKind::Priority || is_chosen(found.tag, choice, except));
                let best = known.into_iter().min_by_key(|(_, found)| match kind {
                    QueueKind::Priority => (u64::MAX - found.tag, found.rank),
                    _ if choice < 0 => (found.tag, found.rank),
                    _ => (0, found.rank),
                });
                let (place, found) = best.expect("the word says that there is one");
                if kind == QueueKind::SystemV && found.size > size && !truncate {
                    return Ok([errno::E2BIG, 0]);
                }
                self.take_from(at, place);
                let rest = self.listed(at);
                for (place, other) in rest.iter().filter(|(_, other)| other.rank > found.rank) {
                    let object = self.queue_object(queue, ring, place + 1);
                    self.set_sync_state(object, SyncState::Message(Message { rank: other.rank - 1, ..*other }));
                }
                let less = if kind == QueueKind::SystemV { found.size } else { 1 };
                let types = rest.iter().fold(0, |types, (_, other)| types | type_bit_of(kind, other.tag));
                let others = word & !(u64::MAX << TYPES_AT);
                self.set_queue_word(first, (others - (less << AMOUNT_AT)) | types);
                Ok([found.message, 0])
            }
            (Operation::QueueLook { .. }, _) => {
                let found: Vec<Message> = match shape {
                    Shape::List => self.listed(at).into_iter().map(|(_, found)| found).collect(),
                    Shape::Ring(_) => {
                        let full = (0..MOST_PLACES).filter(|place| word & lane_of(*place) != 0).collect::<Vec<_>>();
                        full.into_iter().map(|place| self.look_at(at, place)).collect()
                    }
                };
                Ok([found.len() as u64, found.iter().map(|found| found.size).sum()])
            }
            (Operation::QueueClose { end, .. }, _) => {
                self.set_queue_word(first, word | closed(end));
                // (Not with the queue: a thread that only reads what is in it does not learn that.)
                let closing = self.queue_object(queue, 0, CLOSING);
                self.state.memory.race.release_more(self.segment.current, closing);
                Ok([0, 0])
            }
            _ => unreachable!("it is about a queue"),
        }
    }

    /// Notes what is sent to a queue that is taken to be never full.
    fn count_sent(&mut self, operation: &Operation) {
        let Operation::QueuePut { kind, size, .. } = *operation else { return };
        let (index, most) = match kind {
            QueueKind::SystemV => (0, SYSTEM_V_BYTES),
            QueueKind::Stream => (1, STREAM_BYTES),
            QueueKind::Priority => return,
        };
        let sent = &mut self.process_mut().sent[index];
        *sent += size.max(1);
        if *sent > most {
            let usage = match kind {
                QueueKind::SystemV => QueueUsage { anyhow: true, ..self.exploration.queues },
                _ => self.exploration.queues.with(operation),
            };
            self.learn_of_queues(usage);
        }
    }

    /// What is in a place that is full.
    fn look_at(&mut self, at: Ring, place: u64) -> Message {
        let object = self.queue_object(at.queue, at.ring, place + 1);
        match self.sync_state(object) {
            SyncState::Message(message) => message,
            other => unreachable!("a full place has a message, not {other:?}"),
        }
    }

    /// Puts a message into a place, with what the thread knows.
    fn put_into(&mut self, at: Ring, place: u64, message: Message) {
        let object = self.queue_object(at.queue, at.ring, place + 1);
        self.set_sync_state(object, SyncState::Message(message));
        self.state.memory.race.release(self.segment.current, object);
    }

    /// Takes the message out of a place, with what its sender knew.
    fn take_from(&mut self, at: Ring, place: u64) {
        let object = self.queue_object(at.queue, at.ring, place + 1);
        self.state.memory.race.acquire(self.segment.current, object);
        self.set_sync_state(object, SyncState::Unused);
    }

    /// The messages in a list, by place.
    fn listed(&mut self, at: Ring) -> Vec<(u64, Message)> {
        let mut found = Vec::new();
        // Places are given out from the first one on, so all are among as many as there ever were at once.
        for place in 0..MOST_IN_LIST {
            let Some(ObjectKey::InMemory { base, generation, .. }) = Some(self.state.memory.ids.key(at.object)) else {
                break;
            };
            let offset = at.ring << 16 | (place + 1);
            let key = ObjectKey::InMemory { role: Role::Queue, base, generation, offset };
            let Some(object) = self.state.memory.ids.get(key) else { break };
            if let SyncState::Message(message) = self.sync_state(object) {
                found.push((place, message));
            }
        }
        found
    }

    /// Appends bytes of the program's memory to a stream.
    fn append(&mut self, at: Ring, from: u64, size: u64) -> Result<(), Halt> {
        let before = amount(at.word);
        if before + size > MOST_IN_LIST {
            let reason = format!("limit: more than {MOST_IN_LIST} bytes wait in a pipe or socket");
            return Err(Halt::unknown(format!("{reason}{}", self.at())));
        }
        for offset in 0..size {
            let (value, undefined) = self.load(from + offset, 1)?;
            let object = self.queue_object(at.queue, at.ring, before + offset + 1);
            let message = Message { message: value, tag: undefined, size: 1, rank: 0 };
            self.set_sync_state(object, SyncState::Message(message));
        }
        self.set_queue_word(at.object, at.word + (size << AMOUNT_AT));
        self.state.memory.race.release_more(self.segment.current, at.object);
        Ok(())
    }

    /// Reads up to so many bytes of a stream into the program's memory; how many.
    fn read_stream(&mut self, at: Ring, size: u64, to: u64) -> Result<u64, Halt> {
        let there = amount(at.word);
        let count = size.min(there);
        self.state.memory.race.acquire(self.segment.current, at.object);
        for place in 0..there {
            let found = self.look_at(at, place);
            if place < count {
                self.store(to + place, 1, found.message, found.tag)?;
            } else {
                let object = self.queue_object(at.queue, at.ring, place - count + 1);
                self.set_sync_state(object, SyncState::Message(found));
            }
        }
        for place in there - count..there {
            let object = self.queue_object(at.queue, at.ring, place + 1);
            self.set_sync_state(object, SyncState::Unused);
        }
        self.set_queue_word(at.object, at.word - (count << AMOUNT_AT));
        Ok(count)
    }
}

/// The bit of the type of a message, if it has one.
fn type_bit_of(kind: QueueKind, tag: u64) -> u64 {
    if kind == QueueKind::SystemV { type_bit(tag) } else { 0 }
}

/// A ring or list, with the word that it has.
#[derive(Clone, Copy)]
struct Ring {
    queue: u64,
    ring: u64,
    object: ObjectId,
    word: u64,
}

/// What is in a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Message {
    /// The address of the message, or a byte of a stream.
    message: u64,
    /// Type or priority; of a byte which bits have no value.
    tag: u64,
    /// Bytes.
    size: u64,
    /// In a list: how many are older.
    rank: u32,
}

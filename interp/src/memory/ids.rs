//! Dense numbers for the objects that the explorer sees.
//!
//! An object of the exploration is named by the memory object that it lies in (base address and generation: both are
//! functions of the allocating thread's own history) and what it is there. The table only grows and is never undone, so
//! the same thing has the same number in every execution.
use super::pool::SizeClass;
use por::{Numbers, ObjectId};
use serde::{Deserialize, Serialize};

/// What an [`ObjectId`] stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum ObjectKey {
    /// Something that lives in memory.
    InMemory {
        /// What it is: one address may be, say, a mutex and a cell of memory, with different lanes.
        role: Role,
        /// Start of the memory object.
        base: u64,
        /// How many objects began at that address before, in the allocating thread's history.
        generation: u32,
        /// Offset in bytes of the thing.
        offset: u64,
    },
    /// A thread (its existence and end).
    Thread(u32),
    /// Threads that nothing tells apart, by the first of them: which have executed an action.
    Line(u32),
    /// Something of which the process has only one; the machine numbers them.
    Process(u32),
    /// Blocks of a size class that were freed.
    Freed {
        /// The class.
        class: SizeClass,
        /// 0: all of them. Else one place in a list.
        part: u64,
    },
}

/// What a thing in memory is to the explorer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Role {
    /// Eight bytes of memory, at a multiple of eight.
    Granule,
    /// A mutex.
    Mutex,
    /// A condition variable.
    Condition,
    /// Any other synchronisation object.
    Other,
    /// That the memory object exists.
    Life,
    /// A queue of messages that has its name from there, and what belongs to it: the offset is a number.
    Queue,
    /// What quiet sections of a mutex touch, and their clocks: the offset has a number above its 48 bits.
    Section,
    /// A futex, and what there is on each thread that waits there: the offset has the thread's number + 1 above its 48
    /// bits.
    Futex,
}

impl ObjectKey {
    /// Where among the answers that are kept the one for this key is.
    #[inline]
    fn place(self) -> usize {
        let number = match self {
            // Objects begin at multiples of a slot, so the high bits of their addresses tell them apart.
            ObjectKey::InMemory { role, base, generation, offset } => {
                (base >> 20) ^ (base >> 8) ^ u64::from(generation) ^ (offset >> 3) ^ ((role as u64) << 6)
            }
            ObjectKey::Thread(thread) => u64::from(thread) << 2,
            ObjectKey::Line(thread) => u64::from(thread) << 2 | 1,
            ObjectKey::Process(number) => u64::from(number),
            ObjectKey::Freed { class, part } => u64::from(class.0) ^ part >> 4,
        };
        number as usize % KNOWN
    }
}

/// The table of objects.
#[derive(Clone, Default, Debug)]
pub struct ObjectIds {
    numbers: Numbers<ObjectKey>,
    /// Answers given before, each in the place that its question gives it.
    known: Vec<(ObjectKey, ObjectId)>,
    /// Whether an object has a number that begins where another one was before.
    renewed: bool,
}

/// How many answers are kept, a power of two.
const KNOWN: usize = 1 << 8;

impl ObjectIds {
    /// The number of this thing; a new one if it is new.
    ///
    /// # Panics
    /// After 2^32 different objects.
    #[inline]
    pub fn intern(&mut self, key: ObjectKey) -> ObjectId {
        let place = key.place();
        match self.known.get(place) {
            Some((known, id)) if *known == key => *id,
            _ => self.look_up(key, place),
        }
    }

    fn look_up(&mut self, key: ObjectKey, place: usize) -> ObjectId {
        let id = ObjectId(self.numbers.number(&key));
        self.renewed |= matches!(key, ObjectKey::InMemory { generation: 1.., .. });
        if self.known.is_empty() {
            self.known.resize(KNOWN, (key, id));
        }
        self.known[place] = (key, id);
        id
    }

    /// The number of this thing, if it has one.
    pub fn get(&self, key: ObjectKey) -> Option<ObjectId> {
        self.numbers.get(&key).map(ObjectId)
    }

    /// What a number stands for.
    pub fn key(&self, id: ObjectId) -> ObjectKey {
        *self.numbers.thing(id.0)
    }

    /// All of them, by number.
    pub(crate) fn all(&self) -> &[ObjectKey] {
        self.numbers.all()
    }

    /// Whether an object has got a number that begins where another one was before.
    pub(crate) fn has_renewed(&self) -> bool {
        self.renewed
    }

    /// How many objects have a number.
    pub fn len(&self) -> usize {
        self.numbers.all().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.numbers.all().is_empty()
    }

    /// From now on the other table gives the same numbers: it has given none yet, or the same.
    pub(crate) fn share(&mut self, other: &mut ObjectIds) {
        other.numbers = self.numbers.shared();
    }
}

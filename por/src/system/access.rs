//! Objects, lanes and words: what an action touches.
use super::{ObjectId, Variant};
use serde::{Deserialize, Serialize};

/// How the 64 bits of an object's word belong to its lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Lanes {
    /// Lane `i` is bit `i` (condition variables: is thread `i` waiting?).
    Bits,
    /// Lane `i < 8` is byte `i` (memory).
    Bytes,
    /// Lane 0 is the whole word (mutexes, threads).
    Whole,
}

impl Lanes {
    /// The bits of the word that belong to the lanes in `mask`.
    #[inline]
    pub fn bits(self, mask: u64) -> u64 {
        match self {
            Lanes::Bits => mask,
            Lanes::Whole => {
                if mask == 0 {
                    0
                } else {
                    u64::MAX
                }
            }
            // The lower seven bits meet no carry when they are copied to distances of seven; then each 1 fills its
            // byte.
            Lanes::Bytes => {
                ((((mask & 0x7f) * 0x0002_0408_1020_4081) | (mask >> 7 << 56)) & 0x0101_0101_0101_0101) * 0xff
            }
        }
    }
}

/// What an action does to one object. At most one access per object in an action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Access {
    /// The object.
    pub object: ObjectId,
    /// How its word is laid out; always the same for one object.
    pub lanes: Lanes,
    /// Lanes whose content the action depends on. A written lane need not be listed.
    pub reads: u64,
    /// Lanes whose content the action changes (or over which it must be ordered as if it did).
    pub writes: u64,
}

impl Access {
    /// Whether two accesses of different threads may not be swapped.
    #[inline]
    pub fn depends(&self, other: &Access) -> bool {
        self.object == other.object && (self.writes & (other.reads | other.writes)) | (self.reads & other.writes) != 0
    }

    /// All lanes touched.
    #[inline]
    pub fn touched(&self) -> u64 {
        self.reads | self.writes
    }
}

/// The accesses of one action: few (one or two almost always), so they are kept inline.
#[derive(Clone, Copy, Eq, Debug, Serialize, Deserialize)]
pub struct Accesses {
    items: [Access; Accesses::CAPACITY],
    len: u8,
}

impl Accesses {
    /// The largest number of objects that one action touches.
    pub const CAPACITY: usize = 4;

    /// No access.
    #[inline]
    pub fn none() -> Self {
        let nothing = Access { object: ObjectId(u32::MAX), lanes: Lanes::Whole, reads: 0, writes: 0 };
        Accesses { items: [nothing; Self::CAPACITY], len: 0 }
    }

    /// A single access.
    #[inline]
    pub fn one(access: Access) -> Self {
        let mut all = Self::none();
        all.push(access);
        all
    }

    /// Adds an access to an object that is not in the list yet.
    ///
    /// # Panics
    /// When the capacity is exceeded.
    #[inline]
    pub fn push(&mut self, access: Access) {
        self.items[usize::from(self.len)] = access;
        self.len += 1;
    }

    /// As many accesses that do nothing but look at what others write.
    pub(crate) fn seen(&self) -> Self {
        let mut seen = Self::none();
        self.iter().for_each(|access| seen.push(Access { reads: access.touched(), writes: 0, ..*access }));
        seen
    }

    /// The same with one lane of the first object, for each of those given that it touches.
    pub(crate) fn lanes_of_first(&self, lanes: u64) -> impl Iterator<Item = Self> + use<> {
        let seen = self.seen();
        let touched = seen.first().map_or(0, |first| first.reads & lanes);
        (0..64).map(|lane| 1 << lane).filter(move |lane| touched & lane != 0).map(move |lane| {
            let mut one = seen;
            one.items[0].reads = lane;
            one
        })
    }

    /// What an operation with this footprint depends on such that it may be another one with less of the past, where it
    /// can happen in these variants: all if it is blocked, what others write if it is a choice; `None` if it is
    /// neither. `picks`: see [`super::System::picks`]; then it is the lane, if variants of that lane are looked for,
    /// and otherwise the lane of a thread that waits, if there is one.
    pub(crate) fn of_others(&self, variants: &[Variant], picks: bool, lane: Option<&Self>) -> Option<Self> {
        if variants.is_empty() {
            return Some(*self);
        }
        if variants.len() == 1 && variants[0].accesses == *self {
            return None;
        }
        let is_of_one = |access: &Access| access.touched().is_power_of_two();
        let waits = |variant: &&Variant| variant.accesses.first().is_some_and(is_of_one);
        match lane {
            Some(lane) => Some(*lane),
            None if !picks => Some(self.seen()),
            None => Some(variants.iter().find(waits).map_or(*self, |variant| variant.accesses).seen()),
        }
    }
}

impl PartialEq for Accesses {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl std::hash::Hash for Accesses {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl Default for Accesses {
    fn default() -> Self {
        Accesses::none()
    }
}

impl std::ops::Deref for Accesses {
    type Target = [Access];
    fn deref(&self) -> &[Access] {
        &self.items[..usize::from(self.len)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_of_bytes() {
        for mask in 0..256u64 {
            let expected = (0..8).filter(|lane| mask >> lane & 1 != 0).fold(0, |bits, lane| bits | 0xff << (8 * lane));
            assert_eq!(Lanes::Bytes.bits(mask), expected, "{mask:#x}");
        }
    }
}

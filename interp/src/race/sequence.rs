//! Release sequences, by the thread that heads them.
//!
//! By C11 and C17 (5.1.2.4, paragraph 10) the release sequence that a release heads is carried on by stores of the
//! same thread, and by read-modify-writes of all; the first store by another thread ends it. A thread that acquires
//! what was written by any of these learns what was released. So of each byte of an atomic location it is known, by
//! thread, what that thread released there since the last store by another one: its next store carries that on, even if
//! it is relaxed. In C++20 only read-modify-writes carry on, and nothing of this is needed.
//!
//! Of several releases by one thread the last one says all. And the sequence that a relaxed store after a release
//! fence would head if it were a release needs no memory of its own: each later store of that thread releases what
//! the last fence does, which is no less.
use super::clock::ClockId;
use por::ThreadId;

/// The sequences at a byte: a list in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct SequencesId(u32);

impl SequencesId {
    /// None.
    pub(super) const NONE: SequencesId = SequencesId(0);
}

/// A sequence, and the list of the sequences that were there before it.
#[derive(Clone, Copy, Debug)]
struct Link {
    head: ThreadId,
    released: ClockId,
    rest: SequencesId,
}

/// The arena. A list is never changed once made; it goes when the arena is cut back.
#[derive(Clone, Default, Debug)]
pub(super) struct Sequences {
    links: Vec<Link>,
}

impl Sequences {
    /// How much there is; to go back to with [`Sequences::truncate`].
    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    /// Forgets all lists made since.
    pub(super) fn truncate(&mut self, len: usize) {
        self.links.truncate(len);
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.links.len() * size_of::<Link>()
    }

    /// The threads that head a sequence in the list, and what that thread has released; each thread once.
    pub(super) fn heads(&self, list: SequencesId) -> impl Iterator<Item = (ThreadId, ClockId)> {
        let link = |list: SequencesId| list.0.checked_sub(1).map(|index| self.links[index as usize]);
        std::iter::successors(link(list), move |last| link(last.rest)).map(|link| (link.head, link.released))
    }

    /// The list with that sequence before all others; there is none of that thread yet.
    fn put(&mut self, head: ThreadId, released: ClockId, rest: SequencesId) -> SequencesId {
        self.links.push(Link { head, released, rest });
        SequencesId(u32::try_from(self.links.len()).expect("fewer than 2^32 release sequences"))
    }

    /// The list after a store: one sequence, or none if nothing is released.
    pub(super) fn only(&mut self, head: ThreadId, released: ClockId) -> SequencesId {
        if released == ClockId::NONE { SequencesId::NONE } else { self.put(head, released, SequencesId::NONE) }
    }

    /// The list after a read-modify-write that releases.
    pub(super) fn with(&mut self, list: SequencesId, head: ThreadId, released: ClockId) -> SequencesId {
        let others: Vec<_> = self.heads(list).filter(|(other, _)| *other != head).collect();
        let rest = others.into_iter().rev().fold(SequencesId::NONE, |rest, (head, clock)| self.put(head, clock, rest));
        self.put(head, released, rest)
    }
}

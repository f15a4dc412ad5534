//! What was proved of places in loops: see [`alike`](super::alike).
use crate::fingerprint::live::LiveSlots;
use crate::machine::Machine;
use crate::options::Awaits;
use crate::waiting::tally::Tallied;
use crate::waiting::walker::Value;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};

/// Proofs about the same places of the code that took too long, after which none is tried there.
const MOST_TOO_LONG: u32 = 16;

/// How threads wait, and two places.
pub(super) type Question = (Awaits, Vec<Value>);

/// What is known of two places.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(super) enum Answer {
    /// They are alike if nobody looks at these words.
    Alike(Vec<Tallied>),
    /// They are not, or it takes too long to find out.
    Unlike,
}

/// The places that were compared.
#[derive(Clone, Default, Debug)]
pub(super) struct Proofs {
    pub(super) live: LiveSlots,
    /// Those of them that are not faint.
    pub(super) heeded: LiveSlots,
    pub(super) known: FxHashMap<Question, Answer>,
    /// By both places without their values: how many proofs took too long.
    pub(super) too_long: FxHashMap<Vec<Value>, u32>,
    /// Whether any proof takes it for granted that turns are not counted for very long.
    pub(super) counts: bool,
    /// Words of which it is to be found out who looks at them.
    wanted: Vec<Tallied>,
}

/// What is known of places, as plain data.
#[derive(Serialize, Deserialize)]
pub(super) struct Known {
    known: Vec<(Question, Answer)>,
    too_long: Vec<(Vec<Value>, u32)>,
    counts: bool,
}

impl Proofs {
    /// All that is known, in some order that is always the same.
    pub(super) fn all(&self) -> Known {
        let mut known: Vec<_> = self.known.iter().map(|(pair, answer)| (pair.clone(), answer.clone())).collect();
        let mut too_long: Vec<_> = self.too_long.iter().map(|(places, count)| (places.clone(), *count)).collect();
        known.sort_unstable();
        too_long.sort_unstable();
        Known { known, too_long, counts: self.counts }
    }

    /// Takes over what others have found.
    pub(super) fn take_over(&mut self, found: Known) {
        self.known.extend(found.known);
        self.too_long.extend(found.too_long);
        self.counts |= found.counts;
    }

    /// Whether proofs about these places take too long.
    pub(super) fn takes_too_long(&self, places: &[Value]) -> bool {
        self.too_long.get(places).is_some_and(|&count| count >= MOST_TOO_LONG)
    }
}

impl Machine {
    pub(super) fn proofs(&self) -> MutexGuard<'_, Proofs> {
        self.lifelong.turns.proofs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of that, as far as it may be relied on; and whether it relies on words.
    pub(super) fn known_of(&self, question: &Question, relies: &Cell<bool>) -> Option<bool> {
        let answer = self.proofs().known.get(question).cloned()?;
        Some(self.may_take(&answer, relies))
    }

    /// Whether the answer is that two places are alike, and may be relied on; and whether it relies on words.
    pub(super) fn may_take(&self, answer: &Answer, relies: &Cell<bool>) -> bool {
        match answer {
            Answer::Alike(words) => {
                relies.set(relies.get() || !words.is_empty());
                words.is_empty() || self.may_rely_on(words)
            }
            Answer::Unlike => false,
        }
    }

    /// It is to be found out who looks at these words.
    pub(super) fn want_counted(&self, words: Vec<Tallied>) {
        if !words.is_empty() {
            self.proofs().wanted.extend(words);
            self.lifelong.turns.has_wanted.store(true, Ordering::Release);
        }
    }

    /// The words of which it is to be found out.
    pub(super) fn take_wanted(&self) -> Vec<Tallied> {
        // (By far the commonest is that there are none, after each action.)
        let wanted = &self.lifelong.turns.has_wanted;
        if !wanted.load(Ordering::Relaxed) || !wanted.swap(false, Ordering::AcqRel) {
            return Vec::new();
        }
        std::mem::take(&mut self.proofs().wanted)
    }

    /// Whether some thread waits because turns, which a signed number counts, are not counted until that overflows.
    pub(crate) fn counts_turns(&self) -> bool {
        self.proofs().counts
    }

    /// Some thread waits for that reason.
    pub(super) fn note_counts_turns(&self) {
        self.proofs().counts = true;
    }
}

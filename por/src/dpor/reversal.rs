//! How operations that are blocked, or choices, are reversed.
//!
//! **Source sets look further.** They take only the first step of a planned sequence, and rely on races being found
//! again after it. But let p have been explored from a prefix of E, and let w·q be a sequence from there of which w is
//! independent of p and q is not. After p·w the operation of q may have another variant, independent of p and w, which
//! is asleep there and never executed: then no event of it is in a race with p. So wherever an operation would be a
//! choice, the events that wrote what it reads are left out as well, one after the other, as if the operation were
//! blocked.
//!
//! Why that is enough: assume that from the prefix none of the first steps of w·q… has been explored, nor is asleep;
//! take the p of those explored for which w is longest, and one that writes nothing that the operation of q looks at if
//! there is any. If p is like that, q is possible after p·w, and not asleep, for it depends on p: it is executed there,
//! and in a race with p. If it is not, the operation is in one of three states after p·w. It is blocked: then what it
//! races with is left out in any case. A variant is possible that is not asleep: it is executed there in some
//! execution, in a race with p or as a choice. All are asleep: the operation happens after more than w, or is pending
//! in the end. In the last two cases all writers that are not in w are left out in the end, for after each part of them
//! that contains p·w it is a choice (or executed there, which is the second case). What is planned has w·q in it, and
//! else what comes after p·w and is not left out. If that begins with something of the latter that has been explored,
//! it is independent of w, and either of q too, so that w was not the longest, or q writes what it reads, so that it is
//! one that writes nothing, and p was not the one to take.
//!
//! **Wakeup trees look further, too.** They execute all of what is planned. But what is planned with another variant of
//! q may be redundant, because p is independent of it: then that variant is executed after p, where leaving out what it
//! depends on gives q after p only. (A thread waits until its time is over, p is where it begins to; another one waits
//! for ever; q wakes one of them, or none if neither waits yet.)
//!
//! **Of operations that pick** ([`System::picks`](crate::System::picks)) each variant touches one lane, but one, which
//! is possible where none of the others is. So the lanes are gone through one by one. (Otherwise 2^k parts of E would
//! have to be looked at where k threads wait.) For a variant of one lane, all writers of that lane that are not in w
//! are left out, and others stay: q does not depend on them. (What p must not write, above, is then that lane, not all
//! that the operation could look at: a p that reads it makes q depend on p, so that q is not asleep.) For the one that
//! touches all, no thread waits behind w: where one does, the last writer of its lane is not in w. Only where none
//! waits may any of the writers be the next one.
use super::known::Sequential;
use super::race::Pending;
use super::trace::NOWHERE;
use super::walk::Walk;
use crate::Listener;
use crate::system::Accesses;

impl<S: Sequential, O: Listener<S>> Walk<'_, S, O> {
    /// Reverses every race between the pending operation and the part of E that `dropped` leaves.
    pub(super) fn reverse_all(&mut self, pending: &Pending<S::Operation>, dropped: &mut Vec<u32>) {
        let kept = self.trace.kept(dropped);
        let mut races = self.races(pending, &pending.footprint, &kept);
        let mut variants = Vec::new();
        self.variants_at(pending, &kept, &mut variants);
        for variant in variants {
            if variant.accesses != pending.footprint {
                let more = self.races(pending, &variant.accesses, &kept);
                races.extend(more.into_iter().filter(|group| !races.contains(group)).collect::<Vec<_>>());
            }
        }
        let count = dropped.len();
        self.tried.clear();
        for group in races {
            self.statistics.work.races += 1;
            dropped.extend(group);
            self.reverse(pending, None, dropped);
            dropped.truncate(count);
        }
    }

    /// The same as [`Walk::reverse`], with nothing tried so far.
    pub(super) fn reverse_once(
        &mut self,
        pending: &Pending<S::Operation>,
        known: Option<u32>,
        dropped: &mut Vec<u32>,
    ) -> bool {
        self.tried.clear();
        self.reverse(pending, known, dropped)
    }

    /// Plans the pending operation after the part of E that `dropped` leaves, in each variant but that of the event
    /// `known`, and drops more where that may give others. Returns whether this can give nothing new as long as the
    /// beginning of E up to `pending.at` stays the same.
    fn reverse(&mut self, pending: &Pending<S::Operation>, known: Option<u32>, dropped: &mut Vec<u32>) -> bool {
        let mut settled = self.act(pending, known, dropped, None);
        if self.system.pure().picks(&pending.operation)
            && let Some(first) = pending.footprint.first()
        {
            let written = self.trace.written(first.object);
            for lane in pending.footprint.lanes_of_first(written) {
                settled &= self.drop_more(pending, known, dropped, &lane, Some(&lane));
            }
        }
        settled
    }

    /// Drops more of what an action with these accesses depends on. `lane`: as long as the operation is possible, that
    /// is done for variants that touch no other lane.
    fn drop_more(
        &mut self,
        pending: &Pending<S::Operation>,
        known: Option<u32>,
        dropped: &mut Vec<u32>,
        accesses: &Accesses,
        lane: Option<&Accesses>,
    ) -> bool {
        let mut settled = true;
        let count = dropped.len();
        for group in self.races(pending, accesses, &self.trace.kept(dropped)) {
            dropped.extend(group);
            // The order in which they are dropped makes no difference.
            if lane.is_some() || dropped.len() < 3 || self.tried.insert(sorted(dropped)) {
                settled &= self.act(pending, known, dropped, lane);
            }
            dropped.truncate(count);
        }
        settled
    }

    fn act(
        &mut self,
        pending: &Pending<S::Operation>,
        known: Option<u32>,
        dropped: &mut Vec<u32>,
        lane: Option<&Accesses>,
    ) -> bool {
        // (The work for a race grows with the length of the execution.)
        self.look_at(self.trace.len());
        let kept = self.trace.kept(dropped);
        let is_kept = |x: &u32| *x == NOWHERE || self.trace.keeps(&kept, *x);
        if !is_kept(&pending.before) || !pending.joined.iter().all(is_kept) {
            return true;
        }
        let mut settled = true;
        let mut variants = std::mem::take(&mut self.variants);
        self.variants_at(pending, &kept, &mut variants);
        for variant in &variants {
            let action = self.action(pending, variant);
            if known.is_some_and(|at| self.trace.event(at).action == action) {
                continue;
            }
            let start = *dropped.iter().min().expect("something is dropped");
            settled &= self.plan_behind(pending, action, &variant.accesses, &kept, start);
        }
        let picks = self.system.pure().picks(&pending.operation);
        let more = pending.footprint.of_others(&variants, picks, lane);
        self.variants = variants;
        match more {
            Some(more) => self.drop_more(pending, known, dropped, &more, lane) && settled,
            None => settled,
        }
    }
}

fn sorted(all: &[u32]) -> Vec<u32> {
    let mut all = all.to_vec();
    all.sort_unstable();
    all
}

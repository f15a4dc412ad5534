//! Alternatives to D after C (RSSK15, Def. 8), and their k-partial form (NRSCP18).
//!
//! An alternative is a configuration J such that C ∪ J is a configuration, J avoids D, and every event of D has an
//! event of C ∪ J in conflict with it. The search takes the events of D that can still be added to C ∪ J, one after the
//! other. For each, it adds the local configuration of an event in direct conflict with it, and goes back when that
//! fails. Finding one is NP-complete; a k-partial alternative considers the k most recent events of D only and is
//! polynomial for fixed k.
//!
//! **Within a limit.** Nearly every search for an alternative to all of D is short, so this is the default; but a
//! search that has looked at too many candidates begins again as a 1-partial one. What it was about to find does not
//! matter: a k-partial alternative exists if a full one does, and an execution that it leads to and that is none ends
//! blocked. So that a long D is not looked through each time, only its last [`MOST`] events count.
//!
//! **Candidates.** In direct conflict with an event d of D that can be added are the other choices after its thread
//! predecessor, and the events with an access that depends on one of d's and comes directly after the same write. Of
//! what is in the lists for d ([`super::event`]), everything that can be added to C is in conflict with d. A choice
//! excludes d because both are the next event of one thread. Of two events whose accesses depend on one another every
//! configuration has one before the other: so they are in conflict, unless one is in the history of the other. What is
//! in the history of d is in C, and was not added. What has d in its history cannot be added without d, which is in D.
//!
//! **What need not be looked at.** There may be very many candidates, of which few fit to C: a write after n others
//! that read has 2ⁿ histories. So they are looked at one by one, until one leads to an alternative; and one that cannot
//! be added leaves its list for as long as the reason is there, which is an event o, its *obstacle*. Either o is the
//! candidate itself, in C; or o is in D and in the candidate's local configuration; or o is in C and in conflict with
//! an event of that; or what the candidate's local configuration settles of the data cannot hold together with what C
//! settles, and o is the last event of C that settles anything (⊥ if none does). (C is here what the search has made of
//! it; what it has added leaves again, too.) Each holds until o leaves C or D (as long as o is in C, so is all that was
//! added before), and then the candidate is in its list again. A cutoff counts for as long as it is known, and its
//! obstacle is ⊥.
//!
//! The obstacle of an event is one of every event that comes after it, unless it is there for the sake of data. That of
//! a candidate is looked for in the order of causes, first the last ones; all events on the way to the one that has it
//! keep it (their *barrier*), so that the way is gone once and not again for each candidate behind it. (A thread that
//! looks at a word n times before it changes has n writes for candidates, with up to n events before each of them.) An
//! event in D keeps out what has it in its history, whenever it is in D; and an event in C what it is in conflict with,
//! whenever it is in C.
//!
//! So a search finds an alternative if and only if it would find one among all candidates; which one may
//! differ, since a list is in another order after something has come back.
use super::event::{BOTTOM, Barrier, EventId, List};
use super::walk::{Disabled, Walk};
use crate::system::{ObjectId, Unfoldable};
use crate::{Alternatives, Listener, Phase};

/// So many events of D a search within a limit looks at, the youngest ones.
const MOST: usize = 256;

impl<S: Unfoldable, O: Listener<S>> Walk<'_, S, O> {
    /// Looks for an alternative to D after C and makes J ∖ C the guide. The event disabled last is the last of D.
    pub(super) fn find_alternative(&mut self) -> bool {
        let found = self.during(Phase::Alternatives, Self::search);
        self.statistics.work.searches += 1;
        self.statistics.work.alternatives += u64::from(found);
        if found && self.listener.wants_phases() {
            let object = self.reversed();
            self.listener.another_order(self.system, object);
        }
        found
    }

    /// The object because of which the guide is an alternative to the event disabled last, unless it is another choice.
    fn reversed(&self) -> Option<ObjectId> {
        let accesses = |id| self.unfolding.access_ids(id).map(|access| self.unfolding.access(access).access);
        let given_up = self.disabled.last()?.event;
        let thread = self.unfolding.event(given_up).thread;
        let others = self.guide.iter().rev().filter(|id| self.unfolding.event(**id).thread != thread);
        let pairs = others.flat_map(|&other| accesses(other).flat_map(|a| accesses(given_up).map(move |b| (a, b))));
        pairs.filter(|(a, b)| a.depends(b)).map(|(a, _)| a.object).next()
    }

    fn search(&mut self) -> bool {
        let height = self.configuration.trail().len();
        let newest = self.disabled.len().checked_sub(1).expect("an event has just been disabled");
        // The event disabled last has just been removed from C, so it can be added.
        let oldest = self.oldest_to_avoid(newest);
        self.scratch.search_ends = match self.options.alternatives {
            Alternatives::Within(most) => self.statistics.work.conflicts.saturating_add(most.into()),
            Alternatives::Partial(_) | Alternatives::Optimal => u64::MAX,
        };
        let mut found = self.replace(newest, oldest);
        if !found && self.is_too_long() {
            self.scratch.search_ends = u64::MAX;
            found = self.replace(newest, newest);
        }
        self.guide.clear();
        self.guide_base = self.nodes.len();
        while self.configuration.trail().len() > height {
            let event = self.configuration.pop(&mut self.unfolding);
            if found {
                self.guide.push(event);
            }
        }
        found
    }

    /// Whether the search has looked at more candidates than it may.
    fn is_too_long(&self) -> bool {
        self.statistics.work.conflicts > self.scratch.search_ends
    }

    /// The first event of D that an alternative must care for: the K-th from the end of those that can be added to C.
    fn oldest_to_avoid(&mut self, newest: usize) -> usize {
        let k = match self.options.alternatives {
            Alternatives::Partial(k) => k,
            Alternatives::Optimal => return 0,
            Alternatives::Within(_) => return (newest + 1).saturating_sub(MOST),
        };
        let mut open = 1;
        let mut oldest = newest;
        while open < k && oldest > 0 {
            oldest -= 1;
            open += u32::from(self.can_be_added(oldest));
        }
        oldest
    }

    /// Whether event number `index` of D can be added to C.
    fn can_be_added(&mut self, index: usize) -> bool {
        let Disabled { event, obstacle } = self.disabled[index];
        if obstacle.is_some_and(|obstacle| self.unfolding.event(obstacle).in_configuration) {
            return false;
        }
        let obstacle = self.configuration.obstacle(&self.unfolding, event);
        self.disabled[index].obstacle = obstacle;
        obstacle.is_none()
    }

    /// Adds events to C (without executing them) until none of D's events from number `oldest` up to and with `newest`
    /// can be added to it. On failure C is as before.
    fn avoid(&mut self, newest: usize, oldest: usize) -> bool {
        let Some(d) = (oldest..=newest).rev().find(|&d| self.can_be_added(d)) else { return true };
        self.replace(d, oldest)
    }

    /// The same where event number `newest` of D can be added: first adds an event in conflict with that.
    fn replace(&mut self, newest: usize, oldest: usize) -> bool {
        let begin = self.scratch.lists.len();
        let lists = &mut self.scratch.lists;
        self.unfolding.lists(self.disabled[newest].event, |list| lists.push(list));
        let found = (begin..self.scratch.lists.len()).any(|index| {
            let tried = self.scratch.tried.len();
            let found = self.replace_from(self.scratch.lists[index], newest, oldest);
            self.scratch.tried.truncate(tried);
            found
        });
        self.scratch.lists.truncate(begin);
        found
    }

    /// The same with an event of this list.
    fn replace_from(&mut self, list: List, newest: usize, oldest: usize) -> bool {
        let height = self.configuration.trail().len();
        let tried = self.scratch.tried.len();
        let (mut before, mut next) = (None, self.unfolding.first_entry(list));
        while let Some(entry) = next {
            self.statistics.work.conflicts += 1;
            if self.is_too_long() {
                return false;
            }
            next = self.unfolding.next_entry(entry);
            let candidate = self.unfolding.dependent(list, entry);
            let Some(candidate) = candidate.filter(|_| !self.scratch.tried[tried..].contains(&entry)) else {
                before = Some(entry);
                continue;
            };
            let obstacle = self.push_history(candidate);
            if obstacle.is_none() && (newest == oldest || self.avoid(newest - 1, oldest)) {
                return true;
            }
            while self.configuration.trail().len() > height {
                self.configuration.pop(&mut self.unfolding);
            }
            match obstacle {
                Some(obstacle) => self.unfolding.watch(entry, before, obstacle),
                None => {
                    // It is possible, but not with what else there must be. The list has changed meanwhile: what has
                    // begun to watch one of the events that have just been removed is in front again.
                    self.scratch.tried.push(entry);
                    (before, next) = (None, self.unfolding.first_entry(list));
                }
            }
        }
        false
    }

    /// Adds `[event]` ∖ C to C, in causal order. If that is not possible, returns an event of C or D because of which
    /// it is not, and what was added by then stays for the caller to remove.
    fn push_history(&mut self, event: EventId) -> Option<EventId> {
        if self.unfolding.event(event).in_configuration {
            return Some(event);
        }
        let newest = self.configuration.settling().last().copied();
        let mut pending = std::mem::take(&mut self.scratch.pending);
        let mut path = std::mem::take(&mut self.scratch.path);
        pending.clear();
        path.clear();
        pending.push(event);
        let (mut obstacle, mut barrier) = (None, None);
        while let Some(&top) = pending.last() {
            let known = self.unfolding.event(top);
            if known.in_configuration {
                pending.pop();
                continue;
            }
            if known.disabled {
                (obstacle, barrier) = (Some(top), Some(Barrier::cause(top)));
                break;
            }
            if known.cutoff && !known.kept {
                // What is a cutoff once is one for as long as the event is known.
                obstacle = Some(BOTTOM);
                break;
            }
            if let Some((other, known)) = self.unfolding.barrier(top) {
                (obstacle, barrier) = (Some(other), Some(known));
                break;
            }
            let height = pending.len();
            let before = known.before;
            if !self.unfolding.event(before).in_configuration {
                pending.push(before);
            }
            for &p in self.unfolding.predecessors(top) {
                if !self.unfolding.event(p).in_configuration {
                    pending.push(p);
                }
            }
            if pending.len() == height {
                obstacle = self.configuration.obstacle(&self.unfolding, top);
                if let Some(other) = obstacle {
                    barrier = Some(Barrier::conflict(other));
                    path.extend((path.last() != Some(&top)).then_some(top));
                    break;
                }
                if !self.is_feasible(top) {
                    obstacle = Some(newest.unwrap_or(BOTTOM));
                    break;
                }
                self.configuration.push(&mut self.unfolding, top);
                pending.pop();
                path.pop_if(|last| *last == top);
            } else {
                path.push(top);
            }
        }
        if let Some(barrier) = barrier {
            self.unfolding.bar(&path, barrier);
        }
        (self.scratch.pending, self.scratch.path) = (pending, path);
        obstacle
    }
}

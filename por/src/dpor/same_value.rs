//! Actions that do the same for later actions, and what remains of E without some of it.
//!
//! Several actions *set* a place if each writes it, whatever was there, and all leave the same there; nothing else
//! writes it. They are independent of one another. An action that reads the place depends on all of them if it comes
//! first, and sees the place unset; if it comes after one, it sees the place set, and is independent of all others. So
//! independence depends on what has happened, and two executions are equivalent if one becomes the other by swaps of
//! neighbours: of those that are independent as ever, of two that set one place, and of one that sets a place and one
//! that sees it if it was set before.
//!
//! **A class is no partial order.** What sees a place set needs one of those that set it (*or*), and everything else
//! that happens before an event is needed by it (*and*). The actions of an execution, the pairs of them that depend on
//! one another in the sense of *and*, and the places that each sees set are the same for all of its class, and tell it
//! from others: what can come next after some events can come next after more of them (that is an antimatroid), and
//! so the first event of one order can be moved to the front of any other, swap by swap, and then the second one, and
//! so on. No swap changes what an action sees.
//!
//! **What is kept** of E without some events D is the least set such that an event that is not in D is kept if what its
//! thread stands behind is, every event on which it depends is, and for every place that it sees set one that sets it
//! is, which may well come later in E. With D = {a}, b is not kept iff a happens before b, in the following sense:
//! clocks are the greatest ones such that the clock of an event is the maximum of those of the events that it needs
//! and, for every place that it sees set, the minimum of those of the events that set it. (If b is kept without an
//! event, it is kept without any later one of the same thread, so that clocks are enough.) With more than one event
//! dropped it may be less than what is kept without each. An event is *loose* if it sees a place set for which E has
//! more than one that sets it. Without such events all of this is what it is in a partial order, and done as there.
//!
//! **Races.** An event that sees a place set is not in a race with one of those that set it, but with all of them at
//! once that do not happen after it: what is kept without these, followed by the event, which sees the place unset
//! there. Nothing else is new: where an event sets a place, the events that saw it unset are in races with it as with
//! any other write.
//!
//! Why that is enough: let p have been explored from a prefix of E, and let u·q be a sequence from there such that p is
//! independent of u and not of q. Then some execution p·u·q·… was explored from there, or one that is equivalent. If p
//! sets a place that q reads, then neither the prefix nor u sets it, for then q would be independent of p. So all that
//! set it, but for those after q, can be dropped, and u is kept. If they depend on one another as ever, u is kept
//! without p, and q sees set what it sees set because of the prefix or of u.
use super::action::Place;
use super::trace::{NOWHERE, Trace};
use crate::system::{Access, ObjectId};

/// The events that set a place, and those that see it set.
pub(super) struct SameValue {
    place: Place,
    lanes: u64,
    /// Positions of the events that set it.
    pub(super) events: Vec<u32>,
    /// Positions of the others that touch it after the first of these.
    seen: Vec<u32>,
}

impl SameValue {
    /// Takes back the last event.
    pub(super) fn pop(&mut self, last: u32) {
        for all in [&mut self.events, &mut self.seen] {
            all.pop_if(|at| *at == last);
        }
    }
}

/// What remains of E without some events.
pub(super) struct Kept<'a> {
    dropped: &'a [u32],
    /// The order of the remaining events, only if there are loose events.
    order: Option<Order>,
}

/// Events in an order in which they can happen.
pub(super) struct Order {
    pub(super) events: Vec<u32>,
    /// For each position in E: the rank of the event in the order.
    ranks: Vec<u32>,
}

impl Order {
    fn has(&self, position: u32) -> bool {
        self.ranks[position as usize] != NOWHERE
    }

    pub(super) fn push(&mut self, position: u32) {
        self.ranks[position as usize] = self.events.len() as u32;
        self.events.push(position);
    }
}

impl<Op> Trace<Op> {
    /// Notes whether the event appended last sets places or sees them set. Returns an object that does not hold what
    /// was set there, or where something else is written.
    pub(super) fn note_sets(&mut self, at: u32) -> Option<ObjectId> {
        let action = self.event(at).action;
        let mut broken = None;
        for (index, access) in self.table.accesses(action).iter().enumerate() {
            let object = access.object.index();
            if action.place().is_some() && self.sets.len() <= object {
                self.sets.resize_with(object + 1, Vec::new);
            }
            let Some(all) = self.sets.get(object) else { continue };
            if let Some(place) = action.place()
                && !all.iter().any(|sets| sets.place == place)
            {
                let written = |&&(position, index): &&(u32, u8)| {
                    let earlier = self.table.accesses(self.event(position).action)[usize::from(index)];
                    position != at && earlier.writes & access.writes != 0
                };
                let overlaps = all.iter().any(|sets| sets.lanes & access.writes != 0);
                if overlaps || self.objects[object].iter().find(written).is_some() {
                    return Some(access.object);
                }
                self.sets[object].push(SameValue { place, lanes: access.writes, events: Vec::new(), seen: Vec::new() });
            }
            for number in 0..self.sets[object].len() {
                let SameValue { place, lanes, events, .. } = &self.sets[object][number];
                let (place, lanes) = (*place, *lanes);
                if lanes & access.touched() == 0 {
                    continue;
                }
                let sets_it = action.place() == Some(place);
                if !sets_it && access.writes & lanes != 0 {
                    broken = Some(access.object);
                }
                if let Some(&last) = events.last() {
                    let (left, found) = (self.event(last).words[0][1], self.event(at).words[index][0]);
                    broken = broken.or(((left ^ found) & access.lanes.bits(lanes) != 0).then_some(access.object));
                }
                let SameValue { events, seen, .. } = &mut self.sets[object][number];
                if sets_it {
                    events.push(at);
                } else if !events.is_empty() {
                    seen.push(at);
                }
            }
        }
        broken
    }

    /// Whether the place is set after so many events.
    pub(super) fn is_set(&self, place: Place, length: u32) -> bool {
        let object = self.table.written_at(place).object.index();
        let sets = self.sets.get(object).and_then(|all| all.iter().find(|sets| sets.place == place));
        sets.and_then(|sets| sets.events.first()).is_some_and(|&first| first < length)
    }

    /// The first event that sets the place that the access sets.
    pub(super) fn first_set(&self, access: &Access) -> Option<u32> {
        let mut all = self.sets.get(access.object.index())?.iter();
        all.find(|sets| sets.lanes & access.writes != 0)?.events.first().copied()
    }

    /// The places that these accesses see set after so many events.
    pub(super) fn seen<'a>(&'a self, accesses: &'a [Access], length: u32) -> impl Iterator<Item = &'a SameValue> {
        accesses.iter().filter(|access| access.reads != 0).flat_map(move |access| {
            let all = self.sets.get(access.object.index()).into_iter().flatten();
            all.filter(move |sets| sets.lanes & access.reads != 0 && sets.events.first().is_some_and(|&at| at < length))
        })
    }

    /// Whether any event of E may have set a place.
    pub(super) fn has_sets(&self) -> bool {
        !self.sets.is_empty()
    }

    /// The position of the first loose event.
    pub(super) fn first_loose(&self) -> u32 {
        let loose = self.sets.iter().flatten().filter(|sets| sets.events.len() > 1);
        loose.filter_map(|sets| sets.seen.first().copied()).min().unwrap_or(NOWHERE)
    }

    /// What remains without these events.
    pub(super) fn kept<'a>(&self, dropped: &'a [u32]) -> Kept<'a> {
        let order = self.is_loose().then(|| {
            let mut order = self.nothing();
            self.go_on(&mut order, dropped);
            order
        });
        Kept { dropped, order }
    }

    /// Whether an event remains.
    pub(super) fn keeps(&self, kept: &Kept<'_>, x: u32) -> bool {
        match &kept.order {
            Some(order) => order.has(x),
            None => !kept.dropped.iter().any(|&p| self.includes(x, p)),
        }
    }

    /// What remains, from the first event dropped on, in an order in which it can happen, in two parts: what the events
    /// `causes` and `before` need comes first.
    pub(super) fn sort(&self, kept: &Kept<'_>, before: u32, causes: &[u32]) -> [Vec<u32>; 2] {
        let start = kept.dropped.iter().copied().min().unwrap_or(0);
        match &kept.order {
            Some(order) => self.split(order, start, causes.iter().copied().chain([before])),
            None => {
                let is_cause = |x: &u32| self.knows(before, *x) || causes.iter().any(|&c| self.includes(c, *x));
                let all = (start..self.len() as u32).filter(|&x| self.keeps(kept, x));
                let (first, rest) = all.partition(is_cause);
                [first, rest]
            }
        }
    }

    /// No event, as the beginning of an order.
    pub(super) fn nothing(&self) -> Order {
        Order { events: Vec::new(), ranks: vec![NOWHERE; self.len()] }
    }

    /// Appends what can happen without these events.
    pub(super) fn go_on(&self, order: &mut Order, dropped: &[u32]) {
        let mut is_dropped = vec![false; self.len()];
        dropped.iter().for_each(|&x| is_dropped[x as usize] = true);
        let mut before = usize::MAX;
        while order.events.len() != before {
            before = order.events.len();
            for x in 0..self.len() as u32 {
                if !order.has(x) && !is_dropped[x as usize] && self.is_possible(order, x) {
                    order.push(x);
                }
            }
        }
    }

    fn is_possible(&self, order: &Order, x: u32) -> bool {
        let event = self.event(x);
        let happened = |p: u32| p == NOWHERE || order.has(p);
        let is_set = |sets: &SameValue| sets.events.iter().any(|&set| order.has(set));
        happened(event.before)
            && self.predecessors(x).iter().chain(self.joined(x)).all(|&p| happened(p))
            && self.seen(self.table.accesses(event.action), x).all(is_set)
    }

    /// What comes in the order from there on: what these events need, and the rest.
    pub(super) fn split(&self, order: &Order, start: u32, needed: impl Iterator<Item = u32>) -> [Vec<u32>; 2] {
        let mut is_needed = vec![false; self.len()];
        let mut open: Vec<u32> = needed.collect();
        while let Some(x) = open.pop() {
            if x != NOWHERE && !std::mem::replace(&mut is_needed[x as usize], true) {
                let event = self.event(x);
                open.push(event.before);
                open.extend(self.predecessors(x));
                open.extend(self.joined(x));
                let seen = self.seen(self.table.accesses(event.action), x);
                open.extend(seen.filter_map(|sets| self.first_of(order, sets)));
            }
        }
        let (first, rest) = order.events[start as usize..].iter().partition(|&&x| is_needed[x as usize]);
        [first, rest]
    }

    /// These events and all that they need, by position: of several events that set what one of them sees set, the
    /// first. Nothing else is in it, such as the end of the process, behind which nothing is wrong any more.
    pub(super) fn needed(&self, events: &[u32]) -> Vec<u32> {
        let mut all = self.nothing();
        self.go_on(&mut all, &[]);
        let [mut needed, _] = self.split(&all, 0, events.iter().copied());
        needed.sort_unstable();
        needed
    }

    /// The first event in the order that sets the place.
    pub(super) fn first_of(&self, order: &Order, sets: &SameValue) -> Option<u32> {
        sets.events.iter().copied().min_by_key(|&set| order.ranks[set as usize]).filter(|&set| order.has(set))
    }

    /// The first event that remains and sets the place.
    pub(super) fn first_kept(&self, kept: &Kept<'_>, sets: &SameValue) -> Option<u32> {
        match &kept.order {
            Some(order) => self.first_of(order, sets),
            None => sets.events.iter().copied().find(|&set| self.keeps(kept, set)),
        }
    }
}

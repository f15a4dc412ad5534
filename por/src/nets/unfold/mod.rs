//! Builds the complete prefix of a 1-safe contextual net.
//!
//! The algorithm is Algorithm 1 of Rod10 (with the proofs of BBCKRS12): enriched events ⟨e, H⟩ are taken in an adequate
//! order, cutoffs are left aside, and each of the others brings its possible extensions. What differs is how these are
//! found.
//!
//! **Histories are clocks.** In a 1-safe net the tokens that a place gets in a configuration come one after the other,
//! and so do the occurrences of a transition. A history is kept as two vectors ([`Clocks`]): for each place the event
//! that put its last token there and whether it is still there, as twice the number of that history (plus one), plus
//! one if it is gone; for each transition how often it occurs. Causes have smaller numbers than effects, so the number
//! of a place grows along a run, and the union of histories that are not in conflict is the greatest number at each
//! index. The size, the marking, the cut and the Parikh vector of a history follow from its clocks.
//!
//! **Extensions are found once** (Definition 10). A history H′ of e′ = ⟨Mp, Mc, t⟩ is {e′} and the union of a family F:
//! for each condition of Mp ∪ Mc a history that generates it, and for any of those of Mp histories that read it. Each
//! two are related ([`rows`]), and none consumes any of Mp ∪ Mc. The last h ∈ F to come to the prefix brings H′. For a
//! place at which h itself generates or reads a condition nothing is to be chosen, as the net is 1-safe. For another
//! one there is the condition in the cut of h, if there is one, and what the histories in the row of h generate; and
//! then there is any set of readers from the row. Two families have the same union only if they have the same readers
//! of Mp in it; so each set of readers is built in the order of their numbers, and a reader is taken only if the union
//! has, with it, one reader more than before.
//!
//! **The row of a new history** (Theorem 17). h′ is beside h = ⟨e, H⟩, the union of F with e, iff it is beside or above
//! each f ∈ F, consumes none of Mp ∪ Mc, and has no reader of Mp that is not in H. As rows have no entries for what is
//! below, what is inside of one of F is never found. That no reader of Mp is left out is seen by counts: if h′ had one
//! that is not in H, it would be a later occurrence of its transition than all those in H.
//!
//! **Cutoffs.** With a total order the marking of a history decides, when it is found, whether it is one: a smaller
//! history is in the prefix, or waits, or will give way to this one. So no two histories with one marking ever wait.
//!
//! **1-safety is checked.** If a reachable marking enables a transition that puts a second token somewhere, then two
//! conditions of the prefix for one place are concurrent, by the argument that proves completeness: the later one meets
//! the other in its cut or in its row.
mod markings;
mod order;
mod outcome;
mod rows;
mod search;
mod tables;

use super::clock::{Clocks, Union};
use super::csr::Lists;
use super::{EnrichedPrefix, HistoryId, Net, PlaceId, TransitionId};
use crate::Order;
use markings::{Holder, Markings};
pub use order::Steps;
pub use outcome::{NotSafe, UnfoldEnd, UnfoldOptions, UnfoldStatistics};
use rows::{Block, Keep, Rows, intersection};
use rustc_hash::FxHasher;
use std::hash::Hasher;
use tables::Tables;

/// The history of the event ⊥, which generates the initial marking, and this event.
const BOTTOM: u32 = 0;

/// Unfolds a net. `go_on` is asked after each history that was looked at, and told how far it came at the end, where
/// its answer does not matter.
///
/// # Errors
/// When the net turns out not to be 1-safe.
pub fn unfold<'n>(
    net: &'n Net,
    options: UnfoldOptions,
    go_on: &mut dyn FnMut(&UnfoldStatistics) -> bool,
) -> Result<(EnrichedPrefix<'n>, UnfoldEnd), NotSafe> {
    let mut unfolder = Unfolder::new(net, options);
    let end = unfolder.unfold(go_on)?;
    go_on(&unfolder.statistics());
    Ok((unfolder.finish(), end))
}

/// An enriched event that waits.
struct Candidate {
    transition: u32,
    /// For each input of the transition, the history that generates its condition.
    generators: Box<[u32]>,
    /// The family F; only ⊥ if nothing else.
    family: Box<[u32]>,
    marking: u32,
}

struct Unfolder<'n> {
    net: &'n Net,
    options: UnfoldOptions,
    tables: Tables,
    /// Of each event: its transition, and the events that produced its inputs. (A condition is an event and a place.)
    transitions: Vec<u32>,
    inputs: Lists,
    names: hashbrown::HashTable<u32>,
    /// Of each history: event, size, level in the Foata normal form, family.
    events: Vec<u32>,
    sizes: Vec<u32>,
    levels: Vec<u32>,
    families: Lists,
    /// The histories inside of which some condition is still in the cut.
    below: Lists,
    places: Clocks,
    counts: Clocks,
    rows: Rows,
    markings: Markings,
    /// Cutoffs: event, size, marking, family.
    cut_events: Vec<u32>,
    cut_sizes: Vec<u32>,
    cut_markings: Vec<u32>,
    cut_families: Lists,
    /// By size.
    queue: Vec<Vec<u32>>,
    candidates: Vec<Option<Candidate>>,
    free: Vec<u32>,
    waiting: u64,
    found: search::Found,
    buckets: search::Buckets,
    comparison: order::Comparison,
    union: (Union, Union),
    bits: Vec<u16>,
    stamps: Vec<u32>,
    stamp: u32,
    reached: bool,
}

impl<'n> Unfolder<'n> {
    fn new(net: &'n Net, options: UnfoldOptions) -> Self {
        let tables = Tables::new(net);
        let mut unfolder = Unfolder {
            net,
            options,
            transitions: vec![tables.bottom()],
            inputs: Lists::new(),
            names: hashbrown::HashTable::new(),
            events: vec![BOTTOM],
            sizes: vec![0],
            levels: vec![0],
            families: Lists::new(),
            below: Lists::new(),
            places: Clocks::new(net.places().len()),
            counts: Clocks::new(net.transitions().len()),
            rows: Rows::new(),
            markings: Markings::new(0),
            cut_events: Vec::new(),
            cut_sizes: Vec::new(),
            cut_markings: Vec::new(),
            cut_families: Lists::new(),
            queue: Vec::new(),
            candidates: Vec::new(),
            free: Vec::new(),
            waiting: 0,
            found: search::Found::default(),
            buckets: search::Buckets::new(net.places().len()),
            comparison: order::Comparison::default(),
            union: Default::default(),
            bits: Vec::new(),
            stamps: vec![0],
            stamp: 0,
            reached: false,
            tables,
        };
        unfolder.markings = Markings::new(unfolder.places.width());
        unfolder.start();
        unfolder
    }

    /// Puts ⊥ there.
    fn start(&mut self) {
        self.inputs.push([]);
        self.families.push([]);
        self.below.push([]);
        let (places, counts) = &mut self.union;
        self.places.start(places, None);
        self.counts.start(counts, None);
        for &place in &self.tables.around(self.tables.bottom()).postset {
            self.places.set(places, place, token(BOTTOM));
        }
        self.bits.clear();
        self.bits.extend((0..self.places.width()).map(|index| self.places.even(places, index)));
        self.places.push(places);
        self.counts.push(counts);
        self.rows.push(Vec::new(), &[]);
        let _ = self.markings.enter(&self.bits, 0, Holder::Kept(BOTTOM));
    }

    fn statistics(&self) -> UnfoldStatistics {
        let bytes = [
            self.places.bytes() + self.counts.bytes() + self.rows.bytes() + self.markings.bytes(),
            self.inputs.bytes() + self.families.bytes() + self.below.bytes() + self.cut_families.bytes(),
            (self.transitions.capacity() + 3 * (self.events.capacity() + self.cut_events.capacity())) * 4,
            self.names.allocation_size(),
        ];
        UnfoldStatistics {
            events: self.transitions.len() as u64,
            histories: (self.events.len() + self.cut_events.len()) as u64,
            cutoffs: self.cut_events.len() as u64,
            waiting: self.waiting,
            depth: self.queue.len().saturating_sub(1) as u64,
            concurrent: self.rows.entries() as u64,
            bytes: bytes.iter().sum::<usize>() as u64,
        }
    }

    fn unfold(&mut self, go_on: &mut dyn FnMut(&UnfoldStatistics) -> bool) -> Result<UnfoldEnd, NotSafe> {
        self.extend(BOTTOM)?;
        let mut size = 0;
        while size < self.queue.len() {
            let mut next = 0;
            while next < self.queue[size].len() {
                if self.reached {
                    return Ok(UnfoldEnd::Reached);
                }
                let candidate = self.queue[size][next];
                next += 1;
                // (What gave way to a smaller one is gone.)
                self.free.push(candidate);
                let Some(candidate) = self.candidates[candidate as usize].take() else { continue };
                self.waiting -= 1;
                self.take(candidate, size as u32)?;
                if !self.reached && !go_on(&self.statistics()) {
                    return Ok(UnfoldEnd::Interrupted);
                }
            }
            self.queue[size] = Vec::new();
            size += 1;
        }
        Ok(if self.reached { UnfoldEnd::Reached } else { UnfoldEnd::Complete })
    }

    /// Takes the smallest candidate that waits.
    fn take(&mut self, candidate: Candidate, size: u32) -> Result<(), NotSafe> {
        let known = &mut self.markings.known[candidate.marking as usize];
        if known.size < size {
            self.cut(&candidate, size);
            return Ok(());
        }
        if let Holder::Waiting(_) = known.holder {
            known.holder = Holder::Kept(self.events.len() as u32);
        }
        let history = self.keep(&candidate, size);
        self.extend(history)
    }

    /// Makes a candidate a cutoff.
    fn cut(&mut self, candidate: &Candidate, size: u32) {
        let event = self.event(candidate.transition, &candidate.generators);
        self.cut_events.push(event);
        self.cut_sizes.push(size);
        self.cut_markings.push(candidate.marking);
        self.cut_families.push(candidate.family.iter().copied());
    }

    /// The event of a transition with inputs that these histories generate.
    fn event(&mut self, transition: u32, generators: &[u32]) -> u32 {
        let next = u32::try_from(self.transitions.len()).expect("fewer than 2^32 events");
        let Unfolder { names, transitions, inputs, events, tables, .. } = self;
        if !tables.plain {
            let event_of = |&history: &u32| events[history as usize];
            let name = hash(transition, generators.iter().map(event_of));
            let same = |&event: &u32| {
                transitions[event as usize] == transition
                    && inputs.get(event as usize).iter().copied().eq(generators.iter().map(event_of))
            };
            if let Some(&event) = names.find(name, same) {
                return event;
            }
            names.insert_unique(name, next, |&event| {
                hash(transitions[event as usize], inputs.get(event as usize).iter().copied())
            });
        }
        transitions.push(transition);
        inputs.push(generators.iter().map(|history| events[*history as usize]));
        next
    }

    /// Makes a candidate a history of the prefix.
    fn keep(&mut self, candidate: &Candidate, size: u32) -> u32 {
        let id = self.events.len() as u32;
        assert!(id < 1 << 30, "fewer than 2^30 histories");
        let event = self.event(candidate.transition, &candidate.generators);
        let (mut places, mut counts) = std::mem::take(&mut self.union);
        self.unite(&candidate.family, &mut places, &mut counts);
        let row = self.row(candidate, &counts);
        let around = self.tables.around(candidate.transition);
        for (&place, &generator) in around.inputs[..around.consumed].iter().zip(&candidate.generators) {
            self.places.set(&mut places, place, token(generator) + 1);
        }
        for &place in &around.postset {
            self.places.set(&mut places, place, token(id));
        }
        let occurrences = self.counts.of(&counts, candidate.transition);
        self.counts.set(&mut counts, candidate.transition, occurrences + 1);
        let below = self.below(&candidate.family, &places);
        self.places.push(&places);
        self.counts.push(&counts);
        self.union = (places, counts);
        self.rows.push(row, &below);
        self.below.push(below);
        let level = candidate.family.iter().map(|&history| self.levels[history as usize]).max();
        self.levels.push(level.unwrap_or(0) + 1);
        self.events.push(event);
        self.sizes.push(size);
        self.families.push(candidate.family.iter().copied());
        self.stamps.push(0);
        id
    }

    /// The clocks of the union of some histories.
    fn unite(&self, family: &[u32], places: &mut Union, counts: &mut Union) {
        self.places.start(places, family.first().copied());
        self.counts.start(counts, family.first().copied());
        for &history in &family[1..] {
            self.places.unite(places, history);
            self.counts.unite(counts, history);
        }
    }

    /// The histories that are beside the next one; `counts` are those of the union of its family.
    fn row(&self, candidate: &Candidate, counts: &Union) -> Vec<Block> {
        let around = self.tables.around(candidate.transition);
        let inputs = || around.inputs.iter().copied().zip(candidate.generators.iter().copied());
        let not_later: Vec<(u32, u32)> =
            around.readers.iter().map(|&transition| (transition, self.counts.of(counts, transition))).collect();
        // The inputs that a history may consume without being above any of the family.
        let loose: Vec<(u32, u32)> =
            inputs().filter(|(_, generator)| !candidate.family[..].contains(generator)).collect();
        let bound: Vec<(u32, u32)> =
            inputs().filter(|(_, generator)| candidate.family[..].contains(generator)).collect();
        let keeps = |history: u32, inputs: &[(u32, u32)]| {
            inputs.iter().all(|&(place, generator)| self.places.get(history, place) <= token(generator))
        };
        let reads_no_more =
            |history: u32| not_later.iter().all(|&(transition, most)| self.counts.get(history, transition) <= most);
        let fine = |history: u32| keeps(history, &loose) && reads_no_more(history);
        let keep = Keep {
            above: |history: u32| keeps(history, &bound) && fine(history),
            // What is beside all generators neither consumes nor reads an input.
            beside: (!loose.is_empty()).then_some(fine),
        };
        if candidate.family[..] == [BOTTOM] {
            let all = Block::all(self.events.len() as u32 - 1);
            let above = |history: u32| history != BOTTOM && (keep.above)(history);
            return intersection(vec![&all], Keep { above, beside: keep.beside });
        }
        intersection(candidate.family.iter().map(|&history| self.rows.of(history)).collect(), keep)
    }

    /// The histories inside of a union of which a condition is in its cut.
    fn below(&mut self, family: &[u32], places: &Union) -> Vec<u32> {
        self.stamp += 1;
        let Unfolder { stamps, stamp, tables, transitions, events, places: clocks, below, .. } = self;
        let mut still_there = |other: u32| {
            if other == BOTTOM || std::mem::replace(&mut stamps[other as usize], *stamp) == *stamp {
                return false;
            }
            let touched = &tables.around(transitions[events[other as usize] as usize]).touched;
            touched.iter().any(|&place| clocks.get(other, place) == clocks.of(places, place))
        };
        let inside = family.iter().flat_map(|&history| below.get(history as usize).iter());
        inside.chain(family).copied().filter(|&other| still_there(other)).collect()
    }

    /// Finds out about a family of histories which enables a transition.
    fn meet(&mut self, transition: u32, generators: &[u32], family: &[u32]) -> Result<(), NotSafe> {
        let (mut places, mut counts) = std::mem::take(&mut self.union);
        self.unite(family, &mut places, &mut counts);
        let size = self.counts.sum(&counts) + 1;
        let mut bits = std::mem::take(&mut self.bits);
        if let Err(place) = Markings::after(&self.places, &places, self.tables.around(transition), &mut bits) {
            return Err(self.not_safe(place, family, Some(transition)));
        }
        self.union = (places, counts);
        if self.reached {
            return Ok(());
        }
        let slot = self.free.last().copied().unwrap_or(self.candidates.len() as u32);
        let entered = self.markings.enter(&bits, size, Holder::Waiting(slot));
        self.bits = bits;
        let (Ok(marking) | Err(marking)) = entered;
        let candidate = Candidate { transition, generators: generators.into(), family: family.into(), marking };
        if self.options.stop_at == Some(TransitionId(transition)) {
            // (Whether it is a cutoff does not matter. What is concurrent with it is looked at as with all others, so
            // that no place has two tokens in what is kept.)
            let history = self.keep(&candidate, size);
            self.reached = true;
            return self.check(history);
        }
        if entered.is_ok() && !self.is_smallest(&candidate, size, slot) {
            self.cut(&candidate, size);
            return Ok(());
        }
        self.free.pop();
        if slot as usize == self.candidates.len() {
            self.candidates.push(None);
        }
        self.candidates[slot as usize] = Some(candidate);
        self.waiting += 1;
        if self.queue.len() <= size as usize {
            self.queue.resize_with(size as usize + 1, Vec::new);
        }
        self.queue[size as usize].push(slot);
        Ok(())
    }

    /// Whether a candidate whose marking is known has to wait all the same.
    fn is_smallest(&mut self, candidate: &Candidate, size: u32, slot: u32) -> bool {
        let known = &self.markings.known[candidate.marking as usize];
        if self.options.order == Order::Size {
            let smallest = size <= known.size;
            self.markings.known[candidate.marking as usize].size = known.size.min(size);
            return smallest;
        }
        let Holder::Waiting(other) = known.holder else { return false };
        let known_size = known.size;
        if known_size < size {
            return false;
        }
        let rival = self.candidates[other as usize].take().expect("it waits");
        if known_size == size && !self.is_smaller(candidate, &rival) {
            self.candidates[other as usize] = Some(rival);
            return false;
        }
        self.cut(&rival, known_size);
        self.waiting -= 1;
        // (Its slot stays empty until its turn has come, so its place in the queue means no other one.)
        let known = &mut self.markings.known[candidate.marking as usize];
        known.size = size;
        known.holder = Holder::Waiting(slot);
        true
    }

    /// The transitions of the union of some histories, as a run.
    fn run(&mut self, histories: &[u32]) -> Vec<TransitionId> {
        let inside = self.inside(histories);
        let transition = |history: &u32| TransitionId(self.transitions[self.events[*history as usize] as usize]);
        inside.iter().map(transition).collect()
    }

    /// The histories inside of some, and these, without ⊥; causes first.
    fn inside(&mut self, histories: &[u32]) -> Vec<u32> {
        self.stamp += 1;
        let mut found = Vec::new();
        let mut open: Vec<u32> = histories.to_vec();
        while let Some(history) = open.pop() {
            if history != BOTTOM && std::mem::replace(&mut self.stamps[history as usize], self.stamp) != self.stamp {
                found.push(history);
                open.extend_from_slice(self.families.get(history as usize));
            }
        }
        found.sort_unstable();
        found
    }

    fn not_safe(&mut self, place: u32, histories: &[u32], last: Option<u32>) -> NotSafe {
        let mut run = self.run(histories);
        run.extend(last.map(TransitionId));
        NotSafe { place: PlaceId(place), run }
    }

    fn finish(self) -> EnrichedPrefix<'n> {
        let Unfolder { mut events, mut sizes, mut families, markings, .. } = self;
        let corresponding = |&marking: &u32| match markings.known[marking as usize].holder {
            Holder::Kept(history) => Some(HistoryId(history)),
            Holder::Waiting(_) => None,
        };
        events.extend(&self.cut_events);
        sizes.extend(&self.cut_sizes);
        families.append(&self.cut_families);
        EnrichedPrefix {
            net: self.net,
            transitions: self.transitions,
            inputs: self.inputs,
            events,
            sizes,
            families,
            corresponding: self.cut_markings.iter().map(corresponding).collect(),
        }
    }
}

/// What stands for a token of a history in the clocks of places.
fn token(history: u32) -> u32 {
    2 * (history + 1)
}

/// The history whose token a number stands for, if it is still there.
fn holder(number: u32) -> Option<u32> {
    (number != 0 && number & 1 == 0).then(|| number / 2 - 1)
}

fn hash(transition: u32, inputs: impl Iterator<Item = u32>) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(transition);
    inputs.for_each(|input| hasher.write_u32(input));
    hasher.finish()
}

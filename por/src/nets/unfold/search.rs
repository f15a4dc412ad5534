//! The search for the families that a new history makes possible.
use super::super::clock::Clocks;
use super::rows::{Rows, beside};
use super::tables::{Around, Tables};
use super::{NotSafe, Unfolder, holder, token};

/// An input for which no condition was chosen.
const NONE: u32 = u32::MAX;

/// The families that were found: a transition, the generators of its inputs, the family; one after the other.
#[derive(Default)]
pub(super) struct Found {
    items: Vec<u32>,
}

/// What the row of a history generates and reads, by place, as far as it is looked for.
pub(super) struct Buckets {
    generators: Vec<Vec<u32>>,
    readers: Vec<Vec<u32>>,
    /// Of each place, which of these sets it is in.
    role: Vec<u8>,
    /// The places with a role.
    used: Vec<u32>,
}

/// The history itself puts a token there.
const PRODUCED: u8 = 1;
/// A token is looked for.
const WANTED: u8 = 2;
/// Readers of a token are looked for.
const READ: u8 = 4;

impl Buckets {
    pub(super) fn new(places: usize) -> Self {
        Buckets {
            generators: vec![Vec::new(); places],
            readers: vec![Vec::new(); places],
            role: vec![0; places],
            used: Vec::new(),
        }
    }

    fn give(&mut self, place: u32, role: u8) {
        let roles = &mut self.role[place as usize];
        if *roles == 0 {
            self.used.push(place);
        }
        *roles |= role;
    }

    fn clear(&mut self) {
        for place in self.used.drain(..) {
            self.role[place as usize] = 0;
            self.generators[place as usize].clear();
            self.readers[place as usize].clear();
        }
    }
}

impl Unfolder<'_> {
    /// Whether all is well with the last history, which is not to have extensions.
    pub(super) fn check(&mut self, history: u32) -> Result<(), NotSafe> {
        self.sort_row(history)?;
        self.buckets.clear();
        Ok(())
    }

    fn sort_row(&mut self, history: u32) -> Result<(), NotSafe> {
        self.fill_buckets(history).map_err(|(place, other)| self.not_safe(place, &[history, other], None))
    }

    /// Finds the possible extensions that the last history brings.
    pub(super) fn extend(&mut self, history: u32) -> Result<(), NotSafe> {
        self.sort_row(history)?;
        let mut found = std::mem::take(&mut self.found);
        let Unfolder { tables, places, counts, rows, transitions, events, buckets, .. } = self;
        let transition = |history: u32| transitions[events[history as usize] as usize];
        let mut search = Search {
            tables,
            places,
            counts,
            rows,
            buckets,
            transition_of: &transition,
            transition: 0,
            around: tables.around(0),
            generators: Vec::new(),
            open: Vec::new(),
            family: vec![history],
            found: &mut found,
        };
        for &trigger in &tables.around(transition(history)).triggers {
            search.transition(trigger);
        }
        buckets.clear();
        let mut rest = &found.items[..];
        let mut result = Ok(());
        while let [transition, size, after @ ..] = rest {
            let (generators, after) = after.split_at(self.tables.around(*transition).inputs.len());
            let (family, after) = after.split_at(*size as usize);
            result = result.and_then(|()| self.meet(*transition, generators, family));
            rest = after;
        }
        found.items.clear();
        self.found = found;
        result
    }

    /// Sorts the row of the last history by place; or finds that a place has two tokens at a time.
    fn fill_buckets(&mut self, history: u32) -> Result<(), (u32, u32)> {
        let Unfolder { tables, rows, transitions, events, buckets, .. } = self;
        let around = |history: u32| tables.around(transitions[events[history as usize] as usize]);
        let this = around(history);
        this.postset.iter().for_each(|&place| buckets.give(place, PRODUCED));
        for &trigger in &this.triggers {
            let other = tables.around(trigger);
            for (index, &place) in other.inputs.iter().enumerate() {
                if !this.touched.contains(&place) {
                    buckets.give(place, WANTED);
                }
                if index < other.consumed && !tables.readers(place).is_empty() {
                    buckets.give(place, READ);
                }
            }
        }
        for other in beside(rows.of(history)) {
            let around = around(other);
            for &place in &around.postset {
                let role = buckets.role[place as usize];
                if role & PRODUCED != 0 {
                    buckets.clear();
                    return Err((place, other));
                }
                if role & WANTED != 0 {
                    buckets.generators[place as usize].push(other);
                }
            }
            for &place in &around.inputs[around.consumed..] {
                if buckets.role[place as usize] & READ != 0 {
                    buckets.readers[place as usize].push(other);
                }
            }
        }
        Ok(())
    }
}

struct Search<'a> {
    tables: &'a Tables,
    places: &'a Clocks,
    counts: &'a Clocks,
    rows: &'a Rows,
    buckets: &'a Buckets,
    transition_of: &'a dyn Fn(u32) -> u32,
    transition: u32,
    around: &'a Around,
    /// For each input of the transition.
    generators: Vec<u32>,
    /// The inputs for which the row has something to choose from, those with few choices first.
    open: Vec<usize>,
    /// The new history, and what was chosen.
    family: Vec<u32>,
    found: &'a mut Found,
}

impl Search<'_> {
    /// Finds the families for one transition.
    fn transition(&mut self, transition: u32) {
        self.transition = transition;
        self.around = self.tables.around(transition);
        self.generators.clear();
        self.open.clear();
        let history = self.family[0];
        let touched = &self.tables.around((self.transition_of)(history)).touched;
        for (index, &place) in self.around.inputs.iter().enumerate() {
            let token = holder(self.places.get(history, place));
            let fixed = self.buckets.generators[place as usize].is_empty();
            if fixed && token.is_none() {
                return;
            }
            if !fixed {
                self.open.push(index);
            }
            self.generators.push(if fixed { token.unwrap_or(NONE) } else { NONE });
            debug_assert!(fixed || !touched.contains(&place), "nobody else puts a token there");
        }
        let choices = |index: &usize| self.buckets.generators[self.around.inputs[*index] as usize].len();
        self.open.sort_by_key(choices);
        self.choose(0);
    }

    /// Chooses conditions for the open inputs from this one on.
    fn choose(&mut self, at: usize) {
        let Some(&index) = self.open.get(at) else {
            return self.choose_readers();
        };
        let place = self.around.inputs[index];
        let buckets = self.buckets;
        if let Some(generator) = holder(self.places.get(self.family[0], place))
            && self.family[1..].iter().all(|&member| self.places.get(member, place) <= token(generator))
        {
            self.generators[index] = generator;
            self.choose(at + 1);
            self.generators[index] = NONE;
        }
        for &generator in &buckets.generators[place as usize] {
            let kept = |&other: &u32| self.places.get(other, place) <= token(generator);
            if !self.fits(generator) || !self.family.iter().all(kept) {
                continue;
            }
            let size = self.family.len();
            if !self.family.contains(&generator) {
                self.family.push(generator);
            }
            self.generators[index] = generator;
            self.choose(at + 1);
            self.generators[index] = NONE;
            self.family.truncate(size);
        }
    }

    /// Whether a history of the new one's row consumes nothing that was chosen, and is related to all that was.
    fn fits(&self, other: u32) -> bool {
        let inputs = self.around.inputs.iter().zip(&self.generators);
        let mut chosen = inputs.filter(|(_, generator)| **generator != NONE);
        chosen.all(|(&place, &generator)| self.places.get(other, place) <= token(generator))
            && self.family[1..].iter().all(|&member| member == other || self.rows.related(member, other))
    }

    /// Chooses sets of histories that read what is consumed.
    fn choose_readers(&mut self) {
        self.emit();
        if self.around.readers.is_empty() {
            return;
        }
        let mut readers = Vec::new();
        for (&place, &generator) in self.around.inputs[..self.around.consumed].iter().zip(&self.generators) {
            let bucket = &self.buckets.readers[place as usize];
            let this = |&&reader: &&u32| self.places.get(reader, place) == token(generator) && self.fits(reader);
            readers.extend(bucket.iter().filter(this));
        }
        if readers.is_empty() {
            return;
        }
        readers.sort_unstable();
        readers.dedup();
        let count = |&transition: &u32| {
            self.family.iter().map(|&history| self.counts.get(history, transition)).max().unwrap_or(0)
        };
        let counts: Vec<u32> = self.around.readers.iter().map(count).collect();
        self.add_readers(&readers, &counts);
    }

    /// Adds some of these readers, which fit, to a union in which the transitions that read occur this often.
    fn add_readers(&mut self, readers: &[u32], counts: &[u32]) {
        for (index, &reader) in readers.iter().enumerate() {
            let own = (self.transition_of)(reader);
            let mut brings = self.around.readers.iter().zip(counts);
            let one_more = brings.all(|(&transition, &count)| {
                let with = self.counts.get(reader, transition);
                if transition == own { with == count + 1 } else { with <= count }
            });
            if !one_more {
                continue;
            }
            let more = |(&transition, &count): (&u32, &u32)| count + u32::from(transition == own);
            let counts: Vec<u32> = self.around.readers.iter().zip(counts).map(more).collect();
            let related = |other: &u32| self.rows.related(reader, *other);
            let rest: Vec<u32> = readers[index + 1..].iter().copied().filter(related).collect();
            self.family.push(reader);
            self.emit();
            self.add_readers(&rest, &counts);
            self.family.pop();
        }
    }

    fn emit(&mut self) {
        let items = &mut self.found.items;
        items.extend([self.transition, self.family.len() as u32]);
        items.extend_from_slice(&self.generators);
        items.extend_from_slice(&self.family);
    }
}

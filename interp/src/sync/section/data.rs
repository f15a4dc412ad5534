//! What is known of critical sections, and what of that an exploration uses.
use crate::memory::{StackId, Touch};
use crate::sync::block::lanes::{LaneSet, divided};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The number of a site.
pub(crate) type SectionNumber = u32;

/// How many sites there may be, and how often something may be learned of those in use. Beyond that all sections are in
/// order.
const MOST_SITES: usize = 2_000;
const MOST_LESSONS: u32 = 100;

/// How many pieces of 64 bytes a section may touch. With more it counts as one in which something else happens.
const MOST_PIECES: usize = 256;

/// The lane of all for which there is no other.
const LAST: u8 = 63;

/// Where a section begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct SectionSite {
    pub(super) thread: u32,
    pub(super) stack: StackId,
    /// The address of the mutex.
    pub(super) mutex: u64,
}

/// By object and 64 bytes of it (0: all of it): which are read, and which are written.
type Pieces = BTreeMap<(u64, u64), (u64, u64)>;

/// What is known of sections.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct SectionData {
    /// What the quiet sections at a site touch; `None` if some section there is no quiet one.
    sites: BTreeMap<SectionSite, Option<Pieces>>,
    /// Mutexes all sections of which are in order.
    pub(super) observed: BTreeSet<u64>,
    lessons: u32,
}

impl SectionData {
    /// A section at that site has touched this.
    pub(super) fn add(&mut self, site: SectionSite, touched: &[Touch]) {
        let known = self.sites.entry(site).or_insert_with(|| Some(Pieces::new()));
        let Some(pieces) = known else { return };
        if touched.len() > 4 * MOST_PIECES {
            *known = None;
            return;
        }
        for touch in touched {
            let (reads, writes) = pieces.entry((touch.base, touch.chunk)).or_default();
            *(if touch.write { writes } else { reads }) |= touch.bytes;
        }
        if pieces.len() > MOST_PIECES {
            *known = None;
        }
    }

    /// Whether it is known that some section there is no quiet one.
    pub(super) fn knows_other(&self, site: &SectionSite) -> bool {
        matches!(self.sites.get(site), Some(None))
    }

    /// Whether there are so many sites that all sections are in order.
    pub(super) fn is_full(&self) -> bool {
        self.sites.len() > MOST_SITES
    }

    /// A section there is no quiet one.
    pub(super) fn add_other(&mut self, site: SectionSite) {
        self.sites.insert(site, None);
    }

    /// Something was learned of the sections in use.
    pub(super) fn note_lesson(&mut self) {
        self.lessons = self.lessons.saturating_add(1);
    }

    /// From now on all sections are in order.
    pub(super) fn give_up(&mut self) {
        self.lessons = u32::MAX;
    }

    /// The quiet sites.
    fn quiet(&self) -> impl Iterator<Item = (&SectionSite, &Pieces)> {
        let all = if self.lessons > MOST_LESSONS || self.is_full() { None } else { Some(&self.sites) };
        let quiet = all.into_iter().flatten().filter_map(|(site, pieces)| Some((site, pieces.as_ref()?)));
        quiet.filter(|(site, _)| !self.observed.contains(&site.mutex))
    }

    /// How many pairs of quiet sections of one mutex, by different threads, have nothing to do with one another.
    pub(super) fn independent(&self) -> usize {
        let mut by_mutex: BTreeMap<u64, Vec<(u32, &Pieces)>> = BTreeMap::new();
        for (site, pieces) in self.quiet() {
            by_mutex.entry(site.mutex).or_default().push((site.thread, pieces));
        }
        let pairs = by_mutex.values().flat_map(|sites| {
            let others = |index: usize| &sites[index + 1..];
            sites
                .iter()
                .enumerate()
                .flat_map(move |(index, first)| others(index).iter().map(move |second| (first, second)))
        });
        pairs.filter(|((a, x), (b, y))| a != b && !conflict(x, y)).count()
    }

    /// What both know.
    pub(super) fn join(&mut self, other: &SectionData) {
        for (site, pieces) in &other.sites {
            let known = self.sites.entry(*site).or_insert_with(|| pieces.clone());
            match (known.as_mut(), pieces) {
                (Some(known), Some(pieces)) => {
                    for (key, (reads, writes)) in pieces {
                        let kinds = known.entry(*key).or_default();
                        *kinds = (kinds.0 | reads, kinds.1 | writes);
                    }
                }
                _ => *known = None,
            }
        }
        self.observed.extend(&other.observed);
    }
}

/// Whether one writes bytes that the other touches.
fn conflict(a: &Pieces, b: &Pieces) -> bool {
    let meet = |x: &(u64, u64), y: &(u64, u64)| x.1 & (y.0 | y.1) | x.0 & y.1 != 0;
    let whole = |kinds: &(u64, u64)| (u64::from(kinds.0 | kinds.1 != 0), u64::from(kinds.1 != 0));
    a.iter().any(|(&(base, chunk), kinds)| {
        b.range((base, 0)..=(base, u64::MAX)).any(|(&(_, other), others)| match chunk == other {
            true => meet(kinds, others),
            false => (chunk == 0 || other == 0) && meet(&whole(kinds), &whole(others)),
        })
    })
}

/// A quiet site, as an exploration uses it.
#[derive(Clone, Debug)]
struct Section {
    lanes: LaneSet,
    pieces: FxHashMap<(u64, u64), (u64, u64)>,
}

/// The quiet sections of an exploration. They do not change while it goes on.
#[derive(Clone, Default, Debug)]
pub(crate) struct Sections {
    pub(super) numbers: FxHashMap<SectionSite, SectionNumber>,
    sections: Vec<Section>,
    /// Mutexes that have quiet sections.
    pub(super) mutexes: BTreeSet<u64>,
}

impl Sections {
    pub(super) fn new(data: &SectionData) -> Self {
        let mut all = Sections::default();
        let mut by_mutex: BTreeMap<u64, Vec<(SectionNumber, u32, &Pieces)>> = BTreeMap::new();
        for (site, pieces) in data.quiet() {
            let number = all.sections.len() as SectionNumber;
            let section = Section {
                lanes: LaneSet::default(),
                pieces: pieces.iter().map(|(key, kinds)| (*key, *kinds)).collect(),
            };
            all.sections.push(section);
            all.numbers.insert(*site, number);
            by_mutex.entry(site.mutex).or_default().push((number, site.thread, pieces));
        }
        all.mutexes = by_mutex.keys().copied().collect();
        by_mutex.values().for_each(|sites| all.divide(sites));
        all
    }

    /// Divides what the sections of one mutex touch into lanes.
    fn divide(&mut self, sites: &[(SectionNumber, u32, &Pieces)]) {
        let bases = |pieces: &Pieces| -> Vec<u64> {
            pieces.keys().filter(|(_, chunk)| *chunk == 0).map(|(base, _)| *base).collect()
        };
        let whole: BTreeSet<u64> = sites.iter().flat_map(|(_, _, pieces)| bases(pieces)).collect();
        let mut pieces: BTreeMap<(u64, u64), Vec<Toucher>> = BTreeMap::new();
        for (number, thread, touched) in sites {
            for (&(base, chunk), &(reads, writes)) in *touched {
                let (key, kinds) = match whole.contains(&base) {
                    true => ((base, 0), (u64::from(reads | writes != 0), u64::from(writes != 0))),
                    false => ((base, chunk), (reads, writes)),
                };
                pieces.entry(key).or_default().push((*number, *thread, kinds.0, kinds.1));
            }
        }
        let mut classes: BTreeMap<Vec<(SectionNumber, bool, bool)>, u8> = BTreeMap::new();
        for touched in pieces.values() {
            for part in parts(touched) {
                let kinds = touched.iter().filter(|(.., reads, writes)| part & (reads | writes) != 0);
                let kinds: Vec<_> =
                    kinds.map(|(n, t, reads, writes)| (*n, *t, part & reads != 0, part & writes != 0)).collect();
                let matters =
                    kinds.iter().any(|(_, thread, _, writes)| *writes && kinds.iter().any(|k| k.1 != *thread));
                if !matters {
                    continue;
                }
                let next = classes.len().min(LAST.into()) as u8;
                let class: Vec<_> = kinds.iter().map(|(number, _, reads, writes)| (*number, *reads, *writes)).collect();
                let bit = 1 << *classes.entry(class.clone()).or_insert(next);
                for (number, reads, writes) in class {
                    let lanes = &mut self.sections[number as usize].lanes;
                    lanes.reads |= if reads { bit } else { 0 };
                    lanes.writes |= if writes { bit } else { 0 };
                }
            }
        }
        for (number, ..) in sites {
            let LaneSet { reads, writes } = &mut self.sections[*number as usize].lanes;
            *reads &= !*writes;
        }
    }

    /// The lanes of a quiet section.
    #[inline]
    pub(crate) fn lanes(&self, number: SectionNumber) -> LaneSet {
        self.sections.get(number as usize).map(|section| section.lanes).unwrap_or_default()
    }

    pub(super) fn allows(&self, number: SectionNumber, touch: &Touch) -> bool {
        let pieces = &self.sections[number as usize].pieces;
        let is_allowed = |key: (u64, u64), bytes: u64| {
            let (reads, writes) = pieces.get(&key).copied().unwrap_or_default();
            bytes & !(if touch.write { writes } else { reads | writes }) == 0
        };
        is_allowed((touch.base, touch.chunk), touch.bytes)
    }
}

/// A section, its thread, and which bytes of a piece it reads and which it writes.
type Toucher = (SectionNumber, u32, u64, u64);

/// The bytes of a piece, divided by who reads them and who writes them.
fn parts(touched: &[Toucher]) -> Vec<u64> {
    let all = touched.iter().fold(0, |all, (.., reads, writes)| all | reads | writes);
    let masks = touched.iter().flat_map(|(.., reads, writes)| [*reads, *writes]);
    divided(all, masks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Object, 64 bytes of it, which are read, which are written.
    type Piece = (u64, u64, u64, u64);

    fn pieces(all: &[Piece]) -> Pieces {
        all.iter().map(|&(base, chunk, reads, writes)| ((base, chunk), (reads, writes))).collect()
    }

    fn site(thread: u32, mutex: u64) -> SectionSite {
        SectionSite { thread, stack: StackId::EMPTY, mutex }
    }

    fn data(all: &[(u32, &[Piece])]) -> SectionData {
        let sites = all.iter().map(|(thread, all)| (site(*thread, 8), Some(pieces(all))));
        SectionData { sites: sites.collect(), ..SectionData::default() }
    }

    fn depends(data: &SectionData, a: u32, b: u32) -> bool {
        let sections = Sections::new(data);
        let lanes = |thread| sections.lanes(sections.numbers[&site(thread, 8)]);
        let (x, y) = (lanes(a), lanes(b));
        x.writes & (y.reads | y.writes) | x.reads & y.writes != 0
    }

    #[test]
    fn sections_depend_on_one_another_if_bytes_say_so() {
        let data = data(&[
            (1, &[(64, 64, 0, 0xf)]),
            (2, &[(64, 64, 0, 0xf0)]),
            (3, &[(64, 64, 0x10, 0)]),
            (4, &[(64, 64, 0xff, 0)]),
            (5, &[(64, 0, 0, 1)]),
        ]);
        let expected = |a, b| [(1, 4), (2, 3), (2, 4), (1, 5), (2, 5), (3, 5), (4, 5)].contains(&(a, b));
        for a in 1..5 {
            for b in a + 1..5 {
                let parts = |thread| data.sites[&site(thread, 8)].as_ref().expect("it is quiet");
                assert_eq!(conflict(parts(a), parts(b)), expected(a, b), "{a} {b}");
            }
        }
        // (An object of which all is written is one thing, for all.)
        assert!(depends(&data, 1, 5) && depends(&data, 3, 5));
        let mut apart = data;
        apart.sites.remove(&site(5, 8));
        for a in 1..5 {
            for b in a + 1..5 {
                assert_eq!(depends(&apart, a, b), expected(a, b), "{a} {b}");
            }
        }
        assert_eq!(apart.independent(), 3);
    }

    #[test]
    fn more_than_there_are_lanes_for_depend_on_one_another() {
        let sites: Vec<(u32, [Piece; 1])> =
            (0..600u32).map(|thread| (thread, [(0, 64 * u64::from(1 + thread / 2), 0, 1)])).collect();
        let all: Vec<(u32, &[Piece])> = sites.iter().map(|(thread, pieces)| (*thread, &pieces[..])).collect();
        let data = data(&all);
        assert!(depends(&data, 0, 1) && depends(&data, 198, 199) && depends(&data, 190, 199));
        assert!(!depends(&data, 0, 2) && !depends(&data, 1, 199) && !depends(&data, 0, 512));
    }
}

//! Foata normal forms of local configurations, which share what they have in common.
//!
//! In the normal form of a configuration the letter of an event (what it does, see [`super::cutoff`]) stands at a
//! *level*: the length of the longest chain of causes that leads to it. No two events of a thread are at one level, so
//! a normal form is kept as one *line* for each thread: the levels and letters of its events in their order. Lines that
//! begin alike share that: a line is its last entry, and the line before. With the sum of hashes of a line's entries up
//! to each level, the first level at which two normal forms differ is found by halving; so comparing them costs
//! O(threads · log² size), and keeping one O(threads).
use hashbrown::HashTable;
use hashbrown::hash_table::Entry as Slot;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::hash::Hasher;
use xxhash_rust::xxh3::xxh3_128;

/// A line, as the number of its last entry. The default is the empty line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Line(u32);

/// The end of a line.
#[derive(Serialize, Deserialize)]
struct Entry {
    before: Line,
    /// An earlier part of the line: with these, any part is reached in O(log length) steps.
    jump: Line,
    length: u32,
    level: u32,
    letter: u32,
    /// Of the hashes of all entries of the line, in two halves.
    sum: [u64; 2],
}

/// Stands behind the last letter of a level; greater than every letter, so that a level that goes on is smaller.
const END: u32 = u32::MAX;

/// All lines.
#[derive(Serialize, Deserialize)]
pub(super) struct Lines {
    /// The first one is the end of the empty line.
    entries: Vec<Entry>,
    #[serde(skip)]
    names: HashTable<u32>,
}

impl Lines {
    pub(super) fn new() -> Self {
        let empty = Entry { before: Line(0), jump: Line(0), length: 0, level: 0, letter: END, sum: [0; 2] };
        Lines { entries: vec![empty], names: HashTable::new() }
    }

    fn end(&self, line: Line) -> &Entry {
        &self.entries[line.0 as usize]
    }

    /// A line with one entry more, at a level beyond its own.
    pub(super) fn extended(&mut self, line: Line, level: u32, letter: u32) -> Line {
        let Lines { entries, names } = self;
        let same = |&id: &u32| {
            let known = &entries[id as usize];
            (known.before, known.level, known.letter) == (line, level, letter)
        };
        match names.entry(hash(line, level, letter), same, |&id| hash_of(&entries[id as usize])) {
            Slot::Occupied(known) => Line(*known.get()),
            Slot::Vacant(vacant) => {
                let id = u32::try_from(entries.len()).expect("fewer than 2^32 entries");
                vacant.insert(id);
                let last = &entries[line.0 as usize];
                let jump = &entries[last.jump.0 as usize];
                let even = last.length - jump.length == jump.length - entries[jump.jump.0 as usize].length;
                let mut bytes = [0; 8];
                bytes[..4].copy_from_slice(&level.to_le_bytes());
                bytes[4..].copy_from_slice(&letter.to_le_bytes());
                let sum = join(last.sum).wrapping_add(xxh3_128(&bytes));
                entries.push(Entry {
                    before: line,
                    jump: if even { jump.jump } else { line },
                    length: last.length + 1,
                    level,
                    letter,
                    sum: [(sum >> 64) as u64, sum as u64],
                });
                Line(id)
            }
        }
    }

    /// The part of a line up to and with a level.
    fn up_to(&self, mut line: Line, level: u32) -> Line {
        while self.end(line).level > level {
            let Entry { before, jump, .. } = *self.end(line);
            line = if self.end(jump).level > level { jump } else { before };
        }
        line
    }

    /// The order of two normal forms: level by level, by the sorted letters there.
    pub(super) fn compare(&self, a: &[Line], b: &[Line]) -> Ordering {
        let deepest = |lines: &[Line]| lines.iter().map(|&line| self.end(line).level).max().unwrap_or(0);
        let sum = |lines: &[Line], level| {
            let sums = lines.iter().map(|&line| join(self.end(self.up_to(line, level)).sum));
            sums.fold(0, u128::wrapping_add)
        };
        // Up to `same` there is no difference, up to `other` there is one.
        let (mut same, mut other) = (0, deepest(a).max(deepest(b)));
        if sum(a, other) == sum(b, other) {
            return Ordering::Equal;
        }
        while other - same > 1 {
            let middle = same + (other - same) / 2;
            *(if sum(a, middle) == sum(b, middle) { &mut same } else { &mut other }) = middle;
        }
        let letters = |lines: &[Line]| {
            let ends = lines.iter().map(|&line| self.end(self.up_to(line, other)));
            let mut letters: Vec<u32> = ends.filter(|end| end.level == other).map(|end| end.letter).collect();
            letters.sort_unstable();
            letters.push(END);
            letters
        };
        letters(a).cmp(&letters(b))
    }

    /// Forgets all lines but these, which get other numbers.
    pub(super) fn retain<'a>(&mut self, used: impl Iterator<Item = &'a mut Line>) {
        let used: Vec<&mut Line> = used.collect();
        let mut keep = vec![false; self.entries.len()];
        keep[0] = true;
        for line in &used {
            let mut line = **line;
            while !std::mem::replace(&mut keep[line.0 as usize], true) {
                line = self.end(line).before;
            }
        }
        let mut map = vec![Line(0); self.entries.len()];
        let mut kept = Vec::new();
        for (index, entry) in self.entries.drain(..).enumerate().filter(|(index, _)| keep[*index]) {
            map[index] = Line(kept.len() as u32);
            // (What a line refers to comes before it, and is kept with it.)
            kept.push(Entry { before: map[entry.before.0 as usize], jump: map[entry.jump.0 as usize], ..entry });
        }
        self.entries = kept;
        self.index();
        for line in used {
            *line = map[line.0 as usize];
        }
    }

    /// Puts the lines into the table of names again.
    pub(super) fn index(&mut self) {
        self.names = HashTable::with_capacity(self.entries.len());
        for (id, entry) in self.entries.iter().enumerate().skip(1) {
            self.names.insert_unique(hash_of(entry), id as u32, |&id| hash_of(&self.entries[id as usize]));
        }
    }

    /// Bytes that this takes, and how many more it takes when it grows next, if that is soon.
    pub(super) fn bytes(&self) -> (usize, usize) {
        let Lines { entries, names } = self;
        let growth = growth(entries.len(), entries.capacity()) * size_of::<Entry>();
        (entries.capacity() * size_of::<Entry>() + names.allocation_size(), growth)
    }
}

/// How many elements a table gets room for when it grows next, if that is soon: then the old and the new one are there
/// at a time.
pub(super) fn growth(len: usize, capacity: usize) -> usize {
    if len > capacity / 4 * 3 { 2 * capacity } else { 0 }
}

fn join([high, low]: [u64; 2]) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

fn hash_of(entry: &Entry) -> u64 {
    hash(entry.before, entry.level, entry.letter)
}

fn hash(before: Line, level: u32, letter: u32) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(u64::from(before.0) << 32 | u64::from(letter));
    hasher.write_u32(level);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels in order, each as its sorted letters, as many for all.
    fn normal_form(threads: &[Vec<(u32, u32)>]) -> Vec<u32> {
        let all: Vec<(u32, u32)> = threads.concat();
        let level = |level| {
            let mut letters: Vec<u32> = all.iter().filter(|(at, _)| *at == level).map(|(_, letter)| *letter).collect();
            letters.sort_unstable();
            letters.push(END);
            letters
        };
        (1..50).flat_map(level).collect()
    }

    fn random(state: &mut u64, below: u32) -> u32 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((*state >> 33) % u64::from(below)) as u32
    }

    /// A thread's entries: most are those of `model`, so that many beginnings are equal.
    fn thread(model: &[(u32, u32)], state: &mut u64) -> Vec<(u32, u32)> {
        let mut entries = model.to_vec();
        entries.truncate(random(state, 40) as usize);
        for _ in 0..random(state, 4) {
            let level = entries.last().map_or(0, |(level, _)| *level) + 1 + random(state, 2);
            entries.push((level, random(state, 3)));
        }
        entries
    }

    #[test]
    fn lines_compare_as_what_they_stand_for() {
        let mut state = 1;
        let (mut less, mut equal) = (0, 0);
        for _ in 0..200 {
            let mut lines = Lines::new();
            let model: Vec<(u32, u32)> = (1..=30).map(|level| (level, random(&mut state, 3))).collect();
            let mut threads: Vec<_> = (0..3).map(|_| thread(&model, &mut state)).collect();
            let mut forms: Vec<(Vec<Line>, Vec<u32>)> = (0..20)
                .map(|i| {
                    // Now and then other threads do the same.
                    match i % 3 {
                        0 => threads.rotate_left(1),
                        _ => threads.iter_mut().for_each(|entries| *entries = thread(&model, &mut state)),
                    }
                    let line = |entries: &Vec<(u32, u32)>| {
                        entries
                            .iter()
                            .fold(Line::default(), |line, &(level, letter)| lines.extended(line, level, letter))
                    };
                    (threads.iter().map(line).collect(), normal_form(&threads))
                })
                .collect();
            // Half of them, with other numbers.
            forms.truncate(10);
            let before = lines.entries.len();
            lines.retain(forms.iter_mut().flat_map(|(lines, _)| lines.iter_mut()));
            assert!(lines.entries.len() <= before);
            for (a, form) in &forms {
                for (b, other) in &forms {
                    let order = lines.compare(a, b);
                    assert_eq!(order, form.cmp(other), "{form:?} and {other:?}");
                    less += u32::from(order == Ordering::Less);
                    equal += u32::from(order == Ordering::Equal && a != b);
                }
            }
        }
        assert!(less > 5000 && equal > 10, "{less} less, {equal} equal");
    }

    #[test]
    fn a_line_is_known_again() {
        let mut lines = Lines::new();
        let one = lines.extended(Line::default(), 1, 7);
        let two = lines.extended(one, 3, 8);
        assert_eq!((lines.extended(Line::default(), 1, 7), lines.extended(one, 3, 8)), (one, two));
        assert_ne!(lines.extended(one, 4, 8), two);
        assert_eq!(lines.up_to(two, 2), one);
    }
}

//! Numbers of things, handed out in the order in which the things are met and never taken back.
//!
//! What one worker calls number 7 must be the same for all workers of an exploration ([`crate::jobs`]). So a table can
//! be had in common: each worker has a copy of its own, in which it finds nearly everything without a lock, and asks
//! the common table for what it does not find. A copy is always a beginning of the common table.
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A table of things with numbers 0, 1, 2, …
#[derive(Clone, Debug)]
pub struct Numbers<K> {
    things: Vec<K>,
    numbers: FxHashMap<K, u32>,
    common: Option<Arc<Common<K>>>,
}

/// A table that several have in common.
#[derive(Debug)]
struct Common<K> {
    /// How many things it has.
    len: AtomicUsize,
    table: Mutex<Vec<K>>,
}

impl<K> Common<K> {
    fn lock(&self) -> MutexGuard<'_, Vec<K>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K> Default for Numbers<K> {
    fn default() -> Self {
        Numbers { things: Vec::new(), numbers: FxHashMap::default(), common: None }
    }
}

impl<K: Clone + Eq + Hash> Numbers<K> {
    /// Another table with the same numbers, now and later: from now on the two have them in common. So do their clones.
    pub fn shared(&mut self) -> Self {
        self.common.get_or_insert_with(|| {
            Arc::new(Common { len: AtomicUsize::new(self.things.len()), table: Mutex::new(self.things.clone()) })
        });
        self.clone()
    }

    /// The number of a thing; a new one if the thing is new.
    ///
    /// # Panics
    /// After 2^32 different things.
    #[inline]
    pub fn number(&mut self, thing: &K) -> u32 {
        match self.numbers.get(thing) {
            Some(&number) => number,
            None => self.meet(thing),
        }
    }

    #[cold]
    fn meet(&mut self, thing: &K) -> u32 {
        let Some(common) = self.common.clone() else { return self.add(thing) };
        let mut table = common.lock();
        for thing in &table[self.things.len()..] {
            self.add(thing);
        }
        if let Some(&number) = self.numbers.get(thing) {
            return number;
        }
        let number = self.add(thing);
        table.push(thing.clone());
        common.len.store(table.len(), Ordering::Release);
        number
    }

    fn add(&mut self, thing: &K) -> u32 {
        let number = u32::try_from(self.things.len()).expect("fewer than 2^32 different things");
        self.things.push(thing.clone());
        self.numbers.insert(thing.clone(), number);
        number
    }

    /// Learns the numbers that others have handed out.
    #[inline]
    pub fn catch_up(&mut self) {
        if self.common.as_ref().is_some_and(|common| common.len.load(Ordering::Acquire) > self.things.len()) {
            self.copy_rest();
        }
    }

    #[cold]
    fn copy_rest(&mut self) {
        let common = self.common.clone().expect("there is one");
        let table = common.lock();
        for thing in &table[self.things.len()..] {
            self.add(thing);
        }
    }

    /// The number of a thing, if this table knows one.
    pub fn get(&self, thing: &K) -> Option<u32> {
        self.numbers.get(thing).copied()
    }

    /// The thing of a number that this table knows.
    #[inline]
    pub fn thing(&self, number: u32) -> &K {
        &self.things[number as usize]
    }

    /// Those that this table knows, by number.
    pub fn all(&self) -> &[K] {
        &self.things
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_common_are_the_same() {
        let mut one: Numbers<&str> = Numbers::default();
        assert_eq!([one.number(&"a"), one.number(&"b"), one.number(&"a")], [0, 1, 0]);
        let mut two = one.shared();
        let mut three = two.clone();
        assert_eq!((two.number(&"c"), three.number(&"d"), one.number(&"d")), (2, 3, 3));
        assert_eq!((one.number(&"c"), two.get(&"d"), *one.thing(3)), (2, None, "d"));
        two.catch_up();
        assert_eq!(two.all(), ["a", "b", "c", "d"]);
    }

    #[test]
    fn threads_agree() {
        let mut first: Numbers<u32> = Numbers::default();
        let tables: Vec<Numbers<u32>> = (0..4).map(|_| first.shared()).collect();
        let count = |(at, mut table): (u32, Numbers<u32>)| {
            std::thread::spawn(move || {
                (0..2_000).for_each(|i| {
                    table.number(&(i * (2 * at + 1) % 2_003));
                });
                table.catch_up();
                table.all().to_vec()
            })
        };
        let threads: Vec<_> = (0..).zip(tables).map(count).collect();
        let all: Vec<Vec<u32>> = threads.into_iter().map(|thread| thread.join().expect("it counts")).collect();
        first.catch_up();
        assert!(all.iter().all(|one| first.all().starts_with(one)));
        assert_eq!(first.all().iter().collect::<std::collections::BTreeSet<_>>().len(), first.all().len());
    }
}

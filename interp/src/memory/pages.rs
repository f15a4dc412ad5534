//! What objects hold: chunks, in pages that appear when they are first accessed.
//!
//! A small object has all of its chunks from the beginning. One of more than a page has a tree of tables, as processors
//! have it for their memory: of a terabyte of which three bytes are used three pages exist, and the tables that lead to
//! them. What a page would hold that does not exist is known all the same: its bytes are *fresh*, zero or unwritten as
//! the object is made, and what the race detector remembers of them is the same for all of them (see
//! [`Header::rest`](super::object::Header)).
//!
//! An object of which half the pages exist is laid out in one piece, as a small one is, for then that is cheaper: an
//! array is accessed as fast as it can be. Of one that is not large a sixteenth is enough. Going back behind that takes
//! it apart again.
//!
//! Pages and tables lie in arenas, by number. Number 0 is none: table 0 leads nowhere, so that the way to a page needs
//! no check but the last.
use super::object::{CHUNK, Chunk};
use rustc_hash::FxHashMap;

/// Chunks of a page.
pub(super) const PAGE: usize = 64;

/// The most chunks of an object whose size hardly matters: 16 MiB.
const NOT_LARGE: u64 = (16 << 20) / CHUNK as u64;

/// log2 of the entries of a table.
const BITS: u32 = 9;
const ENTRIES: usize = 1 << BITS;

/// The contents of an object; nothing at all if it is dead.
#[derive(Clone, Debug, Default)]
pub(super) struct Contents {
    /// All chunks of an object that lies in one piece.
    pub(super) chunks: Box<[Chunk]>,
    /// The pages of another one, and how many exist.
    tree: Tree,
    used: u32,
    /// Whether bytes that were never written are zeros that count as written.
    zero: bool,
    /// What is known of where pages lead to, by number.
    leads: Option<Box<FxHashMap<usize, Leads>>>,
}

/// The numbers in a page that may be addresses of objects.
#[derive(Clone, Debug)]
pub(super) struct Leads {
    pub(super) numbers: Box<[u64]>,
    /// The newest stamp of its chunks.
    pub(super) stamp: u32,
    /// When it was looked at, as marks and undos are counted.
    pub(super) when: u64,
}

/// The table on top, and how many are on the way to each page; 0: there are no pages.
#[derive(Clone, Copy, Debug, Default)]
struct Tree {
    root: u32,
    height: u32,
}

/// The pages of all objects.
#[derive(Clone, Debug)]
pub(super) struct Pages {
    pages: Vec<[Chunk; PAGE]>,
    free_pages: Vec<u32>,
    tables: Vec<Table>,
    free_tables: Vec<u32>,
}

/// Numbers of tables, or of pages in those below.
#[derive(Clone, Debug)]
struct Table {
    entries: [u32; ENTRIES],
    /// How many are not 0.
    used: u32,
}

impl Contents {
    /// An object of one chunk, or one that was made before.
    pub(super) fn small(chunks: Box<[Chunk]>, zero: bool) -> Self {
        Contents { chunks, tree: Tree::default(), used: 0, zero, leads: None }
    }

    /// The chunks of a fresh object of which there are that many.
    pub(super) fn new(chunks: u64, zero: bool, stamp: u32) -> Self {
        if chunks <= PAGE as u64 {
            let chunks = vec![Chunk::new(fresh(zero), stamp); chunks as usize];
            return Contents::small(chunks.into_boxed_slice(), zero);
        }
        Contents { chunks: Box::default(), tree: Tree::new(chunks), used: 0, zero, leads: None }
    }

    /// Which bytes of a fresh chunk count as written.
    pub(super) fn fresh(&self) -> u64 {
        fresh(self.zero)
    }

    /// Whether they all do.
    pub(super) fn is_zero(&self) -> bool {
        self.zero
    }

    /// Whether a chunk holds what it held when the object was made.
    pub(super) fn is_fresh(&self, chunk: &Chunk) -> bool {
        chunk.written == self.fresh() && chunk.data == [0; CHUNK]
    }

    /// Notes where a page leads to.
    pub(super) fn set_leads(&mut self, page: usize, leads: Leads) {
        self.leads.get_or_insert_default().insert(page, leads);
    }

    /// Where a page leads to, if that was noted and the page has not changed since.
    pub(super) fn leads(&self, page: usize) -> Option<&Leads> {
        self.leads.as_ref()?.get(&page)
    }

    /// A chunk of the page changes.
    #[inline]
    pub(super) fn forget_leads(&mut self, page: usize) {
        if let Some(leads) = &mut self.leads {
            leads.remove(&page);
        }
    }

    /// Whether so many of its pages exist that an object of that many chunks should lie in one piece.
    pub(super) fn is_mostly_used(&self, chunks: u64) -> bool {
        let enough = if chunks <= NOT_LARGE { 16 } else { 2 };
        self.is_paged() && enough * u64::from(self.used) >= chunks.div_ceil(PAGE as u64)
    }

    /// Whether the object has pages.
    pub(super) fn is_paged(&self) -> bool {
        self.tree.height > 0
    }
}

impl Tree {
    /// For that many chunks.
    fn new(chunks: u64) -> Self {
        let pages = chunks.div_ceil(PAGE as u64);
        let height = (1..).find(|height| pages <= 1 << (BITS * height)).expect("there is a height for every number");
        Tree { root: 0, height }
    }
}

fn fresh(zero: bool) -> u64 {
    if zero { u64::MAX } else { 0 }
}

impl Default for Pages {
    fn default() -> Self {
        Pages {
            pages: vec![[Chunk::new(0, 0); PAGE]],
            free_pages: Vec::new(),
            tables: vec![Table { entries: [0; ENTRIES], used: 0 }],
            free_tables: Vec::new(),
        }
    }
}

impl Pages {
    /// A chunk, if it exists.
    #[inline]
    pub(super) fn chunk<'a>(&'a self, contents: &'a Contents, index: usize) -> Option<&'a Chunk> {
        match contents.chunks.get(index) {
            Some(chunk) => Some(chunk),
            None => match self.find(contents.tree, index / PAGE) {
                0 => None,
                page => self.pages.get(page)?.get(index % PAGE),
            },
        }
    }

    /// The same, to be changed.
    #[inline]
    pub(super) fn chunk_mut<'a>(&'a mut self, contents: &'a mut Contents, index: usize) -> Option<&'a mut Chunk> {
        match contents.chunks.get_mut(index) {
            Some(chunk) => Some(chunk),
            None => match self.find(contents.tree, index / PAGE) {
                0 => None,
                page => self.pages.get_mut(page)?.get_mut(index % PAGE),
            },
        }
    }

    /// A chunk that exists, to be changed.
    #[inline]
    pub(super) fn known<'a>(&'a mut self, contents: &'a mut Contents, index: usize) -> &'a mut Chunk {
        self.chunk_mut(contents, index).expect("the page was made before")
    }

    /// The number of a page; 0 if it does not exist.
    #[inline]
    fn find(&self, Tree { root, height }: Tree, page: usize) -> usize {
        let mut at = root as usize;
        for level in (0..height).rev() {
            at = self.tables[at].entries[page >> (BITS * level) & (ENTRIES - 1)] as usize;
        }
        at
    }

    /// All chunks that exist, in order, each with its number.
    pub(super) fn chunks<'a>(&'a self, contents: &'a Contents) -> impl Iterator<Item = (usize, &'a Chunk)> {
        let pages = self.list(contents).into_iter().flat_map(|(page, number)| {
            let chunks = self.pages[number as usize].iter();
            chunks.enumerate().map(move |(index, chunk)| (page * PAGE + index, chunk))
        });
        contents.chunks.iter().enumerate().chain(pages)
    }

    /// The pages that exist, in order, with their chunks; an object in one piece has all of them.
    pub(super) fn pieces<'a>(&'a self, contents: &'a Contents) -> impl Iterator<Item = (usize, &'a [Chunk])> {
        let pages = self.list(contents).into_iter();
        let pages = pages.map(|(page, number)| (page, &self.pages[number as usize][..]));
        contents.chunks.chunks(PAGE).enumerate().chain(pages)
    }

    /// The chunks of a page; none if it does not exist.
    pub(super) fn page<'a>(&'a self, contents: &'a Contents, page: usize) -> &'a [Chunk] {
        match self.find(contents.tree, page) {
            _ if !contents.is_paged() => contents.chunks.chunks(PAGE).nth(page).expect("the object has such a page"),
            0 => &[],
            number => &self.pages[number],
        }
    }

    /// Lays an object of that many chunks out in one piece, which exists since the mark `born`.
    pub(super) fn join(&mut self, contents: &mut Contents, chunks: u64, born: u32) {
        let mut joined = vec![Chunk::new(contents.fresh(), born); chunks as usize];
        for (page, number) in self.list(contents) {
            let piece = joined.chunks_mut(PAGE).nth(page).expect("it is a page of the object");
            piece.copy_from_slice(&self.pages[number as usize][..piece.len()]);
        }
        self.release(contents);
        contents.chunks = joined.into_boxed_slice();
    }

    /// Takes an object apart that was laid out in one piece, and exists since the mark `born`: pages of which nothing
    /// is known exist no more. (What was saved of a page, and is still in the log, needs the page.)
    pub(super) fn divide(&mut self, contents: &mut Contents, born: u32) {
        let chunks = std::mem::take(&mut contents.chunks);
        contents.tree = Tree::new(chunks.len() as u64);
        let fresh = Chunk::new(contents.fresh(), 0);
        for (page, piece) in chunks.chunks(PAGE).enumerate() {
            let is_needed = |chunk: &Chunk| !contents.is_fresh(chunk) || chunk.is_known_of() || chunk.stamp > born;
            if piece.iter().any(is_needed) {
                self.make(contents, page, fresh)[..piece.len()].copy_from_slice(piece);
            }
        }
    }

    /// The pages that exist, in order, each with its number.
    pub(super) fn list(&self, contents: &Contents) -> Vec<(usize, u32)> {
        let Tree { root, height } = contents.tree;
        let mut found = Vec::new();
        if root != 0 {
            self.gather(root, height, 0, &mut found);
        }
        found
    }

    fn gather(&self, table: u32, height: u32, before: usize, found: &mut Vec<(usize, u32)>) {
        let table = &self.tables[table as usize];
        let entries = table.entries.iter().enumerate().filter(|(_, entry)| **entry != 0);
        for (index, entry) in entries.take(table.used as usize) {
            let page = before << BITS | index;
            if height == 1 {
                found.push((page, *entry));
            } else {
                self.gather(*entry, height - 1, page, found);
            }
        }
    }

    /// Makes a page that does not exist, all of such chunks; gives them back, to be completed.
    pub(super) fn make(&mut self, contents: &mut Contents, page: usize, chunk: Chunk) -> &mut [Chunk] {
        let number = self.free_pages.pop().unwrap_or(self.pages.len() as u32);
        match self.pages.get_mut(number as usize) {
            Some(page) => page.fill(chunk),
            None => self.pages.push([chunk; PAGE]),
        }
        contents.used += 1;
        contents.forget_leads(page);
        let Tree { root, height } = contents.tree;
        let mut at = if root == 0 { self.table() } else { root };
        contents.tree.root = at;
        for level in (1..height).rev() {
            let index = page >> (BITS * level) & (ENTRIES - 1);
            let mut next = self.tables[at as usize].entries[index];
            if next == 0 {
                next = self.table();
                self.enter(at, index, next);
            }
            at = next;
        }
        self.enter(at, page & (ENTRIES - 1), number);
        &mut self.pages[number as usize]
    }

    fn enter(&mut self, table: u32, index: usize, entry: u32) {
        let table = &mut self.tables[table as usize];
        table.entries[index] = entry;
        table.used += 1;
    }

    /// An empty table.
    fn table(&mut self) -> u32 {
        self.free_tables.pop().unwrap_or_else(|| {
            self.tables.push(Table { entries: [0; ENTRIES], used: 0 });
            u32::try_from(self.tables.len() - 1).expect("fewer than 2^32 tables")
        })
    }

    /// How many pages and tables are in use.
    #[cfg(test)]
    pub(super) fn held(&self) -> (usize, usize) {
        (self.pages.len() - 1 - self.free_pages.len(), self.tables.len() - 1 - self.free_tables.len())
    }

    /// Takes a page away, if it exists, and the tables that lead to nothing else. Of an object in one piece nothing is
    /// known there any more.
    pub(super) fn remove(&mut self, contents: &mut Contents, page: usize, born: u32) {
        contents.forget_leads(page);
        if !contents.is_paged() {
            let fresh = Chunk::new(contents.fresh(), born);
            contents.chunks.chunks_mut(PAGE).nth(page).expect("the object has such a page").fill(fresh);
            return;
        }
        if self.find(contents.tree, page) == 0 {
            return;
        }
        contents.used -= 1;
        let Tree { root, height } = contents.tree;
        if self.take(root, height, page) {
            contents.tree.root = 0;
        }
    }

    /// The same below a table; whether it is empty then, and gone.
    fn take(&mut self, table: u32, height: u32, page: usize) -> bool {
        let index = page >> (BITS * (height - 1)) & (ENTRIES - 1);
        let entry = self.tables[table as usize].entries[index];
        if height == 1 {
            self.free_pages.push(entry);
        } else if !self.take(entry, height - 1, page) {
            return false;
        }
        let it = &mut self.tables[table as usize];
        it.entries[index] = 0;
        it.used -= 1;
        let empty = it.used == 0;
        if empty {
            self.free_tables.push(table);
        }
        empty
    }

    /// Takes all pages of an object away.
    pub(super) fn release(&mut self, contents: &mut Contents) {
        let Tree { root, height } = std::mem::take(&mut contents.tree);
        contents.used = 0;
        if root != 0 {
            self.release_table(root, height);
        }
    }

    fn release_table(&mut self, table: u32, height: u32) {
        let mut index = 0;
        while self.tables[table as usize].used > 0 {
            let it = &mut self.tables[table as usize];
            let entry = std::mem::take(&mut it.entries[index]);
            index += 1;
            if entry == 0 {
                continue;
            }
            it.used -= 1;
            match height {
                1 => self.free_pages.push(entry),
                _ => self.release_table(entry, height - 1),
            }
        }
        self.free_tables.push(table);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use random::Random;
    use std::collections::BTreeMap;

    /// A chunk that can be told from others.
    fn chunk(stamp: u32) -> Chunk {
        Chunk::new(0, stamp)
    }

    #[test]
    fn a_small_object_has_all_its_chunks() {
        let pages = Pages::default();
        for count in [0, 1, 2, 64] {
            let contents = Contents::new(count, true, 7);
            assert!(!contents.is_paged());
            assert_eq!(
                pages.chunks(&contents).map(|(index, _)| index).collect::<Vec<_>>(),
                Vec::from_iter(0..count as usize)
            );
            assert!(pages.chunk(&contents, count as usize).is_none());
        }
    }

    /// Pages of objects of all sizes come and go as in a map.
    #[test]
    fn pages_come_and_go() {
        for (seed, size) in [65u64, 600 << 6, 512 << 6, (512 << 6) + 1, 1 << 24, 1 << 34].into_iter().enumerate() {
            let mut random = Random(seed as u64);
            let mut pages = Pages::default();
            let mut objects = [(); 3].map(|()| (Contents::new(size, false, 0), BTreeMap::new()));
            for step in 1..2000 {
                let (contents, model) = &mut objects[random.below(3) as usize];
                assert!(contents.is_paged());
                // Many in one table, and some far away.
                let most = size.div_ceil(PAGE as u64);
                let page = if random.below(2) == 0 { random.below(most.min(20)) } else { random.below(most) } as usize;
                match random.below(40) {
                    0 => {
                        pages.release(contents);
                        *contents = Contents::new(size, false, 0);
                        model.clear();
                    }
                    1..20 if model.contains_key(&page) => {
                        pages.remove(contents, page, 0);
                        model.remove(&page);
                    }
                    _ if !model.contains_key(&page) => {
                        pages.make(contents, page, chunk(step));
                        model.insert(page, step);
                    }
                    _ => {}
                }
                let found = pages.chunk(contents, page * PAGE + 5).map(|chunk| chunk.stamp);
                assert_eq!(found, model.get(&page).copied());
            }
            for (contents, model) in &mut objects {
                let found: Vec<usize> = pages.list(contents).into_iter().map(|(page, _)| page).collect();
                assert_eq!(found, model.keys().copied().collect::<Vec<_>>());
                assert!(model.iter().all(|(page, stamp)| pages.page(contents, *page)[0].stamp == *stamp));
                assert_eq!(pages.chunks(contents).count(), PAGE * model.len());
                pages.release(contents);
            }
            // Nothing is left, and nothing is left in the tables.
            assert_eq!(pages.held(), (0, 0));
            assert!(pages.tables.iter().all(|table| table.used == 0 && table.entries == [0; ENTRIES]));
        }
    }
}

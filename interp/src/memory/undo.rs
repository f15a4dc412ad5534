//! Marks, and the log of what they go back to.
//!
//! A thing that can change carries the *stamp* of the mark since which its old state is in the log: the number of marks
//! at that time. It is saved if its stamp is smaller than the number of marks now. Undoing a mark brings back every
//! thing with that mark's stamp, together with its older stamp, so a number can be used again by the next mark.
use super::Memory;
use super::mapping::Mapping;
use super::object::{CHUNK, Chunk, Header, Life, Object};
use super::pages::{Contents, PAGE};
use super::pool::{HandedOver, Queue};
use super::space::Frontier;
use crate::race::Records;
use crate::undo::trail::{Seldom, Trail};

/// What was there before.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    marks: u32,
    /// How many undos there were, and after how many there were that many marks again, by number of marks.
    undos: u64,
    again: Vec<u64>,
    /// When objects came or went, or something was added to the lists from `headers` to `queues`.
    lives: Seldom,
    /// Chunks: object, number of the chunk, what it was.
    pub(super) chunks: Trail<(u32, usize, Chunk)>,
    /// Records of chunks that are not in `chunks`, or were not yet.
    records: Trail<(u32, usize, Records)>,
    pub(super) headers: Trail<(u32, Header)>,
    /// Contents of objects that died (and existed at the mark).
    pub(super) contents: Trail<(u32, Contents)>,
    /// Pages that came to be in contents that existed at the mark: object, number of the page.
    pub(super) pages: Trail<(u32, usize)>,
    /// Objects that existed at the mark and were laid out in one piece.
    joined: Trail<u32>,
    /// Of blocks: what they were as mappings, each once since a mark.
    pub(super) mappings: Trail<(u32, Option<Mapping>)>,
    pub(super) frontiers: Trail<(u32, Frontier, u32)>,
    /// Queues of dead objects: pool, number of the queue, what it was.
    pub(super) queues: Trail<(u32, u32, Queue)>,
    /// What others had freed of a pool, and since which mark that is in the log.
    pub(super) handed_over: Trail<(u32, Vec<HandedOver>, u32)>,
}

impl Log {
    /// The number of marks: the stamp of what changes now.
    #[inline]
    pub(super) fn depth(&self) -> u32 {
        self.marks
    }

    /// Whether there have not been exactly that many marks since there had been so many undos: whatever has that stamp
    /// is in the log if it has changed since.
    pub(super) fn has_not_been_at(&self, marks: u32, undos: u64) -> bool {
        self.again.get(marks as usize).is_none_or(|again| *again <= undos)
    }

    /// How many undos there were.
    pub(super) fn undos(&self) -> u64 {
        self.undos
    }

    /// Where the records of a chunk began, before that changes.
    #[inline]
    pub(super) fn note_records(&mut self, object: u32, index: usize, records: Records) {
        self.records.push(self.marks, (object, index, records));
    }

    /// The contents of an object that dies.
    pub(super) fn keep_contents(&mut self, object: usize, contents: Contents) {
        self.lives.note(self.marks);
        self.contents.push(self.marks, (object as u32, contents));
    }

    /// Where the next fresh object of a pool would go, and since which mark that is in the log, before it changes.
    /// There will be a new object.
    pub(super) fn note_frontier(&mut self, pool: usize, frontier: Frontier, stamp: u32) {
        self.lives.note(self.marks);
        self.frontiers.push(self.marks, (pool as u32, frontier, stamp));
    }

    /// A queue of a pool, before it changes.
    pub(super) fn note_queue(&mut self, pool: usize, number: usize, queue: Queue) {
        self.lives.note(self.marks);
        self.queues.push(self.marks, (pool as u32, number as u32, queue));
    }

    /// What others have freed of a pool, before it changes.
    pub(super) fn note_handed_over(&mut self, pool: usize, entries: Vec<HandedOver>, stamp: u32) {
        self.lives.note(self.marks);
        self.handed_over.push(self.marks, (pool as u32, entries, stamp));
    }

    /// What a block was as a mapping, before it changes.
    pub(super) fn note_mapping(&mut self, marks: u32, object: u32, old: Option<Mapping>) {
        self.lives.note(marks);
        if !self.mappings.since(marks).any(|(known, _)| *known == object) {
            self.mappings.push(marks, (object, old));
        }
    }

    /// Whether objects came or went since the last mark, or something was added to those lists.
    pub(super) fn has_changed_lives(&self) -> bool {
        self.lives.happened(self.marks)
    }

    /// Entries in the log, of all kinds.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        let chunks = self.contents.len() + self.pages.len() + self.chunks.len() + self.records.len();
        self.headers.len() + chunks + self.frontiers.len() + self.queues.len()
    }
}

impl Memory {
    /// Remembers the state.
    pub fn mark(&mut self) {
        self.log.marks += 1;
        self.race.mark();
    }

    /// Goes back to the last mark and forgets it.
    ///
    /// # Panics
    /// When there is none.
    pub fn undo(&mut self) {
        let marks = self.log.marks;
        self.log.marks = marks.checked_sub(1).expect("a mark for each undo");
        self.log.undos += 1;
        if self.log.again.len() < marks as usize {
            self.log.again.resize(marks as usize, 0);
        }
        self.log.again[marks as usize - 1] = self.log.undos;
        // Each thing is in the log at most once since the mark, so the order within a list does not matter. But dead
        // objects must lose the contents of their later lives, then get back their own, before single chunks are
        // restored.
        let lives = self.log.lives.take_back(marks);
        if lives {
            while let Some((object, header)) = self.log.headers.pop(marks) {
                self.objects[object as usize].header = header;
                if header.life == Life::Dead {
                    self.recycle(object as usize);
                }
            }
            while let Some((object, contents)) = self.log.contents.pop(marks) {
                self.recycle(object as usize);
                self.objects[object as usize].contents = contents;
            }
        }
        let Memory { log, objects, pages, pools, mappings, .. } = self;
        log.chunks.take_back(marks, |(object, index, chunk)| {
            let contents = &mut objects[*object as usize].contents;
            contents.forget_leads(index / PAGE);
            *pages.known(contents, *index) = *chunk;
        });
        // Records were noted before the chunk was, if both were.
        log.records.take_back(marks, |(object, index, records)| {
            pages.known(&mut objects[*object as usize].contents, *index).records = *records;
        });
        log.pages.take_back(marks, |(object, page)| {
            let Object { header, contents } = &mut objects[*object as usize];
            pages.remove(contents, *page, header.born);
        });
        log.joined.take_back(marks, |object| {
            let Object { header, contents } = &mut objects[*object as usize];
            pages.divide(contents, header.born);
        });
        if lives {
            log.mappings.take_back(marks, |(object, old)| match old {
                Some(mapping) => drop(mappings.insert(*object, mapping.clone())),
                None => drop(mappings.remove(object)),
            });
            log.frontiers.take_back(marks, |(pool, frontier, stamp)| {
                pools[*pool as usize].restore_frontier(*frontier, *stamp);
            });
            log.handed_over.take_back(marks, |(pool, entries, stamp)| {
                pools[*pool as usize].restore_handed_over(entries, *stamp);
            });
            log.queues.take_back(marks, |(pool, queue, old)| pools[*pool as usize].queues[*queue as usize] = *old);
            // The stamps of all others are older again.
            while let Some(Object { header, .. }) = self.objects.last()
                && header.stamp >= marks
            {
                self.space.assign(header.base, header.class, 0);
                self.recycle(self.objects.len() - 1);
                self.objects.pop();
            }
        }
        self.race.undo();
    }

    /// To be called before a change of an object's header.
    pub(super) fn save_header(&mut self, object: usize) {
        let depth = self.log.depth();
        let header = &mut self.objects[object].header;
        if header.stamp < depth {
            self.log.lives.note(depth);
            self.log.headers.push(depth, (object as u32, *header));
            header.stamp = depth;
        }
    }

    /// To be called before a change of a chunk.
    #[inline]
    pub(super) fn save_chunk(&mut self, object: usize, index: usize) {
        let depth = self.log.depth();
        let Memory { objects, pages, log, .. } = self;
        let chunk = pages.known(&mut objects[object].contents, index);
        if chunk.stamp < depth {
            log.chunks.push(depth, (object as u32, index, *chunk));
            chunk.stamp = depth;
            objects[object].contents.forget_leads(index / PAGE);
        }
    }

    /// Makes the page of a chunk, if it does not exist.
    #[inline]
    pub(super) fn make_chunk(&mut self, object: usize, index: usize) {
        if self.pages.chunk(&self.objects[object].contents, index).is_none() {
            self.make_page(object, index);
        }
    }

    /// Makes the page of a chunk, which does not exist.
    #[cold]
    pub(super) fn make_page(&mut self, object: usize, index: usize) {
        let (page, depth) = (index / PAGE, self.log.depth());
        let Memory { objects, pages, log, race, .. } = self;
        let Object { header, contents } = &mut objects[object];
        let fresh = Chunk::new(contents.fresh(), depth);
        let made = pages.make(contents, page, fresh);
        if header.rest != Records::default() {
            let existing = header.size.div_ceil(CHUNK as u64) as usize - page * PAGE;
            for (chunk, start) in made[..existing.min(PAGE)].iter_mut().zip((page * PAGE * CHUNK..).step_by(CHUNK)) {
                let bytes = u64::MAX >> (CHUNK as u64 - (header.size - start as u64).min(CHUNK as u64));
                chunk.records = race.copy(header.rest, bytes);
            }
        }
        if header.born < depth {
            log.pages.push(depth, (object as u32, page));
        }
        let chunks = header.size.div_ceil(CHUNK as u64);
        if contents.is_mostly_used(chunks) && header.rest == Records::default() {
            pages.join(contents, chunks, header.born);
            if header.born < depth {
                log.joined.push(depth, object as u32);
            }
        }
    }

    /// Makes all pages of an object.
    pub(super) fn make_all(&mut self, object: usize) {
        let chunks = self.objects[object].header.size.div_ceil(CHUNK as u64) as usize;
        (0..chunks).step_by(PAGE).for_each(|index| self.make_chunk(object, index));
    }

    /// Drops an object's contents, which are not needed for going back.
    pub(super) fn recycle(&mut self, object: usize) {
        const MOST: usize = 1024;
        let mut contents = std::mem::take(&mut self.objects[object].contents);
        self.pages.release(&mut contents);
        if contents.chunks.len() == 1 && self.spare.len() < MOST {
            self.spare.push(contents.chunks);
        }
    }
}

//! Marks, and the log of what they go back to.
//!
//! A thing that can change carries the *stamp* of the mark since which its old state is in the log: the number of marks
//! at that time. It is saved if its stamp is smaller than the number of marks now. Undoing a mark brings back every
//! thing with that mark's stamp, together with its older stamp, so a number can be used again by the next mark.
use super::Memory;
use super::life::Queue;
use super::object::{Chunk, Header, Life};
use super::space::Frontier;

/// What was there before.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    marks: Vec<Mark>,
    pub(super) headers: Vec<(u32, Header)>,
    /// Contents of objects that died (and existed at the mark).
    pub(super) contents: Vec<(u32, Box<[Chunk]>)>,
    /// Chunks: object, number of the chunk, what it was.
    pub(super) chunks: Vec<(u32, u32, Chunk)>,
    pub(super) frontiers: Vec<(u32, Frontier, u32)>,
    /// Queues of dead objects: pool, number of the queue, what it was.
    pub(super) queues: Vec<(u32, u32, Queue)>,
}

/// The lengths of everything that only grows.
#[derive(Clone, Copy, Debug)]
struct Mark {
    objects: usize,
    headers: usize,
    contents: usize,
    chunks: usize,
    frontiers: usize,
    queues: usize,
}

impl Log {
    /// The number of marks: the stamp of what changes now.
    #[inline]
    pub(super) fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    /// Entries in the log, of all kinds.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.headers.len() + self.contents.len() + self.chunks.len() + self.frontiers.len() + self.queues.len()
    }
}

impl Memory {
    /// Remembers the state.
    pub fn mark(&mut self) {
        self.log.marks.push(Mark {
            objects: self.objects.len(),
            headers: self.log.headers.len(),
            contents: self.log.contents.len(),
            chunks: self.log.chunks.len(),
            frontiers: self.log.frontiers.len(),
            queues: self.log.queues.len(),
        });
        self.race.mark();
    }

    /// Goes back to the last mark and forgets it.
    ///
    /// # Panics
    /// When there is none.
    pub fn undo(&mut self) {
        let mark = self.log.marks.pop().expect("a mark for each undo");
        // Each thing is in the log at most once since the mark, so the order within a list does not matter. But dead
        // objects must lose the contents of their later lives, then get back their own, before single chunks are restored.
        while self.log.headers.len() > mark.headers {
            let (object, header) = self.log.headers.pop().expect("the list is longer than at the mark");
            self.objects[object as usize].header = header;
            if header.life == Life::Dead {
                self.recycle(object as usize);
            }
        }
        while self.log.contents.len() > mark.contents {
            let (object, chunks) = self.log.contents.pop().expect("the list is longer than at the mark");
            self.recycle(object as usize);
            self.objects[object as usize].chunks = chunks;
        }
        for (object, index, chunk) in self.log.chunks.drain(mark.chunks..) {
            self.objects[object as usize].chunks[index as usize] = chunk;
        }
        for (pool, frontier, stamp) in self.log.frontiers.drain(mark.frontiers..) {
            self.pools[pool as usize].restore_frontier(frontier, stamp);
        }
        for (pool, queue, old) in self.log.queues.drain(mark.queues..) {
            self.pools[pool as usize].queues[queue as usize] = old;
        }
        while self.objects.len() > mark.objects {
            let last = self.objects.len() - 1;
            let header = self.objects[last].header;
            self.space.assign(header.base, header.class, 0);
            self.recycle(last);
            self.objects.pop();
        }
        self.race.undo();
    }

    /// To be called before a change of an object's header.
    pub(super) fn save_header(&mut self, object: usize) {
        let depth = self.log.depth();
        let header = &mut self.objects[object].header;
        if header.stamp < depth {
            self.log.headers.push((object as u32, *header));
            header.stamp = depth;
        }
    }

    /// To be called before a change of a chunk.
    #[inline]
    pub(super) fn save_chunk(&mut self, object: usize, index: usize) {
        let depth = self.log.depth();
        let chunk = &mut self.objects[object].chunks[index];
        if chunk.stamp < depth {
            self.log.chunks.push((object as u32, index as u32, *chunk));
            chunk.stamp = depth;
        }
    }

    /// Drops an object's contents, which nobody needs to go back to.
    pub(super) fn recycle(&mut self, object: usize) {
        const MOST: usize = 1024;
        let chunks = std::mem::take(&mut self.objects[object].chunks);
        if chunks.len() == 1 && self.spare.len() < MOST {
            self.spare.push(chunks);
        }
    }
}

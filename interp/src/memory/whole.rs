//! All of memory as text, see [`crate::state_dump`].
use super::object::{CHUNK, Chunk, Life, Object};
use super::pool::Pool;
use super::space::Frontier;
use super::{Memory, ObjectKind};
use por::ThreadId;
use std::borrow::Cow;
use std::fmt::Write as _;

impl Memory {
    /// Everything that may decide what becomes of accesses and of new objects, for these living threads.
    pub(crate) fn whole_state(&self, alive: &[ThreadId], lines: &mut Vec<String>) {
        if self.promoted.is_used() {
            lines.push(format!("memory: several threads have existed: {}", self.race.checking()));
        }
        for (number, object) in (0..).zip(&self.objects).skip(1) {
            self.write_object(number, object, lines);
        }
        for (number, object) in (0..).zip(&self.objects) {
            if let Some(mapping) = self.mappings.get(&number) {
                lines.push(format!(
                    "mapping {:#x}: {:?}, {}",
                    object.header.base,
                    mapping.rights(),
                    mapping.shows_number()
                ));
            }
        }
        for (index, pool) in self.pools.iter().enumerate() {
            self.write_pool(index, pool, alive, lines);
        }
    }

    /// Whether the byte belongs to a live object and was written.
    pub(crate) fn is_written(&self, address: u64) -> bool {
        let object = &self.objects[self.space.object(address) as usize];
        let offset = address.wrapping_sub(object.header.base) as usize;
        if offset as u64 >= object.header.size || object.header.life == Life::Dead {
            return false;
        }
        let chunk = self.pages.chunk(&object.contents, offset / CHUNK);
        chunk.map_or(object.contents.fresh(), |chunk| chunk.written) >> (offset % CHUNK) & 1 != 0
    }

    fn write_object(&self, number: u32, object: &Object, lines: &mut Vec<String>) {
        let header = &object.header;
        let site = (header.kind == ObjectKind::Heap).then_some(header.allocated.stack);
        if header.life != Life::Dead || header.visibility.any() {
            lines.push(format!(
                "object {:#x}: {} bytes, {:?} {site:?}, {:?}, zeros {}, constant {}, {:?}",
                header.base,
                header.size,
                header.kind,
                header.life,
                object.contents.is_zero(),
                header.is_constant(),
                header.visibility
            ));
        }
        if header.life == Life::Live && !header.is_constant() {
            let chunks =
                self.pages.chunks(&object.contents).map(|(index, chunk)| (index, self.told(number, index, chunk)));
            lines.extend(chunks.filter(|(_, chunk)| !object.contents.is_fresh(chunk)).map(|(index, chunk)| {
                let start = (index * CHUNK) as u64;
                let text = bytes(&chunk, (header.size - start).min(CHUNK as u64) as usize);
                format!("bytes {:#x}: {text}", header.base + start)
            }));
        }
    }

    /// The chunk of that object without what is left out.
    fn told<'a>(&self, object: u32, index: usize, chunk: &'a Chunk) -> Cow<'a, Chunk> {
        let left_out = !self.looked_at(object, index);
        if left_out == 0 {
            return Cow::Borrowed(chunk);
        }
        let mut chunk = *chunk;
        for (at, byte) in chunk.data.iter_mut().enumerate().filter(|(at, _)| left_out >> at & 1 != 0) {
            (*byte, chunk.written) = (0, chunk.written | 1 << at);
        }
        Cow::Owned(chunk)
    }

    fn write_pool(&self, index: usize, pool: &Pool, alive: &[ThreadId], lines: &mut Vec<String>) {
        // (Which pools exist is never undone.)
        if *pool.frontier() != Frontier::default() {
            lines.push(format!("pool {index}: {:?}", pool.frontier()));
        }
        for (number, queue) in pool.queues.iter().enumerate() {
            let (mut next, _, len) = queue.ends();
            let mut dead = Vec::new();
            for _ in 0..len {
                let header = &self.objects[next as usize].header;
                dead.push(header.base);
                next = header.next;
            }
            if !dead.is_empty() {
                lines.push(format!("pool {index}: queue {number}: {dead:x?}"));
            }
        }
        for entry in &pool.handed_over {
            let (number, by, clock) = entry.freed();
            let mut owner = alive.iter().filter(|thread| thread.index() + 1 == index);
            let known = owner.any(|thread| self.race.knows_of(*thread, by, clock));
            let base = self.objects[entry.object as usize].header.base;
            lines.push(format!("pool {index}: {base:#x} was freed by others, for queue {number}, known: {known}"));
        }
    }
}

/// The bytes of a chunk, `.` for one that was never written (and is not 0 all the same).
fn bytes(chunk: &Chunk, size: usize) -> String {
    let mut text = String::new();
    for (i, byte) in chunk.data[..size].iter().enumerate() {
        let _ = match chunk.written >> i & 1 {
            0 if *byte == 0 => write!(text, " ."),
            0 => write!(text, " .{byte:x}"),
            _ => write!(text, " {byte:x}"),
        };
    }
    text
}

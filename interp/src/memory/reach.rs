//! Which heap blocks something leads to.
//!
//! A value is a pointer to a block if it is an address in it, or the one right behind it: code that has it can compute
//! the others and free the block. In memory every place counts, aligned or not, so that packed structures may hold
//! pointers. Addresses are far from small numbers and from pairs of such (see the module `space`), so what looks like a
//! pointer hardly ever is none. A pointer that the program keeps in a disguise (two of them combined by exclusive or,
//! upper bits used for something else) is not seen.
use super::object::{CHUNK, Chunk, Header, Life, Object};
use super::pages::{Leads, PAGE};
use super::{Memory, ObjectInfo, ObjectKind};

/// The heap blocks that are not freed, each list by address.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Remaining {
    /// Those that nothing leads to but, at most, others of which that is true.
    pub(crate) lost: Vec<Lost>,
    /// The others.
    pub(crate) reachable: Vec<ObjectInfo>,
}

/// A block that nothing leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lost {
    /// The block.
    pub(crate) block: ObjectInfo,
    /// Freeing another lost block would take care of this one: it is a later element of a list.
    pub(crate) follows: bool,
}

impl Memory {
    /// Where the variable of the whole program begins in which these bytes lie.
    pub(crate) fn variable_at(&self, address: u64, size: u64) -> Option<u64> {
        let header = &self.objects[self.space.object(address) as usize].header;
        let inside = || address >= header.base && address - header.base + size <= header.size;
        (matches!(header.kind, ObjectKind::Global(_)) && inside()).then_some(header.base)
    }

    /// Whether the address is that of a variable of the program that has no room for a pointer: none that looks for
    /// what remains reads it.
    pub(crate) fn is_too_small_to_lead_anywhere(&self, address: u64, pointer_bytes: u64) -> bool {
        let header = &self.objects[self.space.object(address) as usize].header;
        matches!(header.kind, ObjectKind::Global(_)) && header.size < pointer_bytes
    }

    /// Whether anything remains on the heap.
    pub(crate) fn has_blocks(&self) -> bool {
        let mut objects = self.objects.iter().skip(1);
        objects.any(|object| object.header.life == Life::Live && object.header.kind == ObjectKind::Heap)
    }

    /// What remains on the heap, and what of it these values and the variables that are alive lead to.
    pub(crate) fn remaining_blocks(&mut self, pointer_bytes: u64, values: Vec<u64>) -> Remaining {
        if !self.has_blocks() {
            return Remaining::default();
        }
        self.note_leads(pointer_bytes);
        let mut scan = Scan { memory: self, pointer_bytes, first: 0, last: 0 };
        let blocks: Vec<usize> = scan.objects(|kind| kind == ObjectKind::Heap);
        let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { return Remaining::default() };
        scan.first = self.objects[*first].header.base;
        scan.last = self.objects[*last].header.base + self.objects[*last].header.size;
        let mut reached = vec![false; self.objects.len()];
        let mut found: Vec<usize> = values.into_iter().filter_map(|value| scan.block(value)).collect();
        for object in scan.objects(|kind| kind != ObjectKind::Heap) {
            scan.blocks_in(object, |block| found.push(block));
        }
        scan.follow(found, &mut reached);
        let (reachable, lost): (Vec<usize>, Vec<usize>) = blocks.into_iter().partition(|block| reached[*block]);

        // What has to be freed first: that which no other lost block leads to, and rings that nothing leads to.
        let mut second = vec![false; self.objects.len()];
        for &block in &lost {
            scan.blocks_in(block, |next| second[next] |= next != block);
        }
        let firsts = lost.iter().copied().filter(|block| !second[*block]);
        scan.follow(firsts.collect(), &mut reached);
        let info = |block: usize| self.objects[block].header.info();
        let describe = |block: usize| Lost { block: info(block), follows: second[block] && reached[block] };
        Remaining {
            lost: lost.into_iter().map(describe).collect(),
            reachable: reachable.into_iter().map(info).collect(),
        }
    }
}

impl Memory {
    /// Notes of all pages that have not changed since the last mark where they lead to, if that is not known.
    fn note_leads(&mut self, pointer_bytes: u64) {
        let (lowest, above, marks, undos) = (self.space.first, self.space.above(), self.log.depth(), self.log.undos());
        let Memory { objects, pages, log, .. } = self;
        let mut found = Vec::new();
        for object in objects.iter_mut().skip(1) {
            let Object { header, contents } = object;
            if header.life != Life::Live || header.is_constant() {
                continue;
            }
            let known =
                |page: usize| contents.leads(page).is_some_and(|leads| log.has_not_been_at(leads.stamp, leads.when));
            for (page, chunks) in pages.pieces(contents).filter(|(page, _)| !known(*page)) {
                let stamp = chunks.iter().map(|chunk| chunk.stamp).max().unwrap_or(0);
                // (Those of the last mark may change without notice; and a small object is read as fast.)
                if stamp >= marks || chunks.len() < FEW {
                    continue;
                }
                let mut numbers = Vec::new();
                each_number(pointer_bytes, chunks, room(header, page), |number| {
                    if (lowest..above).contains(&number) {
                        numbers.push(number);
                    }
                });
                if numbers.len() <= MOST_NOTED {
                    found.push((page, Leads { numbers: numbers.into(), stamp, when: undos }));
                }
            }
            for (page, leads) in found.drain(..) {
                contents.set_leads(page, leads);
            }
        }
    }
}

/// The most numbers that are noted of a page.
const MOST_NOTED: usize = 256;

/// A page with fewer chunks is read again each time.
const FEW: usize = 4;

/// How many bytes the object has from a page on.
fn room(header: &Header, page: usize) -> usize {
    (header.size as usize).saturating_sub(page * PAGE * CHUNK)
}

/// Tells every number of that many bytes, aligned or not, that lies in the first bytes of these chunks.
fn each_number(pointer_bytes: u64, chunks: &[Chunk], mut bytes: usize, mut tell: impl FnMut(u64)) {
    let newest = 8 * (pointer_bytes - 1);
    // The last bytes read, as the number that they are in memory.
    let mut window: u64 = 0;
    for chunk in chunks {
        let count = bytes.min(CHUNK);
        bytes -= count;
        // (What begins in the chunk before may end here.)
        if window == 0 && (chunk.written == 0 || chunk.data == [0; CHUNK]) {
            continue;
        }
        for (i, byte) in chunk.data[..count].iter().enumerate() {
            let byte = (chunk.written >> i & 1) as u8 * byte;
            window = window >> 8 | u64::from(byte) << newest;
            tell(window);
        }
    }
}

/// Looks for pointers of that size.
#[derive(Clone, Copy)]
struct Scan<'a> {
    memory: &'a Memory,
    pointer_bytes: u64,
    /// Where the first block begins.
    first: u64,
    /// Where the last block ends.
    last: u64,
}

impl Memory {
    /// Whether the value is an address in a global variable.
    pub(crate) fn is_in_global(&self, value: u64) -> bool {
        let header = &self.objects[self.space.object(value) as usize].header;
        matches!(header.kind, ObjectKind::Global(_)) && value.wrapping_sub(header.base) < header.size
    }
}

impl Scan<'_> {
    /// The live objects of some kinds that can be written to (constants hold no addresses of blocks), by address.
    fn objects(self, wanted: impl Fn(ObjectKind) -> bool) -> Vec<usize> {
        let headers = self.memory.objects.iter().map(|object| &object.header).enumerate().skip(1);
        let wanted = headers.filter(|(_, it)| it.life == Life::Live && wanted(it.kind) && !it.is_constant());
        let mut objects: Vec<usize> = wanted.map(|(index, _)| index).collect();
        objects.sort_by_key(|index| self.memory.objects[*index].header.base);
        objects
    }

    /// The live block to which this value, if it is an address, belongs.
    fn block(self, value: u64) -> Option<usize> {
        if !(self.first..=self.last).contains(&value) {
            return None;
        }
        let object = self.memory.space.object(value) as usize;
        let header = &self.memory.objects[object].header;
        let near = value.wrapping_sub(header.base) <= header.size;
        let inside = header.kind == ObjectKind::Heap && header.life == Life::Live && near;
        inside.then_some(object)
    }

    /// Tells the blocks to which what is written in the object leads.
    fn blocks_in(self, object: usize, mut tell: impl FnMut(usize)) {
        let Memory { pages, objects, log, .. } = self.memory;
        let Object { header, contents } = &objects[object];
        let mut next = 0;
        // The last bytes of the page before, with those that follow if there is none.
        let mut before: Option<&Chunk> = None;
        let nothing = Chunk::new(0, 0);
        for (page, chunks) in pages.pieces(contents) {
            if page != next {
                self.across(before.take(), &nothing, room(header, next), &mut tell);
            }
            self.across(before, &chunks[0], room(header, page), &mut tell);
            match contents.leads(page).filter(|leads| log.has_not_been_at(leads.stamp, leads.when)) {
                Some(leads) => leads.numbers.iter().filter_map(|number| self.block(*number)).for_each(&mut tell),
                None => each_number(self.pointer_bytes, chunks, room(header, page), |number| {
                    self.block(number).into_iter().for_each(&mut tell);
                }),
            }
            (next, before) = (page + 1, chunks.last());
        }
        self.across(before, &nothing, room(header, next), &mut tell);
    }

    /// The same for numbers that begin in one chunk, if there is one, and end in the next, of which so many bytes
    /// count.
    fn across(self, before: Option<&Chunk>, after: &Chunk, room: usize, mut tell: impl FnMut(usize)) {
        let Some(before) = before else { return };
        let byte = |chunk: &Chunk, i: usize| (chunk.written >> i & 1) as u8 * chunk.data[i];
        let bytes = (CHUNK - 7..CHUNK).map(|i| byte(before, i)).chain((0..7).map(|i| byte(after, i)));
        let bytes: Vec<u8> = bytes.collect();
        for start in 8 - self.pointer_bytes as usize..7 {
            if start + self.pointer_bytes as usize > 7 + room {
                break;
            }
            let number = bytes[start..start + self.pointer_bytes as usize].iter().rev();
            let number = number.fold(0, |number, byte| number << 8 | u64::from(*byte));
            self.block(number).into_iter().for_each(&mut tell);
        }
    }

    /// Marks what these blocks lead to, themselves included.
    fn follow(self, mut found: Vec<usize>, reached: &mut [bool]) {
        while let Some(block) = found.pop() {
            if !std::mem::replace(&mut reached[block], true) {
                self.blocks_in(block, |next| found.push(next));
            }
        }
    }
}

//! Mappings: blocks of whole pages, of which each has rights, and can be given back for itself.
//!
//! A mapping is a block of the heap that has an entry here. Its pages are runs of the same rights. As long as all pages
//! may be read and written and always could, it is a block as any other one; otherwise it is *restricted*: the fast
//! paths decline, as they do for promoted memory, and every access looks here.
//!
//! **Other threads.** A change of rights is no action, and no access of memory either: two threads may change the
//! rights of a page and read it in any order if both orders allow the read. So a change remembers who made it and when,
//! and the least rights that the page ever had while there were several threads. An access by a thread that does not
//! know of the change is well if it needs no more than these; otherwise the verdict is unknown, as it is for a change
//! that takes away what an earlier access needed which nothing orders with it. (What was given back is gone in every
//! order: to give back is an end of life, which races as that of a block does.)
use super::object::CHUNK;
use super::{AccessError, Attempt, Memory, Origin, Problem, Site};
use crate::library::hooks::{PageChange, PagesChanged, Rights, Shows};
use crate::race::Cause;
use por::ThreadId;

/// Bytes of a page.
pub(super) const PAGE_BYTES: u64 = 4096;

/// The largest part of a mapping that can be changed while there are several threads; and otherwise.
const LARGEST_SHARED: u64 = 1 << 24;
const LARGEST_PART: u64 = 1 << 30;

/// The rights of all pages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mapping {
    /// In the order of addresses: the first page behind the run, and what holds for the pages of it.
    runs: Vec<(u64, Page)>,
    shows: Shows,
}

/// What is known of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Page {
    /// `None`: it was given back.
    rights: Option<Rights>,
    /// The least rights while there were several threads.
    least: Rights,
    /// The thread that changed them last while there were several threads, and its logical time.
    changed: Option<(ThreadId, u32)>,
    /// Where it was given back.
    site: Site,
}

/// Of a page: all but what is only told ([`Page`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Known {
    rights: Option<Rights>,
    least: Rights,
    changed: Option<(ThreadId, u32)>,
}

impl Page {
    fn new(rights: Rights) -> Page {
        Page { rights: Some(rights), least: rights, changed: None, site: Site::NOWHERE }
    }

    fn is_plain(&self) -> bool {
        *self == Page::new(Rights::Write)
    }
}

impl Mapping {
    /// The pages from the first one to the one before `end`, with the end of each run.
    fn part(&self, first: u64, end: u64) -> impl Iterator<Item = (u64, &Page)> {
        let starts = std::iter::once(0).chain(self.runs.iter().map(|(end, _)| *end));
        let runs = starts.zip(&self.runs).filter(move |(start, (stop, _))| *start < end && *stop > first);
        runs.map(move |(_, (stop, page))| ((*stop).min(end), page))
    }

    /// Changes what holds for these pages.
    fn change(&mut self, first: u64, end: u64, change: impl Fn(Page) -> Page) {
        let mut runs: Vec<(u64, Page)> = Vec::with_capacity(self.runs.len() + 2);
        let mut add = |from: u64, to: u64, page: Page| {
            if from < to {
                match runs.last_mut() {
                    Some((last, known)) if *known == page => *last = to,
                    _ => runs.push((to, page)),
                }
            }
        };
        let mut start = 0;
        for (stop, page) in &self.runs {
            add(start, (*stop).min(first), *page);
            add(start.max(first), (*stop).min(end), change(*page));
            add(start.max(end), *stop, *page);
            start = *stop;
        }
        self.runs = runs;
    }

    /// Which kind of mapping it is, as a number.
    pub(super) fn shows_number(&self) -> u8 {
        self.shows as u8
    }

    /// What decides what becomes of accesses: runs of pages of which the same is known, each with its end. Who changed
    /// rights, and when, decides which accesses are ordered with that, so states differ by it.
    pub(super) fn rights(&self) -> Vec<(u64, Known)> {
        let mut out: Vec<(u64, Known)> = Vec::new();
        for (end, page) in &self.runs {
            let known = Known { rights: page.rights, least: page.least, changed: page.changed };
            match out.last_mut() {
                Some((last, before)) if *before == known => *last = *end,
                _ => out.push((*end, known)),
            }
        }
        out
    }
}

impl Memory {
    /// The block that was allocated just now is a mapping.
    pub(crate) fn make_mapping(&mut self, address: u64, rights: Rights, shows: Shows) {
        let object = self.space.object(address) as usize;
        let pages = self.objects[object].header.size.div_ceil(PAGE_BYTES);
        self.set_mapping(object, Some(Mapping { runs: vec![(pages, Page::new(rights))], shows }));
    }

    /// First address and size of the block at an address, if that is alive and a mapping.
    pub(crate) fn mapping_at(&self, address: u64) -> Option<(u64, u64)> {
        let object = self.space.object(address);
        let header = &self.objects[object as usize].header;
        self.mappings.get(&object).map(|_| (header.base, header.size))
    }

    /// What the mapping at an address shows, if there is one.
    pub(crate) fn mapping_shows(&self, address: u64) -> Shows {
        self.mappings.get(&self.space.object(address)).map_or(Shows::Nothing, |mapping| mapping.shows)
    }

    /// The block, which ends or begins, is no mapping.
    pub(super) fn forget_mapping(&mut self, object: usize) {
        if self.mappings.contains_key(&(object as u32)) {
            self.set_mapping(object, None);
        }
    }

    fn set_mapping(&mut self, object: usize, mapping: Option<Mapping>) {
        let (number, marks) = (object as u32, self.log.depth());
        self.save_header(object);
        let header = &mut self.objects[object].header;
        header.restricted = mapping.as_ref().is_some_and(|mapping| !mapping.runs.iter().all(|(_, p)| p.is_plain()));
        header.set_limits(false);
        let old = match mapping {
            Some(mapping) => self.mappings.insert(number, mapping),
            None => self.mappings.remove(&number),
        };
        self.log.note_mapping(marks, number, old);
    }

    /// Whether so many bytes of a restricted object may be accessed like that.
    pub(super) fn check_rights(
        &self,
        object: usize,
        attempt: Attempt,
        address: u64,
        size: u64,
    ) -> Result<(), AccessError> {
        let needed = match attempt {
            Attempt::Write | Attempt::Synchronise => Rights::Write,
            _ => Rights::Read,
        };
        let Some(mapping) = self.mappings.get(&(object as u32)) else { return Ok(()) };
        let offset = address - self.objects[object].header.base;
        let pages = (offset / PAGE_BYTES, (offset + size.max(1)).div_ceil(PAGE_BYTES));
        for (_, page) in mapping.part(pages.0, pages.1) {
            let problem = match page.rights {
                None => Problem::AfterUnmap { site: page.site },
                Some(rights) => {
                    if page.least < needed && !self.knows_change(page) {
                        return Err(unordered("a thread accesses memory"));
                    }
                    if rights >= needed {
                        continue;
                    }
                    Problem::Protected { rights }
                }
            };
            return Err(self.memory_error(attempt, problem, address, size, object));
        }
        Ok(())
    }

    /// How many bytes from this offset on may be read, of a restricted object.
    pub(super) fn readable_part(&self, object: usize, offset: u64) -> u64 {
        let size = self.objects[object].header.size;
        let Some(mapping) = self.mappings.get(&(object as u32)) else { return size - offset };
        let mut end = offset;
        for (stop, page) in mapping.part(offset / PAGE_BYTES, size.div_ceil(PAGE_BYTES)) {
            if page.rights.is_none_or(|rights| rights < Rights::Read)
                || page.least < Rights::Read && !self.knows_change(page)
            {
                break;
            }
            end = (stop * PAGE_BYTES).min(size);
        }
        end - offset
    }

    fn knows_change(&self, page: &Page) -> bool {
        page.changed.is_none_or(|(thread, time)| !self.race.checking() || self.race.knows(thread, time))
    }

    /// Changes pages of a mapping: from a multiple of the size of pages on, so many bytes, which are not 0.
    ///
    /// # Errors
    /// A race, or something that is not modelled.
    pub(crate) fn change_pages(
        &mut self,
        origin: &Origin,
        address: u64,
        length: u64,
        change: PageChange,
    ) -> Result<PagesChanged, AccessError> {
        let object = self.space.object(address) as usize;
        let Some(mapping) = self.mappings.get(&(object as u32)) else { return Ok(PagesChanged::NoMapping) };
        let header = self.objects[object].header;
        let offset = address.wrapping_sub(header.base);
        let Some(end) = offset.checked_add(length).filter(|end| offset < header.size && *end <= header.size) else {
            return Ok(PagesChanged::Beyond);
        };
        let (first, stop) = (offset / PAGE_BYTES, end.div_ceil(PAGE_BYTES));
        let gone = |page: &Page| page.rights.is_none();
        let part: Vec<Page> = mapping.part(first, stop).map(|(_, page)| *page).collect();
        if part.iter().any(|page| !self.knows_change(page)) {
            return Err(unordered("a thread changes a mapping"));
        }
        if change == PageChange::GiveBack {
            let rest = mapping.part(0, first).chain(mapping.part(stop, header.size / PAGE_BYTES));
            if part.iter().all(gone) {
                return Ok(PagesChanged::NotThere);
            }
            if rest.into_iter().all(|(_, page)| gone(page)) {
                return Ok(PagesChanged::All);
            }
        } else if part.iter().any(gone) {
            return Ok(PagesChanged::NotThere);
        }
        let of_file = match (mapping.shows, change) {
            (Shows::ReadShared, PageChange::Protect(Rights::Write)) => "a right to write to a file through a mapping",
            (Shows::Copy | Shows::ReadShared | Shows::WrittenBack, PageChange::Discard) => {
                "giving up the content of a mapping of a file"
            }
            _ => "",
        };
        if !of_file.is_empty() {
            return Err(AccessError::Unknown(format!("{of_file} is not modelled")));
        }
        let most = match change {
            _ if self.race.checking() => LARGEST_SHARED,
            PageChange::Protect(_) => u64::MAX,
            PageChange::GiveBack | PageChange::Discard => LARGEST_PART,
        };
        if length > most {
            let reason = format!("a change of {length} bytes of a mapping is more than we look at");
            return Err(AccessError::Unknown(reason));
        }
        match change {
            PageChange::GiveBack => self.give_back(origin, object, (first, stop))?,
            PageChange::Discard => {
                self.touch_pages(origin, Cause::Access, true, object, (first, stop))?;
                self.write_all(object, (first, stop), u64::MAX);
            }
            PageChange::Protect(rights) => self.set_rights(origin, object, (first, stop), rights)?,
        }
        Ok(PagesChanged::Done)
    }

    fn give_back(&mut self, origin: &Origin, object: usize, (first, stop): (u64, u64)) -> Result<(), AccessError> {
        let base = self.objects[object].header.base;
        if self.is_promoted_mortal(base) {
            let reason = "a part of a mapping is given back, and other threads use it without order";
            return Err(AccessError::Unknown(reason.to_owned()));
        }
        self.touch_pages(origin, Cause::EndOfLife, true, object, (first, stop))?;
        // What it held is gone: states do not differ by it.
        self.write_all(object, (first, stop), 0);
        let site = Site { thread: origin.thread, event: origin.event, stack: origin.stack };
        let mut mapping = self.mappings[&(object as u32)].clone();
        let changed = self.race.checking().then(|| (origin.thread, self.race.time(origin.thread)));
        let gone = Page { rights: None, least: Rights::None, changed, site };
        mapping.change(first, stop, |page| if page.rights.is_none() { page } else { gone });
        self.set_mapping(object, Some(mapping));
        Ok(())
    }

    fn set_rights(
        &mut self,
        origin: &Origin,
        object: usize,
        (first, stop): (u64, u64),
        rights: Rights,
    ) -> Result<(), AccessError> {
        let alone = !self.race.checking();
        // An earlier access that nothing orders with this might as well come later. (It was allowed before, so that
        // there is none by a write where these rights are more than those before.)
        match self.touch_pages(origin, Cause::Access, rights == Rights::None, object, (first, stop)) {
            Err(AccessError::Race(_)) => return Err(unordered("a thread accesses memory")),
            other => other?,
        }
        let changed = (origin.thread, self.race.time(origin.thread));
        let mut mapping = self.mappings[&(object as u32)].clone();
        mapping.change(first, stop, |page| {
            let least = page.least.min(page.rights.unwrap_or(Rights::None)).min(rights);
            match alone {
                true => Page::new(rights),
                false if page.rights == Some(rights) => page,
                false => Page { rights: Some(rights), least, changed: Some(changed), site: page.site },
            }
        });
        self.set_mapping(object, Some(mapping));
        Ok(())
    }

    /// The race detector's checks of an access to all bytes of these pages.
    fn touch_pages(
        &mut self,
        origin: &Origin,
        cause: Cause,
        write: bool,
        object: usize,
        (first, stop): (u64, u64),
    ) -> Result<(), AccessError> {
        if !self.race.checking() {
            return Ok(());
        }
        self.prepare_range(origin, cause, write, object, first * PAGE_BYTES, (stop - first) * PAGE_BYTES)
    }

    /// Zeros in all these pages, written or never written. (Where nothing was ever written there are zeros.)
    fn write_all(&mut self, object: usize, (first, stop): (u64, u64), written: u64) {
        const CHUNKS: u64 = PAGE_BYTES / CHUNK as u64;
        for index in (first * CHUNKS..stop * CHUNKS).map(|index| index as usize) {
            if self.pages.chunk(&self.objects[object].contents, index).is_some() {
                self.save_chunk(object, index);
                let chunk = self.existing_mut(object, index);
                (chunk.data, chunk.written) = ([0; CHUNK], written);
            }
        }
    }
}

fn unordered(what: &str) -> AccessError {
    let order = "nothing orders with that";
    AccessError::Unknown(format!("{what} while another one changes its rights (mprotect), which {order}"))
}

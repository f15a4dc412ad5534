//! What models say of pages: blocks of memory that `mmap` gives.

/// What may be done with a page; the later ones include the earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rights {
    /// Nothing.
    None,
    /// Reading.
    Read,
    /// Reading and writing.
    Write,
}

/// What a block of pages shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shows {
    /// No file.
    Nothing,
    /// A copy of a file.
    Copy,
    /// A file, which it cannot change.
    ReadShared,
    /// A file, to which it goes back.
    WrittenBack,
}

/// What is done to pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageChange {
    /// They are no longer there.
    GiveBack,
    /// They hold zeros.
    Discard,
    /// They have these rights.
    Protect(Rights),
}

/// What came of a change of pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PagesChanged {
    /// It was made.
    Done,
    /// Nothing happened: these are all pages that are left, and the whole block is to be freed.
    All,
    /// Nothing happened: all of these pages, or one that is to be kept, were given back before.
    NotThere,
    /// Nothing happened: the block ends before.
    Beyond,
    /// Nothing happened: there is no block of pages.
    NoMapping,
}

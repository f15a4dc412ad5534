//! What calls of library functions are to a thread that may wait: see [`crate::waiting`].

/// What a call that does nothing, or next to it, is to a thread that may wait. (See the module `waiting`.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// It does nothing, and returns 0 if anything.
    Idles,
    /// It ends the execution if its argument is 0, does nothing otherwise, and returns nothing.
    Assumes,
    /// It takes what its argument leads to, or fails like this and does nothing else.
    Tries(Failure),
    /// It locks the mutex to which its argument leads, and returns 0 if that was free.
    Locks,
    /// It unlocks the mutex to which its argument leads, and returns 0 if the thread holds it.
    Unlocks,
    /// It reads the time to which the argument with that index leads, seconds and nanoseconds, each as wide as a
    /// pointer. If that is one, it does nothing and returns 0.
    Sleeps(usize),
}

/// What a call is that prints text for the user, or sees to it that text is printed, and does nothing else. (What it
/// returns says how long the text is, or whether it was printed.)
#[derive(Clone, Copy, Debug)]
pub struct Prints {
    /// The index of the argument that leads to a `FILE`, which has to be one of the standard streams for output. If
    /// there is no text, it may also be null.
    pub stream: Option<usize>,
    /// The index of the argument that leads to a text, or to a format. The arguments behind it are the values of that.
    pub format: Option<usize>,
    /// What a format asks for.
    pub shown: fn(&[u8]) -> Shown,
}

/// What a format asks for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Shown {
    /// By value: whether nothing is made of it but digits or a character. (Those that are not in the list may be used
    /// otherwise.)
    pub values: Vec<bool>,
    /// All of the format is known to be in order, and to ask for nothing else.
    pub complete: bool,
}

/// What an attempt does that fails because others have what it is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It returns this number.
    Returns(i32),
    /// It sets errno and returns -1.
    SetsErrno,
}

impl Failure {
    /// What it returns.
    pub(crate) fn result(self) -> u64 {
        match self {
            Failure::Returns(number) => u64::from(number as u32),
            Failure::SetsErrno => u64::from(-1_i32 as u32),
        }
    }
}

//! Which thread goes on, where any may.
use crate::system::ThreadId;

/// How many actions in a row a thread gets while others are enabled.
pub(crate) const LONG: u32 = 1000;

/// The threads in the order in which they are asked: the one that moved last goes on, so that executions have few
/// switches; then the oldest, so that a thread that joins others does so early and need not do it again in every
/// execution. One that has moved very often without a break, as one that spins does, lets those behind it go first.
pub(crate) fn order(threads: u32, current: ThreadId, had_long_turn: bool) -> impl Iterator<Item = ThreadId> {
    (0..threads).map(move |i| {
        ThreadId(match i {
            _ if had_long_turn => (current.0 + 1 + i) % threads,
            0 => current.0,
            _ => i - u32::from(i <= current.0),
        })
    })
}

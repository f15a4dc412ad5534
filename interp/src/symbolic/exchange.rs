//! Compare-exchanges that depend on inputs.
//!
//! Whether such an exchange takes place is decided, as the way of a branch is. But what it compares is known only
//! when its turn comes, for up to then other threads may store another term. So a thread that has not decided about
//! what it finds *looks*: it reads the location and changes nothing. Then it stands before the decision, and then
//! before the exchange again.
//!
//! Why that is right: take the values of all inputs as given. A look changes nothing and orders nothing (no clock
//! hears of it), so an execution with looks is one of the program if they are left out. And each execution of the
//! program is one in which a thread looks at once before each exchange about which it has not decided: those are
//! explored, too. A look is said to read and to write, as the exchange is, which orders more than it must. (Which of
//! the two it is, the words of memory do not say. So where one exchange has met a term, all of them are said to
//! write, whatever they find: [`crate::machine::Learned::exchanges_terms`].)
//!
//! A machine with values for all inputs does not look. So schedules are handed to it without looks
//! ([`Fault::without_decisions`](crate::fault::Fault::without_decisions)).
use super::decide::Settled;
use super::is_symbolic;
use crate::machine::Machine;
use crate::memory::Mode;
use crate::step::{Flow, Halt};
use crate::term::{Op, Term};
use crate::thread::Pending;
use crate::undefined::plain;

impl Machine {
    /// Whether a compare-exchange finds what it expects, of which these bits have no value, or the decision that has
    /// to come before. `None`: neither depends on inputs.
    pub(crate) fn finds_expected(
        &mut self,
        (address, size): (u64, u8),
        expected: [u64; 2],
        undefined: [u64; 2],
    ) -> Result<Option<Result<bool, Flow>>, Halt> {
        let end = address.saturating_add(size.into());
        let object = self.state.memory.object_at(address).filter(|object| object.live);
        if !self.has_terms() || object.is_none_or(|object| address < object.base || end > object.base + object.size) {
            return Ok(None);
        }
        let low = self.peek_marked(address, size.min(8))?;
        let high = if size > 8 { self.peek_marked(address + 8, size - 8)? } else { (0, 0) };
        if !is_symbolic([low.1, high.1]) && !is_symbolic(undefined) {
            return Ok(None);
        }
        if !self.learned.exchanges_terms {
            self.learned.exchanges_terms = true;
            self.segment.restart = true;
        }
        let mut equal = self.are_equal(low, (expected[0], undefined[0]), size.min(8))?;
        if size > 8 {
            let too = self.are_equal(high, (expected[1], undefined[1]), size - 8)?;
            equal = self.operation_on(Op::And, equal, too);
        }
        Ok(Some(match self.truth(equal)? {
            Settled::Is(equal) => Ok(equal),
            Settled::Not(flow) => Err(flow),
        }))
    }

    /// A compare-exchange has only looked. (Inside of an atomic block it is a part of another move.)
    pub(crate) fn note_look(&mut self, pending: &Pending) {
        let me = self.segment.current;
        if !pending.in_block {
            self.state.path.look(me, self.thread(me).header.events);
        }
    }

    fn are_equal(&mut self, a: (u64, u64), b: (u64, u64), size: u8) -> Result<Term, Halt> {
        let (a, b) = (self.marked(a, 8 * size)?, self.marked(b, 8 * size)?);
        Ok(self.operation_on(Op::Eq, a, b))
    }

    /// What an atomic read of up to 8 bytes would find, with its mark. Nothing notices.
    fn peek_marked(&mut self, address: u64, size: u8) -> Result<(u64, u64), Halt> {
        let unwritten = (0..size).filter(|i| !self.state.memory.is_written(address + u64::from(*i)));
        let unwritten = unwritten.fold(0, |mask, i| mask | 1 << i);
        let mut value = self.state.memory.peek(address, size.into());
        if unwritten == 0 {
            return Ok((value, 0));
        }
        if let Some(term) = self.load_term(Mode::Atomic, address, size.into(), value, unwritten)? {
            return Ok(term);
        }
        let mask = u64::MAX >> (64 - 8 * u32::from(size));
        let undefined = self.complete_load(address, &mut value, unwritten) & mask;
        Ok((value & !undefined, plain(undefined)))
    }
}

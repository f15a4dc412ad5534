//! Values of threads for keys that are made as the program runs, and what happens to them when a thread ends.
//!
//! Keys live in a table of the library, in memory, so that making and deleting one is checked for races like anything
//! else; a thread's values are in a table of its own. The models in `runtime-model` do all but the end of a thread,
//! which is here: before a thread stands before its end, the destructors of its values run, as code of the program.
use crate::library::hooks::{Content, Keys};
use crate::machine::Machine;
use crate::memory::{AccessError, Internal, Mode, ObjectKind, Request};
use crate::step::{Flow, Halt};
use crate::thread::After;

/// How often a thread goes through its values, since destructors may set new ones.
const ROUNDS: u8 = 4;

/// How far a thread that ends has got with its values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Farewell {
    /// Rounds that are over.
    round: u8,
    /// The next key of this round.
    key: u64,
    /// A destructor was called in this round.
    called: bool,
}

impl Farewell {
    /// Whether it has done anything.
    pub(crate) fn has_begun(self) -> bool {
        self != Farewell::default()
    }
}

impl Machine {
    /// Address of the current thread's values, one pointer for each key; 0 if it has none and none are to be made.
    pub(crate) fn specific_values(&mut self, make: bool) -> Result<u64, AccessError> {
        let known = self.thread(self.segment.current).rare.specific;
        if known != 0 || !make {
            return Ok(known);
        }
        let origin = self.origin(Mode::Plain);
        let (kind, size) = (ObjectKind::Internal(Internal::Specific), Keys::MOST * self.program.pointer_bytes);
        let request = Request { kind, size, align: self.program.pointer_bytes, content: Content::Zero };
        let address = self.state.memory.allocate(&origin, request)?;
        self.rare_mut(self.segment.current).specific = address;
        Ok(address)
    }

    /// The current thread, which ends with this value, calls the destructor of its next value; `None` if there is none.
    pub(crate) fn next_destructor(&mut self, value: u64) -> Result<Option<Flow>, Halt> {
        let values = self.thread(self.segment.current).rare.specific;
        if values == 0 {
            return Ok(None);
        }
        let mut farewell = self.thread(self.segment.current).rare.farewell;
        while farewell.round < ROUNDS {
            while farewell.key < Keys::MOST {
                let (key, place) = (farewell.key, values + farewell.key * self.program.pointer_bytes);
                farewell.key += 1;
                let (held, _) = self.load(place, self.program.pointer_bytes)?;
                if held == 0 {
                    continue;
                }
                // (POSIX says nothing of values without destructor; glibc clears them too.)
                self.store(place, self.program.pointer_bytes, 0, 0)?;
                let destructor = self.destructor(key)?;
                if destructor != 0 {
                    farewell.called = true;
                    self.rare_mut(self.segment.current).farewell = farewell;
                    let function = self.function_at(destructor)?;
                    self.enter_root(function, &[held], After::Destructor { value })?;
                    return Ok(Some(Flow::Next));
                }
            }
            let round = if farewell.called { farewell.round + 1 } else { ROUNDS };
            farewell = Farewell { round, ..Farewell::default() };
        }
        self.rare_mut(self.segment.current).farewell = farewell;
        Ok(None)
    }

    /// The destructor of a key; 0 if it has none, or does not exist any more.
    fn destructor(&mut self, key: u64) -> Result<u64, Halt> {
        let table = self.program.global_names.get(Keys::TABLE).copied().unwrap_or(0);
        match self.load(table + Keys::entry(key) + 8, self.program.pointer_bytes) {
            Ok((destructor, _)) => Ok(destructor),
            // That is allowed, but whether the destructor runs is up to chance.
            Err(_) => {
                let reason = "a thread with thread-specific values ends while their keys are made or deleted";
                Err(Halt::unknown(format!("{reason}{}", self.at())))
            }
        }
    }
}

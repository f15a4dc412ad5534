//! The engine `states` in turns with the usual one.
//!
//! When the usual engine has taken [`FIRST`] actions, and whenever it has taken [`GROWTH`] times as many as at the turn
//! before, `states` may take as many actions from the start. So whatever it takes is less than 1 + 1/(GROWTH - 1) times
//! the actions of the other one, and nothing more once there are too many states.
//!
//! All of that is counted, and nothing measured: a run is the same every time.
use super::super::findings::Shared;
use super::guest::{Guest, TooMany};
use super::{Answer, FIRST};
use interp::Machine;
use por::Options;
use por::jobs::Jobs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How many times as many actions the usual engine has taken before the next turn.
const GROWTH: u64 = 4;

/// Turns of `states`.
pub(super) struct Turns {
    options: Options,
    /// Actions of the usual engine before the next one.
    due: u64,
    shared: Arc<Shared>,
}

impl Turns {
    /// With these options.
    pub(super) fn new(options: Options, shared: Arc<Shared>) -> Self {
        Turns { options, due: FIRST, shared }
    }

    /// The answer, if there is one after so many actions of the usual engine.
    pub(super) fn answer(&mut self, pristine: &Machine, actions: u64) -> Option<Answer> {
        if actions < self.due {
            return None;
        }
        self.due = actions.saturating_mul(GROWTH);
        let never = AtomicBool::new(false);
        let alone = Jobs { workers: 1, patience: Duration::ZERO, stack: 0 };
        match Guest::new(pristine, &self.shared, &never, Some(actions)).explore(&self.options, alone) {
            Ok(found) => found.map(|found| Answer { engine: self.options.engine, found }),
            Err(TooMany) => {
                self.end();
                None
            }
        }
    }

    /// There are no more.
    pub(super) fn end(&mut self) {
        self.due = u64::MAX;
    }
}

//! How far an engine may go beside the usual one. It has a thread of its own, which rests in between.
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What an engine may do.
#[derive(Default, Debug)]
pub(super) struct Allowance {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default, Debug)]
struct State {
    /// Actions that it may take in all; `None`: as many as it likes.
    most: Option<u64>,
    /// The usual engine rests meanwhile.
    in_turn: bool,
    /// The engine has taken so many, and waits for more.
    rests: bool,
    /// It is to end.
    dismissed: bool,
    /// It has ended.
    over: bool,
    /// See [`Allowance::saves`].
    saves_nothing: bool,
}

impl Allowance {
    /// So many actions; `None`: as many as it likes.
    pub(super) fn new(most: Option<u64>) -> Self {
        Allowance { state: Mutex::new(State { most, ..State::default() }), changed: Condvar::new() }
    }

    /// It may take so many actions in all.
    pub(super) fn grant(&self, most: Option<u64>) {
        let mut state = self.state();
        let has_more = match (state.most, most) {
            (Some(before), Some(now)) => before < now,
            (Some(_), None) => true,
            (None, _) => false,
        };
        if has_more {
            (state.most, state.rests) = (most, false);
            self.changed.notify_all();
        }
    }

    /// Waits until it has taken what it may, or has ended. True: it has ended.
    pub(super) fn wait(&self) -> bool {
        let mut state = self.state();
        state.in_turn = true;
        while !state.rests && !state.over {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.in_turn = false;
        state.over
    }

    /// It is to end, wherever it is.
    pub(super) fn dismiss(&self) {
        self.state().dismissed = true;
        self.changed.notify_all();
    }

    /// It has ended.
    pub(super) fn end(&self) {
        self.state().over = true;
        self.changed.notify_all();
    }

    /// Whether it goes on, asked by the engine itself after so many actions; it rests until it may. False: it is to
    /// end.
    pub(super) fn goes_on_after(&self, taken: u64) -> bool {
        let mut state = self.state();
        while !state.dismissed && state.most.is_some_and(|most| taken >= most) {
            state.rests = true;
            self.changed.notify_all();
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        !state.dismissed
    }

    /// Whether the usual engine rests meanwhile.
    pub(super) fn is_in_turn(&self) -> bool {
        self.state().in_turn
    }

    /// Whether it waits for more.
    pub(super) fn rests(&self) -> bool {
        self.state().rests
    }

    /// Whether it has found that it saves something. `states` does not as long as each action leads to a new state:
    /// with sleep sets no two ways to a state are the same but for the order of independent actions, and so the
    /// prefixes of executions of which the other engines take one each are at most as many.
    pub(super) fn saves(&self) -> bool {
        !self.state().saves_nothing
    }

    /// The engine says so itself.
    pub(super) fn note_whether_it_saves(&self, saves: bool) {
        self.state().saves_nothing = !saves;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! A thread that is alone: all others are over, and it knows all that they did, since each of them was joined.
//!
//! Nothing can come between what it does then, and nothing can race with it. So its accesses are not remembered (see
//! [`crate::race::Detector::be_alone`]), and its next operations are parts of the action behind which it comes to them,
//! as joins are: see [`super::ends`]. That is done with operations that are possible in one way only, and until it
//! creates a thread or comes to the same instruction again: a loop has its events, so that it is seen to be one.
//!
//! **What is left alone.** An engine that compares states wants to know of each access in which order it comes. An
//! engine that leaves the order of two writes open as long as nobody reads them learns from actions who does: there
//! only the end of the process is part of another action.
use crate::machine::Machine;
use crate::operation::Operation;
use crate::step::{Flow, Halt};
use crate::thread::{NO_OBJECT, Pending, Status};
use crate::waiting::TurnId;
use frontend::ir::FuncId;
use por::{Move, ThreadId};

/// How many operations are part of one action.
const MOST: usize = 16;

impl Machine {
    /// The current thread has joined another one: it may be alone now.
    ///
    /// Of a line (see [`Machine::join_in_line`]) the thread that joins the last one knows all, and no line is left that
    /// was joined in part.
    pub(super) fn note_whether_alone(&mut self) {
        let exploration = &self.exploration;
        let asks_for_order =
            exploration.compares_states || exploration.states && !exploration.exact || exploration.usually.is_some();
        let me = self.segment.current;
        let was_joined = |other: ThreadId| {
            let thread = self.thread(other);
            other == me || thread.claim.joiner.is_some() || thread.header.status == Status::Absent
        };
        if !asks_for_order && (0..self.state.process.threads).rev().map(ThreadId).all(was_joined) {
            self.state.memory.race.be_alone();
        }
    }

    /// Whether the thread that runs is alone.
    pub(super) fn is_left_alone(&self) -> bool {
        self.state.memory.race.is_alone()
    }

    /// Whether the operation, before which the current thread stands, is part of the action behind which it comes to
    /// that.
    #[inline]
    fn is_part_of_action(&self, pending: &Pending) -> bool {
        self.merges_ends()
            && self.is_left_alone()
            && self.is_possible_in_one_way(pending)
            && self.segment.lone.len() < MOST
            && !self.segment.lone.contains(&self.place_of_current())
    }

    fn is_possible_in_one_way(&self, pending: &Pending) -> bool {
        use Operation::{AtomicLoad, AtomicRmw, AtomicStore, ProcessExit};
        let is_one = match pending.operation {
            ProcessExit { .. } => true,
            AtomicLoad { .. } | AtomicStore { .. } | AtomicRmw { .. } => !self.exploration.effects,
            _ => false,
        };
        is_one
            && pending.turn == TurnId::NONE
            && !pending.in_block
            && pending.life == NO_OBJECT
            && pending.place.is_none()
    }

    /// The instruction at which the current thread stands.
    fn place_of_current(&self) -> (FuncId, u32) {
        self.thread(self.segment.current)
            .frames
            .last()
            .map_or((FuncId(u32::MAX), 0), |frame| (frame.function, frame.pc))
    }

    /// The current thread comes to that operation. If it is part of the action, it happens now, and the thread goes on
    /// like that.
    #[inline]
    pub(super) fn operate_alone(&mut self, pending: &Pending) -> Result<Option<Flow>, Halt> {
        if !self.is_part_of_action(pending) { Ok(None) } else { self.operate_now(pending).map(Some) }
    }

    fn operate_now(&mut self, pending: &Pending) -> Result<Flow, Halt> {
        self.segment.lone.push(self.place_of_current());
        // (Local steps are counted from operation to operation, as where each is an action.)
        self.begin_steps();
        let last_action = self.segment.last_action.take();
        let flow = self.carry_out(pending, 0);
        self.segment.last_action = last_action;
        flow
    }

    /// Executes what for another machine is part of the action behind which this one stands, and adds it to its moves:
    /// for this one each operation is an action. (Where the other one sees a loop that waits these may be more, and the
    /// moves that follow there are fewer.)
    pub(super) fn go_on_alone(&mut self, moves: &mut Vec<Move>) {
        let is_alive = |machine: &Machine, thread: &ThreadId| machine.thread(*thread).header.status == Status::Alive;
        let Some(thread) = (0..self.state.process.threads).map(ThreadId).find(|thread| is_alive(self, thread)) else {
            return;
        };
        let mut places = Vec::new();
        while self.is_left_alone() && is_alive(self, &thread) && places.len() < MOST {
            self.segment.current = thread;
            let place = self.place_of_current();
            let Some(pending) = &self.thread(thread).header.pending else { return };
            if !self.is_possible_in_one_way(pending) || places.contains(&place) {
                return;
            }
            places.push(place);
            moves.push(Move { thread, label: 0 });
            por::System::execute(self, thread, 0);
        }
    }
}

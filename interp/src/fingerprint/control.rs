//! The term of a thread: how it goes on.
use super::{Term, Words, words};
use crate::fault::Kind;
use crate::machine::Machine;
use crate::step::Flow;
use crate::thread::{After, Status};
use por::ThreadId;

impl Machine {
    /// The term of a thread. `flow` says how the one that runs goes on; without it, it is taken to stand where its frames
    /// and its pending operation say.
    pub(super) fn control(&mut self, id: ThreadId, flow: Option<&Flow>) -> u128 {
        let mut live = std::mem::take(&mut self.following.live);
        let term = words(Term::Thread, |words| {
            let header = &self.thread(id).header;
            words.add((id.0, header.status));
            match header.status {
                Status::Absent => {}
                Status::Exited => words.add((header.value, header.holds)),
                Status::Stopped => {
                    // By the end of the process, a failed assumption, or a fault, as the value says.
                    words.add(header.value);
                    if self.options.checks.contains(Kind::Leak) {
                        // What it held is not lost.
                        self.add_frames(id, &mut live, words);
                    }
                }
                Status::Alive => {
                    match flow {
                        Some(Flow::Before(operation, resume)) => words.add((0, operation, resume)),
                        Some(Flow::Rest(rest)) => words.add((1, rest)),
                        Some(Flow::Next | Flow::BlockOver | Flow::Over) => words.add(2),
                        None => match &header.pending {
                            Some(pending) => words.add((0, pending.operation, pending.resume)),
                            None => words.add(2),
                        },
                    }
                    self.add_rest(id, words);
                    self.add_frames(id, &mut live, words);
                }
            }
        });
        self.following.live = live;
        term
    }

    fn add_rest(&self, id: ThreadId, words: &mut Words) {
        let thread = self.thread(id);
        words.add((thread.header.block, thread.header.children, thread.header.holds));
        // Which addresses its next blocks get depends on that.
        words.add(self.memory.known_handed_over(id));
        let rare = &thread.rare;
        words.add((&rare.free_places, rare.errno, &rare.locals, rare.destructors, rare.exiting, &rare.contexts));
        words.add((rare.specific, rare.farewell, rare.cancellation_disabled, &rare.cleanups, rare.ends_with));
        for mutex in &rare.robust {
            words.add(self.name_of_object(*mutex));
        }
        for (lock, more) in &rare.read_locks {
            words.add((self.name_of_object(*lock), more));
        }
    }

    fn add_frames(&self, id: ThreadId, live: &mut super::LiveSlots, words: &mut Words) {
        let thread = self.thread(id);
        for (index, frame) in thread.frames.iter().enumerate() {
            words.add((frame.function, frame.pc, frame.block, frame.variadic));
            match frame.after {
                After::Call => words.add(0),
                After::Thread { c11 } => words.add((1, c11)),
                After::Main => words.add(2),
                After::Constructor(done) => words.add((3, done)),
                After::AtExit => words.add(4),
                After::Once { control } => words.add((5, control)),
                After::Destructor { value } => words.add((6, value)),
            }
            let above = thread.frames.get(index + 1);
            let end = above.map_or(thread.allocas.len(), |above| above.allocas as usize);
            words.add(&thread.allocas[frame.allocas as usize..end]);
            let called = above.is_some_and(|above| above.after == After::Call);
            for slot in live.at(&self.module, frame.function, frame.pc, called).iter() {
                let place = (frame.base + slot.0) as usize;
                words.add(thread.regs[place]);
                if thread.header.undefined > 0 {
                    words.add(thread.shadows[place]);
                }
            }
        }
    }
}

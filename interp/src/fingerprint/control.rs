//! The term of a thread: how it goes on.
use super::{Term, TermNumbers, Words, words};
use crate::machine::Machine;
use crate::operation::Operation;
use crate::step::Flow;
use crate::sync::block::lanes::{LaneSet, lanes_in};
use crate::thread::{After, Frame, Header, Rare, Resume, Status, Thread};
use crate::undefined::SYMBOLIC;
use crate::verdict::fault::Kind;
use crate::waiting::TurnId;
use por::ThreadId;

impl Machine {
    /// The term of a thread. `flow` says how the one that runs goes on; without it, it is taken to stand where its
    /// frames and its pending operation say.
    pub(crate) fn control(&mut self, id: ThreadId, flow: Option<&Flow>, numbers: TermNumbers) -> u128 {
        let told = |operation: Operation| match numbers {
            TermNumbers::Count => operation,
            TermNumbers::LeftOut => operation.without_terms(),
        };
        let has_terms = self.has_terms();
        let follows = |operation: &Operation, resume: Resume| {
            matches!(resume, Resume::Instruction) && is_atomic_access(operation) && !has_terms
        };
        let mut live = std::mem::take(&mut self.lifelong.live);
        let term = words(Term::Thread, |words| {
            // All fields are named, here and below, so that none can be forgotten.
            let Thread {
                header,
                rare,
                free_places,
                // A term of its own.
                claim: _,
                // Added with the frames.
                frames: _,
                regs: _,
                shadows: _,
                allocas: _,
                // How actions count, not what can follow.
                joined: _,
                // They are looked for where states are not compared.
                rounds: _,
                // Of the log.
                stamp: _,
                rare_stamp: _,
            } = self.thread(id);
            let Header {
                status,
                block,
                block_number,
                children,
                holds,
                value,
                pending,
                // How often it has acted; and how many slots are undefined, which are added themselves.
                events: _,
                undefined: _,
            } = header;
            words.add((id.0, status));
            match status {
                Status::Absent => {}
                Status::Exited => {
                    let undefined = self.thread(id).rare.undefined_result;
                    words.add((value, undefined, holds, self.thread(id).has_joined_all_children()));
                }
                Status::Stopped => {
                    // By the end of the process, a failed assumption, or a fault, as the value says.
                    words.add(value);
                    if self.program.options.checks.contains(Kind::Leak) {
                        // What it held is not lost.
                        self.add_frames(id, &mut live, numbers, words);
                    }
                }
                Status::Alive => {
                    match flow {
                        // (An atomic access follows from the instruction, and from slots that are live before it.)
                        Some(Flow::Before(operation, resume)) if follows(operation, *resume) => words.add(3),
                        Some(Flow::Before(operation, resume)) => words.add((0, told(*operation), resume)),
                        Some(Flow::Rest(rest)) => words.add((1, rest)),
                        Some(Flow::Next | Flow::BlockOver | Flow::Over) => words.add(2),
                        None => match pending {
                            Some(pending) if follows(&pending.operation, pending.resume) => words.add(3),
                            Some(pending) => words.add((0, told(pending.operation), pending.resume)),
                            None => words.add(2),
                        },
                    }
                    // (Where it began the turn of a loop decides what it waits for.)
                    let turn = pending.as_ref().filter(|_| flow.is_none()).map_or(TurnId::NONE, |pending| pending.turn);
                    let mut turns = self.lifelong.turns.since(turn);
                    turns.next().into_iter().for_each(|turn| words.add(turn.plain_reads()));
                    turns.for_each(|turn| words.add(turn.places()));
                    // (That which it has just taken is one where it goes on to the next access.)
                    let taken = flow.and_then(|_| self.turn_so_far()).unwrap_or(TurnId::NONE);
                    self.lifelong.turns.since(taken).for_each(|turn| words.add(turn.places()));
                    words.add((block, children, holds));
                    if *block > 0 {
                        let LaneSet { reads, writes } = self.exploration.blocks.of_block(*block_number);
                        let names = lanes_in(reads | writes)
                            .map(|lane| (self.exploration.blocks.name(lane), writes >> lane & 1));
                        names.for_each(|name| words.add(name));
                    }
                    // Which addresses its next blocks get depends on that. (Of whole states it is a part of its own.)
                    if numbers == TermNumbers::Count {
                        words.add(self.state.memory.known_handed_over(id));
                    }
                    words.add(free_places);
                    self.add_rare(rare, words);
                    self.add_frames(id, &mut live, numbers, words);
                }
            }
        });
        self.lifelong.live = live;
        term
    }

    fn add_rare(&self, rare: &Rare, words: &mut Words) {
        let Rare {
            errno,
            locals,
            robust,
            cancellation_disabled,
            cleanups,
            ends_with,
            undefined_result,
            specific,
            farewell,
            read_locks,
            destructors,
            exiting,
            contexts,
            // An input is known by what it is part of, not by its number.
            inputs: _,
            // The thread's number says these, or only a report does.
            creator: _,
            place: _,
            comes_again: _,
            routine: _,
            argument: _,
            // States are not compared where threads begin in one order.
            line: _,
            owes: _,
            // Only a report says it.
            output: _,
            // The action that chooses an address allocates there too.
            left: _,
            chosen_address: _,
        } = rare;
        // (Mostly there is nothing of all that, which is quickly said.)
        let lists = [locals, cleanups].iter().any(|list| !list.is_empty()) || !contexts.is_empty();
        let locks = !robust.is_empty() || !read_locks.is_empty();
        let all = [*errno, *ends_with, *undefined_result, *specific, u64::from(*destructors)];
        let numbers = all != [0; 5] || exiting.is_some();
        if !lists && !locks && !numbers && !cancellation_disabled && !farewell.has_begun() {
            return words.add(0u8);
        }
        words.add((1u8, robust.len(), read_locks.len()));
        words.add((errno, locals, destructors, exiting, contexts));
        words.add((specific, farewell, cancellation_disabled, cleanups, ends_with, undefined_result));
        for mutex in robust {
            words.add(self.name_of_object(*mutex));
        }
        for (lock, more) in read_locks {
            words.add((self.name_of_object(*lock), more));
        }
    }

    fn add_frames(&self, id: ThreadId, live: &mut super::LiveSlots, numbers: TermNumbers, words: &mut Words) {
        let thread = self.thread(id);
        for (index, frame) in thread.frames.iter().enumerate() {
            let Frame {
                function,
                pc,
                after,
                variadic,
                block,
                // Where its slots and stack objects lie, which are added themselves.
                base,
                slots: _,
                allocas,
                // Call stacks that somebody asked for.
                callers: _,
                here: _,
                // Of the log.
                born: _,
                stamp: _,
            } = *frame;
            words.add((function, pc, block, variadic));
            match after {
                After::Call => words.add(0),
                After::Thread { c11 } => words.add((1, c11)),
                After::Main => words.add(2),
                After::Constructor(done) => words.add((3, done)),
                After::AtExit => words.add(4),
                After::Once { control } => words.add((5, control)),
                After::Destructor { value } => words.add((6, value)),
                After::Arguments => words.add(7),
            }
            let above = thread.frames.get(index + 1);
            let end = above.map_or(thread.allocas.len(), |above| above.allocas as usize);
            words.add(&thread.allocas[allocas as usize..end]);
            let called = above.is_some_and(|above| above.after == After::Call);
            // (Where it is asked who spins, numbers that decide nothing are no matter.)
            let heeded = self.exploration.usually.map(|_| {
                let (code, heeded) = (&self.program.module.functions[function.index()], self.program.heeded(function));
                match called {
                    true => heeded.before(code, pc + 1).without_results(code, pc),
                    false => heeded.before(code, pc),
                }
            });
            for slot in live.at(&self.program.module, function, pc, called).iter() {
                let place = (base + slot.0) as usize;
                let undefined = if thread.header.undefined > 0 { thread.shadows[place] } else { 0 };
                let is_number = || undefined == 0 && !self.state.memory.is_address(thread.regs[place]);
                let is_faint = heeded.as_ref().is_some_and(|heeded| !heeded.contains(slot.index()) && is_number());
                let hidden = undefined == SYMBOLIC && numbers == TermNumbers::LeftOut || is_faint;
                words.add(if hidden { 0 } else { thread.regs[place] });
                if thread.header.undefined > 0 {
                    words.add(undefined);
                }
            }
        }
    }
}

fn is_atomic_access(operation: &Operation) -> bool {
    use Operation::{AtomicLoad, AtomicRmw, AtomicStore, CompareExchange};
    matches!(operation, AtomicLoad { .. } | AtomicStore { .. } | AtomicRmw { .. } | CompareExchange { .. })
}

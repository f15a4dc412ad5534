//! From "it cannot go on" to a violation, or to a reason for "unknown".
use crate::library::hooks::ModelError;
use crate::machine::{Machine, promotes};
use crate::memory::{AccessError, Attempt, Mode, ObjectKind, Problem};
use crate::race::Cause;
use crate::step::Halt;
use crate::thread::Status;
use crate::verdict::fault::{Fault, Kind, MemoryRule, Related};
use frontend::ir;
use por::ThreadId;

impl Machine {
    /// The current thread stops for good. What that means goes into `fault` or `unknown` of the current action.
    pub(crate) fn halted(&mut self, halt: Halt) {
        if matches!(halt, Halt::Silent) {
            self.stop_current();
            return;
        }
        let error = self.explain(halt);
        if matches!(error, ModelError::Fault { kind: Kind::Uninitialised, .. }) {
            self.note_unwritten();
        }
        match error {
            ModelError::Unknown(mut reason) => {
                // Every reason has its place, as far as there is one.
                let at = self.at();
                if !reason.ends_with(&at) {
                    reason += &at;
                }
                self.note_unknown(reason);
            }
            ModelError::Undecided => unreachable!("the call is made again when that is decided"),
            ModelError::Fault { kind, message, related } if self.program.options.checks.contains(kind) => {
                let fault = self.make_fault(kind, message, related);
                match &self.segment.fault {
                    // An action of two threads (a creation) may fail twice; the later one is found again without it.
                    Some(first) => {
                        let reason =
                            format!("a second fault in one step: {} (besides: {})", fault.message, first.message);
                        self.note_unknown(reason);
                    }
                    None => self.segment.fault = Some(fault),
                }
            }
            ModelError::Fault { kind: Kind::Assertion | Kind::Abort, .. } => {
                // It is not looked for; it ends the process, as SIGABRT does. But this is a local step: it can come as
                // late as one likes, so what other threads do is not after it, unless it is part of an atomic block.
                if self.thread(self.segment.current).header.block > 0 && self.state.process.ended.is_none() {
                    self.process_mut().ended = Some((134, self.segment.current));
                }
            }
            ModelError::Fault { kind: Kind::EndlessLoop | Kind::Deadlock | Kind::Livelock | Kind::Leak, .. } => {}
            ModelError::Fault { kind: Kind::DataRace, message, .. } => {
                let reason = format!(
                    "{message}: schedules that differ in the order of racing accesses are not explored, and \
                     data races are not checked (--check data-race){}",
                    self.at()
                );
                self.note_unknown(reason);
            }
            ModelError::Fault { kind, message, .. } => {
                let name = kind.name();
                let reason =
                    format!("undefined behaviour that is not checked (--check {name}): {message}{}", self.at());
                self.note_unknown(reason);
            }
        }
        self.segment.involved.clear();
        self.segment.raced = None;
        self.segment.rule = None;
        self.stop_current();
    }

    /// Notes a reason why the verdict cannot be "safe".
    pub(crate) fn note_unknown(&mut self, reason: String) {
        if self.segment.unknown.is_none() {
            self.segment.unknown = Some(reason);
        }
    }

    /// The current thread takes no further part.
    pub(crate) fn stop_current(&mut self) {
        let me = self.segment.current;
        // An atomic block that it leaves half done stays closed: no thread can see its middle.
        self.halt_in_block();
        let header = &mut self.thread_mut(me).header;
        header.status = Status::Stopped;
        header.pending = None;
        self.process_mut().stopped += 1;
    }

    /// Puts an error into words.
    pub(crate) fn explain(&mut self, halt: Halt) -> ModelError {
        let error = match halt {
            Halt::ModelError(stop) => return stop,
            Halt::Access(error) => error,
            Halt::Silent => return ModelError::Unknown("a thread runs in circles".to_owned()),
        };
        match error {
            AccessError::Memory(error) => {
                if let Some(ObjectKind::Global(global)) = error.object.map(|o| o.kind)
                    && self.program.module.globals[global.index()].initial.is_none()
                {
                    let ir::Global { name, size, .. } = &self.program.module.globals[global.index()];
                    let why = match *size > ir::MOST_INITIAL_BYTES {
                        true => format!("has an initial value of {size} bytes, which is more than we hold"),
                        false => "is declared but defined nowhere".to_owned(),
                    };
                    return ModelError::Unknown(format!("the variable `{name}` {why}{}", self.at()));
                }
                if let Some(freed) = error.object.and_then(|o| o.freed) {
                    // The end of the object's life may be unordered with the access.
                    self.segment.involved = vec![self.event_of(freed.thread, freed.event)];
                    self.segment.raced = self.state.memory.raced_with_end(&error);
                    if self.segment.raced.is_some() && self.order_commuting() {
                        self.segment.raced = None;
                    }
                    if promotes(&self.program.options)
                        && let Some(place) = self.segment.raced
                    {
                        self.segment.restart |= self.learned.promoted.insert(place);
                    }
                    // Which of several operations comes too late depends on an order that is to be explored then.
                    if promotes(&self.program.options)
                        && let Some(place) = self.state.memory.operation_raced_with_end(&error)
                    {
                        self.segment.restart |= self.learned.promoted.insert(place);
                    }
                }
                if let Problem::AfterUnmap { site } = error.problem {
                    // So may what gave the page back.
                    self.segment.involved = vec![self.event_of(site.thread, site.event)];
                }
                self.segment.rule = match (error.attempt, error.problem) {
                    (Attempt::Free | Attempt::SizeOf, _) => Some(MemoryRule::Free),
                    (_, Problem::Constant | Problem::Misaligned { .. }) => None,
                    _ => Some(MemoryRule::Access),
                };
                let (message, related) = self.state.memory.explain(&self.program.module, &error);
                ModelError::Fault { kind: Kind::Memory, message, related }
            }
            AccessError::Race(race) => {
                self.note_difference();
                self.order_commuting();
                if self.is_in_quiet_section() {
                    self.race_in_quiet_section();
                } else {
                    self.stop_waiting_for(&race.location);
                }
                let (message, related) = self.state.memory.explain_race(&self.program.module, &race);
                self.segment.involved = vec![self.event_of(race.first.thread, race.first.event)];
                let ends = race.cause == Cause::EndOfLife && race.first.mode == Mode::Synchronising;
                self.segment.raced = Some(if ends { race.location.end() } else { race.location });
                if race.cause == Cause::EndOfLife && race.location.kind != ObjectKind::Heap {
                    self.segment.rule = Some(MemoryRule::Access);
                }
                ModelError::Fault { kind: Kind::DataRace, message, related }
            }
            AccessError::Promoted { address } => {
                let name = self.name_of(address);
                ModelError::Unknown(format!(
                    "{name} races, and is accessed as part of something that is not split into actions{}",
                    self.at()
                ))
            }
            AccessError::Unknown(reason) => ModelError::Unknown(reason),
        }
    }

    /// The event that a thread's local steps after its `event`-th event belong to. Local steps before its first event
    /// belong to its creation.
    pub(crate) fn event_of(&self, thread: ThreadId, event: u32) -> (ThreadId, u32) {
        match self.thread(thread).rare.creator {
            Some((creator, at)) if event == 0 => self.event_of(creator, at),
            _ => (thread, event),
        }
    }

    fn make_fault(&mut self, kind: Kind, message: String, related: Vec<Related>) -> Fault {
        let thread = self.segment.current;
        let involved = std::mem::take(&mut self.segment.involved);
        let involved = self.with_joined(involved, thread);
        Fault {
            kind,
            message,
            thread,
            stack: self.stack(thread),
            related,
            others: self.other_stacks(thread),
            involved,
            raced: self.segment.raced.take(),
            rule: self.segment.rule.take(),
            after_end: self.state.process.ended.is_some(),
            at_end: None,
            inputs: None,
            looks: Vec::new(),
            merges_ends: self.merges_ends(),
            in_vain: self.polled_in_vain(),
            given_out: self.given_out(),
        }
    }

    /// The stacks of all threads that are alive, but for one.
    pub(crate) fn other_stacks(&self, but: ThreadId) -> Vec<(ThreadId, Vec<crate::verdict::fault::StackFrame>)> {
        let all = (0..self.state.process.threads).map(ThreadId);
        let alive = all.filter(|t| *t != but && self.thread(*t).header.status == Status::Alive);
        alive.map(|t| (t, self.stack(t))).collect()
    }
}

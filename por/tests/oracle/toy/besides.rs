//! What some engines ask of a system besides.
use super::*;

impl Fingerprints for Toy {
    fn follow_changes(&mut self, on: bool) {
        self.following = on;
    }

    fn follow_from_here(&mut self) -> bool {
        true
    }

    fn state(&mut self) -> Option<u128> {
        Some(self.key().wrapping_add(self.decided()))
    }

    fn changed_more_than_its_thread(&self) -> bool {
        self.changed_shared
    }

    fn ends_all(&self, op: &Op) -> bool {
        matches!(op, Op::Exit | Op::AssumeFailed)
    }

    fn is_over(&self) -> bool {
        self.state.ended
    }

    fn place(&self, thread: ThreadId) -> Option<u64> {
        Some(self.state.threads[thread.index()].pc as u64)
    }
}

impl Livelocks for Toy {
    fn stuck(&mut self, rest: Rest<'_>) -> Findings<Fault> {
        let failed = self.state.ended || self.state.threads.iter().any(|t| t.status == Status::Failed);
        let spinning: Vec<u32> = rest.spinning().iter().map(|t| t.0).collect();
        (!spinning.is_empty() && !failed).then_some(Fault::Livelock { spinning }).into_iter().collect()
    }

    fn looks_for_livelocks(&self) -> bool {
        true
    }

    fn shared(&self) -> Option<u128> {
        Some(self.shared().wrapping_add(self.decided()))
    }

    fn holds(&self, thread: ThreadId) -> Vec<ObjectId> {
        let held = (0..OBJECTS).filter(|&m| self.state.mutexes[m] == u64::from(thread.0) + 1);
        held.map(|m| ObjectId(m as u32)).collect()
    }

    fn give_back(&mut self, _: ThreadId, lock: ObjectId) {
        self.state.mutexes[lock.index()] = 0;
    }
}

impl Twins for Toy {
    fn twin(&self) -> Option<Toy> {
        Some(Toy { classless: true, ..self.clone() })
    }

    fn whole_state(&mut self) -> Vec<String> {
        let State { threads, mutexes, waiting, granules, ended, pruned, .. } = &self.state;
        let threads = threads.iter().enumerate().map(|(index, thread)| {
            let Thread { status, pc, registers, .. } = thread;
            match status {
                Status::Running => format!("thread {index} at {pc} with {registers:?}"),
                over => format!("thread {index} {over:?}"),
            }
        });
        let shared = format!("mutexes {mutexes:?} waiting {waiting:?} granules {granules:?}");
        threads.chain([shared, format!("ended {ended} pruned {pruned}")]).collect()
    }

    fn execute_partly(&mut self, thread: ThreadId, label: u32, steps: LocalSteps) -> Step<Fault> {
        let op = self.operation(thread).expect("only pending operations are executed").clone();
        let mut variants = Vec::new();
        let footprint = self.footprint(thread, &op);
        let words: Vec<u64> = footprint.iter().map(|a| self.word(a.object)).collect();
        self.variants(thread, &op, &footprint, &words, &mut variants);
        let variant = variants.iter().find(|v| v.label == label).expect("the variant is possible");
        if !self.classless {
            let sets = self.effect_of(&op, ALL) == Effect::Sets;
            self.note(thread, label, variant.accesses, self.effect_of(&op, [true, true, false]), sets);
        }
        let mut step = Step::default();
        let me = thread.index();
        let shared = self.shared().wrapping_add(self.decided());
        let state = &mut self.state;
        state.threads[me].pc += 1;
        state.threads[me].pending = None;
        match op {
            Op::Lock(m) => state.mutexes[usize::from(m)] = u64::from(thread.0) + 1,
            Op::Unlock(m) => state.mutexes[usize::from(m)] = 0,
            Op::TryLock(m, r) => {
                let free = state.mutexes[usize::from(m)] == 0;
                state.threads[me].registers[usize::from(r)] = u8::from(free);
                if free {
                    state.mutexes[usize::from(m)] = u64::from(thread.0) + 1;
                }
            }
            Op::Wait1(c, m) => {
                state.mutexes[usize::from(m)] = 0;
                state.waiting[usize::from(c)] |= 1 << thread.0;
            }
            Op::Wait2(_, m) => state.mutexes[usize::from(m)] = u64::from(thread.0) + 1,
            Op::Signal(c) => {
                if label > 0 {
                    state.waiting[usize::from(c)] &= !(1 << (label - 1));
                }
            }
            Op::Broadcast(c) => state.waiting[usize::from(c)] = 0,
            Op::Load(x, r) | Op::Await(x, r, _) => {
                state.threads[me].registers[usize::from(r)] = x.read(state.granules[usize::from(x.granule)]);
            }
            Op::Store(x, v) | Op::Take(x, _, v) => {
                let word = &mut state.granules[usize::from(x.granule)];
                *word = x.write(*word, v);
            }
            Op::Xor(x, k) => {
                let word = &mut state.granules[usize::from(x.granule)];
                *word ^= spread(k) & x.bits();
            }
            Op::CompareExchange(x, expected, new, r) => {
                let word = &mut state.granules[usize::from(x.granule)];
                let success = x.holds(*word, expected);
                if success {
                    *word = x.write(*word, new);
                }
                state.threads[me].registers[usize::from(r)] = u8::from(success);
            }
            Op::Choose(_, r) => state.threads[me].registers[usize::from(r)] = label as u8,
            Op::Decide(set, r) => {
                state.threads[me].registers[usize::from(r)] = label as u8;
                state.open &= agreeing(set, label);
                assert!(state.open != 0, "a decision is executed that does not exist");
            }
            Op::Create(t) => {
                state.threads[t as usize].status = Status::Running;
                state.creator[t as usize] = self.log.last().map_or(0, |action| action.name);
                step.created = Some(ThreadId(t));
                self.wiped.iter().for_each(|&granule| state.granules[granule] = 0);
            }
            Op::Join(_) => {}
            Op::End => state.threads[me].status = Status::Ended,
            Op::Exit | Op::AssumeFailed => {
                state.threads[me].status = Status::Failed;
                state.pruned |= op == Op::AssumeFailed;
                state.ended = true;
            }
        }
        let now = self.shared().wrapping_add(self.decided());
        let lock = if matches!(op, Op::Lock(_) | Op::Unlock(_)) { now.wrapping_sub(shared) } else { 0 };
        self.changed_shared = now != shared && lock == 0;
        if self.following {
            let child = step.created.map_or(0, |child| self.control(child.index()));
            let action = now.wrapping_sub(shared).wrapping_add(child);
            // Which actions are kept does not matter, so that it may be any.
            let keep = self.keep_some && mix(hash(&(me, self.state.threads[me].pc))) & 1 == 0;
            step.change = Some(Change {
                action,
                lock,
                control: self.control(me),
                local: 0,
                confined: 0,
                own: 0,
                child,
                child_local: 0,
                keep,
            });
        }
        if let Some(child) = step.created.filter(|_| steps.child) {
            step.fault = self.advance(child).map(Box::new);
        }
        if steps.own && self.state.threads[me].status == Status::Running {
            let fault = self.advance(thread);
            step.fault = step.fault.or(fault.map(Box::new));
        }
        step
    }
}

/// The inputs for which a decision about that set has that label.
fn agreeing(set: u8, label: u32) -> u8 {
    if label == 1 { set } else { !set }
}

impl Places for Toy {
    /// The same for threads with the same code.
    fn place(&self, thread: ThreadId) -> u64 {
        hash(&(self.routines[thread.index()], self.state.threads[thread.index()].pc))
    }
}

impl Decisions for Toy {
    fn is_decision(&self, op: &Op) -> bool {
        matches!(op, Op::Decide(..))
    }

    fn is_feasible(&mut self, thread: ThreadId, label: u32) -> bool {
        match self.operation(thread) {
            Some(Op::Decide(set, _)) => self.state.open & agreeing(*set, label) != 0,
            _ => true,
        }
    }

    /// A constraint is the inputs that agree with it.
    fn constraint(&mut self, thread: ThreadId, label: u32) -> Option<Constraint> {
        match self.operation(thread) {
            Some(Op::Decide(set, _)) => Some(Constraint(agreeing(*set, label).into())),
            _ => None,
        }
    }

    fn can_hold(&mut self, others: &[Constraint], constraint: Constraint) -> bool {
        others.iter().fold(constraint.0, |all, other| all & other.0) != 0
    }
}

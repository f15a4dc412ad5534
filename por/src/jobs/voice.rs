//! How workers are heard: one at a time.
use crate::statistics::{Phase, Statistics};
use crate::system::{Ending, Move, ObjectId, System};
use crate::{Errand, Flow, Listener, Outcome};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The listener of an exploration, and what its workers have in common with one another.
pub(super) struct Ear<'a, L: ?Sized> {
    heard: Mutex<Heard<'a, L>>,
    phases: bool,
    looks_at_states: bool,
}

struct Heard<'a, L: ?Sized> {
    listener: &'a mut L,
    /// What each worker has counted when it last said so.
    statistics: Vec<Statistics>,
    /// The worker that ended it, and how.
    end: Option<(usize, Outcome)>,
}

impl<'a, L: ?Sized> Ear<'a, L> {
    pub(super) fn new<S: System>(listener: &'a mut L) -> Self
    where
        L: Listener<S>,
    {
        let (phases, looks_at_states) = (listener.wants_phases(), listener.looks_at_states());
        let heard = Heard { listener, statistics: Vec::new(), end: None };
        Ear { heard: Mutex::new(heard), phases, looks_at_states }
    }

    /// The voice of the worker of that number.
    pub(super) fn voice(&self, worker: usize) -> Voice<'_, 'a, L> {
        Voice { ear: self, worker }
    }

    fn lock(&self) -> MutexGuard<'_, Heard<'a, L>> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker ends in that way, and so the exploration, if no other one has ended it before.
    pub(super) fn end(&self, worker: usize, outcome: Outcome) {
        let mut heard = self.lock();
        match &mut heard.end {
            Some((first, how)) if *first == worker => *how = outcome,
            Some(_) => {}
            None => heard.end = Some((worker, outcome)),
        }
    }

    /// Who has ended it, and how.
    pub(super) fn ended(self) -> Option<(usize, Outcome)> {
        self.heard.into_inner().unwrap_or_else(PoisonError::into_inner).end
    }
}

/// A listener for one worker.
pub(super) struct Voice<'e, 'a, L: ?Sized> {
    ear: &'e Ear<'a, L>,
    worker: usize,
}

impl<L: ?Sized> Voice<'_, '_, L> {
    /// Tells the listener, unless the exploration is over.
    fn tell(&self, tell: impl FnOnce(&mut L, &mut Vec<Statistics>) -> Flow) -> Flow {
        let mut heard = self.ear.lock();
        if heard.end.is_some() {
            return Flow::Stop;
        }
        let Heard { listener, statistics, .. } = &mut *heard;
        let flow = tell(listener, statistics);
        self.follow(&mut heard, flow)
    }

    /// Ends the exploration if the listener wants that.
    fn follow(&self, heard: &mut Heard<'_, L>, flow: Flow) -> Flow {
        if flow == Flow::Stop && heard.end.is_none() {
            heard.end = Some((self.worker, Outcome::Stopped));
        }
        if heard.end.is_some() { Flow::Stop } else { Flow::Continue }
    }

    /// Does what the listener leaves to this worker, while others go on.
    fn run<S: System>(&self, errand: Errand) -> Flow
    where
        L: Listener<S>,
    {
        let report = errand.run();
        let mut heard = self.ear.lock();
        let so_far = self.follow(&mut heard, Flow::Continue);
        let wish = heard.listener.hear(report, so_far);
        self.follow(&mut heard, wish)
    }
}

impl<S: System, L: Listener<S> + ?Sized> Listener<S> for Voice<'_, '_, L> {
    fn execution(&mut self, system: &S, ending: Ending, schedule: &[Move]) -> Flow {
        self.tell(|listener, _| listener.execution(system, ending, schedule))
    }

    fn looks_at_states(&self) -> bool {
        self.ear.looks_at_states
    }

    fn violation(&mut self, fault: S::Fault, schedule: Vec<Move>) -> Flow {
        self.tell(|listener, _| listener.violation(fault, schedule))
    }

    fn unknown(&mut self, reason: String) -> Flow {
        self.tell(|listener, _| listener.unknown(reason))
    }

    fn poll(&mut self, system: &S, statistics: &Statistics) -> Flow {
        let mut left = None;
        let flow = self.tell(|listener, all| {
            if all.len() <= self.worker {
                all.resize(self.worker + 1, Statistics::default());
            }
            all[self.worker] = *statistics;
            let (flow, errand) = listener.poll_among_others(system, &Statistics::sum(all.iter()));
            left = errand;
            flow
        });
        match left {
            Some(errand) if flow == Flow::Continue => self.run::<S>(errand),
            _ => flow,
        }
    }

    fn wants_phases(&self) -> bool {
        self.ear.phases
    }

    fn another_order(&mut self, system: &S, object: Option<ObjectId>) {
        if self.ear.phases {
            self.ear.lock().listener.another_order(system, object);
        }
    }

    fn phase(&mut self, phase: Phase) {
        if self.ear.phases {
            self.ear.lock().listener.phase(phase);
        }
    }
}

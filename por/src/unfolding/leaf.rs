//! The end of an execution, and how findings at any of its events are reported.
use super::choice::Choice;
use super::event::EventId;
use super::walk::Walk;
use crate::spinning::{Unclear, spinning_with};
use crate::system::{Ending, Findings, Move, Rest, Step, ThreadId, Unfoldable};
use crate::{Listener, Outcome, Phase};

impl<S: Unfoldable, O: Listener<S>> Walk<'_, S, O> {
    /// The end of an execution.
    pub(super) fn leaf(&mut self, choice: &Choice) -> Result<(), Outcome> {
        self.during(Phase::Extension, Self::extend_leaf);
        match choice {
            Choice::Blocked => self.statistics.blocked += 1,
            _ => {
                let (mut ending, mut findings) = self.system.ending();
                match ending {
                    Ending::Pruned => self.statistics.pruned += 1,
                    Ending::Complete | Ending::Cutoff => self.statistics.executions += 1,
                }
                if let Choice::Cutoff | Choice::Beyond = choice {
                    (ending, findings) =
                        (Ending::Cutoff, Findings { restart: findings.restart, ..Findings::default() });
                }
                if let Choice::Cutoff = choice {
                    self.look_for_stuck_threads()?;
                }
                let mut schedule = std::mem::take(&mut self.scratch.schedule);
                schedule.clear();
                schedule.extend(self.schedule(|_| true));
                self.report_at_end(findings)?;
                self.listener.execution(self.system, ending, &schedule).go_on()?;
                self.scratch.schedule = schedule;
            }
        }
        if Some(self.statistics.ends()) == self.options.max_executions { Err(Outcome::ExecutionLimit) } else { Ok(()) }
    }

    /// Called at a state after which everything that can still happen was seen: looks for threads that are stuck there.
    fn look_for_stuck_threads(&mut self) -> Result<(), Outcome> {
        let looks = self.system.looks_for_livelocks();
        let shared = self.shared();
        let spinning = self.during(Phase::Livelocks, |walk| match looks {
            true => spinning_with(walk.system, Some((shared, &mut walk.busy))),
            false => Ok(None),
        });
        let spinning = match spinning {
            Ok(spinning) => spinning.unwrap_or_default(),
            Err(Unclear::Restart) => return Err(Outcome::Restart),
            Err(Unclear::TooMany) => {
                self.listener.unknown(Unclear::REASON.to_owned()).go_on()?;
                Vec::new()
            }
        };
        let findings = self.system.stuck(Rest::Seen(&spinning));
        self.report_at_end(findings)
    }

    /// What the events of C have changed, but for how their threads go on.
    fn shared(&self) -> u128 {
        let all = (0..self.system.threads()).map(ThreadId);
        let last = all.filter_map(|thread| {
            self.configuration.last(thread).filter(|&last| self.unfolding.event(last).thread == thread)
        });
        last.map(|last| self.unfolding.print(last).behind).fold(0, u128::wrapping_add)
    }

    /// Tells the listener about what is wrong with C: it comes after all of C, or after the past of what it involves.
    fn report_at_end(&mut self, findings: Findings<S::Fault>) -> Result<(), Outcome> {
        findings.go_on()?;
        self.report(Step { unknown: findings.unknown, ..Step::default() }, None)?;
        for fault in findings.faults {
            if S::involved(&fault).is_empty() {
                let schedule = self.schedule(|_| true).collect();
                self.listener.violation(fault, schedule).go_on()?;
            } else {
                self.report(Step { fault: Some(Box::new(fault)), ..Step::default() }, None)?;
            }
        }
        Ok(())
    }

    /// Tells the listener about what a step found.
    pub(super) fn report(&mut self, step: Step<S::Fault>, event: Option<EventId>) -> Result<(), Outcome> {
        if let Some(reason) = step.unknown {
            self.listener.unknown(reason).go_on()?;
        }
        let Some(fault) = step.fault else {
            return Ok(());
        };
        // The causal past of the event and of every event that the fault involves.
        let mut tops: Vec<EventId> = event.into_iter().collect();
        for (thread, count) in S::involved(&fault) {
            let mut last = self.configuration.last(thread);
            while let Some(id) = last
                && self.unfolding.event(id).thread == thread
                && self.unfolding.event(id).depth > count
            {
                last = Some(self.unfolding.event(id).before);
            }
            tops.extend(last);
        }
        let schedule = self.schedule(|id| tops.iter().any(|&top| self.unfolding.includes(top, id))).collect();
        self.listener.violation(*fault, schedule).go_on()
    }

    /// The moves of the events of C for which `keep` holds.
    fn schedule(&self, keep: impl Fn(EventId) -> bool) -> impl Iterator<Item = Move> {
        self.configuration.trail().iter().filter(move |&&id| keep(id)).map(|&id| {
            let event = self.unfolding.event(id);
            Move { thread: event.thread, label: event.label }
        })
    }
}

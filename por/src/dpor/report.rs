//! What the listener is told of E.
use super::action::Action;
use super::known::Sequential;
use super::trace::NOWHERE;
use super::walk::Walk;
use crate::system::{Findings, Move, Step};
use crate::{Listener, Outcome};

impl<S: Sequential, O: Listener<S>> Walk<'_, S, O> {
    /// Tells the listener about what is wrong with E: it comes after all of it, or after the past of what it involves.
    pub(super) fn report_at_end(&mut self, findings: Findings<S::Fault>) -> Result<(), Outcome> {
        findings.go_on()?;
        self.report(Step { unknown: findings.unknown, ..Step::default() }, None)?;
        for fault in findings.faults {
            if S::involved(&fault).is_empty() {
                let schedule = self.moves(|_| true).collect();
                self.listener.violation(fault, schedule).go_on()?;
            } else {
                self.report(Step { fault: Some(Box::new(fault)), ..Step::default() }, None)?;
            }
        }
        Ok(())
    }

    /// Tells the listener about what a step found.
    pub(super) fn report(&mut self, step: Step<S::Fault>, event: Option<u32>) -> Result<(), Outcome> {
        if let Some(reason) = step.unknown {
            self.listener.unknown(reason).go_on()?;
        }
        let Some(fault) = step.fault else { return Ok(()) };
        // The past of the event and of every event that the fault involves.
        self.statistics.work.looked_at += self.trace.order() as u64;
        let involved = S::involved(&fault).into_iter().map(|(thread, count)| self.trace.numbered(thread, count));
        let tops: Vec<u32> = event.into_iter().chain(involved).filter(|&top| top != NOWHERE).collect();
        let needed = self.trace.is_loose().then(|| self.trace.needed(&tops));
        let is_needed = |at| match &needed {
            Some(needed) => needed.binary_search(&at).is_ok(),
            None => tops.iter().any(|&top| self.trace.includes(top, at)),
        };
        let schedule = self.moves(is_needed).collect();
        self.listener.violation(*fault, schedule).go_on()
    }

    /// The moves of the events for which `keep` holds.
    pub(super) fn moves(&self, keep: impl Fn(u32) -> bool) -> impl Iterator<Item = Move> {
        let kept = (0..).zip(self.trace.actions()).filter(move |&(at, _)| keep(at));
        kept.map(|(_, Action { thread, label, .. })| Move { thread, label })
    }
}

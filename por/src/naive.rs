//! Every interleaving: the oracle against which the reductions are tested.
//!
//! Depth-first over all enabled variants of all threads, without any reduction. Useful for tiny programs only.
use crate::system::{Decisions, Ending, Findings, Livelocks, Move, Rest, Step, ThreadId};
use crate::{Flow, Listener, Options, Outcome, Statistics, feasible_variants};

/// Explores every interleaving.
pub(crate) fn explore<S: Livelocks + Decisions>(
    system: &mut S,
    options: &Options,
    listener: &mut impl Listener<S>,
) -> (Outcome, Statistics) {
    let mut walk = Walk { system, options, listener, statistics: Statistics::default(), schedule: Vec::new() };
    let outcome = walk.run();
    (outcome, walk.statistics)
}

struct Walk<'a, S: Livelocks + Decisions, O> {
    system: &'a mut S,
    options: &'a Options,
    listener: &'a mut O,
    statistics: Statistics,
    schedule: Vec<Move>,
}

impl<S: Livelocks + Decisions, O: Listener<S>> Walk<'_, S, O> {
    fn run(&mut self) -> Outcome {
        let first = self.system.start();
        if first.restart {
            return Outcome::Restart;
        }
        if self.report(first) == Flow::Stop {
            return Outcome::Stopped;
        }
        // Per level the moves still to try, the next one last.
        let mut levels: Vec<Vec<Move>> = Vec::new();
        loop {
            let moves = self.moves();
            if moves.is_empty()
                && let Some(outcome) = self.leaf()
            {
                return outcome;
            }
            if self.schedule.len() as u64 >= self.options.max_depth {
                return Outcome::DepthLimit;
            }
            // (At the end nobody can tell any more whether threads were stuck before the process ended.)
            let stuck = if moves.is_empty() { Findings::default() } else { self.system.stuck(Rest::ToBeSeen) };
            if self.report_all(stuck) == Flow::Stop {
                return Outcome::Stopped;
            }
            levels.push(moves);
            // Go back to the deepest level with something left to try, then one step down.
            loop {
                let Some(level) = levels.last_mut() else {
                    return Outcome::Complete;
                };
                if let Some(next) = level.pop() {
                    self.system.mark();
                    let step = self.system.execute(next.thread, next.label);
                    self.schedule.push(next);
                    self.statistics.steps += 1;
                    self.statistics.events += 1;
                    self.statistics.depth = self.statistics.depth.max(self.schedule.len() as u64);
                    self.statistics.threads = self.statistics.threads.max(self.system.threads());
                    if step.restart {
                        return Outcome::Restart;
                    }
                    if self.report(step) == Flow::Stop {
                        return Outcome::Stopped;
                    }
                    if self.statistics.steps.is_multiple_of(4096)
                        && self.listener.poll(self.system, &self.statistics) == Flow::Stop
                    {
                        return Outcome::Stopped;
                    }
                    break;
                }
                levels.pop();
                if levels.is_empty() {
                    return Outcome::Complete;
                }
                self.system.undo();
                self.schedule.pop();
            }
        }
    }

    /// All moves possible now, the first to be tried last.
    fn moves(&mut self) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut variants = Vec::new();
        for thread in (0..self.system.threads()).map(ThreadId) {
            variants.clear();
            feasible_variants(self.system, thread, &mut variants);
            moves.extend(variants.iter().map(|v| Move { thread, label: v.label }));
        }
        moves.reverse();
        moves
    }

    fn leaf(&mut self) -> Option<Outcome> {
        let (ending, findings) = self.system.ending();
        match ending {
            Ending::Complete => self.statistics.executions += 1,
            Ending::Pruned => self.statistics.pruned += 1,
            Ending::Cutoff => unreachable!("a system does not know of cutoffs"),
        }
        if findings.restart {
            return Some(Outcome::Restart);
        }
        if self.report_all(findings) == Flow::Stop {
            return Some(Outcome::Stopped);
        }
        if self.listener.execution(self.system, ending, &self.schedule) == Flow::Stop {
            return Some(Outcome::Stopped);
        }
        let all = self.statistics.executions + self.statistics.pruned;
        (Some(all) == self.options.max_executions).then_some(Outcome::ExecutionLimit)
    }

    fn report_all(&mut self, findings: Findings<S::Fault>) -> Flow {
        let unknown = findings.unknown.map(|reason| self.listener.unknown(reason));
        let mut faults = findings.faults.into_iter();
        let stops = |fault| self.listener.violation(fault, self.schedule.clone()) == Flow::Stop;
        if unknown == Some(Flow::Stop) || faults.any(stops) { Flow::Stop } else { Flow::Continue }
    }

    fn report(&mut self, step: Step<S::Fault>) -> Flow {
        if let Some(reason) = step.unknown
            && self.listener.unknown(reason) == Flow::Stop
        {
            return Flow::Stop;
        }
        match step.fault {
            Some(fault) => self.listener.violation(*fault, self.schedule.clone()),
            None => Flow::Continue,
        }
    }
}

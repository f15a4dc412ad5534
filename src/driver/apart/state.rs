//! What a coordinator knows. It changes by what workers tell it, and by nothing else.
use super::collected::Collected;
use super::{Context, Ended, Facts, Job, Product, Ticket};
use crate::report::Reason;
use por::Reduction;
use por::jobs::{Coordinator, Task};
use std::collections::BTreeMap;

/// The state of an exploration by jobs.
pub(super) struct State {
    reduction: Reduction,
    division: Coordinator,
    start: u64,
    version: u64,
    context: Context,
    promoted: u64,
    /// Jobs that were given to workers, by number.
    given: BTreeMap<u64, Task>,
    next: u64,
    keep_going: bool,
    pub(super) collected: Collected,
    over: Option<Over>,
}

/// How it has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Over {
    /// Everything was explored.
    Complete,
    /// It need not go on: a bug was found, or a reason for "unknown" that nothing changes any more.
    Enough,
    /// It cannot be divided, for this reason.
    Alone(String),
}

impl State {
    /// Nothing was explored yet.
    pub(super) fn new(reduction: Reduction, keep_going: bool) -> Self {
        State {
            reduction,
            division: Coordinator::new(reduction),
            start: 0,
            version: 0,
            context: Context::Start(Facts::default()),
            promoted: 0,
            given: BTreeMap::new(),
            next: 1,
            keep_going,
            collected: Collected::default(),
            over: None,
        }
    }

    pub(super) fn over(&self) -> Option<&Over> {
        self.over.as_ref()
    }

    pub(super) fn restarts(&self) -> u64 {
        self.start
    }

    pub(super) fn promoted(&self) -> u64 {
        self.promoted
    }

    /// The numbers of the jobs that workers have.
    pub(super) fn given(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.given.keys().copied()
    }

    /// How many prefixes are kept.
    pub(super) fn prefixes(&self) -> usize {
        self.division.prefixes()
    }

    /// Makes another job, if there is one. `divide`: others are to find something, too.
    pub(super) fn give(&mut self, divide: bool) -> Option<u64> {
        let task = self.division.task(divide)?;
        Some(self.number(task))
    }

    fn number(&mut self, task: Task) -> u64 {
        let number = self.next;
        self.next += 1;
        self.given.insert(number, task);
        number
    }

    /// A job that was given, with what is known now. `budget`: milliseconds.
    pub(super) fn job(&self, number: u64, budget: u64) -> Job {
        let ticket = Ticket { number, start: self.start, version: self.version };
        Job { ticket, context: self.context.clone(), budget, task: self.given[&number].clone() }
    }

    /// What came of a job. Nothing changes if no worker has it: it was done before.
    pub(super) fn take(&mut self, mut product: Product) {
        let Ticket { number, start, version } = product.ticket;
        if start != self.start {
            return;
        }
        let Some(task) = self.given.remove(&number) else { return };
        let gathered = product.gathered.take();
        match std::mem::replace(&mut product.ended, Ended::Found) {
            Ended::Done(_) if gathered.is_some() && version != self.version => {
                // Another worker has given out numbers meanwhile, and they may be other ones.
                self.number(task);
                return;
            }
            Ended::Done(done) => {
                if let Some(gathered) = gathered {
                    self.version += 1;
                    self.context = Context::Gathered(gathered);
                }
                self.collected.add(&mut product);
                self.division.accept(task.id, &done);
                if self.division.is_over() {
                    self.over = Some(Over::Complete);
                }
            }
            Ended::Found => self.collected.add(&mut product),
            Ended::Restart(facts) => {
                self.collected.add(&mut product);
                self.collected.start_again();
                self.start += 1;
                self.version += 1;
                self.promoted = facts.promoted;
                self.division = Coordinator::new(self.reduction);
                self.given.clear();
                self.context = Context::Start(facts);
            }
            Ended::Alone(reason) => self.over = Some(Over::Alone(reason)),
            Ended::Never(reason) => {
                self.collected.note([reason]);
                self.over = Some(Over::Enough);
            }
        }
        if self.collected.has_bugs() && !self.keep_going {
            self.over = Some(Over::Enough);
        }
    }

    /// A limit of executions has been reached.
    pub(super) fn limit(&mut self, most: Option<u64>) {
        if let Some(most) = most
            && self.collected.statistics.ends() >= most
            && self.over.is_none()
        {
            self.collected.note([Reason::ExecutionLimit(most)]);
            self.over = Some(Over::Enough);
        }
    }
}

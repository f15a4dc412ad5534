//! Parts of an exploration that another worker can take. See [`crate::jobs`].
use super::action::Table;
use super::known::Sequential;
use super::node::{Common, Held, Node, Owner, Way, lock};
use super::walk::Walk;
use crate::system::Companions;
use crate::{Listener, Outcome};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// All that begins with a prefix and an action after it, and does not begin with what was begun there before.
///
/// What is explored, asleep and planned at its prefixes is not a copy: who works below a prefix plans there for all.
#[derive(Debug)]
pub(crate) struct Job {
    /// The prefixes, from the empty one on, and the rank of the action after each. The worker that takes the job is
    /// counted there.
    path: Vec<(Common, usize)>,
    /// The plans after all of that.
    guide: Owner,
}

/// What a worker that begins must know of another one.
pub(crate) struct Start<S> {
    /// A system of its own.
    pub(crate) system: S,
    table: Table,
    ends: Option<Arc<AtomicU64>>,
}

impl<S: Sequential, O: Listener<S>> Walk<'_, S, O> {
    /// What another worker begins with, or why there can be no other. `system` is a clone made before the start.
    pub(crate) fn companion(&mut self, mut system: S) -> Result<Start<S>, String>
    where
        S: Companions,
    {
        self.system.system().share_numbers(&mut system)?;
        if self.ends.is_none() && self.options.max_executions.is_some() {
            self.ends = Some(Arc::new(AtomicU64::new(self.statistics.ends())));
        }
        Ok(Start { system, table: self.trace.table.shared(), ends: self.ends.clone() })
    }

    /// Begins as a worker besides others, which have reported what there is to say of the start.
    pub(crate) fn begin_beside(&mut self, table: Table, ends: Option<Arc<AtomicU64>>) -> Result<(), Outcome> {
        self.trace.table = table;
        self.ends = ends;
        if self.system.start().restart { Err(Outcome::Restart) } else { Ok(()) }
    }

    /// Goes where a job begins. This worker has none. False if there is no such place any more, which was told.
    pub(crate) fn take(&mut self, job: Job) -> Result<bool, Outcome> {
        self.nodes.clear();
        self.claims.clear();
        let last = job.path.len() - 1;
        for (at, (plans, rank)) in job.path.into_iter().enumerate() {
            let claims = self.claims_behind();
            self.nodes.push(Node::new(Owner::All(plans), rank, claims));
            let action = self.nodes[at].plans().begun[rank].action;
            self.trace.table.catch_up();
            let chosen = self.possible(action);
            match chosen {
                Some(chosen) if at == last => self.next = Some(chosen),
                // (What there is to say of it was said when it was explored.)
                Some(chosen) => {
                    self.append(chosen)?;
                }
                None => {
                    self.fall_out_of_step();
                    self.go_back();
                    return Ok(false);
                }
            }
        }
        self.guide = job.guide;
        Ok(true)
    }

    /// A part of what this worker has still to explore: what is planned at the shortest prefix where anything is. That
    /// is mostly the largest part.
    pub(crate) fn give_away(&mut self) -> Option<Job> {
        let at = self.nodes.iter_mut().position(|node| !node.plans().tree.is_empty())?;
        self.give_away_at(at)
    }

    /// The first branch that is planned at the prefix of that length. (Others may have taken it.)
    fn give_away_at(&mut self, at: usize) -> Option<Job> {
        let mut path = self.path(at);
        let (plans, rank) = path.last_mut().expect("there is a node");
        let mut plans = Held::All(lock(plans));
        if plans.tree.is_empty() {
            drop(plans);
            path.iter().for_each(|(plans, _)| Held::All(lock(plans)).leave());
            return None;
        }
        let branch = plans.tree.remove(0);
        let (begun, guide) = plans.begin(branch);
        *rank = begun;
        drop(plans);
        Some(Job { path, guide })
    }

    /// The prefixes of E up to that length, for another worker.
    fn path(&mut self, at: usize) -> Vec<(Common, usize)> {
        self.nodes[..=at].iter_mut().map(|node| (node.share(), node.rank)).collect()
    }

    /// All that this worker has still to explore, when it stands between two executions. It has no job then.
    pub(crate) fn give_up(&mut self) -> Vec<Job> {
        let mut all = std::mem::take(&mut self.orphans);
        if self.next.take().is_some() {
            let path = self.path(self.nodes.len() - 1);
            all.push(Job { path, guide: std::mem::take(&mut self.guide) });
        }
        for at in (0..self.nodes.len()).rev() {
            loop {
                let plans = self.nodes[at].plans();
                if plans.tree.is_empty() {
                    plans.leave();
                    break;
                }
                drop(plans);
                all.extend(self.give_away_at(at));
            }
        }
        self.go_back();
        all
    }

    /// A sequence was planned at the prefix of that length, on that way behind it. If no worker is there any more that
    /// would begin with it, it becomes a job.
    pub(super) fn adopt(&mut self, start: u32, way: &Way) {
        let Some((_, plans)) = way.last() else { return };
        let mut plans = Held::All(lock(plans));
        // (A worker that is there sees it before it leaves.)
        if plans.workers > 0 || plans.tree.is_empty() {
            return;
        }
        let branch = plans.tree.remove(0);
        let (begun, guide) = plans.begin(branch);
        plans.workers += 1;
        drop(plans);
        let mut path = self.path(start as usize);
        for (index, (rank, next)) in way.iter().enumerate() {
            path[start as usize + index].1 = *rank;
            if index + 1 < way.len() {
                lock(next).workers += 1;
            }
            path.push((Arc::clone(next), begun));
        }
        self.orphans.push(Job { path, guide });
    }

    /// Jobs that this worker has come upon, for all.
    pub(crate) fn orphans(&mut self) -> Vec<Job> {
        std::mem::take(&mut self.orphans)
    }

    fn go_back(&mut self) {
        while self.trace.len() > 0 {
            self.trace.pop();
            self.system.undo();
        }
    }
}

impl<S> Start<S> {
    /// The system, and the rest for [`Walk::begin_beside`].
    pub(crate) fn split(self) -> (S, Table, Option<Arc<AtomicU64>>) {
        (self.system, self.table, self.ends)
    }
}

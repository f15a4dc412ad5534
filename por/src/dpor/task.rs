//! Parts of an exploration as plain data, for workers that have no memory in common. See [`crate::jobs`].
//!
//! A task is a [`super::job`] by value: the prefixes above it are copies, of what was begun and planned there when the
//! task was made. Nothing is planned in a copy. A sequence that is to be planned there is either taken by a leaf of the
//! copy, and then by the same leaf of whatever the original has become, for new branches come last; or it is told to
//! whoever has the original ([`Above`]).
use super::Reduction;
use super::action::{Action, Table};
use super::known::Sequential;
use super::node::{Begun, Common, Node, Owner, Plans, lock};
use super::wakeup::{Branch, Rest};
use super::walk::{Chosen, Walk};
use crate::numbers::Numbers;
use crate::system::Accesses;
use crate::{Listener, Outcome};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};

/// What was begun and what is planned from a prefix, by value.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub(super) struct Level {
    pub(super) begun: Vec<Start>,
    pub(super) tree: Vec<Branch>,
}

/// A branch that was begun with, by value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Start {
    pub(super) action: Action,
    /// The plans of the next prefix, if more than the action was planned. (Where a task goes on with the branch, they
    /// are those of its next level.)
    pub(super) next: Option<Level>,
}

/// A prefix of what is to be explored, and which of what was begun there is gone on with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Stage {
    pub(super) level: Level,
    pub(super) rank: u32,
}

/// A part of an exploration, for a worker that knows nothing of the rest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// Its number.
    pub id: u64,
    /// What the actions touch, by the numbers that they have here.
    pub(super) lists: Vec<Accesses>,
    /// The prefixes that are not the task's own.
    pub(super) above: Vec<Stage>,
    /// Those that are, from the first one on.
    pub(super) own: Vec<Stage>,
    /// What is planned after all of that.
    pub(super) guide: Vec<Branch>,
    /// Whether more than its first action was planned for the task when it was begun with: so others may still plan in
    /// it.
    pub(super) is_open: bool,
}

/// A sequence to be planned at a prefix above a task.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Above {
    /// The length of the prefix.
    pub(super) at: u32,
    /// So many of its actions say that nothing that is asleep there is a weak initial of it.
    pub(super) shortest: u32,
    pub(super) sequence: Vec<Action>,
}

/// What came of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Done {
    pub(super) lists: Vec<Accesses>,
    /// The task's own prefixes, where it was left before its end. All of it was explored: none.
    pub(super) own: Vec<Stage>,
    /// What is planned after all of that.
    pub(super) guide: Vec<Branch>,
    /// All of it was explored: what was begun at its first prefix, if others may still plan there.
    pub(super) root: Level,
    pub(super) above: Vec<Above>,
}

impl Done {
    /// Whether all of the task was explored.
    pub fn is_complete(&self) -> bool {
        self.own.is_empty()
    }

    /// Among how many workers the rest could be divided at once: where it goes on, and what is planned before that.
    pub fn left(&self) -> usize {
        let planned: usize = self.own.iter().map(|stage| stage.level.tree.len()).sum();
        if self.is_complete() { 0 } else { planned + 1 }
    }
}

/// Gives actions the numbers that they have in a task.
#[derive(Default)]
pub(super) struct Writer {
    lists: Numbers<Accesses>,
}

impl Writer {
    pub(super) fn action(&mut self, table: &Table, action: Action) -> Action {
        action.renumbered(|number| self.lists.number(table.list(number)))
    }

    pub(super) fn branches(&mut self, table: &Table, branches: &[Branch]) -> Vec<Branch> {
        let branch = |branch: &Branch| Branch {
            action: self.action(table, branch.action),
            children: self.branches(table, &branch.children),
        };
        branches.iter().map(branch).collect()
    }

    /// The lists that were used.
    pub(super) fn lists(self) -> Vec<Accesses> {
        self.lists.all().to_vec()
    }

    /// The plans of a prefix. Where the task goes on with the branch of that rank, the next ones are not among them.
    fn level(&mut self, table: &Table, plans: &Plans, on: Option<usize>) -> Level {
        let mut level = Level { begun: Vec::with_capacity(plans.begun.len()), tree: Vec::new() };
        for (rank, begun) in plans.begun.iter().enumerate() {
            let next = begun.next.as_ref().map(|next| match on == Some(rank) {
                true => Level::default(),
                false => self.level(table, &lock(next), None),
            });
            level.begun.push(Start { action: self.action(table, begun.action), next });
        }
        level.tree = self.branches(table, &plans.tree);
        level
    }
}

/// Gives actions back the numbers that they have in a table.
pub(super) struct Reader<'a> {
    lists: &'a [Accesses],
}

impl<'a> Reader<'a> {
    pub(super) fn new(lists: &'a [Accesses]) -> Self {
        Reader { lists }
    }

    pub(super) fn action(&self, table: &mut Table, action: Action) -> Action {
        action.renumbered(|number| table.number(&self.lists[number as usize]))
    }

    pub(super) fn branches(&self, table: &mut Table, branches: &[Branch]) -> Vec<Branch> {
        let branch = |branch: &Branch| Branch {
            action: self.action(table, branch.action),
            children: self.branches(table, &branch.children),
        };
        branches.iter().map(branch).collect()
    }

    /// The plans of a level; where a task goes on with the branch of that rank, its next plans are those.
    fn plans(&self, table: &mut Table, level: &Level, mut on: Option<(u32, Common)>) -> Plans {
        let mut begun = Vec::with_capacity(level.begun.len());
        for (rank, start) in (0..).zip(&level.begun) {
            let next = start.next.as_ref().map(|level| match on.take_if(|(on, _)| *on == rank) {
                Some((_, next)) => next,
                None => Arc::new(Mutex::new(self.plans(table, level, None))),
            });
            begun.push(Begun { action: self.action(table, start.action), next });
        }
        Plans { tree: self.branches(table, &level.tree), begun, workers: 1 }
    }
}

impl<S: Sequential, O: Listener<S>> Walk<'_, S, O> {
    /// Goes where a task begins, in a system that was not started. False if there is no such place, which was told.
    pub(crate) fn take_apart(&mut self, task: &Task) -> Result<bool, Outcome> {
        if task.above.is_empty() && task.own.is_empty() {
            self.begin()?;
        } else if self.system.start().restart {
            return Err(Outcome::Restart);
        }
        let reader = Reader::new(&task.lists);
        let table = &mut self.trace.table;
        let own = |plans, open: bool| if open { Owner::All(Arc::new(Mutex::new(plans))) } else { Owner::One(plans) };
        let is_open =
            |level: &Stage| level.level.begun.get(level.rank as usize).is_some_and(|start| start.next.is_some());
        // From the last one on: each has the plans of the next one in common with it, if others may plan there.
        let guide = Plans { tree: reader.branches(table, &task.guide), begun: Vec::new(), workers: 1 };
        let mut owners = vec![own(guide, task.own.last().map_or(task.is_open, is_open))];
        for (at, stage) in task.own.iter().enumerate().rev() {
            let next = match owners.last() {
                Some(Owner::All(plans)) => Some((stage.rank, Arc::clone(plans))),
                _ => None,
            };
            let plans = reader.plans(table, &stage.level, next);
            let before = at.checked_sub(1).map(|before| &task.own[before]);
            owners.push(own(plans, before.map_or(task.is_open, is_open)));
        }
        owners.extend(task.above.iter().rev().map(|stage| Owner::One(reader.plans(table, &stage.level, None))));
        self.frozen = task.above.len();
        for (at, stage) in task.above.iter().chain(&task.own).enumerate() {
            if let Some(chosen) = self.next.take() {
                // (What there is to say of it was said when it was explored.)
                self.append(chosen)?;
            }
            let (owner, claims) = (owners.pop().expect("one for each prefix"), self.claims_behind());
            self.nodes.push(Node::new(owner, stage.rank as usize, claims));
            self.next = self.begun_at(at, stage.rank as usize);
            if self.next.is_none() {
                self.fall_out_of_step();
                return Ok(false);
            }
        }
        self.guide = owners.pop().expect("what comes after all of them");
        Ok(true)
    }

    /// The action that was begun with at that rank of the prefix that the system stands behind, if it is possible.
    fn begun_at(&mut self, at: usize, rank: usize) -> Option<Chosen> {
        let action = self.nodes[at].plans().begun.get(rank)?.action;
        self.possible(action)
    }

    /// All that is still to be explored of a task, between two executions.
    pub(crate) fn leave_apart(&mut self, task: &Task) -> Done {
        let mut writer = Writer::default();
        let table = &self.trace.table;
        let above = self.above.drain().map(|above| Above {
            sequence: above.sequence.iter().map(|&action| writer.action(table, action)).collect(),
            ..above
        });
        let above = above.collect();
        let (mut own, mut guide, mut root) = (Vec::new(), Vec::new(), Level::default());
        if self.next.is_some() {
            for node in &mut self.nodes[self.frozen..] {
                let rank = node.rank;
                own.push(Stage { level: writer.level(table, &node.plans(), Some(rank)), rank: rank as u32 });
            }
            guide = match &self.guide {
                Owner::One(plans) => writer.branches(table, &plans.tree),
                Owner::All(plans) => writer.branches(table, &lock(plans).tree),
            };
        } else if task.is_open {
            root = writer.level(table, &self.nodes[self.frozen].plans(), None);
        }
        Done { lists: writer.lists(), own, guide, root, above }
    }

    /// Plans a sequence at a prefix above the task, unless a leaf of the copy takes it. As [`Walk::plan`].
    pub(super) fn plan_above(&mut self, start: u32, sequence: &[Action], shortest: u32, shared: usize) -> bool {
        let (plans, rank) = self.nodes[start as usize].hold();
        let (trace, table) = (&self.trace, &self.trace.table);
        let was_set = |place| trace.is_set(place, start);
        let taken = match self.reduction {
            // (There are no trees, and all that stands for the sequence was asked.)
            Reduction::Source => Err(shortest),
            _ => plans.takes(*rank + 1, table, &mut Rest::new(sequence), shortest, &was_set),
        };
        match taken {
            Ok(decided) => decided as usize <= shared,
            Err(_) => {
                let above = Above { at: start, shortest, sequence: sequence.to_vec() };
                if self.above.insert(above) {
                    self.told += sequence.len();
                }
                false
            }
        }
    }

    /// How many actions the sequences have together that are to be planned above the task, those that were told before
    /// included.
    pub(crate) fn told(&self) -> usize {
        self.told
    }
}

//! Wakeup trees: what is planned from a prefix of E, in order.
use super::action::{Action, Relation, Table};
use super::claim::{Claim, Verdict};

/// A node of a wakeup tree with its subtree: what comes first.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) action: Action,
    pub(super) children: Vec<Branch>,
}

/// What the sequence that is inserted has in common with the way through the tree depends on nobody reading these lanes
/// of what `write` wrote before somebody else overwrites them.
#[derive(Clone)]
struct Unread {
    write: Action,
    open: u64,
    /// Serial numbers of the writes that it passed: they do not count as somebody else.
    passed: Vec<u32>,
}

/// What is left of the sequence, with serial numbers, and what goes with that.
struct Rest {
    actions: Vec<(u32, Action)>,
    unread: Vec<Unread>,
}

/// Inserts a sequence, as in §5: the tree afterwards has a leaf that the sequence is compatible with.
pub(super) fn insert(tree: &mut Vec<Branch>, table: &Table, sequence: &[Action]) {
    let actions = (0..).zip(sequence.iter().copied()).collect();
    place(tree, table, Rest { actions, unread: Vec::new() });
}

fn place(tree: &mut Vec<Branch>, table: &Table, rest: Rest) {
    for branch in tree.iter_mut() {
        if let Some(rest) = rest.behind(table, branch.action) {
            if !branch.children.is_empty() && !rest.actions.is_empty() {
                place(&mut branch.children, table, rest);
            }
            return;
        }
    }
    let chain = |children: Vec<Branch>, &(_, action): &(u32, Action)| vec![Branch { action, children }];
    tree.extend(rest.actions.iter().rev().fold(Vec::new(), chain));
}

impl Rest {
    /// What is left of the sequence behind an action of the tree; `None` if nothing equivalent can begin with it.
    fn behind(&self, table: &Table, action: Action) -> Option<Rest> {
        let mut claim = Claim::new(action);
        let (mut taken, mut passed) = (None, Vec::new());
        for (index, &(serial, next)) in self.actions.iter().enumerate() {
            if taken.is_none() && next.thread == action.thread {
                taken = Some(index);
            } else if taken.is_none() && table.relation(action, next) == Relation::IfObserved {
                passed.push(serial);
            }
            match claim.step(table, next) {
                Verdict::Holds => {}
                Verdict::Certain => break,
                Verdict::Refuted => return None,
            }
        }
        let serial = taken.map(|index| self.actions[index].0);
        let mut unread = self.unread.clone();
        for condition in &mut unread {
            let (reads, writes) = table.overlap(condition.write, action);
            if reads & condition.open != 0 {
                return None;
            }
            if !serial.is_some_and(|serial| condition.passed.contains(&serial)) {
                condition.open &= !writes;
            }
        }
        unread.retain(|condition| condition.open != 0);
        if claim.has_passed() {
            unread.push(Unread { write: action, open: table.written(action).writes, passed });
        }
        let mut actions = self.actions.clone();
        if let Some(index) = taken {
            actions.remove(index);
        }
        Some(Rest { actions, unread })
    }
}

//! The exploration as whoever divides it among workers has it that have no memory in common. See [`crate::jobs`].
//!
//! The coordinator has no system, and executes nothing. It has the prefixes at which the exploration was divided, and
//! those of *parts*: explorations that were left in the middle, each with prefixes of its own. A part is given to a
//! worker as a [`Task`]; meanwhile its own prefixes are not here. What comes back is the part as it was left, and what
//! is to be planned at the prefixes above it.
//!
//! A part is divided at the shortest of its prefixes where anything is planned. From then on this prefix and those
//! before it belong to no part.
use super::Reduction;
use super::action::{Action, Place, Table};
use super::task::{Above, Done, Level, Reader, Stage, Start, Task, Writer};
use super::wakeup::{Branch, Rest, insert};
use super::weak_initial::WeakInitial;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The number of a node.
type NodeId = usize;

/// A prefix.
#[derive(Default)]
struct Node {
    /// The one before it, and which of what was begun there leads here. None: it is the start.
    up: Option<(NodeId, usize)>,
    /// Its length.
    depth: usize,
    begun: Vec<Begun>,
    tree: Vec<Branch>,
    /// The part that it belongs to.
    part: Option<PartId>,
}

/// A branch that was begun with.
struct Begun {
    action: Action,
    /// More than the action was planned, so sequences may still be planned behind it. (Else all that comes after it is
    /// explored.)
    is_open: bool,
    state: State,
}

/// What is known of what comes after a branch.
enum State {
    /// All of it was explored, and nobody plans there.
    Over,
    /// A part begins or goes on here. This is planned next.
    Ready(Vec<Branch>),
    /// The part that begins here is with a worker. This is to be planned after the branch.
    Away(Vec<(Rest, u32)>),
    /// It is this node.
    Here(NodeId),
}

/// The number of a part, which is that of its task.
type PartId = u64;

/// A part that no worker has.
struct Part {
    /// Where it goes on. None: it begins at the start.
    end: Option<(NodeId, usize)>,
    /// Prefixes from this length on are its own.
    first: usize,
}

/// Divides an exploration among workers.
pub struct Coordinator {
    reduction: Reduction,
    table: Table,
    nodes: Vec<Node>,
    /// Nodes that are not used.
    free: Vec<NodeId>,
    root: State,
    parts: FxHashMap<PartId, Part>,
    /// Parts by the length of the prefix that they begin at.
    waiting: BTreeSet<(usize, PartId)>,
    /// Where the parts begin that workers have. None: at the start.
    away: FxHashMap<PartId, Option<(NodeId, usize)>>,
    /// Nodes of no part where anything is planned, by their lengths.
    planned: BTreeSet<(usize, NodeId)>,
    next: PartId,
}

impl Coordinator {
    /// Of an exploration that has not begun.
    pub fn new(reduction: Reduction) -> Self {
        let first = Part { end: None, first: 0 };
        Coordinator {
            reduction,
            table: Table::new(reduction == Reduction::Observers),
            nodes: Vec::new(),
            free: Vec::new(),
            root: State::Ready(Vec::new()),
            parts: FxHashMap::from_iter([(0, first)]),
            waiting: BTreeSet::from_iter([(0, 0)]),
            away: FxHashMap::default(),
            planned: BTreeSet::new(),
            next: 1,
        }
    }

    /// Whether everything was explored.
    pub fn is_over(&self) -> bool {
        self.parts.is_empty() && self.away.is_empty() && self.planned.is_empty()
    }

    /// How many tasks workers have.
    pub fn away(&self) -> usize {
        self.away.len()
    }

    /// How many prefixes are kept.
    pub fn prefixes(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// Whether a worker has the task of that number.
    pub fn has_given(&self, task: u64) -> bool {
        self.away.contains_key(&task)
    }

    /// Another task, if there is any: the part, or what is planned, that begins first. `divide`: a part is divided if
    /// nothing else is left for another worker.
    pub fn task(&mut self, divide: bool) -> Option<Task> {
        let part = self.waiting.first().copied();
        let planned = self.planned.first().copied();
        let id = match (part, planned) {
            (Some((at, part)), planned) if planned.is_none_or(|(depth, _)| at <= depth) => part,
            (_, Some((_, node))) => self.begin(node),
            (_, None) => return None,
        };
        if divide && self.waiting.len() == 1 && self.planned.is_empty() {
            self.divide(id);
        }
        Some(self.give(id))
    }

    /// Begins with the first branch that is planned at a node of no part, as a part.
    fn begin(&mut self, node: NodeId) -> PartId {
        let depth = self.nodes[node].depth;
        let Branch { action, children } = self.nodes[node].tree.remove(0);
        if self.nodes[node].tree.is_empty() {
            self.planned.remove(&(depth, node));
        }
        let (is_open, rank) = (!children.is_empty(), self.nodes[node].begun.len());
        self.nodes[node].begun.push(Begun { action, is_open, state: State::Ready(children) });
        let id = self.next;
        self.next += 1;
        self.parts.insert(id, Part { end: Some((node, rank)), first: depth + 1 });
        self.waiting.insert((depth + 1, id));
        id
    }

    /// Makes the shortest own prefixes of a part belong to none, up to one where anything is planned.
    fn divide(&mut self, id: PartId) {
        let at = self.own(id).into_iter().find(|&node| !self.nodes[node].tree.is_empty());
        if let Some(at) = at {
            self.release(id, self.nodes[at].depth + 1);
        }
    }

    /// The own prefixes of a part, the shortest one first.
    fn own(&self, id: PartId) -> Vec<NodeId> {
        let Part { end, first } = self.parts[&id];
        let mut own: Vec<NodeId> = self.path(end).map(|(node, _)| node).collect();
        own.retain(|&node| self.nodes[node].depth >= first);
        own.reverse();
        own
    }

    /// From now on, only prefixes of that length and longer ones are the part's own.
    fn release(&mut self, id: PartId, first: usize) {
        for node in self.own(id) {
            let Node { depth, part, tree, .. } = &mut self.nodes[node];
            if *depth < first {
                *part = None;
                if !tree.is_empty() {
                    self.planned.insert((*depth, node));
                }
            }
        }
        let part = self.parts.get_mut(&id).expect("it is here");
        self.waiting.remove(&(part.first, id));
        part.first = part.first.max(first);
        self.waiting.insert((part.first, id));
    }

    /// The prefixes from one on upwards, each with the branch that is gone on with there.
    fn path(&self, end: Option<(NodeId, usize)>) -> impl Iterator<Item = (NodeId, usize)> + '_ {
        std::iter::successors(end, |&(node, _)| self.nodes[node].up)
    }

    /// Gives a part to a worker.
    fn give(&mut self, id: PartId) -> Task {
        let Part { end, first } = self.parts[&id];
        let mut writer = Writer::default();
        let mut path: Vec<(NodeId, usize)> = self.path(end).collect();
        path.reverse();
        let mut stages: Vec<Stage> = Vec::with_capacity(path.len());
        for &(node, rank) in &path {
            let from = if self.nodes[node].part.is_some() { 0 } else { rank + 1 };
            stages.push(Stage { level: self.level(&mut writer, node, from, Some(rank)), rank: rank as u32 });
        }
        let guide = match self.state(end) {
            State::Ready(guide) => writer.branches(&self.table, guide),
            _ => unreachable!("a part goes on where nobody is"),
        };
        let own = stages.split_off(first);
        let begin = first.checked_sub(1).map(|before| path[before]);
        let is_open = begin.is_some_and(|(node, rank)| self.nodes[node].begun[rank].is_open);
        for &(node, _) in &path[first..] {
            self.drop_below(node);
        }
        *self.state_mut(begin) = State::Away(Vec::new());
        self.parts.remove(&id);
        self.waiting.remove(&(first, id));
        self.away.insert(id, begin);
        Task { id, lists: writer.lists(), above: stages, own, guide, is_open }
    }

    /// What was begun at a node, the plans behind it from that rank on, and what is planned. Where the branch of the
    /// rank `on` goes on is said elsewhere.
    fn level(&self, writer: &mut Writer, node: NodeId, from: usize, on: Option<usize>) -> Level {
        let Node { begun, tree, .. } = &self.nodes[node];
        let start = |(rank, begun): (usize, &Begun)| {
            let next = begun.is_open.then(|| match &begun.state {
                _ if rank < from || on == Some(rank) => Level::default(),
                State::Here(node) => self.level(writer, *node, 0, None),
                State::Ready(guide) => Level { begun: Vec::new(), tree: writer.branches(&self.table, guide) },
                State::Over | State::Away(_) => Level::default(),
            });
            Start { action: writer.action(&self.table, begun.action), next }
        };
        let begun = begun.iter().enumerate().map(start).collect();
        Level { begun, tree: writer.branches(&self.table, tree) }
    }

    fn state(&self, begun: Option<(NodeId, usize)>) -> &State {
        begun.map_or(&self.root, |(node, rank)| &self.nodes[node].begun[rank].state)
    }

    fn state_mut(&mut self, begun: Option<(NodeId, usize)>) -> &mut State {
        match begun {
            None => &mut self.root,
            Some((node, rank)) => &mut self.nodes[node].begun[rank].state,
        }
    }

    /// Forgets a node, with all behind it that no part goes on with.
    fn drop_below(&mut self, node: NodeId) {
        let Node { begun, depth, .. } = std::mem::take(&mut self.nodes[node]);
        self.planned.remove(&(depth, node));
        self.free.push(node);
        for Begun { state, .. } in begun {
            if let State::Here(below) = state
                && self.nodes[below].part.is_none()
            {
                self.drop_below(below);
            }
        }
    }

    /// Takes what came of a task. False if no worker has it: it was done before, and nothing changes.
    pub fn accept(&mut self, id: u64, done: &Done) -> bool {
        let Some(begin) = self.away.remove(&id) else { return false };
        let reader = Reader::new(&done.lists);
        let is_open = begin.is_some_and(|(node, rank)| self.nodes[node].begun[rank].is_open);
        let first = begin.map_or(0, |(node, _)| self.nodes[node].depth + 1);
        let pending = match std::mem::replace(self.state_mut(begin), State::Over) {
            State::Away(pending) => pending,
            _ => unreachable!("it was with a worker"),
        };
        if !done.is_complete() {
            let mut end = begin;
            for Stage { level, rank } in &done.own {
                let node = self.add(&reader, level, end, Some(id));
                *self.state_mut(end) = State::Here(node);
                end = Some((node, *rank as usize));
            }
            let guide = reader.branches(&mut self.table, &done.guide);
            *self.state_mut(end) = State::Ready(guide);
            self.parts.insert(id, Part { end, first });
            self.waiting.insert((first, id));
        } else if is_open {
            let node = self.add(&reader, &done.root, begin, None);
            *self.state_mut(begin) = State::Here(node);
        }
        for (rest, shortest) in pending {
            let (node, rank) = begin.expect("nothing is planned behind the start as a whole");
            self.plan_behind(node, rank, rest, shortest);
        }
        let path: Vec<(NodeId, usize)> = self.path(begin).collect();
        for Above { at, shortest, sequence } in &done.above {
            let (node, rank) = path[path.len() - 1 - *at as usize];
            let sequence: Vec<Action> = sequence.iter().map(|&action| reader.action(&mut self.table, action)).collect();
            match self.reduction {
                Reduction::Source => self.plan_first(node, &sequence),
                _ => self.plan(node, rank + 1, Rest::new(&sequence), *shortest),
            }
        }
        self.tidy(begin);
        true
    }

    /// Adds a node with what is behind it.
    fn add(&mut self, reader: &Reader<'_>, level: &Level, up: Option<(NodeId, usize)>, part: Option<PartId>) -> NodeId {
        let node = self.free.pop().unwrap_or_else(|| {
            self.nodes.push(Node::default());
            self.nodes.len() - 1
        });
        let depth = up.map_or(0, |(node, _)| self.nodes[node].depth + 1);
        let tree = reader.branches(&mut self.table, &level.tree);
        if part.is_none() && !tree.is_empty() {
            self.planned.insert((depth, node));
        }
        self.nodes[node] = Node { up, depth, begun: Vec::new(), tree, part };
        for (rank, start) in level.begun.iter().enumerate() {
            let action = reader.action(&mut self.table, start.action);
            self.nodes[node].begun.push(Begun { action, is_open: start.next.is_some(), state: State::Over });
            if let Some(next) = &start.next {
                let below = self.add(reader, next, Some((node, rank)), None);
                self.nodes[node].begun[rank].state = State::Here(below);
            }
        }
        node
    }

    /// Plans a sequence at a node: into what was begun there from that rank on, or what is planned.
    fn plan(&mut self, node: NodeId, from: usize, mut rest: Rest, mut shortest: u32) {
        let set = self.set(node);
        let was_set = |place| set.contains(&place);
        for rank in from..self.nodes[node].begun.len() {
            match rest.pass(&self.table, self.nodes[node].begun[rank].action, &was_set) {
                Ok(_) => return self.plan_behind(node, rank, rest, shortest),
                Err(count) => shortest = shortest.max(count),
            }
        }
        insert(&mut self.nodes[node].tree, &self.table, &mut rest, shortest, &was_set);
        self.note_plans(node);
    }

    /// Plans what is left of a sequence behind a branch that was begun with.
    fn plan_behind(&mut self, node: NodeId, rank: usize, mut rest: Rest, shortest: u32) {
        let set = self.set(node);
        let Begun { is_open, state, .. } = &mut self.nodes[node].begun[rank];
        if !*is_open || rest.is_empty() {
            return;
        }
        match state {
            State::Away(pending) => pending.push((rest, shortest)),
            State::Ready(guide) => {
                insert(guide, &self.table, &mut rest, shortest, &|place| set.contains(&place));
            }
            State::Here(below) => {
                let below = *below;
                self.plan(below, 0, rest, shortest);
            }
            State::Over => unreachable!("others may plan there"),
        }
    }

    /// Source sets: plans the first action of a sequence, unless something that was begun or is planned stands for it.
    fn plan_first(&mut self, node: NodeId, sequence: &[Action]) {
        let Node { begun, tree, .. } = &self.nodes[node];
        let known = begun.iter().map(|begun| begun.action).chain(tree.iter().map(|branch| branch.action));
        let stands = |action| WeakInitial::new(action, 0).refuted_by(&self.table, sequence, |_| false).is_ok();
        if !known.into_iter().any(stands) {
            self.nodes[node].tree.push(Branch { action: sequence[0], children: Vec::new() });
            self.note_plans(node);
        }
    }

    /// Something may be planned at a node now that was not before.
    fn note_plans(&mut self, node: NodeId) {
        let Node { tree, part, depth, .. } = &self.nodes[node];
        if tree.is_empty() || part.is_some() {
            return;
        }
        self.planned.insert((*depth, node));
        // Whoever explores it may plan at all prefixes of it: they belong to no part any more.
        let up: Vec<NodeId> = self.path(self.nodes[node].up).map(|(node, _)| node).collect();
        let of_a_part = up.into_iter().find(|&node| self.nodes[node].part.is_some());
        if let Some(last) = of_a_part {
            let part = self.nodes[last].part.expect("it has one");
            self.release(part, self.nodes[last].depth + 1);
        }
    }

    /// The places that are set at a node.
    fn set(&self, node: NodeId) -> Vec<Place> {
        let actions = self.path(self.nodes[node].up).map(|(node, rank)| self.nodes[node].begun[rank].action);
        actions.filter_map(Action::place).collect()
    }

    /// Forgets what is over, from there on upwards.
    fn tidy(&mut self, mut begun: Option<(NodeId, usize)>) {
        while let Some((node, rank)) = begun {
            let Begun { is_open, state, .. } = &self.nodes[node].begun[rank];
            let over = match state {
                State::Over => true,
                State::Here(below) => self.is_quiet(*below),
                State::Ready(_) | State::Away(_) => false,
            };
            if !over {
                return;
            }
            if !is_open && let State::Here(below) = std::mem::replace(self.state_mut(begun), State::Over) {
                self.drop_below(below);
            }
            begun = self.nodes[node].up;
        }
    }

    /// Whether all that comes after a node was explored.
    fn is_quiet(&self, node: NodeId) -> bool {
        let Node { begun, tree, .. } = &self.nodes[node];
        tree.is_empty()
            && begun.iter().all(|begun| match &begun.state {
                State::Over => true,
                State::Here(below) => self.is_quiet(*below),
                State::Ready(_) | State::Away(_) => false,
            })
    }
}

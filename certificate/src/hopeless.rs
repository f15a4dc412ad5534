//! What is wrong with no single state, but with the graph of all: that something goes on for ever, and nothing comes of
//! it.
//!
//! A state is *idle* if something can move there, and each action only changes where its thread stands. If all states
//! that can be reached from an idle one are idle, threads spin there for ever: nothing of what they read will ever
//! change. And every livelock is such a set of states.
//!
//! A state is *held* if threads wait for one another in a circle that only another thread could cut, by cancelling one
//! of them. If all states that can be reached from a held one are held, none ever does.
//!
//! Both are the same question: which of the states that have a property can never lose it? From those that have it, the
//! ones with a successor that does not are taken out until there is none. Only the actions of states that have it are
//! remembered for that, and most programs have few of these.
use rustc_hash::{FxHashMap, FxHashSet};

/// A property that a state should be able to lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Property {
    /// Nothing but where threads stand is changed.
    Idle,
    /// A circle of threads waits for someone to cut it.
    Held,
}

/// The states that have a property, and the actions from there.
#[derive(Default)]
pub(crate) struct Graph {
    idle: FxHashSet<u32>,
    held: FxHashSet<u32>,
    /// From where to where.
    actions: Vec<(u32, u32)>,
}

impl Graph {
    /// All actions from a state are known: where they lead to.
    pub(crate) fn add(&mut self, state: u32, has: impl Fn(Property) -> bool, successors: impl Iterator<Item = u32>) {
        let (idle, held) = (has(Property::Idle), has(Property::Held));
        if idle {
            self.idle.insert(state);
        }
        if held {
            self.held.insert(state);
        }
        if idle || held {
            self.actions.extend(successors.map(|next| (state, next)));
        }
    }

    /// Adds what is known of other states.
    pub(crate) fn add_all(&mut self, other: Graph) {
        let Graph { idle, held, actions } = other;
        self.idle.extend(idle);
        self.held.extend(held);
        self.actions.extend(actions);
    }

    /// The states that have the property, as have all that can be reached from there; sorted.
    pub(crate) fn for_ever(&self, property: Property) -> Vec<u32> {
        let mut states = match property {
            Property::Idle => self.idle.clone(),
            Property::Held => self.held.clone(),
        };
        let mut before: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (from, to) in self.actions.iter().filter(|(from, _)| states.contains(from)) {
            before.entry(*to).or_default().push(*from);
        }
        let mut lost: Vec<u32> = before.keys().copied().filter(|state| !states.contains(state)).collect();
        while let Some(state) = lost.pop() {
            let predecessors = before.get(&state).into_iter().flatten();
            lost.extend(predecessors.filter(|from| states.remove(from)));
        }
        let mut states: Vec<u32> = states.into_iter().collect();
        states.sort_unstable();
        states
    }
}

#[cfg(test)]
mod tests {
    use super::{Graph, Property};

    /// 0 → 1 → 2 ⇄ 3, 1 → 4, 5 ⇄ 5; state 4 is not idle, and is where 1 may go.
    #[test]
    fn what_is_lost_some_time_is_not_for_ever() {
        let mut graph = Graph::default();
        for (state, idle, next) in [
            (0, true, &[1][..]),
            (1, true, &[2, 4]),
            (2, true, &[3]),
            (3, true, &[2]),
            (4, false, &[0]),
            (5, true, &[5]),
        ] {
            graph.add(state, |property| idle && property == Property::Idle, next.iter().copied());
        }
        assert_eq!(graph.for_ever(Property::Idle), [2, 3, 5]);
        assert!(graph.for_ever(Property::Held).is_empty());
    }
}

//! What the search for extensions asks of a net again and again.
use super::super::{Net, TransitionId};

/// Relations between the places and transitions of a net, by number.
pub(super) struct Tables {
    /// The last one is ⊥, which puts the initial marking there.
    transitions: Vec<Around>,
    /// The transitions that read each place.
    readers: Vec<Vec<u32>>,
    /// Nothing is read at all: then every event has one history.
    pub(super) plain: bool,
}

/// What is around a transition.
#[derive(Default)]
pub(super) struct Around {
    /// The preset, then the context.
    pub(super) inputs: Vec<u32>,
    /// How many of them are consumed.
    pub(super) consumed: usize,
    pub(super) postset: Vec<u32>,
    /// The postset, then the context: the places of the enriched conditions that its histories give.
    pub(super) touched: Vec<u32>,
    /// The transitions that can have its occurrences among their immediate predecessors in ↗.
    pub(super) triggers: Vec<u32>,
    /// The transitions that read what it consumes.
    pub(super) readers: Vec<u32>,
}

impl Tables {
    pub(super) fn new(net: &Net) -> Self {
        let numbers = |places: &[crate::nets::PlaceId]| places.iter().map(|place| place.0).collect::<Vec<u32>>();
        let mut consumers = vec![Vec::new(); net.places().len()];
        let mut readers = vec![Vec::new(); net.places().len()];
        for id in net.transition_ids() {
            let transition = net.transition(id);
            transition.preset.iter().for_each(|place| consumers[place.index()].push(id.0));
            transition.context.iter().for_each(|place| readers[place.index()].push(id.0));
        }
        let around = |id: TransitionId| {
            let transition = net.transition(id);
            let produced = transition.postset.iter();
            let mut triggers: Vec<u32> = produced
                .flat_map(|place| consumers[place.index()].iter().chain(&readers[place.index()]))
                .chain(transition.context.iter().flat_map(|place| &consumers[place.index()]))
                .copied()
                .collect();
            let mut read: Vec<u32> =
                transition.preset.iter().flat_map(|place| &readers[place.index()]).copied().collect();
            for list in [&mut triggers, &mut read] {
                list.sort_unstable();
                list.dedup();
            }
            Around {
                inputs: transition.inputs().map(|place| place.0).collect(),
                consumed: transition.preset.len(),
                postset: numbers(&transition.postset),
                touched: numbers(&transition.postset).into_iter().chain(numbers(&transition.context)).collect(),
                triggers,
                readers: read,
            }
        };
        let mut transitions: Vec<Around> = net.transition_ids().map(around).collect();
        let initial: Vec<u32> = net.initial().places().map(|place| place.0).collect();
        let takes_part = |around: &Around| around.inputs.iter().all(|place| initial.contains(place));
        let triggers = (0..).zip(&transitions).filter(|(_, around)| takes_part(around)).map(|(id, _)| id).collect();
        transitions.push(Around { postset: initial.clone(), touched: initial, triggers, ..Around::default() });
        Tables { transitions, plain: net.read_arcs() == 0, readers }
    }

    /// What is around a transition.
    pub(super) fn around(&self, transition: u32) -> &Around {
        &self.transitions[transition as usize]
    }

    /// The transitions that read a place.
    pub(super) fn readers(&self, place: u32) -> &[u32] {
        &self.readers[place as usize]
    }

    /// The number that ⊥ has as a transition.
    pub(super) fn bottom(&self) -> u32 {
        self.transitions.len() as u32 - 1
    }
}

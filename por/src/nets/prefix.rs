//! The enriched prefix that an unfolding gives.
use super::csr::Lists;
use super::{Net, PlaceId, TransitionId};

/// An event, by its number in the prefix. Number 0 is ⊥, which generates the initial marking.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NetEventId(pub u32);

/// An enriched event ⟨e, H⟩, by its number in the prefix. Number 0 is ⊥'s; causes have smaller numbers than effects;
/// cutoffs come last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HistoryId(pub u32);

/// A condition ⟨e, p⟩: the token that an event puts on a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Condition {
    /// The event that generates the condition.
    pub event: NetEventId,
    /// The place.
    pub place: PlaceId,
}

/// An enriched prefix ⟨P, χ⟩ (Rod10, §2.3), with its cutoffs.
pub struct EnrichedPrefix<'n> {
    pub(super) net: &'n Net,
    /// Of each event its transition (⊥ has a number that no transition has), and the events that generate its inputs.
    pub(super) transitions: Vec<u32>,
    pub(super) inputs: Lists,
    /// Of each history its event, its size, and histories whose union it is, but for the event.
    pub(super) events: Vec<u32>,
    pub(super) sizes: Vec<u32>,
    pub(super) families: Lists,
    /// Of each cutoff the history that is smaller and has the same marking; none if that was not looked at any more.
    pub(super) corresponding: Vec<Option<HistoryId>>,
}

impl<'n> EnrichedPrefix<'n> {
    /// The net that was unfolded.
    pub fn net(&self) -> &'n Net {
        self.net
    }

    /// The events, ⊥ first.
    pub fn events(&self) -> impl ExactSizeIterator<Item = NetEventId> + use<> {
        (0..self.transitions.len() as u32).map(NetEventId)
    }

    /// The transition of which an event is an occurrence; none for ⊥.
    pub fn transition(&self, event: NetEventId) -> Option<TransitionId> {
        (event.0 != 0).then(|| TransitionId(self.transitions[event.0 as usize]))
    }

    /// What an event consumes, •e.
    pub fn preset(&self, event: NetEventId) -> impl Iterator<Item = Condition> + '_ {
        let consumed = self.transition(event).map_or(0, |transition| self.net.transition(transition).preset.len());
        self.inputs(event).take(consumed)
    }

    /// What an event reads.
    pub fn context(&self, event: NetEventId) -> impl Iterator<Item = Condition> + '_ {
        let consumed = self.transition(event).map_or(0, |transition| self.net.transition(transition).preset.len());
        self.inputs(event).skip(consumed)
    }

    fn inputs(&self, event: NetEventId) -> impl Iterator<Item = Condition> + '_ {
        let places = self.transition(event).into_iter().flat_map(|transition| self.net.transition(transition).inputs());
        let generators = self.inputs.get(event.0 as usize).iter();
        places.zip(generators).map(|(place, &event)| Condition { event: NetEventId(event), place })
    }

    /// What an event generates, e•.
    pub fn postset(&self, event: NetEventId) -> impl Iterator<Item = Condition> + '_ {
        let produced = self.transition(event).into_iter().flat_map(|id| &self.net.transition(id).postset).copied();
        let marked = move |place: &PlaceId| event.0 == 0 && self.net.place(*place).marked;
        let initial = (0..self.net.places().len() as u32).map(PlaceId).filter(marked);
        produced.chain(initial).map(move |place| Condition { event, place })
    }

    /// How many conditions there are, those that only cutoffs generate included.
    pub fn conditions(&self) -> usize {
        self.events().map(|event| self.postset(event).count()).sum()
    }

    /// The enriched events, ⊥'s first, the cutoffs last.
    pub fn histories(&self) -> impl ExactSizeIterator<Item = HistoryId> + use<> {
        (0..self.events.len() as u32).map(HistoryId)
    }

    /// Those that are no cutoffs: the enriched prefix proper, which is complete by itself.
    pub fn kept(&self) -> impl ExactSizeIterator<Item = HistoryId> + use<> {
        (0..(self.events.len() - self.corresponding.len()) as u32).map(HistoryId)
    }

    /// The event of which this is a history.
    pub fn event(&self, history: HistoryId) -> NetEventId {
        NetEventId(self.events[history.0 as usize])
    }

    /// How many events are in a history, without ⊥.
    pub fn size(&self, history: HistoryId) -> u32 {
        self.sizes[history.0 as usize]
    }

    /// Histories whose union, with its event, a history is: of the events before it in ↗, those of which none is inside
    /// another.
    pub fn family(&self, history: HistoryId) -> impl Iterator<Item = HistoryId> + '_ {
        self.families.get(history.0 as usize).iter().map(|&member| HistoryId(member))
    }

    /// Whether a history is a cutoff.
    pub fn is_cutoff(&self, history: HistoryId) -> bool {
        history.0 as usize >= self.events.len() - self.corresponding.len()
    }

    /// The smaller history with the same marking, of a cutoff.
    pub fn corresponding(&self, history: HistoryId) -> Option<HistoryId> {
        let cutoff = (history.0 as usize).checked_sub(self.events.len() - self.corresponding.len())?;
        self.corresponding[cutoff]
    }

    /// The union of some histories, as the histories of its events in it, without ⊥, causes first. Its events can be
    /// fired in this order if the histories are not in conflict.
    pub fn configuration(&self, histories: impl IntoIterator<Item = HistoryId>) -> Vec<HistoryId> {
        let mut open: Vec<HistoryId> = histories.into_iter().collect();
        let mut found = rustc_hash::FxHashSet::default();
        while let Some(history) = open.pop() {
            if history.0 != 0 && found.insert(history) {
                open.extend(self.family(history));
            }
        }
        let mut found: Vec<HistoryId> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// The transitions of the union of some histories, as a run of the net.
    pub fn run(&self, histories: impl IntoIterator<Item = HistoryId>) -> Vec<TransitionId> {
        self.configuration(histories).into_iter().filter_map(|history| self.transition(self.event(history))).collect()
    }
}

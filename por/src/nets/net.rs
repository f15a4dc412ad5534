//! Contextual nets: places, transitions, and what these consume, read and produce.
use rustc_hash::FxHashMap;
use thiserror::Error;

/// A place, by its number in the net.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlaceId(pub u32);

/// A transition, by its number in the net.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TransitionId(pub u32);

impl PlaceId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TransitionId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place, and whether it holds a token at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// What people call it. Two places may have one name.
    pub name: String,
    /// Whether the initial marking marks it.
    pub marked: bool,
}

/// A transition with the places around it. Each list is sorted and has no place twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// What people call it. Two transitions may have one name.
    pub name: String,
    /// The places that it consumes, •t.
    pub preset: Vec<PlaceId>,
    /// The places that it reads and leaves as they are.
    pub context: Vec<PlaceId>,
    /// The places that it produces, t•.
    pub postset: Vec<PlaceId>,
}

impl Transition {
    /// The places that must be marked for it to fire: those that it consumes, then those that it reads.
    pub fn inputs(&self) -> impl Iterator<Item = PlaceId> + '_ {
        self.preset.iter().chain(&self.context).copied()
    }
}

/// A marking of a 1-safe net: the places with a token.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Marking(Box<[u64]>);

impl Marking {
    /// The one without any token.
    pub fn empty(places: usize) -> Self {
        Marking(vec![0; places.div_ceil(64)].into())
    }

    /// Whether the place has a token.
    pub fn has(&self, place: PlaceId) -> bool {
        self.0[place.index() / 64] >> (place.0 % 64) & 1 == 1
    }

    /// Puts a token there, or takes it away.
    pub fn set(&mut self, place: PlaceId, token: bool) {
        let bit = 1 << (place.0 % 64);
        let word = &mut self.0[place.index() / 64];
        *word = if token { *word | bit } else { *word & !bit };
    }

    /// Sixty-four places at a time, a bit for each.
    pub(super) fn word(&self, index: usize) -> u64 {
        self.0[index]
    }

    /// The places with a token, in their order.
    pub fn places(&self) -> impl Iterator<Item = PlaceId> + '_ {
        let bits = |(index, &word): (usize, &u64)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| PlaceId((index * 64 + bit) as u32))
        };
        self.0.iter().enumerate().flat_map(bits)
    }
}

/// A contextual net N = ⟨P, T, F, C, m₀⟩ whose initial marking is safe (Rod10, §2.1), without transitions that consume
/// nothing or that read what they consume.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Net {
    places: Vec<Place>,
    transitions: Vec<Transition>,
}

/// Why places and transitions are no net that can be unfolded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NetError {
    /// A transition would be possible without end at any time.
    #[error("a transition consumes nothing")]
    NoPreset(TransitionId),
    /// A place is in the preset and in the context of a transition.
    #[error("a transition reads a place that it consumes")]
    ReadAndConsumed(TransitionId, PlaceId),
}

/// A token was put on a place that has one already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsafe {
    /// The step of the run that put the token there.
    pub transition: TransitionId,
    /// The place that has two tokens.
    pub place: PlaceId,
}

impl Net {
    /// A net of these places and transitions. Arcs that are given twice count once.
    ///
    /// # Errors
    /// The first transition that consumes nothing, or that reads what it consumes.
    ///
    /// # Panics
    /// When an arc names a place that does not exist.
    pub fn new(places: Vec<Place>, mut transitions: Vec<Transition>) -> Result<Self, NetError> {
        for (index, transition) in transitions.iter_mut().enumerate() {
            let id = TransitionId(index as u32);
            for list in [&mut transition.preset, &mut transition.context, &mut transition.postset] {
                list.sort_unstable();
                list.dedup();
                assert!(list.last().is_none_or(|last| last.index() < places.len()), "an arc has both ends");
            }
            if transition.preset.is_empty() {
                return Err(NetError::NoPreset(id));
            }
            if let Some(&place) = transition.context.iter().find(|place| transition.preset.contains(place)) {
                return Err(NetError::ReadAndConsumed(id, place));
            }
        }
        Ok(Net { places, transitions })
    }

    /// All places, in the order of their numbers.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// All transitions, in the order of their numbers.
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// The numbers of all transitions.
    pub fn transition_ids(&self) -> impl Iterator<Item = TransitionId> + use<> {
        (0..self.transitions.len() as u32).map(TransitionId)
    }

    /// A place.
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.index()]
    }

    /// A transition.
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    /// How many read arcs there are.
    pub fn read_arcs(&self) -> usize {
        self.transitions.iter().map(|transition| transition.context.len()).sum()
    }

    /// The initial marking m₀.
    pub fn initial(&self) -> Marking {
        let mut marking = Marking::empty(self.places.len());
        for (index, place) in self.places.iter().enumerate() {
            marking.set(PlaceId(index as u32), place.marked);
        }
        marking
    }

    /// Whether a transition can fire.
    pub fn enables(&self, marking: &Marking, transition: TransitionId) -> bool {
        self.transition(transition).inputs().all(|place| marking.has(place))
    }

    /// The marking after an enabled transition has fired.
    ///
    /// # Errors
    /// When a place would hold two tokens.
    pub fn fire(&self, marking: &Marking, id: TransitionId) -> Result<Marking, Unsafe> {
        let transition = self.transition(id);
        let mut next = marking.clone();
        for &place in &transition.preset {
            next.set(place, false);
        }
        for &place in &transition.postset {
            if next.has(place) {
                return Err(Unsafe { transition: id, place });
            }
            next.set(place, true);
        }
        Ok(next)
    }

    /// The marking after a run, step by step.
    ///
    /// # Errors
    /// The index of the first transition that cannot fire.
    pub fn run(&self, run: &[TransitionId]) -> Result<Marking, usize> {
        let mut marking = self.initial();
        for (index, &transition) in run.iter().enumerate() {
            if !self.enables(&marking, transition) {
                return Err(index);
            }
            marking = self.fire(&marking, transition).map_err(|_| index)?;
        }
        Ok(marking)
    }

    /// All reachable markings, by brute force, each with a transition that leads there first and the marking before;
    /// and so the oracle for everything that is said with an unfolding.
    ///
    /// # Errors
    /// When the net is not 1-safe; or, as `Ok(None)`, when there are more than `most`.
    pub fn reachable(&self, most: usize) -> Result<Option<Reachable>, Unsafe> {
        let start = self.initial();
        let mut markings = vec![start.clone()];
        let mut known: FxHashMap<Marking, usize> = FxHashMap::from_iter([(start, 0)]);
        let mut deadlocks = Vec::new();
        let mut next = 0;
        while next < markings.len() {
            let mut dead = true;
            for transition in self.transition_ids() {
                if self.enables(&markings[next], transition) {
                    dead = false;
                    let after = self.fire(&markings[next], transition)?;
                    if !known.contains_key(&after) {
                        known.insert(after.clone(), markings.len());
                        markings.push(after);
                    }
                }
            }
            if dead {
                deadlocks.push(next);
            }
            if markings.len() > most {
                return Ok(None);
            }
            next += 1;
        }
        Ok(Some(Reachable { markings, deadlocks }))
    }
}

/// What [`Net::reachable`] found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reachable {
    /// In the order of a breadth-first search.
    pub markings: Vec<Marking>,
    /// The indices of those at which nothing can fire.
    pub deadlocks: Vec<usize>,
}

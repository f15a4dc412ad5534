//! The enriched prefix by its definitions, with sets and without any cleverness: the oracle of the unfolder.
//!
//! Configurations are enumerated by size (Definitions 3 and 4). Where firing a transition gives a configuration that is
//! a history of its last event (Definition 5), this is an enriched event; those of one size are found before any larger
//! one, so whether they are cutoffs (Definition 7, and §3.4 for the total order) is decided as they come.
//! Configurations go on only with histories that are no cutoffs.
use por::Order;
use por::nets::{EnrichedPrefix, HistoryId, Marking, Net, PlaceId, TransitionId};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// An event by its number here; 0 is ⊥.
type Event = usize;
/// Events without ⊥.
type Configuration = BTreeSet<Event>;
/// A condition by its place and the event that generates it.
type Input = (PlaceId, Event);
type Inputs = Vec<Input>;

pub struct Definition<'n> {
    net: &'n Net,
    names: FxHashMap<(TransitionId, Inputs), Event>,
    events: Vec<(TransitionId, Inputs)>,
    /// All enriched events, and whether they are cutoffs.
    pub histories: BTreeMap<(Event, Configuration), bool>,
    /// The markings of all configurations without cutoffs.
    pub markings: BTreeSet<Marking>,
}

impl<'n> Definition<'n> {
    /// The prefix of a net; `None` if there are more configurations than this.
    pub fn of(net: &'n Net, order: Order, most: usize) -> Option<Self> {
        let mut this = Definition {
            net,
            names: FxHashMap::default(),
            events: vec![(TransitionId(u32::MAX), Vec::new())],
            histories: BTreeMap::new(),
            markings: BTreeSet::from([net.initial()]),
        };
        // Of each marking, the histories that lead there and are no cutoffs.
        let mut kept: FxHashMap<Marking, Vec<(Event, Configuration)>> = FxHashMap::default();
        kept.insert(net.initial(), vec![(0, Configuration::new())]);
        let mut layer = BTreeSet::from([Configuration::new()]);
        let mut all = 1;
        while !layer.is_empty() {
            let mut steps = Vec::new();
            let mut candidates = BTreeSet::new();
            for configuration in &layer {
                let cut = this.cut(configuration);
                for transition in net.transition_ids() {
                    let inputs: Option<Inputs> =
                        net.transition(transition).inputs().map(|place| Some((place, *cut.get(&place)?))).collect();
                    let Some(inputs) = inputs else { continue };
                    let event = this.event(transition, inputs);
                    let mut next = configuration.clone();
                    next.insert(event);
                    let history = this.history(&next, event);
                    if history == next {
                        candidates.insert((event, history.clone()));
                    }
                    steps.push((next, event, history));
                }
            }
            let mut candidates: Vec<(Event, Configuration)> = candidates.into_iter().collect();
            candidates.sort_by(|a, b| this.compare(&a.1, &b.1));
            for (event, history) in candidates {
                let known = kept.entry(this.marking(&history)).or_default();
                let cutoff = known.iter().any(|(_, other)| match order {
                    Order::Size => other.len() < history.len(),
                    Order::Erv => this.compare(other, &history) == Ordering::Less,
                });
                if !cutoff {
                    known.push((event, history.clone()));
                }
                this.histories.insert((event, history), cutoff);
            }
            let next = steps.into_iter().filter(|(_, event, history)| !this.histories[&(*event, history.clone())]);
            layer = next.map(|(configuration, ..)| configuration).collect();
            let markings: Vec<Marking> = layer.iter().map(|configuration| this.marking(configuration)).collect();
            this.markings.extend(markings);
            all += layer.len();
            if all > most {
                return None;
            }
        }
        Some(this)
    }

    fn event(&mut self, transition: TransitionId, inputs: Inputs) -> Event {
        let next = self.events.len();
        let event = *self.names.entry((transition, inputs.clone())).or_insert(next);
        if event == next {
            self.events.push((transition, inputs));
        }
        event
    }

    /// The inputs that an event consumes, and those that it reads.
    fn inputs(&self, event: Event) -> (&[Input], &[Input]) {
        let (transition, inputs) = &self.events[event];
        inputs.split_at(self.net.transition(*transition).preset.len())
    }

    /// Definition 4, as the generator of the token of each marked place.
    fn cut(&self, configuration: &Configuration) -> BTreeMap<PlaceId, Event> {
        let mut cut: BTreeSet<(PlaceId, Event)> = self.net.initial().places().map(|place| (place, 0)).collect();
        for &event in configuration {
            cut.extend(self.net.transition(self.events[event].0).postset.iter().map(|place| (*place, event)));
        }
        for &event in configuration {
            for condition in self.inputs(event).0 {
                assert!(cut.remove(condition), "what is consumed is there once");
            }
        }
        let places = cut.len();
        let cut: BTreeMap<PlaceId, Event> = cut.into_iter().collect();
        assert_eq!(cut.len(), places, "the net is 1-safe");
        cut
    }

    fn marking(&self, configuration: &Configuration) -> Marking {
        let mut marking = Marking::empty(self.net.places().len());
        self.cut(configuration).keys().for_each(|place| marking.set(*place, true));
        marking
    }

    /// The events of a configuration that are immediately before one of them in ↗ (Definition 11).
    fn before(&self, configuration: &Configuration, event: Event) -> Vec<Event> {
        let (consumed, read) = self.inputs(event);
        let generates = |other: &Event| consumed.iter().chain(read).any(|(_, generator)| generator == other);
        let reads = |other: &Event| self.inputs(*other).1.iter().any(|condition| consumed.contains(condition));
        configuration.iter().copied().filter(|other| generates(other) || reads(other)).collect()
    }

    /// Definition 5.
    fn history(&self, configuration: &Configuration, event: Event) -> Configuration {
        let mut history = Configuration::new();
        let mut open = vec![event];
        while let Some(event) = open.pop() {
            if history.insert(event) {
                open.extend(self.before(configuration, event));
            }
        }
        history
    }

    /// The order of ERV02, as it is written down.
    fn compare(&self, a: &Configuration, b: &Configuration) -> Ordering {
        let sorted = |events: &mut dyn Iterator<Item = Event>| {
            let mut transitions: Vec<TransitionId> = events.map(|event| self.events[event].0).collect();
            transitions.sort();
            transitions
        };
        let foata = |configuration: &Configuration| {
            let mut levels: BTreeMap<Event, usize> = BTreeMap::new();
            while levels.len() < configuration.len() {
                for &event in configuration {
                    let before = self.before(configuration, event);
                    if let Some(level) =
                        before.iter().map(|other| levels.get(other)).try_fold(0, |a, b| Some(a.max(*b?)))
                    {
                        levels.insert(event, level + 1);
                    }
                }
            }
            let last = levels.values().max().copied().unwrap_or(0);
            let step = |level| sorted(&mut configuration.iter().copied().filter(|event| levels[event] == level));
            (1..=last)
                .map(|level| {
                    let step = step(level);
                    (step.len(), step)
                })
                .collect::<Vec<_>>()
        };
        (a.len().cmp(&b.len()))
            .then_with(|| sorted(&mut a.iter().copied()).cmp(&sorted(&mut b.iter().copied())))
            .then_with(|| foata(a).cmp(&foata(b)))
    }

    /// The enriched events of a prefix that the tool made, in the same words.
    pub fn translate(&mut self, prefix: &EnrichedPrefix<'_>) -> BTreeMap<(Event, Configuration), bool> {
        let mut events = vec![0];
        for event in prefix.events().skip(1) {
            let transition = prefix.transition(event).expect("only the first one is ⊥");
            let inputs = prefix.preset(event).chain(prefix.context(event));
            let inputs = inputs.map(|condition| (condition.place, events[condition.event.0 as usize])).collect();
            events.push(self.event(transition, inputs));
        }
        let event = |history: HistoryId| events[prefix.event(history).0 as usize];
        let mut histories = BTreeMap::new();
        for history in prefix.histories().skip(1) {
            let inside: Configuration = prefix.configuration([history]).into_iter().map(event).collect();
            assert_eq!(inside.len(), prefix.size(history) as usize, "the size is told as it is");
            let twice = histories.insert((event(history), inside), prefix.is_cutoff(history));
            assert!(twice.is_none(), "an enriched event is there twice");
        }
        histories
    }

    /// An enriched event, for people.
    pub fn show(&self, (event, history): &(Event, Configuration)) -> String {
        let name = |event: &Event| format!("{}#{event}", self.net.transition(self.events[*event].0).name);
        format!("{} in {{{}}}", name(event), history.iter().map(name).collect::<Vec<_>>().join(" "))
    }
}

//! Questions about the reachable markings of a net, answered on its complete prefix.
//!
//! A configuration of the enriched prefix is a set of histories, one at most for each event, that has with each history
//! those inside of it. Given that, its events are a configuration of the net iff
//!
//! - no two of them consume one condition, and
//! - whenever one consumes what another reads, the latter is inside of the former's history.
//!
//! For then each immediate predecessor of an event in ↗ is inside of its history, so ↗ has no cycle. All of this is
//! said by clauses over one variable for each history (and one for each event that has several): no cycle is ever
//! looked for. As the prefix without its cutoffs is complete (Theorem 9), a marking is reachable iff it is that of such
//! a set. What the solver finds is fired on the net before it is told.
use batsat::{Callbacks, Lit, Solver, SolverInterface, lbool};
use por::nets::{Condition, EnrichedPrefix, HistoryId, Marking, Net, NetEventId, PlaceId, TransitionId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is asked about the reachable markings of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Question {
    /// Is there one at which nothing can fire?
    Deadlock,
    /// Is there one with tokens on all of these places?
    Cover(Vec<PlaceId>),
    /// Is this one among them?
    Reach(Marking),
}

/// The answer to a [`Question`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// There is none.
    No,
    /// This run leads to one.
    Yes(Vec<TransitionId>),
    /// There is none among those that the prefix has, and that is not all; or there was no time to find out.
    Unknown,
}

impl Question {
    /// Whether a marking is one that is asked for.
    fn holds(&self, net: &Net, marking: &Marking) -> bool {
        match self {
            Question::Deadlock => !net.transition_ids().any(|transition| net.enables(marking, transition)),
            Question::Cover(places) => places.iter().all(|place| marking.has(*place)),
            Question::Reach(wanted) => marking == wanted,
        }
    }

    /// The answer, from a prefix that may be complete. `stop` is asked now and then.
    ///
    /// # Panics
    /// When the run that was found does not lead to such a marking.
    pub(super) fn answer(&self, prefix: &EnrichedPrefix<'_>, complete: bool, stop: &dyn Fn() -> bool) -> Answer {
        // The first token that a place gets needs no solver, and has a short run.
        if let Question::Cover(places) = self
            && let [place] = places[..]
            && let Some(first) = prefix.kept().find(|history| puts(prefix, *history, place))
        {
            return Answer::Yes(prefix.run([first]));
        }
        let mut formula = Formula::new(prefix, stop);
        if !formula.configurations() {
            return Answer::Unknown;
        }
        match self {
            Question::Deadlock => formula.nothing_can_fire(),
            Question::Cover(places) => places.iter().for_each(|place| formula.marked(*place)),
            Question::Reach(marking) => {
                for place in (0..prefix.net().places().len() as u32).map(PlaceId) {
                    if marking.has(place) { formula.marked(place) } else { formula.unmarked(place) }
                }
            }
        }
        let answer = formula.solver.solve_limited(&[]);
        if answer == lbool::FALSE && complete {
            return Answer::No;
        }
        if answer != lbool::TRUE {
            return Answer::Unknown;
        }
        let found = formula.found();
        // What is not needed for the tokens in question need not happen.
        let needed = match self {
            Question::Cover(places) => {
                let cut = cut(prefix, &found);
                found
                    .iter()
                    .copied()
                    .filter(|history| {
                        let event = prefix.event(*history);
                        places.iter().any(|&place| cut.contains(&Condition { event, place }))
                    })
                    .collect()
            }
            _ => found,
        };
        let run = prefix.run(needed);
        let marking = prefix.net().run(&run).unwrap_or_else(|at| panic!("step {at} of what was found can fire"));
        assert!(self.holds(prefix.net(), &marking), "what was found is what was asked for");
        Answer::Yes(run)
    }
}

/// Whether a history's event generates a token of a place.
fn puts(prefix: &EnrichedPrefix<'_>, history: HistoryId, place: PlaceId) -> bool {
    prefix.postset(prefix.event(history)).any(|condition| condition.place == place)
}

/// The cut of a set of histories that is a configuration.
fn cut(prefix: &EnrichedPrefix<'_>, histories: &[HistoryId]) -> FxHashSet<Condition> {
    let events = || std::iter::once(NetEventId(0)).chain(histories.iter().map(|history| prefix.event(*history)));
    let mut cut: FxHashSet<Condition> = events().flat_map(|event| prefix.postset(event)).collect();
    events().flat_map(|event| prefix.preset(event)).for_each(|condition| {
        cut.remove(&condition);
    });
    cut
}

/// Asks the caller whether to stop.
struct Patience<'a>(&'a dyn Fn() -> bool);

impl Callbacks for Patience<'_> {
    fn stop(&self) -> bool {
        self.0()
    }
}

struct Formula<'a> {
    prefix: &'a EnrichedPrefix<'a>,
    solver: Solver<Patience<'a>>,
    /// Of each history that is no cutoff; nothing for ⊥, which is always there.
    histories: Vec<Option<Lit>>,
    /// Of each event that has such histories.
    events: FxHashMap<NetEventId, Lit>,
    /// The events that consume each condition, and those that read it.
    consumers: FxHashMap<Condition, Vec<NetEventId>>,
    readers: FxHashMap<Condition, Vec<NetEventId>>,
    /// The conditions of each place.
    conditions: Vec<Vec<Condition>>,
}

impl<'a> Formula<'a> {
    fn new(prefix: &'a EnrichedPrefix<'a>, stop: &'a dyn Fn() -> bool) -> Self {
        let mut formula = Formula {
            prefix,
            solver: Solver::new(Default::default(), Patience(stop)),
            histories: Vec::new(),
            events: FxHashMap::default(),
            consumers: FxHashMap::default(),
            readers: FxHashMap::default(),
            conditions: vec![Vec::new(); prefix.net().places().len()],
        };
        let mut of: FxHashMap<NetEventId, Vec<Lit>> = FxHashMap::default();
        let mut events = Vec::new();
        for history in prefix.kept() {
            let event = prefix.event(history);
            let variable = (event.0 != 0).then(|| formula.variable());
            formula.histories.push(variable);
            let histories = of.entry(event).or_default();
            if histories.is_empty() {
                events.push(event);
            }
            histories.extend(variable);
        }
        for event in events {
            prefix.preset(event).for_each(|input| formula.consumers.entry(input).or_default().push(event));
            prefix.context(event).for_each(|input| formula.readers.entry(input).or_default().push(event));
            prefix.postset(event).for_each(|output| formula.conditions[output.place.index()].push(output));
            match of[&event][..] {
                [] => {}
                [only] => {
                    formula.events.insert(event, only);
                }
                ref several => {
                    let this = formula.variable();
                    several.iter().for_each(|history| formula.clause([!*history, this]));
                    formula.clause(several.iter().copied().chain([!this]));
                    formula.at_most_one(several);
                    formula.events.insert(event, this);
                }
            }
        }
        formula
    }

    fn variable(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.solver.add_clause_reuse(&mut literals.into_iter().collect());
    }

    /// With few, for each two; with many, by a chain of variables that say whether one was true so far.
    fn at_most_one(&mut self, literals: &[Lit]) {
        if literals.len() <= 5 {
            for (index, &a) in literals.iter().enumerate() {
                literals[..index].iter().for_each(|&b| self.clause([!a, !b]));
            }
            return;
        }
        let mut before: Option<Lit> = None;
        for &literal in literals {
            let so_far = self.variable();
            self.clause([!literal, so_far]);
            if let Some(before) = before {
                self.clause([!before, so_far]);
                self.clause([!before, !literal]);
            }
            before = Some(so_far);
        }
    }

    /// What is true of all configurations, and of these sets of histories only; unless there is no time for that.
    fn configurations(&mut self) -> bool {
        let prefix = self.prefix;
        for history in prefix.kept().skip(1) {
            if history.0.is_multiple_of(256) && self.solver.cb().stop() {
                return false;
            }
            let this = self.histories[history.0 as usize].expect("only ⊥ has none");
            for inside in prefix.family(history) {
                if let Some(other) = self.histories[inside.0 as usize] {
                    self.clause([!this, other]);
                }
            }
            let event = prefix.event(history);
            let read = prefix.preset(event).filter_map(|input| self.readers.get(&input)).flatten();
            let readers: Vec<NetEventId> = read.copied().collect();
            if readers.is_empty() {
                continue;
            }
            let inside: FxHashSet<NetEventId> =
                prefix.configuration([history]).into_iter().map(|history| prefix.event(history)).collect();
            for reader in readers {
                if !inside.contains(&reader) {
                    self.clause([!this, !self.events[&reader]]);
                }
            }
        }
        let consumers: Vec<Vec<Lit>> = self
            .consumers
            .values()
            .filter(|consumers| consumers.len() > 1)
            .map(|consumers| consumers.iter().map(|event| self.events[event]).collect())
            .collect();
        consumers.iter().for_each(|consumers| self.at_most_one(consumers));
        !self.solver.cb().stop()
    }

    /// That the event of a condition has not happened, or that something has consumed it.
    fn gone(&self, condition: Condition) -> Vec<Lit> {
        let consumed = self.consumers.get(&condition).into_iter().flatten().map(|event| self.events[event]);
        self.events.get(&condition.event).map(|event| !*event).into_iter().chain(consumed).collect()
    }

    /// There is a token.
    fn marked(&mut self, place: PlaceId) {
        let mut some = Vec::new();
        for condition in self.conditions[place.index()].clone() {
            let there = self.variable();
            for literal in self.gone(condition) {
                self.clause([!there, !literal]);
            }
            some.push(there);
        }
        self.clause(some);
    }

    /// There is none.
    fn unmarked(&mut self, place: PlaceId) {
        for condition in self.conditions[place.index()].clone() {
            let gone = self.gone(condition);
            self.clause(gone);
        }
    }

    /// Each transition lacks a token.
    fn nothing_can_fire(&mut self) {
        let net = self.prefix.net();
        let used: FxHashSet<PlaceId> = net.transitions().iter().flat_map(|transition| transition.inputs()).collect();
        let mut lacks: FxHashMap<PlaceId, Lit> = FxHashMap::default();
        for place in (0..net.places().len() as u32).map(PlaceId).filter(|place| used.contains(place)) {
            let lacking = self.variable();
            lacks.insert(place, lacking);
            for condition in self.conditions[place.index()].clone() {
                let gone = self.gone(condition);
                self.clause(gone.into_iter().chain([!lacking]));
            }
        }
        for transition in net.transitions() {
            self.clause(transition.inputs().map(|place| lacks[&place]));
        }
    }

    /// The histories of the configuration that the solver found.
    fn found(&self) -> Vec<HistoryId> {
        let there =
            |variable: &Option<Lit>| variable.is_some_and(|literal| self.solver.value_lit(literal) == lbool::TRUE);
        self.prefix.kept().filter(|history| there(&self.histories[history.0 as usize])).collect()
    }
}

/// Random nets, as the unfolder is tested with.
#[cfg(test)]
#[path = "../../por/tests/nets/generate.rs"]
#[allow(unreachable_pub, reason = "it is public for other tests")]
mod generate;

#[cfg(test)]
mod tests {
    use super::*;
    use por::Order;
    use por::nets::{Encoding, UnfoldOptions, encoded, unfold};

    /// Places up to three of which are to have tokens at a time, and a marking that is reachable as often as not.
    fn questions(net: &Net, random: &mut generate::Random, reachable: &[Marking]) -> Vec<Question> {
        let places = net.places().len() as u32;
        let cover = (0..1 + random.below(3)).map(|_| PlaceId(random.below(places))).collect();
        let mut marking = random.of(reachable).clone();
        if random.chance(50) {
            (0..places).map(PlaceId).for_each(|place| marking.set(place, random.chance(40)));
        }
        vec![Question::Deadlock, Question::Cover(cover), Question::Reach(marking)]
    }

    #[test]
    fn answers_are_those_of_brute_force() {
        let mut yes = [0; 3];
        for seed in 0..1000 {
            let net =
                encoded(&generate::net(seed), [Encoding::Contextual, Encoding::Loops][(seed % 4 == 0) as usize]).net;
            let reachable = net.reachable(5000).expect("it is safe").expect("it is small").markings;
            let questions = questions(&net, &mut generate::Random::new(seed), &reachable);
            for order in [Order::Size, Order::Erv] {
                let options = UnfoldOptions { order, ..UnfoldOptions::default() };
                let (prefix, _) = unfold(&net, options, &mut |_| true).expect("it is safe");
                for (question, yes) in questions.iter().zip(&mut yes) {
                    let expected = reachable.iter().any(|marking| question.holds(&net, marking));
                    let answer = question.answer(&prefix, true, &|| false);
                    assert_eq!(matches!(answer, Answer::Yes(_)), expected, "seed {seed} {question:?} {answer:?}");
                    assert!(expected || answer == Answer::No, "seed {seed} {question:?} {answer:?}");
                    *yes += u32::from(expected);
                }
            }
        }
        assert!(yes.iter().all(|yes| (500..1900).contains(yes)), "of 2000 each: {yes:?}");
    }

    /// What is found in a part of a prefix is there; what is not found may be elsewhere.
    #[test]
    fn part_of_a_prefix_answers_yes_only() {
        let (mut yes, mut unknown) = (0, 0);
        for seed in 0..500 {
            let net = generate::net(seed);
            let (prefix, _) = unfold(&net, UnfoldOptions::default(), &mut |so_far| so_far.histories < 5).unwrap();
            match Question::Deadlock.answer(&prefix, false, &|| false) {
                Answer::Yes(_) => yes += 1,
                Answer::Unknown => unknown += 1,
                Answer::No => panic!("seed {seed}"),
            }
        }
        assert!(yes > 20 && unknown > 100, "{yes} {unknown}");
    }
}

//! The execution of a violation as a space-time diagram: a lane for each thread, a node for each step, arrows for what
//! must come before what. The formats that show pictures draw this.
use super::{Effect, Place, Related, Step, Thread, Violation};
use interp::fault::Kind;

/// Longer schedules are left out: no viewer shows them.
const MOST_STEPS: usize = 20_000;

/// The diagram.
#[derive(Clone, Debug)]
pub(crate) struct Diagram<'a> {
    /// The threads of the lanes, by their numbers.
    pub threads: Vec<&'a Thread>,
    /// The nodes in the order of time; the error comes last.
    pub nodes: Vec<Node<'a>>,
    /// Arrows between nodes of different lanes. (Along a lane every node depends on the one before.)
    pub arrows: Vec<Arrow>,
    /// The number of steps if there are too many to be shown (then only the error is shown); else 0.
    pub left_out: usize,
}

/// Something that happens.
#[derive(Clone, Debug)]
pub(crate) struct Node<'a> {
    /// The thread, as a place among the lanes.
    pub lane: usize,
    /// What happens.
    pub text: String,
    /// Where, if known.
    pub place: Option<&'a Place>,
    /// The step of the schedule, if the node is a step and not part of the error.
    pub step: Option<&'a Step>,
}

/// From one node to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arrow {
    /// The place of a node.
    pub from: usize,
    /// The place of another one.
    pub to: usize,
    /// What it means.
    pub link: Link,
}

/// What two nodes have to do with one another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Link {
    /// The first one comes first in every order.
    Causes,
    /// Nothing orders them, and something should: both ends of a data race.
    Races,
    /// The first one can go on only when the thread of the other one does something.
    WaitsFor,
}

impl Link {
    /// The name in data.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Link::Causes => "causes",
            Link::Races => "races",
            Link::WaitsFor => "waits-for",
        }
    }
}

impl<'a> Diagram<'a> {
    /// Draws the execution of a violation.
    pub(crate) fn new(violation: &'a Violation) -> Self {
        let threads = threads(violation);
        let left_out = if violation.trace.len() > MOST_STEPS { violation.trace.len() } else { 0 };
        let mut diagram = Diagram { threads, nodes: Vec::new(), arrows: Vec::new(), left_out };
        for (at, step) in violation.trace.iter().enumerate().filter(|_| left_out == 0) {
            diagram.add(&step.thread, step.sentence(), step.place.as_ref(), Some(step));
            let others = step.causes().iter().filter(|before| violation.trace[**before].thread != step.thread);
            diagram.arrows.extend(others.map(|&from| Arrow { from, to: at, link: Link::Causes }));
        }
        match violation.kind {
            Kind::Deadlock | Kind::Livelock => diagram.add_waiting(violation),
            Kind::DataRace => diagram.add_race(violation),
            _ => diagram.add_fault(violation, violation.message.clone()),
        }
        diagram
    }

    /// The lane of a thread.
    pub(crate) fn lane(&self, thread: &Thread) -> usize {
        self.threads.iter().position(|other| other.number == thread.number).expect("every thread has a lane")
    }

    /// The nodes between which a thread exists: the first is the step that creates it.
    pub(crate) fn life(&self, lane: usize) -> (usize, usize) {
        let creates = |node: &Node<'_>| match node.step.map(|step| &step.effect) {
            Some(Effect::Creates(thread)) => thread.number == self.threads[lane].number,
            _ => false,
        };
        let own = |node: &Node<'_>| node.lane == lane;
        let ends = |node: &Node<'_>| own(node) && node.step.is_some_and(|step| step.effect == Effect::Ends);
        let first = self.nodes.iter().position(|node| own(node) || creates(node)).unwrap_or(0);
        let last = self.nodes.iter().rposition(ends).unwrap_or(self.nodes.len().saturating_sub(1));
        (first, last.max(first))
    }

    /// A note about the steps that are left out.
    pub(crate) fn note(&self) -> Option<String> {
        let steps = crate::units::show_count(self.left_out as u64);
        (self.left_out > 0).then(|| format!("its {steps} steps are too many to be shown"))
    }

    /// What the diagram is about, and what is left out.
    pub(crate) fn title(&self, violation: &Violation) -> String {
        let parts = [Some(super::text::title(violation)), self.note()];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    fn add(&mut self, thread: &Thread, text: String, place: Option<&'a Place>, step: Option<&'a Step>) {
        let lane = self.lane(thread);
        self.nodes.push(Node { lane, text, place, step });
    }

    fn add_fault(&mut self, violation: &'a Violation, text: String) {
        self.add(&violation.thread, text, violation.place.as_ref(), None);
    }

    fn add_related(&mut self, related: &'a Related, thread: &Thread) {
        // The lane says which thread it is.
        let text = related.message.strip_prefix(thread.name.as_str()).unwrap_or(&related.message).trim_start();
        self.add(thread, text.to_owned(), related.place.as_ref(), None);
    }

    /// Every thread that waits, and the thread that it waits for.
    fn add_waiting(&mut self, violation: &'a Violation) {
        let steps = self.nodes.len();
        let waiting: Vec<(&Related, &Thread)> = with_threads(violation).collect();
        for (related, thread) in &waiting {
            self.add_related(related, thread);
        }
        for (at, (related, _)) in waiting.iter().enumerate() {
            for other in &related.waits_for {
                let lane = self.lane(other);
                // (A thread that ended while it held a lock does not wait: then its last step is shown.)
                if let Some(to) = self.nodes.iter().rposition(|node| node.lane == lane) {
                    self.arrows.push(Arrow { from: steps + at, to, link: Link::WaitsFor });
                }
            }
        }
    }

    /// Adds both accesses of a race, which are the last steps of their threads. The other access, if it is known, is
    /// the first related item, and its message says so; the other items are about the memory.
    fn add_race(&mut self, violation: &'a Violation) {
        let other = with_threads(violation).next().filter(|(related, _)| related.message.starts_with("conflicting"));
        if let Some((related, thread)) = other {
            self.add_related(related, thread);
            let from = self.nodes.len() - 1;
            self.arrows.push(Arrow { from, to: from + 1, link: Link::Races });
        }
        self.add_fault(violation, violation.message.clone());
    }
}

fn with_threads(violation: &Violation) -> impl Iterator<Item = (&Related, &Thread)> {
    violation.related.iter().filter_map(|related| Some((related, related.thread.as_ref()?)))
}

/// Every thread that is named, by number.
fn threads(violation: &Violation) -> Vec<&Thread> {
    let created = violation.trace.iter().filter_map(|step| match &step.effect {
        Effect::Creates(thread) => Some(thread),
        _ => None,
    });
    let moving = violation.trace.iter().map(|step| &step.thread);
    let awaited = violation.related.iter().flat_map(|related| &related.waits_for);
    let related = with_threads(violation).map(|(_, thread)| thread);
    let mut all: Vec<&Thread> =
        moving.chain(created).chain(awaited).chain(related).chain([&violation.thread]).collect();
    all.sort_by_key(|thread| thread.number);
    all.dedup_by_key(|thread| thread.number);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn a_race_has_two_ends() {
        let report = samples::race();
        let diagram = Diagram::new(&report.violations[0]);
        let numbers: Vec<u32> = diagram.threads.iter().map(|thread| thread.number).collect();
        assert_eq!(numbers, [0, 1, 2]);
        let lanes: Vec<usize> = diagram.nodes.iter().map(|node| node.lane).collect();
        assert_eq!(lanes, [0, 0, 1, 2], "two creations, the other access, the access");
        assert_eq!(diagram.arrows, [Arrow { from: 2, to: 3, link: Link::Races }]);
    }

    #[test]
    fn a_race_is_between_the_accesses_whatever_else_is_related() {
        let mut report = samples::race();
        let violation = &mut report.violations[0];
        for thread in [violation.thread.clone(), violation.stacks[2].thread.clone()] {
            let allocated =
                Related { message: "allocated here".to_owned(), thread: Some(thread), ..violation.related[0].clone() };
            violation.related.push(allocated);
        }
        let diagram = Diagram::new(violation);
        let texts: Vec<&str> = diagram.nodes[2..].iter().map(|node| node.text.as_str()).collect();
        assert_eq!(texts, ["conflicting write by thread 1", violation.message.as_str()]);
        assert_eq!(diagram.arrows, [Arrow { from: 2, to: 3, link: Link::Races }]);
    }

    #[test]
    fn long_schedules_are_left_out() {
        let mut report = samples::race();
        let violation = &mut report.violations[0];
        violation.trace = vec![violation.trace[0].clone(); MOST_STEPS];
        assert_eq!(Diagram::new(violation).nodes.len(), MOST_STEPS + 2);
        violation.trace.push(violation.trace[0].clone());
        let diagram = Diagram::new(violation);
        assert_eq!((diagram.nodes.len(), diagram.arrows[0].from, diagram.arrows[0].to), (2, 0, 1));
        assert_eq!(diagram.note().unwrap(), "its 20,001 steps are too many to be shown");
    }

    #[test]
    fn a_deadlock_shows_who_waits_for_whom() {
        let report = samples::deadlock();
        let diagram = Diagram::new(&report.violations[0]);
        let texts: Vec<&str> = diagram.nodes.iter().map(|node| node.text.as_str()).collect();
        assert_eq!(texts[1..], ["locks mutex `a`", "locks mutex `b`", "waits for mutex `b`", "waits for mutex `a`"]);
        let arrow = |from, to, link| Arrow { from, to, link };
        assert_eq!(
            diagram.arrows,
            [arrow(0, 2, Link::Causes), arrow(3, 4, Link::WaitsFor), arrow(4, 3, Link::WaitsFor)]
        );
        assert_eq!((diagram.life(0), diagram.life(1)), ((0, 4), (0, 4)), "it exists as soon as it is created");
    }
}

//! Explorations that are interrupted again and again, and go on from checkpoints with systems that have just been made:
//! they see the same in the same order, and count the same, as those that are not.
use crate::campaign::{self, programs, setting};
use crate::program::{Cell, Program, Statement};
use crate::toy::{Fault, Toy};
use crate::{generate, judge};
use por::{Alternatives, Ending, Flow, Listener, Move, Options, Order, Outcome, Statistics};

/// Everything that a listener is told.
#[derive(Default)]
struct Seen(Vec<(Option<Ending>, Option<Fault>, Vec<Move>)>);

/// Wants a checkpoint after so many executions, and stops there.
struct Interrupting<'a> {
    seen: &'a mut Seen,
    left: u64,
    saved: Option<Vec<u8>>,
}

impl Listener<Toy> for Interrupting<'_> {
    fn execution(&mut self, _: &Toy, ending: Ending, schedule: &[Move]) -> Flow {
        self.seen.0.push((Some(ending), None, schedule.to_vec()));
        Flow::Continue
    }

    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        self.seen.0.push((None, Some(fault), schedule));
        Flow::Continue
    }

    fn wants_checkpoint(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }

    fn checkpoint(&mut self, _: &Toy, exploration: Vec<u8>) -> Flow {
        self.saved = Some(exploration);
        Flow::Stop
    }
}

/// Explores with an interruption after `every` executions, if that is not 0; how often that happened.
fn explore(program: &Program, options: &Options, every: u64) -> (Outcome, Seen, Statistics, u32) {
    let mut seen = Seen::default();
    let mut from: Option<Vec<u8>> = None;
    let mut interruptions = 0;
    loop {
        let left = if every == 0 { u64::MAX } else { every };
        let mut listener = Interrupting { seen: &mut seen, left, saved: None };
        let mut toy = Toy::new(program);
        let (outcome, statistics) = match &from {
            None => por::explore(&mut toy, options, &mut listener),
            Some(bytes) => por::resume(&mut toy, options, &mut listener, bytes).expect("it is the same program"),
        };
        match listener.saved {
            Some(bytes) => (from, interruptions) = (Some(bytes), interruptions + 1),
            None => return (outcome, seen, statistics, interruptions),
        }
    }
}

fn check(program: &Program, every: u64) -> Option<Result<u32, String>> {
    let base = Options { max_executions: Some(300), max_depth: 2_000, ..Options::default() };
    let ways = [
        Options { alternatives: Alternatives::Optimal, ..base.clone() },
        Options { alternatives: Alternatives::Partial(1), cache: 0, ..base.clone() },
        Options { cutoffs: Some(Order::Erv), late: 0, ..base.clone() },
        Options { cutoffs: Some(Order::Erv), alternatives: Alternatives::Optimal, cache: 0, ..base.clone() },
        Options { cutoffs: Some(Order::Erv), late: u64::MAX, period: 5, ..base.clone() },
        Options { cutoffs: Some(Order::Size), ..base },
    ];
    let mut all = 0;
    for options in ways {
        let (outcome, seen, statistics, _) = explore(program, &options, 0);
        let (outcome2, seen2, statistics2, interruptions) = explore(program, &options, every);
        all += interruptions;
        if outcome != outcome2 {
            return Some(Err(format!("{options:?}: {outcome2:?} instead of {outcome:?}")));
        }
        if seen.0 != seen2.0 {
            let at = seen.0.iter().zip(&seen2.0).take_while(|(a, b)| a == b).count();
            return Some(Err(format!("{options:?}: something else was seen, first {at}")));
        }
        // (What was done in vain, and what is left to do, is looked at anew.)
        let comparable = |statistics| Statistics { expected: 0.0, work: por::Work::default(), ..statistics };
        if comparable(statistics) != comparable(statistics2) {
            return Some(Err(format!("{options:?}: {statistics2:?} instead of {statistics:?}")));
        }
    }
    Some(Ok(all))
}

/// Two threads that store to the same place, behind a first action of main.
fn behind(first: Statement) -> Program {
    let place = Cell { granule: 0, start: 0, len: 1 };
    let main = vec![first, Statement::Create(1), Statement::Store(place, 1), Statement::Join(1)];
    Program { threads: vec![main, vec![Statement::Store(place, 2)]] }
}

#[test]
fn another_program_is_refused() {
    let store = |granule| Statement::Store(Cell { granule, start: 0, len: 1 }, 1);
    let (program, options) = (behind(store(1)), Options::default());
    let mut seen = Seen::default();
    let mut listener = Interrupting { seen: &mut seen, left: 1, saved: None };
    let (outcome, _) = por::explore(&mut Toy::new(&program), &options, &mut listener);
    assert_eq!(outcome, Outcome::Stopped);
    let saved = listener.saved.expect("there are two executions");
    let mut resume = |first| {
        let mut listener = Interrupting { seen: &mut seen, left: u64::MAX, saved: None };
        por::resume(&mut Toy::new(&behind(first)), &options, &mut listener, &saved).map(|(outcome, _)| outcome)
    };
    assert_eq!(resume(store(1)), Ok(Outcome::Complete));
    // The same label, but it touches something else.
    let corrupt = Err(por::Corrupt("the program does something else now".to_owned()));
    for first in [store(2), store(0), Statement::Load(Cell { granule: 1, start: 0, len: 1 }, 0), Statement::Lock(1)] {
        assert_eq!(resume(first.clone()), corrupt, "{first:?}");
    }
}

#[test]
fn interruptions_change_nothing() {
    let seed = setting("POR_SEED", 1) << 32;
    let interruptions = std::sync::atomic::AtomicU64::new(0);
    let programs = programs("POR_RESUMED", [40, 300]);
    campaign::run("interrupted explorations", seed, programs, |number| {
        let seed = seed + number;
        let program = if number % 2 == 0 { generate::program(seed) } else { generate::looping(seed) };
        let every = 1 + number % 5;
        let found = judge(seed, program, |program| check(program, every));
        let more = u64::from(found.unwrap_or(0));
        interruptions.fetch_add(more, std::sync::atomic::Ordering::Relaxed);
        found.is_some().into()
    });
    assert!(interruptions.into_inner() > programs, "hardly anything was interrupted");
}

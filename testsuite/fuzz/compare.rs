//! Every engine must find the same.
use crate::explored::{Explored, Mode, NAIVE, REDUCED, explore};
use interp::Machine;

/// What a comparison rested on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Compared {
    /// The naive engine came to an end.
    pub whole: bool,
    /// There is a data race, so that little can be compared.
    pub race: bool,
    /// There is another bug.
    pub bug: bool,
    /// Classes of executions.
    pub executions: u64,
}

/// Explores the program with all engines; an error says in what they differ.
pub(crate) fn compare(pristine: &Machine) -> Result<Compared, String> {
    let naive = explore(pristine, NAIVE);
    let reduced = REDUCED.map(|mode| (mode, explore(pristine, mode)));
    let [optimal, partial @ ..] = &reduced;
    if optimal.1.statistics.blocked != 0 {
        return Err(format!("the optimal mode was blocked {} times", optimal.1.statistics.blocked));
    }
    for (mode, found) in &reduced {
        if let Some(violation) = found.unconfirmed.first() {
            return Err(format!("{}: a replay does not show {violation}", mode.name));
        }
        if naive.complete && found.complete {
            agree((NAIVE, &naive), (*mode, found))?;
        } else if naive.races() && found.complete && !found.races() {
            return Err(format!("{} misses the data race", mode.name));
        }
    }
    for (mode, found) in partial {
        if found.complete && optimal.1.complete {
            agree((optimal.0, &optimal.1), (*mode, found))?;
            let counts = |explored: &Explored| (explored.statistics.executions, explored.statistics.pruned);
            same(optimal.0, *mode, "executions", &counts(&optimal.1), &counts(found))?;
        }
    }
    Ok(Compared {
        whole: naive.complete,
        race: naive.races(),
        bug: naive.bugs.len() > usize::from(naive.races()),
        executions: optimal.1.statistics.executions,
    })
}

/// Two complete explorations found the same. Which access of a race comes second, and what its thread would have done
/// next, depends on the order within a class of executions; so behind a race only the race is compared.
fn agree((one, by_one): (Mode, &Explored), (other, by_other): (Mode, &Explored)) -> Result<(), String> {
    same(one, other, "data race", &by_one.races(), &by_other.races())?;
    if by_one.races() {
        return Ok(());
    }
    same(one, other, "bugs", &by_one.bugs, &by_other.bugs)?;
    same(one, other, "reasons for unknown", &by_one.unknown, &by_other.unknown)?;
    if by_one.unknown.is_empty() {
        same(one, other, "final states", &by_one.states, &by_other.states)?;
    }
    Ok(())
}

fn same<T: PartialEq + std::fmt::Debug>(one: Mode, other: Mode, what: &str, a: &T, b: &T) -> Result<(), String> {
    if a == b { Ok(()) } else { Err(format!("{what} differ\n{}: {a:?}\n{}: {b:?}", one.name, other.name)) }
}

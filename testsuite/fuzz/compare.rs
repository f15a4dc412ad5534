//! Compares the engines with brute force, and where there is too much for that, with each other.

use crate::brute::{self, Everything, Failure};
use crate::engine::{Found, Mode, run};
use interp::Machine;

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Compared {
    /// With every interleaving; otherwise the engines with each other only.
    pub(crate) whole: bool,
    /// There is a data race, so that little can be compared.
    pub(crate) race: bool,
    /// There is another bug.
    pub(crate) bug: bool,
}

/// Compares on a machine that was not started yet; says what differs. Nothing is compared with more interleavings than
/// `limit` or ten times as many executions.
pub(crate) fn compare(machine: &Machine, limit: u64) -> Result<Compared, String> {
    let everything = match brute::explore(&mut machine.clone(), limit) {
        Ok(everything) => Some(everything),
        Err(Failure::TooMany) => None,
        Err(Failure::Ambiguous) => return Err("two interleavings of one class end in different states".into()),
    };
    let most = 10 * limit;
    let mut compared = Compared { whole: everything.is_some(), race: false, bug: false };
    let Some(optimal) = run(machine, Mode::OPTIMAL, most)? else { return Ok(compared) };
    compared.race = optimal.racy();
    compared.bug = optimal.bugs.len() > usize::from(optimal.racy());
    if optimal.blocked != 0 {
        return Err(format!("optimal alternatives block {} executions", optimal.blocked));
    }
    if let Some(everything) = &everything {
        with_brute_force(machine, everything, &optimal, most)?;
    }
    for mode in Mode::OTHERS {
        let Some(other) = run(machine, mode, most)? else { continue };
        other.agree(&optimal).map_err(|e| format!("{}: {e}", mode.name))?;
        let (executions, wanted) = (other.executions, optimal.executions);
        if executions < wanted || mode.optimal && (executions, other.blocked) != (wanted, 0) {
            return Err(format!("{}: {executions} executions, optimal alternatives {wanted}", mode.name));
        }
    }
    Ok(compared)
}

/// The numbers are those of the classes and of the interleavings, and what is found is the same.
fn with_brute_force(machine: &Machine, everything: &Everything, optimal: &Found, most: u64) -> Result<(), String> {
    let all = everything.found();
    optimal.agree(&all).map_err(|e| format!("optimal alternatives: {e}"))?;
    let classes = everything.classes.len() as u64;
    if !all.racy() && !optimal.gave_up() && optimal.executions != classes {
        return Err(format!("optimal alternatives: {} executions of {classes} classes", optimal.executions));
    }
    let naive = run(machine, Mode::NAIVE, most)?.ok_or("the naive engine finds too many interleavings")?;
    naive.agree(&all).map_err(|e| format!("naive engine: {e}"))?;
    match naive.executions == everything.interleavings {
        true => Ok(()),
        false => Err(format!("naive engine: {} of {} interleavings", naive.executions, everything.interleavings)),
    }
}

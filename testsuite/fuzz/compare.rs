//! Compares the engines with brute force, and where there is too much for that, with each other.

use crate::brute::{self, Everything, Failure};
use crate::engine::{Found, Mode, learn, run};
use interp::{Machine, QueueUsage};

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Compared {
    /// With every interleaving; otherwise the engines with each other only.
    pub(crate) whole: bool,
    /// There is a data race, so that little can be compared.
    pub(crate) race: bool,
    /// There is another bug.
    pub(crate) bug: bool,
    /// There are loops that may never end.
    pub(crate) loops: bool,
    /// How often it was also explored without a bound on its loops.
    pub(crate) endless: u32,
}

/// Compares on a machine that was not started yet; says what differs. Nothing is compared with more interleavings than
/// `limit` or ten times as many executions.
pub(crate) fn compare(machine: &Machine, limit: u64) -> Result<Compared, String> {
    // What actions depend on is learned: what atomic blocks touch, with which mutexes threads wait.
    let mut settled = machine.clone();
    let found = learn(&mut settled, Mode::OPTIMAL, 10 * limit)?;
    let racy = found.is_none_or(|found| found.racy());
    if has_blocks(machine) && racy {
        return compare_racing_blocks(machine, 10 * limit);
    }
    let machine = &settled;
    let everything = match brute::explore(&mut machine.clone(), limit) {
        Ok(everything) => Some(everything),
        Err(Failure::TooMany) => None,
        Err(Failure::Ambiguous) => return Err("two interleavings of one class end in different states".into()),
    };
    let most = 10 * limit;
    let whole = everything.is_some();
    let mut compared = Compared { whole, race: false, bug: false, loops: false, endless: 0 };
    let Some(optimal) = again(machine, Mode::OPTIMAL, most, racy)? else { return Ok(compared) };
    compared.race = optimal.racy();
    compared.bug = optimal.bugs.len() > usize::from(optimal.racy());
    // (Where a thread stops for a race, others may count on it.)
    let exact = !compared.race && !optimal.gave_up();
    if optimal.blocked != 0 && exact {
        return Err(format!("optimal alternatives block {} executions", optimal.blocked));
    }
    if let Some(everything) = &everything {
        if everything.restarts && exact {
            return Err("an interleaving has a race that was not promoted".into());
        }
        if let Some(sly) = &everything.sly {
            return Err(format!("an action writes more than it says: {sly}"));
        }
        with_brute_force(machine, everything, &optimal, most)?;
    }
    for mode in Mode::OTHERS {
        let Some(other) = again(machine, mode, most, racy)? else { continue };
        other.agree(&optimal).map_err(|e| format!("{}: {e}", mode.name))?;
        let (executions, wanted) = (other.executions, optimal.executions);
        let too_few = exact && executions < wanted;
        let redundant = mode.optimal && exact && (executions, other.blocked) != (wanted, 0);
        if too_few || redundant {
            return Err(format!("{}: {executions} executions, optimal alternatives {wanted}", mode.name));
        }
    }
    if let Some(observed) = learn(&mut machine.clone(), Mode::OBSERVERS, most)? {
        observed.finds_the_same(&optimal).map_err(|e| format!("observers: {e}"))?;
        let (executions, blocked) = (observed.executions, observed.blocked);
        if exact && (executions > optimal.executions || blocked != 0) {
            return Err(format!("observers: {executions} executions and {blocked} blocked of {}", optimal.executions));
        }
    }
    for mode in Mode::ALL_CUTOFFS {
        let cut = learn(&mut machine.clone(), mode, most)?.ok_or("cutoffs: too many executions")?;
        cut.finds_the_same(&optimal).map_err(|e| format!("{}: {e}", mode.name))?;
    }
    for mode in [Mode::STATES, Mode::ALL_STATES] {
        let Some(states) = learn(&mut machine.clone(), mode, most)? else { continue };
        states.finds_the_same(&optimal).map_err(|e| format!("{}: {e}", mode.name))?;
        // (What threads that were joined have returned counts for final states of executions, and not for states.)
        if exact && !states.complete.is_subset(&optimal.complete) {
            return Err(format!("{}: a final one that is none", mode.name));
        }
    }
    Ok(compared)
}

/// Explores a machine that has learned all there is, in another way. Only where there is a data race may that one have
/// more to learn: threads stop early then, in different ways.
fn again(machine: &Machine, mode: Mode, most: u64, racy: bool) -> Result<Option<Found>, String> {
    if racy { learn(&mut machine.clone(), mode, most) } else { run(machine, mode, most) }
}

fn has_blocks(machine: &Machine) -> bool {
    machine.module().functions.iter().any(|function| function.name.starts_with("__VERIFIER_atomic_"))
}

/// Where there is a data race, threads stop early, in different ways, and the engines need not learn the same of
/// blocks.
fn compare_racing_blocks(machine: &Machine, most: u64) -> Result<Compared, String> {
    let compared = Compared { whole: false, race: true, bug: false, loops: false, endless: 0 };
    let Some(optimal) = learn(&mut machine.clone(), Mode::OPTIMAL, most)? else { return Ok(compared) };
    for mode in Mode::OTHERS.into_iter().chain([Mode::NAIVE, Mode::OBSERVERS, Mode::STATES]) {
        if let Some(other) = learn(&mut machine.clone(), mode, most)? {
            other.agree(&optimal).map_err(|e| format!("{}: {e}", mode.name))?;
        }
    }
    Ok(compared)
}

/// Compares, on machines that were not started yet, blocks that depend on what they touch with blocks each of which
/// depends on every action. (What a thread leaves undone that fails in the middle of a block, or comes there to a lock
/// that is held, differs.)
pub(crate) fn compare_footprints([some, all]: &mut [Machine; 2], limit: u64) -> Result<(), String> {
    if !has_blocks(some) {
        return Ok(());
    }
    let every = match brute::explore(&mut all.clone(), limit) {
        Ok(everything) if !everything.restarts => Some(everything.found()),
        _ => learn(all, Mode::OPTIMAL, 10 * limit)?,
    };
    let Some(every) = every else { return Ok(()) };
    for mode in [Mode::OPTIMAL, Mode::WAKEUP_TREES, Mode::CUTOFFS, Mode::STATES] {
        let Some(found) = learn(&mut some.clone(), mode, 10 * limit)? else { continue };
        found.finds_the_same(&every).map_err(|e| format!("footprints, {}: {e}", mode.name))?;
        let whole = every.bugs.is_empty() && every.unknown.is_empty();
        let exact = mode.optimal && !every.racy() && whole && !found.gave_up() && !every.gave_up();
        if exact && matches!(mode.name, "optimal alternatives" | "wakeup trees") && found.states != every.states {
            let (found, wanted) = (found.states.len(), every.states.len());
            return Err(format!("footprints, {}: {found} final states instead of {wanted}", mode.name));
        }
    }
    Ok(())
}

/// What was compared of a program with threads that are the same function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Symmetry {
    /// With every interleaving of threads that begin in one order.
    pub(crate) whole: bool,
    /// There are fewer executions than with each thread on its own.
    pub(crate) fewer: bool,
    pub(crate) bug: bool,
}

/// Compares, on machines that were not started yet, threads on their own with threads that begin in one order if
/// nothing tells them apart: both ways, the same goes wrong, and the final states are the same up to which thread is
/// which. (Blocks have other addresses then, so they are compared only if `states` says so.) `usual` is a machine as
/// programs are explored by default.
pub(crate) fn compare_symmetry(
    [apart, alike, usual]: &mut [Machine; 3],
    limit: u64,
    states: bool,
) -> Result<Option<Symmetry>, String> {
    let most = 10 * limit;
    let Some(all) = learn(apart, Mode::OPTIMAL, most)? else { return Ok(None) };
    let Some(found) = learn(alike, Mode::OPTIMAL, most)? else {
        return Err("more executions where threads are alike".to_owned());
    };
    found.finds_the_same_up_to_exchange(&all).map_err(|e| format!("alike: {e}"))?;
    let exact = !all.racy() && !all.gave_up() && all.unknown.is_empty();
    if exact && (found.executions > all.executions || found.blocked != 0) {
        let counts = (found.executions, all.executions, found.blocked);
        return Err(format!("alike: executions, blocked: {counts:?}"));
    }
    if exact && states && found.up_to_exchange != all.up_to_exchange {
        let counts = (found.up_to_exchange.len(), all.up_to_exchange.len());
        return Err(format!("alike: final states up to exchange: {counts:?}"));
    }
    let mut whole = false;
    match brute::explore(&mut alike.clone(), limit) {
        Ok(every) if exact && !every.restarts => {
            whole = true;
            every.found().finds_the_same_up_to_exchange(&all).map_err(|e| format!("alike, every interleaving: {e}"))?;
            if every.classes.len() as u64 != found.executions {
                let counts = (every.classes.len(), found.executions);
                return Err(format!("alike: classes, executions: {counts:?}"));
            }
        }
        Ok(_) | Err(Failure::TooMany) => {}
        Err(Failure::Ambiguous) if !exact => {}
        Err(Failure::Ambiguous) => return Err("alike: two interleavings of one class end differently".into()),
    }
    for mode in [Mode::WAKEUP_TREES, Mode::OBSERVERS, Mode::NAIVE].into_iter().chain(Mode::OTHERS) {
        let Some(other) = learn(&mut alike.clone(), mode, most)? else { continue };
        other.finds_the_same_up_to_exchange(&all).map_err(|e| format!("alike, {}: {e}", mode.name))?;
        // (With observers stores have no place in a line.)
        let most = if mode.name == Mode::OBSERVERS.name { all.executions } else { found.executions };
        let is_optimal = mode.optimal && mode.name != Mode::NAIVE.name;
        if exact && is_optimal && (other.executions > most || other.blocked != 0) {
            let counts = (other.executions, most, other.blocked);
            return Err(format!("alike, {}: executions, blocked: {counts:?}", mode.name));
        }
    }
    if let Some(other) = learn(usual, Mode::OBSERVERS, most)? {
        other.finds_the_same_up_to_exchange(&all).map_err(|e| format!("alike, as by default: {e}"))?;
    }
    Ok(Some(Symmetry { whole, fewer: found.executions < all.executions, bug: !all.bugs.is_empty() }))
}

/// What was compared of a program with critical sections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sections {
    /// With every interleaving of quiet sections.
    pub(crate) whole: bool,
    /// There are fewer executions than with all sections in order.
    pub(crate) fewer: bool,
}

/// Compares, on machines that were not started yet, critical sections in order with those that are quiet: one action
/// each, which depend on what they touch. That is also the system that the engines explore, and brute force, too: so
/// the number of its classes is known by a definition, and all interleavings of a class must end in one state.
pub(crate) fn compare_sections([ordered, quiet]: &mut [Machine; 2], limit: u64) -> Result<Option<Sections>, String> {
    let most = 10 * limit;
    let Some(all) = learn(ordered, Mode::OPTIMAL, most)? else { return Ok(None) };
    let Some(found) = learn(quiet, Mode::OPTIMAL, most)? else { return Ok(None) };
    found.agree(&all).map_err(|e| format!("quiet sections: {e}"))?;
    let exact = !all.racy() && !all.gave_up() && all.unknown.is_empty();
    if exact && (found.complete != all.complete || found.executions > all.executions || found.blocked != 0) {
        let counts = (found.complete.len(), all.complete.len(), found.executions, all.executions, found.blocked);
        return Err(format!("quiet sections: final states, executions, blocked: {counts:?}"));
    }
    let mut whole = false;
    let mut system = quiet.clone();
    por::System::prepare(&mut system, por::Needs { waits: true, ..por::Needs::default() });
    match brute::explore(&mut system, limit) {
        Ok(every) if exact && !every.restarts => {
            whole = true;
            if let Some(sly) = &every.sly {
                return Err(format!("an action writes more than it says: {sly}"));
            }
            every.found().finds_the_same(&all).map_err(|e| format!("quiet sections, every interleaving: {e}"))?;
            if every.classes.len() as u64 != found.executions {
                return Err(format!(
                    "{} classes of quiet sections, {} executions",
                    every.classes.len(),
                    found.executions
                ));
            }
        }
        Ok(_) | Err(Failure::TooMany) => {}
        Err(Failure::Ambiguous) if !exact => {}
        Err(Failure::Ambiguous) => {
            return Err("two interleavings of quiet sections of one class end differently".into());
        }
    }
    let others = [Mode::WAKEUP_TREES, Mode::OBSERVERS, Mode::CUTOFFS];
    for mode in others.into_iter().chain(Mode::OTHERS) {
        let Some(other) = learn(&mut quiet.clone(), mode, most)? else { continue };
        other.finds_the_same(&all).map_err(|e| format!("quiet sections, {}: {e}", mode.name))?;
        if exact && mode.optimal && (other.executions > found.executions || other.blocked != 0) {
            let counts = (other.executions, found.executions, other.blocked);
            return Err(format!("quiet sections, {}: executions, blocked: {counts:?}", mode.name));
        }
    }
    Ok(Some(Sections { whole, fewer: found.executions < all.executions }))
}

/// Compares, on machines that were not started yet, everything with what is left of it if nothing is ordered or
/// repeated that need not be.
pub(crate) fn compare_refined([all, refined]: &mut [Machine; 2], most: u64) -> Result<(), String> {
    let Some(optimal) = learn(all, Mode::OPTIMAL, most)? else { return Ok(()) };
    let Some(refined) = learn(refined, Mode::OBSERVERS, most)? else {
        return Err("more executions with all refinements".to_owned());
    };
    refined.finds_the_same(&optimal).map_err(|e| format!("all refinements: {e}"))?;
    let (executions, blocked) = (refined.executions, refined.blocked);
    let exact = !optimal.racy() && !optimal.gave_up();
    match exact && (executions > optimal.executions || blocked != 0) {
        true => Err(format!("all refinements: {executions} executions, {blocked} blocked of {}", optimal.executions)),
        false => Ok(()),
    }
}

/// Compares on a machine that was not started yet a program with queues, which are kept in the way that exploration
/// finds out to be right, with the same in which all actions on a queue depend on one another. `None`: there is too
/// much of it.
pub(crate) fn compare_queues(machine: &mut Machine, limit: u64) -> Result<Option<Compared>, String> {
    let most = 10 * limit;
    let Some(found) = learn(machine, Mode::OPTIMAL, most)? else { return Ok(None) };
    let mut lists = machine.clone();
    lists.keep_queues(QueueUsage::LISTS);
    if let Some(exact) = learn(&mut lists, Mode::OPTIMAL, most)? {
        found.finds_the_same(&exact).map_err(|e| format!("rings: {e}"))?;
    }
    compare(machine, limit).map(Some)
}

/// Compares, on machines that were not started yet, a program whose loops end after a few rounds with the same one
/// whose loops may go on for ever, which cutoffs end. What goes wrong in the former does so in the latter, whatever
/// option is used. (And what goes wrong in the latter is replayed.) `waiting` is like the latter, but threads that spin
/// wait, so that without other loops it ends without cutoffs. False if there is too much of it.
pub(crate) fn compare_endless([bounded, endless, waiting]: &mut [Machine; 3], most: u64) -> Result<bool, String> {
    let Some(bounded) = learn(bounded, Mode::OPTIMAL, most)? else { return Ok(false) };
    let mut first: Option<Found> = None;
    for mode in Mode::ALL_CUTOFFS.into_iter().chain([Mode::STATES, Mode::ALL_STATES]) {
        let Some(found) = learn(&mut endless.clone(), mode, most)? else { continue };
        found.finds_all_of(&bounded).map_err(|e| format!("{} without a bound: {e}", mode.name))?;
        if let Some(first) = &first {
            found.finds_all_of(first).map_err(|e| format!("{} without a bound, as others: {e}", mode.name))?;
            first.finds_all_of(&found).map_err(|e| format!("without a bound, as {}: {e}", mode.name))?;
        }
        first.get_or_insert(found);
    }
    let Some(first) = first else { return Ok(false) };
    for mode in [Mode::CUTOFFS, Mode::OPTIMAL, Mode::WAKEUP_TREES, Mode::OBSERVERS] {
        let mut waiting = waiting.clone();
        let Some(mut found) = learn(&mut waiting, mode, most)? else { continue };
        found.finds_all_of(&first).map_err(|e| format!("{}, waiting: {e}", mode.name))?;
        // (Of a thread that changes memory for ever, only those that wait know that nobody looks there.)
        if waiting.counts_anywhere() {
            found.overlook_livelocks();
        }
        first.finds_all_of(&found).map_err(|e| format!("without waiting, as {}: {e}", mode.name))?;
    }
    Ok(true)
}

/// Compares, on machines that were not started yet and promote what races, one on which accesses are local until then
/// with one on which they never are. `None`: there are too many interleavings, or something is not split into actions.
/// `cut` is one like the first, to be explored with cutoffs.
pub(crate) fn compare_promotion([auto, all, cut]: &mut [Machine; 3], most: u64) -> Result<Option<Promoted>, String> {
    let Some(found) = learn(auto, Mode::OPTIMAL, most)? else { return Ok(None) };
    let visible = learn(all, Mode::OPTIMAL, most)?;
    // (Nothing is learned from its start on if everything has been learned before.)
    let naive = match visible {
        Some(_) => run(all, Mode::NAIVE, most)?,
        None => None,
    };
    let compared = compare(auto, most.min(3_000))?;
    let Some(naive) = naive else { return Ok(None) };
    if !found.unknown.is_empty() || !naive.unknown.is_empty() {
        return Ok(None);
    }
    let observed = learn(&mut cut.clone(), Mode::OBSERVERS, most)?.ok_or("observers: too many executions")?;
    observed.agree_exactly(&naive, false).map_err(|e| format!("observers: {e}"))?;
    let cut = learn(cut, Mode::CUTOFFS, most)?.ok_or("cutoffs: too many executions")?;
    if !cut.finds_bugs_of(&naive) {
        return Err(format!("cutoffs: violations {:?} instead of {:?}", cut.bugs, naive.bugs));
    }
    // A thread that fails in an atomic block leaves it closed, and it depends on the actions of others where they stand
    // then.
    let blocks = auto.module().functions.iter().any(|function| function.name.starts_with("__VERIFIER_atomic_"));
    found
        .agree_exactly(&naive, !blocks || naive.bugs.is_empty())
        .map_err(|e| format!("with every access visible: {e}"))?;
    Ok(Some(Promoted { places: auto.promoted(), whole: compared.whole, bug: !found.bugs.is_empty() }))
}

/// What was compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promoted {
    /// How many places are promoted.
    pub(crate) places: u64,
    /// Also with every interleaving of what is then visible.
    pub(crate) whole: bool,
    /// There is a bug.
    pub(crate) bug: bool,
}

/// The numbers are those of the classes and of the interleavings, and what is found is the same.
fn with_brute_force(machine: &Machine, everything: &Everything, optimal: &Found, most: u64) -> Result<(), String> {
    let all = everything.found();
    optimal.agree(&all).map_err(|e| format!("optimal alternatives: {e}"))?;
    let classes = everything.classes.len() as u64;
    if !all.racy() && !optimal.gave_up() && optimal.executions != classes {
        return Err(format!("optimal alternatives: {} executions of {classes} classes", optimal.executions));
    }
    let naive = again(machine, Mode::NAIVE, most, all.racy())?;
    let naive = naive.ok_or("the naive engine finds too many interleavings")?;
    naive.agree(&all).map_err(|e| format!("naive engine: {e}"))?;
    match naive.executions == everything.interleavings {
        true => Ok(()),
        false => Err(format!("naive engine: {} of {} interleavings", naive.executions, everything.interleavings)),
    }
}

//! Threads that wait for one another until another one releases them ([`Livelocks::may_be_released`]): does any ever do
//! so?
//!
//! In each new state in which that is to be seen, a state is looked for in which it is not so any more: with all
//! actions, in depth, until there is one. Mostly it is near. If there is none, they are stuck. (Sleep sets leave out
//! actions, so what was explored does not say it.)
use crate::feasible_variants;
use crate::spinning::Unclear;
use crate::system::{Decisions, Livelocks, ThreadId, Variant};
use rustc_hash::FxHashSet;

/// States that are looked at before we give up.
const MOST: usize = 100_000;

/// Whether the current state leads to one in which no thread waits to be released. It is left as it was.
pub(crate) fn may_come<S: Livelocks + Decisions>(system: &mut S) -> Result<bool, Unclear> {
    let mut known = FxHashSet::default();
    let mut path = vec![moves(system)];
    let mut found = Ok(false);
    while let Some(open) = path.last_mut() {
        let Some((thread, variant)) = open.pop() else {
            path.pop();
            if !path.is_empty() {
                system.undo();
            }
            continue;
        };
        system.mark();
        let step = system.execute(thread, variant.label);
        let state = system.state();
        let end = match (step.restart, state) {
            (true, _) => Some(Err(Unclear::Restart)),
            _ if !system.may_be_released() => Some(Ok(true)),
            (_, None) => Some(Err(Unclear::TooMany)),
            (_, Some(_)) if known.len() > MOST => Some(Err(Unclear::TooMany)),
            (_, Some(state)) => {
                path.push(if known.insert(state) { moves(system) } else { Vec::new() });
                None
            }
        };
        if let Some(end) = end {
            (0..path.len()).for_each(|_| system.undo());
            found = end;
            break;
        }
    }
    found
}

fn moves<S: Livelocks + Decisions>(system: &mut S) -> Vec<(ThreadId, Variant)> {
    let mut moves = Vec::new();
    let mut variants = Vec::new();
    for thread in (0..system.threads()).map(ThreadId) {
        feasible_variants(system, thread, &mut variants);
        moves.extend(variants.drain(..).map(|variant| (thread, variant)));
    }
    moves
}

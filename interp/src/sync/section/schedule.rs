//! Schedules with quiet sections, as machines take them whose sections are in order.
use crate::verdict::fault::Fault;
use por::{Move, ThreadId};

/// The label of a lock that is a whole quiet section, up to and with the unlock. (Those of decisions are larger.)
pub(crate) const WHOLE_SECTION: u32 = (1 << 30) - 1;

/// The schedule with each quiet section as two moves, as a machine takes it whose sections are in order.
pub fn with_sections_in_order(schedule: &[Move]) -> Vec<Move> {
    let moves = schedule.iter().flat_map(|step| match step.label {
        WHOLE_SECTION => [Some(Move { label: 0, ..*step }), Some(Move { label: 0, ..*step })],
        _ => [Some(*step), None],
    });
    moves.flatten().collect()
}

/// The schedules with sections in order, and without turns in vain, of which one shows the fault. The second of two
/// sections that have nothing to do with one another knows the first one if sections are in order; so what happens in a
/// section is seen to race only if nothing comes after that section.
pub fn schedules_in_order(fault: &Fault, schedule: &[Move]) -> Vec<Vec<Move>> {
    let schedule = fault.without_polls(schedule);
    let mut all = vec![with_sections_in_order(&schedule)];
    if all[0].len() == schedule.len() {
        return all;
    }
    let last = |thread: ThreadId| schedule.iter().rposition(|step| step.thread == thread);
    for &(thread, _) in &fault.involved {
        let (Some(other), Some(own)) = (last(thread), last(fault.thread)) else { continue };
        for ends in [[other, own], [own, other]] {
            let rest = (0..schedule.len()).filter(|at| !ends.contains(at));
            let order: Vec<Move> = rest.chain(ends).map(|at| schedule[at]).collect();
            let mut order = with_sections_in_order(&order);
            all.push(order.clone());
            // (A thread that stops in its section does not come to the unlock.)
            order.pop();
            all.push(order);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_in_order_has_both_ends() {
        let step = |thread, label| Move { thread: ThreadId(thread), label };
        let schedule = [step(0, 0), step(1, WHOLE_SECTION), step(2, 1)];
        assert_eq!(with_sections_in_order(&schedule), [step(0, 0), step(1, 0), step(1, 0), step(2, 1)]);
    }
}

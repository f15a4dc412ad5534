//! What was explored, in words: every event is executed once more, behind its local configuration.
use super::narrate::Narration;
use crate::report::{Event, Step, Unfolding};
use crate::units::show_count;
use interp::Machine;
use por::{Move, Prefix, System};

/// Why an exploration that was told to stop leaves it out.
pub(crate) const NO_TIME: &str = "the time was over before it could be described";

/// Why there is none where another engine has answered.
pub(crate) fn by_another(engine: &str) -> String {
    format!("the answer is from the engine `{engine}`, which has none; `--engine unfolding` has it")
}

/// Describes a prefix, on copies of a machine that was not started yet. `all` is how many events were executed.
pub(crate) fn describe(
    machine: &Machine,
    prefix: Option<Prefix>,
    all: u64,
    stop: impl Fn() -> bool,
) -> Result<Unfolding, String> {
    let Some(prefix) = prefix else {
        let (most, all) = (show_count(Unfolding::MOST_EVENTS as u64), show_count(all));
        return Err(format!("it has {all} events, and up to {most} are shown"));
    };
    let mut steps: Vec<Option<Step>> = vec![None; prefix.events.len()];
    // Later events have more behind them, so few replays meet all.
    for last in (0..prefix.events.len()).rev() {
        if steps[last].is_some() {
            continue;
        }
        if stop() {
            return Err(NO_TIME.to_owned());
        }
        let configuration = prefix.local_configuration(last);
        let moves: Vec<Move> = configuration.iter().map(|event| prefix.events[*event].action).collect();
        let told = tell(machine.clone(), &moves).ok_or("an event cannot be repeated, which is a fault of verify")?;
        for (event, step) in configuration.into_iter().zip(told) {
            steps[event].get_or_insert(Step { after: Some(prefix.events[event].causes.clone()), ..step });
        }
    }
    let conflicts = prefix.immediate_conflicts();
    let events = prefix.events.iter().zip(steps);
    let events = events.filter_map(|(event, step)| Some(Event { step: step?, cutoff: event.cutoff }));
    Ok(Unfolding { events: events.collect(), conflicts })
}

/// Executes moves, if they are possible.
fn tell(mut machine: Machine, moves: &[Move]) -> Option<Vec<Step>> {
    let mut narration = Narration::default();
    machine.start();
    for step in moves {
        let mut variants = Vec::new();
        por::current_variants(&machine, step.thread, &mut variants);
        variants.iter().find(|variant| variant.label == step.label)?;
        narration.before(&machine, *step);
        machine.execute(step.thread, step.label);
        narration.behind(&machine, *step);
    }
    Some(narration.steps)
}

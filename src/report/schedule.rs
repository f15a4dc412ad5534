//! A schedule as a numbered list: who moves, what it does, what comes of it, where.
use super::excerpt::shorten_place;
use super::style::{Role, Style};
use super::{Place, Step, Thread, Violation};
use crate::cli::units::show_count;
use interp::fault::Kind;

/// How many steps a loop in a schedule has at most, if its rounds are to be recognised.
const LONGEST_ROUND: usize = 16;

/// How many equal rounds in a row are shown one by one.
const ROUNDS_SHOWN: usize = 3;

/// Lists the steps that lead to a violation, and the violation.
pub(crate) fn render(violation: &Violation, style: Style) -> String {
    let steps = &violation.trace;
    let all = || steps.iter().map(|step| &step.thread).chain([&violation.thread]);
    let digits = steps.len().to_string().len();
    // A long name of a thread's function must not push everything else aside; it stands in the stacks anyway.
    let long = all().any(|thread| thread.name.len() > style.width / 3);
    let name = |thread: &Thread| if long { without_function(&thread.name) } else { thread.name.clone() };
    let widest = all().map(|thread| name(thread).len()).max().unwrap_or(0);
    let line = |number: &str, thread: &str, text: &str, place: &Option<Place>| {
        let place = place.as_ref().map(|place| format!("  {}", style.paint(Role::Faint, &shorten_place(place))));
        let prefix = format!("  {number:>digits$}  {thread:<widest$}  ");
        style.wrap(&prefix, &format!("{text}{}", place.unwrap_or_default()))
    };
    let mut out = String::new();
    let mut i = 0;
    while let Some(step) = steps.get(i) {
        if let Some((round, rounds)) = rounds_before(steps, i) {
            let what = if round == 1 { "step".to_owned() } else { format!("{round} steps") };
            let text = format!("the last {what}, {} times more", show_count(rounds as u64));
            out += &line("…", "", &style.paint(Role::Faint, &text), &None);
            i += round * rounds;
            continue;
        }
        i += 1;
        let value = step.value.as_ref().map(|value| format!(", {value}")).unwrap_or_default();
        out += &line(&i.to_string(), &name(&step.thread), &format!("{}{value}", step.action), &step.place);
    }
    let end = style.paint(Role::Bad, &violation.kind.name().replace('-', " "));
    // Nobody is to blame alone for a deadlock.
    out += &match violation.kind {
        Kind::Deadlock => line("=", "", &format!("{end}: no thread can go on"), &None),
        _ => line("=", &name(&violation.thread), &end, &violation.place),
    };
    out
}

/// If the last steps before number `i` are [`ROUNDS_SHOWN`] equal rounds of a loop: how many steps a round has, and how many
/// rounds follow that are equal again.
fn rounds_before(steps: &[Step], i: usize) -> Option<(usize, usize)> {
    (1..=LONGEST_ROUND).take_while(|round| round * ROUNDS_SHOWN <= i).find_map(|round| {
        let (shown, rest) = (&steps[i - round * ROUNDS_SHOWN..i], &steps[i..]);
        let last = &shown[shown.len() - round..];
        let rounds = rest.chunks_exact(round).take_while(|next| *next == last).count();
        (rounds > 0 && shown.chunks_exact(round).all(|next| next == last)).then_some((round, rounds))
    })
}

fn without_function(name: &str) -> String {
    name.split(" (").next().unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn rounds_of_a_loop_are_shown_three_times() {
        let mut violation = samples::race().violations.remove(0);
        let steps = violation.trace.clone();
        violation.trace = [&steps[..1], &vec![steps.clone(); 1000].concat(), &steps[1..]].concat();
        let text = render(&violation, Style::new(80, false));
        let is_number = |word: &&str| *word == "…" || word.parse::<u32>().is_ok();
        let numbers = text.lines().filter_map(|line| line.split_whitespace().next().filter(is_number));
        // A step, three rounds of two, the others at a glance, a step.
        assert_eq!(numbers.collect::<Vec<_>>(), ["1", "2", "3", "4", "5", "6", "7", "…", "2002"], "{text}");
        assert!(text.contains("the last 2 steps, 997 times more"), "{text}");
    }
}

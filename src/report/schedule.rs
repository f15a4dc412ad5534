//! What a schedule shows: the steps, what else belongs to the violation where it happened, and the violation.
use super::style::{Role, Style};
use super::{Effect, Place, Step, Thread, Violation, columns};
use crate::units::show_count;
use interp::fault::Kind;

/// How many steps a loop in a schedule has at most, if its rounds are to be recognised.
const LONGEST_ROUND: usize = 16;

/// How many equal rounds in a row are shown one by one.
const ROUNDS_SHOWN: usize = 3;

/// How many rows of one thread in a row are all shown, and how many of more, at the beginning and at the end.
const LONGEST_STRETCH: usize = 20;
const FIRST_SHOWN: usize = 4;
const LAST_SHOWN: usize = 8;

/// One row.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Row<'a> {
    /// Numbers of steps, or a sign.
    pub number: String,
    /// The thread of the row, if it belongs to one thread.
    pub thread: Option<&'a Thread>,
    /// What happens.
    pub text: String,
    /// The look of the text.
    pub role: Role,
    /// Where.
    pub place: Option<Place>,
}

/// Shows the steps that lead to a violation, and the violation.
pub(crate) fn render(violation: &Violation, style: Style) -> String {
    let mut out = columns::render(&folded(rows(violation)), style);
    for note in unordered(violation) {
        out += &style.wrap("  = ", &note);
    }
    out
}

fn rows(violation: &Violation) -> Vec<Row<'_>> {
    let steps = &violation.trace;
    let mut rows = Vec::new();
    let mut i = 0;
    rows.extend(happened_behind(violation, None));
    while let Some(step) = steps.get(i) {
        if let Some((round, rounds)) = rounds_before(steps, i) {
            let what = if round == 1 { "step".to_owned() } else { format!("{round} steps") };
            let text = format!("the last {what}, {} times more", show_count(rounds as u64));
            rows.push(Row { number: "…".to_owned(), thread: None, text, role: Role::Faint, place: None });
            i += round * rounds;
            continue;
        }
        let first = i;
        i += inside_library(&steps[i..]);
        let (number, text) = match (&step.library, i - first) {
            (Some(function), count @ 2..) => {
                (format!("{}–{i}", first + 1), format!("calls `{function}`: {count} steps in the library"))
            }
            _ => (i.to_string(), sentence(step)),
        };
        rows.push(Row { number, thread: Some(&step.thread), text, role: Role::Plain, place: step.place.clone() });
        (first..i).for_each(|at| rows.extend(happened_behind(violation, Some(at))));
    }
    rows.extend(ends(violation));
    rows
}

/// Long stretches of one thread's steps, shown by their first and last ones. What belongs to the violation, and the
/// creation of a thread, ends a stretch.
fn folded(rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    let thread = |row: &Row<'_>| match row.role {
        Role::Plain if !row.text.starts_with("creates ") => row.thread.map(|thread| thread.number),
        _ => None,
    };
    let mut out = Vec::new();
    let mut rows = rows.into_iter().peekable();
    while let Some(first) = rows.next() {
        let Some(of) = thread(&first) else {
            out.push(first);
            continue;
        };
        let mut stretch = vec![first];
        while let Some(next) = rows.next_if(|next| thread(next) == Some(of)) {
            stretch.push(next);
        }
        if stretch.len() > LONGEST_STRETCH {
            let left_out = stretch.len() - FIRST_SHOWN - LAST_SHOWN;
            let text = format!("{} more rows of this thread alone", show_count(left_out as u64));
            let thread = stretch[0].thread;
            let row = Row { number: "…".to_owned(), thread, text, role: Role::Faint, place: None };
            stretch.splice(FIRST_SHOWN..FIRST_SHOWN + left_out, [row]);
        }
        out.append(&mut stretch);
    }
    out
}

/// What a step does, and what comes of it.
pub(crate) fn sentence(step: &Step) -> String {
    let read =
        step.action.strip_prefix("reads ").zip(step.value.as_ref().and_then(|value| value.strip_prefix("reads ")));
    if let Some((place, value)) = read {
        return format!("reads {value} from {place}");
    }
    match &step.effect {
        Effect::Creates(created) => format!("creates {}", created.name),
        _ => step.sentence(),
    }
}

/// How many of these steps one call of a library function takes; 1 if they are the program's own.
fn inside_library(steps: &[Step]) -> usize {
    let first = &steps[0];
    let same = |step: &&Step| {
        step.library.is_some()
            && (&step.library, &step.thread, &step.place) == (&first.library, &first.thread, &first.place)
    };
    steps.iter().take_while(same).count().max(1)
}

/// What belongs to the violation and happened right after a step, or before all.
fn happened_behind(violation: &Violation, at: Option<usize>) -> impl Iterator<Item = Row<'_>> {
    let related = violation.related.iter().filter(move |related| {
        let (Some(thread), Some(steps)) = (&related.thread, related.steps) else { return false };
        last_of(violation, thread, steps) == at
    });
    related.map(|related| Row {
        number: "·".to_owned(),
        thread: related.thread.as_ref(),
        text: related.message.clone(),
        role: Role::Strong,
        place: related.place.clone(),
    })
}

/// The last of so many steps of a thread, or the one that created it.
fn last_of(violation: &Violation, thread: &Thread, steps: u32) -> Option<usize> {
    let own = |(_, step): &(usize, &Step)| step.thread.number == thread.number;
    let mut own = violation.trace.iter().enumerate().filter(own).map(|(at, _)| at);
    match steps.checked_sub(1) {
        Some(before) => own.nth(before as usize),
        None => creation(violation, thread),
    }
}

fn creation(violation: &Violation, thread: &Thread) -> Option<usize> {
    let creates = |step: &Step| matches!(&step.effect, Effect::Creates(created) if created.number == thread.number);
    violation.trace.iter().position(creates)
}

/// The rows that show how the schedule ends.
fn ends(violation: &Violation) -> Vec<Row<'_>> {
    let end = violation.kind.name().replace('-', " ");
    let row = |thread, text, role, place| Row { number: "=".to_owned(), thread, text, role, place };
    match violation.kind {
        // No thread is to blame alone.
        Kind::Deadlock => {
            let waiting = violation.related.iter().filter(|related| related.thread.is_some());
            let mut rows: Vec<Row<'_>> = waiting
                .map(|related| {
                    let name = related.thread.as_ref().map_or("", |thread| &thread.name);
                    let text = related.message.strip_prefix(name).unwrap_or(&related.message).trim_start();
                    row(related.thread.as_ref(), text.to_owned(), Role::Strong, related.place.clone())
                })
                .collect();
            rows.push(row(None, format!("{end}: none of them can go on"), Role::Bad, None));
            rows
        }
        _ => vec![row(Some(&violation.thread), end, Role::Bad, violation.place.clone())],
    }
}

/// Why nothing orders the two accesses of a data race.
fn unordered(violation: &Violation) -> Vec<String> {
    let other = violation.related.iter().find_map(|related| {
        let other = related.thread.as_ref().filter(|other| other.number != violation.thread.number)?;
        Some((other, related.steps?))
    });
    let (Kind::DataRace, Some((other, steps))) = (violation.kind, other) else { return Vec::new() };
    let me = &violation.thread;
    let own = violation.trace.iter().rposition(|step| step.thread.number == me.number);
    let own = own.or_else(|| creation(violation, me));
    let access = last_of(violation, other, steps);
    let held = |at: Option<usize>, thread: &Thread| {
        let own = at.filter(|at| violation.trace[*at].thread.number == thread.number);
        let held = own.map(|at| violation.trace[at].holds.join(" and ")).filter(|held| !held.is_empty());
        format!("{} holds {}", thread.name, held.unwrap_or_else(|| "no lock".to_owned()))
    };
    let locks = format!("{}; {}", held(access, other), held(own, me));
    let seen = match own.map(|at| past(&violation.trace, at)) {
        Some(Some(seen)) => seen,
        // What comes before it was not worked out.
        Some(None) => return vec![locks],
        None => Vec::new(),
    };
    let seen_of_other = |at: &usize| seen.contains(at) && violation.trace[*at].thread.number == other.number;
    let known = (0..violation.trace.len()).rev().find(seen_of_other);
    let before = if access.is_some_and(|access| known.is_some_and(|known| known > access)) {
        "the steps between the two accesses do not synchronise (relaxed atomics, for instance)".to_owned()
    } else {
        match known {
            Some(known) => format!(
                "of {}, {} has seen no more than step {} when it comes to its access",
                other.name,
                me.name,
                known + 1
            ),
            None => format!("no step of {} has to come before the access of {}", other.name, me.name),
        }
    };
    vec![format!("nothing orders them: {before}"), locks]
}

/// The steps that have to come before one, and that one, if that was worked out.
fn past(steps: &[Step], last: usize) -> Option<Vec<usize>> {
    let mut seen = vec![last];
    let mut next = 0;
    while let Some(at) = seen.get(next) {
        let new: Vec<usize> =
            steps[*at].after.as_ref()?.iter().copied().filter(|before| !seen.contains(before)).collect();
        seen.extend(new);
        next += 1;
    }
    Some(seen)
}

/// If the last steps before number `i` are [`ROUNDS_SHOWN`] equal rounds of a loop: how many steps a round has, and how
/// many rounds follow that are equal again.
fn rounds_before(steps: &[Step], i: usize) -> Option<(usize, usize)> {
    (1..=LONGEST_ROUND).take_while(|round| round * ROUNDS_SHOWN <= i).find_map(|round| {
        let (shown, rest) = (&steps[i - round * ROUNDS_SHOWN..i], &steps[i..]);
        let last = &shown[shown.len() - round..];
        let rounds = rest.chunks_exact(round).take_while(|next| same_round(next, last)).count();
        (rounds > 0 && shown.chunks_exact(round).all(|next| same_round(next, last))).then_some((round, rounds))
    })
}

/// Whether readers would see no difference.
fn same_round(a: &[Step], b: &[Step]) -> bool {
    let shown = |step: &Step| (step.thread.number, step.action.clone(), step.place.clone(), step.value.clone());
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| shown(a) == shown(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn rounds_of_a_loop_are_shown_three_times() {
        let mut violation = samples::race().violations.remove(0);
        let steps = violation.trace.clone();
        violation.related.clear();
        violation.trace = [&steps[..1], &vec![steps.clone(); 1000].concat(), &steps[1..]].concat();
        let text = render(&violation, Style::new(80, false));
        let is_number = |word: &&str| *word == "…" || word.parse::<u32>().is_ok();
        let numbers = text.lines().filter_map(|line| line.split_whitespace().next().filter(is_number));
        // A step, three rounds of two, the others at a glance, a step.
        assert_eq!(numbers.collect::<Vec<_>>(), ["1", "2", "3", "4", "5", "6", "7", "…", "2002"], "{text}");
        assert!(text.contains("the last 2 steps, 997 times more"), "{text}");
    }

    #[test]
    fn nothing_is_said_of_an_order_that_is_not_known() {
        let mut violation = samples::race().violations.remove(0);
        assert!(unordered(&violation)[0].starts_with("nothing orders them: "));
        violation.trace.iter_mut().for_each(|step| step.after = None);
        let notes = unordered(&violation);
        assert!(notes.len() == 1 && notes[0].contains(" holds no lock"), "{notes:?}");
    }

    #[test]
    fn long_stretches_of_one_thread_are_folded() {
        let thread = samples::race().violations[0].thread.clone();
        let row = |number: usize, role| Row {
            number: number.to_string(),
            thread: Some(&thread),
            text: format!("does {number}"),
            role,
            place: None,
        };
        let numbers = |rows| folded(rows).into_iter().map(|row| row.number).collect::<Vec<_>>();
        let all = |count: usize| (1..=count).map(|number| row(number, Role::Plain)).collect::<Vec<_>>();
        assert_eq!(numbers(all(LONGEST_STRETCH)).len(), LONGEST_STRETCH);
        let shown = ["1", "2", "3", "4", "…", "23", "24", "25", "26", "27", "28", "29", "30"];
        assert_eq!(numbers(all(30)), shown);
        // What matters in the middle stays.
        let mut rows = all(30);
        rows[15].role = Role::Strong;
        assert_eq!(numbers(rows).len(), 30);
        assert!(folded(all(30))[4].text == "18 more rows of this thread alone");
    }

    #[test]
    fn a_call_of_the_library_is_one_row() {
        let mut violation = samples::race().violations.remove(0);
        let step = Step { library: Some("fopen".to_owned()), effect: Effect::None, ..violation.trace[0].clone() };
        violation.trace = [&violation.trace[..1], &vec![step; 3]].concat();
        let numbers: Vec<String> = rows(&violation).into_iter().map(|row| row.number).collect();
        assert_eq!(numbers, ["1", "·", "2–4", "="]);
        assert_eq!(rows(&violation)[2].text, "calls `fopen`: 3 steps in the library");
    }
}

//! A schedule as a numbered list: who moves, what it does, what comes of it, where.
use super::excerpt::shorten_place;
use super::style::{Role, Style};
use super::{Place, Thread, Violation};
use interp::fault::Kind;

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
    for (i, step) in steps.iter().enumerate() {
        let value = step.value.as_ref().map(|value| format!(", {value}")).unwrap_or_default();
        out += &line(&(i + 1).to_string(), &name(&step.thread), &format!("{}{value}", step.action), &step.place);
    }
    let end = style.paint(Role::Bad, &violation.kind.name().replace('-', " "));
    // Nobody is to blame alone for a deadlock.
    out += &match violation.kind {
        Kind::Deadlock => line("=", "", &format!("{end}: no thread can go on"), &None),
        _ => line("=", &name(&violation.thread), &end, &violation.place),
    };
    out
}

fn without_function(name: &str) -> String {
    name.split(" (").next().unwrap_or(name).to_owned()
}

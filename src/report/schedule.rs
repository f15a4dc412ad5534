//! A schedule as a numbered list: who moves, what it does, what comes of it, where.
use super::Step;
use super::excerpt::shorten_place;
use super::style::{Role, Style};

/// Lists the steps.
pub(crate) fn render(steps: &[Step], style: Style) -> String {
    let digits = steps.len().to_string().len();
    let widest = steps.iter().map(|step| step.thread.name.len()).max().unwrap_or(0);
    // A long name of a thread's function must not push everything else aside; it stands in the stacks anyway.
    let short = widest > style.width / 3;
    let name = |step: &Step| if short { without_function(&step.thread.name) } else { step.thread.name.clone() };
    let widest = steps.iter().map(|step| name(step).len()).max().unwrap_or(0);
    let mut out = String::new();
    for (i, step) in steps.iter().enumerate() {
        let prefix = format!("  {:>digits$}  {:<widest$}  ", i + 1, name(step));
        let mut text = step.action.clone();
        if let Some(value) = &step.value {
            text += &format!(", {value}");
        }
        if let Some(place) = &step.place {
            text += &format!("  {}", style.paint(Role::Faint, &shorten_place(place)));
        }
        out += &style.wrap(&prefix, &text);
    }
    out
}

fn without_function(name: &str) -> String {
    name.split(" (").next().unwrap_or(name).to_owned()
}

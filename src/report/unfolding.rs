//! The unfolding that was explored as a graph for Graphviz: causes as arrows, immediate conflicts dashed, cutoffs with
//! a double border.
use super::dot::quoted;
use super::excerpt::shorten_place;
use super::{Report, Unfolding, text};
use std::fmt::Write;

/// Writes the graph; if there is none, it says why.
pub(crate) fn write(report: &Report) -> String {
    let verdict = text::verdict(report);
    let (label, graph) = match &report.unfolding {
        Some(Ok(unfolding)) => (verdict, graph(unfolding)),
        Some(Err(reason)) => (format!("{verdict}\nthe unfolding is not shown: {reason}"), String::new()),
        None => (verdict, String::new()),
    };
    let label = quoted(&label);
    format!(
        "digraph unfolding {{\n  graph [labelloc=t, fontname=\"sans-serif\", label={label}];\n  \
         node [shape=box, style=rounded, fontname=\"sans-serif\"];\n{graph}}}\n"
    )
}

fn graph(unfolding: &Unfolding) -> String {
    let mut out = String::new();
    for (at, event) in unfolding.events.iter().enumerate() {
        let step = &event.step;
        let place = step.place.as_ref().map(|place| format!("\n{}", shorten_place(place))).unwrap_or_default();
        let label = quoted(&format!("{}\n{}{place}", step.thread.name, step.sentence()));
        let border = if event.cutoff { ", peripheries=2" } else { "" };
        let _ = writeln!(out, "  e{at} [label={label}{border}];");
        for cause in step.causes() {
            let _ = writeln!(out, "  e{cause} -> e{at};");
        }
    }
    for (one, other) in &unfolding.conflicts {
        let _ = writeln!(out, "  e{one} -> e{other} [dir=none, style=dashed, color=red, constraint=false];");
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::report::{Report, samples};

    #[test]
    fn causes_conflicts_and_cutoffs() {
        insta::assert_snapshot!(super::write(&Report { unfolding: Some(Ok(samples::unfolding())), ..samples::race() }));
    }

    #[test]
    fn what_is_not_shown_is_said() {
        let unfolding = Some(Err("it has 301 events, and up to 300 are shown".to_owned()));
        let text = super::write(&Report { unfolding, ..samples::race() });
        assert!(text.contains("not shown: it has 301 events"), "{text}");
    }
}

//! The execution of the first violation as a graph for Graphviz.
use super::diagram::{Diagram, Link, Node};
use super::excerpt::shorten_place;
use super::{Report, text};
use std::fmt::Write;

/// Writes the graph; without a violation it says only why there is none.
pub(crate) fn write(report: &Report) -> String {
    let mut out = "digraph execution {\n".to_owned();
    let violation = report.violations.first().map(|violation| (violation, Diagram::new(violation)));
    let title = match &violation {
        Some((violation, diagram)) => diagram.title(violation),
        None => text::verdict(report),
    };
    out += "  graph [labelloc=t, fontname=\"sans-serif\", newrank=true];\n";
    out += "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n";
    out += "  edge [fontname=\"sans-serif\"];\n";
    line(&mut out, &format!("label={};", quoted(&textwrap::fill(&title, 100))));
    if let Some((_, diagram)) = &violation {
        lanes(&mut out, diagram);
    }
    out + "}\n"
}

fn lanes(out: &mut String, diagram: &Diagram<'_>) {
    for (lane, thread) in diagram.threads.iter().enumerate() {
        let own: Vec<(usize, &Node<'_>)> =
            diagram.nodes.iter().enumerate().filter(|(_, node)| node.lane == lane).collect();
        line(out, &format!("subgraph cluster_{lane} {{"));
        line(out, &format!("  label={}; style=rounded; color=gray;", quoted(&thread.name)));
        for (at, node) in &own {
            let place = node.place.map(|place| format!("\n{}", shorten_place(place))).unwrap_or_default();
            let number = node.step.map(|_| format!("{}. ", at + 1)).unwrap_or_default();
            let label = quoted(&format!("{number}{}{place}", node.text));
            let marked = if node.step.is_none() { ", color=red, penwidth=2" } else { "" };
            line(out, &format!("  n{at} [label={label}{marked}];"));
        }
        // A thread that only waits to be started has a lane all the same.
        if own.is_empty() {
            line(out, &format!("  none{lane} [style=invis];"));
        }
        for pair in own.windows(2) {
            line(out, &format!("  n{} -> n{} [weight=10];", pair[0].0, pair[1].0));
        }
        line(out, "}");
    }
    for arrow in &diagram.arrows {
        let style = match arrow.link {
            Link::Causes => "",
            Link::Races => " [color=red, dir=none, style=dashed, constraint=false, label=\"race\"]",
            Link::WaitsFor => " [color=red, style=dashed, constraint=false, label=\"waits for\"]",
        };
        line(out, &format!("n{} -> n{}{style};", arrow.from, arrow.to));
    }
}

fn line(out: &mut String, text: &str) {
    let _ = writeln!(out, "  {text}");
}

/// A text as Graphviz reads it.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use crate::report::{Report, Verdict, samples};

    #[test]
    fn a_deadlock() {
        insta::assert_snapshot!(super::write(&samples::deadlock()));
    }

    #[test]
    fn a_proof_has_no_execution_to_show() {
        let report = Report { verdict: Verdict::Safe, violations: Vec::new(), ..samples::race() };
        let text = super::write(&report);
        assert!(text.contains("label=\"safe: all 1,234 executions were explored\";"), "{text}");
        assert!(!text.contains("subgraph"), "{text}");
    }

    #[test]
    fn quotes() {
        assert_eq!(super::quoted("a \"b\\c\"\nd"), r#""a \"b\\c\"\nd""#);
    }
}

//! The execution of the first violation as a picture that stands for itself: time goes down, each thread has a lane.
use super::diagram::{Arrow, Diagram, Link};
use super::excerpt::shorten_place;
use super::printable::for_xml;
use super::{Report, text};
use std::fmt::Write;

const ROW: usize = 28;
const LANE: usize = 44;
const RADIUS: usize = 10;
/// From the top to the first step, without the title.
const HEAD: usize = 44;
/// Height of a line of the title, and its characters.
const TITLE: (usize, usize) = (20, 100);
const MARGIN: usize = 20;
/// How wide a character is, about.
const CHARACTER: usize = 8;

/// One colour for each lane, again and again; dark enough for white text.
const COLOURS: [&str; 8] = ["#2f6fdb", "#c2570c", "#23863b", "#8b46c9", "#0f7f8a", "#b8336a", "#7a5c1e", "#5b6472"];

const STYLE: &str = "\
text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #1c2128 }
.title { font-weight: 600; font-size: 15px }
.place { fill: #656d76 }
.number { fill: #fff; text-anchor: middle; font-weight: 600; font-size: 11px }
.lane { stroke-width: 2 }
.causes { stroke: #848d97 }
.races, .waits-for { stroke: #d1242f; stroke-dasharray: 5 4 }
.wrong { fill: #d1242f; font-weight: 600 }
.ring { fill: none; stroke: #d1242f; stroke-width: 3 }
path { fill: none; stroke-width: 1.5 }
.causes-tip { fill: #848d97 }
.waits-for-tip { fill: #d1242f }
@media (prefers-color-scheme: dark) {
  svg { background: #0f1319 }
  text { fill: #e3e8ee }
  .place { fill: #929ba6 }
  .number { fill: #fff }
  .wrong { fill: #ff7b72 }
  .races, .waits-for, .ring { stroke: #ff7b72 }
  .waits-for-tip { fill: #ff7b72 }
}
";

/// A text as XML takes it, which has no control characters.
fn escape(text: &str) -> String {
    let printable: String =
        text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect();
    quick_xml::escape::escape(for_xml(&printable)).into_owned()
}

/// Draws the picture; without a violation it says only why there is none.
pub(crate) fn write(report: &Report) -> String {
    let Some(violation) = report.violations.first() else {
        return picture(&text::verdict(report), 0, 0, "");
    };
    let diagram = Diagram::new(violation);
    let mut body = lanes(&diagram);
    for arrow in &diagram.arrows {
        body += &path(&diagram, *arrow);
    }
    let beside = MARGIN + diagram.threads.len() * LANE + LANE / 3;
    let mut longest = 0;
    for (at, node) in diagram.nodes.iter().enumerate() {
        let (x, y) = (x(node.lane), y(at));
        let place = node.place.map(shorten_place).unwrap_or_default();
        longest = longest.max(node.text.chars().count() + place.chars().count() + 8);
        let number = diagram.threads[node.lane].number;
        let colour = COLOURS[node.lane % COLOURS.len()];
        let _ = writeln!(body, "<circle cx='{x}' cy='{y}' r='{RADIUS}' fill='{colour}'/>");
        if node.step.is_none() {
            let _ = writeln!(body, "<circle class='ring' cx='{x}' cy='{y}' r='{}'/>", RADIUS + 2);
        }
        let y = y + 4;
        let _ = writeln!(body, "<text class='number' x='{x}' y='{y}'>{number}</text>");
        let class = if node.step.is_none() { "wrong" } else { "step" };
        let (line, place) = (escape(&node.text), escape(&place));
        let line = format!("<tspan class='{class}'>{line}</tspan> <tspan class='place' dx='8'>{place}</tspan>");
        let _ = writeln!(body, "<text x='{beside}' y='{y}'>{line}</text>");
    }
    picture(&diagram.title(violation), beside + longest * CHARACTER, diagram.nodes.len(), &body)
}

/// The whole: a body of so many rows and that width below a title.
fn picture(title: &str, width: usize, rows: usize, body: &str) -> String {
    let (line, most) = TITLE;
    let lines = textwrap::wrap(title, most);
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = width.max(longest * (CHARACTER + 1)) + 2 * MARGIN;
    let top = lines.len() * line;
    let height = top + HEAD + rows * ROW;
    let heading: String = (lines.iter().enumerate())
        .map(|(i, text)| {
            format!("<text class='title' x='{MARGIN}' y='{}'>{}</text>\n", MARGIN + 8 + i * line, escape(text))
        })
        .collect();
    let tips: String = [Link::Causes, Link::WaitsFor].into_iter().map(tip).collect();
    let title = escape(title);
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}'>\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n<defs>\n{tips}</defs>\n\
         {heading}<g transform='translate(0 {top})'>\n{body}</g>\n</svg>\n"
    )
}

/// The tip of arrows that end in the middle of a node: just outside of it.
fn tip(link: Link) -> String {
    let (name, back) = (link.name(), RADIUS + 11);
    format!(
        "<marker id='{name}' markerUnits='userSpaceOnUse' markerWidth='8' markerHeight='8' refX='{back}' refY='4' \
         orient='auto'><path class='{name}-tip' d='M8 4L0 0L0 8Z'/></marker>\n"
    )
}

fn lanes(diagram: &Diagram<'_>) -> String {
    let mut out = String::new();
    for lane in 0..diagram.threads.len() {
        let (first, last) = diagram.life(lane);
        let (x, colour) = (x(lane), COLOURS[lane % COLOURS.len()]);
        let name = escape(&diagram.threads[lane].name);
        let _ = writeln!(
            out,
            "<line class='lane' x1='{x}' y1='{}' x2='{x}' y2='{}' stroke='{colour}'><title>{name}</title></line>",
            y(first),
            y(last)
        );
    }
    out
}

fn path(diagram: &Diagram<'_>, arrow: Arrow) -> String {
    let (from, to) = (diagram.nodes[arrow.from].lane, diagram.nodes[arrow.to].lane);
    let (x1, y1, x2, y2) = (x(from), y(arrow.from), x(to), y(arrow.to));
    let class = arrow.link.name();
    let name = match arrow.link {
        Link::Causes => "must come first",
        Link::Races => "nothing orders these",
        Link::WaitsFor => "waits for",
    };
    // What goes down leaves below and arrives above; what does not goes sideways.
    let line = match arrow.link {
        Link::Causes => format!("M{x1} {y1} C{x1} {} {x2} {} {x2} {y2}", y1 + ROW, y2.saturating_sub(ROW)),
        _ => {
            let aside = if arrow.from < arrow.to { x1.max(x2) + LANE / 2 } else { x1.min(x2).saturating_sub(LANE / 2) };
            format!("M{x1} {y1} C{aside} {y1} {aside} {y2} {x2} {y2}")
        }
    };
    let tip = if arrow.link == Link::Races { String::new() } else { format!(" marker-end='url(#{class})'") };
    format!("<path class='{class}' d='{line}'{tip}><title>{name}</title></path>\n")
}

fn x(lane: usize) -> usize {
    MARGIN + lane * LANE + LANE / 2
}

fn y(node: usize) -> usize {
    HEAD + node * ROW
}

#[cfg(test)]
mod tests {
    use crate::report::{Report, Verdict, samples};

    #[test]
    fn a_deadlock() {
        insta::assert_snapshot!(super::write(&samples::deadlock()));
    }

    #[test]
    fn text_stays_text() {
        let mut report = samples::deadlock();
        report.violations[0].trace[0].action = "</text><script>alert('&')".to_owned();
        let text = super::write(&report);
        assert!(!text.contains("<script>") && text.contains("&lt;/text&gt;&lt;script&gt;alert(&apos;&amp;&apos;)"));
    }

    #[test]
    fn a_proof_has_no_execution_to_show() {
        let report = Report { verdict: Verdict::Safe, violations: Vec::new(), ..samples::race() };
        assert!(super::write(&report).contains("safe: all 1,234 executions were explored"));
    }
}

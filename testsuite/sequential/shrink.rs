//! Makes programs that differ smaller.
use crate::compare::Difference;
use crate::program::{MARK, Node, Program};

/// Candidates that are compiled together.
const TOGETHER: usize = 48;

/// The smallest program that still differs in the same way, as far as single steps lead, and how it does. `compare`
/// says of each program that can be compiled how it differs, if it does.
pub(crate) fn shrink(
    program: Program,
    difference: &Difference,
    compare: impl Fn(&[Program]) -> Vec<Option<Difference>>,
) -> (Program, String) {
    let mut smallest = (program, difference.to_string());
    for pass in [without_lines, without_braces, without_lines, without_operands] {
        let mut from = 0;
        loop {
            // Those of this place and of the next ones.
            let (mut candidates, mut next) = (Vec::new(), from);
            while let Some(nodes) = pass(&smallest.0.nodes, next).filter(|_| candidates.len() < TOGETHER) {
                let planted = smallest.0.planted;
                candidates.extend(nodes.into_iter().map(|nodes| (next, Program { nodes, planted })));
                next += 1;
            }
            if next == from {
                break;
            }
            let (places, programs): (Vec<usize>, Vec<Program>) = candidates.into_iter().unzip();
            let differences = compare(&programs);
            let same = |found: &Option<Difference>| found.as_ref().is_some_and(|found| found.sort == difference.sort);
            from = match differences.iter().position(same) {
                Some(at) => {
                    let text = differences[at].as_ref().expect("it differs").to_string();
                    smallest = (programs[at].clone(), text);
                    places[at]
                }
                None => next,
            };
        }
    }
    smallest
}

/// How many nodes there are.
fn count(nodes: &[Node]) -> usize {
    nodes.iter().map(|node| if let Node::Block { body, .. } = node { 1 + count(body) } else { 1 }).sum()
}

/// The nodes with something else in place of the one with this number, counted from the last one.
fn replace(nodes: &[Node], at: usize, by: &dyn Fn(&Node) -> Vec<Node>) -> Vec<Node> {
    fn within(nodes: &[Node], left: &mut usize, by: &dyn Fn(&Node) -> Vec<Node>) -> Vec<Node> {
        let mut all: Vec<Vec<Node>> = Vec::new();
        for node in nodes.iter().rev() {
            let here = *left == 0;
            *left = left.wrapping_sub(1);
            all.push(match node {
                _ if here => by(node),
                Node::Block { head, body, tail } => {
                    let body = within(body, left, by);
                    vec![Node::Block { head: head.clone(), body, tail: tail.clone() }]
                }
                Node::Line(_) => vec![node.clone()],
            });
        }
        all.into_iter().rev().flatten().collect()
    }
    within(nodes, &mut at.clone(), by)
}

/// The node with this number, as [`replace`] counts.
fn node(nodes: &[Node], at: usize) -> Option<Node> {
    let found = std::cell::RefCell::new(None);
    replace(nodes, at, &|node| {
        *found.borrow_mut() = Some(node.clone());
        Vec::new()
    });
    found.into_inner()
}

/// Without 16, 4 nodes, or one, from this number on; nothing if there is none.
fn without_lines(nodes: &[Node], from: usize) -> Option<Vec<Vec<Node>>> {
    node(nodes, from)?;
    let some = [16, 4, 1].map(|many| {
        let mut rest = nodes.to_vec();
        for _ in 0..many {
            if count(&rest) > from {
                rest = replace(&rest, from, &|_| Vec::new());
            }
        }
        rest
    });
    Some(some.into())
}

/// With the body in place of a block.
fn without_braces(nodes: &[Node], from: usize) -> Option<Vec<Vec<Node>>> {
    Some(match node(nodes, from)? {
        Node::Block { .. } => {
            let body = |node: &Node| if let Node::Block { body, .. } = node { body.clone() } else { Vec::new() };
            vec![replace(nodes, from, &body)]
        }
        Node::Line(_) => Vec::new(),
    })
}

/// With a simpler text in place of some part in parentheses.
fn without_operands(nodes: &[Node], from: usize) -> Option<Vec<Vec<Node>>> {
    let text = match node(nodes, from)? {
        Node::Line(text) => text,
        Node::Block { head, .. } => head,
    };
    let simpler = simpler(&text);
    let put = |text: &String| {
        replace(nodes, from, &|node| {
            vec![match node {
                Node::Line(_) => Node::Line(text.clone()),
                Node::Block { body, tail, .. } => {
                    Node::Block { head: text.clone(), body: body.clone(), tail: tail.clone() }
                }
            }]
        })
    };
    Some(simpler.iter().map(put).collect())
}

/// The text with one part in parentheses less, the largest first.
fn simpler(text: &str) -> Vec<String> {
    let mut open = Vec::new();
    let mut parts = Vec::new();
    for (at, character) in text.char_indices() {
        match character {
            '(' => open.push(at),
            ')' => parts.extend(open.pop().map(|begin| (begin, at + 1))),
            _ => {}
        }
    }
    parts.sort_by_key(|(begin, end)| begin.wrapping_sub(*end));
    let mut all = Vec::new();
    for (begin, end) in parts.into_iter().filter(|(begin, end)| end - begin > 3) {
        for by in ["0", "1"] {
            all.push(format!("{}{by}{}", &text[..begin], &text[end..]));
        }
        all.push(format!("{}{}{}", &text[..begin], &text[begin + 1..end - 1], &text[end..]));
    }
    all.retain(|simpler| simpler.contains(MARK) == text.contains(MARK));
    all
}

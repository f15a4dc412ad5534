//! Place/transition nets in PNML (ISO/IEC 15909-2), with pages and references, and as older tools write them: without a
//! namespace, or with `value` for `text`.
//!
//! PNML has no read arcs. Tools draw them as a loop, an arc there and one back, so a loop is read as a read arc; if a
//! transition has nothing but loops, one of them stays, as in
//! [`contextual_from_loops`](crate::nets::contextual_from_loops).
//!
//! What is skipped cannot change what a safe net does: drawings, data of tools, and capacities, which it never exceeds.
//! Of nets with times or priorities, the net without these is read. All that is not known is refused.
use super::{Arc, Draft, ReadError, at, decode};
use crate::nets::encoding::loops_to_reads;
use crate::nets::{Net, PlaceId, TransitionId};
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use rustc_hash::FxHashMap;

/// Reads a net.
pub(super) fn read(bytes: &[u8]) -> Result<Net, ReadError> {
    let text = decode(bytes);
    let mut reader = Reader::from_str(&text);
    reader.config_mut().expand_empty_elements = true;
    let mut file = File::default();
    let mut lines = Lines { rest: text.as_bytes(), from: 0, line: 1 };
    loop {
        let line = lines.of(reader.buffer_position());
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => return at(lines.of(reader.error_position()), format!("this is not XML: {error}")),
        };
        match event {
            Event::Start(start) => file.start(&start, line)?,
            Event::End(_) => file.end(line)?,
            Event::Text(text) => file.text(&text.xml10_content(), line)?,
            Event::CData(data) => file.text(&data.xml10_content(), line)?,
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(character)) => file.text(character.encode_utf8(&mut [0; 4]), line)?,
                Ok(None) if let Some(known) = resolve_predefined_entity(&reference) => file.text(known, line)?,
                _ => return at(line, format!("the entity `&{};` is not known", &*reference)),
            },
            Event::Eof if !file.open.is_empty() => return at(line, "the file ends inside an element"),
            Event::Eof => return file.net(),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) | Event::Empty(_) => {}
        }
    }
}

/// The lines of a text, for positions that never decrease.
struct Lines<'a> {
    rest: &'a [u8],
    /// Where `rest` begins.
    from: u64,
    line: u32,
}

impl Lines<'_> {
    fn of(&mut self, position: u64) -> u32 {
        let (passed, rest) = self.rest.split_at((position.saturating_sub(self.from) as usize).min(self.rest.len()));
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count() as u32;
        (self.rest, self.from) = (rest, self.from + passed.len() as u64);
        self.line
    }
}

/// An element that is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Pnml,
    Net,
    Page,
    /// A place, a transition or a reference: the last of the nodes.
    Node,
    /// The last of the arcs.
    Arc,
    Name,
    Marking,
    Weight,
    /// What is written in one of the three above.
    Text,
    /// Its content does not count.
    Skipped,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Place,
    Transition,
}

/// A place, a transition, or a reference to one.
struct Node {
    kind: Kind,
    id: String,
    /// What it refers to.
    refers: Option<String>,
    name: String,
    marking: Option<u64>,
    line: u32,
}

/// From a node to a node, by their ids.
struct Edge {
    source: String,
    target: String,
    line: u32,
}

/// What has been read of a file.
#[derive(Default)]
struct File {
    open: Vec<Element>,
    /// Whether there was a net.
    net: bool,
    nodes: Vec<Node>,
    /// Which node has an id.
    ids: FxHashMap<String, usize>,
    edges: Vec<Edge>,
    /// What the open `text` says.
    text: String,
}

impl File {
    fn start(&mut self, start: &BytesStart<'_>, line: u32) -> Result<(), ReadError> {
        let local = start.local_name();
        let name = local.as_ref();
        let element = match (self.open.last(), name) {
            (Some(Element::Skipped), _) => Element::Skipped,
            (None, "pnml") => Element::Pnml,
            (None, _) => return at(line, format!("the file must hold one <pnml>, not <{name}>")),
            (Some(Element::Pnml), "net") => self.begin_net(start, line)?,
            (Some(Element::Net | Element::Page), "page") => Element::Page,
            (Some(Element::Net | Element::Page), "place") => self.node(start, Kind::Place, line)?,
            (Some(Element::Net | Element::Page), "transition") => self.node(start, Kind::Transition, line)?,
            (Some(Element::Net | Element::Page), "referencePlace") => self.reference(start, Kind::Place, line)?,
            (Some(Element::Net | Element::Page), "referenceTransition") => {
                self.reference(start, Kind::Transition, line)?
            }
            (Some(Element::Net | Element::Page), "arc") => self.edge(start, line)?,
            (Some(Element::Node | Element::Arc), "name") => Element::Name,
            (Some(Element::Node), "initialMarking") => Element::Marking,
            (Some(Element::Arc), "inscription") => Element::Weight,
            (Some(Element::Name | Element::Marking | Element::Weight), "text" | "value") => {
                self.text.clear();
                Element::Text
            }
            (_, "name" | "graphics" | "toolspecific") => Element::Skipped,
            (Some(Element::Net | Element::Page), "declaration" | "token" | "labels" | "finalmarkings") => {
                Element::Skipped
            }
            (Some(Element::Arc), "type") if attribute(start, "value", line)?.is_some_and(|kind| kind == "normal") => {
                Element::Skipped
            }
            (Some(Element::Node), "condition" | "type") => return at(line, HIGH_LEVEL),
            (Some(Element::Node), _) if name.starts_with("hl") => return at(line, HIGH_LEVEL),
            (Some(Element::Node), "capacity" | "orientation" | "rate" | "timed" | "infiniteServer" | "priority") => {
                Element::Skipped
            }
            (Some(Element::Name), _) => Element::Skipped,
            (Some(Element::Marking | Element::Weight), _) => {
                return at(line, format!("<{name}> instead of <text> for a number cannot be read"));
            }
            (Some(Element::Arc), _) => {
                return at(line, format!("an arc with <{name}> cannot be read, only plain ones"));
            }
            _ => return at(line, format!("<{name}> cannot stand here in a place/transition net")),
        };
        self.open.push(element);
        Ok(())
    }

    fn end(&mut self, line: u32) -> Result<(), ReadError> {
        if self.open.pop() != Some(Element::Text) {
            return Ok(());
        }
        let text = self.text.trim();
        let of = self.open.len().checked_sub(2).map(|index| self.open[index]);
        match (self.open.last(), of, self.nodes.last_mut()) {
            (Some(Element::Name), Some(Element::Node), Some(node)) if !text.is_empty() => node.name = text.to_owned(),
            (Some(Element::Marking), _, Some(node)) => {
                let Ok(marking) = text.parse() else { return at(line, format!("the marking `{text}` is no number")) };
                if node.kind == Kind::Transition
                    || node.refers.is_some()
                    || node.marking.is_some_and(|old| old != marking)
                {
                    return at(line, "a marking must belong to one place, which has no other");
                }
                if marking > 1 {
                    let name = &node.name;
                    return at(line, format!("place \"{name}\" has marking {marking}; only safe nets can be read"));
                }
                node.marking = Some(marking);
            }
            (Some(Element::Weight), ..) if text.parse() != Ok(1) => {
                return at(line, format!("an arc has weight `{text}`; only weight 1 can be read"));
            }
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str, line: u32) -> Result<(), ReadError> {
        match self.open.last() {
            Some(Element::Text) => self.text.push_str(text),
            Some(Element::Marking | Element::Weight) if !text.trim().is_empty() => {
                return at(line, format!("`{}` must stand inside of <text>", text.trim()));
            }
            None if !text.trim().is_empty() => return at(line, "there is text outside of <pnml>"),
            _ => {}
        }
        Ok(())
    }

    fn begin_net(&mut self, start: &BytesStart<'_>, line: u32) -> Result<Element, ReadError> {
        if self.net {
            return at(line, "the file holds more than one net");
        }
        self.net = true;
        let kind = attribute(start, "type", line)?.unwrap_or_else(|| "ptnet".into());
        let plain = ["ptnet", "p/t net"].iter().any(|plain| kind.to_ascii_lowercase().contains(plain));
        if plain {
            Ok(Element::Net)
        } else {
            at(line, format!("the net has type `{kind}`; only place/transition nets can be read"))
        }
    }

    fn node(&mut self, start: &BytesStart<'_>, kind: Kind, line: u32) -> Result<Element, ReadError> {
        let id = needed(start, "id", line)?;
        plain(start, line)?;
        if self.ids.insert(id.clone(), self.nodes.len()).is_some() {
            return at(line, format!("there is a place or transition with id `{id}` already"));
        }
        self.nodes.push(Node { kind, name: id.clone(), id, refers: None, marking: None, line });
        Ok(Element::Node)
    }

    fn reference(&mut self, start: &BytesStart<'_>, kind: Kind, line: u32) -> Result<Element, ReadError> {
        let refers = needed(start, "ref", line)?;
        let element = self.node(start, kind, line)?;
        if let Some(node) = self.nodes.last_mut() {
            node.refers = Some(refers);
        }
        Ok(element)
    }

    fn edge(&mut self, start: &BytesStart<'_>, line: u32) -> Result<Element, ReadError> {
        let (source, target) = (needed(start, "source", line)?, needed(start, "target", line)?);
        plain(start, line)?;
        self.edges.push(Edge { source, target, line });
        Ok(Element::Arc)
    }

    fn net(self) -> Result<Net, ReadError> {
        if !self.net {
            return Err(ReadError { line: None, message: "there is no net in the file".into() });
        }
        let mut draft = Draft::default();
        // The number of each node in the net; references get that of what they refer to.
        let mut numbers: Vec<Option<u32>> = Vec::new();
        for node in &self.nodes {
            numbers.push(match (&node.refers, node.kind) {
                (Some(_), _) => None,
                (None, Kind::Place) => Some(draft.place(node.name.clone(), node.marking == Some(1)).0),
                (None, Kind::Transition) => Some(draft.transition(node.name.clone(), node.line).0),
            });
        }
        for node in 0..self.nodes.len() {
            self.resolve(node, &mut numbers)?;
        }
        let end = |id: &str, line| match self.ids.get(id) {
            Some(&node) => Ok((self.nodes[node].kind, numbers[node].expect("references are resolved"))),
            None => at(line, format!("there is no place or transition with id `{id}`")),
        };
        for edge in &self.edges {
            let (arc, transition, place) = match (end(&edge.source, edge.line)?, end(&edge.target, edge.line)?) {
                ((Kind::Place, place), (Kind::Transition, transition)) => (Arc::Consume, transition, place),
                ((Kind::Transition, transition), (Kind::Place, place)) => (Arc::Produce, transition, place),
                _ => return at(edge.line, "an arc must go from a place to a transition, or back"),
            };
            draft.arc(arc, TransitionId(transition), PlaceId(place), edge.line)?;
        }
        draft.transitions.iter_mut().for_each(loops_to_reads);
        draft.net()
    }

    /// Gives a reference, and those on the way to what it means, the number of that.
    fn resolve(&self, node: usize, numbers: &mut [Option<u32>]) -> Result<(), ReadError> {
        let mut path = Vec::new();
        let mut next = node;
        while numbers[next].is_none() {
            let Node { kind, id, refers, line, .. } = &self.nodes[next];
            path.push(next);
            match refers.as_ref().and_then(|refers| self.ids.get(refers)) {
                Some(&other) if self.nodes[other].kind == *kind && path.len() <= self.nodes.len() => next = other,
                Some(_) if path.len() > self.nodes.len() => {
                    return at(*line, format!("reference `{id}` leads back to itself"));
                }
                _ => return at(*line, format!("reference `{id}` does not lead to a node of its kind")),
            }
        }
        for passed in path {
            numbers[passed] = numbers[next];
        }
        Ok(())
    }
}

const HIGH_LEVEL: &str = "this is of high-level nets; only place/transition nets can be read";

/// Attributes that would mean something: in PNML these are elements.
fn plain(start: &BytesStart<'_>, line: u32) -> Result<(), ReadError> {
    for name in ["type", "weight", "inscription", "initialMarking", "marking", "tokens"] {
        if attribute(start, name, line)?.is_some_and(|value| name != "type" || value != "normal") {
            return at(line, format!("attribute `{name}` cannot be read, only the elements of PNML"));
        }
    }
    Ok(())
}

/// An attribute, if it is there.
fn attribute(start: &BytesStart<'_>, name: &str, line: u32) -> Result<Option<String>, ReadError> {
    let found = start.try_get_attribute(name).map_err(quick_xml::Error::from);
    let value = found.and_then(|found| found.map(|found| found.normalized_value(XmlVersion::Implicit1_0)).transpose());
    match value {
        Ok(value) => Ok(value.map(|value| value.into_owned())),
        Err(error) => at(line, format!("this is not XML: {error}")),
    }
}

/// An attribute that must be there.
fn needed(start: &BytesStart<'_>, name: &str, line: u32) -> Result<String, ReadError> {
    match attribute(start, name, line)? {
        Some(value) => Ok(value),
        None => at(line, format!("<{}> has no attribute `{name}`", start.local_name().as_ref())),
    }
}

//! Witnesses in GraphML, format 1.0: the schedule as a chain of nodes, whose edges say which thread moves in which
//! line.
//!
//! A created thread gets an edge of its own after its creation, on which it enters its function; what it does before
//! its first step that others can see is part of that.
use super::Origin;
use super::path::{Event, Path};
use crate::report::Place;
use frontend::ir::DataModel;
use quick_xml::events::{BytesDecl, BytesText, Event as Xml};
use quick_xml::writer::Writer;
use std::io::Error;

/// What is said of the graph, of nodes and of edges: name, what it belongs to, type.
const KEYS: [(&str, &str, &str); 20] = [
    ("witness-type", "graph", "string"),
    ("sourcecodelang", "graph", "string"),
    ("producer", "graph", "string"),
    ("specification", "graph", "string"),
    ("programfile", "graph", "string"),
    ("programhash", "graph", "string"),
    ("architecture", "graph", "string"),
    ("creationtime", "graph", "string"),
    ("witness-format-version", "graph", "string"),
    ("entry", "node", "boolean"),
    ("violation", "node", "boolean"),
    ("threadId", "edge", "string"),
    ("createThread", "edge", "string"),
    ("enterFunction", "edge", "string"),
    ("returnFromFunction", "edge", "string"),
    ("originfile", "edge", "string"),
    ("assumption", "edge", "string"),
    ("assumption.resultfunction", "edge", "string"),
    ("startline", "edge", "int"),
    ("endline", "edge", "int"),
];

/// One fact.
type Data = (&'static str, String);

/// The witness of a violation, or of a proof if there is no way to one.
pub(super) fn write(origin: &Origin, path: Option<&Path>) -> Result<Vec<u8>, Error> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 1);
    writer.write_event(Xml::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let root = writer.create_element("graphml").with_attributes([
        ("xmlns", "http://graphml.graphdrawing.org/xmlns"),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    ]);
    root.write_inner_content(|writer| {
        for (name, of, kind) in KEYS {
            let attributes = [("id", name), ("attr.name", name), ("for", of), ("attr.type", kind)];
            writer.create_element("key").with_attributes(attributes).write_empty()?;
        }
        writer.create_element("graph").with_attribute(("edgedefault", "directed")).write_inner_content(|writer| {
            data(writer, &about(origin, path))?;
            graph(writer, &edges(origin, path), path.is_some())
        })?;
        Ok(())
    })?;
    let mut bytes = writer.into_inner();
    bytes.push(b'\n');
    Ok(bytes)
}

/// What is said of the whole.
fn about(origin: &Origin, path: Option<&Path>) -> Vec<Data> {
    let kind = if path.is_some() { "violation_witness" } else { "correctness_witness" };
    let architecture = match origin.model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    let mut facts = vec![
        ("witness-type", kind.to_owned()),
        ("sourcecodelang", "C".to_owned()),
        ("producer", format!("verify-{}", env!("CARGO_PKG_VERSION"))),
        ("specification", origin.specification.clone()),
        ("architecture", architecture.to_owned()),
        ("creationtime", origin.created.clone()),
        ("witness-format-version", "1.0".to_owned()),
    ];
    for source in &origin.sources {
        facts.push(("programfile", source.name.clone()));
        facts.push(("programhash", source.hash.clone()));
    }
    facts
}

/// What each edge says, from the beginning to the end.
fn edges(origin: &Origin, path: Option<&Path>) -> Vec<Vec<Data>> {
    let number = |thread: u32| thread.to_string();
    let mut edges = vec![vec![("createThread", number(0)), ("enterFunction", "main".to_owned())]];
    let Some(path) = path else { return edges };
    for step in &path.moves {
        let mut facts = vec![("threadId", number(step.thread))];
        facts.extend(lines(origin, step.place.as_ref()));
        match &step.event {
            Event::Step => edges.push(facts),
            Event::Chooses { value } => {
                facts.extend(returned(origin, step.place.as_ref(), *value));
                edges.push(facts);
            }
            Event::Ends { routine } => {
                facts.extend(routine.iter().map(|routine| ("returnFromFunction", routine.clone())));
                edges.push(facts);
            }
            Event::Creates { thread, routine } => {
                facts.push(("createThread", number(*thread)));
                edges.push(facts);
                let mut first = vec![("threadId", number(*thread))];
                first.extend(routine.iter().map(|routine| ("enterFunction", routine.clone())));
                edges.push(first);
            }
        }
    }
    for target in &path.targets {
        let mut facts = vec![("threadId", number(target.thread))];
        facts.extend(lines(origin, target.place.as_ref()));
        edges.push(facts);
    }
    edges
}

/// What the function that is called at the place returns.
fn returned(origin: &Origin, place: Option<&Place>, value: i128) -> Vec<Data> {
    let name = place.and_then(|place| origin.source(place)?.name_at(place));
    let Some(name) = name else { return Vec::new() };
    // It is C: a number that is too large for signed types says so.
    let unsigned = if i64::try_from(value).is_ok() { "" } else { "u" };
    vec![("assumption", format!("\\result == {value}{unsigned};")), ("assumption.resultfunction", name.to_owned())]
}

/// The line of a place.
fn lines(origin: &Origin, place: Option<&Place>) -> Vec<Data> {
    // Lines of headers mean nothing to a reader that has only the program's files.
    let Some((place, source)) = place.and_then(|place| Some((place, origin.source(place)?))) else { return Vec::new() };
    let line = place.line.to_string();
    let mut facts = vec![("startline", line.clone()), ("endline", line)];
    if origin.sources.len() > 1 {
        facts.push(("originfile", source.name.clone()));
    }
    facts
}

/// A chain of nodes with these edges between them.
fn graph(writer: &mut Writer<Vec<u8>>, edges: &[Vec<Data>], violation: bool) -> Result<(), Error> {
    for node in 0..=edges.len() {
        let mut facts = Vec::new();
        if node == 0 {
            facts.push(("entry", "true".to_owned()));
        }
        if node == edges.len() && violation {
            facts.push(("violation", "true".to_owned()));
        }
        let name = format!("N{node}");
        let element = writer.create_element("node").with_attribute(("id", name.as_str()));
        if facts.is_empty() {
            element.write_empty()?;
        } else {
            element.write_inner_content(|writer| data(writer, &facts))?;
        }
        if let Some(facts) = node.checked_sub(1).map(|before| &edges[before]) {
            let source = format!("N{}", node - 1);
            let attributes = [("source", source.as_str()), ("target", name.as_str())];
            let element = writer.create_element("edge").with_attributes(attributes);
            element.write_inner_content(|writer| data(writer, facts))?;
        }
    }
    Ok(())
}

fn data(writer: &mut Writer<Vec<u8>>, facts: &[Data]) -> Result<(), Error> {
    for (key, value) in facts {
        let element = writer.create_element("data").with_attribute(("key", *key));
        element.write_text_content(BytesText::new(value))?;
    }
    Ok(())
}

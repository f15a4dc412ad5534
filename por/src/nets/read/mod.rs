//! Reads nets from files: PEP's low-level nets (`.ll_net`) and place/transition nets in PNML.
//!
//! Whatever the bytes are, the answer is a net or an error that says where and why. What could change the behaviour of
//! the net is never skipped: weights and markings above one, inhibitor arcs, sections and arcs of unknown kinds are
//! refused. So the net that is given back is the one that the file describes.
mod ll_net;
mod pnml;

use super::encoding::read_to_loop;
use super::{Net, NetError, Place, PlaceId, Transition, TransitionId};
use rustc_hash::FxHashSet;
use thiserror::Error;

/// Why a file is not a net that can be unfolded.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{message}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct ReadError {
    /// The line, counted from 1, unless the file as a whole is at fault.
    pub line: Option<u32>,
    /// What is wrong there.
    pub message: String,
}

/// Reads a net. The end of the file's name says in which format, or else how the file begins.
///
/// # Errors
/// The first line that is not as the format wants it, or that says what is not of 1-safe contextual nets.
pub fn read(name: &str, bytes: &[u8]) -> Result<Net, ReadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(ReadError { line: None, message: "the file is in UTF-16; convert it to UTF-8".into() });
    }
    let begin = bytes.trim_ascii_start();
    match name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).as_deref() {
        Some("ll_net") => ll_net::read(bytes),
        Some("pnml") => pnml::read(bytes),
        _ if begin.starts_with(b"<") => pnml::read(bytes),
        _ if begin.starts_with(b"PEP") || begin.starts_with(b"%") => ll_net::read(bytes),
        _ => {
            let message = "neither a low-level net of PEP (.ll_net) nor a net in PNML (.pnml)";
            Err(ReadError { line: None, message: message.into() })
        }
    }
}

/// An error in a line.
fn at<T>(line: u32, message: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError { line: Some(line), message: message.into() })
}

/// Bytes as text: UTF-8 if they are, else Latin-1, which older editors write.
fn decode(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// What an arc does when its transition fires.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Arc {
    Consume,
    Produce,
    Read,
}

/// A net while it is read.
#[derive(Default)]
struct Draft {
    places: Vec<Place>,
    transitions: Vec<Transition>,
    /// The line of each transition.
    lines: Vec<u32>,
    /// The arcs that there are, so that none is taken twice.
    arcs: FxHashSet<(Arc, TransitionId, PlaceId)>,
}

impl Draft {
    fn place(&mut self, name: String, marked: bool) -> PlaceId {
        self.places.push(Place { name, marked });
        PlaceId(self.places.len() as u32 - 1)
    }

    fn transition(&mut self, name: String, line: u32) -> TransitionId {
        self.transitions.push(Transition { name, preset: vec![], context: vec![], postset: vec![] });
        self.lines.push(line);
        TransitionId(self.transitions.len() as u32 - 1)
    }

    /// Adds an arc; a second one between the two would make a weight of 2.
    fn arc(&mut self, arc: Arc, transition: TransitionId, place: PlaceId, line: u32) -> Result<(), ReadError> {
        let (from, to) = (&mut self.transitions[transition.index()], &self.places[place.index()]);
        if !self.arcs.insert((arc, transition, place)) {
            let ends = match arc {
                Arc::Produce => format!("transition \"{}\" to place \"{}\"", from.name, to.name),
                Arc::Consume | Arc::Read => format!("place \"{}\" to transition \"{}\"", to.name, from.name),
            };
            return at(line, format!("there is an arc from {ends} already; only arcs of weight 1 can be read"));
        }
        let list = match arc {
            Arc::Consume => &mut from.preset,
            Arc::Produce => &mut from.postset,
            Arc::Read => &mut from.context,
        };
        list.push(place);
        Ok(())
    }

    /// The net. A transition that only reads gets a loop for one of its read arcs, which is the same to markings.
    fn net(mut self) -> Result<Net, ReadError> {
        self.transitions.iter_mut().for_each(read_to_loop);
        Net::new(self.places.clone(), self.transitions.clone()).or_else(|error| match error {
            NetError::NoPreset(id) => {
                let name = &self.transitions[id.index()].name;
                at(self.lines[id.index()], format!("transition \"{name}\" consumes nothing"))
            }
            NetError::ReadAndConsumed(id, place) => {
                let (name, place) = (&self.transitions[id.index()].name, &self.places[place.index()].name);
                at(self.lines[id.index()], format!("transition \"{name}\" reads place \"{place}\", which it consumes"))
            }
        })
    }
}

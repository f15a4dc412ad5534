//! The questions of a command line, in terms of the net that is unfolded.
use super::questions::{Answer, Question};
use super::{input, names};
use crate::cli::unfold::UnfoldArguments;
use crate::request::UsageError;
use por::nets::{Encoded, Marking, Net, PlaceId};

/// A question as it was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Asked {
    /// The option, without its dashes.
    pub(super) kind: &'static str,
    /// The places that it names, as they are called in the file.
    pub(super) places: Vec<String>,
    pub(super) question: Question,
}

/// An answer, with its question.
pub(super) type Answered = (Asked, Answer);

impl Asked {
    /// All questions, in the order of the options in the help. `net` is the one that the command line speaks of.
    pub(super) fn all(typed: &UnfoldArguments, net: &Net, encoded: &Encoded) -> Result<Vec<Self>, UsageError> {
        let mut all = Vec::new();
        if typed.deadlock {
            all.push(Asked { kind: "deadlock", places: Vec::new(), question: Question::Deadlock });
        }
        // Copies of a place have tokens at the same time.
        let copies = |places: &[PlaceId]| {
            let ids = (0..encoded.origin.len() as u32).map(PlaceId);
            ids.filter(|id| places.contains(&encoded.origin[id.index()])).collect::<Vec<PlaceId>>()
        };
        let called = |places: &[PlaceId]| places.iter().map(|id| net.place(*id).name.clone()).collect();
        for text in &typed.cover {
            let places = input::places(net, text)?;
            all.push(Asked { kind: "cover", places: called(&places), question: Question::Cover(copies(&places)) });
        }
        for text in &typed.reach {
            let places = input::places(net, text)?;
            let mut marking = Marking::empty(encoded.origin.len());
            copies(&places).into_iter().for_each(|id| marking.set(id, true));
            all.push(Asked { kind: "reach", places: called(&places), question: Question::Reach(marking) });
        }
        Ok(all)
    }

    /// The question in a few words.
    pub(super) fn shown(&self) -> String {
        let places: Vec<String> = self.places.iter().map(|name| names::shown(name)).collect();
        format!("{} {}", self.kind, places.join(", ")).trim_end().to_owned()
    }
}

impl Answer {
    /// The answer in one word.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Answer::No => "no",
            Answer::Yes(_) => "yes",
            Answer::Unknown => "unknown",
        }
    }
}

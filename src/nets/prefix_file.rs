//! The prefix in a few bytes, with all that it takes to check it: the net, the events, the histories with their
//! families, and which smaller history each cutoff has. docs/nets.md describes the format byte by byte.
use super::outcome::{End, Outcome};
use crate::cli::unfold::NetOrderName;
use por::nets::{EnrichedPrefix, PlaceId};
use std::io::{Result, Write};
use xxhash_rust::xxh3::Xxh3;

/// How every file begins.
const MAGIC: &[u8; 8] = b"unfolded";

/// What is raised when older readers can read no longer what is written.
const VERSION: u32 = 1;

/// Stands for no history.
const NONE: u32 = u32::MAX;

/// Writes numbers and names, and makes the sum of all of them.
struct Writer<'o> {
    out: &'o mut dyn Write,
    sum: Xxh3,
}

impl Writer<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.sum.update(bytes);
        self.out.write_all(bytes)
    }

    fn number(&mut self, number: u32) -> Result<()> {
        self.bytes(&number.to_le_bytes())
    }

    fn count(&mut self, count: usize) -> Result<()> {
        self.number(u32::try_from(count).expect("numbers of what is counted are of 32 bits"))
    }

    fn name(&mut self, name: &str) -> Result<()> {
        self.count(name.len())?;
        self.bytes(name.as_bytes())
    }

    fn places(&mut self, places: &[PlaceId]) -> Result<()> {
        self.count(places.len())?;
        places.iter().try_for_each(|place| self.number(place.0))
    }
}

/// Writes the file.
pub(super) fn write(outcome: &Outcome, prefix: &EnrichedPrefix<'_>, out: &mut dyn Write) -> Result<()> {
    let net = prefix.net();
    let mut writer = Writer { out, sum: Xxh3::new() };
    writer.bytes(MAGIC)?;
    writer.number(VERSION)?;
    writer.number(match outcome.end {
        End::Complete | End::Stopped { complete: true, .. } => 0,
        End::Reached(_) => 1,
        End::Stopped { .. } => 2,
    })?;
    writer.number(match outcome.order {
        NetOrderName::Erv => 0,
        NetOrderName::Mcmillan => 1,
        NetOrderName::ErvWords => 2,
    })?;
    let cutoffs = prefix.histories().len() - prefix.kept().len();
    let counts =
        [net.places().len(), net.transitions().len(), prefix.events().len(), prefix.histories().len(), cutoffs];
    counts.iter().try_for_each(|count| writer.count(*count))?;
    for place in net.places() {
        writer.number(u32::from(place.marked))?;
        writer.name(&place.name)?;
    }
    for transition in net.transitions() {
        writer.name(&transition.name)?;
        for places in [&transition.preset, &transition.context, &transition.postset] {
            writer.places(places)?;
        }
    }
    // ⊥ and its history are in the counts, and there is nothing more to say of them.
    for event in prefix.events().skip(1) {
        writer.number(prefix.transition(event).expect("only ⊥ is of no transition").0)?;
        for condition in prefix.preset(event).chain(prefix.context(event)) {
            writer.number(condition.event.0)?;
        }
    }
    for history in prefix.histories().skip(1) {
        writer.number(prefix.event(history).0)?;
        writer.number(prefix.size(history))?;
        writer.count(prefix.family(history).count())?;
        prefix.family(history).try_for_each(|member| writer.number(member.0))?;
    }
    for history in prefix.histories().skip(prefix.kept().len()) {
        writer.number(prefix.corresponding(history).map_or(NONE, |other| other.0))?;
    }
    let sum = writer.sum.digest();
    writer.out.write_all(&sum.to_le_bytes())
}

//! The prefix as a JSON object; `docs/schema/prefix-1.schema.json` describes it. It is written as it is made, for it
//! may be long.
use super::conditions::Conditions;
use super::outcome::Outcome;
use por::nets::{EnrichedPrefix, PlaceId};
use serde::{Serialize, Serializer};
use std::io::Write;

/// Number of the schema.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Object<P, T, C, E, H> {
    schema: u32,
    end: &'static str,
    order: &'static str,
    net: Net<P, T>,
    conditions: C,
    events: E,
    histories: H,
}

#[derive(Serialize)]
struct Net<P, T> {
    places: P,
    transitions: T,
}

#[derive(Serialize)]
struct Place<'a> {
    name: &'a str,
    marked: bool,
}

#[derive(Serialize)]
struct Transition<'a> {
    name: &'a str,
    preset: Vec<u32>,
    context: Vec<u32>,
    postset: Vec<u32>,
}

#[derive(Serialize)]
struct ConditionObject {
    place: u32,
    event: u32,
}

#[derive(Serialize)]
struct EventObject {
    /// None for ⊥.
    transition: Option<u32>,
    preset: Vec<usize>,
    context: Vec<usize>,
}

#[derive(Serialize)]
struct HistoryObject {
    event: u32,
    size: u32,
    family: Vec<u32>,
    cutoff: bool,
    corresponding: Option<u32>,
}

/// A list that is made while it is written.
struct Sequence<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Sequence<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// Writes the object, and ends the line.
pub(super) fn write(outcome: &Outcome, prefix: &EnrichedPrefix<'_>, out: &mut dyn Write) -> std::io::Result<()> {
    let (net, numbers) = (prefix.net(), Conditions::new(prefix));
    let places = |places: &[PlaceId]| places.iter().map(|place| place.0).collect();
    let all_places = || net.places().iter().map(|place| Place { name: &place.name, marked: place.marked });
    let transitions = || {
        net.transitions().iter().map(|transition| Transition {
            name: &transition.name,
            preset: places(&transition.preset),
            context: places(&transition.context),
            postset: places(&transition.postset),
        })
    };
    let conditions = || {
        let all = numbers.all().iter();
        all.map(|condition| ConditionObject { place: condition.place.0, event: condition.event.0 })
    };
    let events = || {
        prefix.events().map(|event| EventObject {
            transition: prefix.transition(event).map(|transition| transition.0),
            preset: prefix.preset(event).map(|condition| numbers.number(condition)).collect(),
            context: prefix.context(event).map(|condition| numbers.number(condition)).collect(),
        })
    };
    let histories = || {
        prefix.histories().map(|history| HistoryObject {
            event: prefix.event(history).0,
            size: prefix.size(history),
            family: prefix.family(history).map(|member| member.0).collect(),
            cutoff: prefix.is_cutoff(history),
            corresponding: prefix.corresponding(history).map(|other| other.0),
        })
    };
    let object = Object {
        schema: SCHEMA,
        end: outcome.word(),
        order: outcome.order_name(),
        net: Net { places: Sequence(all_places), transitions: Sequence(transitions) },
        conditions: Sequence(conditions),
        events: Sequence(events),
        histories: Sequence(histories),
    };
    serde_json::to_writer(&mut *out, &object)?;
    out.write_all(b"\n")
}

//! The same net with and without read arcs.
//!
//! A tool that only knows nets without read arcs has readers consume a place and produce it again. Both ways of doing
//! so keep the reachable markings of a 1-safe net. But with them, two readers of a place disturb each other. So each of
//! them is an oracle for the contextual one, and shows what it gains.
//!
//! Why the markings are kept: a transition needs the same tokens in each encoding, and when it has fired, what it reads
//! has its token again, and all copies of a place are marked or none is. In a 1-safe net no transition fires that
//! produces what it reads; so it does no harm that there, with a loop, it would be safe.
use super::{Marking, Net, Place, PlaceId, Transition};

/// How the arcs are drawn that only ask for a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// As read arcs.
    Contextual,
    /// As loops: the reader consumes the place and produces it, so that readers come one after the other.
    Loops,
    /// With a copy of the place for each reader (place replication), which only this reader and transitions that do
    /// more than read touch.
    Replication,
}

/// A net in another encoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encoded {
    /// The net. Its transitions have the same numbers as in the net that was encoded.
    pub net: Net,
    /// For each place of the net, the place that it is a copy of, in increasing order. Each place that was encoded has
    /// at least one copy.
    pub origin: Vec<PlaceId>,
}

impl Encoded {
    /// The marking of the net that was encoded.
    pub fn original(&self, marking: &Marking) -> Marking {
        let places = self.origin.last().map_or(0, |last| last.index() + 1);
        let mut original = Marking::empty(places);
        for place in marking.places() {
            original.set(self.origin[place.index()], true);
        }
        original
    }
}

/// The net in another encoding.
pub fn encoded(net: &Net, encoding: Encoding) -> Encoded {
    let mut readers = vec![0; net.places().len()];
    for place in net.transitions().iter().flat_map(|transition| &transition.context) {
        readers[place.index()] += 1;
    }
    let mut places = Vec::new();
    let mut origin = Vec::new();
    // The first copy of each place; after the last one ends the list.
    let mut first = Vec::new();
    for ((id, place), &readers) in (0..).map(PlaceId).zip(net.places()).zip(&readers) {
        first.push(places.len() as u32);
        match (encoding, readers) {
            (Encoding::Replication, 2..) => places.extend((1..=readers).map(|copy| copy_of(place, copy))),
            _ => places.push(place.clone()),
        }
        origin.resize(places.len(), id);
    }
    first.push(places.len() as u32);
    let copies = |list: &[PlaceId]| -> Vec<PlaceId> {
        list.iter().flat_map(|place| first[place.index()]..first[place.index() + 1]).map(PlaceId).collect()
    };
    // The copy of each place that its next reader gets.
    let mut next = first.clone();
    let encode = |old: &Transition| {
        let read = old.context.iter().map(|place| match (encoding, readers[place.index()]) {
            (Encoding::Replication, 2..) => {
                next[place.index()] += 1;
                PlaceId(next[place.index()] - 1)
            }
            _ => PlaceId(first[place.index()]),
        });
        let read: Vec<PlaceId> = read.collect();
        let (mut preset, mut postset) = (copies(&old.preset), copies(&old.postset));
        let context = match encoding {
            Encoding::Contextual => read,
            Encoding::Loops | Encoding::Replication => {
                preset.extend(&read);
                postset.extend(&read);
                vec![]
            }
        };
        Transition { name: old.name.clone(), preset, context, postset }
    };
    let transitions = net.transitions().iter().map(encode).collect();
    let net = Net::new(places, transitions).expect("what was consumed still is, and nothing more is read");
    Encoded { net, origin }
}

/// The net with a read arc for each place that a transition consumes and produces again. A transition that does nothing
/// else keeps the first of these loops, for each must consume something. The reachable markings stay the same.
pub fn contextual_from_loops(net: &Net) -> Net {
    let mut transitions = net.transitions().to_vec();
    transitions.iter_mut().for_each(loops_to_reads);
    Net::new(net.places().to_vec(), transitions)
        .expect("each transition still consumes something, and reads it no more")
}

/// Makes the loops of a transition read arcs, but for one if nothing else would be consumed.
pub(super) fn loops_to_reads(transition: &mut Transition) {
    let Transition { preset, context, postset, .. } = transition;
    let loops: Vec<PlaceId> = preset.extract_if(.., |place| postset.contains(place)).collect();
    postset.retain(|place| !loops.contains(place));
    context.extend(loops);
    read_to_loop(transition);
}

/// Makes the first read arc of a transition that consumes nothing a loop, which says the same.
pub(super) fn read_to_loop(transition: &mut Transition) {
    let Transition { preset, context, postset, .. } = transition;
    if preset.is_empty() {
        // What it also produces would get a second token, which a loop would hide.
        let first = context.iter().copied().filter(|place| !postset.contains(place)).min();
        context.retain(|&place| Some(place) != first);
        preset.extend(first);
        postset.extend(first);
    }
}

fn copy_of(place: &Place, copy: u32) -> Place {
    Place { name: format!("{}·{copy}", place.name), marked: place.marked }
}

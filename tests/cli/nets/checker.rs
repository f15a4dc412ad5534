//! A reader of prefix files that is not the writer, after docs/nets.md; and what must hold of the prefix in one, after
//! the definitions. Of the tool's own code it takes nothing but the net and its firing rule.
use por::nets::{Marking, Net, Place, PlaceId, Transition, TransitionId};
use std::collections::{BTreeMap, BTreeSet};
use xxhash_rust::xxh3::xxh3_64;

/// A file. ⊥ is event 0, and its history is history 0.
#[derive(Clone, Debug)]
pub(super) struct PrefixFile {
    pub(super) end: u32,
    pub(super) order: u32,
    pub(super) net: Net,
    /// The transition, and the events that generate its inputs.
    pub(super) events: Vec<(u32, Vec<u32>)>,
    pub(super) histories: Vec<History>,
    /// Of the last histories, which are the cutoffs.
    pub(super) corresponding: Vec<Option<u32>>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct History {
    pub(super) event: u32,
    pub(super) size: u32,
    pub(super) family: Vec<u32>,
}

/// What is left to read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: u32) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count as usize).ok_or("the file is too short")?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, String> {
        Ok(u32::from_le_bytes(self.take(4)?.try_into().expect("four bytes")))
    }

    fn name(&mut self) -> Result<String, String> {
        let count = self.number()?;
        String::from_utf8(self.take(count)?.to_vec()).map_err(|error| error.to_string())
    }

    fn numbers(&mut self, count: u32) -> Result<Vec<u32>, String> {
        (0..count).map(|_| self.number()).collect()
    }

    fn list(&mut self) -> Result<Vec<u32>, String> {
        let count = self.number()?;
        self.numbers(count)
    }
}

/// Reads a file.
pub(super) fn read(file: &[u8]) -> Result<PrefixFile, String> {
    let (content, sum) = file.split_last_chunk::<8>().ok_or("the file is too short")?;
    if xxh3_64(content) != u64::from_le_bytes(*sum) {
        return Err("the sum is wrong".to_owned());
    }
    let mut bytes = Bytes(content);
    if bytes.take(8)? != b"unfolded" || bytes.number()? != 1 {
        return Err("this is no prefix of version 1".to_owned());
    }
    let (end, order) = (bytes.number()?, bytes.number()?);
    let counts = bytes.numbers(5)?;
    let mut places = Vec::new();
    for _ in 0..counts[0] {
        let marked = bytes.number()? == 1;
        places.push(Place { name: bytes.name()?, marked });
    }
    let ids = |list: Vec<u32>| list.into_iter().map(PlaceId).collect();
    let mut transitions = Vec::new();
    for _ in 0..counts[1] {
        let name = bytes.name()?;
        let (preset, context, postset) = (ids(bytes.list()?), ids(bytes.list()?), ids(bytes.list()?));
        transitions.push(Transition { name, preset, context, postset });
    }
    let net = Net::new(places, transitions).map_err(|error| error.to_string())?;
    let mut events = vec![(u32::MAX, Vec::new())];
    for _ in 1..counts[2] {
        let transition = bytes.number()?;
        let inputs = net.transitions().get(transition as usize).ok_or("no such transition")?.inputs().count();
        events.push((transition, bytes.numbers(inputs as u32)?));
    }
    let mut histories = vec![History { event: 0, size: 0, family: Vec::new() }];
    for _ in 1..counts[3] {
        histories.push(History { event: bytes.number()?, size: bytes.number()?, family: bytes.list()? });
    }
    let corresponding = bytes.numbers(counts[4])?;
    let corresponding = corresponding.into_iter().map(|history| (history != u32::MAX).then_some(history)).collect();
    match bytes.0 {
        [] => Ok(PrefixFile { end, order, net, events, histories, corresponding }),
        _ => Err("the file is too long".to_owned()),
    }
}

impl PrefixFile {
    /// How many histories are no cutoffs.
    pub(super) fn kept(&self) -> usize {
        self.histories.len() - self.corresponding.len()
    }

    /// What is wrong with the prefix; the marking of each history if nothing is.
    pub(super) fn check(&self) -> Result<Vec<Marking>, String> {
        self.check_events()?;
        let markings: Vec<Marking> =
            (0..self.histories.len()).map(|history| self.marking(history)).collect::<Result<_, _>>()?;
        for (&corresponding, cutoff) in self.corresponding.iter().zip(self.kept()..) {
            match corresponding.map(|history| history as usize) {
                None if self.end != 0 => {}
                None => return Err(format!("cutoff {cutoff} has no corresponding history")),
                Some(other) if other >= self.kept() => return Err(format!("cutoff {cutoff} has a cutoff")),
                Some(other) => {
                    let (size, least) = (self.histories[cutoff].size, self.histories[other].size);
                    if markings[other] != markings[cutoff] || size < least || self.order == 1 && size == least {
                        return Err(format!("history {cutoff} is no cutoff because of {other}"));
                    }
                }
            }
        }
        if self.end == 0 {
            // Of two with one marking one would be a cutoff, in an order that says that one of them is smaller.
            let mut sizes: BTreeMap<&Marking, u32> = BTreeMap::new();
            for (marking, history) in markings.iter().zip(&self.histories[..self.kept()]) {
                let before = sizes.insert(marking, history.size);
                if before.is_some_and(|size| self.order == 0 || size != history.size) {
                    return Err("a history should be a cutoff and is none".to_owned());
                }
            }
        }
        Ok(markings)
    }

    /// Each event is another one, and takes what is there.
    fn check_events(&self) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        for (number, event) in (0..).zip(&self.events).skip(1) {
            if !seen.insert(event) {
                return Err(format!("event {number} is there twice"));
            }
            let inputs = self.net.transition(TransitionId(event.0)).inputs();
            for (place, &generator) in inputs.zip(&event.1) {
                let generates = match generator {
                    0 => self.net.place(place).marked,
                    g if g < number => {
                        let generator = TransitionId(self.events[g as usize].0);
                        self.net.transition(generator).postset.contains(&place)
                    }
                    _ => false,
                };
                if !generates {
                    return Err(format!("event {number} takes what event {generator} does not generate"));
                }
            }
        }
        Ok(())
    }

    /// Fires a history: it has all that its family has, in one order or the other, and each event takes the tokens that
    /// it says.
    fn marking(&self, history: usize) -> Result<Marking, String> {
        let wrong = |what: &str| Err(format!("history {history}: {what}"));
        let (mut open, mut all) = (vec![history as u32], BTreeSet::new());
        while let Some(member) = open.pop() {
            if member != 0 && all.insert(member) {
                let family = &self.histories[member as usize].family;
                if family.iter().any(|&other| other >= member || other as usize >= self.kept()) {
                    return wrong("its family is not before it, or has a cutoff");
                }
                open.extend(family);
            }
        }
        if all.len() != self.histories[history].size as usize {
            return wrong("its size is another one");
        }
        let mut tokens: BTreeMap<PlaceId, u32> = BTreeMap::new();
        for place in self.net.initial().places() {
            tokens.insert(place, 0);
        }
        let mut run = Vec::new();
        let mut fired = BTreeSet::new();
        for member in all {
            let number = self.histories[member as usize].event;
            let (transition, generators) = &self.events[number as usize];
            let transition = self.net.transition(TransitionId(*transition));
            for (place, generator) in transition.inputs().zip(generators) {
                if tokens.get(&place) != Some(generator) {
                    return wrong("an event takes a token that is not there");
                }
            }
            tokens.retain(|place, _| !transition.preset.contains(place));
            tokens.extend(transition.postset.iter().map(|place| (*place, number)));
            run.push(TransitionId(self.events[number as usize].0));
            if !fired.insert(number) {
                return wrong("an event comes twice");
            }
        }
        let marking = self.net.run(&run).map_err(|at| format!("history {history}: step {at} cannot fire"))?;
        match tokens.into_keys().eq(marking.places()) {
            true => Ok(marking),
            false => wrong("its tokens are not its marking"),
        }
    }
}

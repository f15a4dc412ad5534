//! Whether a thread does the same from two places of a loop on, whatever it reads.
//!
//! A turn may change what tells how often it was done: a counter, the time for which the thread pauses, which of
//! several reads of one place comes next. Then it does not lead back to where it began. But it may lead to where the
//! thread does the same as from there.
//!
//! **Alike** is the largest relation between places before accesses that is as follows. Both access the same in the
//! same way. Whatever that reads, and whether or not an exchange succeeds: both come to places that are alike, or both
//! leave the loop at the same instruction, with the same in all that is read again, or both fail an assumption. On the
//! way both do the same operations that may be errors, or of note, on the same operands, and store the same in
//! variables that are still there.
//!
//! **Why such a turn may be left out.** Take an execution of the program in which a thread reads a place and so comes
//! from A to B, alike, having changed nothing. Leave that out. The thread stands at A where it stood at B. It reads
//! what it has read there, and goes on as it did, at places that are alike to those where it was, until it leaves the
//! loop, in the same state. Nobody else notices.
//!
//! **How it is proved.** By looking for a relation that holds the two places and is as above ([`Machine::alike`]). Two
//! walkers go through the loop side by side. What they read is unknown, and has the same name for both. What they
//! compute from the same has the same name, too. A condition on what is unknown is decided one way and the other. Where
//! two places are met, all values that are unknown there are taken to be any, which is more than can be.
//!
//! What only [faint](super::faint) variables hold is no difference between two places, if these are numbers all bits of
//! which were given. What is read may never have been given, and nor may what is computed from that. So where two
//! walkers print such a value, or decide by it, both have to do so.
//!
//! Words in which threads count where addresses lead ([`tally`](super::tally)) may come to hold something else. What
//! was there has a name on the way, the same one for both, so that it shows whether they make the same of it. Where
//! they do not, the proof relies on that nobody looks at the word, and counts only where that is known.
//!
//! At first, values that are different at the two places are unknown as well, each with a name of its own: a number of
//! turns that nobody looks at needs no more. If that leads nowhere they are taken as they are, turn by turn.
//!
//! **Numbers that count turns** are often signed, and overflow at last, which is an error. So that a thread does the
//! same from there as from here is true only as long as it does not go on for that long. If nothing else is in the way,
//! that is taken for granted ([`FewTurns`](crate::Assumption::FewTurns)), for numbers that are far from the largest one
//! and to which at most 1,024 is added between two accesses: more than a million of these happen before one of them
//! overflows.
//!
//! **When it is given up.** The answer must not change while a program is explored: a thread that waits in one
//! execution has to wait in all. It is a matter of the code and of the two places, but for one thing: a proof that
//! takes too many instructions is given up, for the places met on its way as well, and no more are tried where too many
//! were given up. And places that are met on the way of a proof that fails are not tried on their own, where numbers
//! that count turns might be nobody's business. So the first answer for two places is kept, in checkpoints too. Workers
//! of one exploration share these answers. Those of a cluster do not, and could differ about such places.
use crate::library::hooks::Passing;
use crate::machine::Machine;
use crate::waiting::open::{Open, Origin, without_operands};
use crate::waiting::proofs::{Answer, Proofs};
use crate::waiting::read::reads;
use crate::waiting::tally::Tallied;
use crate::waiting::turn::Turn;
use crate::waiting::walker::{Frame, Stop, UNDEFINED, Value, Walker};
use frontend::ir::Inst;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::Arc;

/// Instructions of a proof, at most.
const LONGEST: u32 = 1 << 16;

/// Instructions of the first attempt, at most.
const SHORT: u32 = 1 << 11;

/// In how many ways the conditions of a turn can be decided, at most.
pub(super) const MOST_WAYS: usize = 64;

/// Two places before accesses.
type Pair = [Vec<Frame>; 2];

/// The relation, as far as it is known.
#[derive(Default)]
struct Search {
    /// The pairs in it, each with the number of one from which threads come to it.
    met: Vec<(Vec<Value>, Option<usize>)>,
    known: FxHashSet<Vec<Value>>,
    /// Those to go on from, and their numbers.
    to_do: Vec<(Pair, Unknowns, usize)>,
    /// The words at which nobody may look.
    relies: Vec<Tallied>,
}

/// The unknown values of two places: what each of them is known to have been counted from.
type Unknowns = Vec<Origin>;

impl Machine {
    /// Whether a thread does the same from the turn on and from where the walker stands, before an access.
    pub(super) fn alike(&self, turn: &Turn, walker: &Walker<'_>) -> bool {
        self.walks_alike(&Walker::new(self, turn), walker)
    }

    /// Whether it does the same from where the one stands and from where the other one does, both before accesses.
    pub(super) fn walks_alike(&self, one: &Walker<'_>, other: &Walker<'_>) -> bool {
        let comes_home = one.frames[0].function == other.frames[0].function && !one.has_own() && !other.has_own();
        if !comes_home || access(one).is_none() || access(one) != access(other) || addresses(one) != addresses(other) {
            return false;
        }
        let mut pair = [one.frames.clone(), other.frames.clone()];
        // (What is unknown where a turn begins has bits that were never given a value.)
        self.forget_dead(&mut pair, |_| false);
        if leads_nowhere(&pair) {
            return false;
        }
        let any = rename(&mut pair).len() as u32;
        // (Which accesses are actions is learned, and there are more of them with each new beginning. So is whether
        // calls do more than fail.)
        let of_now = |mut key: Vec<Value>| {
            key.push(Value::Known(self.state.memory.promoted_places() as u64));
            key.push(Value::Known(self.exploration.errno_matters.into()));
            key
        };
        let key = of_now(key(&pair));
        let mode = self.exploration.awaits;
        if let Some(known) = self.known_of(&(mode, key.clone()), &other.relies) {
            return known;
        }
        let places = places(&pair);
        let gives_up = self.proofs().takes_too_long(&places);
        let (mut alike, mut met, mut relies) = (false, Vec::new(), Vec::new());
        let is_address = |value| self.state.memory.is_address(value);
        let general = generalised(&pair, any, is_address).filter(|_| !gives_up);
        if let Some((pair, origins)) = &general {
            let any: Unknowns = origins.iter().map(|origin| Origin { from: None, ..*origin }).collect();
            (alike, _, relies) = self.prove(pair.clone(), &any, &RefCell::new(Open::new(SHORT)));
        }
        if !alike && !gives_up {
            let open = RefCell::new(Open::new(LONGEST));
            (alike, met, relies) = self.prove(pair, &vec![Origin::default(); any as usize], &open);
            let counted = general.filter(|_| !alike);
            let counted = counted.map(|(pair, origins)| self.prove(pair, &origins, &RefCell::new(Open::new(SHORT))));
            if let Some((true, _, relies_counted)) = counted {
                (alike, met, relies) = (true, Vec::new(), relies_counted);
                self.proofs().counts = true;
            } else if open.borrow().has_spent_all() {
                *self.proofs().too_long.entry(places).or_default() += 1;
            }
        }
        // (What another worker has found meanwhile stands.)
        let answer = if alike { Answer::Alike(relies) } else { Answer::Unlike };
        let answer = {
            let known = &mut self.proofs().known;
            for key in met {
                known.entry((mode, of_now(key))).or_insert_with(|| answer.clone());
            }
            known.entry((mode, key)).or_insert(answer).clone()
        };
        self.may_take(&answer, &other.relies)
    }

    /// Looks for a relation that shows that, by what instructions are left. The first unknown values may have counted
    /// turns from these numbers on. Returns whether there is one, and places of
    /// which the same is true: those in the relation, or those from which threads come to two that are not alike. (If
    /// it takes too long, no instruction is left, and they are those met on the way. From there it would take long,
    /// too, as a rule.) And on which words it relies that nobody looks at.
    fn prove(&self, pair: Pair, origins: &[Origin], open: &RefCell<Open>) -> (bool, Vec<Vec<Value>>, Vec<Tallied>) {
        let mut search = Search::default();
        open.borrow_mut().begin_with(origins);
        let mut fits = self.meet(pair, None, &mut search, open);
        let mut last = None;
        while fits && let Some((pair, unknowns, number)) = search.to_do.pop() {
            last = Some(number);
            let next = self.behind_pair(&pair, &unknowns, open, &mut search.relies);
            fits = next.is_some_and(|next| next.into_iter().all(|pair| self.meet(pair, last, &mut search, open)));
        }
        if fits {
            return (true, search.met.into_iter().map(|(key, _)| key).collect(), search.relies);
        }
        let mut unlike = Vec::new();
        while let Some(number) = last {
            let (key, before) = &mut search.met[number];
            unlike.push(std::mem::take(key));
            last = *before;
        }
        (false, unlike, Vec::new())
    }

    /// Two places are to be alike, to which threads come from those with that number: they are noted, if they were not
    /// before. False if they access something else. `open`: what is known of their unknown values.
    fn meet(&self, mut pair: Pair, before: Option<usize>, search: &mut Search, open: &RefCell<Open>) -> bool {
        self.forget_dead(&mut pair, |name| open.borrow().is_given(name));
        if leads_nowhere(&pair) {
            return false;
        }
        let unknowns = rename(&mut pair);
        if pair[0] == pair[1] {
            return true;
        }
        let unknowns: Unknowns = unknowns.into_iter().map(|name| open.borrow().origin(name)).collect();
        let nothing = RefCell::new(Open::new(0));
        let [one, other] = pair.each_ref().map(|frames| Walker::with_unknowns(self, frames.clone(), &nothing));
        if access(&one).is_none() || access(&one) != access(&other) {
            return false;
        }
        let mut key = key(&pair);
        // (So the key of places where something is unknown is longer than any of two places of the machine.)
        for from in unknowns.iter().filter_map(|origin| origin.from) {
            key.extend(from.map(Value::Known));
        }
        let says = |origin: &Origin| u64::from(origin.from.is_some()) | u64::from(origin.given) << 1;
        key.extend(unknowns.iter().map(|origin| Value::Known(says(origin))));
        if search.known.insert(key.clone()) {
            search.to_do.push((pair, unknowns, search.met.len()));
            search.met.push((key, before));
        }
        true
    }

    /// The pairs of places that two walkers come to, whatever they read; `None` if that shows that they do not do the
    /// same, or if it takes too long.
    fn behind_pair(
        &self,
        pair: &Pair,
        unknowns: &Unknowns,
        open: &RefCell<Open>,
        relies: &mut Vec<Tallied>,
    ) -> Option<Vec<Pair>> {
        let read = open.borrow_mut().begin_with(unknowns);
        let mut next = Vec::new();
        let mut ways = vec![FxHashMap::default()];
        let mut count = 0;
        while let Some(way) = ways.pop() {
            open.borrow_mut().decide(&way);
            let mut walkers = pair.each_ref().map(|frames| Walker::with_unknowns(self, frames.clone(), open));
            let stops = walkers.each_mut().map(|walker| go_on(walker, read, open));
            count += 1;
            if count > MOST_WAYS || open.borrow().has_spent_all() {
                open.borrow_mut().spend_all();
                return None;
            }
            let asked = open.borrow().asked();
            if let Some(name) = asked {
                for holds in [false, true] {
                    let mut more = way.clone();
                    more.insert(name, holds);
                    ways.push(more);
                }
                continue;
            }
            let [one, other] = walkers;
            let is_same = note_reliance(&one, &other, relies)
                && (&one.risks, &one.left, &one.tallied, one.holds_mutex(), one.depends())
                    == (&other.risks, &other.left, &other.tallied, other.holds_mutex(), other.depends())
                && match stops {
                    [Stop::Access, Stop::Access] => {
                        next.push([one.frames, other.frames]);
                        true
                    }
                    [Stop::Leaves, Stop::Leaves] => self.leave_alike(&one, &other, open),
                    [one, other] => one == other,
                };
            if !is_same {
                return None;
            }
        }
        Some(next)
    }

    /// Whether both stand at the same instruction, with the same in all that is read again, or return the same from the
    /// function of the loop.
    fn leave_alike(&self, one: &Walker<'_>, other: &Walker<'_>, open: &RefCell<Open>) -> bool {
        if one.own != other.own {
            return false;
        }
        let inst = |walker: &Walker<'_>| walker.function().code.get(walker.top().pc as usize).copied();
        if let (Some(Inst::Return { n, value }), Some(Inst::Return { n: m, value: also })) = (inst(one), inst(other))
            && one.frames.len() == 1
            && other.frames.len() == 1
        {
            let is_same = (0..n).all(|i| one.get(value.offset(i)) == other.get(also.offset(i)));
            return n == m && one.top().function == other.top().function && is_same;
        }
        let mut pair = [one.frames.clone(), other.frames.clone()];
        self.forget_dead(&mut pair, |name| open.borrow().is_given(name));
        pair[0] == pair[1]
    }

    /// Slots that are not read again are 0 from now on, and so are numbers in faint ones, of which all was given.
    fn forget_dead(&self, pair: &mut Pair, is_given: impl Fn(u32) -> bool) {
        let mut proofs = self.proofs();
        let Proofs { live, heeded, .. } = &mut *proofs;
        let module = &self.program.module;
        let is_number = |value: Value| match value {
            Value::Known(value) => !self.state.memory.is_address(value),
            Value::Unknown(name) => is_given(name),
            Value::Own(..) => false,
        };
        for frames in pair {
            let top = frames.len() - 1;
            for (index, frame) in frames.iter_mut().enumerate() {
                let mut kept = vec![Value::Known(0); frame.slots.len()];
                let Frame { function, pc, .. } = *frame;
                let not_faint = || Arc::clone(self.program.heeded(function));
                let heeded = heeded.at_by(module, function, pc, index < top, not_faint);
                for slot in live.at(module, function, pc, index < top) {
                    let value = frame.slots[slot.index()];
                    if !is_number(value) || heeded.binary_search(slot).is_ok() {
                        kept[slot.index()] = value;
                    }
                }
                let of_function = self.program.module.functions[frame.function.index()].frame_slots;
                if kept.len() > of_function as usize {
                    for slot in self.program.confined(frame.function).live(frame.pc) {
                        let slot = (of_function + slot) as usize;
                        kept[slot] = frame.slots[slot];
                    }
                }
                frame.slots = kept;
            }
        }
    }
}

/// Takes note of words of which the two have made something else. False if these are signed numbers, which the one may
/// make too large, and the other one not.
fn note_reliance(one: &Walker<'_>, other: &Walker<'_>, relies: &mut Vec<Tallied>) -> bool {
    let made = |index| [one, other].map(|walker: &Walker<'_>| walker.made_of_counts.get(index).copied());
    let count = one.made_of_counts.len().max(other.made_of_counts.len());
    for [one, other] in (0..count).map(made).filter(|[one, other]| one != other) {
        for (word, _) in [one, other].into_iter().flatten() {
            if word.is_signed() {
                return false;
            }
            if !relies.contains(&word) {
                relies.push(word);
            }
        }
    }
    true
}

/// Goes through an access that reads this, and on to the next one.
fn go_on(walker: &mut Walker<'_>, read: Value, open: &RefCell<Open>) -> Stop {
    let exchange = access(walker).filter(|(inst, _)| matches!(inst, Inst::CompareExchange { .. }));
    let finished = match exchange {
        Some((inst, operands)) => {
            let succeeds = open.borrow_mut().name(inst, operands);
            match walker.decide(succeeds) {
                Some(true) => walker.finish_exchange(),
                Some(false) => walker.finish_access(read),
                None => None,
            }
        }
        None => walker.begin_section().or_else(|| walker.finish_access(read)),
    };
    match finished.map(|()| walker.go_on()) {
        // (Where it stands is its frames alone.)
        Some(Stop::Access) if walker.has_own() || walker.holds_mutex() => Stop::Leaves,
        Some(stop) => stop,
        None => Stop::Leaves,
    }
}

/// What the walker accesses, and how; `None` if it is no access of a word.
fn access(walker: &Walker<'_>) -> Option<(Inst, [Value; 3])> {
    let inst = *walker.function().code.get(walker.top().pc as usize)?;
    match inst {
        Inst::AtomicLoad { size, .. } | Inst::AtomicRmw { size, .. } | Inst::CompareExchange { size, .. }
            if size > 8 =>
        {
            return None;
        }
        Inst::LoadBits { bits, .. } if bits > 64 => return None,
        // (An attempt to lock what the argument leads to, a lock under which the thread polls, or a sleep for the time
        // to which it leads.)
        Inst::Call { site, callee } => {
            let site = &walker.function().calls[site as usize];
            let argument = match walker.machine.passing(callee) {
                Some(Passing::Tries(_) | Passing::Locks) if site.args.len() == 1 => &site.args[0],
                Some(Passing::Sleeps(argument)) => site.args.get(argument)?,
                _ => return None,
            };
            let is_word = argument.slots == 1 && argument.byval.is_none();
            let call = Inst::Call { site: 0, callee };
            return is_word.then(|| (call, [walker.get(argument.value), Value::Known(0), Value::Known(0)]));
        }
        inst if reads(inst) => {}
        _ => return None,
    }
    Some((without_operands(inst), walker.values(inst)))
}

/// The pair, in which so many values are unknown, with values that are different as any, and what they were; `None` if
/// these are not the same places of the code, or a value is undefined at one of them. (A value that is an address
/// counts as one that may not be forgotten.)
fn generalised(pair: &Pair, any: u32, is_address: impl Fn(u64) -> bool) -> Option<(Pair, Unknowns)> {
    let at = |frames: &[Frame]| -> Vec<_> { frames.iter().map(|frame| (frame.function, frame.pc)).collect() };
    if at(&pair[0]) != at(&pair[1]) {
        return None;
    }
    let [mut one, mut other] = pair.clone();
    let mut name = any;
    let mut origins = vec![Origin::default(); any as usize];
    for (a, b) in one.iter_mut().zip(&mut other) {
        for (x, y) in a.slots.iter_mut().zip(&mut b.slots).filter(|(x, y)| x != y) {
            let counted = match (*x, *y) {
                (Value::Known(x), Value::Known(y)) => Some([x, y]),
                (Value::Own(..), _) | (_, Value::Own(..)) => return None,
                _ => None,
            };
            let given = counted.is_some_and(|numbers| !numbers.into_iter().any(&is_address));
            origins.extend([Origin { from: counted, given }; 2]);
            (*x, *y) = (Value::Unknown(name), Value::Unknown(name + 1));
            name += 2;
        }
    }
    Some(([one, other], origins))
}

/// Where the confined variables of each frame lie.
fn addresses(walker: &Walker<'_>) -> Vec<(usize, Vec<Value>)> {
    let program = &walker.machine.program;
    let of_frame = |frame: &Frame| {
        let first = program.module.functions[frame.function.index()].frame_slots;
        let all = program.confined(frame.function).addresses().map(|slot| (first + slot) as usize);
        (frame.function.index(), all.filter_map(|slot| frame.slots.get(slot).copied()).collect())
    };
    walker.frames.iter().map(of_frame).filter(|(_, addresses): &(usize, Vec<Value>)| !addresses.is_empty()).collect()
}

/// Whether addresses of variables that are no more may be read.
fn leads_nowhere(pair: &Pair) -> bool {
    let is_address = |value: &Value| matches!(value, Value::Own(..)) && *value != UNDEFINED;
    pair.iter().flatten().flat_map(|frame| &frame.slots).any(is_address)
}

/// Gives unknown values names in the order in which they are met. Returns which names they had.
fn rename(pair: &mut Pair) -> Vec<u32> {
    let (mut names, mut old) = (FxHashMap::default(), Vec::new());
    for value in pair.iter_mut().flatten().flat_map(|frame| &mut frame.slots) {
        if let Value::Unknown(name) = value {
            *name = *names.entry(*name).or_insert_with_key(|name| {
                old.push(*name);
                old.len() as u32 - 1
            });
        }
    }
    old
}

/// Where both are in the code.
fn places(pair: &Pair) -> Vec<Value> {
    let at = |frame: &Frame| [frame.function.0, frame.pc].map(|number| Value::Known(number.into()));
    let all = |frames: &Vec<Frame>| -> Vec<Value> {
        std::iter::once(Value::Known(frames.len() as u64)).chain(frames.iter().flat_map(at)).collect()
    };
    pair.iter().flat_map(all).collect()
}

/// The pair as a list, by which it is known.
fn key(pair: &Pair) -> Vec<Value> {
    let mut list = Vec::new();
    for frames in pair {
        list.push(Value::Known(frames.len() as u64));
        for frame in frames {
            let used = frame.slots.iter().enumerate().filter(|(_, value)| **value != Value::Known(0));
            list.extend([frame.function.0.into(), frame.pc.into(), used.clone().count() as u64].map(Value::Known));
            used.for_each(|(slot, value)| list.extend([Value::Known(slot as u64), *value]));
        }
    }
    list
}

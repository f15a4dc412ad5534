//! Variables of a function that lie in memory and stay with their thread: `struct backoff b` above a loop that counts
//! its turns there, by `b.turns++` or by `pause(&b)`.
//!
//! **A confined variable** is one of which the code shows all that is done with it. Its function, and those functions
//! that get its address as an argument, load and store there at places that the code says, compare the address, and
//! hand it on to functions that do no more. Besides, the variable is filled or copied to, and its life begins and ends.
//! Its address is never stored, returned, or computed with. So nobody but the function and those that it has called has
//! to do with the variable, and all that matters of it is what is read there again. As with scratch variables
//! ([`scratch`](super::scratch)), what is stored there are numbers, so that no block on the heap is there only because
//! it leads there. (A variable that is smaller than an address holds none.)
//!
//! Such a variable is as good as one that lies in a register. What is loaded and stored there together is a *word* of
//! it; words do not overlap. In a turn they count as further slots of the frame, behind those of the function: for each
//! variable where it lies, and then its words. So all that is true of a turn that changes slots is true of one that
//! changes such words: where a thread stands includes what is read again, and what nobody looks at later is left out of
//! account ([`alike`](super::alike)).
//!
//! A word is *live* at a place of the code if it is read on some way on before it is written. A function that is called
//! with the address may read each word that it accesses, until it has returned.
//!
//! A walker that comes to any other access of the variable, or to where it is filled, stops there.
mod finder;

use crate::machine::{Machine, Program};
use crate::memory::ObjectKind;
use crate::thread::Frame;
use crate::waiting::scratch::{live_bytes, mask};
use crate::waiting::turn::Place;
use crate::waiting::variables::leads_to;
use crate::waiting::walker::{Value, Walker};
use finder::{DEEPEST, Finder, stored, width};
use frontend::ir::{FuncId, Inst};
use rustc_hash::{FxHashMap, FxHashSet};

/// The confined variables of one function, and what it does with what its parameters lead to.
#[derive(Clone, Default, Debug)]
pub(crate) struct Confined {
    variables: Box<[Layout]>,
    /// How many slots they take behind those of a frame.
    slots: u32,
    /// Loads and stores there.
    touches: FxHashSet<u32>,
    /// Loads and stores by parameters that lead to such a variable if the argument does.
    touches_by_parameter: FxHashSet<u32>,
    /// Whether it stores anything by one of them, or a function does to which it hands that on.
    stores_by_parameter: bool,
    /// Calls that hand on an address of such a variable wherever the function that is called stores by a parameter.
    hands: FxHashSet<u32>,
    /// Those that hand on an address of one, or that to which a parameter leads.
    hands_on: FxHashSet<u32>,
}

/// Where the words of a confined variable are.
#[derive(Clone, Debug)]
struct Layout {
    /// Which variable of its function it is.
    info: u32,
    /// Bytes.
    size: u64,
    /// The slot with its address, counted from the end of the function's slots. Its words come behind that.
    slot: u32,
    /// How far behind its beginning each word begins, and its bytes.
    words: Box<[(u64, u8)]>,
    /// By instruction: which bytes are live before it.
    live: Box<[u64]>,
}

impl Layout {
    /// The slots of the words that are live before an instruction, counted from the end of the frame, and where they
    /// lie.
    fn live(&self, pc: u32) -> impl Iterator<Item = (u32, u64, u8)> {
        let live = self.live.get(pc as usize).copied().unwrap_or(u64::MAX);
        let words = self.words.iter().zip(self.slot + 1..).map(|(&(offset, size), slot)| (slot, offset, size));
        words.filter(move |&(_, offset, size)| live >> offset & mask(size.into()) != 0)
    }
}

impl Confined {
    /// Finds the confined variables of a function.
    pub(crate) fn new(program: &Program, id: FuncId) -> Confined {
        let function = &program.module.functions[id.index()];
        let mut parameters = FxHashMap::default();
        let Some(finder) = Finder::look(program, id, DEEPEST, true, &mut parameters) else {
            return Confined::default();
        };
        let mut confined = Confined::default();
        let mut is_confined = 0u64;
        for variable in 0..function.allocas.len() as u32 {
            let Some(words) = finder.words(variable).filter(|words| !words.is_empty()) else { continue };
            let size = function.allocas[variable as usize].size;
            let live = live_bytes(function, size, |pc| finder.use_at(pc, variable)).into();
            let layout = Layout { info: variable, size, slot: confined.slots, words: words.into(), live };
            confined.slots += 1 + layout.words.len() as u32;
            confined.variables = confined.variables.iter().cloned().chain([layout]).collect();
            is_confined |= 1 << variable;
        }
        let all = is_confined | finder.confined_parameters();
        for &(pc, variable, stores) in &finder.touches {
            if is_confined >> variable & 1 != 0 {
                confined.touches.insert(pc);
            } else if all >> variable & 1 != 0 {
                confined.touches_by_parameter.insert(pc);
                confined.stores_by_parameter |= stores;
            }
        }
        for (&pc, &(handed, stores)) in &finder.handed {
            // (What leads to none of these variables is in neither.)
            confined.hands.extend((handed & !is_confined == 0).then_some(pc));
            if handed & !all == 0 {
                confined.hands_on.insert(pc);
                confined.stores_by_parameter |= stores && handed & !is_confined != 0;
            }
        }
        confined
    }

    /// How many slots a frame has behind those of its function.
    pub(super) fn slots(&self) -> u32 {
        self.slots
    }

    /// Whether the variable is one.
    pub(crate) fn has(&self, variable: u32) -> bool {
        self.variables.iter().any(|layout| layout.info == variable)
    }

    /// Whether the instruction loads or stores in a confined variable, or (`by_parameter`) does if an argument leads to
    /// one.
    pub(super) fn is_about(&self, pc: u32, by_parameter: bool) -> bool {
        self.touches.contains(&pc) || by_parameter && self.touches_by_parameter.contains(&pc)
    }

    /// Whether the call hands on an address of a confined variable wherever that is stored by, or (`by_parameter`) does
    /// if its function was called with one.
    pub(super) fn hands(&self, pc: u32, by_parameter: bool) -> bool {
        self.hands.contains(&pc) || by_parameter && self.hands_on.contains(&pc)
    }

    /// Whether the function stores something by a parameter that may lead to a confined variable.
    pub(super) fn stores_by_parameter(&self) -> bool {
        self.stores_by_parameter
    }

    /// The slots of a frame that count before an instruction, counted from the end of the function's: those with
    /// addresses, and live words.
    pub(super) fn live(&self, pc: u32) -> impl Iterator<Item = u32> {
        self.variables
            .iter()
            .flat_map(move |layout| std::iter::once(layout.slot).chain(layout.live(pc).map(|(slot, ..)| slot)))
    }

    /// Those with addresses.
    pub(super) fn addresses(&self) -> impl Iterator<Item = u32> {
        self.variables.iter().map(|layout| layout.slot)
    }
}

impl Machine {
    /// Adds the slots of confined variables to the frames of the current thread from the first one on. (None where a
    /// slot has bits without a value: these might be stored there.)
    pub(super) fn add_confined(&self, first: usize, places: &mut [Place]) {
        if self.has_terms() || places.iter().any(|place| !place.undefined.is_empty()) {
            return;
        }
        let thread = self.thread(self.segment.current);
        let above = thread.frames.iter().skip(first + 1).map(|above| above.allocas as usize);
        let ends = above.chain([thread.allocas.len()]);
        for ((place, frame), end) in places.iter_mut().zip(&thread.frames[first..]).zip(ends) {
            let confined = self.program.confined(place.function);
            let slots = match confined.slots() {
                0 => Vec::new(),
                _ => self.confined_slots(frame, &thread.allocas[frame.allocas as usize..end]),
            };
            if !slots.is_empty() {
                place.confined = confined.slots();
                place.live = place.live.iter().copied().chain(slots).collect();
            }
        }
    }

    /// The slots of a frame of the current thread, whose variables lie there, behind those of its function, with their
    /// values: where its confined variables lie, and what is live there before the instruction at which it stands.
    /// (None of a variable of which some live word has no value, or of which an access is an action.)
    fn confined_slots(&self, frame: &Frame, variables: &[u64]) -> Vec<(u32, u64)> {
        let confined = self.program.confined(frame.function);
        let memory = &self.state.memory;
        let mut slots = Vec::new();
        for layout in &confined.variables {
            let kind = ObjectKind::Stack(frame.function, layout.info);
            let is_it =
                |&&address: &&u64| memory.object_at(address).is_some_and(|object| object.live && object.kind == kind);
            let Some(&address) = variables.iter().find(is_it).filter(|_| !memory.may_have_visible(kind)) else {
                continue;
            };
            let first = self.program.module.functions[frame.function.index()].frame_slots;
            let live = || layout.live(frame.pc);
            if live().any(|(_, offset, size)| memory.has_gaps(address + offset, size.into())) {
                continue;
            }
            slots.push((first + layout.slot, address));
            slots.extend(live().map(|(slot, offset, size)| (first + slot, memory.peek(address + offset, size.into()))));
        }
        slots
    }
}

impl Walker<'_> {
    /// Goes through a load or a store in a confined variable, or an instruction that makes an address in one of
    /// another; `None` if it is another one. `Some(None)`: it cannot.
    pub(super) fn go_through_confined(&mut self, inst: Inst) -> Option<Option<()>> {
        if let Inst::AddressOffset { dst, base, offset } = inst {
            let address = self.known(base)?;
            let moved = address.wrapping_add(offset as u64);
            let variable = self.confined(address)?;
            let stays =
                self.confined(moved).is_some_and(|other| (other.0, other.1.info) == (variable.0, variable.1.info));
            return Some(stays.then(|| self.finish(dst, Value::Known(moved))));
        }
        let (by, len) = width(inst)?;
        let address = self.known(leads_to(inst)?)?.wrapping_add_signed(by.into()) & self.machine.program.pointer_mask;
        let (frame, layout, offset) = self.confined(address)?;
        let Some(word) = layout.words.iter().position(|&word| (word.0, u64::from(word.1)) == (offset, len)) else {
            return Some(None);
        };
        let first = self.machine.program.module.functions[self.frames[frame].function.index()].frame_slots;
        let slot = (first + layout.slot + 1) as usize + word;
        let Some(value) = stored(inst) else { return Some(self.finish_access(self.frames[frame].slots[slot])) };
        let value = match self.get(value) {
            Value::Known(value) => Value::Known(value & u64::MAX >> (64 - 8 * len)),
            value @ Value::Unknown(_) => value,
            Value::Own(..) => return Some(None),
        };
        self.frames[frame].slots[slot] = value;
        self.pass();
        Some(Some(()))
    }

    /// Whether the address lies in a confined variable.
    pub(super) fn is_confined(&self, address: u64) -> bool {
        self.confined(address).is_some()
    }

    /// The confined variable in which the address lies: the index of its frame, and how far behind its beginning.
    fn confined(&self, address: u64) -> Option<(usize, &Layout, u64)> {
        self.frames.iter().enumerate().find_map(|(index, frame)| {
            let program = &self.machine.program;
            let first = program.module.functions[frame.function.index()].frame_slots as usize;
            if frame.slots.len() == first {
                return None;
            }
            program.confined(frame.function).variables.iter().find_map(|layout| {
                let Value::Known(base) = frame.slots[first + layout.slot as usize] else { return None };
                let offset = address.checked_sub(base).filter(|&offset| base != 0 && offset < layout.size)?;
                Some((index, layout, offset))
            })
        })
    }
}

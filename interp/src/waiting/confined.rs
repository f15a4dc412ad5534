//! Variables of a function that lie in memory and stay with their thread: `struct backoff b` above a loop that counts
//! its turns there, by `b.turns++` or by `pause(&b)`.
//!
//! **A confined variable** is one of which the code shows all that is done with it. Its function, and those functions
//! that get its address as an argument, load and store there at places that the code says, compare the address, and
//! hand it on to functions that do no more. Besides it is filled, copied to, and its life begins and ends. Its address
//! is never stored, returned, or computed with. So nobody but the function and those that it has called has to do with
//! the variable, and all that matters of it is what is read there again. As with scratch variables
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
//! with the address may read every word, until it has returned.
//!
//! A walker that comes to any other access of the variable, or fills it, does not know it and stops.
use crate::machine::{Callee, Machine, Program};
use crate::memory::ObjectKind;
use crate::thread::Frame;
use crate::verdict::fault::Kind;
use crate::waiting::scratch::{Fact, Facts, MOST, Use, fact, follow, goes_elsewhere, live_bytes, mask, number, step};
use crate::waiting::turn::Place;
use crate::waiting::variables::{address_from, end_of_block, leads_to};
use crate::waiting::walker::{Value, Walker};
use frontend::ir::{Constant, FuncId, Function, Inst, Operand, Slot};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How many calls deep an address is followed.
const DEEPEST: u32 = 4;

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
    /// The slot with its address, counted from the end of the frame. Its words come behind that.
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
            // (What leads nowhere that is known is handed on as bit 63.)
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

/// What is done with that to which a parameter leads.
#[derive(Clone, Debug)]
struct Parameter {
    words: Vec<(u64, u8)>,
    /// Whether something is stored there, and whether that is always a number.
    stores: bool,
    numbers: bool,
}

/// By function and by how many calls deep addresses are followed from there: what is done with what each parameter
/// leads to, if the code shows all of it.
type Parameters = FxHashMap<(FuncId, u32), Arc<[Option<Parameter>]>>;

/// Looks for what is done with variables, and with what parameters lead to. Those come behind the variables of the
/// function, and are numbered on.
struct Finder<'a> {
    program: &'a Program,
    function: &'a Function,
    depth: u32,
    /// Of which it is known that they are something else.
    others: u64,
    /// Where something is stored that may be no number.
    addresses: u64,
    /// Those of which it is taken for granted that only numbers lie there.
    trusted: u64,
    uses: FxHashMap<(u32, u32), Use>,
    words: FxHashMap<u32, Vec<(u64, u8)>>,
    /// Loads and stores, of which variables, and which of both.
    touches: Vec<(u32, u32, bool)>,
    stored: u64,
    /// Calls: where the parameters lead by which the functions store, and whether there is one.
    handed: FxHashMap<u32, (u64, bool)>,
}

/// Stands for all that leads to no variable.
const ELSEWHERE: u64 = 1 << 63;

impl<'a> Finder<'a> {
    /// Finds out all that; `None` if the code does not show it. `variables`: whether those of the function are asked
    /// for.
    fn look(
        program: &'a Program,
        id: FuncId,
        depth: u32,
        variables: bool,
        parameters: &mut Parameters,
    ) -> Option<Finder<'a>> {
        let function = &program.module.functions[id.index()];
        let count = function.allocas.len() + function.params.len();
        let has_any = variables && !function.allocas.is_empty() || !function.params.is_empty();
        if function.code.is_empty() || !has_any || count as u64 >= MOST || goes_elsewhere(program, function) {
            return None;
        }
        let all = mask(function.allocas.len() as u64);
        let (mut others, mut addresses) = (if variables { 0 } else { all }, 0);
        let mut trusted = if variables { all } else { 0 };
        loop {
            let mut finder = Finder {
                program,
                function,
                depth,
                others,
                addresses,
                trusted,
                uses: FxHashMap::default(),
                words: FxHashMap::default(),
                touches: Vec::new(),
                stored: 0,
                handed: FxHashMap::default(),
            };
            finder.follow(parameters);
            if !variables {
                // (What lies there are numbers only if what is stored is, and a number that was loaded from there is
                // one. If the function loads by another parameter, too, nothing is known of that.)
                let touched = !all & finder.words.keys().fold(0, |all, variable| all | 1 << variable);
                if trusted == touched || touched.count_ones() != 1 {
                    return Some(finder);
                }
                trusted = touched;
                continue;
            }
            finder.others |= finder.addresses & finder.large();
            if (finder.others, finder.addresses) == (others, addresses) {
                return Some(finder);
            }
            // (What was taken for a number came from what is none of these variables, perhaps.)
            (others, addresses) = (finder.others, finder.addresses);
            trusted = all & !(others | addresses);
        }
    }

    /// Those variables in which an address may lie. (Of what a parameter leads to, that is not known here.)
    fn large(&self) -> u64 {
        let sizes = self.function.allocas.iter().map(|alloca| alloca.size >= self.program.pointer_bytes);
        sizes.enumerate().fold(0, |all, (variable, is_large)| all | u64::from(is_large) << variable)
    }

    /// Follows all ways through the code.
    fn follow(&mut self, parameters: &mut Parameters) {
        let (program, function, trusted) = (self.program, self.function, self.trusted);
        let step = |pc: usize, facts: &mut Facts| {
            step(function, pc, facts, |inst, facts| {
                let from = leads_to(inst).and_then(|from| fact(facts, from).leads);
                let is_own = from.is_some_and(|(variable, _)| trusted >> variable & 1 != 0);
                loaded(inst).filter(|_| is_own).or_else(|| number(program, inst, facts))
            });
        };
        let mut first = Facts::default();
        let mut slot = 0;
        for (param, variable) in function.params.iter().zip(function.allocas.len() as u32..) {
            if param.slots == 1 {
                let leads = Some((variable, Some(0)));
                first.insert(slot, Fact { may: 1 << variable, leads, number: false });
            }
            slot += param.slots;
        }
        for (begin, mut facts) in follow(function, first, step) {
            for pc in begin..=end_of_block(function, begin) {
                self.note(pc, begin == 0, &facts, parameters);
                step(pc, &mut facts);
            }
        }
    }

    /// Notes what the instruction does with variables.
    fn note(&mut self, pc: usize, is_first_block: bool, facts: &Facts, parameters: &mut Parameters) {
        let function = self.function;
        let inst = function.code[pc];
        match inst {
            Inst::Alloca { info, count, .. } => {
                let is_one = count.as_constant().is_some_and(|one| self.program.constants[one as usize] == 1);
                if !is_first_block || !is_one || function.allocas[info as usize].size > MOST {
                    self.others |= 1 << info;
                }
                return;
            }
            Inst::Call { site, callee } => return self.note_call(pc as u32, site, callee, facts, parameters),
            // (What comes of a comparison is a number.)
            Inst::UseAddress { .. } | Inst::ICmp { .. } | Inst::BranchICmp { .. } => return,
            _ => {}
        }
        let mut operands = Vec::new();
        function.reads(pc, |operand, n| operands.push((operand, n)));
        let mut leave_out = |left_out: Operand| {
            let first = operands.iter().position(|&(operand, _)| operand == left_out);
            operands.remove(first.expect("an address is read"));
        };
        if let Some(address) = leads_to(inst)
            && let Some((variable, offset)) = fact(facts, address).leads
        {
            leave_out(address);
            self.note_access(pc as u32, inst, variable, offset, facts);
        }
        if let Some((_, from)) = address_from(inst) {
            leave_out(from);
        }
        for (operand, n) in operands {
            self.others |= may(facts, operand, n);
        }
    }

    /// Notes an access at that offset, or a beginning or end of a life.
    fn note_access(&mut self, pc: u32, inst: Inst, variable: u32, offset: Option<u64>, facts: &Facts) {
        let size = self.size(variable);
        let bytes = |by: i64, len: u64| {
            let first = offset.map(|offset| offset.wrapping_add_signed(by));
            first.filter(|&first| len > 0 && len <= size && first <= size - len).map(|first| (first, len))
        };
        // (Addresses of blocks on the heap matter to the search for leaks alone.)
        let whole = !self.program.allocates || !self.program.options.checks.contains(Kind::Leak);
        let is_number = |operand: Operand| whole || fact(facts, operand).number;
        if let Inst::LifetimeStart { .. } | Inst::LifetimeEnd { .. } = inst {
            self.uses.insert((pc, variable), Use { writes: u64::MAX, ..Use::default() });
            return;
        }
        let filled = match inst {
            Inst::MemSet { value, len, .. } => Some((len, is_number(value))),
            Inst::MemCopy { from, len, .. } => Some((len, whole || self.is_constant(from))),
            _ => None,
        };
        if let Some((len, is_number)) = filled {
            let len = len.as_constant().map_or(0, |len| self.program.constants[len as usize]);
            match bytes(0, len) {
                Some((first, len)) => {
                    self.uses.insert((pc, variable), Use { writes: mask(len) << first, ..Use::default() });
                    self.stored |= 1 << variable;
                    self.addresses |= u64::from(!is_number) << variable;
                }
                None => self.others |= 1 << variable,
            }
            return;
        }
        let Some((by, len)) = width(inst) else {
            self.others |= 1 << variable;
            return;
        };
        let Some((first, len)) = bytes(by.into(), len) else {
            self.others |= 1 << variable;
            return;
        };
        let bytes = mask(len) << first;
        let stores = stored(inst).is_some();
        let what =
            if stores { Use { writes: bytes, ..Use::default() } } else { Use { reads: bytes, ..Use::default() } };
        self.uses.insert((pc, variable), what);
        self.touches.push((pc, variable, stores));
        self.add_word(variable, (first, len as u8));
        if let Some(value) = stored(inst) {
            self.stored |= 1 << variable;
            self.addresses |= u64::from(!is_number(value)) << variable;
        }
    }

    /// The bytes of a variable, as many as are followed. (Of what a parameter leads to, no more are known here.)
    fn size(&self, variable: u32) -> u64 {
        self.function.allocas.get(variable as usize).map_or(MOST, |alloca| alloca.size.min(MOST))
    }

    fn add_word(&mut self, variable: u32, word: (u64, u8)) {
        let words = self.words.entry(variable).or_default();
        if let Err(at) = words.binary_search(&word) {
            words.insert(at, word);
        }
    }

    /// Notes what a function does with the variables to which its arguments lead.
    fn note_call(&mut self, pc: u32, site: u32, callee: FuncId, facts: &Facts, parameters: &mut Parameters) {
        let site = &self.function.calls[site as usize];
        let called = &self.program.module.functions[callee.index()];
        let is_defined = matches!(self.program.callees[callee.index()], Callee::Defined);
        let fits = is_defined && !called.variadic && called.params.len() == site.args.len();
        let does = fits.then(|| self.parameters_of(callee, parameters)).flatten();
        let (mut handed, mut stores) = (0, false);
        for (index, arg) in site.args.iter().enumerate() {
            let may = may(facts, arg.value, arg.slots);
            let does = does.as_ref().and_then(|does| does[index].as_ref());
            if let Some(Parameter { stores: true, .. }) = does {
                handed |= if may == 0 { ELSEWHERE } else { may };
                stores = true;
            }
            if may == 0 {
                continue;
            }
            let leads = fact(facts, arg.value).leads.and_then(|(variable, offset)| Some((variable, offset?)));
            match does.zip(leads) {
                Some((does, (variable, offset)))
                    if arg.slots == 1 && arg.byval.is_none() && self.may_be_handed_on(variable) =>
                {
                    let size = self.size(variable);
                    for &(first, len) in &does.words {
                        let first = first.wrapping_add(offset);
                        match first <= size && size - first >= len.into() {
                            true => self.add_word(variable, (first, len)),
                            false => self.others |= 1 << variable,
                        }
                    }
                    self.stored |= u64::from(does.stores) << variable;
                    self.addresses |= u64::from(!does.numbers) << variable;
                    let reads = does.words.iter().fold(0, |all, &(first, len)| {
                        all | mask(len.into()).checked_shl(first.wrapping_add(offset) as u32).unwrap_or(0)
                    });
                    let more = self.use_at(pc as usize, variable).reads;
                    self.uses.insert((pc, variable), Use { reads: reads | more, ..Use::default() });
                }
                _ => self.others |= may,
            }
        }
        self.handed.insert(pc, (handed, stores));
    }

    /// Whether what is known of a function that gets the variable's address is true of it: that takes it for granted
    /// that numbers lie there.
    fn may_be_handed_on(&self, variable: u32) -> bool {
        variable as usize >= self.function.allocas.len() || self.trusted >> variable & 1 != 0
    }

    /// What a function does with what each of its parameters leads to.
    fn parameters_of(&self, id: FuncId, known: &mut Parameters) -> Option<Arc<[Option<Parameter>]>> {
        let depth = self.depth.checked_sub(1)?;
        if let Some(known) = known.get(&(id, depth)) {
            return Some(Arc::clone(known));
        }
        let function = &self.program.module.functions[id.index()];
        let all = match Finder::look(self.program, id, depth, false, known) {
            Some(finder) => (function.allocas.len() as u32..)
                .take(function.params.len())
                .map(|variable| {
                    let words = finder.words(variable)?;
                    let [stores, addresses] = [finder.stored, finder.addresses].map(|all| all >> variable & 1 != 0);
                    Some(Parameter { words, stores, numbers: !addresses })
                })
                .collect(),
            None => vec![None; function.params.len()].into(),
        };
        known.insert((id, depth), Arc::clone(&all));
        Some(all)
    }

    /// The words of a variable, if the code shows all that is done with it, and they do not overlap.
    fn words(&self, variable: u32) -> Option<Vec<(u64, u8)>> {
        let words = self.words.get(&variable).cloned().unwrap_or_default();
        let overlap = words.is_sorted_by(|one, other| one.0 + u64::from(one.1) <= other.0);
        (overlap && self.others >> variable & 1 == 0).then_some(words)
    }

    /// The parameters of which the code shows that.
    fn confined_parameters(&self) -> u64 {
        let first = self.function.allocas.len() as u32;
        let all = (first..).take(self.function.params.len());
        all.filter(|&variable| self.words(variable).is_some()).fold(0, |all, variable| all | 1 << variable)
    }

    fn use_at(&self, pc: usize, variable: u32) -> Use {
        self.uses.get(&(pc as u32, variable)).copied().unwrap_or_default()
    }

    /// Whether the operand is the address of a constant.
    fn is_constant(&self, address: Operand) -> bool {
        let module = &self.program.module;
        let constant = address.as_constant().map(|constant| module.constants[constant as usize]);
        matches!(constant, Some(Constant::Global(global, _)) if module.globals[global.index()].constant)
    }
}

/// The variables to which so many slots may lead.
fn may(facts: &Facts, operand: Operand, n: u32) -> u64 {
    let Some(slot) = operand.as_slot() else { return 0 };
    (slot.0..slot.0 + n).fold(0, |all, slot| all | facts.get(&slot).map_or(0, |fact| fact.may))
}

/// How far behind its address a load or a store of whole bytes begins, and how many these are.
fn width(inst: Inst) -> Option<(i32, u64)> {
    match inst {
        Inst::Load8 { offset, .. } | Inst::Store8 { offset, .. } => Some((offset, 1)),
        Inst::Load16 { offset, .. } | Inst::Store16 { offset, .. } => Some((offset, 2)),
        Inst::Load32 { offset, .. } | Inst::Store32 { offset, .. } => Some((offset, 4)),
        Inst::Load64 { offset, .. } | Inst::Store64 { offset, .. } => Some((offset, 8)),
        Inst::LoadBits { bits, offset, .. } | Inst::StoreBits { bits, offset, .. } => {
            (bits <= 64 && bits % 8 == 0).then_some((offset, u64::from(bits) / 8))
        }
        _ => None,
    }
}

/// Where the load puts what it reads.
fn loaded(inst: Inst) -> Option<Slot> {
    match inst {
        Inst::Load8 { dst, .. }
        | Inst::Load16 { dst, .. }
        | Inst::Load32 { dst, .. }
        | Inst::Load64 { dst, .. }
        | Inst::LoadBits { dst, .. } => Some(dst),
        _ => None,
    }
}

/// What the store puts there.
fn stored(inst: Inst) -> Option<Operand> {
    match inst {
        Inst::Store8 { value, .. }
        | Inst::Store16 { value, .. }
        | Inst::Store32 { value, .. }
        | Inst::Store64 { value, .. }
        | Inst::StoreBits { value, .. } => Some(value),
        _ => None,
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

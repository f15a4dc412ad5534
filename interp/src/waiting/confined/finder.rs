//! What the code shows of variables in memory, and of what parameters lead to.
use crate::machine::{Callee, Program};
use crate::verdict::fault::Kind;
use crate::waiting::scratch::{Fact, Facts, MOST, Use, fact, follow, goes_elsewhere, mask, number, step};
use crate::waiting::variables::{address_from, end_of_block, leads_to};
use frontend::ir::{Constant, FuncId, Function, Inst, Operand, Slot};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How many calls deep an address is followed.
pub(super) const DEEPEST: u32 = 4;

/// What is done with that to which a parameter leads.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    words: Vec<(u64, u8)>,
    /// Whether something is stored there, and whether that is always a number.
    stores: bool,
    numbers: bool,
}

/// By function and by how many calls deep addresses are followed from there: what is done with what each parameter
/// leads to, if the code shows all of it.
pub(super) type Parameters = FxHashMap<(FuncId, u32), Arc<[Option<Parameter>]>>;

/// Looks for what is done with variables, and with what parameters lead to. Those come behind the variables of the
/// function, and are numbered on.
pub(super) struct Finder<'a> {
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
    pub(super) touches: Vec<(u32, u32, bool)>,
    stored: u64,
    /// Calls: where the parameters lead by which the functions store, and whether there is one.
    pub(super) handed: FxHashMap<u32, (u64, bool)>,
}

/// Stands for all that leads to no variable.
const ELSEWHERE: u64 = 1 << 63;

impl<'a> Finder<'a> {
    /// Finds out all that; `None` if the code does not show it. `variables`: whether those of the function are asked
    /// for.
    pub(super) fn look(
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
    pub(super) fn words(&self, variable: u32) -> Option<Vec<(u64, u8)>> {
        let words = self.words.get(&variable).cloned().unwrap_or_default();
        let overlap = words.is_sorted_by(|one, other| one.0 + u64::from(one.1) <= other.0);
        (overlap && self.others >> variable & 1 == 0).then_some(words)
    }

    /// The parameters of which the code shows that.
    pub(super) fn confined_parameters(&self) -> u64 {
        let first = self.function.allocas.len() as u32;
        let all = (first..).take(self.function.params.len());
        all.filter(|&variable| self.words(variable).is_some()).fold(0, |all, variable| all | 1 << variable)
    }

    pub(super) fn use_at(&self, pc: usize, variable: u32) -> Use {
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
pub(super) fn width(inst: Inst) -> Option<(i32, u64)> {
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
pub(super) fn stored(inst: Inst) -> Option<Operand> {
    match inst {
        Inst::Store8 { value, .. }
        | Inst::Store16 { value, .. }
        | Inst::Store32 { value, .. }
        | Inst::Store64 { value, .. }
        | Inst::StoreBits { value, .. } => Some(value),
        _ => None,
    }
}

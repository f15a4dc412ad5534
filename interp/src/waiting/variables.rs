//! What the code shows of the variables of a function that lie in memory: a volatile counter, an array, a structure to
//! whose members a pointer leads.
use frontend::ir::{Function, Inst, Operand, Slot};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

/// The variables of one function, by their numbers in [`Function::allocas`].
#[derive(Clone, Default, Debug)]
pub(crate) struct Variables {
    /// By instruction that accesses memory, or begins or ends a life: the variable whose memory that is in any case.
    accessed: FxHashMap<u32, u32>,
    /// Of those whose lives begin somewhere: whether that is so (see [`Variables::is_scoped`]), as soon as somebody
    /// asks.
    scoped: FxHashMap<u32, OnceLock<bool>>,
}

impl Variables {
    /// Finds out which instructions access which variables.
    pub(crate) fn new(function: &Function) -> Variables {
        // (Where labels have addresses, it is not known here what comes after what.)
        let jumps_anywhere = |inst: &Inst| matches!(inst, Inst::IndirectJump { .. });
        if function.allocas.is_empty() || function.code.iter().any(jumps_anywhere) {
            return Variables::default();
        }
        let (accessed, knows_all_marks) = accesses(function);
        let begins = |(&pc, &variable): (&u32, &u32)| {
            matches!(function.code[pc as usize], Inst::LifetimeStart { .. }).then_some((variable, OnceLock::new()))
        };
        let scoped = if knows_all_marks { accessed.iter().filter_map(begins).collect() } else { FxHashMap::default() };
        Variables { accessed, scoped }
    }

    /// The variable whose memory the instruction accesses, or whose life it begins or ends.
    pub(super) fn accessed(&self, pc: u32) -> Option<u32> {
        self.accessed.get(&pc).copied()
    }

    /// Whether the code of this function marks where the life of the variable begins, uses it nowhere before that, and
    /// begins no life of it while it lives.
    pub(super) fn is_scoped(&self, function: &Function, variable: u32) -> bool {
        let find_out =
            || !is_used_early(function, &self.accessed, variable) && !begins_twice(function, &self.accessed, variable);
        self.scoped.get(&variable).is_some_and(|known| *known.get_or_init(find_out))
    }
}

/// The operand that leads to the memory which the instruction accesses plainly, or whose life it begins or ends.
pub(super) fn leads_to(inst: Inst) -> Option<Operand> {
    match inst {
        Inst::Load8 { address, .. }
        | Inst::Load16 { address, .. }
        | Inst::Load32 { address, .. }
        | Inst::Load64 { address, .. }
        | Inst::LoadBits { address, .. }
        | Inst::Store8 { address, .. }
        | Inst::Store16 { address, .. }
        | Inst::Store32 { address, .. }
        | Inst::Store64 { address, .. }
        | Inst::StoreBits { address, .. }
        | Inst::MemCopy { to: address, .. }
        | Inst::MemMove { to: address, .. }
        | Inst::MemSet { to: address, .. }
        | Inst::LifetimeStart { address }
        | Inst::LifetimeEnd { address } => Some(address),
        Inst::LoadIndexed { base, .. } | Inst::StoreIndexed { base, .. } => Some(base),
        _ => None,
    }
}

/// What the instruction makes an address of, in the same object, and where that goes.
pub(super) fn address_from(inst: Inst) -> Option<(Slot, Operand)> {
    match inst {
        Inst::Copy { dst, a } => Some((dst, a)),
        Inst::Address { dst, base, .. } | Inst::AddressOffset { dst, base, .. } => Some((dst, base)),
        _ => None,
    }
}

/// The instructions that may come next after this one.
pub(super) fn next_after(function: &Function, pc: usize) -> Vec<usize> {
    match function.code[pc].is_terminator() {
        true => function.targets(pc, &[]).iter().map(|target| target.index()).collect(),
        false => vec![pc + 1],
    }
}

/// Which slots lead to which variables, sorted by slot.
type Leads = Vec<(u32, u32)>;

fn lead(leads: &Leads, operand: Operand) -> Option<u32> {
    let slot = operand.as_slot()?;
    leads.binary_search_by_key(&slot.0, |lead| lead.0).ok().map(|found| leads[found].1)
}

/// What slots lead to after the instruction, if they lead to that before it.
fn step(function: &Function, pc: usize, leads: &mut Leads) {
    let inst = function.code[pc];
    let new = match inst {
        Inst::Alloca { info, dst, .. } => Some((dst.0, info)),
        _ => address_from(inst).and_then(|(dst, from)| Some((dst.0, lead(leads, from)?))),
    };
    function.writes(pc, |slot, n| leads.retain(|(known, _)| !(slot.0..slot.0 + n).contains(known)));
    if let Some(new) = new {
        let at = leads.partition_point(|lead| lead.0 < new.0);
        leads.insert(at, new);
    }
}

/// The variable to whose memory each access leads, on every way to it; and whether that is known of all places where a
/// life begins or ends.
fn accesses(function: &Function) -> (FxHashMap<u32, u32>, bool) {
    // What is known where each block begins; nothing yet of those to which no way has led.
    let mut known: FxHashMap<usize, Leads> = FxHashMap::default();
    known.insert(0, Leads::new());
    let mut open = vec![0];
    while let Some(begin) = open.pop() {
        let mut leads = known[&begin].clone();
        let end = end_of_block(function, begin);
        (begin..=end).for_each(|pc| step(function, pc, &mut leads));
        for next in next_after(function, end).into_iter().filter(|&next| next < function.code.len()) {
            let has_changed = match known.get_mut(&next) {
                None => {
                    known.insert(next, leads.clone());
                    true
                }
                Some(before) => {
                    let count = before.len();
                    before.retain(|lead| leads.binary_search(lead).is_ok());
                    before.len() != count
                }
            };
            if has_changed {
                open.push(next);
            }
        }
    }
    let (mut accessed, mut knows_all_marks) = (FxHashMap::default(), true);
    for (begin, mut leads) in known {
        for pc in begin..=end_of_block(function, begin) {
            let inst = function.code[pc];
            let variable = leads_to(inst).and_then(|address| lead(&leads, address));
            let marks = matches!(inst, Inst::LifetimeStart { .. } | Inst::LifetimeEnd { .. });
            knows_all_marks &= !marks || variable.is_some();
            accessed.extend(variable.map(|variable| (pc as u32, variable)));
            step(function, pc, &mut leads);
        }
    }
    (accessed, knows_all_marks)
}

/// The last instruction of the block that begins there.
pub(super) fn end_of_block(function: &Function, begin: usize) -> usize {
    let next = function.blocks.partition_point(|block| block.index() <= begin);
    function.blocks.get(next).map_or(function.code.len(), |block| block.index()) - 1
}

/// Whether a way leads from where the life of the variable begins to where it does so, with no end in between.
fn begins_twice(function: &Function, accessed: &FxHashMap<u32, u32>, variable: u32) -> bool {
    let marks = |pc: usize| accessed.get(&(pc as u32)) == Some(&variable);
    let begins = |pc: &usize| marks(*pc) && matches!(function.code[*pc], Inst::LifetimeStart { .. });
    let mut seen = vec![false; function.code.len()];
    let mut open: Vec<usize> =
        (0..function.code.len()).filter(begins).flat_map(|pc| next_after(function, pc)).collect();
    while let Some(pc) = open.pop() {
        if pc >= seen.len() || std::mem::replace(&mut seen[pc], true) {
            continue;
        }
        if begins(&pc) {
            return true;
        }
        if !(marks(pc) && matches!(function.code[pc], Inst::LifetimeEnd { .. })) {
            open.extend(next_after(function, pc));
        }
    }
    false
}

/// Whether anything that may have been made of the variable's address is used on a way on which its life has not begun.
fn is_used_early(function: &Function, accessed: &FxHashMap<u32, u32>, variable: u32) -> bool {
    let mut known: FxHashMap<usize, FxHashSet<u32>> = FxHashMap::default();
    known.insert(0, FxHashSet::default());
    let mut open = vec![0];
    'blocks: while let Some(begin) = open.pop() {
        let mut made = known[&begin].clone();
        let end = end_of_block(function, begin);
        for pc in begin..=end {
            let inst = function.code[pc];
            match inst {
                Inst::LifetimeStart { .. } if accessed.get(&(pc as u32)) == Some(&variable) => continue 'blocks,
                Inst::LifetimeEnd { .. } => continue,
                _ => {}
            }
            let mut uses = false;
            function.reads(pc, |operand, n| {
                uses |= operand.as_slot().is_some_and(|slot| (slot.0..slot.0 + n).any(|slot| made.contains(&slot)));
            });
            let goes_on = address_from(inst).map(|(dst, _)| dst);
            if uses && goes_on.is_none() {
                return true;
            }
            function.writes(pc, |slot, n| made.retain(|known| !(slot.0..slot.0 + n).contains(known)));
            match inst {
                Inst::Alloca { info, dst, .. } if info == variable => _ = made.insert(dst.0),
                _ => made.extend(goes_on.filter(|_| uses).map(|dst| dst.0)),
            }
        }
        for next in next_after(function, end).into_iter().filter(|&next| next < function.code.len()) {
            let before = known.get(&next).map(FxHashSet::len);
            let all = known.entry(next).or_default();
            all.extend(&made);
            if before != Some(all.len()) {
                open.push(next);
            }
        }
    }
    false
}

//! Which loops of a program wait, and why others do not, as far as the code shows it.
use crate::machine::{Callee, Machine};
use crate::waiting::code::{Stores, Through, only_computes};
use crate::waiting::faint;
use crate::waiting::read::reads;
use frontend::ir::{Constant, FuncId, Function, Inst, LocId};
use por::Needs;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// A loop that reads what other threads may change: by an atomic access, or by trying to lock something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Where it reads, or where it calls a function that does.
    pub reads: LocId,
    /// Whether a thread waits there: nothing else of note need be done in a turn.
    pub waits: bool,
    /// What else is done in a turn, on some or (where no thread waits) on all ways.
    pub obstacles: Vec<(LocId, String)>,
}

impl Machine {
    /// The loops of the program that read what other threads may change, in the order of the code.
    pub fn loops(&self) -> Vec<Loop> {
        let mut machine = self.clone();
        machine.settle_exploration(Needs { waits: true, ..Needs::default() });
        let mut known = FxHashMap::default();
        let mut loops: Vec<Loop> = Vec::new();
        for number in 0..machine.program.module.functions.len() {
            let id = FuncId(number as u32);
            if !matches!(machine.program.callees[number], Callee::Defined) {
                continue;
            }
            for pc in 0..machine.program.module.functions[number].code.len() as u32 {
                if machine.looks_at_others(id, pc, &mut known) {
                    loops.extend(machine.loop_at(id, pc).filter(|new| loops.iter().all(|old| old.reads != new.reads)));
                }
            }
        }
        loops
    }

    /// Whether the instruction reads what other threads may change, or calls a function of the program that does.
    fn looks_at_others(&self, function: FuncId, pc: u32, known: &mut FxHashMap<FuncId, bool>) -> bool {
        let inst = self.program.module.functions[function.index()].code[pc as usize];
        match inst {
            Inst::AtomicLoad { .. } | Inst::AtomicRmw { .. } | Inst::CompareExchange { .. } => true,
            Inst::Call { callee, .. } => self.tries(inst) || self.function_looks_at_others(callee, known),
            Inst::CallIndirect { .. } => self.pointed_at().any(|callee| self.function_looks_at_others(callee, known)),
            _ => false,
        }
    }

    /// The functions whose addresses stand in the code of the program, or in its variables when it starts.
    fn pointed_at(&self) -> impl Iterator<Item = FuncId> {
        let module = &self.program.module;
        let initial = module.globals.iter().filter_map(|global| global.initial.as_ref());
        let initial = initial.flat_map(|initial| initial.relocations.iter().map(|(.., constant)| constant));
        module.constants.iter().chain(initial).filter_map(|constant| match *constant {
            Constant::Function(function, 0) => Some(function),
            _ => None,
        })
    }

    fn function_looks_at_others(&self, function: FuncId, known: &mut FxHashMap<FuncId, bool>) -> bool {
        if !matches!(self.program.callees[function.index()], Callee::Defined) {
            return false;
        }
        if let Some(&known) = known.get(&function) {
            return known;
        }
        known.insert(function, false);
        let mut all = 0..self.program.module.functions[function.index()].code.len() as u32;
        let looks = all.any(|pc| self.looks_at_others(function, pc, known));
        known.insert(function, looks);
        looks
    }

    /// The loop in which the instruction lies, if it does.
    fn loop_at(&mut self, id: FuncId, pc: u32) -> Option<Loop> {
        let program = std::sync::Arc::clone(&self.program);
        let function = &program.module.functions[id.index()];
        let turn = around(function, pc);
        if turn.is_empty() {
            return None;
        }
        let begun = OnceCell::new();
        let mut obstacles = Vec::new();
        for &other in turn.iter().filter(|&&other| other != pc) {
            let is_stored_by_callee = match function.code[other as usize] {
                Inst::Call { callee, .. } => {
                    self.may_be_passed_from(id, other, callee, Through::Reads, Stores::Counting)
                }
                _ => false,
            };
            let is_confined = program.confined(id).is_about(other, false) || program.tallies().has(id, other);
            let prints = faint::print(&program, function, function.code[other as usize]).is_some();
            if self.is_about_own(id, pc, other, &begun) || is_confined || is_stored_by_callee || prints {
                continue;
            }
            if let Some(what) = self.obstacle(function.code[other as usize]) {
                obstacles.push((function.locations[other as usize], what));
            }
        }
        // (A call of a function that does more than read is one itself.)
        let depth = self.depth(id, pc, Through::Reads);
        let waits =
            (depth.comes_back || depth.comes_back_counting) && self.obstacle(function.code[pc as usize]).is_none();
        if let Some(what) = self.obstacle(function.code[pc as usize]) {
            obstacles.insert(0, (function.locations[pc as usize], what));
        }
        Some(Loop { reads: function.locations[pc as usize], waits, obstacles })
    }

    /// What the instruction does beyond reading and computing.
    fn obstacle(&mut self, inst: Inst) -> Option<String> {
        match inst {
            Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::BranchICmp { .. }
            | Inst::Switch { .. }
            | Inst::Return { .. } => None,
            // (What a function of the program does shows when it is called.)
            Inst::CallIndirect { .. } => {
                let is_of_library = |callee: FuncId| !matches!(self.program.callees[callee.index()], Callee::Defined);
                let what = "a function is called by its address, perhaps one of the library";
                self.pointed_at().any(is_of_library).then(|| what.to_owned())
            }
            Inst::Call { callee, .. }
                if self.passing(callee).is_some() || self.may_be_passed(callee, Through::Reads, Stores::Counting) =>
            {
                None
            }
            Inst::Call { callee, .. } => {
                let name = &self.program.module.functions[callee.index()].name;
                Some(format!("`{name}` is called, which does more than read"))
            }
            Inst::AtomicStore { .. } => Some("an atomic variable is stored to".to_owned()),
            inst if only_computes(inst) || reads(inst) => None,
            Inst::Store8 { .. }
            | Inst::Store16 { .. }
            | Inst::Store32 { .. }
            | Inst::Store64 { .. }
            | Inst::StoreBits { .. }
            | Inst::StoreIndexed { .. } => Some("memory is written".to_owned()),
            _ => Some("something else is done than reading and computing".to_owned()),
        }
    }
}

/// The instructions that lie on some way from the instruction back to it; none if there is no such way.
fn around(function: &Function, from: u32) -> Vec<u32> {
    let successors = |pc: u32| -> Vec<u32> {
        match function.code[pc as usize] {
            Inst::Jump { .. } | Inst::Branch { .. } | Inst::BranchICmp { .. } | Inst::Switch { .. } => {
                function.targets(pc as usize, &[]).iter().map(|target| target.0).collect()
            }
            Inst::Return { .. } | Inst::Unreachable | Inst::Trap => Vec::new(),
            _ => vec![pc + 1],
        }
    };
    let len = function.code.len() as u32;
    let mut before = vec![Vec::new(); len as usize];
    let mut seen = vec![false; len as usize];
    let mut open = vec![from];
    while let Some(pc) = open.pop() {
        if std::mem::replace(&mut seen[pc as usize], true) {
            continue;
        }
        for next in successors(pc).into_iter().filter(|&next| next < len) {
            before[next as usize].push(pc);
            open.push(next);
        }
    }
    let mut back = vec![false; len as usize];
    let mut open = before[from as usize].clone();
    while let Some(pc) = open.pop() {
        if !std::mem::replace(&mut back[pc as usize], true) {
            open.extend(&before[pc as usize]);
        }
    }
    (0..len).filter(|&pc| back[pc as usize]).collect()
}

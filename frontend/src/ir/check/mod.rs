//! Checks that a module keeps the rules that the machine relies on.
#[cfg(test)]
mod tests;

use super::{Constant, FuncId, Function, Inst, LocId, Module, Operand, Pc, Slot, SwitchTable};

/// All broken rules, each with where it is broken.
///
/// # Errors
/// When there is at least one.
pub fn check(module: &Module) -> Result<(), Vec<String>> {
    let mut faults = Vec::new();
    for (index, constant) in module.constants.iter().enumerate() {
        if let Err(what) = check_constant(module, constant, index) {
            faults.push(format!("constant c{index}: {what}"));
        }
    }
    check_globals(module, &mut faults);
    for (index, location) in module.locations.iter().enumerate() {
        let file = location.file == u32::MAX || (location.file as usize) < module.files.len();
        let inlined = location.inlined_at.is_none_or(|at| at.index() < module.locations.len());
        if !file || !inlined {
            faults.push(format!("location {}: out of range", LocId(index as u32)));
        }
    }
    if !module.names.is_whole() {
        faults.push("names: a type out of range".to_owned());
    }
    for id in module.constructors.iter().chain(&module.destructors) {
        if id.index() >= module.functions.len() {
            faults.push(format!("constructor {id} out of range"));
        }
    }
    for (index, function) in module.functions.iter().enumerate() {
        let mut checker = Checker { module, function, id: FuncId(index as u32), faults: &mut faults };
        checker.function();
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn check_constant(module: &Module, constant: &Constant, before: usize) -> Result<(), String> {
    match *constant {
        Constant::Bits(_) => Ok(()),
        Constant::Global(id, _) => match module.globals.get(id.index()) {
            Some(global) if global.thread_local => Err(format!("{} is thread-local", global.name)),
            Some(_) => Ok(()),
            None => Err(format!("{id} out of range")),
        },
        Constant::Function(id, _) if id.index() >= module.functions.len() => Err(format!("{id} out of range")),
        Constant::Function(..) => Ok(()),
        Constant::Block(id, place) => match module.functions.get(id.index()) {
            Some(function) if function.code.is_empty() || function.blocks.contains(&place) => Ok(()),
            // A function that could not be lowered has no blocks to name; it cannot be entered.
            Some(function) if matches!(function.code[0], Inst::Unsupported { .. }) => Ok(()),
            Some(_) => Err(format!("{place} is not the start of a block of {id}")),
            None => Err(format!("{id} out of range")),
        },
        Constant::Difference { minuend, subtrahend, .. } => {
            for part in [minuend, subtrahend] {
                let address = module
                    .constants
                    .get(part as usize)
                    .is_some_and(|c| matches!(c, Constant::Global(..) | Constant::Function(..) | Constant::Block(..)));
                if part as usize >= before || !address {
                    return Err(format!("c{part} is not an earlier address"));
                }
            }
            Ok(())
        }
    }
}

fn check_globals(module: &Module, faults: &mut Vec<String>) {
    for global in &module.globals {
        if !global.align.is_power_of_two() {
            faults.push(format!("global {}: alignment {}", global.name, global.align));
        }
        let Some(initial) = &global.initial else {
            continue;
        };
        if initial.bytes.len() as u64 > global.size {
            faults.push(format!("global {}: {} bytes for a size of {}", global.name, initial.bytes.len(), global.size));
        }
        for (offset, len, constant) in &initial.relocations {
            if offset + u64::from(*len) > global.size {
                faults.push(format!("global {}: relocation at {offset} is outside", global.name));
            }
            if let Err(what) = check_constant(module, constant, module.constants.len()) {
                faults.push(format!("global {}: relocation at {offset}: {what}", global.name));
            }
        }
    }
}

struct Checker<'a> {
    module: &'a Module,
    function: &'a Function,
    id: FuncId,
    faults: &'a mut Vec<String>,
}

impl Checker<'_> {
    fn fault(&mut self, index: usize, what: &str) {
        let (id, name, inst) = (self.id, &self.function.name, self.function.code.get(index));
        self.faults.push(format!("{id} {name} at {}: {what}: {inst:?}", Pc(index as u32)));
    }

    fn function(&mut self) {
        let function = self.function;
        if function.locations.len() != function.code.len() {
            self.fault(0, "not one location per instruction");
        }
        if function.params.iter().map(|p| p.slots).sum::<u32>() > function.frame_slots {
            self.fault(0, "the parameters do not fit into the frame");
        }
        if function.code.is_empty() {
            return;
        }
        let ascending = function.blocks.windows(2).all(|pair| pair[0] < pair[1]);
        let inside = function.blocks.last().is_some_and(|last| last.index() < function.code.len());
        if function.blocks.first() != Some(&Pc(0)) || !ascending || !inside {
            self.fault(0, "the blocks are not in order");
            return;
        }
        // Any other block may run into the next one.
        let last = function.code.len() - 1;
        if !function.code[last].is_terminator() {
            self.fault(last, "control runs out of the function");
        }
        for index in 0..function.code.len() {
            self.instruction(index);
        }
        if self.faults.is_empty() {
            self.assignments();
        }
    }

    fn end(&self, block: usize) -> usize {
        let next = self.function.blocks.get(block + 1);
        next.map_or(self.function.code.len(), |next| next.index()) - 1
    }

    fn instruction(&mut self, index: usize) {
        let (module, function) = (self.module, self.function);
        let mut wrong = Vec::new();
        function.reads(index, |operand, n| {
            if !operand_fits(operand, n, function, module) {
                wrong.push(format!("operand {operand} (of {n} slots) is out of range"));
            }
        });
        function.writes(index, |slot, n| {
            if u64::from(slot.0) + u64::from(n) > u64::from(function.frame_slots) {
                wrong.push(format!("destination {slot} (of {n} slots) is out of range"));
            }
        });
        for what in wrong {
            self.fault(index, &what);
        }
        if function.locations.get(index).is_some_and(|at| at.index() >= module.locations.len()) {
            self.fault(index, "the location is out of range");
        }
        let mut inst = function.code[index];
        for target in inst.targets_mut() {
            if function.blocks.binary_search(target).is_err() {
                self.fault(index, "the target is not the start of a block");
            }
        }
        self.tables(index);
        self.widths(index);
    }

    /// Indices into the function's tables.
    fn tables(&mut self, index: usize) {
        let (module, function) = (self.module, self.function);
        match function.code[index] {
            Inst::Switch { table, .. } => match function.switches.get(table as usize) {
                Some(table) => self.switch(index, table),
                None => self.fault(index, "no such switch table"),
            },
            Inst::Alloca { info, .. } if info as usize >= function.allocas.len() => {
                self.fault(index, "no such stack object");
            }
            Inst::Unsupported { reason } if reason as usize >= function.unsupported.len() => {
                self.fault(index, "no such reason");
            }
            Inst::ThreadLocal { global, .. } if !module.globals.get(global.index()).is_some_and(|g| g.thread_local) => {
                self.fault(index, "not a thread-local global");
            }
            Inst::Return { n, .. } if n != function.result_slots => {
                self.fault(index, "not the declared number of slots");
            }
            Inst::Call { site, callee } => {
                if callee.index() >= module.functions.len() {
                    self.fault(index, "no such function");
                }
                self.site(index, site);
            }
            Inst::CallIndirect { site, .. } => self.site(index, site),
            _ => {}
        }
    }

    fn site(&mut self, index: usize, site: u32) {
        match self.function.calls.get(site as usize) {
            Some(site) if site.fixed_args as usize > site.args.len() => {
                self.fault(index, "fewer arguments than the function type has");
            }
            Some(_) => {}
            None => self.fault(index, "no such call site"),
        }
    }

    fn switch(&mut self, index: usize, table: &SwitchTable) {
        if !table.cases.windows(2).all(|pair| pair[0].0 < pair[1].0) {
            self.fault(index, "the cases are not in ascending order");
        }
        for target in table.cases.iter().map(|(_, target)| target).chain([&table.default]) {
            if self.function.blocks.binary_search(target).is_err() {
                self.fault(index, "a target is not the start of a block");
            }
        }
    }

    fn widths(&mut self, index: usize) {
        let fits = match self.function.code[index] {
            Inst::Add(b)
            | Inst::Sub(b)
            | Inst::Mul(b)
            | Inst::And(b)
            | Inst::Or(b)
            | Inst::Xor(b)
            | Inst::Shl(b)
            | Inst::LShr(b)
            | Inst::AShr(b)
            | Inst::UDiv(b)
            | Inst::SDiv(b)
            | Inst::URem(b)
            | Inst::SRem(b) => (1..=64).contains(&b.width),
            Inst::Int { width, .. }
            | Inst::FunnelShift { width, .. }
            | Inst::ICmp { width, .. }
            | Inst::Trunc { width, .. }
            | Inst::BranchICmp { width, .. }
            | Inst::Switch { width, .. } => (1..=64).contains(&width),
            Inst::Sext { from, to, .. } => 1 <= from && from < to && to <= 64,
            Inst::Bits { width, .. } | Inst::Overflow { width, .. } => (1..=128).contains(&width),
            Inst::Wide { width, .. } | Inst::WideICmp { width, .. } => (65..=128).contains(&width),
            Inst::LoadBits { bits, .. } | Inst::StoreBits { bits, .. } | Inst::VaArg { bits, .. } => {
                (1..=128).contains(&bits)
            }
            Inst::LoadIndexed { size, .. } | Inst::StoreIndexed { size, .. } => {
                matches!(size, 1 | 2 | 4 | 8)
            }
            Inst::AtomicLoad { size, .. }
            | Inst::AtomicStore { size, .. }
            | Inst::AtomicRmw { size, .. }
            | Inst::CompareExchange { size, .. } => matches!(size, 1 | 2 | 4 | 8 | 16),
            _ => true,
        };
        if !fits {
            self.fault(index, "the width is out of range");
        }
    }

    /// No slot is read before it is written, on any way.
    fn assignments(&mut self) {
        let function = self.function;
        let words = (function.frame_slots as usize).div_ceil(64);
        let labels = self.labels();
        // What is certainly written where each block begins; None: not reached yet.
        let mut at_start: Vec<Option<Vec<u64>>> = vec![None; function.blocks.len()];
        let mut first = vec![0; words];
        let params: u32 = function.params.iter().map(|p| p.slots).sum();
        (0..params).for_each(|slot| first[slot as usize / 64] |= 1 << (slot % 64));
        at_start[0] = Some(first);
        let mut work = vec![0];
        while let Some(block) = work.pop() {
            let Some(mut written) = at_start[block].clone() else {
                continue;
            };
            let mut targets: Vec<Pc> = function.blocks.get(block + 1).copied().into_iter().collect();
            for index in function.blocks[block].index()..=self.end(block) {
                function.writes(index, |slot, n| {
                    (slot.0..slot.0 + n).for_each(|s| written[s as usize / 64] |= 1 << (s % 64));
                });
                if function.code[index].is_terminator() {
                    targets = function.targets(index, &labels);
                    break;
                }
            }
            for target in targets {
                let Ok(target) = function.blocks.binary_search(&target) else {
                    continue;
                };
                let merged: Vec<u64> = match &at_start[target] {
                    Some(known) => known.iter().zip(&written).map(|(a, b)| a & b).collect(),
                    None => written.clone(),
                };
                if at_start[target].as_ref() != Some(&merged) {
                    at_start[target] = Some(merged);
                    work.push(target);
                }
            }
        }
        for (block, start) in at_start.into_iter().enumerate() {
            if let Some(written) = start {
                self.reads_of_block(block, written);
            }
        }
    }

    /// The blocks whose addresses the module takes.
    fn labels(&self) -> Vec<Pc> {
        let initials = self.module.globals.iter().filter_map(|g| g.initial.as_ref());
        let relocations = initials.flat_map(|i| i.relocations.iter().map(|(_, _, constant)| constant));
        let labels = self.module.constants.iter().chain(relocations);
        labels
            .filter_map(|constant| match constant {
                Constant::Block(id, place) if *id == self.id => Some(*place),
                _ => None,
            })
            .collect()
    }

    fn reads_of_block(&mut self, block: usize, mut written: Vec<u64>) {
        let function = self.function;
        for index in function.blocks[block].index()..=self.end(block) {
            let mut missing = None;
            function.reads(index, |operand, n| {
                let first = operand.as_slot().map_or(0..0, |slot| slot.0..slot.0 + n);
                missing = missing.or(first.into_iter().find(|s| written[*s as usize / 64] >> (s % 64) & 1 == 0));
            });
            if let Some(slot) = missing {
                self.fault(index, &format!("{} is read before it is written", Slot(slot)));
            }
            function.writes(index, |slot, n| {
                (slot.0..slot.0 + n).for_each(|s| written[s as usize / 64] |= 1 << (s % 64));
            });
            if function.code[index].is_terminator() {
                return;
            }
        }
    }
}

fn operand_fits(operand: Operand, n: u32, function: &Function, module: &Module) -> bool {
    let (index, len) = match (operand.as_slot(), operand.as_constant()) {
        (Some(slot), _) => (slot.0, u64::from(function.frame_slots)),
        (None, Some(index)) => (index, module.constants.len() as u64),
        (None, None) => return false,
    };
    u64::from(index) + u64::from(n) <= len
}

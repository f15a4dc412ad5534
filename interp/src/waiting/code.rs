//! What the code shows: which accesses lie in a loop that does nothing else of note.
use crate::library::hooks::{Failure, Passing};
use crate::machine::{Callee, Machine};
use crate::options::Awaits;
use crate::waiting::faint;
use crate::waiting::open::is_of_words;
use crate::waiting::read::{reads, reads_plainly};
use crate::waiting::variables::Variables;
use frontend::ir::{FuncId, Function, Inst, Liveness};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::sync::Arc;

/// Where the way on from an access leads, or from a call that returns, without anything of note.
#[derive(Clone, Debug, Default)]
pub(crate) struct Depth {
    /// Back to it, or to an assumption.
    pub(super) comes_back: bool,
    /// To the end of the function.
    pub(super) returns: bool,
    /// Back to it, if the function may store by its parameters, in what leads to confined variables of its caller.
    pub(super) comes_back_storing: bool,
    /// To the end of the function, if it may do so.
    pub(super) returns_storing: bool,
    /// Back to it, or to the end of the function, if it may count by its parameters, wherever that is.
    pub(super) comes_back_counting: bool,
    pub(super) returns_counting: bool,
    /// On a way back, something is loaded plainly or a function is called.
    pub(super) reads_on_way_back: bool,
    /// So it is on a way to the end of the function.
    pub(super) reads_before_end: bool,
    /// So it may be on a way there from the beginning of the function.
    pub(super) reads_before_it: bool,
    /// The slots that are read again.
    pub(super) live: Arc<[u32]>,
}

impl Depth {
    /// Whether it leads to somewhere that matters.
    fn leads_on(&self) -> bool {
        self.comes_back
            || self.comes_back_storing
            || self.comes_back_counting
            || self.returns
            || self.returns_storing
            || self.returns_counting
    }
}

/// Which ways are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Through {
    /// Those on which nothing of note is done.
    Reads,
    /// Those on which a mutex may be unlocked besides.
    Section,
}

/// What a function may do by its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Stores {
    /// It stores nothing there.
    Nothing,
    /// It stores in what its caller may have confined variables for.
    ForCaller,
    /// It counts there, wherever that is.
    Counting,
}

impl Stores {
    const ALL: [Stores; 3] = [Stores::Nothing, Stores::ForCaller, Stores::Counting];
}

/// The instruction of this number is that before the first one.
const ENTRY: u32 = u32::MAX;

impl Machine {
    /// Where the way on leads from an access or a call.
    pub(super) fn depth(&mut self, function: FuncId, pc: u32, through: Through) -> Depth {
        if let Some(known) = self.lifelong.turns.depths.get(&(function, pc, through)) {
            return known.clone();
        }
        let program = Arc::clone(&self.program);
        let code = &program.module.functions[function.index()];
        let mut depth = self.ways_on(function, pc, through, Stores::Nothing);
        if program.confined(function).stores_by_parameter() {
            let storing = self.ways_on(function, pc, through, Stores::ForCaller);
            depth.comes_back_storing = storing.comes_back;
            depth.returns_storing = storing.returns;
            depth.reads_on_way_back |= storing.reads_on_way_back;
            depth.reads_before_end |= storing.reads_before_end;
        }
        let counting = self.ways_on(function, pc, through, Stores::Counting);
        depth.comes_back_counting = counting.comes_back;
        depth.returns_counting = counting.returns;
        depth.reads_on_way_back |= counting.reads_on_way_back;
        depth.reads_before_end |= counting.reads_before_end;
        let reads_or_calls = |at: u32, inst: &Inst| {
            reads_plainly(*inst) || inst.call_site().is_some() || program.tallies().is_shared(function, at)
        };
        let begins = self.begins_at(code.code[pc as usize]);
        let mut all = (0..).zip(&code.code);
        depth.reads_before_it = all.any(|(at, inst)| (at != pc || !begins) && reads_or_calls(at, inst));
        if depth.leads_on() {
            depth.live = self.live_before(code, pc);
        }
        self.lifelong.turns.depths.insert((function, pc, through), depth.clone());
        depth
    }

    /// The slots that are read again behind the access, or behind the call.
    fn live_before(&self, code: &Function, pc: u32) -> Arc<[u32]> {
        let live = match code.code[pc as usize] {
            inst @ (Inst::Call { .. } | Inst::CallIndirect { .. }) if !self.begins_at(inst) => {
                Liveness::new(code).before(code, pc + 1).without_results(code, pc)
            }
            _ => Liveness::new(code).before(code, pc),
        };
        live.iter().map(|slot| slot as u32).collect()
    }

    /// The slots of a function that are read again behind that call, in which a loop stores what leads to a confined
    /// variable of the function.
    pub(super) fn live_below(&mut self, function: FuncId, pc: u32, through: Through) -> Arc<[u32]> {
        let depth = self.depth(function, pc, through);
        if depth.leads_on() || !depth.live.is_empty() {
            return depth.live;
        }
        let program = Arc::clone(&self.program);
        let live = self.live_before(&program.module.functions[function.index()], pc);
        let depths = &mut self.lifelong.turns.depths;
        depths.insert((function, pc, through), Depth { live: Arc::clone(&live), ..depth });
        live
    }

    /// Whether some way leads on from behind the instruction at `from`, back to it or to an assumption, and whether one
    /// does to the end of the function, by instructions that a [`Walker`](super::walker::Walker) knows, or that read.
    fn ways_on(&mut self, id: FuncId, from: u32, through: Through, stores: Stores) -> Depth {
        let program = Arc::clone(&self.program);
        let function = &program.module.functions[id.index()];
        let begun = OnceCell::new();
        let mut ways = Depth::default();
        let mut seen = vec![false; function.code.len()];
        // The instructions from which control comes to each, those that read something besides, and those that return.
        let mut before: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let (mut reads_besides, mut ends) = (Vec::new(), Vec::new());
        let mut open = vec![from.wrapping_add(1)];
        while let Some(pc) = open.pop() {
            if pc == from {
                ways.comes_back = true;
                continue;
            }
            let reached = open.len();
            let Some(inst) = function.code.get(pc as usize) else { continue };
            if std::mem::replace(&mut seen[pc as usize], true) {
                continue;
            }
            match *inst {
                Inst::Jump { .. } | Inst::Branch { .. } | Inst::BranchICmp { .. } | Inst::Switch { .. } => {
                    open.extend(function.targets(pc as usize, &[]).iter().map(|target| target.0));
                }
                Inst::Return { .. } => {
                    ways.returns = true;
                    ends.push(pc);
                }
                Inst::Call { callee, .. } => match self.passing(callee) {
                    Some(Passing::Sleeps(_)) => {
                        reads_besides.push(pc);
                        open.push(pc + 1);
                    }
                    Some(Passing::Assumes) => ways.comes_back = true,
                    Some(Passing::Idles | Passing::Tries(_)) => open.push(pc + 1),
                    Some(Passing::Unlocks) if through == Through::Section => open.push(pc + 1),
                    Some(Passing::Locks | Passing::Unlocks) => {}
                    None if faint::print(&program, function, *inst).is_some() => open.push(pc + 1),
                    None if self.may_be_passed_from(id, pc, callee, through, stores) => {
                        reads_besides.push(pc);
                        open.push(pc + 1);
                    }
                    None => {}
                },
                // (Which function that is, the thread knows when it stands there.)
                Inst::CallIndirect { .. } => {
                    reads_besides.push(pc);
                    open.push(pc + 1);
                }
                inst if only_computes(inst) => open.push(pc + 1),
                _ if self.is_about_own(id, from, pc, &begun) => open.push(pc + 1),
                _ if program.confined(id).is_about(pc, stores == Stores::ForCaller) => {
                    reads_besides.extend(program.tallies().is_shared(id, pc).then_some(pc));
                    open.push(pc + 1);
                }
                _ if self.counts(id, pc, stores) => {
                    reads_besides.extend(program.tallies().is_shared(id, pc).then_some(pc));
                    open.push(pc + 1);
                }
                inst if reads(inst) => {
                    reads_besides.extend(reads_plainly(inst).then_some(pc));
                    open.push(pc + 1);
                }
                _ => {}
            }
            open[reached..].iter().for_each(|&next| before.entry(next).or_default().push(pc));
        }
        let lead_to = |to: Vec<u32>| {
            let mut lead = vec![false; function.code.len()];
            let mut open = to;
            while let Some(pc) = open.pop() {
                for &earlier in before.get(&pc).into_iter().flatten() {
                    if !std::mem::replace(&mut lead[earlier as usize], true) {
                        open.push(earlier);
                    }
                }
            }
            reads_besides.iter().any(|&pc| lead[pc as usize])
        };
        ways.reads_on_way_back = lead_to(vec![from]);
        ways.reads_before_end = lead_to(ends);
        ways
    }

    /// Whether some way leads through a function of the program that is called there.
    pub(super) fn may_be_passed_from(
        &mut self,
        caller: FuncId,
        pc: u32,
        callee: FuncId,
        through: Through,
        stores: Stores,
    ) -> bool {
        let program = Arc::clone(&self.program);
        let by_parameter = stores == Stores::ForCaller;
        let hands =
            || program.confined(callee).stores_by_parameter() && program.confined(caller).hands(pc, by_parameter);
        self.may_be_passed(callee, through, Stores::Nothing)
            || hands() && self.may_be_passed(callee, through, Stores::ForCaller)
            || stores == Stores::Counting && self.may_be_passed(callee, through, Stores::Counting)
    }

    /// Whether some way leads through a function of the program; `stores`: what it may do by its parameters.
    pub(super) fn may_be_passed(&mut self, callee: FuncId, through: Through, stores: Stores) -> bool {
        if !matches!(self.program.callees[callee.index()], Callee::Defined) {
            return false;
        }
        if !self.lifelong.turns.passable.contains_key(&(callee, through, stores)) {
            self.look_for_ways_through(callee, through);
        }
        self.lifelong.turns.passable[&(callee, through, stores)]
    }

    /// Finds out that of a function and of all that it may call: those through which a way leads that passes others of
    /// which that is known. (Functions may call one another in turn. So the answer does not depend on which is asked
    /// for first.)
    fn look_for_ways_through(&mut self, function: FuncId, through: Through) {
        let program = Arc::clone(&self.program);
        let (mut all, mut open) = (Vec::new(), vec![function]);
        while let Some(function) = open.pop() {
            let is_defined = matches!(program.callees[function.index()], Callee::Defined);
            if !is_defined || self.lifelong.turns.passable.contains_key(&(function, through, Stores::Nothing)) {
                continue;
            }
            for stores in Stores::ALL {
                self.lifelong.turns.passable.insert((function, through, stores), false);
                all.push((function, stores));
            }
            let code = &program.module.functions[function.index()].code;
            open.extend(code.iter().filter_map(|inst| match *inst {
                Inst::Call { callee, .. } => Some(callee),
                _ => None,
            }));
        }
        // Those that are called come first: mostly the second time changes nothing then.
        all.reverse();
        loop {
            let count = all.len();
            all.retain(|&(function, stores)| {
                !self.ways_on(function, ENTRY, through, stores).returns || {
                    self.lifelong.turns.passable.insert((function, through, stores), true);
                    false
                }
            });
            if all.len() == count {
                return;
            }
        }
    }

    /// Whether the instruction has to do with one variable of the function alone, whose life may lie between two
    /// accesses: any if the function is called there, else one whose life begins on a way on from `from`, or of which
    /// nothing is read there before it is written. `begun`:
    /// those of which that is so, once it was asked for.
    pub(super) fn is_about_own(&self, function: FuncId, from: u32, pc: u32, begun: &OnceCell<FxHashSet<u32>>) -> bool {
        let code = &self.program.module.functions[function.index()];
        let variables = self.program.variables(function);
        let variable = match code.code[pc as usize] {
            Inst::Alloca { info, .. } => Some(info),
            _ => variables.accessed(pc),
        };
        let lives = |variable| {
            let begins = || begun.get_or_init(|| begun_after(code, variables, from)).contains(&variable);
            from == ENTRY
                || begins() && variables.is_scoped(code, variable)
                || self.is_dead_at(function, from, variable)
        };
        variable.is_some_and(lives)
    }

    /// Whether the instruction accesses a tally. Where that may be a confined variable of a caller, it is one for
    /// [`Stores::Counting`] alone.
    fn counts(&self, function: FuncId, pc: u32, stores: Stores) -> bool {
        let tallies = self.program.tallies();
        let is_by_parameter = || self.program.confined(function).is_about(pc, true);
        tallies.has(function, pc)
            && (stores == Stores::Counting || !tallies.counts_anywhere(function, pc) || !is_by_parameter())
    }

    /// Whether it is a scratch variable, and nothing of what it holds is read behind that access or call before it is
    /// written.
    fn is_dead_at(&self, function: FuncId, pc: u32, variable: u32) -> bool {
        let inst = self.program.module.functions[function.index()].code[pc as usize];
        let comes_back = matches!(inst, Inst::Call { .. }) && !self.begins_at(inst);
        let scratch = self.program.scratch(function);
        scratch.has(variable) && scratch.live(variable, pc + u32::from(comes_back)) == 0
    }

    /// How calls of the function are passed over; `None` if they do something.
    pub(super) fn passing(&self, callee: FuncId) -> Option<Passing> {
        let is_model = matches!(self.program.callees[callee.index()], Callee::Model(_));
        self.program.passing[callee.index()].filter(|&passing| match passing {
            Passing::Assumes => is_model && self.exploration.awaits == Awaits::Assume,
            Passing::Tries(Failure::SetsErrno) => is_model && !self.exploration.errno_matters,
            _ => is_model,
        })
    }

    /// How the instruction fails if it is a call that takes something or fails.
    pub(super) fn failure(&self, inst: Inst) -> Option<Failure> {
        let Inst::Call { callee, .. } = inst else { return None };
        match self.passing(callee) {
            Some(Passing::Tries(failure)) => Some(failure),
            _ => None,
        }
    }

    /// Whether the instruction is such a call.
    pub(super) fn tries(&self, inst: Inst) -> bool {
        self.failure(inst).is_some()
    }

    /// Whether the instruction is a call before which a turn may begin.
    fn begins_at(&self, inst: Inst) -> bool {
        self.tries(inst) || matches!(inst, Inst::Call { callee, .. } if self.passing(callee) == Some(Passing::Locks))
    }
}

/// The variables whose lives begin on some way on from the instruction, before it is come back to.
fn begun_after(code: &Function, variables: &Variables, from: u32) -> FxHashSet<u32> {
    let mut begun = FxHashSet::default();
    let mut seen = vec![false; code.code.len()];
    let mut open = vec![from + 1];
    while let Some(pc) = open.pop() {
        let Some(inst) = code.code.get(pc as usize).filter(|_| pc != from) else { continue };
        if std::mem::replace(&mut seen[pc as usize], true) {
            continue;
        }
        if let Inst::LifetimeStart { .. } = inst {
            begun.extend(variables.accessed(pc));
        }
        match inst.is_terminator() {
            true => open.extend(code.targets(pc as usize, &[]).iter().map(|target| target.0)),
            false => open.push(pc + 1),
        }
    }
    begun
}

/// Whether the instruction only computes on registers, with a slot for each value. It may be an error for some values
/// only.
pub(super) fn only_computes(inst: Inst) -> bool {
    let computes = matches!(
        inst,
        Inst::Add(_)
            | Inst::Sub(_)
            | Inst::And(_)
            | Inst::Or(_)
            | Inst::Xor(_)
            | Inst::Mul(_)
            | Inst::UDiv(_)
            | Inst::SDiv(_)
            | Inst::URem(_)
            | Inst::SRem(_)
            | Inst::Shl(_)
            | Inst::LShr(_)
            | Inst::AShr(_)
            | Inst::Int { .. }
            | Inst::Bits { .. }
            | Inst::FunnelShift { .. }
            | Inst::Float { .. }
            | Inst::FloatUnary { .. }
            | Inst::FCmp { .. }
            | Inst::Cast { .. }
            | Inst::ICmp { .. }
            | Inst::Trunc { .. }
            | Inst::Sext { .. }
            | Inst::Copy { .. }
            | Inst::Select { .. }
            | Inst::Undef { .. }
            | Inst::Address { .. }
            | Inst::AddressOffset { .. }
            | Inst::UseAddress { .. }
            | Inst::Nop
            | Inst::Fence { .. }
    );
    computes && is_of_words(inst)
}

//! Which slots of a frame are read again, in the plainest way: instruction by instruction, until nothing changes.
use frontend::ir::{Function, Inst};

/// For each instruction of a function the slots that are read from there on, before they are written.
#[derive(Clone, Debug)]
pub(super) struct Live(Vec<Vec<bool>>);

impl Live {
    pub(super) fn new(function: &Function) -> Live {
        let mut live = vec![vec![false; function.frame_slots as usize]; function.code.len() + 1];
        let mut changed = true;
        while changed {
            changed = false;
            for pc in (0..function.code.len()).rev() {
                let mut slots = behind(function, &live, pc);
                function.writes(pc, |slot, n| (slot.0..slot.0 + n).for_each(|i| slots[i as usize] = false));
                function.reads(pc, |operand, n| {
                    let slot = operand.as_slot().map(|slot| slot.0);
                    slot.iter().flat_map(|slot| *slot..slot + n).for_each(|i| slots[i as usize] = true);
                });
                changed |= slots != live[pc];
                live[pc] = slots;
            }
        }
        Live(live)
    }

    /// The slots that matter in front of an instruction, or (`called`) while it is a call that has not returned.
    pub(super) fn at(&self, function: &Function, pc: u32, called: bool) -> impl Iterator<Item = u32> + use<> {
        let pc = pc as usize;
        let mut slots = self.0[pc].clone();
        if called {
            slots = behind(function, &self.0, pc);
            function.writes(pc, |slot, n| (slot.0..slot.0 + n).for_each(|i| slots[i as usize] = false));
        }
        (0..).zip(slots).filter_map(|(slot, live)| live.then_some(slot))
    }
}

/// What is live after an instruction. (A computed jump may go anywhere.)
fn behind(function: &Function, live: &[Vec<bool>], pc: usize) -> Vec<bool> {
    let inst = function.code[pc];
    let next: Vec<usize> = match inst {
        Inst::IndirectJump { .. } => function.blocks.iter().map(|block| block.index()).collect(),
        _ if inst.is_terminator() => function.targets(pc, &[]).iter().map(|target| target.index()).collect(),
        _ => vec![pc + 1],
    };
    let mut all = vec![false; function.frame_slots as usize];
    for other in next {
        all.iter_mut().zip(&live[other]).for_each(|(mine, theirs)| *mine |= theirs);
    }
    all
}

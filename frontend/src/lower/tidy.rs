//! Removes what the translation block by block leaves behind: jumps to jumps and branches, code that cannot be reached,
//! copies of a slot to itself, jumps to what follows anyway.
use crate::ir::liveness::block_end;
use crate::ir::{Function, Inst, Operand, Pc};

/// Tidies the code up; says where each instruction went (those that were removed: what came to stand there).
pub(super) fn tidy(function: &mut Function, labels: &[Pc]) -> Vec<Pc> {
    let first = remove(function, |_, inst| matches!(inst, Inst::Copy { dst, a } if *a == Operand::slot(*dst)));
    let mut labels: Vec<Pc> = labels.iter().map(|label| first[label.index()]).collect();
    skip_jumps(function);
    branch_at_once(function);
    let reached = reached(function, &labels);
    let second = remove(function, |index, _| !reached[index]);
    labels.iter_mut().for_each(|label| *label = second[label.index()]);
    let third = remove(function, |index, inst| matches!(inst, Inst::Jump { target } if target.index() == index + 1));
    first.into_iter().map(|place| third[second[place.index()].index()]).collect()
}

/// Removes instructions. A block that loses all of them vanishes.
fn remove(function: &mut Function, is_useless: impl Fn(usize, &Inst) -> bool) -> Vec<Pc> {
    let keep: Vec<bool> = function.code.iter().enumerate().map(|(i, inst)| !is_useless(i, inst)).collect();
    let mut moved = Vec::with_capacity(keep.len() + 1);
    let mut next = 0;
    for keep in &keep {
        moved.push(Pc(next));
        next += u32::from(*keep);
    }
    // A place behind the end, for blocks at the end that vanish.
    moved.push(Pc(next));
    let mut kept = keep.iter();
    function.code.retain(|_| *kept.next().expect("one entry per instruction"));
    let mut kept = keep.iter();
    function.locations.retain(|_| *kept.next().expect("one entry per instruction"));
    for block in &mut function.blocks {
        *block = moved[block.index()];
    }
    function.blocks.dedup();
    if function.blocks.last().is_some_and(|last| last.index() >= function.code.len()) {
        function.blocks.pop();
    }
    each_target(function, |target| moved[target.index()]);
    moved
}

fn each_target(function: &mut Function, change: impl Fn(Pc) -> Pc) {
    for inst in &mut function.code {
        for target in inst.targets_mut() {
            *target = change(*target);
        }
    }
    for table in &mut function.switches {
        table.default = change(table.default);
        for (_, target) in &mut table.cases {
            *target = change(*target);
        }
    }
}

/// Branches that lead to a mere jump go where that leads.
fn skip_jumps(function: &mut Function) {
    let code = function.code.clone();
    each_target(function, |mut target| {
        // A bound, because jumps may form a circle.
        for _ in 0..8 {
            match code[target.index()] {
                Inst::Jump { target: next } => target = next,
                _ => break,
            }
        }
        target
    });
}

/// A jump to a branch or return does that itself: the test of a loop is then made where its body ends.
fn branch_at_once(function: &mut Function) {
    for index in 0..function.code.len() {
        if let Inst::Jump { target } = function.code[index] {
            let inst = function.code[target.index()];
            let ends = matches!(
                inst,
                Inst::Branch { .. } | Inst::BranchICmp { .. } | Inst::Return { .. } | Inst::IndirectJump { .. }
            );
            if ends && target.index() != index + 1 {
                function.code[index] = inst;
                function.locations[index] = function.locations[target.index()];
            }
        }
    }
}

/// Which instructions can be reached.
fn reached(function: &Function, labels: &[Pc]) -> Vec<bool> {
    let mut reached = vec![false; function.code.len()];
    let mut seen = vec![false; function.blocks.len()];
    let number = |pc: &Pc| function.blocks.binary_search(pc).ok();
    let mut work: Vec<usize> = labels.iter().filter_map(number).chain([0]).collect();
    while let Some(block) = work.pop() {
        if std::mem::replace(&mut seen[block], true) {
            continue;
        }
        let (start, end) = (function.blocks[block].index(), block_end(function, block) as usize);
        // Nothing behind what is unsupported can be reached.
        match (start..=end).find(|index| function.code[*index].is_terminator()) {
            Some(last) => {
                reached[start..=last].fill(true);
                work.extend(function.targets(last, labels).iter().filter_map(number));
            }
            None => {
                reached[start..=end].fill(true);
                work.push(block + 1);
            }
        }
    }
    reached
}

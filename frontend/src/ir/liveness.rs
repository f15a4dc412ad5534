//! Which slots still matter at which instruction.
use super::{Function, Inst, Operand, Pc, Slot};

/// The last instruction of a block.
pub(crate) fn block_end(function: &Function, block: usize) -> u32 {
    function.blocks.get(block + 1).map_or(function.code.len() as u32, |next| next.0) - 1
}

/// The blocks that control may go to from a block.
pub(crate) fn successors(function: &Function, block: usize, labels: &[Pc]) -> Vec<usize> {
    let end = block_end(function, block) as usize;
    if !function.code[end].is_terminator() {
        return vec![block + 1];
    }
    let targets = function.targets(end, labels);
    targets.into_iter().filter_map(|pc| function.blocks.binary_search(&pc).ok()).collect()
}

/// A set of slots of a frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slots(Vec<u64>);

impl Slots {
    /// Whether the slot is in the set.
    pub fn contains(&self, slot: usize) -> bool {
        self.0[slot / 64] >> (slot % 64) & 1 != 0
    }

    pub(crate) fn set(&mut self, slot: usize, on: bool) {
        let bit = 1 << (slot % 64);
        if on {
            self.0[slot / 64] |= bit;
        } else {
            self.0[slot / 64] &= !bit;
        }
    }

    /// The slots of the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|slot| self.contains(*slot))
    }
}

impl Slots {
    /// None of `n` slots.
    fn none(n: u32) -> Slots {
        Slots(vec![0; (n as usize).div_ceil(64)])
    }

    /// Turns the set that is alive after an instruction into the set that is alive before it. `heeds`: what the
    /// instruction reads that matters even if nothing that it writes is alive; `None` is all that it reads.
    pub(crate) fn step(&mut self, function: &Function, index: usize, heeds: Option<&[Slot]>) {
        let mut writes_alive = false;
        function.writes(index, |slot, n| {
            for slot in slot.0..slot.0 + n {
                writes_alive |= self.contains(slot as usize);
                self.set(slot as usize, false);
            }
        });
        match heeds {
            Some(heeded) if !writes_alive => heeded.iter().for_each(|slot| self.set(slot.index(), true)),
            _ => function.reads(index, |operand, n| {
                if let Some(slot) = operand.as_slot() {
                    (slot.0..slot.0 + n).for_each(|i| self.set(i as usize, true));
                }
            }),
        }
    }
}

/// What is alive at the end of a block, given what is alive at the starts of all.
pub(crate) fn live_out(function: &Function, block: usize, live_in: &[Slots], labels: &[Pc]) -> Slots {
    let mut out = Slots::none(function.frame_slots);
    for successor in successors(function, block, labels) {
        for (word, more) in out.0.iter_mut().zip(&live_in[successor].0) {
            *word |= more;
        }
    }
    out
}

/// By instruction: what it reads that matters even if nothing that it writes is read; `None` is all that it reads.
pub type Heeds = Vec<Option<Box<[Slot]>>>;

fn heeded_at(heeds: &Heeds, index: usize) -> Option<&[Slot]> {
    heeds.get(index).and_then(Option::as_deref)
}

/// The slots that are read before they are written, per block, from its start on.
pub(crate) fn live_in(function: &Function, labels: &[Pc], heeds: &Heeds) -> Vec<Slots> {
    let mut live = vec![Slots::none(function.frame_slots); function.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for block in (0..function.blocks.len()).rev() {
            let mut now = live_out(function, block, &live, labels);
            for index in (function.blocks[block].index()..=block_end(function, block) as usize).rev() {
                now.step(function, index, heeded_at(heeds, index));
            }
            if now != live[block] {
                live[block] = now;
                changed = true;
            }
        }
    }
    live
}

impl Function {
    /// Whether what its parameters were given matters for anything.
    pub fn reads_parameters(&self) -> bool {
        let slots = self.params.iter().map(|parameter| parameter.slots as usize).sum();
        !self.code.is_empty() && Liveness::new(self).before(self, 0).iter().any(|slot| slot < slots)
    }
}

/// What is alive where in one function.
#[derive(Clone, Debug)]
pub struct Liveness {
    labels: Vec<Pc>,
    live_in: Vec<Slots>,
    heeds: Heeds,
}

impl Liveness {
    /// That of a function whose code is final. An indirect jump is taken to lead to any block.
    pub fn new(function: &Function) -> Self {
        Liveness::heeding(function, Heeds::new())
    }

    /// The same, where what instructions read may matter less. (Those that are not in the list read all that they do.)
    pub fn heeding(function: &Function, heeds: Heeds) -> Self {
        let indirect = function.code.iter().any(|inst| matches!(inst, Inst::IndirectJump { .. }));
        let labels = if indirect { function.blocks.clone() } else { Vec::new() };
        let live_in = live_in(function, &labels, &heeds);
        Liveness { labels, live_in, heeds }
    }

    /// Whether anything that the instruction at `pc` writes matters.
    pub fn is_for_something(&self, function: &Function, pc: usize) -> bool {
        let mut matters = false;
        let ends = function.code[pc].is_terminator();
        let behind = (!ends).then(|| self.before(function, pc as u32 + 1));
        function.writes(pc, |slot, n| {
            let slots = slot.index()..slot.index() + n as usize;
            matters |= behind.as_ref().is_none_or(|behind| slots.clone().any(|slot| behind.contains(slot)));
        });
        matters
    }

    /// What the instruction at `pc` reads that matters, if what it writes does or does not.
    pub fn reads(&self, function: &Function, pc: usize, matters: bool, mut each: impl FnMut(Operand, u32)) {
        match heeded_at(&self.heeds, pc) {
            Some(heeded) if !matters => heeded.iter().for_each(|slot| each(Operand::slot(*slot), 1)),
            _ => function.reads(pc, each),
        }
    }

    /// By instruction of a block: whether anything that it writes matters. (That of one that ends a block does.)
    pub fn matters_in_block(&self, function: &Function, block: usize) -> Vec<bool> {
        let (begin, end) = (function.blocks[block].index(), block_end(function, block) as usize);
        let mut live = live_out(function, block, &self.live_in, &self.labels);
        let mut matters = vec![false; end + 1 - begin];
        for index in (begin..=end).rev() {
            let mut matter = function.code[index].is_terminator();
            function.writes(index, |slot, n| matter |= (slot.0..slot.0 + n).any(|slot| live.contains(slot as usize)));
            matters[index - begin] = matter;
            live.step(function, index, heeded_at(&self.heeds, index));
        }
        matters
    }

    /// The slots whose values may be read by the instruction at `pc` or after it, before they are written.
    pub fn before(&self, function: &Function, pc: u32) -> Slots {
        let block = function.blocks.partition_point(|start| start.0 <= pc) - 1;
        let mut live = live_out(function, block, &self.live_in, &self.labels);
        for index in (pc..=block_end(function, block)).rev() {
            live.step(function, index as usize, heeded_at(&self.heeds, index as usize));
        }
        live
    }
}

impl Slots {
    /// The set without what the instruction at `pc` writes: what matters while that is a call that has not returned.
    pub fn without_results(mut self, function: &Function, pc: u32) -> Slots {
        function.writes(pc as usize, |slot, n| (slot.0..slot.0 + n).for_each(|i| self.set(i as usize, false)));
        self
    }
}

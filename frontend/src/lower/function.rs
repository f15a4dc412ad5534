//! The body of one function while it is being lowered.
//!
//! One file: what a body is made of, and the methods that put it together.
use super::address::Address;
use super::constant::mask;
use super::debug::{self, Variable};
use super::llvm::{Block, Kind, Value};
use super::types::{Scalar, Shape};
use super::{Context, Refusal, Res, coalesce, frame, names, tidy};
use crate::ir::{
    AllocaInfo, CallSite, Constant, FuncId, Function, Inst, LocId, Operand, Param, Pc, ResultType, Slot, SwitchTable,
};
use llvm_sys::LLVMTypeKind as TypeKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A scalar part of a value: where to read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leaf {
    /// In a slot (or two), or a constant.
    At(Operand),
    /// Undefined: a slot gets made only where it is read.
    Undef,
}

/// The parts of a value, in order.
pub(super) type Leaves = Rc<[Leaf]>;

/// A place in the code that may not be known yet. Until [`Body::finish`], the [`Pc`]s in the code are labels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Label(pub(super) u32);

impl Label {
    /// As it stands in instructions until the places are known.
    pub(super) fn pc(self) -> Pc {
        Pc(self.0)
    }
}

/// A run of slots that is read and written as a whole and therefore stays together when frames are packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// A function while it is being lowered.
pub(super) struct Body<'c> {
    pub(super) context: &'c mut Context,
    pub(super) function: Value,
    pub(super) id: FuncId,
    code: Vec<Inst>,
    locations: Vec<LocId>,
    /// Constants that need code are made once, at the start of the function.
    prologue: Vec<Inst>,
    emits_prologue: bool,
    pub(super) calls: Vec<CallSite>,
    pub(super) switches: Vec<SwitchTable>,
    pub(super) allocas: Vec<AllocaInfo>,
    unsupported: Vec<String>,
    units: Vec<Unit>,
    slots: u32,
    values: FxHashMap<Value, Leaves>,
    pub(super) addresses: FxHashMap<Value, Address>,
    /// Where each label is, once known.
    labels: Vec<Option<u32>>,
    /// Starts of blocks of our code.
    starts: Vec<u32>,
    pub(super) block_labels: FxHashMap<Block, Label>,
    /// Edges of the current block that need copies, under the labels that stand for them.
    pub(super) edges: Vec<(Block, Block, Label)>,
    /// The next block, if it simply goes on where the current one ends.
    pub(super) joined: Option<Block>,
    /// Slots through which phis of targets of computed gotos get their values.
    pub(super) staging: FxHashMap<Value, Vec<Slot>>,
    pub(super) variables: FxHashMap<Value, Variable>,
    /// Values that may be the numbers of addresses.
    pub(super) numbers: FxHashSet<Value>,
    /// The place in the source of what is being emitted.
    place: LocId,
}

/// Lowers a function, or describes one that is only declared.
pub(super) fn lower(context: &mut Context, function: Value) -> Function {
    let id = context.functions[&function];
    let location = context.places.function(function);
    let variables = debug::variables(context, function);
    let numbers = context.numbers.of(function);
    let mut body = Body {
        context,
        function,
        id,
        code: Vec::new(),
        locations: Vec::new(),
        prologue: Vec::new(),
        emits_prologue: false,
        calls: Vec::new(),
        switches: Vec::new(),
        allocas: Vec::new(),
        unsupported: Vec::new(),
        units: Vec::new(),
        slots: 0,
        values: FxHashMap::default(),
        addresses: FxHashMap::default(),
        labels: Vec::new(),
        starts: Vec::new(),
        block_labels: FxHashMap::default(),
        edges: Vec::new(),
        joined: None,
        staging: FxHashMap::default(),
        variables,
        numbers,
        place: location,
    };
    let signature = body.signature();
    let declared = function.is_declaration();
    if !declared {
        let lowered = match &signature {
            Ok(_) => body.blocks(),
            Err(refusal) => Err(refusal.clone()),
        };
        if let Err(Refusal(reason)) = lowered {
            body.replace_by(reason);
        }
    }
    names::results(body.context, id, function);
    let (params, result_slots) = signature.unwrap_or_default();
    body.finish(params, result_slots, location)
}

/// What a function returns.
fn result_type(function: Value) -> ResultType {
    let ty = function.value_type().return_type();
    let writes = (1..=function.value_type().param_count()).any(|index| function.has_attribute(index, "sret"));
    match ty.kind() {
        TypeKind::LLVMVoidTypeKind if !writes => ResultType::Nothing,
        TypeKind::LLVMIntegerTypeKind => {
            ResultType::Integer { bits: ty.int_bits(), signed: !function.has_attribute(0, "zeroext") }
        }
        _ => ResultType::Other,
    }
}

/// A function of the library's models that returns a word and takes nothing.
pub(super) fn model(name: &str) -> Function {
    Function {
        name: name.to_owned(),
        params: Vec::new(),
        result_slots: 1,
        variadic: false,
        frame_slots: 0,
        code: Vec::new(),
        locations: Vec::new(),
        calls: Vec::new(),
        switches: Vec::new(),
        allocas: Vec::new(),
        unsupported: Vec::new(),
        blocks: Vec::new(),
        result: ResultType::Integer { bits: 64, signed: false },
        noreturn: false,
        weak: false,
        pointers_in_memory: false,
        location: LocId(0),
    }
}

/// An ifunc: the function that its resolver would choose is not known.
pub(super) fn ifunc(ifunc: Value) -> Function {
    Function {
        name: ifunc.name(),
        params: Vec::new(),
        result_slots: 0,
        variadic: true,
        frame_slots: 0,
        code: vec![Inst::Unsupported { reason: 0 }],
        locations: vec![LocId(0)],
        calls: Vec::new(),
        switches: Vec::new(),
        allocas: Vec::new(),
        unsupported: vec![format!("call of {}, which is chosen at load time (ifunc)", ifunc.name())],
        blocks: vec![Pc(0)],
        result: ResultType::Other,
        noreturn: false,
        weak: false,
        pointers_in_memory: false,
        location: LocId(0),
    }
}

impl Body<'_> {
    /// Gives the parameters their slots; parameters and slots of the result.
    fn signature(&mut self) -> Res<(Vec<Param>, u32)> {
        let mut params = Vec::new();
        for param in self.function.params() {
            let shape = self.context.types.shape(param.ty())?;
            let slots = shape.slots(&self.context.types);
            let first = self.unit(slots);
            let leaves = self.consecutive(&shape, Operand::slot(first));
            self.values.insert(param, leaves);
            let name = match self.variables.get(&param) {
                Some(variable) => variable.name.clone(),
                None => param.name(),
            };
            params.push(Param { slots, masks: shape.masks(&self.context.types), name });
        }
        let result = self.context.types.shape(self.function.value_type().return_type())?;
        Ok((params, result.slots(&self.context.types)))
    }

    // --- code ---

    /// Appends an instruction.
    pub(super) fn emit(&mut self, inst: Inst) {
        if self.emits_prologue {
            self.prologue.push(inst);
        } else {
            self.code.push(inst);
            self.locations.push(self.place);
        }
    }

    /// What follows comes from this place of the source.
    pub(super) fn at(&mut self, inst: Value) {
        self.place = self.context.places.instruction(inst);
    }

    /// The same place; what follows is a volatile access.
    pub(super) fn at_volatile(&mut self) {
        self.place = self.context.places.volatile(self.place);
    }

    /// Stops here with "not supported" if reached.
    pub(super) fn refuse(&mut self, Refusal(reason): Refusal) {
        self.unsupported.push(reason);
        self.emit(Inst::Unsupported { reason: self.unsupported.len() as u32 - 1 });
    }

    /// Nothing of the function can be lowered.
    fn replace_by(&mut self, reason: String) {
        self.prologue.clear();
        self.code.clear();
        self.locations.clear();
        self.starts = vec![0];
        self.block_labels.clear();
        self.unsupported.clear();
        (self.calls, self.switches, self.allocas) = Default::default();
        self.place = LocId(0);
        let name = self.function.name();
        self.refuse(Refusal(format!("{reason} in the function {name}")));
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// A block of our code begins here, under this name.
    pub(super) fn bind(&mut self, label: Label) {
        let here = self.code.len() as u32;
        self.labels[label.0 as usize] = Some(here);
        if self.starts.last() != Some(&here) {
            self.starts.push(here);
        }
    }

    // --- slots ---

    /// A run of fresh slots.
    pub(super) fn unit(&mut self, len: u32) -> Slot {
        let start = self.slots;
        if len > 0 {
            self.units.push(Unit { start, len });
            self.slots += len;
        }
        Slot(start)
    }

    /// The leaves of a value that lies in consecutive slots or constants.
    pub(super) fn consecutive(&self, shape: &Shape, first: Operand) -> Leaves {
        let mut at = 0;
        shape
            .leaves
            .iter()
            .map(|leaf| {
                let here = first.offset(at);
                at += self.context.types.slots(leaf.scalar);
                Leaf::At(here)
            })
            .collect()
    }

    /// The shape of a value's type.
    pub(super) fn shape(&mut self, v: Value) -> Res<Rc<Shape>> {
        self.context.types.shape(v.ty())
    }

    /// The scalar that a value, or each element of a vector, is.
    pub(super) fn scalar(&self, v: Value) -> Res<Scalar> {
        let ty = v.ty();
        self.context.types.scalar(if ty.is_vector() { ty.element() } else { ty })
    }

    /// Bits of the scalar that a value, or each element of a vector, is.
    pub(super) fn bits(&self, v: Value) -> Res<u32> {
        Ok(self.context.types.bits(self.scalar(v)?))
    }

    // --- values ---

    /// Where to read the parts of a value.
    pub(super) fn leaves(&mut self, v: Value) -> Res<Leaves> {
        if let Some(known) = self.values.get(&v) {
            return Ok(known.clone());
        }
        match v.kind() {
            // Reverse post-order brings every definition before its uses, but not phis before the copies into them.
            Kind::Instruction if v.is_phi() => {
                self.define(v)?;
                Ok(self.values[&v].clone())
            }
            Kind::Instruction | Kind::Argument => Err(Refusal(format!("the value {}", v.text()))),
            _ => self.constant(v),
        }
    }

    /// Where the parts of an instruction's result are to be written, each on its own.
    pub(super) fn define(&mut self, inst: Value) -> Res<Vec<Slot>> {
        let shape = self.shape(inst)?;
        if let Some(known) = self.values.get(&inst) {
            let slot = |leaf: &Leaf| match leaf {
                Leaf::At(operand) => operand.as_slot(),
                Leaf::Undef => None,
            };
            return Ok(known.iter().map(|leaf| slot(leaf).expect("a result is in slots")).collect());
        }
        let slots: Vec<Slot> =
            shape.leaves.iter().map(|leaf| self.unit(self.context.types.slots(leaf.scalar))).collect();
        self.values.insert(inst, slots.iter().map(|slot| Leaf::At(Operand::slot(*slot))).collect());
        Ok(slots)
    }

    /// Where all parts of an instruction's result are to be written together, in consecutive slots, with `more` slots
    /// behind them that are not part of it.
    pub(super) fn define_together(&mut self, inst: Value, more: u32) -> Res<Slot> {
        let shape = self.shape(inst)?;
        let first = self.unit(shape.slots(&self.context.types) + more);
        let leaves = self.consecutive(&shape, Operand::slot(first));
        self.values.insert(inst, leaves);
        Ok(first)
    }

    /// The slot of the result of an instruction that has one scalar.
    pub(super) fn define_one(&mut self, inst: Value) -> Res<Slot> {
        Ok(self.define(inst)?[0])
    }

    /// The instruction turned out to be unsupported: its result will not be read.
    pub(super) fn forget(&mut self, inst: Value) {
        if let (Ok(shape), false) = (self.shape(inst), self.values.contains_key(&inst)) {
            self.values.insert(inst, vec![Leaf::Undef; shape.leaves.len()].into());
        }
    }

    /// Says where the parts of a result are: elsewhere, for instructions that only rename.
    pub(super) fn alias(&mut self, inst: Value, leaves: Leaves) {
        self.values.insert(inst, leaves);
    }

    /// Reads a scalar of `slots` slots.
    pub(super) fn read(&mut self, leaf: Leaf, slots: u32) -> Operand {
        match leaf {
            Leaf::At(operand) => operand,
            Leaf::Undef => {
                let dst = self.unit(slots);
                self.undefine(dst, slots);
                Operand::slot(dst)
            }
        }
    }

    /// Writes undefined values.
    pub(super) fn undefine(&mut self, dst: Slot, slots: u32) {
        for i in 0..slots {
            self.emit(Inst::Undef { dst: Slot(dst.0 + i) });
        }
    }

    /// Reads a value that is one scalar.
    pub(super) fn operand(&mut self, v: Value) -> Res<Operand> {
        let slots = self.context.types.slots(self.context.types.scalar(v.ty())?);
        let leaf = self.leaves(v)?[0];
        Ok(self.read(leaf, slots))
    }

    /// Reads all parts of a value whose parts have one type.
    pub(super) fn elements(&mut self, v: Value) -> Res<Vec<Operand>> {
        let leaves = self.leaves(v)?;
        let slots = self.context.types.slots(self.scalar(v)?);
        Ok(leaves.iter().map(|leaf| self.read(*leaf, slots)).collect())
    }

    /// The operand for a number.
    pub(super) fn number(&mut self, number: u64) -> Operand {
        self.context.pool.bits(number)
    }

    /// The operand for a number of `bits` bits, in as many slots as that takes.
    pub(super) fn wide_number(&mut self, number: u128, bits: u32) -> Operand {
        let (low, high) = (number as u64, (number >> 64) as u64);
        if bits <= 64 {
            return self.number(mask(low, bits));
        }
        self.context.pool.two(Constant::Bits(low), Constant::Bits(mask(high, bits - 64)))
    }

    /// Copies a scalar.
    pub(super) fn copy(&mut self, dst: Slot, leaf: Leaf, slots: u32) {
        match leaf {
            Leaf::Undef => self.undefine(dst, slots),
            Leaf::At(a) if slots == 1 => self.emit(Inst::Copy { dst, a }),
            Leaf::At(a) => self.emit(Inst::CopyN { n: slots, dst, a }),
        }
    }

    /// Brings all parts of a value into consecutive slots; says where, and how many.
    pub(super) fn gather(&mut self, v: Value) -> Res<(Operand, u32)> {
        let shape = self.shape(v)?;
        let leaves = self.leaves(v)?;
        let total = shape.slots(&self.context.types);
        let mut at = 0;
        let mut parts = Vec::with_capacity(leaves.len());
        for (leaf, ty) in leaves.iter().zip(&shape.leaves) {
            let slots = self.context.types.slots(ty.scalar);
            parts.push((at, *leaf, slots));
            at += slots;
        }
        if let Some((_, Leaf::At(first), _)) = parts.first()
            && parts.iter().all(|(at, leaf, _)| *leaf == Leaf::At(first.offset(*at)))
        {
            return Ok((*first, total));
        }
        if total == 0 {
            return Ok((self.number(0), 0));
        }
        let dst = self.unit(total);
        for (at, leaf, slots) in parts {
            self.copy(Slot(dst.0 + at), leaf, slots);
        }
        Ok((Operand::slot(dst), total))
    }

    /// Makes code once, at the start of the function.
    pub(super) fn in_prologue<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.emits_prologue, true);
        let result = make(self);
        self.emits_prologue = before;
        result
    }

    // --- the end ---

    fn finish(mut self, params: Vec<Param>, result_slots: u32, location: LocId) -> Function {
        let shift = self.prologue.len() as u32;
        let mut code = std::mem::take(&mut self.prologue);
        code.append(&mut self.code);
        let mut locations = vec![location; shift as usize];
        locations.append(&mut self.locations);
        // The prologue and the first block are one block.
        let blocks = self.starts.iter().map(|s| Pc(if *s == 0 { 0 } else { s + shift })).collect();
        let places: Vec<Pc> = self.labels.iter().map(|l| Pc(l.unwrap_or(0) + shift)).collect();
        for inst in &mut code {
            for target in inst.targets_mut() {
                *target = places[target.index()];
            }
        }
        for table in &mut self.switches {
            table.default = places[table.default.index()];
            for (_, target) in &mut table.cases {
                *target = places[target.index()];
            }
        }
        let result = result_type(self.function);
        let mut function = Function {
            name: self.function.name(),
            params,
            result_slots,
            variadic: self.function.value_type().is_variadic(),
            frame_slots: self.slots,
            code,
            locations,
            calls: self.calls,
            switches: self.switches,
            allocas: self.allocas,
            unsupported: self.unsupported,
            blocks,
            result,
            noreturn: self.function.has_function_attribute("noreturn"),
            weak: self.function.is_extern_weak(),
            pointers_in_memory: self.function.has_own_attribute(crate::pass::POINTERS_IN_MEMORY),
            location,
        };
        // The blocks whose addresses may be taken.
        let mut named: Vec<(u32, Pc, bool)> = Vec::new();
        if !self.function.is_declaration() {
            for (ordinal, block) in self.function.blocks().enumerate() {
                if let Some(label) = self.block_labels.get(&block) {
                    named.push((ordinal as u32, places[label.0 as usize], block.is_address_taken()));
                }
            }
        }
        let mut labels: Vec<Pc> = named.iter().filter(|(_, _, taken)| *taken).map(|(_, place, _)| *place).collect();
        if !function.code.is_empty() {
            coalesce::merge(&mut function, &self.units, &labels);
            let moved = tidy::tidy(&mut function, &labels);
            labels.iter_mut().for_each(|label| *label = moved[label.index()]);
            for (ordinal, place, taken) in named {
                if taken {
                    self.context.blocks.insert((self.id, ordinal), moved[place.index()]);
                }
            }
        }
        frame::pack(&mut function, &self.units, &labels);
        function
    }
}

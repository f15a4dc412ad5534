//! What the source calls parts of variables and of heap blocks ([`Names`]), from debug information.
//!
//! A block has no name of its own. It is called as the pointer to it is called first: by the variable, or the member of
//! one, that the result of the call is given to. What is stored somewhere else, or through a pointer that was computed
//! in another way than by names, gives no name.
use super::Context;
use super::debug::{Record, records};
use super::llvm::{Block, DebugType, Kind, LLVMOpcode, Meta, MetaContext, Value};
use crate::ir::{CallResult, Form, FuncId, GlobalId, LocId, Member, Names, Pointer, SourceType, TypeId};
use crate::lower::constant::Step;
use rustc_hash::FxHashMap;

/// The tables while they are made.
#[derive(Default)]
pub(super) struct Table {
    names: Names,
    known: FxHashMap<Meta, TypeId>,
    /// Expressions of debug information, and whether there is nothing in them. (There are few, and it takes long to
    /// look into one.)
    plain: FxHashMap<Meta, bool>,
}

/// No pointer is computed in more steps than that, and no type has more aliases.
const DEEPEST: usize = 64;

/// Of how many uses of a global we look for those that count elements.
const USES: usize = 1000;

impl Table {
    /// The type of a global.
    pub(super) fn global(&mut self, id: GlobalId, global: Value) {
        let context = global.context();
        if let Some(ty) = global.global_variable().and_then(|node| self.type_of(node, context)) {
            self.names.globals.push((id, ty));
        }
    }

    /// The type of a stack object.
    pub(super) fn stack_object(&mut self, function: FuncId, number: u32, ty: TypeId) {
        self.names.variables.push(((function, number), ty));
    }

    /// The type of a variable.
    pub(super) fn type_of(&mut self, variable: Meta, context: MetaContext) -> Option<TypeId> {
        let mut new = Vec::new();
        let ty = self.reserve(variable.variable_type(context)?, context, &mut new);
        // Types lead to one another in circles, and far: each is looked into after those before it.
        while let Some((ty, node)) = new.pop() {
            let form = self.form(node, context, &mut new);
            self.names.types[ty.0 as usize].form = form;
        }
        ty
    }

    /// The number of a type, which is looked into later; none for `void`.
    fn reserve(&mut self, node: Meta, context: MetaContext, new: &mut Vec<(TypeId, Meta)>) -> Option<TypeId> {
        let mut node = node;
        for _ in 0..DEEPEST {
            match node.debug_type(context) {
                DebugType::Alias(base) => node = base?,
                _ => break,
            }
        }
        if let Some(known) = self.known.get(&node) {
            return Some(*known);
        }
        let ty = self.add(node.type_size(), Form::Whole);
        self.known.insert(node, ty);
        new.push((ty, node));
        Some(ty)
    }

    fn add(&mut self, size: u64, form: Form) -> TypeId {
        self.names.types.push(SourceType { size, form });
        TypeId(self.names.types.len() as u32 - 1)
    }

    fn form(&mut self, node: Meta, context: MetaContext, new: &mut Vec<(TypeId, Meta)>) -> Form {
        match node.debug_type(context) {
            DebugType::Pointer(target) => Form::Pointer(target.and_then(|target| self.reserve(target, context, new))),
            DebugType::Record(parts) => {
                let member = |part: Meta| {
                    let (offset, ty) = part.member(context)?;
                    let ty = self.reserve(ty, context, new)?;
                    Some(Member { name: part.member_name(context), offset, ty })
                };
                Form::Record(parts.into_iter().filter_map(member).collect())
            }
            DebugType::Array(element, inner) => {
                let Some(mut element) = self.reserve(element, context, new) else { return Form::Whole };
                for count in inner.into_iter().rev() {
                    let size = self.names.types[element.0 as usize].size.saturating_mul(count);
                    element = self.add(size, Form::Array(element));
                }
                Form::Array(element)
            }
            DebugType::Alias(_) | DebugType::Other => Form::Whole,
        }
    }

    /// Whether the expression of a debug record takes the value as it is.
    pub(super) fn is_plain(&mut self, expression: Value) -> bool {
        let Some(node) = expression.node() else { return false };
        *self.plain.entry(node).or_insert_with(|| expression.text().ends_with("!DIExpression()"))
    }

    /// The finished tables.
    pub(super) fn finish(mut self) -> Names {
        self.names.variables.sort_unstable();
        self.names.results.sort_by_key(|result| (result.function, result.place));
        // Calls that have one place cannot be told apart: what is true of all of them remains.
        self.names.results.dedup_by(|next, kept| {
            let same = (next.function, next.place) == (kept.function, kept.place);
            if same {
                kept.known = kept.known.take().filter(|known| next.known.as_ref() == Some(known));
                kept.passed_on &= next.passed_on;
            }
            same
        });
        self.names.results.retain(|result| result.known.is_some() || result.passed_on);
        self.names
    }
}

/// What is known of the values of one function.
struct Values<'c> {
    context: &'c mut Context,
    /// The variables that values are, in order.
    variables: FxHashMap<Value, Vec<Called>>,
    /// Where values are stored, in order.
    stored: FxHashMap<Value, Vec<(Block, Value)>>,
    /// What the function may return.
    returned: Vec<Value>,
}

/// The name and type of a variable, and where debug information says that a value is that.
#[derive(Clone)]
struct Called {
    block: Block,
    name: String,
    ty: TypeId,
}

/// Notes what becomes of the pointers that the calls of a function return.
pub(super) fn results(context: &mut Context, id: FuncId, function: Value) {
    let instructions: Vec<Value> =
        function.blocks().flat_map(|block| block.instructions().collect::<Vec<_>>()).collect();
    let calls: Vec<Value> = instructions.iter().copied().filter(|inst| returns_pointer(*inst)).collect();
    if calls.is_empty() {
        return;
    }
    let mut values =
        Values { context, variables: FxHashMap::default(), stored: FxHashMap::default(), returned: Vec::new() };
    values.read(function, &instructions);
    for call in calls {
        let to = values.only_store(call);
        let known = values.variable(call).or_else(|| values.place(to?));
        let known = known.and_then(|(name, ty)| {
            let target = values.pointed_to(ty)?;
            let counted = values.counts(call, target, to);
            (!name.is_empty()).then_some(Pointer { name, target, counted })
        });
        let place = values.context.places.instruction(call);
        let passed_on = values.is_passed_on(call);
        // Without a place in the source nobody could tell such calls apart.
        if place != LocId(0) || passed_on {
            values.context.names.names.results.push(CallResult { function: id, place, known, passed_on });
        }
    }
}

fn returns_pointer(inst: Value) -> bool {
    let calls = matches!(inst.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke);
    calls && inst.ty().is_pointer() && inst.callee().intrinsic().is_none()
}

impl Values<'_> {
    fn read(&mut self, function: Value, instructions: &[Value]) {
        let context = function.context();
        for Record { inst, value, variable, exact, .. } in records(&mut self.context.names, function) {
            if exact && let Some(ty) = self.context.names.type_of(variable, context) {
                let called = Called { block: inst.parent(), name: variable.variable_name(context), ty };
                self.variables.entry(value).or_default().push(called);
            }
        }
        for inst in instructions {
            match inst.opcode() {
                LLVMOpcode::LLVMStore => {
                    self.stored.entry(inst.operand(0)).or_default().push((inst.parent(), inst.operand(1)));
                }
                LLVMOpcode::LLVMRet if inst.operands() > 0 => self.returned.push(inst.operand(0)),
                _ => {}
            }
        }
        let mut at = 0;
        while let Some(value) = self.returned.get(at).copied() {
            let joins = is(value, LLVMOpcode::LLVMPHI) || is(value, LLVMOpcode::LLVMSelect);
            let first = u32::from(is(value, LLVMOpcode::LLVMSelect));
            let parts = if joins { first..value.operands() } else { 0..0 };
            for part in parts.map(|index| value.operand(index)) {
                if !self.returned.contains(&part) {
                    self.returned.push(part);
                }
            }
            at += 1;
        }
    }

    /// Whether the function returns what a call returns, and nothing else but null.
    fn is_passed_on(&self, call: Value) -> bool {
        let fits = |value: &Value| {
            *value == call
                || value.is_constant()
                || is(*value, LLVMOpcode::LLVMPHI)
                || is(*value, LLVMOpcode::LLVMSelect)
        };
        self.returned.contains(&call) && self.returned.iter().all(fits)
    }

    /// The variable that a pointer is.
    fn variable(&self, pointer: Value) -> Option<(String, TypeId)> {
        let typed = |called: &&Called| self.pointed_to(called.ty).is_some();
        let all: Vec<&Called> = self.variables.get(&pointer)?.iter().filter(typed).collect();
        // What happens in the same block happens whenever the call does.
        let block = (pointer.kind() == Kind::Instruction).then(|| pointer.parent());
        let here = || all.iter().filter(|called| Some(called.block) == block);
        let first = here().find(|called| self.is_record(called.ty)).or_else(|| here().next()).or_else(|| {
            // Elsewhere the program may have decided what it is.
            let one = all.first()?;
            all.iter().all(|called| self.pointed_to(called.ty) == self.pointed_to(one.ty)).then_some(one)
        })?;
        Some((first.name.clone(), first.ty))
    }

    /// Where a value is stored: at once, or in one place only.
    fn only_store(&self, value: Value) -> Option<Value> {
        let stores = self.stored.get(&value)?;
        let here = stores.iter().find(|(block, _)| *block == value.parent());
        Some(here.or(stores.first().filter(|_| stores.len() == 1))?.1)
    }

    /// Whether a pointer of that type is one to a record.
    fn is_record(&self, ty: TypeId) -> bool {
        let target = self.pointed_to(ty).map(|target| &self.context.names.names.types[target.0 as usize].form);
        matches!(target, Some(Form::Record(_)))
    }

    /// What a pointer of that type points to, if that is known.
    fn pointed_to(&self, ty: TypeId) -> Option<TypeId> {
        match self.context.names.names.types[ty.0 as usize].form {
            Form::Pointer(target) => target,
            _ => None,
        }
    }

    /// The name and type of what is in memory there.
    fn place(&mut self, address: Value) -> Option<(String, TypeId)> {
        self.place_in(address, DEEPEST)
    }

    fn place_in(&mut self, address: Value, depth: usize) -> Option<(String, TypeId)> {
        let (mut base, mut offset, mut varies) = (address, 0i64, false);
        while is(base, LLVMOpcode::LLVMGetElementPtr) {
            for step in self.context.gep_steps(base).ok()? {
                match step {
                    Step::Constant(bytes) => offset = offset.checked_add(bytes)?,
                    Step::Variable { .. } if varies => return None,
                    Step::Variable { .. } => varies = true,
                }
            }
            base = base.operand(0);
        }
        let offset = u64::try_from(offset).ok()?;
        let variable = match base.kind() {
            Kind::Global => {
                let node = base.global_variable()?;
                let ty = self.context.names.type_of(node, base.context())?;
                Some((node.variable_name(base.context()), ty))
            }
            _ if is(base, LLVMOpcode::LLVMAlloca) => {
                let called = self.variables.get(&base)?.first()?;
                Some((called.name.clone(), called.ty))
            }
            _ => None,
        };
        let is_variable = variable.is_some();
        let (name, ty) = match variable {
            Some(variable) => variable,
            None => {
                let (name, ty) = self.pointer(base, depth)?;
                (name, self.pointed_to(ty)?)
            }
        };
        let part = self.context.names.names.part(ty, offset);
        if part.rest != 0 {
            return None;
        }
        let text = match (is_variable, part.text.strip_prefix('.')) {
            (false, Some(member)) => format!("{name}->{member}"),
            (false, None) if part.text.is_empty() && varies => format!("{name}[0]"),
            (false, None) if part.text.is_empty() => format!("*{name}"),
            _ => format!("{name}{}", part.text),
        };
        match varies {
            // Which element it is changes; that it is the only index is what makes that one the one that does.
            true if text.matches('[').count() == 1 && text.contains("[0]") => {
                Some((text.replace("[0]", "[..]"), part.ty))
            }
            true => None,
            false => Some((text, part.ty)),
        }
    }

    /// The name and type of a pointer.
    fn pointer(&mut self, value: Value, depth: usize) -> Option<(String, TypeId)> {
        if let Some(variable) = self.variable(value) {
            return Some(variable);
        }
        let loads = is(value, LLVMOpcode::LLVMLoad) && depth > 0;
        if loads { self.place_in(value.operand(0), depth - 1) } else { None }
    }

    /// Whether the program counts the elements of what a call returns: it says how many there are when it asks for
    /// them, or it indexes them. `to` is where the pointer goes.
    fn counts(&mut self, call: Value, target: TypeId, to: Option<Value>) -> bool {
        let size = self.context.names.names.types[target.0 as usize].size;
        let name = call.callee().name();
        if name.starts_with("_Zna") {
            return true;
        }
        let arguments = call.arguments();
        let is_size = |value: Value| value.as_u64() == Some(size);
        let multiplies = |value: Value| {
            is(value, LLVMOpcode::LLVMMul) && (is_size(value.operand(0)) || is_size(value.operand(1)))
                || is(value, LLVMOpcode::LLVMShl)
                    && value.operand(1).as_u64().and_then(|by| 1u64.checked_shl(by as u32)) == Some(size)
        };
        if arguments.iter().any(|argument| multiplies(*argument)) {
            return true;
        }
        if let ([count, each], true) = (&arguments[..], name.ends_with("calloc"))
            && is_size(*each)
            && count.as_u64() != Some(1)
        {
            return true;
        }
        let loads = |to: Value| to.users().take(USES).filter(|user| is(*user, LLVMOpcode::LLVMLoad));
        let mut pointers: Vec<Value> = vec![call];
        pointers.extend(to.into_iter().filter(|to| !to.is_constant() || to.kind() == Kind::Global).flat_map(loads));
        pointers.into_iter().any(|pointer| pointer.users().any(|user| self.indexes(user, pointer, size)))
    }

    /// Whether an instruction computes the address of an element, of which the number is not fixed.
    fn indexes(&mut self, user: Value, pointer: Value, size: u64) -> bool {
        is(user, LLVMOpcode::LLVMGetElementPtr)
            && user.operand(0) == pointer
            && self
                .context
                .gep_steps(user)
                .is_ok_and(|steps| matches!(steps.first(), Some(Step::Variable { scale, .. }) if *scale == size))
    }
}

/// Whether a value is computed by such an instruction, or a constant in the same way.
fn is(value: Value, opcode: LLVMOpcode) -> bool {
    matches!(value.kind(), Kind::Instruction | Kind::Expression) && value.opcode() == opcode
}

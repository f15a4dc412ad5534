//! Places in the source, and the names of variables.
use super::Context;
use super::llvm::{Kind, LLVMOpcode, Meta, MetaContext, Value};
use super::names::Table;
use crate::ir::{LocId, Location, TypeId};
use rustc_hash::FxHashMap;

/// The module's tables of files and locations.
pub(super) struct Places {
    files: Vec<String>,
    file_numbers: FxHashMap<String, u32>,
    locations: Vec<Location>,
    numbers: FxHashMap<Location, LocId>,
    /// Locations that we have seen, by LLVM's node.
    nodes: FxHashMap<Meta, LocId>,
}

impl Default for Places {
    fn default() -> Self {
        let unknown =
            Location { file: u32::MAX, line: 0, column: 0, function: String::new(), inlined_at: None, volatile: false };
        Places {
            files: Vec::new(),
            file_numbers: FxHashMap::default(),
            numbers: FxHashMap::from_iter([(unknown.clone(), LocId(0))]),
            locations: vec![unknown],
            nodes: FxHashMap::default(),
        }
    }
}

impl Places {
    /// Where an instruction comes from.
    pub(super) fn instruction(&mut self, inst: Value) -> LocId {
        match inst.debug_location() {
            Some(node) => self.node(node, inst.context()),
            None => LocId(0),
        }
    }

    /// The same place, where a volatile access is that counts as a plain one.
    pub(super) fn volatile(&mut self, place: LocId) -> LocId {
        self.intern(Location { volatile: true, ..self.locations[place.index()].clone() })
    }

    fn node(&mut self, node: Meta, context: MetaContext) -> LocId {
        if let Some(known) = self.nodes.get(&node) {
            return *known;
        }
        let (line, column, scope, inlined_at) = node.location();
        let location = Location {
            file: self.file(scope.and_then(|s| s.scope_file(context))),
            line,
            column,
            function: scope.map(|s| s.function_name(context)).unwrap_or_default(),
            inlined_at: inlined_at.map(|at| self.node(at, context)),
            volatile: false,
        };
        let id = self.intern(location);
        self.nodes.insert(node, id);
        id
    }

    /// Where a function is defined.
    pub(super) fn function(&mut self, function: Value) -> LocId {
        let Some(node) = function.subprogram() else {
            return LocId(0);
        };
        let context = function.context();
        let location = Location {
            file: self.file(node.scope_file(context)),
            line: node.subprogram_line(),
            column: 0,
            function: node.function_name(context),
            inlined_at: None,
            volatile: false,
        };
        self.intern(location)
    }

    /// Where a global is declared.
    pub(super) fn global(&mut self, global: Value) -> LocId {
        let Some(node) = global.global_variable() else {
            return LocId(0);
        };
        self.variable(node, String::new(), global.context())
    }

    fn variable(&mut self, node: Meta, function: String, context: MetaContext) -> LocId {
        let (file, line) = node.variable_place(context);
        let location = Location { file: self.file(file), line, column: 0, function, inlined_at: None, volatile: false };
        self.intern(location)
    }

    fn file(&mut self, name: Option<String>) -> u32 {
        let Some(name) = name else { return u32::MAX };
        let next = self.files.len() as u32;
        *self.file_numbers.entry(name).or_insert_with_key(|name| {
            self.files.push(name.clone());
            next
        })
    }

    fn intern(&mut self, location: Location) -> LocId {
        if location.line == 0 && location.file == u32::MAX {
            return LocId(0);
        }
        let next = LocId(self.locations.len() as u32);
        *self.numbers.entry(location).or_insert_with_key(|location| {
            self.locations.push(location.clone());
            next
        })
    }

    /// The finished tables.
    pub(super) fn into_tables(self) -> (Vec<String>, Vec<Location>) {
        (self.files, self.locations)
    }
}

/// A variable of the source that a parameter or stack object stands for.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) location: LocId,
    /// Its type, if all of the object is the variable.
    pub(super) ty: Option<TypeId>,
}

/// What debug information says of a value.
pub(super) struct Record {
    /// The instruction that says it.
    pub(super) inst: Value,
    /// The value, or the address of the variable's memory.
    pub(super) value: Value,
    pub(super) variable: Meta,
    /// It is the variable's memory.
    declares: bool,
    /// The variable is that, rather than something computed from it, or a part of it.
    pub(super) exact: bool,
}

/// All that debug information says of the values of a function.
pub(super) fn records(names: &mut Table, function: Value) -> Vec<Record> {
    let mut record = |inst: Value| {
        if inst.opcode() != LLVMOpcode::LLVMCall {
            return None;
        }
        let name = inst.callee().intrinsic();
        let declares = name.as_deref() == Some("llvm.dbg.declare");
        if !declares && name.as_deref() != Some("llvm.dbg.value") {
            return None;
        }
        let arguments = inst.arguments();
        let value = arguments[0].wrapped_value()?;
        let variable = arguments[1].node().filter(|n| n.is_local_variable())?;
        let exact = names.is_plain(arguments[2]);
        Some(Record { inst, value, variable, declares, exact })
    };
    function.blocks().flat_map(|block| block.instructions().filter_map(&mut record).collect::<Vec<_>>()).collect()
}

/// What debug information calls the parameters and stack objects of a function.
pub(super) fn variables(context: &mut Context, function: Value) -> FxHashMap<Value, Variable> {
    let mut found = FxHashMap::default();
    let Context { places, names, .. } = context;
    let context = function.context();
    for Record { inst, value, variable, declares, exact } in records(names, function) {
        // A value that several variables have had is no variable; the first one that a parameter has is its own.
        let fits = match value.kind() {
            Kind::Argument => !found.contains_key(&value) && is_own_scope(inst),
            Kind::Instruction => declares && value.opcode() == LLVMOpcode::LLVMAlloca,
            _ => false,
        };
        if fits {
            let scope = variable.variable_scope();
            let owner = scope.map(|s| s.function_name(context)).unwrap_or_default();
            let ty = if exact && declares { names.type_of(variable, context) } else { None };
            let (name, location) = (variable.variable_name(context), places.variable(variable, owner, context));
            found.insert(value, Variable { name, location, ty });
        }
    }
    found
}

/// The instruction was not inlined from elsewhere.
fn is_own_scope(inst: Value) -> bool {
    inst.debug_location().is_none_or(|node| node.location().3.is_none())
}

//! A small stand-in for the machine: flat objects in memory, one thread, no undo. [`call`] is what a model may do with
//! it.
mod call;

use crate::args::Done;
use interp::fault::Kind;
use interp::hooks::{
    Call, Content, Data, Keys, LibraryContent, ModelError, ModelResult, MutexKind, Op, Outcome, PageChange,
    PagesChanged, Rights, Robustness, Shows, Sign, Text, ThreadId,
};
use interp::operation::{Operation, Source};
use interp::term::{Input, Model, Term, Terms};
use interp::{Assumption, Open};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An object in memory.
struct Object {
    base: u64,
    /// `None`: never written.
    bytes: Vec<Option<u8>>,
    heap: bool,
    live: bool,
    /// Of a mapping: whether each of its pages is still there.
    pages: Vec<bool>,
}

/// An argument: two words, or an undefined value.
#[derive(Clone, Copy)]
pub(crate) enum Value {
    Words([u64; 2]),
    Undefined,
}

impl From<u64> for Value {
    fn from(word: u64) -> Self {
        Value::Words([word, 0])
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Value::Words([number.to_bits(), 0])
    }
}

/// The stand-in.
pub(crate) struct Fake {
    name: String,
    arguments: Vec<Value>,
    pointer_bytes: u64,
    objects: Vec<Object>,
    globals: Vec<(&'static str, u64)>,
    errno: u64,
    environment: u64,
    specific: u64,
    /// What the user gave.
    pub(crate) files: Vec<(&'static str, &'static [u8])>,
    /// What was printed, by stream.
    pub(crate) printed: [String; 3],
    /// What was assumed.
    pub(crate) assumed: Vec<&'static str>,
    /// `--nondet`
    pub(crate) nondet: u32,
    /// What may be anything.
    pub(crate) open: Open,
    /// Calls of the methods that the stand-in only notes.
    pub(crate) log: Vec<String>,
    clock: u64,
    /// Data is given as terms, if it is: their inputs have the values that memory and arguments have.
    inputs: Option<Inputs>,
    /// Objects whose content is a value all the same.
    known: Vec<u64>,
    /// Where values are computed with.
    constants: Inputs,
    /// Something was changed, so that nothing may be decided any more.
    changed: bool,
}

/// Data as terms.
#[derive(Default)]
struct Inputs {
    terms: Terms,
    values: BTreeMap<Input, u128>,
}

impl Inputs {
    fn input(&mut self, value: u128, bits: u8) -> Data {
        let input = Input::new(self.values.len() as u32);
        self.values.insert(input, value);
        Data::Term(self.terms.input(input, bits), bits)
    }

    fn term(&mut self, data: Data) -> Term {
        match data {
            Data::Known(value, bits) => self.terms.constant(value, bits),
            Data::Term(term, _) => term,
        }
    }

    fn data(&self, term: Term) -> Data {
        let bits = self.terms.width(term);
        self.terms.constant_value(term).map_or(Data::Term(term, bits), |value| Data::Known(value, bits))
    }
}

impl Fake {
    /// A machine with 64-bit pointers.
    pub(crate) fn lp64() -> Fake {
        Fake::new(8)
    }

    /// A machine with 32-bit pointers.
    pub(crate) fn ilp32() -> Fake {
        Fake::new(4)
    }

    /// The same machine, whose data depends on inputs.
    pub(crate) fn on_terms(mut self) -> Fake {
        self.inputs = Some(Inputs::default());
        self
    }

    /// A new object with this string, which depends on no input.
    pub(crate) fn known_string(&mut self, text: &str) -> u64 {
        let address = self.string(text);
        self.known.push(address);
        address
    }

    /// The value of data.
    pub(crate) fn value(&self, data: Data) -> u128 {
        match (data, &self.inputs) {
            (Data::Known(value, _), _) => value,
            (Data::Term(term, _), Some(inputs)) => inputs.terms.value(term, &mut Model::new(inputs.values.clone())),
            (Data::Term(..), None) => panic!("no data is a term"),
        }
    }

    fn new(pointer_bytes: u64) -> Fake {
        let mut fake = Fake {
            name: String::new(),
            arguments: Vec::new(),
            pointer_bytes,
            objects: Vec::new(),
            globals: Vec::new(),
            errno: 0,
            environment: 0,
            specific: 0,
            files: Vec::new(),
            printed: Default::default(),
            assumed: Vec::new(),
            nondet: 0,
            open: Open::default(),
            log: Vec::new(),
            clock: 0,
            inputs: None,
            known: Vec::new(),
            constants: Inputs::default(),
            changed: false,
        };
        fake.errno = fake.object(4);
        fake.write(fake.errno, &[0; 4]);
        let name = fake.string("NAME=value");
        fake.environment = fake.object(2 * pointer_bytes);
        fake.store(fake.environment, pointer_bytes, name).unwrap();
        fake.store(fake.environment + pointer_bytes, pointer_bytes, 0).unwrap();
        let globals = crate::globals();
        for global in &globals {
            let address = match &global.content {
                LibraryContent::Bytes(bytes) => fake.bytes(bytes),
                _ => fake.object(pointer_bytes),
            };
            fake.globals.push((global.name, address));
        }
        for global in &globals {
            let place = fake.global(global.name).unwrap();
            let word = match &global.content {
                LibraryContent::Bytes(_) => continue,
                LibraryContent::Word(word) => *word,
                LibraryContent::PointerTo(name, offset) => fake.global(name).unwrap().wrapping_add_signed(*offset),
            };
            fake.write(place, &word.to_le_bytes()[..pointer_bytes as usize]);
        }
        fake
    }

    /// A new object that was never written.
    pub(crate) fn object(&mut self, size: u64) -> u64 {
        let base = self.objects.last().map_or(0x1000, |o| (o.base + o.bytes.len() as u64 + 64).next_multiple_of(4096));
        self.objects.push(Object {
            base,
            bytes: vec![None; size as usize],
            heap: false,
            live: true,
            pages: Vec::new(),
        });
        base
    }

    /// A new object with these bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> u64 {
        let base = self.object(bytes.len() as u64);
        self.write(base, bytes);
        base
    }

    /// A new object with this string.
    pub(crate) fn string(&mut self, text: &str) -> u64 {
        self.bytes(&[text.as_bytes(), &[0]].concat())
    }

    /// Overwrites memory.
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) {
        self.store_bytes(address, bytes).unwrap();
    }

    /// The string at an address.
    pub(crate) fn text(&mut self, address: u64) -> String {
        String::from_utf8(self.c_string(address).unwrap()).unwrap()
    }

    /// The `int` at an address.
    pub(crate) fn int_at(&mut self, address: u64) -> i32 {
        self.load(address, 4).unwrap() as u32 as i32
    }

    /// `errno`
    pub(crate) fn errno(&mut self) -> i32 {
        self.int_at(self.errno)
    }

    /// Calls a model.
    pub(crate) fn call(&mut self, name: &str, arguments: &[Value]) -> Done {
        self.name = name.to_owned();
        self.arguments = arguments.to_vec();
        self.changed = false;
        let registry = crate::registry();
        let model = registry.get(name).unwrap_or_else(|| panic!("no model for {name}")).model;
        model(self)
    }

    /// Calls a model that returns at once.
    pub(crate) fn result(&mut self, name: &str, arguments: &[u64]) -> u64 {
        let arguments: Vec<Value> = arguments.iter().map(|a| (*a).into()).collect();
        match self.call(name, &arguments) {
            Ok(ModelResult::Return([value, _])) => value,
            Ok(ModelResult::Data(data)) => self.value(data) as u64,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// The same for a result of type `int`.
    pub(crate) fn int(&mut self, name: &str, arguments: &[u64]) -> i32 {
        self.result(name, arguments) as u32 as i32
    }

    /// Calls a model that stops with a violation.
    pub(crate) fn violation(&mut self, name: &str, arguments: &[u64]) -> Kind {
        let arguments: Vec<Value> = arguments.iter().map(|a| (*a).into()).collect();
        match self.call(name, &arguments) {
            Err(ModelError::Fault { kind, .. }) => kind,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// Calls a model that names a visible operation.
    pub(crate) fn operation(&mut self, name: &str, arguments: &[u64]) -> Operation {
        let arguments: Vec<Value> = arguments.iter().map(|a| (*a).into()).collect();
        match self.call(name, &arguments) {
            Ok(ModelResult::Operate(operation) | ModelResult::Then { operation, .. }) => operation,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// Calls a model that goes on behind an operation with this outcome; the words of its result.
    pub(crate) fn finish(&mut self, name: &str, arguments: &[u64], value: [u64; 2], success: bool) -> [u64; 2] {
        let arguments: Vec<Value> = arguments.iter().map(|a| (*a).into()).collect();
        match self.call(name, &arguments) {
            Ok(ModelResult::Then { finish, .. }) => match finish(self, Outcome { value, undefined: [0; 2], success }) {
                Ok(ModelResult::Return(words)) => words,
                other => panic!("{name}: {other:?}"),
            },
            other => panic!("{name}: {other:?}"),
        }
    }

    /// The object and the offset of an accessible range.
    fn range(&self, address: u64, len: u64) -> Result<(usize, usize), ModelError> {
        let found = self
            .objects
            .iter()
            .position(|o| o.live && address >= o.base && address.saturating_add(len) <= o.base + o.bytes.len() as u64);
        match found {
            Some(index) => Ok((index, (address - self.objects[index].base) as usize)),
            None => Err(self.fault(Kind::Memory, format!("{len} bytes at {address:#x}"))),
        }
    }

    fn heap_object(&mut self, address: u64) -> Result<&mut Object, ModelError> {
        let fault = self.fault(Kind::Memory, format!("no heap object at {address:#x}"));
        self.objects.iter_mut().find(|o| o.live && o.heap && o.base == address).ok_or(fault)
    }
}

//! What a model sees of the machine, and may do to it: one call of it.
//!
//! Most of it is one implementation of the trait `Call`, with a method for all that a model may do.
use super::LibraryCall;
use crate::library::hooks::{
    Call, Content, Data, ModelError, ModelResult, MutexKind, Op, PageChange, PagesChanged, Rights, Robustness, Shows,
    Sign, Text,
};
use crate::memory::{AccessError, Internal, Mode, ObjectKind, Request};
use crate::operation::{Operation, Source};
use crate::options::Open;
use crate::step::Halt;
use crate::undefined::SYMBOLIC;
use crate::verdict::assumption::Assumption;
use crate::verdict::fault::Kind;
use frontend::ir::{AddressUse, Arg, CallSite};
use por::ThreadId;
use std::sync::Arc;

impl LibraryCall<'_> {
    pub(super) fn site(&self) -> &CallSite {
        &self.machine.program.module.functions[self.caller.index()].calls[self.site as usize]
    }

    pub(super) fn arg(&self, index: usize) -> Option<Arg> {
        self.site().args.get(index).copied()
    }

    pub(super) fn stop(&mut self, halt: impl Into<Halt>) -> ModelError {
        self.machine.explain(halt.into())
    }

    pub(super) fn checked<T>(&mut self, result: Result<T, AccessError>) -> Result<T, ModelError> {
        result.map_err(|error| self.stop(error))
    }

    /// Objects to bytes that depend on inputs.
    pub(super) fn reads_terms(&mut self) -> ModelError {
        let halt = self.machine.symbolic(&format!("memory that `{}` reads", self.name()));
        self.stop(halt)
    }

    /// Objects to bytes that were never written, or depend on inputs; `unwritten`: how far behind the address the first
    /// such byte is.
    pub(super) fn all_written(&mut self, address: u64, unwritten: Option<u64>) -> Result<(), ModelError> {
        if let Some(offset) = unwritten
            && self.machine.terms_in_memory(address.wrapping_add(offset), 1, 1).is_some()
        {
            return Err(self.reads_terms());
        }
        self.written(unwritten.is_some())
    }

    /// Objects to bytes that were never written.
    pub(super) fn written(&mut self, unwritten: bool) -> Result<(), ModelError> {
        if unwritten {
            return Err(
                self.fault(Kind::Uninitialised, format!("`{}` reads memory that was never written", self.name()))
            );
        }
        Ok(())
    }
}

impl Call for LibraryCall<'_> {
    fn name(&self) -> &str {
        &self.machine.program.module.functions[self.callee.index()].name
    }

    fn thread(&self) -> ThreadId {
        self.machine.segment.current
    }

    fn arguments(&self) -> usize {
        self.site().args.len()
    }

    fn argument(&self, index: usize) -> u64 {
        self.argument_word(index, 0)
    }

    fn argument_word(&self, index: usize, word: usize) -> u64 {
        match self.arg(index) {
            Some(arg) if word < arg.slots as usize => {
                let operand = arg.value.offset(word as u32);
                match self.machine.shadow(operand) {
                    // Models that may be given a term only ask whether it is 0.
                    SYMBOLIC => self.machine.segment.truth.expect("it was decided before the call").into(),
                    _ => self.machine.get(operand),
                }
            }
            _ => 0,
        }
    }

    fn known_argument(&self, index: usize) -> Option<u64> {
        let arg = self.arg(index).filter(|arg| arg.slots > 0)?;
        (self.machine.shadow(arg.value) == 0).then(|| self.machine.get(arg.value))
    }

    fn argument_bytes(&self, index: usize) -> u32 {
        self.arg(index).map_or(0, |arg| arg.bytes)
    }

    fn require_initialised(&mut self, index: usize) -> Result<(), ModelError> {
        if !self.machine.thread(self.machine.segment.current).tracks() {
            return Ok(());
        }
        let Some(arg) = self.arg(index) else { return Ok(()) };
        self.settle_argument(index, arg)?;
        if (0..arg.slots).any(|i| ![0, SYMBOLIC].contains(&self.machine.shadow(arg.value.offset(i)))) {
            let message = format!("argument {} of `{}` was never given a value", index + 1, self.name());
            return Err(self.fault(Kind::Uninitialised, message));
        }
        Ok(())
    }

    fn initialised_argument(&mut self, index: usize) -> Result<u64, ModelError> {
        if self.machine.thread(self.machine.segment.current).tracks() {
            self.require_initialised(index)?;
            return Ok(self.argument(index));
        }
        // (Where nothing is undefined there are no terms.)
        let arg = self.site().args.get(index).filter(|arg| arg.slots > 0);
        Ok(arg.map_or(0, |arg| self.machine.get(arg.value)))
    }

    fn pointer_bytes(&self) -> u64 {
        self.machine.program.pointer_bytes
    }

    fn result_is_used(&self) -> bool {
        self.site().dst.is_some()
    }

    fn peek(&self, address: u64, size: u64) -> Option<u64> {
        let memory = &self.machine.state.memory;
        let object = memory.object_at(address).filter(|object| object.live && !self.machine.has_terms())?;
        let is_there = address - object.base + size <= object.size && !memory.has_gaps(address, size);
        is_there.then(|| memory.peek(address, size))
    }

    fn load(&mut self, address: u64, size: u64) -> Result<u64, ModelError> {
        let (value, shadow) = self.machine.load(address, size).map_err(|e| self.stop(e))?;
        if shadow == SYMBOLIC {
            return Err(self.reads_terms());
        }
        self.written(shadow != 0)?;
        Ok(value)
    }

    fn store(&mut self, address: u64, size: u64, value: u64) -> Result<(), ModelError> {
        self.changed = true;
        self.machine.store(address, size, value, 0).map_err(|e| self.stop(e))
    }

    fn load_partly(&mut self, address: u64, size: u64) -> Result<(u64, u64), ModelError> {
        self.machine.load(address, size).map_err(|e| self.stop(e))
    }

    fn store_partly(&mut self, address: u64, size: u64, value: u64, undefined: u64) -> Result<(), ModelError> {
        self.changed = true;
        self.machine.store(address, size, value, undefined).map_err(|e| self.stop(e))
    }

    fn load_bytes(&mut self, address: u64, len: u64) -> Result<Vec<u8>, ModelError> {
        self.machine.note_read(address, len);
        let origin = self.machine.origin(Mode::Plain);
        let mut bytes = Vec::new();
        let result = self.machine.state.memory.load_bytes(&origin, address, len, &mut bytes);
        let unwritten = self.checked(result)?;
        self.all_written(address, unwritten)?;
        Ok(bytes)
    }

    fn store_bytes(&mut self, address: u64, bytes: &[u8]) -> Result<(), ModelError> {
        self.changed = true;
        let origin = self.machine.origin(Mode::Plain);
        let result = self.machine.state.memory.store_bytes(&origin, address, bytes);
        self.checked(result)
    }

    fn c_string(&mut self, address: u64) -> Result<Vec<u8>, ModelError> {
        let origin = self.machine.origin(Mode::Plain);
        let mut bytes = Vec::new();
        let result = self.machine.state.memory.load_string(&origin, address, &mut bytes);
        self.machine.note_read(address, bytes.len() as u64 + 1);
        let unwritten = self.checked(result)?;
        self.all_written(address, unwritten)?;
        Ok(bytes)
    }

    fn copy(&mut self, to: u64, from: u64, len: u64) -> Result<(), ModelError> {
        self.changed = true;
        self.machine.copy(to, from, len).map_err(|e| self.stop(e))
    }

    fn fill(&mut self, to: u64, byte: u8, len: u64) -> Result<(), ModelError> {
        self.changed = true;
        let origin = self.machine.origin(Mode::Plain);
        let result = self.machine.state.memory.fill(&origin, to, byte, len);
        self.checked(result)
    }

    fn allocate(&mut self, size: u64, align: u64, content: Content) -> Result<u64, ModelError> {
        self.changed = true;
        if !self.machine.program.allocates {
            // The engine was told that there are none.
            return Err(ModelError::Unknown(format!("{} makes a block on the heap and does not say so", self.name())));
        }
        let origin = self.machine.origin(Mode::Plain);
        let content = self.machine.new_content(content);
        let request = Request { kind: ObjectKind::Heap, size, align, content };
        let chosen = self.machine.chosen_address(size);
        if chosen != 0 {
            return Ok(self.machine.state.memory.allocate_again(&origin, request, chosen));
        }
        let result = self.machine.state.memory.allocate(&origin, request);
        self.checked(result)
    }

    fn free(&mut self, address: u64) -> Result<(), ModelError> {
        self.changed = true;
        if address == 0 {
            return Ok(());
        }
        let origin = self.machine.origin(Mode::Plain);
        let result = self.machine.state.memory.free(&origin, address);
        self.checked(result)
    }

    fn free_at_last(&mut self, address: u64) -> Result<ModelResult, ModelError> {
        if self.machine.state.memory.is_promoted_mortal(address) || self.machine.may_be_given_out_again(address) {
            return Ok(ModelResult::Operate(Operation::Free { address }));
        }
        self.free(address)?;
        Ok(ModelResult::value(0))
    }

    fn map_pages(&mut self, size: u64, rights: Rights, shows: Shows) -> Result<u64, ModelError> {
        let address = self.allocate(size, 4096, Content::Zero)?;
        self.machine.state.memory.make_mapping(address, rights, shows);
        Ok(address)
    }

    fn change_pages(&mut self, address: u64, length: u64, change: PageChange) -> Result<PagesChanged, ModelError> {
        self.changed = true;
        let origin = self.machine.origin(Mode::Plain);
        self.machine.state.memory.note_life(address, true);
        let result = self.machine.state.memory.change_pages(&origin, address, length, change);
        self.checked(result)
    }

    fn mapping_at(&self, address: u64) -> Option<(u64, u64)> {
        self.machine.state.memory.mapping_at(address)
    }

    fn mapping_shows(&mut self, address: u64) -> Shows {
        self.machine.state.memory.note_life(address, false);
        self.machine.state.memory.mapping_shows(address)
    }

    fn is_alive(&self, address: u64) -> bool {
        self.machine
            .state
            .memory
            .object_at(address)
            .is_some_and(|object| object.live && (object.base..object.base + object.size).contains(&address))
    }

    fn allocation_size(&mut self, address: u64) -> Result<u64, ModelError> {
        self.machine.state.memory.note_life(address, false);
        let result = self.machine.state.memory.heap_size(address);
        self.checked(result)
    }

    fn mutex_consistent(&mut self, mutex: u64) -> Result<u64, ModelError> {
        self.changed = true;
        self.machine.make_consistent(mutex).map_err(|e| self.stop(e))
    }

    fn mutex_init(&mut self, mutex: u64, kind: MutexKind, robustness: Robustness) -> Result<(), ModelError> {
        self.changed = true;
        self.machine.mutex_init(mutex, kind, robustness).map_err(|e| self.stop(e))
    }

    fn cond_init(&mut self, condition: u64) -> Result<(), ModelError> {
        self.changed = true;
        self.machine.cond_init(condition).map_err(|e| self.stop(e))
    }

    fn read_write_init(&mut self, lock: u64) -> Result<(), ModelError> {
        self.changed = true;
        self.machine.read_write_init(lock).map_err(|e| self.stop(e))
    }

    fn spin_init(&mut self, lock: u64) -> Result<(), ModelError> {
        self.changed = true;
        self.machine.spin_init(lock).map_err(|e| self.stop(e))
    }

    fn self_handle(&mut self) -> u64 {
        self.machine.note_own_number();
        u64::from(self.machine.segment.current.0) + 1
    }

    fn is_thread(&mut self, handle: u64) -> bool {
        self.machine.tell_apart();
        self.machine.thread_of_handle(handle).is_some()
    }

    fn is_alone(&self) -> bool {
        self.machine.segment.current.0 == 0 && self.machine.thread(ThreadId(0)).header.children == 0
    }

    fn global(&self, name: &str) -> Option<u64> {
        self.machine.program.global_names.get(name).copied().filter(|address| *address != 0)
    }

    fn environment(&self) -> u64 {
        self.machine.program.main_arguments[2]
    }

    fn specific_values(&mut self, make: bool) -> Result<u64, ModelError> {
        let result = self.machine.specific_values(make);
        self.checked(result)
    }

    fn main_arguments(&self) -> u64 {
        self.machine.program.main_arguments[1]
    }

    fn file(&self, name: &[u8]) -> Option<Arc<[u8]>> {
        let mut files = self.machine.program.options.files.iter();
        files.find(|(known, _)| known.as_bytes() == name).map(|(_, content)| Arc::clone(content))
    }

    fn file_name(&self, number: usize) -> Option<&str> {
        self.machine.program.options.files.get(number).map(|(name, _)| name.as_str())
    }

    fn errno_address(&mut self) -> Result<u64, ModelError> {
        self.machine.note_look_at_errno();
        self.place_of_errno()
    }

    fn set_errno(&mut self, error: u32) -> Result<(), ModelError> {
        let address = self.place_of_errno()?;
        self.store(address, 4, u64::from(error))
    }

    fn argument_data(&mut self, index: usize, bits: u8) -> Result<Data, ModelError> {
        self.data_of_argument(index, bits)
    }

    fn length_of_ranges(&mut self, index: usize, places: &[u64]) -> Result<u64, ModelError> {
        self.settle_length(index, places)?;
        Ok(self.argument(index))
    }

    fn load_data(&mut self, address: u64, size: u64) -> Result<Data, ModelError> {
        self.load_as_data(address, size)
    }

    fn store_data(&mut self, address: u64, data: Data) -> Result<(), ModelError> {
        self.changed = true;
        let (word, mark) = data.marked();
        self.machine.store(address, u64::from(data.bits() / 8), word, mark).map_err(|e| self.stop(e))
    }

    fn bytes(&mut self, address: u64, len: u64) -> Result<Text, ModelError> {
        self.load_bytes_as_data(address, len)
    }

    fn text(&mut self, address: u64) -> Result<Text, ModelError> {
        self.load_text(address)
    }

    fn compute(&mut self, op: Op, a: Data, b: Data) -> Data {
        self.machine.compute_data(op, a, b)
    }

    fn choose(&mut self, condition: Data, a: Data, b: Data) -> Data {
        self.machine.choose_data(condition, a, b)
    }

    fn resize(&mut self, data: Data, bits: u8, sign: Sign) -> Data {
        self.machine.resize_data(data, bits, sign)
    }

    fn decide(&mut self, condition: Data) -> Result<bool, ModelError> {
        self.decide_data(condition)
    }

    fn output(&mut self, stream: u8, bytes: &[u8]) {
        self.changed = true;
        self.machine.write_output(stream, bytes);
    }

    fn input(&mut self, bits: u8, sign: Sign, source: Source) -> Option<Result<ModelResult, ModelError>> {
        Some(self.machine.read_input(bits, sign, source)?.map_err(ModelError::Unknown))
    }

    fn nondet_values(&self) -> u32 {
        self.machine.program.options.nondet
    }

    fn open(&self) -> &Open {
        &self.machine.program.options.open
    }

    fn argument_room(&mut self, size: u64) -> Result<u64, ModelError> {
        let origin = self.machine.origin(Mode::Plain);
        let kind = ObjectKind::Internal(Internal::Arguments);
        let request = Request { kind, size, align: 16, content: Content::Zero };
        let result = self.machine.state.memory.allocate(&origin, request);
        self.checked(result)
    }

    fn assume(&mut self, assumption: Assumption) {
        self.machine.lifelong.assumptions.insert(assumption);
    }

    fn note_unequal(&mut self, one: u64, other: u64) {
        self.machine.state.memory.use_address(AddressUse::Equality, one, other);
    }

    fn enable_cancellation(&mut self, on: bool) -> bool {
        self.machine.enable_cancellation(on)
    }

    fn push_cleanup(&mut self, buffer: u64) {
        self.machine.push_cleanup(buffer);
    }

    fn pop_cleanup(&mut self, buffer: u64) -> Result<(), ModelError> {
        self.machine.pop_cleanup(buffer).map_err(|e| self.stop(e))
    }

    fn ends_with(&self) -> u64 {
        self.machine.thread(self.machine.segment.current).rare.ends_with
    }

    fn atomic_end(&mut self) -> Result<(), ModelError> {
        if self.machine.thread(self.machine.segment.current).header.block == 0 {
            let message = "an atomic block ends that did not begin".to_owned();
            return Err(self.fault(Kind::Misuse, message));
        }
        self.machine.end_block();
        Ok(())
    }

    fn at_exit(&mut self, function: u64, argument: u64) -> Result<(), ModelError> {
        self.machine.function_at(function).map_err(|e| self.stop(e))?;
        self.machine.register_at_exit(function, argument);
        Ok(())
    }

    fn look_at_clock(&mut self) -> u64 {
        self.machine.note_clock();
        self.machine.state.memory.race.look(self.machine.segment.current)
    }

    fn may_look_at_clock(&self) -> bool {
        self.machine.program.looks_at_clock
    }

    fn pass_time(&mut self, nanoseconds: u64) {
        self.machine.state.memory.race.pass(self.machine.segment.current, nanoseconds);
    }

    fn pass_time_until(&mut self, time: u64) {
        self.machine.state.memory.race.pass_until(self.machine.segment.current, time);
    }
}

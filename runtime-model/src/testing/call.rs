//! What the calls of the stand-in do.
use super::*;

impl Call for Fake {
    fn name(&self) -> &str {
        &self.name
    }

    fn thread(&self) -> ThreadId {
        ThreadId(0)
    }

    fn arguments(&self) -> usize {
        self.arguments.len()
    }

    fn argument(&self, index: usize) -> u64 {
        self.argument_word(index, 0)
    }

    fn argument_word(&self, index: usize, word: usize) -> u64 {
        match self.arguments.get(index) {
            Some(Value::Words(words)) => words[word],
            _ => 0,
        }
    }

    fn known_argument(&self, index: usize) -> Option<u64> {
        self.arguments.get(index).map(|_| self.argument(index))
    }

    fn argument_bytes(&self, _index: usize) -> u32 {
        8
    }

    fn require_initialised(&mut self, index: usize) -> Result<(), ModelError> {
        match self.arguments.get(index) {
            Some(Value::Undefined) => Err(self.fault(Kind::Uninitialised, format!("argument {index}"))),
            _ => Ok(()),
        }
    }

    fn initialised_argument(&mut self, index: usize) -> Result<u64, ModelError> {
        self.require_initialised(index)?;
        Ok(self.argument(index))
    }

    fn pointer_bytes(&self) -> u64 {
        self.pointer_bytes
    }

    fn result_is_used(&self) -> bool {
        true
    }

    fn peek(&self, address: u64, size: u64) -> Option<u64> {
        let (object, offset) = self.range(address, size).ok()?;
        let bytes = &self.objects[object].bytes[offset..offset + size as usize];
        bytes.iter().rev().try_fold(0, |value, byte| byte.map(|byte| value << 8 | u64::from(byte)))
    }

    fn load(&mut self, address: u64, size: u64) -> Result<u64, ModelError> {
        let bytes = self.load_bytes(address, size)?;
        Ok(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }

    fn store(&mut self, address: u64, size: u64, value: u64) -> Result<(), ModelError> {
        self.store_bytes(address, &value.to_le_bytes()[..size as usize])
    }

    fn load_partly(&mut self, address: u64, size: u64) -> Result<(u64, u64), ModelError> {
        Ok((self.load(address, size)?, 0))
    }

    fn store_partly(&mut self, address: u64, size: u64, value: u64, _: u64) -> Result<(), ModelError> {
        self.store(address, size, value)
    }

    fn load_bytes(&mut self, address: u64, len: u64) -> Result<Vec<u8>, ModelError> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let (object, offset) = self.range(address, len)?;
        let bytes = &self.objects[object].bytes[offset..offset + len as usize];
        let written: Option<Vec<u8>> = bytes.iter().copied().collect();
        written.ok_or_else(|| self.fault(Kind::Uninitialised, format!("{len} bytes at {address:#x}")))
    }

    fn store_bytes(&mut self, address: u64, bytes: &[u8]) -> Result<(), ModelError> {
        self.changed = true;
        if bytes.is_empty() {
            return Ok(());
        }
        let (object, offset) = self.range(address, bytes.len() as u64)?;
        for (place, byte) in self.objects[object].bytes[offset..].iter_mut().zip(bytes) {
            *place = Some(*byte);
        }
        Ok(())
    }

    fn c_string(&mut self, address: u64) -> Result<Vec<u8>, ModelError> {
        let mut out = Vec::new();
        loop {
            match self.load(address + out.len() as u64, 1)? as u8 {
                0 => return Ok(out),
                byte => out.push(byte),
            }
        }
    }

    fn copy(&mut self, to: u64, from: u64, len: u64) -> Result<(), ModelError> {
        self.changed = true;
        if len == 0 {
            return Ok(());
        }
        let (source, offset) = self.range(from, len)?;
        let bytes = self.objects[source].bytes[offset..offset + len as usize].to_vec();
        let (target, offset) = self.range(to, len)?;
        self.objects[target].bytes[offset..offset + len as usize].copy_from_slice(&bytes);
        Ok(())
    }

    fn fill(&mut self, to: u64, byte: u8, len: u64) -> Result<(), ModelError> {
        self.changed = true;
        if len == 0 {
            return Ok(());
        }
        let (object, offset) = self.range(to, len)?;
        self.objects[object].bytes[offset..offset + len as usize].fill(Some(byte));
        Ok(())
    }

    fn argument_data(&mut self, index: usize, bits: u8) -> Result<Data, ModelError> {
        self.require_initialised(index)?;
        let Data::Known(value, _) = Data::known(self.argument(index).into(), bits) else { unreachable!("it is known") };
        Ok(self.inputs.as_mut().map_or(Data::Known(value, bits), |inputs| inputs.input(value, bits)))
    }

    fn length_of_ranges(&mut self, index: usize, _: &[u64]) -> Result<u64, ModelError> {
        self.require_initialised(index)?;
        Ok(self.argument(index))
    }

    fn load_data(&mut self, address: u64, size: u64) -> Result<Data, ModelError> {
        let (value, bits) = (self.load(address, size)?.into(), 8 * size as u8);
        let (object, _) = self.range(address, size)?;
        if self.known.contains(&self.objects[object].base) {
            return Ok(Data::Known(value, bits));
        }
        Ok(self.inputs.as_mut().map_or(Data::Known(value, bits), |inputs| inputs.input(value, bits)))
    }

    fn store_data(&mut self, address: u64, data: Data) -> Result<(), ModelError> {
        let value = self.value(data) as u64;
        self.store(address, u64::from(data.bits() / 8), value)
    }

    fn bytes(&mut self, address: u64, len: u64) -> Result<Text, ModelError> {
        let mut text = Text::Known(Vec::new());
        for offset in 0..len {
            text.push(self.load_data(address + offset, 1)?);
        }
        Ok(text)
    }

    fn text(&mut self, address: u64) -> Result<Text, ModelError> {
        let mut text = Text::Known(Vec::new());
        loop {
            let byte = self.load_data(address + text.len() as u64, 1)?;
            let ends = self.compute(Op::Eq, byte, Data::Known(0, 8));
            if self.decide(ends)? {
                return Ok(text);
            }
            text.push(byte);
        }
    }

    fn compute(&mut self, op: Op, a: Data, b: Data) -> Data {
        let inputs = self.inputs.as_mut().unwrap_or(&mut self.constants);
        let (a, b) = (inputs.term(a), inputs.term(b));
        let result = inputs.terms.binary(op, a, b);
        inputs.data(result)
    }

    fn choose(&mut self, condition: Data, a: Data, b: Data) -> Data {
        let inputs = self.inputs.as_mut().unwrap_or(&mut self.constants);
        let (condition, a, b) = (inputs.term(condition), inputs.term(a), inputs.term(b));
        let result = inputs.terms.ite(condition, a, b);
        inputs.data(result)
    }

    fn resize(&mut self, data: Data, bits: u8, sign: Sign) -> Data {
        let inputs = self.inputs.as_mut().unwrap_or(&mut self.constants);
        let term = inputs.term(data);
        let result = match sign {
            _ if bits < data.bits() => inputs.terms.extract(term, 0, bits),
            Sign::Signed => inputs.terms.sext(term, bits),
            Sign::Unsigned => inputs.terms.zext(term, bits),
        };
        inputs.data(result)
    }

    fn decide(&mut self, condition: Data) -> Result<bool, ModelError> {
        assert!(!self.changed || condition.value().is_some(), "{} decides behind a change", self.name);
        Ok(self.value(condition) != 0)
    }

    fn allocate(&mut self, size: u64, _align: u64, content: Content) -> Result<u64, ModelError> {
        self.changed = true;
        let base = self.object(size);
        self.objects.last_mut().unwrap().heap = true;
        if content == Content::Zero {
            self.fill(base, 0, size)?;
        }
        Ok(base)
    }

    fn free(&mut self, address: u64) -> Result<(), ModelError> {
        self.changed = true;
        if address != 0 {
            self.heap_object(address)?.live = false;
        }
        Ok(())
    }

    fn allocation_size(&mut self, address: u64) -> Result<u64, ModelError> {
        Ok(self.heap_object(address)?.bytes.len() as u64)
    }

    fn map_pages(&mut self, size: u64, _: Rights, _: Shows) -> Result<u64, ModelError> {
        let base = self.allocate(size, 4096, Content::Zero)?;
        self.objects.last_mut().unwrap().pages = vec![true; size as usize / 4096];
        Ok(base)
    }

    fn change_pages(&mut self, address: u64, length: u64, change: PageChange) -> Result<PagesChanged, ModelError> {
        let Some((base, size)) = self.mapping_at(address) else { return Ok(PagesChanged::NoMapping) };
        if address + length > base + size {
            return Ok(PagesChanged::Beyond);
        }
        let object = self.objects.iter_mut().find(|object| object.base == base).unwrap();
        let part = (address - base) as usize / 4096..(address - base + length) as usize / 4096;
        let left = object.pages[part.clone()].iter().filter(|there| **there).count();
        if left == 0 || change != PageChange::GiveBack && left < part.len() {
            return Ok(PagesChanged::NotThere);
        }
        if change == PageChange::GiveBack {
            if object.pages.iter().filter(|there| **there).count() == left {
                return Ok(PagesChanged::All);
            }
            object.pages[part].fill(false);
        }
        Ok(PagesChanged::Done)
    }

    fn mapping_at(&self, address: u64) -> Option<(u64, u64)> {
        let size = |object: &Object| object.bytes.len() as u64;
        let here = |object: &&Object| object.live && (object.base..object.base + size(object)).contains(&address);
        self.objects.iter().find(here).filter(|o| !o.pages.is_empty()).map(|o| (o.base, size(o)))
    }

    fn mapping_shows(&mut self, _: u64) -> Shows {
        Shows::Nothing
    }

    fn is_alive(&self, address: u64) -> bool {
        let end = |object: &Object| object.base + object.bytes.len() as u64;
        self.objects.iter().any(|object| object.live && (object.base..end(object)).contains(&address))
    }

    fn mutex_init(&mut self, mutex: u64, kind: MutexKind, robustness: Robustness) -> Result<(), ModelError> {
        let robust = if robustness == Robustness::Robust { ", robust" } else { "" };
        self.log.push(format!("mutex {mutex:#x} {kind:?}{robust}"));
        Ok(())
    }

    fn mutex_consistent(&mut self, mutex: u64) -> Result<u64, ModelError> {
        self.log.push(format!("consistent {mutex:#x}"));
        Ok(0)
    }

    fn cond_init(&mut self, condition: u64) -> Result<(), ModelError> {
        self.log.push(format!("condition {condition:#x}"));
        Ok(())
    }

    fn read_write_init(&mut self, lock: u64) -> Result<(), ModelError> {
        self.log.push(format!("read-write lock {lock:#x}"));
        Ok(())
    }

    fn spin_init(&mut self, lock: u64) -> Result<(), ModelError> {
        self.log.push(format!("spin lock {lock:#x}"));
        Ok(())
    }

    fn self_handle(&mut self) -> u64 {
        1
    }

    fn is_thread(&mut self, handle: u64) -> bool {
        handle == 1
    }

    fn is_alone(&self) -> bool {
        true
    }

    fn global(&self, name: &str) -> Option<u64> {
        self.globals.iter().find(|(global, _)| *global == name).map(|(_, address)| *address)
    }

    fn environment(&self) -> u64 {
        self.environment
    }

    fn specific_values(&mut self, make: bool) -> Result<u64, ModelError> {
        if make && self.specific == 0 {
            self.specific = self.object(Keys::MOST * self.pointer_bytes);
            self.fill(self.specific, 0, Keys::MOST * self.pointer_bytes)?;
        }
        Ok(self.specific)
    }

    fn main_arguments(&self) -> u64 {
        0
    }

    fn file(&self, name: &[u8]) -> Option<Arc<[u8]>> {
        self.files.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, content)| Arc::from(*content))
    }

    fn file_name(&self, number: usize) -> Option<&str> {
        self.files.get(number).map(|(name, _)| *name)
    }

    fn errno_address(&mut self) -> Result<u64, ModelError> {
        Ok(self.errno)
    }

    fn set_errno(&mut self, error: u32) -> Result<(), ModelError> {
        self.store(self.errno, 4, u64::from(error))
    }

    fn output(&mut self, stream: u8, bytes: &[u8]) {
        self.printed[usize::from(stream)].push_str(&String::from_utf8_lossy(bytes));
    }

    fn input(&mut self, bits: u8, _: Sign, source: Source) -> Option<Result<ModelResult, ModelError>> {
        (self.open != Open::default()).then_some(Ok(ModelResult::Operate(Operation::Input { bits, source })))
    }

    fn open(&self) -> &Open {
        &self.open
    }

    fn argument_room(&mut self, size: u64) -> Result<u64, ModelError> {
        self.allocate(size, 16, Content::Zero)
    }

    fn nondet_values(&self) -> u32 {
        self.nondet
    }

    fn assume(&mut self, assumption: Assumption) {
        self.assumed.push(assumption.name());
    }

    fn note_unequal(&mut self, one: u64, other: u64) {
        self.log.push(format!("{one:#x} is not {other:#x}"));
    }

    fn enable_cancellation(&mut self, on: bool) -> bool {
        self.log.push(format!("cancellation {on}"));
        true
    }

    fn push_cleanup(&mut self, buffer: u64) {
        self.log.push(format!("cleanup {buffer:#x}"));
    }

    fn pop_cleanup(&mut self, buffer: u64) -> Result<(), ModelError> {
        self.log.push(format!("no cleanup {buffer:#x}"));
        Ok(())
    }

    fn ends_with(&self) -> u64 {
        7
    }

    fn atomic_end(&mut self) -> Result<(), ModelError> {
        self.log.push("atomic end".into());
        Ok(())
    }

    fn at_exit(&mut self, function: u64, _argument: u64) -> Result<(), ModelError> {
        self.log.push(format!("at exit {function:#x}"));
        Ok(())
    }

    fn look_at_clock(&mut self) -> u64 {
        self.clock += 1_500_000_000;
        self.clock
    }

    fn may_look_at_clock(&self) -> bool {
        true
    }

    fn pass_time(&mut self, nanoseconds: u64) {
        self.clock += nanoseconds;
    }

    fn pass_time_until(&mut self, time: u64) {
        self.clock = self.clock.max(time);
    }
}

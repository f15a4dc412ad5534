//! Calls and returns.
use super::{Flow, Halt};
use crate::library::hooks::{CancellationPoint, Content, Sign};
use crate::machine::{AtExit, Callee, Machine};
use crate::memory::{CodeAddress, ObjectKind, Request, StackId};
use crate::operation::{Operation, Source};
use crate::options::External;
use crate::quick::WINDOW;
use crate::thread::{After, Frame, Resume};
use crate::undefined::{SYMBOLIC, plain};
use crate::verdict::assumption::Assumption;
use crate::verdict::fault::Kind;
use frontend::ir::{FuncId, Inst, Operand, ResultType, Slot};

/// Frames that a thread may have.
const MAX_DEPTH: usize = 200_000;

impl Machine {
    /// Executes the call at which the frame on top stands.
    pub(super) fn call(&mut self, site: u32, callee: FuncId) -> Result<Flow, Halt> {
        // (Where nothing is undefined there are no terms.)
        if self.thread(self.segment.current).tracks()
            && matches!(self.program.callees[callee.index()], Callee::Model(_) | Callee::Point(..))
            && let Some(flow) = self.settle_arguments(callee)?
        {
            return Ok(flow);
        }
        match self.program.callees[callee.index()] {
            Callee::Defined => {
                self.enter_function(site, callee, false)?;
                Ok(Flow::Next)
            }
            Callee::Block => Ok(Flow::Before(Operation::AtomicBegin, Resume::EnterBlock(callee))),
            Callee::Point(_, point) if self.can_be_cancelled() => {
                let always = point == CancellationPoint::Always;
                Ok(Flow::Before(Operation::TestCancel { always }, Resume::Model))
            }
            Callee::Model(model) | Callee::Point(model, _) => match self.choice_of_address(callee) {
                Some(operation) => Ok(Flow::Before(operation, Resume::Model)),
                None => self.call_model(callee, model),
            },
            Callee::External(external, result) => self.call_external(site, callee, external, result),
            Callee::Unmodelled => {
                let name = &self.program.module.functions[callee.index()].name;
                let reason = format!("call of `{name}`, which is neither defined nor modelled");
                Err(Halt::unknown(reason + &self.at()))
            }
        }
    }

    /// Calls a function that does nothing but return, with a result of that type.
    fn call_external(
        &mut self,
        site: u32,
        callee: FuncId,
        external: External,
        result: ResultType,
    ) -> Result<Flow, Halt> {
        self.lifelong.assumptions.insert(Assumption::ExternalFunctions);
        let caller = self.thread(self.segment.current).top().function;
        let expected = &self.program.module.functions[caller.index()].calls[site as usize].result_masks;
        let refused = |machine: &Machine, what: &str| {
            let name = &machine.program.module.functions[callee.index()].name;
            Err(Halt::unknown(format!("call of `{name}`, which nobody defines, {what}{}", machine.at())))
        };
        match (result, &expected[..]) {
            (ResultType::Nothing, []) => {
                self.finish_instruction([0; 2], [0; 2], true);
                Ok(Flow::Next)
            }
            (ResultType::Integer { .. } | ResultType::Other, [_] | [_, _]) if external == External::Zero => {
                self.finish_instruction([0; 2], [0; 2], true);
                Ok(Flow::Next)
            }
            (_, _) if external == External::Nothing => refused(self, "and whose result is used"),
            (ResultType::Integer { bits: bits @ 1..=64, signed }, &[mask]) if mask == u64::MAX >> (64 - bits) => {
                let sign = if signed { Sign::Signed } else { Sign::Unsigned };
                match self.read_input(bits as u8, sign, Source::External(callee.0)) {
                    Some(Ok(effect)) => self.take_effect(effect),
                    _ => refused(self, "without symbolic data"),
                }
            }
            (ResultType::Other, _) => refused(self, "and whose result is no integer"),
            _ => refused(self, "with another type of result than it is declared with, or a large one"),
        }
    }

    /// Continues the call at which the frame on top stands as the atomic block that its callee is.
    pub(crate) fn enter_block(&mut self, callee: FuncId) -> Result<(), Halt> {
        let frame = self.thread(self.segment.current).top();
        let inst = self.program.module.functions[frame.function.index()].code[frame.pc as usize];
        let site = inst.call_site().expect("a block function is entered by a call");
        self.enter_function(site, callee, true)
    }

    /// The function behind a pointer.
    pub(crate) fn function_at(&self, address: u64) -> Result<FuncId, Halt> {
        match self.state.memory.code_at(address) {
            Some(CodeAddress::Function(function)) => Ok(function),
            _ if address == 0 => Err(Halt::fault(Kind::Memory, "a call through a null pointer")),
            _ => {
                let message = format!("a call through a pointer ({address:#x}) that leads to no function");
                Err(Halt::fault(Kind::Memory, message))
            }
        }
    }

    /// Pushes the frame of a function of the program and hands over the arguments of the call.
    fn enter_function(&mut self, site: u32, callee: FuncId, block: bool) -> Result<(), Halt> {
        let caller = self.thread(self.segment.current).top().function;
        let function = &self.program.module.functions[callee.index()];
        let args = &self.program.module.functions[caller.index()].calls[site as usize].args;
        let special = function.variadic || args.iter().any(|a| a.byval.is_some());
        let prepared = if special { self.prepare_arguments(caller, site, callee)? } else { Prepared::default() };

        self.push_frame(callee, After::Call, block, prepared.first_alloca)?;
        let module = &self.program.module;
        let thread = &mut self.state.threads[self.segment.current.index()];
        let tracks = thread.header.undefined != 0;
        let new = *thread.frames.last().expect("just pushed");
        let old = thread.frames[thread.frames.len() - 2].base;
        let args = &module.functions[caller.index()].calls[site as usize].args;
        let mut next = new.base as usize;
        let (mut missing, mut terms) = (Vec::new(), Vec::new());
        for (index, param) in module.functions[callee.index()].params.iter().enumerate() {
            let arg = args.get(index);
            let given = arg.map_or(0, |a| a.slots.min(param.slots));
            for i in 0..given {
                let operand = arg.expect("it gives slots").value.offset(i);
                let from = absolute(operand, old);
                let copied = prepared.copies.iter().find(|c| c.0 == index).map(|c| c.1);
                let mask = param.masks[i as usize];
                if tracks && operand.as_slot().is_some() && thread.shadows[from] == SYMBOLIC {
                    terms.push((Slot((next - new.base as usize) as u32 + i), thread.regs[from], mask));
                    continue;
                }
                thread.regs[next + i as usize] = copied.unwrap_or(thread.regs[from]) & mask;
                if tracks && operand.as_slot().is_some() && thread.shadows[from] & mask != 0 {
                    thread.shadows[next + i as usize] = plain(thread.shadows[from] & mask);
                    thread.header.undefined += 1;
                }
            }
            let slot = |i| Slot((next - new.base as usize) as u32 + i);
            missing.extend((given..param.slots).map(|i| (slot(i), param.masks[i as usize])));
            next += param.slots as usize;
        }
        thread.top_mut().variadic = prepared.variadic;
        for (slot, mask) in missing {
            self.set(slot, 0);
            self.mark_undefined(slot, mask);
        }
        for (slot, term, mask) in terms {
            self.put_marked(slot, term, SYMBOLIC, mask);
        }
        Ok(())
    }

    /// Makes the memory that arguments need: copies of objects passed by value, and the area of the variable ones.
    fn prepare_arguments(&mut self, caller: FuncId, site: u32, callee: FuncId) -> Result<Prepared, Halt> {
        let program = std::sync::Arc::clone(&self.program);
        let args = &program.module.functions[caller.index()].calls[site as usize].args;
        let first_alloca = self.thread(self.segment.current).allocas.len();
        let mut prepared = Prepared { first_alloca: Some(first_alloca as u32), ..Prepared::default() };
        for (index, arg) in args.iter().enumerate() {
            let Some((size, align)) = arg.byval else { continue };
            match self.shadow(arg.value) {
                0 => {}
                SYMBOLIC => return Err(self.symbolic("an address")),
                _ => return Err(super::slow::undefined("an address")),
            }
            let request = Request {
                kind: ObjectKind::Argument(callee),
                size,
                align,
                content: self.new_content(Content::Unwritten),
            };
            let copy = self.stack_object(request)?;
            self.copy(copy, self.get(arg.value), size)?;
            prepared.copies.push((index, copy));
        }
        let function = &program.module.functions[callee.index()];
        if function.variadic {
            let copies = std::mem::take(&mut prepared.copies);
            prepared.variadic = self.variable_arguments(callee, args, function.params.len(), &copies)?;
            prepared.copies = copies;
        }
        Ok(prepared)
    }

    /// Pushes the frame of a function that no code called: a start, a thread, a registered function.
    pub(crate) fn enter_root(&mut self, function: FuncId, arguments: &[u64], after: After) -> Result<(), Halt> {
        let function = self.program.thunks.get(&function).copied().unwrap_or(function);
        if !matches!(self.program.callees[function.index()], Callee::Defined) {
            let name = &self.program.module.functions[function.index()].name;
            let reason =
                format!("`{name}`, which is not an ordinary function of the program, is started by the library");
            return Err(Halt::unknown(reason + &self.at()));
        }
        self.push_frame(function, after, false, None)?;
        let program = std::sync::Arc::clone(&self.program);
        let mut slot = 0;
        for (index, param) in program.module.functions[function.index()].params.iter().enumerate() {
            for i in 0..param.slots {
                let mask = param.masks[i as usize];
                match arguments.get(index).filter(|_| i == 0) {
                    Some(value) => self.set(Slot(slot + i), *value & mask),
                    None => self.mark_undefined(Slot(slot + i), mask),
                }
            }
            slot += param.slots;
        }
        Ok(())
    }

    /// The first argument of the frame on top, which was just entered, is a term.
    pub(crate) fn mark_first_argument(&mut self, word: u64, mark: u64) {
        let function = self.thread(self.segment.current).top().function;
        let mask = self.program.module.functions[function.index()].params.first().and_then(|param| param.masks.first());
        if let Some(&mask) = mask {
            self.put_marked(Slot(0), word, mark, mask);
        }
    }

    fn push_frame(&mut self, callee: FuncId, after: After, block: bool, alloca: Option<u32>) -> Result<(), Halt> {
        if self.exploration.symmetry {
            self.note_call(callee);
        }
        let slots = self.program.module.functions[callee.index()].frame_slots;
        let stamp = self.log.stamp();
        let thread = &mut self.state.threads[self.segment.current.index()];
        if thread.frames.len() >= MAX_DEPTH {
            return Err(Halt::unknown(format!("limit: more than {MAX_DEPTH} calls inside one another")));
        }
        let base = match thread.frames.last() {
            Some(top) => top.base + top.slots,
            None => self.program.constants.len() as u32,
        };
        let end = (base + slots) as usize;
        // The fast loop looks at the frame through a window.
        if thread.regs.len() < end.max(base as usize + WINDOW) {
            let room = (end + WINDOW).next_power_of_two();
            thread.regs.resize(room, 0);
            if !thread.shadows.is_empty() {
                thread.shadows.resize(room, 0);
            }
        }
        if !thread.shadows.is_empty() {
            thread.shadows[base as usize..end].fill(0);
        }
        let allocas = alloca.unwrap_or(thread.allocas.len() as u32);
        thread.frames.push(Frame {
            function: callee,
            pc: 0,
            base,
            slots,
            allocas,
            callers: None,
            here: (u32::MAX, StackId::EMPTY),
            after,
            variadic: 0,
            block,
            born: stamp,
            stamp,
        });
        Ok(())
    }

    /// Executes a return of `n` slots.
    pub(super) fn return_from(&mut self, value: Operand, n: u32) -> Result<Flow, Halt> {
        let frame = *self.thread(self.segment.current).top();
        self.end_allocas(frame.allocas as usize)?;
        if frame.block {
            self.end_block();
        }
        let first = if n > 0 { self.get(value) } else { 0 };
        match frame.after {
            After::Call => {
                self.hand_back(&frame, value, n);
                let block_over = frame.block && self.thread(self.segment.current).header.block == 0;
                Ok(if block_over { Flow::BlockOver } else { Flow::Next })
            }
            After::Thread { c11 } => {
                let known = if c11 { 0xffff_ffff } else { self.program.pointer_mask };
                let undefined = if n > 0 { plain(self.shadow(value)) & known } else { known };
                if undefined != 0 {
                    self.rare_mut(self.segment.current).undefined_result = undefined;
                }
                let value = if c11 { first & 0xffff_ffff } else { first };
                // The frame stays, so that a thread that waits for this thread's end can be shown where it is.
                Ok(Flow::Before(Operation::ThreadExit { value }, Resume::Result))
            }
            After::Main => self.begin_exit(first & 0xffff_ffff),
            After::Constructor(done) => {
                self.pop_frame();
                self.next_constructor(done)
            }
            After::Arguments => {
                self.pop_frame();
                self.enter_main(first)
            }
            After::AtExit => {
                self.pop_frame();
                self.next_at_exit()
            }
            After::Destructor { value } => {
                self.pop_frame();
                Ok(Flow::Before(Operation::ThreadExit { value }, Resume::Result))
            }
            After::Once { control } => {
                self.pop_frame();
                Ok(Flow::Before(Operation::OnceEnd { control }, Resume::Result))
            }
        }
    }

    /// Takes the frame on top away; its slots can still be read.
    pub(crate) fn pop_frame(&mut self) {
        let thread = &mut self.state.threads[self.segment.current.index()];
        let frame = thread.frames.pop().expect("a frame returns");
        if thread.header.undefined != 0 {
            let range = frame.base as usize..(frame.base + frame.slots) as usize;
            thread.header.undefined -= thread.shadows[range].iter().filter(|s| **s != 0).count() as u32;
        }
        let below = thread.frames.len();
        self.log.save_popped(self.segment.current, below, frame);
        if !thread.frames.is_empty() {
            self.log.save_top(self.segment.current, thread);
        }
        if thread.rare.contexts.last().is_some_and(|context| context.frame as usize >= below) {
            self.rare_mut(self.segment.current).contexts.retain(|context| (context.frame as usize) < below);
        }
    }

    /// Pops the frame and gives its result to the caller, which goes on after the call.
    fn hand_back(&mut self, frame: &Frame, value: Operand, n: u32) {
        let had_undefined = self.thread(self.segment.current).tracks();
        self.pop_frame();
        let thread = &mut self.state.threads[self.segment.current.index()];
        let top = *thread.top();
        let function = &self.program.module.functions[top.function.index()];
        let site = function.code[top.pc as usize].call_site().expect("a frame waits at its call");
        let site = &function.calls[site as usize];
        let (mut missing, mut terms) = (Vec::new(), Vec::new());
        if let Some(dst) = site.dst {
            let target = (top.base + dst.0) as usize;
            for i in 0..n.min(site.result_slots) {
                let operand = value.offset(i);
                let from = absolute(operand, frame.base);
                let mask = site.result_masks[i as usize];
                if had_undefined && operand.as_slot().is_some() && thread.shadows[from] == SYMBOLIC {
                    terms.push((Slot(dst.0 + i), thread.regs[from], mask));
                    continue;
                }
                thread.regs[target + i as usize] = thread.regs[from] & mask;
                if had_undefined {
                    let shadow = if operand.as_slot().is_some() { plain(thread.shadows[from] & mask) } else { 0 };
                    let place = &mut thread.shadows[target + i as usize];
                    thread.header.undefined += u32::from(shadow != 0);
                    thread.header.undefined -= u32::from(*place != 0);
                    *place = shadow;
                }
            }
            let given = n.min(site.result_slots);
            missing.extend((given..site.result_slots).map(|i| (Slot(dst.0 + i), site.result_masks[i as usize])));
        }
        for (slot, mask) in missing {
            self.set(slot, 0);
            self.mark_undefined(slot, mask);
        }
        for (slot, term, mask) in terms {
            self.put_marked(slot, term, SYMBOLIC, mask);
        }
        self.advance();
    }

    /// Gives a result of up to two words to the call or atomic instruction at which the frame on top stands, and goes
    /// on behind it. `undefined` are the bits of it without a value; `success` is that of a compare-exchange.
    pub(crate) fn finish_instruction(&mut self, words: [u64; 2], undefined: [u64; 2], success: bool) {
        let top = self.thread(self.segment.current).top();
        let function = &self.program.module.functions[top.function.index()];
        let mut masks = [u64::MAX; 2];
        let (dst, slots, flag) = match function.code[top.pc as usize] {
            Inst::AtomicLoad { size, dst, .. } | Inst::AtomicRmw { size, dst, .. } => {
                (Some(dst), if size > 8 { 2 } else { 1 }, None)
            }
            Inst::CompareExchange { size, dst, .. } => {
                let slots = if size > 8 { 2 } else { 1 };
                (Some(dst), slots, Some(Slot(dst.0 + slots)))
            }
            inst => match inst.call_site() {
                Some(site) => {
                    let site = &function.calls[site as usize];
                    if site.dst.is_none() {
                        return self.advance();
                    }
                    masks.iter_mut().zip(&site.result_masks).for_each(|(mask, bits)| *mask = *bits);
                    (site.dst, site.result_slots, None)
                }
                None => (None, 0, None),
            },
        };
        if let Some(dst) = dst {
            for i in 0..slots {
                let slot = Slot(dst.0 + i);
                match words.get(i as usize).zip(masks.get(i as usize)) {
                    Some((word, mask)) => {
                        self.put_marked(slot, *word, undefined[i as usize], *mask);
                    }
                    None => {
                        self.set(slot, 0);
                        self.mark_undefined(slot, u64::MAX);
                    }
                }
            }
        }
        if let Some(flag) = flag {
            self.set(flag, u64::from(success));
            self.mark_undefined(flag, 0);
        }
        self.advance();
    }

    /// Constructors run one after the other, then what makes the arguments that are open, then main.
    pub(crate) fn next_constructor(&mut self, done: u32) -> Result<Flow, Halt> {
        match self.program.module.constructors.get(done as usize) {
            Some(&constructor) => self.enter_root(constructor, &[], After::Constructor(done + 1))?,
            None => {
                let [count, argv, envp] = self.program.main_arguments;
                match self.program.opens_arguments {
                    Some(opens) => self.enter_root(opens, &[count, argv], After::Arguments)?,
                    None => self.enter_root(self.program.main, &[count, argv, envp], After::Main)?,
                }
            }
        }
        Ok(Flow::Next)
    }

    /// Main runs with this array of arguments, which ends with a null pointer.
    fn enter_main(&mut self, argv: u64) -> Result<Flow, Halt> {
        let bytes = self.program.pointer_bytes;
        let mut count = 0;
        while self.load(argv + count * bytes, bytes)?.0 != 0 {
            count += 1;
        }
        self.enter_root(self.program.main, &[count, argv, self.program.main_arguments[2]], After::Main)?;
        Ok(Flow::Next)
    }

    /// The process begins to end: registered functions run first.
    pub(crate) fn begin_exit(&mut self, status: u64) -> Result<Flow, Halt> {
        if self.thread(self.segment.current).rare.exiting.is_some() {
            return Err(Halt::fault(Kind::Misuse, "exit is called while the process is exiting already"));
        }
        self.rare_mut(self.segment.current).exiting = Some(status);
        self.check_registered();
        self.next_at_exit()
    }

    fn next_at_exit(&mut self) -> Result<Flow, Halt> {
        let next = if self.state.process.at_exit.is_empty() { None } else { self.process_mut().at_exit.pop() };
        if let Some(AtExit { address, argument, .. }) = next {
            let function = self.function_at(address)?;
            self.enter_root(function, &[argument], After::AtExit)?;
            return Ok(Flow::Next);
        }
        let done = self.thread(self.segment.current).rare.destructors;
        if let Some(&destructor) = self.program.module.destructors.get(done as usize) {
            self.rare_mut(self.segment.current).destructors += 1;
            self.enter_root(destructor, &[], After::AtExit)?;
            return Ok(Flow::Next);
        }
        let status = self.thread(self.segment.current).rare.exiting.unwrap_or(0);
        Ok(Flow::Before(Operation::ProcessExit { status }, Resume::Result))
    }
}

/// What a call needs in memory.
#[derive(Default)]
struct Prepared {
    /// Stack objects from here on belong to the callee.
    first_alloca: Option<u32>,
    /// (argument, address of the copy).
    copies: Vec<(usize, u64)>,
    /// Address of the variable arguments.
    variadic: u64,
}

/// Index of an operand in the registers, for the frame at `base`.
fn absolute(operand: Operand, base: u32) -> usize {
    match operand.as_slot() {
        Some(slot) => (base + slot.0) as usize,
        None => (operand.0 & 0x7fff_ffff) as usize,
    }
}

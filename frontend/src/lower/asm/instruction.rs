//! What single instructions of inline assembly do.
use super::operands::{Operands, Register, Word, condition};
use super::registers::{Flags, Place, State};
use super::{Statement, is_stack_barrier};
use crate::ir::{Bin, Inst, IntPredicate, Operand, Ordering, RmwOp};
use crate::lower::Res;
use crate::lower::function::{Body, Leaf};
use crate::lower::llvm::LLVMOpcode;
use crate::lower::types::Scalar;

const AX: Register = Register::Named("rax");
const BX: Register = Register::Named("rbx");
const CX: Register = Register::Named("rcx");
const DX: Register = Register::Named("rdx");

/// What an instruction that reads, changes and writes a place computes.
#[derive(Clone, Copy)]
struct Update {
    rmw: RmwOp,
    opcode: LLVMOpcode,
    /// Whether what was there is looked at.
    returns_old: bool,
}

fn update(name: &str) -> Option<Update> {
    let (rmw, opcode) = match name {
        "xadd" | "add" | "inc" => (RmwOp::Add, LLVMOpcode::LLVMAdd),
        "sub" | "dec" => (RmwOp::Sub, LLVMOpcode::LLVMSub),
        "and" => (RmwOp::And, LLVMOpcode::LLVMAnd),
        "or" | "bts" => (RmwOp::Or, LLVMOpcode::LLVMOr),
        "btr" => (RmwOp::And, LLVMOpcode::LLVMAnd),
        "xor" | "btc" | "not" => (RmwOp::Xor, LLVMOpcode::LLVMXor),
        _ => return None,
    };
    Some(Update { rmw, opcode, returns_old: ["xadd", "bts", "btr", "btc"].contains(&name) })
}

impl Body<'_> {
    /// Lowers an instruction; `None` if it is not one of those that we know.
    pub(super) fn assembly(
        &mut self,
        statement: &Statement,
        operands: &Operands,
        state: &mut State,
    ) -> Option<Res<()>> {
        if self.without_operands(statement, state) {
            return Some(Ok(()));
        }
        let words: Vec<Word> = statement.operands.iter().map(|text| operands.word(text)).collect::<Option<_>>()?;
        if let Some(name) = statement.mnemonic.strip_prefix("set") {
            let [word] = &words[..] else { return None };
            let flag = state.holds(self, condition(name)?)?;
            return Some(self.set_flag(word, flag, state));
        }
        let (name, suffix) = split_mnemonic(&statement.mnemonic)?;
        let mut places = Vec::new();
        for word in &words {
            match state.place(self, word)? {
                Ok(place) => places.push(place),
                Err(refusal) => return Some(Err(refusal)),
            }
        }
        let bits = match suffix {
            Some(bits) => bits,
            None => words.iter().rev().find_map(|word| self.bits_of_word(word, state))?,
        };
        match (name, &places[..]) {
            ("mov" | "movabs", [from, to]) if !statement.lock => {
                let value = state.load(self, *from, bits)?;
                state.store(self, *to, value, bits)?;
            }
            ("xchg", [one, other]) => self.exchange(state, *one, *other, bits)?,
            ("cmpxchg8b" | "cmpxchg16b", [Place::Memory(address)]) if statement.lock => {
                self.exchange_two(state, *address, if name == "cmpxchg8b" { 32 } else { 64 });
            }
            ("cmpxchg", [new, place]) => return self.compare_and_exchange(statement.lock, state, *new, *place, bits),
            ("bts" | "btr" | "btc", [index, place]) => {
                return self.change_bit(name, statement.lock, state, *index, *place, bits);
            }
            ("cmp" | "test", [b, a]) if !statement.lock => {
                let (a, b) = (state.load(self, *a, bits)?, state.load(self, *b, bits)?);
                return Some(self.compare_values(name, state, a, b, bits));
            }
            ("sbb", [Place::Register(one), Place::Register(other)]) if one == other => {
                let (zero, carry) = (self.number(0), state.flags.carry?);
                let dst = self.unit(1);
                self.emit(Inst::Sub(Bin { width: bits as u8, flags: 0, dst, a: zero, b: carry }));
                state.write(self, *one, Operand::slot(dst), bits);
            }
            ("inc" | "dec", [place]) => {
                let one = self.number(1);
                // These leave the carry alone.
                let carry = state.flags.carry;
                let done = self.change(update(name)?, statement.lock, state, *place, one, bits)?;
                state.flags.carry = carry;
                return Some(done.map(|_| ()));
            }
            ("not", [place]) => {
                let (flags, ones) = (state.flags, self.all_ones(bits));
                let wants_flags = std::mem::replace(&mut state.wants_flags, false);
                let done = self.change(update(name)?, statement.lock, state, *place, ones, bits)?;
                (state.flags, state.wants_flags) = (flags, wants_flags);
                return Some(done.map(|_| ()));
            }
            ("xadd", [Place::Register(register), place]) => {
                let value = state.read(self, *register, bits);
                match self.change(update(name)?, statement.lock, state, *place, value, bits)? {
                    Ok(old) => state.write(self, *register, old, bits),
                    Err(refusal) => return Some(Err(refusal)),
                }
            }
            ("add" | "sub" | "and" | "or" | "xor", [value, place]) => {
                let value = state.load(self, *value, bits)?;
                return Some(self.change(update(name)?, statement.lock, state, *place, value, bits)?.map(|_| ()));
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    /// Fences, pauses, traps, and what asks for the processor or its clock.
    fn without_operands(&mut self, statement: &Statement, state: &mut State) -> bool {
        let fence = |body: &mut Self, ordering| body.emit(Inst::Fence { ordering, compiler_only: false });
        if is_stack_barrier(statement) {
            fence(self, Ordering::SeqCst);
            return true;
        }
        let operand = statement.operands.first().map(String::as_str);
        match (statement.mnemonic.as_str(), operand) {
            ("pause" | "nop" | "cld", None) => self.emit(Inst::Nop),
            ("ud2" | "int3", None) | ("int", Some("$$3" | "$$0x3")) => self.emit(Inst::Trap),
            ("mfence", None) => fence(self, Ordering::SeqCst),
            ("lfence", None) => fence(self, Ordering::Acquire),
            ("sfence", None) => fence(self, Ordering::Release),
            ("cpuid", None) => {
                let nothing = self.model_call("__verify_no_features");
                [AX, BX, CX, DX].into_iter().for_each(|register| state.write(self, register, nothing, 32));
            }
            ("xgetbv", None) => {
                let nothing = self.model_call("__verify_no_features");
                [AX, DX].into_iter().for_each(|register| state.write(self, register, nothing, 32));
            }
            ("rdtsc" | "rdtscp", None) => {
                let cycles = self.model_call("__verify_cycles");
                let (low, high) = (self.bits_of(cycles, 64, 0, 32), self.bits_of(cycles, 64, 32, 32));
                state.write(self, AX, low, 32);
                state.write(self, DX, high, 32);
                if statement.mnemonic == "rdtscp" {
                    let processor = self.number(0);
                    state.write(self, CX, processor, 32);
                }
            }
            _ => return false,
        }
        true
    }

    /// The bits that a word of the text says, or that its register has.
    fn bits_of_word(&self, word: &Word, state: &State) -> Option<u32> {
        match word {
            Word::Register(_, Some(bits)) => Some(*bits),
            Word::Register(register, None) => state.bits(*register),
            _ => None,
        }
    }

    fn set_flag(&mut self, word: &Word, flag: Operand, state: &mut State) -> Res<()> {
        match *word {
            Word::Register(register, _) => state.write(self, register, flag, 8),
            Word::Memory(pointer) => {
                let address = self.address(pointer)?;
                self.store_scalar(Scalar::Int(8), Leaf::At(flag), address);
            }
            _ => return Err(crate::lower::Refusal("a flag that goes to an address in a register".into())),
        }
        Ok(())
    }

    /// xchg: only this one locks by itself, and its operands may come in either order.
    fn exchange(&mut self, state: &mut State, one: Place, other: Place, bits: u32) -> Option<()> {
        let (address, register) = match (one, other) {
            (Place::Register(one), Place::Register(other)) => {
                let (a, b) = (state.read(self, one, bits), state.read(self, other, bits));
                state.write(self, one, b, bits);
                state.write(self, other, a, bits);
                return Some(());
            }
            (Place::Register(register), Place::Memory(address))
            | (Place::Memory(address), Place::Register(register)) => (address, register),
            _ => return None,
        };
        let value = state.read(self, register, bits);
        let old = self.seq_cst_rmw(RmwOp::Xchg, bits, address, value, false);
        state.write(self, register, old, bits);
        Some(())
    }

    /// cmpxchg: the expected value is in the accumulator, which gets what was there.
    fn compare_and_exchange(
        &mut self,
        lock: bool,
        state: &mut State,
        new: Place,
        place: Place,
        bits: u32,
    ) -> Option<Res<()>> {
        let (new, expected) = (state.load(self, new, bits)?, state.read(self, AX, bits));
        let (old, success) = match place {
            Place::Memory(address) if lock => self.seq_cst_exchange(bits, address, expected, new),
            _ if lock => return None,
            _ => {
                let old = state.load(self, place, bits)?;
                let success = self.fresh_compare(IntPredicate::Eq, bits, old, expected);
                let dst = self.unit(1);
                self.emit(Inst::Select { dst, c: success, a: new, b: old });
                state.store(self, place, Operand::slot(dst), bits)?;
                (old, success)
            }
        };
        state.write(self, AX, old, bits);
        state.flags = Flags { zero: Some(success), ..Flags::default() };
        Some(Ok(()))
    }

    /// lock cmpxchg8b, cmpxchg16b: two registers side by side are expected, and two others are new.
    fn exchange_two(&mut self, state: &mut State, address: Operand, half: u32) {
        let [low, high, new_low, new_high] = [AX, DX, BX, CX].map(|register| state.read(self, register, half));
        let (old, success) = if half == 64 {
            let (expected, new) = (self.pair(low, high), self.pair(new_low, new_high));
            self.seq_cst_exchange(128, address, expected, new)
        } else {
            let (expected, new) = (self.or_shifted(low, high, 32), self.or_shifted(new_low, new_high, 32));
            self.seq_cst_exchange(64, address, expected, new)
        };
        let (low, high) = match half {
            64 => (old, old.offset(1)),
            _ => (self.bits_of(old, 64, 0, 32), self.bits_of(old, 64, 32, 32)),
        };
        state.write(self, AX, low, half);
        state.write(self, DX, high, half);
        state.flags = Flags { zero: Some(success), ..Flags::default() };
    }

    /// bts, btr, btc: the carry is the bit that was there.
    fn change_bit(
        &mut self,
        name: &str,
        lock: bool,
        state: &mut State,
        index: Place,
        place: Place,
        bits: u32,
    ) -> Option<Res<()>> {
        let (index, is_number) = match index {
            Place::Number(number) => (self.number(number.cast_unsigned() % u64::from(bits)), true),
            other => (state.load(self, other, bits)?, false),
        };
        let combined = |body: &mut Self, opcode: LLVMOpcode, bits: u32, a: Operand, b: Operand| {
            let dst = body.unit(1);
            body.arithmetic(opcode, bits, 0, dst, a, b).map(|()| Operand::slot(dst))
        };
        let mut lowered = || -> Res<(Place, Operand, Operand)> {
            let (most, one) = (self.number(u64::from(bits) - 1), self.number(1));
            let within = combined(self, LLVMOpcode::LLVMAnd, bits, index, most)?;
            let bit = combined(self, LLVMOpcode::LLVMShl, bits, one, within)?;
            // An index in a register may lead to words before or behind.
            let place = match place {
                Place::Memory(address) if !is_number => {
                    let pointer = self.context.types.pointer_bits;
                    let by = self.number(u64::from(bits.trailing_zeros()));
                    let words = combined(self, LLVMOpcode::LLVMAShr, bits, index, by)?;
                    let wide = if bits < pointer {
                        let dst = self.unit(1);
                        self.emit(Inst::Sext { from: bits as u8, to: pointer as u8, dst, a: words });
                        Operand::slot(dst)
                    } else {
                        words
                    };
                    let dst = self.unit(1);
                    self.emit(Inst::Address { dst, base: address, index: wide, scale: bits / 8, offset: 0 });
                    Place::Memory(Operand::slot(dst))
                }
                other => other,
            };
            Ok((place, within, bit))
        };
        let (place, within, bit) = match lowered() {
            Ok(lowered) => lowered,
            Err(refusal) => return Some(Err(refusal)),
        };
        let operand = if name == "btr" {
            let ones = self.all_ones(bits);
            let dst = self.unit(1);
            self.emit(Inst::Xor(Bin { width: bits as u8, flags: 0, dst, a: bit, b: ones }));
            Operand::slot(dst)
        } else {
            bit
        };
        let wants_flags = std::mem::replace(&mut state.wants_flags, false);
        let old = self.change(update(name)?, lock, state, place, operand, bits)?;
        state.wants_flags = wants_flags;
        Some(old.map(|old| {
            let moved = self.unit(1);
            self.emit(Inst::LShr(Bin { width: bits as u8, flags: 0, dst: moved, a: old, b: within }));
            let carry = self.bits_of(Operand::slot(moved), bits, 0, 1);
            state.flags = Flags { carry: Some(carry), ..Flags::default() };
        }))
    }

    fn compare_values(&mut self, name: &str, state: &mut State, a: Operand, b: Operand, bits: u32) -> Res<()> {
        let (dst, is_compare) = (self.unit(1), name == "cmp");
        let opcode = if is_compare { LLVMOpcode::LLVMSub } else { LLVMOpcode::LLVMAnd };
        self.arithmetic(opcode, bits, 0, dst, a, b)?;
        let carry = match is_compare {
            true => self.fresh_compare(IntPredicate::Ult, bits, a, b),
            false => self.number(0),
        };
        state.note_result(self, Operand::slot(dst), bits, Some(carry));
        Ok(())
    }

    /// Reads a place, computes with it, and writes it: in one go if it is locked. What was there.
    fn change(
        &mut self,
        update: Update,
        lock: bool,
        state: &mut State,
        place: Place,
        value: Operand,
        bits: u32,
    ) -> Option<Res<Operand>> {
        let compute = |body: &mut Self, old| {
            let dst = body.unit(1);
            body.arithmetic(update.opcode, bits, 0, dst, old, value).map(|()| Operand::slot(dst))
        };
        let (old, result) = match place {
            Place::Memory(address) if lock => {
                let unused = !update.returns_old && !state.wants_flags;
                let old = self.seq_cst_rmw(update.rmw, bits, address, value, unused);
                (old, if state.wants_flags { Some(compute(self, old)) } else { None })
            }
            _ if lock => return None,
            _ => {
                let old = state.load(self, place, bits)?;
                let result = compute(self, old);
                if let Ok(result) = result {
                    state.store(self, place, result, bits)?;
                }
                (old, Some(result))
            }
        };
        let result = match result {
            None => return Some(Ok(old)),
            Some(Err(refusal)) => return Some(Err(refusal)),
            Some(Ok(result)) => result,
        };
        if state.wants_flags {
            let carry = match update.opcode {
                LLVMOpcode::LLVMAdd => self.fresh_compare(IntPredicate::Ult, bits, result, old),
                LLVMOpcode::LLVMSub => self.fresh_compare(IntPredicate::Ult, bits, old, value),
                _ => self.number(0),
            };
            state.note_result(self, result, bits, Some(carry));
        }
        Some(Ok(old))
    }
}

/// A mnemonic and the width that its last letter says.
fn split_mnemonic(mnemonic: &str) -> Option<(&'static str, Option<u32>)> {
    // (Longer names come first.)
    let names = [
        "cmpxchg16b",
        "cmpxchg8b",
        "cmpxchg",
        "xchg",
        "xadd",
        "movabs",
        "mov",
        "add",
        "sub",
        "inc",
        "dec",
        "and",
        "or",
        "xor",
        "not",
        "bts",
        "btr",
        "btc",
        "cmp",
        "test",
        "sbb",
    ];
    for name in names {
        match mnemonic.strip_prefix(name) {
            Some("") if name == "cmpxchg16b" || name == "cmpxchg8b" => return Some((name, Some(64))),
            Some("") => return Some((name, None)),
            Some("b") => return Some((name, Some(8))),
            Some("w") => return Some((name, Some(16))),
            Some("l") => return Some((name, Some(32))),
            Some("q") => return Some((name, Some(64))),
            _ => {}
        }
    }
    None
}

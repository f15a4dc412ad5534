//! What instructions have besides operands.
use super::*;

/// What an instruction declares never to happen, as far as its result is undefined if it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::lower) struct Declared {
    /// Signed overflow, of a shift or truncation. (The machine checks that of the others.)
    pub(in crate::lower) nsw: bool,
    /// Unsigned overflow.
    pub(in crate::lower) nuw: bool,
    /// A remainder, or bits that are shifted out.
    pub(in crate::lower) exact: bool,
    /// A bit that is set in both operands.
    pub(in crate::lower) disjoint: bool,
    /// A negative operand.
    pub(in crate::lower) nneg: bool,
    /// A NaN.
    pub(in crate::lower) nnan: bool,
    /// Something infinite.
    pub(in crate::lower) ninf: bool,
}

impl Declared {
    /// Whether it declares anything.
    pub(in crate::lower) fn any(self) -> bool {
        self != Declared::default()
    }
}

impl Value {
    /// What an instruction that only computes declares.
    pub(in crate::lower) fn declared(self) -> Declared {
        use LLVMOpcode::*;
        let none = Declared::default();
        match self.opcode() {
            LLVMAdd | LLVMSub | LLVMMul => Declared { nuw: self.has_nuw(), ..none },
            LLVMShl | LLVMTrunc => Declared { nuw: self.has_nuw(), nsw: self.has_nsw(), ..none },
            LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr => Declared { exact: self.is_exact(), ..none },
            LLVMOr => Declared { disjoint: get!(LLVMGetIsDisjoint(self.0)) != 0, ..none },
            LLVMZExt | LLVMUIToFP => Declared { nneg: get!(LLVMGetNNeg(self.0)) != 0, ..none },
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg | LLVMFCmp => {
                let flags = get!(LLVMGetFastMathFlags(self.0));
                let has = |flag| flags & flag != 0;
                Declared { nnan: has(llvm_sys::LLVMFastMathNoNaNs), ninf: has(llvm_sys::LLVMFastMathNoInfs), ..none }
            }
            _ => none,
        }
    }

    /// Opcode of an instruction or constant expression.
    pub(in crate::lower) fn opcode(self) -> LLVMOpcode {
        match self.kind() {
            Kind::Expression => get!(LLVMGetConstOpcode(self.0)),
            kind => {
                assert_eq!(kind, Kind::Instruction);
                get!(LLVMGetInstructionOpcode(self.0))
            }
        }
    }

    fn expect(self, opcodes: &[LLVMOpcode]) -> LLVMValueRef {
        assert!(opcodes.contains(&self.opcode()), "unexpected {}", self.text());
        self.0
    }

    /// The block of an instruction.
    pub(in crate::lower) fn parent(self) -> Block {
        assert_eq!(self.kind(), Kind::Instruction);
        Block(get!(LLVMGetInstructionParent(self.0)))
    }

    pub(in crate::lower) fn has_nsw(self) -> bool {
        get!(LLVMGetNSW(self.0)) != 0
    }

    pub(in crate::lower) fn has_nuw(self) -> bool {
        get!(LLVMGetNUW(self.0)) != 0
    }

    pub(in crate::lower) fn is_exact(self) -> bool {
        get!(LLVMGetExact(self.0)) != 0
    }

    pub(in crate::lower) fn int_predicate(self) -> LLVMIntPredicate {
        get!(LLVMGetICmpPredicate(self.expect(&[LLVMOpcode::LLVMICmp])))
    }

    pub(in crate::lower) fn float_predicate(self) -> LLVMRealPredicate {
        get!(LLVMGetFCmpPredicate(self.expect(&[LLVMOpcode::LLVMFCmp])))
    }

    pub(in crate::lower) fn gep_source(self) -> Type {
        Type::new(get!(LLVMGetGEPSourceElementType(self.expect(&[LLVMOpcode::LLVMGetElementPtr]))))
    }

    /// Of extractvalue and insertvalue.
    pub(in crate::lower) fn indices(self) -> Vec<u32> {
        let v = self.expect(&[LLVMOpcode::LLVMExtractValue, LLVMOpcode::LLVMInsertValue]);
        // SAFETY: LLVM keeps that many indices in the instruction.
        unsafe { std::slice::from_raw_parts(LLVMGetIndices(v), LLVMGetNumIndices(v) as usize).to_vec() }
    }

    /// Of shufflevector; `None` is an undefined element.
    pub(in crate::lower) fn shuffle_mask(self) -> Vec<Option<u32>> {
        assert_eq!(self.kind(), Kind::Instruction);
        let v = self.expect(&[LLVMOpcode::LLVMShuffleVector]);
        (0..get!(LLVMGetNumMaskElements(v))).map(|i| u32::try_from(get!(LLVMGetMaskValue(v, i))).ok()).collect()
    }

    pub(in crate::lower) fn alignment(self) -> u64 {
        u64::from(get!(LLVMGetAlignment(self.0)))
    }

    pub(in crate::lower) fn allocated_type(self) -> Type {
        Type::new(get!(LLVMGetAllocatedType(self.expect(&[LLVMOpcode::LLVMAlloca]))))
    }

    // --- atomics ---

    pub(in crate::lower) fn ordering(self) -> LLVMAtomicOrdering {
        get!(LLVMGetOrdering(self.expect(&[
            LLVMOpcode::LLVMLoad,
            LLVMOpcode::LLVMStore,
            LLVMOpcode::LLVMFence,
            LLVMOpcode::LLVMAtomicRMW
        ])))
    }

    /// Of a load or store.
    pub(in crate::lower) fn is_volatile(self) -> bool {
        get!(LLVMGetVolatile(self.expect(&[LLVMOpcode::LLVMLoad, LLVMOpcode::LLVMStore]))) != 0
    }

    /// syncscope("singlethread").
    pub(in crate::lower) fn is_single_thread(self) -> bool {
        get!(LLVMIsAtomicSingleThread(self.0)) != 0
    }

    pub(in crate::lower) fn rmw_op(self) -> LLVMAtomicRMWBinOp {
        get!(LLVMGetAtomicRMWBinOp(self.expect(&[LLVMOpcode::LLVMAtomicRMW])))
    }

    pub(in crate::lower) fn cmpxchg_orderings(self) -> (LLVMAtomicOrdering, LLVMAtomicOrdering) {
        let v = self.expect(&[LLVMOpcode::LLVMAtomicCmpXchg]);
        (get!(LLVMGetCmpXchgSuccessOrdering(v)), get!(LLVMGetCmpXchgFailureOrdering(v)))
    }

    // --- control ---

    pub(in crate::lower) fn successor(self, index: u32) -> Block {
        assert!(index < get!(LLVMGetNumSuccessors(self.0)));
        Block(get!(LLVMGetSuccessor(self.0, index)))
    }

    pub(in crate::lower) fn is_conditional(self) -> bool {
        get!(LLVMIsConditional(self.expect(&[LLVMOpcode::LLVMBr]))) != 0
    }

    /// (value, target) of each case of a switch.
    pub(in crate::lower) fn cases(self) -> Vec<(Value, Block)> {
        let v = self.expect(&[LLVMOpcode::LLVMSwitch]);
        (1..get!(LLVMGetNumSuccessors(v))).map(|i| (self.operand(2 * i), self.successor(i))).collect()
    }

    pub(in crate::lower) fn is_phi(self) -> bool {
        self.opcode() == LLVMOpcode::LLVMPHI
    }

    /// What a phi takes when control comes from `block`.
    pub(in crate::lower) fn incoming(self, block: Block) -> Option<Value> {
        let v = self.expect(&[LLVMOpcode::LLVMPHI]);
        (0..get!(LLVMCountIncoming(v)))
            .find(|i| get!(LLVMGetIncomingBlock(v, *i)) == block.0)
            .map(|i| Value(get!(LLVMGetIncomingValue(v, i))))
    }

    // --- calls (call, invoke, callbr) ---

    pub(in crate::lower) fn callee(self) -> Value {
        Value(get!(LLVMGetCalledValue(self.expect_call())))
    }

    fn expect_call(self) -> LLVMValueRef {
        self.expect(&[LLVMOpcode::LLVMCall, LLVMOpcode::LLVMInvoke, LLVMOpcode::LLVMCallBr])
    }

    pub(in crate::lower) fn call_type(self) -> Type {
        Type::new(get!(LLVMGetCalledFunctionType(self.expect_call())))
    }

    /// A tail call that hands on the variadic arguments of its function without naming them.
    pub(in crate::lower) fn is_forwarding(self) -> bool {
        self.opcode() == LLVMOpcode::LLVMCall
            && self.call_type().is_variadic()
            && get!(LLVMGetTailCallKind(self.0)) == llvm_sys::LLVMTailCallKind::LLVMTailCallKindMustTail
    }

    pub(in crate::lower) fn arguments(self) -> Vec<Value> {
        let n = get!(LLVMGetNumArgOperands(self.expect_call()));
        (0..n).map(|i| Value(get!(LLVMGetOperand(self.0, i)))).collect()
    }

    /// Type of the `byval` attribute and alignment of argument `index`.
    pub(in crate::lower) fn byval(self, index: u32) -> Option<(Type, u64)> {
        let call = self.expect_call();
        // Index 0 is the result.
        let byval = get!(LLVMGetCallSiteEnumAttribute(call, index + 1, attribute_kind("byval")));
        if byval.is_null() {
            return None;
        }
        let align = get!(LLVMGetCallSiteEnumAttribute(call, index + 1, attribute_kind("align")));
        let align = if align.is_null() { 0 } else { get!(LLVMGetEnumAttributeValue(align)) };
        Some((Type::new(get!(LLVMGetTypeAttributeValue(byval))), align))
    }

    /// Name of the intrinsic that this function is, without the types at its end.
    pub(in crate::lower) fn intrinsic(self) -> Option<String> {
        if self.kind() != Kind::Function {
            return None;
        }
        let id = get!(LLVMGetIntrinsicID(self.0));
        if id == 0 {
            return None;
        }
        let mut length = 0;
        let text = get!(LLVMIntrinsicGetName(id, &mut length));
        Some(string(text, length))
    }

    /// Text, constraints and whether the dialect is AT&T's, of inline assembly.
    pub(in crate::lower) fn inline_asm(self) -> (String, String, bool) {
        assert_eq!(self.kind(), Kind::InlineAsm);
        let mut length = 0;
        let text = get!(LLVMGetInlineAsmAsmString(self.0, &mut length));
        let text = string(text, length);
        let constraints = get!(LLVMGetInlineAsmConstraintString(self.0, &mut length));
        let att =
            matches!(get!(LLVMGetInlineAsmDialect(self.0)), llvm_sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectATT);
        (text, string(constraints, length), att)
    }
}

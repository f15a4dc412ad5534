//! Types and their layout in memory.
use super::*;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::lower) struct Type(LLVMTypeRef);

/// The target's sizes and alignments.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Layout(LLVMTargetDataRef);

impl Type {
    pub(super) fn new(ty: LLVMTypeRef) -> Self {
        Type(ty)
    }

    pub(in crate::lower) fn kind(self) -> TypeKind {
        get!(LLVMGetTypeKind(self.0))
    }

    pub(in crate::lower) fn text(self) -> String {
        let text = get!(LLVMPrintTypeToString(self.0));
        // SAFETY: LLVM made a C string for us; it is freed once.
        unsafe {
            let owned = std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            owned
        }
    }

    /// Of an integer type.
    pub(in crate::lower) fn int_bits(self) -> u32 {
        assert_eq!(self.kind(), TypeKind::LLVMIntegerTypeKind);
        get!(LLVMGetIntTypeWidth(self.0))
    }

    /// Address space of a pointer type.
    pub(in crate::lower) fn address_space(self) -> u32 {
        assert_eq!(self.kind(), TypeKind::LLVMPointerTypeKind);
        get!(LLVMGetPointerAddressSpace(self.0))
    }

    /// Of an array or vector.
    pub(in crate::lower) fn element(self) -> Type {
        assert!(matches!(self.kind(), TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind));
        Type(get!(LLVMGetElementType(self.0)))
    }

    /// Number of elements of an array, vector or struct.
    pub(in crate::lower) fn len(self) -> u64 {
        match self.kind() {
            TypeKind::LLVMArrayTypeKind => get!(LLVMGetArrayLength2(self.0)),
            TypeKind::LLVMVectorTypeKind => u64::from(get!(LLVMGetVectorSize(self.0))),
            TypeKind::LLVMStructTypeKind => u64::from(get!(LLVMCountStructElementTypes(self.0))),
            kind => panic!("{kind:?} has no elements"),
        }
    }

    pub(in crate::lower) fn field(self, index: u32) -> Type {
        assert!(self.kind() == TypeKind::LLVMStructTypeKind && u64::from(index) < self.len());
        Type(get!(LLVMStructGetTypeAtIndex(self.0, index)))
    }

    pub(in crate::lower) fn is_vector(self) -> bool {
        self.kind() == TypeKind::LLVMVectorTypeKind
    }

    pub(in crate::lower) fn is_pointer(self) -> bool {
        self.kind() == TypeKind::LLVMPointerTypeKind
    }

    pub(in crate::lower) fn is_void(self) -> bool {
        self.kind() == TypeKind::LLVMVoidTypeKind
    }

    /// Whether sizes may be asked for: not of opaque types, and not of vectors whose length only the processor knows.
    pub(in crate::lower) fn is_sized(self) -> bool {
        get!(LLVMTypeIsSized(self.0)) != 0 && !self.is_scalable()
    }

    fn is_scalable(self) -> bool {
        match self.kind() {
            TypeKind::LLVMScalableVectorTypeKind | TypeKind::LLVMTargetExtTypeKind => true,
            TypeKind::LLVMArrayTypeKind => self.element().is_scalable(),
            TypeKind::LLVMStructTypeKind => (0..self.len() as u32).any(|i| self.field(i).is_scalable()),
            _ => false,
        }
    }

    pub(in crate::lower) fn is_variadic(self) -> bool {
        assert_eq!(self.kind(), TypeKind::LLVMFunctionTypeKind);
        get!(LLVMIsFunctionVarArg(self.0)) != 0
    }

    pub(in crate::lower) fn return_type(self) -> Type {
        assert_eq!(self.kind(), TypeKind::LLVMFunctionTypeKind);
        Type(get!(LLVMGetReturnType(self.0)))
    }

    pub(in crate::lower) fn param_count(self) -> u32 {
        assert_eq!(self.kind(), TypeKind::LLVMFunctionTypeKind);
        get!(LLVMCountParamTypes(self.0))
    }
}

impl Layout {
    pub(super) fn new(layout: LLVMTargetDataRef) -> Self {
        Layout(layout)
    }

    pub(in crate::lower) fn pointer_bytes(self) -> u32 {
        get!(LLVMPointerSize(self.0))
    }

    pub(in crate::lower) fn is_little_endian(self) -> bool {
        matches!(get!(LLVMByteOrder(self.0)), LLVMByteOrdering::LLVMLittleEndian)
    }

    /// Bits of the value itself.
    pub(in crate::lower) fn bits(self, ty: Type) -> u64 {
        get!(LLVMSizeOfTypeInBits(self.0, ty.0))
    }

    /// Distance of array elements.
    pub(in crate::lower) fn size(self, ty: Type) -> u64 {
        get!(LLVMABISizeOfType(self.0, ty.0))
    }

    pub(in crate::lower) fn align(self, ty: Type) -> u64 {
        u64::from(get!(LLVMABIAlignmentOfType(self.0, ty.0)))
    }

    pub(in crate::lower) fn field_offset(self, ty: Type, index: u32) -> u64 {
        assert!(ty.kind() == TypeKind::LLVMStructTypeKind && u64::from(index) < ty.len());
        get!(LLVMOffsetOfElement(self.0, ty.0, index))
    }
}

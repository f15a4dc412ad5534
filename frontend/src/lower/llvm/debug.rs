//! Debug information.
//!
//! LLVM's verifier does not look at all of it, and the functions of the C API take what they are given for what they
//! expect. So the kind of every node is looked at first: debug information that is broken is none.
use super::*;
use llvm_sys::debuginfo::*;
use std::path::PathBuf;
use std::sync::OnceLock;

/// A node of metadata.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::lower) struct Meta(LLVMMetadataRef);

fn meta(m: LLVMMetadataRef) -> Option<Meta> {
    (!m.is_null()).then_some(Meta(m))
}

impl Value {
    /// The DILocation of an instruction.
    pub(in crate::lower) fn debug_location(self) -> Option<Meta> {
        assert_eq!(self.kind(), Kind::Instruction);
        meta(get!(LLVMInstructionGetDebugLoc(self.0)))?.if_location()
    }

    /// The DISubprogram of a function.
    pub(in crate::lower) fn subprogram(self) -> Option<Meta> {
        assert_eq!(self.kind(), Kind::Function);
        let node = meta(get!(LLVMGetSubprogram(self.0)))?;
        matches!(node.kind(), LLVMMetadataKind::LLVMDISubprogramMetadataKind).then_some(node)
    }

    /// The DIGlobalVariable of a global.
    pub(in crate::lower) fn global_variable(self) -> Option<Meta> {
        assert_eq!(self.kind(), Kind::Global);
        let mut count = 0;
        let entries = get!(LLVMGlobalCopyAllMetadata(self.0, &mut count));
        let mut found = None;
        for i in 0..count as u32 {
            let node = get!(LLVMValueMetadataEntriesGetMetadata(entries, i));
            if matches!(get!(LLVMGetMetadataKind(node)), LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind) {
                found = meta(get!(LLVMDIGlobalVariableExpressionGetVariable(node)));
                found = found.filter(|node| matches!(node.kind(), LLVMMetadataKind::LLVMDIGlobalVariableMetadataKind));
                break;
            }
        }
        get!(LLVMDisposeValueMetadataEntries(entries));
        found
    }

    /// The value that a metadata operand of a debug intrinsic wraps.
    pub(in crate::lower) fn wrapped_value(self) -> Option<Value> {
        if self.kind() != Kind::Metadata {
            return None;
        }
        let node = get!(LLVMValueAsMetadata(self.0));
        let wraps = matches!(
            get!(LLVMGetMetadataKind(node)),
            LLVMMetadataKind::LLVMConstantAsMetadataMetadataKind | LLVMMetadataKind::LLVMLocalAsMetadataMetadataKind
        );
        if !wraps {
            return None;
        }
        let mut inner = std::ptr::null_mut();
        get!(LLVMGetMDNodeOperands(self.0, &mut inner));
        value(inner)
    }

    /// The node that a metadata operand is.
    pub(in crate::lower) fn node(self) -> Option<Meta> {
        (self.kind() == Kind::Metadata).then(|| meta(get!(LLVMValueAsMetadata(self.0)))).flatten()
    }

    /// The context that nodes live in, needed to look into them.
    pub(in crate::lower) fn context(self) -> MetaContext {
        MetaContext(get!(LLVMGetTypeContext(LLVMTypeOf(self.0))))
    }
}

/// LLVM's context, as far as looking into nodes needs it.
#[derive(Clone, Copy)]
pub(in crate::lower) struct MetaContext(LLVMContextRef);

impl Meta {
    fn kind(self) -> LLVMMetadataKind {
        get!(LLVMGetMetadataKind(self.0))
    }

    fn if_location(self) -> Option<Meta> {
        matches!(self.kind(), LLVMMetadataKind::LLVMDILocationMetadataKind).then_some(self)
    }

    fn is_node(self) -> bool {
        !matches!(
            self.kind(),
            LLVMMetadataKind::LLVMMDStringMetadataKind
                | LLVMMetadataKind::LLVMConstantAsMetadataMetadataKind
                | LLVMMetadataKind::LLVMLocalAsMetadataMetadataKind
                | LLVMMetadataKind::LLVMDIArgListMetadataKind
        )
    }

    fn operand(self, context: MetaContext, index: usize) -> Option<Value> {
        self.operands(context).get(index).copied().flatten()
    }

    fn operands(self, context: MetaContext) -> Vec<Option<Value>> {
        if !self.is_node() {
            return Vec::new();
        }
        let node = get!(LLVMMetadataAsValue(context.0, self.0));
        let count = get!(LLVMGetMDNodeNumOperands(node)) as usize;
        let mut operands = vec![std::ptr::null_mut(); count];
        get!(LLVMGetMDNodeOperands(node, operands.as_mut_ptr()));
        operands.into_iter().map(value).collect()
    }

    fn text_operand(self, context: MetaContext, index: usize) -> String {
        let Some(operand) = self.operand(context, index) else {
            return String::new();
        };
        let mut length = 0;
        let text = get!(LLVMGetMDString(operand.0, &mut length));
        string(text, length as usize)
    }

    /// Line, column, scope and inlining location of a DILocation.
    pub(in crate::lower) fn location(self) -> (u32, u32, Option<Meta>, Option<Meta>) {
        (
            get!(LLVMDILocationGetLine(self.0)),
            get!(LLVMDILocationGetColumn(self.0)),
            meta(get!(LLVMDILocationGetScope(self.0))),
            meta(get!(LLVMDILocationGetInlinedAt(self.0))).and_then(Meta::if_location),
        )
    }

    /// File name of a scope.
    pub(in crate::lower) fn scope_file(self, context: MetaContext) -> Option<String> {
        let has_file = matches!(
            self.kind(),
            LLVMMetadataKind::LLVMDIFileMetadataKind
                | LLVMMetadataKind::LLVMDICompileUnitMetadataKind
                | LLVMMetadataKind::LLVMDISubprogramMetadataKind
                | LLVMMetadataKind::LLVMDILexicalBlockMetadataKind
                | LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind
        );
        if has_file { meta(get!(LLVMDIScopeGetFile(self.0)))?.file_name(context) } else { None }
    }

    /// Name of the function that a local scope belongs to.
    pub(in crate::lower) fn function_name(self, context: MetaContext) -> String {
        let mut scope = self;
        // (Nothing is so deep; but a scope may claim to be its own parent.)
        for _ in 0..MAX_SCOPES {
            match scope.kind() {
                LLVMMetadataKind::LLVMDISubprogramMetadataKind => {
                    return scope.text_operand(context, 2);
                }
                LLVMMetadataKind::LLVMDILexicalBlockMetadataKind
                | LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind => {
                    match scope.operand(context, 1).and_then(Value::node) {
                        Some(parent) => scope = parent,
                        None => return String::new(),
                    }
                }
                _ => return String::new(),
            }
        }
        String::new()
    }

    /// Line of a DISubprogram.
    pub(in crate::lower) fn subprogram_line(self) -> u32 {
        get!(LLVMDISubprogramGetLine(self.0))
    }

    /// Name of a local variable.
    pub(in crate::lower) fn variable_name(self, context: MetaContext) -> String {
        self.text_operand(context, 1)
    }

    /// File and line of a variable.
    pub(in crate::lower) fn variable_place(self, context: MetaContext) -> (Option<String>, u32) {
        let file = meta(get!(LLVMDIVariableGetFile(self.0))).and_then(|file| file.file_name(context));
        (file, get!(LLVMDIVariableGetLine(self.0)))
    }

    pub(in crate::lower) fn is_local_variable(self) -> bool {
        matches!(self.kind(), LLVMMetadataKind::LLVMDILocalVariableMetadataKind)
    }

    /// The scope of a local variable.
    pub(in crate::lower) fn variable_scope(self) -> Option<Meta> {
        meta(get!(LLVMDIVariableGetScope(self.0)))
    }

    /// The name of a DIFile as it was given to the compiler, or with its directory: of a file with an absolute name the
    /// compiler may note what it has in common with where it runs, and the rest.
    fn file_name(self, context: MetaContext) -> Option<String> {
        if !matches!(self.kind(), LLVMMetadataKind::LLVMDIFileMetadataKind) {
            return None;
        }
        let (name, directory) = (self.text_operand(context, 0), PathBuf::from(self.text_operand(context, 1)));
        static HERE: OnceLock<PathBuf> = OnceLock::new();
        let here = HERE.get_or_init(|| std::env::current_dir().unwrap_or_default());
        match directory.is_absolute() && *here != directory && here.starts_with(&directory) {
            true => Some(directory.join(name).display().to_string()),
            false => Some(name),
        }
    }
}

/// How far we look for the function that a scope belongs to.
const MAX_SCOPES: usize = 10_000;

/// A type of the source, as far as names need it.
pub(in crate::lower) enum DebugType {
    /// A typedef or qualifier of another type; none of `void`.
    Alias(Option<Meta>),
    /// A pointer or reference.
    Pointer(Option<Meta>),
    /// A structure or class: its bases and members.
    Record(Vec<Meta>),
    /// An array: its elements, and how many there are in each dimension but the first.
    Array(Meta, Vec<u64>),
    /// Anything else.
    Other,
}

/// What follows are numbers of DWARF.
mod tag {
    pub(super) const ARRAY: u16 = 0x01;
    pub(super) const CLASS: u16 = 0x02;
    pub(super) const MEMBER: u16 = 0x0d;
    pub(super) const POINTER: u16 = 0x0f;
    pub(super) const REFERENCE: u16 = 0x10;
    pub(super) const STRUCTURE: u16 = 0x13;
    pub(super) const TYPEDEF: u16 = 0x16;
    pub(super) const INHERITANCE: u16 = 0x1c;
    pub(super) const CONST: u16 = 0x26;
    pub(super) const VOLATILE: u16 = 0x35;
    pub(super) const RESTRICT: u16 = 0x37;
    pub(super) const RVALUE_REFERENCE: u16 = 0x42;
    pub(super) const ATOMIC: u16 = 0x47;
}

impl Meta {
    /// The type of a local or global variable.
    pub(in crate::lower) fn variable_type(self, context: MetaContext) -> Option<Meta> {
        self.operand(context, 3).and_then(Value::node).filter(|node| node.is_type())
    }

    /// Name of a member.
    pub(in crate::lower) fn member_name(self, context: MetaContext) -> String {
        self.text_operand(context, 2)
    }

    /// Bytes of a type; 0 if it has none, or they are not known.
    pub(in crate::lower) fn type_size(self) -> u64 {
        if self.is_type() { get!(LLVMDITypeGetSizeInBits(self.0)) / 8 } else { 0 }
    }

    /// Where a member or base class lies in its record, and its type. None if that differs from object to object, or is
    /// not a number of bytes.
    pub(in crate::lower) fn member(self, context: MetaContext) -> Option<(u64, Meta)> {
        let flags = if self.is_type() { get!(LLVMDITypeGetFlags(self.0)) } else { return None };
        let unfit = match self.tag() {
            tag::MEMBER => LLVMDIFlagStaticMember | LLVMDIFlagBitField,
            tag::INHERITANCE => LLVMDIFlagVirtual,
            _ => return None,
        };
        if flags & unfit != 0 {
            return None;
        }
        Some((get!(LLVMDITypeGetOffsetInBits(self.0)) / 8, self.base_type(context)?))
    }

    /// What a type consists of.
    pub(in crate::lower) fn debug_type(self, context: MetaContext) -> DebugType {
        let is_composite = matches!(self.kind(), LLVMMetadataKind::LLVMDICompositeTypeMetadataKind);
        match if self.is_type() { self.tag() } else { 0 } {
            tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => {
                DebugType::Alias(self.base_type(context))
            }
            tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE => DebugType::Pointer(self.base_type(context)),
            tag::STRUCTURE | tag::CLASS if is_composite && !self.is_of_the_system(context) => {
                DebugType::Record(self.elements(context))
            }
            tag::ARRAY if is_composite && get!(LLVMDITypeGetFlags(self.0)) & LLVMDIFlagVector == 0 => {
                let counts: Option<Vec<u64>> =
                    self.elements(context).iter().skip(1).map(|dimension| dimension.count(context)).collect();
                match (self.base_type(context), counts) {
                    (Some(element), Some(counts)) => DebugType::Array(element, counts),
                    _ => DebugType::Other,
                }
            }
            _ => DebugType::Other,
        }
    }

    fn is_type(self) -> bool {
        matches!(
            self.kind(),
            LLVMMetadataKind::LLVMDIBasicTypeMetadataKind
                | LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind
                | LLVMMetadataKind::LLVMDICompositeTypeMetadataKind
        )
    }

    /// Of a type.
    fn tag(self) -> u16 {
        get!(LLVMGetDINodeTag(self.0))
    }

    fn base_type(self, context: MetaContext) -> Option<Meta> {
        self.operand(context, 3).and_then(Value::node)
    }

    fn elements(self, context: MetaContext) -> Vec<Meta> {
        let Some(list) = self.operand(context, 4).and_then(Value::node).filter(|list| list.is_node()) else {
            return Vec::new();
        };
        list.operands(context).into_iter().flatten().filter_map(Value::node).collect()
    }

    /// How many elements a dimension of an array has.
    fn count(self, context: MetaContext) -> Option<u64> {
        if !matches!(self.kind(), LLVMMetadataKind::LLVMDISubrangeMetadataKind) {
            return None;
        }
        self.operand(context, 0)?.as_i64().and_then(|count| u64::try_from(count).ok())
    }

    /// Whether a composite type is declared in a header that belongs to the system.
    fn is_of_the_system(self, context: MetaContext) -> bool {
        let file = self.operand(context, 0).and_then(Value::node).and_then(|file| file.file_name(context));
        file.is_some_and(|file| file.starts_with("/usr/") || file.contains("/lib/clang/"))
    }
}

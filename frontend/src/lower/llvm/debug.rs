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
        if !self.is_node() {
            return None;
        }
        let node = get!(LLVMMetadataAsValue(context.0, self.0));
        let count = get!(LLVMGetMDNodeNumOperands(node)) as usize;
        let mut operands = vec![std::ptr::null_mut(); count];
        get!(LLVMGetMDNodeOperands(node, operands.as_mut_ptr()));
        operands.get(index).copied().and_then(value)
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

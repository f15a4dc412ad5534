//! Debug information.
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
        meta(get!(LLVMInstructionGetDebugLoc(self.0)))
    }

    /// The DISubprogram of a function.
    pub(in crate::lower) fn subprogram(self) -> Option<Meta> {
        assert_eq!(self.kind(), Kind::Function);
        meta(get!(LLVMGetSubprogram(self.0)))
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
    fn is_node(self) -> bool {
        !matches!(
            get!(LLVMGetMetadataKind(self.0)),
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
            meta(get!(LLVMDILocationGetInlinedAt(self.0))),
        )
    }

    /// File name of a scope.
    pub(in crate::lower) fn scope_file(self) -> Option<String> {
        file_name(get!(LLVMDIScopeGetFile(self.0)))
    }

    /// Name of the function that a local scope belongs to.
    pub(in crate::lower) fn function_name(self, context: MetaContext) -> String {
        let mut scope = self;
        loop {
            match get!(LLVMGetMetadataKind(scope.0)) {
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
    pub(in crate::lower) fn variable_place(self) -> (Option<String>, u32) {
        (file_name(get!(LLVMDIVariableGetFile(self.0))), get!(LLVMDIVariableGetLine(self.0)))
    }

    pub(in crate::lower) fn is_local_variable(self) -> bool {
        matches!(get!(LLVMGetMetadataKind(self.0)), LLVMMetadataKind::LLVMDILocalVariableMetadataKind)
    }

    /// The scope of a local variable.
    pub(in crate::lower) fn variable_scope(self) -> Option<Meta> {
        meta(get!(LLVMDIVariableGetScope(self.0)))
    }
}

/// The name as it was given to the compiler, or with its directory: of a file with an absolute name the compiler may note
/// what it has in common with where it runs, and the rest.
fn file_name(file: LLVMMetadataRef) -> Option<String> {
    if file.is_null() {
        return None;
    }
    let mut length = 0;
    let text = get!(LLVMDIFileGetFilename(file, &mut length));
    let name = string(text, length as usize);
    let text = get!(LLVMDIFileGetDirectory(file, &mut length));
    let directory = PathBuf::from(string(text, length as usize));
    static HERE: OnceLock<PathBuf> = OnceLock::new();
    let here = HERE.get_or_init(|| std::env::current_dir().unwrap_or_default());
    match directory.is_absolute() && *here != directory && here.starts_with(&directory) {
        true => Some(directory.join(name).display().to_string()),
        false => Some(name),
    }
}

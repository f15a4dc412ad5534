//! Variables that the library defines: `stdout`, tables behind the character classes, hidden state of models.
use frontend::ir::{Constant, Global, GlobalId, Initial, LocId, Module};

/// A variable of the library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibraryGlobal {
    /// Linkage name.
    pub name: &'static str,
    /// What it holds.
    pub content: LibraryContent,
    /// Whether the program must not write to it.
    pub constant: bool,
}

/// Initial content of a [`LibraryGlobal`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LibraryContent {
    /// These bytes, 16-aligned.
    Bytes(Vec<u8>),
    /// A word of the size of a pointer.
    Word(u64),
    /// A pointer to another variable of the library, plus an offset in bytes.
    PointerTo(&'static str, i64),
}

/// Defines the variables in `module`: those that it only declares get their content, missing ones are added. A variable
/// that the program defines itself stays as it is.
pub(crate) fn provide(globals: &[LibraryGlobal], module: &mut Module) {
    let pointer_bytes = module.data_model.pointer_bytes();
    let places: Vec<Option<usize>> = globals.iter().map(|g| reserve(g, pointer_bytes, module)).collect();
    // The content comes second, because pointers may lead to variables that come later in the list.
    for (global, place) in globals.iter().zip(places) {
        let Some(index) = place else { continue };
        let initial = match &global.content {
            LibraryContent::Bytes(bytes) => Initial { bytes: bytes.clone(), relocations: Vec::new() },
            LibraryContent::Word(word) => {
                Initial { bytes: word.to_le_bytes()[..pointer_bytes as usize].to_vec(), relocations: Vec::new() }
            }
            LibraryContent::PointerTo(name, offset) => {
                let target = find(module, name).expect("a library pointer leads to a library variable");
                let target = Constant::Global(GlobalId(target as u32), *offset);
                Initial { bytes: vec![0; pointer_bytes as usize], relocations: vec![(0, pointer_bytes as u32, target)] }
            }
        };
        module.globals[index].initial = Some(initial);
    }
}

/// The place of a variable in the module, or `None` if the program has its own.
fn reserve(global: &LibraryGlobal, pointer_bytes: u64, module: &mut Module) -> Option<usize> {
    let index = find(module, global.name).unwrap_or_else(|| {
        module.globals.push(Global {
            name: global.name.to_owned(),
            size: 0,
            align: 16,
            initial: None,
            constant: false,
            thread_local: false,
            weak: false,
            location: LocId(0),
        });
        module.globals.len() - 1
    });
    let slot = &mut module.globals[index];
    if slot.initial.is_some() {
        return None;
    }
    slot.size = match &global.content {
        LibraryContent::Bytes(bytes) => bytes.len() as u64,
        LibraryContent::Word(_) | LibraryContent::PointerTo(..) => pointer_bytes,
    };
    slot.constant = global.constant;
    slot.thread_local = false;
    Some(index)
}

fn find(module: &Module, name: &str) -> Option<usize> {
    module.globals.iter().position(|g| g.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::ir::DataModel;

    fn empty() -> Module {
        Module {
            data_model: DataModel::Ilp32,
            constants: Vec::new(),
            functions: Vec::new(),
            globals: Vec::new(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            files: Vec::new(),
            locations: Vec::new(),
            volatile_is_atomic: false,
            release_sequences: Default::default(),
            names: Default::default(),
        }
    }

    fn variable(name: &str, initial: Option<Initial>) -> Global {
        Global {
            name: name.to_owned(),
            size: 4,
            align: 4,
            initial,
            constant: false,
            thread_local: false,
            weak: false,
            location: LocId(0),
        }
    }

    #[test]
    fn declared_defined_and_missing_variables() {
        let mut module = empty();
        let own = Initial { bytes: vec![9; 4], relocations: Vec::new() };
        module.globals.push(variable("own", Some(own.clone())));
        module.globals.push(variable("declared", None));
        let library = |name, content| LibraryGlobal { name, content, constant: true };
        provide(
            &[
                library("own", LibraryContent::Word(1)),
                library("declared", LibraryContent::Word(0x102)),
                library("pointer", LibraryContent::PointerTo("table", 2)),
                library("table", LibraryContent::Bytes(vec![1, 2, 3])),
            ],
            &mut module,
        );
        assert_eq!(module.globals[0].initial, Some(own));
        assert_eq!(module.globals[1].initial, Some(Initial { bytes: vec![2, 1, 0, 0], relocations: vec![] }));
        let to_table = vec![(0, 4, Constant::Global(GlobalId(3), 2))];
        assert_eq!(module.globals[2].initial, Some(Initial { bytes: vec![0; 4], relocations: to_table }));
        assert_eq!(module.globals[3].size, 3);
        assert!(module.globals[3].constant);
    }
}

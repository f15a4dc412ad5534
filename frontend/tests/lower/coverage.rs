//! Larger programs at every level of optimisation: everything in them has a counterpart in our code.
use crate::{How, lower};
use frontend::ir::DataModel;

const LEVELS: [&[&str]; 5] = [&[], &["-O1"], &["-O2"], &["-Os"], &["-O3", "-march=x86-64-v3"]];

/// What is unsupported in a program, at every level.
fn unsupported(input: &str, model: DataModel) -> Vec<String> {
    let mut found = Vec::new();
    for flags in LEVELS {
        let flags = [flags, &["-DPRINT", "-Wno-everything"]].concat();
        let module = lower(input, &How { model, flags: &flags });
        for function in &module.functions {
            found.extend(function.unsupported.iter().map(|what| format!("{flags:?} {}: {what}", function.name)));
        }
    }
    found
}

macro_rules! covered {
    ($module:ident, $model:expr, $($name:ident),*) => {
        mod $module {
            $(#[test]
            fn $name() {
                let input = concat!("../../../../testsuite/checksums/", stringify!($name), ".c");
                assert_eq!(super::unsupported(input, $model), Vec::<String>::new());
            })*
        }
    };
}

covered!(lp64, super::DataModel::Lp64, integers, bitfields, wide, floats, memory, vectors, atomics);
covered!(ilp32, super::DataModel::Ilp32, integers, floats, memory, vectors);

/// What C cannot write, and what of it we refuse.
#[test]
fn exotic() {
    let module = lower("exotic.ll", &How { model: DataModel::Lp64, flags: &[] });
    let refused: Vec<_> = module.functions.iter().flat_map(|f| &f.unsupported).map(String::as_str).collect();
    insta::assert_debug_snapshot!(refused);
}

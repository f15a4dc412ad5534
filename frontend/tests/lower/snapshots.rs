//! The code of small functions, by family.
use crate::{How, lower};
use frontend::ir::DataModel;

/// The text form of a program compiled without optimisation.
fn text(input: &str, model: DataModel) -> String {
    lower(input, &How { model, flags: &[] }).to_string().replace("tests/lower/inputs/", "")
}

macro_rules! snapshot {
    ($name:ident, $file:literal) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(text($file, DataModel::Lp64));
        }
    };
}

snapshot!(control, "control.c");
snapshot!(memory, "memory.c");
snapshot!(threads, "threads.c");
snapshot!(aggregates, "aggregates.c");
snapshot!(variadic, "variadic.c");
snapshot!(labels, "labels.c");
snapshot!(assembly, "assembly.c");
snapshot!(vectors, "vectors.c");
snapshot!(wide, "wide.c");
snapshot!(floats, "floats.c");
snapshot!(globals, "globals.c");
snapshot!(parallel_phis, "phis.ll");
snapshot!(refused, "refused.ll");

#[test]
fn memory_of_32_bits() {
    insta::assert_snapshot!(text("memory.c", DataModel::Ilp32));
}

#[test]
fn optimised_memory() {
    let how = How { model: DataModel::Lp64, flags: &["-O2", "-g0"] };
    insta::assert_snapshot!(lower("memory.c", &how).to_string());
}

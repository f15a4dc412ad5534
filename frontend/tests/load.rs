//! Loading: every kind of input, options for clang, linking, and every error that a user can cause.
#[path = "support/project.rs"]
mod project;

use frontend::ir::DataModel;
use frontend::{Error, Options};
use project::{Project, defined};

const MAIN: &str = "int main(void) { return 0; }\n";

// --- inputs that are fine ---

#[test]
fn c_and_preprocessed_c() {
    let project = Project::new();
    let c = project.file("a.c", MAIN);
    let i = project.file("a.i", "# 1 \"a.c\"\nint main(void) { return 0; }\n");
    for input in [c, i] {
        let program = project.load(&[&input]).expect("loads");
        assert_eq!(defined(&program), ["main"]);
        assert_eq!(program.module.data_model, DataModel::Lp64);
        assert!(program.warnings.is_empty(), "{:?}", program.warnings);
    }
}

#[test]
fn several_kinds_linked_together() {
    let project = Project::new();
    let files = [
        project.file(
            "main.c",
            "int one(void), two(void), three(void);\nint main(void) { return one() + two() + three(); }\n",
        ),
        project.clang(&["-emit-llvm"], "one.c", "int one(void) { return 1; }\n", "one.bc"),
        project.clang(&["-flto"], "two.c", "int two(void) { return 2; }\n", "two.o"),
        project.clang(&["-emit-llvm", "-S"], "three.c", "int three(void) { return 3; }\n", "three.ll"),
    ];
    let program = project.load(&[&files[0], &files[1], &files[2], &files[3]]).expect("loads");
    assert_eq!(defined(&program), ["main", "one", "three", "two"]);
}

#[test]
fn static_functions_of_one_name_stay_apart() {
    let project = Project::new();
    let a =
        project.file("a.c", "static int f(void) { return 1; }\nint b(void);\nint main(void) { return f() + b(); }\n");
    let b = project.file("b.c", "static int f(void) { return 2; }\nint b(void) { return f(); }\n");
    let program = project.load(&[&a, &b]).expect("loads");
    assert_eq!(defined(&program).len(), 4, "{:?}", defined(&program));
}

#[test]
fn weak_definitions_give_way() {
    let project = Project::new();
    let a = project.file("a.c", "__attribute__((weak)) int f(void) { return 1; }\nint main(void) { return f(); }\n");
    let b = project.file("b.c", "int f(void) { return 2; }\n");
    let program = project.load(&[&a, &b]).expect("loads");
    assert_eq!(defined(&program), ["f", "main"]);
}

#[test]
fn textual_ir_without_a_target() {
    let project = Project::new();
    let ll = project.file("a.ll", "define i32 @main() {\n  ret i32 0\n}\n");
    let program = project.load(&[&ll]).expect("loads");
    assert_eq!(program.module.data_model, DataModel::Lp64);
}

#[test]
fn optnone_does_not_keep_passes_off() {
    let project = Project::new();
    let source = "int main(void) { int x = 1; x = x + 1; return x; }\n";
    let bc = project.clang(&["-emit-llvm", "-O0"], "a.c", source, "a.bc");
    let program = project.load(&[&bc]).expect("loads");
    let main = program.module.function("main").expect("main is there");
    assert!(program.module.functions[main.index()].allocas.is_empty(), "x is still in memory");
}

#[test]
fn defines_includes_and_standard_reach_clang() {
    let project = Project::new();
    project.file("include/limit.h", "#define LIMIT 3\n");
    let source = "#include \"limit.h\"\n_Static_assert(LIMIT == 3 && N == 7, \"\");\n_Static_assert(__STDC_VERSION__ == 201112L, \"\");\n\
                  int main(void) { return 0; }\n";
    let input = project.file("a.c", source);
    let options = Options {
        defines: vec!["N=7".into()],
        includes: vec![project.path("include")],
        standard: Some("c11".into()),
        ..Options::default()
    };
    project.load_with(&[&input], &options).expect("loads");
    let error = project.load_with(&[&input], &Options { defines: vec!["N=8".into()], ..options }).unwrap_err();
    assert!(matches!(error, Error::ClangFailed { .. }), "{error}");
}

#[test]
fn further_flags_reach_clang_and_its_warnings_come_back() {
    let project = Project::new();
    let input = project.file("a.c", "int main(void) { int unused; return 0; }\n");
    let options = Options { cflags: vec!["-Wunused-variable".into()], ..Options::default() };
    let program = project.load_with(&[&input], &options).expect("loads");
    assert_eq!(program.warnings.len(), 1);
    assert!(program.warnings[0].contains("a.c:1:22: warning: unused variable 'unused'"), "{}", program.warnings[0]);
}

#[test]
fn ilp32() {
    let project = Project::new();
    let input = project.file("a.c", "_Static_assert(sizeof(long) == 4, \"\");\nint main(void) { return 0; }\n");
    let options = Options { model: Some(DataModel::Ilp32), ..Options::default() };
    assert_eq!(project.load_with(&[&input], &options).expect("loads").module.data_model, DataModel::Ilp32);
}

#[test]
fn optimisation_is_honoured_and_warned_of() {
    let project = Project::new();
    let source = "#ifndef __OPTIMIZE__\n#error not optimised\n#endif\nint main(void) { return 0; }\n";
    let input = project.file("a.c", source);
    let options = Options { optimise: Some("1".into()), ..Options::default() };
    let program = project.load_with(&[&input], &options).expect("loads");
    assert!(program.warnings.iter().any(|text| text.starts_with("-O1:") && text.contains("spin loop")));
}

#[test]
fn another_entry() {
    let project = Project::new();
    let input = project.file("a.c", "int start(void) { return 0; }\n");
    let options = Options { entry: Some("start".into()), ..Options::default() };
    assert_eq!(defined(&project.load_with(&[&input], &options).expect("loads")), ["start"]);
}

// --- bad inputs: each error is one line that names the file ---

#[track_caller]
fn complains(error: &Error, words: &[&str]) {
    let text = error.to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is missing in: {text}");
    }
}

#[test]
fn no_input() {
    let error = Project::new().load(&[]).unwrap_err();
    assert!(matches!(error, Error::NoInput));
    complains(&error, &["name at least one"]);
}

#[test]
fn files_that_are_not_there_or_not_files() {
    let project = Project::new();
    let error = project.load(&[&project.path("none.c")]).unwrap_err();
    assert!(matches!(error, Error::Missing { .. }));
    complains(&error, &["none.c: no such file"]);

    std::fs::create_dir(project.path("d.c")).expect("makes a directory");
    let error = project.load(&[&project.path("d.c")]).unwrap_err();
    assert!(matches!(error, Error::Directory { .. }));
    complains(&error, &["d.c: is a directory"]);
}

#[test]
fn empty_files_of_every_kind() {
    let project = Project::new();
    for name in ["a.c", "a.i", "a.ll", "a.bc", "a.o"] {
        let error = project.load(&[&project.file(name, "")]).unwrap_err();
        assert!(matches!(error, Error::Empty { .. }), "{error}");
        complains(&error, &[name, "is empty"]);
    }
}

#[test]
fn unknown_kinds() {
    let project = Project::new();
    for name in ["a.txt", "a", "a.rs"] {
        let error = project.load(&[&project.file(name, MAIN)]).unwrap_err();
        assert!(matches!(error, Error::UnknownKind { .. }), "{error}");
        complains(&error, &[name, ".c, .i", ".ll, .bc", "-flto"]);
    }
}

#[test]
fn cxx_by_any_of_its_names() {
    let project = Project::new();
    for name in ["a.cpp", "a.cc", "a.cxx", "a.ii"] {
        let text = "namespace n { int f() { return 0; } }\nint main() { return n::f(); }\n";
        let program = project.load(&[&project.file(name, text)]).unwrap();
        assert_eq!(defined(&program), ["_ZN1n1fEv", "main"]);
    }
}

#[test]
fn text_as_bitcode_and_machine_code() {
    let project = Project::new();
    for name in ["a.bc", "a.o"] {
        let error = project.load(&[&project.file(name, MAIN)]).unwrap_err();
        assert!(matches!(error, Error::NotBitcode { .. }), "{error}");
        complains(&error, &[name, "not LLVM bitcode"]);
    }
    let native = project.clang(&[], "b.c", MAIN, "b.o");
    let error = project.load(&[&native]).unwrap_err();
    assert!(matches!(error, Error::NativeObject { .. }), "{error}");
    complains(&error, &["b.o", "-flto"]);
}

#[test]
fn c_source_as_textual_ir() {
    let project = Project::new();
    let error = project.load(&[&project.file("a.ll", MAIN)]).unwrap_err();
    assert!(matches!(error, Error::Syntax { .. }), "{error}");
    complains(&error, &["a.ll", "line 1, column 1", "expected top-level entity"]);
}

#[test]
fn textual_ir_that_breaks_the_rules() {
    let project = Project::new();
    let text = "define i32 @main() {\n  %x = add i32 %y, 1\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n";
    let error = project.load(&[&project.file("a.ll", text)]).unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error}");
    complains(&error, &["a.ll: invalid module", "Instruction does not dominate all uses"]);
}

/// `data/llvm22.bc` was made by clang 22.1.8 with `-c -emit-llvm -O0 -g` of a few lines of C.
#[test]
fn bitcode_of_a_newer_llvm() {
    let project = Project::new();
    let newer = project.bytes("a.bc", include_bytes!("data/llvm22.bc"));
    let error = project.load(&[&newer]).unwrap_err();
    assert!(matches!(error, Error::NewerLlvm { .. }), "{error}");
    complains(&error, &["a.bc", "LLVM 22.1.8", "LLVM 19.1.", "clang-19"]);
}

#[test]
fn nothing_to_start_with() {
    let project = Project::new();
    let input = project.file("a.c", "int main(void);\nint f(void) { return main(); }\n");
    let error = project.load(&[&input]).unwrap_err();
    assert!(matches!(error, Error::NoEntry { .. }), "{error}");
    complains(&error, &["no input defines `main`"]);
    let options = Options { entry: Some("start".into()), ..Options::default() };
    complains(&project.load_with(&[&input], &options).unwrap_err(), &["no input defines `start`"]);
}

#[test]
fn compilers_that_do_not_fit() {
    let project = Project::new();
    let input = project.file("a.c", MAIN);
    let with = |clang: &str| {
        let options = Options { clang: Some(clang.into()), ..Options::default() };
        project.load_with(&[&input], &options).unwrap_err()
    };
    let error = with("clang-of-nobody");
    assert!(matches!(error, Error::ClangNotFound { .. }), "{error}");
    complains(&error, &["clang-of-nobody", "apt-get install clang-19"]);

    let compiler = |name: &str| format!("{}/tests/data/compilers/{name}", env!("CARGO_MANIFEST_DIR"));
    let error = with(&compiler("clang-22"));
    assert!(matches!(error, Error::ClangUnfit { .. }), "{error}");
    complains(&error, &["clang 22", "clang-19"]);

    let error = with(&compiler("gcc"));
    complains(&error, &["no clang", "clang-19"]);
}

#[test]
fn errors_of_clang_are_passed_on() {
    let project = Project::new();
    let input = project.file("a.c", "int main(void) { return x; }\n");
    let error = project.load(&[&input]).unwrap_err();
    assert!(matches!(error, Error::ClangFailed { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("a.c:1:25: error: use of undeclared identifier 'x'"), "{text}");
    assert!(text.contains("1 error generated."), "{text}");
}

#[test]
fn flags_that_make_clang_write_no_bitcode() {
    let project = Project::new();
    let input = project.file("a.c", MAIN);
    let options = Options { cflags: vec!["-fsyntax-only".into()], ..Options::default() };
    let error = project.load_with(&[&input], &options).unwrap_err();
    assert!(error.to_string().contains("it wrote no bitcode"), "{error}");
}

#[test]
fn data_models_do_not_mix() {
    let project = Project::new();
    let wide = project.clang(&["-emit-llvm", "-m64"], "a.c", MAIN, "a.bc");
    let narrow = project.clang(&["-emit-llvm", "-m32"], "b.c", "int b;\n", "b.bc");
    let error = project.load(&[&wide, &narrow]).unwrap_err();
    assert!(matches!(error, Error::MixedModels { .. }), "{error}");
    complains(&error, &["a.bc has 64-bit pointers", "b.bc has 32-bit pointers", "-m32"]);

    let options = Options { model: Some(DataModel::Ilp32), ..Options::default() };
    let error = project.load_with(&[&wide], &options).unwrap_err();
    assert!(matches!(error, Error::ModelNotAsked { .. }), "{error}");
    complains(&error, &["a.bc", "64-bit pointers", "-m32"]);
}

#[test]
fn other_machines() {
    let project = Project::new();
    let targets = ["aarch64-linux-gnu", "s390x-linux-gnu", "x86_64-pc-windows-msvc", "arm64-apple-macos"];
    for target in targets {
        let flags = ["-emit-llvm", "-S", &format!("--target={target}")];
        let input = project.clang(&flags, "a.c", MAIN, "a.ll");
        let error = project.load(&[&input]).unwrap_err();
        assert!(matches!(error, Error::Target { .. }), "{target}: {error}");
        complains(&error, &["a.ll", "x86 Linux only"]);
    }
    let big = project.file("b.ll", "target datalayout = \"E-m:e-i64:64\"\ndefine i32 @main() {\n  ret i32 0\n}\n");
    complains(&project.load(&[&big]).unwrap_err(), &["b.ll", "big endian"]);
    let x32 = project.clang(&["-emit-llvm", "-S", "-mx32"], "c.c", MAIN, "c.ll");
    complains(&project.load(&[&x32]).unwrap_err(), &["c.ll", "32-bit pointers"]);
}

#[test]
fn symbols_defined_twice_are_named_with_both_files() {
    let project = Project::new();
    let main = project.file("main.c", MAIN);
    let cases = [("int f(void) { return 1; }\n", "f"), ("int shared = 1;\n", "shared")];
    for (source, symbol) in cases {
        let a = project.file("a.c", source);
        let b = project.file("b.c", source);
        let error = project.load(&[&main, &a, &b]).unwrap_err();
        assert!(matches!(error, Error::DuplicateSymbol { .. }), "{error}");
        complains(&error, &[&format!("`{symbol}`"), "a.c", "b.c"]);
    }
}

#[test]
fn other_conflicts_of_linking() {
    let project = Project::new();
    let main = project.file("main.c", MAIN);
    let flag = |value: u32| format!("!llvm.module.flags = !{{!0}}\n!0 = !{{i32 1, !\"wchar_size\", i32 {value}}}\n");
    let other = project.file("a.ll", &flag(2));
    let error = project.load(&[&main, &other]).unwrap_err();
    assert!(matches!(error, Error::Link { .. }), "{error}");
    complains(&error, &["a.ll", "wchar_size"]);
}

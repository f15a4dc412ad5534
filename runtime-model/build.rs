//! Compiles the library functions that are written in C, once for each size of pointers.
use std::path::{Path, PathBuf};
use std::process::Command;

/// Bitcode of a newer clang than the frontend's LLVM cannot be read.
const COMPILERS: [&str; 8] =
    ["clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14", "clang-13", "clang"];

/// -O0 and with the ends of blocks, as the program's own code; no debug information, for what happens there happens
/// where the program calls it.
const FLAGS: [&str; 11] = [
    "-c",
    "-emit-llvm",
    "-O0",
    "-Xclang",
    "-fsanitize-address-use-after-scope",
    "-std=gnu11",
    "-ffreestanding",
    "-nostdlibinc",
    "-Wall",
    "-Wextra",
    "-Werror",
];

fn main() {
    let sources = Path::new("src/code");
    println!("cargo::rerun-if-changed={}", sources.display());
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    let clang = compiler();
    for entry in std::fs::read_dir(sources).expect("the sources are there") {
        let path = entry.expect("a directory can be read").path();
        if path.extension().is_none_or(|extension| extension != "c") {
            continue;
        }
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        for bits in ["64", "32"] {
            let mut command = Command::new(clang);
            command.args(FLAGS).arg(format!("-m{bits}")).arg(&path);
            command.arg("-o").arg(out.join(format!("{name}.{bits}.bc")));
            let status = command.status().expect("clang starts");
            assert!(status.success(), "{command:?}");
        }
    }
}

fn compiler() -> &'static str {
    let works = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    COMPILERS.into_iter().find(works).expect("library code is compiled by clang: install clang-19")
}

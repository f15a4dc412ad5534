//! A temporary directory of inputs.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of it")]
use frontend::{Error, Options, Program};
use std::path::PathBuf;
use std::process::Command;

pub struct Project {
    directory: tempfile::TempDir,
}

impl Project {
    pub fn new() -> Self {
        Project { directory: tempfile::tempdir().expect("makes a directory") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        self.bytes(name, text.as_bytes())
    }

    pub fn bytes(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("has a directory")).expect("makes a directory");
        std::fs::write(&path, content).expect("writes a file");
        path
    }

    /// Compiles `text` with clang-19 `-c` and `flags` into the file `to`.
    pub fn clang(&self, flags: &[&str], source: &str, text: &str, to: &str) -> PathBuf {
        let (source, to) = (self.file(source, text), self.path(to));
        let status = Command::new("clang-19").arg("-c").args(flags).arg(source).arg("-o").arg(&to).status();
        assert!(status.expect("clang-19 starts").success());
        to
    }

    pub fn load(&self, inputs: &[&PathBuf]) -> Result<Program, Error> {
        self.load_with(inputs, &Options::default())
    }

    pub fn load_with(&self, inputs: &[&PathBuf], options: &Options) -> Result<Program, Error> {
        let inputs: Vec<PathBuf> = inputs.iter().copied().cloned().collect();
        frontend::load(&inputs, options)
    }
}

/// Names of the functions with code, sorted.
pub fn defined(program: &Program) -> Vec<&str> {
    let functions = program.module.functions.iter().filter(|function| !function.code.is_empty());
    let mut names: Vec<&str> = functions.map(|function| function.name.as_str()).collect();
    names.sort_unstable();
    names
}

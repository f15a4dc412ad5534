//! The executables with tests: cargo builds them, and each says which tests it has.
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An executable with tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Executable {
    /// The package and the target, such as `por::oracle`.
    pub(crate) name: String,
    /// The file.
    pub(crate) path: PathBuf,
    /// The directory of its package, in which it runs.
    pub(crate) directory: PathBuf,
    /// The names of its tests.
    pub(crate) tests: Vec<String>,
}

impl Executable {
    /// A process of it, in the surroundings that cargo gives it. Processes are what shares the processors, so that
    /// campaigns of random programs have one thread each.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.directory).env("CARGO_MANIFEST_DIR", &self.directory).env("FUZZ_JOBS", "1");
        command
    }
}

/// Has cargo build all of them.
pub(crate) fn build() -> Result<Vec<Executable>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["test", "--locked", "--workspace", "--lib", "--bins", "--tests", "--no-run"]);
    command.arg("--message-format=json-render-diagnostics");
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|e| format!("cannot start cargo: {e}"))?;
    let lines = BufReader::new(child.stdout.take().expect("is piped")).lines();
    let mut found = Vec::new();
    for line in lines {
        let line = line.map_err(|e| format!("cannot read what cargo says: {e}"))?;
        let message: Value = serde_json::from_str(&line).map_err(|e| format!("cargo says `{line}`: {e}"))?;
        found.extend(executable(&message));
    }
    if !child.wait().map_err(|e| e.to_string())?.success() {
        return Err("the tests cannot be built".to_owned());
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found.into_iter().map(with_tests).collect()
}

/// The executable that a message of cargo's announces, if it has tests.
fn executable(message: &Value) -> Option<Executable> {
    let is_test = message["reason"] == "compiler-artifact" && message["profile"]["test"] == true;
    let path = message["executable"].as_str().filter(|_| is_test)?;
    let directory = Path::new(message["manifest_path"].as_str()?).parent()?;
    let package = directory.file_name()?.to_str()?;
    // (The directory of the whole has any name.)
    let package = if directory.join("Cargo.lock").exists() { "verify" } else { package };
    let name = format!("{package}::{}", message["target"]["name"].as_str()?);
    Some(Executable { name, path: path.into(), directory: directory.into(), tests: Vec::new() })
}

/// Asks it for the names of its tests.
fn with_tests(executable: Executable) -> Result<Executable, String> {
    let wrong = |what: &dyn std::fmt::Display| format!("{} --list: {what}", executable.path.display());
    let output = executable.command().args(["--list", "--format", "terse"]).stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| wrong(&e))?;
    if !output.status.success() {
        return Err(wrong(&output.status));
    }
    let text = String::from_utf8(output.stdout).map_err(|e| wrong(&e))?;
    let tests = text.lines().filter_map(|line| Some(line.strip_suffix(": test")?.to_owned())).collect();
    Ok(Executable { tests, ..executable })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_announces() {
        let message = |test: bool| {
            serde_json::json!({
                "reason": "compiler-artifact", "manifest_path": "/nowhere/por/Cargo.toml", "profile": { "test": test },
                "target": { "name": "oracle" }, "executable": "/nowhere/target/debug/deps/oracle-1",
            })
        };
        let found = executable(&message(true)).unwrap();
        assert_eq!((found.name.as_str(), found.directory), ("por::oracle", PathBuf::from("/nowhere/por")));
        assert_eq!(executable(&message(false)), None);
        assert_eq!(executable(&serde_json::json!({ "reason": "build-finished", "success": true })), None);
    }
}

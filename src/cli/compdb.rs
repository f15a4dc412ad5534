//! Compilation databases (`compile_commands.json`): how a build compiles each of its files.
//! <https://clang.llvm.org/docs/JSONCompilationDatabase.html> describes the format.
use crate::request::UsageError;
use frontend::load::CompileCommand;
use glob::Pattern;
use rustc_hash::FxHashSet;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// An entry as it stands in the file.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    /// The command, one string for each argument.
    arguments: Option<Vec<String>>,
    /// The command as a shell would read it.
    command: Option<String>,
}

/// The commands for the files that match a pattern, or for all C and C++ files if there is none. A file that the build
/// compiles more than once (for a static and a shared library, say) counts as it is compiled first.
pub(crate) fn commands(database: &Path, patterns: &[Pattern]) -> Result<Vec<CompileCommand>, UsageError> {
    let wrong = |what: String| UsageError {
        message: format!("{}: {what}", database.display()),
        hint: "CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON; for make there is `bear`".to_owned(),
    };
    let text = std::fs::read(database).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let entries: Vec<Entry> =
        serde_json::from_slice(&text).map_err(|error| wrong(format!("is no compilation database: {error}")))?;
    let base = database.parent().unwrap_or(Path::new(""));
    let mut seen = FxHashSet::default();
    let mut commands = Vec::new();
    for entry in entries {
        let words = match (entry.arguments, entry.command) {
            (Some(arguments), _) => Some(arguments),
            (None, Some(command)) => shlex::split(&command),
            (None, None) => None,
        };
        let file = entry.file.display();
        let mut words = words.ok_or_else(|| wrong(format!("has no command for {file} that can be read")))?.into_iter();
        let _compiler = words.next();
        let directory = base.join(&entry.directory);
        let path = directory.join(&entry.file);
        let wanted = match patterns {
            [] => is_source(&path),
            _ => patterns.iter().any(|pattern| pattern.matches_path(&entry.file) || pattern.matches_path(&path)),
        };
        if wanted && seen.insert(path) {
            commands.push(CompileCommand { directory, file: entry.file, arguments: words.collect() });
        }
    }
    if commands.is_empty() {
        return Err(wrong("has no file that is asked for".to_owned()));
    }
    Ok(commands)
}

/// Builds compile assembly as well.
fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("c" | "i" | "cc" | "cpp" | "cxx" | "c++" | "C" | "ii"))
}

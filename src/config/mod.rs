//! `verify.toml`: settings that belong to a project. [`document`] reads the format and knows where everything stands;
//! [`defaults`], [`harness`] and [`suppress`] are its three parts.
pub(crate) mod defaults;
mod document;
pub(crate) mod harness;
pub(crate) mod suppress;
#[cfg(test)]
mod tests;

use crate::cli::low::ConfigArguments;
use crate::report::transfer::kind_named;
use crate::request::UsageError;
use defaults::Default;
use document::{Document, Table};
use glob::Pattern;
use harness::Harness;
use interp::fault::Kind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use suppress::Suppression;

/// What the file is called.
pub(crate) const NAME: &str = "verify.toml";

/// What a file says; nothing if there is none.
#[derive(Clone, Debug, std::default::Default)]
pub(crate) struct Config {
    /// The file.
    pub file: Option<PathBuf>,
    /// Values of options that are not on the command line.
    pub defaults: Vec<Default>,
    /// Programs with what is expected of them.
    pub harnesses: Vec<Harness>,
    /// Bugs that are not to be reported.
    pub suppressions: Arc<[Suppression]>,
}

/// Warnings of suppressions that cover every bug of their kind, with patterns that match anything.
pub(crate) fn too_wide(suppressions: &[Suppression]) -> Vec<String> {
    let wide = suppressions.iter().filter(|suppression| suppression.is_of_everything());
    wide.map(|suppression| {
        let (origin, kind) = (&suppression.origin, suppression.kind.name());
        format!("{origin}: this suppresses every bug of the kind {kind}")
    })
    .collect()
}

impl Config {
    /// The file that is named, or else the one of this directory or the nearest above, up to the root of the
    /// repository.
    pub(crate) fn find(asked: &ConfigArguments) -> Result<Config, UsageError> {
        match &asked.file {
            _ if asked.none => Ok(Config::default()),
            Some(file) => Config::read(file),
            None => match nearest(&std::env::current_dir().unwrap_or_default()) {
                Some(file) => Config::read(&file),
                None => Ok(Config::default()),
            },
        }
    }

    /// The directory of the file, as seen from here; paths in the file start there.
    pub(crate) fn directory(&self) -> &Path {
        self.file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""))
    }

    fn read(file: &Path) -> Result<Config, UsageError> {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file).map_err(|error| UsageError {
            message: format!("{name}: cannot be read: {error}"),
            hint: format!("name another file after --config, or leave {NAME} out with --no-config"),
        })?;
        let mut config = Config::parse(&name, &text, file.parent().unwrap_or(Path::new("")))?;
        config.file = Some(file.to_owned());
        Ok(config)
    }

    /// Reads the text of a file in that directory.
    fn parse(name: &str, text: &str, directory: &Path) -> Result<Config, UsageError> {
        let document = Document::new(name, text);
        let root = document.root()?;
        root.only(&["defaults", "harness", "suppress"])?;
        let defaults = match root.table("defaults")? {
            Some(table) => defaults::read(&table, directory)?,
            None => Vec::new(),
        };
        let harnesses = root.tables("harness")?.iter().map(harness::read).collect::<Result<Vec<_>, _>>()?;
        harness::distinct(&harnesses)?;
        let suppressions = root.tables("suppress")?.iter().map(suppression).collect::<Result<Vec<_>, _>>()?;
        Ok(Config { file: None, defaults, harnesses, suppressions: suppressions.into() })
    }
}

/// The nearest file, as seen from `here`. Outside of a repository it is not looked for above: every user may write to
/// `/tmp`, and the file can name programs to run.
fn nearest(here: &Path) -> Option<PathBuf> {
    let root = here.ancestors().find(|directory| directory.join(".git").exists()).unwrap_or(here);
    let within = here.ancestors().take_while(|directory| directory.starts_with(root));
    let (up, _) = within.enumerate().find(|(_, directory)| directory.join(NAME).is_file())?;
    Some(PathBuf::from("../".repeat(up)).join(NAME))
}

fn suppression(table: &Table<'_>) -> Result<Suppression, UsageError> {
    table.only(&["kind", "function", "file", "message", "reason"])?;
    // What is empty matches everything, or nothing.
    let given = |key| match table.string(key)? {
        Some(text) if text.trim().is_empty() => {
            Err(table.error_at(key, format!("`{key}` is empty"), "say what it matches, or leave it out"))
        }
        text => Ok(text),
    };
    let pattern = |key| {
        let text = given(key)?;
        let read = |text: &String| {
            Pattern::new(text).map_err(|error| {
                table.error_at(key, format!("`{text}` is no pattern: {error}"), "`*` stands for anything")
            })
        };
        text.as_ref().map(read).transpose()
    };
    let kind = table.required("kind", "the kind of bug that is not to be reported")?;
    let suppression = Suppression {
        kind: kind_named(&kind).ok_or_else(|| {
            let kinds = Kind::ALL.map(Kind::name).join(", ");
            table.error_at("kind", format!("`{kind}` is no kind of bug"), &format!("there are {kinds}"))
        })?,
        function: pattern("function")?,
        file: pattern("file")?,
        message: given("message")?,
        reason: table.required("reason", "why it is not to be reported")?,
        origin: table.origin(),
    };
    match &suppression {
        Suppression { function: None, file: None, message: None, .. } => Err(table.error(
            "this suppresses every bug of a kind".to_owned(),
            "say where with `function`, `file` or `message`, or leave the kind out of `--check`",
        )),
        _ => Ok(suppression),
    }
}

//! `[defaults]`: values of long options, by the same names, for what neither the command line nor the environment says.
use super::document::Table;
use crate::cli::options;
use crate::request::UsageError;
use std::path::Path;

/// The value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Default {
    /// Its long name.
    pub name: String,
    /// The words that would follow it.
    pub values: Vec<String>,
}

/// Options that mean nothing in a file.
const NOT_HERE: [&str; 7] = ["config", "no-config", "help", "version", "print-ir", "list-undefined", "list"];

/// Options that take a path.
const PATHS: [&str; 5] = ["include", "compdb", "stdin", "save-trace", "checkpoint"];

/// Reads the table; paths in it start at the directory.
pub(super) fn read(table: &Table<'_>, directory: &Path) -> Result<Vec<Default>, UsageError> {
    let known = options::long_names();
    let known: Vec<&str> = known.iter().map(String::as_str).filter(|name| !NOT_HERE.contains(name)).collect();
    table.only(&known)?;
    let defaults: Vec<Default> =
        table.keys().into_iter().map(|name| one(table, name, directory)).collect::<Result<_, _>>()?;
    let chosen: Vec<&str> =
        defaults.iter().filter(|default| default.values != ["false"]).map(|default| default.name.as_str()).collect();
    match options::clash(&chosen) {
        Some((name, other)) => {
            Err(table.error_at(name, format!("`{name}` and `{other}` exclude each other"), "leave out one of them"))
        }
        None => Ok(defaults),
    }
}

fn one(table: &Table<'_>, name: String, directory: &Path) -> Result<Default, UsageError> {
    let (mut values, truth) = table.words(&name)?;
    if options::is_flag(&name) != truth {
        let (what, hint) = match truth {
            true => ("takes a value", format!("write {name} = \"…\"")),
            false => ("is on or off", format!("write {name} = true")),
        };
        return Err(table.error_at(&name, format!("`{name}` {what}"), &hint));
    }
    // (That of clang's flags may be empty.)
    if values.is_empty() && name != "cflags" {
        let hint = format!("write {name} = [\"…\"], or leave it out");
        return Err(table.error_at(&name, format!("`{name}` has no value"), &hint));
    }
    for value in &mut values {
        let path = |path: &str| directory.join(path).display().to_string();
        *value = match (name.as_str(), value.split_once('=')) {
            (option, _) if PATHS.contains(&option) => path(value),
            ("file" | "report", Some((key, file))) => format!("{key}={}", path(file)),
            ("file", None) => format!("{value}={}", path(value)),
            ("stub", _) if !runtime_model::STUBS.iter().any(|stub| stub.name == value) => path(value),
            _ => continue,
        };
    }
    match options::rejects(&name, &values) {
        Some(why) => Err(table.error_at(&name, why, &format!("`verify --help` says what --{name} takes"))),
        None => Ok(Default { name, values }),
    }
}

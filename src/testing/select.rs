//! Which programs are checked: the harnesses of `verify.toml`, or those that the command line names.
use super::mistake;
use crate::cli::test::TestArguments;
use crate::config::{Config, NAME, harness::Harness};
use crate::request::UsageError;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};

/// What the files of programs in a directory are called.
const SOURCES: [&str; 10] = ["c", "i", "cc", "cpp", "cxx", "c++", "C", "ii", "ll", "bc"];

/// What programs that are named one by one may be called besides.
const COMPILED: [&str; 3] = ["o", "a", "so"];

/// What is checked.
pub(super) struct Selection {
    /// At least one.
    pub(super) harnesses: Vec<Harness>,
    /// How many more there are, which no filter names.
    pub(super) left_out: usize,
}

/// All that is asked for. Whatever stands for nothing is a mistake: nobody would notice that it is not checked.
pub(super) fn selection(typed: &TestArguments, config: &Config) -> Result<Selection, UsageError> {
    let all = match typed.inputs.is_empty() {
        true => config.harnesses.clone(),
        false => {
            let mut programs = Vec::new();
            for input in &typed.inputs {
                let before = programs.len();
                named(input, &mut programs)?;
                if programs.len() == before {
                    let hint = format!("programs end in .{}", SOURCES.join(", ."));
                    return Err(mistake(format!("{}: there is no program there", input.display()), &hint));
                }
            }
            programs.iter().map(|program| Harness::of(program)).collect()
        }
    };
    match (all.is_empty(), &config.file) {
        (false, _) => {}
        (true, Some(file)) => {
            return Err(mistake(
                format!("{}: there is no [[harness]]", file.display()),
                "docs/ci.md says what one looks like; or name programs or a directory",
            ));
        }
        (true, None) => {
            return Err(mistake(
                format!("there is no {NAME} here or above, up to the root of the repository"),
                "name programs, a directory or a list of programs; docs/ci.md describes the file",
            ));
        }
    }
    let has = |harness: &Harness, part: &String| harness.name.contains(part.as_str());
    if let Some(part) = typed.filter.iter().find(|part| !all.iter().any(|harness| has(harness, part))) {
        let message = format!("none of {} names contains `{part}`, as --filter says", all.len());
        return Err(mistake(message, "--list prints the names"));
    }
    let count = all.len();
    let wanted = |harness: &Harness| typed.filter.is_empty() || typed.filter.iter().any(|part| has(harness, part));
    let harnesses: Vec<Harness> = all.into_iter().filter(wanted).collect();
    Ok(Selection { left_out: count - harnesses.len(), harnesses })
}

/// The programs that an argument stands for.
fn named(input: &Path, programs: &mut Vec<String>) -> Result<(), UsageError> {
    let failed = |error: std::io::Error| {
        mistake(format!("{}: cannot be read: {error}", input.display()), "name a program, a directory or a list")
    };
    let metadata = std::fs::metadata(input).map_err(failed)?;
    if metadata.is_dir() {
        return below(input, programs, &mut FxHashSet::default()).map_err(failed);
    }
    if has_extension(input, &SOURCES) || has_extension(input, &COMPILED) {
        programs.push(input.display().to_string());
        return Ok(());
    }
    match String::from_utf8(std::fs::read(input).map_err(failed)?) {
        Ok(list) => {
            let lines = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            let directory = input.parent().unwrap_or(Path::new(""));
            programs.extend(lines.map(|line| directory.join(line).display().to_string()));
        }
        // Programs that were built with `verify cc` have any name.
        Err(_) => programs.push(input.display().to_string()),
    }
    Ok(())
}

/// All programs below a directory, by name. Links to directories are followed, but no directory is looked at twice: one
/// may lead back here.
fn below(directory: &Path, programs: &mut Vec<String>, seen: &mut FxHashSet<PathBuf>) -> std::io::Result<()> {
    if !seen.insert(std::fs::canonicalize(directory)?) {
        return Ok(());
    }
    let mut entries = std::fs::read_dir(directory)?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // (A link that leads nowhere is no directory; if it is to be a program, its check complains.)
        if path.is_dir() {
            if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                below(&path, programs, seen)?;
            }
        } else if has_extension(&path, &SOURCES) {
            programs.push(path.display().to_string());
        }
    }
    Ok(())
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known))
}

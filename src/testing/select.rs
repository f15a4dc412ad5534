//! Which programs are checked: the harnesses of `verify.toml`, or those that the command line names.
use super::mistake;
use crate::cli::high::UsageError;
use crate::cli::test::TestArguments;
use crate::config::{Config, NAME, harness::Harness};
use std::path::Path;

/// What the files of programs in a directory are called.
const SOURCES: [&str; 10] = ["c", "i", "cc", "cpp", "cxx", "c++", "C", "ii", "ll", "bc"];

/// What programs that are named one by one may be called besides.
const COMPILED: [&str; 3] = ["o", "a", "so"];

/// All that is asked for, at least one.
pub(super) fn harnesses(typed: &TestArguments, config: &Config) -> Result<Vec<Harness>, UsageError> {
    let all = match typed.inputs.is_empty() {
        true => config.harnesses.clone(),
        false => {
            let mut programs = Vec::new();
            for input in &typed.inputs {
                named(input, &mut programs)?;
            }
            programs.iter().map(|program| Harness::of(program)).collect()
        }
    };
    let wanted = |harness: &Harness| {
        typed.filter.is_empty() || typed.filter.iter().any(|part| harness.name.contains(part.as_str()))
    };
    let count = all.len();
    let chosen: Vec<Harness> = all.into_iter().filter(wanted).collect();
    match (chosen.is_empty(), count, &config.file) {
        (false, ..) => Ok(chosen),
        (true, 1.., _) => {
            Err(mistake(format!("none of {count} names contains what --filter says"), "--list prints the names"))
        }
        (true, 0, _) if !typed.inputs.is_empty() => {
            Err(mistake("there is no program there".to_owned(), &format!("programs end in .{}", SOURCES.join(", ."))))
        }
        (true, 0, Some(file)) => Err(mistake(
            format!("{}: there is no [[harness]]", file.display()),
            "docs/ci.md says what one looks like; or name programs or a directory",
        )),
        (true, 0, None) => Err(mistake(
            format!("there is no {NAME} here or above, up to the root of the repository"),
            "name programs, a directory or a list of programs; docs/ci.md describes the file",
        )),
    }
}

/// The programs that an argument stands for.
fn named(input: &Path, programs: &mut Vec<String>) -> Result<(), UsageError> {
    let failed = |error: std::io::Error| {
        mistake(format!("{}: cannot be read: {error}", input.display()), "name a program, a directory or a list")
    };
    let metadata = std::fs::metadata(input).map_err(failed)?;
    if metadata.is_dir() {
        return below(input, programs).map_err(failed);
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

/// All programs below a directory, by name.
fn below(directory: &Path, programs: &mut Vec<String>) -> std::io::Result<()> {
    let mut entries = std::fs::read_dir(directory)?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // Links to directories may lead back here.
        if entry.file_type()?.is_dir() {
            if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                below(&path, programs)?;
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

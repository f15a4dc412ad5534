//! Reads what the command line names: a net, and a transition of it.
use super::{mistake, names};
use crate::cli::high::UsageError;
use por::nets::{Net, TransitionId};
use std::io::ErrorKind;
use std::path::Path;

/// How many names a hint has at most.
const NAMES: usize = 3;

/// Names of files that are no nets for certain, and what `verify` reads without `unfold`.
const PROGRAMS: [&str; 10] = ["c", "i", "cc", "cpp", "cxx", "ii", "ll", "bc", "o", "a"];

/// Reads a net.
pub(super) fn read(file: &Path) -> Result<Net, UsageError> {
    const HINT: &str = "`verify unfold` reads low-level nets of PEP (.ll_net) and nets in PNML (.pnml)";
    let name = file.display();
    let bytes = std::fs::read(file).map_err(|error| {
        let what = match error.kind() {
            ErrorKind::NotFound => "no such file".to_owned(),
            ErrorKind::IsADirectory => "is a directory; name a file in it".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        mistake(format!("{name}: {what}"), HINT)
    })?;
    if bytes.trim_ascii().is_empty() {
        return Err(mistake(format!("{name}: is empty"), HINT));
    }
    por::nets::read(&name.to_string(), &bytes).map_err(|error| {
        let is_program = file.extension().is_some_and(|end| PROGRAMS.iter().any(|program| end == *program));
        let hint = if is_program { format!("`verify {name}` explores a program") } else { HINT.to_owned() };
        match error.line {
            Some(line) => mistake(format!("{name}:{line}: {}", error.message), "docs/nets.md describes the formats"),
            None => mistake(format!("{name}: {}", error.message), &hint),
        }
    })
}

/// The only transition of that name.
pub(super) fn transition(net: &Net, name: &str) -> Result<TransitionId, UsageError> {
    let called = |id: &TransitionId| net.transition(*id).name == name;
    match &net.transition_ids().filter(called).collect::<Vec<_>>()[..] {
        [id] => Ok(*id),
        [] => Err(mistake(format!("there is no transition {}", names::shown(name)), &near(net, name))),
        several => Err(mistake(
            format!("there are {} transitions {}", several.len(), names::shown(name)),
            "give them different names in the file",
        )),
    }
}

/// The names that somebody may have meant.
fn near(net: &Net, name: &str) -> String {
    let distance = |other: &str| strsim::osa_distance(name, other);
    let all = net.transitions().iter().map(|transition| (distance(&transition.name), &transition.name[..]));
    let mut near: Vec<(usize, &str)> = all.filter(|(distance, _)| *distance <= 1 + name.chars().count() / 3).collect();
    near.sort_unstable();
    near.dedup();
    let near: Vec<String> = near.iter().take(NAMES).map(|(_, name)| names::shown(name)).collect();
    match &near[..] {
        [] => "names of transitions are those in the file, in quotes there".to_owned(),
        [one] => format!("did you mean {one}?"),
        [some @ .., last] => format!("did you mean {} or {last}?", some.join(", ")),
    }
}

//! Reads what the command line names: a net, and transitions and places of it.
use super::{mistake, names};
use crate::request::UsageError;
use por::nets::{Net, PlaceId, TransitionId};
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
    let all: Vec<&str> = net.transitions().iter().map(|transition| &transition.name[..]).collect();
    called(&all, "transition", name).map(TransitionId)
}

/// The places of these names, with commas between them. (A name that has commas is taken if it is all of the text.)
/// Nothing is no place.
pub(super) fn places(net: &Net, text: &str) -> Result<Vec<PlaceId>, UsageError> {
    let all: Vec<&str> = net.places().iter().map(|place| &place.name[..]).collect();
    if text.trim().is_empty() && !all.contains(&text) {
        return Ok(Vec::new());
    }
    let names = if all.contains(&text) { vec![text] } else { text.split(',').map(str::trim).collect() };
    let mut places =
        names.iter().map(|name| called(&all, "place", name).map(PlaceId)).collect::<Result<Vec<_>, _>>()?;
    places.sort_unstable();
    places.dedup();
    Ok(places)
}

/// The number of the only one of this name.
fn called(all: &[&str], what: &str, name: &str) -> Result<u32, UsageError> {
    let of_that_name = |id: &u32| all[*id as usize] == name;
    match &(0..all.len() as u32).filter(of_that_name).collect::<Vec<u32>>()[..] {
        [id] => Ok(*id),
        [] => Err(mistake(format!("there is no {what} {}", names::shown(name)), &near(all, what, name))),
        several => Err(mistake(
            format!("there are {} {what}s {}", several.len(), names::shown(name)),
            "give them different names in the file",
        )),
    }
}

/// The names that the user may have meant.
fn near(all: &[&str], what: &str, name: &str) -> String {
    let distance = |other: &str| strsim::osa_distance(name, other);
    let all = all.iter().map(|other| (distance(other), *other));
    let mut near: Vec<(usize, &str)> = all.filter(|(distance, _)| *distance <= 1 + name.chars().count() / 3).collect();
    near.sort_unstable();
    near.dedup();
    let near: Vec<String> = near.iter().take(NAMES).map(|(_, name)| names::shown(name)).collect();
    match &near[..] {
        [] => format!("names of {what}s are those in the file, in quotes there"),
        [one] => format!("did you mean {one}?"),
        [some @ .., last] => format!("did you mean {} or {last}?", some.join(", ")),
    }
}

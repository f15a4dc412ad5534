//! Which loops wait (`--explain-loops`), as text.
use crate::report::excerpt::shorten;
use interp::{Loop, Machine};
use std::fmt::Write as _;

/// How many obstacles of a loop are named.
const MOST: usize = 3;

/// All loops that read what other threads may change.
pub(crate) fn list(machine: &Machine) -> String {
    let mut blocks: Vec<String> = Vec::new();
    for Loop { reads, waits, obstacles } in machine.loops() {
        let module = machine.module();
        let place = |location: frontend::ir::LocId| {
            let location = &module.locations[location.index()];
            module.files.get(location.file as usize).map(|file| format!("{}:{}", shorten(file), location.line))
        };
        // (Code of the library has no place.)
        let Some(at) = place(reads) else { continue };
        let function = &module.locations[reads.index()].function;
        let verdict = match (waits, obstacles.is_empty()) {
            (true, true) => "a thread waits here if a turn leaves its variables as they were",
            (true, false) => "a thread waits here in turns that do none of this and leave its variables as they were:",
            (false, _) => "each turn is explored, because in all of them:",
        };
        let mut text = String::new();
        let _ = writeln!(text, "{at}: in `{function}`: {verdict}");
        let mut told = Vec::new();
        for (location, what) in &obstacles {
            let line = format!("  {}: {what}", place(*location).unwrap_or_else(|| at.clone()));
            if !told.contains(&line) {
                told.push(line);
            }
        }
        let left = told.len().saturating_sub(MOST);
        told.truncate(MOST);
        for line in told {
            let _ = writeln!(text, "{line}");
        }
        if left > 0 {
            let _ = writeln!(text, "  and {left} more");
        }
        // (A line may read several places.)
        if !blocks.contains(&text) {
            blocks.push(text);
        }
    }
    match blocks.is_empty() {
        true => "no loop reads atomic variables or tries to lock something\n".to_owned(),
        false => blocks.concat() + "\nPlain variables count as soon as they are known to race.\n",
    }
}

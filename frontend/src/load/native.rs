//! Native files that [`crate::cc`] made, taken apart: objects, libraries, programs, and archives of objects.
use super::input::{self, Kind};
use super::{Maker, Unit};
use crate::Error;
use crate::embedded::{self, Record};
use crate::ir::ReleaseSequences;
use std::path::{Path, PathBuf};

/// Writes the bitcode in a native file or an archive to `scratch`, one unit for each source.
pub(super) fn take_apart(
    input: &Path,
    kind: Kind,
    units: &mut Vec<Unit>,
    scratch: &Path,
    warnings: &mut Vec<String>,
) -> Result<(), Error> {
    let bytes = std::fs::read(input).map_err(|source| Error::Unreadable { path: input.into(), source })?;
    let broken = |path: &Path| {
        let path = path.to_path_buf();
        move |reason| Error::BrokenNative { path, reason }
    };
    let known = units.len();
    if kind == Kind::Archive {
        for (name, content) in embedded::members(input, &bytes).map_err(broken(input))? {
            let name = PathBuf::from(format!("{}({})", input.display(), name.display()));
            let records = embedded::records(&content).map_err(broken(&name))?;
            if records.is_empty() {
                warnings.push(format!("{}: holds machine code only, and is left out", name.display()));
            }
            // The number of a member's first unit stands for the member.
            add(&name, records, Some(units.len()), units, scratch, warnings)?;
        }
    } else {
        let records = embedded::records(&bytes).map_err(broken(input))?;
        add(input, records, None, units, scratch, warnings)?;
    }
    if units.len() == known { Err(Error::NativeObject { path: input.into() }) } else { Ok(()) }
}

fn add(
    input: &Path,
    records: Vec<Record>,
    member: Option<usize>,
    units: &mut Vec<Unit>,
    scratch: &Path,
    warnings: &mut Vec<String>,
) -> Result<(), Error> {
    for Record { source, bitcode, untouched } in records {
        if bitcode.is_empty() {
            let (input, source) = (input.display(), source.display());
            warnings
                .push(format!("{input}: has no bitcode of {source}; the answer holds if that only defines functions"));
            continue;
        }
        let name = PathBuf::from(format!("{}({})", input.display(), source.display()));
        input::readable(&name, &bitcode)?;
        let file = scratch.join(format!("{}.embedded.bc", units.len()));
        std::fs::write(&file, bitcode)
            .map_err(|source| Error::System { what: "cannot write a temporary file".into(), source })?;
        let release_sequences = ReleaseSequences::default();
        let maker = Maker::Foreign;
        units.push(Unit { input: name, file, textual: false, maker, untouched, release_sequences, member });
    }
    Ok(())
}

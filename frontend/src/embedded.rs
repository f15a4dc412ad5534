//! Bitcode inside of native files: what [`crate::cc`] puts there and [`mod@crate::load`] takes out again.
//!
//! A section that is never loaded holds one record for each source. Linkers put sections of one name after one another,
//! so a program or a library has the records of all its objects, those from archives included, and tools that copy
//! native files keep them. Zeros between records are what a linker fills gaps with.
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The section's name.
pub(crate) const SECTION: &str = ".verify";

/// How each record begins; the digit is the version of the format. Then follow whether it is untouched (1 byte), the
/// lengths of the name (4 bytes) and of the bitcode (8 bytes), least significant byte first, the name and the bitcode.
const MAGIC: &[u8] = b"verify-2";

/// The record of one source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    /// The source.
    pub(crate) source: PathBuf,
    /// Its bitcode; empty if there is machine code only.
    pub(crate) bitcode: Vec<u8>,
    /// No pass of LLVM's has been over it.
    pub(crate) untouched: bool,
}

impl Record {
    /// The bytes of the record in the section.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let name = self.source.as_os_str().as_bytes();
        let lengths = [&(name.len() as u32).to_le_bytes()[..], &(self.bitcode.len() as u64).to_le_bytes()].concat();
        [MAGIC, &[self.untouched.into()], &lengths, name, &self.bitcode].concat()
    }

    /// All records of a section, or nothing if it is corrupt.
    fn decode_all(mut rest: &[u8]) -> Option<Vec<Record>> {
        let mut records = Vec::new();
        loop {
            rest = &rest[rest.iter().position(|byte| *byte != 0).unwrap_or(rest.len())..];
            if rest.is_empty() {
                return Some(records);
            }
            rest = rest.strip_prefix(MAGIC)?;
            let (untouched, name, data);
            (untouched, rest) = rest.split_first()?;
            (name, rest) = rest.split_first_chunk()?;
            (data, rest) = rest.split_first_chunk()?;
            let (name, data) = (u32::from_le_bytes(*name), u64::from_le_bytes(*data));
            let (source, bitcode);
            (source, rest) = rest.split_at_checked(usize::try_from(name).ok()?)?;
            (bitcode, rest) = rest.split_at_checked(usize::try_from(data).ok()?)?;
            records.push(Record {
                source: Path::new(OsStr::from_bytes(source)).into(),
                bitcode: bitcode.to_vec(),
                untouched: *untouched == 1,
            });
        }
    }
}

/// The records of a native object, library or program; without any that is no error. `Err` says what is wrong with the
/// file.
pub(crate) fn records(bytes: &[u8]) -> Result<Vec<Record>, String> {
    let file = object::File::parse(bytes).map_err(|error| error.to_string())?;
    let mut records = Vec::new();
    for section in file.sections().filter(|section| section.name() == Ok(SECTION)) {
        let data = section.data().map_err(|error| error.to_string())?;
        records.extend(Record::decode_all(data).ok_or("its section with bitcode is corrupt")?);
    }
    Ok(records)
}

/// The members of an archive, in order: names and contents. `path` is where it is, for archives that only name their
/// members.
pub(crate) fn members(path: &Path, bytes: &[u8]) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let archive = ArchiveFile::parse(bytes).map_err(|error| error.to_string())?;
    let mut members = Vec::new();
    for member in archive.members() {
        let member = member.map_err(|error| error.to_string())?;
        let name = PathBuf::from(OsStr::from_bytes(member.name()));
        let content = if archive.is_thin() {
            let file = path.parent().unwrap_or(Path::new(".")).join(&name);
            std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?
        } else {
            member.data(bytes).map_err(|error| error.to_string())?.to_vec()
        };
        members.push((name, content));
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(source: &str, bitcode: &[u8]) -> Record {
        Record { source: source.into(), bitcode: bitcode.to_vec(), untouched: bitcode.len() > 4 }
    }

    #[test]
    fn records_survive_linking() {
        let records = [record("/a/x.c", b"BC\xc0\xde1"), record("y.s", b""), record("z.c", b"BC\xc0\xde")];
        let section: Vec<u8> = records.iter().flat_map(|record| [record.encode(), vec![0; 3]].concat()).collect();
        assert_eq!(Record::decode_all(&section), Some(records.to_vec()));
        assert_eq!(Record::decode_all(&[0; 8]), Some(Vec::new()));
    }

    #[test]
    fn corrupt_sections() {
        let whole = record("x.c", b"BC\xc0\xde1234").encode();
        for end in 1..whole.len() {
            assert_eq!(Record::decode_all(&whole[..end]), None, "{end}");
        }
        assert_eq!(Record::decode_all(b"verify-3"), None);
    }
}

//! What a coordinator was told, in its order: from that, another one comes to where it was.
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// What has happened.
#[derive(Serialize, Deserialize)]
pub(super) enum Entry {
    /// A job was made.
    Give {
        /// See [`super::state::State::give`].
        divide: bool,
    },
    /// This came of a job: the content of its file.
    Take(Vec<u8>),
}

/// The file.
pub(super) struct Journal(File);

impl Journal {
    /// A new one, in an existing directory.
    pub(super) fn begin(file: &Path) -> std::io::Result<Self> {
        File::create(file).map(Journal)
    }

    /// One that is there, and what it says. What was not written to its end is taken away.
    pub(super) fn resume(file: &Path) -> std::io::Result<(Self, Vec<Entry>)> {
        let mut journal = OpenOptions::new().read(true).write(true).open(file)?;
        let mut content = Vec::new();
        journal.read_to_end(&mut content)?;
        let (mut entries, mut rest) = (Vec::new(), &content[..]);
        while let Some((entry, behind)) = first(rest) {
            entries.push(entry);
            rest = behind;
        }
        journal.set_len((content.len() - rest.len()) as u64)?;
        let journal = OpenOptions::new().append(true).open(file)?;
        Ok((Journal(journal), entries))
    }

    pub(super) fn note(&mut self, entry: &Entry) -> std::io::Result<()> {
        let content = postcard::to_stdvec(entry).expect("plain data can be written");
        let mut bytes = (content.len() as u64).to_le_bytes().to_vec();
        bytes.extend(xxh3_64(&content).to_le_bytes());
        bytes.extend(content);
        self.0.write_all(&bytes)
    }
}

/// The first entry, and what comes after it; nothing if there is none that is whole.
fn first(bytes: &[u8]) -> Option<(Entry, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (sum, rest) = rest.split_first_chunk()?;
    let (content, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let whole = u64::from_le_bytes(*sum) == xxh3_64(content);
    Some((postcard::from_bytes(content).ok().filter(|_| whole)?, rest))
}

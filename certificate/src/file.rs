//! The file of a certificate: [`MAGIC`], eight bytes of a checksum (XXH3 of all that follows, the least significant
//! byte first), then a [`Certificate`] as postcard writes it (<https://postcard.jamesmunns.com/wire-format>). A state
//! takes 16 bytes for its fingerprint and mostly 3 for its way. docs/certificates.md has the fields.
use crate::list::States;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// How every file begins; the number is the version of the format.
pub const MAGIC: &[u8] = b"verify certificate 1\n";

/// How the files of all versions begin.
const KIND: &[u8] = b"verify certificate ";

/// What is claimed, and all that it takes to check it, but for the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// What the states are those of.
    pub claim: Claim,
    /// All of them.
    pub states: States,
}

/// Which program, under which conditions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// The version of the tool that wrote it.
    pub tool: String,
    /// The SHA-256 hash of the program's code, as `verify --print-ir` shows it.
    pub code: [u8; 32],
    /// The settings that change what the program means or what is wrong with it, each with its name.
    pub settings: Vec<(String, String)>,
    /// What the answer rests on.
    pub assumptions: Vec<String>,
    /// What explorations have learned and the machine is told before it starts: hints. With wrong ones there are other
    /// states.
    pub context: Vec<u8>,
}

/// Why there is no certificate in a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Damaged {
    /// It is something else.
    #[error("it is no certificate of verify")]
    Foreign,
    /// It has another version.
    #[error("it has another version of the format than this verify knows; write it again with this one")]
    Version,
    /// It is not as it was written.
    #[error("it is cut off, or was changed")]
    Changed,
    /// Its content makes no sense.
    #[error("its content makes no sense: {0}")]
    Senseless(String),
}

impl Certificate {
    /// The content of its file.
    pub fn write(&self) -> Vec<u8> {
        let content = postcard::to_stdvec(self).expect("plain data can be written");
        let sum = xxh3_64(&content).to_le_bytes();
        [MAGIC, &sum, &content].concat()
    }

    /// The certificate in a file of that content. Whether its list of states makes sense is looked at when it is
    /// checked.
    ///
    /// # Errors
    /// There is none.
    pub fn read(bytes: &[u8]) -> Result<Self, Damaged> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            return Err(if bytes.starts_with(KIND) { Damaged::Version } else { Damaged::Foreign });
        };
        let (sum, content) = rest.split_first_chunk().ok_or(Damaged::Changed)?;
        if u64::from_le_bytes(*sum) != xxh3_64(content) {
            return Err(Damaged::Changed);
        }
        match postcard::take_from_bytes(content) {
            Ok((certificate, [])) => Ok(certificate),
            Ok(_) => Err(Damaged::Senseless("something stands behind its end".to_owned())),
            Err(error) => Err(Damaged::Senseless(error.to_string())),
        }
    }
}

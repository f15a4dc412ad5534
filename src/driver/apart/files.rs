//! Files of jobs and of what comes of them. Each begins with what it is, says which executable and which program it is
//! for, and is whole as soon as it has its name. The rest is compressed.
use super::super::checkpoint::build;
use super::{Job, Product, Program};
use miniz_oxide::{deflate, inflate};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::Write;
use std::path::Path;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// The first line of each kind of file; the number is the version of the format.
const PROGRAM: &str = "verify program 1\n";
const JOB: &str = "verify job 1\n";
const RESULT: &str = "verify result 1\n";

/// How hard it is tried to make files small, of 10.
const LEVEL: u8 = 3;

/// How many bytes the content of a file has at most.
const MOST: usize = 1 << 32;

/// Why a file is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unfit {
    #[error("it cannot be read: {0}")]
    Unreadable(std::io::Error),
    #[error("it is no {0} of this version of verify")]
    Foreign(&'static str),
    #[error("it is cut off, or was changed")]
    Damaged,
    #[error("it was written by another version or another build of verify")]
    OtherBuild,
    #[error("it belongs to another program, or to other options")]
    OtherProgram,
}

/// Writes and reads the files of one exploration.
#[derive(Clone, Copy)]
pub(super) struct Files {
    build: u64,
    /// Of the file of the program; 0: it is that file.
    program: u128,
}

/// A program with all that its files have in common.
pub(super) struct Loaded {
    pub(super) program: Program,
    pub(super) files: Files,
}

impl Files {
    /// Writes the file of a program, and knows the others from then on.
    pub(super) fn begin(program: &Program, file: &Path) -> std::io::Result<Self> {
        let files = Files { build: build()?, program: 0 };
        let content = files.encode(PROGRAM, program);
        write(file, &content)?;
        Ok(Files { program: xxh3_128(&content), ..files })
    }

    pub(super) fn job(&self, job: &Job) -> Vec<u8> {
        self.encode(JOB, job)
    }

    pub(super) fn read_job(&self, content: &[u8]) -> Result<Job, Unfit> {
        self.decode(JOB, "job", content)
    }

    pub(super) fn product(&self, product: &Product) -> Vec<u8> {
        self.encode(RESULT, product)
    }

    pub(super) fn read_product(&self, content: &[u8]) -> Result<Product, Unfit> {
        self.decode(RESULT, "result of a job", content)
    }

    fn encode(&self, kind: &str, content: &impl Serialize) -> Vec<u8> {
        let content = postcard::to_stdvec(content).expect("plain data can be written");
        let content = deflate::compress_to_vec(&content, LEVEL);
        let mut bytes = kind.as_bytes().to_vec();
        bytes.extend(self.build.to_le_bytes());
        bytes.extend(self.program.to_le_bytes());
        bytes.extend(xxh3_64(&content).to_le_bytes());
        bytes.extend(content);
        bytes
    }

    fn decode<T: DeserializeOwned>(&self, kind: &str, name: &'static str, bytes: &[u8]) -> Result<T, Unfit> {
        let rest = bytes.strip_prefix(kind.as_bytes()).ok_or(Unfit::Foreign(name))?;
        let (build, rest) = rest.split_first_chunk().ok_or(Unfit::Damaged)?;
        let (program, rest) = rest.split_first_chunk().ok_or(Unfit::Damaged)?;
        let (sum, content) = rest.split_first_chunk().ok_or(Unfit::Damaged)?;
        if u64::from_le_bytes(*sum) != xxh3_64(content) {
            return Err(Unfit::Damaged);
        }
        if u64::from_le_bytes(*build) != self.build {
            return Err(Unfit::OtherBuild);
        }
        if u128::from_le_bytes(*program) != self.program {
            return Err(Unfit::OtherProgram);
        }
        let content = inflate::decompress_to_vec_with_limit(content, MOST).map_err(|_| Unfit::Damaged)?;
        postcard::from_bytes(&content).map_err(|_| Unfit::Damaged)
    }
}

impl Loaded {
    /// Reads the file of a program.
    pub(super) fn read(file: &Path) -> Result<Self, Unfit> {
        let content = std::fs::read(file).map_err(Unfit::Unreadable)?;
        let files = Files { build: build().map_err(Unfit::Unreadable)?, program: 0 };
        let program = files.decode(PROGRAM, "program", &content)?;
        Ok(Loaded { program, files: Files { program: xxh3_128(&content), ..files } })
    }
}

/// Writes a file that is whole as soon as it has its name.
pub(super) fn write(file: &Path, content: &[u8]) -> std::io::Result<()> {
    let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    let mut new = tempfile::NamedTempFile::new_in(directory.unwrap_or(Path::new(".")))?;
    new.write_all(content)?;
    new.persist(file).map_err(|error| error.error)?;
    Ok(())
}

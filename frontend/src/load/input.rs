//! The kind of an input: decided by its name, and by its first bytes where the name can be misleading.
use super::producer::{self, major};
use super::{LLVM_MAJOR, llvm_version};
use crate::Error;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Kinds of input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// C or C++ source, preprocessed or not: for clang.
    Source,
    /// Textual IR.
    Text,
    /// Bitcode, as `.bc` or as an object file made with `-flto`.
    Bitcode,
    /// A native object, library or program, with bitcode inside.
    Native,
    /// An archive of objects.
    Archive,
}

/// Looks at `path` and rejects what cannot be read, without reading all of it.
pub(super) fn inspect(path: &Path) -> Result<Kind, Error> {
    let owned = || path.to_path_buf();
    let unreadable = |source: std::io::Error| match source.kind() {
        ErrorKind::NotFound => Error::Missing { path: owned() },
        _ => Error::Unreadable { path: owned(), source },
    };
    if std::fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Err(Error::Directory { path: owned() });
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let mut head = Vec::new();
    File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head)).map_err(unreadable)?;
    let named = match extension {
        "c" | "i" | "cc" | "cpp" | "cxx" | "C" | "ii" => Kind::Source,
        "ll" => Kind::Text,
        // Programs have any name.
        _ if head.starts_with(ELF) => Kind::Native,
        _ if ARCHIVES.iter().any(|magic| head.starts_with(magic)) => Kind::Archive,
        "bc" | "o" => Kind::Bitcode,
        _ => return Err(Error::UnknownKind { path: owned() }),
    };
    if head.is_empty() {
        return Err(Error::Empty { path: owned() });
    }
    match named {
        Kind::Source | Kind::Native | Kind::Archive => Ok(named),
        Kind::Bitcode if !is_bitcode(&head) => Err(Error::NotBitcode { path: owned() }),
        Kind::Text if !is_bitcode(&head) => Ok(Kind::Text),
        Kind::Bitcode | Kind::Text => readable(path, &head).map(|()| Kind::Bitcode),
    }
}

/// Rejects bitcode that was made by a newer LLVM than ours; `head` is how it begins.
pub(super) fn readable(path: &Path, head: &[u8]) -> Result<(), Error> {
    match producer::version(&head[..head.len().min(HEAD as usize)]) {
        Some(producer) if major(&producer) > Some(LLVM_MAJOR) => {
            Err(Error::NewerLlvm { path: path.to_path_buf(), producer, reader: llvm_version() })
        }
        _ => Ok(()),
    }
}

/// How native files begin.
const ELF: &[u8] = b"\x7fELF";
/// How archives begin, those that hold their members and those that name them.
const ARCHIVES: [&[u8]; 2] = [b"!<arch>\n", b"!<thin>\n"];

/// Enough for every magic number and for the block that names the producer of bitcode.
const HEAD: u64 = 128;

/// Raw bitcode, or bitcode in the wrapper that some tools put around it.
fn is_bitcode(head: &[u8]) -> bool {
    head.starts_with(b"BC\xc0\xde") || head.starts_with(&[0xde, 0xc0, 0x17, 0x0b])
}

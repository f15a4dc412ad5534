//! What an input is: by its name, and by its first bytes where the name can deceive.
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
    let named = match extension {
        "c" | "i" | "cc" | "cpp" | "cxx" | "C" | "ii" => Kind::Source,
        "ll" => Kind::Text,
        "bc" | "o" => Kind::Bitcode,
        _ => return Err(Error::UnknownKind { path: owned() }),
    };
    let mut head = Vec::new();
    File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head)).map_err(unreadable)?;
    if head.is_empty() {
        return Err(Error::Empty { path: owned() });
    }
    match named {
        Kind::Source => Ok(Kind::Source),
        Kind::Bitcode if head.starts_with(b"\x7fELF") => Err(Error::NativeObject { path: owned() }),
        Kind::Bitcode if !is_bitcode(&head) => Err(Error::NotBitcode { path: owned() }),
        Kind::Text if !is_bitcode(&head) => Ok(Kind::Text),
        Kind::Bitcode | Kind::Text => match producer::version(&head) {
            Some(producer) if major(&producer) > Some(LLVM_MAJOR) => {
                Err(Error::NewerLlvm { path: owned(), producer, reader: llvm_version() })
            }
            _ => Ok(Kind::Bitcode),
        },
    }
}

/// Enough for every magic number and for the block that names the producer of bitcode.
const HEAD: u64 = 128;

/// Raw bitcode, or bitcode in the wrapper that some tools put around it.
fn is_bitcode(head: &[u8]) -> bool {
    head.starts_with(b"BC\xc0\xde") || head.starts_with(&[0xde, 0xc0, 0x17, 0x0b])
}

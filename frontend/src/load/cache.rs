//! Programs that were loaded before.
//!
//! A large program is kept, as it was lowered, in a file of its own. The name of the file is a hash of what is at hand
//! before anything is compiled: the inputs, the options, the directory, the compiler and this tool, each as the file
//! that it is. What clang reads besides, headers above all, is only known once it has preprocessed the sources; so the
//! file begins with a hash of what came of that, which is compared before the rest is used. A program is not kept if
//! any file that it was made of changed while it was loaded, or shortly before.
//!
//! **Nothing in a cache is trusted.** A file that is cut off, altered, or of another version has another checksum; what
//! passes is checked by the rules of the code ([`crate::ir::check`]) as well. Whatever is wrong with a file, the
//! program is loaded as if there were none, and the file is written anew. A file is written under another name first,
//! so that runs at the same time see all of it or nothing.
use super::clang::Clang;
use super::{Options, Program, Reader, Stub};
use crate::ir;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// Where programs are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cache {
    /// The directory; it need not exist.
    pub directory: PathBuf,
    /// The most bytes that its files may have together.
    pub limit: u64,
}

/// Programs with fewer instructions load fast enough.
const WORTH: usize = 20_000;

/// What a file begins with: the form of what follows.
const MAGIC: [u8; 8] = *b"verify\0\x02";

/// Bytes before the program: [`MAGIC`], the hash of what was preprocessed, that of the program.
const HEADER: usize = 40;

/// The place for a program in a cache.
pub(super) struct Place<'a> {
    cache: &'a Cache,
    file: PathBuf,
    inputs: &'a [PathBuf],
    options: &'a Options,
    /// When the inputs were read.
    read: SystemTime,
}

/// What clang makes of the sources before it compiles them.
struct Preprocessed {
    /// A hash of it, and of all files that are read for that.
    hash: u128,
    /// When the newest of them changed last.
    newest: SystemTime,
}

/// A change shortly before may have a time that is not later: clocks of file systems tick.
const TICK: Duration = Duration::from_millis(50);

impl<'a> Place<'a> {
    /// The place for the program made of these inputs; none if there is no cache, or if what comes of the inputs
    /// depends on files that we do not see.
    pub(super) fn of(inputs: &'a [PathBuf], options: &'a Options) -> Option<Place<'a>> {
        let cache = options.cache.as_ref()?;
        let stub_files = options.stubs.iter().any(|stub| matches!(stub, Stub::File(_)));
        let plain = options.cflags.iter().all(|flag| is_plain(flag));
        if !options.commands.is_empty() || options.own_lines || stub_files || !plain {
            return None;
        }
        // The library comes with the tool, and is as large as a program.
        let mut counting = options.clone();
        (counting.library, counting.cache, counting.reader) = (Vec::new(), None, Reader::InProcess);
        let read = SystemTime::now();
        let mut hash = Xxh3::new();
        hash.update(&MAGIC);
        update(&mut hash, format!("{counting:?}").as_bytes());
        update(&mut hash, std::env::current_dir().ok()?.as_os_str().as_encoded_bytes());
        stamp(&mut hash, &std::env::current_exe().ok()?)?;
        let compiles = inputs.iter().any(|input| is_source(input));
        if compiles {
            stamp(&mut hash, Clang::find(options.clang.as_deref()).ok()?.path())?;
        }
        for input in inputs {
            update(&mut hash, input.as_os_str().as_encoded_bytes());
            update(&mut hash, &fs::read(input).ok()?);
        }
        let file = cache.directory.join(format!("{:032x}.program", hash.digest128()));
        Some(Place { cache, file, inputs, options, read })
    }

    /// The program that is kept there, if it is what the inputs still mean.
    pub(super) fn get(&self) -> Option<Program> {
        let mut file = fs::File::open(&self.file).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        let program = self.decode(&bytes);
        match &program {
            // The files that were not used for the longest time go first.
            Some(_) => drop(file.set_modified(SystemTime::now())),
            None => tracing::debug!(file = %self.file.display(), "what is in the cache is of no use"),
        }
        program
    }

    fn decode(&self, bytes: &[u8]) -> Option<Program> {
        let (header, payload) = bytes.split_at_checked(HEADER)?;
        let (magic, hashes) = header.split_at(MAGIC.len());
        let (read, sum) = hashes.split_at(16);
        if magic != MAGIC || sum != xxh3_128(payload).to_le_bytes() || read != self.preprocessed()?.hash.to_le_bytes() {
            return None;
        }
        let (module, warnings): (ir::Module, Vec<String>) = postcard::from_bytes(payload).ok()?;
        ir::check(&module).ok()?;
        Some(Program { module, warnings })
    }

    /// Keeps a program, if it is large. That this does not work is no reason to complain.
    pub(super) fn put(&self, program: &Program) {
        if program.module.functions.iter().map(|function| function.code.len()).sum::<usize>() < WORTH {
            return;
        }
        if let Err(error) = self.write(program) {
            tracing::debug!(%error, "the program could not be kept");
        }
    }

    fn write(&self, program: &Program) -> std::io::Result<()> {
        let Some(Preprocessed { hash, newest }) = self.preprocessed() else { return Ok(()) };
        if newest + TICK > self.read {
            return Ok(());
        }
        let payload = postcard::to_stdvec(&(&program.module, &program.warnings)).map_err(std::io::Error::other)?;
        let size = (HEADER + payload.len()) as u64;
        if size > self.cache.limit {
            return Ok(());
        }
        fs::create_dir_all(&self.cache.directory)?;
        self.make_room(size)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.cache.directory)?;
        for part in [&MAGIC[..], &hash.to_le_bytes(), &xxh3_128(&payload).to_le_bytes(), &payload] {
            std::io::Write::write_all(&mut file, part)?;
        }
        file.persist(&self.file).map_err(|error| error.error)?;
        Ok(())
    }

    /// Removes files until another one of that size fits, those first that were not used for the longest time. What a
    /// run left that was killed while it wrote is old, too, some day.
    fn make_room(&self, size: u64) -> std::io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.cache.directory)? {
            let Ok(entry) = entry else { continue };
            if let Ok(data) = entry.metadata()
                && data.is_file()
                && entry.path() != self.file
            {
                files.push((data.modified().unwrap_or(SystemTime::UNIX_EPOCH), data.len(), entry.path()));
            }
        }
        files.sort();
        let mut total: u64 = size + files.iter().map(|(_, size, _)| size).sum::<u64>();
        for (_, size, path) in files {
            if total <= self.cache.limit {
                break;
            }
            // Another run may have removed it.
            let _ = fs::remove_file(path);
            total -= size;
        }
        Ok(())
    }

    /// Preprocesses the sources.
    fn preprocessed(&self) -> Option<Preprocessed> {
        let mut hash = Xxh3::new();
        let changed = |path: &Path| path.metadata().and_then(|data| data.modified());
        let mut newest = SystemTime::UNIX_EPOCH;
        for input in self.inputs {
            newest = newest.max(changed(input).ok()?);
            if !is_source(input) {
                continue;
            }
            let text = Clang::find(self.options.clang.as_deref()).ok()?.preprocess(input, self.options)?;
            let mut files: Vec<&[u8]> = text.split(|byte| *byte == b'\n').filter_map(named_file).collect();
            files.sort_unstable();
            files.dedup();
            for file in files {
                use std::os::unix::ffi::OsStrExt as _;
                let path = Path::new(std::ffi::OsStr::from_bytes(file));
                update(&mut hash, file);
                // (`<built-in>` is none.)
                update(&mut hash, &fs::read(path).unwrap_or_default());
                newest = newest.max(changed(path).unwrap_or(newest));
            }
            update(&mut hash, &text);
        }
        Some(Preprocessed { hash: hash.digest128(), newest })
    }
}

/// Adds bytes, and how many they are.
fn update(hash: &mut Xxh3, bytes: &[u8]) {
    hash.update(&(bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// Adds which file it is, and which state of it.
fn stamp(hash: &mut Xxh3, path: &Path) -> Option<()> {
    let path = path.canonicalize().ok()?;
    let data = path.metadata().ok()?;
    let modified = data.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    update(hash, path.as_os_str().as_encoded_bytes());
    hash.update(&data.len().to_le_bytes());
    hash.update(&modified.as_nanos().to_le_bytes());
    Some(())
}

fn is_source(input: &Path) -> bool {
    matches!(super::input::inspect(input), Ok(super::input::Kind::Source))
}

/// Whether an option of clang has clang read no files but those that preprocessing names.
fn is_plain(flag: &str) -> bool {
    const PLAIN: [&str; 12] =
        ["-D", "-U", "-I", "-isystem", "-iquote", "-include", "-std=", "-W", "-w", "-O", "-g", "-pthread"];
    let target = flag.starts_with("-m") && !flag.contains('=');
    let code = flag.starts_with("-f") && !flag.contains('=') && !flag.starts_with("-fmodules");
    !flag.starts_with('@')
        && (!flag.starts_with('-') || target || code || PLAIN.iter().any(|it| flag.starts_with(it)))
        && !flag.starts_with("-Wl,")
        && !flag.starts_with("-Wp,")
}

/// The file in a line marker: `# 12 "file.h" 1`.
fn named_file(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b"# ")?;
    let start = rest.iter().position(|byte| *byte == b'"')? + 1;
    let end = start + rest[start..].iter().position(|byte| *byte == b'"')?;
    Some(&rest[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of some size, the directory with its sources and its cache, and what is given for it.
    struct Case {
        directory: tempfile::TempDir,
        inputs: Vec<PathBuf>,
        options: Options,
    }

    impl Case {
        fn new() -> Case {
            let directory = tempfile::tempdir().expect("makes a directory");
            let body = "x = x * 3 + y; y ^= x >> 2;\n".repeat(8000);
            let text = format!(
                "#include \"h.h\"\nint f(int x, int y) {{\n{body}return x + H; }}\nint main(void) {{ return f(1, 2); }}\n"
            );
            write(&directory.path().join("a.c"), &text);
            write(&directory.path().join("h.h"), "#define H 1\n");
            let inputs = vec![directory.path().join("a.c")];
            let cache = Some(Cache { directory: directory.path().join("cache/verify"), limit: 1 << 30 });
            Case { directory, inputs, options: Options { cache, ..Options::default() } }
        }

        fn load(&self) -> Program {
            super::super::load(&self.inputs, &self.options).expect("loads")
        }

        /// What is kept now.
        fn kept(&self) -> Option<Program> {
            Place::of(&self.inputs, &self.options).expect("there is a place").get()
        }

        fn files(&self) -> Vec<PathBuf> {
            let files = fs::read_dir(&self.options.cache.as_ref().expect("there is one").directory);
            files.map(|files| files.map(|file| file.expect("readable").path()).collect()).unwrap_or_default()
        }
    }

    /// Writes a file that has not changed for an hour.
    fn write(path: &Path, text: &str) {
        fs::write(path, text).expect("writes");
        let file = fs::File::options().write(true).open(path).expect("opens");
        file.set_modified(SystemTime::now() - Duration::from_secs(3600)).expect("sets its time");
    }

    #[test]
    fn what_comes_back_is_what_was_loaded() {
        let case = Case::new();
        assert!(case.kept().is_none() && case.files().is_empty());
        let loaded = case.load();
        let kept = case.kept().expect("it is kept");
        assert_eq!(kept.module.to_string(), loaded.module.to_string());
        assert_eq!(kept.warnings, loaded.warnings);
        assert_eq!(case.load().module.to_string(), loaded.module.to_string());
    }

    #[test]
    fn whatever_changes_is_noticed() {
        let mut case = Case::new();
        case.load();
        let header = case.directory.path().join("h.h");
        write(&header, "#define H 2\n");
        assert!(case.kept().is_none(), "a header has changed");
        write(&header, "#define   H 1\n");
        assert!(case.kept().is_none(), "only columns have changed");
        write(&header, "#define H 1\n");
        assert!(case.kept().is_some());
        case.options.defines.push("X".into());
        assert!(case.kept().is_none(), "an option has changed");
        case.options.defines.clear();
        let text = fs::read_to_string(&case.inputs[0]).expect("readable");
        write(&case.inputs[0], &(text + "\n"));
        assert!(case.kept().is_none(), "the source has changed");
        fs::write(&header, "#define H 1\n").expect("writes");
        case.load();
        assert!(case.kept().is_none(), "what is as new as this may have been different when clang read it");
    }

    #[test]
    fn corrupt_files_are_written_anew() {
        let case = Case::new();
        let code = case.load().module.to_string();
        let file = case.files().remove(0);
        let good = fs::read(&file).expect("readable");
        for at in [0, 7, 12, 30, HEADER, HEADER + 1, good.len() / 2, good.len() - 1] {
            let mut bad = good.clone();
            bad[at] ^= 4;
            fs::write(&file, &bad).expect("writes");
            assert!(case.kept().is_none(), "byte {at}");
            fs::write(&file, &good[..at]).expect("writes");
            assert!(case.kept().is_none(), "cut off at {at}");
        }
        assert_eq!(case.load().module.to_string(), code);
        assert_eq!(fs::read(&file).expect("readable"), good);
    }

    /// Code that breaks the rules is not used, even if its checksum is right.
    #[test]
    fn code_is_checked() {
        let case = Case::new();
        let mut program = case.load();
        assert!(case.kept().is_some());
        let place = Place::of(&case.inputs, &case.options).expect("there is a place");
        let function = program.module.functions.iter_mut().find(|function| function.name == "f").expect("it is there");
        function.code.pop();
        place.put(&program);
        assert!(case.kept().is_none());
    }

    #[test]
    fn a_cache_has_a_limit() {
        let mut case = Case::new();
        case.load();
        let size = fs::metadata(&case.files()[0]).expect("it is there").len();
        case.options.cache.as_mut().expect("there is one").limit = size * 5 / 2;
        for macros in ["A", "B", "C", "D"] {
            case.options.defines = vec![macros.into()];
            case.load();
            assert!(case.files().len() <= 2);
            assert!(case.kept().is_some(), "the newest stays");
        }
        case.options.cache.as_mut().expect("there is one").limit = size / 2;
        case.options.defines = vec!["E".into()];
        case.load();
        assert!(case.kept().is_none(), "too large");
    }

    #[test]
    fn options_with_files_of_their_own() {
        for flag in ["-DX=1", "-I", "dir", "-fwrapv", "-m32", "-std=c99", "-Wall", "-include"] {
            assert!(is_plain(flag), "{flag}");
        }
        for flag in [
            "@file",
            "-fplugin=x.so",
            "-fprofile-use=x",
            "-fmodules",
            "-Xclang",
            "-load",
            "--config",
            "-Wl,-x",
            "-march=native",
        ] {
            assert!(!is_plain(flag), "{flag}");
        }
        assert_eq!(named_file(b"# 12 \"a b.h\" 1 3"), Some(&b"a b.h"[..]));
        assert_eq!(named_file(b"#pragma once"), None);
    }
}

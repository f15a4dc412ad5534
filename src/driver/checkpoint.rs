//! Explorations that survive: what is needed to go on is written to a file now and then, and read again.
//!
//! A checkpoint holds for one program, one set of options and one build of this tool, and says which. It is written
//! beside the file and renamed, so that there is always a whole one.
use super::identity::Identity;
use super::replay::Recording;
use super::suppression::Met;
use crate::report::{Reason, Suppressed, Violation};
use crate::request::Request;
use frontend::ir::Module;
use object::Object;
use serde::{Deserialize, Serialize};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// How every file begins, of whatever version.
const KIND: &[u8] = b"verify checkpoint ";

/// How every file begins; the digit is the version of the format.
const MAGIC: &[u8] = b"verify checkpoint 1\n";

/// Where and how often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    /// The file.
    pub file: PathBuf,
    /// How much time passes between two checkpoints at least.
    pub interval: Duration,
    /// Go on from what is in the file, if there is one.
    pub resume: bool,
    /// The exploration ends at a checkpoint after so many executions.
    pub stop_after: u64,
}

/// What is in a file.
#[derive(Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    /// The build of this tool, the program and the options.
    made_for: [u64; 3],
    /// For [`por::resume`].
    pub exploration: Vec<u8>,
    /// For [`interp::Machine::take_over`].
    pub machine: Vec<u8>,
    /// Bugs found, in their order.
    pub bugs: Vec<Bug>,
    /// How each can be shown again, if that is to be saved.
    pub recordings: Vec<Recording>,
    /// There are others, which nobody asked for.
    pub others: bool,
    /// Reasons for "unknown".
    pub reasons: Vec<Reason>,
    /// Bugs that are not to be reported, and what is known of these.
    pub suppressed: Vec<Suppressed>,
    pub met: Met,
    /// How often the exploration started again, and the instructions executed until then, and in all.
    pub restarts: u64,
    pub earlier_instructions: u64,
    pub instructions: u64,
    /// Executions since the first bug.
    pub effort: u32,
}

/// A bug that was found and confirmed.
#[derive(Serialize, Deserialize)]
pub(crate) struct Bug {
    pub(super) identity: Identity,
    /// Its place in the list of all.
    pub index: usize,
    /// How many moves lead to it.
    pub length: usize,
    /// What is said of it.
    pub violation: Violation,
}

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unfit {
    /// It is somebody else's.
    #[error("it is no checkpoint of this version of verify, and would be lost; name another file")]
    Foreign,
    /// Work would be lost.
    #[error("there is a checkpoint of this exploration; add --resume to go on from it, or remove it to begin anew")]
    Unfinished,
    /// There is no going on from it, for this reason.
    #[error("cannot go on from this checkpoint: {0}; leave out --resume to begin anew")]
    Useless(String),
    /// The system refuses to read it.
    #[error("cannot read this checkpoint: {0}")]
    Unreadable(std::io::Error),
}

/// Writes checkpoints.
pub(crate) struct Writer {
    plan: Plan,
    made_for: [u64; 3],
    /// When the last checkpoint was written, and when that was last asked for.
    last: Instant,
    asked: Instant,
    /// The exploration can go on from the file: it did, or has written it.
    usable: bool,
}

impl Writer {
    /// For an exploration of that program that begins now.
    pub(crate) fn new(plan: &Plan, request: &Request, module: &Module) -> std::io::Result<Self> {
        let (plan, made_for, now) = (plan.clone(), identity(request, module)?, Instant::now());
        Ok(Writer { plan, made_for, last: now, asked: now, usable: false })
    }

    /// Called after each execution: whether it is time for the next one.
    pub(super) fn is_due(&mut self) -> bool {
        self.plan.stop_after = self.plan.stop_after.saturating_sub(1);
        self.asked = Instant::now();
        self.is_last() || self.asked.duration_since(self.last) >= self.plan.interval
    }

    /// Whether the exploration ends here.
    pub(super) fn is_last(&self) -> bool {
        self.plan.stop_after == 0
    }

    /// What the file says, if the exploration is to go on from there and there is one.
    pub(crate) fn read(&self) -> Result<Option<Checkpoint>, Unfit> {
        // (A device would be replaced by a file.)
        if std::fs::metadata(&self.plan.file).is_ok_and(|what| !what.is_file()) {
            return Err(Unfit::Foreign);
        }
        let bytes = match std::fs::read(&self.plan.file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Unfit::Unreadable(error)),
        };
        match bytes.starts_with(KIND) {
            // A name that was reserved for us.
            false if bytes.is_empty() => Ok(None),
            false => Err(Unfit::Foreign),
            true if self.plan.resume => self.decode(&bytes).map(Some).map_err(Unfit::Useless),
            true if self.decode(&bytes).is_ok() => Err(Unfit::Unfinished),
            // It serves no exploration like this one.
            true => Ok(None),
        }
    }

    /// The checkpoint in a file. An error says why it does not serve.
    fn decode(&self, bytes: &[u8]) -> Result<Checkpoint, String> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("it is no checkpoint of this version of verify")?;
        let (sum, content) = rest.split_first_chunk().ok_or("it is cut off")?;
        if u64::from_le_bytes(*sum) != xxh3_64(content) {
            return Err("it is cut off, or was changed".to_owned());
        }
        let checkpoint: Checkpoint = postcard::from_bytes(content).map_err(|error| error.to_string())?;
        let what = ["verify itself has", "the program has", "the options have"];
        let both = checkpoint.made_for.iter().zip(self.made_for);
        match what.iter().zip(both).find(|(_, (theirs, ours))| *theirs != ours) {
            Some((other, _)) => Err(format!("{other} changed since it was written")),
            None => Ok(checkpoint),
        }
    }

    /// The exploration goes on from the file.
    pub(super) fn note_restored(&mut self) {
        self.usable = true;
    }

    /// Writes one.
    pub(super) fn write(&mut self, checkpoint: Checkpoint) -> std::io::Result<()> {
        let checkpoint = Checkpoint { made_for: self.made_for, ..checkpoint };
        let content = postcard::to_stdvec(&checkpoint).map_err(std::io::Error::other)?;
        let directory = self.plan.file.parent().filter(|parent| !parent.as_os_str().is_empty());
        let mut file = tempfile::NamedTempFile::new_in(directory.unwrap_or(Path::new(".")))?;
        for part in [MAGIC, &xxh3_64(&content).to_le_bytes(), &content] {
            file.write_all(part)?;
        }
        file.as_file().sync_data()?;
        file.persist(&self.plan.file).map_err(|error| error.error)?;
        self.usable = true;
        // Large states take long to gather and to write: that should not be what the time goes into.
        self.last = Instant::now();
        self.plan.interval = self.plan.interval.max(20 * self.last.duration_since(self.asked));
        Ok(())
    }

    /// The exploration has come to its end: its checkpoint is of no use any more.
    pub(super) fn remove(&self) {
        if self.usable
            && let Err(error) = std::fs::remove_file(&self.plan.file)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%error, file = %self.plan.file.display(), "a checkpoint cannot be removed");
        }
    }

    /// Whether the exploration can go on from the file.
    pub(super) fn is_usable(&self) -> bool {
        self.usable
    }

    /// The file.
    pub(super) fn file(&self) -> &Path {
        &self.plan.file
    }
}

impl Checkpoint {
    /// What is to be written; [`Writer`] adds what it is made for.
    pub(super) fn new(exploration: Vec<u8>, machine: Vec<u8>) -> Self {
        Checkpoint {
            made_for: [0; 3],
            exploration,
            machine,
            bugs: Vec::new(),
            recordings: Vec::new(),
            others: false,
            reasons: Vec::new(),
            suppressed: Vec::new(),
            met: Met::default(),
            restarts: 0,
            earlier_instructions: 0,
            instructions: 0,
            effort: 0,
        }
    }
}

/// What tells this executable from others: what the linker made of its content, or else its content.
pub(super) fn build() -> std::io::Result<u64> {
    let mut file = std::fs::File::open(std::env::current_exe()?)?;
    let parts = object::ReadCache::new(&mut file);
    if let Ok(Some(id)) = object::File::parse(&parts).and_then(|file| file.build_id().map(|id| id.map(xxh3_64))) {
        return Ok(id);
    }
    file.rewind()?;
    let mut build = Xxh3::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(build.digest()),
            length => build.update(&buffer[..length]),
        }
    }
}

/// What decides how an exploration goes: this build, the program, the options.
fn identity(request: &Request, module: &Module) -> std::io::Result<[u64; 3]> {
    let mut options = Xxh3::new();
    let all = (&request.machine, &request.exploration, request.after_bug, &request.rules, &request.suppressions);
    let kept = (request.save_trace.is_some(), request.output.program_output);
    options.update(format!("{all:?} {kept:?}").as_bytes());
    Ok([build()?, xxh3_64(module.to_string().as_bytes()), options.digest()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gathering_counts_for_the_cost() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (file, now) = (directory.path().join("state"), Instant::now());
        let plan = Plan { file, interval: Duration::ZERO, resume: false, stop_after: u64::MAX };
        let mut writer = Writer { plan, made_for: [1, 2, 3], last: now, asked: now, usable: false };
        assert!(writer.is_due());
        std::thread::sleep(Duration::from_millis(100));
        writer.write(Checkpoint::new(Vec::new(), Vec::new())).expect("it can be written");
        assert!(writer.plan.interval >= Duration::from_secs(2), "{:?}", writer.plan.interval);
        assert!(writer.is_usable() && !writer.is_due());
        writer.remove();
        assert!(!writer.file().exists());
    }
}

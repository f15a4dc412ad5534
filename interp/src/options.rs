//! Settings of a machine.
use crate::memory::Quarantine;
use crate::race::RaceModel;
use crate::solver::Settings;
use crate::verdict::fault::Kind;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A set of kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Checks(u16);

impl Checks {
    /// No kind.
    pub const NONE: Checks = Checks(0);

    /// Everything that the machine can check.
    pub fn supported() -> Checks {
        Kind::ALL.into_iter().collect()
    }

    /// Whether a kind is in the set.
    pub fn contains(self, kind: Kind) -> bool {
        self.0 >> kind as u16 & 1 != 0
    }

    /// The set with one more kind.
    #[must_use]
    pub fn with(self, kind: Kind) -> Checks {
        Checks(self.0 | 1 << kind as u16)
    }

    /// The set without one kind.
    #[must_use]
    pub fn without(self, kind: Kind) -> Checks {
        Checks(self.0 & !(1 << kind as u16))
    }

    /// The kinds, in the order of the documentation.
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(move |k| self.contains(*k))
    }
}

impl FromIterator<Kind> for Checks {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Self {
        kinds.into_iter().fold(Checks::NONE, Checks::with)
    }
}

/// What becomes of the program's output.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Output {
    /// Only its digest is kept.
    #[default]
    Discard,
    /// It can be read back with [`crate::Machine::output`].
    Keep,
}

/// Which accesses to memory are visible actions, apart from the atomic ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Interference {
    /// Those to places that race, as far as races are not the bug that ends the exploration: these are *promoted*.
    #[default]
    Auto,
    /// None: plain memory is local, and a race on it is a violation or makes the verdict unknown.
    Synchronisation,
    /// Those of instructions to all globals, heap blocks and stack objects that are not constant, and what races
    /// besides.
    All,
}

/// What becomes of a thread that reads a place again and again until it finds something else there. (See the module
/// `waiting`.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Awaits {
    /// It runs.
    #[default]
    Run,
    /// It is blocked until then.
    Wait,
    /// The same, and so is a thread that fails an assumption on what it reads.
    Assume,
}

/// Which heap blocks must not be there when the process ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Leaks {
    /// Those that nothing leads to any more, so that they cannot be freed.
    #[default]
    Lost,
    /// The same, but where a value that is not read again leads to a block, perhaps one that a variable held before it
    /// was overwritten, nothing is said.
    Untracked,
    /// All.
    All,
}

/// How a value counts that was never written, where something depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Uninitialised {
    /// That is a bug.
    #[default]
    Error,
    /// It is any value: an input, if inputs may be anything.
    Any,
    /// Its bits are 0.
    Zero,
}

/// What the program is given from outside that may be anything: inputs besides those that it asks for by functions made
/// for that.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Open {
    /// Arguments of `main` behind those that are given.
    pub arguments: Option<OpenArguments>,
    /// Standard input has up to so many bytes.
    pub stdin: Option<u32>,
    /// Results of functions that are declared only.
    pub externals: Externals,
}

/// Arguments of `main` that may be anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpenArguments {
    /// There are so many at least.
    pub least: u32,
    /// And at most.
    pub most: u32,
    /// Each has up to so many bytes.
    pub length: u32,
}

/// The functions that are declared but neither defined nor modelled, and of which it is known all the same what they
/// do. A call of another one makes the verdict unknown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Externals {
    /// Those of these names.
    pub named: Vec<(String, External)>,
    /// All others but those of the C library, if anything is said of them.
    pub others: Option<External>,
}

/// What a function does that nothing defines. None of them writes to memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum External {
    /// It returns any integer.
    Any,
    /// It returns zero.
    Zero,
    /// It returns, without a result.
    Nothing,
}

impl Externals {
    /// Whether what some return is an input.
    pub fn has_any(&self) -> bool {
        self.named.iter().map(|(_, external)| *external).chain(self.others).any(|external| external == External::Any)
    }
}

/// Where a new block may have the address of one that was freed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Reuse {
    /// Nowhere: "safe" assumes that this makes no difference where it could.
    Never,
    /// Where a compare-exchange would find such an address.
    Exchanged,
    /// Also where the program compares such an address in another way.
    Compared,
}

/// Settings of a machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Options {
    /// What orders accesses, as far as data races go.
    pub race_model: RaceModel,
    /// What is a violation. Undefined behaviour that is not asked for makes the verdict unknown.
    pub checks: Checks,
    /// Which heap blocks are leaks.
    pub leaks: Leaks,
    /// Which plain accesses are visible.
    pub interference: Interference,
    /// Instructions that a thread may execute between two visible actions.
    pub max_steps: u64,
    /// How many values a choice of an integer enumerates; 0: none, such a choice is unknown.
    pub nondet: u32,
    /// What solves constraints on inputs, if inputs may be anything. (A choice of an integer is an input then.)
    pub symbolic: Option<Settings>,
    /// How a value counts that was never written. If not as a bug, `checks` does not contain that.
    pub uninitialised: Uninitialised,
    /// A thread that waits on a condition variable may wake up without a signal.
    pub spurious_wakeups: bool,
    /// Where a new block may have the address of one that was freed (see the module `reuse`).
    pub reuse: Reuse,
    /// What becomes of threads that spin until they read something else; `None`: what the engine needs, see
    /// [`por::Needs::waits`].
    pub awaits: Option<Awaits>,
    /// Updates whose result is not used need not be ordered (see [`por::Effect::Updates`]), if the engine makes use of
    /// that.
    pub commuting_updates: bool,
    /// Stores need no order either where every thread stores the same (see [`por::Effect::Sets`]).
    pub same_values: bool,
    /// Atomic blocks depend on what they touch. Otherwise each depends on every action.
    pub footprints: bool,
    /// Critical sections of one mutex that have nothing to do with one another are not ordered.
    pub sections: bool,
    /// Ends of threads and joins are parts of the actions before them, if the engine asks for that.
    pub merge_ends: bool,
    /// Threads that nothing tells apart are explored up to exchange, unless the engine looks for states that come
    /// again.
    pub symmetry: bool,
    /// The function that the program starts with.
    pub entry: String,
    /// `argv`, the program's name first.
    pub arguments: Vec<String>,
    /// What else is open.
    pub open: Open,
    /// The environment, as `NAME=value`.
    pub environment: Vec<String>,
    /// The files that the program finds, by name; `/dev/stdin` is what it reads from its standard input.
    #[serde(with = "contents")]
    pub files: Vec<(String, Arc<[u8]>)>,
    /// What becomes of the program's output.
    pub output: Output,
    /// How soon addresses are used again; `None`: soon if the engine needs that, see [`por::Needs::states`]. Numbers of
    /// threads are used again only if it is [`Quarantine::SHORT`].
    pub quarantine: Option<Quarantine>,
    /// The number of the layout of memory: where objects lie.
    pub layout: u32,
    /// It is noted which instructions are executed; all takes longer then.
    pub coverage: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            race_model: RaceModel::C11,
            checks: Checks::supported(),
            leaks: Leaks::default(),
            interference: Interference::default(),
            max_steps: 1_000_000_000,
            nondet: 0,
            symbolic: None,
            uninitialised: Uninitialised::Error,
            spurious_wakeups: false,
            reuse: Reuse::Exchanged,
            awaits: None,
            commuting_updates: false,
            same_values: false,
            footprints: true,
            sections: false,
            merge_ends: false,
            symmetry: false,
            entry: "main".to_owned(),
            arguments: vec!["program".to_owned()],
            open: Open::default(),
            environment: Vec::new(),
            files: Vec::new(),
            output: Output::Discard,
            quarantine: None,
            layout: 0,
            coverage: false,
        }
    }
}

/// Why a program cannot be run at all.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// Nothing with a body to start with.
    #[error("the program has no function `{0}`")]
    NoEntry(String),
    /// A function was named whose results may be anything, but it is known.
    #[error("`{name}` is no external function: {why}")]
    NotExternal {
        /// Its name.
        name: String,
        /// What it is.
        why: &'static str,
    },
    /// Memory cannot be laid out.
    #[error("the program's globals do not fit into memory: {0}")]
    Layout(String),
}

/// Files by value.
mod contents {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    type Files = Vec<(String, Arc<[u8]>)>;

    pub(super) fn serialize<S: Serializer>(files: &Files, serializer: S) -> Result<S::Ok, S::Error> {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, content)| (name.as_str(), &content[..])).collect();
        files.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Files, D::Error> {
        let files: Vec<(String, Vec<u8>)> = Vec::deserialize(deserializer)?;
        Ok(files.into_iter().map(|(name, content)| (name, content.into())).collect())
    }
}

//! What the command line means: complete settings for every part of the program, checked for what is not available.
//!
//! One file: every option has its meaning here, a few lines each.
use super::low::{AwaitsName, OrderName, RaceModelName, ReuseName, Switch, SymbolicName, UninitialisedName};
use super::low::{CheckArguments, ColorChoice, EngineName, FailOnName, InterferenceName, LeaksName};
use super::low::{CheckWord, VolatileName};
use crate::driver::checkpoint::Plan;
use crate::report::style::Style;
use crate::report::text::Detail;
use crate::report::{FailOn, Format, Unfolding};
use crate::request::{AfterBug, Certify, Effort, Limits, Output, Request, Rules, SaveTrace, UsageError, Workers};
use frontend::ir::DataModel;
use frontend::{Stub, Volatile};
use interp::fault::Kind;
use interp::race::RaceModel;
use interp::solver::{Backend, Settings};
use interp::{Awaits, Checks, Interference, Leaks, Reuse, Uninitialised};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The most bytes of programs that are kept.
const CACHE_LIMIT: u64 = 512 << 20;

/// What is made of the first bug unless more is asked for: next to nothing where executions are short.
const SOME: Effort = Effort::Executions(50);

impl Request {
    /// The meaning of what was typed.
    pub(crate) fn new(typed: CheckArguments) -> Result<Self, UsageError> {
        let engine = engine(typed.engine);
        let cutoffs = typed.cutoffs == Switch::On && engine == por::Engine::Unfolding;
        let awaits = typed.awaits.map(|awaits| match awaits {
            AwaitsName::On => Awaits::Wait,
            AwaitsName::Assumptions => Awaits::Assume,
            AwaitsName::Off => Awaits::Run,
        });
        let uninitialised = match typed.uninitialised {
            UninitialisedName::Error => Uninitialised::Error,
            UninitialisedName::Any => Uninitialised::Any,
            UninitialisedName::Zero => Uninitialised::Zero,
        };
        let symbolic = typed.symbolic == SymbolicName::Auto && typed.nondet.is_none();
        let output = output(&typed);
        let checkpoint = checkpoint(&typed, engine)?;
        let shows_unfolding = shows_unfolding(&typed, engine)?;
        let (workers, others_beside) = (workers(&typed), has_others_beside(&typed, cutoffs));
        let defaults = interp::Options::default();
        let open = typed.open.meaning(symbolic)?;
        let needs = open.arguments.map(|_| interp::OPENS_ARGUMENTS);
        let entry = typed.entry;
        let program = typed.inputs.first().map(|input| input.with_extension("").display().to_string());
        Ok(Request {
            machine: interp::Options {
                race_model: match typed.race_model {
                    RaceModelName::C11 => RaceModel::C11,
                    RaceModelName::C20 => RaceModel::C20,
                    RaceModelName::Sc => RaceModel::Sc,
                },
                checks: checks(&typed.check, uninitialised)?,
                leaks: match typed.leaks {
                    LeaksName::Lost => Leaks::Lost,
                    LeaksName::All => Leaks::All,
                },
                interference: match typed.interference {
                    InterferenceName::Auto => Interference::Auto,
                    InterferenceName::Sync => Interference::Synchronisation,
                    InterferenceName::All => Interference::All,
                },
                max_steps: typed.max_steps.unwrap_or(defaults.max_steps),
                nondet: typed.nondet.unwrap_or(0),
                symbolic: (symbolic || typed.symbolic == SymbolicName::Auto && uninitialised == Uninitialised::Any)
                    .then(|| solver(typed.solver, typed.second_solver, typed.solver_time))
                    .transpose()?,
                uninitialised,
                spurious_wakeups: typed.spurious_wakeups,
                reuse: match typed.reuse {
                    ReuseName::Auto => Reuse::Exchanged,
                    ReuseName::All => Reuse::Compared,
                    ReuseName::Off => Reuse::Never,
                },
                awaits,
                commuting_updates: typed.commuting_updates == Switch::On,
                same_values: typed.same_values == Switch::On,
                footprints: typed.footprints == Switch::On,
                // (The unfolding is shown as it is with all locks.)
                sections: typed.sections == Switch::On && !shows_unfolding,
                merge_ends: typed.merge_ends == Switch::On && !shows_unfolding,
                // (Of an engine that is named, the executions are those that its papers count.)
                symmetry: typed.symmetry.map_or(others_beside, |when| when == Switch::On) && !shows_unfolding,
                entry: entry.clone().unwrap_or(defaults.entry),
                environment: typed.environment,
                arguments: program.into_iter().chain(typed.program_arguments).collect(),
                open,
                quarantine: defaults.quarantine,
                files: files(&typed.files, typed.stdin.as_deref())?,
                output: if typed.show_output { interp::Output::Keep } else { interp::Output::Discard },
                layout: defaults.layout,
                coverage: !typed.coverage.is_empty(),
            },
            loading: frontend::Options {
                clang: typed.clang,
                defines: typed.defines,
                includes: typed.includes,
                standard: typed.standard,
                model: match (typed.m32, typed.m64) {
                    (true, _) => Some(DataModel::Ilp32),
                    (false, true) => Some(DataModel::Lp64),
                    (false, false) => None,
                },
                optimise: typed.optimise,
                cflags: typed.cflags,
                commands: match &typed.compdb {
                    Some(file) => super::compdb::commands(file, &typed.units)?,
                    None => Vec::new(),
                },
                entry,
                library: library(),
                needs: needs.into_iter().collect(),
                own_lines: false,
                unwritten_in_memory: uninitialised != Uninitialised::Error,
                cache: if typed.no_cache { None } else { cache() },
                reader: reader()?,
                stubs: stubs(&typed.stubs)?,
                volatile: match typed.volatile {
                    VolatileName::Plain => Volatile::Plain,
                    VolatileName::Atomic => Volatile::Atomic,
                },
            },
            inputs: typed.inputs,
            checks_set_by: typed.checks_set_by,
            exploration: por::Options {
                engine,
                alternatives: typed.alternatives,
                cutoffs: cutoffs.then_some(match typed.cutoff_order {
                    OrderName::Erv => por::Order::Erv,
                    OrderName::Size => por::Order::Size,
                }),
                max_executions: typed.max_executions,
                verify_states: typed.debug_states,
                memory: typed.memory_limit.map(|limit| budget(limit, others_beside)),
                sleep_sets: typed.states.sleep_sets == Switch::On,
                persistent_sets: typed.states.persistent_sets == Switch::On,
                state_bits: typed.states.bits(engine)?,
                shortest: typed.states.is_shortest(engine)?,
                prefix: shows_unfolding.then_some(Unfolding::MOST_EVENTS),
                ..por::Options::default()
            },
            any_engine: typed.engine == EngineName::Auto,
            workers,
            others_beside,
            layouts: typed.layouts,
            hunt: typed.hunt.meaning(typed.states.shortest || engine == por::Engine::Naive)?,
            after_bug: match (typed.keep_going, typed.minimise) {
                (true, _) => AfterBug::KeepGoing,
                (false, true) => AfterBug::Shorten(Effort::All),
                (false, false) => AfterBug::Shorten(SOME),
            },
            rules: Rules::Usual,
            limits: Limits { time: typed.time_limit, cpu: typed.cpu_limit, memory: typed.memory_limit },
            prints: typed.instead.meaning(),
            output,
            checkpoint,
            reports: typed.reports,
            coverage: typed.coverage,
            fail_on: fail_on(&typed.fail_on)?,
            suppressions: Arc::default(),
            certify: typed.certify.map(|file| Certify { file, most_states: typed.certify_states }),
            save_trace: save_trace(typed.save_trace, typed.command_line)?,
        })
    }
}

/// With a limit of the time of all processors, it is the user who says that there are to be several; and checkpoints
/// are those of one engine.
fn workers(typed: &CheckArguments) -> Workers {
    let workers = typed.jobs.meaning();
    let is_alone = typed.cpu_limit.is_some() || typed.checkpoint.is_some();
    if is_alone && !workers.is_asked { Workers::ONE } else { workers }
}

/// Whether the engine is ours to choose, and what is asked for is an answer, from whichever engine. (With what is left
/// out here, it matters which schedules are explored.)
fn has_others_beside(typed: &CheckArguments, cutoffs: bool) -> bool {
    let is_ours = typed.engine == EngineName::Auto && cutoffs;
    let counts = typed.max_executions.is_some() || typed.checkpoint.is_some() || typed.debug_states.is_some();
    is_ours && !counts && !typed.keep_going && !typed.minimise && !asks_for_unfolding(typed)
}

/// What is a violation. What was never written is none if it counts as a value.
fn checks(words: &[CheckWord], uninitialised: Uninitialised) -> Result<Checks, UsageError> {
    let (mut named, mut all) = (Checks::NONE, Checks::supported());
    for word in words {
        match word {
            CheckWord::With(kind) => named = named.with(*kind),
            CheckWord::Without(kind) => all = all.without(*kind),
        }
    }
    if named != Checks::NONE && all != Checks::supported() {
        return Err(UsageError {
            message: "--check names kinds of bugs to look for and others not to look for".to_owned(),
            hint: "name those to look for, or take some away from all: `--check -data-race`".to_owned(),
        });
    }
    if all == Checks::NONE {
        return Err(UsageError {
            message: "--check takes every kind of bug away".to_owned(),
            hint: "leave one to look for".to_owned(),
        });
    }
    let checks = if named == Checks::NONE { all } else { named };
    if uninitialised == Uninitialised::Error {
        return Ok(checks);
    }
    if named.contains(Kind::Uninitialised) {
        return Err(UsageError {
            message: "--check uninitialised looks for bugs that --uninitialised says are none".to_owned(),
            hint: "leave out one of them".to_owned(),
        });
    }
    Ok(checks.without(Kind::Uninitialised))
}

fn save_trace(file: Option<PathBuf>, command_line: Vec<OsString>) -> Result<Option<SaveTrace>, UsageError> {
    let Some(file) = file else { return Ok(None) };
    let words = command_line.into_iter().map(OsString::into_string).collect::<Result<_, _>>();
    match words {
        Ok(command_line) => Ok(Some(SaveTrace { file, command_line })),
        Err(word) => Err(UsageError {
            message: format!("`{}` cannot be saved in a trace: it is no UTF-8", word.display()),
            hint: "leave out --save-trace, or give that another name".to_owned(),
        }),
    }
}

/// What the engine's tables may take of the memory: the machine needs some too, and what is there before it starts, and
/// other engines beside it. (No measurement, for numbers should be the same in every run.)
pub(crate) fn budget(limit: u64, others_beside: bool) -> usize {
    const BEFORE: u64 = 64 << 20;
    let others = if others_beside { limit / 8 } else { 0 };
    usize::try_from((limit.saturating_sub(BEFORE) / 4 * 3).saturating_sub(others)).unwrap_or(usize::MAX)
}

fn checkpoint(typed: &CheckArguments, engine: por::Engine) -> Result<Option<Plan>, UsageError> {
    let Some(file) = typed.checkpoint.clone() else {
        return match typed.resume {
            false => Ok(None),
            true => Err(UsageError {
                message: "--resume goes on from a checkpoint, and no file is named".to_owned(),
                hint: "add --checkpoint FILE".to_owned(),
            }),
        };
    };
    if engine == por::Engine::States {
        return Err(UsageError {
            message:
                "--checkpoint works with the engine `unfolding` only: one of `states` would have to hold every state"
                    .to_owned(),
            hint: "leave out `--engine states`: cutoffs keep what they need in far less".to_owned(),
        });
    }
    if engine != por::Engine::Unfolding || typed.debug_states.is_some() {
        return Err(UsageError {
            message: "--checkpoint works with the engine `unfolding` only, and without --debug-states".to_owned(),
            hint: "leave out the others".to_owned(),
        });
    }
    Ok(Some(Plan {
        file,
        interval: typed.checkpoint_interval,
        resume: typed.resume,
        stop_after: typed.debug_checkpoint.unwrap_or(u64::MAX),
    }))
}

/// A solver that is not there would be missed only when it is first asked.
fn solver(backend: Backend, second: Option<Backend>, limit: Duration) -> Result<Settings, UsageError> {
    for (option, backend) in [("--solver", Some(&backend)), ("--second-solver", second.as_ref())] {
        if let Some(Backend::Command(command)) = backend
            && let Some(name) = command.first()
            && which::which(name).is_err()
        {
            return Err(UsageError {
                message: format!("{option}: there is no program `{name}`"),
                hint: format!("install it, give its path, or use `{option} z3` or `{option} none`"),
            });
        }
    }
    Ok(Settings { backend, limit, second })
}

fn engine(name: EngineName) -> por::Engine {
    match name {
        EngineName::Auto | EngineName::Unfolding => por::Engine::Unfolding,
        EngineName::Optimal => por::Engine::Dpor(por::Reduction::Optimal),
        EngineName::Observers => por::Engine::Dpor(por::Reduction::Observers),
        EngineName::Source => por::Engine::Dpor(por::Reduction::Source),
        EngineName::States => por::Engine::States,
        EngineName::Naive => por::Engine::Naive,
    }
}

fn formats(typed: &CheckArguments) -> impl Iterator<Item = Format> {
    typed.reports.iter().map(|(format, _)| *format).chain([typed.format])
}

fn asks_for_unfolding(typed: &CheckArguments) -> bool {
    formats(typed).any(|format| format == Format::Unfolding)
}

/// Whether a report shows what was explored.
fn shows_unfolding(typed: &CheckArguments, engine: por::Engine) -> Result<bool, UsageError> {
    let asked = asks_for_unfolding(typed);
    if engine != por::Engine::Unfolding && asked {
        return Err(UsageError {
            message: "there is no unfolding with this engine".to_owned(),
            hint: "leave out `--engine`, or the format `unfolding`".to_owned(),
        });
    }
    if typed.checkpoint.is_some() && asked {
        return Err(UsageError {
            message: "what was explored before a checkpoint cannot be shown".to_owned(),
            hint: "leave out `--checkpoint`, or the format `unfolding`".to_owned(),
        });
    }
    let shows = formats(typed).any(|format| matches!(format, Format::Html | Format::Unfolding));
    Ok(shows && typed.checkpoint.is_none())
}

/// The verdicts that are failures; `none` stands alone.
pub(crate) fn fail_on(names: &[FailOnName]) -> Result<FailOn, UsageError> {
    let has = |name| names.contains(&name);
    if has(FailOnName::None) && names.iter().any(|name| *name != FailOnName::None) {
        return Err(UsageError {
            message: "`--fail-on none` together with a verdict".to_owned(),
            hint: "name the verdicts that are failures, or `none`".to_owned(),
        });
    }
    Ok(FailOn { violation: has(FailOnName::Violation), unknown: has(FailOnName::Unknown) })
}

fn output(typed: &CheckArguments) -> Output {
    let color = typed.color;
    Output {
        format: typed.format,
        style: stdout_style(color),
        error_style: Style::new(columns(), colored(color, std::io::stderr().is_terminal())),
        detail: match (typed.quiet || typed.format == Format::Transfer, typed.verbose) {
            (true, _) => Detail::Brief,
            (false, true) => Detail::Full,
            (false, false) => Detail::Normal,
        },
        statistics: typed.stats,
        program_output: typed.show_output,
    }
}

/// How text on standard output looks.
pub(crate) fn stdout_style(color: ColorChoice) -> Style {
    Style::new(columns(), colored(color, std::io::stdout().is_terminal()))
}

/// Colours as asked for; by default on a terminal, unless NO_COLOR (<https://no-color.org>) is set.
pub(crate) fn colored(choice: ColorChoice, terminal: bool) -> bool {
    let refused = || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => terminal && !refused(),
    }
}

/// Columns of the terminal; what COLUMNS says where there is none, else 100.
pub(crate) fn columns() -> usize {
    let told = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    match terminal_size::terminal_size_of(std::io::stdout()) {
        Some((width, _)) => usize::from(width.0),
        None => told().unwrap_or(100),
    }
}

/// Names with contents.
type Files = Vec<(String, Arc<[u8]>)>;

/// The files that the program finds: NAME or NAME=PATH, and its standard input.
fn files(named: &[String], stdin: Option<&Path>) -> Result<Files, UsageError> {
    let named = named.iter().map(|text| text.split_once('=').unwrap_or((text, text)));
    let named = named.map(|(name, path)| (name, Path::new(path)));
    named.chain(stdin.map(|path| ("/dev/stdin", path))).map(|(name, path)| Ok((name.to_owned(), read(path)?))).collect()
}

fn read(path: &Path) -> Result<Arc<[u8]>, UsageError> {
    let content = std::fs::read(path).map_err(|error| UsageError {
        message: format!("{}: cannot be read: {error}", path.display()),
        hint: "`--file NAME=PATH` gives the program a file NAME with the content of PATH".to_owned(),
    })?;
    Ok(content.into())
}

/// The library functions that are code of their own.
fn library() -> Vec<frontend::load::LibraryUnit> {
    runtime_model::CODE.iter().map(unit).collect()
}

/// Large programs are kept where a user's programs keep what they can make again.
fn cache() -> Option<frontend::load::Cache> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let all = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(frontend::load::Cache { directory: all.join("verify"), limit: CACHE_LIMIT })
}

/// Files, or stubs of the tool by their names. (A file of that name comes first.)
fn stubs(named: &[String]) -> Result<Vec<Stub>, UsageError> {
    let own = |name: &str| runtime_model::STUBS.iter().find(|stub| stub.name == name);
    let stub = |name: &String| match (Path::new(name).exists(), own(name)) {
        (true, _) => Ok(Stub::File(name.into())),
        (false, Some(stub)) => Ok(Stub::Own { name: stub.name, text: stub.text }),
        (false, None) => Err(UsageError {
            message: format!("--stub {name}: there is no such file"),
            hint: {
                let all = runtime_model::STUBS.iter().map(|stub| format!("{} ({})", stub.name, stub.about));
                format!("name a C file, or one of {}", all.collect::<Vec<_>>().join(", "))
            },
        }),
    };
    named.iter().map(stub).collect()
}

/// Library code as the frontend takes it.
pub(crate) fn unit(code: &runtime_model::Code) -> frontend::load::LibraryUnit {
    let provides = code.provides().collect();
    frontend::load::LibraryUnit { name: code.name, provides, lp64: code.lp64, ilp32: code.ilp32 }
}

/// Foreign files are read by a second process of this program.
fn reader() -> Result<frontend::Reader, UsageError> {
    match std::env::current_exe() {
        Ok(executable) => Ok(frontend::Reader::Isolated { executable }),
        Err(error) => Err(UsageError {
            message: format!("cannot find the program's own file: {error}"),
            hint: "is /proc mounted?".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::low::Arguments;
    use clap::Parser;
    use interp::fault::Kind;

    fn request(line: &str) -> Result<Request, UsageError> {
        let words = std::iter::once("verify").chain(line.split_whitespace()).map(Into::into);
        let typed = Arguments::try_parse_from(crate::cli::compiler_spellings(words)).expect("it parses");
        Request::new(typed.check)
    }

    #[test]
    fn defaults() {
        let request = request("dir/prog.c").unwrap();
        assert_eq!(request.exploration.engine, por::Engine::Unfolding);
        assert_eq!(request.exploration.alternatives, por::Alternatives::default());
        assert_eq!(request.exploration.cutoffs, Some(por::Order::Erv));
        assert_eq!(request.after_bug, AfterBug::Shorten(SOME));
        assert_eq!(request.machine.checks, Checks::supported());
        assert_eq!(request.machine.arguments, ["dir/prog"]);
        assert_eq!(request.loading.model, None);
    }

    #[test]
    fn choices() {
        let request = request(
            "--engine naive --alternatives optimal -k --check assertion,deadlock --race-model sc --nondet 3 -m32 p.c -- 7",
        )
        .unwrap();
        assert_eq!(request.exploration.engine, por::Engine::Naive);
        assert_eq!(request.exploration.alternatives, por::Alternatives::Optimal);
        assert_eq!(request.after_bug, AfterBug::KeepGoing);
        assert_eq!(request.machine.checks.iter().collect::<Vec<_>>(), [Kind::Assertion, Kind::Deadlock]);
        assert_eq!(request.machine.race_model, RaceModel::Sc);
        assert_eq!(request.machine.nondet, 3);
        assert_eq!(request.machine.arguments, ["p", "7"]);
        assert_eq!(request.loading.model, Some(DataModel::Ilp32));
    }

    #[test]
    fn orders_of_cutoffs() {
        let cutoffs = |line| request(line).unwrap().exploration.cutoffs;
        assert_eq!(cutoffs("--cutoff-order size p.c"), Some(por::Order::Size));
        assert_eq!(cutoffs("--cutoff-order size --cutoffs off p.c"), None);
        assert_eq!(cutoffs("--engine naive p.c"), None);
    }

    #[test]
    fn engines() {
        for (line, engine) in [
            ("p.c", por::Engine::Unfolding),
            ("--engine auto p.c", por::Engine::Unfolding),
            ("--engine source p.c", por::Engine::Dpor(por::Reduction::Source)),
            ("--engine optimal p.c", por::Engine::Dpor(por::Reduction::Optimal)),
            ("--engine observers p.c", por::Engine::Dpor(por::Reduction::Observers)),
            ("--engine states p.c", por::Engine::States),
        ] {
            let exploration = request(line).unwrap().exploration;
            assert_eq!(exploration.engine, engine, "{line}");
            assert_eq!(exploration.cutoffs.is_some(), engine == por::Engine::Unfolding, "{line}");
        }
    }

    #[test]
    fn threads_sleep_unless_told_otherwise() {
        let sleep_sets = |line| request(line).unwrap().exploration.sleep_sets;
        assert!(sleep_sets("--engine states p.c"));
        assert!(!sleep_sets("--engine states --sleep-sets off p.c"));
        let persistent_sets = |line| request(line).unwrap().exploration.persistent_sets;
        assert!(!persistent_sets("--engine states p.c"));
        assert!(persistent_sets("--engine states --persistent-sets on p.c"));
        let footprints = |line| request(line).unwrap().machine.footprints;
        assert!(footprints("p.c"));
        assert!(!footprints("--footprints off p.c"));
    }

    #[test]
    fn only_of_states_fewer_bits_are_kept() {
        let bits = |line| request(line).map(|request| request.exploration.state_bits.bits());
        assert_eq!(bits("--engine states p.c").unwrap(), 128);
        assert_eq!(bits("--engine states --state-bits 64 p.c").unwrap(), 64);
        assert!(bits("--state-bits 64 p.c").is_err());
        assert!(bits("--engine optimal --state-bits 32 p.c").is_err());
    }

    #[test]
    fn only_states_are_visited_in_breadth() {
        assert!(request("--engine states --shortest p.c").unwrap().exploration.shortest);
        assert!(!request("--engine states p.c").unwrap().exploration.shortest);
        assert!(request("--shortest p.c").is_err());
    }

    #[test]
    fn colours() {
        assert!(colored(ColorChoice::Always, false));
        assert!(!colored(ColorChoice::Never, true));
        assert!(!colored(ColorChoice::Auto, false));
    }
}

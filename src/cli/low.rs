//! The command line as it was typed: which options exist, what each takes, and what the help says about them.
//!
//! Nothing is decided here; [`super::high`] turns the result into what the program works with.
//!
//! One file: the help lists the options in the order in which they stand here.
use super::apart::{self, CoordinateArguments, WorkArguments};
use super::certificate::{self, CertificateArguments};
use super::hunt::HuntArguments;
use super::init::{self, InitArguments};
use super::instead::InsteadArguments;
use super::jobs::JobsArguments;
pub(crate) use super::names::{
    AwaitsName, ColorChoice, EngineName, FailOnName, InterferenceName, LeaksName, OrderName, RaceModelName, ReuseName,
    Switch, SymbolicName, UninitialisedName, VolatileName,
};
use super::open::OpenInputs;
use super::pages::Pages;
use super::replay::{self, ReplayArguments};
use super::states::StatesArguments;
use super::svcomp::{self, SvcompArguments};
use super::test::{self, TestArguments};
use super::unfold::{self, UnfoldArguments};
use crate::report::Format;
use crate::report::coverage::CoverageFormat;
use crate::units;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use interp::fault::Kind;
use interp::solver::Backend;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  verify prog.c                          every schedule of one program
  verify main.c queue.c -Iinclude -DN=3  several files, linked together
  verify prog.c -- 2 file.txt            with arguments for main
  verify --check assertion,deadlock prog.c
  verify --time-limit 5m --format json prog.c
  verify prog.c --cflags -Wall -fno-builtin
  verify --compdb build/compile_commands.json --unit '*/queue.c' harness.c
  make CC=\"verify cc\" && verify ./prog   what a build makes
  verify test tests/                     every program of a directory, several at once
  verify prog.c --save-trace bug.trace || verify replay bug.trace
  verify prog.c --certify prog.cert && verify certificate prog.cert prog.c
  verify svcomp --property unreach-call.prp --data-model ILP32 task.i
  verify unfold net.ll_net               the complete prefix of a Petri net
  verify explain data-race               what a kind of bug is

Exit codes: 0 safe, 1 a bug was found, 2 usage or input error, 3 unknown.
Every long option can be given by a variable (VERIFY_TIME_LIMIT=5m) or in verify.toml as well.
docs/cli.md describes every option and the JSON report, docs/ci.md how to use them in CI.";

/// Explores every schedule of a C program with threads: a proof of safety, or a bug with the schedule that leads to it.
#[derive(Parser, Debug)]
#[command(name = "verify", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    /// What to do; `check` when it is left out.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of `check`.
    #[command(flatten)]
    pub check: CheckArguments,
}

impl Arguments {
    /// The command, whether or not `check` was spelled out.
    pub(crate) fn into_command(self) -> Command {
        self.command.unwrap_or_else(|| Command::Check(Box::new(self.check)))
    }
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Explores every schedule (what `verify` does without a command).
    #[command(after_help = EXAMPLES, max_term_width = 100)]
    Check(Box<CheckArguments>),
    /// Checks the programs of verify.toml, of directories or of lists, and compares with what is expected.
    #[command(after_help = test::EXAMPLES, max_term_width = 100)]
    Test(Box<TestArguments>),
    /// Shows a bug again whose schedule was saved with --save-trace.
    #[command(after_help = replay::EXAMPLES, max_term_width = 100)]
    Replay(ReplayArguments),
    /// Checks what --certify has written: every state of the program is in it, and none is wrong.
    #[command(after_help = certificate::EXAMPLES, max_term_width = 100)]
    Certificate(Box<CertificateArguments>),
    /// Answers questions of the competition SV-COMP: a property file and a program, or task definitions.
    #[command(after_help = svcomp::EXAMPLES, max_term_width = 100)]
    Svcomp(Box<SvcompArguments>),
    /// Builds the complete prefix of the unfolding of a Petri net, which may have read arcs.
    #[command(after_help = unfold::EXAMPLES, max_term_width = 100)]
    Unfold(UnfoldArguments),
    /// Divides one exploration into jobs for several machines, and puts together what comes of them.
    #[command(after_help = apart::COORDINATE, max_term_width = 100)]
    Coordinate(Box<CoordinateArguments>),
    /// Does one job of `verify coordinate`.
    #[command(after_help = apart::WORK, max_term_width = 100)]
    Work(WorkArguments),
    /// Writes verify.toml, a harness and a job for CI, for a library.
    #[command(after_help = init::EXAMPLES, max_term_width = 100)]
    Init(InitArguments),
    /// What there is to read about the program.
    #[command(flatten)]
    Pages(Pages),
}

/// Everything that `verify check` takes.
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    /// C source (.c, .i), LLVM IR (.ll, .bc), objects made with -flto (.o), or what was built with `verify cc`; several
    /// are linked together.
    #[arg(value_name = "INPUT", required_unless_present = "compdb")]
    pub inputs: Vec<PathBuf>,

    /// Arguments for the program's main.
    #[arg(last = true, value_name = "ARGS")]
    pub program_arguments: Vec<String>,

    /// Add the files of a build, compiled as this compile_commands.json says.
    #[arg(long, value_name = "FILE", help_heading = "The program")]
    pub compdb: Option<PathBuf>,

    /// Of the files of --compdb, take those whose paths match: `*/queue.c`; may be repeated.
    #[arg(long = "unit", value_name = "PATTERN", requires = "compdb", help_heading = "The program")]
    pub units: Vec<glob::Pattern>,

    /// Start with this function instead of main: without parameters, or with those of main.
    #[arg(long, value_name = "FUNCTION", help_heading = "The program")]
    pub entry: Option<String>,

    /// C files with functions for what the program calls and does not define; or one that comes with the tool, by its
    /// name.
    #[arg(long = "stub", value_name = "FILE|NAME", help_heading = "The program")]
    pub stubs: Vec<String>,

    /// Kinds of bugs to look for, separated by commas, or, with a `-` before each, kinds not to look for; all by
    /// default.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = check_parser(), allow_hyphen_values = true, help_heading = "What to look for")]
    pub check: Vec<CheckWord>,

    /// What an access of a volatile variable is: a plain access, as in C, or a relaxed atomic one, as in code older
    /// than C11.
    #[arg(long, value_enum, default_value = "plain", value_name = "WHAT", help_heading = "What to look for")]
    pub volatile: VolatileName,

    /// What orders two accesses: the rules of the program's language, those of C++20, or every atomic access.
    #[arg(long, value_enum, default_value = "c11", value_name = "MODEL", help_heading = "What to look for")]
    pub race_model: RaceModelName,

    /// Which heap blocks are leaks when the process ends: those that nothing leads to, or all.
    #[arg(long, value_enum, default_value = "lost", value_name = "WHICH", help_heading = "What to look for")]
    pub leaks: LeaksName,

    /// Explore everything and report each distinct bug once, instead of stopping at the first.
    #[arg(short, long, help_heading = "What to look for")]
    pub keep_going: bool,

    /// Explore everything for the shortest schedule that leads to the first bug, instead of some executions only.
    #[arg(long, conflicts_with = "keep_going", help_heading = "What to look for")]
    pub minimise: bool,

    /// Let each __VERIFIER_nondet_ function for integers return every value from 0 to N-1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "What to look for")]
    pub nondet: Option<u32>,

    /// Whether each __VERIFIER_nondet_ function for integers may return any value, as symbolic data. With --nondet it
    /// is off.
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", help_heading = "What to look for")]
    pub symbolic: SymbolicName,

    #[command(flatten)]
    pub open: OpenInputs,

    /// What solves constraints on symbolic data: `z3`, `none` (trying all values of small inputs), or `smtlib:COMMAND`,
    /// any program that reads SMT-LIB.
    #[arg(long, value_name = "SOLVER", default_value = "z3", value_parser = solver, help_heading = "What to look for")]
    pub solver: Backend,

    /// How long the solver may think about one question.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = units::duration, help_heading = "What to look for")]
    pub solver_time: Duration,

    /// Ask this solver again whatever is said to be impossible, and be unknown unless it agrees.
    #[arg(long, value_name = "SOLVER", value_parser = solver, help_heading = "What to look for")]
    pub second_solver: Option<Backend>,

    /// How a value counts that was never written, where something depends on it: as a bug, as any value, or as zero.
    #[arg(long, value_name = "HOW", value_enum, default_value = "error", help_heading = "What to look for")]
    pub uninitialised: UninitialisedName,

    /// If the program depends on where objects lie in memory, explore up to N layouts, one after the other.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..), help_heading = "What to look for")]
    pub layouts: u32,

    /// Let threads that wait on a condition variable wake up without a signal.
    #[arg(long, help_heading = "What to look for")]
    pub spurious_wakeups: bool,

    /// Which algorithm picks the schedules.
    #[arg(long, value_enum, default_value = "auto", value_name = "NAME", help_heading = "How to explore")]
    pub engine: EngineName,

    /// How hard to look for alternatives: a number from 1, `optimal`, or as `optimal` where that is easy (`auto`).
    #[arg(long, default_value = "auto", value_name = "K", value_parser = alternatives, help_heading = "How to explore")]
    pub alternatives: por::Alternatives,

    /// Cut branches that lead to a state already seen.
    #[arg(long, value_enum, default_value = "on", value_name = "WHEN", help_heading = "How to explore")]
    pub cutoffs: Switch,

    /// Which of two executions with the same state counts as the smaller one.
    #[arg(long, value_enum, default_value = "erv", value_name = "ORDER", help_heading = "How to explore")]
    pub cutoff_order: OrderName,

    /// Let threads that spin until they read something else wait instead, and those that fail an assumption because of
    /// what they read; off with `states` and `naive`.
    #[arg(long, value_enum, value_name = "WHO", help_heading = "How to explore")]
    pub awaits: Option<AwaitsName>,

    /// Whether a new block may have the address of one that was freed.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", help_heading = "How to explore")]
    pub reuse: ReuseName,

    /// With observers: do not order atomic updates of one place whose results nobody uses.
    #[arg(long, value_enum, default_value = "on", value_name = "WHEN", help_heading = "How to explore")]
    pub commuting_updates: Switch,

    /// With observers: do not order stores where everybody stores the same.
    #[arg(long, value_enum, default_value = "on", value_name = "WHEN", help_heading = "How to explore")]
    pub same_values: Switch,

    #[command(flatten)]
    pub states: StatesArguments,

    /// Let atomic blocks depend on what they touch, not on every action.
    #[arg(long, value_enum, default_value = "on", value_name = "WHEN", help_heading = "How to explore")]
    pub footprints: Switch,

    /// Order critical sections of one mutex only if what they do is related, not all of them.
    #[arg(long, value_enum, default_value = "on", value_name = "WHEN", help_heading = "How to explore")]
    pub sections: Switch,

    /// Take the end of a thread, and joining it, as parts of the actions before them.
    #[arg(long, value_enum, default_value = "on", value_name = "WHEN", help_heading = "How to explore")]
    pub merge_ends: Switch,

    /// Explore threads that nothing tells apart up to exchange. [default: on for the engines that `auto` has beside the
    /// usual one]
    #[arg(long, value_enum, value_name = "WHEN", help_heading = "How to explore")]
    pub symmetry: Option<Switch>,

    #[command(flatten)]
    pub jobs: JobsArguments,

    #[command(flatten)]
    pub hunt: HuntArguments,

    /// Which memory accesses are scheduling points of their own.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHAT", help_heading = "How to explore")]
    pub interference: InterferenceName,

    /// Stop after this many executions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub max_executions: Option<u64>,

    /// Stop an execution after this many instructions without a visible action.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub max_steps: Option<u64>,

    /// Stop after this time: 30s, 5m, 1h30m.
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Limits")]
    pub time_limit: Option<Duration>,

    /// Stop after this much time of the processor.
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Limits")]
    pub cpu_limit: Option<Duration>,

    /// Forget what can be found again, and in the end stop, to use no more memory than this: 200M, 4G.
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, help_heading = "Limits")]
    pub memory_limit: Option<u64>,

    /// Define a macro.
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", help_heading = "Compiling")]
    pub defines: Vec<String>,

    /// Write what is needed to go on to this file now and then, and when the exploration is ended before it is over.
    #[arg(long, value_name = "FILE", conflicts_with = "layouts", help_heading = "Long runs")]
    pub checkpoint: Option<PathBuf>,

    /// How much time passes between two checkpoints.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = units::duration, help_heading = "Long runs")]
    pub checkpoint_interval: Duration,

    /// Write a checkpoint after so many executions, and end as if interrupted: for finding mistakes of ours.
    #[arg(long, hide = true, value_name = "N", requires = "checkpoint")]
    pub debug_checkpoint: Option<u64>,

    /// Go on from the checkpoint, if there is one; or with the jobs that are there.
    #[arg(long, help_heading = "Long runs")]
    pub resume: bool,

    /// Do not use or keep lowered code of large programs (in $XDG_CACHE_HOME/verify, or ~/.cache/verify).
    #[arg(long, help_heading = "Compiling")]
    pub no_cache: bool,

    /// Search this directory for headers.
    #[arg(short = 'I', long = "include", value_name = "DIR", help_heading = "Compiling")]
    pub includes: Vec<PathBuf>,

    /// The C standard, as in -std=c11.
    #[arg(long = "std", value_name = "STANDARD", help_heading = "Compiling")]
    pub standard: Option<String>,

    /// Compile for 32-bit x86 (also -m32).
    #[arg(long, conflicts_with = "m64", help_heading = "Compiling")]
    pub m32: bool,

    /// Compile for 64-bit x86 (also -m64; the default).
    #[arg(long, help_heading = "Compiling")]
    pub m64: bool,

    /// Let clang optimise before the program is explored.
    #[arg(short = 'O', long, value_name = "LEVEL", help_heading = "Compiling")]
    pub optimise: Option<String>,

    /// Let the program find this file, with the content that it has now: its own file system is private and empty.
    #[arg(long = "file", value_name = "NAME[=PATH]", help_heading = "What the program finds")]
    pub files: Vec<String>,

    /// A variable in the program's environment, which has no others.
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = variable, help_heading = "What the program finds")]
    pub environment: Vec<String>,

    /// What the program reads from its standard input; else nothing.
    #[arg(long, value_name = "PATH", help_heading = "What the program finds")]
    pub stdin: Option<PathBuf>,

    /// The clang to use, a name or a path.
    #[arg(long, value_name = "NAME", help_heading = "Compiling")]
    pub clang: Option<String>,

    /// Hand everything after this, up to `--`, to clang.
    #[arg(
        long,
        value_name = "FLAGS",
        num_args = 0..,
        allow_hyphen_values = true,
        value_terminator = "--",
        help_heading = "Compiling"
    )]
    pub cflags: Vec<String>,

    /// How the result is written.
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT", help_heading = "Output")]
    pub format: Format,

    /// Write the result to a file as well, in any of these formats; may be repeated.
    #[arg(long = "report", value_name = "FORMAT=FILE", value_parser = report_file::<Format>, help_heading = "Output")]
    pub reports: Vec<(Format, PathBuf)>,

    /// Which verdicts make the exit code another one than 0, separated by commas.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "violation,unknown",
        value_name = "VERDICTS",
        help_heading = "Output"
    )]
    pub fail_on: Vec<FailOnName>,

    #[command(flatten)]
    pub config: ConfigArguments,
    /// If the program is safe, write a certificate of that, for `verify certificate`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub certify: Option<PathBuf>,

    /// Write a certificate only if it has no more than N states.
    #[arg(long, value_name = "N", default_value = "10000000", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Output")]
    pub certify_states: u32,

    /// Save the schedules of the violations in a file, for `verify replay`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub save_trace: Option<PathBuf>,

    /// When to use colours.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", help_heading = "Output")]
    pub color: ColorChoice,

    /// Show what the program prints in the reported execution.
    #[arg(long, help_heading = "Output")]
    pub show_output: bool,

    /// Write which lines and functions were reached, in the format lcov or html; all takes longer then. May be
    /// repeated.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = report_file::<CoverageFormat>, conflicts_with = "checkpoint", help_heading = "Output")]
    pub coverage: Vec<(CoverageFormat, PathBuf)>,

    /// Show where the time went and what the engine did, after the verdict.
    #[arg(long, help_heading = "Output")]
    pub stats: bool,

    #[command(flatten)]
    pub instead: InsteadArguments,

    /// Look at whole states wherever fingerprints of them are compared, of N events at most: for finding mistakes of
    /// ours.
    #[arg(long, hide = true, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "18446744073709551615")]
    pub debug_states: Option<u64>,

    /// Say more: the stack of every thread, and every reason for "unknown".
    #[arg(short, long, conflicts_with = "quiet", help_heading = "Output")]
    pub verbose: bool,

    /// Say less: no progress, one line for each result.
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,

    /// The setting that `check` comes from: a variable or a file.
    #[arg(skip)]
    pub checks_set_by: Option<String>,

    /// The command line that says all this, without the program's name.
    #[arg(skip)]
    pub command_line: Vec<OsString>,
}

/// Where settings come from that are not on the command line.
#[derive(Args, Clone, Debug)]
pub(crate) struct ConfigArguments {
    /// Take settings from this file instead of the verify.toml of this directory or one above.
    #[arg(long = "config", value_name = "FILE", help_heading = "Settings")]
    pub file: Option<PathBuf>,

    /// Take no settings from a file, whatever else names one.
    #[arg(long = "no-config", help_heading = "Settings")]
    pub none: bool,
}

impl CheckArguments {
    /// Those of `verify check` with nothing but inputs.
    pub(crate) fn of(inputs: Vec<PathBuf>) -> Self {
        CheckArguments { inputs, ..Arguments::parse_from(["verify", "program.c"]).check }
    }
}

pub(super) fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).map(|name| {
        Kind::ALL.into_iter().find(|kind| kind.name() == name).expect("the name is one of the possible values")
    })
}

/// A word of `--check`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckWord {
    /// To look for these.
    With(Kind),
    /// Not to look for these.
    Without(Kind),
}

fn check_parser() -> impl TypedValueParser<Value = CheckWord> {
    let without = |kind: Kind| PossibleValue::new(format!("-{}", kind.name())).hide(true);
    let words = Kind::ALL.map(|kind| PossibleValue::new(kind.name())).into_iter().chain(Kind::ALL.map(without));
    PossibleValuesParser::new(words).map(|word| {
        let named = |name: &str| Kind::ALL.into_iter().find(|kind| kind.name() == name);
        match word.strip_prefix('-') {
            Some(name) => CheckWord::Without(named(name).expect("the name is one of the possible values")),
            None => CheckWord::With(named(&word).expect("the name is one of the possible values")),
        }
    })
}

pub(super) fn report_file<F: ValueEnum>(text: &str) -> Result<(F, PathBuf), String> {
    let formats = || F::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let names: Vec<String> = formats().map(|format| format.get_name().to_owned()).collect();
    let expected = format!("expected FORMAT=FILE, with a format among {}", names.join(", "));
    let (format, file) = text.split_once('=').filter(|(_, file)| !file.is_empty()).ok_or(expected.clone())?;
    Ok((F::from_str(format, false).map_err(|_| expected)?, file.into()))
}

fn solver(text: &str) -> Result<Backend, String> {
    match (text, text.strip_prefix("smtlib:").map(shlex::split)) {
        ("z3", _) => Ok(Backend::Default),
        ("none", _) => Ok(Backend::None),
        (_, Some(Some(command))) if !command.is_empty() => Ok(Backend::Command(command)),
        _ => Err("it is z3, none, or smtlib: with a command line".to_owned()),
    }
}

fn variable(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, _)) if !name.is_empty() => Ok(text.to_owned()),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

fn alternatives(text: &str) -> Result<por::Alternatives, String> {
    match (text, text.parse()) {
        ("auto", _) => Ok(por::Alternatives::default()),
        ("optimal", _) => Ok(por::Alternatives::Optimal),
        (_, Ok(k)) if k >= 1 => Ok(por::Alternatives::Partial(k)),
        _ => Err("expected a number from 1, `optimal`, or `auto`".to_owned()),
    }
}

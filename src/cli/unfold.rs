//! `verify unfold` as it was typed.
use super::low::{ColorChoice, report_file};
use crate::units;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Shown below the help.
pub(crate) const EXAMPLES: &str = "\
Examples:
  verify unfold net.ll_net                                how large the complete prefix is
  verify unfold --format dot net.pnml | dot -Tsvg -o net.svg
  verify unfold --stop-at error net.ll_net                whether `error` can fire, and how
  verify unfold --deadlock --cover p,q net.ll_net         whether it can get stuck, and mark p and q at a time
  verify unfold --encoding loops --order mcmillan net.ll_net
  verify unfold --report prefix=net.prefix --report json=net.json -q net.ll_net

Exit codes: 0 the prefix is complete and all answers are no, 1 --stop-at is reached or an answer is yes, 2 usage or input error
(such as a net that is not 1-safe), 3 stopped by a limit or a signal. docs/nets.md describes nets, options and formats.";

/// Everything that `verify unfold` takes.
#[derive(Args, Debug)]
pub(crate) struct UnfoldArguments {
    /// A low-level net of PEP, perhaps with read arcs (.ll_net), or a net in PNML (.pnml).
    #[arg(value_name = "NET")]
    pub net: PathBuf,

    /// Make each place that a transition consumes and produces again one that it reads.
    #[arg(long, help_heading = "The net")]
    pub contexts_from_loops: bool,

    /// How transitions read places in the net that is unfolded.
    #[arg(long, value_enum, default_value = "contextual", value_name = "HOW", help_heading = "The net")]
    pub encoding: EncodingName,

    /// Which histories are smaller than others, and so make these cutoffs.
    #[arg(long, value_enum, default_value = "erv", value_name = "ORDER", help_heading = "How to unfold")]
    pub order: NetOrderName,

    /// Stop as soon as this transition has an event: it can fire.
    #[arg(long, value_name = "TRANSITION", help_heading = "How to unfold")]
    pub stop_at: Option<String>,

    /// Ask whether a marking can be reached at which no transition can fire.
    #[arg(long, help_heading = "Questions")]
    pub deadlock: bool,

    /// Ask whether a marking can be reached that has tokens on these places (names with commas between); may be
    /// repeated.
    #[arg(long, value_name = "PLACES", help_heading = "Questions")]
    pub cover: Vec<String>,

    /// Ask whether the marking can be reached that has tokens on these places and on no others; may be repeated.
    #[arg(long, value_name = "PLACES", help_heading = "Questions")]
    pub reach: Vec<String>,

    /// Stop when there are more than this many events.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub max_events: Option<u64>,

    /// Stop after this time: 30s, 5m, 1h30m.
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Limits")]
    pub time_limit: Option<Duration>,

    /// Use no more memory than this: 200M, 4G.
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, help_heading = "Limits")]
    pub memory_limit: Option<u64>,

    /// What standard output gets.
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT", help_heading = "Output")]
    pub format: NetFormat,

    /// Write a file as well, in any of these formats; may be repeated.
    #[arg(long = "report", value_name = "FORMAT=FILE", value_parser = report_file::<NetFormat>, help_heading = "Output")]
    pub reports: Vec<(NetFormat, PathBuf)>,

    /// When to use colours.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", help_heading = "Output")]
    pub color: ColorChoice,

    /// Say less: no progress, one line.
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

/// Names for `--encoding`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EncodingName {
    /// By read arcs, as they are.
    Contextual,
    /// By loops: who reads consumes the place and produces it again.
    Loops,
    /// By loops around a copy of the place for each reader.
    Replication,
}

/// Names for `--order` of nets.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NetOrderName {
    /// By size, then by which transitions fire, then by the levels on which they do: total.
    Erv,
    /// By size alone.
    Mcmillan,
    /// As `erv`, but with levels compared as words, as public tools do: to compare counts with theirs. Not shown to be
    /// complete.
    ErvWords,
}

/// Names for `--format` and `--report` of nets.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NetFormat {
    /// A summary for people.
    Text,
    /// The same as one JSON object.
    Json,
    /// The prefix, for Graphviz.
    Dot,
    /// The prefix, in a compact form of our own.
    Prefix,
    /// The prefix as one JSON object.
    PrefixJson,
}

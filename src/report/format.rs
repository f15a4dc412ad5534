//! The formats of reports.
use clap::ValueEnum;

/// Names for `--format` and `--report`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON object.
    Json,
    /// One JSON object on each line, while the exploration goes on.
    Jsonl,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit's XML, for test runners.
    Junit,
    /// Annotations for GitHub's runners.
    Github,
    /// One page to look at, with everything: executions to step through, the source, what was explored.
    Html,
    /// The execution of the first bug, for Graphviz.
    Dot,
    /// The same as a picture.
    Svg,
    /// What was explored, for Graphviz.
    Unfolding,
    /// Everything, for another process of this program.
    #[value(hide = true)]
    Transfer,
}

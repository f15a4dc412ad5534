//! What is printed instead of exploring the program.
use crate::request::Prints;
use clap::Args;

/// The options.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct InsteadArguments {
    /// Print the program's code as it is explored, and exit.
    #[arg(long, help_heading = "Output")]
    pub print_ir: bool,

    /// List the functions that may be called and are not defined, with the place of the first call, and exit.
    #[arg(long, conflicts_with = "print_ir", help_heading = "Output")]
    pub list_undefined: bool,

    /// Say which loops wait until another thread has done something, and why others do not, and exit.
    #[arg(long, conflicts_with_all = ["print_ir", "list_undefined"], help_heading = "Output")]
    pub explain_loops: bool,
}

impl InsteadArguments {
    /// What they ask for.
    pub(super) fn meaning(&self) -> Option<Prints> {
        let InsteadArguments { print_ir, list_undefined, explain_loops } = *self;
        let all = [(print_ir, Prints::Code), (list_undefined, Prints::Undefined), (explain_loops, Prints::Loops)];
        all.into_iter().find_map(|(is_asked, prints)| is_asked.then_some(prints))
    }

    /// The options, by name, and whether each was given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 3] {
        let InsteadArguments { print_ir, list_undefined, explain_loops } = *self;
        [("--print-ir", print_ir), ("--list-undefined", list_undefined), ("--explain-loops", explain_loops)]
    }
}

//! The commands that print what there is to read: pages about bugs, the manual page, what shells complete.
use super::low::kind_parser;
use clap::Subcommand;
use clap_complete::Shell;
use interp::fault::Kind;

const COMPLETIONS: &str = "\
Where shells look for it, in the home directory:
  verify completions bash > ~/.local/share/bash-completion/completions/verify
  verify completions fish > ~/.config/fish/completions/verify.fish
  verify completions zsh > DIRECTORY/_verify      with a DIRECTORY of $fpath";

/// What to print.
#[derive(Subcommand, Debug)]
pub(crate) enum Pages {
    /// Says what a kind of bug is, with a program that has it and how to mend that.
    #[command(max_term_width = 100)]
    Explain {
        /// As in reports; without it, all kinds are listed.
        #[arg(value_parser = kind_parser())]
        kind: Option<Kind>,
    },
    /// Prints a script that makes a shell complete the options of `verify`.
    #[command(after_help = COMPLETIONS, max_term_width = 100)]
    Completions {
        /// Which shell.
        shell: Shell,
    },
    /// Prints the manual page, for `man -l -`.
    #[command(max_term_width = 100)]
    Man {
        /// The page of this command only.
        #[arg(value_name = "COMMAND")]
        command: Option<String>,
    },
}

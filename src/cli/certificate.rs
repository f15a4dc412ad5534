//! `verify certificate` as it was typed.
use super::low::CheckArguments;
use clap::Args;
use std::path::PathBuf;

/// Shown below the help.
pub(crate) const EXAMPLES: &str = "\
Examples:
  verify prog.c --certify prog.cert         if the program is safe, a certificate is written
  verify certificate prog.cert prog.c       it is checked, without any of the engines
  verify certificate --format json prog.cert prog.c -DN=3
  verify certificate --jobs 1 prog.cert prog.c   by one processor; otherwise by all

Files and options are those with which it was written, as far as they change what the program means. Exit codes: 0 it holds,
1 refused, 2 usage or input error, 3 unknown (a limit). docs/certificates.md has more.";

/// Everything that `verify certificate` takes.
#[derive(Args, Debug)]
pub(crate) struct CertificateArguments {
    /// What --certify wrote.
    #[arg(value_name = "FILE")]
    pub certificate: PathBuf,

    /// The program, and what it means.
    #[command(flatten)]
    pub check: CheckArguments,
}

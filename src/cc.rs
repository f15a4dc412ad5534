//! `verify cc` and `verify c++`: compilers for builds. Their arguments are those of compilers, not ours, so what they
//! are told besides comes from the environment: `VERIFY_CLANG` names the clang, `VERIFY_CFLAGS` has more options for
//! the bitcode.
//!
//! The program is the same one as `verify`, so that a build needs nothing but a path; a link to it by the name of
//! `verify-cc` or `verify-c++` is for builds that want a compiler to be one word.
use crate::report::style::{Role, Style};
use frontend::cc::{Driver, Settings};
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitCode;

/// Stands in for a compiler, if that is how the program was called; `arguments` are those of the process, its name
/// included.
pub(crate) fn main(arguments: Vec<OsString>) -> Option<ExitCode> {
    let called = |index: usize| arguments.get(index).map(Path::new)?.file_name()?.to_str();
    let (driver, first) = match (called(0), arguments.get(1)?.to_str()) {
        (Some("verify-cc"), _) => (Driver::C, 1),
        (Some("verify-c++"), _) => (Driver::Cxx, 1),
        (_, Some("cc")) => (Driver::C, 2),
        (_, Some("c++")) => (Driver::Cxx, 2),
        _ => return None,
    };
    let flags = std::env::var("VERIFY_CFLAGS").unwrap_or_default();
    let settings = Settings {
        clang: std::env::var("VERIFY_CLANG").ok(),
        cflags: flags.split_whitespace().map(str::to_owned).collect(),
    };
    let style = Style::new(100, false);
    let warn = |text: &str| crate::console::say(style, Role::Unclear, "verify cc: warning", text);
    Some(match frontend::cc::run(driver, &arguments[first..], &settings, warn) {
        // As shells say it of a signal.
        Ok(status) => {
            let code = status.code().or(status.signal().map(|signal| 128 + signal));
            ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
        }
        Err(error) => {
            crate::console::say(style, Role::Bad, "verify cc: error", &error.to_string());
            ExitCode::FAILURE
        }
    })
}

//! Programs checked again and again with other options in one process, for the tests of this tool: a hidden way to
//! start it.
//!
//! Each line of standard input is a JSON array of words, those that would follow `verify`; each line of standard output
//! is the exit code and, after a blank, the report of `--format json`, or what `verify certificate` prints then. What
//! is compiled as before is not loaded again, until another program comes. Nothing is contained here: a check that ends
//! the process, or never ends, has no answer, and the process that reads the answers sees to that.
use crate::certificates;
use crate::check;
use crate::cli::low::Command;
use crate::cli::options;
use crate::console::{MISTAKE, complain, print, warn};
use crate::driver::{self, Loaded, Outcome, Signals};
use crate::report::json;
use crate::report::style::Style;
use crate::request::{Request, UsageError};
use frontend::ir::Module;
use std::ffi::{OsStr, OsString};
use std::io::BufRead;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// The hidden first argument.
const HIDDEN: &str = "__batch";

/// Answers the lines of standard input, if `arguments` (those of the process, its name included) are the hidden ones.
pub(crate) fn main(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.into_iter();
    let name = arguments.next()?;
    if arguments.next().as_deref() != Some(OsStr::new(HIDDEN)) {
        return None;
    }
    let style = Style::new(100, false);
    Some(match answer_all(&name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(mistake) => {
            complain(style, &mistake, None);
            ExitCode::from(MISTAKE)
        }
    })
}

/// A program that was loaded, and what decides how that is done.
struct Kept {
    inputs: Vec<PathBuf>,
    loading: frontend::Options,
    module: Arc<Module>,
}

fn answer_all(name: &OsStr) -> Result<(), String> {
    let style = Style::new(100, false);
    let signals = driver::ready().map_err(|error| error.to_string())?;
    let (mut kept, mut definition) = (Vec::new(), None);
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let words: Vec<String> = serde_json::from_str(&line).map_err(|error| format!("{line}: {error}"))?;
        let words = std::iter::once(name.to_owned()).chain(words.into_iter().map(OsString::from));
        let text = answer(words.collect(), &mut definition, &signals, &mut kept)?;
        print(&text, 0, style);
    }
    Ok(())
}

/// The answer to one line.
fn answer(
    words: Vec<OsString>,
    definition: &mut Option<clap::Command>,
    signals: &Signals,
    kept: &mut Vec<Kept>,
) -> Result<String, String> {
    let style = Style::new(100, false);
    let started = Instant::now();
    let usage = |UsageError { message, .. }| message;
    let (command, config) = options::parse_again(words, definition).map_err(usage)?;
    let (request, certificate) = match command {
        Command::Check(typed) => {
            (Request { suppressions: config.suppressions, ..Request::new(*typed).map_err(usage)? }, None)
        }
        Command::Certificate(typed) => {
            let (request, content, file) = certificates::asked(*typed).map_err(usage)?;
            (request, Some((content, file)))
        }
        _ => return Err("only `verify check` and `verify certificate` can be done again and again".to_owned()),
    };
    kept.retain(|kept| kept.inputs == request.inputs);
    let is_same = |kept: &&Kept| kept.inputs == request.inputs && kept.loading == request.loading;
    let module = match kept.iter().find(is_same) {
        Some(kept) => Arc::clone(&kept.module),
        None => match driver::load(&request, started, signals, |warning| warn(style, warning)) {
            Ok(Loaded::Module(module)) => {
                let (inputs, loading) = (request.inputs.clone(), request.loading.clone());
                kept.push(Kept { inputs, loading, module: Arc::clone(&module) });
                module
            }
            Ok(Loaded::Nothing(report)) => return Err(report.first_reason()),
            Err(error) => return Err(error.to_string()),
        },
    };
    if let Some((content, file)) = certificate {
        let conclusion = certificates::conclude(&request, module, &content, started, signals);
        let conclusion = conclusion.map_err(|error| error.to_string())?;
        let (text, code) = certificates::written(&request, &file, &conclusion, started);
        return Ok(format!("{code} {text}"));
    }
    let outcome = driver::run_loaded(&request, &module, started, signals, None);
    let Outcome::Report(mut report, trace) = outcome.map_err(|error| error.to_string())? else {
        return Err("only reports can be given again and again".to_owned());
    };
    if let Some(trace) = trace {
        check::save(&request, &trace, &mut report)?;
    }
    Ok(format!("{} {}", report.exit_code(request.fail_on), json::write(&report)))
}

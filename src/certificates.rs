//! `verify certificate`: checks what `--certify` has written.
#[cfg(test)]
mod tests;

use crate::cli::certificate::CertificateArguments;
use crate::console::{MISTAKE, complain, print, warn};
use crate::driver::certify::{Conclusion, check};
use crate::driver::{self, Loaded, Signals};
use crate::report::Format;
use crate::report::printable::printable;
use crate::report::style::{Role, Style};
use crate::request::{Request, UsageError};
use crate::units::{show_bytes, show_count};
use certificate::{Certificate, Checked};
use frontend::ir::Module;
use serde::Serialize;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// The exit code of a certificate that is refused.
const REFUSED: u8 = 1;

/// The exit code where it was not found out whether a certificate holds.
const UNKNOWN: u8 = 3;

/// Number of the format of the JSON object; grows when a key is removed or changes its meaning.
const SCHEMA: u32 = 1;

/// Does what was asked for. `started` is when the program began.
pub(crate) fn run(typed: CertificateArguments, started: Instant) -> Result<ExitCode, UsageError> {
    let (request, content, file) = asked(typed)?;
    let style = request.output.error_style;
    let conclusion = driver::ready().and_then(|signals| {
        match driver::load(&request, started, &signals, |warning| warn(style, warning))? {
            Loaded::Module(module) => conclude(&request, module, &content, started, &signals),
            Loaded::Nothing(report) => {
                let reason = report.reasons.into_iter().next();
                Ok(Conclusion::Unknown(reason.expect("a program that is not loaded has a reason for that")))
            }
        }
    });
    match conclusion {
        Ok(conclusion) => {
            let (text, code) = written(&request, &file, &conclusion, started);
            Ok(print(&text, code, style))
        }
        Err(error) => {
            complain(style, &error.to_string(), None);
            Ok(ExitCode::from(MISTAKE))
        }
    }
}

/// The program and what is asked about it, the content of the file with the certificate, and its name.
pub(crate) fn asked(typed: CertificateArguments) -> Result<(Request, Vec<u8>, String), UsageError> {
    let file = typed.certificate.display().to_string();
    without_meaning(&typed)?;
    let content = std::fs::read(&typed.certificate).map_err(|error| UsageError {
        message: format!("{file}: cannot be read: {error}"),
        hint: "name the file that --certify has written, and the program after it".to_owned(),
    })?;
    Ok((Request::new(typed.check)?, content, file))
}

/// Checks the certificate of a program that is loaded.
pub(crate) fn conclude(
    request: &Request,
    module: Arc<Module>,
    content: &[u8],
    started: Instant,
    signals: &Signals,
) -> Result<Conclusion, driver::Error> {
    match Certificate::read(content) {
        Ok(certificate) => check(request, module, certificate, started, signals),
        Err(damaged) => Ok(Conclusion::Refused(damaged.to_string())),
    }
}

/// The text to print, and the exit code.
pub(crate) fn written(request: &Request, file: &str, conclusion: &Conclusion, started: Instant) -> (String, u8) {
    let code = match conclusion {
        Conclusion::Holds(..) => 0,
        Conclusion::Refused(_) => REFUSED,
        Conclusion::Unknown(_) => UNKNOWN,
    };
    let (seconds, bytes) = (started.elapsed().as_secs_f64(), driver::peak_memory());
    let text = match request.output.format {
        Format::Json => json(file, conclusion, seconds, bytes),
        _ => text(file, conclusion, request.output.style, seconds, bytes),
    };
    (text, code)
}

/// Complains of options that ask for what is not done here.
fn without_meaning(typed: &CertificateArguments) -> Result<(), UsageError> {
    let check = &typed.check;
    let given = [
        ("--certify", check.certify.is_some()),
        ("--checkpoint", check.checkpoint.is_some()),
        ("--save-trace", check.save_trace.is_some()),
        ("--report", !check.reports.is_empty()),
    ];
    if let Some((name, _)) = given.into_iter().chain(check.instead.given()).find(|(_, given)| *given) {
        return Err(UsageError {
            message: format!(
                "{name} has no meaning for `verify certificate`, which explores with no engine and reports no bug"
            ),
            hint: format!("leave out {name}"),
        });
    }
    if !matches!(check.format, Format::Text | Format::Json) {
        return Err(UsageError {
            message: "`verify certificate` knows the formats text and json".to_owned(),
            hint: "leave out --format, or use --format json".to_owned(),
        });
    }
    Ok(())
}

fn text(file: &str, conclusion: &Conclusion, style: Style, seconds: f64, bytes: u64) -> String {
    let headline = |role, word: &str, text: &str| style.wrap(&format!("{}: ", style.paint(role, word)), text);
    match conclusion {
        Conclusion::Holds(checked, assumptions) => {
            let Checked { states, actions, ends, depth, threads } = checked;
            let what = format!(
                "the certificate holds: each of the {} actions that are possible in its {} states leads to one of them, and \
                 none is wrong",
                show_count(*actions),
                show_count(*states)
            );
            let mut out = headline(Role::Good, "safe", &what);
            if !assumptions.is_empty() {
                out += &style.wrap("assuming: ", &assumptions.join(", "));
            }
            let rest = format!(
                "{} states, {} actions, {} states without any, {threads} threads, up to {} actions in a row, {seconds:.2} s, {}",
                show_count(*states),
                show_count(*actions),
                show_count(*ends),
                show_count(*depth),
                show_bytes(bytes)
            );
            out + &style.wrap("", &rest)
        }
        Conclusion::Refused(reason) => headline(Role::Bad, "refused", &format!("{file}: {}", printable(reason))),
        Conclusion::Unknown(reason) => headline(Role::Unclear, "unknown", &format!("{file}: {reason}")),
    }
}

#[derive(Serialize)]
struct Object<'a> {
    schema: u32,
    certificate: &'a str,
    verdict: &'static str,
    reason: Option<String>,
    assumptions: &'a [String],
    stats: Stats,
}

#[derive(Serialize)]
struct Stats {
    states: u64,
    actions: u64,
    ends: u64,
    depth: u64,
    threads: u32,
    seconds: f64,
    peak_memory_bytes: u64,
}

fn json(file: &str, conclusion: &Conclusion, seconds: f64, peak_memory_bytes: u64) -> String {
    let nothing = Checked::default();
    let (verdict, reason, checked, assumptions) = match conclusion {
        Conclusion::Holds(checked, assumptions) => ("safe", None, checked, &assumptions[..]),
        Conclusion::Refused(reason) => ("refused", Some(reason.clone()), &nothing, &[][..]),
        Conclusion::Unknown(reason) => ("unknown", Some(reason.to_string()), &nothing, &[][..]),
    };
    let Checked { states, actions, ends, depth, threads } = *checked;
    let seconds = (seconds * 1e3).round() / 1e3;
    let stats = Stats { states, actions, ends, depth, threads, seconds, peak_memory_bytes };
    let object = Object { schema: SCHEMA, certificate: file, verdict, reason, assumptions, stats };
    serde_json::to_string(&object).expect("plain data can be written as JSON") + "\n"
}

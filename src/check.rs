//! `verify check`: explores one program and writes what comes out of it.
use crate::config::{self, suppress};
use crate::console::{MISTAKE, complain, print, warn, write};
use crate::driver::{self, Outcome};
use crate::replay::{self, trace::Trace};
use crate::report::Format;
use crate::report::case::{Case, Expected};
use crate::report::jsonl::{self, Event};
use crate::report::{self, Report, style::Style};
use crate::request::{Request, SaveTrace};
use std::process::ExitCode;
use std::time::Instant;

/// Does what was asked for. `started` is when the program began.
pub(crate) fn run(request: &Request, started: Instant) -> ExitCode {
    let style = request.output.error_style;
    let inputs: Vec<String> = request.inputs.iter().map(|input| input.display().to_string()).collect();
    let streams = request.output.format == Format::Jsonl && request.prints.is_none();
    let mut streamed = 0;
    let mut listener = |event: Event<'_>| {
        streamed += usize::from(matches!(event, Event::Violation(_)));
        print(&jsonl::line(event), 0, style);
    };
    if streams {
        listener(Event::Start(&inputs));
    }
    let listen: driver::Listener<'_> = if streams { Some(&mut listener) } else { None };
    let (mut report, trace) = match driver::run(request, started, |warning| warn(style, warning), listen) {
        Ok(Outcome::Code(text)) => return print(&text, 0, style),
        Ok(Outcome::Report(report, trace)) => (report, trace),
        Err(error) => {
            complain(style, &error.to_string(), None);
            return ExitCode::from(MISTAKE);
        }
    };
    let saved = trace.map_or(Ok(()), |trace| save(request, &trace, &mut report));
    let unsaved = saved.map_err(|mistake| complain(style, &mistake, None)).is_err();
    let code = write_what(request, report, streams.then_some(streamed));
    if unsaved { ExitCode::from(MISTAKE) } else { code }
}

/// Saves the violations, if that is wanted, and notes in the report how they are shown again. The mistake if that
/// cannot be done.
pub(crate) fn save(request: &Request, trace: &Trace, report: &mut Report) -> Result<(), String> {
    let Some(SaveTrace { file, .. }) = &request.save_trace else { return Ok(()) };
    trace.save(file).map_err(|error| format!("{}: cannot be written: {error}", file.display()))?;
    let count = report.violations.len();
    for (violation, number) in report.violations.iter_mut().zip(1..) {
        violation.replay = Some(replay::command(file, number, count));
    }
    Ok(())
}

/// Writes a report to where it is wanted.
pub(crate) fn write_report(request: &Request, report: Box<Report>) -> ExitCode {
    write_what(request, report, None)
}

/// The same, if that many violations have been written while they were found.
fn write_what(request: &Request, report: Box<Report>, streamed: Option<usize>) -> ExitCode {
    let style = request.output.error_style;
    let inputs: Vec<String> = request.inputs.iter().map(|input| input.display().to_string()).collect();
    // Whoever started this as a child says so for all of them.
    let is_child = request.output.format == Format::Transfer;
    if !is_child {
        config::too_wide(&request.suppressions).iter().for_each(|warning| warn(style, warning));
        suppress::unmatched(&request.suppressions, &[&report]).iter().for_each(|warning| warn(style, warning));
    }
    let code = report.exit_code(request.fail_on);
    let seconds = report.statistics.seconds;
    let case = Case { name: inputs.join(" "), expected: Expected::Safe, result: Ok(report), seconds };
    let Ok(report) = &case.result else { unreachable!("it was put there") };
    let (detail, fail_on) = (request.output.detail, request.fail_on);
    let layout = |style| report::Layout { inputs: &inputs, style, detail, fail_on };
    let text = match streamed {
        Some(streamed) => jsonl::end(report, streamed),
        None => report::write(&case, report, request.output.format, &layout(request.output.style)),
    };
    let code = print(&text, code, style);
    let covered = report.code.iter().flat_map(|code| {
        request.coverage.iter().map(move |(format, file)| (file, report::coverage::write(code, *format)))
    });
    for (file, text) in covered.filter(|_| !is_child) {
        if let Err(message) = write(file, &text) {
            complain(style, &message, None);
            return ExitCode::from(MISTAKE);
        }
    }
    for (format, file) in request.reports.iter().filter(|_| !is_child) {
        let text = report::write(&case, report, *format, &layout(Style::new(100, false)));
        if let Err(message) = write(file, &text) {
            complain(style, &message, None);
            return ExitCode::from(MISTAKE);
        }
    }
    code
}

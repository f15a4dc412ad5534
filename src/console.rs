//! What the program says, to standard output and standard error.
use crate::report::printable::printable_lines;
use crate::report::style::{Role, Style};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

/// Exit code of usage and input errors.
pub(crate) const MISTAKE: u8 = 2;

/// Writes the result to standard output; `style` is for what may go wrong with that.
pub(crate) fn print(text: &str, code: u8, style: Style) -> ExitCode {
    print_what(|out| out.write_all(text.as_bytes()), code, style)
}

/// The same for what is written piece by piece.
pub(crate) fn print_what(
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    code: u8,
    style: Style,
) -> ExitCode {
    let mut out = BufWriter::new(std::io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        // Who closes the pipe has seen enough.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            complain(style, &format!("cannot write the result: {error}"), None);
            ExitCode::from(MISTAKE)
        }
        _ => ExitCode::from(code),
    }
}

/// Says what is wrong, and what to do about it.
pub(crate) fn complain(style: Style, message: &str, hint: Option<&str>) {
    say(style, Role::Bad, "error", message);
    if let Some(hint) = hint {
        say(style, Role::Strong, "hint", hint);
    }
}

/// Says what weakens an answer.
pub(crate) fn warn(style: Style, message: &str) {
    say(style, Role::Unclear, "warning", message);
}

/// A line on standard error; if that is closed, nobody wants to know.
pub(crate) fn say(style: Style, role: Role, word: &str, text: &str) {
    let _ = writeln!(std::io::stderr(), "{}: {}", style.paint(role, word), printable_lines(text));
}

/// Writes a report to a file; the mistake if that cannot be done.
pub(crate) fn write(file: &Path, text: &str) -> Result<(), String> {
    write_what(file, |out| out.write_all(text.as_bytes()))
}

/// The same for what is written piece by piece.
pub(crate) fn write_what(file: &Path, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), String> {
    let written = File::create(file).map(BufWriter::new).and_then(|mut out| {
        write(&mut out)?;
        out.flush()
    });
    written.map_err(|error| format!("{}: cannot be written: {error}", file.display()))
}

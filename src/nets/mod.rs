//! `verify unfold`: builds the complete prefix of a contextual net, and writes what came of it.
//!
//! [`input`] reads the net, [`ask`] what is asked about it, [`work`] unfolds it under the limits, [`questions`] are
//! answered on the prefix, [`outcome`] is what came of it, and each format is a file: [`text`], [`json`], [`dot`],
//! [`prefix_file`], [`prefix_json`].
mod ask;
mod conditions;
mod dot;
mod input;
mod json;
mod names;
mod outcome;
mod prefix_file;
mod prefix_json;
mod questions;
mod text;
mod work;

use crate::cli::high::{colored, columns, stdout_style};
use crate::cli::unfold::{EncodingName, NetFormat, NetOrderName, UnfoldArguments};
use crate::console::{MISTAKE, complain, print_what, warn, write_what};
use crate::driver::Signals;
use crate::report::style::Style;
use crate::report::text::Detail;
use crate::request::{Limits, UsageError};
use ask::Asked;
use outcome::Outcome;
use por::Order;
use por::nets::{Encoded, Encoding, NotSafe, Steps, UnfoldOptions, contextual_from_loops, encoded};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;
use work::Task;

/// Does what was asked for. `started` is when the program began.
pub(crate) fn run(typed: &UnfoldArguments, started: Instant) -> Result<ExitCode, UsageError> {
    if typed.format == NetFormat::Prefix && std::io::stdout().is_terminal() {
        return Err(mistake("a prefix in bytes is nothing for a terminal", "--report prefix=FILE writes it to a file"));
    }
    let net = input::read(&typed.net)?;
    let signals = Signals::catch().map_err(|error| mistake(format!("cannot catch signals: {error}"), "try again"))?;
    let net = if typed.contexts_from_loops { contextual_from_loops(&net) } else { net };
    let encoded = encoded(&net, encoding(typed.encoding));
    let stop_at = typed.stop_at.as_ref().map(|name| input::transition(&net, name)).transpose()?;
    let asked = Asked::all(typed, &net, &encoded)?;
    if typed.order == NetOrderName::ErvWords && (stop_at.is_some() || !asked.is_empty()) {
        return Err(mistake("nobody has shown that prefixes by `erv-words` are complete", "ask with another --order"));
    }
    let (order, steps) = order(typed.order);
    let task = Task {
        options: UnfoldOptions { order, steps, stop_at },
        questions: asked.iter().map(|asked| asked.question.clone()).collect(),
        max_events: typed.max_events,
        limits: Limits { time: typed.time_limit, cpu: None, memory: typed.memory_limit },
        quiet: typed.quiet,
    };
    let Encoded { net: unfolded, origin } = encoded;
    // A prefix names its net, and comes from a thread that may not be waited for; so the net stays until the process
    // ends.
    let unfolded = Box::leak(Box::new(unfolded));
    let worked = work::unfold(unfolded, &task, started, &signals)
        .map_err(|error| mistake(format!("cannot start a thread: {error}"), "try again"))?;
    let worked = worked.map_err(|NotSafe { place, run }| {
        let file = typed.net.display();
        let place = names::shown(&net.place(origin[place.index()]).name);
        mistake(
            format!("{file}: is not 1-safe: place {place} can get a second token"),
            &format!("this run puts it there: {}", names::run(&net, &run)),
        )
    })?;
    let outcome = Outcome::new(typed, unfolded, worked, asked, started);
    Ok(write_all(typed, &outcome))
}

/// Writes everything that was asked for.
fn write_all(typed: &UnfoldArguments, outcome: &Outcome) -> ExitCode {
    let error_style = Style::new(columns(), colored(typed.color, std::io::stderr().is_terminal()));
    let detail = if typed.quiet { Detail::Brief } else { Detail::Normal };
    let has_prefix = |format: NetFormat| {
        let has = outcome.prefix.is_some() || matches!(format, NetFormat::Text | NetFormat::Json);
        if !has {
            warn(error_style, "the prefix is not written, for the unfolding was in the middle of a long step");
        }
        has
    };
    let format = |format, style, out: &mut dyn Write| write(outcome, format, style, detail, out);
    let mut code = ExitCode::from(outcome.code());
    if has_prefix(typed.format) {
        let style = stdout_style(typed.color);
        code = print_what(|out| format(typed.format, style, out), outcome.code(), error_style);
    }
    for (kind, file) in typed.reports.iter().filter(|(kind, _)| has_prefix(*kind)) {
        if let Err(message) = write_what(file, |out| format(*kind, Style::new(100, false), out)) {
            complain(error_style, &message, None);
            return ExitCode::from(MISTAKE);
        }
    }
    code
}

fn write(
    outcome: &Outcome,
    format: NetFormat,
    style: Style,
    detail: Detail,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    match (format, &outcome.prefix) {
        (NetFormat::Text, _) => out.write_all(text::write(outcome, style, detail).as_bytes()),
        (NetFormat::Json, _) => json::write(outcome, out),
        (NetFormat::Dot, Some(prefix)) => dot::write(outcome, prefix, out),
        (NetFormat::Prefix, Some(prefix)) => prefix_file::write(outcome, prefix, out),
        (NetFormat::PrefixJson, Some(prefix)) => prefix_json::write(outcome, prefix, out),
        (NetFormat::Dot | NetFormat::Prefix | NetFormat::PrefixJson, None) => Ok(()),
    }
}

fn order(name: NetOrderName) -> (Order, Steps) {
    match name {
        NetOrderName::Erv => (Order::Erv, Steps::LengthFirst),
        NetOrderName::Mcmillan => (Order::Size, Steps::LengthFirst),
        NetOrderName::ErvWords => (Order::Erv, Steps::Words),
    }
}

fn encoding(name: EncodingName) -> Encoding {
    match name {
        EncodingName::Contextual => Encoding::Contextual,
        EncodingName::Loops => Encoding::Loops,
        EncodingName::Replication => Encoding::Replication,
    }
}

fn mistake(message: impl Into<String>, hint: &str) -> UsageError {
    UsageError { message: message.into(), hint: hint.to_owned() }
}

//! What is shown on standard error while the exploration goes on: a line that moves on a terminal, else a sign of life
//! now and then.
use crate::report::Statistics;
use crate::report::text::{counted, executions};
use crate::units::show_count;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Short runs show nothing.
const DELAY: Duration = Duration::from_millis(500);

/// Fewer executions tell nothing about the others.
const ENOUGH: f64 = 100.0;

/// More need not be counted.
const MOST: f64 = 1e9;

/// How often the line moves.
const TICK: Duration = Duration::from_millis(100);

/// How often a log hears of us.
const HEARTBEAT: Duration = Duration::from_secs(30);

/// The display.
pub(crate) struct Progress {
    started: Instant,
    display: Display,
}

enum Display {
    Nothing,
    /// The bar appears after the delay.
    Terminal(Option<ProgressBar>),
    Log {
        last: Instant,
    },
}

impl Progress {
    /// A display that fits standard error; none if `quiet`.
    pub(crate) fn new(quiet: bool) -> Self {
        let now = Instant::now();
        let display = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Display::Nothing,
            (false, true) => Display::Terminal(None),
            (false, false) => Display::Log { last: now },
        };
        Progress { started: now, display }
    }

    /// Shows where the work is; `line` is told how long it has been going on.
    pub(crate) fn show(&mut self, line: impl FnOnce(Duration) -> String) {
        let elapsed = self.started.elapsed();
        match &mut self.display {
            Display::Nothing => {}
            Display::Terminal(_) if elapsed < DELAY => {}
            Display::Terminal(bar) => {
                let bar = bar.get_or_insert_with(spinner);
                bar.set_message(line(elapsed));
                bar.tick();
            }
            Display::Log { last } if last.elapsed() < HEARTBEAT => {}
            Display::Log { last } => {
                *last = Instant::now();
                // A log that cannot be written must not stop the work.
                let _ = writeln!(std::io::stderr(), "{}", line(elapsed));
            }
        }
    }

    /// Takes the line away.
    pub(crate) fn finish(self) {
        if let Display::Terminal(Some(bar)) = self.display {
            bar.finish_and_clear();
        }
    }
}

/// Does work of which nothing is known but how long it has been going on, which is shown.
pub(crate) fn while_it_lasts<T>(quiet: bool, what: &str, work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (working, over) = mpsc::channel::<()>();
        scope.spawn(move || {
            let mut progress = Progress::new(quiet);
            while over.recv_timeout(TICK) == Err(mpsc::RecvTimeoutError::Timeout) {
                progress.show(|elapsed| format!("{what}, {} s", elapsed.as_secs()));
            }
            progress.finish();
        });
        let result = work();
        drop(working);
        result
    })
}

fn spinner() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{spinner} {wide_msg}").expect("the template is well-formed");
    bar.with_style(style)
}

/// How far that is, if enough has been seen to guess.
fn expected(statistics: &Statistics) -> Option<String> {
    let done = (statistics.executions + statistics.blocked + statistics.pruned) as f64;
    if done < ENOUGH || statistics.expected <= done {
        return None;
    }
    let magnitude = 10f64.powf(statistics.expected.log10().floor() - 1.0);
    let rounded = (statistics.expected / magnitude).round() * magnitude;
    Some(match rounded < MOST {
        true => format!(" (perhaps {:.0} % of {})", 100.0 * done / statistics.expected, show_count(rounded as u64)),
        false => " (perhaps billions to come)".to_owned(),
    })
}

/// Where an exploration is.
pub(crate) fn line(statistics: &Statistics, depth: u64, elapsed: Duration) -> String {
    let rate = (statistics.ends as f64 / elapsed.as_secs_f64().max(0.001)) as u64;
    let explored = match statistics.explored {
        0 => String::new(),
        most => format!(" (all up to {})", show_count(most.into())),
    };
    let decisions = match statistics.decisions {
        0 => String::new(),
        some => format!(", {}", counted(some, "decision")),
    };
    if statistics.states > 0 {
        return format!(
            "{} states, {}/s{decisions}, {} actions, depth {}, {} s",
            show_count(statistics.states),
            show_count((statistics.states as f64 / elapsed.as_secs_f64().max(0.001)) as u64),
            show_count(statistics.events),
            show_count(depth),
            elapsed.as_secs(),
        );
    }
    format!(
        "{}{}, {}/s{decisions}, {} events, depth {}{explored}, {} s",
        executions(statistics.executions, statistics.paths),
        expected(statistics).unwrap_or_default(),
        show_count(rate),
        show_count(statistics.events),
        show_count(depth),
        elapsed.as_secs(),
    )
}

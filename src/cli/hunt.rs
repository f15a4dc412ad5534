//! What was typed about samples of schedules.
use crate::request::{Hunt, Hunting, UsageError};
use crate::units;
use clap::Args;

/// Samples, if nothing else ends a hunt that is not followed by a proof.
const ONLY: u64 = 10_000;

/// The options.
#[derive(Args, Clone, Debug)]
pub(crate) struct HuntArguments {
    /// When schedules are sampled, to find bugs that the proof would come to late: `auto` beside the proof, with a
    /// small share of the work, if it takes long; for a time such as 10s before it; `only` without a proof; or `off`.
    #[arg(long, value_name = "TIME|only|off", default_value = "auto", value_parser = hunting, help_heading = "How to explore")]
    pub hunt: Hunting,

    /// Sample so many schedules before the proof, or, with --hunt only, instead of it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "How to explore")]
    pub hunt_executions: Option<u64>,

    /// What the random numbers of samples begin with: the same number gives the same samples.
    #[arg(long, value_name = "N", default_value = "0", help_heading = "How to explore")]
    pub seed: u64,

    /// Take an "unknown" that is due to limits for good enough (exit code 0) if all schedules with at most so many
    /// preemptions were taken: `preemptions=3`.
    #[arg(long, value_name = "preemptions=N", value_parser = accepted, help_heading = "Limits")]
    pub accept: Option<u32>,
}

impl HuntArguments {
    /// What it means; `shortest`: what is found first is to be the shortest.
    pub(super) fn meaning(&self, shortest: bool) -> Result<Hunt, UsageError> {
        let Self { hunt, hunt_executions, seed, accept } = *self;
        if hunt == Hunting::Off && hunt_executions.is_some() {
            return Err(UsageError {
                message: "--hunt-executions says how many schedules are sampled, and --hunt off that none are"
                    .to_owned(),
                hint: "leave out one of them".to_owned(),
            });
        }
        if shortest && (hunt != Hunting::Off && hunt != Hunting::Beside || hunt_executions.is_some()) {
            return Err(UsageError {
                message: "a bug that samples show is not the shortest, for which --shortest asks".to_owned(),
                hint: "leave out one of them".to_owned(),
            });
        }
        let hunting = match hunt {
            Hunting::Beside if shortest => Hunting::Off,
            _ => hunt,
        };
        let samples = match hunting {
            Hunting::Only => Some(hunt_executions.unwrap_or(ONLY)),
            _ => hunt_executions,
        };
        if accept.is_some() && hunting == Hunting::Off {
            return Err(UsageError {
                message:
                    "--accept preemptions=N asks for schedules in the order of their preemptions, which are sampled"
                        .to_owned(),
                hint: "leave out --hunt off and --shortest".to_owned(),
            });
        }
        Ok(Hunt { hunting, samples, seed, preemptions: accept })
    }
}

/// What `--accept` asks for.
pub(super) fn accepted(text: &str) -> Result<u32, String> {
    let number = text.strip_prefix("preemptions=").and_then(|number| number.parse().ok());
    number.ok_or_else(|| "expected preemptions=N, with a number".to_owned())
}

fn hunting(text: &str) -> Result<Hunting, String> {
    match text {
        "auto" => Ok(Hunting::Beside),
        "only" => Ok(Hunting::Only),
        "off" => Ok(Hunting::Off),
        _ => {
            let time = units::duration(text).map_err(|_| "expected a time such as 10s, `only`, `off` or `auto`")?;
            Ok(Hunting::First(time))
        }
    }
}

//! How the engine `states` goes about it.
use super::names::{StateBitsName, Switch};
use crate::request::UsageError;
use clap::Args;
use por::{Engine, StateBits};

/// The options about that.
#[derive(Args, Clone, Debug)]
pub(crate) struct StatesArguments {
    /// With states: do not take an action behind one that is independent of it where the other order was taken.
    #[arg(long, value_enum, default_value = "on", value_name = "WHEN", help_heading = "How to explore")]
    pub sleep_sets: Switch,

    /// With states: take only some of the threads from a state where no other will touch what they are about to do.
    #[arg(long, value_enum, default_value = "off", value_name = "WHEN", help_heading = "How to explore")]
    pub persistent_sets: Switch,

    /// With states: how many bits are kept of each state. With fewer, a state may be taken for another one.
    #[arg(long, value_enum, default_value = "128", value_name = "N", help_heading = "How to explore")]
    pub state_bits: StateBitsName,

    /// With states: visit them in breadth, so that a bug is shown by as few actions as possible.
    #[arg(long, help_heading = "How to explore")]
    pub shortest: bool,
}

impl StatesArguments {
    /// Whether states are visited in breadth.
    pub(super) fn is_shortest(&self, engine: Engine) -> Result<bool, UsageError> {
        if self.shortest && engine != Engine::States {
            return Err(UsageError {
                message: "only the engine `states` looks for the shortest schedule".to_owned(),
                hint: "add `--engine states`, or use `--minimise` instead".to_owned(),
            });
        }
        Ok(self.shortest)
    }

    /// How much is kept of each state: less than all only if the engine that keeps states was asked for.
    pub(super) fn bits(&self, engine: Engine) -> Result<StateBits, UsageError> {
        if self.state_bits != StateBitsName::All && engine != Engine::States {
            return Err(UsageError {
                message: "only the engine `states` keeps fewer bits of a state".to_owned(),
                hint: "add `--engine states`, or leave out --state-bits".to_owned(),
            });
        }
        Ok(match self.state_bits {
            StateBitsName::All => StateBits::All,
            StateBitsName::Half => StateBits::Half,
            StateBitsName::Quarter => StateBits::Quarter,
        })
    }
}

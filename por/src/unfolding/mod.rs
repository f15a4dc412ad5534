//! placeholder
use crate::explore::{Observer, Options, Outcome, Statistics};
use crate::system::System;
/// Explores.
pub fn explore<S: System>(system: &mut S, options: &Options, observer: &mut impl Observer<S>) -> (Outcome, Statistics) {
    crate::naive::explore(system, options, observer)
}

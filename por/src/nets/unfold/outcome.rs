//! What is asked of the unfolder, and what it answers besides the prefix.
use super::Steps;
use crate::Order;
use crate::nets::{PlaceId, TransitionId};
use thiserror::Error;

/// How to unfold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UnfoldOptions {
    /// Which histories are smaller than others.
    pub order: Order,
    /// What is done with steps in the order of ERV02.
    pub steps: Steps,
    /// Stops as soon as an event of this transition is found.
    pub stop_at: Option<TransitionId>,
}

/// How far an unfolding has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UnfoldStatistics {
    /// Events, cutoffs and ⊥ included.
    pub events: u64,
    /// Enriched events, cutoffs and ⊥'s included.
    pub histories: u64,
    /// Enriched events that are cutoffs.
    pub cutoffs: u64,
    /// Histories that wait to be looked at.
    pub waiting: u64,
    /// Size of the largest history so far.
    pub depth: u64,
    /// Pairs of concurrent histories, as entries of rows.
    pub concurrent: u64,
    /// Bytes of the tables, about.
    pub bytes: u64,
}

/// How an unfolding ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnfoldEnd {
    /// The prefix is complete.
    Complete,
    /// There is an event of [`UnfoldOptions::stop_at`]: the last history of the prefix.
    Reached,
    /// The caller did not want to go on.
    Interrupted,
}

/// A net is not 1-safe.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("a place can get two tokens")]
pub struct NotSafe {
    /// The place.
    pub place: PlaceId,
    /// A run whose last transition puts the second token there.
    pub run: Vec<TransitionId>,
}

//! The state of an exploration between two executions as bytes, and back.
//!
//! Everything that decides how the exploration goes on is there, so one that goes on from there ends with the same
//! counts as one that was never interrupted. What the system is to restore itself is the system's own business.
use super::configuration::Configuration;
use super::cutoff::Cutoffs;
use super::deepening::Deepening;
use super::estimate::Estimate;
use super::event::{EventId, Unfolding};
use super::walk::{Disabled, Mark, Node, Partial, Walk};
use super::worth::Worth;
use crate::system::Unfoldable;
use crate::{Flow, Listener, Outcome, Statistics};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Why bytes are no checkpoint of this system's exploration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Corrupt(pub String);

/// What is written. (References when it is written, values when it is read.)
#[derive(Serialize, Deserialize)]
struct Saved<'a, P> {
    unfolding: Ref<'a, Unfolding>,
    disabled: Cow<'a, [Disabled]>,
    guide: Cow<'a, [EventId]>,
    guide_base: usize,
    nodes: Cow<'a, [Node]>,
    alone: u32,
    partial: Vec<(EventId, P)>,
    cutoffs: Option<Ref<'a, Cutoffs>>,
    worth: Ref<'a, Worth>,
    statistics: Statistics,
    collect_at: usize,
    purge_at: usize,
    deepening: Deepening,
    estimate: Ref<'a, Estimate>,
}

/// Something that is referred to when it is written, and owned when it was read.
enum Ref<'a, T> {
    Written(&'a T),
    Read(Box<T>),
}

impl<T> Ref<'_, T> {
    fn into_read(self) -> T {
        match self {
            Ref::Read(value) => *value,
            Ref::Written(_) => unreachable!("it was read"),
        }
    }
}

impl<T: Serialize> Serialize for Ref<'_, T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Ref::Written(value) => value.serialize(serializer),
            Ref::Read(value) => value.serialize(serializer),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ref<'_, T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(|value| Ref::Read(Box::new(value)))
    }
}

impl<S: Unfoldable, O: Listener<S>> Walk<'_, S, O> {
    /// Called between executions: gives the listener a checkpoint if it wants one.
    pub(super) fn save_if_wanted(&mut self) -> Result<(), Outcome> {
        // (Constraints have other numbers elsewhere.)
        if !self.configuration.settling().is_empty() || !self.listener.wants_checkpoint() {
            return Ok(());
        }
        let mut partial: Vec<(EventId, Partial<S::Operation>)> =
            self.partial.iter().map(|(id, partial)| (*id, partial.clone())).collect();
        partial.sort_by_key(|(id, _)| *id);
        let saved = Saved {
            unfolding: Ref::Written(&self.unfolding),
            disabled: Cow::Borrowed(&self.disabled),
            guide: Cow::Borrowed(&self.guide),
            guide_base: self.guide_base,
            nodes: Cow::Borrowed(&self.nodes),
            alone: self.alone,
            partial,
            cutoffs: self.cutoffs.as_ref().map(Ref::Written),
            worth: Ref::Written(&self.worth),
            statistics: self.statistics,
            collect_at: self.collect_at,
            purge_at: self.purge_at,
            deepening: self.deepening,
            estimate: Ref::Written(&self.estimate),
        };
        let bytes = postcard::to_stdvec(&saved).expect("plain data can be written");
        match self.listener.checkpoint(self.system, bytes) {
            Flow::Continue => Ok(()),
            Flow::Stop => Err(Outcome::Stopped),
        }
    }

    /// Brings everything, and the system, which has been started, to where a checkpoint was made.
    pub(super) fn restore(&mut self, bytes: &[u8]) -> Result<(), Corrupt> {
        let corrupt = |what: &str| Corrupt(what.to_owned());
        let saved: Saved<'_, Partial<S::Operation>> =
            postcard::from_bytes(bytes).map_err(|error| Corrupt(format!("the exploration cannot be read: {error}")))?;
        if saved.cutoffs.is_some() != self.cutoffs.is_some() {
            return Err(corrupt("it was made with other cutoffs"));
        }
        self.unfolding = saved.unfolding.into_read();
        self.unfolding.index();
        self.disabled = saved.disabled.into_owned();
        self.guide = saved.guide.into_owned();
        self.guide_base = saved.guide_base;
        self.alone = saved.alone;
        self.partial = saved.partial.into_iter().collect();
        self.cutoffs = saved.cutoffs.map(Ref::into_read);
        self.cutoffs.iter_mut().for_each(Cutoffs::index);
        self.worth = saved.worth.into_read();
        self.statistics = saved.statistics;
        (self.collect_at, self.purge_at) = (saved.collect_at, saved.purge_at);
        self.deepening = saved.deepening;
        self.estimate = saved.estimate.into_read();
        self.configuration = Configuration::new();
        for node in saved.nodes.iter() {
            let event = self.unfolding.known(node.event).ok_or_else(|| corrupt("an event is missing"))?;
            let (thread, label) = (event.thread, event.label);
            if !self.is_possible(node.event) {
                return Err(corrupt("the program does something else now"));
            }
            if node.mark == Mark::Own {
                self.system.mark();
            }
            self.system.execute(thread, label);
            self.configuration.push(&mut self.unfolding, node.event);
        }
        self.nodes = saved.nodes.into_owned();
        Ok(())
    }
}

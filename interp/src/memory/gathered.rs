//! What memory has gathered in an exploration and never undoes.
use super::pool::Kin;
use super::space::{GivenOut, Run};
use super::stray::Windows;
use super::{Memory, ObjectKey, StackId};
use crate::race;
use crate::verdict::fault::StackFrame;
use serde::{Deserialize, Serialize};

/// All of it.
#[derive(Serialize, Deserialize)]
pub(crate) struct Gathered {
    /// Names of the objects that the explorer sees, by number.
    objects: Vec<ObjectKey>,
    /// By number: the stack below, and the innermost frame.
    stacks: Vec<(StackId, StackFrame)>,
    /// Kinds of dead objects, by number.
    queues: Vec<Kin>,
    given_out: GivenOut,
    windows: Windows,
    reused_early: bool,
    layout_matters: bool,
    race: race::Gathered,
}

impl Memory {
    /// What it has gathered.
    pub(crate) fn gathered(&self) -> Gathered {
        // All fields are named, so that none can be forgotten.
        let Memory {
            stacks,
            ids,
            race,
            space,
            strays,
            queue_numbers: _,
            reused_early,
            layout_matters,
            // Known anew before it matters.
            is_divided: _,
            // The program and the options decide these, and what is promoted, or counted in, follows from what was
            // learned.
            code: _,
            quarantine: _,
            long_quarantine: _,
            promoted: _,
            counted: _,
            reused: _,
            ignored: _,
            // These are undone.
            objects: _,
            pages: _,
            pools: _,
            mappings: _,
            log: _,
            // And what is in these means nothing.
            accessed_blind: _,
            watch: _,
            dead_compared: _,
            spare: _,
            scratch: _,
        } = self;
        Gathered {
            objects: ids.all().to_vec(),
            stacks: stacks.all().to_vec(),
            queues: self.queues(),
            given_out: space.given_out(),
            windows: strays.windows(),
            reused_early: *reused_early,
            layout_matters: *layout_matters,
            race: race.gathered(),
        }
    }

    /// The part of that which others must agree with: numbers of objects and queues, and addresses.
    pub(crate) fn numbering(&self) -> impl Serialize {
        let Gathered { objects, queues, given_out, windows, .. } = self.gathered();
        (objects, queues, given_out, windows)
    }

    /// From now on the other memory, of a clone that was not started, numbers what the explorer sees as this one does,
    /// and gives out the same addresses.
    pub(crate) fn share_numbers(&mut self, other: &mut Memory) {
        self.ids.share(&mut other.ids);
        self.space.share(&mut other.space);
        self.strays.share(&mut other.strays);
    }

    /// In which order address space was given out to threads, see [`Memory::give_out`].
    pub(crate) fn given_out(&self) -> Vec<Run> {
        self.space.runs()
    }

    /// Gives out address space in that order, before it is needed: addresses do not depend on which thread needs some
    /// first then. An error says why that cannot be.
    pub(crate) fn give_out(&mut self, order: &[Run]) -> Result<(), String> {
        match self.space.give_out_all(order) {
            true => Ok(()),
            false => Err("there is no such room for objects".to_owned()),
        }
    }

    /// Takes over what the other one has gathered that reports say.
    pub(crate) fn absorb(&mut self, other: &Memory) {
        self.reused_early |= other.reused_early;
        self.layout_matters |= other.layout_matters;
    }

    /// Takes over what the memory of another machine for the same program has gathered. An error says why that cannot
    /// be.
    pub(crate) fn take_over(&mut self, gathered: Gathered) -> Result<(), String> {
        let Gathered { objects, stacks, queues, given_out, windows, reused_early, layout_matters, race } = gathered;
        for (number, key) in objects.into_iter().enumerate() {
            if self.ids.intern(key).index() != number {
                return Err("objects have other numbers".to_owned());
            }
        }
        for (number, (caller, frame)) in (1..).zip(stacks) {
            if self.stacks.push(caller, frame) != StackId(number) {
                return Err("call stacks have other numbers".to_owned());
            }
        }
        if !self.space.take_over(given_out) || !self.strays.take_over(windows) {
            return Err("objects have other addresses".to_owned());
        }
        self.set_queues(queues);
        (self.reused_early, self.layout_matters) = (reused_early, layout_matters);
        self.race.take_over(race);
        Ok(())
    }
}

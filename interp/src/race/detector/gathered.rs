//! What the detector has gathered in an exploration and never undoes.
use super::{Detector, Mixed};
use crate::race::{Page, RaceLocation};
use serde::{Deserialize, Serialize};

/// All of it.
#[derive(Serialize, Deserialize)]
pub(crate) struct Gathered {
    mixed: Mixed,
    /// The pages of the journal, and which of them are free.
    pages: (Vec<Page>, Vec<u32>),
    /// Sorted.
    muted: Vec<RaceLocation>,
    plain_accesses: u64,
}

impl Detector {
    /// What it has gathered.
    pub(crate) fn gathered(&self) -> Gathered {
        // All fields are named, so that none can be forgotten.
        let Detector {
            journal: _,
            muted,
            plain_accesses,
            mixed,
            // The options decide this.
            model: _,
            // Only an engine that has no checkpoints looks for that.
            sharing: _,
            // These are undone.
            clocks: _,
            sequences: _,
            shadow: _,
            threads: _,
            passed: _,
            published: _,
            current: _,
            checking: _,
            alone: _,
            marks: _,
            thread_log: _,
            published_log: _,
            // Only tells apart what happens on this machine.
            segment: _,
            // An exploration that has collected anything ends.
            collected: _,
            // This is of the current action alone.
            action: _,
        } = self;
        let (pages, free) = self.pages();
        let mut muted: Vec<RaceLocation> = muted.iter().copied().collect();
        muted.sort_unstable();
        Gathered {
            mixed: mixed.clone(),
            pages: (pages.to_vec(), free.to_vec()),
            muted,
            plain_accesses: *plain_accesses,
        }
    }

    /// Takes over what another detector has gathered.
    pub(crate) fn take_over(&mut self, gathered: Gathered) {
        let Gathered { mixed, pages: (pages, free), muted, plain_accesses } = gathered;
        self.mixed = mixed;
        self.set_pages(pages, free);
        self.muted = muted.into_iter().collect();
        self.plain_accesses = plain_accesses;
    }
}

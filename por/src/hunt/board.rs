//! Who can move: what each thread stands before and which variants of it exist, kept from one action to the next.
//!
//! What an operation can do is a function of the operation and of the words of its objects, so it is asked again only
//! after an action that depends on something of its footprint, or where its thread has moved. Decisions are asked about
//! each time.
use crate::feasible_variants;
use crate::system::{Accesses, Decisions, Places, ThreadId, Variant};

/// What is known of all threads in the current state.
#[derive(Default, Debug)]
pub(super) struct Board {
    threads: Vec<Standing>,
    /// Those that can move, in the order of their numbers.
    enabled: Vec<ThreadId>,
}

/// What a thread stands before.
#[derive(Default, Debug)]
struct Standing {
    is_known: bool,
    place: u64,
    footprint: Accesses,
    variants: Vec<Variant>,
}

impl Board {
    /// Nothing is known any more.
    pub(super) fn clear(&mut self) {
        self.threads.iter_mut().for_each(|standing| standing.is_known = false);
    }

    /// The thread has executed an action that touched this.
    pub(super) fn executed(&mut self, thread: ThreadId, accesses: &Accesses) {
        self.threads[thread.index()].is_known = false;
        let touched = |standing: &Standing| {
            let meets = |access| standing.footprint.iter().any(|own| own.depends(access));
            accesses.iter().any(meets)
        };
        self.threads.iter_mut().filter(|standing| touched(standing)).for_each(|standing| standing.is_known = false);
    }

    /// Looks at what is not known.
    pub(super) fn update<S: Decisions + Places>(&mut self, system: &mut S) {
        let count = system.threads();
        self.threads.resize_with(count as usize, Standing::default);
        self.enabled.clear();
        for thread in (0..count).map(ThreadId) {
            let standing = &mut self.threads[thread.index()];
            let Some(operation) = system.operation(thread) else {
                *standing = Standing::default();
                continue;
            };
            if !standing.is_known || system.is_decision(operation) {
                standing.variants.clear();
                standing.footprint = feasible_variants(system, thread, &mut standing.variants);
                standing.place = system.place(thread);
                standing.is_known = true;
            }
            if !standing.variants.is_empty() {
                self.enabled.push(thread);
            }
        }
    }

    /// The threads that can move.
    pub(super) fn enabled(&self) -> &[ThreadId] {
        &self.enabled
    }

    /// How many threads there are, or have been.
    pub(super) fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Where a thread stands.
    pub(super) fn place(&self, thread: ThreadId) -> u64 {
        self.threads[thread.index()].place
    }

    /// What the operation before which a thread stands may touch.
    pub(super) fn footprint(&self, thread: ThreadId) -> &Accesses {
        &self.threads[thread.index()].footprint
    }

    /// What the operation before which a thread stands can do.
    pub(super) fn variants(&self, thread: ThreadId) -> &[Variant] {
        &self.threads[thread.index()].variants
    }
}

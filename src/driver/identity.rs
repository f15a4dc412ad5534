//! Which bugs are the same.
use super::describe;
use crate::report::Frame;
use interp::Machine;
use interp::fault::{Fault, Kind};
use serde::{Deserialize, Serialize};

/// What makes two bugs the same: the kind and the places, whichever threads met there.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Identity {
    pub(super) kind: Kind,
    place: Vec<Frame>,
    related: Vec<Vec<Frame>>,
}

impl Identity {
    pub(super) fn new(machine: &Machine, fault: &Fault) -> Self {
        let module = machine.module();
        // The innermost frame says where; how the program came there does not make another bug.
        let at = |stack| describe::frames(module, stack).into_iter().take(1).collect::<Vec<_>>();
        let place = at(&fault.stack);
        let mut related: Vec<Vec<Frame>> = fault.related.iter().map(|related| at(&related.stack)).collect();
        related.sort();
        match fault.kind {
            // Either access may be the second one.
            Kind::DataRace => {
                related.push(place);
                related.sort();
                Identity { kind: fault.kind, place: Vec::new(), related }
            }
            // All who wait are among the related, but for a thread that waits for itself.
            Kind::Deadlock if !related.is_empty() => Identity { kind: fault.kind, place: Vec::new(), related },
            kind => Identity { kind, place, related },
        }
    }
}

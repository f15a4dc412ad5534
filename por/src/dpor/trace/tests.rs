//! Threads that are created again, and creations that are taken back.
use super::{NOWHERE, Trace};
use crate::system::{Accesses, Effect, ThreadId};

const MAIN: ThreadId = ThreadId(0);
const CHILD: ThreadId = ThreadId(1);

/// The thread does something that depends on nothing, and creates the child or does not.
fn step(trace: &mut Trace<()>, thread: ThreadId, creates: bool) {
    let action = trace.table.action(thread, 0, &Accesses::none(), Effect::Ordered);
    assert_eq!(trace.push(action, (().into(), false, &[]), |_| 0), None);
    trace.executed(creates.then_some(CHILD), |_| 0);
}

#[test]
fn a_thread_begins_after_its_latest_creation() {
    let mut trace = Trace::new(false);
    assert_eq!(trace.last(CHILD), NOWHERE);
    // Created at 0; its one event is at 1; created again at 2; an event of its second life at 3.
    for (thread, creates, last) in [(MAIN, true, 0), (CHILD, false, 1), (MAIN, true, 2), (CHILD, false, 3)] {
        step(&mut trace, thread, creates);
        assert_eq!(trace.last(CHILD), last);
    }
    // Without any event it stands after the first creation, with one after the second one.
    assert_eq!([0, 1, 2].map(|number| trace.numbered(CHILD, number)), [0, 2, 3]);
    trace.order();
    assert!(trace.includes(3, 2), "what it does in its second life comes after its second creation");
}

#[test]
fn a_creation_is_taken_back() {
    let mut trace = Trace::new(false);
    for (thread, creates) in [(MAIN, true), (CHILD, false), (MAIN, true)] {
        step(&mut trace, thread, creates);
    }
    for last in [1, 0, NOWHERE] {
        trace.pop();
        assert_eq!(trace.last(CHILD), last);
    }
    // Another thread creates it, elsewhere.
    step(&mut trace, MAIN, false);
    step(&mut trace, MAIN, true);
    assert_eq!(trace.last(CHILD), 1);
}

//! The driver's own promises: what is confirmed, what is concluded, what becomes of a panic.
use super::confirm::{Confirmed, confirm};
use super::{panics, unfolding};
use interp::Machine;
use interp::fault::{Fault, Kind};
use por::{Engine, Flow, Listener, Move, Prefix, ThreadId};
use std::sync::Arc;

/// Both threads fail, and main may end the process before the other one does.
const PROGRAM: &str = r#"
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  assert(0);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  return 0;
}
"#;

struct Collect(Vec<(Fault, Vec<Move>)>);

impl Listener<Machine> for Collect {
    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        self.0.push((fault, schedule));
        Flow::Continue
    }
}

/// A machine that was not started, and everything that an engine finds.
fn explored(engine: Engine) -> (Machine, Vec<(Fault, Vec<Move>)>) {
    let file = tempfile::Builder::new().suffix(".c").tempfile().unwrap();
    std::fs::write(&file, PROGRAM).unwrap();
    let program = frontend::load(&[file.path().to_owned()], &frontend::Options::default()).unwrap();
    let machine =
        Machine::new(Arc::new(program.module), runtime_model::registry(), interp::Options::default()).unwrap();
    let mut found = Collect(Vec::new());
    let options = por::Options { engine, ..por::Options::default() };
    interp::engines::explore(&mut machine.clone(), &options, &mut found);
    (machine, found.0)
}

#[test]
fn a_schedule_that_fails_again_is_confirmed() {
    let (machine, found) = explored(Engine::Unfolding);
    let (fault, schedule) = &found[0];
    let Confirmed::Violation { violation, .. } = confirm(&machine, fault, schedule) else { panic!("not confirmed") };
    assert_eq!(violation.kind, Kind::Assertion);
    assert_eq!(violation.place.unwrap().line, 8);
    assert_eq!(violation.thread.number, 1);
    assert_eq!(violation.trace.len(), 3, "create, lock, unlock");
    assert_eq!(violation.trace[0].value.as_deref(), Some("as thread 1"));
}

#[test]
fn a_schedule_that_fails_otherwise_is_not() {
    let (machine, found) = explored(Engine::Unfolding);
    let (fault, schedule) = &found[0];
    let mismatch =
        |fault: &Fault, schedule: &[Move]| matches!(confirm(&machine, fault, schedule), Confirmed::Mismatch(_));
    assert!(!mismatch(fault, schedule));
    assert!(mismatch(&Fault { kind: Kind::Abort, ..fault.clone() }, schedule), "another kind");
    assert!(mismatch(&Fault { thread: ThreadId(0), ..fault.clone() }, schedule), "another thread");
    assert!(mismatch(&Fault { stack: Vec::new(), ..fault.clone() }, schedule), "another place");
    assert!(mismatch(fault, &schedule[..schedule.len() - 1]), "too short");
    let impossible = Move { thread: ThreadId(7), label: 0 };
    assert!(mismatch(fault, &[impossible]), "no such thread");
}

#[test]
fn what_happens_only_after_the_end_is_dropped() {
    // The naive engine's schedules are whole prefixes; some have the end of the process before the failure.
    let (machine, found) = explored(Engine::Naive);
    let late: Vec<bool> = found.iter().map(|(fault, _)| fault.after_end).collect();
    assert!(late.contains(&true) && late.contains(&false), "{late:?}");
    for (fault, schedule) in &found {
        match confirm(&machine, fault, schedule) {
            Confirmed::AfterEnd => assert!(fault.after_end),
            Confirmed::Violation { violation: _, .. } => assert!(!fault.after_end),
            Confirmed::Mismatch(what) => panic!("{what}"),
        }
    }
}

#[test]
fn a_panic_becomes_one_line_with_its_place() {
    panics::keep_quiet();
    let message = panics::caught(|| panic!("the invariant\nis broken")).unwrap_err();
    assert!(message.starts_with("the invariant is broken (src/driver/tests.rs:"), "{message}");
    assert_eq!(panics::caught(|| 7), Ok(7));
}

#[derive(Default)]
struct Explored(Option<Prefix>);

impl Listener<Machine> for Explored {
    fn violation(&mut self, _: Fault, _: Vec<Move>) -> Flow {
        Flow::Continue
    }

    fn prefix(&mut self, prefix: Option<Prefix>) {
        self.0 = prefix;
    }
}

#[test]
fn every_event_is_described_behind_its_causes() {
    let machine = explored(Engine::Naive).0;
    let mut explored = Explored::default();
    let options = por::Options { prefix: Some(100), ..por::Options::default() };
    let (_, statistics) = interp::engines::explore(&mut machine.clone(), &options, &mut explored);
    let all = statistics.events;
    assert_eq!(unfolding::describe(&machine, explored.0.clone(), all, || true), Err(unfolding::NO_TIME.to_owned()));
    let described = unfolding::describe(&machine, explored.0, all, || false).unwrap();
    assert_eq!(described.events.len() as u64, all);
    for (at, event) in described.events.iter().enumerate() {
        assert!(event.step.causes().iter().all(|cause| *cause < at), "{described:?}");
        assert_eq!(event.step.causes().is_empty(), at == 0, "only the creation comes behind nothing: {described:?}");
    }
    let unlock = described.events.iter().find(|event| event.step.action == "unlocks mutex `m`").expect("an unlock");
    assert_eq!(described.events[unlock.step.causes()[0]].step.action, "locks mutex `m`");
    assert_eq!(described.events[unlock.step.causes()[0]].step.holds, ["`m`"]);
    let none = unfolding::describe(&machine, None, 1234, || false).unwrap_err();
    assert_eq!(none, "it has 1,234 events, and up to 300 are shown");
}

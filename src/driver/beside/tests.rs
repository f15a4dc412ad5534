//! What engines beside the usual one answer, and when they begin and end.
use super::super::findings::Shared;
use super::allowance::Allowance;
use super::companion::Companion;
use super::guest::{Guest, TooMany};
use super::{Answer, Beside, Done, FIRST, Found, OBSERVERS, PATIENT, ROUND, sequences, states};
use crate::request::{Patience, Workers};
use interp::Machine;
use por::jobs::Jobs;
use por::{Engine, Options};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// N threads store a number each; main looks whether it is N, and then does what END says.
const PROGRAM: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void mystery(void);
atomic_int last;
void *store(void *p) {
  last = (int)(long)p;
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, store, (void *)(i + 1));
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  if (last == N)
    END;
  return 0;
}
"#;

fn machine(threads: u32, end: &str) -> Machine {
    machine_of(PROGRAM, threads, &[format!("END={end}")])
}

fn machine_of(program: &str, threads: u32, defines: &[String]) -> Machine {
    let file = tempfile::Builder::new().suffix(".c").tempfile().unwrap();
    std::fs::write(&file, program).unwrap();
    let defines = defines.iter().cloned().chain([format!("N={threads}")]).collect();
    let options = frontend::Options { defines, ..frontend::Options::default() };
    let program = frontend::load(&[file.path().to_owned()], &options).unwrap();
    Machine::new(Arc::new(program.module), runtime_model::registry(), interp::Options::default()).unwrap()
}

fn observers() -> Options {
    sequences(&Options::default(), OBSERVERS)
}

fn few_states(most: u64) -> Options {
    states(&Options::default(), most)
}

/// The usual engine has done so much, and cutoffs have ended all of it.
fn done(actions: u64, executions: u64) -> Done {
    Done { actions, executions, cutoffs: executions }
}

/// These beside the usual engine, from its start on.
fn beside(engines: &[Options], processors: usize, patience: Patience, shared: &Arc<Shared>) -> Beside {
    let companions = engines.iter().map(|options| Companion::new(options.clone(), 0)).collect();
    let workers = Workers { most: 1 + processors, patience, ..Workers::ONE };
    Beside::of(companions, workers, Arc::clone(shared))
}

/// What an exploration of all of it comes to.
fn explored(machine: &Machine, options: &Options) -> Result<Option<Found>, TooMany> {
    let jobs = Jobs { workers: 1, patience: Duration::ZERO, stack: 0 };
    Guest::new(machine, &Shared::default(), &Allowance::new(None)).explore(options, jobs)
}

/// Asks until there is an answer, or nothing is left that could give one. The usual engine goes on.
fn answer(beside: &mut Beside, machine: &Machine) -> Option<Answer> {
    let mut actions = FIRST;
    loop {
        if let Some(answer) = beside.answer(machine, done(actions, actions)) {
            return Some(answer);
        }
        if !beside.companions.iter().any(Companion::may_answer) {
            return None;
        }
        actions += 1;
        std::thread::yield_now();
    }
}

#[test]
fn an_answer_is_certain_or_there_is_none() {
    for options in [observers(), few_states(1_000)] {
        let all = |end| explored(&machine(3, end), &options).unwrap_or_else(|TooMany| panic!("there are few states"));
        assert!(matches!(all("return 0"), Some(Found::Safe(_))));
        assert!(matches!(all("assert(0)"), Some(Found::Bug(_))));
        assert!(all("mystery()").is_none(), "what the function does is not known");
    }
    assert!(matches!(explored(&machine(3, "return 0"), &few_states(5)), Err(TooMany)));
}

/// Threads that nobody joins note in which order they come, and the last one does something in one order. As `main`
/// goes first, each of them fails behind the end of the process, in most sequences.
const UNJOINED: &str = r#"
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned long order;
static int count;
static void *come(void *p) {
  pthread_mutex_lock(&m);
  order = order * 10 + (unsigned long)p;
  if (++count == N && order == LAST)
    END;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  for (unsigned long i = 1; i <= N; i++) {
    pthread_t t;
    pthread_create(&t, 0, come, (void *)i);
    pthread_detach(t);
  }
  return 0;
}
"#;

#[test]
fn what_may_happen_before_the_end_is_found() {
    for (n, order) in [(2, 21), (3, 321), (3, 123), (4, 4321)] {
        for options in [observers(), few_states(10_000)] {
            let all =
                |end| explored(&machine_of(UNJOINED, n, &[format!("LAST={order}"), format!("END={end}")]), &options);
            for end in ["assert(0)", "pthread_mutex_lock(&m)"] {
                assert!(matches!(all(end), Ok(Some(Found::Bug(_)))), "{end} in {order}, {:?}", options.engine);
            }
            assert!(matches!(all("order = 0"), Ok(Some(Found::Safe(_)))));
        }
    }
}

#[test]
fn an_engine_that_gives_up_makes_room_for_the_next_one() {
    let machine = machine(3, "return 0");
    let engines = [few_states(5), observers()];
    let mut two = beside(&engines, 1, Patience::None, &Arc::default());
    let Some(Answer { engine, found: Found::Safe(answered) }) = answer(&mut two, &machine) else {
        panic!("it is safe")
    };
    assert_eq!((engine, answered.1.executions, two.used()), (OBSERVERS, 3, 1));
    let mut three = beside(&engines, 3, Patience::None, &Arc::default());
    assert!(answer(&mut three, &machine).is_some());
    assert_eq!(three.used(), 3, "one for the states, the others for the sequences");
}

#[test]
fn they_take_turns_with_one_processor() {
    // (362,880 executions, or some 300,000 states.)
    let machine = machine_of(UNJOINED, 9, &["LAST=1".to_owned(), "END=return 0".to_owned()]);
    let shared = Arc::default();
    let mut turns = beside(&[few_states(1_000_000), observers()], 0, Patience::None, &shared);
    let granted = |turns: &Beside| turns.companions.iter().map(|one| one.granted).collect::<Vec<u64>>();
    // (The order in which they come is kept, so no two orders lead to one state, and `states` saves nothing.)
    for (actions, of_states) in [(ROUND, ROUND), (10_000, 2_500)] {
        assert!(turns.answer(&machine, done(actions, actions)).is_none());
        assert_eq!(granted(&turns), [of_states, actions]);
        assert!(turns.companions.iter().all(|one| one.in_use() == 0 && one.is_idle()));
    }
    assert!(turns.answer(&machine, done(10_001, 10_001)).is_none());
    assert_eq!(granted(&turns), [2_500, 10_000], "the next round is not due");
    assert!(turns.answer(&machine, Done { cutoffs: 10, ..done(12_500, 100) }).is_none());
    assert_eq!(granted(&turns), [3_125, 50_000], "cutoffs save little");
    assert!(turns.answer(&machine, Done { cutoffs: 90, ..done(20_000, 100) }).is_none());
    assert_eq!(granted(&turns), [5_000, 50_000], "and now they do");
    assert!(turns.answer(&machine, Done { cutoffs: 0, ..done(25_000, 100) }).is_none());
    assert_eq!(granted(&turns), [6_250, 400_000], "they save nothing");
    assert_eq!(shared.guests.load(Ordering::Relaxed), 2);
    turns.end();
    assert_eq!(shared.guests.load(Ordering::Relaxed), 0);
}

/// Two threads add to a number under a lock on which they spin for ever, each turn another one than that before.
const SPINNING: &str = r"
#include <pthread.h>
#include <stdatomic.h>
static atomic_int lock;
static int number;
static void *add(void *p) {
  unsigned turn = 0;
  for (; atomic_exchange(&lock, 1); turn = (turn + 1) % 3);
  number += turn;
  lock = 0;
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  return number > 9;
}
";

#[test]
fn finding_races_counts() {
    const SHARE: u64 = 20_000;
    let events = |machine| {
        let shared = Arc::default();
        let mut one = beside(&[observers()], 0, Patience::None, &shared);
        assert!(one.answer(machine, done(SHARE, SHARE)).is_none());
        let mut events = 0;
        shared.change(|findings| events = findings.statistics.events);
        events
    };
    let orders = machine_of(UNJOINED, 9, &["LAST=1".to_owned(), "END=return 0".to_owned()]);
    let (short, long) = (events(&orders), events(&machine_of(SPINNING, 2, &[])));
    assert!(2 * short >= SHARE, "short executions: {short} events are new");
    assert!(3 * long <= SHARE, "long ones: {long} are");
}

#[test]
fn they_share_a_processor() {
    let machine = machine_of(UNJOINED, 9, &["LAST=1".to_owned(), "END=return 0".to_owned()]);
    let mut two = beside(&[few_states(1_000_000), observers()], 1, Patience::None, &Arc::default());
    let mut granted = Vec::new();
    while granted.last().is_none_or(|&(_, most)| most < 4 * FIRST) {
        assert!(two.answer(&machine, done(FIRST, FIRST)).is_none());
        assert_eq!(two.companions.iter().map(Companion::in_use).sum::<usize>(), 1);
        let one = two.companions.iter().find(|one| one.in_use() > 0).unwrap();
        if granted.last() != Some(&(one.engine(), one.granted)) {
            granted.push((one.engine(), one.granted));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let first = [(Engine::States, 2 * FIRST), (OBSERVERS, 2 * FIRST), (Engine::States, 4 * FIRST)];
    assert_eq!(granted, first);
}

#[test]
fn the_last_round_is_played_to_its_end() {
    let (three, nine) = (&machine(3, "return 0"), &machine(9, "return 0"));
    let last = |machine, actions, executions| {
        let mut one = beside(&[observers()], 0, Patience::None, &Arc::default());
        one.better_answer(machine, done(actions, executions))
    };
    let Some(Answer { engine: OBSERVERS, found: Found::Safe(answered) }) = last(three, 64, 6) else {
        panic!("3 are fewer")
    };
    assert_eq!(answered.1.executions, 3);
    assert!(last(three, 64, 3).is_none(), "the usual engine was as good");
    assert!(last(nine, 64, 362_880).is_none(), "it does not come so far");
}

#[test]
fn a_better_answer_is_waited_for() {
    let machine = machine(3, "return 0");
    let first = |executions| {
        let mut one = beside(&[observers()], 0, Patience::None, &Arc::default());
        let answer = one.answer(&machine, done(ROUND, executions));
        (one, answer)
    };
    assert!(first(3).1.is_some(), "there are 3, and the usual engine has had as many");
    let (mut one, none) = first(2);
    assert!(none.is_none() && one.answer(&machine, done(ROUND + 1, 2)).is_none());
    assert!(one.answer(&machine, done(ROUND + 2, 3)).is_some(), "as many now");
    let (mut one, _) = first(2);
    assert!(one.answer(&machine, done(PATIENT * ROUND, 2)).is_some(), "it takes too long");
    let (mut one, _) = first(1);
    assert!(one.better_answer(&machine, done(ROUND + 1, 2)).is_none(), "the usual engine is better");
}

#[test]
fn nobody_answers_where_all_have_doubts() {
    let machine = machine(3, "mystery()");
    let engines = [few_states(1_000), observers()];
    for processors in [0, 1, 2] {
        assert!(answer(&mut beside(&engines, processors, Patience::None, &Arc::default()), &machine).is_none());
    }
}

#[test]
fn all_end_where_memory_is_short() {
    let machine = machine_of(UNJOINED, 9, &["LAST=1".to_owned(), "END=return 0".to_owned()]);
    for processors in [0, 1] {
        let shared: Arc<Shared> = Arc::default();
        let mut all = beside(&[observers(), few_states(1_000)], processors, Patience::None, &shared);
        assert!(all.answer(&machine, done(ROUND, ROUND)).is_none());
        assert!(shared.guests.load(Ordering::Relaxed) > 0);
        shared.is_crowded.store(true, Ordering::Relaxed);
        assert!(all.answer(&machine, done(2 * ROUND, 2 * ROUND)).is_none());
        assert_eq!(shared.guests.load(Ordering::Relaxed), 0);
        assert!(all.answer(&machine, done(3 * ROUND, 3 * ROUND)).is_none(), "and no other one begins");
        assert_eq!(shared.guests.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn they_begin_anew() {
    let machine = machine_of(UNJOINED, 9, &["LAST=1".to_owned(), "END=return 0".to_owned()]);
    let shared: Arc<Shared> = Arc::default();
    let mut one = beside(&[observers()], 2, Patience::None, &shared);
    assert!(one.answer(&machine, done(0, 0)).is_none());
    one.begin_anew();
    assert_eq!(shared.guests.load(Ordering::Relaxed), 0);
    assert!(one.answer(&machine, done(0, 0)).is_none() && one.companions[0].in_use() == 2);
}

#[test]
fn when_they_have_processors_of_their_own() {
    let due = |patience, actions| beside(&[], 1, patience, &Arc::default()).is_side_by_side(actions);
    assert!(due(Patience::None, 0));
    assert!(!due(Patience::Moment, FIRST - 1) && due(Patience::Moment, FIRST));
    assert!(!due(Patience::Long, u64::MAX), "two seconds have not passed");
    assert!(!beside(&[], 0, Patience::None, &Arc::default()).is_side_by_side(u64::MAX), "there is none");
}

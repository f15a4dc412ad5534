//! What engines beside the usual one answer, and when they begin and end.
use super::super::findings::Shared;
use super::guest::{Guest, TooMany};
use super::portfolio::Portfolio;
use super::{Answer, FIRST, Found, optimal, states};
use crate::request::Patience;
use interp::Machine;
use por::jobs::Jobs;
use por::{Engine, Options, Reduction};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const OPTIMAL: Engine = Engine::Dpor(Reduction::Optimal);

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
    Machine::new(Arc::new(program.module), &runtime_model::registry(), interp::Options::default()).unwrap()
}

/// What an exploration of all of it comes to.
fn explored(machine: &Machine, options: &Options) -> Result<Option<Found>, TooMany> {
    let jobs = Jobs { workers: 1, patience: Duration::ZERO, stack: 0 };
    Guest::new(machine, &Shared::default(), &AtomicBool::new(false), None).explore(options, jobs)
}

/// Asks until there is an answer, or nothing is left that could give one.
fn answer(portfolio: &mut Portfolio, machine: &Machine) -> Option<Answer> {
    loop {
        if let Some(answer) = portfolio.answer(machine) {
            return Some(answer);
        }
        if portfolio.is_over() {
            return None;
        }
        std::thread::yield_now();
    }
}

#[test]
fn an_answer_is_certain_or_there_is_none() {
    for options in [optimal(&Options::default()), states(&Options::default(), 1_000)] {
        let all = |end| explored(&machine(3, end), &options).unwrap_or_else(|TooMany| panic!("there are few states"));
        assert!(matches!(all("return 0"), Some(Found::Safe(_))));
        assert!(matches!(all("assert(0)"), Some(Found::Bug(_))));
        assert!(all("mystery()").is_none(), "what the function does is not known");
    }
    assert!(matches!(explored(&machine(3, "return 0"), &states(&Options::default(), 5)), Err(TooMany)));
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
        for options in [optimal(&Options::default()), states(&Options::default(), 10_000)] {
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
    let engines = || vec![states(&Options::default(), 5), optimal(&Options::default())];
    let mut portfolio = Portfolio::new(engines(), 1, Patience::None, Arc::default());
    let Some(Answer { engine, found: Found::Safe(answered) }) = answer(&mut portfolio, &machine) else {
        panic!("it is safe")
    };
    assert_eq!((engine, answered.1.executions, portfolio.used()), (OPTIMAL, 6, 1));
    let mut portfolio = Portfolio::new(engines(), 3, Patience::None, Arc::default());
    assert!(answer(&mut portfolio, &machine).is_some());
    assert_eq!(portfolio.used(), 3, "one for the states, the others for the sequences");
}

#[test]
fn nobody_answers_where_all_have_doubts() {
    let machine = machine(3, "mystery()");
    let engines = vec![states(&Options::default(), 1_000), optimal(&Options::default())];
    assert!(answer(&mut Portfolio::new(engines, 2, Patience::None, Arc::default()), &machine).is_none());
}

#[test]
fn all_end_where_memory_is_short() {
    let machine = machine(9, "return 0");
    let shared: Arc<Shared> = Arc::default();
    let engines = || vec![optimal(&Options::default()), states(&Options::default(), 1_000)];
    let mut portfolio = Portfolio::new(engines(), 1, Patience::None, Arc::clone(&shared));
    assert!(portfolio.answer(&machine).is_none());
    assert_eq!(shared.guests.load(Ordering::Relaxed), 1);
    shared.is_crowded.store(true, Ordering::Relaxed);
    while shared.guests.load(Ordering::Relaxed) > 0 {
        std::thread::yield_now();
    }
    while portfolio.in_use() > 0 {
        assert!(portfolio.answer(&machine).is_none());
    }
    assert_eq!(shared.guests.load(Ordering::Relaxed), 0, "and no other one begins");
}

#[test]
fn they_end_with_the_portfolio() {
    let machine = machine(9, "return 0");
    let shared: Arc<Shared> = Arc::default();
    let mut portfolio = Portfolio::new(vec![optimal(&Options::default())], 2, Patience::None, Arc::clone(&shared));
    assert!(portfolio.answer(&machine).is_none());
    portfolio.end();
    assert_eq!((shared.guests.load(Ordering::Relaxed), portfolio.in_use()), (0, 0));
    portfolio.begin_anew();
    assert!(portfolio.answer(&machine).is_none() && portfolio.in_use() == 2);
}

#[test]
fn when_they_begin() {
    let due = |patience, actions| Portfolio::new(Vec::new(), 1, patience, Arc::default()).is_due(actions);
    assert!(due(Patience::None, 0));
    assert!(!due(Patience::Moment, FIRST - 1) && due(Patience::Moment, FIRST));
    assert!(!due(Patience::Long, u64::MAX), "two seconds have not passed");
}

//! Families whose number of maximal configurations has a closed form.
use crate::compare::{MODES, explore};
use crate::program::{Cell, Program, Statement as S};
use por::{Alternatives, Engine, Reduction};

const X: Cell = Cell { granule: 0, start: 0, len: 1 };

/// A main thread that creates these threads, joins them, and ends with `last`.
fn joined(workers: Vec<Vec<S>>, last: Vec<S>) -> Program {
    let n = workers.len() as u32;
    let mut main: Vec<S> = (1..=n).map(S::Create).collect();
    main.extend((1..=n).map(S::Join));
    main.extend(last);
    Program { threads: [vec![main], workers].concat() }
}

/// Checks the count with optimal alternatives, and that no other mode explores fewer.
fn check(program: &Program, expected: u64) {
    for alternatives in MODES {
        let (_, statistics) = explore(program, Engine::Unfolding, alternatives);
        assert_eq!(statistics.executions, expected, "{alternatives:?}");
        if alternatives == Alternatives::Optimal {
            assert_eq!(statistics.blocked, 0);
        }
    }
    assert_eq!(executions(program, Reduction::Optimal), expected);
    let (_, source) = explore(program, Engine::Dpor(Reduction::Source), Alternatives::Optimal);
    assert_eq!(source.executions, expected);
}

/// Executions with an engine of the other family, none of which is blocked.
fn executions(program: &Program, reduction: Reduction) -> u64 {
    let (_, statistics) = explore(program, Engine::Dpor(reduction), Alternatives::Optimal);
    assert_eq!(statistics.blocked, 0, "{reduction:?}");
    statistics.executions
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

#[test]
fn critical_sections_on_one_mutex_are_permuted() {
    for n in 1..=6 {
        check(&joined(vec![vec![S::Lock(0), S::Unlock(0)]; n], vec![]), factorial(n as u64));
    }
}

#[test]
fn opposite_lock_orders_have_three_ends() {
    let ab = vec![S::Lock(0), S::Lock(1), S::Unlock(1), S::Unlock(0)];
    let ba = vec![S::Lock(1), S::Lock(0), S::Unlock(0), S::Unlock(1)];
    check(&joined(vec![ab, ba], vec![]), 3);
}

#[test]
fn readers_are_before_or_behind_a_writer() {
    for n in 1..=6 {
        let mut workers = vec![vec![S::Load(X, 0)]; n];
        workers.push(vec![S::Store(X, 1)]);
        check(&joined(workers, vec![]), 1 << n);
    }
}

#[test]
fn writers_are_permuted_and_a_reader_stands_between() {
    for n in 1..=5 {
        let writers: Vec<Vec<S>> = (0..n).map(|i| vec![S::Store(X, i as u8)]).collect();
        check(&joined(writers.clone(), vec![S::Load(X, 0)]), factorial(n));
        let with_reader = [writers, vec![vec![S::Load(X, 0)]]].concat();
        check(&joined(with_reader, vec![]), factorial(n + 1));
    }
}

#[test]
fn two_threads_with_n_sections_are_shuffled() {
    // C(2n, n)
    for (n, count) in [(1, 2), (2, 6), (3, 20), (4, 70), (5, 252)] {
        let sections = vec![[S::Lock(0), S::Unlock(0)]; n].concat();
        check(&joined(vec![sections; 2], vec![]), count);
    }
}

#[test]
fn independent_pairs_multiply() {
    for n in 1..=3u8 {
        let writer = |i: u8| vec![S::Store(Cell { granule: i, start: 0, len: 1 }, 1)];
        let workers = (0..n).flat_map(|i| [writer(i), writer(i)]).collect();
        check(&joined(workers, vec![]), 1 << n);
    }
}

#[test]
fn signals_to_different_waiters_commute() {
    // Both waits come first in a deadlock-free run; which signal wakes whom is two classes times the two orders in
    // which the waiters took the mutex before (2) and take it again after (2). Everything else loses a signal.
    let waiter = vec![S::Lock(0), S::Wait(0, 0), S::Unlock(0)];
    // Nobody joins, and main signals too: brute force has fewer interleavings then.
    let main = vec![S::Create(1), S::Create(2), S::Create(3), S::Signal(0)];
    let program = Program { threads: vec![main, waiter.clone(), waiter, vec![S::Signal(0)]] };
    let (optimal, statistics) = explore(&program, Engine::Unfolding, Alternatives::Optimal);
    assert_eq!(statistics.blocked, 0);
    let (naive, _) = explore(&program, Engine::Naive, Alternatives::Optimal);
    assert_eq!(optimal.classes.len(), naive.classes.len());
    assert_eq!(optimal.faults, naive.faults);
}

#[test]
fn unobserved_writes_are_not_permuted() {
    // AJLS18, Table 1, lastwrite(n): only which write comes last is observed.
    for n in 2..=9u64 {
        let writers: Vec<Vec<S>> = (0..n).map(|i| vec![S::Store(X, i as u8)]).collect();
        let program = joined(writers.clone(), vec![S::Load(X, 0)]);
        assert_eq!(executions(&program, Reduction::Observers), n);
        // Nobody reads anything.
        assert_eq!(executions(&joined(writers.clone(), vec![]), Reduction::Observers), 1);
        if n < 8 {
            // floating_read(n): the read observes one of n writes, and each other one comes before that or behind the
            // read; or it comes first of all.
            let floating = joined([writers, vec![vec![S::Load(X, 0)]]].concat(), vec![]);
            assert_eq!(executions(&floating, Reduction::Observers), n * (1 << (n - 1)) + 1, "floating_read({n})");
        }
    }
}

#[test]
fn updates_are_not_permuted() {
    for n in 1..=6u64 {
        let flips: Vec<Vec<S>> = (0..n).map(|_| vec![S::Xor(X, 1)]).collect();
        assert_eq!(executions(&joined(flips.clone(), vec![S::Load(X, 0)]), Reduction::Observers), 1);
        // Each comes before the read or behind it.
        let read = joined([flips, vec![vec![S::Load(X, 0)]]].concat(), vec![]);
        assert_eq!(executions(&read, Reduction::Observers), 1 << n);
    }
}

#[test]
fn two_readers_of_n_writes() {
    // Each read comes between two of the writes, which one thread makes.
    for n in 1..=6u64 {
        let writer: Vec<S> = (0..n).map(|i| S::Store(X, i as u8)).collect();
        let program = joined(vec![writer, vec![S::Load(X, 0)], vec![S::Load(X, 0)]], vec![]);
        assert_eq!(executions(&program, Reduction::Observers), (n + 1) * (n + 1));
        check(&program, (n + 1) * (n + 1));
    }
}

/// Executions with observers, as many as there are classes.
fn check_observers(program: &Program, expected: u64) {
    let [naive, observers] = [Engine::Naive, Engine::Dpor(Reduction::Observers)]
        .map(|engine| explore(program, engine, Alternatives::Optimal));
    assert_eq!(naive.0.observed[0].len() as u64, expected);
    assert_eq!(naive.0.faults, observers.0.faults);
    assert_eq!((observers.1.executions, observers.1.blocked), (expected, 0));
}

#[test]
fn writes_of_the_same_value_are_not_permuted() {
    for n in 2..=8u64 {
        let sets: Vec<Vec<S>> = (0..n).map(|_| vec![S::Store(X, 1)]).collect();
        assert_eq!(executions(&joined(sets.clone(), vec![S::Load(X, 0)]), Reduction::Observers), 1);
        assert_eq!(executions(&joined(sets.clone(), vec![]), Reduction::Observers), 1);
        // The read comes before all of them, or behind one.
        let read = joined([sets.clone(), vec![vec![S::Load(X, 0)]]].concat(), vec![]);
        assert_eq!(executions(&read, Reduction::Observers), 2);
        let two = joined([sets.clone(), vec![vec![S::Load(X, 0)]; 2]].concat(), vec![]);
        assert_eq!(executions(&two, Reduction::Observers), 4);
        // Each thread reads before it sets: those that see nothing come first, and whoever sets comes behind all of
        // these.
        let each: Vec<Vec<S>> = (0..n).map(|_| vec![S::Load(X, 0), S::Store(X, 1)]).collect();
        assert_eq!(executions(&joined(each, vec![]), Reduction::Observers), (1 << n) - 1);
        // As long as nothing is seen, the thread may see it later.
        let again = vec![S::Load(X, 0), S::If(0, 0, vec![S::Load(X, 0), S::If(0, 0, vec![S::Load(X, 0)])])];
        assert_eq!(executions(&joined([sets, vec![again]].concat(), vec![]), Reduction::Observers), 4);
    }
}

#[test]
fn another_set_is_enough_to_see_it_set() {
    let other = Cell { granule: 1, start: 0, len: 1 };
    let (first, second) = (vec![S::Store(other, 1), S::Store(X, 1)], vec![S::Store(X, 1)]);
    let reader = vec![S::Load(X, 0), S::Load(other, 1)];
    // What is read of `other` does not follow from what is read of `X`: 0 and 1, with 1 and without.
    for workers in
        [[&first, &second, &reader], [&second, &first, &reader], [&reader, &first, &second], [&reader, &second, &first]]
    {
        check_observers(&Program { threads: main_and(workers.map(Clone::clone).to_vec()) }, 4);
    }
    // Without the second one, who sees `X` sees `other`.
    check_observers(&Program { threads: main_and(vec![first, reader]) }, 3);
}

#[test]
fn places_set_amid_others() {
    let other = Cell { granule: 1, start: 0, len: 1 };
    let set = S::Store(X, 1);
    // A read between two sets of one thread always sees it.
    check_observers(
        &Program { threads: main_and(vec![vec![set.clone(), S::Load(X, 0), set.clone()], vec![set.clone()]]) },
        1,
    );
    // A reader that decides on what it does next, and fails if it is not what was before.
    let deciding = vec![S::Load(X, 0), S::If(0, 1, vec![S::Load(other, 1), S::Assert(1, 0)])];
    let writer = vec![S::Store(other, 1), set.clone()];
    check_observers(&Program { threads: main_and(vec![deciding.clone(), writer.clone(), writer.clone()]) }, 2);
    check_observers(&Program { threads: main_and(vec![writer, deciding, vec![set.clone()]]) }, 3);
    // Around a lock that may not be had.
    let trying = vec![S::TryLock(0, vec![set.clone()])];
    check_observers(&Program { threads: main_and(vec![trying.clone(), trying, vec![S::Load(X, 0)]]) }, 8);
}

/// A main thread that creates these threads.
fn main_and(workers: Vec<Vec<S>>) -> Vec<Vec<S>> {
    let main = (1..=workers.len() as u32).map(S::Create).collect();
    [vec![main], workers].concat()
}

#[test]
fn overwriting_stores_and_what_comes_between() {
    let [y, z, wide] = [(1, 0, 1), (0, 1, 1), (0, 0, 2)].map(|(granule, start, len)| Cell { granule, start, len });
    let create = vec![S::Create(1), S::Create(2), S::Create(3)];
    let count = |main: S, workers: [Vec<S>; 3]| {
        let program = Program { threads: [vec![[create.clone(), vec![main]].concat()], workers.to_vec()].concat() };
        let (_, optimal) = explore(&program, Engine::Dpor(Reduction::Optimal), Alternatives::Optimal);
        let (seen, observers) = explore(&program, Engine::Dpor(Reduction::Observers), Alternatives::Optimal);
        (optimal.executions, seen.observed[0].len(), observers.blocked)
    };
    // (Values differ, so that no store is a set.)
    let workers = [
        vec![S::Load(y, 0), S::Store(X, 2)],
        vec![S::Store(y, 0), S::Choose(2, 1), S::If(1, 1, vec![S::Store(X, 0)])],
        vec![S::Store(y, 1)],
    ];
    assert_eq!(count(S::Load(X, 0), workers), (48, 35, 0));
    // Every interleaving shows as many.
    let workers = [
        vec![S::Store(y, 0), S::Load(X, 0)],
        vec![S::Store(y, 0), S::CompareExchange(y, 0, 0, 0)],
        vec![S::Store(X, 0), S::Load(wide, 0)],
    ];
    assert_eq!(count(S::Store(z, 0), workers), (12, 12, 0));
}

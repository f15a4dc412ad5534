//! Workers in threads, and the jobs that wait for them.
use super::voice::Ear;
use super::{Explored, Jobs};
use crate::dpor::{Job, Reduction, Start, Walk};
use crate::listener::Told;
use crate::statistics::Statistics;
use crate::system::{Companions, Explorable};
use crate::{Listener, Options, Outcome};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Instant;

/// How many executions the first worker explores between two looks at the clock.
const LOOK: u32 = 16;

/// The jobs that wait.
#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    workers: usize,
    /// How many of them have nothing to do.
    idle: usize,
    /// There will be no more.
    over: bool,
}

struct Pool {
    queue: Mutex<Queue>,
    ready: Condvar,
    /// How many jobs are missing, as far as those know that could give some away.
    wanted: AtomicUsize,
}

/// What a worker leaves.
struct Left<S> {
    worker: usize,
    system: S,
    statistics: Statistics,
}

/// Ends the exploration if a worker breaks.
struct Alarm<'p, 'a, L: ?Sized> {
    pool: &'p Pool,
    ear: &'p Ear<'a, L>,
    worker: usize,
}

impl<L: ?Sized> Drop for Alarm<'_, '_, L> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.ear.end(self.worker, Outcome::Stopped);
            self.pool.close();
        }
    }
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// There will be no more jobs.
    fn close(&self) {
        self.lock().over = true;
        self.ready.notify_all();
    }

    fn put(&self, job: Job) {
        let mut queue = self.lock();
        queue.jobs.push_back(job);
        self.say(&queue);
        self.ready.notify_one();
    }

    /// The next job, as soon as there is one; `None` if there will be none.
    fn next(&self) -> Option<Job> {
        let mut queue = self.lock();
        queue.idle += 1;
        loop {
            if queue.idle == queue.workers && queue.jobs.is_empty() {
                queue.over = true;
                self.ready.notify_all();
            }
            if queue.over {
                return None;
            }
            if let Some(job) = queue.jobs.pop_front() {
                queue.idle -= 1;
                self.say(&queue);
                return Some(job);
            }
            self.say(&queue);
            queue = self.ready.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn say(&self, queue: &Queue) {
        self.wanted.store(queue.idle.saturating_sub(queue.jobs.len()), Ordering::Relaxed);
    }
}

/// Explores with threads.
pub(super) fn explore<S>(
    system: &mut S,
    options: &Options,
    reduction: Reduction,
    listener: &mut (dyn Listener<S> + Send),
    jobs: Jobs,
) -> Explored
where
    S: Explorable + Companions + Send,
{
    let ear = Ear::new::<S>(listener);
    let queue = Queue { workers: 1, ..Queue::default() };
    let pool = Pool { queue: Mutex::new(queue), ready: Condvar::new(), wanted: AtomicUsize::new(0) };
    let mut alone = None;
    let pristine = system.clone();
    let (first, mut others) = std::thread::scope(|scope| {
        let _alarm = Alarm { pool: &pool, ear: &ear, worker: 0 };
        let mut voice = ear.voice(0);
        let mut told = Told::new(&mut voice);
        let mut walk = Walk::new(system, options, reduction, &mut told);
        let mut handles = Vec::new();
        let alone = &mut alone;
        let handles_of = &mut handles;
        let begin = Instant::now();
        let mut explored = 0;
        let outcome = walk.begin().and_then(|()| {
            // The first worker is alone for a while.
            let mut more = true;
            while more && (explored % LOOK != 0 || begin.elapsed() < jobs.patience) {
                more = walk.explore_one()?;
                explored += 1;
            }
            if !more {
                return Ok(());
            }
            for worker in 1..jobs.workers {
                match hire(
                    scope,
                    &pool,
                    &ear,
                    walk.companion(pristine.clone()),
                    (options, reduction, jobs.stack),
                    worker,
                ) {
                    Ok(handle) => handles_of.push(handle),
                    Err(reason) => {
                        *alone = (worker == 1).then_some(reason);
                        break;
                    }
                }
            }
            go_on(&mut walk, &pool)?;
            work(&mut walk, &pool)
        });
        if let Err(outcome) = outcome {
            ear.end(0, outcome);
        }
        pool.close();
        let first = walk.statistics;
        let left: Vec<_> = handles.into_iter().map(ScopedJoinHandle::join).collect();
        (first, left)
    });
    // A worker that broke breaks all of it.
    let mut left: Vec<Left<S>> =
        others.drain(..).map(|left| left.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect();
    let workers = 1 + left.len();
    let statistics = Statistics::sum(std::iter::once(&first).chain(left.iter().map(|left| &left.statistics)));
    let (decisive, outcome) = ear.ended().unwrap_or((0, Outcome::Complete));
    if let Some(other) = left.iter_mut().find(|left| left.worker == decisive) {
        std::mem::swap(system, &mut other.system);
    }
    left.iter().for_each(|left| system.absorb(&left.system));
    Explored { outcome, statistics, workers, alone }
}

/// Starts another worker. The error says why that cannot be.
fn hire<'scope, 'env, 'l, S, L>(
    scope: &'scope Scope<'scope, 'env>,
    pool: &'scope Pool,
    ear: &'scope Ear<'l, L>,
    start: Result<Start<S>, String>,
    (options, reduction, stack): (&'scope Options, Reduction, usize),
    worker: usize,
) -> Result<ScopedJoinHandle<'scope, Left<S>>, String>
where
    S: Explorable + Companions + Send + 'scope,
    L: Listener<S> + Send + ?Sized,
    'l: 'scope,
{
    let (mut system, table, ends) = start?.split();
    pool.lock().workers += 1;
    let thread = Builder::new().name(format!("worker {worker}")).stack_size(stack);
    let started = thread.spawn_scoped(scope, move || {
        let _alarm = Alarm { pool, ear, worker };
        let mut voice = ear.voice(worker);
        let mut told = Told::new(&mut voice);
        let mut walk = Walk::new(&mut system, options, reduction, &mut told);
        let ended = walk.begin_beside(table, ends).and_then(|()| work(&mut walk, pool));
        if let Err(outcome) = ended {
            ear.end(worker, outcome);
            pool.close();
        }
        let statistics = walk.statistics;
        Left { worker, system, statistics }
    });
    started.map_err(|error| {
        pool.lock().workers -= 1;
        format!("cannot start a thread: {error}")
    })
}

/// Does one job after the other.
fn work<S: Explorable>(walk: &mut Walk<'_, S, Told<'_, S>>, pool: &Pool) -> Result<(), Outcome> {
    while let Some(job) = pool.next() {
        if walk.take(job)? {
            go_on(walk, pool)?;
        }
    }
    Ok(())
}

/// Goes on with a job to its end, and gives parts of it away to those that have nothing to do.
fn go_on<S: Explorable>(walk: &mut Walk<'_, S, Told<'_, S>>, pool: &Pool) -> Result<(), Outcome> {
    loop {
        let more = walk.explore_one()?;
        walk.orphans().into_iter().for_each(|job| pool.put(job));
        if !more {
            return Ok(());
        }
        if pool.wanted.load(Ordering::Relaxed) > 0
            && let Some(job) = walk.give_away()
        {
            pool.put(job);
        }
    }
}

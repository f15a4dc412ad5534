"""Gives the coordinator's jobs to Dask, and results to the coordinator.

A job may be with several workers at once: each *copy* is a task of Dask with a name of its own. The first result counts.
Dask itself starts a task again whose worker was lost, and knows nothing of what a failed job means: that is here.
"""

from __future__ import annotations

import queue
import time
import uuid
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, FrozenSet, List, Optional, Set, Tuple

from distributed import Client, Future, as_completed

from .directory import Directory
from .faults import Fault
from .pool import LOST, Pool
from .worker import Jobs, task

#: A job that failed so often ends the run.
TRIES = 3
#: A job may take so many times its budget before an idle worker gets a copy of it.
PATIENCE = 4.0
#: How many copies of a job there may be at once.
COPIES = 3
#: What Dask does by itself if a worker cannot do a task at all (its disk is full, say).
RETRIES = 2


@dataclass
class Copy:
    """A task of Dask."""

    job: Job
    future: Future[Any]
    #: Who may do it.
    among: FrozenSet[str]
    #: When it was given to Dask, or started if it was.
    since: float
    #: Who does it, once it was started.
    worker: Optional[str] = None


@dataclass
class Job:
    """A job that has no result yet."""

    number: int
    data: bytes
    copies: Dict[str, Copy] = field(default_factory=dict)
    made: int = 0
    #: How often it failed, and where.
    failures: int = 0
    failed_on: Set[str] = field(default_factory=set)


class Dispatcher:
    """All jobs that are with workers."""

    def __init__(
        self, client: Client, pool: Pool, directory: Directory, plugin: Jobs, budget: float, note: Callable[[str], None]
    ) -> None:
        self.client = client
        self.pool = pool
        self.directory = directory
        self.plugin = plugin
        self.budget = budget
        self.task = task()
        self.note = note
        #: Two runs on one cluster, of one exploration too, have no task in common.
        self.run = uuid.uuid4().hex[:8]
        self.jobs: Dict[int, Job] = {}
        self.copies: Dict[str, Copy] = {}
        #: Jobs whose result the coordinator has not taken yet.
        self.delivered: Set[int] = set()
        self.done = 0
        self.lost = 0
        self.events: queue.SimpleQueue[Dict[str, str]] = queue.SimpleQueue()
        self.completed = as_completed(with_results=True, raise_errors=False)
        client.register_plugin(plugin)
        client.subscribe_topic(plugin.name, lambda event: self.events.put(event[1]))

    @property
    def running(self) -> int:
        """How many copies were started."""
        return sum(copy.worker is not None for copy in self.copies.values())

    def step(self) -> None:
        """Takes what has come from either side, and passes it on."""
        self.take_starts()
        for future, result in self.completed.next_batch(block=False):
            copy = self.copies.pop(str(future.key), None)
            if copy is not None:
                del copy.job.copies[str(future.key)]
                self.take(copy, result)
        self.take_jobs()

    def take_jobs(self) -> None:
        """New jobs are submitted, and those that are not needed any more cancelled."""
        open_jobs = self.directory.open_jobs()
        for number in self.jobs.keys() - open_jobs:
            self.drop(number)
        self.delivered &= open_jobs
        for number in sorted(open_jobs - self.jobs.keys() - self.delivered):
            data = self.directory.job(number)
            if data is not None:
                self.jobs[number] = Job(number, data)
                self.submit(self.jobs[number], self.pool.addresses)

    def submit(self, job: Job, among: FrozenSet[str]) -> None:
        """Gives a copy of the job to Dask."""
        if not among:
            return  # `rescue` comes back to it when there are workers again.
        key = f"verify-job-{job.number}-{self.run}" + (f"-copy-{job.made}" if job.made else "")
        job.made += 1
        future = self.client.submit(
            self.task,
            self.plugin.name,
            key,
            job.data,
            key=key,
            workers=sorted(among),
            allow_other_workers=False,
            retries=RETRIES,
            priority=-job.number,
            pure=False,
        )
        copy = Copy(job, future, among, time.monotonic())
        self.copies[key] = job.copies[key] = copy
        self.completed.add(future)

    def drop(self, number: int) -> None:
        """Cancels all copies of a job."""
        job = self.jobs.pop(number)
        self.cancel(list(job.copies))

    def cancel(self, keys: List[str]) -> None:
        copies = [self.copies.pop(key) for key in keys]
        for key, copy in zip(keys, copies):
            del copy.job.copies[key]
        if copies:
            self.client.cancel([copy.future for copy in copies], asynchronous=False)

    def take_starts(self) -> None:
        """Notes which copies have started, and where. One that starts again had its worker lost."""
        while True:
            try:
                event = self.events.get_nowait()
            except queue.Empty:
                return
            copy = self.copies.get(event["key"])
            if copy is not None:
                self.lost += copy.worker is not None
                copy.worker, copy.since = event["worker"], time.monotonic()

    def take(self, copy: Copy, result: Any) -> None:
        """A copy has ended."""
        job = copy.job
        if isinstance(result, CancelledError):
            self.pool.check_scheduler()
            raise Fault(LOST, 3)
        code, output, said = outcome(result)
        if code == 0:
            self.done += 1
            self.directory.put_result(job.number, output)
            self.delivered.add(job.number)
            self.drop(job.number)
        elif code == 2:
            raise Fault(f"job {job.number} was refused by the worker {copy.worker}: {said}", 2)
        else:
            self.failed(job, copy.worker, code, said)

    def failed(self, job: Job, worker: Optional[str], code: int, said: str) -> None:
        """A job came to no end: somebody else gets it, unless that happened too often."""
        self.lost += 1
        job.failures += 1
        job.failed_on |= {worker} if worker else set()
        what = f"ended with code {code}" + (f": {said}" if said else "")
        if job.failures >= TRIES:
            limit = self.plugin.memory
            hint = f" (each has {limit} of memory: --memory-per-job)" if limit and code == 3 else ""
            raise Fault(f"job {job.number} was tried {TRIES} times; the last try {what}{hint}", 3)
        self.note(f"verify-cluster: job {job.number} {what}; another worker gets it")
        if not job.copies:
            self.submit(job, (self.pool.addresses - job.failed_on) or self.pool.addresses)

    def rescue(self) -> None:
        """Submits again what waits for workers that are all gone."""
        there = self.pool.addresses
        if there:
            for job in self.jobs.values():
                gone = [key for key, copy in job.copies.items() if not copy.among & there]
                if gone or not job.copies:
                    self.lost += len(gone)
                    self.cancel(gone)
                    self.submit(job, there)

    def copy_stragglers(self) -> None:
        """Where workers are idle, they get copies of the jobs that take the longest."""
        idle, now = self.pool.slots - self.running, time.monotonic()
        for since, number, among in sorted(self.stragglers(now)):
            if idle <= 0:
                return
            self.note(f"verify-cluster: job {number} takes long ({now - since:.0f} s); another worker tries it as well")
            self.submit(self.jobs[number], frozenset(among))
            idle -= 1

    def stragglers(self, now: float) -> List[Tuple[float, int, List[str]]]:
        """Since when, the job, and who else might do it."""
        late: List[Tuple[float, int, List[str]]] = []
        for job in self.jobs.values():
            since = max((copy.since for copy in job.copies.values()), default=now)
            among = self.pool.addresses - {copy.worker for copy in job.copies.values() if copy.worker}
            if now - since > PATIENCE * self.budget and len(job.copies) < COPIES and among:
                late.append((since, job.number, sorted(among)))
        return late

    def end(self) -> None:
        """Cancels all, and leaves no trace on the workers."""
        if self.client.status == "running":
            self.cancel(list(self.copies))
            self.client.unsubscribe_topic(self.plugin.name)
            self.client.unregister_worker_plugin(self.plugin.name)


def outcome(result: Any) -> Tuple[int, bytes, str]:
    """Exit code, result and message of a task that was done, or could not be."""
    if isinstance(result[1], BaseException):
        return -1, b"", f"{type(result[1]).__name__}: {result[1]}"
    code, output, said, _ = result
    return code, output, " ".join(said.split())

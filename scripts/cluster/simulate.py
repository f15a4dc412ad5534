#!/usr/bin/env python3
"""Simulates an exploration by many workers: when does the coordinator become the bottleneck?

    simulate.py [--samples FILE] [--family NAME] [--seconds S] [--workers N,N,…] [--budgets S,S,…] [--plot FILE.svg] …

Events are discrete. A root job holds all the work, which is WORKERS * SECONDS. A job explores for its budget; what is
left is divided among new jobs, and comes back with the result. How many new jobs there are, how long the short ones
among them take, how many bytes a result has, and by how much a job exceeds its budget, are drawn from measured jobs. The
long ones share what is left at random. The coordinator serves one message after the other. docs/cluster.md says more.

The standard library is enough, except for --plot, which needs matplotlib. The same options give the same output.
"""

from __future__ import annotations

import argparse
import csv
import heapq
import random
import statistics
import sys
from collections import deque
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Deque, Dict, Iterable, List, Optional, Sequence, Tuple

HERE = Path(__file__).resolve().parent
#: What a worker needs to start a process, in seconds.
START = 0.015
#: How much of the cost of a message does not depend on how many results are in it.
FIXED = 0.7
#: What the coordinator has for a job besides its bytes.
NODE_BYTES = 500


class Samples:
    """Measured jobs of some families."""

    def __init__(self, path: Path, family: Optional[str]) -> None:
        lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        rows = [row for row in csv.DictReader(lines) if family in (None, row["family"])]
        if not rows:
            raise SystemExit(f"simulate.py: {path} has no jobs of {family}")
        self.families: Dict[str, List[Tuple[float, int, int]]] = {}
        for row in rows:
            job = float(row["seconds"]), int(row["result_bytes"]), int(row["new_jobs"])
            self.families.setdefault(row["family"], []).append(job)
        self.cut = {name: [job for job in jobs if job[2]] for name, jobs in self.families.items()}
        self.budget = min(job[0] for jobs in self.cut.values() for job in jobs)


@dataclass(frozen=True)
class Setting:
    """What is varied."""

    workers: int
    budget: float = 5.0
    #: The shortest budget while fewer jobs wait than there are workers, as a part of the budget.
    ramp: float = 1.0
    #: Seconds of the coordinator per result.
    cost: float = 0.001
    #: Seconds per job of what hands jobs on: Dask's scheduler.
    handing: float = 0.0
    #: Seconds of a message.
    latency: float = 0.001
    #: Jobs open at a time, for each worker.
    open: float = 2.0
    #: Jobs that a worker does before it answers, if there are enough.
    batch: int = 1
    #: Workers of a group, each with a coordinator of its own; 0: one level.
    group: int = 0
    #: How many results have something for another group.
    upward: float = 0.05
    #: Whether the oldest jobs are given away first, or the newest.
    oldest_first: bool = True
    seconds: float = 300.0


@dataclass
class Outcome:
    """What came of it."""

    makespan: float = 0.0
    efficiency: float = 0.0
    #: In the middle of the run, without its beginning and its end.
    steady: float = 0.0
    #: When nine of ten workers had something to do for the first time.
    full: Optional[float] = None
    jobs: int = 0
    messages: int = 0
    megabytes: float = 0.0
    #: Of the coordinator that had the most to do: how much of the time it was busy, and its memory in MB.
    load: float = 0.0
    memory: float = 0.0


class Server:
    """Serves one message after the other."""

    def __init__(self) -> None:
        self.free = 0.0
        self.busy = 0.0

    def serve(self, now: float, cost: float) -> float:
        """When a message is done that arrives now. Messages must come in the order of time."""
        self.free = max(self.free, now) + cost
        self.busy += cost
        return self.free


#: Seconds of work in it, bytes of it.
Job = Tuple[float, float]


@dataclass
class Group:
    """A coordinator with its workers."""

    workers: int
    server: Server = field(default_factory=Server)
    pool: Deque[Job] = field(default_factory=deque)
    pool_bytes: float = 0.0
    #: Jobs that were given away and not begun with.
    queue: Deque[Job] = field(default_factory=deque)
    open: int = 0
    idle: int = 0
    memory: float = 0.0
    has_asked: bool = False


class Simulation:
    """One run."""

    def __init__(self, setting: Setting, samples: Samples, seed: int) -> None:
        self.setting = setting
        self.random = random.Random(seed)
        family = self.random.choice(sorted(samples.families))
        self.jobs, self.cut = samples.families[family], samples.cut[family]
        self.shortest = min(job[1] for job in self.jobs)
        self.measured = samples.budget
        size = setting.group or setting.workers
        sizes = [min(size, setting.workers - first) for first in range(0, setting.workers, size)]
        self.groups = [Group(workers, idle=workers) for workers in sizes]
        self.root, self.hands = Server(), Server()
        self.events: List[Tuple[float, int, str, int, List[Job]]] = []
        self.count = 0
        self.busy = 0
        self.window = (0.4 * setting.seconds, 0.8 * setting.seconds)
        self.in_window = 0.0
        self.outcome = Outcome()

    def at(self, time: float, kind: str, group: int, jobs: List[Job]) -> None:
        self.count += 1
        heapq.heappush(self.events, (time, self.count, kind, group, jobs))

    def run(self) -> Outcome:
        """Until nothing is left to do."""
        setting, outcome = self.setting, self.outcome
        work = setting.workers * setting.seconds
        self.groups[0].pool.append((work, 1000.0))
        for number in range(len(self.groups)):
            self.give(0.0, number)
        for now, kind, group, jobs in self.in_order():
            outcome.makespan = now
            getattr(self, kind)(now, group, jobs)
        outcome.efficiency = work / (setting.workers * outcome.makespan)
        outcome.steady = self.in_window / (setting.workers * (self.window[1] - self.window[0]))
        servers = [self.root, *(group.server for group in self.groups)]
        outcome.load = max(server.busy for server in servers) / outcome.makespan
        outcome.memory = max(group.memory for group in self.groups) / 1e6
        return outcome

    def in_order(self) -> Iterable[Tuple[float, str, int, List[Job]]]:
        while self.events:
            now, _, kind, group, jobs = heapq.heappop(self.events)
            yield now, kind, group, jobs

    def give(self, now: float, number: int) -> None:
        """The coordinator of a group gives jobs away, as many as may be open."""
        setting, group = self.setting, self.groups[number]
        most = max(1, int(setting.open * group.workers))
        given: List[Job] = []
        while group.pool and group.open < most:
            job = group.pool.popleft() if setting.oldest_first else group.pool.pop()
            group.pool_bytes -= job[1]
            group.open += 1
            given.append(job)
        if given:
            self.outcome.messages += len(given)
            handed = self.hands.serve(now, setting.handing * len(given)) if setting.handing else now
            self.at(handed + setting.latency, "arrive", number, given)
        group.memory = max(group.memory, group.pool_bytes + NODE_BYTES * (len(group.pool) + group.open))
        if len(self.groups) > 1 and len(group.queue) + len(group.pool) < group.workers / 2 and not group.has_asked:
            group.has_asked = True
            self.outcome.messages += 1
            self.at(now + setting.latency, "ask", number, [])

    def ask(self, now: float, number: int, _: List[Job]) -> None:
        """A group has too few jobs: the root has the richest give half of its own."""
        richest = max(range(len(self.groups)), key=lambda group: len(self.groups[group].pool))
        donor, setting = self.groups[richest], self.setting
        answered = self.root.serve(now, setting.cost)
        moved: List[Job] = [donor.pool.popleft() for _ in range((len(donor.pool) + 1) // 2)]
        if not moved:
            # Asked again as soon as there may be something.
            if donor.open or any(group.open or group.pool for group in self.groups):
                self.at(answered + max(0.05, 10 * setting.latency), "ask", number, [])
            return
        donor.pool_bytes -= sum(job[1] for job in moved)
        ready = donor.server.serve(answered, setting.cost * (FIXED + 0.05 * len(moved)))
        self.outcome.messages += 3
        self.at(ready + 2 * setting.latency, "receive", number, moved)

    def receive(self, now: float, number: int, jobs: List[Job]) -> None:
        """Jobs of another group arrive."""
        group = self.groups[number]
        group.has_asked = False
        group.pool.extend(jobs)
        group.pool_bytes += sum(job[1] for job in jobs)
        self.give(now, number)

    def arrive(self, now: float, number: int, jobs: List[Job]) -> None:
        """Jobs arrive at the workers of a group."""
        group = self.groups[number]
        group.queue.extend(jobs)
        while group.idle and group.queue:
            group.idle -= 1
            self.busy += 1
            self.begin(now, number)
        if self.outcome.full is None and self.busy >= 0.9 * self.setting.workers:
            self.outcome.full = now

    def begin(self, now: float, number: int) -> None:
        """A worker begins with the next job, or with several if there are enough for all."""
        setting, group = self.setting, self.groups[number]
        there = len(group.queue) + len(group.pool)
        size = min(setting.batch, max(1, len(group.queue) // group.workers))
        budget = setting.budget
        if there < group.workers:
            # Not so short that the coordinator has no time for the results.
            shortest = 2 * (setting.cost + setting.handing) * (group.workers - group.idle)
            budget = max(setting.ramp * budget, min(budget, shortest))
        time, results = now + START, [group.queue.popleft() for _ in range(size)]
        left: List[Job] = []
        size_of_result = 0.0
        for job in results:
            long = self.random.choice(self.cut)
            allowed = budget * long[0] / self.measured
            took = min(job[0], allowed)
            self.in_window += max(0.0, min(time + took, self.window[1]) - max(time, self.window[0]))
            time += took
            if job[0] > took:
                left += self.divide(job[0] - took, long)
                size_of_result += long[1]
            else:
                size_of_result += self.shortest
        self.outcome.jobs += size
        self.outcome.messages += 1
        self.outcome.megabytes += size_of_result / 1e6
        self.at(time, "done", number, [(float(size), 0.0), *left])

    def divide(self, work: float, sample: Tuple[float, int, int]) -> List[Job]:
        """The jobs among which it is divided: as many as the sample has, and as many short ones as the samples have."""
        _, size, count = sample
        small: List[float] = []
        rest = work
        shares: List[float] = []
        for _ in range(count):
            seconds, _, new = self.random.choice(self.jobs)
            if new or seconds > rest:
                shares.append(self.random.expovariate(1))
            else:
                small.append(seconds)
                rest -= seconds
        shares = shares or [1.0]
        total = sum(shares)
        parts = small + [rest * share / total for share in shares]
        return [(part, size / count) for part in parts if part > 0]

    def done(self, now: float, number: int, jobs: List[Job]) -> None:
        """A worker is done. It goes on with what is there; the coordinator gets the result."""
        setting, group = self.setting, self.groups[number]
        if group.queue:
            self.begin(now, number)
        else:
            group.idle += 1
            self.busy -= 1
        size = jobs[0][0]
        cost = setting.cost * (FIXED + (1 - FIXED) * size)
        self.at(group.server.serve(now + setting.latency, cost), "taken", number, jobs)
        if len(self.groups) > 1 and self.random.random() < setting.upward * size:
            self.root.serve(now + setting.latency, setting.cost)
            self.outcome.messages += 2

    def taken(self, now: float, number: int, jobs: List[Job]) -> None:
        """The coordinator has looked at a result."""
        group = self.groups[number]
        group.open -= int(jobs[0][0])
        group.pool.extend(jobs[1:])
        group.pool_bytes += sum(job[1] for job in jobs[1:])
        self.give(now, number)


def mean(setting: Setting, samples: Samples, runs: int) -> Outcome:
    """The medians of some runs, each of a family drawn at random."""
    outcomes = [Simulation(setting, samples, seed).run() for seed in range(runs)]
    middle = Outcome()
    for name in vars(middle):
        setattr(middle, name, median([getattr(outcome, name) for outcome in outcomes]))
    return middle


def median(values: List[Optional[float]]) -> Optional[float]:
    known = [value for value in values if value is not None]
    return statistics.median_low(known) if 2 * len(known) > len(values) else None


HEADER = ("setting", "workers", "efficiency", "steady", "full after", "jobs/s", "messages/s", "MB/s", "load", "memory")


def row(name: str, setting: Setting, outcome: Outcome) -> str:
    """A line of the table."""
    full = "never" if outcome.full is None else f"{outcome.full:.0f} s"
    rates = [outcome.jobs / outcome.makespan, outcome.messages / outcome.makespan, outcome.megabytes / outcome.makespan]
    cells = [f"{outcome.efficiency:.0%}", f"{min(1, outcome.steady):.0%}", full, *(f"{rate:,.0f}" for rate in rates)]
    return " | ".join(
        ["| " + name, f"{setting.workers:,}", *cells, f"{outcome.load:.0%}", f"{outcome.memory:,.1f} MB |"]
    )


def settings(given: argparse.Namespace) -> List[Tuple[str, Setting]]:
    """What is compared, by name, for one number of workers."""
    base = Setting(1, cost=given.cost, latency=given.latency, seconds=given.seconds)
    names = [(f"{budget:g} s", replace(base, budget=budget)) for budget in given.budgets]
    for budget in given.budgets[1:]:
        first = replace(base, budget=budget, ramp=given.ramp)
        names += [
            (f"{budget:g} s, ramp", first),
            (f"{budget:g} s, ramp, Dask", replace(first, latency=0.005, handing=given.handing)),
        ]
    first = replace(base, budget=given.budget, ramp=given.ramp)
    return names + [
        (f"{given.budget:g} s, ramp, newest first", replace(first, oldest_first=False)),
        (f"{given.budget:g} s, ramp, batches of {given.batch}", replace(first, batch=given.batch, open=2 + given.batch)),
        (f"{given.budget:g} s, ramp, groups of {given.group}", replace(first, group=given.group)),
    ]


def main(arguments: Optional[Sequence[str]] = None) -> None:
    """Prints the table."""
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--samples", type=Path, default=HERE / "samples.csv")
    options.add_argument("--family")
    options.add_argument("--seconds", type=float, default=300.0, help="what the work would take if all were ideal")
    options.add_argument("--workers", type=whole_numbers, default=[10, 30, 100, 300, 1000, 3000, 10000])
    options.add_argument("--budgets", type=numbers, default=[1.0, 5.0, 20.0])
    options.add_argument("--budget", type=float, default=5.0, help="with which the other settings are tried")
    options.add_argument("--cost", type=float, default=0.001, help="seconds of the coordinator per result")
    options.add_argument("--latency", type=float, default=0.001, help="seconds of a message")
    options.add_argument("--handing", type=float, default=0.002, help="seconds of Dask's scheduler per job")
    options.add_argument("--ramp", type=float, default=0.02, help="part of the budget while too few jobs wait")
    options.add_argument("--batch", type=int, default=4)
    options.add_argument("--group", type=int, default=250)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--plot", type=Path)
    given = options.parse_args(arguments)
    samples = Samples(given.samples, given.family)
    print("| " + " | ".join(HEADER) + " |\n| --- |" + " ---: |" * (len(HEADER) - 1))
    found: Dict[str, List[Tuple[int, Outcome]]] = {}
    for name, setting in settings(given):
        for workers in given.workers:
            if setting.group and workers <= setting.group:
                continue
            setting = replace(setting, workers=workers)
            outcome = mean(setting, samples, given.runs)
            found.setdefault(name, []).append((workers, outcome))
            print(row(name, setting, outcome), flush=True)
    for name, outcomes in found.items():
        good = [workers for workers, outcome in outcomes if outcome.steady >= 0.9]
        print(f"{name}: workers are busy up to {max(good, default=0):,}", file=sys.stderr)
    if given.plot:
        plot(found, given.plot)


def numbers(text: str) -> List[float]:
    return [float(part) for part in text.split(",")]


def whole_numbers(text: str) -> List[int]:
    return [int(part) for part in text.split(",")]


def plot(found: Dict[str, List[Tuple[int, Outcome]]], path: Path) -> None:
    """How busy workers are, and how much memory the coordinator needs, over the number of workers."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "verify"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(13, 4))
    for name, outcomes in found.items():
        workers = [count for count, _ in outcomes]
        axes[0].plot(workers, [min(100.0, 100 * outcome.steady) for _, outcome in outcomes], marker=".", label=name)
        axes[1].plot(workers, [100 * outcome.efficiency for _, outcome in outcomes], marker=".")
        axes[2].plot(workers, [outcome.memory for _, outcome in outcomes], marker=".")
    titles = ["workers busy in the middle of a run, %", "efficiency of the whole run, %", "memory of a coordinator, MB"]
    for axis, title in zip(axes, titles):
        axis.set_xscale("log")
        axis.set_xlabel("workers")
        axis.set_title(title)
        axis.grid(alpha=0.3)
    axes[2].set_yscale("log")
    axes[0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures jobs: how long they take, how large their results are, and among how many new jobs the rest can be divided.

    measure.py [--verify FILE] [--budget S] [--seconds S] [--workers N] [NAME:N…] > samples.csv

Each program of testsuite/scaling, NAME with -DN=N, is explored for so many seconds, by N processes of this machine. The
lines are what simulate.py draws from. Seconds are those that the job itself says it took; what a process takes to start
is not among them. On the standard error, per program: jobs, user seconds of all workers and of the coordinator, executions
per second of the workers' user time, and how many results there were per second that the coordinator was busy.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List, Set, Tuple

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
FAMILIES = [
    *("last_write:10", "locks:10", "floating_read:9", "fetch_add:10", "lamport_fast:4", "readers:17"),
    *("cas_lock:10", "add_badly:7", "stop_flag:9", "broadcast:6", "await_count:10", "barrier_by_hand:10"),
]
#: What a job says of itself at its end.
SAID = re.compile(r"the end of a job seconds=([0-9.e-]+) bytes=(\d+) left=(\d+)")


def work(verify: str, directory: Path, number: str) -> Tuple[List[str], float]:
    """Does a job; what it said, and its user time."""
    files = {"program": directory / "program", "job": directory / f"jobs/{number}.job"}
    command = [verify, "work", *(f"--{name}={file}" for name, file in files.items())]
    command.append(f"--out={directory}/results/{number}.out")
    environment = {**os.environ, "VERIFY_LOG": "verify=debug", "NO_COLOR": "1"}
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    assert run.stderr is not None
    said = run.stderr.read()
    _, _, used = os.wait4(run.pid, 0)
    found = SAID.search(said)
    return list(found.groups()) if found else [], used.ru_utime


def explore(given: argparse.Namespace, family: str) -> None:
    """Prints the jobs of a program."""
    name, size = family.split(":")
    with tempfile.TemporaryDirectory(prefix="verify-measure-") as folder, ThreadPoolExecutor(given.workers) as pool:
        directory = Path(folder)
        command = [given.verify, "coordinate", "--dir", folder, "--budget", f"{int(1000 * given.budget)}ms"]
        command += ["--tasks", str(2 * given.workers), "--keep-going", "--format", "json"]
        command += [str(TOP / f"testsuite/scaling/{name}.c"), f"-DN={size}", f"--time-limit={given.seconds}s"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        coordinator = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        begun: Set[str] = set()
        running: Dict[Any, str] = {}
        users: List[float] = []
        while coordinator.poll() is None or running:
            for path in sorted(directory.glob("jobs/*.job")) if coordinator.poll() is None else []:
                if path.stem not in begun:
                    begun.add(path.stem)
                    running[pool.submit(work, given.verify, directory, path.stem)] = path.stem
            for future in [future for future in running if future.done()]:
                number = running.pop(future)
                said, user = future.result()
                users.append(user)
                if said:
                    print(f"{name},{float(said[0]):.3f},{said[1]},{int(said[2])}", flush=True)
                elif coordinator.poll() is None and (directory / f"jobs/{number}.job").exists():
                    begun.discard(number)
            time.sleep(0.01)
        assert coordinator.stdout is not None
        report = json.load(coordinator.stdout)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        own = after.ru_utime - before.ru_utime - sum(users)
        executions = report["stats"]["executions"]
        print(
            f"{family}: {report['verdict']}, {executions:,} executions, {len(users)} jobs, workers {sum(users):.2f} s, "
            f"coordinator {own:.2f} s, {executions / max(sum(users), 0.01):,.0f} executions a second, "
            f"{len(users) / max(own, 0.01):,.0f} results per second of the coordinator",
            file=sys.stderr,
            flush=True,
        )


def main() -> None:
    """Measures all."""
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--verify", default=str(TOP / "target/release/verify"))
    options.add_argument("--budget", type=float, default=1.0)
    options.add_argument("--seconds", type=int, default=30)
    options.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    options.add_argument("families", nargs="*", default=FAMILIES)
    given = options.parse_args()
    given.verify = os.path.abspath(given.verify)
    print(f"# Measured by measure.py: a budget of {given.budget:g} s, {given.workers} workers, {given.seconds} s each.")
    print("family,seconds,result_bytes,new_jobs")
    for family in given.families:
        explore(given, family)


if __name__ == "__main__":
    main()

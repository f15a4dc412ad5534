"""With the real `verify`, named by the environment variable VERIFY: what comes of it is what one process finds."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import pytest
from conftest import HERE, SITE, Ended, ended
from distributed import Client, LocalCluster
from test_cluster import command_line, jobs, wait_for

VERIFY = os.environ.get("VERIFY", "")
pytestmark = pytest.mark.skipif(not VERIFY, reason="VERIFY names no executable")
SUITE = HERE.parents[2] / "testsuite"
#: A program that takes some seconds, so that something can happen meanwhile: 9! executions.
LONG, EXECUTIONS = ["scaling/last_write.c", "-DN=9"], 362_880
PROGRAMS = [
    pytest.param(["scaling/last_write.c", "-DN=8"], id="last_write"),
    pytest.param(["scaling/locks.c", "-DN=7", "--engine", "observers"], id="locks"),
    pytest.param(["promotion/lost_update.c", "--keep-going"], id="lost_update"),
]


@pytest.fixture(scope="module")
def workers() -> Iterator[LocalCluster]:
    """Three worker processes."""
    with LocalCluster(n_workers=3, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, env=SITE) as cluster:
        yield cluster


def start(where: List[str], options: List[str], *more: str) -> subprocess.Popen[str]:
    program = [str(SUITE / options[0]), *options[1:], "--format", "json"]
    command = [sys.executable, "-m", "verify_cluster", *where, "--verify", VERIFY, *more, *program]
    return subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def on(cluster: LocalCluster, budget: str = "150ms") -> List[str]:
    return ["--scheduler", cluster.scheduler_address, "--budget", budget]


def alone(options: List[str]) -> Dict[str, Any]:
    """What one process finds."""
    engine = [] if "--engine" in options else ["--engine", "optimal"]
    command = [VERIFY, str(SUITE / options[0]), *options[1:], *engine, "--hunt", "off", "--format", "json"]
    return essence(subprocess.run(command, capture_output=True, text=True, timeout=60).stdout)


def essence(text: str) -> Dict[str, Any]:
    """What must be the same."""
    report = json.loads(text)
    found: List[Tuple[str, str, int]] = [
        (bug["kind"], bug["message"], len(bug["trace"])) for bug in report["violations"]
    ]
    counted = {name: report["stats"][name] for name in ("executions", "blocked", "pruned", "restarts", "promoted")}
    return {"verdict": report["verdict"], "bugs": sorted(found), **counted, "assumptions": report["assumptions"]}


@pytest.mark.parametrize("options", PROGRAMS)
def test_it_is_what_one_process_finds(workers: LocalCluster, options: List[str]) -> None:
    end = ended(start(on(workers), options))
    assert essence(end.out) == alone(options), end


def test_with_a_worker_killed(workers: LocalCluster) -> None:
    with Client(workers) as client:
        pids = list(client.run(os.getpid).values())
        run = start(on(workers), LONG)
        # One that is in the middle of a job, if any is.
        wait_for(lambda: any("/job-" in command_line(job) for pid in pids for job in jobs(pid)))
        busy = [pid for pid in pids for job in jobs(pid) if "/job-" in command_line(job)]
        os.kill((busy or pids)[0], signal.SIGKILL)
        end = ended(run)
        assert end.code == 0 and essence(end.out)["executions"] == EXECUTIONS, end
        client.wait_for_workers(3)


def test_too_little_memory_then_more(workers: LocalCluster, tmp_path: Path) -> None:
    """A job that exceeds its memory ends the run, and loses nothing."""
    options, directory = ["scaling/last_write.c", "-DN=6"], ["--dir", str(tmp_path / "jobs")]
    end = ended(start(on(workers), options, *directory, "--memory-per-job", "1M"))
    assert end.code == 3 and essence(end.out)["verdict"] == "unknown", end
    assert "was tried 3 times" in end.err and "--memory-per-job" in end.err, end
    end = ended(start(on(workers), options, *directory, "--memory-per-job", "1G", "--resume"))
    assert essence(end.out) == alone(options), end


def test_another_scheduler_goes_on(tmp_path: Path) -> None:
    """The scheduler is killed in the middle, with its workers; with another one nothing is counted twice."""
    directory = ["--dir", str(tmp_path / "jobs"), "--budget", "200ms"]
    ends: List[Ended] = []
    for turn in range(2):
        file = str(tmp_path / f"scheduler{turn}.json")
        dask, quiet = [sys.executable, "-m", "dask"], subprocess.DEVNULL
        shared = ["--scheduler-file", file, "--no-dashboard"]
        run = [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", *shared]
        processes = [subprocess.Popen(run, stderr=quiet)]
        wait_for(Path(file).exists)
        run = [*dask, "worker", "--nthreads", "3", "--no-nanny", *shared]
        processes.append(subprocess.Popen(run, cwd=tmp_path, stderr=quiet))
        try:
            resumes = ["--resume"] if turn else []
            exploration = start(["--scheduler-file", file], LONG, *directory, *resumes)
            if turn == 0:
                journal = tmp_path / "jobs" / "journal"
                wait_for(lambda: journal.exists() and journal.stat().st_size > 5_000)
                processes[0].kill()
            ends.append(ended(exploration))
        finally:
            for process in processes:
                process.kill()
                process.wait()
    first, second = ends
    assert first.code == 3 and "the Dask scheduler is lost" in first.err, first
    assert 0 < essence(first.out)["executions"] < EXECUTIONS, first
    assert second.code == 0 and essence(second.out)["executions"] == EXECUTIONS, second


def test_plain_shell(tmp_path: Path) -> None:
    """The same without Dask."""
    options = ["scaling/locks.c", "-DN=6"]
    program = [str(SUITE / options[0]), *options[1:], "--format", "json", "--budget", "50ms"]
    command = [str(HERE.parent / "any.sh"), "3", str(tmp_path / "jobs"), *program]
    run = subprocess.run(
        command, env={**os.environ, "VERIFY": VERIFY}, capture_output=True, text=True, timeout=60
    )
    assert essence(run.stdout) == alone(options), run

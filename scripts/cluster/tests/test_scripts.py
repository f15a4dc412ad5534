"""The ways without Dask: plain shell, and HyperQueue."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from typing import List

import pytest
from conftest import HERE, Site, ended
from test_cluster import wait_for

SHELL = [str(HERE.parent / "any.sh"), "3"]
QUEUE = [sys.executable, str(HERE.parent / "hq.py"), "--local", "3", "6"]
WAYS = [
    pytest.param(SHELL, id="any.sh"),
    pytest.param(
        QUEUE,
        id="hq.py",
        marks=pytest.mark.skipif(not importlib.util.find_spec("hyperqueue"), reason="hyperqueue is not installed"),
    ),
]


def start(site: Site, way: List[str], program: str, *options: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "VERIFY": site.verify}
    command = [*way, str(site.dir), program, "--budget", "100ms", *options]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("way", WAYS)
def test_all_is_explored(site: Site, way: List[str]) -> None:
    """Also if a job fails once, and after an interruption."""
    program = site.program(size=60, memory_once=2)
    run = start(site, way, program)
    wait_for(lambda: len(site.done()) >= 2)
    run.send_signal(signal.SIGINT)
    first = ended(run)
    assert first.code == 3 and "unknown: " in first.out, first
    second = ended(start(site, way, program, "--resume"))
    assert second.code == 0 and second.out.endswith("safe: 60 executions\n"), second


@pytest.mark.parametrize("way", WAYS)
def test_a_refused_job_ends_the_run(site: Site, way: List[str]) -> None:
    end = ended(start(site, way, site.program(size=60, refuse=1)))
    assert end.code in (2, 3) and "safe" not in end.out, end

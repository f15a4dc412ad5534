"""Without a cluster: on this machine, or with a scheduler that gets lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Iterator, List

import pytest
from conftest import HERE, Site, ended
from test_cluster import wait_for


def test_nothing_listens_beyond_this_machine(site: Site) -> None:
    run = site.start(site.program(size=60), where="local")
    wait_for(lambda: len(site.done()) >= 3)
    assert set(listening(run.pid)) <= {"0100007F"}
    end = ended(run)
    assert (end.code, end.out) == (0, "safe: 60 executions\n"), end


def test_the_dashboard_is_for_this_machine(site: Site) -> None:
    run = site.start("--dashboard", "0", site.program(size=20), where="local")
    wait_for(lambda: len(site.done()) >= 1)
    assert set(listening(run.pid)) == {"0100007F"}
    assert ended(run).code == 0


def listening(process: int) -> List[str]:
    """The addresses on which the process listens, as /proc has them."""
    links = [os.readlink(path) for path in Path(f"/proc/{process}/fd").iterdir()]
    sockets = {link[8:-1] for link in links if link.startswith("socket:[")}
    found = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in sockets:
                found.append(fields[1].split(":")[0])
    return found


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    file = str(tmp_path / "scheduler.json")
    dask = [sys.executable, "-m", "dask"]
    quiet = subprocess.DEVNULL
    options = ["--scheduler-file", file, "--no-dashboard"]
    first = subprocess.Popen([*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", *options], stderr=quiet)
    wait_for(Path(file).exists)
    worker = subprocess.Popen([*dask, "worker", "--nthreads", "2", "--no-nanny", *options], cwd=tmp_path, stderr=quiet)
    yield first
    for process in (worker, first):
        process.kill()
        process.wait()


def test_a_lost_scheduler(site: Site, scheduler: subprocess.Popen[bytes], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "verify_cluster", "--scheduler-file", str(tmp_path / "scheduler.json")]
    options = ["--verify", site.verify, "--budget", "100ms", "--dir", str(site.dir), site.program(size=100_000)]
    run = subprocess.Popen(
        [*command, *options], cwd=HERE.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_for(lambda: len(site.done()) >= 2)
    scheduler.kill()
    end = ended(run)
    assert end.code == 3 and end.out.startswith("unknown: "), end
    assert "the Dask scheduler is lost" in end.err and f"--resume --dir {site.dir}" in end.err

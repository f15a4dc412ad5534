"""A cluster of three worker processes, and the command against the fake `verify`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest
from distributed import Client, LocalCluster

HERE = Path(__file__).resolve().parent
FAKE = HERE / "fake_verify.py"
#: Its text as an executable of the Python that runs here, which begins at once.
TEXT = f"#!{sys.executable} -IS\n" + FAKE.read_text().split("\n", 1)[1]
#: Workers get their `verify` from here: as on a cluster, they have nothing of this package.
SITE = {"PATH": os.environ["PATH"], "PYTHONPATH": ""}


class Site:
    """A program of the fake and the cluster, with a directory for both."""

    def __init__(self, cluster: LocalCluster, path: Path) -> None:
        self.cluster = cluster
        self.path = path
        self.dir = path / "dir"
        self.marks = path / "marks"
        self.marks.mkdir()
        self.verify = str(executable(path / "bin", TEXT) / "verify")

    def program(self, **fields: Any) -> str:
        """Writes the program."""
        path = self.path / "program.json"
        path.write_text(json.dumps({"unit": 0.02, "marks": str(self.marks), **fields}))
        return str(path)

    def command(self, *arguments: str, where: str = "cluster", verify: str = "") -> List[str]:
        address = ["--scheduler", self.cluster.scheduler_address] if where == "cluster" else ["--local", "3"]
        given = ["--verify", verify or self.verify, "--budget", "100ms", *arguments]
        return [sys.executable, "-m", "verify_cluster", *address, *given]

    def start(self, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        """Starts the command."""
        command = self.command(*arguments, **options)
        return subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, *arguments: str, **options: Any) -> Ended:
        """Runs the command to its end."""
        return ended(self.start(*arguments, **options))

    def done(self) -> List[str]:
        """The jobs that were done, one name for each time."""
        return [path.name.split("-")[1] for path in self.marks.glob("done-*")]


def executable(folder: Path, text: str) -> Path:
    """A directory with this as `verify`."""
    folder.mkdir()
    (folder / "verify").write_text(text)
    (folder / "verify").chmod(0o755)
    return folder


class Ended:
    """What a run of the command left."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def __repr__(self) -> str:
        return f"code {self.code}\n{self.out}\n{self.err}"


def ended(process: subprocess.Popen[str]) -> Ended:
    """Waits for the end."""
    out, err = process.communicate(timeout=40)
    return Ended(process.returncode, out, err)


@pytest.fixture(scope="session")
def cluster() -> Iterator[LocalCluster]:
    """Three workers, each a process with one thread and a nanny."""
    environment: Dict[str, str] = SITE
    with LocalCluster(
        n_workers=3, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, env=environment
    ) as cluster:
        yield cluster


@pytest.fixture
def site(cluster: LocalCluster, tmp_path: Path) -> Site:
    return Site(cluster, tmp_path)


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        yield client

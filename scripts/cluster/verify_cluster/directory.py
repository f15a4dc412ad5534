"""The directory through which `verify coordinate` gives jobs away and takes their results.

    DIR/program          the program, written once
    DIR/jobs/N.job       a job, until its result was taken or it is not needed any more
    DIR/results/N.out    the result of a job, until the coordinator takes it

(An empty file `over` appears when the exploration has ended. Here the end of the process says so.)

Files appear by rename, so one that is there is whole.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Optional, Set


class Directory:
    """The coordinator's directory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def create(self) -> None:
        """Makes the directory, if it is not there."""
        self.path.mkdir(parents=True, exist_ok=True)

    def is_used(self) -> bool:
        """Whether anything is in it."""
        return self.path.is_dir() and any(self.path.iterdir())

    def program(self) -> Optional[bytes]:
        """The program, if the coordinator has written it."""
        return read(self.path / "program")

    def open_jobs(self) -> Set[int]:
        """The numbers of the jobs that have no result yet."""
        return numbers(self.path / "jobs", ".job") - numbers(self.path / "results", ".out")

    def job(self, number: int) -> Optional[bytes]:
        """A job; none if it is not needed any more."""
        return read(self.path / "jobs" / f"{number}.job")

    def put_result(self, number: int, result: bytes) -> None:
        """Gives a result to the coordinator."""
        folder = self.path / "results"
        folder.mkdir(exist_ok=True)
        draft = folder / f".{number}.draft"
        draft.write_bytes(result)
        os.replace(draft, folder / f"{number}.out")


def numbers(folder: Path, ending: str) -> Set[int]:
    """The numbers for which the folder has a file."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return set()
    stems = (name[: -len(ending)] for name in names if name.endswith(ending))
    return {int(stem) for stem in stems if stem.isdecimal()}


def read(path: Path) -> Optional[bytes]:
    """A file, if it is there."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None

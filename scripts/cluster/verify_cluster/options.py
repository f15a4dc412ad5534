"""The command line."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import List, Optional, Sequence

from . import __version__
from .durations import seconds

USAGE = """verify-cluster [OPTIONS] PROG.c [OPTIONS AND MORE INPUTS FOR verify check…]

Explores all schedules of a program on the machines of a Dask cluster, or on the processors of this one.
Exit code: as of `verify check`: 0 safe, 1 a bug, 2 wrong use or workers that do not fit, 3 unknown.
"""


class Options(argparse.Namespace):
    """What was asked for."""

    scheduler: Optional[str]
    scheduler_file: Optional[str]
    local: Optional[int]
    dashboard: Optional[int]
    dir: Optional[Path]
    resume: bool
    verify: str
    budget: str
    tasks: Optional[int]
    memory_per_job: Optional[str]
    tls_ca_file: Optional[str]
    tls_cert: Optional[str]
    tls_key: Optional[str]
    program: str
    rest: List[str]


def parser() -> argparse.ArgumentParser:
    """The options and what they mean."""
    options = argparse.ArgumentParser("verify-cluster", usage=USAGE)
    where = options.add_argument_group("where jobs run").add_mutually_exclusive_group()
    where.add_argument("--scheduler", metavar="tcp://…", help="address of the scheduler of a Dask cluster")
    where.add_argument("--scheduler-file", metavar="F", help="the file that `dask scheduler --scheduler-file F` wrote")
    where.add_argument("--local", type=positive, metavar="N", help="N at once on this machine (default: all processors)")
    options.add_argument("--dashboard", type=int, metavar="PORT", help="with --local: Dask's dashboard at 127.0.0.1:PORT")
    options.add_argument("--dir", type=Path, help="keep jobs and results here (default: a new directory in $TMPDIR)")
    options.add_argument("--resume", action="store_true", help="go on with what is in --dir")
    options.add_argument("--verify", default="verify", metavar="PATH", help="the executable, here and on the workers")
    options.add_argument("--budget", default="5s", type=duration, help="how long a job may take (default: 5s)")
    options.add_argument("--tasks", type=positive, metavar="N", help="jobs open at a time (default: twice the threads)")
    options.add_argument("--memory-per-job", metavar="SIZE", help="a job that needs more memory is given up, such as 2G")
    tls = options.add_argument_group("encrypted connections (else as Dask is configured)")
    tls.add_argument("--tls-ca-file", metavar="F", help="certificates that are trusted")
    tls.add_argument("--tls-cert", metavar="F", help="our certificate")
    tls.add_argument("--tls-key", metavar="F", help="its key")
    options.add_argument("--version", action="version", version=f"verify-cluster {__version__}")
    options.add_argument("program", metavar="PROG.c")
    options.add_argument("rest", nargs=argparse.REMAINDER, metavar="…")
    return options


def parse(arguments: Optional[Sequence[str]] = None) -> Options:
    """The options; ends with code 2 if they make no sense."""
    options = parser()
    given = options.parse_args(arguments, namespace=Options())
    is_remote = given.scheduler is not None or given.scheduler_file is not None
    tls = [given.tls_ca_file, given.tls_cert, given.tls_key]
    if any(tls) and not all(tls):
        options.error("--tls-ca-file, --tls-cert and --tls-key go together")
    if any(tls) and not is_remote:
        options.error("--tls-… are for --scheduler and --scheduler-file: on this machine there are no connections")
    if given.dashboard is not None and is_remote:
        options.error("--dashboard is for --local: a cluster has its own")
    if given.resume and given.dir is None:
        options.error("--resume needs --dir")
    if os.sep in given.verify:
        given.verify = os.path.abspath(given.verify)
    return given


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def duration(text: str) -> str:
    try:
        seconds(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text

"""What runs on the workers: which `verify` they have, and jobs.

This module is sent to the workers by value, so that they need Dask and `verify`, but not this package. Therefore it
imports nothing of the package, and what it sends back is of plain types.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Set, Tuple

from distributed import Worker, WorkerPlugin

#: Exit code, result, the end of standard error, seconds.
Done = Tuple[int, bytes, str, float]

#: Becomes a command that ends when the process that started it does: a worker that was killed leaves no `verify`
#: behind, and a killed driver no coordinator. (To do that between fork and exec is not safe where there are threads.)
TIED = (
    "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, int(sys.argv[1])); "
    "os.getppid() == int(sys.argv[2]) or sys.exit(3); os.execvp(sys.argv[3], sys.argv[3:])"
)


def tied(command: list[str], signal: int) -> list[str]:
    """The command, such that it gets the signal when this process ends."""
    return [sys.executable, "-I", "-S", "-c", TIED, str(int(signal)), str(os.getpid()), *command]


def fingerprint(verify: str) -> Dict[str, str]:
    """The version and the hash of the executable here; or `error`."""
    path = shutil.which(verify)
    if path is None:
        return {"error": f"there is no `{verify}`"}
    try:
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        run = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError) as error:
        return {"error": f"`{path}` cannot be run: {error}"}
    if run.returncode != 0:
        return {"error": f"`{path} --version` fails with code {run.returncode}: {run.stderr.strip()[-300:]}"}
    return {"version": run.stdout.strip(), "hash": digest}


class Jobs(WorkerPlugin):
    """Has the program on this worker as a file, and runs jobs of it.

    Dask gives it once to every worker that there is, and to each that joins.
    """

    def __init__(self, name: str, verify: str, program: bytes, memory: Optional[str]) -> None:
        self.name = name
        self.verify = verify
        self.program = program
        self.memory = memory

    def setup(self, worker: Worker) -> None:
        """Writes the program."""
        self.worker = worker
        self.lock = threading.Lock()
        self.running: Dict[str, subprocess.Popen[bytes]] = {}
        self.cancelled: Set[str] = set()
        self.directory = Path(tempfile.mkdtemp(prefix="verify-", dir=worker.local_directory))
        (self.directory / "program").write_bytes(self.program)

    def teardown(self, worker: Worker) -> None:
        """Ends what runs, and removes the program."""
        with self.lock:
            for process in self.running.values():
                process.kill()
        shutil.rmtree(self.directory, ignore_errors=True)

    def transition(self, key: Any, start: Any, finish: Any, **kwargs: Any) -> None:
        """Ends a job that is not wanted any more."""
        if start in ("executing", "long-running") and finish in ("cancelled", "released", "forgotten"):
            with self.lock:
                self.cancelled.add(str(key))
                process = self.running.get(str(key))
                if process is not None:
                    process.kill()

    def run(self, key: str, job: bytes) -> Done:
        """Does a job."""
        folder = Path(tempfile.mkdtemp(prefix="job-", dir=self.directory))
        try:
            (folder / "job").write_bytes(job)
            files = ["--program", str(self.directory / "program"), "--job", str(folder / "job")]
            limit = ["--memory-limit", self.memory] if self.memory else []
            command = [self.verify, "work", *files, "--out", str(folder / "out"), *limit]
            begin = time.monotonic()
            code, said = self.end_of(key, command)
            output = (folder / "out").read_bytes() if code == 0 else b""
            return code, output, said, time.monotonic() - begin
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def end_of(self, key: str, command: list[str]) -> Tuple[int, str]:
        """Runs a command that ends if the job is cancelled."""
        with self.lock:
            if key in self.cancelled:
                return 3, "cancelled"
            process = subprocess.Popen(
                tied(command, 9), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
            self.running[key] = process
        try:
            self.worker.log_event(self.name, {"key": key, "worker": self.worker.address})
            _, said = process.communicate()
        finally:
            with self.lock:
                del self.running[key]
        return process.returncode, said.decode(errors="replace")[-4000:]


def task() -> Callable[[str, str, bytes], Done]:
    """The function that Dask runs for a job, given the plugin's name.

    A function in a function is always sent by value; and this one is small, for it is sent with each job.
    """

    def run_job(plugin: str, key: str, job: bytes) -> Done:
        from distributed import get_worker

        jobs: Any = get_worker().plugins[plugin]
        done: Done = jobs.run(key, job)
        return done

    return run_job

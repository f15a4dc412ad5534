"""The command `verify-cluster`."""

from __future__ import annotations

import hashlib
import logging
import shutil
import signal
import socket
import sys
import tempfile
import time
import uuid
from pathlib import Path
from types import FrameType
from typing import List, Optional, Sequence

from distributed import Client

from .connect import connected
from .coordinator import Coordinator
from .directory import Directory
from .dispatch import Dispatcher
from .durations import seconds
from .faults import Fault
from .options import Options, parse
from .pool import Pool
from .progress import Progress
from .worker import Jobs, fingerprint

#: How often the directory is looked at, and how often the workers are, in seconds.
POLL = 0.02
LOOK = 1.0
#: How long the coordinator has for its report when it was interrupted.
LAST_WORDS = 60.0


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command."""
    options = parse(arguments)
    for name in ("distributed", "tornado", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    run = Run(options)
    try:
        with run.signals():
            return run.all()
    except Fault as fault:
        run.progress.end()
        print(f"verify-cluster: {fault}", file=sys.stderr)
        return fault.code
    except KeyboardInterrupt:
        return 130


class Run:
    """One exploration."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.progress = Progress()
        self.is_temporary = options.dir is None
        self.directory = Directory(options.dir or Path(tempfile.gettempdir(), f"verify-cluster-{uuid.uuid4().hex[:8]}"))
        self.interruptions = 0

    def signals(self) -> Signals:
        """Ctrl-C and SIGTERM are noted in `interruptions`."""
        return Signals(self)

    def all(self) -> int:
        """From the versions to the report."""
        ours = fingerprint(self.options.verify)
        if "error" in ours:
            raise Fault(f"{ours['error']} (--verify PATH)", 2)
        if not self.options.resume and self.directory.is_used():
            raise Fault(f"{self.directory.path} is not empty: --resume goes on with what is there", 2)
        code = 3
        with connected(self.options) as client:
            if client.dashboard_link and (self.options.local is None or self.options.dashboard is not None):
                self.progress.note(f"verify-cluster: {client.dashboard_link}")
            pool = Pool(client, self.options.verify, ours, self.progress.note)
            self.wait_for_workers(pool)
            self.directory.create()
            try:
                code = self.explore(client, pool)
            finally:
                self.progress.end()
                self.tidy(code)
        return code

    def wait_for_workers(self, pool: Pool) -> None:
        """At least one that fits. If there are only others, none of them will come to fit."""
        pool.refresh()
        if not pool.accepted and not pool.refused:
            self.progress.note("verify-cluster: waiting for workers")
        while not pool.accepted:
            if pool.refused:
                raise Fault("no worker has the coordinator's `verify`", 2)
            if self.interruptions:
                raise Fault("interrupted", 3)
            time.sleep(0.2)
            pool.refresh()

    def explore(self, client: Client, pool: Pool) -> int:
        """Runs the coordinator, and has its jobs done."""
        coordinator = Coordinator(self.command(pool.slots), self.progress.note)
        dispatcher: Optional[Dispatcher] = None
        try:
            program = self.program(coordinator)
            if program is None:
                return coordinator.end(LAST_WORDS)
            plugin = Jobs(self.name(), self.options.verify, program, self.options.memory_per_job)
            budget = seconds(self.options.budget)
            dispatcher = Dispatcher(client, pool, self.directory, plugin, budget, self.progress.note)
            self.serve(coordinator, pool, dispatcher)
            coordinator.interrupt()
            return coordinator.end(LAST_WORDS)
        except Fault as fault:
            coordinator.interrupt()
            code = coordinator.end(LAST_WORDS)
            self.progress.note(f"verify-cluster: {fault}")
            # A bug that was found is one, whatever happened then.
            return code if code == 1 else fault.code
        finally:
            coordinator.end(0)
            if dispatcher is not None:
                dispatcher.end()

    def serve(self, coordinator: Coordinator, pool: Pool, dispatcher: Dispatcher) -> None:
        """Has jobs done until the coordinator ends, or we are interrupted."""
        look = time.monotonic() + LOOK
        while coordinator.code() is None and not self.interruptions:
            pool.check_scheduler()
            if time.monotonic() > look:
                pool.refresh()
                dispatcher.rescue()
                dispatcher.copy_stragglers()
                look = time.monotonic() + LOOK
            dispatcher.step()
            self.progress.show(
                done=dispatcher.done,
                open=len(dispatcher.jobs),
                running=dispatcher.running,
                lost=dispatcher.lost,
                workers=len(pool.accepted),
                slots=pool.slots,
            )
            time.sleep(POLL)

    def program(self, coordinator: Coordinator) -> Optional[bytes]:
        """The program, as soon as the coordinator has written it; none if it ends without."""
        while coordinator.code() is None and not self.interruptions:
            program = self.directory.program()
            if program is not None:
                return program
            time.sleep(POLL)
        coordinator.interrupt()
        return None

    def name(self) -> str:
        """A name for what the workers have of this exploration. A resumed run takes the place of the one before."""
        place = f"{socket.gethostname()}:{self.directory.path.resolve()}"
        return f"verify-{hashlib.sha256(place.encode()).hexdigest()[:8]}"

    def command(self, slots: int) -> List[str]:
        """How the coordinator is called."""
        options = self.options
        tasks = options.tasks or 2 * slots
        command = [options.verify, "coordinate", "--dir", str(self.directory.path), "--budget", options.budget]
        resume = ["--resume"] if options.resume else []
        return [*command, "--tasks", str(tasks), *resume, options.program, *options.rest]

    def tidy(self, code: int) -> None:
        """Removes a directory that nobody asked for, unless the exploration can go on from it."""
        if code == 3 and self.directory.program() is not None:
            self.progress.note(f"verify-cluster: --resume --dir {self.directory.path} goes on from here")
        elif self.is_temporary:
            shutil.rmtree(self.directory.path, ignore_errors=True)


class Signals:
    """While this is entered, Ctrl-C and SIGTERM end the run in order. At the third Ctrl-C nothing is waited for."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def __enter__(self) -> None:
        self.before = {number: signal.signal(number, self.note) for number in (signal.SIGINT, signal.SIGTERM)}

    def __exit__(self, *_: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def note(self, _number: int, _frame: Optional[FrameType]) -> None:
        self.run.interruptions += 1
        if self.run.interruptions == 3:
            raise KeyboardInterrupt

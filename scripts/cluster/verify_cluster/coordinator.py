"""`verify coordinate` as a process: it decides what the jobs are and what their results mean."""

from __future__ import annotations

import signal
import subprocess
import threading
from typing import Callable, List, Optional

from .worker import tied


class Coordinator:
    """The process. Its report goes to our standard output, what it says meanwhile to `say`, line by line.

    It has a session of its own, so that Ctrl-C on the terminal does not come to it before we know of it. If we are
    killed, it gets SIGTERM.
    """

    def __init__(self, command: List[str], say: Callable[[str], None]) -> None:
        self.process = subprocess.Popen(
            tied(command, signal.SIGTERM),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self.reader = threading.Thread(target=self.relay, args=[say], daemon=True)
        self.reader.start()

    def relay(self, say: Callable[[str], None]) -> None:
        """Passes on what it says."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            say(line.rstrip("\n"))

    def code(self) -> Optional[int]:
        """Its exit code, if it has ended and has said all."""
        code = self.process.poll()
        if code is not None:
            self.reader.join(timeout=5)
        return code

    def interrupt(self) -> None:
        """Asks for the report of what is known."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)

    def end(self, seconds: float) -> int:
        """Its exit code, at the latest after this time: then it is killed."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
        code = self.process.wait()
        self.reader.join(timeout=5)
        return code

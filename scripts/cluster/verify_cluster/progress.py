"""What is said on standard error: notes, and on a terminal a line that changes."""

from __future__ import annotations

import sys
import threading
import time


class Progress:
    """Notes, and the line below them."""

    def __init__(self) -> None:
        self.is_shown = sys.stderr.isatty()
        self.lock = threading.Lock()
        self.line = ""
        self.begin = time.monotonic()

    def note(self, text: str) -> None:
        """A line that stays."""
        with self.lock:
            self.clear()
            print(text, file=sys.stderr, flush=True)
            self.draw()

    def show(self, *, done: int, open: int, running: int, lost: int, workers: int, slots: int) -> None:
        """The line that changes."""
        if self.is_shown:
            minutes, seconds = divmod(int(time.monotonic() - self.begin), 60)
            line = (
                f"{minutes}:{seconds:02} jobs: {done} done, {open} open, {running} running, {lost} lost; "
                f"{workers} workers, {slots} at once"
            )
            with self.lock:
                if line != self.line:
                    self.clear()
                    self.line = line
                    self.draw()

    def end(self) -> None:
        """Takes the line away."""
        with self.lock:
            self.clear()
            self.line = ""

    def clear(self) -> None:
        if self.line:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def draw(self) -> None:
        if self.line:
            print(self.line, end="", file=sys.stderr, flush=True)

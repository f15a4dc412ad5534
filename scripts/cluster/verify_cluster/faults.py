"""Reasons to end a run."""


class Fault(Exception):
    """Ends the run with a message and an exit code, as `verify` has them: 2 wrong use, 3 unknown."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code

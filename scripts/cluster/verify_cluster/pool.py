"""The workers: who is there, and which of them have the same `verify` as the coordinator."""

from __future__ import annotations

from typing import Any, Callable, Dict, FrozenSet, List, Mapping, Optional

from distributed import Client

from .faults import Fault
from .worker import fingerprint

LOST = "the Dask scheduler is lost"


class Pool:
    """Workers by address, with the number of jobs that each does at once."""

    def __init__(self, client: Client, verify: str, wanted: Mapping[str, str], note: Callable[[str], None]) -> None:
        self.client = client
        self.verify = verify
        self.wanted = wanted
        self.note = note
        self.accepted: Dict[str, int] = {}
        self.refused: FrozenSet[str] = frozenset()

    @property
    def slots(self) -> int:
        """How many jobs can run at once."""
        return sum(self.accepted.values())

    @property
    def addresses(self) -> FrozenSet[str]:
        """The workers that may have jobs."""
        return frozenset(self.accepted)

    def check_scheduler(self) -> None:
        """Ends the run if the scheduler is lost: Dask forgets all tasks of a client that lost its scheduler."""
        if self.client.status != "running":
            raise Fault(LOST, 3)

    def refresh(self) -> None:
        """Looks who is there, and asks those that are new for their `verify`."""
        self.check_scheduler()
        try:
            present: Dict[str, int] = dict(self.client.nthreads())
            new = present.keys() - self.accepted.keys() - self.refused
            found = self.ask(sorted(new)) if new else {}
        except OSError as error:
            raise Fault(LOST, 3) from error
        for address in self.accepted.keys() - present.keys():
            self.note(f"verify-cluster: the worker {address} is lost")
        self.accepted = {address: threads for address, threads in present.items() if address in self.accepted}
        self.refused &= frozenset(present)
        for address, its in found.items():
            problem = self.problem(its)
            if problem is None:
                self.accepted[address] = present[address]
            else:
                self.refused |= {address}
                self.note(f"verify-cluster: warning: the worker {address} gets no jobs: {problem}")

    def ask(self, addresses: List[str]) -> Dict[str, Any]:
        """What these workers have. Those that are lost meanwhile do not answer."""
        found = self.client.run(fingerprint, self.verify, workers=addresses, on_error="return")
        return {address: its for address, its in found.items() if not isinstance(its, OSError)}

    def problem(self, its: Any) -> Optional[str]:
        """Why a worker that has this cannot do our jobs."""
        if not isinstance(its, Mapping):
            return f"it does not answer: {its!r}"
        if "error" in its:
            return str(its["error"])
        if its["version"] != self.wanted["version"]:
            return f"it has {its['version']}, the coordinator {self.wanted['version']}"
        if its["hash"] != self.wanted["hash"]:
            return f"its `{self.verify}` is another build of {its['version']} (SHA-256 {its['hash'][:12]}…)"
        return None

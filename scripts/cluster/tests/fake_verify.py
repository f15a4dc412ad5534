#!/usr/bin/env -S python3 -I -S
"""Speaks the protocol of `verify coordinate` and `verify work`. A "program" is a JSON file:

size     how many executions it has; unit: seconds for each
bug      as soon as so many were explored, a bug is found
memory   the job of this number always ends with code 3; memory_once: only the first time
refuse   the job of this number ends with code 2
slow     the job of this number takes a minute the first time
marks    a directory for what happens once
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, Optional

VERSION = "verify 1.0 (fake)"


def write(path: Path, content: bytes) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(content)
    os.replace(draft, path)


def option(arguments: List[str], name: str, otherwise: str = "") -> str:
    return arguments[arguments.index(name) + 1] if name in arguments else otherwise


def once(program: Dict[str, Any], name: str) -> bool:
    try:
        (Path(program["marks"]) / name).mkdir()
        return True
    except FileExistsError:
        return False


def work(arguments: List[str]) -> int:
    content = Path(option(arguments, "--program")).read_bytes()
    program, job = json.loads(content), json.loads(Path(option(arguments, "--job")).read_bytes())
    number = job["number"]
    if job["program"] != hashlib.sha256(content).hexdigest():
        print("the job is of another program", file=sys.stderr)
        return 2
    if number == program.get("refuse"):
        print("the job was made\nby another version", file=sys.stderr)
        return 2
    if number == program.get("memory") or (number == program.get("memory_once") and once(program, "memory")):
        print("out of memory", file=sys.stderr)
        return 3
    if number == program.get("slow") and once(program, "slow"):
        time.sleep(60)
    done = min(job["size"], max(1, round(job["budget"] / program["unit"])))
    time.sleep(done * program["unit"])
    left, chance = job["size"] - done, random.Random(number)
    pieces: List[int] = []
    while left:
        pieces.append(chance.randint(1, left) if len(pieces) < 5 else left)
        left -= pieces[-1]
    if "marks" in program:
        (Path(program["marks"]) / f"done-{number}-{os.getpid()}").mkdir()
    write(Path(option(arguments, "--out")), json.dumps({"done": done, "left": pieces}).encode())
    return 0


class Coordinator:
    def __init__(self, arguments: List[str]) -> None:
        self.top = Path(option(arguments, "--dir"))
        self.most = int(option(arguments, "--tasks", "4"))
        self.budget = int(option(arguments, "--budget", "5000ms").removesuffix("ms")) / 1000
        self.content = Path(next(name for name in arguments if name.endswith(".json"))).read_bytes()
        self.program = json.loads(self.content)
        self.hash = hashlib.sha256(self.content).hexdigest()
        for folder in ("jobs", "results"):
            (self.top / folder).mkdir(parents=True, exist_ok=True)
        first: Dict[str, Any] = {"program": self.hash, "done": 0, "next": 1, "sizes": {"0": self.program["size"]}}
        saved = self.top / "state"
        self.state: Dict[str, Any] = json.loads(saved.read_bytes()) if "--resume" in arguments and saved.exists() else first
        self.is_interrupted = False

    def run(self) -> int:
        if self.state["program"] != self.hash:
            print("the directory is of another program", file=sys.stderr)
            return 2
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: setattr(self, "is_interrupted", True))
        write(self.top / "program", self.content)
        code: Optional[int] = None
        while code is None:
            code = self.step()
            time.sleep(0.005)
        verdict = {0: "safe", 1: "bug", 3: "unknown"}[code]
        print(f"{verdict}: {self.state['done']} executions")
        (self.top / "over").touch()
        return code

    def step(self) -> Optional[int]:
        sizes = self.state["sizes"]
        for path in sorted((self.top / "results").glob("*.out")):
            if path.stem in sizes:
                result = json.loads(path.read_bytes())
                del sizes[path.stem]
                self.state["done"] += result["done"]
                for size in result["left"]:
                    sizes[str(self.state["next"])] = size
                    self.state["next"] += 1
                write(self.top / "state", json.dumps(self.state).encode())
                print(f"{self.state['done']} executions so far", file=sys.stderr, flush=True)
            (self.top / "jobs" / f"{path.stem}.job").unlink(missing_ok=True)
            path.unlink()
        if self.state["done"] >= self.program.get("bug", 1 << 60):
            return 1
        if not sizes:
            return 0
        if self.is_interrupted:
            return 3
        for number in list(sizes)[: self.most]:
            path = self.top / "jobs" / f"{number}.job"
            if not path.exists():
                job = {"number": int(number), "program": self.hash, "size": sizes[number], "budget": self.budget}
                write(path, json.dumps(job).encode())
        return None


def main() -> int:
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "--version":
        print(VERSION)
        return 0
    return work(arguments) if command == "work" else Coordinator(arguments).run()


if __name__ == "__main__":
    sys.exit(main())

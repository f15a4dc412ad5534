#!/usr/bin/env python3
"""Explores a program with the workers of HyperQueue, which gets them from Slurm or PBS (`hq alloc add slurm …`).

    hq.py [--server DIR | --local N] TASKS DIR PROG.c [OPTIONS OF verify coordinate…]

The server's directory is HyperQueue's own unless named. TASKS is how many jobs are open at a time: twice the processors.
DIR is on a file system that all machines see. `VERIFY` is the executable (default `verify`), the same everywhere.
Needs `pip install hyperqueue`, of the same version as the server's `hq`. HyperQueue gives the jobs of lost workers to
others; here, a job that fails is tried three times, and one that is refused ends the run.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict

from hyperqueue import Client, Job
from hyperqueue.cluster import LocalCluster, WorkerConfig

arguments = sys.argv[1:]
server, cluster = None, None
while arguments and arguments[0] in ("--server", "--local"):
    option, value, *arguments = arguments
    if option == "--server":
        server = value
    else:
        cluster = LocalCluster(worker_config=WorkerConfig(cores=int(value)))
if len(arguments) < 3:
    sys.exit(__doc__)
tasks, directory, rest = arguments[0], Path(arguments[1]), arguments[2:]
verify = os.environ.get("VERIFY", "verify")
client = cluster.client() if cluster else Client(server)
coordinator = subprocess.Popen([verify, "coordinate", "--dir", str(directory), "--tasks", tasks, *rest])
signal.signal(signal.SIGINT, lambda *_: coordinator.send_signal(signal.SIGINT))

try:
    submitted: Dict[str, Any] = {}
    tries: Dict[str, int] = {}
    looked, is_refused = time.monotonic(), False
    while coordinator.poll() is None:
        has_result = {path.stem for path in directory.glob("results/*.out")}
        there = {path.stem for path in directory.glob("jobs/*.job")} - has_result
        submitted = {number: job for number, job in submitted.items() if number in there}
        for number in sorted(there - submitted.keys(), key=int):
            job = Job(name=f"verify-job-{number}")
            files = {"program": "program", "job": f"jobs/{number}.job", "out": f"results/{number}.out"}
            options = [text for option, file in files.items() for text in (f"--{option}", str(directory.resolve() / file))]
            job.program([verify, "work", *options], stdout=None, stderr=None)
            submitted[number] = client.submit(job)
            tries[number] = tries.get(number, 0) + 1
        if time.monotonic() > looked + 1:
            looked = time.monotonic()
            for number, job in list(submitted.items()):
                for failed in client.get_failed_tasks(job).values():
                    print(f"job {number}: {failed.error}", file=sys.stderr)
                    is_refused = is_refused or re.search(r"exit code 2\b", failed.error) is not None
                    if tries[number] == 3 or is_refused:
                        coordinator.send_signal(signal.SIGINT)
                    else:
                        del submitted[number]
        time.sleep(0.02)
    code = coordinator.wait()
finally:
    coordinator.terminate()
sys.exit(2 if is_refused else code)

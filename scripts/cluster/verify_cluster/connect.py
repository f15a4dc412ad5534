"""The connection to Dask."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional

import cloudpickle
import dask
from distributed import Client, LocalCluster, Security

from . import worker
from .faults import Fault
from .options import Options


@contextmanager
def connected(options: Options) -> Iterator[Client]:
    """A client. What runs on the workers is sent to them by value: see `worker`."""
    cloudpickle.register_pickle_by_value(worker)
    if options.scheduler is None and options.scheduler_file is None:
        with local(options) as client:
            yield client
        return
    try:
        client = Client(
            address=options.scheduler, scheduler_file=options.scheduler_file, security=security(options), timeout=30
        )
    except (OSError, ValueError) as error:
        name = options.scheduler or options.scheduler_file
        raise Fault(f"no Dask scheduler answers at {name}: {error}", 2) from error
    try:
        check_python(client)
        yield client
    finally:
        client.close(timeout=5)


@contextmanager
def local(options: Options) -> Iterator[Client]:
    """Threads of this process that each wait for a process. There are no connections.

    Dask always has a server for HTTP; without a dashboard it has no pages.
    """
    pages: Dict[str, List[str]] = {} if options.dashboard is not None else {"distributed.scheduler.http.routes": []}
    threads = options.local or len(os.sched_getaffinity(0))
    with dask.config.set({"distributed.worker.http.routes": [], **pages}):
        with LocalCluster(
            n_workers=1,
            threads_per_worker=threads,
            processes=False,
            dashboard_address=f"127.0.0.1:{options.dashboard or 0}",
            worker_dashboard_address="127.0.0.1:0",
            memory_limit=0,
        ) as cluster, Client(cluster) as client:
            yield client


def security(options: Options) -> Optional[Security]:
    """As the options say; none: as Dask is configured."""
    if options.tls_ca_file is None:
        return None
    return Security(
        tls_ca_file=options.tls_ca_file,
        tls_client_cert=options.tls_cert,
        tls_client_key=options.tls_key,
        require_encryption=True,
    )


def check_python(client: Client) -> None:
    """Refuses workers with another Python: code that is sent by value would fail there in odd ways."""
    versions: Any = client.get_versions(check=False)
    ours = python(versions["client"])
    for address, its in versions["workers"].items():
        if its and python(its) != ours:
            raise Fault(f"the worker {address} has Python {python(its)}, and here is {ours}: Dask needs the same", 2)


def python(versions: Any) -> str:
    """Major and minor version."""
    return ".".join(str(versions["packages"]["python"]).split(".")[:2])

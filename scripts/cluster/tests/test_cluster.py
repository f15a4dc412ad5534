"""On a cluster of three workers: the whole is explored, whatever becomes of its parts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable, List, Optional

import pytest
from conftest import HERE, SITE, TEXT, Site, ended, executable
from distributed import Client

from verify_cluster.durations import seconds
from verify_cluster.options import parse


def wait_for(what: Callable[[], object]) -> None:
    """Waits for a sign."""
    until = time.monotonic() + 20
    while not what():
        assert time.monotonic() < until, "no sign of it"
        time.sleep(0.01)


def test_all_is_explored(site: Site) -> None:
    run = site.run(site.program(size=60))
    assert (run.code, run.out) == (0, "safe: 60 executions\n"), run
    assert len(site.done()) >= 12, "there were jobs"


def test_a_bug_ends_the_rest(site: Site) -> None:
    begin = time.monotonic()
    run = site.run(site.program(size=100_000, bug=30))
    assert run.code == 1 and run.out.startswith("bug: "), run
    assert time.monotonic() - begin < 15


def test_a_killed_worker_loses_nothing(site: Site, client: Client) -> None:
    run = site.start(site.program(size=90, slow=3))
    wait_for(lambda: (site.marks / "slow").exists())
    doing = {pid: jobs(pid) for pid in client.run(os.getpid).values()}
    victim, job = next((pid, job) for pid in doing for job in doing[pid] if "/job-" in command_line(job))
    os.kill(victim, signal.SIGKILL)
    wait_for(lambda: command_line(job) == "")
    end = ended(run)
    assert (end.code, end.out) == (0, "safe: 90 executions\n"), end
    client.wait_for_workers(3)


def jobs(worker: int) -> List[int]:
    """The processes that it has."""
    files = Path(f"/proc/{worker}/task").glob("*/children")
    return [int(pid) for file in files for pid in file.read_text().split()]


def command_line(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


def test_a_killed_driver_is_resumed(site: Site) -> None:
    program = site.program(size=60)
    first = site.start("--dir", str(site.dir), program)
    wait_for(lambda: len(site.done()) >= 3)
    first.kill()
    first.wait()
    before = set(site.done())
    end = site.run("--dir", str(site.dir), "--resume", program)
    assert (end.code, end.out) == (0, "safe: 60 executions\n"), end
    after = set(site.done()) - before
    assert after and "0" not in after, "what was done is not done again"
    assert site.run("--dir", str(site.dir), program).code == 2, "without --resume, a directory is not used twice"


def test_an_interrupted_run_says_what_is_known(site: Site) -> None:
    program = site.program(size=100_000)
    run = site.start("--dir", str(site.dir), program)
    wait_for(lambda: len(site.done()) >= 3)
    run.send_signal(signal.SIGINT)
    end = ended(run)
    assert end.code == 3 and end.out.startswith("unknown: "), end
    assert f"--resume --dir {site.dir}" in end.err


def test_a_refused_job_ends_the_run(site: Site) -> None:
    end = site.run(site.program(size=60, refuse=2))
    assert end.code == 2, end
    assert "job 2 was refused" in end.err and "the job was made by another version" in end.err


def test_a_job_that_fails_once_is_tried_again(site: Site) -> None:
    end = site.run(site.program(size=60, memory_once=2))
    assert (end.code, end.out) == (0, "safe: 60 executions\n"), end
    assert "job 2 ended with code 3: out of memory; another worker gets it" in end.err


def test_a_job_that_always_fails_ends_the_run(site: Site) -> None:
    end = site.run("--memory-per-job", "2G", site.program(size=60, memory=1))
    assert end.code == 3 and end.out.startswith("unknown: "), end
    assert "job 1 was tried 3 times" in end.err and "--memory-per-job" in end.err


def test_a_straggler_gets_a_copy(site: Site) -> None:
    begin = time.monotonic()
    end = site.run(site.program(size=60, slow=3))
    assert (end.code, end.out) == (0, "safe: 60 executions\n"), end
    assert "job 3 takes long" in end.err
    assert time.monotonic() - begin < 20, "nobody waited for the minute that it takes"


def test_other_versions_get_no_jobs(site: Site, client: Client, tmp_path: Path) -> None:
    """The same name is another executable there: one is another version, one another build."""
    workers, ours = [], tmp_path / "bin"
    client.run(lambda path: os.environ.update(PATH=path), f"{ours}:{SITE['PATH']}")
    for name, other in [("version", TEXT.replace("1.0", "1.1")), ("build", TEXT + "# another\n")]:
        folder = executable(tmp_path / name, other)
        workers.append(start_worker(site, name, folder))
    try:
        client.wait_for_workers(5)
        end = run_with_path(site, ours, site.command(site.program(size=60), verify="verify"))
        assert (end.returncode, end.stdout) == (0, "safe: 60 executions\n"), end
        assert end.stderr.count("gets no jobs") == 2, end.stderr
        assert "verify 1.1 (fake), the coordinator verify 1.0 (fake)" in end.stderr
        assert "is another build of verify 1.0 (fake)" in end.stderr

        client.run(lambda path: os.environ.update(PATH=path), SITE["PATH"])
        end = run_with_path(site, ours, site.command(site.program(size=60), verify="verify"))
        assert end.returncode == 2 and "no worker has the coordinator's `verify`" in end.stderr, end
        assert end.stderr.count("there is no `verify`") == 5
    finally:
        for worker in workers:
            worker.terminate()
            worker.wait()


def start_worker(site: Site, name: str, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dask", "worker", site.cluster.scheduler_address, "--name", name]
    options = ["--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory", str(folder)]
    environment = {**os.environ, **SITE, "PATH": f"{folder}:{SITE['PATH']}"}
    return subprocess.Popen([*command, *options], env=environment, stderr=subprocess.DEVNULL)


def run_with_path(site: Site, folder: Path, command: List[str]) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{folder}:{SITE['PATH']}"}
    return subprocess.run(command, env=environment, cwd=HERE.parent, capture_output=True, text=True, timeout=40)


def test_workers_keep_nothing(site: Site, client: Client) -> None:
    """After the runs above: no directory of a program, no plugin."""
    left = client.run(lambda dask_worker: os.listdir(dask_worker.local_directory))
    assert not [name for names in left.values() for name in names if name.startswith("verify-")]


@pytest.mark.parametrize("option", ["--tls-cert=x", "--resume", "--budget=0.5s", "--local=0"])
def test_wrong_use(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        parse([option, "a.c"])
    assert end.value.code == 2 and option.split("=")[0] in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "meant"), [("5", 5.0), ("250ms", 0.25), ("1h30m", 5400.0), ("5m30", None), ("", None), ("0s", None)]
)
def test_durations(text: str, meant: Optional[float]) -> None:
    if meant is None:
        with pytest.raises(ValueError):
            seconds(text)
    else:
        assert seconds(text) == meant

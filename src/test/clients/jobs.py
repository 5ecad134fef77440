"""Jobs of services, and the workers that the tests hold so that a job cannot end."""

import contextlib
import os
import signal
import subprocess
import time

from service import curl

ASYNC = ("-H", "Prefer: respond-async")


def eventually(check):
    """Repeats a check until its result is true."""
    deadline = time.monotonic() + 180
    while not (result := check()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return result


def started(response):
    assert response.status == 202, response.body
    assert response.headers["preference-applied"] == "respond-async"
    return response.headers["location"]


def state(service, job):
    return curl(service.url + job).json()["state"]


def workers(service):
    """The processes that read files and run statements."""
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(service.process.pid)], capture_output=True, text=True
    )
    return [int(pid) for pid in found.stdout.split()]


@contextlib.contextmanager
def held_workers(service):
    """Stops the workers of a service, so that a job that needs them cannot end."""
    held = workers(service)
    assert held
    for worker in held:
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGSTOP)
    yield held
    for worker in held:
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGCONT)


def spooled(service):
    """The files of uploads in the folder of the spool."""
    return list((service.folder / "spool").rglob("file-*"))

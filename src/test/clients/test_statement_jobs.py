"""A statement over 10 million rows becomes a dataset that eight clients read from two services."""

import concurrent.futures
import os
import pathlib
import signal
import urllib.request

import numpy
import pyarrow
import pyarrow.ipc
import pytest

from jobs import ASYNC, eventually, held_workers, spooled, started, state, workers
from service import Service, curl, free_port

ROWS = 10_000_000
NUMBERS = numpy.arange(ROWS, dtype=numpy.int64)
KEYS = (NUMBERS * 7919 % 1000).astype(numpy.int32)

# Takes some seconds. The digests are all that long.
SLOW = "SELECT id, k FROM numbers WHERE length(md5(md5(md5(id::VARCHAR) || k))) = 32 AND k < 500"
FIRST_ROW_AT_THE_END = "SELECT k, count(*) AS n, max(md5(md5(id::VARCHAR || k))) AS m FROM numbers GROUP BY k"


@pytest.fixture(scope="module")
def services_of_one_store(folder):
    ports = free_port(), free_port()
    settings = {
        "quiver.jobs.lost-after": "5s",
        "quiver.storage.path": folder / "statement-jobs",
        "quiver.public-urls": ",".join(f"http://localhost:{port}" for port in ports),
    }
    running = []
    try:
        for name, port in zip(("first", "second"), ports):
            running.append(Service(folder / f"statement-jobs-{name}", port=port, **settings))
        running[0].storage = settings["quiver.storage.path"]
        yield running
    finally:
        for service in running:
            service.stop()


@pytest.fixture(scope="module")
def first(services_of_one_store, folder):
    service = services_of_one_store[0]
    path = folder / "numbers.arrows"
    table = pyarrow.table({"id": NUMBERS, "k": KEYS})
    with pyarrow.ipc.new_stream(path, table.schema) as stream:
        stream.write_table(table, max_chunksize=1 << 16)
    assert curl("-T", path, service.url + "/datasets/numbers").status == 201
    path.unlink()
    # The workers have started.
    warm = curl("-X", "PUT", *SQL, "SELECT count(*) AS n FROM numbers", service.url + "/datasets/warm")
    assert warm.status == 201
    return service


@pytest.fixture(scope="module")
def second(services_of_one_store):
    return services_of_one_store[1]


SQL = ("-H", "Content-Type: application/sql", "--data")


def begun(service, other, name, sql):
    """Starts a job, and waits until another service tells of rows that it has read."""
    job = started(curl("-X", "PUT", *ASYNC, *SQL, sql, f"{service.url}/datasets/{name}"))
    eventually(lambda: rows_read(other, job) > 0)
    return job


def rows_read(service, job):
    return curl(service.url + job).json()["rowsRead"] or 0


def stored(service):
    """The files of the store but those of jobs."""
    found = (path.relative_to(service.storage) for path in pathlib.Path(service.storage).rglob("*") if path.is_file())
    return sorted(str(path) for path in found if path.parts[0] != "jobs")


def has_ended(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.fixture(scope="module")
def picked(first, second):
    """The numbers of the rows that a job has stored."""
    job = begun(first, second, "picked", SLOW)
    seen = set()
    eventually(lambda: seen.add(rows_read(second, job)) or state(second, job) == "done")
    done = curl(second.url + job)
    assert (done.status, done.headers["location"]) == (303, "/datasets/picked@1")
    assert done.json()["rowsRead"] == done.json()["rowsTotal"] == ROWS
    assert done.json()["progress"] == 1
    expected = NUMBERS[KEYS < 500]
    assert done.json()["result"]["rows"] == len(expected)
    # It moved while the statement ran.
    assert len(seen - {ROWS}) > 1, seen
    return expected


def test_a_browser_sees_the_progress(first, second, browser):
    job = begun(first, second, "seen", FIRST_ROW_AT_THE_END)
    with held_workers(first):
        document = curl(second.url + job).json()
        assert document["state"] == "running"
        assert document["rowsTotal"] == ROWS
        before = document["rowsRead"]
        assert before < ROWS
        assert document["progress"] == pytest.approx(before / ROWS)
        view = browser.job("open", second.url + job)
        # A heartbeat may have told more.
        eventually(lambda: rows_in(view) <= rows_read(second, job))
        assert view["cells"][:2] == ["running", "seen"]
        assert view["progress"] == [pytest.approx(rows_in(view) / ROWS, abs=0.001)]
        assert 0 < rows_in(view) < ROWS
    # The page loads itself until it is that of the dataset.
    views = [view]
    while "/jobs/" in views[-1]["url"]:
        views.append(browser.job("next", None))
    assert views[-1]["url"] == second.url + "/datasets/seen@1"
    rows = [rows_in(each) for each in views[:-1]]
    assert rows == sorted(rows)
    assert curl(second.url + "/datasets/seen/versions").json()["versions"][0]["rows"] == 1000


def rows_in(view):
    return int(view["cells"][3].replace(",", ""))


def read(url):
    with urllib.request.urlopen(url) as response, pyarrow.ipc.open_stream(response) as stream:
        return stream.read_all()["id"].to_numpy()


def test_eight_clients_get_each_row_once(first, second, picked):
    listed = curl(second.url + "/datasets/picked/partitions?count=8").json()["arrow_stream_files"]
    urls = [part["uri"] for part in listed]
    assert len(urls) == 8
    assert [url.startswith(first.url) for url in urls] == [True, False] * 4
    assert sum(url.startswith(second.url) for url in urls) == 4
    with concurrent.futures.ThreadPoolExecutor(8) as clients:
        parts = list(clients.map(read, urls))
    assert [len(part) for part in parts] == [part["rows"] for part in listed]
    assert numpy.array_equal(numpy.sort(numpy.concatenate(parts)), picked)


def test_the_other_service_cancels_it(first, second):
    before = stored(first)
    job = begun(first, second, "unwanted", SLOW)
    with held_workers(first):
        cancelled = curl("-X", "DELETE", second.url + job)
        assert (cancelled.status, cancelled.json()["state"]) == (200, "cancelled")
        assert cancelled.json()["rowsRead"] < ROWS
        assert curl(first.url + job).json()["state"] == "cancelled"
    eventually(lambda: not spooled(first) and stored(first) == before)
    eventually(lambda: first.metric("quiver_jobs_running") == 0)
    assert curl(first.url + "/datasets/unwanted").status == 404
    assert state(second, job) == "cancelled"


def test_a_killed_service_leaves_it_lost_and_nothing_behind(first, second):
    before = stored(first)
    job = begun(first, second, "lost", SLOW)
    with held_workers(first) as held:
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait()
    # The workers end by themselves.
    eventually(lambda: all(map(has_ended, held)))
    eventually(lambda: state(second, job) == "lost")
    assert curl(second.url + job).json()["rowsRead"] < ROWS
    assert curl(second.url + "/datasets/lost").status == 404
    first.start()
    assert stored(first) == before
    warm = curl("-X", "PUT", *SQL, "SELECT 1 AS n", first.url + "/datasets/warm")
    assert warm.status == 200
    assert workers(first)
    assert not spooled(first)
    assert curl(first.url + "/datasets/lost").status == 404
    assert state(first, job) == "lost"

"""Uploads that go on after their response, told, cancelled and lost through another service."""

import pytest

import tables
from jobs import ASYNC, eventually, spooled, started, state
from service import Service, curl

SHORT = {"quiver.jobs.lost-after": "3s"}


@pytest.fixture(scope="module")
def first(folder):
    running = Service(folder / "jobs-first", **SHORT)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def second(folder, first):
    running = Service(folder / "jobs-second", **SHORT, **{"quiver.storage.path": first.storage})
    yield running
    running.stop()


@pytest.fixture
def trips(folder):
    path = folder / "trips.csv"
    path.write_text("zip,distance\n" + "".join(f"{i},{i / 2}\n" for i in range(10_000)))
    return path


SQL = ("-X", "PUT", "-H", "Content-Type: application/sql", "--data-binary")
STATEMENT = (*SQL, "SELECT range AS zip FROM range(10000)")
# Takes longer than a test.
SLOW = (*SQL, "SELECT max(hash(range)) AS h FROM range(1000000000000)")


def test_every_service_tells_of_a_job(first, second, trips):
    job = started(curl(*ASYNC, "-T", trips, first.url + "/datasets/trips.csv?verbose=true"))
    eventually(lambda: state(second, job) == "done")
    done = curl(second.url + job)
    assert done.status == 303
    assert done.headers["location"] == "/datasets/trips@1"
    assert done.json()["rowsRead"] == 10_000
    assert done.json()["result"]["columns"][1] == {"name": "distance", "type": "float64"}
    rows = curl(second.url + done.headers["location"] + ".csv")
    assert rows.body.decode().splitlines()[:2] == ["zip,distance", "0,0"]
    assert job in [each["links"]["self"] for each in curl(first.url + "/jobs").json()["jobs"]]


def test_arrow_data_becomes_a_dataset(first, second, small_table, folder):
    path = tables.write_stream(small_table, folder / "later.arrows", "zstd")
    job = started(curl(*ASYNC, "-T", path, first.url + "/datasets/"))
    eventually(lambda: state(second, job) == "done")
    assert curl(second.url + "/datasets/later").status == 200


def test_another_service_cancels_a_job(first, second):
    assert curl(*STATEMENT, first.url + "/datasets/warm").status in (200, 201)
    job = started(curl(*ASYNC, *SLOW, first.url + "/datasets/cancelled"))
    eventually(lambda: state(second, job) == "running")
    assert curl("-H", "Accept: text/html", second.url + job).headers["refresh"] == "2"
    cancelled = curl("-X", "DELETE", second.url + job)
    assert (cancelled.status, cancelled.json()["state"]) == (200, "cancelled")
    eventually(lambda: not spooled(first))
    assert state(first, job) == "cancelled"
    assert curl(second.url + "/datasets/cancelled").status == 404
    # The service goes on, with another process.
    job = started(curl(*ASYNC, *STATEMENT, first.url + "/datasets/next"))
    eventually(lambda: state(second, job) == "done")


def test_a_killed_service_leaves_its_job_lost_and_nothing_behind(first, second):
    assert curl(*STATEMENT, first.url + "/datasets/warm").status in (200, 201)
    job = started(curl(*ASYNC, *SLOW, first.url + "/datasets/lost"))
    eventually(lambda: state(second, job) == "running")
    first.kill()
    eventually(lambda: state(second, job) == "lost")
    late = curl("-X", "DELETE", second.url + job)
    assert late.status == 409
    assert late.json()["detail"].endswith(f"found one that is lost at {job}")
    first.start()
    # The first upload starts a process, which cleans up first.
    assert curl(*STATEMENT, first.url + "/datasets/warm").status == 200
    assert not spooled(first)
    assert not list((first.storage / "tmp").iterdir())
    assert curl(first.url + "/datasets/lost").status == 404
    assert state(first, job) == "lost"


def test_the_end_of_a_service_ends_its_jobs(first, second):
    assert curl(*STATEMENT, first.url + "/datasets/warm").status in (200, 201)
    job = started(curl(*ASYNC, *SLOW, first.url + "/datasets/ended"))
    eventually(lambda: state(second, job) == "running")
    first.stop()
    assert state(second, job) == "lost"
    assert not spooled(first)

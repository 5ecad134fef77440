"""Turns of clients: how long small requests take while a greedy client repeats the worst ones."""

import contextlib
import hashlib
import http.client
import json
import multiprocessing
import random
import time
import urllib.parse

import numpy
import pyarrow as pa

from measuring import Table, figure
from peers import quiver

SECONDS = 30
CLIENTS = 24
DEADLINE_SECONDS = 2
ROWS = 3_000_000
SLOW_STATEMENT = "SELECT count(*) FROM large a, large b WHERE a.n % 7919 < b.n % 7907"
# A condition of its own each time, since rows that match are remembered.
SLOW_CONDITION = "regexp_matches(t, '(.*[ab].*[ba].*){{9}}{}$')"

SETTINGS = {
    "quiver.sql.timeout": f"{DEADLINE_SECONDS}s",
    "quiver.sql.upload-timeout": f"{DEADLINE_SECONDS}s",
    "quiver.limits.upload-seconds": str(DEADLINE_SECONDS),
    "quiver.auth.anonymous": "read:*,write:*",
}


def tokens():
    settings = {}
    for i, name in enumerate(("many", "few")):
        settings[f"quiver.auth.tokens[{i}].name"] = name
        settings[f"quiver.auth.tokens[{i}].sha256"] = hashlib.sha256(name.encode()).hexdigest()
        settings[f"quiver.auth.tokens[{i}].permissions"] = "read:*,write:*"
    return settings


def stream(rows):
    n = numpy.arange(rows)
    batch = pa.record_batch({"n": n, "t": [f"{'ab' * 30}{i % 1000}" for i in range(rows)]})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_table(pa.Table.from_batches([batch]), max_chunksize=1 << 17)
    return sink.getvalue().to_pybytes()


class Client:
    """One client with a token, or without one from an address of its own."""

    def __init__(self, port, token=None, address="127.0.0.1"):
        self.port = port
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.address = address
        self.connection = None

    def send(self, method, path, body=None, **headers):
        """Returns the status, a location and the body."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.connection is None:
            self.connection = http.client.HTTPConnection(
                "127.0.0.1", self.port, timeout=60, source_address=(self.address, 0)
            )
        try:
            self.connection.request(method, path, body, self.headers | named)
            response = self.connection.getresponse()
            return response.status, response.headers.get("Location"), response.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            raise


def statement(sql):
    return "/sql.json?q=" + urllib.parse.quote(sql)


# Requests that the greedy client repeats: functions of a client and the number of its process.
def slow_statement(client, _):
    return client.send("GET", statement(SLOW_STATEMENT))


def slow_condition(client, _):
    condition = SLOW_CONDITION.format(random.randrange(1 << 30))
    return client.send("GET", "/datasets/large.json?limit=1&where=" + urllib.parse.quote(condition))


def slow_upload(client, i):
    return client.send("PUT", f"/datasets/slow-{i}", SLOW_STATEMENT.encode(), Content_Type="application/sql")


def slow_job(client, i):
    headers = {"Content_Type": "application/sql", "Prefer": "respond-async"}
    return client.send("PUT", f"/datasets/job-{i}", SLOW_STATEMENT.encode(), **headers)


def empty_upload(client, i):
    return client.send("PUT", f"/datasets/empty-{i}", b"", Upload_Complete="?0", Content_Type="text/csv")


def busy_loop(_, __):
    sum(range(1_000_000))
    return 200, None, b""


GREEDY = (slow_statement, slow_condition, slow_upload, slow_job, empty_upload)


# Requests that the others send in turn.
def small_statement(client, _):
    return client.send("GET", statement("SELECT sum(n) FROM small WHERE n < 100"))


def small_condition(client, _):
    return client.send("GET", "/datasets/small.csv?where=n%3C10")


def small_upload(client, name):
    return client.send("PUT", f"/datasets/mine-{name}", SMALL)


def small_job(client, name):
    status, location, body = client.send("PUT", f"/datasets/queued-{name}", SMALL, Prefer="respond-async")
    while status in (200, 202) and json.loads(body)["state"] in ("queued", "running"):
        time.sleep(0.01)
        status, _, body = client.send("GET", location)
    return (200 if status == 303 else status), None, body


def stored_read(client, _):
    return client.send("GET", "/datasets/small.arrows")


SMALL = stream(1000)
OTHERS = (small_statement, small_condition, small_upload, small_job, stored_read)


def repeat(port, work, i, statuses):
    client = Client(port, "many")
    while True:
        with contextlib.suppress(OSError, http.client.HTTPException):
            status = work(client, i)[0]
            statuses[status] = statuses.get(status, 0) + 1


def greedy(port, work, clients, statuses):
    """A process for each client, so that Python's lock does not slow the attack."""
    return [
        multiprocessing.Process(target=repeat, args=(port, work, i, statuses), daemon=True)
        for i in range(clients)
    ]


def measured(port, work, clients, seconds):
    """Returns the seconds of each small request by its name, and the number of failures."""
    with multiprocessing.Manager() as manager:
        statuses = manager.dict()
        processes = greedy(port, work, clients, statuses)
        for process in processes:
            process.start()
        try:
            # By then, the greedy client has all that it can have.
            time.sleep(3)
            result = others(port, seconds)
        finally:
            for process in processes:
                process.kill()
        return *result, dict(statuses)


def others(port, seconds):
    clients = {"token": Client(port, "few"), "address": Client(port, None, "127.0.0.2")}
    taken = {work.__name__: [] for work in OTHERS}
    failures = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for name, client in clients.items():
            for work in OTHERS:
                begin = time.perf_counter()
                status, _, body = work(client, name)
                taken[work.__name__].append(time.perf_counter() - begin)
                if status not in (200, 201):
                    failures.append((work.__name__, name, status, body[:200]))
    return taken, failures


class Turns(Table):
    HEADINGS = ("beside", "request", "number", "median", "longest", "bound", "failed")


def turns(bench):
    """small requests of others while 24 clients of one token repeat the worst ones"""
    bench.table = Turns()
    with quiver(bench.folder / "service", jvm=("-Xmx512m",), **SETTINGS | tokens()) as service:
        client = Client(service.port, "few")
        for name, rows in (("small", 1000), ("large", ROWS)):
            assert client.send("PUT", f"/datasets/{name}", stream(rows))[0] == 201
        others(service.port, 5)
        busy, _, _ = measured(service.port, busy_loop, 1, 10)
        bounds = {name: 2 * max(seconds) + DEADLINE_SECONDS for name, seconds in busy.items()}
        for work in (busy_loop, *filter(lambda work: bench.selects(work.__name__), GREEDY)):
            clients, seconds = (1, 5) if work is busy_loop else (CLIENTS, SECONDS)
            taken, failures, statuses = measured(service.port, work, clients, seconds)
            print(f"{work.__name__}: responses {statuses}", *failures[:3], flush=True)
            for name, all_seconds in taken.items():
                failed = sum(failure[0] == name for failure in failures)
                ordered = sorted(all_seconds)
                bench.table.line(
                    work.__name__, name, str(len(ordered)), f"{figure(ordered[len(ordered) // 2])} s",
                    f"{figure(ordered[-1])} s", f"{figure(bounds[name])} s", str(failed),
                )  # fmt: skip

"""One client attacks the service, on default settings and 512 MiB of heap, while another uses it."""

import concurrent.futures
import contextlib
import http.client
import io
import os
import resource
import socket
import threading
import time
import typing

import pyarrow as pa
import pytest

from service import Service

ATTACKER = "127.0.0.2"
STREAM = "application/vnd.apache.arrow.stream"


@pytest.fixture(scope="module")
def attacked(folder):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    service = Service(folder / "attacked", ("-Xmx512m",))
    yield service
    service.stop()


class Times(typing.NamedTuple):
    """The seconds that an attack lasts, and that a request beside it may take."""

    attack: int
    request: int


@pytest.fixture
def times(request):
    options = request.config.getoption
    return Times(options("--attack-seconds"), options("--attack-request-seconds"))


def stream(table):
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def ask(service, method, path, body=None, address="127.0.0.1", timeout=60):
    """Returns the status, on a connection of its own."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", service.port, timeout=timeout, source_address=(address, 0)
    )
    with contextlib.closing(connection):
        connection.request(method, path, body, {"Content-Type": STREAM} if body else {})
        response = connection.getresponse()
        response.read()
        return response.status


class User:
    """Asks for three things once a second, and notes how long each took."""

    def __init__(self, service, seconds_maximum):
        self.service = service
        self.seconds_maximum = seconds_maximum
        self.failures = []
        self.slowest = 0
        self.requests = 0
        self.ended = threading.Event()
        self.small = stream(pa.table({"a": [1, 2, 3]}))

    def __enter__(self):
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        print(f"{self.requests} requests beside the attack, the slowest took {self.slowest:.2f} s")

    def run(self):
        while not self.ended.wait(1):
            self.ask("GET", "/health")
            self.ask("GET", "/datasets/small.json")
            self.ask("PUT", "/datasets/small", self.small)

    def ask(self, method, path, body=None):
        start = time.monotonic()
        try:
            status = ask(self.service, method, path, body, timeout=self.seconds_maximum)
            if status not in (200, 201):
                self.failures.append(f"{method} {path}: {status}")
        except OSError as e:
            self.failures.append(f"{method} {path}: {e!r} after {time.monotonic() - start:.2f} s")
        self.requests += 1
        self.slowest = max(self.slowest, time.monotonic() - start)


class Drips:
    """Connections that each send the start of a request, and then a byte now and then.

    Those that the service has closed are opened again.
    """

    def __init__(self, service, count, start, drop, interval_seconds):
        self.service = service
        self.count = count
        self.start = start
        self.drop = drop
        self.interval_seconds = interval_seconds
        self.connections = []

    def run(self, seconds):
        end = time.monotonic() + seconds
        next_drop = time.monotonic() + self.interval_seconds
        while time.monotonic() < end:
            self.connections = [c for c in self.connections if not self.is_closed(c)]
            while len(self.connections) < self.count and time.monotonic() < end:
                if not self.open():
                    break
            if time.monotonic() >= next_drop:
                next_drop += self.interval_seconds
                self.connections = [c for c in self.connections if self.send(c, self.drop)]
            time.sleep(0.1)

    def close(self):
        for connection in self.connections:
            connection.close()

    def open(self):
        connection = socket.socket()
        connection.settimeout(1)
        try:
            connection.bind((ATTACKER, 0))
            connection.connect(("127.0.0.1", self.service.port))
        except OSError:
            connection.close()
            return False
        connection.setblocking(False)
        self.connections.append(connection)
        return self.send(connection, self.start)

    @staticmethod
    def send(connection, data):
        try:
            connection.send(data)
            return True
        except OSError:
            connection.close()
            return False

    @staticmethod
    def is_closed(connection):
        try:
            while received := connection.recv(65536):
                del received
        except BlockingIOError:
            return False
        except OSError:
            pass
        connection.close()
        return True


def open_files(service):
    return len(os.listdir(f"/proc/{service.process.pid}/fd"))


def survive(service, attack, times):
    """Fails if the user notices the attack, or if something of it is left."""
    before = open_files(service)
    with User(service, times.request) as user:
        attack(times.attack)
        deadline = time.monotonic() + max(5, times.request)
        while open_files(service) > before + 20:
            assert time.monotonic() < deadline, f"{open_files(service)} open files, {before} before"
            time.sleep(0.1)
        asked = user.requests
        while user.requests < asked + 3:
            assert time.monotonic() < deadline + 4 * times.request
            time.sleep(0.1)
    assert not user.failures, user.failures


@pytest.fixture(scope="module", autouse=True)
def small(attacked):
    assert ask(attacked, "PUT", "/datasets/small", stream(pa.table({"a": [1]}))) in (200, 201)


def test_many_gets_of_a_wide_dataset(attacked, times):
    wide = pa.table({f"column{i}": pa.array([i], pa.int64()) for i in range(90_000)})
    assert ask(attacked, "PUT", "/datasets/wide", stream(wide), ATTACKER) == 201
    paths = ["wide.csv?limit=1", "wide.jsonl?limit=1", "wide.arrow?codec=lz4", "wide.arrow?columns=column7"]
    statuses = []

    def get(index):
        try:
            statuses.append(ask(attacked, "GET", "/datasets/" + paths[index % 4], address=ATTACKER))
        except (OSError, http.client.HTTPException) as e:
            statuses.append(type(e).__name__)

    def attack(seconds):
        end = time.monotonic() + seconds
        with concurrent.futures.ThreadPoolExecutor(40) as threads:
            def repeat(index):
                while time.monotonic() < end:
                    get(index)

            list(threads.map(repeat, range(40)))

    survive(attacked, attack, times)
    print({status: statuses.count(status) for status in set(statuses)})
    assert set(statuses) <= {200, 503}
    assert statuses.count(200) > 0
    assert "OutOfMemoryError" not in attacked.log.read_text()


def dripping(attacked, times, count, start, drop, interval_seconds):
    drips = Drips(attacked, count, start, drop, interval_seconds)

    def attack(seconds):
        with contextlib.closing(drips):
            drips.run(seconds)

    survive(attacked, attack, times)


def test_dripping_bodies_of_rejected_requests(attacked, times):
    start = b"PUT /datasets/x HTTP/1.1\r\nHost: example.org\r\nContent-Length: 30000000\r\n\r\n"
    dripping(attacked, times, 150, start, b"x", 2)


def test_dripping_chunk_extensions(attacked, times):
    start = b"POST /inspect HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5;x="
    dripping(attacked, times, 450, start, b"x", 1.5)


def test_dripping_heads(attacked, times):
    start = b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: "
    dripping(attacked, times, 2048, start, b"x", 15)

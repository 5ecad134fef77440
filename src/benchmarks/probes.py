"""Services, clients and tables for benchmarks that send the same request for large and small data."""

import contextlib
import http.client
import statistics
import time

import pyarrow as pa

from measuring import Table, figure, spread
from peers import Quiver

HEAP = "-Xmx512m"
WARM_UP_ROUNDS = 10
PROBE_ROUNDS = 21
MIB = 1 << 20


class Growth(Table):
    HEADINGS = ("what", "of", "median", "range", "against", "median", "ratio", "range")

    def compare(self, what, large, small, unit="ms"):
        """Adds a line. Each side is a name and its figures; ratios compare the same round."""
        (name, figures), (other, others) = large, small
        ratios = [a / b for a, b in zip(figures, others)]
        self.line(
            what, name, f"{middle(figures)} {unit}", spread(figures),
            other, f"{middle(others)} {unit}", middle(ratios), spread(ratios),
        )  # fmt: skip

    def report(self, what, of, value, unit):
        self.line(what, of, f"{figure(value)} {unit}", "", "", "", "", "")


def middle(values):
    return figure(statistics.median(values))


class Starting(Quiver):
    """A service whose health is polled more often than a test needs, to measure its startup."""

    def start(self):
        begin = time.perf_counter()
        super().start()
        self.start_seconds = time.perf_counter() - begin

    def _healthy(self):
        while not super()._healthy():
            if self.process.poll() is not None:
                return False
            time.sleep(0.01)
        return True


@contextlib.contextmanager
def service(folder, *jvm, **settings):
    running = Starting(folder, jvm=(HEAP, *jvm), **settings)
    try:
        yield running
    finally:
        running.kill()


class Client:
    """Small requests over a persistent connection, with or without a `Content-Length` in the response."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def get(self, path, **headers):
        self.connection.request("GET", path, headers=headers)
        response = self.connection.getresponse()
        body = response.read()
        if response.status not in (200, 206):
            raise AssertionError(f"GET {path} returned {response.status}: {body[:1000]}")
        return body

    def milliseconds(self, path, **headers):
        begin = time.perf_counter()
        self.get(path, **headers)
        return (time.perf_counter() - begin) * 1e3


def probe(bench, what, large, small):
    """Compares requests for large and small data. Each is a name, a client, a path and optional headers."""
    figures = [[], []]
    for round_ in range(-WARM_UP_ROUNDS, PROBE_ROUNDS):
        for found, (_, client, path, *headers) in zip(figures, (large, small)):
            milliseconds = client.milliseconds(path, **dict(headers))
            if round_ >= 0:
                found.append(milliseconds)
    bench.table.compare(what, (large[0], figures[0]), (small[0], figures[1]))


def expect(found, expected, where):
    if found != expected:
        raise AssertionError(f"Expected {expected} but found {found} at {where}")


def expect_table(body, expected, where):
    if not pa.ipc.open_stream(body).read_all().equals(expected):
        raise AssertionError(f"Expected the uploaded table but found another at {where}")


def timed(work, *arguments):
    begin = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - begin

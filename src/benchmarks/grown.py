"""Services that hold much, what they are asked, and what is printed of it."""

import contextlib
import http.client
import statistics
import time

import pyarrow as pa

from measuring import Table, extent, figure
from peers import Quiver

HEAP = "-Xmx512m"
WARM_UP_ROUNDS = 10
PROBE_ROUNDS = 21
MIB = 1 << 20


class Growth(Table):
    HEADINGS = ("what", "of", "median", "range", "against", "median", "ratio", "range")

    def compare(self, what, large, small, unit="ms"):
        """A line; each side is its name and its figures, and ratios are of the same round."""
        (name, figures), (other, others) = large, small
        ratios = [a / b for a, b in zip(figures, others)]
        self.line(
            what, name, f"{middle(figures)} {unit}", extent(figures),
            other, f"{middle(others)} {unit}", middle(ratios), extent(ratios),
        )  # fmt: skip

    def say(self, what, of, found, unit):
        self.line(what, of, f"{figure(found)} {unit}", "", "", "", "", "")


def middle(values):
    return figure(statistics.median(values))


class Starting(Quiver):
    """A service that is asked more often whether it is well than a test needs to."""

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
    """Small requests over a connection that is kept alive, whether or not the answer has a length."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def get(self, path, **headers):
        self.connection.request("GET", path, headers=headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status not in (200, 206):
            raise AssertionError(f"GET {path} is answered {answer.status}: {body[:1000]}")
        return body

    def milliseconds(self, path, **headers):
        begin = time.perf_counter()
        self.get(path, **headers)
        return (time.perf_counter() - begin) * 1e3


def probe(bench, what, large, small):
    """The same request for much and for little, each a name, a client, a path and maybe headers."""
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
        raise AssertionError(f"{where} is not what was uploaded")


def timed(work, *arguments):
    begin = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - begin

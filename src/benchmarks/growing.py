"""What grows: data beyond the memory, batches, columns, datasets and clients; and the start."""

import concurrent.futures
import contextlib
import http.client
import io
import itertools
import json
import pathlib
import re
import statistics
import subprocess
import threading
import time

import numpy
import pyarrow as pa

from measuring import Table, extent, figure
from peers import VECTOR, Quiver, jar, java
from wire import Connection

HEAP = "-Xmx512m"
UNSYNCED = {"quiver.storage.sync": "false"}
WARM_UP_ROUNDS = 10
PROBE_ROUNDS = 21
MIB = 1 << 20


def growth(bench):
    """Start, data of --size MiB on 512 MiB of heap, many batches, columns, datasets and connections, against few"""
    bench.table = Growth()
    for name, part in PARTS.items():
        if bench.wants(name):
            part(bench)


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


# --- the start


def start(bench):
    bare = bench.folder / "start"
    cache = bench.folder / "quiver.aot"
    subprocess.run(
        [java(), HEAP, *VECTOR, f"-XX:AOTCacheOutput={cache}", "-Dspring.context.exit=onRefresh",
         "-jar", jar(), "--server.port=0", f"--quiver.storage.path={bench.folder / 'trained'}"],
        cwd=bench.folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    kinds = {"the jar and a cache": (f"-XX:AOTCache={cache}",), "the jar": ()}
    compare_starts(bench, "start", [(name, bare, jvm) for name, jvm in kinds.items()])


def compare_starts(bench, what, sides):
    """Each side is a name, a folder, and options of the JVM. The first round warms the disk's cache."""
    seconds = [[] for _ in sides]
    for round_ in range(-1, bench.rounds):
        for found, (_, folder, jvm) in zip(seconds, sides):
            with service(folder, *jvm) as running:
                if round_ >= 0:
                    found.append(running.start_seconds)
    (large, *_), (small, *_) = sides
    bench.table.compare(what, (large, seconds[0]), (small, seconds[1]), "s")


# --- data beyond the memory


class Repeated:
    """An Arrow stream that is never there as a whole: a schema, and one batch again and again."""

    ROWS = 128 << 10

    def __init__(self, byte_size):
        chance = numpy.random.default_rng(6)
        columns = {name: chance.integers(-(2**62), 2**62, self.ROWS) for name in ("a", "b", "c", "d")}
        self.batch = pa.record_batch(columns)
        self.schema = self.batch.schema.serialize().to_pybytes()
        self.message = self.batch.serialize().to_pybytes()
        self.count = max(10, byte_size // len(self.message))
        self.end = b"\xff\xff\xff\xff\0\0\0\0"
        self.byte_size = len(self.schema) + self.count * len(self.message) + len(self.end)
        self.twice = self.message * 2

    def pieces(self):
        yield self.schema
        yield from itertools.repeat(self.message, self.count)
        yield self.end

    def expected(self, start, end):
        """Bytes of the stream, not more than a batch has."""
        first = len(self.schema)
        last = self.byte_size - len(self.end)
        if first <= start and end <= last:
            position = (start - first) % len(self.message)
            return self.twice[position : position + end - start]
        inner = self.expected(max(start, first), min(end, last)) if start < last and end > first else b""
        return self.schema[start:end] + inner + self.end[max(0, start - last) : max(0, end - last)]

    def row(self, position):
        index = position % self.ROWS
        return {name: self.batch.column(name)[index].as_py() for name in self.batch.schema.names}


def size(bench):
    large = Repeated(bench.byte_size)
    small = Repeated(bench.byte_size // 100)
    sides = []
    with service(bench.folder / "size") as running:
        connection = Connection(running.port)
        client = Client(running.port)
        table = bench.table
        for name, stream in (("small", small), ("large", large)):
            gigabytes = f"{stream.byte_size / 1e9:.1f} GB"
            path = f"/datasets/{name}"
            seconds = timed(connection.put_pieces, f"{path}?batches=keep", stream.byte_size, stream.pieces())
            table.say("PUT", gigabytes, stream.byte_size / seconds / 1e9, "GB/s")
            seconds = timed(connection.hold, f"{path}.arrows", stream.byte_size, stream.expected)
            table.say("GET whole, each byte compared", gigabytes, stream.byte_size / seconds / 1e9, "GB/s")
            table.say("anonymous memory so far, peak", gigabytes, running.peak_anonymous_bytes / MIB, "MiB")
            table.say("heap used", gigabytes, heap_bytes(client) / MIB, "MiB")
            sides.append((gigabytes, path, stream))
        requests = {
            "GET range of 1 MiB near the end": near_end,
            "GET last batch": last_batch,
            "GET 10 rows near the end as JSON": last_rows,
            "GET index of the last 10 batches": last_entries,
            "GET one of four columns of the last 10 rows": last_column,
        }
        for what, request in requests.items():
            asked = [(name, client, *request(client, path, stream)) for name, path, stream in reversed(sides)]
            probe(bench, what, *asked)
        running.stop()


def near_end(client, path, stream):
    start = stream.byte_size - 3 * MIB
    header = f"bytes={start}-{start + MIB - 1}"
    body = client.get(f"{path}.arrows", Range=header)
    expect(body == stream.expected(start, start + MIB), True, header)
    return f"{path}.arrows", ("Range", header)


def last_batch(client, path, stream):
    path = f"{path}/batches/{stream.count - 1}"
    expect_table(client.get(path), pa.Table.from_batches([stream.batch]), path)
    return (path,)


def last_rows(client, path, stream):
    first = stream.count * stream.ROWS - 10
    path = f"{path}.json?offset={first}&limit=10"
    expect(json.loads(client.get(path)), [stream.row(first + i) for i in range(10)], path)
    return (path,)


def last_entries(client, path, stream):
    path = f"{path}/batches?from={stream.count - 10}&count=10"
    found = [entry["rowOffset"] for entry in json.loads(client.get(path))["batches"]]
    expect(found, [(stream.count - 10 + i) * stream.ROWS for i in range(10)], path)
    return (path,)


def last_column(client, path, stream):
    path = f"{path}.arrows?columns=b&offset={stream.count * stream.ROWS - 10}&limit=10"
    expect_table(client.get(path), pa.Table.from_batches([stream.batch.select(["b"])[-10:]]), path)
    return (path,)


def timed(work, *arguments):
    begin = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - begin


def heap_bytes(client):
    """What the JVM says it uses of its heap, garbage included."""
    metrics = client.get("/metrics").decode()
    return sum(float(value) for value in re.findall(r'^jvm_memory_used_bytes\{area="heap".*\} (\S+)$', metrics, re.M))


# --- batches and columns


def batches(bench):
    many(bench, "batches", lambda count: [narrow(1000)] * count, {
        "schema": "/schema",
        "index, 100 entries": "/batches?from=500&count=100",
        "GET one batch": "/batches/500",
        "GET 10 rows as JSON": ".json?offset=499995&limit=10",
        "GET 10 rows of one column": ".arrows?columns=a&offset=499995&limit=10",
        "partitions, 8": "/partitions?count=8",
        "range of 4 KiB": (".arrows", ("Range", "bytes=8000000-8004095")),
        "GET one of two columns, ten times the data": ".arrows?columns=a",
        "index of all batches, ten times the entries": "/batches?count=10000",
    })  # fmt: skip


def columns(bench):
    many(bench, "columns", lambda count: [wide(count)] * 10, {
        "GET 10 rows of two columns": ".arrows?columns=column_7,column_999&offset=495&limit=10",
        "GET two columns": ".arrows?columns=column_7,column_999",
        "one row of two columns as JSON": ".json?columns=column_7,column_999&offset=500&limit=1",
        "index, 10 entries": "/batches",
        "range of 4 KiB": (".arrows", ("Range", "bytes=400000-404095")),
        "schema, ten times the fields": "/schema",
        "one row as JSON, ten times the cells": ".json?offset=500&limit=1",
        "GET one batch, ten times the data": "/batches/5",
        "GET 10 rows, ten times the data": ".arrows?offset=495&limit=10",
        "all rows as CSV, ten times the data": ".csv",
    })  # fmt: skip


def narrow(rows):
    return pa.record_batch({"a": numpy.arange(rows), "b": numpy.arange(rows) / 7})


def wide(count):
    return pa.record_batch({f"column_{i}": numpy.arange(100) / (i + 1) for i in range(count)})


def many(bench, what, make, requests, counts=(10_000, 1_000)):
    with service(bench.folder / what) as running:
        connection = Connection(running.port)
        client = Client(running.port)
        for count in counts:
            stored = make(count)
            stream = written(stored)
            path = f"/datasets/{what}-{count}"
            seconds = timed(connection.put_pieces, f"{path}?batches=keep", len(stream), [stream])
            bench.table.say("PUT", f"{count} {what}", seconds * 1e3, "ms")
            expect_table(client.get(f"{path}.arrows"), pa.Table.from_batches(stored), path)
            expect(listed(client, f"{path}/batches?count=10000"), len(stored), path)
        for name, request in requests.items():
            suffix, *headers = request if isinstance(request, tuple) else (request,)
            sides = [(f"{count} {what}", client, f"/datasets/{what}-{count}{suffix}", *headers) for count in counts]
            probe(bench, name, *sides)
        bench.table.say("anonymous memory, peak", f"{counts[0]} {what}", running.peak_anonymous_bytes / MIB, "MiB")
        running.stop()


def listed(client, path):
    """How many entries an index has, over all of its pages."""
    count = 0
    while path:
        page = json.loads(client.get(path))
        count += len(page["batches"])
        path = page.get("next")
    return count


def written(stored):
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, stored[0].schema) as writer:
        for batch in stored:
            writer.write_batch(batch)
    return sink.getvalue()


# --- datasets


def datasets(bench):
    counts = (100_000, 1_000)
    body = written([narrow(10)])
    sides = []
    with contextlib.ExitStack() as stack:
        for count in counts:
            folder = bench.folder / f"datasets-{count}"
            running = stack.enter_context(service(folder, **UNSYNCED))
            seconds = timed(fill, running, count, body)
            bench.table.say("PUT one after the other, 8 connections", f"{count} datasets", count / seconds, "per s")
            sides.append((f"{count} datasets", Client(running.port), count, running))

        def compare(what, path):
            probe(bench, what, *[(name, client, path(count)) for name, client, count, _ in sides])

        for name, client, count, _ in sides:
            after = count // 2
            listed = json.loads(client.get(f"/datasets?limit=100&after={dataset(after)}"))["datasets"]
            expect([entry["name"] for entry in listed], [dataset(after + 1 + i) for i in range(100)], name)
            path = f"/datasets/{dataset(after)}.arrows"
            expect(client.get(path) == body, True, path)
        compare("first 100 of the list", lambda count: "/datasets?limit=100")
        compare("100 in the middle of the list", lambda count: f"/datasets?limit=100&after={dataset(count // 2)}")
        compare("page for people", lambda count: "/")
        compare("GET one of 10 rows", lambda count: f"/datasets/{dataset(count - 7)}.arrows")
        compare("its schema", lambda count: f"/datasets/{dataset(count - 7)}/schema")
        new = [[], []]
        connections = [Connection(running.port) for *_, running in sides]
        for i in range(-WARM_UP_ROUNDS, PROBE_ROUNDS):
            for found, connection in zip(new, connections):
                seconds = timed(connection.put_pieces, f"/datasets/new-{i + WARM_UP_ROUNDS}", len(body), [body])
                if i >= 0:
                    found.append(seconds * 1e3)
        bench.table.compare("PUT one more, not synced", *zip([name for name, *_ in sides], new))
        for name, _, _, running in sides:
            bench.table.say("anonymous memory, peak", name, running.peak_anonymous_bytes / MIB, "MiB")
            running.stop()
        compare_starts(bench, "start", [(name, running.folder, ()) for name, _, _, running in sides])


def dataset(i):
    return f"dataset-{i:06}"


def fill(running, count, body, connections=8):
    def put(first):
        with Connection(running.port) as connection:
            for i in range(first, count, connections):
                connection.put_pieces(f"/datasets/{dataset(i)}", len(body), [body])

    together(connections, put)


def together(count, work):
    """`work` of 0, 1, … on as many threads, begun at the same moment. Returns what each returns."""
    barrier = threading.Barrier(count)

    def begin(i):
        barrier.wait()
        return work(i)

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))


# --- connections


def connections(bench, idle=1_000, busy=200):
    stream = Repeated(64 * MIB)
    with service(bench.folder / "connections", **UNSYNCED) as running, contextlib.ExitStack() as stack:
        with Connection(running.port) as connection:
            connection.put_pieces("/datasets/served?batches=keep", stream.byte_size, stream.pieces())
        path = "/datasets/served/schema"
        client = Client(running.port)
        calm = [client.milliseconds(path) for _ in range(200)][-100:]
        table = bench.table
        table.say("resident memory", "0 idle", resident_bytes(running) / MIB, "MiB")
        for _ in range(idle):
            opened = stack.enter_context(Connection(running.port))
            opened.drain("/datasets/served/batches/0", "Range: bytes=0-99")
            idle_ones = opened
        table.say("resident memory", f"{idle} idle", resident_bytes(running) / MIB, "MiB")
        for what, work in (("GET", burst_get), ("PUT", burst_put)):
            # In a process of its own, so that its threads do not delay the one request.
            with concurrent.futures.ProcessPoolExecutor(1) as other:
                load = other.submit(work, running.port, stream, busy)
                meanwhile = []
                while not load.done():
                    meanwhile.append(client.milliseconds(path))
                seconds, byte_size = load.result()
            of = f"{idle} idle, {busy} busy"
            table.say(f"{what} of 4 MiB, all answered", of, byte_size / seconds / 1e9, "GB/s")
            table.line(
                "GET of a schema meanwhile", of, f"{middle(meanwhile)} ms", extent(meanwhile), "nobody else",
                f"{middle(calm)} ms", figure(statistics.median(meanwhile) / statistics.median(calm)), "",
            )  # fmt: skip
            table.say("resident memory", of, resident_bytes(running) / MIB, "MiB")
        table.say("anonymous memory, peak", of, running.peak_anonymous_bytes / MIB, "MiB")
        # Those that were idle are answered as before.
        idle_ones.drain("/datasets/served/batches/0")
        running.stop()


def burst_get(port, stream, count, times=20):
    """Each of so many clients compares batches that it gets; seconds, and bytes of all of them."""
    expected = Client(port).get("/datasets/served/batches/0")
    expect_table(expected, pa.Table.from_batches([stream.batch]), "batches/0")

    def get(i):
        with Connection(port) as connection:
            for k in range(times):
                path = f"/datasets/served/batches/{(i + k) % stream.count}"
                connection.hold(path, len(expected), lambda start, end: expected[start:end])

    return timed(together, count, get), count * times * len(expected)


def burst_put(port, stream, count, times=3):
    body = stream.schema + stream.message + stream.end

    def put(i):
        with Connection(port) as connection:
            for _ in range(times):
                connection.put_pieces(f"/datasets/busy-{i}?batches=keep", len(body), [body])

    seconds = timed(together, count, put)
    with Connection(port) as connection:
        for i in range(count):
            connection.hold(f"/datasets/busy-{i}.arrows", len(body), lambda start, end: body[start:end])
    return seconds, count * times * len(body)


def resident_bytes(running):
    status = pathlib.Path(f"/proc/{running.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) << 10


PARTS = {
    "start": start,
    "size": size,
    "batches": batches,
    "columns": columns,
    "datasets": datasets,
    "connections": connections,
}

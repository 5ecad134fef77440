"""Scaling benchmarks: startup, data beyond memory, and many batches, columns, datasets or clients."""

import collections
import concurrent.futures
import contextlib
import io
import json
import pathlib
import re
import statistics
import subprocess
import threading

import numpy
import pyarrow as pa

from beyond_memory import heap_bytes, size
from measuring import figure, spread
from peers import jar, java
from probes import (
    HEAP, MIB, PROBE_ROUNDS, WARM_UP_ROUNDS, Client, Growth, expect, expect_table, middle, probe, service, timed,
)  # fmt: skip
from repeated import Stream
from wire import Connection

UNSYNCED = {"quiver.storage.sync": "false"}


def growth(bench):
    """Startup, --size MiB of data on 512 MiB of heap, and many batches, columns, datasets and clients"""
    bench.table = Growth()
    for name, part in PARTS.items():
        if bench.selects(name):
            part(bench)


# --- the start


def start(bench):
    bare = bench.folder / "start"
    cache = bench.folder / "quiver.aot"
    subprocess.run(
        [java(), HEAP, f"-XX:AOTCacheOutput={cache}", "-Dspring.context.exit=onRefresh",
         "-jar", jar(), "--server.port=0", f"--quiver.storage.path={bench.folder / 'trained'}"],
        cwd=bench.folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    kinds = {"the jar and a cache": (f"-XX:AOTCache={cache}",), "the jar": ()}
    compare_starts(bench, "start", [(name, bare, jvm) for name, jvm in kinds.items()])


def compare_starts(bench, what, sides):
    """Each side is a name, a folder and JVM options. The first round only warms the page cache."""
    seconds = [[] for _ in sides]
    for round_ in range(-1, bench.rounds):
        for found, (_, folder, jvm) in zip(seconds, sides):
            with service(folder, *jvm) as running:
                if round_ >= 0:
                    found.append(running.start_seconds)
    (large, *_), (small, *_) = sides
    bench.table.compare(what, (large, seconds[0]), (small, seconds[1]), "s")


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
            bench.table.report("PUT", f"{count} {what}", seconds * 1e3, "ms")
            expect_table(client.get(f"{path}.arrows"), pa.Table.from_batches(stored), path)
            expect(listed(client, f"{path}/batches?count=10000"), len(stored), path)
        for name, request in requests.items():
            suffix, *headers = request if isinstance(request, tuple) else (request,)
            sides = [(f"{count} {what}", client, f"/datasets/{what}-{count}{suffix}", *headers) for count in counts]
            probe(bench, name, *sides)
        peak = running.peak_anonymous_bytes / MIB
        bench.table.report("anonymous memory, peak", f"{counts[0]} {what}", peak, "MiB")
        running.stop()


def listed(client, path):
    """The number of entries in an index, over all of its pages."""
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
            rate = count / seconds
            bench.table.report("PUT one after the other, 8 connections", f"{count} datasets", rate, "per s")
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
            bench.table.report("anonymous memory, peak", name, running.peak_anonymous_bytes / MIB, "MiB")
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
    """Calls `work` with 0, 1, … on `count` threads that start at the same moment. Returns the results."""
    barrier = threading.Barrier(count)

    def begin(i):
        barrier.wait()
        return work(i)

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))


# --- connections


def idle(bench, count=2_000, busy=200):
    """Connections that each make some requests, `busy` at a time, and then stay idle."""
    stream = Stream(4 * MIB)
    body = stream.head + stream.piece + stream.end
    with service(bench.folder / "idle", **UNSYNCED) as running, contextlib.ExitStack() as stack:
        connections = [stack.enter_context(Connection(running.port))]

        def report(of):
            heap = live_heap_bytes(running)
            bench.table.report("heap after a collection", of, heap / MIB, "MiB")
            bench.table.report("anonymous memory", of, anonymous_bytes(running) / MIB, "MiB")

        def small(i):
            connections[i].drain("/datasets/idle-0.arrows", "Range: bytes=0-99")

        def large(i):
            connections[i].put_pieces(f"/datasets/idle-{i % busy}?batches=keep", len(body), [body])
            connections[i].drain(f"/datasets/idle-{i % busy}.arrows")

        large(0)
        report("1 idle")
        for what, work in (("a small request", small), ("PUT and GET of 4 MiB", large)):
            with concurrent.futures.ThreadPoolExecutor(busy) as pool:
                while len(connections) < count:
                    connections.append(stack.enter_context(Connection(running.port)))
                list(pool.map(work, range(count)))
            report(f"{count} idle after {what} each")
        running.stop()


def slow(bench, count=2_000):
    """Clients that request 64 MiB without reading or stall within an upload, and the latency of others."""
    stream = Stream(64 * MIB)
    for what, path in (
        ("stored", "/datasets/served.arrow"),
        ("in zstd", "/datasets/served.arrow?codec=zstd"),
        ("as CSV", "/datasets/served.csv"),
        ("PUT", None),
    ):
        with service(bench.folder / f"slow {what}", **UNSYNCED) as running, contextlib.ExitStack() as stack:
            with Connection(running.port) as connection:
                connection.put_pieces("/datasets/served?batches=keep", stream.byte_size, stream.pieces())
            client = Client(running.port)
            stalled = [stack.enter_context(Connection(running.port)) for _ in range(count)]
            for i, connection in enumerate(stalled):
                if path is None:
                    connection.begin_put(f"/datasets/slow-{i}?batches=keep", stream.byte_size, stream.head)
                else:
                    connection.begin_get(path)
            statuses = collections.Counter(connection.status() for connection in stalled if path is not None)
            meanwhile = [client.milliseconds("/datasets/served/schema") for _ in range(100)]
            responses = ", ".join(f"{statuses[status]} got {status}" for status in sorted(statuses))
            of = f"{count} slow, {what}{': ' if responses else ''}{responses}"
            bench.table.line(
                "GET of a schema meanwhile", of, f"{middle(meanwhile)} ms", spread(meanwhile), "", "", "", "",
            )  # fmt: skip
            bench.table.report("anonymous memory, peak", of, running.peak_anonymous_bytes / MIB, "MiB")


def connections(bench, idle=1_000, busy=200):
    stream = Stream(64 * MIB)
    with service(bench.folder / "connections", **UNSYNCED) as running, contextlib.ExitStack() as stack:
        with Connection(running.port) as connection:
            connection.put_pieces("/datasets/served?batches=keep", stream.byte_size, stream.pieces())
        path = "/datasets/served/schema"
        client = Client(running.port)
        calm = [client.milliseconds(path) for _ in range(200)][-100:]
        table = bench.table
        table.report("resident memory", "0 idle", resident_bytes(running) / MIB, "MiB")
        for _ in range(idle):
            opened = stack.enter_context(Connection(running.port))
            opened.drain("/datasets/served/batches/0", "Range: bytes=0-99")
            idle_connection = opened
        table.report("resident memory", f"{idle} idle", resident_bytes(running) / MIB, "MiB")
        for what, work in (("GET", burst_get), ("PUT", burst_put)):
            # In a separate process, so that its threads do not delay the measured request.
            with concurrent.futures.ProcessPoolExecutor(1) as other:
                load = other.submit(work, running.port, stream, busy)
                meanwhile = []
                while not load.done():
                    meanwhile.append(client.milliseconds(path))
                seconds, byte_size = load.result()
            of = f"{idle} idle, {busy} busy"
            table.report(f"{what} of 4 MiB, total", of, byte_size / seconds / 1e9, "GB/s")
            table.line(
                "GET of a schema meanwhile", of, f"{middle(meanwhile)} ms", spread(meanwhile),
                "no other clients", f"{middle(calm)} ms",
                figure(statistics.median(meanwhile) / statistics.median(calm)), "",
            )  # fmt: skip
            table.report("resident memory", of, resident_bytes(running) / MIB, "MiB")
        table.report("anonymous memory, peak", of, running.peak_anonymous_bytes / MIB, "MiB")
        # Idle connections still work.
        idle_connection.drain("/datasets/served/batches/0")
        running.stop()


def burst_get(port, stream, count, times=20):
    """`count` clients get batches and compare their bytes. Returns the seconds and the bytes of all."""
    expected = Client(port).get("/datasets/served/batches/0")
    expect_table(expected, pa.Table.from_batches([stream.batch]), "batches/0")

    def get(i):
        with Connection(port) as connection:
            for k in range(times):
                path = f"/datasets/served/batches/{(i + k) % stream.count}"
                connection.verify(path, len(expected), lambda start, end: expected[start:end])

    return timed(together, count, get), count * times * len(expected)


def burst_put(port, stream, count, times=3):
    body = stream.head + stream.piece + stream.end

    def put(i):
        with Connection(port) as connection:
            for _ in range(times):
                connection.put_pieces(f"/datasets/busy-{i}?batches=keep", len(body), [body])

    seconds = timed(together, count, put)
    with Connection(port) as connection:
        for i in range(count):
            connection.verify(f"/datasets/busy-{i}.arrows", len(body), lambda start, end: body[start:end])
    return seconds, count * times * len(body)


def resident_bytes(running):
    return status_bytes(running, "VmRSS")


def anonymous_bytes(running):
    return status_bytes(running, "RssAnon")


def status_bytes(running, line):
    status = pathlib.Path(f"/proc/{running.process.pid}/status").read_text()
    return int(re.search(rf"{line}:\s+(\d+) kB", status)[1]) << 10


def live_heap_bytes(running):
    """The heap after two collections; the second one frees the objects that the first one enqueued."""
    jcmd = [pathlib.Path(java()).with_name("jcmd"), str(running.process.pid)]
    for _ in range(2):
        subprocess.run([*jcmd, "GC.run"], check=True, stdout=subprocess.DEVNULL)
    return heap_bytes(Client(running.port))


PARTS = {
    "start": start,
    "size": size,
    "batches": batches,
    "columns": columns,
    "datasets": datasets,
    "idle": idle,
    "slow": slow,
    "connections": connections,
}

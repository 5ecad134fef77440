"""Data of which the memory has room for a small part."""

import itertools
import json
import re

import numpy
import pyarrow as pa

from grown import MIB, Client, expect, expect_table, probe, service, timed
from wire import Connection


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


def heap_bytes(client):
    """What the JVM says it uses of its heap, garbage included."""
    metrics = client.get("/metrics").decode()
    return sum(float(value) for value in re.findall(r'^jvm_memory_used_bytes\{area="heap".*\} (\S+)$', metrics, re.M))

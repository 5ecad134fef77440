"""Requests for a dataset that is far larger than the memory, compared with a small one."""

import json
import re

import pyarrow as pa

from probes import MIB, Client, expect, expect_table, probe, service, timed
from repeated import Stream
from wire import Connection


def size(bench):
    large = Stream(bench.byte_size)
    small = Stream(bench.byte_size // 100)
    sides = []
    with service(bench.folder / "size") as running:
        connection = Connection(running.port)
        client = Client(running.port)
        table = bench.table
        for name, stream in (("small", small), ("large", large)):
            gigabytes = f"{stream.byte_size / 1e9:.1f} GB"
            path = f"/datasets/{name}"
            seconds = timed(connection.put_pieces, f"{path}?batches=keep", stream.byte_size, stream.pieces())
            table.report("PUT", gigabytes, stream.byte_size / seconds / 1e9, "GB/s")
            seconds = timed(connection.verify, f"{path}.arrows", stream.byte_size, stream.expected)
            table.report("GET whole, each byte compared", gigabytes, stream.byte_size / seconds / 1e9, "GB/s")
            sides.append((gigabytes, path, stream))
        for what, request in REQUESTS.items():
            compared = [(name, client, *request(client, path, stream)) for name, path, stream in sides[::-1]]
            probe(bench, what, *compared)
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
    first = stream.count * stream.rows - 10
    path = f"{path}.json?offset={first}&limit=10"
    expect(json.loads(client.get(path)), [stream.row(first + i) for i in range(10)], path)
    return (path,)


def last_entries(client, path, stream):
    path = f"{path}/batches?from={stream.count - 10}&count=10"
    found = [entry["rowOffset"] for entry in json.loads(client.get(path))["batches"]]
    expect(found, [(stream.count - 10 + i) * stream.rows for i in range(10)], path)
    return (path,)


def last_column(client, path, stream):
    path = f"{path}.arrows?columns=b&offset={stream.count * stream.rows - 10}&limit=10"
    expect_table(client.get(path), pa.Table.from_batches([stream.batch.select(["b"])[-10:]]), path)
    return (path,)


def heap_bytes(client):
    """The heap in use according to the JVM, garbage included."""
    metrics = client.get("/metrics").decode()
    return sum(float(value) for value in re.findall(r'^jvm_memory_used_bytes\{area="heap".*\} (\S+)$', metrics, re.M))


REQUESTS = {
    "GET range of 1 MiB near the end": near_end,
    "GET last batch": last_batch,
    "GET 10 rows near the end as JSON": last_rows,
    "GET index of the last 10 batches": last_entries,
    "GET one of four columns of the last 10 rows": last_column,
}

"""Benchmarks of computed responses: columns, other codecs, text."""

import io
import os

import pyarrow as pa

import data
from measuring import Side, repetitions
from peers import Worker, compiled, quiver
from wire import Connection, drained

STREAM = "/datasets/served.arrows"
CLOSE = "Connection: close"
# Constant cost that a projection may have, independent of its size.
ALLOWANCE_SECONDS = 0.002
# Rounds of one or two requests: the JIT compiler needs some thousands of batches.
WARM_UP = 40


def serve(bench, name, source, **settings):
    service = bench.enter(quiver(bench.folder / name, **settings))
    with Connection(service.port) as connection:
        connection.put("/datasets/served?batches=keep", source)
    return service


def project(bench):
    """GET of columns with a share f of the bytes, against GET of the whole with sendfile off"""
    source = bench.stream("integers", data.integers)
    ours = serve(bench, "projecting", source)
    whole = serve(bench, "whole", source, **{"quiver.sendfile": "false"})
    table = data.table(source)
    times = repetitions(source.stat().st_size)

    def side(service, path):
        connection = Connection(service.port)

        def work():
            return sum(connection.drain(path) for _ in range(times))

        return Side("GET whole, sendfile off", work, [service.process.pid])

    for columns in ("c", "a,d"):
        path = f"{STREAM}?columns={columns}"
        check_table(ours, path, table.select(columns.split(",")))
        share = len(columns.split(",")) / table.num_columns

        def over_share(part, of, share=share):
            return (part.seconds - times * ALLOWANCE_SECONDS) / (share * of.seconds)

        name = f"GET columns, f = {share}: (time - 2 ms) / f"
        bench.compare(name, [side(ours, path), side(whole, STREAM)], ratio=over_share, warm_up=WARM_UP)


def check_table(service, path, expected):
    with Connection(service.port) as connection:
        body = connection.body(path, CLOSE)
    if not pa.ipc.open_stream(body).read_all().equals(expected):
        raise AssertionError(f"Expected the uploaded table but found another at {path}")


def recompress(bench):
    """GET in another codec, against loops on all cores that compress the same buffers, sending them or not"""
    source = bench.stream("readings", data.readings)
    table = data.table(source)
    service = serve(bench, "service", source)
    loop = Worker(bench.stack, *compiled("CodecLoop", str(source)))
    cores = os.cpu_count()
    for codec in ("zstd", "lz4"):
        path = f"{STREAM}?codec={codec}"
        check_table(service, path, table)

        def ours(path=path):
            with Connection(service.port) as connection:
                connection.drain(path, CLOSE)
            return table.nbytes

        def bare(codec=codec):
            nanos, _ = loop.call(codec, cores, 0)
            return table.nbytes, nanos / 1e9

        def sending(codec=codec):
            received = drained(lambda port: loop.send(codec, cores, port))
            _, byte_size = loop.receive()
            if received != byte_size:
                raise AssertionError(f"Expected {byte_size} bytes but received {received}")
            return table.nbytes

        quiver_side = Side("quiver", ours, [service.process.pid])
        # The second loop shares the cores with a client, as the service does.
        for peer in (Side("bare loop", bare), Side("bare loop that sends", sending, [loop.process.pid])):
            bench.compare(f"GET as {codec}", [quiver_side, peer], warm_up=WARM_UP)


def jsonl(bench):
    """GET of rows as JSON Lines, against polars' write_ndjson on one thread"""
    rows(bench, "jsonl", "write_ndjson", "read_ndjson")


def csv(bench):
    """GET of rows as CSV, against polars' write_csv on one thread"""
    rows(bench, "csv", "write_csv", "read_csv")


def rows(bench, suffix, write, read):
    # polars reads this when it is imported.
    os.environ["POLARS_MAX_THREADS"] = "1"
    import polars

    source = bench.stream("readings", data.readings)
    table = data.table(source)
    frame = polars.from_arrow(table)
    service = serve(bench, "service", source, **{"quiver.limits.text-response-bytes": "16GB"})
    path = f"/datasets/served.{suffix}"
    with Connection(service.port) as connection:
        found = getattr(polars, read)(io.BytesIO(connection.body(path, CLOSE)))
    # Times are text here, and polars parses them by its own rules.
    if not found.drop("time").equals(frame.drop("time")):
        raise AssertionError(f"Expected the uploaded rows but found others at {path}")

    def ours():
        with Connection(service.port) as connection:
            connection.drain(path, CLOSE)
        return table.nbytes

    def theirs():
        getattr(frame, write)(os.devnull)
        return table.nbytes

    sides = [Side("quiver", ours, [service.process.pid]), Side(f"polars {write}", theirs, [os.getpid()])]
    bench.compare(f"GET .{suffix}, GB of Arrow data", sides, warm_up=3)

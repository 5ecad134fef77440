"""What is computed on the way: columns, other codecs, text."""

import io
import os

import pyarrow as pa

import data
from measuring import Side, repetitions
from peers import Worker, compiled, quiver
from wire import Connection, drained

STREAM = "/datasets/served.arrows"
CLOSE = "Connection: close"
# Time that a projection may take beyond what its bytes do, whatever their number.
ALLOWANCE_SECONDS = 0.002
# Rounds, of one request or two: it takes some thousands of batches until all is compiled.
WARM_UP = 40


def serve(bench, name, source, **settings):
    service = bench.enter(quiver(bench.folder / name, **settings))
    with Connection(service.port) as connection:
        connection.put("/datasets/served?batches=keep", source)
    return service


def project(bench):
    """GET of columns that are a share f of the bytes, against GET of the whole with sendfile off"""
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
        raise AssertionError(f"{path} is not what was uploaded")


def recompress(bench):
    """GET in another codec, against a loop on all cores that compresses the same buffers, and may send them"""
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
            nanos, _ = loop.ask(codec, cores, 0)
            return table.nbytes, nanos / 1e9

        def sending(codec=codec):
            received = drained(lambda port: loop.tell(codec, cores, port))
            _, byte_size = loop.hear()
            if received != byte_size:
                raise AssertionError(f"{byte_size} bytes were sent, and {received} received")
            return table.nbytes

        quiver_side = Side("quiver", ours, [service.process.pid])
        # One who compresses on all cores, and one who has a client on them as well.
        for peer in (Side("bare loop", bare), Side("bare loop that sends", sending, [loop.process.pid])):
            bench.compare(f"GET as {codec}", [quiver_side, peer], warm_up=WARM_UP)


def jsonl(bench):
    """GET of rows as JSON lines, against polars' write_ndjson on one thread"""
    rows(bench, "jsonl", "write_ndjson", "read_ndjson")


def csv(bench):
    """GET of rows as CSV, against polars' write_csv on one thread"""
    rows(bench, "csv", "write_csv", "read_csv")


def rows(bench, suffix, write, read):
    # Read once, when polars is imported.
    os.environ["POLARS_MAX_THREADS"] = "1"
    import polars

    source = bench.stream("readings", data.readings)
    table = data.table(source)
    frame = polars.from_arrow(table)
    service = serve(bench, "service", source, **{"quiver.limits.text-response-bytes": "16GB"})
    path = f"/datasets/served.{suffix}"
    with Connection(service.port) as connection:
        found = getattr(polars, read)(io.BytesIO(connection.body(path, CLOSE)))
    # Times are text here, and polars reads them as it likes.
    if not found.drop("time").equals(frame.drop("time")):
        raise AssertionError(f"{path} has other rows than what was uploaded")

    def ours():
        with Connection(service.port) as connection:
            connection.drain(path, CLOSE)
        return table.nbytes

    def theirs():
        getattr(frame, write)(os.devnull)
        return table.nbytes

    sides = [Side("quiver", ours, [service.process.pid]), Side(f"polars {write}", theirs, [os.getpid()])]
    bench.compare(f"GET .{suffix}, GB of Arrow data", sides, warm_up=3)

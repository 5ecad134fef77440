"""The benchmark that guards the lines of the page on performance: each beside its peer, against a bound."""

import contextlib
import functools
import itertools
import os
import shutil
import ssl
import statistics
import subprocess
import time
import urllib.parse

import numpy
import pyarrow as pa

import data
import files
import querying
import serving
from measuring import Side, alternate, figure, spread
from peers import Nginx, Quiver, RangeClient, program, quiver
from probes import Starting
from wire import Connection

ROUNDS = 7
# Rounds of statements, of seconds of requests, and of uploads, until the compilers have rested.
STATEMENT_WARM_UP = 25
REQUEST_WARM_UP = 16
UPLOAD_WARM_UP = 12
FIRST_RANGES = 1000
FIRST_WARM_UP_SECONDS = 4
STARTS = 5
BUSY_CLIENTS = 200
BUSY_SECONDS = 2
PROBES = 8
TEXT_ROWS = 1_500_000
MIB = 1 << 20
SERVED_BYTES = 64 * MIB
TABLE_BYTES = 400 * MIB
TABLE_BATCH_ROWS = 100_000
CSV_BYTES = 128_000_000
CLOSE = "Connection: close"

STATEMENTS = {
    "group by an integer": ("SELECT k % 100 AS g, count(*), sum(v) FROM t GROUP BY ALL ORDER BY ALL", 1.5),
    "filter and sum": (
        "SELECT sum(v * q) FROM t WHERE d >= DATE '1994-01-01' AND d < DATE '1995-01-01' AND q < 24",
        1.6,
    ),
    "group by text": ("SELECT s, count(*) n FROM t GROUP BY ALL ORDER BY n DESC, s LIMIT 5", 1.3),
    "top of a sort": ("SELECT id, v FROM t ORDER BY v DESC LIMIT 10", 1.1),
    "count distinct": ("SELECT count(DISTINCT k) FROM t", 1.3),
}
SELECTIVITIES = {0.0001: 1.2, 0.01: 1.0, 0.5: 1.3}


class Guard:
    """A table of lines, and the names of those beyond their bounds."""

    def __init__(self):
        self.missed = []
        print("| line | median | range | bound |\n| --- | --- | --- | --- |", flush=True)

    def at_most(self, line, found, bound):
        self._add(line, found, f"at most {bound}", statistics.median(found) <= bound)

    def at_least(self, line, found, bound):
        self._add(line, found, f"at least {bound}", statistics.median(found) >= bound)

    def _add(self, line, found, bound, is_kept):
        if not is_kept:
            self.missed.append(line)
        median = figure(statistics.median(found))
        print(f"| {line} | {median if is_kept else f'**{median}**'} | {spread(found)} | {bound} |", flush=True)


def guard(bench):
    """all lines that have a bound, some seconds each; fails if one is beyond it"""
    guarded = Guard()
    folder = bench.folder
    for part in PARTS:
        if bench.selects(part.__name__):
            with contextlib.ExitStack() as stack:
                bench.stack = stack
                bench.folder = folder / part.__name__
                bench.folder.mkdir()
                part(bench, guarded)
    if guarded.missed:
        raise SystemExit(f"Expected all lines within their bounds but found {len(guarded.missed)} beyond them")


def times(sides, rounds=ROUNDS, warm_up=STATEMENT_WARM_UP):
    """The time of the first side over the least of the others in each round."""
    ours, *theirs = alternate(sides, rounds, warm_up)
    return [a.seconds / min(b.seconds for b in others) for a, *others in zip(ours, *theirs)]


def rates(sides, rounds=ROUNDS, warm_up=REQUEST_WARM_UP):
    """The rate of the first side over that of the second in each round."""
    ours, theirs = alternate(sides, rounds, warm_up)
    return [a.byte_size / a.seconds / (b.byte_size / b.seconds) for a, b in zip(ours, theirs)]


def starts(bench, guarded):
    """Starts to the first response in seconds, with the documented recording and without, and the first ranges."""
    recording = bench.folder / "quiver.aot"
    recorded(bench, recording)
    source = stream(bench, "integers", data.integers, SERVED_BYTES)
    seconds = {"": [], " with the recording": []}
    first = {"": [], " with the recording": []}
    for _ in range(STARTS):
        for kind, jvm in (("", ()), (" with the recording", (f"-XX:AOTCache={recording}",))):
            folder = bench.folder / "starting"
            running = Starting(folder, jvm=jvm)
            try:
                seconds[kind].append(running.start_seconds)
                with Connection(running.port) as connection:
                    connection.put("/datasets/served?batches=keep", source)
                    begun = first_ranges(connection, source)
                    deadline = time.monotonic() + FIRST_WARM_UP_SECONDS
                    while time.monotonic() < deadline:
                        first_ranges(connection, source)
                    warm = first_ranges(connection, source)
                first[kind].append(statistics.median(begun) / statistics.median(warm))
            finally:
                running.kill()
                shutil.rmtree(folder)
    guarded.at_most("start to the first response, s", seconds[""], 2.0)
    guarded.at_most("the same with the recording, s", seconds[" with the recording"], 1.2)
    guarded.at_most("first 1,000 ranges of 4 KiB, over warm ones", first[""], 1.5)
    guarded.at_most("the same with the recording", first[" with the recording"], 1.5)


def recorded(bench, recording):
    """Makes the recording as the page on operations says: of a start and 5,000 requests."""
    recorder = Quiver(bench.folder / "recorded", jvm=(f"-XX:AOTCacheOutput={recording}",), **{"quiver.sample": "true"})
    with Connection(recorder.port) as connection:
        for _ in range(5000):
            connection.drain("/datasets/sample.arrows", "Range: bytes=0-4095")
    recorder.process.terminate()
    recorder.process.wait(300)
    if not recording.exists():
        raise AssertionError(f"Expected a recording but found {recorder.log.read_text()[-2000:]}")


def first_ranges(connection, source):
    """The seconds of ranges at different positions, one after the other."""
    byte_size = source.stat().st_size
    found = []
    for i in range(FIRST_RANGES):
        position = i * 7919 * 4096 % (byte_size - 8192)
        begin = time.perf_counter()
        connection.drain(serving.STREAM, f"Range: bytes={position}-{position + 4095}")
        found.append(time.perf_counter() - begin)
    return found


def stream(bench, name, make, byte_size, batch_rows=data.BATCH_ROWS):
    return data.stream(bench.data, name, make, byte_size, batch_rows)


def ranges(bench, guarded):
    """Ranges on one connection, against nginx."""
    served = serving.Served(bench, stream(bench, "integers", data.integers, SERVED_BYTES))
    file = served.keep(serving.FILE, served.table)
    client = RangeClient(bench.stack)
    for length, name, bound in ((4 << 10, "4 KiB", 0.7), (1 << 20, "1 MiB", 1.0)):

        def load(endpoint, length=length):
            return client.load(endpoint.port, serving.FILE, file, length, seconds=0.5, connections=1)

        guarded.at_least(f"ranges of {name}, one connection, rate over nginx", rates(served.sides(load)), bound)


def busy(bench, guarded):
    """Small requests beside clients that get 4 MiB each, again and again, against nginx."""
    served = serving.Served(bench, stream(bench, "integers", data.integers, SERVED_BYTES))
    served.keep(serving.FILE, served.table)
    wrk = bench.peer(lambda: program("wrk"))
    if len(served.endpoints) < 2 or not wrk:
        return

    def small(endpoint):
        """The median and the 99th percentile in seconds. A process of nginx may have more of the clients."""
        url = f"http://127.0.0.1:{endpoint.port}{serving.FILE}"
        load = [wrk, "-t1", f"-c{BUSY_CLIENTS}", f"-d{BUSY_SECONDS}s", "-H", f"Range: bytes=0-{4 * MIB - 1}", url]
        with contextlib.ExitStack() as stack:
            probes = itertools.cycle([stack.enter_context(Connection(endpoint.port)) for _ in range(PROBES)])
            running = stack.enter_context(subprocess.Popen(load, stdout=subprocess.DEVNULL))
            time.sleep(0.3)
            found = []
            while running.poll() is None:
                begin = time.perf_counter()
                next(probes).drain(serving.FILE, "Range: bytes=4096-8191")
                found.append(time.perf_counter() - begin)
        found.sort()
        return found[len(found) // 2], found[len(found) * 99 // 100]

    quantiles = [[small(endpoint) for endpoint in served.endpoints] for _ in range(2 + ROUNDS)][2:]
    for i, (name, bound) in enumerate((("median", 1.5), ("99th percentile", 1.2))):
        found = [ours[i] / theirs[i] for ours, theirs in quantiles]
        guarded.at_most(f"small GET beside {BUSY_CLIENTS} busy clients, {name} over nginx", found, bound)


def tls(bench, guarded):
    """The whole and ranges over TLS, against nginx with OpenSSL."""
    certificate, key = certified(bench)
    context = ssl.create_default_context(cafile=certificate)
    service = Secure(bench.folder / "secure", context, certificate, key)
    bench.stack.callback(service.kill)
    nginx = bench.peer(lambda: Nginx(bench.folder / "nginx", bench.stack, tls=(certificate, key)))
    if not nginx:
        return
    connections = [Connection(server.port, context) for server in (service, nginx)]
    connections[0].put("/datasets/served?batches=keep", stream(bench, "integers", data.integers, SERVED_BYTES))
    file = nginx.root / serving.FILE.lstrip("/")
    file.parent.mkdir(parents=True)
    with file.open("wb") as kept:
        connections[0].save(serving.FILE, kept)
    for connection in connections:
        connection.compare(serving.FILE, file)

    def whole(connection):
        return sum(connection.copy(serving.FILE) for _ in range(4))

    def small(connection):
        deadline = time.perf_counter() + 0.5
        byte_size = 0
        while time.perf_counter() < deadline:
            byte_size += connection.copy(serving.FILE, "Range: bytes=4096-8191")
        return byte_size

    def sides(work):
        return [Side(name, functools.partial(work, c)) for name, c in zip(("quiver", "nginx"), connections)]

    guarded.at_most("TLS: whole, time over nginx", times(sides(whole), warm_up=UPLOAD_WARM_UP), 1.1)
    guarded.at_least("TLS: ranges of 4 KiB, rate over nginx", rates(sides(small), warm_up=REQUEST_WARM_UP), 0.5)


def certified(bench):
    """A certificate for this computer, and its key."""
    files_ = [bench.folder / "certificate.pem", bench.folder / "key.pem"]
    command = [program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([*command, "-out", files_[0], "-keyout", files_[1]], check=True, capture_output=True)
    return files_


class Secure(Quiver):
    """A service with TLS alone."""

    def __init__(self, folder, context, certificate, key):
        self.context = context
        names = {"server.ssl.certificate": certificate, "server.ssl.certificate-private-key": key}
        super().__init__(folder, **names)

    def _healthy(self):
        with contextlib.suppress(OSError, AssertionError), Connection(self.port, self.context) as connection:
            return connection.copy("/health") > 0
        return False


def sql(bench, guarded):
    """Statements, against DuckDB's own table."""
    source = stream(bench, "table", table, TABLE_BYTES, TABLE_BATCH_ROWS)
    service = querying.quiver_with_cache(bench, bench.folder / "sql")
    with Connection(service.port) as connection:
        connection.put("/datasets/t", source)
    database = bench.peer(querying.duckdb)
    if not database:
        return
    database = querying.own_table(database, "t", source)
    for name, (statement, bound) in STATEMENTS.items():
        path = f"/sql.arrows?q={urllib.parse.quote(statement)}"
        same(service, path, database.sql(statement).to_arrow_table())
        sides = querying.both(service, lambda path=path: path, database, lambda statement=statement: statement)
        guarded.at_most(f"{name}, time over DuckDB", times(sides), bound)


def table(generator, rows):
    """Eight columns of integers, numbers, days and text, in random order."""
    integers = functools.partial(generator.integers, size=rows, dtype=numpy.int32)
    return pa.record_batch(
        {
            "id": numpy.arange(rows),
            "k": integers(0, 1_000_000),
            "q": integers(1, 51),
            "v": generator.random(rows),
            "d": pa.array(integers(8000, 12000)).cast(pa.date32()),
            "s": querying.texts(generator, rows, 20_000, "comment"),
            "w": generator.normal(size=rows),
            "f": querying.texts(generator, rows, 3, "F"),
        }
    )


def same(service, path, expected):
    """Compares a result with the peer's, whose sums may differ in their last digits."""
    with Connection(service.port) as connection:
        found = pa.ipc.open_stream(connection.body(path, CLOSE)).read_all()
    for ours, theirs in zip(found.columns, expected.columns, strict=True):
        if pa.types.is_floating(theirs.type):
            is_same = numpy.allclose(ours, theirs)
        else:
            is_same = ours.to_pylist() == theirs.to_pylist()
        if not is_same:
            raise AssertionError(f"Expected the rows of the peer but found others at {path}")


def where(bench, guarded):
    """Rows that match a condition on integers in random order, against DuckDB's own table."""
    source = stream(bench, "table", table, TABLE_BYTES, TABLE_BATCH_ROWS)
    service = querying.quiver_with_cache(bench, bench.folder / "where")
    with Connection(service.port) as connection:
        connection.put("/datasets/t", source)
    database = bench.peer(querying.duckdb)
    if not database:
        return
    database = querying.own_table(database, "t", source)
    for selectivity, bound in SELECTIVITIES.items():
        # Each condition is a new one, since the matches of the last are remembered.
        bounds = itertools.count(round(selectivity * 1_000_000))

        def condition(bounds=bounds):
            return f"k < {next(bounds)}"

        sides = querying.both(
            service,
            lambda condition=condition: f"/datasets/t.arrows?where={urllib.parse.quote(condition())}",
            database,
            lambda condition=condition: f"SELECT * FROM t WHERE {condition()}",
        )
        guarded.at_most(f"where, {100 * selectivity:g} % of the rows, time over DuckDB", times(sides), bound)


def text(bench, guarded):
    """Rows as text, against polars, which writes them to /dev/null."""
    source = stream(bench, "table", table, TABLE_BYTES * TEXT_ROWS // 5_800_000, TABLE_BATCH_ROWS)
    polars = bench.peer(lambda: __import__("polars"))
    if not polars:
        return
    frame = polars.from_arrow(data.table(source))
    settings = {"quiver.limits.text-response-bytes": "16GB"}
    service = bench.enter(quiver(bench.folder / "text", **settings))
    with Connection(service.port) as connection:
        connection.put("/datasets/t", source)

    def get(suffix):
        with Connection(service.port) as connection:
            return connection.drain(f"/datasets/t.{suffix}", CLOSE)

    for suffix, write in (("csv", frame.write_csv), ("jsonl", frame.write_ndjson)):

        def peer(write=write):
            write(os.devnull)
            return frame.height

        sides = [Side("quiver", functools.partial(get, suffix)), Side("polars", peer)]
        guarded.at_most(f".{suffix}, time over polars", times(sides, warm_up=UPLOAD_WARM_UP), 0.8)


def uploads(bench, guarded):
    """Files of other formats, against the faster of polars and DuckDB, which read them into memory."""
    polars, duckdb = bench.peer(lambda: __import__("polars")), bench.peer(querying.duckdb)
    if not polars or not duckdb:
        return
    rows = CSV_BYTES // files.CSV_ROW_BYTES
    output = bench.folder / "polars.arrow"
    service = bench.enter(quiver(bench.folder / "uploads", **{"quiver.storage.sync": "false"}))
    database = duckdb.connect()
    formats = (("CSV", "csv", polars.read_csv, 1.2), ("Parquet", "parquet", polars.read_parquet, 1.6))
    for name, suffix, read, bound in formats:
        file = files.written(bench.data, rows, suffix)

        def put(file=file):
            with Connection(service.port) as connection:
                return connection.put(f"/datasets/uploaded{file.suffix}", file)

        def by_polars(file=file, read=read):
            read(file).write_ipc(output, compression="uncompressed")
            return file.stat().st_size

        def by_duckdb(file=file, suffix=suffix):
            database.sql(f"CREATE OR REPLACE TABLE t AS FROM read_{suffix}('{file}')")
            return file.stat().st_size

        sides = [Side("quiver", put), Side("polars", by_polars), Side("DuckDB", by_duckdb)]
        megabytes = file.stat().st_size // 1_000_000
        line = f"{name} of {megabytes} MB, time over the faster of polars and DuckDB"
        guarded.at_most(line, times(sides, warm_up=UPLOAD_WARM_UP), bound)


PARTS = (starts, ranges, busy, tls, sql, where, text, uploads)

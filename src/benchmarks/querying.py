"""Benchmarks of questions: rows that match a condition, and SQL."""

import itertools
import os
import pathlib
import statistics
import time
import urllib.parse

import numpy
import pyarrow as pa

import data
from measuring import Side, alternate
from peers import Missing, quiver
from wire import Connection, until_closed

ROWS = 10_000_000
# The compilers of the JVMs take a long time to settle.
WARM_UP = 100
COMPILATION_SECONDS = 15
CLOSE = "Connection: close"

STATEMENTS = {
    "Q1": """SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice),
        sum(l_extendedprice * (1 - l_discount)), sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)),
        avg(l_quantity), avg(l_extendedprice), avg(l_discount), count(*) FROM lineitem
        WHERE l_shipdate <= DATE '1998-09-02' GROUP BY ALL ORDER BY ALL""",
    "Q6": """SELECT sum(l_extendedprice * l_discount) FROM lineitem
        WHERE l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1995-01-01'
        AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24""",
    "GROUP BY text": "SELECT l_comment, count(*) n FROM lineitem GROUP BY ALL ORDER BY n DESC, l_comment LIMIT 5",
}


class Processes:
    """The processes whose CPU time counts: the service, and the workers that it has at the moment."""

    def __init__(self, service):
        self.pid = service.process.pid

    def __iter__(self):
        yield self.pid
        for file in pathlib.Path(f"/proc/{self.pid}/task").glob("*/children"):
            yield from map(int, file.read_text().split())


def texts(generator, rows, cardinality, prefix):
    values = pa.array([f"{prefix}-{i * 7919 % cardinality:06d}-{'x' * (i % 9)}" for i in range(cardinality)])
    return values.take(pa.array(generator.integers(0, cardinality, rows)))


def measurements(generator, rows):
    """Eight columns of numbers, text and dates."""
    return pa.record_batch(
        {
            "id": numpy.arange(rows),
            "v": generator.random(rows),
            "w": generator.normal(size=rows),
            "grp": generator.integers(0, 100, rows, dtype=numpy.int32),
            "a": generator.integers(0, 1_000_000, rows, dtype=numpy.int32),
            "s": texts(generator, rows, 5000, "name"),
            "d": pa.array(generator.integers(8000, 12000, rows, dtype=numpy.int32)).cast(pa.date32()),
            "flag": texts(generator, rows, 3, "F"),
        }
    )


def profiled(generator, rows):
    """Twelve columns of numbers, text and dates, with few values and many, some with nulls."""
    integers = {f"i{i}": generator.integers(-(10 ** (3 * i)), 10 ** (3 * i), rows) for i in range(1, 5)}
    doubles = {f"d{i}": pa.array(generator.normal(size=rows), mask=generator.random(rows) < i / 10) for i in range(4)}
    words = {f"s{i}": texts(generator, rows, 30 * 10**i, "name") for i in range(3)}
    days = pa.array(generator.integers(8000, 12000, rows, dtype=numpy.int32)).cast(pa.date32())
    return pa.record_batch({**integers, **doubles, **words, "day": days})


def lineitem(generator, rows):
    """The columns of TPC-H's lineitem that its first and sixth queries read, and a comment."""

    def decimals(low, high, factor=1):
        words = numpy.zeros((rows, 2), dtype=numpy.int64)
        words[:, 0] = generator.integers(low, high, rows) * factor
        return pa.Array.from_buffers(pa.decimal128(15, 2), rows, [None, pa.py_buffer(words)])

    shipped = generator.integers(8036, 10561, rows, dtype=numpy.int32)
    late = shipped > 9298
    flags = numpy.where(late, 1, generator.integers(0, 2, rows) * 2)
    return pa.record_batch(
        {
            "l_orderkey": numpy.sort(generator.integers(1, 6_000_000, rows)),
            "l_quantity": decimals(1, 51, 100),
            "l_extendedprice": decimals(90_000, 10_500_000),
            "l_discount": decimals(0, 11),
            "l_tax": decimals(0, 9),
            "l_returnflag": pa.array(["A", "N", "R"]).take(pa.array(flags)),
            "l_linestatus": pa.array(["F", "O"]).take(pa.array(late.astype(numpy.int32))),
            "l_shipdate": pa.array(shipped).cast(pa.date32()),
            "l_comment": texts(generator, rows, 20_000, "comment"),
        }
    )


def duckdb():
    try:
        import duckdb
    except ImportError:
        raise Missing("duckdb is not installed") from None
    return duckdb


def started(service):
    """Waits for the first worker, which takes long on a busy machine."""
    for _ in range(20):
        with Connection(service.port) as connection:
            try:
                return connection.drain("/sql.arrows?q=SELECT%201", CLOSE)
            except AssertionError:
                time.sleep(1)
    raise RuntimeError("Expected a worker but found none")


def quiver_with_cache(bench, folder):
    """A service whose workers start from their cache, as at every start of an installation but the first."""
    with quiver(folder) as service:
        started(service)
        deadline = time.monotonic() + 120
        while not list(folder.rglob("worker-*.aot")):
            if time.monotonic() > deadline:
                raise RuntimeError("Expected the cache of the workers but found none")
            time.sleep(0.5)
    service = bench.enter(quiver(folder))
    started(service)
    compiled(service)
    return service


def compiled(service):
    """Runs statements until a worker that has run others has replaced the first, and all have compiled."""
    deadline = time.monotonic() + COMPILATION_SECONDS
    while time.monotonic() < deadline:
        with Connection(service.port) as connection:
            connection.drain("/sql.arrows?q=SELECT%201", CLOSE)


def own_table(module, name, source):
    """A connection to DuckDB with the data in a table of its own."""
    connection = module.connect()
    stored = data.table(source)  # noqa: F841: the statement names it
    connection.sql(f"CREATE TABLE {name} AS SELECT * FROM stored")
    return connection


def both(service, path, database, statement):
    """Reads of `path()` and, with a database, the same by `statement()`: either may differ each time."""

    def ours():
        with Connection(service.port) as connection:
            return connection.drain(path(), CLOSE)

    def theirs():
        return database.sql(statement()).to_arrow_table().nbytes

    sides = [Side("quiver", ours, Processes(service))]
    return [*sides, Side("DuckDB, own table", theirs, [os.getpid()])] if database else sides


def where(bench):
    """GET of the rows that match a condition, against DuckDB's own table and polars' scan_ipc, CPU time and time"""
    import polars

    source = bench.stream("measurements", measurements, 100_000)
    service = bench.enter(quiver(bench.folder / "service"))
    with Connection(service.port) as connection:
        connection.put("/datasets/served", source)
        file = bench.folder / "measurements.arrow"
        file.write_bytes(connection.body("/datasets/served.arrow", CLOSE))
    started(service)
    database = bench.peer(duckdb)
    if database:
        database = own_table(database, "measurements", source)
    for selectivity in (0.0001, 0.01, 0.5):
        name = f"where, {selectivity:.2%} of the rows"
        if not bench.selects(name):
            continue
        # Each condition is a new one, since the matches of the last are remembered.
        bounds = itertools.count()

        def condition(selectivity=selectivity, bounds=bounds):
            return f"v < {selectivity + next(bounds) * 1e-10:.10f}"

        sides = both(
            service,
            lambda condition=condition: f"/datasets/served.arrows?where={urllib.parse.quote(condition())}",
            database,
            lambda condition=condition: f"SELECT * FROM measurements WHERE {condition()}",
        )
        scan = Side(
            "polars scan_ipc",
            lambda selectivity=selectivity: polars.scan_ipc(file)
            .filter(polars.col("v") < selectivity).collect().to_arrow().nbytes,
            [os.getpid()],
        )  # fmt: skip
        report(bench, name, [*sides, scan])


def sentences(generator, rows):
    """A column of ASCII text, and one of other letters."""
    indices = pa.array(generator.integers(0, 50_000, rows))
    english = pa.array([f"A sentence of some words, of which the Number {i} is one" for i in range(50_000)])
    german = pa.array([f"Ein Satz mit größeren Wörtern: für Übungen die Wörter {i}" for i in range(50_000)])
    return pa.record_batch({"english": english.take(indices), "german": german.take(indices)})


def search(bench):
    """GET of the first row with a text, by search= and by where=contains(lower(…)) of each column, in any case"""
    source = bench.stream("sentences", sentences, 100_000)
    service = bench.enter(quiver(bench.folder / "service"))
    with Connection(service.port) as connection:
        connection.put("/datasets/sentences", source)
    started(service)

    def get(query):
        with Connection(service.port) as connection:
            return connection.drain(f"/datasets/sentences.csv?limit=1&{query}", CLOSE)

    for name, word in (("search, ASCII", "Number"), ("search, other letters", "Wörter")):
        if not bench.selects(name):
            continue
        # Each text is a new one, since the matches of the last are remembered.
        searched, compared = itertools.count(10_000), itertools.count(10_000)

        def ours(word=word, searched=searched):
            return get("search=" + urllib.parse.quote(f"{word.upper()} {next(searched)}"))

        def theirs(word=word, compared=compared):
            text = f"{word.lower()} {next(compared)}"
            condition = f"contains(lower(english), '{text}') OR contains(lower(german), '{text}')"
            return get("where=" + urllib.parse.quote(condition))

        sides = [Side("search", ours, Processes(service)), Side("contains", theirs, Processes(service))]
        report(bench, name, sides)


def profile(bench):
    """GET of statistics, calculated and from their sidecar, against SUMMARIZE of DuckDB's own table"""
    source = bench.stream("profiled", profiled, 100_000)
    service = bench.enter(quiver(bench.folder / "service"))
    database = bench.peer(duckdb)
    if database:
        database = own_table(database, "profiled", source)

    def get():
        with Connection(service.port) as connection:
            return connection.drain("/datasets/profiled/statistics", CLOSE)

    def put():
        """Replaces the dataset. The new version has no stored statistics."""
        with Connection(service.port) as connection:
            connection.put("/datasets/profiled", source)

    def summarize():
        return database.sql("SUMMARIZE profiled").to_arrow_table().nbytes

    for name, settle in (("calculated", put), ("from their sidecar", lambda: None)):
        path = f"statistics {name}"
        if not bench.selects(path):
            continue
        put()
        sides = [Side("quiver", get, Processes(service), settle)]
        if database:
            sides.append(Side("DuckDB, own table", summarize, [os.getpid()]))
        report(bench, path, sides, warm_up=10)


def sql(bench):
    """POST /sql of queries of TPC-H and a GROUP BY of text, against DuckDB's own table, and the first byte"""
    source = bench.stream("lineitem", lineitem, 100_000)
    service = bench.enter(quiver(bench.folder / "service", **{"quiver.sql.threads": os.cpu_count()}))
    with Connection(service.port) as connection:
        connection.put("/datasets/lineitem", source)
    started(service)
    database = bench.peer(duckdb)
    if database:
        database = own_table(database, "lineitem", source)
    for name, statement in STATEMENTS.items():
        if not bench.selects(name):
            continue
        path = f"/sql.arrows?q={urllib.parse.quote(statement)}"
        report(bench, name, both(service, lambda path=path: path, database, lambda statement=statement: statement))
    if bench.selects("first byte"):
        first_byte(bench, service)


def first_byte(bench, service):
    """The time to the first byte of the response to a statement that reads little."""
    times = []
    path = "/sql.arrows?q=" + urllib.parse.quote("SELECT count(*) FROM lineitem WHERE l_orderkey < 0")
    for round_ in range(-20, 20 * bench.rounds):
        start = time.perf_counter()
        with Connection(service.port) as connection:
            connection.begin_get(path, CLOSE)
            status = connection.status()
            seconds = time.perf_counter() - start
            until_closed(connection.socket, connection.piece)
        if status != 200:
            raise AssertionError(f"GET {path} returned {status}")
        if round_ >= 0:
            times.append(seconds)
    times.sort()
    print(f"first byte of a small statement: median {times[len(times) // 2] * 1000:.1f} ms")


def report(bench, name, sides, warm_up=WARM_UP):
    """Prints the medians of CPU time and time of each side in ms, and those of the ratios to each peer."""
    samples = alternate(sides, bench.rounds, warm_up)
    ours = samples[0]
    for side, found in zip(sides, samples):
        cpu = statistics.median(sample.cpu_seconds for sample in found)
        wall = statistics.median(sample.seconds for sample in found)
        cpus = statistics.median(a.cpu_seconds / max(b.cpu_seconds, 0.005) for a, b in zip(ours, found))
        walls = statistics.median(a.seconds / b.seconds for a, b in zip(ours, found))
        print(
            f"| {name} | {side.name} | {cpu * 1000:.0f} | {wall * 1000:.0f} | {cpus:.2f} | {walls:.2f} |", flush=True
        )

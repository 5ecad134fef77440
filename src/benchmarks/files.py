"""Benchmarks of files of other formats than Arrow's."""

import itertools
import os
import pathlib
import shutil
import threading
import time

import numpy
import polars
import pyarrow as pa
import pyarrow.parquet

from measuring import Side
from peers import quiver
from probes import MIB
from querying import Processes, texts
from wire import Connection

CHUNK_ROWS = 1_000_000
CSV_ROW_BYTES = 97
JSON_ROW_BYTES = 141
JSON_COLUMNS = ("id", "vendor", "started", "passengers", "distance", "zone", "flag", "total")
SAMPLE_SECONDS = 0.05
# Until the service, which runs for long, has compiled what an upload needs.
WARM_UP_BYTES = 2_000_000_000
WARM_UPS_MAXIMUM = 40
# As the service would run beside others.
HEAP = "-Xmx128m"


def trips(generator, first, rows):
    """Eleven columns of numbers, times and text, some with nulls."""
    started = numpy.datetime64("2024-01-01T00:00:00", "us") + generator.integers(0, 31_536_000, rows).astype("m8[s]")
    return pa.table(
        {
            "id": numpy.arange(first, first + rows),
            "vendor": generator.integers(1, 4, rows, dtype=numpy.int32),
            "started": pa.array(started),
            "ended": pa.array(started + generator.integers(60, 7200, rows).astype("m8[s]")),
            "passengers": pa.array(generator.integers(0, 7, rows), mask=generator.random(rows) < 0.05),
            "distance": numpy.round(generator.random(rows) * 30, 2),
            "zone": texts(generator, rows, 265, "zone"),
            "flag": texts(generator, rows, 3, "F"),
            "fare": numpy.round(generator.random(rows) * 80, 2),
            "tip": pa.array(numpy.round(generator.random(rows) * 9, 2), mask=generator.random(rows) < 0.3),
            "total": numpy.round(generator.random(rows) * 99, 2),
        }
    )


def written(folder, rows, suffix):
    """The trips as a file, made once."""
    file = folder / f"trips-{rows}.{suffix}"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        generator = numpy.random.default_rng(1)
        chunks = (
            trips(generator, first, min(CHUNK_ROWS, rows - first)) for first in range(0, rows, CHUNK_ROWS)
        )
        if suffix in ("json", "jsonl"):
            part.write_bytes(json(chunks, suffix))
        elif suffix == "csv":
            with part.open("wb") as opened:
                for i, chunk in enumerate(chunks):
                    polars.from_arrow(chunk).write_csv(
                        opened, include_header=i == 0, datetime_format="%Y-%m-%d %H:%M:%S"
                    )
        else:
            writer = None
            for chunk in chunks:
                writer = writer or pa.parquet.ParquetWriter(part, chunk.schema)
                writer.write_table(chunk)
            writer.close()
        part.rename(file)
    return file


def json(chunks, suffix):
    """Eight columns as JSON lines, or as an array of the same objects."""
    frame = polars.concat(map(polars.from_arrow, chunks)).select(JSON_COLUMNS)
    frame = frame.with_columns(polars.col("started").dt.strftime("%Y-%m-%dT%H:%M:%S"))
    return (frame.write_json() if suffix == "json" else frame.write_ndjson()).encode()


class Peak(threading.Thread):
    """The peak of the memory of processes, mapped files included, while a benchmark runs."""

    def __init__(self, processes):
        super().__init__(daemon=True)
        self.processes = processes
        self.byte_size = 0
        self.start()

    def run(self):
        while True:
            self.byte_size = max(self.byte_size, sum(map(resident, self.processes)))
            time.sleep(SAMPLE_SECONDS)


def resident(pid):
    try:
        pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def files(bench):
    """CSV, JSON and Parquet files uploaded, against polars, which reads them and writes an IPC file"""
    times_as_text = "?csv.types=started:utf8,ended:utf8"
    lines = (
        ("CSV with timestamps", "csv", "", lambda file: polars.read_csv(file, try_parse_dates=True)),
        ("CSV, timestamps as text", "csv", times_as_text, polars.read_csv),
        ("JSON lines", "jsonl", "", polars.read_ndjson),
        ("JSON array", "json", "", polars.read_json),
        ("Parquet", "parquet", "", polars.read_parquet),
    )
    for what, suffix, query, read in lines:
        rows = bench.byte_size // (JSON_ROW_BYTES if suffix.startswith("json") else CSV_ROW_BYTES)
        path = f"PUT of {what}, {rows:,} rows"
        if bench.selects(path):
            compare(bench, path, written(bench.data, rows, suffix), query, read)


def compare(bench, path, file, query, read):
    output = bench.folder / "polars.arrow"
    folder = bench.folder / "service"
    with quiver(folder, jvm=(HEAP,), **{"quiver.storage.sync": "false"}) as service:
        connection = Connection(service.port)
        # A large file takes longer than a usual response.
        connection.socket.settimeout(1200)
        names = (f"uploaded-{i}{file.suffix}" for i in itertools.count())

        def put():
            return connection.put(f"/datasets/{next(names)}{query}", file)

        def peer():
            read(file).write_ipc(output, compression="uncompressed")
            return file.stat().st_size

        def settle():
            blobs = sorted(service.storage.rglob("*.arrow"))
            assert len(blobs) == 1, f"Expected one blob but found {blobs}"
            assert totals(blobs[0]) == totals(output)
            blobs[0].unlink()

        peer()
        put()
        settle()
        # The first worker is followed by a process that makes a cache for the next ones.
        processes = Processes(service)
        while len(list(processes)) > 2:
            time.sleep(SAMPLE_SECONDS)
        peak = Peak(processes)
        warm_up = min(WARM_UPS_MAXIMUM, max(1, WARM_UP_BYTES // file.stat().st_size))
        sides = [Side("quiver", put, processes, settle), Side("polars", peer, [os.getpid()])]
        bench.compare(path, sides, warm_up=warm_up)
        print(f"| {path} | at most {peak.byte_size / MIB:.0f} MiB of memory of the service and its worker |", flush=True)
    output.unlink()
    shutil.rmtree(folder)


def totals(file):
    """The number of rows and a sum over them, to the cent."""
    frame = polars.scan_ipc(file).select(polars.len(), (polars.col("total") * 100).round().cast(polars.Int64).sum())
    return frame.collect().row(0)

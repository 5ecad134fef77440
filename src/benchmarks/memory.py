"""The memory that the service needs for data far larger than its heap."""

import contextlib
import re
import shutil
import urllib.request

import numpy
import pyarrow as pa

import data
from beyond_memory import REQUESTS, heap_bytes
from measuring import Table
from probes import MIB, Client, expect, service
from repeated import ROWS, Repeated, Stream, file_of, integers, one_batch
from wire import Connection

GC_LOG = "gc.log"
PATH = "/datasets/large"
# Shares of --size.
FILE = ONE_BATCH = 0.8
COMPRESSED = 0.6
COALESCED = 0.4
RECOMPRESSED = 0.3
TEXT = 0.05
SMALL_ROWS = 1250
TIMES = 20


def memory(bench):
    """Peak anonymous memory and heap on 512 MiB of heap, while up to --size MiB are written and read"""
    bench.table = Footprint()
    if any(map(bench.selects, (PUT_STREAM, *READS))):
        stored(bench)
    for what, part in WRITES.items():
        if bench.selects(what):
            with deleted_after(bench.folder / "service") as folder:
                part(bench, what, folder)


class Footprint(Table):
    HEADINGS = ("what", "of", "anonymous, MiB", "heap, MiB")

    def add(self, what, of, running):
        """Adds a line with the peaks so far."""
        self.line(what, of, f"{running.peak_anonymous_bytes / MIB:.0f}", f"{peak_heap_bytes(running) / MIB:.0f}")


def peak_heap_bytes(running):
    """The largest heap before any collection, or now."""
    before = re.findall(r"(\d+)M->", (running.folder / GC_LOG).read_text())
    return max(heap_bytes(Client(running.port)), *(int(mebibytes) * MIB for mebibytes in ["0", *before]))


@contextlib.contextmanager
def deleted_after(folder):
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def fresh(folder):
    with service(folder, f"-Xlog:gc:{GC_LOG}:none:filecount=0") as running:
        yield running
        running.stop()


def gigabytes(byte_size):
    return f"{byte_size / 1e9:.1f} GB"


# --- reads of one dataset, each by a fresh service


def stored(bench):
    stream = Stream(bench.byte_size)
    with deleted_after(bench.folder / "stored") as folder:
        with fresh(folder) as running:
            put(running, stream, "?batches=keep")
            bench.table.add(PUT_STREAM, gigabytes(stream.byte_size), running)
        for what, read in READS.items():
            if bench.selects(what):
                with fresh(folder) as running:
                    of = read(running, stream)
                    bench.table.add(what, of, running)


def put(running, repeated, query=""):
    with Connection(running.port) as connection:
        connection.put_pieces(f"{PATH}{query}", repeated.byte_size, repeated.pieces())


def verify(running, stream):
    """Gets the dataset and compares every byte."""
    with Connection(running.port) as connection:
        connection.verify(f"{PATH}.arrows", stream.byte_size, stream.expected)


def read_whole(running, stream):
    verify(running, stream)
    client = Client(running.port)
    for request in [*REQUESTS.values()] * TIMES:
        request(client, PATH, stream)
    return gigabytes(stream.byte_size)


def read_columns(running, stream):
    selected = stream.batch.select(["b", "d"])
    verify_rows(running, ".arrows?columns=b,d", selected, stream.count * stream.rows)
    return gigabytes(selected.nbytes * stream.count)


def read_recompressed(running, stream):
    count = max(1, int(stream.count * RECOMPRESSED)) * stream.rows
    for codec in ("zstd", "lz4"):
        verify_rows(running, f".arrows?codec={codec}&limit={count}", stream.batch, count)
    text = csv_of(stream, TEXT)
    verify_text(running, f".csv?limit={text.count * stream.rows}", text)
    return f"{gigabytes(count * stream.batch.nbytes / stream.rows)}, {gigabytes(text.byte_size)} of text"


def csv_of(stream, share):
    """Rows of the stream as CSV, about this share of its byte size."""
    columns = [column.to_pylist() for column in stream.batch.columns]
    rows = "".join(f"{a},{b},{c},{d}\r\n" for a, b, c, d in zip(*columns)).encode()
    count = max(1, int(stream.byte_size * share) // len(rows))
    return Repeated(",".join(stream.batch.schema.names).encode() + b"\r\n", rows, count, b"")


def verify_text(running, suffix, text):
    position = 0
    with urllib.request.urlopen(f"{running.url}{PATH}{suffix}") as response:
        while piece := response.read(MIB):
            expect(piece == text.expected(position, position + len(piece)), True, f"{suffix} after byte {position}")
            position += len(piece)
    expect(position, text.byte_size, suffix)


def verify_rows(running, suffix, batch, count):
    """Gets rows and compares them with those of the repeated batch. Returns the number of batches."""
    times = 2 + (1 << 20) // batch.num_rows
    expected = pa.Table.from_batches([batch] * times).combine_chunks().to_batches()[0]
    position = 0
    batches = 0
    with urllib.request.urlopen(f"{running.url}{PATH}{suffix}") as response:
        for found in pa.ipc.open_stream(response):
            same = found.equals(expected.slice(position % batch.num_rows, found.num_rows))
            expect(same, True, f"{suffix} after row {position}")
            position += found.num_rows
            batches += 1
    expect(position, count, suffix)
    return batches


# --- writes, each into a fresh store


def put_file(bench, what, folder):
    stream = Stream(bench.byte_size * FILE)
    file = file_of(stream)
    with fresh(folder) as running:
        put(running, file)
        bench.table.add(what, gigabytes(file.byte_size), running)
        # The stream form: the service writes its own footer.
        verify(running, stream)


def put_one_batch(bench, what, folder):
    stream = one_batch(bench.byte_size * ONE_BATCH)
    column = integers().column("a")
    rows = pa.record_batch(dict.fromkeys(("a", "b", "c", "d"), column))
    with fresh(folder) as running:
        put(running, stream)
        bench.table.add(what, gigabytes(stream.byte_size), running)
        batches = verify_rows(running, ".arrows", rows, stream.count // rows.num_columns * rows.num_rows)
        expect(batches > 1, True, "the batches that a large one is split into")


def put_compressed(bench, what, folder):
    stream = Stream(bench.byte_size * COMPRESSED, data.readings(numpy.random.default_rng(6), 2 * ROWS), "lz4")
    with fresh(folder) as running:
        put(running, stream)
        of = f"{gigabytes(stream.byte_size)}, {gigabytes(stream.uncompressed_byte_size)} uncompressed"
        bench.table.add(what, of, running)
        verify(running, stream)


def put_small_batches(bench, what, folder):
    stream = Stream(bench.byte_size * COALESCED, integers(SMALL_ROWS))
    with fresh(folder) as running:
        put(running, stream)
        bench.table.add(what, f"{stream.count:,} batches", running)
        batches = verify_rows(running, ".arrows", stream.batch, stream.count * stream.rows)
        expect(batches < max(2, stream.count / 100), True, "the coalesced batches")


PUT_STREAM = "PUT of a stream, synced"
READS = {
    "GET of it whole, ranges, batches, rows, columns, the index": read_whole,
    "GET of two of its four columns": read_columns,
    "GET of a part as zstd and as lz4, then of one as CSV": read_recompressed,
}
WRITES = {
    "PUT of a file, whose batches are kept": put_file,
    "PUT of one batch, which is split": put_one_batch,
    "PUT of compressed batches, lz4": put_compressed,
    "PUT of batches of 40 KB, coalesced": put_small_batches,
}

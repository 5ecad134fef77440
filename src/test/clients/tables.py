"""Deterministic tables with the types that all clients support."""

import numpy
import pyarrow as pa
import pyarrow.compute as pc

BATCHES = 10
CODECS = [None, "lz4", "zstd"]


def schema():
    return pa.schema(
        [
            pa.field("id", pa.int64(), nullable=False),
            ("int8", pa.int8()),
            ("uint32", pa.uint32()),
            ("float32", pa.float32()),
            ("float64", pa.float64()),
            ("flag", pa.bool_()),
            ("text", pa.utf8()),
            ("large_text", pa.large_utf8()),
            ("text_view", pa.string_view()),
            ("binary_view", pa.binary_view()),
            ("place", pa.dictionary(pa.int16(), pa.utf8())),
            ("list", pa.list_(pa.int32())),
            ("struct", pa.struct([("latitude", pa.float64()), ("name", pa.utf8())])),
            ("decimal128", pa.decimal128(22, 3)),
            ("decimal256", pa.decimal256(50, 5)),
            ("date", pa.date32()),
            ("timestamp", pa.timestamp("us", tz="UTC")),
            ("timestamp_nanos", pa.timestamp("ns")),
            ("duration", pa.duration("ms")),
            ("nothing", pa.null()),
        ],
        metadata={"made": "for the clients"},
    )


def table(rows_per_batch, seed=1):
    places = pa.array([f"place {i:03d}" for i in range(300)])
    batches = [_batch(i, rows_per_batch, places, seed) for i in range(BATCHES)]
    return pa.Table.from_batches(batches, schema())


def _batch(index, rows, places, seed):
    generator = numpy.random.default_rng(seed * 1000 + index)
    id_ = numpy.arange(index * rows, (index + 1) * rows, dtype=numpy.int64)
    null = generator.random(rows) < 0.1
    number = generator.integers(-(2**40), 2**40, rows)
    text = pc.binary_join_element_wise(
        pa.array(id_).cast(pa.utf8()), pa.array(generator.integers(0, 10**9, rows)).cast(pa.utf8()), "·"
    )
    nullable_text = pc.if_else(pa.array(null), pa.scalar(None, pa.utf8()), text)
    list_offsets = numpy.concatenate([[0], numpy.cumsum(generator.integers(0, 5, rows))])
    list_values = pa.array(generator.integers(0, 100, list_offsets[-1]), pa.int32())
    exact = pa.array(number).cast(pa.decimal128(19, 0))
    columns = [
        pa.array(id_),
        pa.array(number % 256 - 128, pa.int8(), mask=null),
        pa.array(number % 2**32, pa.uint32()),
        pa.array(generator.random(rows, dtype=numpy.float32)),
        pa.array(generator.standard_normal(rows), mask=null),
        pa.array(number % 3 == 0, mask=null),
        nullable_text,
        text.cast(pa.large_utf8()),
        nullable_text.cast(pa.string_view()),
        text.cast(pa.binary()).cast(pa.binary_view()),
        pa.DictionaryArray.from_arrays(pa.array(number % 300, pa.int16(), mask=null), places),
        pa.ListArray.from_arrays(pa.array(list_offsets, pa.int32()), list_values),
        pa.StructArray.from_arrays(
            [pa.array(generator.random(rows)), nullable_text],
            fields=list(schema().field("struct").type),
            mask=pa.array(number % 7 == 0),
        ),
        exact.cast(pa.decimal128(22, 3)),
        exact.cast(pa.decimal256(50, 5)),
        pa.array((number % 20000).astype(numpy.int32)).cast(pa.date32()),
        pa.array(number * 1000, mask=null).cast(pa.timestamp("us", tz="UTC")),
        pa.array(number * 1000).cast(pa.timestamp("ns")),
        pa.array(number % 10**9).cast(pa.duration("ms")),
        pa.nulls(rows),
    ]
    return pa.record_batch(columns, schema=schema())


def taken(source, rows):
    """These rows of a table. Arrow C++ takes views and runs in chunks by slicing alone."""
    try:
        return source.take(rows)
    except pa.ArrowNotImplementedError:
        return pa.concat_tables([source.slice(row, 1) for row in rows] or [source.slice(0, 0)])


def for_polars(source):
    """Drops the columns that polars rejects."""
    return source.drop_columns(["decimal256"])


def write_stream(source, path, codec=None):
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with pa.OSFile(str(path), "wb") as sink:
        with pa.ipc.new_stream(sink, source.schema, options=options) as writer:
            writer.write(source)
    return path


def write_file(source, path, codec=None):
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with pa.OSFile(str(path), "wb") as sink:
        with pa.ipc.new_file(sink, source.schema, options=options) as writer:
            writer.write(source)
    return path


def stream_bytes(batches, schema, **options):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return sink.getvalue().to_pybytes()


def two_gigabytes():
    """One batch with a body of 2 GiB: incompressible numbers, and text that compresses well."""
    rows, width = 12_000_000, 140
    generator = numpy.random.default_rng(7)
    numbers = [pa.array(generator.random(rows)) for _ in range(4)]
    offsets = numpy.arange(rows + 1, dtype=numpy.int64) * width
    line = generator.integers(97, 123, (10_000, width), dtype=numpy.uint8)
    text = numpy.tile(line.reshape(-1), rows // len(line))
    column = pa.Array.from_buffers(
        pa.large_utf8(), rows, [None, pa.py_buffer(offsets), pa.py_buffer(text)]
    )
    names = ["a", "b", "c", "d", "text"]
    return pa.Table.from_batches([pa.record_batch([*numbers, column], names=names)])


def gigabyte_of_text():
    """Rows of more than 1 GB as CSV, but few bytes as Arrow: an `id` that counts them, and one of 16 texts."""
    rows = 9_500_000
    ids = numpy.arange(rows)
    texts = [chr(97 + i) * (93 + i) for i in range(16)]
    column = pa.DictionaryArray.from_arrays(pa.array((ids % 16).astype(numpy.int8)), texts)
    return pa.table({"id": ids, "text": column})


def aligned(read_bytes, batches, place):
    """A stream of random `id`s in batches of about `read_bytes`; batch `place` starts and ends at a multiple.

    No other batch ends at a multiple of 64 KiB, so a client's reads end within a message.
    """
    generator = numpy.random.default_rng(5)
    schema = pa.schema([pa.field("id", pa.int64(), nullable=False)])

    def batch(byte_size):
        ids = pa.array(generator.integers(-(2**40), 2**40, (byte_size - metadata) // 8))
        return pa.record_batch([ids], schema=schema)

    metadata = len(pa.record_batch([pa.array([0])], schema=schema).serialize()) - 8
    sizes = [read_bytes - 8 * i for i in range(batches)]
    sizes[place] = read_bytes
    sizes[0] = place * read_bytes - len(schema.serialize()) - sum(sizes[1:place])
    return stream_bytes(map(batch, sizes), schema)

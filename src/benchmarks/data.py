"""Tables for the benchmarks: deterministic, generated once, and kept as Arrow streams."""

import numpy
import pyarrow as pa

BATCH_ROWS = 64 << 10


def integers(generator, rows):
    """Four columns of int64, the table that Arrow's own Flight benchmark sends."""
    return pa.record_batch(
        {name: generator.integers(-(2**62), 2**62, rows) for name in ("a", "b", "c", "d")}
    )


def ascii_text(generator, rows):
    return _text(generator, rows, ["river", "mountain", "to", "a", "harbour", "of", "light", "seventeen"])


def mixed_text(generator, rows):
    """Words in scripts with one to four bytes per character."""
    return _text(generator, rows, ["river", "größer", "Ωμέγα", "страна", "の山", "a", "海港", "été", "🚀🌍"])


def readings(generator, rows):
    """Instrument readings: an id, a time, a nullable value with two decimals, a place and a flag."""
    time = 1_700_000_000_000_000 + numpy.cumsum(generator.integers(0, 2_000_000, rows))
    value = pa.array(generator.integers(-(10**6), 10**6, rows) / 100, mask=generator.random(rows) < 0.05)
    places = pa.array(["Bern", "Oslo", "Quito", "Rio de Janeiro", "Ulaanbaatar"])
    return pa.record_batch(
        {
            "id": numpy.arange(rows),
            "time": pa.array(time, pa.timestamp("us")),
            "value": value,
            "place": places.take(pa.array(generator.integers(0, len(places), rows))),
            "good": generator.random(rows) < 0.9,
        }
    )


def _text(generator, rows, words):
    """Rows of an id and a text of one to twelve words."""
    pieces = [(word + " ").encode() for word in words]
    counts = generator.integers(1, 13, rows)
    ends = numpy.cumsum(counts)
    chosen = generator.integers(0, len(pieces), ends[-1])
    lengths = numpy.array([len(piece) for piece in pieces])[chosen]
    offsets = numpy.concatenate([[0], numpy.cumsum(lengths)[ends - 1]]).astype(numpy.int32)
    values = b"".join([pieces[i] for i in chosen])
    text = pa.StringArray.from_buffers(rows, pa.py_buffer(offsets), pa.py_buffer(values))
    return pa.record_batch({"id": numpy.arange(rows), "text": text})


def stream(folder, name, make, byte_size, batch_rows=BATCH_ROWS):
    """A file with an Arrow stream of about `byte_size` bytes, in batches of `batch_rows` rows."""
    file = folder / f"{name}-{byte_size >> 20}-{batch_rows}.arrows"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        generator = numpy.random.default_rng(6)
        batch = make(generator, batch_rows)
        with part.open("wb") as sink, pa.ipc.new_stream(sink, batch.schema) as writer:
            while sink.tell() < byte_size:
                writer.write_batch(batch)
                batch = make(generator, batch_rows)
        part.rename(file)
    return file


def compressed(file, codec):
    """The same batches in another file, with their buffers compressed by pyarrow."""
    target = file.with_suffix(f".{codec}.arrows")
    if not target.exists():
        part = target.with_suffix(".part")
        plain = table(file)
        options = pa.ipc.IpcWriteOptions(compression=codec)
        with part.open("wb") as sink, pa.ipc.new_stream(sink, plain.schema, options=options) as writer:
            for batch in plain.to_batches():
                writer.write_batch(batch)
        part.rename(target)
    return target


def table(file):
    with pa.memory_map(str(file)) as source:
        return pa.ipc.open_stream(source).read_all()

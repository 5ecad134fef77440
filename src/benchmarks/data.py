"""Tables that are measured with: made once, the same every time, and kept as Arrow streams."""

import numpy
import pyarrow as pa

BATCH_ROWS = 64 << 10


def integers(chance, rows):
    """Four columns of int64, the table that Arrow's own benchmark of Flight sends."""
    return pa.record_batch(
        {name: chance.integers(-(2**62), 2**62, rows) for name in ("a", "b", "c", "d")}
    )


def ascii_text(chance, rows):
    return _text(chance, rows, ["river", "mountain", "to", "a", "harbour", "of", "light", "seventeen"])


def mixed_text(chance, rows):
    """Words of scripts that take one to four bytes a character."""
    return _text(chance, rows, ["river", "größer", "Ωμέγα", "страна", "の山", "a", "海港", "été", "🚀🌍"])


def readings(chance, rows):
    """What instruments write: a number, a time, a value with two digits or none, a place, a flag."""
    time = 1_700_000_000_000_000 + numpy.cumsum(chance.integers(0, 2_000_000, rows))
    value = pa.array(chance.integers(-(10**6), 10**6, rows) / 100, mask=chance.random(rows) < 0.05)
    places = pa.array(["Bern", "Oslo", "Quito", "Rio de Janeiro", "Ulaanbaatar"])
    return pa.record_batch(
        {
            "id": numpy.arange(rows),
            "time": pa.array(time, pa.timestamp("us")),
            "value": value,
            "place": places.take(pa.array(chance.integers(0, len(places), rows))),
            "good": chance.random(rows) < 0.9,
        }
    )


def _text(chance, rows, words):
    """Rows of one to a dozen words, and a number beside them."""
    pieces = [(word + " ").encode() for word in words]
    counts = chance.integers(1, 13, rows)
    ends = numpy.cumsum(counts)
    chosen = chance.integers(0, len(pieces), ends[-1])
    lengths = numpy.array([len(piece) for piece in pieces])[chosen]
    offsets = numpy.concatenate([[0], numpy.cumsum(lengths)[ends - 1]]).astype(numpy.int32)
    values = b"".join([pieces[i] for i in chosen])
    text = pa.StringArray.from_buffers(rows, pa.py_buffer(offsets), pa.py_buffer(values))
    return pa.record_batch({"id": numpy.arange(rows), "text": text})


def stream(folder, name, make, byte_size, batch_rows=BATCH_ROWS):
    """A file with an Arrow stream of about so many bytes, of batches of so many rows."""
    file = folder / f"{name}-{byte_size >> 20}-{batch_rows}.arrows"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        chance = numpy.random.default_rng(6)
        batch = make(chance, batch_rows)
        with part.open("wb") as sink, pa.ipc.new_stream(sink, batch.schema) as writer:
            while sink.tell() < byte_size:
                writer.write_batch(batch)
                batch = make(chance, batch_rows)
        part.rename(file)
    return file


def compressed(file, codec):
    """The same batches in another file, their buffers compressed as pyarrow does it."""
    made = file.with_suffix(f".{codec}.arrows")
    if not made.exists():
        part = made.with_suffix(".part")
        plain = table(file)
        options = pa.ipc.IpcWriteOptions(compression=codec)
        with part.open("wb") as sink, pa.ipc.new_stream(sink, plain.schema, options=options) as writer:
            for batch in plain.to_batches():
                writer.write_batch(batch)
        part.rename(made)
    return made


def table(file):
    with pa.memory_map(str(file)) as source:
        return pa.ipc.open_stream(source).read_all()

"""Uploads larger than memory: one piece, repeated."""

import io
import itertools

import numpy
import pyarrow as pa

from probes import MIB, expect

ROWS = 128 << 10
# The service splits a batch of 80 MiB, but not one of 64 MiB.
LEAST_TIMES = 20
END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"


class Repeated:
    """A head, a piece repeated `count` times, and an end. The whole is never in memory."""

    def __init__(self, head, piece, count, end):
        self.head = head
        self.piece = piece
        self.count = count
        self.end = end
        self.byte_size = len(head) + count * len(piece) + len(end)
        self.twice = piece * 2

    def pieces(self):
        yield self.head
        yield from itertools.repeat(self.piece, self.count)
        yield self.end

    def expected(self, start, end):
        """The bytes in a range that is not longer than the piece."""
        first = len(self.head)
        last = self.byte_size - len(self.end)
        if first <= start and end <= last:
            position = (start - first) % len(self.piece)
            return self.twice[position : position + end - start]
        inner = self.expected(max(start, first), min(end, last)) if start < last and end > first else b""
        return self.head[start:end] + inner + self.end[max(0, start - last) : max(0, end - last)]


class Stream(Repeated):
    """An Arrow stream of about `byte_size` bytes before compression."""

    def __init__(self, byte_size, batch=None, codec=None):
        self.batch = batch or integers()
        self.rows = self.batch.num_rows
        message = self.batch.serialize().to_pybytes()
        count = max(10, int(byte_size) // len(message))
        self.uncompressed_byte_size = count * len(message)
        if codec:
            message = stream_of(self.batch, codec)[len(self.batch.schema.serialize()) : -len(END_OF_STREAM)]
        super().__init__(self.batch.schema.serialize().to_pybytes(), message, count, END_OF_STREAM)

    def row(self, position):
        index = position % self.rows
        return {name: self.batch.column(name)[index].as_py() for name in self.batch.schema.names}


def integers(rows=ROWS):
    generator = numpy.random.default_rng(6)
    return pa.record_batch({name: generator.integers(-(2**62), 2**62, rows) for name in ("a", "b", "c", "d")})


def stream_of(batch, codec):
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, batch.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as writer:
        writer.write_batch(batch)
    return sink.getvalue()


class Outline(io.RawIOBase):
    """A sink that keeps small writes, and only counts writes of 1 MiB or more."""

    def __init__(self):
        self.kept = bytearray()
        self.position = 0

    def writable(self):
        return True

    def tell(self):
        return self.position

    def write(self, piece):
        self.position += len(piece)
        if len(piece) < MIB:
            self.kept += piece
        return len(piece)


def file_of(stream):
    """An Arrow file with the batches of the stream."""
    sink = Outline()
    head = b"ARROW1\0\0" + stream.head
    with pa.ipc.new_file(sink, stream.batch.schema) as writer:
        for _ in range(stream.count):
            writer.write_batch(stream.batch)
        expect(sink.position, len(head) + stream.count * len(stream.piece), "the last batch of the file")
        sink.kept.clear()
    return Repeated(head, stream.piece, stream.count, bytes(sink.kept))


def one_batch(byte_size):
    """A stream of one batch in which every column repeats column `a` of the integers."""
    batch = integers()
    piece = batch.column("a").buffers()[1].to_pybytes()
    times = max(LEAST_TIMES, int(byte_size) // len(piece) // batch.num_columns)
    # These pages are never read or written, so they take no memory.
    unread = pa.array(numpy.empty(times * batch.num_rows, numpy.int64))
    sink = Outline()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(pa.record_batch([unread] * batch.num_columns, schema=batch.schema))
        head = bytes(sink.kept)
    return Repeated(head, piece, times * batch.num_columns, END_OF_STREAM)

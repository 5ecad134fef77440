"""The layout says where pyarrow finds each buffer of a file."""

import datetime
import decimal

import pyarrow as pa
import pytest

from conftest import upload
from service import curl

WORDS = pa.array(["ash", "birch", "a name that does not fit into a view", None])


def every_type():
    """A batch of four rows with a column for each layout, nested ones included."""
    text = WORDS
    numbers = pa.array([1, None, 3, 4], pa.int64())
    small = pa.array([5, 6, 7, 8], pa.int16())
    offsets = pa.array([0, 1, 1, 3, 4], pa.int32())
    types = pa.array([0, 1, 0, 1], pa.int8())
    struct = pa.StructArray.from_arrays([numbers, text], ["number", "text"])
    dictionary = text.dictionary_encode()
    columns = {
        "nulls": pa.nulls(4),
        "booleans": pa.array([True, None, False, True]),
        "numbers": numbers,
        "halves": pa.array([1.5, None, 2.5, 3.5], pa.float16()),
        "decimals": pa.array([decimal.Decimal("1.25"), None, decimal.Decimal("2.50"), None], pa.decimal128(20, 2)),
        "days": pa.array([datetime.date(2026, 1, day) for day in (1, 2, 3, 4)]),
        "text": text,
        "large text": text.cast(pa.large_utf8()),
        "views": text.cast(pa.string_view()),
        "fixed": pa.array([b"abc", None, b"def", b"ghi"], pa.binary(3)),
        "lists": pa.ListArray.from_arrays(offsets, text),
        "large lists": pa.LargeListArray.from_arrays(offsets.cast(pa.int64()), struct),
        "list views": pa.ListViewArray.from_arrays(offsets[:4], pa.array([1, 0, 2, 1], pa.int32()), numbers),
        "fixed lists": pa.FixedSizeListArray.from_arrays(pa.array(range(8), pa.int32()), 2),
        "maps": pa.MapArray.from_arrays(offsets, pa.array(["a", "b", "c", "d"]), numbers),
        "structs": struct,
        "sparse unions": pa.UnionArray.from_sparse(types, [numbers, text]),
        "dense unions": pa.UnionArray.from_dense(types, pa.array([0, 0, 1, 1], pa.int32()), [small[:2], text[:2]]),
        "runs": pa.RunEndEncodedArray.from_arrays(pa.array([1, 4], pa.int32()), text[:2]),
        "dictionaries": dictionary,
        "structs of dictionaries": pa.StructArray.from_arrays([dictionary, small], ["tree", "size"]),
    }
    return pa.record_batch(list(columns.values()), names=list(columns))


def found(array, base):
    """The buffers of an array that have bytes, by their positions in the file."""
    return [(each.address - base, each.size) for each in array.buffers() if each is not None and each.size]


@pytest.mark.parametrize("rows", [4, 3, 0])
def test_layout_is_that_of_pyarrow(services, folder, rows):
    path = folder / f"layout-{rows}.arrows"
    batch = every_type()
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
        writer.write_batch(batch.slice(0, rows))
    dataset = upload(services("default memory"), f"layout-{rows}", path)
    file = pa.py_buffer(curl(dataset.url + ".arrow").body)
    layout = curl(dataset.url + "/layout").json()
    messages = layout["messages"][layout["dictionaries"] :]
    with pa.ipc.open_file(file) as reader:
        assert len(messages) == layout["batches"] == reader.num_record_batches
        for message in messages:
            read = reader.get_batch(message["batch"])
            assert message["rows"] == read.num_rows
            for i, column in enumerate(read.columns):
                fields = [field for field in message["fields"] if field["column"] == i]
                buffers = [buffer for field in fields for buffer in field["buffers"]]
                told = [(each["offset"], each["length"]) for each in buffers if each["length"]]
                assert told == found(column, file.address), read.schema.names[i]
                assert fields[0]["length"] == len(column)
                assert all(each["uncompressedLength"] == each["length"] for each in buffers)

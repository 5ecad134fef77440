"""Clients that read the URL of some rows: each line of src/docs/clients.md as printed."""

import importlib
import io
import re

import pyarrow as pa
import pytest

import tables
from catalogue import KINDS
from conftest import need, upload
from service import TOP, curl

ROWS = 10_000
ROW = re.compile(r"^\| (?P<client>[^|]+) \| `(?P<line>[^|]+)` \| (?P<rows>[^|]+) \|$", re.MULTILINE)
EXPECTED = {
    "the last hundred rows": range(ROWS - 100, ROWS),
    "the last hundred rows, with their categories": range(ROWS - 100, ROWS),
    "all rows, with texts of five bytes": range(ROWS),
    "a thousand rows, spread evenly": [i * ROWS // 1000 for i in range(1000)],
}


def documented():
    text = (TOP / "src/docs/clients.md").read_text()
    table = text.split("\n| client | line on some rows | what it reads |\n")[1].split("\n\n")[0]
    return [row.group("client", "line", "rows") for row in ROW.finditer(table)]


@pytest.fixture(scope="module")
def dataset(service, folder):
    names = [f"row {i}" for i in range(ROWS)]
    table = pa.table({"id": pa.array(range(ROWS)), "name": names, "category": pa.array(names).dictionary_encode()})
    batches = pa.Table.from_batches(table.to_batches(max_chunksize=900))
    return upload(service, "windows", tables.write_stream(batches, folder / "windows.arrows"))


def ids(result):
    """The column `id` of a frame of pandas or polars."""
    return [int(value) for value in result["id"]]


@pytest.mark.parametrize("client, line, rows", documented())
def test_clients_read_some_rows(dataset, client, line, rows):
    module = line.split(".")[0]
    need(module)
    line = line.replace("http://localhost:8080/datasets/sample", dataset.url)
    result = eval(line, {module: importlib.import_module(module)})
    assert ids(result) == list(EXPECTED[rows])
    cut = "max-value-bytes" in line
    texts = [f"row {i}"[:5] + "…" * (i > 9) if cut else f"row {i}" for i in ids(result)]
    assert list(result["name"]) == list(result["category"]) == texts
    if "dictionaries=used" in line and client == "pandas":
        assert list(result["category"].cat.categories) == texts


def read(url):
    return pa.ipc.open_stream(io.BytesIO(curl(url).body)).read_all()


def test_the_last_rows_equal_a_slice_of_pyarrow(service, folder):
    table = tables.table(20)
    stored = upload(service, "last-rows", tables.write_stream(table, folder / "last.arrows", "lz4"))
    for count in (1, 20, 21, 199, 200, 201):
        expected = table.slice(max(0, table.num_rows - count))
        assert read(f"{stored.url}.arrows?offset=-{count}").equals(expected), count
        assert read(f"{stored.url}.arrows?offset=-{count}&limit=3").equals(expected.slice(0, 3)), count


def sampled(rows, count):
    return [i * rows // count for i in range(count)] if count < rows else list(range(rows))


def test_samples_equal_the_rows_that_pyarrow_takes(service, folder):
    table = tables.table(20)
    stored = upload(service, "samples", tables.write_stream(table, folder / "samples.arrows", "zstd"))
    for count in (0, 1, 3, 10, 77, 199, 200, 201):
        for suffix in (".arrows", ".arrows?codec=none"):
            separator = "&" if "?" in suffix else "?"
            read_back = read(f"{stored.url}{suffix}{separator}sample={count}")
            assert read_back.equals(tables.taken(table, sampled(table.num_rows, count))), count
    window = table.slice(33, 101)
    found = read(f"{stored.url}.arrows?offset=33&limit=101&sample=13")
    assert found.equals(tables.taken(window, sampled(101, 13)))


def test_samples_of_every_type_equal_the_rows_that_pyarrow_takes(service, folder):
    for number, (name, kind) in enumerate(KINDS.items()):
        table = pa.Table.from_batches(kind.batches((61, 0, 30, 9)))
        stored = upload(service, f"sample-{number}", tables.write_stream(table, folder / "kind.arrows", "lz4"))
        for count in (1, 7, 48, 99):
            found = read(f"{stored.url}.arrows?sample={count}")
            found.validate(full=True)
            assert found.equals(tables.taken(table, sampled(100, count))), (name, count)


def used(chunks):
    """The values of a dictionary that arrays refer to, in the order of their first use."""
    values = chunks[0].dictionary.to_pylist() if chunks else []
    seen = dict.fromkeys(index for chunk in chunks for index in chunk.indices.to_pylist() if index is not None)
    return [values[index] for index in seen]


@pytest.mark.parametrize("index", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_dictionaries_have_the_values_of_the_rows(service, folder, index):
    letters = pa.array([f"value {i}" for i in range(120)])
    indices = [None if i % 7 == 6 else i * 37 % 120 for i in range(1000)]
    values = pa.DictionaryArray.from_arrays(pa.array(indices, index), letters)
    items = pa.ListArray.from_arrays(pa.array(range(0, 1001, 2), pa.int32()), values)
    table = pa.table({"one": values.slice(0, 500), "list": items, "struct": pa.StructArray.from_arrays([values.slice(500)], ["v"])})
    batches = pa.Table.from_batches(table.to_batches(max_chunksize=90))
    stored = upload(service, f"used-{index}", tables.write_stream(batches, folder / "used.arrows", "zstd"))
    for window, rows in {
        "": range(500),
        "&offset=85&limit=10": range(85, 95),
        "&offset=-3": range(497, 500),
        "&limit=0": range(0),
        "&sample=11": [i * 500 // 11 for i in range(11)],
    }.items():
        for path in (".arrows?", ".arrow?", "?codec=lz4&"):
            body = curl(f"{stored.url}{path}dictionaries=used{window}").body
            open_body = pa.ipc.open_file if path == ".arrow?" else pa.ipc.open_stream
            read_back = open_body(io.BytesIO(body)).read_all()
            read_back.validate(full=True)
            expected = table.take(pa.array(rows, pa.int64()))
            assert read_back.schema == table.schema
            assert read_back.to_pylist() == expected.to_pylist(), window
            for column, leaves in {
                "one": lambda chunk: chunk,
                "list": lambda chunk: chunk.flatten(),
                "struct": lambda chunk: chunk.field("v"),
            }.items():
                before = [leaves(chunk) for chunk in expected.column(column).chunks]
                after = [leaves(chunk) for chunk in read_back.column(column).chunks]
                for chunk in after:
                    assert chunk.dictionary.to_pylist() == used(before), (window, column)

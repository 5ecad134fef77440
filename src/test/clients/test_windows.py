"""Clients that read the URL of some rows: each line of src/docs/clients.md as printed."""

import importlib
import io
import re

import pyarrow as pa
import pytest

import tables
from conftest import need, upload
from service import TOP, curl

ROWS = 10_000
ROW = re.compile(r"^\| (?P<client>[^|]+) \| `(?P<line>[^|]+)` \| (?P<rows>[^|]+) \|$", re.MULTILINE)
EXPECTED = {
    "the last hundred rows": range(ROWS - 100, ROWS),
}


def documented():
    text = (TOP / "src/docs/clients.md").read_text()
    table = text.split("\n| client | line on some rows | what it reads |\n")[1].split("\n\n")[0]
    return [row.group("client", "line", "rows") for row in ROW.finditer(table)]


@pytest.fixture(scope="module")
def dataset(service, folder):
    table = pa.table({"id": pa.array(range(ROWS)), "name": [f"row {i}" for i in range(ROWS)]})
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
    assert ids(eval(line, {module: importlib.import_module(module)})) == list(EXPECTED[rows])


def read(url):
    return pa.ipc.open_stream(io.BytesIO(curl(url).body)).read_all()


def test_the_last_rows_equal_a_slice_of_pyarrow(service, folder):
    table = tables.table(20)
    stored = upload(service, "last-rows", tables.write_stream(table, folder / "last.arrows", "lz4"))
    for count in (1, 20, 21, 199, 200, 201):
        expected = table.slice(max(0, table.num_rows - count))
        assert read(f"{stored.url}.arrows?offset=-{count}").equals(expected), count
        assert read(f"{stored.url}.arrows?offset=-{count}&limit=3").equals(expected.slice(0, 3)), count

"""Clients that read text by its length and by ranges: each line of src/docs/clients.md as printed."""

import importlib
import re

import pyarrow as pa
import pytest

import tables
from conftest import need, upload
from service import TOP, curl

# Rows whose text has several blocks and, for dask and fsspec, several ranges.
ROWS = 200_000
ROW = re.compile(r"^\| (?P<client>[^|]+) \| `(?P<line>[^|]+)` \|$", re.MULTILINE)


def documented():
    """The clients and their lines, in the order of the document."""
    text = (TOP / "src/docs/clients.md").read_text()
    table = text.split("\n| client | line on text |\n")[1].split("\n\n")[0]
    return [(row["client"], row["line"]) for row in ROW.finditer(table)]


@pytest.fixture(scope="module")
def text(service, folder):
    table = pa.table(
        {
            "id": pa.array(range(ROWS)),
            "name": pa.array([None if i % 5 == 0 else f'name, "{i}"' for i in range(ROWS)]),
            "share": pa.array([i / 7 for i in range(ROWS)]),
        }
    )
    return upload(service, "text", tables.write_stream(table, folder / "text.arrows"))


def evaluated(line):
    """The value of the last of the statements in a line of Python."""
    modules = {}
    for name in ("polars", "duckdb", "fsspec", "dask"):
        if re.search(rf"\b{name}\.", line):
            need(name)
            modules[name] = importlib.import_module(name)
    if "dask" in modules:
        importlib.import_module("dask.dataframe")
    *statements, last = line.split("; ")
    for statement in statements:
        exec(statement, modules)
    return eval(last, modules)


def test_clients_count_the_rows_of_the_sample(text):
    """The lines as printed, with another dataset in place of the sample."""
    lines = documented()
    assert len(lines) == 7
    for client, line in lines:
        line = line.replace("http://localhost:8080/datasets/sample", text.url)
        assert evaluated(line) == ROWS, (client, line)


def test_polars_slices_and_selects(text):
    need("polars")
    import polars as pl

    for scan in (pl.scan_csv(text.url + ".csv"), pl.scan_ndjson(text.url + ".jsonl")):
        assert scan.select("id").sum().collect().item() == sum(range(ROWS))
        rows = scan.slice(ROWS - 3, 2).collect()
        assert rows["id"].to_list() == [ROWS - 3, ROWS - 2]
        assert rows["name"].to_list() == [f'name, "{i}"' if i % 5 else None for i in rows["id"]]


def test_dask_reads_blocks(text):
    need("dask")
    import dask.dataframe as dd

    for frame in (
        dd.read_csv(text.url + ".csv", blocksize=1 << 20),
        dd.read_json(text.url + ".jsonl", blocksize=1 << 20),
    ):
        assert frame.npartitions > 3
        assert frame["id"].sum().compute() == sum(range(ROWS))
        assert frame["name"].count().compute() == ROWS * 4 // 5


def test_ranges_are_those_of_the_whole_text(text):
    for suffix in (".csv", ".tsv", ".jsonl", ".json"):
        whole = curl(text.url + suffix).body
        head = curl(text.url + suffix, "--head")
        assert head.headers["content-length"] == str(len(whole))
        middle = len(whole) // 2
        part = curl(text.url + suffix, "--range", f"{middle}-{middle + 4095}")
        assert part.body == whole[middle : middle + 4096]

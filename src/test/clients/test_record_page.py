"""Orders of several columns, records, selected cells and values as they are shown, in a real browser."""

import datetime
import decimal
import random

import pyarrow as pa
import pytest

import tables
from conftest import upload
from service import Service
from visitor import visit

D = decimal.Decimal
EPOCH = datetime.datetime(1970, 1, 1)


@pytest.fixture(scope="module")
def kept(folder):
    service = Service(folder / "records", **{"quiver.where.timeout": "60s"})
    yield service
    service.stop()


def use(service, scenario, *parameters):
    return visit("record_page.mjs", service, scenario, *parameters)


def put(service, name, columns, folder):
    return upload(service, name, tables.write_stream(pa.table(columns), folder / f"{name}.arrows"))


def test_rows_are_sorted_by_several_columns(kept, folder):
    rows = [(i, i // 4 % 3, None if i == 7 else i % 4) for i in range(12)]
    put(kept, "several", dict(zip("abc", map(pa.array, zip(*rows, strict=True)), strict=True)), folder)
    seen = use(kept, "sorts", "several", 12)
    expected = sorted(rows, key=lambda row: (row[1], row[2] is None, -(row[2] or 0), row[0]))
    assert seen["both"] == [["null" if value is None else str(value) for value in row] for row in expected]
    assert seen["marks"] == ["↕", "↑1", "↓2"]
    assert seen["alone"] == ["↑", "↕", "↕"]


def test_found_rows_are_sorted_as_statements_do(kept, folder):
    """A search that finds all rows shows them in the order that SQL has for them."""
    source = random.Random(5)
    texts = ["", "a", "ab", "Z", "é", "\ufb01", "\U0001f600", "\ud7ff", None]
    values = {
        "float": ([0.0, -0.0, 1.5, float("nan"), float("inf"), float("-inf"), None], pa.float64()),
        "text": (texts, pa.utf8()),
        "decimal": ([D("1.50"), D("-2.25"), D("10.00"), None], pa.decimal128(10, 2)),
        "day": ([datetime.date(2026, 1, 1), datetime.date(1969, 5, 5), None], pa.date32()),
        "at": ([EPOCH, EPOCH + datetime.timedelta(microseconds=5), None], pa.timestamp("us")),
        "true": ([True, False, None], pa.bool_()),
        "whole": ([2**63 - 1, -(2**63), 2**53 + 1, 2**53, None], pa.int64()),
        "code": (texts, pa.large_utf8()),
    }
    rows = 20
    columns = {name: pa.array([source.choice(all_) for _ in range(rows)], kind) for name, (all_, kind) in values.items()}
    columns["code"] = columns["code"].dictionary_encode()
    put(kept, "found", {"id": pa.array(range(rows)), **columns, "word": pa.array(["Word"] * rows)}, folder)
    orders = [f"{sign}{i}" for i in range(1, len(values) + 1) for sign in ("", "-")] + ["6,-2", "-4,1,-7"]
    for order, (all_, found) in use(kept, "found", "found", rows, "word", *orders).items():
        assert sorted(map(int, found)) == list(range(rows))
        assert all_ == found, order


def test_record_has_all_fields_of_a_row(kept, folder):
    long = "x" * 5000
    columns = {
        "id": pa.array([10_000, 20_000, 30_000]),
        "text": [long, "two", None],
        "at": pa.array([0, 86_400_000_000, 2 * 86_400_000_000], pa.timestamp("us")),
        "inner": [{"a": 1}, {"a": 2}, None],
        "rtl": ["שלום", "a", ""],
    }
    put(kept, "records", columns, folder)
    seen = use(kept, "record", "records")
    assert seen["fields"] == [
        ["id", "Whole number", "id: int64", "20,000"],
        ["text", "Text", "text: utf8", "two"],
        ["at", "Date and time", "at: timestamp[us]", "1970-01-02"],
        ["inner", "Record", "inner: struct<a: int64>", "{a: 2}"],
        ["rtl", "Text", "rtl: utf8", "a"],
    ]
    assert seen["hash"] == "#rows&row=1&side=record"
    assert (seen["focused"], seen["isLast"]) == ("Next", True)
    assert seen["first"] == ["10,000", "x" * 300 + "…", "1970-01-01", "{a: 1}", "שלום"]
    assert seen["value"] == 5000
    assert seen["scrolls"] == [0, 0]


def test_selected_cells_are_summed_exactly(kept, folder):
    rows = 300
    columns = {
        "whole": pa.array([2**62 + i for i in range(rows)]),
        "part": pa.array([D(i).scaleb(-2) if i % 3 else None for i in range(rows)], pa.decimal128(10, 2)),
        "float": pa.array([0.1] * rows),
        "text": pa.array(["a"] * rows),
    }
    batches = {name: pa.chunked_array([values[:130], values[130:]]) for name, values in columns.items()}
    put(kept, "sums", batches, folder)
    whole = sum(2**62 + i for i in range(rows))
    part = sum(D(i).scaleb(-2) for i in range(rows) if i % 3)
    mean = D(whole) / rows
    seen = use(kept, "sums", "sums", 20, 4)
    assert seen[0] == f"300 cells · sum {whole:,} · mean {mean:,}"
    assert seen[1] == f"300 cells · 100 nulls · sum {part:,} · mean {(part / 200).normalize()}"
    assert seen[2] == "300 cells · sum 30 · mean 0.1"
    assert seen[3] == "300 cells"
    assert seen[4].startswith("80 cells · 53 numbers · 7 nulls · sum ")
    assert seen[5] == "2 cells · cannot be summed"


def test_values_are_shown_without_noise(kept, folder):
    """Digits in groups, nulls where values are, times as fine as their column needs, text in its own direction."""
    day = 86_400_000_000
    columns = {
        "number": pa.array([1234567, None, -12345, 2024], pa.int64()),
        "decimal": pa.array([D("1234567.500"), None, D("0.250"), D("99999.000")], pa.decimal128(20, 3)),
        "float": pa.array([12345.5, None, 1e21, 0.00001]),
        "midnights": pa.array([0, day, None, -day], pa.timestamp("us")),
        "minutes": pa.array([0, day + 60_000_000, None, 3_600_000_000], pa.timestamp("us")),
        "seconds": pa.array([0, day + 1_000_000, None, 3_600_000_000], pa.timestamp("us")),
        "finer": pa.array([0, 1000, None, 2_500_000], pa.timestamp("us", "UTC")),
        "clock": pa.array([0, 45_000_000_000, None, 1_000_000_000], pa.time64("ns")),
        "rtl": ["a", "שלום", "", None],
        "code": pa.array(["x", "y", "x", None]).dictionary_encode(),
    }
    put(kept, "noise", columns, folder)
    seen = use(kept, "shown", "noise", 4, len(columns))
    assert dict(zip(columns, zip(*seen["texts"], strict=True), strict=True)) == {
        "number": ("1,234,567", "null", "-12,345", "2024"),
        "decimal": ("1,234,567.500", "null", "0.250", "99,999.000"),
        "float": ("12,345.5", "null", "1e+21", "0.00001"),
        "midnights": ("1970-01-01", "1970-01-02", "null", "1969-12-31"),
        "minutes": ("1970-01-01 00:00", "1970-01-02 00:01", "null", "1970-01-01 01:00"),
        "seconds": ("1970-01-01 00:00:00", "1970-01-02 00:00:01", "null", "1970-01-01 01:00:00"),
        "finer": ("1970-01-01 00:00:00.000Z", "1970-01-01 00:00:00.001Z", "null", "1970-01-01 00:00:02.500Z"),
        "clock": ("00:00:00", "00:00:45", "null", "00:00:01"),
        "rtl": ("a", "שלום", "empty", "null"),
        "code": ("x", "y", "x", "null"),
    }
    start = ["start", "ltr"]
    assert seen["places"] == [*[["right", "ltr"]] * 3, *[start] * 5, ["start", "rtl"], start]
    whole = ["Whole number", "Number", "Number", *["Date and time"] * 4, "Time", "Text", "Text"]
    assert seen["types"] == whole
    assert seen["titles"][-1].startswith("code: dictionary<")


def test_link_to_what_is_shown_is_copied(kept, folder):
    put(kept, "shared", {"a": [3, 1, 2]}, folder)
    assert use(kept, "share", "shared", "#rows&where=a%20%3E%201&sort=-0") == "/datasets/shared@1#rows&where=a%20%3E%201&sort=-0"


def test_record_fits_and_is_accessible(kept, folder):
    put(kept, "looked", {f"column {i}": [i, i + 1] for i in range(30)}, folder)
    assert use(kept, "look", "looked") == {"1440": [0, 0], "390": [0, 0]}

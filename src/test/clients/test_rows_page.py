"""The pages in a real browser."""

import datetime
import decimal
import json
import shutil
import subprocess

import pyarrow as pa
import pytest

import clients
from conftest import need
from visitor import visit
from service import Service, curl

ROWS = 1_000_000


@pytest.fixture(scope="module")
def shown(folder):
    service = Service(folder / "page", **{"quiver.sample": "true", "quiver.where.timeout": "60s"})
    yield service
    service.stop()


def use(service, scenario, *parameters):
    """What a scenario of rows_page.mjs saw."""
    return visit("rows_page.mjs", service, scenario, *parameters)


def put(service, name, table, folder):
    path = folder / f"{name}.arrows"
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    assert curl("-T", path, f"{service.url}/datasets/{name}").status == 201


def put_csv(service, name, text):
    return curl("-X", "PUT", "--data-binary", text, "-H", "Content-Type: text/csv", f"{service.url}/datasets/{name}")


VALUES = {
    "int64": (pa.array([2**63 - 1, None], pa.int64()), ["9223372036854775807", "null"]),
    "uint64": (pa.array([2**64 - 1, 0], pa.uint64()), ["18446744073709551615", "0"]),
    "float64": (pa.array([0.1, float("nan")], pa.float64()), ["0.1", "NaN"]),
    "float32": (pa.array([0.1, float("-inf")], pa.float32()), ["0.1", "-Infinity"]),
    "negative zero": (pa.array([-0.0, 1e300], pa.float64()), ["-0", "1e+300"]),
    "decimal": (
        pa.array([decimal.Decimal("-0.05"), decimal.Decimal("12345678901234567890.12")], pa.decimal128(30, 2)),
        ["-0.05", "12345678901234567890.12"],
    ),
    "bool": (pa.array([True, False]), ["true", "false"]),
    "text": (pa.array(["", "a\tb\u202ec<b>"]), ["empty", "a␉b⟨202E⟩c<b>"]),
    "view": (pa.array(["Zürich", None], pa.string_view()), ["Zürich", "null"]),
    "dictionary": (pa.array(["x", "y"]).dictionary_encode(), ["x", "y"]),
    "date": (pa.array([datetime.date(1, 1, 1), datetime.date(9999, 12, 31)]), ["0001-01-01", "9999-12-31"]),
    "time": (pa.array([0, 86_399_999_999_999], pa.time64("ns")), ["00:00:00.000000000", "23:59:59.999999999"]),
    "timestamp": (
        pa.array([-1, 2**63 - 1], pa.timestamp("ns")),
        ["1969-12-31 23:59:59.999999999", "2262-04-11 23:47:16.854775807"],
    ),
    "zoned": (pa.array([0, 1], pa.timestamp("ms", "Europe/Zurich")), ["1970-01-01 00:00:00.000Z", "1970-01-01 00:00:00.001Z"]),
    "far": (pa.array([2**62, 0], pa.timestamp("s")), ["4611686018427387904 s", "1970-01-01 00:00:00"]),
    "duration": (pa.array([2**60, -1], pa.duration("us")), ["1152921504606846976 µs", "-1 µs"]),
    "binary": (pa.array([b"\x00\xff", b""], pa.binary()), ["0x00ff (2 B)", "0x (0 B)"]),
    "list": (pa.array([[1, None], []], pa.list_(pa.int64())), ["[1, null]", "[]"]),
    "struct": (
        pa.array([{"__proto__": "a", "n": 2**60}, None], pa.struct([("__proto__", pa.utf8()), ("n", pa.int64())])),
        ['{__proto__: "a", n: 1152921504606846976}', "null"],
    ),
    "map": (pa.array([[("k", 1)], []], pa.map_(pa.utf8(), pa.int32())), ['{"k": 1}', "{}"]),
}


def test_cells_show_exact_values(shown, folder):
    table = pa.table([values for values, _ in VALUES.values()], names=list(VALUES))
    put(shown, "cells", table, folder)
    seen = use(shown, "rows", "cells", 2, len(VALUES))
    for i, (name, (_, texts)) in enumerate(VALUES.items()):
        assert [line[i] for line in seen["texts"]] == texts, name


@pytest.fixture(scope="module")
def long(shown, folder):
    table = pa.table({f"c{i}": pa.array(range(i, ROWS + i), pa.int64()) for i in range(12)})
    put(shown, "long", table, folder)
    return "long"


def test_first_rows_take_little(shown, long):
    traffic = use(shown, "rows", long, 1, 1)["traffic"]
    assert traffic["bytes"] < 80_000
    assert traffic["requests"] <= 10


def test_rows_by_keys(shown, long):
    seen = use(shown, "keys", long, 654_321)
    assert seen["middle"] == seen["again"] == "654321"
    assert seen["hash"] == "#rows&row=654321"
    assert seen["drawer"] == "654322"
    assert seen["end"] == str(ROWS - 1)


def test_condition_is_in_the_url(shown, long):
    seen = use(shown, "where", long, "c0 >= 999990", "c0 >")
    assert seen["count"] == seen["again"] == "10 of 1,000,000 rows"
    assert seen["first"] == "999990"
    assert "yntax error" in seen["alert"]


def test_files_are_uploaded(shown, folder):
    csv = folder / "dropped.csv"
    csv.write_text("city,altitude\nZermatt,1608\nBasel,260\n")
    lines = folder / "dropped too.jsonl"
    lines.write_text('{"a": 1}\n')
    seen = use(shown, "upload", csv, lines)
    assert seen["inferred"] == ["CSV: 2 columns", ["cityutf8altitudeint64", "Zermatt1608", "Basel260"]]
    assert ["".join(line.split()) for line in seen["stored"]] == [
        "dropped.csvdropped:2rows",
        "droppedtoo.jsonldropped-too-renamed:1row",
    ]
    assert seen["count"] == "4 rows"
    assert seen["first"] == "Zermatt"


def test_upload_goes_on_after_a_reload(shown, folder):
    path = folder / "paused.csv"
    path.write_text("a,b\n" + "".join(f"{i},{'x' * 90}\n" for i in range(100_000)))
    seen = use(shown, "pause", path)
    assert "paused" in seen["paused"]
    assert seen["stored"].strip().endswith("paused: 100,000 rows")
    methods = [method for method, _ in seen["sent"]]
    assert methods == ["HEAD", "PATCH"]
    assert int(seen["sent"][-1][1]) > 0


def test_list_is_searched_and_sorted(shown):
    for i in range(130):
        assert put_csv(shown, f"listed-{i}", "a\n1\n").status == 201
    seen = use(shown, "list", "listed-77")
    assert seen["found"] == "listed-77"
    assert seen["url"] == "/#list&sort=-rows&q=listed-77"


def test_newer_version_is_told(shown):
    assert put_csv(shown, "growing", "a\n1\n2\n").status == 201
    seen = use(shown, "newer", "growing")
    assert seen == {"status": 200, "told": "Version 2 is there", "before": "2 rows", "after": "3 rows"}


def test_rows_are_sorted(shown, folder):
    """By SQL, with times in the unit of their column and equal rows in their order."""
    table = pa.table(
        {
            "n": pa.array([2, 1, None, 2], pa.int64()),
            "N": pa.array(["second", "first", "null", "third"]),
            "at": pa.array([1, 2, 3, 4], pa.timestamp("s", "UTC")),
        }
    )
    put(shown, "sorted", table, folder)
    seen = use(shown, "sort", "sorted")
    assert seen["up"] == [["1", "first"], ["2", "second"], ["2", "third"], ["null", "null"]]
    assert seen["down"] == [["2", "second"], ["2", "third"], ["1", "first"], ["null", "null"]]
    assert seen["time"] == "1970-01-01 00:00:01Z"
    assert seen["hash"] == "#rows&sort=-0"
    assert seen["states"] == ["ascending", "descending", "none"]
    assert seen["back"] == "2"


def test_statistics_and_values_lead_to_rows(shown, folder):
    numbers = pa.array(range(100))
    parity = pa.array(["odd" if i % 2 else "even" for i in range(100)])
    table = pa.table({"number": numbers, "parity": parity, "none": pa.array([None] * 100, pa.date32())})
    put(shown, "facets", table, folder)
    seen = use(shown, "facets", "facets")
    assert seen["summaries"] == ["", "", "100 % null"]
    assert seen["counts"] == ["100 rows", "50 of 100 rows", "1 of 100 rows", "0 of 100 rows"]
    both = """("parity" = 'even') AND ("number" = 2)"""
    assert seen["conditions"] == [both, f'({both}) AND (NOT ("none" IS NULL))']


def test_columns_are_chosen(shown, long):
    seen = use(shown, "choose", long, "c1")
    assert seen["heads"] == ["c1", "c10", "c11"]
    assert seen["hash"] == "#rows&columns=1%2C10%2C11"
    assert seen["first"] == ["1", "10", "11"]
    assert seen["hidden"] == ["c1", "c11"]


def test_long_values_are_cut(shown, folder):
    """A window of them is not fetched, but one of their beginnings."""
    text = "é" * 400_000
    table = pa.table({"id": pa.array(range(40)), "text": pa.array([text + str(i) for i in range(40)])})
    put(shown, "texts", table, folder)
    seen = use(shown, "long", "texts")
    assert seen["cell"] == "é" * 300 + "…"
    assert seen["number"] == "0"
    assert seen["bytes"] < 8_000_000
    assert seen["value"].endswith("éé0")
    assert "400,001 characters" in seen["told"]


def test_wide_rows(shown, folder):
    count = 10_000
    table = pa.table([pa.array([i, i + 1]) for i in range(count)], names=[f"c{i}" for i in range(count)])
    put(shown, "wide", table, folder)
    seen = use(shown, "wide", "wide", count - 1)
    assert seen == {"first": "0", "last": str(count), "cells": True}


def test_failures_are_told(shown, folder):
    """A service that is busy, a dataset that is deleted while it is looked at, and a token that is asked for."""
    put(shown, "leaving", pa.table({"c0": pa.array(range(100_000))}), folder)
    seen = use(shown, "busy", "leaving")
    assert "Try again in" in seen["button"]
    assert seen["after"] == "0"
    seen = use(shown, "deleted", "leaving")
    assert "leaving" in seen["alert"]
    assert seen["badge"] == "This dataset was deleted"


def test_token_is_asked_for(folder):
    service = Service(folder / "token", **{"quiver.token": "s3cret"})
    try:
        path = folder / "private.csv"
        path.write_text("a\n1\n")
        seen = use(service, "token", path, "s3cret")
        assert seen["stored"].endswith("private: 1 row")
    finally:
        service.stop()


def test_pages_are_accessible(shown, long):
    assert use(shown, "accessible", long) == {"list": [], "rows": [], "cell": [], "column": [], "chooser": [], "keys": []}


def test_pages_work_in_firefox(shown, long, folder):
    need("node", "firefox-esr", "puppeteer-core")
    path = folder / "firefox.csv"
    path.write_text("a\n1\n")
    command = ["node", clients.HERE / "firefox.mjs", clients.NODE_MODULES, shutil.which("firefox-esr"), shown.url, long, path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    last = str(ROWS - 1)
    assert json.loads(done.stdout) == {"first": "0", "jumped": "500000", "sorted": last, "matched": "9", "stored": "firefox"}

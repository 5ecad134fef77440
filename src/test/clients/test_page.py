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
from service import Service, curl

ROWS = 1_000_000


@pytest.fixture(scope="module")
def shown(folder):
    service = Service(folder / "page", **{"quiver.sample": "true"})
    yield service
    service.stop()


def use(service, scenario, *parameters):
    """What a scenario of page.mjs saw."""
    need("node", "chromium", "playwright-core")
    command = ["node", clients.HERE / "page.mjs", clients.NODE_MODULES, shutil.which("chromium"), service.url]
    done = subprocess.run([*command, scenario, *map(str, parameters)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


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
    assert [line.split("\n")[-1] for line in seen["stored"]] == ["dropped.csv dropped: 2 rows", "dropped too.jsonl dropped-too: 1 rows"]
    assert seen["count"] == "4 rows"
    assert seen["first"] == "Zermatt"


def test_upload_goes_on_after_a_reload(shown, folder):
    path = folder / "paused.csv"
    path.write_text("a,b\n" + "".join(f"{i},{'x' * 90}\n" for i in range(100_000)))
    seen = use(shown, "pause", path)
    assert "paused" in seen["paused"]
    assert seen["stored"].endswith("paused: 100,000 rows")
    methods = [method for method, _ in seen["sent"]]
    assert methods == ["HEAD", "PATCH"]
    assert int(seen["sent"][-1][1]) > 0


def test_list_is_searched_and_sorted(shown):
    for i in range(130):
        assert put_csv(shown, f"listed-{i}", "a\n1\n").status == 201
    seen = use(shown, "list", "listed-77")
    assert seen["found"] == "listed-77"
    assert seen["url"] == "/#rows&sort=-rows&q=listed-77"


def test_newer_version_is_told(shown):
    assert put_csv(shown, "growing", "a\n1\n2\n").status == 201
    seen = use(shown, "newer", "growing")
    assert seen == {"status": 200, "told": "Version 2 is there", "before": "2 rows", "after": "3 rows"}

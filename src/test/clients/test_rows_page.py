"""The pages in a real browser."""

import base64
import csv
import datetime
import decimal
import gzip
import io
import json
import re
import subprocess

import numpy
import openpyxl
import pyarrow as pa
import pytest

from visitor import visit, visit_in_firefox
from service import Service, curl

ROWS = 5_000_000


@pytest.fixture(scope="module")
def shown(folder):
    service = Service(folder / "page", **{"quiver.sample": "true", "quiver.where.timeout": "60s"})
    yield service
    service.stop()


def use(service, scenario, *parameters):
    """The observations of a scenario of rows_page.mjs."""
    return visit("rows_page.mjs", service, scenario, *parameters)


def put(service, name, table, folder, codec=None):
    path = folder / f"{name}.arrows"
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=1 << 16)
    assert curl("-T", path, f"{service.url}/datasets/{name}").status == 201


def put_csv(service, name, text):
    return curl("-X", "PUT", "--data-binary", text, "-H", "Content-Type: text/csv", f"{service.url}/datasets/{name}")


D = decimal.Decimal
# Values of each type, and the texts of their cells.
VALUES = {
    "null": (pa.nulls(2), ["null", "null"]),
    "bool": (pa.array([True, False]), ["true", "false"]),
    "int8": (pa.array([-128, 127], pa.int8()), ["-128", "127"]),
    "int16": (pa.array([-(2**15), None], pa.int16()), ["-32768", "null"]),
    "int32": (pa.array([-(2**31), 2**31 - 1], pa.int32()), ["-2147483648", "2147483647"]),
    "int64": (pa.array([2**63 - 1, None], pa.int64()), ["9223372036854775807", "null"]),
    "uint8": (pa.array([255, 0], pa.uint8()), ["255", "0"]),
    "uint16": (pa.array([65535, 0], pa.uint16()), ["65535", "0"]),
    "uint32": (pa.array([2**32 - 1, 0], pa.uint32()), ["4294967295", "0"]),
    "uint64": (pa.array([2**64 - 1, 0], pa.uint64()), ["18446744073709551615", "0"]),
    "float16": (pa.array(numpy.array([0.1, numpy.inf], numpy.float16)), ["0.1", "Infinity"]),
    "float32": (pa.array([0.1, float("-inf")], pa.float32()), ["0.1", "-Infinity"]),
    "float64": (pa.array([0.1, float("nan")], pa.float64()), ["0.1", "NaN"]),
    "negative zero": (pa.array([-0.0, 1e300], pa.float64()), ["-0", "1e+300"]),
    "decimal32": (pa.array([D("-0.05"), D("9999999.99")], pa.decimal32(9, 2)), ["-0.05", "9999999.99"]),
    "decimal64": (pa.array([D("0.1"), D("-99999999999999999.9")], pa.decimal64(18, 1)), ["0.1", "-99999999999999999.9"]),
    "decimal128": (
        pa.array([D("-0.05"), D("12345678901234567890.12")], pa.decimal128(30, 2)),
        ["-0.05", "12345678901234567890.12"],
    ),
    "decimal256": (pa.array([D(10) ** 70, None], pa.decimal256(76, 5)), ["1" + "0" * 70 + ".00000", "null"]),
    "negative scale": (pa.array([D(1200), None], pa.decimal128(5, -2)), ["12E2", "null"]),
    "utf8": (pa.array(["", "a\tb\u202ec<b>"]), ["empty", "a␉b⟨202E⟩c<b>"]),
    "large_utf8": (pa.array(["Genève", None], pa.large_utf8()), ["Genève", "null"]),
    "utf8_view": (pa.array(["Zürich", "x" * 20], pa.string_view()), ["Zürich", "x" * 20]),
    "binary": (pa.array([b"\x00\xff", b""], pa.binary()), ["0x00ff (2 B)", "0x (0 B)"]),
    "large_binary": (pa.array([b"\x01", None], pa.large_binary()), ["0x01 (1 B)", "null"]),
    "binary_view": (pa.array([b"a" * 20, b"b"], pa.binary_view()), ["0x" + "61" * 20 + " (20 B)", "0x62 (1 B)"]),
    "fixed_size_binary": (pa.array([b"abc", None], pa.binary(3)), ["0x616263 (3 B)", "null"]),
    "date32": (pa.array([datetime.date(1, 1, 1), datetime.date(9999, 12, 31)]), ["0001-01-01", "9999-12-31"]),
    "date64": (pa.array([0, -86_400_000], pa.date64()), ["1970-01-01", "1969-12-31"]),
    "day and time": (
        pa.array([43_200_001, -1], pa.int64()).view(pa.date64()),
        ["1970-01-01 12:00:00.001", "1969-12-31 23:59:59.999"],
    ),
    "time32[s]": (pa.array([0, 86_399], pa.time32("s")), ["00:00:00", "23:59:59"]),
    "time32[ms]": (pa.array([1, None], pa.time32("ms")), ["00:00:00.001", "null"]),
    "time64[us]": (pa.array([1, 0], pa.time64("us")), ["00:00:00.000001", "00:00:00.000000"]),
    "time64[ns]": (pa.array([0, 86_399_999_999_999], pa.time64("ns")), ["00:00:00.000000000", "23:59:59.999999999"]),
    "timestamp[s]": (pa.array([2**62, 0], pa.timestamp("s")), ["4611686018427387904 s", "1970-01-01 00:00:00"]),
    "timestamp[ms]": (
        pa.array([0, 1], pa.timestamp("ms", "Europe/Zurich")),
        ["1970-01-01 00:00:00.000Z", "1970-01-01 00:00:00.001Z"],
    ),
    "timestamp[us]": (pa.array([-1, None], pa.timestamp("us")), ["1969-12-31 23:59:59.999999", "null"]),
    "timestamp[ns]": (
        pa.array([-1, 2**63 - 1], pa.timestamp("ns")),
        ["1969-12-31 23:59:59.999999999", "2262-04-11 23:47:16.854775807"],
    ),
    "duration[s]": (pa.array([5, None], pa.duration("s")), ["5 s", "null"]),
    "duration[us]": (pa.array([2**60, -1], pa.duration("us")), ["1152921504606846976 µs", "-1 µs"]),
    "interval": (
        pa.array([pa.MonthDayNano([1, -2, 3]), None], pa.month_day_nano_interval()),
        ["1 month -2 d 3 ns", "null"],
    ),
    "dictionary": (pa.array(["x", "y"]).dictionary_encode(), ["x", "y"]),
    "dictionary of numbers": (pa.array([2**60, None]).dictionary_encode(), [str(2**60), "null"]),
    "dictionary with null": (pa.DictionaryArray.from_arrays([0, 1], pa.array(["a", None])), ["a", "null"]),
    "dictionary of bytes": (pa.array([b"\x01", b"\x02"]).dictionary_encode(), ["0x01 (1 B)", "0x02 (1 B)"]),
    "list of dictionary": (
        pa.ListArray.from_arrays([0, 2, 2], pa.array(["x", "y"]).dictionary_encode()),
        ['["x", "y"]', "[]"],
    ),
    "runs with null": (pa.RunEndEncodedArray.from_arrays([1, 2], [None, "run"]), ["null", "run"]),
    "runs": (pa.RunEndEncodedArray.from_arrays([2], ["run"]), ["run", "run"]),
    "list": (pa.array([[1, None], []], pa.list_(pa.int64())), ["[1, null]", "[]"]),
    "large_list": (pa.array([["a", 'b"'], None], pa.large_list(pa.utf8())), ['["a", "b\\""]', "null"]),
    "fixed_size_list": (pa.array([[0.5, 1], None], pa.list_(pa.float64(), 2)), ["[0.5, 1]", "null"]),
    "large_list_view": (pa.array([[1], None], pa.large_list_view(pa.int64())), ["[1]", "null"]),
    "list_view": (pa.array([[2**60], []], pa.list_view(pa.int64())), ["[1152921504606846976]", "[]"]),
    "struct": (
        pa.array([{"__proto__": "a", "n": 2**60}, None], pa.struct([("__proto__", pa.utf8()), ("n", pa.int64())])),
        ['{__proto__: "a", n: 1152921504606846976}', "null"],
    ),
    "map": (pa.array([[("k", 1)], []], pa.map_(pa.utf8(), pa.int32())), ['{"k": 1}', "{}"]),
    "dense union": (
        pa.UnionArray.from_dense(
            pa.array([0, 1], pa.int8()), pa.array([0, 0], pa.int32()), [pa.array([2**60]), pa.array(["u"])]
        ),
        ['{"0":"1152921504606846976"}', '{"1":"u"}'],
    ),
    "union of decimals": (
        pa.UnionArray.from_dense(
            pa.array([0, 1], pa.int8()),
            pa.array([0, 0], pa.int32()),
            [pa.array([D("1.23")]), pa.array([datetime.date(1970, 1, 2)])],
        ),
        ['{"0":"1.23"}', '{"1":"1970-01-02"}'],
    ),
    "sparse union": (
        pa.UnionArray.from_sparse(pa.array([1, 0], pa.int8()), [pa.array([1, 2]), pa.array(["s", "t"])]),
        ['{"1":"s"}', '{"0":"2"}'],
    ),
}


def grouped(text, kind):
    """A number as cells show it: with groups of digits from five digits on."""
    kind = kind.value_type if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind) else kind
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    whole, point, fraction = text.partition(".")
    if not is_number or not re.fullmatch(r"-?\d{5,}", whole) or not re.fullmatch(r"\d*", fraction):
        return text
    return f"{int(whole):,}{point}{fraction}"


# JSON has no text of these: NaN, infinities, and times beyond the years of ISO 8601.
WITHOUT_JSON = {"NaN", "Infinity", "-Infinity", "4611686018427387904 s"}
HIDDEN = {"\t": "␉", "\u202e": "⟨202E⟩"}
UNITS = {"s": ("s", 0), "ms": ("ms", 3), "us": ("µs", 6), "ns": ("ns", 9)}
BINARY = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view, pa.types.is_fixed_size_binary)
INTERVAL = re.compile(r"P(-?\d+)M(-?\d+)DT(-?[\d.]+)S")


def cell_of(value, kind, nested=False):
    """The text of a cell for a value of `.json?numbers=string`, whose numbers with a point are text."""
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return cell_of(value, kind.value_type, nested)
    if value is None:
        return "null"
    if pa.types.is_boolean(kind):
        return json.dumps(value)
    if pa.types.is_floating(kind):
        number = float(value)
        return "-0" if str(number) == "-0.0" else repr(number).removesuffix(".0")
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        if nested:
            return json.dumps(value, ensure_ascii=False)
        return "".join(HIDDEN.get(each, each) for each in value) or "empty"
    if any(is_kind(kind) for is_kind in BINARY):
        raw = base64.b64decode(value)
        return f"0x{raw.hex()} ({len(raw)} B)"
    if pa.types.is_timestamp(kind):
        return value.replace("T", " ")
    if pa.types.is_date64(kind):
        return value.replace("T", " ").removesuffix(" 00:00:00.000")
    if pa.types.is_duration(kind):
        unit, digits = UNITS[kind.unit]
        return f"{int(D(value.removeprefix('PT').removesuffix('S')).scaleb(digits))} {unit}"
    if pa.types.is_interval(kind):
        months, days, seconds = INTERVAL.fullmatch(value).groups()
        return f"{months} month{'' if months == '1' else 's'} {days} d {int(D(seconds).scaleb(9))} ns"
    if pa.types.is_struct(kind):
        members = (f"{field.name}: {cell_of(value[field.name], field.type, True)}" for field in kind)
        return "{" + ", ".join(members) + "}"
    if pa.types.is_map(kind):
        entries = (f"{json.dumps(key)}: {cell_of(each, kind.item_type, True)}" for key, each in value.items())
        return "{" + ", ".join(entries) + "}"
    if pa.types.is_union(kind):
        return json.dumps(value, separators=(",", ":"))
    if isinstance(value, list):
        return "[" + ", ".join(cell_of(each, kind.value_type, True) for each in value) + "]"
    return str(value)


def test_cells_show_exact_values(shown, folder):
    """Compares the cells of each type with texts that are written by hand and with those of JSON."""
    table = pa.table([values for values, _ in VALUES.values()], names=list(VALUES))
    put(shown, "cells", table, folder)
    seen = use(shown, "rows", "cells", 2, len(VALUES))
    body = curl(f"{shown.url}/datasets/cells.json?numbers=string").body
    rows = json.loads(body, parse_float=str, parse_int=lambda digits: digits if digits == "-0" else int(digits))
    for i, (name, (values, texts)) in enumerate(VALUES.items()):
        assert [line[i] for line in seen["texts"]] == [grouped(text, values.type) for text in texts], name
        written = [cell_of(line[name], values.type) for line in rows]
        assert all(text in (found, *WITHOUT_JSON) for text, found in zip(texts, written, strict=True)), (name, written)


def test_sorted_cells_show_exact_values(shown, folder):
    """Also of types that no statement can return."""
    table = pa.table([pa.array([1, 2]), *(values for values, _ in VALUES.values())], names=["key", *VALUES])
    put(shown, "cells-sorted", table, folder)
    seen = use(shown, "rows", "cells-sorted#rows&sort=-0", 2, 1 + len(VALUES))
    for i, (name, (values, texts)) in enumerate(VALUES.items()):
        assert [line[1 + i] for line in seen["texts"]] == [grouped(text, values.type) for text in texts[::-1]], name


@pytest.fixture(scope="module")
def long(shown, folder):
    columns = {f"c{i}": pa.array(numpy.arange(i, ROWS + i)) for i in range(12)}
    columns["c3"] = columns["c3"].cast(pa.utf8())
    columns["c4"] = pa.DictionaryArray.from_arrays(numpy.arange(ROWS) % 3, ["Alpina", "Fjordair", "Meridian"])
    columns["c5"] = pa.StructArray.from_arrays([columns["c5"], columns["c3"]], ["number", "text"])
    put(shown, "long", pa.table(columns), folder, "zstd")
    return "long"


def test_first_rows_take_little(shown, long):
    traffic = use(shown, "rows", long, 1, 1)["traffic"]
    assert traffic["bytes"] < 80_000
    assert traffic["requests"] <= 10


def test_rows_by_keys(shown, long):
    seen = use(shown, "keys", long, 654_321)
    assert seen["middle"] == seen["again"] == "654,321"
    assert seen["hash"] == "#rows&row=654321"
    assert seen["drawer"] == "654322"
    assert seen["end"] == f"{ROWS - 1:,}"


def test_condition_is_in_the_url(shown, long):
    seen = use(shown, "where", long, "c0 >= 4999990", "c0 >")
    assert seen["count"] == seen["again"] == "10 of 5,000,000 rows"
    assert seen["first"] == "4,999,990"
    assert seen["csv"] == "/datasets/long@1.csv?where=c0+%3E%3D+4999990"
    assert seen["safe"] == [f"{seen['csv']}&text=safe&bom=true", "/datasets/long@1.csv?text=safe&bom=true"]
    assert seen["pinned"] == "/datasets/long@1#rows&where=c0%20%3E%3D%204999990"
    assert seen["isPinned"]
    assert "yntax error" in seen["alert"]
    assert seen["kept"] == "4,999,990"


LONG_NAME = " ".join(["Llanfair"] * 10)
"""More than a cell of the preview has room for."""


def test_files_are_uploaded(shown, folder):
    csv = folder / "dropped.csv"
    csv.write_text("city,altitude,people\nZermatt,1608,5800\nBasel,260,178120\n" + LONG_NAME + ",0,0\n")
    lines = folder / "dropped too.jsonl"
    lines.write_text('{"a": 1}\n')
    seen = use(shown, "upload", csv, lines)
    assert seen["inferred"] == [
        "CSV: 3 columns",
        [["city", "varchar"], ["altitude", "bigint"], ["people", "bigint"]],
        [["Zermatt", "1608", "5800"], ["Basel", "260", "178,120"], [LONG_NAME, "0", "0"]],
        ["Text", "Whole number", "Whole number"],
        1,
    ]
    assert ["".join(line.split()) for line in seen["stored"]] == [
        "dropped.csvdropped:3rows",
        "droppedtoo.jsonldropped-too-renamed:1row",
    ]
    assert seen["count"] == "6 rows"
    assert seen["first"] == "Zermatt"


GERMAN = "Umsatz 2024;;\r\n\r\nKunde;Betrag;Datum\r\nMüller;1.234,50;01/02/2024\r\nGroß;2,5;13/02/2024\r\n"


def dropped_files(folder):
    """Files as people have them, by what their rows show: the settings that are found, the names, and the first row."""
    german = folder / "Umsätze.csv"
    german.write_bytes("Kunde;Preis;Datum\r\nMüller;1234,50;31.01.2024\r\n".encode("utf-8-sig"))
    latin = folder / "latin.csv"
    latin.write_bytes("Straße,Ort\nHauptstraße 1,Köln\n".encode("cp1252"))
    coded = folder / "numbers.csv.gz"
    # More than the megabyte that the page sends.
    coded.write_bytes(gzip.compress("".join(["id,square\n", *(f"{i},{i * i}\n" for i in range(600_000))]).encode()))
    assert coded.stat().st_size > 1 << 20
    workbook = folder / "three.xlsx"
    sheets = openpyxl.Workbook()
    sheets.active.title = "Leer"
    second = sheets.create_sheet("Daten")
    for row in (["Name", "Menge"], ["Äpfel", 3.5]):
        second.append(row)
    sheets.create_sheet("Mehr").append(["x"])
    sheets.save(workbook)
    text = {"Delimiter": "comma", "Encoding": "utf-8", "Decimal mark": "1.5", "Names": "in the first row", "Rows that do not fit": "are refused"}
    return {
        german: (text | {"Delimiter": "semicolon", "Decimal mark": "1,5"}, ["Kunde", "Preis", "Datum"], ["Müller", "1234.5", "2024-01-31"]),
        latin: (text | {"Encoding": "windows-1252"}, ["Straße", "Ort"], ["Hauptstraße 1", "Köln"]),
        coded: (text, ["id", "square"], ["0", "0"]),
        workbook: ({"Sheet": "Daten", "Names": "in the first row", "Rows that do not fit": "are refused"}, ["Name", "Menge"], ["Äpfel", "3.5"]),
    }


def test_rows_are_in_sight_after_a_drop_and_a_click(shown, folder):
    for path, (settings, names, row) in dropped_files(folder).items():
        seen = use(shown, "dropped", path)
        warned = bool(seen.pop("notes"))
        assert seen == {"settings": settings, "names": names, "first": [row], "alerts": 0}
        assert warned == (path.name in ("latin.csv", "three.xlsx"))


def test_notes_name_the_controls_that_help(shown, folder):
    path = folder / "noted.csv"
    path.write_text('when,"share, of all",code\n1/25/1999 0:00,5%,1\n2/1/1999 0:00,7%,2\n')
    seen = use(shown, "noted", path)
    assert seen["notes"] == [
        'Column when is text: it has dates such as "1/25/1999 0:00"; Dates such as 01/02/2024: month first reads them',
        'Column share, of all is text: it has percentages such as "5%"; Type of column share, of all: Percentage reads them',
    ]
    assert seen["focused"] == [["csv.dates", "month-first"], ["Type of column share, of all", "percent"]]
    assert seen["rest"] == 0
    assert seen["rows"] == [["1999-01-25T00:00:00.000000", "0.05", "1"], ["1999-02-01T00:00:00.000000", "0.07", "2"]]
    assert seen["axe"] == []


def test_preview_decides(shown, folder):
    path = folder / "decided.csv"
    path.write_bytes(GERMAN.encode("cp1252"))
    uneven = folder / "uneven.csv"
    uneven.write_text("a,b\n1,2\n3\n4,5\n")
    records = folder / "records.json"
    records.write_text('{"total": 1, "meta": {"a": 1}, "items": [{"id": 1}, {"id": 2}]}')
    seen = use(shown, "decided", path, uneven, records)
    assert any("windows-1252" in note for note in seen["notes"])
    assert any("Type of column Betrag: Number in groups" in note for note in seen["notes"])
    assert seen["focused"] == "csv.dates"
    assert seen["rows"] == [["Müller", "1234.5", "2024-02-01"], ["Groß", "2.5", "2024-02-13"]]
    assert seen["query"] == "?csv.dates=day-first&csv.types=Betrag%3Agrouped&rename=Betrag%3A%22net%2C+amount%22"
    assert seen["stored"] == [["Müller", "1234.5", "2024-02-01"]]
    assert (seen["kept"], seen["invalid"], seen["hasty"]) == ("c", "true", "?csv.rows=skip&csv.header=false")
    schema = curl(f"{shown.url}/datasets/decided/schema").json()
    assert [field["name"] for field in schema["fields"]] == ["Kunde", "net, amount", "Datum"]
    assert "csv.rows=skip" in seen["hint"]
    assert seen["left"] == ["1 row left out", "Line 3: Expected 2 fields but found 1"]
    assert curl(f"{shown.url}/datasets/uneven.json").json() == [{"a": 1, "b": 2}, {"a": 4, "b": 5}]
    assert seen["records"] == 2
    assert seen["axe"] == []


def test_upload_goes_on_after_a_reload(shown, folder):
    path = folder / "paused.csv"
    path.write_text("a,b\n" + "".join(f"{i},{'x' * 90}\n" for i in range(100_000)))
    seen = use(shown, "pause", path)
    assert "paused" in seen["paused"]
    assert seen["stored"] == "100,000 rows"
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
    assert seen == {"status": 200, "told": "Version 2 is available", "before": "2 rows", "after": "3 rows"}


def test_rows_are_sorted(shown, folder):
    """By SQL, with times in the unit of their column and equal rows in their order."""
    table = pa.table(
        {
            "n": pa.array([2, 1, None, 2], pa.int64()),
            "N": pa.array(["second", "first", "null", "third"]),
            "at": pa.array([1, 2, 3, 4], pa.timestamp("s", "UTC")),
            "took": pa.array([1, 2, 3, 4], pa.duration("ms")),
        }
    )
    put(shown, "sorted", table, folder)
    seen = use(shown, "sort", "sorted")
    assert seen["up"] == [["1", "first"], ["2", "second"], ["2", "third"], ["null", "null"]]
    assert seen["down"] == [["2", "second"], ["2", "third"], ["1", "first"], ["null", "null"]]
    assert seen["times"] == ["1970-01-01 00:00:01Z", "1 ms"]
    assert seen["hash"] == "#rows&sort=-0"
    assert seen["states"] == ["ascending", "descending", "none"]
    assert seen["back"] == "2"


def test_button_of_a_header_sorts(shown, folder):
    """The rows can be downloaded as they are sorted; equal ones keep their order."""
    put(shown, "buttons", pa.table({"n": [1, 9, 2, 2], "at": ["a", "b", "c", "d"]}), folder)
    seen = use(shown, "sortButton", "buttons")
    assert seen["shown"] == [["2", "c"], ["2", "d"], ["1", "a"]]
    assert seen["csv"].split("\r\n") == ["n,at", "2,c", "2,d", "1,a", ""]
    formats = ["CSV", "Excel", "Parquet", "Arrow", "JSON", "JSON lines", "TSV", "Arrow stream", "Text table", "CSV for spreadsheets"]
    assert [re.sub(r"\s*\.\w+$", "", text) for text in seen["offered"]] == formats
    assert seen["excel"] == "buttons.xlsx"


def test_cells_are_copied(shown, folder):
    """As lines for spreadsheets by a key, and in four formats, also those that are not loaded."""
    rows = 3000
    table = pa.table(
        {
            "id": numpy.arange(rows) + 2**60,
            "te,xt": pa.array(['say "hi",\n|ho|', "", *(["x"] * (rows - 2))]),
            "when": pa.array([0, None, *([1] * (rows - 2))], pa.timestamp("ms", "UTC")),
            "list": pa.array([[1.5, None], [], *([[0]] * (rows - 2))], pa.list_(pa.float64())),
            "map": pa.array([[("k", True)], None, *([[]] * (rows - 2))], pa.map_(pa.utf8(), pa.bool_())),
            "raw": pa.array([b"\x01\xff", b"", *([b""] * (rows - 2))]),
        }
    )
    put(shown, "copied", table, folder)
    seen = use(shown, "copied", "copied", rows, "id < 1152921504606847976")
    assert list(csv.reader(io.StringIO(seen["keys"]), delimiter="\t"))[1][:3] == ["1152921504606846977", "", ""]
    names = table.column_names
    first = [str(2**60), 'say "hi",\n|ho|', "1970-01-01 00:00:00.000Z", "[1.5, null]", '{"k": true}', "0x01ff"]
    second = [str(2**60 + 1), "", "", "[]", "", "0x"]
    assert list(csv.reader(io.StringIO(seen["selected"]["CSV"]))) == [names, first, second]
    assert seen["selected"]["CSV"].splitlines()[-1] == '1152921504606846977,"",,[],,0x'
    assert list(csv.reader(io.StringIO(seen["selected"]["TSV"]), delimiter="\t")) == [names, first, second]
    assert json.loads(seen["selected"]["JSON"]) == [
        dict(zip(names, [2**60, *first[1:3], [1.5, None], {"k": True}, "0x01ff"], strict=True)),
        dict(zip(names, [2**60 + 1, "", None, [], None, "0x"], strict=True)),
    ]
    assert seen["selected"]["Markdown"].splitlines() == [
        "| id | te,xt | when | list | map | raw |",
        "| ---: | --- | --- | --- | --- | --- |",
        '| 1152921504606846976 | say "hi",<br>\\|ho\\| | 1970-01-01 00:00:00.000Z | \\[1.5, null] | {"k": true} | 0x01ff |',
        "| 1152921504606846977 |  | *null* | \\[] | *null* | 0x |",
    ]
    assert seen["preview"] == seen["selected"]["Markdown"]
    assert seen["saved"]["name"] == "copied.csv"
    assert seen["saved"]["text"].splitlines() == ["id", *(str(2**60 + i) for i in range(rows))]
    assert seen["sorted"].splitlines() == ["id", *(str(2**60 + i) for i in range(999, -1, -1))]


def test_copies_have_every_type(shown, folder):
    table = pa.table([values for values, _ in VALUES.values()], names=list(VALUES))
    put(shown, "cells-copied", table, folder)
    seen = use(shown, "copiedTypes", "cells-copied")
    hidden = {"null": "", "empty": "", "a␉b⟨202E⟩c<b>": "a\tb\u202ec<b>"}
    shown_lines = zip(*(texts for _, texts in VALUES.values()), strict=True)
    expected = [[hidden.get(text, re.sub(r" \(\d+ B\)$", "", text)) for text in line] for line in shown_lines]
    for name, delimiter in (("CSV", ","), ("TSV", "\t")):
        rows = list(csv.reader(io.StringIO(seen[name], newline=""), delimiter=delimiter))
        assert rows == [list(VALUES), *expected], name

    def constant(text):
        raise AssertionError(text)

    first, second = json.loads(seen["JSON"], parse_constant=constant, parse_float=str)
    assert list(first) == list(VALUES)
    assert first["decimal128"] == "-0.05"
    assert second["uint64"] == 0
    assert second["float64"] == "NaN"
    assert '"negative zero": -0,' in seen["JSON"]
    assert first["struct"] == {"__proto__": "a", "n": 2**60}
    assert first["map"] == {"k": 1}
    assert first["list of dictionary"] == ["x", "y"]
    assert second["dictionary with null"] is None
    assert first["union of decimals"] == {"0": "1.23"}
    assert len(seen["Markdown"].splitlines()) == 4


def test_long_values_are_copied(shown, folder):
    """Shows values of which a request returns one at a time, and two columns one after the other."""
    text = "x" * 2_500_000
    put(shown, "heavy", pa.table({"id": ["a", "b", "c"], "text": [text] * 3, "more": [text] * 3}), folder)
    seen = use(shown, "copiedLong", "heavy")
    assert seen == {"length": 3 * 5_000_005 + 14, "lines": ["id,", "a,x", "b,x", "c,x", ""]}


def test_copying_fails_and_ends(shown, folder):
    """A service that is busy, one that wants a token, nothing to copy, and a copy that is cancelled by closing the side."""
    put(shown, "copying", pa.table({"a": numpy.arange(60_000)}), folder)
    seen = use(shown, "copyingFails", "copying")
    assert seen["busy"] == "The service is busy"
    assert seen["copied"] == "a\r\n0\r\n"
    assert seen["refused"] == "Expected a token but found none"
    assert seen["clipboard"] == "kept"
    assert seen["nothing"] == "There are no rows to copy."
    assert seen["isEnded"]


def test_side_is_in_the_url(shown, folder):
    put(shown, "aside", pa.table({"a": range(5), "b": list("vwxyz")}), folder)
    assert use(shown, "sideState", "aside") == {
        "linked": "b",
        "value": "#rows&side=value&row=2&column=1",
        "closed": "#rows&row=2&column=1",
        "isInGrid": True,
        "again": "w",
        "hash": "#rows&row=1&column=1&side=value",
    }


def test_rows_far_in_an_order(shown, long):
    """Others that are near take no further statement."""
    seen = use(shown, "far", long, 2_500_000, 2_499_800)
    assert seen == {"first": f"{ROWS - 1 - 2_500_000:,}", "second": f"{ROWS - 1 - 2_499_800:,}", "before": True, "more": 0}


def test_statistics_and_values_lead_to_rows(shown, folder):
    numbers = pa.array(range(100))
    parity = pa.array(["odd" if i % 2 else "even" for i in range(100)])
    table = pa.table({"number": numbers, "parity": parity, "none": pa.array([None] * 100, pa.date32())})
    put(shown, "facets", table, folder)
    seen = use(shown, "facets", "facets")
    assert seen["summaries"] == ["100 % null"]
    assert seen["counts"] == ["100 rows", "50 of 100 rows", "1 of 100 rows", "0 of 100 rows"]
    both = ["parity is even", "number is 2"]
    assert seen["conditions"] == [both, [*both, "none is not null"]]


def test_bar_of_a_header_filters(shown, folder):
    put(shown, "bars", pa.table({"n": pa.array([0] * 7 + list(range(100)))}), folder)
    seen = use(shown, "bar", "bars")
    # The headers count among the rows that are left.
    assert seen == {"label": "0 to 5: 12 rows", "count": "12 of 107 rows", "narrowed": "0 to 1: 8 rows"}


def test_later_condition_is_shown(shown, long):
    seen = use(shown, "overtaken", long, "c0 < 3", "c0 < 5")
    assert seen == {"count": "5 of 5,000,000 rows", "shown": ["c0 < 5"]}


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
    assert seen == {"first": "0", "last": f"{count:,}", "cells": True}


def test_failures_are_told(shown, folder):
    """A service that is busy, a dataset that is deleted while it is looked at, and a token that is asked for."""
    put(shown, "leaving", pa.table({"c0": pa.array(range(100_000))}), folder)
    seen = use(shown, "busy", "leaving")
    assert "Try again in" in seen["button"]
    assert seen["after"] == "0"
    seen = use(shown, "deleted", "leaving")
    assert "leaving" in seen["alert"]
    assert seen["badge"] == "This dataset was deleted"


def test_chosen_rows_stay_on_the_page(shown, folder):
    put(shown, "chosen", pa.table({"a": range(5)}), folder)
    assert use(shown, "chosen", "chosen", "3,1") == {"cells": ["1", "3"], "grids": 0}


def test_what_has_no_rows_says_so(shown, folder):
    put(shown, "without-rows", pa.table({"a": pa.array([], pa.int64()), "b": pa.array([], pa.utf8())}), folder)
    assert use(shown, "empty", "without-rows") == {"sentence": "No rows", "heads": ["a", "b"]}
    put(shown, "with-rows", pa.table({"a": [1]}), folder)
    seen = use(shown, "empty", "with-rows#rows&where=a%20%3E%201&sort=0")
    assert seen == {"sentence": "No row matches", "heads": ["a"]}


def test_token_is_asked_for(folder):
    service = Service(folder / "token", **{"quiver.token": "s3cret"})
    try:
        assert use(service, "nothing") == {"count": "0 datasets", "drop": True}
        path = folder / "wanted.csv"
        path.write_text("a\n" + "".join(f"{i}\n" for i in range(100_000)))
        name = f"{service.url}/datasets/wanted"
        assert curl("-T", path, "-H", "Authorization: Bearer s3cret", "-H", "Content-Type: text/csv", name).status == 201
        seen = use(service, "lost", "wanted", "s3cret")
        assert seen == {
            "refused": "Expected a token but found none",
            "first": "0",
            "unreachable": "The service cannot be reached.",
            "last": "99,999",
        }
        path = folder / "private.csv"
        path.write_text("a\n1\n")
        seen = use(service, "token", path, "s3cret")
        assert seen == {"stored": "private", "count": "1 row"}
    finally:
        service.stop()


def test_pages_fit_a_phone(shown):
    paths = ["/", "/datasets/sample", "/datasets/sample#anatomy", "/inspect", "/docs", "/docs/pages", "/docs/http-api"]
    seen = use(shown, "phone", "sample", *paths)
    assert seen["wider"] == []
    assert not seen["isOpen"]
    assert seen["value"] == "Mercury-Redstone 4"
    assert not seen["covers"]


def test_side_stands_beside_the_rows(shown):
    seen = use(shown, "side", "sample")
    assert seen == {"isBeside": True, "focused": "Columns", "title": "mission"}


def test_colours_are_chosen(shown):
    (light, _), *others = use(shown, "colours")
    assert others == [["rgb(15, 20, 20)", 1], ["rgb(15, 20, 20)", 1], [light, 0]]


def test_hostile_names_of_columns(shown, folder):
    names = ["<img src=x onerror=alert(1)>", "__proto__", "constructor", "a\u202eb", "", "x" * 300]
    put(shown, "hostile", pa.table([pa.array([1])] * len(names), names=names), folder)
    seen = use(shown, "hostile", "hostile", len(names))
    expected = [*names[:3], "a⟨202E⟩b", "(no name)", names[5]]
    assert seen == {"heads": expected, "choices": expected, "images": 0, "title": "hostile · Quiver"}


def test_pages_work_in_firefox(shown, long, folder):
    path = folder / "firefox.csv"
    path.write_text("a\n1\n")
    dropped = {name.rename(name.with_stem(f"f-{name.stem}")): seen for name, seen in dropped_files(folder).items()}
    last = f"{ROWS - 1:,}"
    assert visit_in_firefox("firefox.mjs", shown, long, path, *dropped) == {
        "first": "0",
        "jumped": "500,000",
        "sorted": last,
        "matched": "9",
        "record": "Row 0",
        "found": "7",
        "result": "4",
        "inferred": "a",
        "stored": "1",
        "dropped": [row for _, _, row in dropped.values()],
    }


def test_link_to_a_row_is_where_the_wheel_goes_on(shown, folder):
    columns = {f"c{i}": numpy.arange(1000) for i in range(59)}
    columns["far"] = numpy.arange(1000) + 10**17
    put(shown, "sixty", pa.table(columns), folder)
    seen = use(shown, "linked", "sixty", 500, 50)
    assert 0 < seen["moved"] < 10
    assert seen["columns"] == 1
    # The values of the last column, which come late, are not cut.
    first, narrower, fitted = use(shown, "widths", "sixty", 59)["widths"]
    assert narrower == first - 24
    assert fitted == first


def test_link_without_a_token_shows_rows(folder):
    service = Service(folder / "shared", **{"quiver.token": "s3cret", "quiver.token-required-for": "all"})
    try:
        token = ["-H", "Authorization: Bearer s3cret"]
        path = folder / "shared.csv"
        path.write_text("a\n1\n2\n")
        assert curl("-T", path, *token, f"{service.url}/datasets/shared.csv").status == 201
        made = curl("-X", "POST", *token, f"{service.url}/datasets/shared/links?expires=1h")
        seen = use(service, "shared", json.loads(made.body)["url"].removeprefix(service.url))
        line = seen.pop("line")
        assert seen == {"first": "1", "count": "2 rows", "version": "/datasets/shared@1"}
        subprocess.run(["bash", "-c", line], check=True, cwd=folder, timeout=60)
        assert (folder / "shared.arrow").stat().st_size > 0
        seen = use(service, "password", "shared", "s3cret")
        assert all('-H "Authorization: Bearer $TOKEN"' in line for line in seen.values())
    finally:
        service.stop()


def test_names_of_files_become_names_of_datasets(shown):
    seen = use(shown, "named", "Übersicht 2026.json.csv", "a\n1\n")
    assert seen == {"chosen": "Ubersicht-2026-json", "stored": "/datasets/Ubersicht-2026-json"}

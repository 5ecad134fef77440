"""Rows as JSON, JSON Lines, CSV and TSV, read by Python's own parsers and by pyarrow."""

import csv
import decimal
import io
import json
import random
import re
import subprocess
import urllib.request

import pyarrow as pa
import pyarrow.csv
import pytest

import tables
from conftest import upload
from service import curl

ROWS = 70_000


@pytest.fixture(scope="module")
def rows(service, folder):
    table = tables.table(20)
    return table, upload(service, "rows", tables.write_stream(table, folder / "rows.arrows", "zstd"))


def exact(text):
    return json.loads(text, parse_float=str)


def plain(table, name):
    """The values of a column with a type that JSON can represent directly."""
    return table.column(name).to_pylist()


def test_json_and_json_lines_equal_the_table(rows):
    table, dataset = rows
    response = curl(dataset.url + ".json")
    assert response.headers["content-type"] == "application/json"
    found = exact(response.body)
    lines = curl(dataset.url + ".jsonl").body.decode().splitlines()
    assert [exact(line) for line in lines] == found
    assert [list(row) for row in found] == [table.column_names] * table.num_rows
    column = {name: [row[name] for row in found] for name in table.column_names}
    for name in ("id", "int8", "uint32", "flag", "text", "large_text", "text_view", "place", "list", "nothing"):
        assert column[name] == plain(table, name), name
    assert [v and float(v) for v in column["float64"]] == plain(table, "float64")
    assert column["decimal128"] == [str(v) for v in plain(table, "decimal128")]
    assert column["date"] == [v.isoformat() for v in plain(table, "date")]


def test_numbers_as_strings(rows):
    table, dataset = rows
    found = curl(dataset.url + ".json?numbers=string").json()
    assert [row["id"] for row in found] == [str(v) for v in plain(table, "id")]
    assert [row["decimal256"] for row in found] == [str(v) for v in plain(table, "decimal256")]


def test_python_and_pyarrow_read_csv(rows):
    table, dataset = rows
    body = curl(dataset.url + ".csv").body
    header, *records = csv.reader(io.StringIO(body.decode(), newline=""))
    assert header == table.column_names and len(records) == table.num_rows
    at = header.index("list")
    assert [json.loads(record[at]) for record in records] == plain(table, "list")
    read = pa.csv.read_csv(io.BytesIO(body))
    for name in ("id", "int8", "uint32", "float64", "flag"):
        assert read.column(name).to_pylist() == plain(table, name), name


def test_pyarrow_reads_tsv(rows):
    table, dataset = rows
    body = curl(dataset.url + ".tsv").body
    assert body.count(b"\n") == table.num_rows + 1
    parse = pa.csv.ParseOptions(delimiter="\t", quote_char=False)
    convert = pa.csv.ConvertOptions(null_values=["\\N"], strings_can_be_null=True)
    read = pa.csv.read_csv(io.BytesIO(body), parse_options=parse, convert_options=convert)
    assert read.column_names == table.column_names
    for name in ("id", "int8", "uint32", "float64", "flag"):
        assert read.column(name).to_pylist() == plain(table, name), name
    escapes = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
    expected = [text if text is None else text.translate(escapes) for text in plain(table, "text")]
    assert read.column("text").to_pylist() == expected


def test_curl_reports_a_response_beyond_the_limit(service, folder):
    """A dictionary repeats a text of 1 MB 2,000 times: twice the limit of a response."""
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 2_000, pa.int16()), pa.array(["x" * 1_000_000]))
    path = tables.write_stream(pa.table({"t": texts}), folder / "cut.arrows")
    dataset = upload(service, "cut-rows", path)
    for suffix in (".json", ".jsonl", ".csv", ".tsv"):
        done = subprocess.run(["curl", "-sS", "-o", "/dev/null", dataset.url + suffix])
        assert done.returncode == 18, suffix


def test_text_is_read_by_python_and_appended_as_it_was(service):
    """Texts of what CSV and TSV escape, numbers with all their digits, and runs."""
    random_ = random.Random(1)
    pieces = ["a", "\t", "\n", "\r", "\\", "\\N", '"', "'", "é", " ", ","]
    texts = [None if i % 10 == 0 else "".join(random_.choices(pieces, k=i % 4)) for i in range(ROWS)]
    floats = [random_.choice([0.0, -0.0, float("nan"), float("inf"), random_.random() * 10.0 ** random_.randrange(-30, 30)]) for _ in texts]
    digits = [None if i % 9 == 0 else decimal.Decimal(random_.randrange(-(10**75), 10**75)) for i in range(ROWS)]
    table = pa.table(
        {
            "text": texts,
            "float": floats,
            "decimal": pa.array(digits, pa.decimal256(76, 0)),
            "instant": pa.array([random_.randrange(-(2**63), 2**63) for _ in texts], pa.timestamp("ns")),
            "runs": pa.RunEndEncodedArray.from_arrays(pa.array([5, ROWS], pa.int32()), pa.array([1.5, None])),
        }
    )
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    for suffix in ("csv", "tsv"):
        url = f"{service.url}/datasets/written-{suffix}"
        with urllib.request.urlopen(urllib.request.Request(url, sink.getvalue().to_pybytes(), method="PUT")) as response:
            assert response.status == 201
        body = curl(f"{url}.{suffix}").body
        text = body.decode()
        if suffix == "csv":
            # This reader takes null for an empty text.
            found = [row[:2] for row in csv.reader(io.StringIO(text, newline=""))][1:]
            assert [row[0] for row in found] == [each or "" for each in texts]
        else:
            found = [line.split("\t")[:2] for line in text.split("\n")[1:-1]]
            assert [unescaped(row[0]) for row in found] == texts
        assert list(map(str, (float(row[1]) for row in found))) == list(map(str, floats))
        with urllib.request.urlopen(urllib.request.Request(f"{url}.{suffix}", body, method="POST")) as response:
            assert response.status == 200
        rows = pa.ipc.open_stream(curl(f"{url}.arrows").body).read_all()
        for name in table.column_names:
            column = rows[name].cast(pa.int64()) if name == "instant" else rows[name]
            first, second = ([str(value) for value in column.slice(start, ROWS).to_pylist()] for start in (0, ROWS))
            assert first == second, name
        assert rows.num_rows == 2 * ROWS


def unescaped(field):
    """A text of TSV, or None for null."""
    letters = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
    return None if field == "\\N" else re.sub(r"\\([tnr\\])", lambda match: letters[match[1]], field)

"""The views of a dataset other than its rows: schema, profile, versions, and the lines of other programs."""

import concurrent.futures
import csv
import datetime
import decimal
import http.server
import io
import json
import os
import random
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import clients
from conftest import need
from service import Service, curl
from visitor import visit, written

COLUMNS = 10_000
TOKEN = "a token"
VISIBLE = "it's \"q\" \\ $HOME `id` %s {x} é !# </pre>"
HOSTILE = VISIBLE + "\u202e\n"
"""Names that mean something to every language."""


@pytest.fixture(scope="module")
def shown(folder):
    service = Service(folder / "views", **{"quiver.storage.sync": "false"})
    # Its first version ends while other tests run.
    put(service, "ended", pa.table({"a": [1]}), folder, "?expires=15s")
    put(service, "ended", pa.table({"b": [1]}), folder)
    put(service, "ended", pa.table({"b": [1], "c": pa.array([1], pa.int8())}), folder)
    yield service
    service.stop()


def put(service, name, table, folder, query=""):
    path = folder / f"{name}.arrows"
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    response = curl("-T", path, f"{service.url}/datasets/{name}{query}")
    assert response.status in (200, 201), response


def use(service, scenario, *parameters):
    return visit("views_page.mjs", service, scenario, *parameters)


# Conditions

ROWS = 300


def column(type_, value, seed=[0]):
    """A column of random values with nulls."""
    seed[0] += 1
    source = random.Random(seed[0])
    values = [None if source.random() < 0.1 else value(source) for _ in range(ROWS)]
    return pa.array(values, type_)


def among(*values):
    return lambda source: source.choice(values)


def below(limit, least=None):
    return lambda source: source.randrange(-limit if least is None else least, limit)


def day(source):
    return datetime.date(1970, 1, 1) + datetime.timedelta(source.randrange(-9000, 20000))


def scaled(scale):
    return lambda source: decimal.Decimal(source.randrange(-(10**6), 10**6)).scaleb(-scale)


FLOATS = (0.1, 0.3, -0.0, 0.0, float("nan"), float("inf"), float("-inf"), 16777216.0)
TYPES = {
    "int8": column(pa.int8(), below(128)),
    "int64": column(pa.int64(), among(2**63 - 1, -(2**63), 0, 2**53 + 1)),
    "uint64": column(pa.uint64(), among(2**64 - 1, 2**63, 0)),
    "float16": column(pa.float16(), among(0.1, 1.5, -2.0, 6e-8, 65504.0, float("nan"))),
    "float32": column(pa.float32(), among(*FLOATS)),
    "random float32": column(pa.float32(), random.Random.random),
    "float64": column(pa.float64(), among(*FLOATS, 0.30000000000000004, 1e300, 5e-324)),
    "random float64": column(pa.float64(), lambda source: source.gauss(0, 1)),
    "bool": column(pa.bool_(), among(True, False)),
    "text": column(pa.utf8(), among("", "it's", 'a"b', "\\n", "x'; DROP", "a\u202eb", "nul\0z", "%_", " null ")),
    "view": column(pa.string_view(), among("a", "b longer than twelve")),
    "dictionary": column(pa.utf8(), among("x", "y", None)).dictionary_encode(),
    "runs": pc.run_end_encode(pa.array(sorted(i % 3 for i in range(ROWS)), pa.int64())),
    "decimal128": column(pa.decimal128(30, 2), scaled(2)),
    "decimal32": column(pa.decimal32(7, 3), scaled(3)),
    "38 digits": column(pa.decimal128(38, 0), among(*(decimal.Decimal(n) for n in (10**38 - 1, 1 - 10**38, 0)))),
    "date32": column(pa.date32(), day),
    "date64": column(pa.date64(), day),
    "far dates": column(pa.date32(), among(-800_000, -719_528, 3_000_000, 0)),
    "time32": column(pa.time32("ms"), below(86_400_000, 0)),
    "time64": column(pa.time64("ns"), below(86_400 * 10**9, 0)),
    "timestamp": column(pa.timestamp("s"), below(10**10)),
    "nanoseconds": column(pa.timestamp("ns"), below(10**18)),
    "close": column(pa.timestamp("ns"), below(10**18 + 10, 10**18)),
    "zoned": column(pa.timestamp("us", "Europe/Zurich"), below(10**15)),
    "duration": column(pa.duration("us"), below(10**9)),
    "binary": column(pa.binary(), among(b"", b"\0\xff'", b"abc")),
    "nothing": pa.nulls(ROWS),
    "list": column(pa.list_(pa.int32()), among([1, 2])),
    "struct": column(
        pa.struct([("a", pa.int32()), ('b c"d', pa.utf8()), ("e", pa.struct([("f.g", pa.float64())]))]),
        lambda source: {"a": source.randrange(5), 'b c"d': source.choice(["x", None]), "e": {"f.g": source.random()}},
    ),
    HOSTILE: column(pa.int32(), below(3, 0)),
    "select": column(pa.int32(), below(3, 0)),
    "a.b": column(pa.int32(), below(3, 0)),
    "É": column(pa.int32(), below(3, 0)),
    "nul\0": column(pa.int32(), below(3, 0)),
}
WITHOUT = {
    "": column(pa.int32(), below(3, 0)),
    "Twice": column(pa.int32(), below(3, 0)),
    "tWICE": column(pa.int32(), below(3, 0)),
}
"""Columns that no condition can name."""
WITHOUT_LITERALS = {
    "39 digits": column(pa.decimal256(39, 0), among(decimal.Decimal(1))),
    "negative scale": column(pa.decimal128(10, -2), among(decimal.Decimal(100))),
    "zoned nanoseconds": column(pa.timestamp("ns", "UTC"), below(10**18)),
    "short durations": column(pa.duration("ns"), below(10**12)),
    "far": column(pa.timestamp("s"), among(2**62, -(2**62))),
    "long text": column(pa.utf8(), among("é" * 200)),
}
"""Columns whose values SQL does not have, or statistics do not."""


def test_conditions_select_the_rows_that_statistics_count(shown, folder):
    columns = TYPES | WITHOUT | WITHOUT_LITERALS
    put(shown, "types", pa.table(list(columns.values()), names=list(columns)), folder)
    url = f"{shown.url}/datasets/types"
    statistics = curl(f"{url}/statistics?numbers=string").json()
    found = written("conditions", {"schema": curl(f"{url}/schema").json(), "statistics": statistics})

    def count(condition):
        request = urllib.request.Request(f"{url}.arrows?{urllib.parse.urlencode({'where': condition})}", method="HEAD")
        for _ in range(20):
            try:
                with urllib.request.urlopen(request) as response:
                    return int(response.headers["Arrow-Row-Count"])
            except urllib.error.HTTPError as error:
                if error.code not in (503, 504):
                    return error.code
            # The machine has other work.
            time.sleep(1)
        return None

    written_ones = [(condition, expected) for _, condition, expected in found if condition]
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        counts = list(threads.map(count, [condition for condition, _ in written_ones]))
    wrong = [(*pair, number) for pair, number in zip(written_ones, counts, strict=True) if pair[1] != number]
    assert not wrong
    names = [each["column"] for each in statistics["columns"]]
    missing = {names[i] for i, condition, _ in found if condition is None}
    assert missing == {*WITHOUT, *WITHOUT_LITERALS}
    assert len(written_ones) > 150


# Lines of code


class Gate(http.server.BaseHTTPRequestHandler):
    """Passes GETs with the token on to the service."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        status, headers, body = 401, {}, b""
        if self.headers["Authorization"] == f"Bearer {TOKEN}":
            with urllib.request.urlopen(self.server.target + self.path) as response:
                status, headers, body = response.status, response.headers, response.read()
        self.send_response(status)
        self.send_header("Content-Type", headers.get("Content-Type", "text/plain"))
        self.send_header("Content-Length", len(body))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def gate(shown):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Gate) as server:
        server.target = shown.url
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


VALUE = "a'b\\n\"$(id) %d\u202e"
VISIBLE_VALUE = VALUE[:-1]


def selection(name, value):
    """Parameters that select one row by a column, and two columns."""
    quoted = name.replace('"', '""')
    literal = value.replace("'", "''")
    return {"columns": f'"{quoted}",[2]', "where": f"\"{quoted}\" = '{literal}' AND \"nul\0\" < 3"}


@pytest.fixture(scope="module")
def hostile(shown, folder):
    table = pa.table({
        HOSTILE: [VALUE, "b", VALUE],
        VISIBLE: [VISIBLE_VALUE, "b", "b"],
        "other": [1, 2, 3],
        "nul\0": [1, 2, 3],
    })  # fmt: skip
    put(shown, "hostile", table, folder)
    return selection(HOSTILE, VALUE)


def lines_of(origin, dataset, parameters, needs_token=False):
    found = written("snippets", {"origin": origin, "dataset": dataset, "parameters": parameters, "needsToken": needs_token})
    return {each["title"]: each["code"] for each in found}


def run(title, code, folder):
    """The names of the columns and the number of rows that a line reads."""
    match title:
        case "curl" | "curl, as CSV":
            for path in folder.glob("hostile.*"):
                path.unlink()
            subprocess.run(["bash", "-c", code], check=True, cwd=folder, capture_output=True, timeout=60)
            (path,) = folder.glob("hostile.*")
            if title == "curl":
                table = pa.ipc.open_file(path).read_all()
                return table.column_names, table.num_rows
            with path.open(newline="") as file:
                names, *rows = csv.reader(file)
            return names, len(rows)
        case "R":
            need("Rscript")
            done = subprocess.run(["Rscript", "-e", f"{code}; cat(nrow(frame))"], check=True, capture_output=True, text=True, timeout=60)
            return None, int(done.stdout)
        case "JavaScript":
            need("node", "@uwdata/flechette")
            script = folder / "line.mjs"
            (folder / "node_modules").unlink(missing_ok=True)
            (folder / "node_modules").symlink_to(clients.NODE_MODULES)
            script.write_text(f"{code}\nconsole.log(JSON.stringify([table.schema.fields.map(({{ name }}) => name), table.numRows]));\n")
            done = subprocess.run(["node", script], check=True, capture_output=True, text=True, timeout=60)
            names, rows = json.loads(done.stdout)
            return names, rows
    need(*{"pandas": ["pandas"], "pyarrow": ["pyarrow"], "polars": ["polars"], "DuckDB": ["duckdb"]}[title])
    names = {}
    exec(code, names)
    match title:
        case "pandas":
            return list(names["frame"].columns), len(names["frame"])
        case "pyarrow":
            return names["table"].column_names, names["table"].num_rows
        case "polars":
            return names["frame"].columns, names["frame"].height
    return None, len(names["rows"])


@pytest.mark.parametrize("needs_token", (False, True), ids=("open", "with a token"))
def test_lines_read_what_they_say(shown, gate, hostile, folder, monkeypatch, needs_token):
    monkeypatch.setenv("TOKEN", TOKEN)
    found = lines_of(gate if needs_token else shown.url, "hostile@1", hostile, needs_token)
    assert list(found) == ["curl", "curl, as CSV", "pandas", "pyarrow", "polars", "DuckDB", "R", "JavaScript"]
    for title, code in found.items():
        names, rows = run(title, code, folder)
        assert rows == 1, (title, code)
        assert names in (None, [HOSTILE, "other"]), (title, code)
        assert "\u202e" not in code and TOKEN not in code, code


def test_lines_show_what_can_be_seen(shown, hostile, folder):
    parameters = selection(VISIBLE, VISIBLE_VALUE)
    parameters["where"] = parameters["where"].split(" AND ")[0]
    found = lines_of(shown.url, "hostile@1", parameters)
    assert "--data-urlencode" in found["curl"]
    for title in ("curl", "curl, as CSV", "pyarrow", "JavaScript"):
        assert run(title, found[title], folder) == ([VISIBLE, "other"], 1), found[title]


def test_lines_are_short_without_a_selection(shown, hostile, folder):
    url = f"{shown.url}/datasets/hostile"
    found = lines_of(shown.url, "hostile", {"limit": "2"})
    assert found["curl"] == f"curl -fo hostile.arrow '{url}.arrow?limit=2'"
    assert found["pandas"] == f'import pandas\n\nurl = "{url}.arrow?limit=2"\nframe = pandas.read_feather(url)'
    for title in ("curl", "polars", "JavaScript"):
        assert run(title, found[title], folder)[1] == 2


# The views


@pytest.fixture(scope="module")
def facts(shown, folder):
    table = pa.table({
        "number": pa.array([*range(100), *[None] * 20], pa.int32()),
        HOSTILE: pa.array([VALUE] * 70 + ["<b>"] * 30 + [None] * 20),
    })  # fmt: skip
    put(shown, "facts", table, folder)
    return "facts"


def test_profile_leads_to_its_rows(shown, facts):
    visible = HOSTILE.replace("\u202e", "⟨202E⟩").replace("\n", "␊")
    value = VALUE.replace("\u202e", "⟨202E⟩")
    seen = use(shown, "profile", facts, "number", visible, f"{value}: 70 rows")
    assert seen["facts"].split()[:10] == ["nulls", "20", "(17", "%)", "distinct", "100", "min", "0", "max", "99"]
    assert seen["facts"].split()[10:] == "mean 49.5 deviation 29.01 median 49.5 middle half 24.75 to 74.25".split()
    assert seen["characters"] == f"3 to {len(VALUE)}, mean {round((70 * len(VALUE) + 30 * 3) / 100, 1):g}"
    assert seen["box"] == pytest.approx([24.75 / 99, 49.5 / 99, 74.25 / 99], abs=0.001)
    assert seen["sentence"] == "Histogram of number: 20 bins from 0 to 99, most rows (5) from 0 to 5"
    assert seen["bar"] == seen["told"] == "5 to 10: 5 rows"
    assert seen["ofBar"] == {"count": "5 of 120 rows", "where": '"number" >= 5 AND "number" < 10'}
    assert [line.split("\n")[-1] for line in seen["values"]] == ["70", "30"]
    quoted = HOSTILE.replace('"', '""')
    literal = VALUE.replace("'", "''")
    assert seen["ofValue"] == {"count": "70 of 120 rows", "where": f"\"{quoted}\" = '{literal}'"}
    assert seen["ofNulls"] == {"count": "20 of 120 rows", "where": f'"{quoted}" IS NULL'}
    assert seen["among"].split()[:5] == ["nulls", "20", "(100", "%)", "distinct"]
    assert seen["state"] == "#profile&q=NUMBER"


def test_years_have_no_groups(shown, folder):
    put(shown, "years", pa.table({"year": pa.array([1990, 1990, 1990, 2024, 12345], pa.int32())}), folder)
    seen = use(shown, "facts", "years", "year")
    words = seen["facts"].split()
    assert words[words.index("min") :][:4] == ["min", "1990", "max", "12,345"]
    # No value is less than the median.
    assert seen["median"].startswith("At least half of the values are not greater, and at least half are not less: 1990")


def test_failing_statistics_leave_the_names(shown, facts):
    seen = use(shown, "failing", facts)
    assert "Expected a free worker but found none" in seen["alert"]
    assert seen["names"][0] == "number"
    assert seen["alerts"] == 0


def test_ten_thousand_columns(shown, folder):
    fields = [pa.field(f"c{i}", pa.int8()) for i in range(COLUMNS - 1)]
    fields[4321] = fields[4321].with_metadata({"unit": "unit of c4321"})
    last = pa.field("last", pa.struct([("a", pa.int8()), ("b", pa.utf8())]))
    arrays = [pa.array([i % 100, None], pa.int8()) for i in range(COLUMNS - 1)]
    arrays.append(pa.array([{"a": 1, "b": "x"}, None], last.type))
    put(shown, "wide", pa.table(arrays, schema=pa.schema([*fields, last])), folder)
    seen = use(shown, "wide", "wide")
    assert seen["state"] == "2,401 to 2,424 of 10,002 columns"
    assert seen["first"] == "c2400"
    assert seen["cards"] == 24
    positions = [int(part[1:-1]) for request in seen["requests"] for part in request.split(",")]
    assert positions[0] == 2400
    assert set(positions) <= set(range(2400, 2424))
    assert seen["last"] == ["last", "1", "10000", "10000", "false"]
    assert seen["child"] == ["a", "2", "1", "2", None]
    assert seen["closed"] == ["last", "1", "10000", "10000", "false"]
    assert seen["typed"][0] == "c77"
    assert seen["types"] == ["Whole number", "int8"]
    assert seen["items"] < 100
    assert [line.split("\n")[-1] for line in seen["found"]][-1] == "unit of c4321"
    assert len(seen["found"]) == 2
    assert seen["hash"] == "#rows&column=4321"


def test_versions(shown, folder):
    url = f"{shown.url}/datasets/grown"
    put(shown, "grown", pa.table({"a": [1, 2], "b": ["x", "y"]}), folder)
    put(shown, "added", pa.table({"a": [3], "b": ["z"]}), folder)
    for _ in range(2):
        assert curl("-X", "POST", "--data-binary", f"@{folder / 'added.arrows'}", url).status == 200
    assert curl("-X", "POST", f"{url}/compact").status == 200
    put(shown, "extended", pa.table({"a": [4], "d": [0.5]}), folder)
    body = f"@{folder / 'extended.arrows'}"
    assert curl("-X", "POST", "--data-binary", body, f"{url}?columns=extend").status == 200
    statement = ("-X", "PUT", "-H", "Content-Type: application/sql", "--data-binary", "SELECT a, 1 AS c FROM grown")
    assert curl(*statement, f"{url}?expires=24h").status == 200
    sizes = [curl(f"{url}@{version}/summary").json()["bytes"] for version in (1, 2, 3)]
    seen = use(shown, "versions", "grown", 1, 3)
    lines = [[cell.strip() for cell in line.split("\t")] for line in seen["lines"]]
    assert [[*line[1:4], line[5]] for line in lines if line[1][:1].isdigit()] == [
        ["6 this page", "all rows", "5", "5"],
        ["5", "columns added", "+1", "5"],
        ["4", "same rows", "–", "4"],
        ["3", "rows added", "+1", "4"],
        ["2", "rows added", "+1", "3"],
        ["1", "all rows", "2", "2"],
    ]
    assert [lines[i][4] for i in (4, 5, 6)] == [f"+{sizes[2] - sizes[1]} B", f"+{sizes[1] - sizes[0]} B", f"{sizes[0]} B"]
    assert seen["stored"] == f"{sizes[2]:,} bytes in 3 record batches, not compressed"
    assert "ends" in seen["lines"][0]
    assert lines[1][1].startswith("computed from grown@5")
    assert "rows\t2\t4\t+2" in seen["comparison"]
    assert "record batches\t1\t3\t+2" in seen["comparison"]
    assert "change\tall rows\trows added" in seen["comparison"]
    assert "The schema is the same." in seen["comparison"]
    assert seen["hash"] == "#versions&a=1&b=3"
    assert seen["isChosen"]
    assert seen["added"] == 2


def test_removed_versions_are_told(shown):
    url = f"{shown.url}/datasets/ended"
    deadline = time.monotonic() + 60
    while curl(f"{url}@1.csv").status != 410:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    seen = use(shown, "removed", "ended", 1, 3)
    assert seen["gap"][0].strip() == "Version 1 is no longer kept."
    assert "expired" in seen["alert"]


def test_many_versions(shown, folder):
    put(shown, "many", pa.table({"a": [1]}), folder)
    append = ["-X", "POST", "--data-binary", f"@{folder / 'many.arrows'}", "-o", os.devnull, f"{shown.url}/datasets/many"]
    rest = [part for _ in range(104) for part in ("--next", "-sS", *append)]
    assert subprocess.run(["curl", "-sS", *append, *rest], timeout=120).returncode == 0
    seen = use(shown, "many", "many", "42")
    assert seen["shown"] > 100
    # The change of the last version of a page is known with the next page.
    assert "+1" in seen["edge"]
    assert seen["hash"] == "#versions&from=42"


def test_lines_of_what_the_rows_show(shown, hostile, folder):
    seen = use(shown, "use", "hostile", urllib.parse.quote(hostile["where"]), "other")
    assert seen["taken"] == hostile["where"].replace("\n", "")
    assert seen["lines"]["pyarrow"] == seen["copied"]
    assert f"{shown.url}/datasets/hostile.arrows" in seen["copied"]
    assert run("pyarrow", seen["copied"], folder) == (["other"], 1)
    assert not any("sorted" in title for title in seen["lines"])


def test_line_of_sorted_rows(shown, hostile):
    line = use(shown, "useSorted", "hostile")
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=True, timeout=60)
    rows = list(csv.reader(io.StringIO(done.stdout.decode(), newline="")))
    assert rows == [[HOSTILE, "other"], [VALUE, "3"], ["b", "2"], [VALUE, "1"]]

"""The page of statements in a real browser."""

import re
import subprocess

import pyarrow
import pyarrow.ipc
import pytest

from conftest import need
from service import Service, curl
from visitor import visit


@pytest.fixture(scope="module")
def shown(folder):
    service = Service(folder / "sql-page", **{"quiver.sample": "true"})
    yield service
    service.stop()


def use(service, scenario, *parameters):
    """The observations of a scenario of sql_page.mjs."""
    return visit("sql_page.mjs", service, scenario, *parameters)


def test_keys_alone(shown):
    seen = use(shown, "keys")
    assert seen["typed"] == "SELECT mission FROM sample WHERE minutes = $exactly"
    assert re.fullmatch(r"1 row in \S+ s, \d+ B", seen["told"])
    assert seen["order"] == ["Run", "Copy as curl", "Share", "History"]
    assert seen["drawer"] == "Mercury-Redstone 3"
    assert seen["back"] == "grid"


VALUES = {
    "9007199254740993": ("9,007,199,254,740,993", "int64"),
    "18446744073709551615::UBIGINT": ("18,446,744,073,709,551,615", "uint64"),
    "170141183460469231731687303715884105727::HUGEINT - 70141183460469231731687303715884105728": (
        "99,999,999,999,999,999,999,999,999,999,999,999,999",
        "decimal128(38, 0)",
    ),
    "-0.05::DECIMAL(30, 2)": ("-0.05", "decimal128(30, 2)"),
    "'nan'::DOUBLE": ("NaN", "float64"),
    "0.1::FLOAT": ("0.1", "float32"),
    "true": ("true", "bool"),
    "''": ("empty", "utf8"),
    "NULL::INTEGER": ("null", "int32"),
    "DATE '0001-01-01'": ("0001-01-01", "date32[day]"),
    "TIME '23:59:59.999999'": ("23:59:59.999999", "time64[us]"),
    "TIMESTAMP_NS '2262-04-11 23:47:16.854775806'": ("2262-04-11 23:47:16.854775806", "timestamp[ns]"),
    "TIMESTAMPTZ '1970-01-01 00:00:00.000001+00'": ("1970-01-01 00:00:00.000001Z", "timestamp[us, UTC]"),
    "INTERVAL '1 month 2 days'": ("1 month 2 d 0 ns", "interval[month_day_nano]"),
    "'b'::ENUM ('a', 'b')": ("b", "dictionary<uint8, utf8, ordered>"),
    "'\\x00\\xFF'::BLOB": ("0x00ff (2 B)", "binary"),
    "[1, NULL]": ("[1, null]", "list<item: int32>"),
    "array_value(1.5::DOUBLE, 2)": ("[1.5, 2]", "fixed_size_list[2]<item: float64>"),
    "{'__proto__': 'a', 'n': 1152921504606846977}": (
        '{__proto__: "a", n: 1152921504606846977}',
        "struct<__proto__: utf8, n: int64>",
    ),
    "MAP {'k': 1}": ('{"k": 1}', "map<entries: struct<key: utf8 not null, value: int32> not null>"),
}


def test_values_are_exact_and_saved(shown):
    columns = ", ".join(f"{sql} AS c{i}" for i, sql in enumerate(VALUES))
    seen = use(shown, "values", f"SELECT {columns} FROM range(2)", len(VALUES), "saved")
    for i, (sql, (text, _)) in enumerate(VALUES.items()):
        assert [line[i] for line in seen["cells"]] == [text, text], sql
    assert seen["types"] == [arrow_type for _, arrow_type in VALUES.values()]
    assert seen["again"] == seen["cells"]
    # The page names types as the service does.
    assert seen["types2"] == seen["types"]
    assert seen["saved"] == "Saved as saved: 2 rows"
    assert curl(f"{shown.url}/datasets/saved@2.csv").status == 200


def test_error_is_underlined(shown):
    seen = use(shown, "wrong")
    assert "citys" in seen["first"]["told"]
    assert seen["first"]["underlined"] == "citys"
    assert seen["after"] == 0
    assert seen["second"] == "nothing"
    assert seen["selected"] == [["1"]]
    text = "SELECT 1 AS one; SELECT 2"
    assert seen["whole"] == ["#sql&q=SELECT%201%20AS%20one%3B%20SELECT%202&run=0-15", text, [["1"]], text + "0"]
    # Without CodeMirror.
    assert seen["plain"] == "nothing"


def test_rows_come_until_the_statement_is_cancelled(shown):
    seen = use(shown, "cancel")
    assert 1 < seen["early"] < seen["later"] < 900_000
    assert seen["isRunning"]
    assert seen["told"].startswith("Cancelled: the first ")
    # The MD5 of 1.
    assert seen["hash"] == "c4ca4238a0b923820dcc509a6f75849b"


def test_statement_without_rows_is_cancelled(shown):
    seen = use(shown, "escape", "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b")
    assert seen["told"].startswith("Cancelled after ")


def test_running_statement_tells_its_progress(shown, folder):
    path = folder / "slow.arrows"
    table = pyarrow.table({"n": pyarrow.array(range(1000, 1400), pyarrow.int32())})
    with pyarrow.ipc.new_stream(path, table.schema) as stream:
        stream.write_table(table, max_chunksize=1)
    assert curl("-T", path, shown.url + "/datasets/slow?batches=keep").status == 201
    # Slow for each row, so that most are still to be read.
    seen = use(shown, "progress", "SELECT max(levenshtein(repeat('a', 8000), repeat(n::VARCHAR, 2000))) FROM slow")
    assert seen["asked"] == [f"/sql/statements/{seen['id']}"]
    assert re.fullmatch("[0-9a-f]{32}", seen["id"])
    text = re.fullmatch(r"\d+\.\d s, (\d+) %, (\d+) of 400 rows read, \d+/s", seen["text"])
    assert text, seen["text"]
    assert int(text[2]) / 400 == pytest.approx(seen["value"])
    assert int(text[1]) == int(text[2]) * 100 // 400
    assert (seen["bars"], seen["timer"]) == (0, "")


def test_page_keeps_a_limited_number_of_rows(shown):
    seen = use(shown, "limit")
    assert seen["broken"].startswith("The result is incomplete: ")
    assert re.fullmatch(r"The first \S+ rows in .+, and then a failure", seen["cut"])
    assert 1_000_000 <= seen["last"] + 1 < 1_200_000
    assert seen["text"] == f"{seen['last']:,}"
    assert seen["told"].startswith(f"The first {seen['last'] + 1:,} rows in ")
    assert "at most 1,000,000 rows or 64.0 MB" in seen["told"]


def test_link_and_command(shown):
    sql = "SELECT mission, 'it''s' AS \"a\"\nFROM sample WHERE minutes < $least"
    seen = use(shown, "share", sql, "least", "100")
    done = subprocess.run(["bash", "-c", seen["command"]], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == ["mission,a", "Mercury-Redstone 3,it's", "Mercury-Redstone 4,it's"]
    assert seen["link"].startswith("/sql#sql&q=SELECT")
    assert seen["statement"] == seen["opens"]["statement"] == sql
    assert seen["before"] == 0
    assert seen["told"].startswith("2 rows in ")
    assert seen["remembered"] == [sql.replace("\n", " ")]
    assert seen["cleared"] == 0
    assert seen["opens"]["url"].startswith("/sql#sql&q=SELECT")
    assert seen["sent"] == []


def test_chart_and_download(shown):
    sql = "SELECT 'r' || range AS r, range AS a, range * range AS b FROM range(10) WHERE range < $most; -- The end"
    seen = use(shown, "chart", sql.replace("$most", "10"), "SELECT mission, minutes FROM sample")
    over = {"note": "Over 10 rows.", "points": []}
    assert seen["standard"] == over | {"title": "a by r", "bars": 10}
    assert seen["line"] == over | {"title": "a by r", "bars": 0, "points": [10]}
    assert seen["hash"].endswith("&type=line&x=r&y=a&aggregate=mean")
    assert seen["csv"].splitlines() == ["r,a,b", *(f"r{i},{i},{i * i}" for i in range(10))]
    assert seen["name"] == "result.csv"
    assert [safe.splitlines()[:2] for safe in seen["safe"]] == [['"r","a","b"', '"r0",0,0']] * 2
    assert seen["json"] == 10
    assert seen["label"] == "a by r. Line of 10 values, from 0 to 9"
    assert seen["again"] == seen["line"]
    assert seen["next"]["title"] == "minutes by mission"
    assert seen["closed"] == [0, False]


def test_hostile_names_and_values(shown):
    names = ["<img src=x onerror=alert(1)>", "__proto__", "a\u202eb", "x" * 300]
    columns = ", ".join(f"'{name}' AS \"{name}\"" for name in names)
    seen = use(shown, "hostile", f"SELECT {columns}", len(names))
    expected = [names[0], names[1], "a⟨202E⟩b", names[3]]
    assert seen["names"] == expected
    assert seen["cells"] == [expected]
    assert seen["images"] == 0


def test_page_is_accessible(shown):
    need("axe-core")
    seen = use(shown, "accessible", "SELECT mission, minutes FROM sample")
    assert seen["found"] == []
    assert seen["width"] <= 390

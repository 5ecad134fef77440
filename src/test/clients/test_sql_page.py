"""The page of statements in a real browser."""

import http.client
import re
import subprocess
import urllib.parse

import duckdb
import pyarrow
import pyarrow.ipc
import pytest

from conftest import need
from service import Service, curl
from visitor import visit, written


@pytest.fixture(scope="module")
def shown(folder):
    service = Service(folder / "sql-page", **{"quiver.sample": "true"})
    yield service
    service.stop()


def use(service, scenario, *parameters):
    """The observations of a scenario of sql_page.mjs."""
    return visit("sql_page.mjs", service, scenario, *parameters)


@pytest.fixture(scope="module")
def tables(folder):
    """A service with a thousand small tables, and a wide one."""
    service = Service(folder / "sql-tables", **{"quiver.storage.sync": "false"})
    small = pyarrow.table({"a": pyarrow.array([1, 2], pyarrow.int32()), "b b": ["x", "y"]})
    put(service, {"a_wide_one": pyarrow.table({f"c{i}": [i] for i in range(450)})})
    put(service, {f"many-{i:04}": small for i in range(1_000)})
    yield service
    service.stop()


def put(service, tables):
    """Stores datasets over one connection."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(service.url).netloc, timeout=60)
    for name, table in tables.items():
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        connection.request("PUT", f"/datasets/{name}", sink.getvalue().to_pybytes())
        response = connection.getresponse()
        response.read()
        assert response.status in (200, 201)
    connection.close()


def test_tables_are_listed_searched_and_written(tables):
    seen = use(tables, "tables", "many-0777")
    assert seen["first"] == 100
    listed = [urllib.parse.urlsplit(path) for path in seen["before"]]
    # No schema is fetched before its table is opened.
    assert {path for _, _, path, _, _ in listed} == {"/datasets"}
    assert len(listed) <= 4
    assert urllib.parse.parse_qs(listed[-1].query) == {"limit": ["100"], "q": ["MANY-0777"]}
    assert seen["asked"][0] == "/datasets/many-0777/schema"
    assert seen["columns"] == [["a Whole number", "a: int32"], ["b b Text", "b b: utf8"]]
    assert seen["text"] == 'SELECT "b b", a FROM "many-0777"'
    assert seen["closed"] == 1
    assert seen["told"].startswith("2 rows in ")
    rows = 'SELECT * FROM "many-0777" LIMIT 1000'
    assert seen["both"] == f"{seen['text']};\n\n{rows}"
    start = len(seen["text"]) + 3
    assert seen["hash"].endswith(f"&run={start}-{start + len(rows)}")


def test_rows_are_offered_before_a_statement(tables):
    seen = use(tables, "example")
    name = seen["label"].removeprefix("Show ")
    assert seen["text"].replace('"', "") == f"SELECT * FROM {name} LIMIT 1000"
    assert re.match(r"[1-9]\d* rows? in ", seen["told"])
    suffixes = {"CSV": ".csv", "Excel": ".xlsx", "Parquet": ".parquet", "Arrow": ".arrow", "JSON": ".json", "CSV for spreadsheets": ".csv"}
    assert seen["entries"] == [[name, suffix, True] for name, suffix in suffixes.items()]


def test_tables_are_folded_on_a_phone(tables):
    seen = use(tables, "phone", "a_wide_one")
    assert seen["closed"] == 0
    assert seen["columns"] == [401, "50 more…"]
    assert seen["text"] == "a_wide_one"
    assert seen["rows"] == "SELECT * FROM a_wide_one LIMIT 1000"
    assert seen["isOpen"] == 0


SORTED = """SELECT CASE WHEN i % 11 <> 0 THEN i * 7919 % 23 - 9 END AS whole,
  CASE WHEN i % 5 = 0 THEN 'nan'::DOUBLE WHEN i % 7 <> 0 THEN (i * 31 % 17)::DOUBLE / 4 - 2 END AS number,
  CASE WHEN i % 13 <> 0 THEN ['b', 'é', 'ﬀ', '𝄞', '', 'B', 'ab'][i % 7 + 1] END AS word,
  (i * 17 % 9)::DECIMAL(30, 2) / 3 AS amount,
  DATE '2020-01-01' + (i * 37 % 400)::INTEGER AS day,
  i * 3 % 7 = 0 AS flag,
  ['x', 'c', 'm'][i % 3 + 1]::ENUM ('x', 'm', 'c') AS listed,
  i AS place FROM range(9000) AS r(i)"""


def test_complete_result_is_sorted_as_by_sql(shown):
    columns = ["whole", "number", "word", "amount", "day", "flag", "listed", "place"]
    connection = duckdb.connect()
    places = lambda order: [
        str(row[0]) for row in connection.sql(f"SELECT place FROM ({SORTED}) ORDER BY {order}, place").fetchall()
    ]
    shown_places = lambda text: [line.rsplit(",", 1)[1] for line in text.splitlines()[1:]]
    seen = use(shown, "sorts", SORTED, len(columns))
    for i, column in enumerate(columns):
        ascending, descending = seen["found"][str(i)]
        assert shown_places(ascending) == places(f"{column} ASC NULLS LAST"), column
        assert shown_places(descending) == places(f"{column} DESC NULLS LAST"), column
    both = places("whole ASC NULLS LAST, number DESC NULLS LAST")
    assert shown_places(seen["both"]) == both
    assert seen["hash"].endswith("&sort=0%2C-1")
    # The order of an ENUM is the one of its list, which the service knows.
    assert set(seen["sent"]) <= {"/sql.arrows"}
    assert len(seen["sent"]) == 2
    assert shown_places(seen["file"]) == both
    assert seen["file"].splitlines()[0] == ",".join(columns)
    assert seen["focus"] == "grid"
    assert shown_places(seen["none"]) == [str(i) for i in range(9000)]


def test_cut_result_is_sorted_over_all_rows(shown):
    # Names that repeat, and one that a statement around it could take for another.
    seen = use(shown, "sortsCut", "SELECT range AS c1, range % 3 AS c1 FROM range(1200000)")
    assert seen["told"].startswith("The first 1,")
    assert seen["told"].endswith("The pictures of columns are of these rows.")
    assert seen["first"] == [["1,199,999", "2"], ["1,199,998", "1"], ["1,199,997", "0"]]
    assert seen["sorted"].startswith("In this order, the first 1,")
    # Equal rows keep their order.
    assert seen["ties"] == seen["again"] == [["0", "0"], ["3", "0"], ["6", "0"]]
    count = int(re.fullmatch("Of the (.*) rows that are here.", seen["said"])[1].replace(",", ""))
    assert 1_000_000 <= count < 1_200_000
    assert sum(int(re.search("([0-9,]+) rows?$", text)[1].replace(",", "")) for text in seen["counts"]) == count
    assert seen["hash"].endswith("&sort=1")


PICTURED = """SELECT i AS big, (i % 7)::INTEGER AS small, (i * i)::UBIGINT AS square, (i % 1000)::DECIMAL(20, 3) / 7 AS amount,
  CASE WHEN i % 10 = 0 THEN NULL WHEN i % 97 = 0 THEN 'nan'::DOUBLE WHEN i % 101 = 0 THEN 'inf'::DOUBLE ELSE sin(i) * i END AS number,
  (cos(i) * 1000)::FLOAT AS single, DATE '1969-06-01' + (i % 500)::INTEGER AS day, TIMESTAMP '2020-01-01' + to_seconds(i * 977) AS moment,
  TIME '00:00:00' + to_seconds(i * 977) AS clock, TIMESTAMPTZ '2020-01-01 00:00:00+00' + to_milliseconds(i * 7) AS zoned,
  ['a', 'bb', '', 'é'][(i % 4 + 1)::BIGINT] AS word, md5(i::VARCHAR) AS hash, i % 3 = 0 AS flag,
  CASE WHEN i < 50 THEN i END AS few, NULL::INTEGER AS nothing, [i] AS items, 1.5::DOUBLE AS same FROM range(5000) AS r(i)"""


def test_pictures_of_a_result_are_those_of_its_dataset(shown):
    # Lists have no picture.
    columns = 17
    seen = use(shown, "pictures", PICTURED, columns - 1, "pictured")
    for result, stored in zip(seen["result"], seen["stored"], strict=True):
        assert result == stored
    assert len(seen["result"]) == columns
    assert sum(len(found) == 20 for found in seen["result"]) >= 7
    # A bar of a result selects nothing.
    assert seen["clicked"]
    assert seen["links"] == 0
    assert re.sub(r"\s+", " ", seen["facts"]) == "nulls 0 distinct 5,000 min 0 max 4999"


def test_link_runs_when_it_is_asked_to(shown):
    seen = use(shown, "unrun", "/sql#sql&q=SELECT%20minutes%20FROM%20sample&run=0-26", "Run to see it")
    assert "has not run" in seen["said"]
    assert seen["before"] == []
    assert seen["told"].startswith("31 rows in ")
    assert (seen["charts"], seen["left"]) == (0, 0)
    seen = use(shown, "unrun", "/sql#sql&q=SELECT%20mission%2C%20minutes%20FROM%20sample&type=bar", "Run to see the chart")
    assert seen["before"] == []
    assert (seen["charts"], seen["left"]) == (1, 0)


def test_statements_run_one_after_the_other(shown):
    texts = ["-- first; one\nSELECT 'a;b' AS x", "SELECT $$;$$ AS \"y;y\"", "SELECT \"no;thing\" FROM sample", "SELECT 3"]
    correct = ["SELECT 1 AS a", "SELECT /* ; */ 2 AS a", "SELECT 3 AS a"]
    seen = use(shown, "several", "; ".join(texts) + " ;; -- The end", ";\n".join(correct) + ";")
    failed = seen["failed"]
    assert failed["sent"] == texts[:3]
    assert failed["tabs"] == 3
    assert failed["underlined"].strip('"') == "no;thing"
    assert len(failed["told"]) == 1
    assert "1 statement after it did not run." in failed["told"][0]
    assert failed["told"][0].endswith("at line 1 of statement 3 of 4")
    assert (failed["first"], failed["second"], failed["open"]) == ([["a;b"]], [[";"]], "true")
    assert seen["last"] == [["3"]]
    assert seen["hash"].startswith("#sql&q=" + ";\n".join(correct))
    assert seen["hash"].endswith("&open=2")
    assert [line.split("--data-raw ")[1].split("' '")[0][1:] for line in seen["command"]] == correct
    assert seen["again"] == [["2"]]
    assert seen["sent"] == correct * 2


def test_statements_are_split_as_by_the_engine():
    texts = [
        "SELECT 1; SELECT 2",
        "SELECT 'a;''b' ; SELECT \"x;\"\"y\"",
        "SELECT e'\\';' ; SELECT 2",
        "SELECT $$ ; $$; SELECT $tag$ ; $$ ; $tag$; SELECT $é$;$é$",
        "SELECT 1 AS a$b$ ; SELECT 2 AS c$b$",
        "SELECT 1 -- x;\n; SELECT /* ; /* ; */ ; */ 2",
        "SELECT 🚀 FROM t ; SELECT $a || $name",
        ";;SELECT 1;;",
    ]
    found = written("statements", texts)
    bare = lambda sql: re.sub(r"^[;\s]+|(?:--[^\n]*\n?|;|\s)+$", "", sql)
    for text, parts in zip(texts, found, strict=True):
        assert [bare(sql) for sql, _ in parts] == [bare(each.query) for each in duckdb.extract_statements(text)], text
        assert all(is_there for _, is_there in parts)
    assert written("statements", ["", " -- nothing\n;", "SELECT 1 /* without an end ; "]) == [
        [],
        [],
        [["SELECT 1 /* without an end ; ", True]],
    ]


@pytest.mark.parametrize(
    ("state", "rows", "statement"),
    [
        (
            "where=%22Cost%20%24%22%20%3E%2050%20--%20dear&search=oSl&sort=-1,0&columns=2,0,1",
            3,
            "SELECT word, n, \"Cost $\"\nFROM asked\nWHERE (\"Cost $\" > 50 -- dear\n) AND (contains(lower(word), lower('oSl')))\n"
            "ORDER BY \"Cost $\" DESC NULLS LAST, n ASC NULLS LAST\nLIMIT 1000",
        ),
        ("sort=-0", 3, "SELECT *\nFROM asked\nORDER BY n DESC NULLS LAST\nLIMIT 1000"),
    ],
)
def test_rows_are_asked_for_in_sql(shown, state, rows, statement):
    table = pyarrow.table(
        {
            "n": range(100),
            "Cost $": pyarrow.array([float(i * 37 % 20 * 10) for i in range(100)]),
            "word": [f"{['Oslo', 'Bern', 'oslo'][i % 3]} {i}" for i in range(100)],
        }
    )
    put(shown, {"asked": table})
    seen = use(shown, "asks", f"/datasets/asked#rows&{state}", rows, 3)
    assert seen["statement"] == statement
    assert seen["found"] == seen["shown"]
    assert seen["again"] == seen["names"]


def test_filter_of_a_stranger_runs_no_statement(shown):
    """The service takes it for no condition, and a statement would have the rows of another table."""
    put(shown, {"lured": pyarrow.table({"n": range(3)})})
    seen = use(shown, "refused", f"/datasets/lured#rows&where={urllib.parse.quote('n > 1 UNION ALL SELECT minutes FROM sample')}")
    assert "UNION ALL" in seen["statement"]
    assert seen["sent"] == []


def test_search_that_sql_cannot_say_is_left_out(shown):
    put(shown, {"nested": pyarrow.table({"n": range(3), "words": [["gull"], ["tern"], ["gull"]]})})
    seen = use(shown, "asks", "/datasets/nested#rows&search=gull", 1, 2)
    first, *rest = seen["statement"].split("\n")
    assert first == "-- Without the search for gull, which no condition says: add one to WHERE."
    assert rest == ["SELECT *", "FROM nested", "LIMIT 1000"]
    assert seen["told"].startswith("3 rows in ")


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
    assert seen["offered"] == ["Save as sav-ed"]
    assert seen["saved"] == "Saved as sav-ed: 2 rows"
    assert curl(f"{shown.url}/datasets/sav-ed@2.csv").status == 200


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
    assert [safe.splitlines()[:2] for safe in seen["safe"]] == [['\ufeff"r","a","b"', '"r0",0,0']] * 2
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

"""The filter of the rows in a real browser, and the conditions that it writes against DuckDB."""

import datetime
import decimal
import urllib.parse

import pyarrow as pa
import pytest

import tables
from conftest import need, upload
from service import Service, curl
from visitor import visit, written


@pytest.fixture(scope="module")
def filtered(folder):
    service = Service(folder / "filtered", **{"quiver.where.timeout": "60s"})
    day = datetime.date(2026, 1, 1)
    flights = pa.table(
        {
            "note": ["drama on final", "nothing", None, "Drama", "damage", "calm"] * 10,
            "Carrier": ["Alpina", "Fjordair", "Meridian"] * 20,
            "Cost Total $": pa.array([100, 200, 300, None] * 15, pa.int64()),
            "day": [day + datetime.timedelta(i % 5) for i in range(60)],
            "seen": [True, False] * 30,
        }
    )
    upload(service, "strikes", tables.write_stream(flights, folder / "strikes.arrows"))
    values = pa.table({"word": ["a" * 300] * 40 + ["short"] * 20, "bytes": [b"\x01\x02"] * 40 + [b"'"] * 20})
    upload(service, "values", tables.write_stream(values, folder / "filter-values.arrows"))
    yield service
    service.stop()


def use(service, scenario, *parameters):
    return visit("filter_page.mjs", service, scenario, *parameters)


def test_word_is_searched_for(filtered):
    seen = use(filtered, "search", "strikes", "drama", "20 of 60 rows", "60 rows")
    assert seen == {
        "placeholder": 'Search, or "Cost Total $" > 200',
        "early": 0,
        "hash": "#rows&search=drama",
        "shown": "Alpina",
        "csv": "/datasets/strikes@1.csv?search=drama",
        "entries": 1,
        "sent": ["drama", "dram"],
        "left": "",
    }


def test_later_search_ends_the_one_before(filtered):
    # The sign makes a condition of the text, for which nothing is searched.
    seen = use(filtered, "overtaken", "strikes", "dra", "drama", "drama=", "drama on", "20 of 60 rows", "10 of 60 rows")
    assert seen == {
        "isBusy": 1,
        "rows": "drama on final",
        "second": "#rows&search=drama",
        "typed": "drama=",
        "hash": "#rows&search=drama on",
        "entries": 1,
    }


def test_condition_is_written_with_keys(filtered):
    seen = use(filtered, "keys", "strikes", "10 of 60 rows", "60 rows")
    assert seen == {
        "names": ["Cost Total $\nnumber"],
        "active": "true",
        "values": ["Alpina\n20", "Fjordair\n20", "Meridian\n20"],
        "parts": ["Cost Total $ > 150", "Carrier is Fjordair"],
        "hash": """#rows&where="Cost Total $" > 150 AND carrier = 'Fjordair'""",
        "first": "nothing",
        "focused": "Search or filter",
        "isInGrid": True,
    }


def test_condition_is_chosen_in_a_form(filtered):
    seen = use(filtered, "form", "strikes", "24 of 60 rows", "12 of 60 rows", "4 of 60 rows")
    assert seen == {
        "type": "date",
        "range": "from 2026-01-01 to 2026-01-05",
        "hash": """#rows&where="day" BETWEEN '2026-01-02' AND '2026-01-03'""",
        "parts": ["day is between 2026-01-02 and 2026-01-03"],
        "forms": 0,
        "changed": ["day is between 2026-01-02 and 2026-01-02"],
        "text": """"day" BETWEEN '2026-01-02' AND '2026-01-02'""",
        "left": "",
        "both": ["day is between 2026-01-02 and 2026-01-02", "Carrier is Alpina"],
        "empty": "",
    }


def test_offered_values_select_their_rows(filtered):
    """A text that is cut would select none, nor would base64."""
    words = use(filtered, "values", "values", "word", "short", "20 of 60 rows")
    assert words == {"known": ["short"], "values": ["short\n20"], "hash": "#rows&where=word = 'short'"}
    octets = use(filtered, "values", "values", "bytes", "AQI=", "40 of 60 rows")
    assert octets == {"known": ["short"], "values": ["AQI=\n40", "Jw==\n20"], "hash": "#rows&where=bytes = '\\x01\\x02'::BLOB"}


def test_values_that_occur_once_are_offered_for_texts_alone(filtered, folder):
    table = pa.table({"number": [7, 7, *range(20)], "word": [f"word {i}" for i in range(22)], "once": range(22)})
    upload(filtered, "once", tables.write_stream(table, folder / "filter-once.arrows"))
    seen = use(filtered, "offers", "once", "word", "word ", "number", "7", "once")
    assert seen["word"][0].endswith("\n1")
    # Seven is among the others, too.
    assert seen["number"] == ["7\n3"]
    assert seen["once"] == []
    assert seen["known"] == ["7"]


def test_sorted_search_is_downloaded_in_its_order(filtered, folder):
    """A search folds more letters than a condition, whose rows would be others."""
    table = pa.table({"n": [3, 1, 2, 4], "word": ["Main Strasse", "strasse", "Gasse", "STRASSE"], "other": ["x", "y", "z", "u"]})
    upload(filtered, "streets", tables.write_stream(table, folder / "streets.arrows"))
    path, title = use(filtered, "download", "streets", "#rows&search=strasse&sort=-0&columns=0,1&where=n%20%3C%204")
    assert title == "The rows on the screen, in this order"
    assert curl(f"{filtered.url}{path}").body.decode().splitlines() == ["n,word", "3,Main Strasse", "1,strasse"]
    folded = table.set_column(1, "word", pa.array(["Main Straße", "strasse", "Gasse", "STRASSE"]))
    upload(filtered, "folded", tables.write_stream(folded, folder / "folded.arrows"))
    path, title = use(filtered, "download", "folded", "#rows&search=strasse&sort=-0")
    assert title == "The rows on the screen, in their stored order"
    assert curl(f"{filtered.url}{path}").body.decode().splitlines()[1:3] == ["3,Main Straße,x", "1,strasse,y"]


@pytest.mark.parametrize("view", ["chart", "profile"])
def test_mistake_in_another_view_leads_to_the_filter(filtered, view):
    """The same request would fail again."""
    assert use(filtered, "elsewhere", "strikes", view) == {
        "buttons": 0,
        "codes": 0,
        "hint": "Write note in place of Nope.",
        "mark": "Nope",
        "text": "Nope > 8",
        "hash": "#rows",
    }


def test_value_of_another_kind_has_its_place_and_an_example(filtered):
    assert use(filtered, "misfit", "strikes", "Cost Total $ > 1m") == {
        "place": "\"Cost Total $\" > '1m'",
        "mark": "'1m'",
        "told": "Expected a whole number but found 1m at column Cost Total $",
        "hint": "Write a whole number for Cost Total $, such as 1000000.",
        "rows": "60 rows",
    }


def test_mistake_keeps_the_rows(filtered):
    seen = use(filtered, "mistakes", "strikes", "60 rows", "30 of 60 rows")
    kept = {"rows": ["60 rows", "nothing"], "hash": "", "axe": [], "left": "", "invalid": "true", "isDescribed": True, "isValid": True}
    unknown, later = seen["unknown"], seen["later"]
    assert "Carrier" in unknown.pop("hint")
    assert later.pop("hint")
    assert unknown == {"place": "Carier = '😀'", "mark": "Carier"} | kept
    assert later == {"place": "Carrier = '😀' AND nothing > 1", "mark": "nothing"} | kept
    assert seen["meant"] == '"Cost Total $" > 150 and carrier = "Fjordair"'
    assert seen["typed"] == 'Search for “Cost Total $ > 150 and carrier = "Fjordair"”'
    assert seen["quoted"] == ["Cost Total $ > 150"]
    # It would be a condition beside another one.
    assert seen["beside"] == ["Carrier = 'x') OR (TRUE", ")", "30 of 60 rows"]
    assert seen["instead"] == "#rows&search=carrier is fjordair or so"


@pytest.mark.parametrize(("search", "count"), [("", "60 rows"), ("drama", "20 of 60 rows")])
def test_link_with_a_mistake_shows_the_rows_without_it(filtered, search, count):
    kept = f"&search={search}" if search else ""
    assert use(filtered, "linked", "strikes", "Carier = 1", search, "seen = TRUE") == {
        "text": "Carier = 1",
        "mark": "Carier",
        "count": count,
        "hash": f"#rows&sort=0{kept}",
        "left": search,
        "right": f"#rows&sort=0{kept}&where=seen = TRUE",
    }


@pytest.mark.parametrize("width", [1440, 390])
def test_filter_is_accessible_and_fits(filtered, width):
    assert use(filtered, "look", "strikes", width) == {
        "found": {"parts": [], "form": [], "suggestions": []},
        "wide": 0,
        "high": 0,
        "focus": "combobox",
    }


# Conditions as a form writes them. Each value is in a row.
D = decimal.Decimal
VALUES = {
    "id": (pa.int32(), []),
    "text": (pa.utf8(), ["", "it's", "50%", "a_b", "back\\slash", "Straße", "AND", "x'; --", "(a OR b)", 'say "so"', "été\nnew"]),
    'od"d AND name': (pa.large_utf8(), ["a", "b -- c", "NULL"]),
    "number": (pa.int64(), [0, -5, 2**62, 1234567]),
    "float": (pa.float64(), [0.1, -2.5, 1e300]),
    "decimal": (pa.decimal128(20, 3), [D("1.500"), D("-7.250")]),
    "day": (pa.date32(), [datetime.date(2026, 1, 31), datetime.date(1969, 12, 31)]),
    "time": (pa.time64("us"), [datetime.time(12, 30, 0, 5)]),
    "at": (pa.timestamp("us"), [datetime.datetime(2026, 1, 31, 23, 59, 59, 123456)]),
    "true": (pa.bool_(), [True, False]),
    "list": (pa.list_(pa.int64()), [[1]]),
}


def test_form_writes_conditions_that_select_as_duckdb_does(services, folder):
    need("duckdb")
    import duckdb

    rows = max(len(values) for _, values in VALUES.values()) + 1
    columns = {name: pa.array((values + [None] * rows)[:rows], kind) for name, (kind, values) in VALUES.items()}
    columns["id"] = pa.array(range(rows), pa.int32())
    columns["inner"] = pa.StructArray.from_arrays([columns["text"], columns["number"]], ["a b", "n"])
    source = pa.table(columns)
    dataset = upload(services("default memory"), "written", tables.write_stream(source, folder / "written.arrows"))
    fields = curl(f"{dataset.url}/schema").json()["fields"]
    values = {name: [str(value) for value in values] or ["1"] for name, (_, values) in VALUES.items()}
    values |= {"inner": ["1"], "inner.a b": values["text"], "inner.n": values["number"]}
    made = written("comparisons", {"fields": fields, "values": values})
    assert made["areParts"]
    database = duckdb.connect()
    database.register("written", source)
    assert len(made["found"]) > 200
    for comparison in made["found"]:
        condition = comparison["condition"]
        assert comparison["read"] == comparison["told"], condition
        expected = database.sql(f"SELECT id FROM written WHERE {condition} ORDER BY id").fetchall()
        body = curl(f"{dataset.url}.json?columns=id&where={urllib.parse.quote(condition)}").json()
        assert [(row["id"],) for row in body] == expected, condition


CONDITIONS = {
    "a = 1": ["a = 1"],
    "a = 1 AND b = 2": ["a = 1", "b = 2"],
    "(a = 1) AND ((b = 2) AND (c = 3 OR d = 4))": ["a = 1", "b = 2", "c = 3 OR d = 4"],
    "a = 1 OR b = 2 AND c = 3": ["a = 1 OR b = 2 AND c = 3"],
    "a BETWEEN 1 AND 2 AND b = 2": ["a BETWEEN 1 AND 2", "b = 2"],
    "a BETWEEN 1 AND 2 AND b BETWEEN 3 AND 4": ["a BETWEEN 1 AND 2", "b BETWEEN 3 AND 4"],
    "CASE WHEN a AND b THEN c ELSE d END AND e": ["CASE WHEN a AND b THEN c ELSE d END", "e"],
    "t = 'x AND y' AND \"a AND b\" = 1": ["t = 'x AND y'", '"a AND b" = 1'],
    "a -- AND\n AND b": ["a -- AND\n AND b"],
    "f(a AND b) AND NOT (c AND d)": ["f(a AND b)", "NOT (c AND d)"],
    "(a) AND (b": ["(a) AND (b"],
    "t = 'open AND b": ["t = 'open AND b"],
    "(a = 1) IS NOT TRUE AND (b)": ["(a = 1) IS NOT TRUE", "b"],
    "": [],
    "a AND": ["a AND"],
}


def test_conditions_are_divided_at_their_ands():
    for (condition, expected), (parts, _) in zip(CONDITIONS.items(), written("parts", list(CONDITIONS)), strict=True):
        assert parts == expected, condition
    ((_, together),) = written("parts", ["(a = 1) AND (b = 2 OR c = 3) AND (d -- e\n)"])
    assert together == "(a = 1) AND (b = 2 OR c = 3) AND (d -- e\n)"
    ((_, together),) = written("parts", ["(a = 1) AND (b = 2 OR c = 3)"])
    assert together == "a = 1 AND (b = 2 OR c = 3)"


JOINED = {
    "(x BETWEEN 1) AND y > 2": (["x BETWEEN 1", "y > 2"], [True, True]),
    "(x BETWEEN f(1 AND 2)) AND y": (["x BETWEEN f(1 AND 2)", "y"], [True, True]),
    "x BETWEEN 1 AND 2 AND y": (["x BETWEEN 1 AND 2", "y"], [True, True]),
    "(a AND) AND y": (["a AND", "y"], [True, True]),
    "(a = 1) OR (b = 2) AND y": (["a = 1) OR (b = 2", "y"], [False, True]),
    "(a = 'x) AND y": (["a = 'x", "y"], [False, True]),
    "(a /* b) AND (y /* c */)": (["a /* b", "y /* c */"], [False, True]),
    "(a /* b */) AND (c OR f(')'))": (["a /* b */", "c OR f(')')"], [True, True]),
}
"""Conditions, the parts that make them up, and whether these end what they begin."""


def test_parts_stay_apart():
    made = written("joined", [parts for parts, _ in JOINED.values()])
    assert {condition: closed for condition, closed in made} == {condition: closed for condition, (_, closed) in JOINED.items()}


TYPED = {
    "drama": (False, "drama"),
    "Romeo and Juliet": (False, "Romeo and Juliet"),
    "New York, 5th (or so)": (False, "New York, 5th (or so)"),
    "apple and pear": (False, "apple and pear"),
    "xCost Total $ > 1": (True, "xCost Total $ > 1"),
    "seen": (True, "seen"),
    "not seen": (True, "not seen"),
    "a = 1": (True, "a = 1"),
    "unknown > 5": (True, "unknown > 5"),
    "carrier is Alpina": (True, "\"Carrier\" = 'Alpina'"),
    "carrier is not Alpina": (True, "\"Carrier\" <> 'Alpina'"),
    "carrier = Alpina": (True, "\"Carrier\" = 'Alpina'"),
    "carrier begins with Al": (True, "\"Carrier\" LIKE 'Al%'"),
    "carrier is null": (True, "carrier is null"),
    "Cost Total $ > 100": (True, '"Cost Total $" > 100'),
    "Cost Total $ ≥ 1,000": (True, '"Cost Total $" >= 1000'),
    "Cost Total $ > 100 and cost total $ < 200": (True, '"Cost Total $" > 100 and "Cost Total $" < 200'),
    "length(carrier) > 5": (True, "length(carrier) > 5"),
    "lower(carrier) in ('a')": (True, "lower(carrier) in ('a')"),
    "a > 8 and carrier = R": (True, "a > 8 and \"Carrier\" = 'R'"),
    "carrier = R or Cost Total $ > 8": (True, "\"Carrier\" = 'R' or \"Cost Total $\" > 8"),
    "a between 1 and 2 and carrier is R S": (True, "a between 1 and 2 and \"Carrier\" = 'R S'"),
    "carrier in R, PG 13": (True, "\"Carrier\" IN ('R', 'PG 13')"),
    "Cost Total $ not in (1, 2)": (True, '"Cost Total $" NOT IN (1, 2)'),
    "carrier is empty": (True, "(\"Carrier\" IS NULL OR \"Carrier\" = '')"),
    "carrier is not empty": (True, "\"Carrier\" IS NOT NULL AND \"Carrier\" <> ''"),
    "a is missing": (True, '"a" IS NULL'),
    "carrier like %of%": (True, "\"Carrier\" ILIKE '%of%'"),
}


def test_typed_text_is_a_condition_or_searched_for():
    fields = [
        {"name": name, "arrowType": kind, "nullable": True, "type": {"name": kind}, "children": []}
        for name, kind in {"a": "int", "Carrier": "utf8", "Cost Total $": "int", "seen": "bool"}.items()
    ]
    found = written("typed", {"fields": fields, "texts": list(TYPED)})
    assert dict(zip(TYPED, map(tuple, found), strict=True)) == TYPED

"""Each Arrow type with each function that documents promise for SQL and conditions: as DuckDB has it.

DuckDB reads the same tables of pyarrow by itself. Values are compared as text, and an expression that
DuckDB rejects for a type has to be rejected by the service as well. A difference has its reason below.
"""

import concurrent.futures
import datetime
import decimal
import fnmatch
import json
import re
import urllib.error
import urllib.parse
import urllib.request
import uuid

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from conftest import upload
from tables import write_stream

BERLIN = "Europe/Berlin"
TIMES = [
    datetime.datetime(2024, 2, 29, 23, 59, 59),
    datetime.datetime(2024, 6, 1, 12, 0),
    None,
    datetime.datetime(1969, 12, 31, 23, 0, 1),
]
NUMBERS = [3, 1, None, 100]
TEXTS = ["abc", "", None, "Ähm 1"]
DURATIONS = [datetime.timedelta(days=1, seconds=1), datetime.timedelta(0), None, datetime.timedelta(hours=-30)]


def moments(unit, zone=None):
    """Timestamps of a unit, which have the digits of microseconds if it has them."""
    fine = [value and value.replace(microsecond=123456) for value in TIMES]
    return pa.array(fine if unit in ("us", "ns") else TIMES, pa.timestamp("us", zone)).cast(pa.timestamp(unit, zone))


def times_of_day(type_):
    return pa.array([datetime.time(23, 59, 59), datetime.time(0), None, datetime.time(1, 2, 3)], pa.time64("us")).cast(
        type_
    )


def extension(storage, name):
    return storage, {"ARROW:extension:name": name, "ARROW:extension:metadata": ""}


def nested(items, make):
    """Lists of each item alone, a null and an empty list."""
    return make([[item] for item in items.to_pylist()[:2]] + [None, []])


ZONED = moments("ns", BERLIN)

COLUMNS = {
    "null": (pa.nulls(4), "NULL"),
    "bool": (pa.array([True, False, None, True]), "true"),
    **{
        f"{sign}int{bits}": (pa.array(NUMBERS, getattr(pa, f"{sign}int{bits}")()), "3")
        for sign in ("", "u")
        for bits in (8, 16, 32, 64)
    },
    "float16": (pa.array([1.5, -0.0, None, 100.25], pa.float16()), "1.5"),
    "float32": (pa.array([1.5, -0.0, None, float("nan")], pa.float32()), "1.5"),
    "float64": (pa.array([1.5, -1e300, None, float("inf")], pa.float64()), "1.5"),
    **{
        f"decimal{bits}": (
            pa.array([decimal.Decimal("1.50"), decimal.Decimal("-2.25"), None, decimal.Decimal(0)], type_(9, 2)),
            "1.5",
        )
        for bits, type_ in ((32, pa.decimal32), (64, pa.decimal64), (128, pa.decimal128), (256, pa.decimal256))
    },
    "utf8": (pa.array(TEXTS), "'abc'"),
    "large_utf8": (pa.array(TEXTS, pa.large_utf8()), "'abc'"),
    "utf8_view": (pa.array(TEXTS, pa.string_view()), "'abc'"),
    "binary": (pa.array([b"abc", b"", None, b"\xff\x00"]), "'abc'::BLOB"),
    "large_binary": (pa.array([b"abc", b"", None, b"\xff\x00"], pa.large_binary()), "'abc'::BLOB"),
    "binary_view": (pa.array([b"abc", b"", None, b"\xff\x00"], pa.binary_view()), "'abc'::BLOB"),
    "fixed_size_binary": (pa.array([b"abc", b"abd", None, b"\x00\x01\x02"], pa.binary(3)), "'abc'::BLOB"),
    "date32": (pa.array(TIMES, pa.timestamp("s")).cast(pa.date32()), "DATE '2024-06-01'"),
    "date64": (pa.array(TIMES, pa.timestamp("s")).cast(pa.date32()).cast(pa.date64()), "DATE '2024-06-01'"),
    "time32[s]": (times_of_day(pa.time32("s")), "TIME '01:02:03'"),
    "time32[ms]": (times_of_day(pa.time32("ms")), "TIME '01:02:03'"),
    "time64[us]": (times_of_day(pa.time64("us")), "TIME '01:02:03'"),
    "time64[ns]": (times_of_day(pa.time64("ns")), "'01:02:03'::TIME_NS"),
    **{f"timestamp[{unit}]": (moments(unit), "TIMESTAMP '2024-06-01 12:00:00'") for unit in ("s", "ms", "us", "ns")},
    **{
        f"timestamp[{unit}, tz]": (moments(unit, BERLIN), "TIMESTAMPTZ '2024-06-01 12:00:00'")
        for unit in ("s", "ms", "us", "ns")
    },
    **{
        f"duration[{unit}]": (pa.array(DURATIONS, pa.duration("us")).cast(pa.duration(unit)), "INTERVAL 1 DAY")
        for unit in ("s", "ms", "us", "ns")
    },
    "interval[month_day_nano]": (
        pa.array([(1, 2, 3000), (0, 0, 0), None, (-1, 5, -1000000)], pa.month_day_nano_interval()),
        "INTERVAL 1 DAY",
    ),
    "list": (nested(pa.array([1, 2]), lambda v: pa.array(v, pa.list_(pa.int32()))), "[1]"),
    "large_list": (nested(pa.array([1, 2]), lambda v: pa.array(v, pa.large_list(pa.int32()))), "[1]"),
    "list_view": (nested(pa.array([1, 2]), lambda v: pa.array(v, pa.list_view(pa.int32()))), "[1]"),
    "fixed_size_list": (pa.array([[1, 2], [3, None], None, [5, 6]], pa.list_(pa.int32(), 2)), "[1, 2]"),
    "struct": (pa.array([{"a": 1, "b": "x"}, {"a": None, "b": "y"}, None, {"a": 3, "b": None}]), "{'a': 1, 'b': 'x'}"),
    "map": (pa.array([[("a", 1)], [], None, [("b", None)]], pa.map_(pa.utf8(), pa.int32())), "MAP {'a': 1}"),
    "dictionary<utf8>": (pa.array(TEXTS).dictionary_encode(), "'abc'"),
    "dictionary<timestamp[ns, tz]>": (ZONED.dictionary_encode(), "TIMESTAMPTZ '2024-06-01 12:00:00'"),
    "list<timestamp[ns, tz]>": (
        pa.array([[ZONED[0]], [ZONED[1], None], None, []], pa.list_(ZONED.type)),
        "[TIMESTAMPTZ '2024-06-01 12:00:00']",
    ),
    "struct<timestamp[ns, tz]>": (
        pa.StructArray.from_arrays([ZONED], ["a"]),
        "{'a': TIMESTAMPTZ '2024-06-01 12:00:00'}",
    ),
    "map<timestamp[ns, tz]>": (
        pa.array([[("a", ZONED[0])], [], None, [("b", None)]], pa.map_(pa.utf8(), ZONED.type)),
        "MAP {'a': TIMESTAMPTZ '2024-06-01 12:00:00'}",
    ),
    "run_end_encoded<int32>": (pa.RunEndEncodedArray.from_arrays([1, 2, 4], pa.array([3, 1, None], pa.int32())), "3"),
    "run_end_encoded<timestamp[ns, tz]>": (
        pa.RunEndEncodedArray.from_arrays([1, 2, 4], ZONED.slice(0, 3)),
        "TIMESTAMPTZ '2024-06-01 12:00:00'",
    ),
    "arrow.uuid": (
        pa.ExtensionArray.from_storage(
            pa.uuid(), pa.array([uuid.UUID(int=n).bytes if n else None for n in (1, 2, 0, 2**127)], pa.binary(16))
        ),
        "'00000000-0000-0000-0000-000000000001'::UUID",
    ),
    "arrow.json": (
        pa.ExtensionArray.from_storage(pa.json_(pa.utf8()), pa.array(['{"a":1}', "[1]", None, "3"])),
        "'[1]'::JSON",
    ),
}
"""An array of each type, and a literal that is compared with it."""

EXPRESSIONS = (
    "v = {}",
    "v < {}",
    "v >= {}",
    "v IN ({})",
    "v BETWEEN {} AND {}",
    "v IS NULL",
    "NOT (v = {})",
    "v::VARCHAR LIKE '%1%'",
    "v ILIKE 'A%'",
    "CASE WHEN v IS NULL THEN 0 ELSE 1 END",
    "v::VARCHAR",
    "v::DATE",
    "v::BIGINT",
    "v + 1",
    "v - v",
    "v * 2",
    "v // 2",
    "v % 2",
    "abs(v)",
    "round(v, 1)",
    "coalesce(v, {})",
    "lower(v)",
    "length(v)",
    "contains(v, 'b')",
    "starts_with(v, 'a')",
    "regexp_matches(v, '^a')",
    "list_contains(v, {}[1])",
    "v.a",
    "date_part('year', v)",
    "date_part('epoch', v)",
    "year(v)",
    "month(v)",
    "hour(v)",
    "dayname(v)",
    "monthname(v)",
    "dayofweek(v)",
    "date_trunc('month', v)",
    "v + INTERVAL 1 MONTH",
    "v - INTERVAL 90 MINUTE",
    "v - {}",
    "epoch(v)",
    "epoch_ms(v)",
    "epoch_ns(v)",
    "date_diff('day', v, {})",
    "time_bucket(INTERVAL 1 DAY, v)",
    "strftime(v, '%Y-%j')",
    "year(v.a)",
    "date_trunc('day', v[1])",
)

DIFFERENCES = (
    *(
        ("null", expression, "the table of DuckDB has INTEGER, the service the type of NULL")
        for expression in (
            *("v ILIKE*", "lower*", "length*", "contains*", "starts_with*", "regexp*", "list_contains*", "v.a"),
            *("dayname*", "monthname*", "strftime*"),
        )
    ),
    ("time[36]*", "time_bucket*", "DuckDB 2 has it for times of day"),
    ("fixed_size_list", "coalesce*", "DuckDB 2 casts a list to an array"),
    ("*timestamp[[][un]s*", "epoch_ms*", "DuckDB 2 rounds the time before 1970 down"),
    ("*timestamp[[][un]s, tz]*", "*epoch*(v)", "with a zone, DuckDB 2 adds the seconds and their parts as floats"),
    ("*timestamp[[][un]s, tz]*", "date_part('epoch'*", "as above"),
)
"""Patterns of a type and of an expression, and why the service differs from the DuckDB of Python there."""

NOT_IN_CONDITIONS = "MAP {"
"""The literal that conditions have no function for."""

READ_AS = {"float16": pa.float32(), "decimal256": pa.decimal128(9, 2)}
"""The types as which DuckDB's own reader has those that it lacks."""

INSTANT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?")


def difference(kind, expression):
    return next(
        (
            reason
            for types, expressions, reason in DIFFERENCES
            if fnmatch.fnmatchcase(kind, types) and fnmatch.fnmatchcase(expression, expressions)
        ),
        None,
    )


def without_zone(type_):
    """A type with timestamps in UTC, of which DuckDB without its extension for zones has all functions."""
    if pa.types.is_timestamp(type_):
        return pa.timestamp("us") if type_.tz else type_
    if pa.types.is_list(type_):
        return pa.list_(without_zone(type_.value_type))
    if pa.types.is_map(type_):
        return pa.map_(type_.key_type, without_zone(type_.item_type))
    if pa.types.is_struct(type_):
        return pa.struct([field.with_type(without_zone(field.type)) for field in type_])
    return type_


class Oracle:
    """DuckDB over a table of its own reading. Timestamps with a zone are those of the same instants in UTC."""

    def __init__(self, connection, kind):
        self.kind = kind
        array, self.literal = COLUMNS[kind]
        if kind in READ_AS:
            array = array.cast(READ_AS[kind])
        if "tz" in kind:
            array = array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
            array = pc.run_end_decode(array) if pa.types.is_run_end_encoded(array.type) else array
            array = array.cast(without_zone(array.type))
        self.connection = connection
        connection.register("arrow", pa.table({"id": pa.array(range(4)), "v": array}))
        connection.execute("CREATE OR REPLACE TABLE t AS SELECT * FROM arrow")

    def texts(self, expression):
        """The values of each row, or None if DuckDB rejects the expression."""
        zoneless = expression.replace("TIMESTAMPTZ", "TIMESTAMP")
        try:
            rows = self.connection.execute(f"SELECT ({zoneless})::VARCHAR FROM t ORDER BY id").fetchall()
        except duckdb.Error:
            return None
        return [(self.zoned(value),) for (value,) in rows]

    def zoned(self, value):
        return value and INSTANT.sub(r"\g<0>+00", value) if "tz" in self.kind else value


def ask(service, path, body=None):
    request = urllib.request.Request(service.url + path, data=body and body.encode())
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as problem:
        return problem.code, json.load(problem)


def in_statement(service, name, expressions):
    """The texts of expressions by one statement, or its problem."""
    columns = ", ".join(f"({expression})::VARCHAR AS c{i}" for i, expression in enumerate(expressions))
    status, rows = ask(service, "/sql.json", f'SELECT {columns} FROM "{name}" ORDER BY id')
    if status != 200:
        return status, rows
    return status, [[(row[f"c{i}"],) for row in rows] for i in range(len(expressions))]


def quoted(value):
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def equal(pairs):
    """A condition that holds for all rows if expressions have their expected texts."""
    parts = []
    for expression, texts in pairs:
        cases = " ".join(f"WHEN {row} THEN {quoted(value)}" for row, (value,) in enumerate(texts))
        parts.append(f"({expression})::VARCHAR IS NOT DISTINCT FROM CASE id {cases} END")
    return " AND ".join(parts)


def ids(service, name, condition):
    query = urllib.parse.urlencode({"where": condition, "columns": "id"})
    status, rows = ask(service, f"/datasets/{name}.json?{query}")
    return [row["id"] for row in rows] if status == 200 else (status, rows)


@pytest.fixture(scope="module")
def served(services, folder):
    service = services("default memory")
    names = {kind: f"typed-{number}" for number, kind in enumerate(COLUMNS)}

    def store(kind):
        source = pa.table({"id": pa.array(range(4)), "v": COLUMNS[kind][0]})
        upload(service, names[kind], write_stream(source, folder / f"{names[kind]}.arrows"))

    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        list(threads.map(store, COLUMNS))
    return service, names


@pytest.fixture(scope="module")
def oracles():
    with duckdb.connect() as connection:
        yield lambda kind: Oracle(connection, kind)


def expected(kind, oracle):
    """The texts of each expression that is to be compared, and the rejected expressions."""
    literal = COLUMNS[kind][1]
    accepted, rejected = [], []
    for pattern in EXPRESSIONS:
        if difference(kind, pattern) is None:
            expression = pattern.replace("{}", literal)
            texts = oracle.texts(expression)
            (rejected if texts is None else accepted).append((expression, texts))
    return accepted, [expression for expression, _ in rejected]


def test_there_are_enough_types_and_expressions():
    assert len(COLUMNS) >= 35 and len(EXPRESSIONS) >= 20
    for types, expressions, _ in DIFFERENCES:
        assert any(fnmatch.fnmatchcase(kind, types) for kind in COLUMNS), types
        assert any(fnmatch.fnmatchcase(pattern, expressions) for pattern in EXPRESSIONS), expressions


@pytest.mark.parametrize("kind", COLUMNS)
def test_expressions_have_the_values_of_duckdb(kind, served, oracles):
    service, names = served
    accepted, rejected = expected(kind, oracles(kind))
    status, found = in_statement(service, names[kind], [expression for expression, _ in accepted])
    failures = []
    for i, (expression, texts) in enumerate(accepted):
        # A failure of one expression is one of the whole statement.
        values = found[i] if status == 200 else in_statement(service, names[kind], [expression])
        values = values[1][0] if status != 200 and values[0] == 200 else values
        if values != texts:
            failures.append((expression, texts, values))
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        answers = threads.map(lambda expression: in_statement(service, names[kind], [expression]), rejected)
        for expression, (single, problem) in zip(rejected, answers):
            if not 400 <= single < 500:
                failures.append((expression, "an error", problem))
    assert not failures, "\n".join(map(str, failures))


@pytest.mark.parametrize("kind", COLUMNS)
def test_conditions_select_the_rows_of_duckdb(kind, served, oracles):
    service, names = served
    accepted, _ = expected(kind, oracles(kind))
    accepted = [pair for pair in accepted if NOT_IN_CONDITIONS not in pair[0]]
    failures = []
    if ids(service, names[kind], equal(accepted)) != [0, 1, 2, 3]:
        for pair in accepted:
            found = ids(service, names[kind], equal([pair]))
            if found != [0, 1, 2, 3]:
                failures.append((pair, found))
    # Comparisons with literals need no engine.
    comparisons = {pattern.replace("{}", COLUMNS[kind][1]) for pattern in EXPRESSIONS[:7]}
    compared = [(e, [row for row, (value,) in enumerate(t) if value == "true"]) for e, t in accepted if e in comparisons]
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        answers = threads.map(lambda pair: ids(service, names[kind], pair[0]), compared)
        failures += [(pair, found) for pair, found in zip(compared, answers) if found != pair[1]]
    assert not failures, "\n".join(map(str, failures))

"""Statements and conditions that people type first, compared with DuckDB over the same tables.

`asked/statements.tsv` and `asked/conditions.tsv` were written from documentation and forums without knowledge of the
service. An `answer` has the rows that DuckDB has, as a `set` or a `list`, or only `runs`. A `mistake` is answered, or
refused with a hint, and `mended` is the text that the hint leads to. `REFUSED` has the answers that the
service refuses.
"""

import datetime
import decimal
import json
import pathlib
import re
import urllib.parse

import duckdb
import pyarrow as pa
import pytest

import asked_tables
from service import Service, curl

FOLDER = pathlib.Path(__file__).with_name("asked")

REFUSED = {
    # The digits of nanoseconds: a cast that drops them is left to the statement.
    "s008": "t::TIMESTAMPTZ",
    "s040": "t::TIMESTAMPTZ",
    "c026": "t::TIMESTAMPTZ",
    # The engine's own catalog describes nothing of the store.
    "s012": "SHOW TABLES",
    "s013": "DESCRIBE airports",
    # The engine no longer takes the arrow for a lambda.
    "s057": "lambda t: upper(t)",
    # The columns of the result depend on the rows.
    "s062": "ON carrier IN ('a', 'b')",
    # Equal conditions match equal rows.
    "c025": "DATE '",
    "c092": "TIMESTAMP '",
    # A condition has no subqueries, of which this is the short form.
    "c073": "list_contains(tags, 'promo')",
    # Subqueries.
    "c049": "/sql",
    "c050": "/sql",
    "c094": "/sql",
}
"""Answers and mended mistakes that are refused with a hint, and the part of it that leads on."""

ENGINE_TYPES = {"s005", "s011"}
"""Statements about types, whose names the engine writes in other ways than the DuckDB of the tests."""

NUMBERED = {"s083"}
"""Statements with columns of equal names, which the service numbers."""


OTHER_WAYS = {
    "s102": "Send each statement in a request of its own.",
    "c092": "Write the date itself,",
    "c094": "Send a statement with GROUP BY and HAVING to /sql,",
    "c100": "Close the parenthesis that is open.",
}
"""The beginning of hints that lead to the result in another way."""


def lines(name):
    head, *rows = (FOLDER / name).read_text("utf-8").rstrip("\n").split("\n")
    names = head.split("\t")
    return [dict(zip(names, row.split("\t"), strict=True)) for row in rows]


def asked(name, kind):
    return [pytest.param(row, id=row["id"]) for row in lines(name) if row["kind"] == kind]


def unescaped(text):
    return text.replace("\\n", "\n")


@pytest.fixture(scope="module")
def tables():
    return asked_tables.tables()


@pytest.fixture(scope="module")
def oracle(tables):
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    for name, table in tables.items():
        connection.register(name, table)
    yield connection
    connection.close()


@pytest.fixture(scope="module")
def asked_service(folder, tables):
    service = Service(folder / "asked")
    curl("-X", "DELETE", f"{service.url}/datasets/sample")
    for name, table in tables.items():
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        path = folder / f"{name}.arrows"
        path.write_bytes(sink.getvalue())
        assert curl("-T", path, f"{service.url}/datasets/{name}").status == 201
    yield service
    service.stop()


def plain(value):
    """A value without the differences between types that hold the same values."""
    match value:
        case dict():
            return {name: plain(part) for name, part in value.items()}
        case list() | tuple() if not hasattr(value, "nanoseconds"):
            return [plain(part) for part in value]
        case bool() | None | str() | bytes():
            return value
        case decimal.Decimal() | int() | float():
            return "NaN" if value != value else float(f"{float(value):.9g}")
        case datetime.timedelta():
            return (0, round(value / datetime.timedelta(microseconds=1)))
        case datetime.datetime():
            return value.replace(tzinfo=None).isoformat(timespec="microseconds")[:26]
        case _ if hasattr(value, "nanoseconds"):
            return (value.months, value.days * 86_400_000_000 + value.nanoseconds // 1000)
        case _:
            return str(value)


def microseconds(type_):
    """The type with times in microseconds, the finest unit of DuckDB's usual types."""
    if pa.types.is_timestamp(type_):
        return pa.timestamp("us", type_.tz)
    if pa.types.is_dictionary(type_):
        return microseconds(type_.value_type)
    return type_


def rows(table, compare):
    columns = [column.cast(microseconds(column.type), safe=False).to_pylist() for column in table.columns]
    found = [repr([plain(value) for value in row]) for row in zip(*columns, strict=True)]
    return found if compare == "list" else sorted(found)


def read(response):
    assert response.status == 200, response.body
    return pa.ipc.open_stream(response.body).read_all()


def assert_same(found, expected, compare):
    if compare == "runs":
        assert found.num_rows > 0
        return
    assert found.schema.names == expected.schema.names
    assert rows(found, compare) == rows(expected, compare)


def assert_refused(response, part):
    assert response.status == 400, response.body
    assert part in json.loads(response.body)["hint"]


def with_type_names(table):
    """The table with the names of types in one spelling."""
    name = "column_type" if "column_type" in table.schema.names else "data_type"
    index = table.schema.get_field_index(name)
    types = [
        value.replace('"', "").replace("TIMESTAMPTZ_NS", "TIMESTAMP WITH TIME ZONE")
        for value in table.column(index).to_pylist()
    ]
    return table.set_column(index, name, pa.array(types))


def numbered(table):
    """The table with distinct names of columns."""
    names = []
    for name in table.schema.names:
        count = sum(name == other for other in table.schema.names[: len(names)])
        names.append(f"{name}_{count}" if count else name)
    return table.rename_columns(names)


def statement(service, text):
    return curl("-H", "Content-Type: application/sql", "--data-binary", text, f"{service.url}/sql.arrows")


def condition(service, row, text):
    query = urllib.parse.urlencode({"where": text})
    return curl(f"{service.url}/datasets/{row['table']}.arrows?{query}")


def matching(oracle, row, text):
    return oracle.execute(f'SELECT * FROM "{row["table"]}" WHERE {text}').to_arrow_table()


@pytest.mark.parametrize("row", asked("statements.tsv", "answer"))
def test_statement_answers_as_duckdb_does(asked_service, oracle, row):
    text = unescaped(row["text"])
    response = statement(asked_service, text)
    if row["id"] in REFUSED:
        assert_refused(response, REFUSED[row["id"]])
        return
    found, expected = read(response), oracle.execute(text).to_arrow_table()
    if row["id"] in ENGINE_TYPES:
        found, expected = with_type_names(found), with_type_names(expected)
    if row["id"] in NUMBERED:
        expected = numbered(expected)
    assert_same(found, expected, row["compare"])


@pytest.mark.parametrize("row", asked("conditions.tsv", "answer"))
def test_condition_answers_as_duckdb_does(asked_service, oracle, row):
    response = condition(asked_service, row, row["text"])
    if row["id"] in REFUSED:
        assert_refused(response, REFUSED[row["id"]])
        return
    assert_same(read(response), matching(oracle, row, row["text"]), "list")


def tokens(text):
    return set(re.findall(r"\w+|[^\w\s]", unescaped(text).casefold()))


def assert_way_out(response, row):
    """A refusal has a hint with a word or sign that the mended text has and the mistake lacks."""
    if response.status == 200:
        return
    assert response.status in (400, 422), response.body
    hint = json.loads(response.body)["hint"]
    added = tokens(row["mended"]) - tokens(row["text"])
    other = OTHER_WAYS.get(row["id"])
    assert hint.startswith(other) if other else not added or added & tokens(hint), (hint, added)


@pytest.mark.parametrize("row", asked("statements.tsv", "mistake"))
def test_mistake_in_a_statement_has_a_way_out(asked_service, oracle, row):
    assert_way_out(statement(asked_service, unescaped(row["text"])), row)
    mended = unescaped(row["mended"])
    assert_same(read(statement(asked_service, mended)), oracle.execute(mended).to_arrow_table(), "set")


@pytest.mark.parametrize("row", asked("conditions.tsv", "mistake"))
def test_mistake_in_a_condition_has_a_way_out(asked_service, oracle, row):
    assert_way_out(condition(asked_service, row, row["text"]), row)
    mended = condition(asked_service, row, row["mended"])
    if row["id"] in REFUSED:
        assert_refused(mended, REFUSED[row["id"]])
        return
    assert_same(read(mended), matching(oracle, row, row["mended"]), "list")

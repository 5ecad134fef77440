"""Random conditions: the rows that DuckDB selects of the same table, with every value as pyarrow takes it."""

import datetime
import io
import random
import urllib.parse

import pyarrow as pa
import pytest

import tables
from conftest import need, upload
from service import curl

ROWS_PER_BATCH = 150
CONDITIONS = 500
COMPARISONS = ("=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM")


def literal(value):
    """A value of the table as SQL."""
    match value:
        case bool():
            return str(value)
        case float():
            # A number with a point is a decimal.
            return f"'{value!r}'::DOUBLE"
        case datetime.datetime():
            zone = "TIMESTAMPTZ" if value.tzinfo else "TIMESTAMP"
            return f"{zone} '{value.isoformat(sep=' ')}'"
        case datetime.date():
            return f"DATE '{value.isoformat()}'"
        case str():
            return "'" + value.replace("'", "''") + "'"
    return str(value)


def converted(value):
    """A value of the table as SQL in another way, where there is one."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return f"{value}.0"
        case float():
            return f"{value!r}::DOUBLE" if "e" not in repr(value) and "n" not in repr(value) else literal(value)
        case datetime.datetime() if not value.tzinfo:
            return f"'{value.isoformat()}'"
        case datetime.date() if not isinstance(value, datetime.datetime):
            return f"'{value.isoformat()}'"
    return literal(value)


class Conditions:
    """Random conditions on the columns of `tables.table`, with literals of the table itself."""

    def __init__(self, source, seed):
        self.random = random.Random(seed)
        names = ["id", "int8", "uint32", "float64", "flag", "text", "large_text", "text_view", "place", "decimal128", "date", "timestamp"]
        self.values = {name: [v for v in source[name].to_pylist() if v is not None] for name in names}

    def value(self, name):
        return literal(self.random.choice(self.values[name]))

    def number(self):
        name = self.random.choice(["id", "int8", "uint32", "float64", "decimal128"])
        return self.random.choice([name, name, f"abs({name}::DOUBLE)", f"{name}::HUGEINT + 1", f"{name} % 7", f"-({name}::DOUBLE)", f"round({name} / 3.0, 1)"]), name

    def text(self):
        return self.random.choice(["text", "large_text", "text_view", "place", "struct.name"])

    def comparison(self):
        pick, operator = self.random.choice, self.random.choice(COMPARISONS)
        match self.random.randrange(15):
            case 0 | 1 | 2:
                expression, name = self.number()
                return f"{expression} {operator} {self.value(name)}"
            case 3:
                name = pick(list(self.values))
                return f"{name} {operator} {self.value(name)}"
            case 4:
                name = pick(["text", "place", "large_text"])
                return f"{self.text()} {operator} {self.value(name)}"
            case 5:
                name = pick(list(self.values))
                return f"{name} {pick(['', 'NOT '])}IN ({', '.join(self.value(name) for _ in range(self.random.randint(1, 5)))})"
            case 6:
                name = pick(["id", "float64", "date", "timestamp", "decimal128", "text"])
                return f"{name} {pick(['', 'NOT '])}BETWEEN {self.value(name)} AND {self.value(name)}"
            case 7:
                column = pick([*self.values, "list", "struct", "binary_view", "duration", "nothing", "timestamp_nanos"])
                return f"{column} IS {pick(['', 'NOT '])}NULL"
            case 8:
                pattern = pick(["%7%", "place 1%", "%9", "1__·%", "%"])
                return f"{self.text()} {pick(['', 'NOT '])}{pick(['LIKE', 'ILIKE'])} '{pattern}'"
            case 9:
                function = pick(["contains", "starts_with", "ends_with", "suffix", "prefix"])
                return f"{function}({self.text()}, '{self.random.randrange(30)}')"
            case 10:
                return f"list_contains(list, {self.random.randrange(100)}) {pick(['', 'AND len(list) > 2'])}"
            case 11:
                return f"struct.latitude {operator} {literal(self.random.random())}"
            case 12:
                return f"{pick(['year', 'month', 'day', 'dayofweek'])}({pick(['date', 'timestamp'])}) {operator} {self.random.randrange(1, 30)}"
            case 13:
                return f"length({self.text()}) {operator} {self.random.randrange(4, 16)}"
            case _:
                return f"CASE WHEN flag THEN int8 ELSE coalesce(int8, 0) // 3 END {operator} {self.random.randrange(-128, 128)}"

    def simple(self):
        """A comparison of a column with literals, as they are evaluated without the engine."""
        pick = self.random.choice
        name = pick(list(self.values))
        value = pick(self.values[name])
        match self.random.randrange(6):
            case 0:
                return f"{literal(value)} {pick(COMPARISONS)} {name}"
            case 1:
                return f"{name} {pick(['', 'NOT '])}IN ({', '.join(self.value(name) for _ in range(self.random.randint(1, 5)))}{pick(['', '', ', NULL'])})"
            case 2:
                return f"{name} {pick(['', 'NOT '])}BETWEEN {self.value(name)} AND {self.value(name)}"
            case 3:
                return pick([f"{name} IS NULL", "flag", "NOT flag", "flag IS NOT TRUE", f"{name} = NULL"])
            case 4:
                return f"{name} {pick(COMPARISONS)} {converted(value)}"
            case _:
                return f"{name} {pick(COMPARISONS)} {literal(value)}"

    def condition(self, depth=3):
        if depth == 3 and self.random.random() < 0.5:
            parts = [self.simple() for _ in range(self.random.randint(1, 3))]
            return " AND ".join(f"{self.random.choice(['', '', 'NOT '])}({part})" for part in parts)
        if depth == 0 or self.random.random() < 0.4:
            return self.comparison()
        left, right = self.condition(depth - 1), self.condition(depth - 1)
        return self.random.choice([f"({left}) AND ({right})", f"({left}) OR ({right})", f"NOT ({left})", f"({left}) AND {self.comparison()}"])


@pytest.fixture(scope="module", params=tables.CODECS, ids=lambda codec: codec or "uncompressed")
def stored(request, services, folder):
    need("duckdb")
    source = tables.table(ROWS_PER_BATCH)
    path = tables.write_stream(source, folder / f"conditions-{request.param}.arrows", request.param)
    return source, upload(services("default memory"), f"conditions-{request.param or 'none'}", path)


@pytest.mark.parametrize("seed", range(10))
def test_selected_rows_equal_those_of_duckdb_and_pyarrow(stored, seed):
    import duckdb

    source, dataset = stored
    database = duckdb.connect()
    database.sql("SET TimeZone = 'UTC'")
    database.register("registered", source.drop_columns(["decimal256"]))
    # In a table of its own, since some comparisons fail when they are pushed down into pyarrow.
    database.sql("CREATE TABLE rows AS SELECT * FROM registered")
    conditions = Conditions(source, seed)
    selected = 0
    for _ in range(CONDITIONS // 10 // len(tables.CODECS) + 1):
        condition = conditions.condition()
        ids = sorted(row[0] for row in database.sql(f"SELECT id FROM rows WHERE {condition}").fetchall())
        response = curl(f"{dataset.url}.arrows?where={urllib.parse.quote(condition)}")
        assert response.status == 200, (condition, response.body)
        found = pa.ipc.open_stream(io.BytesIO(response.body)).read_all()
        found.validate(full=True)
        assert found["id"].to_pylist() == ids, condition
        assert found.equals(tables.taken(source, ids).combine_chunks(), check_metadata=True), condition
        selected += len(ids)
    assert selected > 0

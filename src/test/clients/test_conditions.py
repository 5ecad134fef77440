"""Random conditions: the rows that DuckDB selects of the same table, with every value as pyarrow takes it."""

import datetime
import decimal
import io
import math
import random
import urllib.parse

import pyarrow as pa
import pyarrow.compute as pc
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


class RandomTable:
    """A table whose columns have random types, and conditions on it. Every type is one that DuckDB reads of pyarrow."""

    TYPES = (
        *(pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()),
        *(pa.float32(), pa.float64(), pa.bool_(), pa.utf8(), pa.large_utf8(), pa.string_view()),
        *(pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(3), pa.null()),
        *(pa.decimal32(7, 2), pa.decimal64(16, 3), pa.decimal128(9, 0), pa.decimal128(30, 5)),
        *(pa.date32(), pa.date64(), pa.time32("s"), pa.time32("ms"), pa.time64("us")),
        *(pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")),
        *(pa.timestamp("us", tz="UTC"), pa.timestamp("us", tz="Asia/Tokyo"), pa.duration("ms"), pa.duration("us")),
        *(pa.month_day_nano_interval(), pa.dictionary(pa.int8(), pa.utf8()), pa.dictionary(pa.uint16(), pa.int64())),
        *(pa.run_end_encoded(pa.int32(), pa.int64()), pa.run_end_encoded(pa.int16(), pa.utf8())),
        *(pa.list_(pa.int32()), pa.large_list(pa.utf8()), pa.list_view(pa.int32()), pa.list_(pa.int32(), 2)),
        *(pa.struct([("a", pa.int32()), ("b", pa.utf8())]), pa.map_(pa.utf8(), pa.int32())),
        pa.sparse_union([pa.field("n", pa.int32()), pa.field("t", pa.utf8())]),
    )  # fmt: skip

    def __init__(self, seed):
        self.random = random.Random(seed)
        # Each type is in one of two tables on average.
        types = self.random.sample(self.TYPES, 25)
        self.types = {"id": pa.int64()} | {f"c{i}": type_ for i, type_ in enumerate(types)}
        rows = 4 * ROWS_PER_BATCH
        nulls = {name: self.random.choice((0, 0.1, 0.7)) for name in self.types}
        self.values = {"id": list(range(rows))} | {
            name: [None if self.random.random() < nulls[name] else self.value(type_) for _ in range(rows)]
            for name, type_ in self.types.items()
            if name != "id"
        }
        fields = [pa.field(name, type_, metadata={"of": name}) for name, type_ in self.types.items()]
        arrays = [self.array(name, type_) for name, type_ in self.types.items()]
        self.source = pa.table(arrays, schema=pa.schema(fields, metadata={"seed": str(seed)}))

    def array(self, name, type_):
        values = self.values[name]
        if pa.types.is_union(type_):
            # The children have the nulls.
            tags = [0 if isinstance(value, int) else 1 for value in values]
            numbers = [value if isinstance(value, int) else None for value in values]
            texts = [value if isinstance(value, str) else None for value in values]
            children = [pa.array(numbers, pa.int32()), pa.array(texts, pa.utf8())]
            return pa.UnionArray.from_sparse(pa.array(tags, pa.int8()), children, ["n", "t"])
        if pa.types.is_dictionary(type_):
            return pa.array(values, type_.value_type).dictionary_encode().cast(type_)
        if pa.types.is_run_end_encoded(type_):
            return pc.run_end_encode(pa.array(values, type_.value_type), run_end_type=type_.run_end_type)
        return pa.array(values, type_)

    def value(self, type_):
        """A random value that is not null."""
        integer, types = self.random.randrange, pa.types
        if types.is_run_end_encoded(type_) or types.is_dictionary(type_):
            return self.random.choice(("", "a", "é c", "long enough to be elsewhere")) if types.is_string(type_.value_type) else integer(5)
        if types.is_union(type_):
            return self.random.choice((integer(100), self.value(pa.utf8())))
        if types.is_null(type_):
            return None
        if types.is_boolean(type_):
            return self.random.random() < 0.5
        if types.is_integer(type_):
            low, high = (-(2 ** (type_.bit_width - 1)), 2 ** (type_.bit_width - 1)) if types.is_signed_integer(type_) else (0, 2**type_.bit_width)
            return self.random.choice((integer(low, high), integer(100), low, high - 1))
        if types.is_floating(type_):
            return self.random.choice((round(self.random.uniform(-100, 100), 1), 0.0, -0.0, math.nan, math.inf, -math.inf, 1.5))
        if types.is_decimal(type_):
            digits = integer(10 ** self.random.randrange(type_.precision + 1)) * self.random.choice((-1, 1))
            with decimal.localcontext(prec=40):
                return decimal.Decimal(digits).scaleb(-type_.scale)
        if types.is_fixed_size_binary(type_):
            return bytes(integer(3) for _ in range(type_.byte_width))
        if types.is_binary(type_) or types.is_large_binary(type_) or types.is_binary_view(type_):
            return bytes(integer(256) for _ in range(integer(20)))
        if types.is_string(type_) or types.is_large_string(type_) or types.is_string_view(type_):
            return "".join(self.random.choice("abé𝄞 _%") for _ in range(integer(18)))
        if types.is_date(type_):
            return datetime.date(1970, 1, 1) + datetime.timedelta(integer(-5000, 30000))
        if types.is_time(type_):
            time = (datetime.datetime.min + datetime.timedelta(seconds=integer(86400))).time()
            return time if type_.unit == "s" else time.replace(microsecond=integer(1000) * 1000)
        if types.is_timestamp(type_):
            zone = datetime.timezone.utc if type_.tz else None
            time = datetime.datetime(2000, 1, 1, tzinfo=zone) + datetime.timedelta(seconds=integer(-(10**9), 10**9))
            return time if type_.unit == "s" else time.replace(microsecond=integer(1000) * 1000)
        if types.is_duration(type_):
            return datetime.timedelta(milliseconds=integer(-(10**10), 10**10))
        if types.is_interval(type_):
            return pa.MonthDayNano([integer(20), integer(40), integer(10**6) * 1000])
        if types.is_struct(type_):
            return {"a": integer(10), "b": self.random.choice(("x", "y", None))}
        if types.is_map(type_):
            return [(key, integer(10)) for key in self.random.sample("abc", integer(4))]
        length = 2 if types.is_fixed_size_list(type_) else integer(4)
        return [self.value(type_.value_type) for _ in range(length)]

    def literal(self, type_, value):
        """A value as SQL, or None where a type has none."""
        types = pa.types
        if types.is_run_end_encoded(type_) or types.is_dictionary(type_):
            return self.literal(type_.value_type, value)
        if types.is_float32(type_):
            return f"'{value!r}'::FLOAT"
        if types.is_time(type_):
            return f"TIME '{value.isoformat()}'"
        if types.is_timestamp(type_) and type_.unit == "ns":
            return f"TIMESTAMP_NS '{value.isoformat(sep=' ')}'"
        if isinstance(value, bytes):
            return "'" + "".join(f"\\x{byte:02X}" for byte in value) + "'::BLOB"
        if isinstance(value, datetime.timedelta):
            return f"to_microseconds({value // datetime.timedelta(microseconds=1)})"
        if isinstance(value, (bool, int, float, str, decimal.Decimal, datetime.date)) and not types.is_union(type_):
            return format(value, "f") if isinstance(value, decimal.Decimal) else literal(value)
        return None

    def part(self):
        pick = self.random.choice
        name = pick(list(self.types))
        type_, present = self.types[name], [value for value in self.values[name] if value is not None]
        is_null = f"{name} IS {pick(['', 'NOT '])}NULL"
        if not present or self.random.random() < 0.1:
            return is_null
        if pa.types.is_struct(type_):
            return pick([f"{name}.a {pick(COMPARISONS)} {self.random.randrange(10)}", f"{name}.b = 'x'", f"{name}.b IS NULL"])
        if pa.types.is_map(type_):
            return f"cardinality({name}) {pick(COMPARISONS)} 2"
        if pa.types.is_union(type_):
            return pick([f"{name}.n {pick(COMPARISONS)} 50", f"{name}.t {pick(COMPARISONS)} 'a'"])
        if pa.types.is_nested(type_) and not pa.types.is_run_end_encoded(type_):
            return f"len({name}) {pick(COMPARISONS)} 2"
        literals = [self.literal(type_, pick(present)) for _ in range(4)]
        if literals[0] is None:
            return is_null
        match self.random.randrange(6):
            case 0:
                return f"{name} {pick(['', 'NOT '])}IN ({', '.join(literals)})"
            case 1:
                return f"{name} {pick(['', 'NOT '])}BETWEEN {literals[0]} AND {literals[1]}"
            case 2:
                return f"coalesce({name}, {literals[0]}) {pick(COMPARISONS)} {literals[1]}"
            case 3:
                return f"{literals[0]} {pick(COMPARISONS)} {name}"
        return f"{name} {pick(COMPARISONS)} {literals[0]}"

    def condition(self):
        parts = [self.part() for _ in range(self.random.randint(1, 3))]
        return self.random.choice((" AND ", " AND ", " OR ")).join(
            f"{self.random.choice(('', '', 'NOT '))}({part})" for part in parts
        )


@pytest.fixture(scope="module", params=tables.CODECS, ids=lambda codec: codec or "uncompressed")
def stored(request, services, folder):
    need("duckdb")
    source = tables.table(ROWS_PER_BATCH)
    path = tables.write_stream(source, folder / f"conditions-{request.param}.arrows", request.param)
    return source, upload(services("default memory"), f"conditions-{request.param or 'none'}", path)


@pytest.mark.parametrize("seed", range(5))
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
    for _ in range(CONDITIONS // 30):
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


@pytest.mark.parametrize("seed", range(20))
def test_rows_of_random_schemas_equal_those_of_duckdb(services, folder, seed):
    need("duckdb")
    import duckdb

    table = RandomTable(seed)
    path = folder / f"random-conditions-{seed}.arrows"
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.source.schema) as writer:
        for batch in table.source.to_batches(max_chunksize=ROWS_PER_BATCH):
            writer.write(batch)
    dataset = upload(services("default memory"), f"random-conditions-{seed}", path)
    stored = {name: table.source[name].to_pylist() for name in table.types}
    database = duckdb.connect()
    database.sql("SET TimeZone = 'UTC'")
    database.register("registered", table.source)
    database.sql("CREATE TABLE rows AS SELECT * FROM registered")
    for _ in range(CONDITIONS // 20):
        condition = table.condition()
        ids = sorted(row[0] for row in database.sql(f"SELECT id FROM rows WHERE {condition}").fetchall())
        response = curl(f"{dataset.url}.arrows?where={urllib.parse.quote(condition)}")
        assert response.status == 200, (condition, response.body)
        found = pa.ipc.open_stream(response.body).read_all()
        found.validate(full=True)
        assert found.schema.equals(table.source.schema, check_metadata=True)
        for name, values in stored.items():
            # NaN does not equal itself.
            assert repr(found[name].to_pylist()) == repr([values[row] for row in ids]), (condition, name)

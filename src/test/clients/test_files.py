"""Files of other formats as uploads: values and types as other programs read them."""

import csv
import datetime
import decimal
import io
import json
import random
import uuid

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from service import curl

ROWS = 3_000


@pytest.fixture(scope="module")
def service(services):
    return services("default memory")


def put(service, path, name):
    response = curl("-T", str(path), f"{service.url}/datasets/{name}{path.suffix}")
    return response.status, response.json()


def stored(service, name):
    return pa.ipc.open_stream(curl(f"{service.url}/datasets/{name}.arrows").body).read_all()


def sometimes(values, type_):
    """The values of a column of the type, every seventh of them null."""
    return pa.array([None if i % 7 == 3 else value for i, value in enumerate(values)], type_)


def typed_table():
    """Each type that Parquet with a stored Arrow schema keeps, with nulls."""
    ids = range(ROWS)
    day = datetime.date(1969, 1, 1)
    instants = [datetime.datetime(1969, 6, 1) + datetime.timedelta(seconds=1234 * i) for i in ids]
    texts = [f"text {i % 50} ü" for i in ids]
    columns = {
        **{str(t): sometimes([i % 100 for i in ids], t) for t in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())},
        "bool": sometimes([i % 3 == 0 for i in ids], pa.bool_()),
        "float": sometimes([i / 7 for i in ids], pa.float32()),
        "double": sometimes([i / 7 for i in ids], pa.float64()),
        "decimal": sometimes([decimal.Decimal(i * i - 1000).scaleb(-3) for i in ids], pa.decimal128(20, 3)),
        "date32": sometimes([day + datetime.timedelta(days=i) for i in ids], pa.date32()),
        "date64": sometimes([day + datetime.timedelta(days=i) for i in ids], pa.date64()),
        "time32": sometimes([datetime.time(i % 24, i % 60, 1, 5000) for i in ids], pa.time32("ms")),
        "time64": sometimes([datetime.time(i % 24, i % 60, 1, i) for i in ids], pa.time64("us")),
        **{f"timestamp {u}": sometimes(instants, pa.timestamp(u)) for u in ("ms", "us", "ns")},
        "zoned": sometimes(instants, pa.timestamp("us", "Europe/Berlin")),
        "duration": sometimes([datetime.timedelta(seconds=i) for i in ids], pa.duration("ms")),
        "text": sometimes(texts, pa.string()),
        "large text": sometimes(texts, pa.large_string()),
        "binary": sometimes([text.encode() for text in texts], pa.binary()),
        "fixed": sometimes([uuid.UUID(int=i).bytes for i in ids], pa.binary(16)),
        "dictionary": sometimes(texts, pa.string()).dictionary_encode(),
        "list": sometimes([[i, None, i + 1][: i % 4] for i in ids], pa.list_(pa.int32())),
        "large list": sometimes([[str(i)] * (i % 3) for i in ids], pa.large_list(pa.string())),
        "pair": sometimes([[i, i + 1] for i in ids], pa.list_(pa.float32(), 2)),
        "struct": sometimes([{"a": i, "b": f"b{i}"} for i in ids], pa.struct([("a", pa.int16()), ("b", pa.string())])),
        "map": sometimes([[(f"k{j}", j) for j in range(i % 3)] for i in ids], pa.map_(pa.string(), pa.int64())),
    }
    table = pa.table(columns)
    field = pa.field("described", pa.int64(), metadata={"unit": "m"})
    return table.append_column(field, pa.array(ids, pa.int64())).replace_schema_metadata({"source": "test"})


def test_parquet_of_pyarrow_keeps_types_values_and_metadata(service, folder):
    table = typed_table()
    path = folder / "typed-pyarrow.parquet"
    pq.write_table(table, path, row_group_size=1000)
    status, document = put(service, path, "typed-pyarrow")
    assert status == 201, document
    assert document["warnings"] == []
    found = stored(service, "typed-pyarrow")
    found.validate(full=True)
    # pyarrow itself does not read lists of a fixed size among which some are null.
    for name in table.column_names:
        assert found.schema.field(name).equals(table.schema.field(name), check_metadata=False), name
        assert found[name].to_pylist() == table[name].to_pylist(), name
    assert found.schema.metadata[b"source"] == b"test"
    assert found.schema.field("described").metadata[b"unit"] == b"m"


@pytest.mark.parametrize("writer", ["pandas", "polars", "duckdb"])
def test_parquet_of_other_writers_equals_what_pyarrow_reads(service, folder, writer):
    path = folder / f"written-by-{writer}.parquet"
    frame = pandas.DataFrame(
        {
            "id": range(ROWS),
            "text": [None if i % 5 == 0 else f"t{i}" for i in range(ROWS)],
            "when": pandas.date_range("2020-01-01", periods=ROWS, freq="37min"),
            "x": [i / 3 for i in range(ROWS)],
        }
    )
    if writer == "pandas":
        frame.astype({"text": "category"}).to_parquet(path)
    elif writer == "polars":
        polars.from_pandas(frame).with_columns(polars.col("text").cast(polars.Categorical)).write_parquet(path)
    else:
        duckdb.sql(f"COPY (SELECT * FROM frame) TO '{path}' (FORMAT parquet)")
    status, document = put(service, path, path.stem)
    assert status == 201, document
    expected = pq.read_table(path)
    found = stored(service, path.stem)
    for name in expected.column_names:
        values = found[name]
        assert values.to_pylist() == expected[name].to_pylist(), name
        # Of polars' categories, pyarrow itself makes another dictionary type.
        if not pa.types.is_dictionary(values.type):
            assert values.type == expected[name].type, name


def test_csv_equals_what_python_reads(service, folder):
    random.seed(7)
    header = ["id", "text", "id", "x", "day"]
    texts = ["", "plain", 'with "quotes"', "comma, and\nline", " spaces ", "ümlaut", "NULL"]
    rows = [
        [str(i), texts[i % len(texts)], str(-i), repr(random.random() * 1e6), f"2024-02-{i % 28 + 1:02d}"]
        for i in range(ROWS)
    ]
    path = folder / "python.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    status, document = put(service, path, "python-csv")
    assert status == 201, document
    types = [column["type"] for column in document["columns"]]
    assert types == ["int64", "utf8", "int64", "float64", "date32[day]"]
    found = stored(service, "python-csv")
    assert found.column_names == header
    kinds = [int, lambda text: text or None, int, float, datetime.date.fromisoformat]
    for i, kind in enumerate(kinds):
        assert found.column(i).to_pylist() == [kind(row[i]) for row in rows]


def test_json_lines_equal_what_python_reads(service, folder):
    rows = [
        {"id": i, "tags": [str(j) for j in range(i % 3)], "place": {"x": i / 2, "name": None if i % 2 else "n"}}
        for i in range(ROWS)
    ]
    path = folder / "python.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    status, document = put(service, path, "python-jsonl")
    assert status == 201, document
    assert stored(service, "python-jsonl").to_pylist() == rows


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_mutated_files_are_stored_or_told(service, folder, suffix, pytestconfig):
    """Bytes that change may end a worker, never the service; what is told names no path."""
    table = typed_table().select(["int32", "double", "text", "date32", "list"]).slice(0, 200)
    path = folder / f"mutated{suffix}"
    if suffix == ".parquet":
        pq.write_table(table, path)
    elif suffix == ".jsonl":
        path.write_text("".join(json.dumps(row, default=str) + "\n" for row in table.to_pylist()))
    else:
        table.drop_columns(["list"]).to_pandas().to_csv(path, index=False)
    original = path.read_bytes()
    generator = random.Random(18)
    statuses = set()
    for _ in range(max(1, pytestconfig.getoption("mutations") // 8)):
        damaged = bytearray(original)
        for _ in range(generator.choice([1, 1, 3, 20])):
            start = generator.randrange(len(damaged))
            match generator.randrange(4):
                case 0:
                    damaged[start] = generator.randrange(256)
                case 1:
                    del damaged[start : start + generator.randrange(1, 50)]
                case 2:
                    damaged[start:start] = generator.randbytes(generator.randrange(1, 20))
                case _:
                    damaged[start:start] = damaged[: generator.randrange(1, 100)]
            if len(damaged) < 8:
                break
        path.write_bytes(damaged)
        status, document = put(service, path, f"mutated-{suffix[1:]}")
        statuses.add(status)
        assert status in (200, 201, 400, 413, 415, 422, 502, 503), document
        assert "/" not in document.get("detail", ""), document
    assert statuses & {400, 422}
    assert curl(f"{service.url}/health").status == 200


def test_other_clients_send_files(service, folder):
    pytest.importorskip("requests")
    import requests

    text = "city,altitude\nBern,540\nOslo,23\n"
    form = requests.post(f"{service.url}/datasets", files={"file": ("peaks.csv", io.BytesIO(text.encode()))})
    assert form.status_code == 201, form.text
    assert [column["type"] for column in form.json()["columns"]] == ["utf8", "int64"]
    name = form.json()["name"]
    assert polars.read_ipc_stream(f"{service.url}/datasets/{name}.arrows").rows() == [("Bern", 540), ("Oslo", 23)]


@pytest.mark.parametrize(
    ("suffix", "form"), [("csv", "CSV"), ("csv", "CSVWithNames"), ("jsonl", "JSONEachRow"), ("parquet", "Parquet")]
)
def test_clickhouse_inserts_files(service, clickhouse, suffix, form):
    """The second INSERT appends. CSV, which is what the suffix alone means, has no names."""
    name = f"clickhouse-{form}"
    select = "SELECT toInt64(number) AS id, concat('page ', toString(number)) AS page FROM numbers(100)"
    for _ in range(2):
        clickhouse(f"INSERT INTO FUNCTION url('{service.url}/datasets/{name}.{suffix}', '{form}') {select}")
    table = stored(service, name)
    assert form == "CSV" or table.column_names == ["id", "page"]
    assert table[0].to_pylist() == [*range(100)] * 2
    assert table[1].to_pylist() == [f"page {i}" for i in range(100)] * 2

"""Datasets as Parquet files: what other programs read, and what a round trip keeps."""

import concurrent.futures
import datetime
import decimal
import io
import json
import struct
import urllib.parse
import urllib.request

import duckdb
import fsspec
import numpy
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from polars.testing import assert_frame_equal

import catalogue
from conftest import SMALL_MEMORY
from service import Service, curl

ROWS = 1_000


@pytest.fixture(scope="module")
def service(services):
    return services("default memory")


def put(service, name, body, suffix):
    request = urllib.request.Request(f"{service.url}/datasets/{name}{suffix}", body, method="PUT")
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def arrow(table):
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        for batch in table.to_batches() if isinstance(table, pa.Table) else table:
            writer.write_batch(batch)
    return sink.getvalue()


def stored(service, name):
    return pa.ipc.open_stream(curl(f"{service.url}/datasets/{name}.arrows").body).read_all()


def parquet(service, name, query=""):
    response = curl(f"{service.url}/datasets/{name}.parquet{query}")
    assert response.status == 200, response
    return response.body


def representable(type_):
    """Whether Parquet has a type for the values."""
    if pa.types.is_union(type_) or pa.types.is_interval(type_):
        return False
    if pa.types.is_decimal(type_):
        return type_.precision <= 38 and type_.scale >= 0
    if pa.types.is_struct(type_) and type_.num_fields == 0:
        return False
    if pa.types.is_dictionary(type_) or pa.types.is_run_end_encoded(type_):
        return representable(type_.value_type)
    return all(representable(type_.field(i).type) for i in range(type_.num_fields))


def table_of(kinds):
    """A table with the columns of all kinds, each of which has its name and its shape of nulls."""
    arrays, fields = [[] for _ in catalogue.ROWS], []
    for kind in kinds:
        for i, batch in enumerate(kind.batches()):
            arrays[i].extend(batch.columns)
        fields.extend(field.with_name(f"{kind.name}: {field.name}") for field in kind.schema())
    schema = pa.schema(fields, metadata={"source": "catalogue"})
    return schema, [pa.record_batch(columns, schema=schema) for columns in arrays]


def values(column):
    """The values, or their numbers where Python has no such time."""
    try:
        return column.to_pylist()
    except (ValueError, OverflowError):
        return column.cast(pa.int64()).to_pylist()


def restored(type_, has_nulls):
    """The type that a reader restores from a Parquet file, as the documentation says."""
    if pa.types.is_float16(type_):
        return pa.float32()
    if pa.types.is_decimal(type_):
        return pa.decimal128(type_.precision, type_.scale)
    if pa.types.is_date64(type_):
        return pa.date32()
    if pa.types.is_time32(type_):
        return pa.time64("us")
    if pa.types.is_timestamp(type_) and (type_.unit == "s" or type_.unit == "ms" and type_.tz):
        return pa.timestamp("us", type_.tz)
    if pa.types.is_fixed_size_binary(type_):
        return pa.binary()
    if pa.types.is_run_end_encoded(type_):
        return restored(type_.value_type, has_nulls)
    if pa.types.is_dictionary(type_):
        if type_.value_type in (pa.utf8(), pa.large_utf8(), pa.string_view()):
            return pa.dictionary(type_.index_type, pa.utf8())
        return restored(type_.value_type, has_nulls)
    if pa.types.is_fixed_size_list(type_):
        item = restored(type_.value_type, True)
        return pa.list_(item) if has_nulls else pa.list_(item, type_.list_size)
    if pa.types.is_list(type_) or pa.types.is_list_view(type_):
        return pa.list_(restored(type_.value_type, True))
    if pa.types.is_large_list(type_) or pa.types.is_large_list_view(type_):
        return pa.large_list(restored(type_.value_type, True))
    if pa.types.is_map(type_):
        key, item = restored(type_.key_type, True), restored(type_.item_type, True)
        return pa.map_(key, item, type_.keys_sorted)
    if pa.types.is_struct(type_):
        return pa.struct([(field.name, restored(field.type, True)) for field in type_])
    return type_


def is_changed_by_an_upload(type_):
    """Whether an upload of the Parquet file makes another type of a dataset's."""
    if pa.types.is_run_end_encoded(type_):
        return pa.types.is_nested(type_.value_type) or pa.types.is_dictionary(type_.value_type)
    if pa.types.is_dictionary(type_):
        return type_.ordered or pa.types.is_nested(type_.value_type)
    return any(is_changed_by_an_upload(type_.field(i).type) for i in range(type_.num_fields))


@pytest.fixture(scope="module")
def everything(service):
    """All types that Parquet can hold as one dataset."""
    kinds = [kind for kind in catalogue.KINDS.values() if representable(kind.type)]
    schema, batches = table_of(kinds)
    put(service, "parquet-all", arrow(pa.Table.from_batches(batches, schema)), "")
    return stored(service, "parquet-all"), parquet(service, "parquet-all")


def test_pyarrow_reads_each_type_and_value(everything):
    table, file = everything
    found = pq.read_table(io.BytesIO(file))
    found.validate(full=True)
    assert found.schema.metadata[b"source"] == b"catalogue"
    assert found.column_names == table.column_names
    for name in table.column_names:
        assert values(found[name]) == values(table[name]), name
        type_ = table.schema.field(name).type
        if pa.types.is_dictionary(type_) and all(value is None for value in values(table[name])):
            # A file has no dictionary of nulls alone.
            type_ = type_.value_type
        expected = restored(type_, table[name].null_count > 0)
        assert found.schema.field(name).type == expected, name


def test_polars_and_duckdb_read_each_value(everything, folder):
    table, file = everything
    path = folder / "everything.parquet"
    path.write_bytes(file)
    assert polars.read_parquet(path).shape == (table.num_rows, table.num_columns)
    assert duckdb.sql(f"FROM '{path}'").arrow().read_all().num_rows == table.num_rows
    plain = [f.name for f in table.schema if pa.types.is_primitive(f.type) and f.type != pa.float16()]
    frame = polars.read_parquet(path, columns=plain)
    expected = polars.from_arrow(pq.read_table(path, columns=plain))
    assert_frame_equal(frame, expected)


def test_upload_of_the_file_restores_types_names_and_metadata(service, everything):
    table, file = everything
    document = put(service, "parquet-back", file, ".parquet")
    found = stored(service, "parquet-back")
    assert found.schema.metadata == table.schema.metadata
    changed = [field.name for field in table.schema if is_changed_by_an_upload(field.type)]
    for field in table.schema:
        assert values(found[field.name]) == values(table[field.name]), field.name
        if field.name not in changed:
            assert found.schema.field(field.name).equals(field, check_metadata=True), field.name
    warnings = " ".join(document.get("warnings", []))
    assert [name for name in changed if name not in warnings] == []


def test_types_that_parquet_lacks_are_named(service):
    kinds = [kind for kind in catalogue.KINDS.values() if not representable(kind.type)]
    schema, batches = table_of(kinds)
    put(service, "parquet-lacks", arrow(pa.Table.from_batches(batches, schema)), "")
    assert len(kinds) > 8
    for kind in kinds:
        column = f"{kind.name}: no nulls"
        query = urllib.parse.urlencode({"columns": '"' + column + '"'})
        response = curl(f"{service.url}/datasets/parquet-lacks.parquet?{query}")
        assert response.status == 422, kind.name
        problem = response.json()
        assert problem["type"] == "urn:quiver:problem:unsupported"
        assert problem["column"].startswith(column), problem
        assert f"found type {problem['arrowType']} in column {problem['column']};" in problem["detail"]


def test_values_that_parquet_lacks_are_an_error(service):
    halves = pa.array([0, 43_200_000], pa.int64()).view(pa.date64())
    put(service, "parquet-halves", arrow(pa.table({"day": halves})), "")
    response = curl(f"{service.url}/datasets/parquet-halves.parquet")
    assert response.status == 422
    assert response.json()["type"] == "urn:quiver:problem:invalid-value"
    assert "day" in response.json()["detail"]


def test_names_of_columns_are_distinct_in_the_file_and_restored_by_an_upload(service):
    names = ["a", "A", "a", "", 'quo"ted']
    table = pa.Table.from_arrays([pa.array([i]) for i in range(5)], names=names)
    put(service, "parquet-names", arrow(table), "")
    file = parquet(service, "parquet-names")
    assert pq.read_table(io.BytesIO(file)).column_names == ["a", "A_1", "a_2", "C3", 'quo"ted']
    put(service, "parquet-names-back", file, ".parquet")
    assert stored(service, "parquet-names-back").column_names == names


def test_file_that_another_tool_wrote_again_has_its_own_types(service):
    table = pa.table({"small": pa.array([1, 2], pa.int8()), "time": pa.array([1, 2], pa.time32("s"))})
    put(service, "parquet-again", arrow(table), "")
    file = io.BytesIO(parquet(service, "parquet-again"))
    read = pq.read_table(file)
    kept = {b"QUIVER:schema": pq.ParquetFile(file).metadata.metadata[b"QUIVER:schema"]}
    larger = read.set_column(0, "small", pa.array([1000, 2000], pa.int64()))
    larger = larger.set_column(1, "time", pa.array([1, 2], pa.time64("us")))
    sink = io.BytesIO()
    pq.write_table(larger.replace_schema_metadata(kept), sink)
    put(service, "parquet-again", sink.getvalue(), ".parquet")
    found = stored(service, "parquet-again")
    assert found.to_pydict() == larger.to_pydict()
    assert found.schema.types == [pa.int64(), pa.time64("us")]
    # Nor does the next file repeat what the first one said.
    again = pq.read_table(io.BytesIO(parquet(service, "parquet-again")))
    assert again.to_pydict() == larger.to_pydict()


def sometimes(items, empty=None):
    return [empty if i % 7 == 3 else item for i, item in enumerate(items)]


def test_pandas_keeps_its_types(service):
    ids = range(ROWS)
    words = [f"text {i % 50} ü" for i in ids]
    frame = pandas.DataFrame(
        {
            "id": numpy.arange(ROWS, dtype="int16"),
            "x": sometimes([i / 7 for i in ids], numpy.nan),
            "flag": [i % 3 == 0 for i in ids],
            "text": pandas.array(sometimes(words), dtype="string"),
            "category": pandas.Categorical(sometimes(words)),
            "nullable": pandas.array(sometimes(ids), dtype="Int32"),
            "when": pandas.date_range("2020-01-01", periods=ROWS, freq="37min1ns").as_unit("ns"),
            "zoned": pandas.date_range("2020-01-01", periods=ROWS, freq="1s", tz="Europe/Berlin").as_unit("us"),
            "span": pandas.to_timedelta(numpy.arange(ROWS), unit="s").as_unit("ns"),
            "day": sometimes([datetime.date(1969, 1, 1) + datetime.timedelta(days=i) for i in ids]),
            "price": sometimes([decimal.Decimal(i).scaleb(-2) for i in ids]),
            "list": [[i, i + 1][: i % 3] for i in ids],
        },
        index=pandas.Index([f"row {i}" for i in ids], name="key"),
    )
    sink = io.BytesIO()
    frame.to_parquet(sink)
    put(service, "parquet-pandas", sink.getvalue(), ".parquet")
    before = pandas.read_parquet(sink)
    found = pandas.read_parquet(f"{service.url}/datasets/parquet-pandas.parquet")
    # Categories are in the order of their first appearance.
    found["category"] = found["category"].cat.set_categories(before["category"].cat.categories)
    assert list(found.dtypes.items()) == list(before.dtypes.items())
    pandas.testing.assert_frame_equal(found, before)


def test_polars_keeps_its_types(service):
    ids = range(ROWS)
    instants = [datetime.datetime(1969, 6, 1) + datetime.timedelta(seconds=1234 * i) for i in ids]
    words = sometimes([f"text {i % 50} ü" for i in ids])
    frame = polars.DataFrame(
        {
            "id": polars.Series(ids, dtype=polars.UInt16),
            "x": polars.Series([i / 7 for i in ids], dtype=polars.Float32),
            "text": words,
            "category": polars.Series(words, dtype=polars.Categorical),
            "bytes": sometimes([str(i).encode() for i in ids]),
            "day": sometimes([instant.date() for instant in instants]),
            "time": sometimes([instant.time() for instant in instants]),
            **{f"at {u}": polars.Series(sometimes(instants), dtype=polars.Datetime(u)) for u in ("ms", "us", "ns")},
            "zoned": polars.Series(instants, dtype=polars.Datetime("us", "UTC")).dt.convert_time_zone("Asia/Kathmandu"),
            **{f"span {u}": polars.Series(sometimes([datetime.timedelta(seconds=i) for i in ids]), dtype=polars.Duration(u)) for u in ("ms", "us", "ns")},
            "price": polars.Series(sometimes([decimal.Decimal(i).scaleb(-2) for i in ids]), dtype=polars.Decimal(20, 2)),
            "list": [[i, None][: i % 3] for i in ids],
            "pair": polars.Series([[i, i + 1] for i in ids], dtype=polars.Array(polars.Int32, 2)),
            "struct": [{"a": i, "b": f"b{i}"} for i in ids],
        }
    )
    sink = io.BytesIO()
    frame.write_parquet(sink)
    put(service, "parquet-polars", sink.getvalue(), ".parquet")
    found = polars.read_parquet(f"{service.url}/datasets/parquet-polars.parquet")
    assert found.schema == frame.schema
    assert_frame_equal(found, frame)


def test_duckdb_keeps_its_types(service, folder):
    path, back = folder / "duckdb.parquet", folder / "duckdb-back.parquet"
    query = f"""
        SELECT i::TINYINT AS t, i::UBIGINT AS u, i / 7 AS d, (i / 7)::FLOAT AS f, (i * 0.01)::DECIMAL(30, 2) AS p,
            'text ' || i AS s, ('b' || i)::BLOB AS b, DATE '1969-01-01' + i::INT AS day, TIME '01:02:03' AS tm,
            TIMESTAMP '1969-01-01' + INTERVAL (i) HOUR AS ts, (TIMESTAMP '1969-01-01 00:00:00.000001')::TIMESTAMP_NS AS ns,
            TIMESTAMPTZ '2020-01-01 00:00:00+00' AS tz, [i, NULL] AS l, {{'a': i, 'b': [i]}} AS st,
            MAP {{i: 'x'}} AS m, uuid_v5 AS id, i % 2 = 0 AS bo, NULL::INT AS n
        FROM range(100) r(i), (SELECT UUID '00000000-0000-0000-0000-0000000000ff' AS uuid_v5)"""
    duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet)")
    put(service, "parquet-duckdb", path.read_bytes(), ".parquet")
    back.write_bytes(parquet(service, "parquet-duckdb"))
    describe = "SELECT column_name, column_type FROM (DESCRIBE FROM '{}')"
    assert duckdb.sql(describe.format(back)).fetchall() == duckdb.sql(describe.format(path)).fetchall()
    differences = "SELECT count(*) FROM ((FROM '{}' EXCEPT FROM '{}'))"
    assert duckdb.sql(differences.format(back, path)).fetchone() == (0,)
    assert duckdb.sql(differences.format(path, back)).fetchone() == (0,)


def test_results_of_statements_are_files(service, folder):
    table = pa.table({"i": range(ROWS), "t": [f"text {i}" for i in range(ROWS)]})
    put(service, "asked", arrow(table), ".arrows")
    sql = "select i * 2 j, t from asked where i % 3 = 0 order by i"
    url = f"{service.url}/sql.parquet?" + urllib.parse.urlencode({"q": sql})
    rows = polars.DataFrame(table).filter(polars.col("i") % 3 == 0)
    expected = rows.select(j=polars.col("i") * 2, t="t")
    assert pandas.read_parquet(url).equals(expected.to_pandas())
    file = folder / "result.parquet"
    file.write_bytes(curl(url).body)
    assert_frame_equal(polars.read_parquet(file), expected)
    assert duckdb.sql(f"from '{file}'").pl().equals(expected)


def test_conversion_from_csv_is_a_file(service):
    file = curl(
        "--data-binary", "a,b\n1,x\n", "-H", "Content-Type: text/csv",
        "-H", "Accept: application/vnd.apache.parquet", f"{service.url}/convert",
    )
    assert file.status == 200, file
    assert pq.read_table(io.BytesIO(file.body)).to_pylist() == [{"a": 1, "b": "x"}]


@pytest.fixture(scope="module")
def large(service):
    """Three row groups of 12 MB together."""
    generator = numpy.random.default_rng(7)
    columns = {"id": pa.array(range(300_000), pa.int32())}
    columns |= {f"x{i}": pa.array(generator.random(300_000)) for i in range(5)}
    table = pa.table(columns)
    put(service, "parquet-large", arrow(table), "")
    return table


def test_scans_read_the_columns_and_row_groups_that_they_need(service, large):
    url = f"{service.url}/datasets/parquet-large.parquet"
    whole = int(curl("-I", url).headers["content-length"])
    with service.recorded() as requests:
        found = polars.scan_parquet(url).filter(polars.col("id") < 1000).select("id", "x2").collect()
    assert found["x2"].to_list() == large["x2"][:1000].to_pylist()
    read = [request for request in requests if request.method == "GET"]
    assert read and all(request.status == 206 for request in read), requests
    assert sum(request.byte_size for request in read) < whole / 4
    table = pq.read_table(url, columns=["x3"], filesystem=fsspec.filesystem("http"))
    assert table["x3"].to_pylist() == large["x3"].to_pylist()


@pytest.fixture(scope="module")
def replicas(folder, large):
    """Two services on one store whose workers have other threads and memory."""
    storage = {"quiver.storage.path": folder / "parquet-replicas"}
    settings = {"quiver.files.threads": 1, "quiver.files.memory": "64MB"}
    running = []
    try:
        running.append(Service(folder / "parquet-first", **storage))
        running.append(Service(folder / "parquet-second", SMALL_MEMORY, **storage, **settings))
        put(running[0], "replicated", arrow(large), "")
        yield running
    finally:
        for service in running:
            service.stop()


@pytest.mark.parametrize(
    "query", ["", "?where=x1%20%3C%200.5&columns=id,x4", "?offset=70000&limit=150000", "?sample=1000"]
)
def test_rows_keep_their_order_and_replicas_write_the_same_bytes(replicas, query):
    first, second = replicas
    path = f"/datasets/replicated.parquet{query}"
    whole = curl(first.url + path)
    assert whole.status == 200, whole
    etag = whole.headers["etag"]
    again = curl(second.url + path)
    assert (again.status, again.headers["etag"], again.body == whole.body) == (200, etag, True)
    middle = len(whole.body) // 2
    resumed = curl("-H", f"Range: bytes={middle}-", "-H", f"If-Range: {etag}", second.url + path)
    assert (resumed.status, whole.body[:middle] + resumed.body == whole.body) == (206, True)
    expected = pa.ipc.open_stream(curl(f"{first.url}/datasets/replicated.arrows{query}").body).read_all()
    found = pq.read_table(io.BytesIO(whole.body))
    assert found.replace_schema_metadata(None).equals(expected.replace_schema_metadata(None))
    if not query:
        metadata = pq.ParquetFile(io.BytesIO(whole.body)).metadata
        assert metadata.num_row_groups == 3
        assert metadata.created_by.startswith("DuckDB version")


def test_distinct_categories_are_read_by_polars(service):
    """polars reads a column stated as a dictionary only if the file has one."""
    frame = polars.DataFrame({"c": polars.Series([f"c{i}" for i in range(5_000)], dtype=polars.Categorical)})
    content = io.BytesIO()
    frame.write_parquet(content)
    put(service, "categories", content.getvalue(), ".parquet")
    assert polars.read_parquet(io.BytesIO(curl(f"{service.url}/datasets/categories.parquet").body)).equals(frame)


@pytest.mark.parametrize("count", [0, 3, 5_000])
def test_categories_that_polars_wrote_as_arrow_are_read_from_parquet(service, count):
    """polars has its categories as dictionaries of views in Arrow, and as dictionaries of text in Parquet."""
    words = [f"c{i}" for i in range(count)]
    values = polars.Series(sometimes(words), dtype=polars.String)
    frame = polars.DataFrame(
        {
            "category": values.cast(polars.Categorical),
            "enum": values.cast(polars.Enum([*words, "unused"])),
            "nulls": polars.Series([None] * count, dtype=polars.Categorical),
            "list": polars.Series([[word] for word in words], dtype=polars.List(polars.Categorical)),
        }
    )
    content = io.BytesIO()
    frame.write_ipc(content)
    put(service, f"categories-{count}", content.getvalue(), ".arrow")
    found = polars.read_parquet(io.BytesIO(curl(f"{service.url}/datasets/categories-{count}.parquet").body))
    # A file has no dictionary of nulls alone.
    nulls = polars.String if count > 0 else polars.Categorical
    assert dict(found.schema) == {**frame.schema, "nulls": nulls}
    assert_frame_equal(found, frame.with_columns(polars.col("nulls").cast(nulls)))


GEO = {
    "version": "1.0.0",
    "primary_column": "g",
    "columns": {"g": {"encoding": "WKB", "geometry_types": ["Point"], "crs": {"id": {"code": 2056}}}},
}
POINT = struct.pack("<BIdd", 1, 1, 7.5, 46.9)


def keys(file):
    return pq.ParquetFile(io.BytesIO(file)).metadata.metadata


SPARK = "org.apache.spark.sql.parquet.row.metadata"
AVRO = "parquet.avro.schema"


def test_schemas_of_other_programs_describe_the_columns_of_the_file(service):
    """Spark and Avro take the schema for that of the file, also if columns are missing."""
    frame = pandas.DataFrame({"id": [1, 2], "s": [{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]}, index=["p", "q"])
    struct = {"type": "struct", "fields": [{"name": "x", "type": "long"}, {"name": "y", "type": "string"}]}
    types = {"id": "long", "s": struct, "__index_level_0__": "string"}
    fields = [{"name": name, "type": type_} for name, type_ in types.items()]
    schemas = {SPARK: json.dumps({"type": "struct", "fields": fields})}
    schemas[AVRO] = json.dumps({"type": "record", "name": "row", "fields": fields})
    table = pa.Table.from_pandas(frame)
    table = table.replace_schema_metadata({**table.schema.metadata, **schemas, "author": "ada"})
    sink = io.BytesIO()
    pq.write_table(table, sink)
    put(service, "parquet-schemas", sink.getvalue(), ".parquet")

    def described(query):
        file = parquet(service, "parquet-schemas", query)
        metadata = keys(file)
        assert metadata[b"author"] == b"ada"
        written = pq.ParquetFile(io.BytesIO(file)).schema_arrow
        for key in schemas.keys() & {name.decode() for name in metadata}:
            columns = json.loads(metadata[key.encode()])["fields"]
            assert [column["name"] for column in columns] == written.names
            inner = next(column for column in columns if column["name"] == "s")["type"]["fields"]
            assert [column["name"] for column in inner] == [field.name for field in written.field("s").type]
        return {key for key in (SPARK, AVRO, "pandas") if key.encode() in metadata}, file

    all_keys, file = described("")
    assert all_keys == {SPARK, AVRO, "pandas"}
    assert pandas.read_parquet(io.BytesIO(file)).equals(frame)
    assert described("?limit=1&offset=1")[0] == all_keys
    assert described("?columns=id")[0] == set()
    assert described("?columns=id,__index_level_0__")[0] == set()
    # The names of the columns are the same.
    part, file = described("?columns=id,s.x,__index_level_0__")
    assert part == {"pandas"}
    assert list(pandas.read_parquet(io.BytesIO(file)).index) == ["p", "q"]


@pytest.mark.parametrize("writer", ["pyarrow", "duckdb"])
def test_keys_of_the_footer_come_back(service, folder, writer):
    """DuckDB states no Arrow schema beside the keys."""
    metadata = {"geo": json.dumps(GEO), "author": "it's ü", "empty": ""}
    table = pa.table({"id": [1, 2], "g": [POINT, None]}).replace_schema_metadata(metadata)
    path = folder / f"geo-{writer}.parquet"
    if writer == "pyarrow":
        pq.write_table(table, path)
    else:
        quoted = {key: value.replace("'", "''") for key, value in metadata.items()}
        pairs = ", ".join(f"{key}: '{value}'" for key, value in quoted.items())
        duckdb.sql(f"COPY (FROM \"table\") TO '{path}' (FORMAT parquet, KV_METADATA {{{pairs}}})")
    put(service, "parquet-geo", path.read_bytes(), ".parquet")
    expected = {key.encode(): value.encode() for key, value in metadata.items()}
    assert stored(service, "parquet-geo").schema.metadata == expected
    file = parquet(service, "parquet-geo")
    schemas = {b"ARROW:schema", b"QUIVER:schema"}
    assert {key: value for key, value in keys(file).items() if key not in schemas} == expected
    assert schemas <= keys(file).keys()
    assert pq.read_table(io.BytesIO(file)).equals(table)
    path = folder / f"geo-{writer}-back.parquet"
    path.write_bytes(file)
    assert duckdb.sql(f"FROM '{path}'").types[1].id == "geometry"
    # A file without the column is no longer one of geometries.
    assert b"geo" not in keys(parquet(service, "parquet-geo", "?columns=id"))
    assert b"geo" in keys(parquet(service, "parquet-geo", "?columns=g"))
    put(service, "parquet-geo-again", file, ".parquet")
    assert stored(service, "parquet-geo-again").schema.metadata == expected


@pytest.mark.parametrize("codec", ["snappy", "zstd", "uncompressed"])
def test_page_of_128_megabytes_is_read_with_a_heap_of_512(folder, codec):
    generator = numpy.random.default_rng(3)
    count = 131_000
    # Most bytes of the text do not compress.
    content = generator.integers(33, 126, count * 1_000, dtype=numpy.uint8).tobytes()
    offsets = numpy.arange(0, (count + 1) * 1_000, 1_000, dtype=numpy.int32)
    text = pa.StringArray.from_buffers(count, pa.py_buffer(offsets), pa.py_buffer(content))
    table = pa.table({"id": pa.array(range(count)), "t": text})
    path = folder / f"large-page-{codec}.parquet"
    duckdb.sql(f"COPY (FROM \"table\") TO '{path}' (FORMAT parquet, COMPRESSION {codec}, ROW_GROUP_SIZE 200000)")
    service = Service(folder / f"large-page-{codec}", ("-Xmx512m",))
    try:
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            names = [f"large-{i}" for i in range(3)]
            assert len(list(pool.map(lambda name: put(service, name, path.read_bytes(), ".parquet"), names))) == 3
        for name in names:
            assert stored(service, name)["t"].combine_chunks().equals(text)
    finally:
        service.stop()

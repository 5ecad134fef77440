"""Frames appended one by one are read back as their concatenation.

Each frame has categories known by then, in a random order: up to 3, then 200, then 40,000. So the
dictionary of the dataset outgrows int8 and int16 indices.
"""

import datetime
import io
import json
import urllib.request

import numpy
import pandas as pd
import pyarrow as pa
import pytest

import tables
from conftest import need
from service import curl

STREAM = "application/vnd.apache.arrow.stream"
FILE = "application/vnd.apache.arrow.file"


def category_count(index, count):
    """The number of known categories at frame `index` of `count`."""
    third = count // 3
    if index < third:
        return 3
    if index < 2 * third:
        return 3 + 197 * (index + 1 - third) // third
    return 200 + 39_800 * (index + 1 - 2 * third) // (count - 2 * third)


def frames(count):
    """The last frame has all categories; the others have all new ones and up to 100 old ones."""
    result = []
    before = 0
    for index in range(count):
        generator = numpy.random.default_rng(index)
        known = category_count(index, count)
        new = numpy.arange(before, known)
        old = generator.permutation(before)[: before if index == count - 1 else 100]
        names = generator.permutation(numpy.concatenate([new, old]))
        codes = generator.integers(-1, len(names), 50 + len(new))
        category = pd.Categorical.from_codes(codes, [f"category {name}" for name in names])
        result.append(pd.DataFrame({"id": numpy.arange(len(codes)) + 1000 * index, "category": category}))
        before = known
    return result


def post(url, body, media_type, **headers):
    request = urllib.request.Request(url, body, {"Content-Type": media_type} | headers)
    with urllib.request.urlopen(request) as response:
        return response.status


def post_json(url, body, media_type):
    request = urllib.request.Request(url, body, {"Content-Type": media_type})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def by_pandas(frame, index):
    body = io.BytesIO()
    frame.to_feather(body, compression=["uncompressed", "lz4", "zstd"][index % 3])
    return body.getvalue(), FILE


def by_pyarrow(frame, index):
    """Writes two batches, the second with a replacement dictionary."""
    first = pa.Table.from_pandas(frame[:20])
    rest = frame[20:].assign(category=frame["category"][20:].cat.remove_unused_categories())
    body = io.BytesIO()
    with pa.ipc.new_stream(body, first.schema) as stream:
        stream.write_table(first)
        stream.write_table(pa.Table.from_pandas(rest).cast(first.schema))
    return body.getvalue(), STREAM


def by_polars(frame, index):
    polars = pytest.importorskip("polars")
    body = io.BytesIO()
    categories = polars.Series(plain(frame)["category"].tolist(), dtype=polars.String)
    columns = {"id": frame["id"].to_numpy(), "category": categories.cast(polars.Categorical)}
    polars.DataFrame(columns).write_ipc_stream(body)
    return body.getvalue(), STREAM


def plain(frame):
    """Replaces the categories, whose order may differ, by their values."""
    values = frame["category"].astype(object)
    return frame.assign(category=values.where(values.notna(), None)).reset_index(drop=True)


@pytest.mark.parametrize("writer, count", [(by_pandas, 100), (by_pyarrow, 30), (by_polars, 30)])
def test_appends_with_new_categories(service, writer, count):
    need("pandas")
    url = f"{service.url}/datasets/{writer.__name__}-{service.small}"
    parts = frames(count)
    for index, frame in enumerate(parts):
        assert post(url, *writer(frame, index)) == (200 if index else 201)
    expected = pd.concat(map(plain, parts), ignore_index=True)
    read = pd.read_feather(url + ".arrow")
    assert isinstance(read["category"].dtype, pd.CategoricalDtype)
    pd.testing.assert_frame_equal(plain(read), expected, check_dtype=False)
    if writer is by_pandas:
        union = pd.api.types.union_categoricals([frame["category"] for frame in parts])
        assert read["category"].cat.categories.tolist() == union.categories.tolist()
        assert len(union.categories) == 40_000
    stream = pa.ipc.open_stream(curl(url + ".arrows").body).read_all()
    stream.validate(full=True)
    pd.testing.assert_frame_equal(plain(stream.to_pandas()), expected, check_dtype=False)
    polars = pytest.importorskip("polars")
    categories = polars.read_ipc(url + ".arrow")["category"].cast(polars.String)
    assert categories.to_list() == expected["category"].tolist()
    assert curl(url + "/versions?limit=1").json()["versions"][0]["rows"] == len(expected)
    assert curl("-X", "DELETE", url).status == 204


def test_appends_of_every_type_equal_one_upload(service, small_table, folder):
    """Appends a table with all types one batch at a time."""
    url = f"{service.url}/datasets/by-batch"
    body = tables.write_stream(small_table, folder / "whole.arrows")
    assert curl("-T", body, f"{service.url}/datasets/whole?batches=keep").status in (200, 201)
    for batch in small_table.to_batches():
        part = tables.write_stream(pa.Table.from_batches([batch]), folder / "part.arrows")
        assert curl("-X", "POST", "-T", part, f"{url}?batches=keep").status in (200, 201)
    read = pa.ipc.open_stream(curl(url + ".arrows").body).read_all()
    assert read.equals(small_table.cast(read.schema))
    assert pa.ipc.open_file(curl(url + ".arrow").body).read_all().equals(read)
    assert curl("-X", "DELETE", url).status == 204


def test_append_with_another_schema_is_rejected(service, small_table, folder):
    url = f"{service.url}/datasets/mismatch"
    path = tables.write_stream(small_table, folder / "mismatch.arrows")
    assert curl("-T", path, url).status in (200, 201)
    other = small_table.drop_columns(["flag"]).append_column("more", small_table["id"])
    path = tables.write_stream(other, folder / "mismatch.arrows")
    for query, expected in [
        ("", [("more", "extra")]),
        ("?types=exact", [("flag", "missing"), ("more", "extra")]),
    ]:
        with service.unchanged():
            problem = curl("-X", "POST", "-T", path, url + query).problem(409)
        assert [(found["field"], found["aspect"]) for found in problem["differences"]] == expected
    assert curl("-X", "DELETE", url).status == 204


CITIES = {"city": ["Bern", None, "Quito"], "altitude": [540, 23, 2850], "founded": ["1891-01-01", None, "1934-12-06"]}


def cities_by_pandas():
    frame = pd.DataFrame(CITIES | {"founded": pd.to_datetime(CITIES["founded"])})
    body = io.BytesIO()
    frame.to_feather(body)
    return body.getvalue(), FILE


def cities_by_pandas_as_parquet():
    frame = pd.DataFrame(CITIES | {"founded": pd.to_datetime(CITIES["founded"])})
    return frame.to_parquet(), "application/vnd.apache.parquet"


def cities_by_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(CITIES).with_columns(
        polars.col("altitude").cast(polars.Int32), polars.col("founded").str.to_date()
    )
    body = io.BytesIO()
    frame.select("founded", "city", "altitude").write_ipc(body)
    return body.getvalue(), FILE


def cities_by_polars_with_categories():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(CITIES).with_columns(
        polars.col("city").cast(polars.Categorical),
        polars.col("altitude").cast(polars.Float64),
        polars.col("founded").str.to_datetime(time_unit="ns"),
    )
    body = io.BytesIO()
    frame.write_ipc_stream(body)
    return body.getvalue(), STREAM


def cities_by_pyarrow():
    founded = [day and datetime.date.fromisoformat(day) for day in CITIES["founded"]]
    table = pa.table(CITIES | {"founded": pa.array(founded, pa.date32())})
    body = io.BytesIO()
    with pa.ipc.new_stream(body, table.schema) as stream:
        stream.write_table(table)
    return body.getvalue(), STREAM


def cities_by_duckdb():
    duckdb = pytest.importorskip("duckdb")
    cities = pa.table(CITIES)  # noqa: F841
    columns = "altitude::SMALLINT AS altitude, city, founded::DATE AS founded"
    body = io.BytesIO()
    found = duckdb.connect().sql(f"SELECT {columns} FROM cities").arrow()
    found = found.read_all() if isinstance(found, pa.RecordBatchReader) else found
    with pa.ipc.new_stream(body, found.schema) as stream:
        stream.write_table(found)
    return body.getvalue(), STREAM


def cities_by_csv():
    rows = zip(*([value if value is not None else "" for value in column] for column in CITIES.values()))
    lines = [",".join(map(str, row)) for row in [tuple(CITIES), *rows]]
    return "\n".join(lines).encode(), "text/csv"


CITY_WRITERS = [
    cities_by_pandas,
    cities_by_pandas_as_parquet,
    cities_by_polars,
    cities_by_polars_with_categories,
    cities_by_pyarrow,
    cities_by_duckdb,
    cities_by_csv,
]


@pytest.mark.parametrize("first", CITY_WRITERS)
def test_frames_of_each_library_append_to_those_of_each_other(service, first):
    need("pandas")
    for second in CITY_WRITERS:
        url = f"{service.url}/datasets/{first.__name__}-{second.__name__}"
        assert post(url, *first()) == 201
        before = pa.ipc.open_stream(curl(url + ".arrows").body).read_all()
        assert post(url, *second()) == 200, second
        after = pa.ipc.open_stream(curl(url + ".arrows").body).read_all()
        after.validate(full=True)
        assert after.schema.equals(before.schema), second
        twice = pa.concat_tables([before, before])
        for name in before.column_names:
            assert after[name].to_pylist() == twice[name].to_pylist(), (second, name)
        assert curl("-X", "DELETE", url).status == 204


def test_column_without_values_appends_nulls(service):
    need("pandas")
    url = f"{service.url}/datasets/null-column"
    post(url, *cities_by_pandas())
    body = io.BytesIO()
    pd.DataFrame({"altitude": [7], "city": [None]}).to_feather(body)
    response = post_json(url, body.getvalue(), FILE)
    assert response["converted"] == [
        {"column": "city", "from": "null", "to": "large_utf8"},
        {"column": "founded", "from": None, "to": response["converted"][1]["to"]},
    ]
    read = pa.ipc.open_stream(curl(url + ".arrows").body).read_all()
    assert read.slice(3).to_pylist() == [{"city": None, "altitude": 7, "founded": None}]
    assert curl("-X", "DELETE", url).status == 204


def stream_of(table):
    body = io.BytesIO()
    with pa.ipc.new_stream(body, table.schema) as stream:
        stream.write_table(table)
    return body.getvalue()


def test_new_columns_of_every_type_equal_concatenated_tables(service, small_table):
    """Each append brings one more column. pyarrow fills the missing ones with nulls."""
    url = f"{service.url}/datasets/extended"
    unfillable = pa.types.is_union, pa.types.is_run_end_encoded
    names = [
        field.name for field in small_table.schema if not any(test(field.type) for test in unfillable)
    ]
    parts = []
    for count in range(1, len(names) + 1):
        # The new column comes first, and the older ones in the reverse order.
        part = small_table.slice(count, 3).select(names[:count][::-1])
        assert post(url + "?columns=extend", stream_of(part), STREAM) == (201 if count == 1 else 200)
        parts.append(part)
    read = pa.ipc.open_stream(curl(url + ".arrows").body).read_all()
    read.validate(full=True)
    assert read.column_names == names
    assert all(field.nullable for field in read.schema.remove(0))
    for name in names:
        columns = [part[name].to_pylist() if name in part.column_names else [None] * 3 for part in parts]
        assert repr(read[name].to_pylist()) == repr(sum(columns, [])), name
    assert pa.ipc.open_file(curl(url + ".arrow").body).read_all().equals(read)
    kinds = [version["kind"] for version in curl(url + "/versions").json()["versions"]]
    assert set(kinds[:-1]) == {"extend"} and kinds[-1] == "upload"
    assert curl("-X", "POST", url + "/verify").status == 200
    assert curl("-X", "DELETE", url).status == 204


def test_new_columns_of_frames_equal_concatenated_frames(service):
    need("pandas")
    url = f"{service.url}/datasets/extended-frames"
    parts = [
        pd.DataFrame({"city": ["Bern", "Oslo"], "altitude": [540, 23]}),
        pd.DataFrame({"founded": pd.to_datetime(["1934-12-06"]), "city": ["Quito"]}),
        pd.DataFrame({"altitude": [154], "kind": pd.Categorical(["port"]), "city": ["Lima"]}),
    ]
    for part in parts:
        body = io.BytesIO()
        part.to_feather(body)
        post(url + "?columns=extend", body.getvalue(), FILE)
    expected = pd.concat(parts, ignore_index=True)
    read = pd.read_feather(url + ".arrow")
    assert read.columns.tolist() == expected.columns.tolist()
    for name in expected.columns:
        values, others = read[name].astype(object), expected[name].astype(object)
        assert values.where(values.notna(), None).tolist() == others.where(others.notna(), None).tolist()
    assert isinstance(read["kind"].dtype, pd.CategoricalDtype)
    polars = pytest.importorskip("polars")
    more = polars.DataFrame({"area": [9.5], "city": ["Rome"]}, schema_overrides={"area": polars.Float32})
    body = io.BytesIO()
    more.write_ipc_stream(body)
    before = polars.read_ipc(url + ".arrow")
    post(url + "?columns=extend", body.getvalue(), STREAM)
    after = polars.read_ipc(url + ".arrow")
    assert after.to_dicts() == polars.concat([before, more], how="diagonal_relaxed").to_dicts()
    assert after["area"].dtype == polars.Float32
    # Statements see the columns as well.
    rows = curl("-G", "--data-urlencode", 'q=SELECT count(area), count(*) FROM "extended-frames"', service.url + "/sql.csv")
    assert rows.body.split() == [b"count(area),count_star()", b"1,5"]
    assert curl("-X", "DELETE", url).status == 204


def test_repeated_response_has_the_converted_columns(service):
    need("pandas")
    url = f"{service.url}/datasets/keyed-conversion"
    post(url, *cities_by_pandas())
    body = stream_of(pa.table({"city": ["Oslo"], "altitude": pa.array([23], pa.int16()), "area": [0.5]}))
    request = urllib.request.Request(
        url + "?columns=extend", body, {"Content-Type": STREAM, "Idempotency-Key": "3e8d0a51"}
    )
    documents = []
    for _ in range(2):
        with urllib.request.urlopen(request) as response:
            documents.append(json.load(response))
    assert documents[0] == documents[1]
    assert [entry["column"] for entry in documents[0]["converted"]] == ["city", "altitude", "founded"]
    assert curl("-X", "DELETE", url).status == 204


def test_repeated_append_with_an_idempotency_key_is_stored_once(service, small_table, folder):
    """curl sends the same request twice."""
    url = f"{service.url}/datasets/keyed"
    path = tables.write_stream(small_table, folder / "keyed.arrows")
    responses = [
        curl("-X", "POST", "-T", path, "-H", "Idempotency-Key: 8e03978e", url) for _ in range(2)
    ]
    assert responses[0].status == responses[1].status == 201
    assert responses[0].json() == responses[1].json()
    assert curl(url + "/versions").json()["versions"][0]["rows"] == small_table.num_rows
    assert curl("-X", "DELETE", url).status == 204

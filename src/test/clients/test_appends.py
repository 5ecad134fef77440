"""Frames appended one by one are read back as their concatenation.

Each frame has categories known by then, in a random order: up to 3, then 200, then 40,000. So the
dictionary of the dataset outgrows int8 and int16 indices.
"""

import io
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
    with service.unchanged():
        problem = curl("-X", "POST", "-T", path, url).problem(409)
    assert [(found["field"], found["aspect"]) for found in problem["differences"]] == [
        ("flag", "missing"),
        ("more", "extra"),
    ]
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

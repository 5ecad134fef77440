"""Frames that are appended one by one as they come: what is read is all of them, one after the other.

Each frame knows the categories that there are by then, in an order of its own: 3, then 200, then
40,000, so that the dictionary of the dataset grows beyond int8 and int16.
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


def known(index, count):
    """How many categories there are when frame `index` of `count` is made."""
    third = count // 3
    if index < third:
        return 3
    if index < 2 * third:
        return 3 + 197 * (index + 1 - third) // third
    return 200 + 39_800 * (index + 1 - 2 * third) // (count - 2 * third)


def frames(count):
    """The last one has all categories at once, and all others those that are new in it."""
    made = []
    before = 0
    for index in range(count):
        chance = numpy.random.default_rng(index)
        there = known(index, count)
        new = numpy.arange(before, there)
        old = chance.permutation(before)[: before if index == count - 1 else 100]
        names = chance.permutation(numpy.concatenate([new, old]))
        codes = chance.integers(-1, len(names), 50 + len(new))
        category = pd.Categorical.from_codes(codes, [f"category {name}" for name in names])
        made.append(pd.DataFrame({"id": numpy.arange(len(codes)) + 1000 * index, "category": category}))
        before = there
    return made


def post(url, body, media_type, **headers):
    request = urllib.request.Request(url, body, {"Content-Type": media_type} | headers)
    with urllib.request.urlopen(request) as answer:
        return answer.status


def by_pandas(frame, index):
    body = io.BytesIO()
    frame.to_feather(body, compression=["uncompressed", "lz4", "zstd"][index % 3])
    return body.getvalue(), FILE


def by_pyarrow(frame, index):
    """As two batches, of which the second replaces the dictionary."""
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
    """With the values themselves, which have no order among them."""
    values = frame["category"].astype(object)
    return frame.assign(category=values.where(values.notna(), None)).reset_index(drop=True)


@pytest.mark.parametrize("writer, count", [(by_pandas, 100), (by_pyarrow, 30), (by_polars, 30)])
def test_categories_that_appear_over_time(service, writer, count):
    need("pandas")
    url = f"{service.url}/datasets/{writer.__name__}-{service.small}"
    made = frames(count)
    for index, frame in enumerate(made):
        assert post(url, *writer(frame, index)) == (200 if index else 201)
    wanted = pd.concat(map(plain, made), ignore_index=True)
    read = pd.read_feather(url + ".arrow")
    assert isinstance(read["category"].dtype, pd.CategoricalDtype)
    pd.testing.assert_frame_equal(plain(read), wanted, check_dtype=False)
    if writer is by_pandas:
        union = pd.api.types.union_categoricals([frame["category"] for frame in made])
        assert read["category"].cat.categories.tolist() == union.categories.tolist()
        assert len(union.categories) == 40_000
    stream = pa.ipc.open_stream(curl(url + ".arrows").body).read_all()
    stream.validate(full=True)
    pd.testing.assert_frame_equal(plain(stream.to_pandas()), wanted, check_dtype=False)
    polars = pytest.importorskip("polars")
    categories = polars.read_ipc(url + ".arrow")["category"].cast(polars.String)
    assert categories.to_list() == wanted["category"].tolist()
    assert curl(url + "/versions?limit=1").json()["versions"][0]["rows"] == len(wanted)
    assert curl("-X", "DELETE", url).status == 204


def test_what_one_upload_would_give(service, small_table, folder):
    """All types of the clients, a batch at a time."""
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


def test_what_does_not_match(service, small_table, folder):
    url = f"{service.url}/datasets/mismatch"
    path = tables.write_stream(small_table, folder / "mismatch.arrows")
    assert curl("-T", path, url).status in (200, 201)
    other = small_table.drop_columns(["flag"]).append_column("more", small_table["id"])
    path = tables.write_stream(other, folder / "mismatch.arrows")
    with service.left_as_it_was():
        problem = curl("-X", "POST", "-T", path, url).problem(409)
    assert [(found["field"], found["aspect"]) for found in problem["differences"]] == [
        ("flag", "missing"),
        ("more", "extra"),
    ]
    assert curl("-X", "DELETE", url).status == 204


def test_a_key(service, small_table, folder):
    """curl sends it again as it was, and it is there once."""
    url = f"{service.url}/datasets/keyed"
    path = tables.write_stream(small_table, folder / "keyed.arrows")
    answers = [
        curl("-X", "POST", "-T", path, "-H", "Idempotency-Key: 8e03978e", url) for _ in range(2)
    ]
    assert answers[0].status == answers[1].status == 201
    assert answers[0].json() == answers[1].json()
    assert curl(url + "/versions").json()["versions"][0]["rows"] == small_table.num_rows
    assert curl("-X", "DELETE", url).status == 204

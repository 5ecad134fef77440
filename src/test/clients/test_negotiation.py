"""Clients get what they accept: media types, buffer codecs and content codings."""

import json

import pyarrow as pa
import pytest

import tables
from conftest import need, upload
from service import curl

STREAM = "application/vnd.apache.arrow.stream"


@pytest.fixture(scope="module", params=tables.CODECS, ids=lambda codec: codec or "uncompressed")
def dataset(request, services, small_table, folder):
    codec = request.param
    path = tables.write_stream(small_table, folder / "negotiated.arrows", codec)
    return upload(services("default memory"), f"negotiated-{codec or 'plain'}", path, codec)


def test_curl_gets_the_accepted_coding(dataset, small_table):
    for accepted, used in {
        "identity": None,
        "gzip, deflate": None,
        "gzip, deflate, br, zstd": "zstd",
        "gzip, identity;q=0": "gzip",
    }.items():
        response = curl("--compressed", "-H", f"Accept-Encoding: {accepted}", dataset.url)
        assert response.headers.get("content-encoding") == used
        assert response.headers["vary"].endswith("Accept, Accept-Encoding")
        assert pa.ipc.open_stream(response.body).read_all().equals(small_table)
    rows = curl(dataset.url + ".json").body
    for coding in ("gzip", "zstd"):
        response = curl("--compressed", "-H", f"Accept-Encoding: {coding}", dataset.url + ".json")
        assert response.headers["content-encoding"] == coding
        assert response.body == rows


def test_requests_decodes_the_coding_that_it_accepts(dataset, small_table):
    need("requests")
    import requests

    response = requests.get(dataset.url)
    assert pa.ipc.open_stream(response.content).read_all().equals(small_table)
    response = requests.get(dataset.url, headers={"Accept": "application/json"})
    assert response.headers["Content-Encoding"] in ("gzip", "zstd")
    assert len(response.json()) == small_table.num_rows


@pytest.mark.parametrize("codec", ["zstd", "lz4"])
def test_accepted_buffer_codec_is_used(dataset, small_table, codec):
    response = curl("-H", f'Accept: {STREAM}; codecs="{codec}"', "-H", "Accept-Encoding: zstd", dataset.url)
    assert response.headers["content-type"] == f"{STREAM}; codecs={codec}"
    assert "content-encoding" not in response.headers
    assert pa.ipc.open_stream(response.body).read_all().equals(small_table)
    if codec == dataset.codec:
        assert response.body == curl(dataset.url + ".arrows").body
        assert response.headers["accept-ranges"] == "bytes"


def test_unavailable_media_type_lists_the_available_ones(dataset):
    response = curl("-H", "Accept: image/png", dataset.url)
    assert response.status == 406
    for media_type in json.loads(response.body)["available"]:
        found = curl("-H", f"Accept: {media_type}", dataset.url)
        # Parquet has no decimals of 256 bits, which the error says of the column.
        parquet = media_type == "application/vnd.apache.parquet"
        assert found.status == (422 if parquet else 200)
        assert not parquet or found.json()["column"] == "decimal256"


@pytest.mark.parametrize("library", ["arrow-js", "flechette"])
def test_browser_gets_a_content_coding_in_place_of_a_codec(browser, dataset, small_table, library):
    """Browsers have no buffer codecs, so stored compressed buffers are decompressed for them."""
    total = sum(small_table["id"].to_pylist())
    assert browser.read(library, dataset.url) == (small_table.num_rows, total)
    names = ["Content-Encoding", "Content-Type", "Accept-Ranges"]
    seen = browser.job("headers", dataset.url, options={}, names=names)
    assert seen == {"Content-Encoding": "zstd", "Content-Type": STREAM, "Accept-Ranges": "none"}

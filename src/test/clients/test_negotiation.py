"""What a client accepts is what it gets: representations, codecs of buffers, content codings."""

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


def test_curl_gets_each_coding(dataset, small_table):
    for accepted, used in {
        "identity": None,
        "gzip, deflate": None,
        "gzip, deflate, br, zstd": "zstd",
        "gzip, identity;q=0": "gzip",
    }.items():
        answer = curl("--compressed", "-H", f"Accept-Encoding: {accepted}", dataset.url)
        assert answer.headers.get("content-encoding") == used
        assert answer.headers["vary"].endswith("Accept, Accept-Encoding")
        assert pa.ipc.open_stream(answer.body).read_all().equals(small_table)
    rows = curl(dataset.url + ".json").body
    for coding in ("gzip", "zstd"):
        answer = curl("--compressed", "-H", f"Accept-Encoding: {coding}", dataset.url + ".json")
        assert answer.headers["content-encoding"] == coding
        assert answer.body == rows


def test_requests_decodes_what_it_offers(dataset, small_table):
    need("requests")
    import requests

    answer = requests.get(dataset.url)
    assert pa.ipc.open_stream(answer.content).read_all().equals(small_table)
    answer = requests.get(dataset.url, headers={"Accept": "application/json"})
    assert answer.headers["Content-Encoding"] in ("gzip", "zstd")
    assert len(answer.json()) == small_table.num_rows


@pytest.mark.parametrize("codec", ["zstd", "lz4"])
def test_a_codec_that_is_listed_is_used(dataset, small_table, codec):
    answer = curl("-H", f'Accept: {STREAM}; codecs="{codec}"', "-H", "Accept-Encoding: zstd", dataset.url)
    assert answer.headers["content-type"] == f"{STREAM}; codecs={codec}"
    assert "content-encoding" not in answer.headers
    assert pa.ipc.open_stream(answer.body).read_all().equals(small_table)
    if codec == dataset.codec:
        assert answer.body == curl(dataset.url + ".arrows").body
        assert answer.headers["accept-ranges"] == "bytes"


def test_what_is_not_there_is_told_with_what_is(dataset):
    answer = curl("-H", "Accept: image/png", dataset.url)
    assert answer.status == 406
    for media_type in json.loads(answer.body)["available"]:
        assert curl("-H", f"Accept: {media_type}", dataset.url).status == 200


@pytest.mark.parametrize("library", ["arrow-js", "flechette"])
def test_a_browser_reads_what_is_content_coded(browser, dataset, small_table, library):
    """Whatever the codec in which it is stored: browsers have none."""
    total = sum(small_table["id"].to_pylist())
    assert browser.read(library, dataset.url) == (small_table.num_rows, total)
    names = ["Content-Encoding", "Content-Type", "Accept-Ranges"]
    seen = browser.job("headers", dataset.url, options={}, names=names)
    assert seen == {"Content-Encoding": "zstd", "Content-Type": STREAM, "Accept-Ranges": "none"}

"""A page of another site reads with arrow-js and flechette in headless Chromium."""

import pytest

import clients
from conftest import upload
from proxy import Proxy
from service import curl


@pytest.fixture(scope="module")
def dataset(services, small_table, folder):
    import tables

    path = tables.write_stream(small_table, folder / "browsers.arrows")
    return upload(services("default memory"), "browsers", path)


@pytest.fixture(scope="module")
def whole(small_table):
    import pyarrow.compute

    return small_table.num_rows, pyarrow.compute.sum(small_table["id"]).as_py()


@pytest.mark.parametrize("library", ["arrow-js", "flechette"])
@pytest.mark.parametrize("path", ["", ".arrows", ".arrow"])
def test_page_reads_the_whole_dataset(browser, dataset, whole, library, path):
    assert browser.read(library, dataset.url + path) == whole


def test_page_reads_a_stream_batch_by_batch(browser, services, ids, pages):
    """The proxy holds back 15 of 16 MiB until the page has the first batch."""
    dataset = upload(services("default memory"), "batch-by-batch", ids)
    pages.released.clear()
    with Proxy(dataset.service.port, 1 << 20, lambda: pages.released.wait(60)) as proxy:
        url = f"{proxy.url}/datasets/batch-by-batch.arrows"
        result = browser.job("arrow-js, batch by batch", url, release=pages.url + "/release")
        assert proxy.midway is None
    assert pages.released.is_set()
    assert result == {"rows": clients.tally(ids.read_bytes())[0], "batches": 64}


@pytest.mark.parametrize("library", ["arrow-js", "flechette"])
def test_page_reads_a_content_coded_stream(browser, services, ids, library):
    """Chromium accepts zstd and decodes it."""
    dataset = upload(services("default memory"), "content-coded", ids)
    sent = ids.stat().st_size
    with Proxy(dataset.service.port) as proxy:
        url = f"{proxy.url}/datasets/content-coded"
        assert browser.read(library, url) == clients.tally(ids.read_bytes())
        assert proxy.response_bytes < 0.8 * sent
        names = ["Content-Encoding", "Arrow-Row-Count"]
        rows = str(clients.tally(ids.read_bytes())[0])
        assert browser.job("headers", url, names=names) == dict(zip(names, ["zstd", rows]))


def test_page_reads_one_batch_by_range(browser, dataset, small_table):
    result = browser.job("one batch by range", dataset.url, batch=7)
    size = len(curl(dataset.url + ".arrow").body)
    assert len(result["ranges"]) == 3, "the schema, a dictionary, a batch"
    assert all(status == 206 and range_.endswith(f"/{size}") for status, range_ in result["ranges"])
    assert result["etag"] == curl("-I", dataset.url + ".arrow").headers["etag"]
    expected = {"rows": 500, "batches": 1, "sum": str(sum(range(3500, 4000)))}
    assert result["arrow-js"] == expected
    assert result["flechette"] == expected


def test_page_reads_ranges_that_need_a_preflight(browser, dataset):
    result = browser.job("ranges that need a preflight", dataset.url + ".arrow")
    assert result == {"last": "ARROW1", "several": [206, "multipart/byteranges"]}


EXPOSED = ["Accept-Ranges", "Arrow-Batch-Count", "Arrow-Row-Count", "Content-Disposition"]
EXPOSED += ["Content-Length", "ETag", "Last-Modified", "Link"]


def test_page_sees_the_headers_for_range_reads(browser, dataset):
    seen = browser.job("headers", dataset.url + ".arrow", options={"method": "HEAD"}, names=EXPOSED)
    sent = curl("-I", dataset.url + ".arrow").headers
    assert seen == {name: sent[name.lower()] for name in EXPOSED}

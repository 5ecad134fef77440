"""A page of another site reads with apache-arrow and flechette, in headless Chromium."""

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
def test_all_is_read(browser, dataset, whole, library, path):
    assert browser.read(library, dataset.url + path) == whole


def test_a_stream_is_read_as_it_comes(browser, services, ids, pages):
    """15 of 16 MiB are held back until the page has the first batch."""
    dataset = upload(services("default memory"), "as-it-comes", ids)
    pages.released.clear()
    with Proxy(dataset.service.port, 1 << 20, lambda: pages.released.wait(60)) as proxy:
        url = f"{proxy.url}/datasets/as-it-comes.arrows"
        told = browser.job("arrow-js, batch by batch", url, release=pages.url + "/release")
        assert proxy.midway is None
    assert pages.released.is_set()
    assert told == {"rows": clients.tally(ids.read_bytes())[0], "batches": 64}


@pytest.mark.parametrize("library", ["arrow-js", "flechette"])
def test_what_is_content_coded_is_read(browser, services, ids, library):
    """Chromium offers Zstandard, and undoes it."""
    dataset = upload(services("default memory"), "content-coded", ids)
    sent = ids.stat().st_size
    with Proxy(dataset.service.port) as proxy:
        url = f"{proxy.url}/datasets/content-coded"
        assert browser.read(library, url) == clients.tally(ids.read_bytes())
        assert proxy.answered_bytes < 0.8 * sent
        names = ["Content-Encoding", "Arrow-Row-Count"]
        rows = str(clients.tally(ids.read_bytes())[0])
        assert browser.job("headers", url, names=names) == dict(zip(names, ["zstd", rows]))


def test_one_batch_is_read_by_range(browser, dataset, small_table):
    told = browser.job("one batch by range", dataset.url, batch=7)
    size = len(curl(dataset.url + ".arrow").body)
    assert len(told["ranges"]) == 3, "the schema, a dictionary, a batch"
    assert all(status == 206 and said.endswith(f"/{size}") for status, said in told["ranges"])
    assert told["etag"] == curl("-I", dataset.url + ".arrow").headers["etag"]
    expected = {"rows": 500, "batches": 1, "sum": str(sum(range(3500, 4000)))}
    assert told["arrow-js"] == expected
    assert told["flechette"] == expected


def test_ranges_that_a_browser_asks_for_first(browser, dataset):
    told = browser.job("ranges that need a preflight", dataset.url + ".arrow")
    assert told == {"last": "ARROW1", "several": [206, "multipart/byteranges"]}


EXPOSED = ["Accept-Ranges", "Arrow-Batch-Count", "Arrow-Row-Count", "Content-Disposition"]
EXPOSED += ["Content-Length", "ETag", "Last-Modified", "Link"]


def test_a_page_sees_what_a_range_reader_needs(browser, dataset):
    seen = browser.job("headers", dataset.url + ".arrow", options={"method": "HEAD"}, names=EXPOSED)
    sent = curl("-I", dataset.url + ".arrow").headers
    assert seen == {name: sent[name.lower()] for name in EXPOSED}

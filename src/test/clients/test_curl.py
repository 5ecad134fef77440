"""What curl does beyond plain transfers: ranges, conditions, and bodies of its own kinds."""

import email.parser
import os
import re

import pyarrow as pa
import pytest

import tables
from service import curl

STREAM = "Content-Type: application/vnd.apache.arrow.stream"


@pytest.fixture(scope="module")
def stored(small_dataset):
    return small_dataset, curl(small_dataset.url + ".arrow").body


@pytest.mark.parametrize(
    "asked, first, end",
    [("0-9", 0, 10), ("100-", 100, None), ("-6", -6, None), ("-99999999", 0, None), ("8-99999999", 8, None)],
)
def test_a_range(stored, asked, first, end):
    dataset, whole = stored
    answer = curl("-r", asked, dataset.url + ".arrow")
    wanted = whole[first:end]
    start = first % len(whole)
    assert answer.status == 206
    assert answer.body == wanted
    said = f"bytes {start}-{start + len(wanted) - 1}/{len(whole)}"
    assert answer.headers["content-range"] == said
    assert answer.headers["content-length"] == str(len(wanted))


def test_several_ranges(stored):
    dataset, whole = stored
    answer = curl("-r", "0-5,1000-1999,-6", dataset.url + ".arrow")
    assert answer.status == 206
    assert answer.headers["content-length"] == str(len(answer.body))
    head = f"Content-Type: {answer.headers['content-type']}\r\n\r\n".encode()
    parts = email.parser.BytesParser().parsebytes(head + answer.body).get_payload()
    assert [part["Content-Range"] for part in parts] == [
        f"bytes {span}/{len(whole)}"
        for span in ("0-5", "1000-1999", f"{len(whole) - 6}-{len(whole) - 1}")
    ]
    assert {part.get_content_type() for part in parts} == {"application/vnd.apache.arrow.file"}
    found = re.search(rb"1000-1999/\d+\r\n\r\n(.{1000})\r\n--", answer.body, re.DOTALL)
    assert found[1] == whole[1000:2000]


def test_a_range_of_what_has_changed_is_all(service, folder):
    """With If-Range a resumed download does not mix two versions."""
    url = service.url + "/datasets/changing"
    for seed in (1, 2):
        path = tables.write_file(tables.table(10, seed), folder / "changing.arrow")
        curl("-T", path, url)
        if seed == 1:
            tag = curl("-I", url + ".arrow").headers["etag"]
            answer = curl("-r", "100-", "-H", f"If-Range: {tag}", url + ".arrow")
            assert answer.status == 206
    whole = curl(url + ".arrow")
    answer = curl("-r", "100-", "-H", f"If-Range: {tag}", url + ".arrow")
    assert answer.status == 200
    assert answer.body == whole.body


def test_what_has_not_changed_is_not_sent(stored, tmp_path):
    dataset, whole = stored
    kept = tmp_path / "kept.arrow"
    kept.write_bytes(whole)
    assert curl("-z", kept, dataset.url + ".arrow").status == 304
    os.utime(kept, (0, 0))
    assert curl("-z", kept, dataset.url + ".arrow").body == whole


@pytest.mark.parametrize("way", ["-T chunked", "--data-binary"])
def test_an_upload(service, small_table, folder, way):
    url = f"{service.url}/datasets/by-curl"
    path = tables.write_stream(small_table, folder / "by-curl.arrows")
    arguments = {
        "-T chunked": ["-T", path, "-H", "Transfer-Encoding: chunked"],
        "--data-binary": ["-X", "PUT", "--data-binary", f"@{path}", "-H", STREAM],
    }[way]
    answer = curl(*arguments, url)
    assert answer.status in (200, 201), answer
    assert pa.ipc.open_file(curl(url + ".arrow").body).read_all().equals(small_table)

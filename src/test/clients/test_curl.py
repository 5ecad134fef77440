"""curl with ranges, conditions, chunked uploads and `--data-binary`."""

import base64
import email.parser
import hashlib
import os
import re
import subprocess

import pyarrow as pa
import pytest

import tables
from conftest import need
from service import curl

STREAM = "Content-Type: application/vnd.apache.arrow.stream"


@pytest.fixture(scope="module")
def stored(small_dataset):
    return small_dataset, curl(small_dataset.url + ".arrow").body


@pytest.mark.parametrize(
    "range_, first, end",
    [("0-9", 0, 10), ("100-", 100, None), ("-6", -6, None), ("-99999999", 0, None), ("8-99999999", 8, None)],
)
def test_single_range(stored, range_, first, end):
    dataset, whole = stored
    response = curl("-r", range_, dataset.url + ".arrow")
    expected = whole[first:end]
    start = first % len(whole)
    assert response.status == 206
    assert response.body == expected
    content_range = f"bytes {start}-{start + len(expected) - 1}/{len(whole)}"
    assert response.headers["content-range"] == content_range
    assert response.headers["content-length"] == str(len(expected))


def test_several_ranges(stored):
    dataset, whole = stored
    response = curl("-r", "0-5,1000-1999,-6", dataset.url + ".arrow")
    assert response.status == 206
    assert response.headers["content-length"] == str(len(response.body))
    head = f"Content-Type: {response.headers['content-type']}\r\n\r\n".encode()
    parts = email.parser.BytesParser().parsebytes(head + response.body).get_payload()
    assert [part["Content-Range"] for part in parts] == [
        f"bytes {range_}/{len(whole)}"
        for range_ in ("0-5", "1000-1999", f"{len(whole) - 6}-{len(whole) - 1}")
    ]
    assert {part.get_content_type() for part in parts} == {"application/vnd.apache.arrow.file"}
    found = re.search(rb"1000-1999/\d+\r\n\r\n(.{1000})\r\n--", response.body, re.DOTALL)
    assert found[1] == whole[1000:2000]


def test_if_range_of_an_older_version_gets_the_whole_file(service, folder):
    """`If-Range` prevents a resumed download from mixing two versions."""
    url = service.url + "/datasets/changing"
    for seed in (1, 2):
        path = tables.write_file(tables.table(10, seed), folder / "changing.arrow")
        curl("-T", path, url)
        if seed == 1:
            tag = curl("-I", url + ".arrow").headers["etag"]
            response = curl("-r", "100-", "-H", f"If-Range: {tag}", url + ".arrow")
            assert response.status == 206
    whole = curl(url + ".arrow")
    response = curl("-r", "100-", "-H", f"If-Range: {tag}", url + ".arrow")
    assert response.status == 200
    assert response.body == whole.body


def test_unmodified_file_is_not_sent(stored, tmp_path):
    dataset, whole = stored
    kept = tmp_path / "kept.arrow"
    kept.write_bytes(whole)
    assert curl("-z", kept, dataset.url + ".arrow").status == 304
    os.utime(kept, (0, 0))
    assert curl("-z", kept, dataset.url + ".arrow").body == whole


@pytest.mark.parametrize("way", ["-T chunked", "--data-binary"])
def test_upload(service, small_table, folder, way):
    url = f"{service.url}/datasets/by-curl"
    path = tables.write_stream(small_table, folder / "by-curl.arrows")
    arguments = {
        "-T chunked": ["-T", path, "-H", "Transfer-Encoding: chunked"],
        "--data-binary": ["-X", "PUT", "--data-binary", f"@{path}", "-H", STREAM],
    }[way]
    response = curl(*arguments, url)
    assert response.status in (200, 201), response
    assert pa.ipc.open_file(curl(url + ".arrow").body).read_all().equals(small_table)


@pytest.mark.parametrize("tool", ["curl", "wget"])
def test_download_of_a_name_resumes_at_its_content_location(service, small_table, folder, tool):
    """The dataset is replaced by one of the same shape between the two halves of the download."""
    need(tool)
    url = f"{service.url}/datasets/resumed-{tool}"
    other = small_table.slice(small_table.num_rows // 2)
    replaced = curl("-T", tables.write_file(small_table, folder / "resumed-1.arrow"), url)
    half = curl("-r", "0-99999", url + ".arrow")
    whole = curl(url + ".arrow").body
    curl("-T", tables.write_file(other, folder / "resumed-2.arrow"), url)
    location = service.url + half.headers["content-location"]
    copy = folder / "resumed.arrow"
    copy.write_bytes(half.body)
    resume = {"curl": ["curl", "-sSf", "-C", "-", "-o"], "wget": ["wget", "-q", "-c", "-O"]}[tool]
    subprocess.check_call([*resume, copy, location])
    assert copy.read_bytes() == whole
    version = int(replaced.headers["quiver-version"])
    assert location.endswith(f"@{version}.arrow")
    assert int(curl(url + ".arrow").headers["quiver-version"]) == version + 1
    copy.unlink()


def test_sha256_of_a_download(stored):
    dataset, whole = stored
    for url in (dataset.url + ".arrow", dataset.url + ".arrows"):
        response = curl("-H", "Want-Repr-Digest: sha-256=1", url)
        digest = base64.b64encode(hashlib.sha256(response.body).digest()).decode()
        assert response.headers["repr-digest"].endswith(f", sha-256=:{digest}:")

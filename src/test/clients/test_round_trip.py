"""Tables uploaded by `curl -T` are equal when read whole, by range, by batch, and from the disk.

Rejected uploads are in test_rejections.py, batches of 2 GB in test_large.py.
"""

import subprocess

import pyarrow as pa
import pytest

import tables
from service import curl, download, parse_response


ARROW_STREAM = "Content-Type: application/vnd.apache.arrow.stream"


def curl_stdin(body, *arguments):
    done = subprocess.run(
        ["curl", "-sS", "-i", "--data-binary", "@-", *arguments],
        input=body,
        capture_output=True,
        check=True,
    )
    return parse_response(done.stdout)


@pytest.fixture(scope="session")
def downloads(large_dataset, folder):
    """The file and the stream, as curl gets them."""
    file = download(large_dataset.url + ".arrow", folder / "back.arrow")
    stream = download(large_dataset.url + ".arrows", folder / "back.arrows")
    yield file, stream
    file.unlink()
    stream.unlink()


def test_file_equals_the_upload(downloads, large_table):
    with pa.memory_map(str(downloads[0])) as source:
        assert pa.ipc.open_file(source).read_all().equals(large_table, check_metadata=True)


def test_stream_equals_the_upload(downloads, large_table):
    with pa.memory_map(str(downloads[1])) as source:
        assert pa.ipc.open_stream(source).read_all().equals(large_table, check_metadata=True)


def test_stream_is_a_byte_range_of_the_file(downloads, large_dataset):
    file, stream = downloads
    footer = large_dataset.index["footer"]
    with pa.memory_map(str(file)) as whole, pa.memory_map(str(stream)) as window:
        assert whole.size() == large_dataset.index["bytes"]
        assert footer["offset"] + footer["length"] + 10 == whole.size()
        whole.seek(8)
        assert whole.read_buffer(footer["offset"] - 8).equals(window.read_buffer())


def test_uploaded_codec_is_preserved(large_dataset):
    codecs = {batch["codec"] for batch in large_dataset.index["batches"]}
    assert codecs == {large_dataset.codec}


def test_index_counts_rows_and_batches(large_dataset, large_table):
    index = large_dataset.index
    assert index["rows"] == large_table.num_rows
    rows = [batch["rows"] for batch in index["batches"]]
    assert [batch["index"] for batch in index["batches"]] == list(range(len(rows)))
    assert [batch["rowOffset"] for batch in index["batches"]] == [
        sum(rows[:i]) for i in range(len(rows))
    ]
    assert rows == [100_000] * tables.BATCHES


def parts_by_range(dataset, numbers):
    """Concatenates the schema, dictionaries and batches, each fetched with `curl -r`."""
    index = dataset.index
    parts = [index["schema"], *index["dictionaries"]]
    for number in numbers:
        batch = index["batches"][number]
        parts.append(
            {"offset": batch["offset"], "length": batch["metaDataLength"] + batch["bodyLength"]}
        )
    content = b""
    for part in parts:
        last = part["offset"] + part["length"] - 1
        response = curl("-r", f"{part['offset']}-{last}", dataset.service.url + index["file"])
        assert response.status == 206
        assert response.headers["content-range"] == f"bytes {part['offset']}-{last}/{index['bytes']}"
        assert len(response.body) == part["length"]
        content += response.body
    return content


@pytest.mark.parametrize("numbers", [[0], [7], [9, 2]], ids=str)
def test_ranges_of_the_batch_index(large_dataset, large_table, numbers):
    content = parts_by_range(large_dataset, numbers)
    batches = large_table.to_batches()
    expected = pa.Table.from_batches([batches[number] for number in numbers])
    assert pa.ipc.open_stream(content).read_all().equals(expected)


def test_single_batch(large_dataset, large_table):
    for path in ("/batches/3", "/batches/3.arrows", "/batches/3-3"):
        response = curl(large_dataset.url + path)
        assert response.status == 200
        assert response.headers["content-type"].startswith("application/vnd.apache.arrow.stream")
        assert response.headers["arrow-row-count"] == "100000"
        assert response.headers["arrow-batch-count"] == "1"
        assert pa.ipc.open_stream(response.body).read_all().equals(large_table.slice(300_000, 100_000))


def test_links_of_the_batch_index(small_dataset, small_table):
    for batch in small_dataset.index["batches"]:
        response = curl(small_dataset.service.url + batch["href"])
        expected = small_table.slice(batch["rowOffset"], batch["rows"])
        assert pa.ipc.open_stream(response.body).read_all().equals(expected)


def test_range_of_batches_includes_the_last(large_dataset, large_table):
    for path in ("/batches/2-4", "/batches/2-4.arrows"):
        response = curl(large_dataset.url + path)
        assert response.headers["arrow-batch-count"] == "3"
        assert pa.ipc.open_stream(response.body).read_all().equals(large_table.slice(200_000, 300_000))


def test_pyarrow_opens_the_stored_file(large_dataset, large_table):
    equal = []
    for path in sorted(large_dataset.service.storage.rglob("*.arrow")):
        with pa.memory_map(str(path)) as source:
            reader = pa.ipc.open_file(source)
            equal.append(reader.schema == large_table.schema and reader.read_all().equals(large_table))
    assert any(equal), large_dataset.service.files()


def test_resumed_download_equals_the_file(large_dataset, downloads, folder):
    partial = folder / "resumed.arrow"
    with downloads[0].open("rb") as source:
        partial.write_bytes(source.read(1_000_003))
    subprocess.run(
        ["curl", "-sS", "-f", "-C", "-", "-o", partial, large_dataset.url + ".arrow"], check=True
    )
    with pa.memory_map(str(partial)) as resumed, pa.memory_map(str(downloads[0])) as whole:
        assert resumed.read_buffer().equals(whole.read_buffer())
    partial.unlink()


def test_head_has_length_and_etag(large_dataset, downloads):
    response = curl("-I", large_dataset.url + ".arrow")
    assert response.status == 200
    assert int(response.headers["content-length"]) == downloads[0].stat().st_size
    assert response.headers["accept-ranges"] == "bytes"
    assert response.headers["etag"].startswith('"')
    assert response.headers["arrow-row-count"] == "1000000"
    assert response.headers["arrow-batch-count"] == "10"
    assert not response.body


def test_unchanged_file_is_not_sent_again(small_dataset, folder):
    kept = folder / "tag"
    kept.unlink(missing_ok=True)
    url = small_dataset.url + ".arrow"
    assert curl("--etag-save", kept, url).status == 200
    assert curl("--etag-compare", kept, url).status == 304


def test_suffix_range_is_the_end_of_the_file(small_dataset):
    response = curl("-r", "-6", small_dataset.url + ".arrow")
    assert (response.status, response.body) == (206, b"ARROW1")


@pytest.mark.parametrize("way", ["stream", "file"])
def test_upload_of_unknown_length(service, small_table, folder, way):
    write = tables.write_stream if way == "stream" else tables.write_file
    path = write(small_table, folder / f"piped.{way}", "lz4")
    with open(path, "rb") as body:
        done = subprocess.run(
            ["curl", "-sS", "-f", "-T", "-", f"{service.url}/datasets/piped-{way}"],
            stdin=body,
            capture_output=True,
            check=True,
        )
    assert b'"version"' in done.stdout
    response = curl(f"{service.url}/datasets/piped-{way}.arrows")
    assert pa.ipc.open_stream(response.body).read_all().equals(small_table)


def test_dataset_name_excludes_the_file_suffix(service, small_table, folder):
    path = tables.write_file(small_table, folder / "from-a-folder.arrow")
    assert curl("-T", path, f"{service.url}/datasets/").status in (200, 201)
    assert "from-a-folder" in service.names()


def test_generated_name(service, small_table):
    body = tables.stream_bytes(small_table.to_batches(), small_table.schema)
    response = curl_stdin(body, "-X", "POST", "-H", ARROW_STREAM, f"{service.url}/datasets")
    assert response.status == 201, response
    location = response.headers["location"]
    url = location if location.startswith("http") else service.url + location
    assert pa.ipc.open_stream(curl(url + ".arrows").body).read_all().equals(small_table)


def test_versions_are_readable_until_deletion(service, small_table, folder):
    url = f"{service.url}/datasets/versioned"
    first, second = small_table.slice(0, 500), small_table.slice(500, 700)
    for number, version in enumerate((first, second), start=1):
        path = tables.write_stream(version, folder / "versioned.arrows")
        response = curl("-T", path, url)
        assert (response.status, response.json()["version"]) == (201 if number == 1 else 200, number)
    assert [v["version"] for v in curl(url + "/versions").json()["versions"]] == [2, 1]
    assert pa.ipc.open_stream(curl(url + "@1.arrows").body).read_all().equals(first)
    assert pa.ipc.open_stream(curl(url + ".arrows").body).read_all().equals(second)
    assert curl("-X", "DELETE", url).status == 204
    assert curl(url + ".arrows").status == 410
    assert "versioned" not in service.names()


def test_conditional_writes(service, small_table, folder):
    url = f"{service.url}/datasets/conditional"
    path = tables.write_stream(small_table, folder / "conditional.arrows")
    created = curl("-H", "If-None-Match: *", "-T", path, url)
    assert created.status == 201
    assert "etag" not in created.headers
    curl("-H", "If-None-Match: *", "-T", path, url).problem(412)
    curl("-H", 'If-Match: "other"', "-T", path, url).problem(412)
    tag = created.json()["etag"]
    tag = tag if tag.startswith('"') else f'"{tag}"'
    assert curl("-H", f"If-Match: {tag}", "-T", path, url).status == 200
    curl("-H", f"If-Match: {tag}", "-X", "DELETE", url).problem(412)


def test_memory_is_bounded(service, large_dataset, downloads):
    """256 MiB of heap, 64 MiB of direct memory, and the JVM's own memory for code, classes and threads."""
    if service.small:
        assert service.peak_anonymous_bytes < 640 << 20

"""Datasets stored in one codec are served in any codec that a client requests."""

import pyarrow as pa
import pytest

import tables
from conftest import upload
from service import curl, download

NAMES = {None: "none", "lz4": "lz4", "zstd": "zstd"}


@pytest.fixture(scope="module", params=tables.CODECS, ids=lambda codec: codec or "uncompressed")
def stored(request, service, small_table, folder):
    path = tables.write_stream(small_table, folder / "codec.arrows", request.param)
    return upload(service, f"codec-{NAMES[request.param]}", path, request.param)


def codecs(service, content, folder):
    """The codecs of a response's batches, as the service reports them when the response is uploaded."""
    path = folder / "again"
    path.write_bytes(content)
    index = upload(service, "codec-again", path).index
    return {batch["codec"] for batch in index["batches"]}


@pytest.mark.parametrize("codec", tables.CODECS, ids=lambda codec: f"as {NAMES[codec]}")
def test_any_stored_codec_is_served_in_any_other(stored, codec, small_table, folder):
    expected = {
        ".arrow": small_table,
        ".arrows": small_table,
        "": small_table,
        "/batches/3": small_table.slice(1500, 500),
        "/batches/2-9": small_table.slice(1000),
    }
    for part, table in expected.items():
        response = curl(f"{stored.url}{part}?codec={NAMES[codec]}")
        assert response.status == 200
        assert response.headers["arrow-row-count"] == str(table.num_rows)
        opened = (pa.ipc.open_file if part == ".arrow" else pa.ipc.open_stream)(response.body)
        read = opened.read_all()
        read.validate(full=True)
        assert read.equals(table, check_metadata=True), part
        assert codecs(stored.service, response.body, folder) == {codec}, part


def test_only_the_stored_codec_has_ranges_and_the_stored_etag(stored):
    for part in (".arrow", ".arrows", "/batches/3"):
        plain = curl(stored.url + part)
        same = curl(f"{stored.url}{part}?codec={NAMES[stored.codec]}")
        assert same.body == plain.body
        assert same.headers["etag"] == plain.headers["etag"]
        assert same.headers["accept-ranges"] == "bytes"
        for codec in set(tables.CODECS) - {stored.codec}:
            other = curl("-r", "0-9", f"{stored.url}{part}?codec={NAMES[codec]}")
            assert other.status == 200 and len(other.body) > 10
            assert other.headers["accept-ranges"] == "none"
            assert other.headers["etag"] != plain.headers["etag"]
            known = curl(
                "-H",
                f"If-None-Match: {other.headers['etag']}",
                f"{stored.url}{part}?codec={NAMES[codec]}",
            )
            assert known.status == 304


def test_unknown_codec_is_rejected(stored):
    for path in (".arrow?codec=snappy", "/batches/3?codec=", ".json?codec=zstd", ".csv?codec=none"):
        problem = curl(stored.url + path).problem(400)
        assert problem["detail"].endswith("at parameter codec")


def test_large_table_is_recompressed(large_dataset, large_table, folder):
    """More than 200 MB, also with 256 MiB of heap and 64 MiB of direct memory."""
    codec = {None: "zstd", "lz4": "none", "zstd": "lz4"}[large_dataset.codec]
    path = download(f"{large_dataset.url}.arrow?codec={codec}", folder / "large-codec.arrow")
    with pa.memory_map(str(path)) as source:
        assert pa.ipc.open_file(source).read_all().equals(large_table, check_metadata=True)
    path.unlink()

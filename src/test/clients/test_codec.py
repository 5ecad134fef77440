"""What is stored in one codec comes in another one, for a client that asks for that."""

import pyarrow as pa
import pytest

import tables
from conftest import upload
from service import curl, download

WORDS = {None: "none", "lz4": "lz4", "zstd": "zstd"}


@pytest.fixture(scope="module", params=tables.CODECS, ids=lambda codec: codec or "uncompressed")
def stored(request, service, small_table, folder):
    path = tables.write_stream(small_table, folder / "codec.arrows", request.param)
    return upload(service, f"codec-{WORDS[request.param]}", path, request.param)


def codecs(service, content, folder):
    """Those of an answer's batches, as the service finds them when it is uploaded again."""
    path = folder / "again"
    path.write_bytes(content)
    index = upload(service, "codec-again", path).index
    return {batch["codec"] for batch in index["batches"]}


@pytest.mark.parametrize("codec", tables.CODECS, ids=lambda codec: f"as {WORDS[codec]}")
def test_each_codec_from_each(stored, codec, small_table, folder):
    expected = {
        ".arrow": small_table,
        ".arrows": small_table,
        "": small_table,
        "/batches/3": small_table.slice(1500, 500),
        "/batches/2-9": small_table.slice(1000),
    }
    for part, table in expected.items():
        answer = curl(f"{stored.url}{part}?codec={WORDS[codec]}")
        assert answer.status == 200
        assert answer.headers["arrow-row-count"] == str(table.num_rows)
        opened = (pa.ipc.open_file if part == ".arrow" else pa.ipc.open_stream)(answer.body)
        read = opened.read_all()
        read.validate(full=True)
        assert read.equals(table, check_metadata=True), part
        assert codecs(stored.service, answer.body, folder) == {codec}, part


def test_ranges_and_tag_are_those_of_what_is_stored(stored):
    for part in (".arrow", ".arrows", "/batches/3"):
        plain = curl(stored.url + part)
        same = curl(f"{stored.url}{part}?codec={WORDS[stored.codec]}")
        assert same.body == plain.body
        assert same.headers["etag"] == plain.headers["etag"]
        assert same.headers["accept-ranges"] == "bytes"
        for codec in set(tables.CODECS) - {stored.codec}:
            other = curl("-r", "0-9", f"{stored.url}{part}?codec={WORDS[codec]}")
            assert other.status == 200 and len(other.body) > 10
            assert other.headers["accept-ranges"] == "none"
            assert other.headers["etag"] != plain.headers["etag"]
            known = curl(
                "-H",
                f"If-None-Match: {other.headers['etag']}",
                f"{stored.url}{part}?codec={WORDS[codec]}",
            )
            assert known.status == 304


def test_what_is_no_codec(stored):
    for path in (".arrow?codec=snappy", "/batches/3?codec=", ".json?codec=zstd", ".csv?codec=none"):
        problem = curl(stored.url + path).problem(400)
        assert problem["detail"].endswith("at parameter codec")


def test_large_tables_take_no_memory(large_dataset, large_table, folder):
    """200 MB and more, also where the service has 256 MiB of heap and 64 MiB of direct memory."""
    word = {None: "zstd", "lz4": "none", "zstd": "lz4"}[large_dataset.codec]
    path = download(f"{large_dataset.url}.arrow?codec={word}", folder / "large-codec.arrow")
    with pa.memory_map(str(path)) as source:
        assert pa.ipc.open_file(source).read_all().equals(large_table, check_metadata=True)
    path.unlink()

"""The golden files of the Arrow project have the same content after a round trip as before.

The Java tests compare them with their JSON descriptions.
"""

import http.client
import os
import pathlib

import pyarrow as pa
import pytest

import support
from plain import plain

FOLDERS = "arrow-ipc-stream/integration"
CODECS = ("", "?codec=none", "?codec=lz4", "?codec=zstd")


def golden_files():
    """The paths of all streams and files."""
    data = os.environ.get("ARROW_TEST_DATA")
    if not data:
        return []
    data = pathlib.Path(data)
    data = data / "data" if (data / "data").is_dir() else data
    paths = sorted((data / FOLDERS).glob("*/*"))
    return [path for path in paths if path.suffix in (".stream", ".arrow_file")]


@pytest.fixture(scope="module")
def connection(services):
    connection = http.client.HTTPConnection("localhost", services("default memory").port, timeout=60)
    yield connection
    connection.close()


def fetch(connection, method, path, body=None):
    connection.request(method, "/datasets/golden" + path, body)
    response = connection.getresponse()
    content = response.read()
    assert response.status in (200, 201), f"{method} {path}: {response.status} {content[:500]}"
    return content


def test_golden_files_are_available():
    if not golden_files():
        (pytest.fail if os.environ.get("QUIVER_REQUIRE") == "all" else pytest.skip)(
            "skipped: ARROW_TEST_DATA is not set"
        )


def read(content):
    opened = pa.ipc.open_file if content[:6] == b"ARROW1" else pa.ipc.open_stream
    with opened(content) as reader:
        if content[:6] == b"ARROW1":
            return reader.schema, [reader.get_batch(i) for i in range(reader.num_record_batches)]
        return reader.schema, list(reader)


def assert_content(content, expected, what):
    schema, batches = read(content)
    assert schema.equals(expected[0], check_metadata=True), what
    assert len(batches) == len(expected[1]), what
    for i, (one, other) in enumerate(zip(batches, expected[1])):
        support.validate(one)
        # Unified dictionaries have other indices for the same values.
        same = one.equals(other) or all(
            column.equals(expected_column) or plain(column) == plain(expected_column)
            for column, expected_column in zip(one.columns, other.columns)
        )
        assert same, f"{what}, batch {i}"


@pytest.mark.parametrize("path", golden_files(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_pyarrow_reads_the_same_content(connection, path):
    content = path.read_bytes()
    schema, batches = read(content)
    fetch(connection, "PUT", "?batches=keep", content)
    for codec in CODECS:
        for suffix in (".arrow", ".arrows"):
            assert_content(fetch(connection, "GET", suffix + codec), (schema, batches), suffix + codec)
        for i, batch in enumerate(batches):
            part = f"/batches/{i}{codec}"
            assert_content(fetch(connection, "GET", part), (schema, [batch]), part)

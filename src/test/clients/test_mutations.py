"""A damaged golden file is rejected, or pyarrow reads all representations of the dataset.

`dev.quiver.fuzz.Mutations` damages and numbers the files. A failure names the number.
"""

import collections
import http.client
import io
import json
import os
import pathlib
import subprocess

import pyarrow as pa
import pyarrow.csv
import pytest

from service import SENTENCE, TOP, java
from support import validate

TYPES = {
    "stream": "application/vnd.apache.arrow.stream",
    "file": "application/vnd.apache.arrow.file",
    "unknown": "application/octet-stream",
}
BATCHES_MAXIMUM = 5
# With more rows, text would take too long.
ROWS_MAXIMUM = 100_000


class Client:
    """One connection, since each mutation needs a dozen requests."""

    def __init__(self, service):
        self.connection = http.client.HTTPConnection("localhost", service.port, timeout=60)

    def send(self, method, path, body=None, **headers):
        self.connection.request(method, "/datasets/mutated" + path, body, headers)
        response = self.connection.getresponse()
        return response.status, response.headers, response.read()

    def get(self, path, **headers):
        status, _, body = self.send("GET", path, **headers)
        assert status == 200, (path, status, body[:1000])
        return body


@pytest.fixture(scope="session")
def mutations(request, folder):
    data = os.environ.get("ARROW_TEST_DATA")
    if not data:
        (pytest.fail if os.environ.get("QUIVER_REQUIRE") == "all" else pytest.skip)(
            "skipped: ARROW_TEST_DATA is not set"
        )
    data = pathlib.Path(data)
    data = data / "data" if (data / "data").is_dir() else data
    target = folder / "mutations"
    count = request.config.getoption("--mutations")
    program = TOP / "src/test/java/dev/quiver/fuzz/Mutations.java"
    subprocess.run([java(), str(program), str(data), str(count), str(target)], check=True)
    assert len(list(target.iterdir())) == count
    return target


def test_damaged_files_are_rejected_or_readable(services, mutations):
    client = Client(services("small memory"))
    counts = collections.Counter()
    for path in sorted(mutations.iterdir(), key=lambda path: int(path.stem)):
        try:
            counts[upload(client, path)] += 1
        except Exception as e:
            pytest.fail(f"mutation {path.name}: {type(e).__name__}: {e}")
    total = sum(counts.values())
    print(f"{total} mutations: {dict(counts)}")
    assert total / 20 < counts[201] < total * 3 / 4


def upload(client, path):
    content_type = {"Content-Type": TYPES[path.suffix[1:]]}
    status, headers, body = client.send("PUT", "", path.read_bytes(), **content_type)
    if status == 201:
        read_everything(client)
        assert client.send("DELETE", "")[0] == 204
    else:
        assert status in (400, 413, 415, 422), (status, body)
        assert headers["content-type"] == "application/problem+json"
        assert SENTENCE.search(json.loads(body)["detail"]), body
    return status


def read_everything(client):
    with pa.ipc.open_file(pa.py_buffer(client.get(".arrow"))) as file:
        batches = [file.get_batch(i) for i in range(file.num_record_batches)]
        schema = file.schema
    for batch in batches:
        validate(batch)
    assert_content(client.get(".arrows"), schema, batches)
    assert_content(client.get(""), schema, batches)
    for codec in "none", "lz4", "zstd":
        assert_content(client.get(f".arrows?codec={codec}"), schema, batches)
        with pa.ipc.open_file(pa.py_buffer(client.get(f".arrow?codec={codec}"))) as file:
            assert_equal([file.get_batch(i) for i in range(file.num_record_batches)], batches)
    if batches:
        assert_content(client.get(f"/batches/0-{len(batches) - 1}"), schema, batches)
    for i, batch in enumerate(batches[:BATCHES_MAXIMUM]):
        assert_content(client.get(f"/batches/{i}"), schema, [batch])
    assert_content(client.get("/schema", Accept=TYPES["stream"]), schema, [])
    assert len(json.loads(client.get("/schema"))["fields"]) == len(schema)
    if sum(batch.num_rows for batch in batches) <= ROWS_MAXIMUM:
        read_rows(client, schema, sum(batch.num_rows for batch in batches))


def assert_content(stream, schema, batches):
    with pa.ipc.open_stream(stream) as reader:
        assert reader.schema.equals(schema, check_metadata=True)
        assert_equal(list(reader), batches)


def assert_equal(found, batches):
    assert len(found) == len(batches)
    for i, (one, other) in enumerate(zip(found, batches)):
        validate(one)
        # NaN does not equal itself, so bytes are compared as well.
        assert one.equals(other) or one.serialize().equals(other.serialize()), i


def read_rows(client, schema, count):
    assert len(json.loads(client.get(".json"))) == count
    assert len([json.loads(line) for line in client.get(".jsonl").splitlines()]) == count
    csv = client.get(".csv")
    if len(schema) > 0:
        pyarrow.csv.read_csv(io.BytesIO(csv))

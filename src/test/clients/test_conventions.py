"""The example clients of the Arrow project's HTTP conventions, against `quiver.interop`.

The originals have a fixed port. These versions send the same requests to the service under test.
"""

import email.parser
import json
import subprocess
import urllib.request

import pyarrow as pa
import pytest

from service import Service

STREAM = "application/vnd.apache.arrow.stream"
ROWS = 300_000


@pytest.fixture(scope="module")
def table():
    return pa.table({"number": pa.array(range(ROWS)), "text": [str(i % 7) for i in range(ROWS)]})


@pytest.fixture(scope="module")
def interop(folder, request, table):
    pairs = ",".join(f"{name}:example" for name in request.param)
    running = Service(folder / f"interop-{request.param[0]}", **{"quiver.interop": pairs})
    put = urllib.request.Request(running.url + "/datasets/example?batches=keep", stream(table), method="PUT")
    put.add_header("Content-Type", STREAM)
    urllib.request.urlopen(put).close()
    yield running
    running.stop()


def stream(table):
    body = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(body, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=100_000)
    return body.getvalue().to_pybytes()


def convention(*names):
    """Parametrizes with a service that implements these conventions, each at its path."""
    return pytest.mark.parametrize("interop", [names], ids=[" and ".join(names)], indirect=True, scope="module")


def read(source):
    with pa.ipc.open_stream(source) as reader:
        return reader.read_all()


@convention("simple", "post-simple")
def test_simple(interop, table):
    response = urllib.request.urlopen(interop.url)
    assert response.headers["Content-Type"] == STREAM
    assert read(response) == table


def pieces(body):
    for start in range(0, len(body), 100_000):
        yield body[start : start + 100_000]


@convention("simple", "post-simple")
def test_post_simple(interop, table):
    """Posts in chunks, as the example does."""
    post = urllib.request.Request(interop.url, pieces(stream(table)), {"Content-Type": STREAM}, method="POST")
    assert urllib.request.urlopen(post).status == 200
    assert read(urllib.request.urlopen(interop.url + "/datasets/example@2.arrows")) == table


@convention("compressed")
@pytest.mark.parametrize("coding", ["identity", "zstd", "gzip"])
def test_compressed(interop, table, coding):
    request = urllib.request.Request(interop.url, headers={"Accept-Encoding": f"{coding}, *;q=0"})
    response = urllib.request.urlopen(request)
    assert response.headers["Content-Type"] == STREAM
    assert read(response if coding == "identity" else pa.CompressedInputStream(response, coding)) == table


@convention("compressed")
def test_compressed_buffers(interop, table, folder):
    for codecs in ('codecs="zstd, lz4"', "codecs=lz4"):
        for version in ("--http1.0", "--http1.1"):
            out = folder / "out.arrows"
            subprocess.check_call(
                ["curl", "-sSf", version, "-H", f"Accept: {STREAM}; {codecs}", "-o", out, interop.url]
            )
            assert read(out.read_bytes()) == table


@convention("range")
def test_range(interop, table, folder):
    url = interop.url + "/random.arrows"
    head = subprocess.check_output(["curl", "-sSfI", url], text=True).lower()
    length = int(head.split("content-length: ")[1].split()[0])
    half = length // 2
    parts = [f"0-{half}", f"{half + 1}-{length}"]
    assert read(b"".join(subprocess.check_output(["curl", "-sSf", "-r", part, url]) for part in parts)) == table
    partial = folder / "random.arrows"
    partial.write_bytes(subprocess.check_output(["curl", "-sSf", "-r", "0-99999", url]))
    subprocess.check_call(["curl", "-sSf", "-C", "-", "-o", partial, url])
    assert read(partial.read_bytes()) == table


@convention("indirect")
def test_indirect(interop, table):
    response = urllib.request.urlopen(interop.url)
    assert "application/json" in response.headers["Content-Type"]
    files = json.load(response)["arrow_stream_files"]
    assert len(files) == 3
    for uris in ([file["uri"] for file in files], [f"{interop.url}/{file['filename']}" for file in files]):
        streams = [urllib.request.urlopen(uri) for uri in uris if uri.endswith(".arrows")]
        assert all(STREAM in stream.headers["Content-Type"] for stream in streams)
        assert pa.concat_tables([read(stream.read()) for stream in streams]) == table


@convention("multipart", "post-multipart")
def test_multipart(interop, table):
    response = urllib.request.urlopen(interop.url + "?include_footnotes")
    assert response.headers.get_content_type() == "multipart/mixed"
    parser = email.parser.BytesFeedParser()
    boundary = response.headers.get_boundary()
    parser.feed(f'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="{boundary}"\r\n\r\n'.encode())
    while chunk := response.read(65536):
        parser.feed(chunk)
    document, stream, footnotes = parser.close().get_payload()
    assert json.loads(document.get_payload())[0]["rows"] == ROWS
    assert stream.get_content_type() == STREAM
    assert read(stream.get_payload(decode=True)) == table
    assert footnotes.get_content_type() == "text/plain"


@convention("multipart", "post-multipart")
def test_post_multipart(interop, table, folder):
    """Posts a document and a stream as a form with curl."""
    path = folder / "posted.arrows"
    path.write_bytes(stream(table))
    command = ["curl", "-sSf", "-F", "metadata={};type=application/json", "-F", f"data=@{path};type={STREAM}", interop.url]
    assert json.loads(subprocess.check_output(command))["version"] == 2
    assert read(urllib.request.urlopen(interop.url + "/datasets/example@2.arrows")) == table

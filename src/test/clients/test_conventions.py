"""The example clients of the Arrow project's HTTP conventions, against `quiver.interop`.

The originals have a fixed port. These send the same requests, from the same libraries, to the service
under test.
"""

import email.parser
import gzip
import json
import pathlib
import subprocess
import urllib.request

import pyarrow as pa
import pytest

from clients import HERE
from conftest import need
from service import Service

STREAM = "application/vnd.apache.arrow.stream"
ROWS = 300_000
SUM = ROWS * (ROWS - 1) // 2


@pytest.fixture(scope="module")
def table():
    return pa.table({"id": pa.array(range(ROWS)), "text": [str(i % 7) for i in range(ROWS)]})


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


@convention("simple", "post-simple")
def test_simple_in_javascript(interop, node):
    """arrow-js reads the response of `fetch`."""
    assert node.read("arrow-js", interop.url) == (ROWS, SUM)


@convention("simple", "post-simple")
def test_simple_in_java(interop, arrow_java):
    assert arrow_java.read(interop.url) == (ROWS, SUM)


@convention("simple", "post-simple")
def test_simple_in_cpp(interop, folder):
    """libcurl hands each piece of the body to a StreamDecoder, in a program built with the library of pyarrow."""
    need("g++", "curl-config")
    library = pathlib.Path(pa.get_library_dirs()[0])
    binary = next(library.glob("libarrow.so.*"))
    program = folder / "reader"
    paths = ["-I", pa.get_include(), "-L", library, f"-Wl,-rpath,{library}"]
    subprocess.check_call(["g++", "-std=c++20", HERE / "Reader.cpp", *paths, f"-l:{binary.name}", "-lcurl", "-o", program])
    assert subprocess.check_output([program, interop.url], text=True).split() == [str(ROWS), str(SUM)]


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
@pytest.mark.parametrize("coding", ["identity", "zstd", "br", "gzip", "identity+zstd", "identity+lz4"])
def test_compressed(interop, table, coding):
    """The Python client, which accepts one coding and rejects all others. pyarrow decodes the coding."""
    http, _, codec = coding.partition("+")
    headers = {"Accept-Encoding": f"{http}, *;q=0"}
    if codec:
        headers["Accept"] = f'{STREAM};codecs="{codec}"'
    response = urllib.request.urlopen(urllib.request.Request(interop.url, headers=headers))
    assert response.headers["Content-Type"].startswith(STREAM)
    if http != "identity":
        response = pa.CompressedInputStream(response, "brotli" if http == "br" else http)
    assert read(response) == table


CURL = {
    "identity": ["-H", "Accept-Encoding: identity"],
    "gzip": ["-H", "Accept-Encoding: gzip, *;q=0"],
    "zstd": ["-H", "Accept-Encoding: zstd, *;q=0"],
    "br": ["-H", "Accept-Encoding: br, *;q=0"],
    "identity+zstd": ["-H", f'Accept: {STREAM}; codecs="zstd, lz4"'],
    "identity+lz4": ["-H", f"Accept: {STREAM}; codecs=lz4"],
}


@convention("compressed")
@pytest.mark.parametrize("version", ["--http1.0", "--http1.1"])
def test_compressed_with_curl(interop, table, folder, version):
    """The requests of the curl client. Node decodes Brotli."""
    out = folder / "out"

    def saved(*arguments):
        subprocess.check_call(["curl", "-sSf", version, "-o", out, *arguments, interop.url])
        return out.read_bytes()

    plain = saved(*CURL["identity"])
    assert read(plain) == table
    for coding in ("gzip", "zstd"):
        assert pa.CompressedInputStream(pa.py_buffer(saved(*CURL[coding])), coding).read() == plain
    for coding in ("identity+zstd", "identity+lz4"):
        assert read(saved(*CURL[coding])) == table
    # By default, the example compresses on HTTP/1.1 alone.
    default = saved()
    assert default == plain if version == "--http1.0" else gzip.decompress(default) == plain
    need("node")
    saved(*CURL["br"])
    program = "process.stdout.write(zlib.brotliDecompressSync(fs.readFileSync(process.argv[1])))"
    assert subprocess.check_output(["node", "-e", program, out]) == plain


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

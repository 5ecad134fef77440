"""Every client reports an error when a stream breaks after its status was sent.

The test truncates the stored file while the service sends it, between messages or within a body.
The next request on the connection succeeds.
"""

import contextlib
import dataclasses
import os
import pathlib
import socket
import subprocess

import pyarrow as pa
import pytest

import clients
from conftest import READ_BYTES, Dataset, need, upload
from proxy import Proxy
from service import Service, curl

REPRESENTATIONS = ("known length", "unknown length", "computed", "content-coded")
PLACES = ("between messages", "within a body")


@dataclasses.dataclass
class Breaking:
    """A dataset whose only file with batches can be truncated, and the path of a representation."""

    dataset: Dataset
    path: str
    file: pathlib.Path
    whole: bytes

    @property
    def service(self):
        return self.dataset.service

    def position(self, place):
        """The position of the truncation, after three quarters of the batches."""
        batch = self.dataset.index["batches"][48]
        within = 0 if place == "between messages" else batch["metaDataLength"] + 100_000
        return batch["offset"] + within

    @contextlib.contextmanager
    def truncated(self, place):
        """A proxy that truncates the file at a place, once a response has sent a MiB.

        Yields the proxy and a function that restores the file, which is also called at the end.
        """
        position = self.position(place)

        def restore():
            with self.file.open("r+b") as file:
                file.seek(position)
                file.write(self.whole[position:])

        try:
            with Proxy(self.service.port, 1 << 20, lambda: os.truncate(self.file, position)) as proxy:
                yield proxy, restore
                assert proxy.midway is None, "the file was not truncated"
        finally:
            restore()


@pytest.fixture(scope="module")
def breaking(folder, pages, ids):
    """Breaking datasets by representation, in a separate service whose log may contain failures."""
    running = Service(folder / "breaking", **{"quiver.cors.allowed-origins": pages.url})
    running.expected_errors = "A response was aborted after"
    by_representation = {}
    for codec in ("none", "lz4"):
        before = set(running.storage.rglob("*"))
        dataset = upload(running, codec, ids, query=f"batches=keep&codec={codec}")
        files = [file for file in set(running.storage.rglob("*")) - before if file.is_file()]
        file = max(files, key=lambda file: file.stat().st_size)
        for representation, stored, path in (
            ("known length", "none", ".arrows"),
            ("unknown length", "lz4", ".arrows?codec=none"),
            ("computed", "none", ".arrows?offset=1"),
            # For clients that accept zstd; for others, the length is known.
            ("content-coded", "none", ""),
        ):
            if stored == codec:
                url_path = f"/datasets/{stored}{path}"
                breaking = Breaking(dataset, url_path, file, file.read_bytes())
                by_representation[representation] = breaking
    index = by_representation["known length"].dataset.index
    # The truncation is at the start of a read, so the read before it is sent in full.
    for batch in (47, 48):
        assert index["batches"][batch]["offset"] == 8 + batch * READ_BYTES
    yield by_representation
    running.stop()


@pytest.fixture(scope="module")
def tallies(breaking, ids):
    rows, total = clients.tally(ids.read_bytes())
    (first,) = clients.tally(curl(f"{breaking['computed'].dataset.url}.arrows?limit=1").body)[1:]
    return {name: (rows, total) for name in REPRESENTATIONS} | {"computed": (rows - 1, total - first)}


@pytest.fixture(scope="module")
def reads(request):
    """Functions that read a stream, by the name of the client."""

    def javascript(helper, library):
        return lambda url: request.getfixturevalue(helper).read(library, url)

    def with_requests():
        need("requests")
        import requests

        session = requests.Session()
        # `raw` does not decode content codings.
        session.headers["Accept-Encoding"] = "identity"

        def read(url):
            with session.get(url, stream=True) as response:
                response.raise_for_status()
                return clients.tally(response.raw)

        return read

    def needing(tool, read):
        def checked(url):
            need(tool)
            return read(url)

        return checked

    return {
        "pyarrow over urllib": clients.with_urllib,
        "pyarrow over requests": with_requests(),
        "pyarrow over Zstandard": clients.with_zstandard,
        "polars": needing("polars", clients.with_polars),
        "DuckDB": needing("duckdb", clients.with_duckdb),
        "arrow-js in Node": javascript("node", "arrow-js"),
        "flechette in Node": javascript("node", "flechette"),
        "arrow-js in Chromium": javascript("browser", "arrow-js"),
        "flechette in Chromium": javascript("browser", "flechette"),
        "Arrow Java": lambda url: request.getfixturevalue("arrow_java").read(url),
    }


CLIENTS = (
    "pyarrow over urllib",
    "pyarrow over requests",
    "pyarrow over Zstandard",
    "polars",
    "DuckDB",
    "arrow-js in Node",
    "flechette in Node",
    "arrow-js in Chromium",
    "flechette in Chromium",
    "Arrow Java",
)


# arrow-js 21.2.0 swallows the error of a web stream (`fromDOMStream`) and continues as at its end, which
# it reports only while it reads a body. When a connection breaks, Chromium drops bytes that it has not
# delivered. So arrow-js may be between messages wherever the truncation is.
MAY_END_EARLY = ("arrow-js in Chromium",)


@pytest.mark.parametrize("representation", REPRESENTATIONS)
@pytest.mark.parametrize("client", CLIENTS)
def test_client_reports_a_broken_stream(breaking, reads, tallies, client, representation):
    """The next request of the same client, to the same URL, gets the whole stream."""
    read = reads[client]
    source = breaking[representation]
    for place in PLACES:
        with source.truncated(place) as (proxy, restore):
            try:
                found = read(proxy.url + source.path)
            except Exception:
                pass
            else:
                assert client in MAY_END_EARLY and found < tallies[representation], f"{place}: {found}"
            restore()
            assert read(proxy.url + source.path) == tallies[representation], place


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_curl_reports_a_broken_coded_stream(breaking, coding):
    source = breaking["content-coded"]
    for place in PLACES:
        with source.truncated(place) as (proxy, restore):
            command = ["curl", "-s", "--compressed", "-o", "/dev/null", proxy.url + source.path]
            command += ["-H", f"Accept-Encoding: {coding}, identity;q=0"]
            assert subprocess.run(command).returncode == 18
            restore()
            subprocess.run(command, check=True)


@pytest.mark.parametrize("place", PLACES)
def test_curl_resumes_a_broken_download(breaking, ids, place, tmp_path):
    source = breaking["known length"]
    path = tmp_path / "ids.arrows"
    with source.truncated(place) as (proxy, restore):
        url = proxy.url + source.path
        assert subprocess.run(["curl", "-s", "-o", path, url]).returncode == 18
        assert 0 < path.stat().st_size < ids.stat().st_size
        restore()
        subprocess.run(["curl", "-s", "-C", "-", "-o", path, url], check=True)
    assert path.read_bytes() == curl(source.service.url + source.path).body


@pytest.mark.parametrize("suffix", [".arrows?codec=none", ".json", ".jsonl", ".csv", ""])
@pytest.mark.parametrize("coding", ["identity", "gzip", "zstd"])
def test_curl_reports_a_broken_stream(breaking, suffix, coding):
    """curl sends the next request on a new connection by itself."""
    source = breaking["unknown length"]
    options = ["-s", "-w", "%{exitcode} %{http_code}\\n", "-o", "/dev/null"]
    for place in PLACES:
        with source.truncated(place) as (proxy, _):
            broken = f"{proxy.url}/datasets/lz4{suffix}"
            command = ["curl", *options, "-H", f"Accept-Encoding: {coding}", broken]
            done = subprocess.run(
                [*command, "--next", *options, f"{proxy.url}/health"], capture_output=True, text=True
            )
        assert done.stdout.splitlines() == ["18 200", "0 200"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("representation", ["known length", "unknown length", "computed"])
def test_connection_closes_after_a_broken_body(breaking, representation, place):
    """The bytes before the break are right, and a pipelined request gets no response."""
    source = breaking[representation]
    whole = curl(source.service.url + source.path).body
    with source.truncated(place) as (proxy, _):
        port = int(proxy.url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as connection:
            for path in (source.path, "/health"):
                connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            received = b"".join(iter(lambda: connection.recv(1 << 20), b""))
    head, _, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    chunked = b"Transfer-Encoding: chunked" in head
    assert chunked == (representation == "unknown length")
    if chunked:
        body = decode_unfinished(body)
    assert len(body) < len(whole)
    # With chunks, the last message has a rewritten header, and its body is missing.
    assert whole.startswith(body[: -HEADER_BYTES if chunked else None])
    with pytest.raises((OSError, pa.ArrowInvalid)):
        clients.tally(body)


HEADER_BYTES = 1024


def decode_unfinished(chunks):
    """Decodes chunks that end without the last, empty one."""
    found = bytearray()
    while chunks:
        size, _, rest = chunks.partition(b"\r\n")
        count = int(size, 16)
        assert count > 0, "the body is complete"
        found += rest[:count]
        chunks = rest[count + 2 :]
    return bytes(found)

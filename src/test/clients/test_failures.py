"""A stream that breaks after its status was sent is an error to every client.

The fault lies below the service: once an answer is on its way, the file that it comes from is cut
short, where a message ends or within a body. What is asked next on the connection is answered right.
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
    """A dataset whose one file with batches may be cut, and the path of what is read of it."""

    dataset: Dataset
    path: str
    file: pathlib.Path
    whole: bytes

    @property
    def service(self):
        return self.dataset.service

    def place(self, words):
        """After three quarters of the batches."""
        batch = self.dataset.index["batches"][48]
        within = 0 if words == "between messages" else batch["metaDataLength"] + 100_000
        return batch["offset"] + within

    @contextlib.contextmanager
    def cut(self, words):
        """A way to the service that cuts the file at a place, once an answer has sent a MiB.

        What makes the file whole again is called at the end, if not before.
        """
        place = self.place(words)

        def restore():
            with self.file.open("r+b") as file:
                file.seek(place)
                file.write(self.whole[place:])

        try:
            with Proxy(self.service.port, 1 << 20, lambda: os.truncate(self.file, place)) as proxy:
                yield proxy, restore
                assert proxy.midway is None, "nothing was cut"
        finally:
            restore()


@pytest.fixture(scope="module")
def breaking(folder, pages, ids):
    """By representation; a service of its own, whose log may tell of failures."""
    running = Service(folder / "breaking", **{"quiver.cors.allowed-origins": pages.url})
    running.expected_errors = "A response was aborted after"
    made = {}
    for codec in ("none", "lz4"):
        before = set(running.storage.rglob("*"))
        dataset = upload(running, codec, ids, query=f"batches=keep&codec={codec}")
        files = [file for file in set(running.storage.rglob("*")) - before if file.is_file()]
        file = max(files, key=lambda file: file.stat().st_size)
        for words, of, path in (
            ("known length", "none", ".arrows"),
            ("unknown length", "lz4", ".arrows?codec=none"),
            ("computed", "none", ".arrows?offset=1"),
            # To a client that offers Zstandard; to others, of known length, too.
            ("content-coded", "none", ""),
        ):
            if of == codec:
                made[words] = Breaking(dataset, f"/datasets/{of}{path}", file, file.read_bytes())
    index = made["known length"].dataset.index
    # The read before the one that fails is what was sent last.
    for batch in (47, 48):
        assert index["batches"][batch]["offset"] == 8 + batch * READ_BYTES
    yield made
    running.stop()


@pytest.fixture(scope="module")
def tallies(breaking, ids):
    rows, total = clients.tally(ids.read_bytes())
    (first,) = clients.tally(curl(f"{breaking['computed'].dataset.url}.arrows?limit=1").body)[1:]
    return {words: (rows, total) for words in REPRESENTATIONS} | {"computed": (rows - 1, total - first)}


@pytest.fixture(scope="module")
def reads(request):
    """What reads a stream, by the name of the client."""

    def javascript(helper, library):
        return lambda url: request.getfixturevalue(helper).read(library, url)

    def with_requests():
        need("requests")
        import requests

        session = requests.Session()
        # What `raw` gives is as it was sent.
        session.headers["Accept-Encoding"] = "identity"

        def read(url):
            with session.get(url, stream=True) as answer:
                answer.raise_for_status()
                return clients.tally(answer.raw)

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


# arrow-js 21.2.0 swallows the error of a web stream (`fromDOMStream`) and goes on as if it had ended, which
# is an error only where it waits for a body. Chromium drops what it has not handed on when a connection
# breaks, so that arrow-js may wait for a message wherever the cut is.
MAY_END_EARLY = ("arrow-js in Chromium",)


@pytest.mark.parametrize("representation", REPRESENTATIONS)
@pytest.mark.parametrize("client", CLIENTS)
def test_a_broken_stream_is_an_error(breaking, reads, tallies, client, representation):
    """And what is asked next, by the same client at the same place, is all there."""
    read = reads[client]
    source = breaking[representation]
    for place in PLACES:
        with source.cut(place) as (proxy, restore):
            try:
                found = read(proxy.url + source.path)
            except Exception:
                pass
            else:
                assert client in MAY_END_EARLY and found < tallies[representation], f"{place}: {found}"
            restore()
            assert read(proxy.url + source.path) == tallies[representation], place


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_curl_tells_what_broke_though_it_is_coded(breaking, coding):
    source = breaking["content-coded"]
    for place in PLACES:
        with source.cut(place) as (proxy, restore):
            command = ["curl", "-s", "--compressed", "-o", "/dev/null", proxy.url + source.path]
            command += ["-H", f"Accept-Encoding: {coding}, identity;q=0"]
            assert subprocess.run(command).returncode == 18
            restore()
            subprocess.run(command, check=True)


@pytest.mark.parametrize("place", PLACES)
def test_curl_resumes_what_broke(breaking, ids, place, tmp_path):
    source = breaking["known length"]
    path = tmp_path / "ids.arrows"
    with source.cut(place) as (proxy, restore):
        url = proxy.url + source.path
        assert subprocess.run(["curl", "-s", "-o", path, url]).returncode == 18
        assert 0 < path.stat().st_size < ids.stat().st_size
        restore()
        subprocess.run(["curl", "-s", "-C", "-", "-o", path, url], check=True)
    assert path.read_bytes() == curl(source.service.url + source.path).body


@pytest.mark.parametrize("suffix", [".arrows?codec=none", ".json", ".jsonl", ".csv", ""])
@pytest.mark.parametrize("coding", ["identity", "gzip", "zstd"])
def test_curl_tells_what_broke(breaking, suffix, coding):
    """And gets the next answer on its own."""
    source = breaking["unknown length"]
    options = ["-s", "-w", "%{exitcode} %{http_code}\\n", "-o", "/dev/null"]
    for place in PLACES:
        with source.cut(place) as (proxy, _):
            broken = f"{proxy.url}/datasets/lz4{suffix}"
            command = ["curl", *options, "-H", f"Accept-Encoding: {coding}", broken]
            done = subprocess.run(
                [*command, "--next", *options, f"{proxy.url}/health"], capture_output=True, text=True
            )
        assert done.stdout.splitlines() == ["18 200", "0 200"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("representation", ["known length", "unknown length", "computed"])
def test_the_next_request_is_not_answered_within_the_body(breaking, representation, place):
    """What is sent before is the representation's; the connection ends, though more was asked."""
    source = breaking[representation]
    whole = curl(source.service.url + source.path).body
    with source.cut(place) as (proxy, _):
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
        body = unfinished(body)
    assert len(body) < len(whole)
    # The header of the message whose body never comes is one of its own where the length is free.
    assert whole.startswith(body[: -HEADER_BYTES if chunked else None])
    with pytest.raises((OSError, pa.ArrowInvalid)):
        clients.tally(body)


HEADER_BYTES = 1024


def unfinished(chunks):
    """What chunks hold that end without a last one."""
    found = bytearray()
    while chunks:
        size, _, rest = chunks.partition(b"\r\n")
        count = int(size, 16)
        assert count > 0, "the end of the body"
        found += rest[:count]
        chunks = rest[count + 2 :]
    return bytes(found)

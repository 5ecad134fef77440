"""Uploads that arrive once, although their connections are cut and the service is killed."""

import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import threading

import pyarrow as pa
import pytest

import clients
from conftest import need
from service import TOP, Service, curl, free_port
from unreliable import reset

PIECE_BYTES = 64 << 10
ROWS = 1_000_000
ROW_BYTES = 25


class CuttingProxy:
    """Resets a connection once the client has sent `byte_size` bytes, `cuts` times."""

    def __init__(self, port, cuts, byte_size, on_cut):
        self.port = port
        self.remaining = cuts
        self.byte_size = byte_size
        self.on_cut = on_cut
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.own_port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                reset(client)
                continue
            threading.Thread(target=self._send, args=(client, server), daemon=True).start()
            threading.Thread(target=self._receive, args=(client, server), daemon=True).start()

    def _send(self, client, server):
        sent = 0
        try:
            while piece := client.recv(PIECE_BYTES):
                server.sendall(piece)
                sent += len(piece)
                if self.remaining and sent >= self.byte_size:
                    self.remaining -= 1
                    reset(server)
                    reset(client)
                    self.on_cut(self.remaining)
                    return
            server.shutdown(socket.SHUT_WR)
        except OSError:
            reset(client)

    @staticmethod
    def _receive(client, server):
        try:
            while piece := server.recv(PIECE_BYTES):
                client.sendall(piece)
            client.shutdown(socket.SHUT_WR)
        except OSError:
            reset(client)


def write_stream(path, byte_size):
    """Writes a stream whose bytes no codec shortens."""
    schema = pa.schema([("key", pa.int64()), ("value", pa.binary(17))])
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, schema) as writer:
        for first in range(0, byte_size // ROW_BYTES, ROWS):
            keys = pa.array(range(first, first + ROWS), pa.int64())
            values = pa.FixedSizeBinaryArray.from_buffers(
                pa.binary(17), ROWS, [None, pa.py_buffer(os.urandom(17 * ROWS))]
            )
            writer.write_batch(pa.record_batch([keys, values], schema=schema))
    return path


@pytest.fixture(scope="module")
def resumed_bytes(pytestconfig):
    return pytestconfig.getoption("--resumed-megabytes") * 1_000_000


@pytest.fixture(scope="module")
def cuts(pytestconfig):
    return pytestconfig.getoption("--resumed-cuts")


@pytest.fixture(scope="module")
def large(folder, resumed_bytes):
    return write_stream(folder / "large.arrows", resumed_bytes)


def check_upload(folder, path, cuts, command, **settings):
    """Runs a client that uploads a file, while its connections are cut and the service is killed once."""
    running = Service(folder, **settings)
    restarts = []

    def on_cut(remaining):
        if remaining == cuts // 2:
            running.kill()
            running.start()
            proxy.port = running.port
            restarts.append(remaining)

    proxy = CuttingProxy(running.port, cuts, path.stat().st_size // (cuts + 1), on_cut)
    try:
        url = f"http://127.0.0.1:{proxy.own_port}/datasets/resumed"
        done = subprocess.run(command(url), cwd=folder, capture_output=True, text=True, timeout=1800)
        assert done.returncode == 0, done.stderr
        assert proxy.remaining == 0
        assert len(restarts) == 1
        versions = curl(running.url + "/datasets/resumed/versions").json()["versions"]
        assert [version["version"] for version in versions] == [1]
        with subprocess.Popen(["curl", "-sf", running.url + "/datasets/resumed.arrows"], stdout=subprocess.PIPE) as get:
            assert rows_digest(get.stdout) == rows_digest(pa.memory_map(str(path)))
        return done.stdout
    finally:
        proxy.close()
        running.stop()


def check_responses(output):
    counts = json.loads(output)
    assert counts["POST 201"] == 1, counts
    assert counts["PATCH 201"] == 1, counts


@pytest.mark.parametrize("protocol", ["ietf-draft-03", "ietf-draft-05"])
def test_tus_uploads_once(folder, large, cuts, protocol):
    need("node", "tus-js-client")

    def command(url):
        return ["node", clients.HERE / "tus.mjs", clients.NODE_MODULES, url, large, protocol]

    check_responses(check_upload(folder / protocol, large, cuts, command))


def test_tus_in_a_browser_uploads_once(folder, resumed_bytes, cuts):
    """On a page of another origin, as an application has it."""
    need("node", "chromium", "playwright-core", "tus-js-client")
    path = write_stream(folder / "browser.arrows", resumed_bytes // 2)
    port = free_port()

    def command(url):
        script = clients.HERE / "tus_browser.mjs"
        return ["node", script, clients.NODE_MODULES, shutil.which("chromium"), str(port), url, path]

    settings = {"quiver.cors.allowed-origins": f"http://127.0.0.1:{port}"}
    check_responses(check_upload(folder / "browser", path, cuts, command, **settings))


def test_curl_uploads_once(folder, large, cuts):
    """By the loop that the documents print, with another file, URL and type."""
    (loop,) = re.findall(r"^```sh\n([^`]*^for attempt in[^`]*)^```$", (TOP / "src/docs/uploads.md").read_text(), re.MULTILINE)

    def command(url):
        script = loop.replace("localhost:8080/datasets/resumed-trips", url)
        script = script.replace("localhost:8080", url.partition("/datasets/")[0])
        script = script.replace("text/csv", "application/vnd.apache.arrow.stream").replace("trips.csv", str(large))
        return ["bash", "-c", script + '[ "$status" = 201 ]']

    check_upload(folder / "curl", large, cuts, command)


def rows_digest(source):
    digest = hashlib.sha256()
    with pa.ipc.open_stream(source) as reader:
        for batch in reader:
            digest.update(batch.column(0).to_numpy().tobytes())
            values = batch.column(1)
            start = values.offset * 17
            digest.update(values.buffers()[1][start : start + len(values) * 17])
    return digest.hexdigest()

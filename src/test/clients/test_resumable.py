"""Uploads that arrive once, although their connections are cut and the service is killed."""

import hashlib
import json
import os
import socket
import subprocess
import threading

import pyarrow as pa
import pytest

import clients
from conftest import need
from service import Service, curl
from unreliable import reset

CUTS = 10
PIECE_BYTES = 64 << 10
ROWS = 1_000_000


class CuttingProxy:
    """Resets each connection once the client has sent so many bytes, so many times."""

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


@pytest.fixture(scope="module")
def large(folder):
    """A stream of 200 MB, whose bytes no codec shortens."""
    path = folder / "large.arrows"
    schema = pa.schema([("key", pa.int64()), ("value", pa.binary(17))])
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, schema) as writer:
        for first in range(0, 8 * ROWS, ROWS):
            keys = pa.array(range(first, first + ROWS), pa.int64())
            values = pa.FixedSizeBinaryArray.from_buffers(
                pa.binary(17), ROWS, [None, pa.py_buffer(os.urandom(17 * ROWS))]
            )
            writer.write_batch(pa.record_batch([keys, values], schema=schema))
    return path


@pytest.mark.parametrize("protocol", ["ietf-draft-03", "ietf-draft-05"])
def test_tus_uploads_once(folder, large, protocol):
    need("node", "tus-js-client")
    running = Service(folder / protocol)
    restarts = []

    def on_cut(remaining):
        if remaining == CUTS // 2:
            running.kill()
            running.start()
            proxy.port = running.port
            restarts.append(remaining)

    proxy = CuttingProxy(running.port, CUTS, large.stat().st_size // (CUTS + 1), on_cut)
    try:
        done = subprocess.run(
            [
                "node",
                str(clients.HERE / "tus.mjs"),
                f"http://127.0.0.1:{proxy.own_port}/datasets/tus",
                str(large),
                protocol,
            ],
            env=os.environ | {"NODE_MODULES": str(clients.NODE_MODULES)},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        assert proxy.remaining == 0
        assert len(restarts) == 1
        counts = json.loads(done.stdout)
        assert counts["POST 201"] == 1, counts
        assert counts["PATCH 201"] == 1, counts
        versions = curl(running.url + "/datasets/tus/versions").json()["versions"]
        assert [version["version"] for version in versions] == [1]
        stored = folder / f"{protocol}.arrows"
        subprocess.run(["curl", "-sfo", stored, running.url + "/datasets/tus.arrows"], check=True)
        assert rows_digest(stored) == rows_digest(large)
    finally:
        proxy.close()
        running.stop()


def rows_digest(path):
    digest = hashlib.sha256()
    with pa.memory_map(str(path)) as source, pa.ipc.open_stream(source) as reader:
        for batch in reader:
            digest.update(batch.column(0).to_numpy().tobytes())
            values = batch.column(1)
            start = values.offset * 17
            digest.update(values.buffers()[1][start : start + len(values) * 17])
    return digest.hexdigest()

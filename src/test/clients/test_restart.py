"""A 2xx response means the data is on disk. A write without one leaves nothing."""

import pathlib
import re
import socket
import subprocess
import time

import pyarrow as pa
import pytest

import tables
from service import Service, curl, jar


@pytest.fixture
def restarted(folder):
    running = Service(folder / "restarted")
    yield running
    running.stop()


def test_kill_keeps_acknowledged_writes_only(restarted, small_table, folder):
    path = tables.write_stream(small_table, folder / "kept.arrows", "zstd")
    assert curl("-T", path, restarted.url + "/datasets/kept").status == 201
    tag = curl("-I", restarted.url + "/datasets/kept.arrow").headers["etag"]
    names = restarted.names()

    with socket.create_connection(("127.0.0.1", restarted.port)) as connection:
        body = path.read_bytes()
        connection.sendall(
            f"PUT /datasets/kept HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
            "Content-Type: application/vnd.apache.arrow.stream\r\n\r\n".encode()
            + body[: len(body) // 2]
        )
        restarted.kill()

    restarted.start()
    assert restarted.names() == names
    response = curl(restarted.url + "/datasets/kept.arrow")
    assert response.headers["etag"] == tag
    assert pa.ipc.open_file(response.body).read_all().equals(small_table)
    assert [v["version"] for v in curl(restarted.url + "/datasets/kept/versions").json()["versions"]] == [1]


def test_stop_finishes_requests_in_flight(folder):
    table = tables.table(20_000, seed=2)
    path = tables.write_stream(table, folder / "in-flight.arrows")
    body = path.read_bytes()
    running = Service(folder / "stopped")
    assert curl("-T", path, running.url + "/datasets/read").status == 201

    with small_window(running.port) as reading, small_window(running.port) as writing:
        reading.sendall(
            b"GET /datasets/read.arrows HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        head, _, data = reading.recv(4096).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        writing.sendall(
            f"PUT /datasets/written HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
            "Expect: 100-continue\r\n"
            "Content-Type: application/vnd.apache.arrow.stream\r\n\r\n".encode()
        )
        assert writing.recv(4096).startswith(b"HTTP/1.1 100"), "the request is being served"
        writing.sendall(body[: len(body) // 2])

        running.process.terminate()
        wait_until_refused(running.port)

        writing.sendall(body[len(body) // 2 :])
        assert writing.recv(4096).startswith(b"HTTP/1.1 201")
        while chunk := reading.recv(1 << 20):
            data += chunk
        assert pa.ipc.open_stream(data).read_all().equals(table)

    running.stop()
    running.start()
    assert running.names() == ["read", "written"]
    running.stop()


def small_window(port):
    """A connection with a small receive window, so that the service has to wait for the reader."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 10)
    connection.settimeout(60)
    connection.connect(("127.0.0.1", port))
    return connection


def wait_until_refused(port):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 60).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.05)
    raise AssertionError("the service still listens")


def earlier_java():
    """A JDK before 25 of the usual folder, or None."""
    for release in sorted(pathlib.Path("/usr/lib/jvm").glob("*/release")):
        version = re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', release.read_text())
        java = release.parent / "bin/java"
        if version and int(version[1]) < 25 and java.is_file():
            return java, version[1]
    return None


def test_an_earlier_java_is_told_which_one_is_expected(tmp_path):
    found = earlier_java()
    if not found:
        pytest.skip("skipped: no JDK before 25 in /usr/lib/jvm")
    java, version = found
    done = subprocess.run([java, "-jar", jar()], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stdout == ""
    expected = rf"Expected Java 25 or later but found (1\.)?{version}\S* at /\S+\n"
    assert re.fullmatch(expected, done.stderr), done.stderr
    assert not list(tmp_path.iterdir())

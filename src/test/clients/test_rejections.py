"""Invalid requests get a problem that says what was expected and found where, and leave nothing behind."""

import gzip
import socket
import struct

import pyarrow as pa
import pytest

import tables
from service import curl, parse_response

STREAM = "Content-Type: application/vnd.apache.arrow.stream"
FILE = "Content-Type: application/vnd.apache.arrow.file"
EITHER = "Content-Type:"


@pytest.fixture(scope="module")
def whole(small_table):
    return tables.stream_bytes(small_table.to_batches(), small_table.schema)


@pytest.fixture(scope="module")
def whole_file(small_table, folder):
    return tables.write_file(small_table, folder / "whole.arrow").read_bytes()


@pytest.fixture
def rejected(service, folder):
    """Sends a body that must be rejected, and returns the problem."""

    def send(body, *headers, statuses=(400,), url="/datasets/rejected", method="PUT"):
        path = folder / "rejected"
        path.write_bytes(body)
        arguments = [part for header in headers for part in ("-H", header)]
        with service.unchanged():
            response = curl("-X", method, *arguments, "--data-binary", f"@{path}", service.url + url)
        path.unlink()
        return response.problem(*statuses)

    return send


def test_truncated_stream(rejected, whole):
    cuts = {"in the first prefix": 5, "in the schema": 100, "in a body": len(whole) // 2}
    for cut in cuts.values():
        problem = rejected(whole[:cut], STREAM)
        assert "byteOffset" in problem, problem


def test_truncated_file(rejected, whole_file):
    for cut in (6, 100, len(whole_file) // 2, len(whole_file) - 1):
        rejected(whole_file[:cut], FILE)
        rejected(whole_file[:cut], EITHER, statuses=(400, 415))


def test_upload_aborted_by_the_client(service, whole):
    """The connection is shut down or reset before the end of the declared body."""
    length = f"Content-Length: {len(whole)}\r\n"
    chunk = f"{len(whole) // 2:x}\r\n".encode() + whole[: len(whole) // 2] + b"\r\n"
    for framing, body in (
        (length, whole[: len(whole) // 2]),
        ("Transfer-Encoding: chunked\r\n", chunk),
    ):
        for polite in (True, False):
            with service.unchanged():
                with service.completed("/datasets/cut-off"):
                    response = cut_off(service, framing, body, polite)
                if polite:
                    response.problem(400)


def cut_off(service, framing, body, polite):
    head = (
        f"PUT /datasets/cut-off HTTP/1.1\r\nHost: localhost:{service.port}\r\n{framing}"
        "Content-Type: application/vnd.apache.arrow.stream\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
        connection.sendall(head.encode() + body)
        if polite:
            connection.shutdown(socket.SHUT_WR)
            received = b"".join(iter(lambda: connection.recv(65536), b""))
            return parse_response(received)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return None


def test_body_that_is_not_arrow(rejected):
    noise = bytes(range(1, 251)) * 40
    rejected(noise, STREAM)
    rejected(noise, FILE)
    rejected(noise, EITHER, statuses=(400, 415))
    for header in (STREAM, EITHER, "Content-Type: application/json"):
        assert "found no data" in rejected(b"", header)["detail"]
    rejected(b"\xff\xff\xff\xff\xf0\xff\xff\x7f", STREAM, statuses=(400, 413))
    rejected(b"ARROW1\0\0" + noise + b"\x10\0\0\0ARROW1", FILE)


def test_damaged_metadata(rejected, whole):
    """A valid prefix and then zeros: the flatbuffer is verified before it is used."""
    damaged = bytearray(whole)
    damaged[8:200] = bytes(192)
    rejected(bytes(damaged), STREAM)


def test_other_formats_are_named(rejected):
    feather = b"FEA1" + bytes(100) + b"FEA1"
    assert "Feather" in rejected(feather, EITHER, statuses=(415,))["detail"]
    assert "SQLite" in rejected(b"SQLite format 3\0" + bytes(100), EITHER, statuses=(415,))["detail"]
    # A compressed file is named by its content.
    assert "HTML" in rejected(gzip.compress(b"<!DOCTYPE html><html></html>"), EITHER, statuses=(415,))["detail"]
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
    assert "Git LFS pointer" in rejected(pointer, EITHER, statuses=(415,))["detail"]
    assert 'text "population"' in rejected(b"population\n134\n", EITHER, statuses=(415,))["detail"]
    assert "HTML" in rejected(b"<!DOCTYPE html><html></html>", EITHER, statuses=(415,))["detail"]


def test_unknown_media_type(rejected, whole):
    rejected(whole, "Content-Type: image/png", statuses=(415,))


def test_content_range(rejected, whole):
    rejected(whole, STREAM, f"Content-Range: bytes 0-{len(whole) - 1}/{len(whole)}")


@pytest.mark.parametrize("name", ["rejected.csv", ".hidden", "a%20b", "x" * 101])
def test_invalid_dataset_name(rejected, whole, name):
    rejected(whole, STREAM, url=f"/datasets/{name}", statuses=(400, 404, 405))


def test_encoded_slash_in_a_path(service, whole, folder):
    """Tomcat rejects it before any code of Quiver runs."""
    path = folder / "slash"
    path.write_bytes(whole)
    with service.unchanged():
        response = curl("-T", path, f"{service.url}/datasets/..%2Fup")
    assert response.status == 400
    assert response.headers["content-type"].startswith("application/problem+json")


@pytest.mark.parametrize(
    "header",
    ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: http://elsewhere.example"],
)
def test_write_from_a_page_of_another_site(rejected, small_dataset, whole, header):
    """Without a content type, browsers send such a POST without a preflight request."""
    for method, url in (("POST", "/datasets"), ("PUT", "/datasets/rejected")):
        rejected(whole, EITHER, header, statuses=(403,), method=method, url=url)
    service = small_dataset.service
    with service.unchanged():
        curl("-X", "DELETE", "-H", header, small_dataset.url).problem(403)


def test_write_from_a_page_of_the_service(service, whole, folder):
    path = folder / "own"
    path.write_bytes(whole)
    url = f"{service.url}/datasets/own"
    for headers in (["Sec-Fetch-Site: same-origin"], [f"Origin: {service.url}"]):
        arguments = [part for header in headers for part in ("-H", header)]
        assert curl(*arguments, "-T", path, url).status in (200, 201)


def test_unknown_host(rejected, small_dataset, whole):
    """DNS rebinding: an attacker's name resolves to 127.0.0.1."""
    host = "Host: rebound.example"
    rejected(whole, STREAM, host, statuses=(421,))
    for url in (small_dataset.url, small_dataset.url + ".arrow", small_dataset.service.url + "/"):
        curl("-H", host, url).problem(421)
    port = small_dataset.service.port
    for host in (f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}", "LOCALHOST"):
        assert curl("-H", f"Host: {host}", small_dataset.url + ".arrow").status == 200


def test_missing_datasets_batches_and_ranges(small_dataset):
    url = small_dataset.service.url
    for path in ("/datasets/nothing", "/datasets/nothing.arrow", "/datasets/small@99.arrow"):
        curl(url + path).problem(404)
    for path in ("/batches/10", "/batches/5-10", "/batches/4-2", "/batches/x"):
        curl(small_dataset.url + path).problem(400, 404)
    response = curl("-r", "99999999-", small_dataset.url + ".arrow")
    response.problem(416)
    assert response.headers["content-range"] == f"bytes */{small_dataset.index['bytes']}"


def test_unsupported_method(small_dataset):
    response = curl("-X", "PATCH", small_dataset.url)
    assert response.status == 405
    assert response.headers["content-type"].startswith("application/problem+json")
    assert "GET" in response.headers["allow"]

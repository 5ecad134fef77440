"""What must not be stored: each a problem that says what was expected and found where, and nothing
left behind."""

import gzip
import socket
import struct

import pyarrow as pa
import pyarrow.parquet
import pytest

import tables
from service import curl, parse_answer

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
def refused(service, folder):
    """Sends a body that must be refused, and gives the problem."""

    def send(body, *headers, statuses=(400,), url="/datasets/refused", method="PUT"):
        path = folder / "refused"
        path.write_bytes(body)
        arguments = [part for header in headers for part in ("-H", header)]
        with service.left_as_it_was():
            answer = curl("-X", method, *arguments, "--data-binary", f"@{path}", service.url + url)
        path.unlink()
        return answer.problem(*statuses)

    return send


def test_truncated_stream(refused, whole):
    cuts = {"in the first prefix": 5, "in the schema": 100, "in a body": len(whole) // 2}
    for cut in cuts.values():
        problem = refused(whole[:cut], STREAM)
        assert "byteOffset" in problem, problem


def test_truncated_file(refused, whole_file):
    for cut in (6, 100, len(whole_file) // 2, len(whole_file) - 1):
        refused(whole_file[:cut], FILE)
        refused(whole_file[:cut], EITHER, statuses=(400, 415))


def test_upload_cut_off_on_the_wire(service, whole):
    """The connection ends before the body that was announced, politely or not."""
    length = f"Content-Length: {len(whole)}\r\n"
    chunk = f"{len(whole) // 2:x}\r\n".encode() + whole[: len(whole) // 2] + b"\r\n"
    for framing, body in (
        (length, whole[: len(whole) // 2]),
        ("Transfer-Encoding: chunked\r\n", chunk),
    ):
        for polite in (True, False):
            with service.left_as_it_was():
                with service.ended("/datasets/cut-off"):
                    answer = cut_off(service, framing, body, polite)
                if polite:
                    answer.problem(400)


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
            return parse_answer(received)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return None


def test_garbage(refused):
    noise = bytes(range(1, 251)) * 40
    refused(noise, STREAM)
    refused(noise, FILE)
    refused(noise, EITHER, statuses=(400, 415))
    refused(b"", STREAM)
    refused(b"", EITHER, statuses=(400, 415))
    refused(b"\xff\xff\xff\xff\xf0\xff\xff\x7f", STREAM, statuses=(400, 413))
    refused(b"ARROW1\0\0" + noise + b"\x10\0\0\0ARROW1", FILE)


def test_damaged_metadata(refused, whole):
    """A valid prefix and then other bytes: the flatbuffer is verified before it is believed."""
    damaged = bytearray(whole)
    damaged[8:200] = bytes(192)
    refused(bytes(damaged), STREAM)


def test_other_formats_are_named(refused, small_table, folder):
    path = folder / "other"
    plain = small_table.select(["id", "float64", "text"])
    pyarrow.parquet.write_table(plain, path)
    assert "Parquet" in refused(path.read_bytes(), EITHER, statuses=(415,))["detail"]
    feather = b"FEA1" + bytes(100) + b"FEA1"
    assert "Feather" in refused(feather, EITHER, statuses=(415,))["detail"]
    assert "gzip" in refused(gzip.compress(b"x" * 1000), EITHER, statuses=(415,))["detail"]
    assert "HTML" in refused(b"<!DOCTYPE html><html></html>", EITHER, statuses=(415,))["detail"]


def test_form_type_is_told_which_header_to_use(refused, whole):
    """What `curl --data-binary` says of a body by itself."""
    for method, url in (("PUT", "/datasets/refused"), ("POST", "/datasets")):
        problem = refused(whole, statuses=(415,), method=method, url=url)
        assert "-H" in problem["detail"] and "application/vnd.apache.arrow" in problem["detail"]


def test_unknown_type(refused, whole):
    refused(whole, "Content-Type: text/csv", statuses=(415,))


def test_part_of_a_body(refused, whole):
    refused(whole, STREAM, f"Content-Range: bytes 0-{len(whole) - 1}/{len(whole)}")


@pytest.mark.parametrize("name", ["refused.csv", ".hidden", "a%20b", "x" * 101])
def test_names(refused, whole, name):
    refused(whole, STREAM, url=f"/datasets/{name}", statuses=(400, 404, 405))


def test_encoded_slash(service, whole, folder):
    """Refused before anybody of ours sees it."""
    path = folder / "slash"
    path.write_bytes(whole)
    with service.left_as_it_was():
        answer = curl("-T", path, f"{service.url}/datasets/..%2Fup")
    assert answer.status == 400
    assert answer.headers["content-type"].startswith("application/problem+json")


@pytest.mark.parametrize(
    "header",
    ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: http://elsewhere.example"],
)
def test_write_by_a_page_of_another_site(refused, small_dataset, whole, header):
    """Browsers send such a POST without asking first when it has no content type."""
    for method, url in (("POST", "/datasets"), ("PUT", "/datasets/refused")):
        refused(whole, EITHER, header, statuses=(403,), method=method, url=url)
    service = small_dataset.service
    with service.left_as_it_was():
        curl("-X", "DELETE", "-H", header, small_dataset.url).problem(403)


def test_write_by_a_page_of_our_own(service, whole, folder):
    path = folder / "own"
    path.write_bytes(whole)
    url = f"{service.url}/datasets/own"
    for headers in (["Sec-Fetch-Site: same-origin"], [f"Origin: {service.url}"]):
        arguments = [part for header in headers for part in ("-H", header)]
        assert curl(*arguments, "-T", path, url).status in (200, 201)


def test_foreign_host(refused, small_dataset, whole):
    """A name that an attacker made point to 127.0.0.1."""
    host = "Host: rebound.example"
    refused(whole, STREAM, host, statuses=(421,))
    for url in (small_dataset.url, small_dataset.url + ".arrow", small_dataset.service.url + "/"):
        curl("-H", host, url).problem(421)
    port = small_dataset.service.port
    for host in (f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}", "LOCALHOST"):
        assert curl("-H", f"Host: {host}", small_dataset.url + ".arrow").status == 200


def test_what_is_not_there(small_dataset):
    url = small_dataset.service.url
    for path in ("/datasets/nothing", "/datasets/nothing.arrow", "/datasets/small@99.arrow"):
        curl(url + path).problem(404)
    for path in ("/batches/10", "/batches/5-10", "/batches/4-2", "/batches/x"):
        curl(small_dataset.url + path).problem(400, 404)
    answer = curl("-r", "99999999-", small_dataset.url + ".arrow")
    answer.problem(416)
    assert answer.headers["content-range"] == f"bytes */{small_dataset.index['bytes']}"


def test_method_that_is_not_there(small_dataset):
    answer = curl("-X", "PATCH", small_dataset.url)
    assert answer.status == 405
    assert answer.headers["content-type"].startswith("application/problem+json")
    assert "GET" in answer.headers["allow"]

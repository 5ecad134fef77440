"""Uploads as users type them: curl with `-T`, `--data-binary`, `-F`, pipes, codings and a token.

pyarrow reads each dataset and compares it with the uploaded table.
"""

import base64
import gzip
import hashlib
import shlex
import subprocess

import fsspec
import pyarrow as pa
import pytest
import requests

import tables
from conftest import need
from service import Service, curl, parse_response

STREAM = "Content-Type: application/vnd.apache.arrow.stream"


@pytest.fixture(scope="module")
def stream(small_table, folder):
    return tables.write_stream(small_table, folder / "uploads.arrows")


@pytest.fixture(scope="module")
def file(small_table, folder):
    return tables.write_file(small_table, folder / "uploads.arrow")


def assert_content(url, table):
    body = curl(url + ".arrows").body
    read = pa.ipc.open_stream(body).read_all()
    assert read.equals(table.cast(read.schema)), url


def pipe(command, *arguments):
    """The response to curl when a shell pipes a command into it, so that it does not know the length."""
    quoted = " ".join(map(shlex.quote, map(str, arguments)))
    done = subprocess.run(
        f"set -o pipefail; {command} | curl -sS -i {quoted}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        check=True,
    )
    return parse_response(done.stdout)


def test_upload_to_a_url_with_a_trailing_slash(service, small_table, stream, file):
    for path in (stream, file):
        assert curl("-T", path, f"{service.url}/datasets/").status in (200, 201)
        assert_content(f"{service.url}/datasets/uploads", small_table)


def test_upload_from_a_pipe(service, small_table, stream, file):
    for path in (stream, file):
        url = f"{service.url}/datasets/piped"
        assert pipe(f"cat {path}", "-T", "-", url).status in (200, 201)
        assert_content(url, small_table)
        assert pipe(f"cat {path}", "-T", ".", url).status == 200


def test_post_with_data_binary(service, small_table, stream):
    response = curl("--data-binary", f"@{stream}", "-H", STREAM, f"{service.url}/datasets")
    assert response.status == 201
    assert_content(service.url + response.headers["location"], small_table)


def test_content_coded_upload(service, small_table, stream, file, folder):
    url = f"{service.url}/datasets/coded"
    for path in (stream, file):
        coded = folder / "coded.gz"
        coded.write_bytes(gzip.compress(path.read_bytes()))
        for arguments in (["-T", coded], ["-X", "PUT", "--data-binary", f"@{coded}", "-H", STREAM]):
            response = curl(*arguments, "-H", "Content-Encoding: gzip", url)
            assert response.status in (200, 201), response
            assert_content(url, small_table)
        coded.unlink()
    assert pipe(f"gzip -c {stream}", "-T", "-", "-H", "Content-Encoding: gzip", url).status == 200
    assert_content(url, small_table)
    compressed = folder / "coded.zst"
    with pa.CompressedOutputStream(str(compressed), "zstd") as out:
        out.write(stream.read_bytes())
    assert curl("-T", compressed, "-H", "Content-Encoding: zstd", url).status == 200
    assert_content(url, small_table)
    compressed.unlink()


def test_form_upload(service, small_table, stream, file):
    url = f"{service.url}/datasets"
    response = curl("-F", f"data=@{file}", url)
    assert response.status == 201, response
    assert_content(service.url + response.headers["location"], small_table)
    kind = "small" if service.small else "default"
    for order, parts in enumerate((("metadata", "data"), ("data", "metadata"))):
        for path in (stream, file):
            name = f"form-{kind}-{order}-{str(path)[-1]}"
            arguments = {
                "metadata": ["-F", f'metadata={{"name": "{name}", "codec": "zstd"}};type=application/json'],
                "data": ["-F", f"data=@{path}"],
            }
            response = curl(*arguments[parts[0]], *arguments[parts[1]], url)
            assert response.status == 201, response
            assert response.headers["location"] == f"/datasets/{name}"
            assert_content(f"{url}/{name}", small_table)
            with service.unchanged():
                curl(*arguments[parts[0]], *arguments[parts[1]], url).problem(409)


def test_form_upload_from_a_pipe(service, small_table, stream):
    response = pipe(f"cat {stream}", "-F", "data=@-", f"{service.url}/datasets")
    assert response.status == 201, response
    assert_content(service.url + response.headers["location"], small_table)


def test_large_form_upload(service, large_table, folder):
    """A part of more than 200 MB, before or after the metadata, also with 256 MiB of heap."""
    path = tables.write_file(large_table, folder / "form.arrow")
    parts = ["-F", "metadata={}", "-F", f"data=@{path}"]
    for arguments in (parts, parts[2:] + parts[:2]):
        response = curl(*arguments, f"{service.url}/datasets")
        assert response.status == 201, response
        assert response.json()["rows"] == large_table.num_rows
        assert curl("-X", "DELETE", service.url + response.headers["location"]).status == 204
    path.unlink()


def test_content_digest(service, small_table, stream):
    url = f"{service.url}/datasets/digest"
    body = stream.read_bytes()
    right = base64.b64encode(hashlib.sha256(body).digest()).decode()
    wrong = base64.b64encode(hashlib.sha256(b"other").digest()).decode()
    header = "Content-Digest: sha-256=:%s:"
    assert curl("-T", stream, "-H", header % right, url).status in (200, 201)
    with service.unchanged():
        problem = curl("-T", stream, "-H", header % wrong, url).problem(400)
    assert problem["type"] == "urn:quiver:problem:digest-mismatch"
    assert_content(url, small_table)


def test_large_upload_is_rejected_before_its_body(service, folder):
    """For bodies of more than a megabyte, curl waits for `100 Continue`, and sends nothing without it."""
    path = folder / "gigabytes"
    with open(path, "wb") as sparse:
        sparse.truncate(3 << 30)
    for header, status in (
        ("Content-Type: image/png", 415),
        ("Content-Encoding: br", 415),
        ("Content-Range: bytes 0-9/10", 400),
        ('If-Match: "none"', 412),
        ("Sec-Fetch-Site: cross-site", 403),
    ):
        sent = subprocess.run(
            ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code} %{size_upload}", "-H", header]
            + ["-T", str(path), f"{service.url}/datasets/never"],
            capture_output=True,
            check=True,
        )
        assert sent.stdout.decode() == f"{status} 0", (header, sent)
    path.unlink()


@pytest.fixture(scope="module", params=["writes", "all"])
def guarded(request, folder):
    """A service with a token for writes, or for everything."""
    settings = {"quiver.token": "s3cret", "quiver.token-required-for": request.param}
    running = Service(folder / f"token-{request.param}", **settings)
    yield running
    running.stop()


def with_password(url, password="s3cret"):
    return url.replace("://", f"://user:{password}@")


def test_write_token(guarded, stream, small_table):
    url = f"{guarded.url}/datasets/guarded"
    curl("-T", stream, url).problem(401)
    curl("-T", stream, "-H", "Authorization: Bearer other", url).problem(401)
    curl("-T", stream, with_password(url, "other")).problem(401)
    assert curl("-T", stream, "-H", "Authorization: Bearer s3cret", url).status == 201
    assert curl("-T", stream, "--oauth2-bearer", "s3cret", url).status == 200
    assert curl("-T", stream, with_password(url)).status == 200
    assert requests.put(with_password(url), stream.read_bytes()).status_code == 200
    with pytest.raises(requests.HTTPError, match="401"):
        requests.put(with_password(url, "other"), stream.read_bytes()).raise_for_status()
    assert_content(with_password(url), small_table)


def test_read_token_in_the_url(guarded, file, small_table, folder):
    url = f"{guarded.url}/datasets/read"
    curl("-T", file, with_password(url))
    trusted = with_password(url + ".arrow")
    assert pa.ipc.open_file(requests.get(trusted).content).read_all() == small_table
    with fsspec.open(trusted) as source:
        assert pa.ipc.open_file(source).read_all() == small_table
    need("wget")
    copy = folder / "wget.arrow"
    subprocess.check_call(["wget", "-q", "-O", copy, trusted])
    assert pa.ipc.open_file(copy.read_bytes()).read_all() == small_table
    if guarded.settings["quiver.token-required-for"] == "all":
        assert requests.get(url + ".arrow").status_code == 401
        assert subprocess.run(["wget", "-q", "-O", copy, url + ".arrow"]).returncode == 6

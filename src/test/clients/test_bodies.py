"""Uploads as each tool sends them when it is told nothing but a file and a URL, without a `Content-Type`.

The lines of src/docs/clients.md run as printed, with an Arrow file and an Arrow stream. Only the port
differs. pyarrow compares the values.
"""

import re
import subprocess
import sys

import pyarrow as pa
import pytest

import tables
from clients import NODE_MODULES
from conftest import need
from service import TOP, Service, curl

ROW = re.compile(r"^\| (\w+) \| `([^|]+)` \|$", re.MULTILINE)
AXIOS = """
import axios from {module!r};
import fs from "fs";
{line};
"""


@pytest.fixture(scope="module")
def stream(small_table, folder):
    return tables.write_stream(small_table, folder / "bodies.arrows")


@pytest.fixture(scope="module")
def file(small_table, folder):
    return tables.write_file(small_table, folder / "bodies.arrow")


@pytest.fixture(scope="module")
def empty_service(folder):
    running = Service(folder / "bodies")
    yield running
    running.stop()


def lines():
    text = (TOP / "src/docs/clients.md").read_text()
    table = text.split("\n| sender | line on upload |\n")[1].split("\n\n")[0]
    return ROW.findall(table)


def assert_content(url, table):
    read = pa.ipc.open_stream(curl(url + ".arrows").body).read_all()
    assert read.equals(table.cast(read.schema)), url


def test_document_has_a_line_for_every_sender():
    assert len(lines()) == 12


@pytest.mark.parametrize("sender, line", lines())
def test_line_uploads_without_a_type(empty_service, small_table, stream, file, tmp_path, sender, line):
    need({"HTTPie": "http", "urllib": "python3"}.get(sender, sender))
    line = line.replace("localhost:8080", f"localhost:{empty_service.port}")
    if sender in ("urllib", "requests", "fsspec"):
        module = "urllib.request" if sender == "urllib" else sender
        command = [sys.executable, "-c", f"import {module}\n{line}"]
    elif sender == "axios":
        module = (NODE_MODULES / "axios" / "index.js").as_uri()
        command = ["node", "--input-type=module", "-e", AXIOS.format(module=module, line=line)]
    else:
        command = ["bash", "-c", line]
    for path in (stream, file):
        for name in ("cities.arrow", "cities.feather"):
            (tmp_path / name).write_bytes(path.read_bytes())
        subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
        (name,) = empty_service.names()
        assert_content(f"{empty_service.url}/datasets/{name}", small_table)
        assert curl("-X", "DELETE", f"{empty_service.url}/datasets/{name}").status == 204


@pytest.mark.parametrize("suffix", ["feather", "ipc", "arrow"])
def test_file_named_as_its_library_suggests(service, small_table, file, folder, suffix):
    path = folder / f"named-{suffix}.{suffix}"
    path.write_bytes(file.read_bytes())
    assert curl("-T", path, f"{service.url}/datasets/").status in (200, 201)
    url = f"{service.url}/datasets/named-{suffix}"
    assert_content(url, small_table)
    assert curl(f"{url}.{suffix}").body == curl(url + ".arrow").body
    path.unlink()


def test_json_lines_by_either_suffix(service, stream):
    url = f"{service.url}/datasets/lines"
    curl("-T", stream, url)
    assert curl(url + ".ndjson").body == curl(url + ".jsonl").body


def test_form_has_one_file_of_any_name(service, small_table, file):
    url = f"{service.url}/datasets"
    response = curl("-F", f"upload=@{file}", url)
    assert response.status == 201, response
    assert_content(service.url + response.headers["location"], small_table)
    with service.unchanged():
        curl("-F", f"a=@{file}", "-F", f"b=@{file}", url).problem(400)


def test_inspection_and_conversion_without_a_type(service, file):
    for command in (["--data-binary", f"@{file}"], ["-X", "POST", "-T", file]):
        assert curl(*command, f"{service.url}/inspect").status == 200
        with service.completed("/convert"):
            assert curl(*command, "-H", "Accept: text/csv", f"{service.url}/convert").status == 200

"""Programs that read folders of web servers read the index: each line of src/docs/clients.md as printed."""

import email.utils
import functools
import importlib
import io
import os
import re
import subprocess
import time

import pyarrow as pa
import pytest

from conftest import need, upload
from service import TOP, Service, curl
import tables

# In the order of a list: a name sorts as if it ended in "_".
NAMES = ["Sales", "sample-2", "sample", "towns"]
ROW = re.compile(r"^\| (?P<client>[^|]+) \| `(?P<line>[^|]+)` \| [^|]+ \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def server(folder):
    """A service with the sample and copies of it."""
    running = Service(folder / "folders", **{"quiver.sample": "true"})
    path = folder / "copied.arrow"
    path.write_bytes(curl(running.url + "/datasets/sample.arrow").body)
    for name in NAMES:
        if name != "sample":
            upload(running, name, path)
    yield running
    running.stop()


@functools.cache
def documented():
    """The lines by client, in the order of the document."""
    text = (TOP / "src/docs/clients.md").read_text()
    table = text.split("\n| program | line | what it does |\n")[1].split("\n\n")[0]
    found = {}
    for row in ROW.finditer(table):
        found.setdefault(row["client"].split(",")[0], []).append(row["line"])
    return found


def line(client, start, server):
    """The only line of this client that starts so."""
    [found] = [found for found in documented()[client] if found.startswith(start)]
    return found.replace("localhost:8080", f"localhost:{server.port}")


def run(client, start, server, folder):
    need(client)
    done = subprocess.run(
        ["bash", "-c", line(client, start, server)],
        cwd=folder,
        env=os.environ | {"HOME": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def evaluated(client, start, server):
    need("fsspec", "aiohttp", "upath")
    modules = {name: importlib.import_module(name) for name in ("fsspec", "upath")}
    return sorted(str(found).rsplit("/", 1)[-1] for found in eval(line(client, start, server), modules))


def files(*names):
    return sorted(f"{name}.arrow" for name in names)


def test_every_line_is_tested():
    lines = {client: len(found) for client, found in documented().items()}
    assert lines == {"rclone": 2, "lftp": 1, "wget": 1, "fsspec": 3, "universal-pathlib": 1, "ClickHouse": 4}


def test_rclone_lists_the_files(server, tmp_path):
    assert run("rclone", "rclone lsf", server, tmp_path).split() == files(*NAMES)


@pytest.mark.parametrize("client, start", [("rclone", "rclone copy"), ("lftp", "lftp"), ("wget", "wget")])
def test_mirror(server, tmp_path, client, start):
    """Copies every file, then nothing, then only the one that has changed."""
    with server.recorded(lambda found: len(downloads(found)) == len(NAMES)) as requests:
        run(client, start, server, tmp_path)
    assert sorted(downloads(requests)) == sorted(f"/datasets/{name}.arrow" for name in NAMES)
    copies = tmp_path / "copies"
    assert sorted(path.name for path in copies.iterdir()) == files(*NAMES)
    # The log may have this request late, and it must not count as a download of the next run.
    expected = curl(server.url + "/datasets/sample.feather").body
    for path in copies.iterdir():
        assert path.read_bytes() == expected
    with server.recorded() as requests:
        run(client, start, server, tmp_path)
    assert downloads(requests) == []
    larger = tables.write_file(tables.table(10), tmp_path / "larger.arrow")
    wait_for_the_next_second(server, "towns")
    upload(server, "towns", larger)
    try:
        with server.recorded(downloads) as requests:
            run(client, start, server, tmp_path)
        assert downloads(requests) == ["/datasets/towns.arrow"]
        changed = curl(server.url + "/datasets/towns.arrow").body
        assert (copies / "towns.arrow").read_bytes() == changed
    finally:
        smaller = tmp_path / "smaller.arrow"
        smaller.write_bytes(expected)
        upload(server, "towns", smaller)


def wait_for_the_next_second(server, name):
    """Dates in HTTP have seconds, so wget takes two versions of the same second for one."""
    modified = curl("-I", f"{server.url}/datasets/{name}.arrow").headers["last-modified"]
    while email.utils.formatdate(usegmt=True) == modified:
        time.sleep(0.05)


def downloads(requests):
    return [r.path for r in requests if r.method == "GET" and r.status == 200 and r.path.endswith(".arrow")]


@pytest.mark.parametrize(
    "client, start, names",
    [
        ("fsspec", 'fsspec.filesystem("http").ls', NAMES),
        ("fsspec", 'fsspec.filesystem("http").glob', ["sample", "sample-2"]),
        ("fsspec", 'fsspec.filesystem("http").find', NAMES),
        ("universal-pathlib", "upath.UPath", ["sample", "sample-2"]),
    ],
)
def test_fsspec_reads_the_index(server, client, start, names):
    assert evaluated(client, start, server) == files(*names)


def test_clickhouse_reads_a_file(server, clickhouse):
    query = line("ClickHouse", "SELECT count() FROM url", server)
    assert clickhouse(query) == [["31"]]


def test_clickhouse_expands_wildcards_by_the_index(server, clickhouse):
    query = line("ClickHouse", "SELECT _file", server)
    assert sorted(clickhouse(query)) == [["sample-2.arrow", "31"], ["sample.arrow", "31"]]


def test_clickhouse_reads_the_list(server, clickhouse):
    query = line("ClickHouse", "SELECT name", server)
    assert [name for name, *_ in clickhouse(query)] == NAMES
    types = clickhouse(f"SELECT DISTINCT toTypeName(modified) FROM url('{server.url}/datasets.arrow')")
    assert types == [["DateTime64(3, 'UTC')"]]


def test_clickhouse_inserts(server, clickhouse):
    query = line("ClickHouse", "INSERT", server)
    try:
        clickhouse(query)
        clickhouse(query)
        table = pa.ipc.open_file(curl(server.url + "/datasets/clicks.arrow").body).read_all()
        assert table["id"].to_pylist() == [*range(10)] * 2
        assert table["page"].to_pylist() == [str(i) for i in range(10)] * 2
    finally:
        curl("-X", "DELETE", server.url + "/datasets/clicks")


def test_the_list_as_a_table(server):
    """pyarrow, pandas and polars read the list with its types; pyarrow reads what JSON says."""
    need("pandas", "polars")
    import pandas
    import polars

    listed = curl(server.url + "/datasets").json()["datasets"]
    for suffix, opened in (("arrow", pa.ipc.open_file), ("arrows", pa.ipc.open_stream)):
        table = opened(io.BytesIO(curl(f"{server.url}/datasets.{suffix}").body)).read_all()
        table.validate(full=True)
        assert table.schema.field("modified").type == pa.timestamp("ms", "UTC")
        for member in ("name", "version", "etag", "rows", "batches", "bytes", "codec"):
            assert table[member].to_pylist() == [entry[member] for entry in listed], member
    url = server.url + "/datasets"
    assert pandas.read_csv(url + ".csv")["name"].tolist() == NAMES
    assert pandas.read_feather(url + ".arrow")["rows"].tolist() == [31] * 4
    assert polars.read_ipc(url + ".arrow").sort("bytes")["name"].to_list()[0] in NAMES
    assert polars.read_ndjson(io.BytesIO(curl(url + ".jsonl").body))["name"].to_list() == NAMES

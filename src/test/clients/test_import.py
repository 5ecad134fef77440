"""The import of a folder: the content of the datasets, hard links, and new versions of changed files."""

import os
import re
import time

import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import tables
from service import Service, curl

CODECS = (None, "lz4", "zstd")
LONG_AGO = 1_700_000_000


@pytest.fixture
def files(tmp_path):
    path = tmp_path / "files"
    path.mkdir()
    return path


@pytest.fixture
def importing(tmp_path, files):
    settings = {"quiver.import": files, "quiver.import-interval": "500ms"}
    running = Service(tmp_path / "importing", is_started=False, **settings)
    yield running
    running.kill()


def old(path):
    """Dates a file long before the start of the service."""
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


def versions(service, name):
    response = curl(f"{service.url}/datasets/{name}/versions")
    return [entry["version"] for entry in response.json()["versions"]] if response.status == 200 else []


def wait_for(condition, what):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


def wait_for_a_scan(service, files):
    """Waits until every file was scanned since the call: the scan that finds the second marker began
    after the one that imported the first."""
    for name in ("marker-1", "marker-2"):
        feather.write_feather(tables.table(10), files / "marker.tmp")
        os.replace(files / "marker.tmp", files / f"{name}.arrow")
        wait_for(lambda: versions(service, name) == [1], f"{name} was not imported")


def table_of(service, name):
    return pa.ipc.open_file(curl(f"{service.url}/datasets/{name}.arrow").body).read_all()


def write_files(files):
    """Writes files. Returns the path, dataset name and table of each, and whether it is linked."""
    plain = tables.table(300)
    coded = plain.append_column("code", pa.array(["a", "b", "a"] * (plain.num_rows // 3)).dictionary_encode())
    polars_frame = pl.from_arrow(tables.for_polars(plain))
    (files / "deep" / "er").mkdir(parents=True)
    written = []
    for codec in CODECS:
        path = old_feather(coded, files / f"feather-{codec}.feather", codec)
        written.append((path, f"feather-{codec}", coded, True))
        path = files / f"stream-{codec}.arrows"
        tables.write_stream(plain, path, codec)
        written.append((old(path), f"stream-{codec}", plain, False))
        path = files / f"polars-{codec}.arrow"
        polars_frame.write_ipc(path, compression=codec or "uncompressed")
        written.append((old(path), f"polars-{codec}", feather.read_table(path, memory_map=False), True))
    path = files / "deep" / "er" / "Höhe 1.ARROW"
    written.append((old_feather(plain, path), "deep.er.Hohe-1", plain, True))
    written.append((old_feather(plain, files / "t.csv.arrow"), "t-csv", plain, True))
    return written


def old_feather(table, path, codec=None):
    feather.write_feather(table, path, compression=codec or "uncompressed")
    return old(path)


def test_files_become_datasets(importing, files):
    written = write_files(files)
    broken = files / "broken.arrow"
    broken.write_bytes(b"ARROW1\0\0" + bytes(20))
    old(broken)
    old_feather(tables.table(10), files / ".hidden.arrow")
    names = sorted(name for _, name, _, _ in written)

    importing.start()
    wait_for(lambda: importing.names() == names, "not all files were imported")

    links = {path.stat().st_ino for path in importing.storage.rglob("*.arrow")}
    for path, name, table, linked in written:
        assert table_of(importing, name).equals(table), name
        assert path.stat().st_nlink == (2 if linked else 1), name
        assert (path.stat().st_ino in links) == linked, name
        assert versions(importing, name) == [1]
    log = importing.log.read_text()
    assert log.count("broken.arrow is not imported: Expected") == 1
    importing.stop()

    importing.start()
    wait_for_a_scan(importing, files)
    assert importing.names() == sorted([*names, "marker-1", "marker-2"])
    assert all(versions(importing, name) == [1] for name in names)
    importing.stop()


def test_files_of_other_formats_become_datasets(importing, files):
    table = pa.table({"id": range(100), "name": [f"n{i}" for i in range(100)]})
    frame = table.to_pandas()
    frame.to_csv(comma := files / "comma.csv", index=False)
    frame.to_csv(tabbed := files / "tab.tsv", index=False, sep="\t")
    frame.to_json(lines := files / "lines.jsonl", orient="records", lines=True)
    frame.to_json(array := files / "array.json", orient="records")
    pq.write_table(table, parquet := files / "deep.parquet")
    broken = files / "broken.csv"
    broken.write_text("a,b\n1,2\n3\n")
    for path in (comma, tabbed, lines, array, parquet, broken):
        old(path)
    names = ["array", "comma", "deep", "lines", "tab"]
    importing.start()
    wait_for(lambda: importing.names() == names, "not all files were imported")
    for name in names:
        assert table_of(importing, name).to_pydict() == table.to_pydict(), name
    wait_for_a_scan(importing, files)
    assert all(versions(importing, name) == [1] for name in names)
    log = importing.log.read_text()
    assert log.count("broken.csv is not imported: Expected 2 fields but found 1 at line 3") == 1
    assert str(files) not in re.sub(r".*quiver\.import.*", "", log)

    frame.head(10).to_csv(files / "comma.tmp", index=False)
    os.replace(files / "comma.tmp", files / "comma.csv")
    wait_for(lambda: versions(importing, "comma") == [2, 1], "the changed file was not imported")
    importing.stop()


def test_changed_file_becomes_a_version(importing, files):
    first, second, third = (tables.table(rows) for rows in (100, 200, 300))
    path = old_feather(first, files / "data.arrow")
    importing.start()
    wait_for(lambda: versions(importing, "data") == [1], "the file was not imported")

    # Replacing a file by a rename does not affect the version before.
    feather.write_feather(second, files / "data.tmp", compression="zstd")
    os.replace(files / "data.tmp", path)
    wait_for(lambda: versions(importing, "data") == [2, 1], "the replaced file was not imported")
    assert path.stat().st_nlink == 2
    assert table_of(importing, "data").equals(second)
    assert table_of(importing, "data@1").equals(first)

    # pyarrow overwrites a file in place, which damages the second version, a link to the same file.
    feather.write_feather(third, path)
    damaged = curl(f"{importing.url}/datasets/data@2.arrow").problem(503)
    assert "data.arrow as it was imported but found it changed in place at data@2" in damaged["detail"]
    wait_for(lambda: versions(importing, "data") == [3, 2, 1], "the changed file was not imported")
    assert table_of(importing, "data").equals(third)
    assert "Version 2 of dataset data and appends to it are damaged" in importing.log.read_text()

    path.unlink()
    assert curl("-X", "DELETE", f"{importing.url}/datasets/data").status == 204
    old_feather(first, path)
    wait_for(lambda: versions(importing, "data") == [5], "the new file was not imported")
    assert curl("-X", "DELETE", f"{importing.url}/datasets/data").status == 204
    wait_for_a_scan(importing, files)
    assert curl(f"{importing.url}/datasets/data").status == 410
    importing.stop()

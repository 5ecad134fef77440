"""Files of a folder as datasets: which are linked, what they hold, and when there is a new version."""

import os
import time

import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pytest

import tables
from service import Service, curl

CODECS = (None, "lz4", "zstd")
LONG_AGO = 1_700_000_000


@pytest.fixture
def files(tmp_path):
    made = tmp_path / "files"
    made.mkdir()
    return made


@pytest.fixture
def importing(tmp_path, files):
    settings = {"quiver.import": files, "quiver.import-interval": "500ms"}
    running = Service(tmp_path / "importing", **settings)
    running.stop()
    yield running
    running.kill()


def old(path):
    """A file that was there long before the service started."""
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


def versions(service, name):
    answer = curl(f"{service.url}/datasets/{name}/versions")
    return [entry["version"] for entry in answer.json()["versions"]] if answer.status == 200 else []


def wait_for(condition, what):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


def wait_for_a_look(service, files):
    """Every file has been looked at since: the second of these is found by a look that began after
    that which imported the first."""
    for name in ("marker-1", "marker-2"):
        feather.write_feather(tables.table(10), files / "marker.tmp")
        os.replace(files / "marker.tmp", files / f"{name}.arrow")
        wait_for(lambda: versions(service, name) == [1], f"{name} is there")


def table_of(service, name):
    return pa.ipc.open_file(curl(f"{service.url}/datasets/{name}.arrow").body).read_all()


def make(files):
    """Files by path, with the name of the dataset, the table, and whether it is linked."""
    plain = tables.table(300)
    coded = plain.append_column("code", pa.array(["a", "b", "a"] * (plain.num_rows // 3)).dictionary_encode())
    polars_frame = pl.from_arrow(tables.for_polars(plain))
    (files / "deep" / "er").mkdir(parents=True)
    made = []
    for codec in CODECS:
        path = old_feather(coded, files / f"feather-{codec}.feather", codec)
        made.append((path, f"feather-{codec}", coded, True))
        path = files / f"stream-{codec}.arrows"
        tables.write_stream(plain, path, codec)
        made.append((old(path), f"stream-{codec}", plain, False))
        path = files / f"polars-{codec}.arrow"
        polars_frame.write_ipc(path, compression=codec or "uncompressed")
        made.append((old(path), f"polars-{codec}", feather.read_table(path, memory_map=False), True))
    made.append((old_feather(plain, files / "deep" / "er" / "Höhe 1.ARROW"), "deep.er.Hohe-1", plain, True))
    made.append((old_feather(plain, files / "t.csv.arrow"), "t-csv", plain, True))
    return made


def old_feather(table, path, codec=None):
    feather.write_feather(table, path, compression=codec or "uncompressed")
    return old(path)


def test_files_are_datasets(importing, files):
    made = make(files)
    broken = files / "broken.arrow"
    broken.write_bytes(b"ARROW1\0\0" + bytes(20))
    old(broken)
    old_feather(tables.table(10), files / ".hidden.arrow")
    names = sorted(name for _, name, _, _ in made)

    importing.start()
    wait_for(lambda: importing.names() == names, "all files are datasets")

    links = {path.stat().st_ino for path in importing.storage.rglob("*.arrow")}
    for path, name, table, linked in made:
        assert table_of(importing, name).equals(table), name
        assert path.stat().st_nlink == (2 if linked else 1), name
        assert (path.stat().st_ino in links) == linked, name
        assert versions(importing, name) == [1]
    log = importing.log.read_text()
    assert log.count("broken.arrow is not imported: Expected") == 1
    importing.stop()

    importing.start()
    wait_for_a_look(importing, files)
    assert importing.names() == sorted([*names, "marker-1", "marker-2"])
    assert all(versions(importing, name) == [1] for name in names)
    importing.stop()


def test_a_change_is_a_version(importing, files):
    first, second, third = (tables.table(rows) for rows in (100, 200, 300))
    path = old_feather(first, files / "data.arrow")
    importing.start()
    wait_for(lambda: versions(importing, "data") == [1], "the file is there")

    # As one replaces a file: readers of the version before are not disturbed.
    feather.write_feather(second, files / "data.tmp", compression="zstd")
    os.replace(files / "data.tmp", path)
    wait_for(lambda: versions(importing, "data") == [2, 1], "the file was replaced")
    assert path.stat().st_nlink == 2
    assert table_of(importing, "data").equals(second)
    assert table_of(importing, "data@1").equals(first)

    # As pyarrow writes to a path: the second version is a link to the same file.
    feather.write_feather(third, path)
    damaged = curl(f"{importing.url}/datasets/data@2.arrow").problem(503)
    assert "data.arrow as it was imported but found it changed in place at data@2" in damaged["detail"]
    wait_for(lambda: versions(importing, "data") == [3, 2, 1], "the file was changed")
    assert table_of(importing, "data").equals(third)
    assert "Version 2 of dataset data and appends to it are damaged" in importing.log.read_text()

    path.unlink()
    assert curl("-X", "DELETE", f"{importing.url}/datasets/data").status == 204
    old_feather(first, path)
    wait_for(lambda: versions(importing, "data") == [5], "another file makes it again")
    assert curl("-X", "DELETE", f"{importing.url}/datasets/data").status == 204
    wait_for_a_look(importing, files)
    assert curl(f"{importing.url}/datasets/data").status == 410
    importing.stop()

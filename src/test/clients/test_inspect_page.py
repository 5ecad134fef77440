"""The page that inspects local files: it finds what pyarrow finds, and no damage hangs it."""

import json
import shutil
import subprocess

import pyarrow as pa
import pyarrow.parquet
import pytest

import clients
from conftest import need
from service import TOP, curl
from test_anatomy_page import grouped
from test_layout import every_type, found
from visitor import visit

READER = TOP / "src/main/resources/dev/quiver/server/pages/page/anatomy/ipc.js"
MUTATIONS = 400


@pytest.fixture(scope="module")
def shown(services):
    return services("default memory")


def use(service, scenario, *parameters):
    """The observations of a scenario of inspect_page.mjs."""
    need("axe-core")
    return visit("inspect_page.mjs", service, scenario, *parameters)


def write(path, new, compression=None):
    batch = every_type()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.OSFile(str(path), "wb") as sink, new(sink, batch.schema, options=options) as writer:
        writer.write_batch(batch)
        writer.write_batch(batch.slice(0, 3))
    return path


def read_by_node(path, folder, mutations):
    need("node")
    reader = folder / "ipc.mjs"
    shutil.copy(READER, reader)
    done = subprocess.run(["node", clients.HERE / "ipc.mjs", reader, path, str(mutations)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_reader_of_metadata_agrees_with_pyarrow(folder):
    path = write(folder / "read.arrow", pa.ipc.new_file)
    told = read_by_node(path, folder, 0)
    file = pa.py_buffer(path.read_bytes())
    with pa.ipc.open_file(file) as reader:
        assert told["names"] == reader.schema.names
        assert told["nullable"] == [field.nullable for field in reader.schema]
        batches = [message for message in told["messages"] if message["kind"] == "batch"]
        assert len(batches) == reader.num_record_batches
        for i, message in enumerate(batches):
            batch = reader.get_batch(i)
            assert message["rows"] == batch.num_rows
            for column, values in enumerate(batch.columns):
                fields = [field for field in message["fields"] if field["column"] == column]
                buffers = [(each["offset"], each["length"]) for field in fields for each in field["buffers"] if each["length"]]
                assert buffers == found(values, file.address), reader.schema.names[column]
                assert fields[0]["nullCount"] == values.null_count or pa.types.is_union(values.type)
    assert told["ended"]
    kinds = [message["kind"] for message in told["stream"]]
    assert kinds == ["schema", "dictionary", "dictionary", "batch", "batch"]


@pytest.mark.parametrize("codec", [None, "lz4"])
def test_no_damage_hangs_the_reader_of_metadata(folder, codec):
    path = write(folder / f"mutated-{codec}.arrow", pa.ipc.new_file, codec)
    told = read_by_node(path, folder, MUTATIONS)
    assert told["malformed"] > MUTATIONS / 2
    assert told["read"] > MUTATIONS / 10
    assert told["sentences"] > 30


@pytest.mark.parametrize(("new", "suffix"), [(pa.ipc.new_file, "arrow"), (pa.ipc.new_stream, "arrows")], ids=["file", "stream"])
def test_local_file_is_read_where_it_is(shown, folder, new, suffix, monkeypatch):
    path = write(folder / f"it's local.{suffix}", new, "lz4")
    leave_uncompressed(shown, path)
    with shown.unchanged():
        seen = use(shown, "local", path, suffix)
    assert seen["sent"] == []
    report = inspected(shown, path)
    messages = report["messages"]
    # The picture covers all bytes, and has each message where the service finds it.
    assert [offset for offset, *_ in seen["file"]] == [0, *(offset + size for offset, size, *_ in seen["file"])][:-1]
    assert sum(size for _, size, *_ in seen["file"]) == path.stat().st_size
    kinds = {"schema": "schema", "dictionary batch": "dictionary", "record batch": "batch"}
    extents = [[each["offset"], each["bodyOffset"] + each["bodyLength"] - each["offset"], kinds[each["type"]]] for each in messages]
    assert [[offset, size, kind] for offset, size, _, kind in seen["file"] if kind in kinds.values()] == extents
    batch = next(each for each in messages if each["type"] == "record batch")
    assert any(each.get("uncompressedLength") == -1 for each in batch["buffers"])
    told = [(line["cells"][1], line["cells"][2], line["cells"][5]) for line in seen["lines"] if line["cells"][0] != "no buffers"]
    assert told == [
        (grouped(batch["bodyOffset"] + each["offset"]), grouped(each["length"]), uncompressed(each)) for each in batch["buffers"]
    ]
    assert [name for name, _ in seen["schema"]] == every_type().schema.names
    assert "list<item: utf8>" in [kind for _, kind in seen["schema"]]
    # A shell runs the command that is on the screen.
    monkeypatch.chdir(folder)
    whole = path.read_bytes()
    end = batch["bodyOffset"] + batch["bodyLength"]
    assert piped(seen["command"]) == whole[batch["offset"] : end]
    assert piped(seen["buffer"]) in whole[batch["bodyOffset"] : end]
    assert "0 errors" in seen["verdict"] and "would be accepted" in seen["verdict"]
    assert seen["findings"] == len(report["findings"])
    assert seen["axe"] == []


def inspected(service, path):
    return curl("--data-binary", f"@{path}", "-H", "Content-Type: application/octet-stream", f"{service.url}/inspect").json()


def leave_uncompressed(service, path):
    """Says of a buffer in the first batch that its bytes are the values, of which there are enough."""
    batch = next(each for each in inspected(service, path)["messages"] if each["type"] == "record batch")
    buffer = next(each for each in batch["buffers"] if each["path"] == "numbers" and each["role"] == "DATA")
    file = bytearray(path.read_bytes())
    at = batch["bodyOffset"] + buffer["offset"]
    file[at : at + 8] = b"\xff" * 8
    path.write_bytes(file)


def uncompressed(buffer):
    length = buffer.get("uncompressedLength", buffer["length"])
    return grouped(buffer["length"] - 8 if length == -1 else length)


def piped(command):
    return subprocess.run(command, shell=True, capture_output=True, check=True).stdout


def test_damage_is_told_and_marked(shown, folder):
    path = write(folder / "damaged.arrow", pa.ipc.new_file)
    report = inspected(shown, path)
    batch = next(each for each in report["messages"] if each["type"] == "record batch")
    # An offset of a buffer that is negative, and no magic at the end. Another file has none at the start.
    damaged = bytearray(path.read_bytes())
    at = damaged.index((batch["buffers"][2]["offset"]).to_bytes(8, "little") + batch["buffers"][2]["length"].to_bytes(8, "little"), batch["offset"])
    damaged[at : at + 8] = b"\xff" * 8
    other = folder / "start.arrow"
    other.write_bytes(b"\0" + path.read_bytes()[1:])
    damaged[-1] = 0
    path.write_bytes(damaged)
    seen = use(shown, "damaged", path, other)
    size = len(damaged)
    assert any(f'error Expected the magic ARROW1 but found "ARROW\\u0000" at byte {size - 6}' in text for text in seen["own"])
    assert any(f"Expected the offset of a buffer from 0 to 2⁵³ but found -1 at byte {at}" in text for text in seen["own"])
    assert seen["start"] == ['error Expected the magic ARROW1 but found "\\u0000RROW1" at byte 0 byte 0']
    assert "would not be accepted" in seen["verdict"]
    assert len(seen["findings"]) >= len(seen["own"])
    assert seen["marks"] and all(0 <= offset < size for offset in seen["marks"])


def test_preview_shows_what_an_upload_would_store(shown, folder):
    rows = 40_000
    table = pa.table({"id": range(rows), "text": [f'line "{i}"\nand, more' for i in range(rows)], "when": ["2026-01-02"] * rows})
    files = [folder / name for name in ("sampled.csv", "sampled.json", "small.jsonl", "small.tsv", "typed.parquet", "typed.arrow", "wrong.jpg")]
    quoted = [f'{i},"line ""{i}""\nand, more",2026-01-02' for i in range(rows)]
    files[0].write_text("id,text,when\n" + "\n".join(quoted) + "\n")
    files[1].write_text(json.dumps(table.to_pylist(), indent=1))
    files[2].write_text('{"a": 1.5, "b": [1, 2]}\n{"a": null, "b": []}\n')
    files[3].write_text("x\ty\n1\ttrue\n")
    pa.parquet.write_table(table.slice(0, 3), files[4])
    with pa.OSFile(str(files[5]), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table.slice(0, 3))
        writer.write_table(table.slice(3, 3))
    files[6].write_bytes(b"\x89PNG" * 100)
    assert files[0].stat().st_size > 1 << 20 < files[1].stat().st_size
    # JSON starts the engine, which unpacks itself.
    use(shown, "previews", files[5], files[2])
    with shown.unchanged():
        told = use(shown, "previews", files[5], *[file for file in files if file != files[5]])
    csv, array, lines, tabs, parquet, wrong = told["seen"]
    assert csv["heads"] == [["id", "int64"], ["text", "utf8"], ["when", "date32[day]"]]
    assert csv["rows"][1] == ["1", 'line "1"␊and, more', "2026-01-02"]
    assert len(csv["rows"]) == 20
    assert "first megabyte" in csv["text"]
    assert [name for name, _ in array["heads"]] == ["id", "text", "when"]
    assert array["rows"][19][:2] == ["19", 'line "19"␊and, more']
    assert lines["heads"][0] == ["a", "float64"]
    assert lines["rows"] == [["1.5", "[1,2]"], ["null", "[]"]]
    assert tabs["rows"] == [["1", "true"]]
    assert [row[0] for row in parquet["rows"]] == ["0", "1", "2"]
    assert wrong["alert"] == ["Quiver reads CSV, TSV, JSON, JSON lines, Excel, Parquet and Arrow files, and not .jpg."]
    assert told["arrow"]["columns"] == [{"name": name, "type": kind, "nullable": True} for name, kind in [("id", "int64"), ("text", "utf8"), ("when", "utf8")]]
    assert [row[0]["text"] for row in told["arrow"]["rows"]] == ["0", "1", "2"]
    assert {request.split("?")[0] for request in told["sent"]} == {"POST /inspect"}
    assert told["axe"] == []


def test_inspected_file_is_uploaded(shown, folder):
    path = folder / "looked-at.csv"
    path.write_text("a\n1\n2\n")
    seen = use(shown, "upload", path)
    assert seen == {"path": "/datasets/looked-at"}
    assert curl(f"{shown.url}/datasets/looked-at.json").json() == [{"b": 1}, {"b": 2}]

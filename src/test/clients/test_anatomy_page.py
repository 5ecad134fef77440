"""The anatomy of a dataset in a real browser is that of the layout, and of the bytes that curl gets."""

import shlex
import subprocess

import pyarrow as pa
import pytest

from conftest import need
from service import curl
from test_layout import every_type
from visitor import visit

MANY = 20_000


@pytest.fixture(scope="module")
def shown(services):
    return services("default memory")


def use(service, scenario, *parameters):
    """The observations of a scenario of anatomy_page.mjs."""
    need("axe-core")
    return visit("anatomy_page.mjs", service, scenario, *parameters)


def put(service, name, batches, folder, method="PUT", query="?batches=keep", **options):
    path = folder / f"{name}.arrows"
    with pa.OSFile(str(path), "wb") as sink:
        with pa.ipc.new_stream(sink, batches[0].schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
            for batch in batches:
                writer.write_batch(batch)
    response = curl("-X", method, "-T", path, f"{service.url}/datasets/{name}{query}")
    assert response.status in (200, 201), response
    return name


@pytest.fixture(scope="module")
def every(shown, folder):
    batch = every_type()
    return put(shown, "anatomy-every", [batch, batch.slice(0, 3)], folder, compression="lz4")


def grouped(number):
    return f"{number:,}"


def test_picture_is_that_of_the_layout(shown, every):
    layout = curl(f"{shown.url}/datasets/{every}/layout").json()
    batch = layout["messages"][layout["dictionaries"]]
    buffers = [buffer for field in batch["fields"] for buffer in field["buffers"]]
    number, chosen = next((i, each) for i, each in enumerate(buffers) if each.get("codec") == "lz4")
    seen = use(shown, "parts", every, f"anatomy&message=batch-0&buffer={number}")
    first = seen["first"]
    assert first["hash"] == "#anatomy&message=batch-0"
    # The pictures cover all bytes.
    for name, start, length in [("file", 0, layout["bytes"]), ("message", batch["offset"], batch["metaDataLength"] + batch["bodyLength"])]:
        end = start
        for offset, size, _, _ in first[name]:
            assert offset == end
            end = offset + size
        assert end == start + length, name
    messages = [(each["offset"], each["metaDataLength"] + each["bodyLength"]) for each in layout["messages"]]
    assert [(o, s) for o, s, _, kind in first["file"] if kind in ("dictionary", "batch")] == messages
    told = [(o, s) for o, s, _, kind in first["message"] if kind.startswith("column")]
    assert told == sorted((each["offset"], each["length"]) for each in buffers if each["length"])
    # The table has every buffer.
    lines = iter(first["lines"])
    for field in batch["fields"]:
        for buffer in field["buffers"]:
            line = next(lines)
            role, offset, length, _, codec, uncompressed, _ = line["cells"]
            assert (line["field"], line["nulls"]) == (field["path"], grouped(field["nullCount"]))
            assert role == buffer["role"].lower().replace("_", " ")
            assert [offset, length, uncompressed] == [grouped(buffer[key]) for key in ("offset", "length", "uncompressedLength")]
            assert codec == buffer.get("codec", "")
        if not field["buffers"]:
            assert next(lines)["cells"][0] == "no buffers"
    assert next(lines, None) is None
    # A shell runs the command that is on the screen.
    file = curl(f"{shown.url}{layout['file']}").body
    assert fetched(first["command"]) == file[messages[layout["dictionaries"]][0] :][: messages[layout["dictionaries"]][1]]
    data = file[chosen["offset"] :][: chosen["length"]]
    assert fetched(seen["buffer"]["command"]) == data
    assert "".join(line.split("  ")[1] for line in seen["buffer"]["bytes"].split("\n")).replace(" ", "") == data.hex()
    assert seen["buffer"]["hash"] == f"#anatomy&message=batch-0&buffer={number}"
    assert seen["sentence"].startswith(f"{grouped(layout['bytes'])} bytes: the schema with ")
    assert seen["axe"] == []


def fetched(command):
    return subprocess.run([*shlex.split(command), "-sS"], capture_output=True, check=True).stdout


def test_messages_and_buffers_by_keys(shown, every):
    seen = use(shown, "keys", every)
    layout = curl(f"{shown.url}/datasets/{every}/layout").json()
    last, first = [
        f"Record batch {each['batch']}: bytes {grouped(each['offset'])} to {grouped(each['offset'] + each['metaDataLength'] + each['bodyLength'] - 1)}"
        for each in reversed(layout["messages"][layout["dictionaries"] :])
    ]
    schema, footer = layout["schema"], layout["footer"]
    assert seen["seen"] == [
        f"Schema: bytes 8 to {grouped(schema['offset'] + schema['length'] - 1)}",
        f"Footer: bytes {grouped(footer['offset'])} to {grouped(footer['offset'] + footer['length'] - 1)}",
        last,
        first,
    ]
    assert not seen["near"].startswith("0\n")
    assert seen["hash"] == "#anatomy&message=batch-0&buffer=1"
    assert seen["pressed"] == 1


def test_many_batches_are_divided(shown, folder):
    batch = pa.record_batch([pa.array([1], pa.int8())], ["a"])
    put(shown, "anatomy-many", [batch] * MANY, folder)
    seen = use(shown, "many", "anatomy-many", MANY - 1)
    assert seen["asked"] < 70
    index = curl(f"{shown.url}/datasets/anatomy-many/batches?from={MANY - 1}").json()["batches"][0]
    starts = [curl(f"{shown.url}/datasets/anatomy-many/batches?from={i * 625}&count=1").json()["batches"][0]["offset"] for i in (0, 1, 31)]
    groups = [each for each in seen["groups"] if each[3] == "batch"]
    assert [groups[0][0], groups[1][0], groups[-1][0]] == starts
    assert [count for _, _, count, _ in groups] == [625] * 32
    assert sum(size for _, size, _, _ in seen["groups"]) == curl(f"{shown.url}/datasets/anatomy-many/summary").json()["bytes"]
    assert 600 < len(seen["divided"]) < 700
    end = index["offset"] + index["metaDataLength"] + index["bodyLength"] - 1
    assert seen["command"] == f"curl -r {index['offset']}-{end} '{shown.url}/datasets/anatomy-many@1.arrow'"
    assert seen["hash"] == f"#anatomy&message=batch-{MANY - 1}"


def test_failure_is_tried_again_and_appends_are_told(shown, folder):
    batch = pa.record_batch([pa.array(range(1000))], ["a"])
    put(shown, "anatomy-grown", [batch], folder)
    put(shown, "anatomy-grown", [batch], folder, method="POST")
    seen = use(shown, "failing", "anatomy-grown")
    assert seen["alert"] == "Expected a free place but found none at the service"
    extents = curl(f"{shown.url}/datasets/anatomy-grown/blobs").json()["extents"]
    assert len(seen["extents"]) == seen["bands"] == len(extents)
    offset = 0
    for told, extent in zip(seen["extents"], extents):
        assert f"bytes {grouped(offset)} to {grouped(offset + extent['length'] - 1)}" in told
        offset += extent["length"]

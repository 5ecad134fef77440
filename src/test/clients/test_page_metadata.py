"""The reader of metadata of the pages finds in the golden files what their JSON descriptions say, and buffers where pyarrow does."""

import gzip
import json
import subprocess

import pyarrow as pa
import pytest

import clients
from conftest import need
from service import TOP
from test_golden import golden_files
from test_layout import found

READER = TOP / "src/main/resources/dev/quiver/server/pages/page/anatomy/ipc.js"
UNITS = {"SECOND": "s", "MILLISECOND": "ms", "MICROSECOND": "us", "NANOSECOND": "ns"}
PLAIN = {
    "largeutf8": "large_utf8",
    "largebinary": "large_binary",
    "largelist": "large_list",
    "binaryview": "binary_view",
    "utf8view": "utf8_view",
    "listview": "list_view",
    "largelistview": "large_list_view",
    "runendencoded": "run_end_encoded",
}
TYPES = {
    "int": lambda t: f"{'' if t['isSigned'] else 'u'}int{t['bitWidth']}",
    "floatingpoint": lambda t: {"HALF": "float16", "SINGLE": "float32", "DOUBLE": "float64"}[t["precision"]],
    "decimal": lambda t: f"decimal{t.get('bitWidth', 128)}({t['precision']}, {t['scale']})",
    "date": lambda t: {"DAY": "date32[day]", "MILLISECOND": "date64[ms]"}[t["unit"]],
    "time": lambda t: f"time{t['bitWidth']}[{UNITS[t['unit']]}]",
    "timestamp": lambda t: f"timestamp[{UNITS[t['unit']]}{', ' + t['timezone'] if t.get('timezone') else ''}]",
    "duration": lambda t: f"duration[{UNITS[t['unit']]}]",
    "interval": lambda t: f"interval[{t['unit'].lower()}]",
    "fixedsizebinary": lambda t: f"fixed_size_binary[{t['byteWidth']}]",
    "fixedsizelist": lambda t: f"fixed_size_list[{t['listSize']}]",
    "map": lambda t: "map[keys sorted]" if t["keysSorted"] else "map",
    "union": lambda t: f"{t['mode'].lower()}_union",
}


def type_of(field):
    name = field["type"]["name"]
    return TYPES[name](field["type"]) if name in TYPES else PLAIN.get(name, name)


def fields_of(fields, names=None):
    """The fields of a description as the reader tells them. Some writers of the golden files renamed the fields of maps."""
    return [
        {
            "name": names[i] if names else field["name"],
            "nullable": field["nullable"],
            "type": type_of(field),
            "index": TYPES["int"](field["dictionary"]["indexType"]) if "dictionary" in field else None,
            "children": fields_of(field["children"], inner(field["type"]["name"], names)),
        }
        for i, field in enumerate(fields)
    ]


def told(fields, names=None):
    return [
        {
            "name": names[i] if names else field["name"],
            "nullable": field["nullable"],
            "type": field["arrowType"],
            "index": field["dictionary"] and field["dictionary"]["indexType"],
            "children": told(field["children"], inner(field["arrowType"], names)),
        }
        for i, field in enumerate(fields)
    ]


def inner(kind, names):
    """The names of the fields within a map and its entries."""
    return ["entries"] if kind.startswith("map") else ["key", "value"] if names == ["entries"] else None


def nodes_of(field, column):
    """The lengths and null counts of the nodes of a column of a description."""
    validity = column.get("VALIDITY", [])
    nulls = column["count"] if field["type"]["name"] == "null" else validity.count(0)
    yield column["count"], nulls
    if "dictionary" not in field:
        for child, values in zip(field["children"], column.get("children", []), strict=True):
            yield from nodes_of(child, values)


@pytest.fixture(scope="module")
def read():
    """The metadata that the reader of the pages finds in all golden files, by their paths."""
    need("node")
    paths = golden_files()
    if not paths:
        pytest.skip("skipped: ARROW_TEST_DATA is not set")
    command = ["node", clients.HERE / "metadata.mjs", READER]
    done = subprocess.run(command, input="\n".join(map(str, paths)), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return dict(zip(paths, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("path", golden_files(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_metadata_is_that_of_the_description(read, path):
    with gzip.open(path.with_suffix(".json.gz")) as file:
        expected = json.load(file)
    seen = read[path]
    assert seen["format"] == ("stream" if path.suffix == ".stream" else "file")
    assert seen.get("ended", True) and seen.get("findings", 0) == 0
    fields = expected["schema"]["fields"]
    assert told(seen["schema"]["fields"]) == fields_of(fields)
    assert seen["schema"]["isBigEndian"] == ("bigendian" in path.parent.name)
    metadata = [[entry["key"], entry["value"]] for entry in expected["schema"].get("metadata", [])]
    assert sorted(seen["schema"]["metadata"]) == sorted(metadata)
    batches = [message for message in seen["messages"] if message["kind"] == "batch"]
    assert [message["rows"] for message in batches] == [batch["count"] for batch in expected["batches"]]
    for message, batch in zip(batches, expected["batches"], strict=True):
        nodes = [node for field, column in zip(fields, batch["columns"], strict=True) for node in nodes_of(field, column)]
        assert [(node["length"], node["nullCount"]) for node in message["nodes"]] == nodes
    # Some writers write a dictionary once for each field that has it.
    sizes = {dictionary["data"]["count"] for dictionary in expected.get("dictionaries", [])}
    assert {message["rows"] for message in seen["messages"] if message["kind"] == "dictionary"} == sizes


@pytest.mark.parametrize(
    "path",
    [path for path in golden_files() if path.suffix == ".arrow_file" and "littleendian" in path.parent.name],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_buffers_lie_where_pyarrow_finds_them(read, path):
    batches = [message for message in read[path]["messages"] if message["kind"] == "batch"]
    if any(message["codec"] for message in batches):
        assert {message["codec"] for message in batches} <= {"LZ4_FRAME", "ZSTD"}
        return
    file = pa.py_buffer(path.read_bytes())
    with pa.ipc.open_file(file) as reader:
        for i, message in enumerate(batches):
            columns = reader.get_batch(i).columns
            seen = [(b["offset"], b["length"]) for node in message["nodes"] for b in node["buffers"] if b["length"]]
            expected = [each for column in columns for each in found(column, file.address)]
            assert set(expected) <= set(seen), path.name

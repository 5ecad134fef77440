"""Uploads files of JSON in the manner of public ones, and compares types and values with expectations.

`json/expected.json` was written before the first run: for each file its columns, all rows, parts of
warnings and the members that are left out; or the status, line and column of its error.
"""

import json
import pathlib
from random import Random

import pyarrow as pa
import pytest
import requests

from expectations import type_name, value_of
from service import curl

FOLDER = pathlib.Path(__file__).with_name("json")
EXPECTED = json.loads((FOLDER / "expected.json").read_text())


@pytest.mark.parametrize("name", EXPECTED)
def test_file(service, name):
    expected = EXPECTED[name]
    url = f"{service.url}/datasets/json-{name}"
    response = curl("-T", FOLDER / name, url)
    document = response.json()
    if "status" in expected:
        assert response.status == expected["status"], document
        found = {member: document.get(member) for member in ("line", "column") if expected[member] is not None}
        assert found == {member: expected[member] for member in found}, document
        return
    assert response.status == 201, document
    table = pa.ipc.open_stream(curl(f"{service.url}/datasets/{document['name']}.arrows").body).read_all()
    table.validate(full=True)
    assert [[field.name, type_name(field)] for field in table.schema] == expected["columns"]
    rows = [[value_of(field, table.column(i)[row]) for i, field in enumerate(table.schema)] for row in range(table.num_rows)]
    assert rows == expected["rows"]
    for part in expected.get("warnings", []):
        assert any(part in warning for warning in document.get("warnings", [])), document
    if "omitted" in expected:
        assert document["found"]["omitted"] == expected["omitted"]


def strict(text):
    """The records of an array as Python's json reads them, or None for what is decided otherwise or is not JSON."""

    def unique(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a key twice")
        return dict(pairs)

    def refuse(word):
        raise ValueError(word)

    try:
        records = json.loads(text.decode("utf-8"), object_pairs_hook=unique, parse_constant=refuse)
        json.dumps(records, ensure_ascii=False).encode("utf-8")  # Fails for half a surrogate pair.
    except (ValueError, RecursionError):
        return None
    is_records = isinstance(records, list) and all(isinstance(record, dict) for record in records)
    return records if is_records and any(records) else None


def mutated(random, text):
    """A text with some bytes removed, repeated, replaced or moved."""
    text = bytearray(text)
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        at = random.randrange(len(text))
        end = min(len(text), at + random.choice([1, 1, 2, 5, 20]))
        kind = random.randrange(4)
        if kind == 0:
            del text[at:end]
        elif kind == 1:
            text[at:at] = text[at:end]
        elif kind == 2:
            text[at : at + 1] = random.choice(PIECES)
        else:
            to = random.randrange(len(text))
            text[to:to] = text[at:end]
    return bytes(text)


PIECES = [bytes([byte]) for byte in b'{}[],:"\\ \n\t\x00\x1f\x7f\x80\xc3\xff0-+.eEn/'] + [
    b"null", b"true", b"NaN", b"-0", b"1e400", b"\\ud800", b"\\u0000", b'"":', b"[]", b"{}", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"01",
]


def test_mutations_are_accepted_as_python_does(service, request):
    """Files are mutated at random, and are stored if they are JSON, whatever is in them; the service lives on."""
    count = request.config.getoption("mutations")
    random = Random(49)
    sources = [path.read_bytes() for path in sorted(FOLDER.glob("*.json")) if path.name != "expected.json"]
    sources = [source for source in sources if source.lstrip().startswith(b"[")]
    session = requests.Session()
    accepted = 0
    for i in range(2 * count):
        text = mutated(random, random.choice(sources))
        if not text.lstrip().startswith(b"["):
            continue
        response = session.put(f"{service.url}/datasets/mutated.json", data=text)
        records = strict(text)
        if records is None:
            assert response.status_code == 422, (i, text, response.text)
            assert response.json()["detail"].startswith("Expected "), response.text
        else:
            assert response.status_code in (200, 201), (i, text, response.text)
            assert response.json()["rows"] == len(records), (i, text)
            accepted += 1
    assert accepted > count / 20

"""Uploads delimited files in the manner of what programs and people write, and compares tables with expectations.

`csv/expected.json` was written before the first run and without knowledge of the reader. For each file it has the
columns, the number of rows, the first and maybe the last one, and parts of warnings; or the status and a part of the
hint of its error. `option` and `then` tell what an option makes of the file. A name that is empty may be any, and so
may values of the type `any`.
"""

import json
import pathlib
import urllib.parse

import pyarrow as pa
import pytest

from expectations import type_name, value_of
from service import curl

FOLDER = pathlib.Path(__file__).with_name("csv")
EXPECTED = json.loads((FOLDER / "expected.json").read_text())


def put(service, name, options):
    media_type = "text/tab-separated-values" if name.endswith(".tsv") else "text/csv"
    url = f"{service.url}/datasets/as-they-come-{name.rsplit('.', 1)[0]}?{urllib.parse.urlencode(options)}"
    return curl("-H", f"Content-Type: {media_type}", "-T", FOLDER / name, url)


def assert_table(service, response, expected):
    document = response.json()
    assert response.status in (200, 201), document
    table = pa.ipc.open_stream(curl(f"{service.url}/datasets/{document['name']}.arrows").body).read_all()
    table.validate(full=True)
    columns = expected["columns"]
    assert len(table.schema) == len(columns), table.schema.names
    for field, (name, type_) in zip(table.schema, columns, strict=True):
        assert name in ("", field.name)
        assert type_ in ("any", type_name(field)), field.name
    assert table.num_rows == expected["row_count"]
    rows = dict(enumerate(expected.get("rows", [])))
    if "last_row" in expected:
        rows[table.num_rows - 1] = expected["last_row"]
    for number, row in rows.items():
        found = [value_of(field, table.column(i)[number]) for i, field in enumerate(table.schema)]
        values = zip(found, row, columns, strict=True)
        assert all(value == wanted for value, wanted, (_, type_) in values if type_ != "any"), (found, row)
    for part in expected.get("warnings", []):
        assert any(part in warning for warning in document.get("warnings", [])), document


@pytest.mark.parametrize("name", EXPECTED)
def test_file(service, name):
    expected = EXPECTED[name]
    response = put(service, name, {})
    if "status" in expected:
        document = response.json()
        assert response.status == expected["status"], document
        assert expected["hint"] in document["hint"]
    else:
        assert_table(service, response, expected)
        for option in response.json().get("options", []):
            # Each option of a warning is ready to be sent, and then nothing is left to say of it.
            other = put(service, name, {option["option"]: option["value"]})
            assert other.status == 200, (option, other.json())
            assert option not in other.json().get("options", [])
    if "then" in expected:
        assert_table(service, put(service, name, expected["option"]), expected["then"])


@pytest.mark.parametrize("name", [name for name, expected in EXPECTED.items() if "status" not in expected or "then" in expected])
def test_appended_file(service, name):
    """A file that is appended to its own dataset has the same rows, by the options of the last upload."""
    expected = EXPECTED[name]
    url = f"{service.url}/datasets/appended-{name.rsplit('.', 1)[0]}"
    media_type = "text/tab-separated-values" if name.endswith(".tsv") else "text/csv"
    header = f"Content-Type: {media_type}"
    option = expected["option"] if "status" in expected or "then" in expected else {}
    first = curl("-H", header, "-T", FOLDER / name, f"{url}?{urllib.parse.urlencode(option)}")
    assert first.status in (200, 201), first.json()
    before = pa.ipc.open_stream(curl(f"{url}.arrows").body).read_all()
    second = curl("-H", header, "-X", "POST", "--data-binary", f"@{FOLDER / name}", url)
    assert second.status == 200, second.json()
    after = pa.ipc.open_stream(curl(f"{url}.arrows").body).read_all()
    assert after.schema == before.schema
    assert repr(after.to_pylist()) == repr(2 * before.to_pylist())
    told = second.json().get("found", {}).get("lastUpload", {})
    assert all(told[name] == value for name, value in option.items() if name != "csv.header"), told


@pytest.mark.parametrize("name", [name for name, expected in EXPECTED.items() if "status" not in expected])
def test_inspected_file(service, name, tmp_path):
    """An inspection tells what an upload stores, and the parameters that it tells read the same table."""
    media_type = "text/tab-separated-values" if name.endswith(".tsv") else "text/csv"
    found = curl("-H", f"Content-Type: {media_type}", "--data-binary", f"@{FOLDER / name}", f"{service.url}/inspect")
    assert found.status == 200, found.json()
    preview = found.json()
    url = f"{service.url}/datasets/inspected-{name.rsplit('.', 1)[0]}"
    stored = curl("-H", f"Content-Type: {media_type}", "-T", FOLDER / name, f"{url}?verbose=true")
    document = stored.json()
    assert preview["columns"] == document["columns"]
    assert preview["warnings"] == document["warnings"]
    assert preview["options"] == document.get("options", [])
    assert preview["found"] == document.get("found", {})
    before = curl(f"{url}.arrows").body
    rows = pa.ipc.open_stream(before).read_all()
    read = urllib.parse.urlencode([(each["option"], each["value"]) for each in preview["read"]])
    again = curl("-H", f"Content-Type: {media_type}", "-T", FOLDER / name, f"{url}?{read}")
    assert again.status == 200, again.json()
    assert curl(f"{url}.arrows").body == before
    # The beginning of a file may end anywhere.
    if rows.num_rows > 20:
        beginning = tmp_path / "beginning"
        beginning.write_bytes(FOLDER.joinpath(name).read_bytes()[:-1])
        cut = curl("-H", f"Content-Type: {media_type}", "--data-binary", f"@{beginning}", f"{service.url}/inspect?truncated=accept")
        assert cut.status == 200, cut.json()
        assert [column["name"] for column in cut.json()["columns"]] == [column["name"] for column in document["columns"]]


# The names in Python of encodings whose labels are others, or whose characters are those of a larger one.
PYTHON_NAMES = {
    "macintosh": "mac_roman",
    "x-mac-ukrainian": "mac_cyrillic",
    "windows-874": "cp874",
    "koi8-ru": "koi8_u",
    "sjis": "cp932",
    "ks_c_5601-1987": "cp949",
    "unicodefffe": "utf_16_be",
    "ucs-2": "utf_16_le",
    "latin-1": "cp1252",
    "us-ascii": "cp1252",
    "l5": "cp1254",
    "gb2312": "gb18030",
    "big5": "big5hkscs",
    "logical": "iso8859_8",
    "visual": "iso8859_8",
    "866": "cp866",
}
LABELS = [
    *PYTHON_NAMES, "utf8", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-10",
    "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "koi8-r", "windows-1250", "windows-1251", "windows-1253",
    "windows-1255", "windows-1256", "windows-1257", "windows-1258", "gb18030", "euc-jp", "iso-2022-jp",
]
TEXTS = ["Größe", "naïve", "Łódź", "Привет", "Ελλάδα", "שלום", "مرحبا", "สวัสดี", "日本語", "한국어", "中文", "ŷŵ Ḃ", "āčęėģ", "ı ş ğ"]


@pytest.mark.parametrize("label", LABELS)
def test_encoding(service, label, tmp_path):
    """Text in an encoding is read by its label, as a parameter and as a charset."""
    encoding = PYTHON_NAMES.get(label, label)
    texts = []
    for text in TEXTS:
        try:
            texts.append(text.encode(encoding).decode(encoding))
        except UnicodeEncodeError:
            continue
    assert texts
    body = ("text\n" + "\n".join(texts) + "\n").encode(encoding)
    path = tmp_path / "encoded.csv"
    path.write_bytes(body)
    url = f"{service.url}/datasets/encoded"
    for target, media_type in ((f"{url}?csv.encoding={label.upper()}", "text/csv"), (url, f"text/csv; charset={label}")):
        response = curl("-H", f"Content-Type: {media_type}", "-T", path, target)
        assert response.status in (200, 201), response.body
        assert [row["text"] for row in curl(f"{url}.json").json()] == texts

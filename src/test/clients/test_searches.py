"""Conditions as people type them, against DuckDB, and searches, against Python's own case folding."""

import datetime
import io
import json
import random
import sys
import unicodedata
import urllib.parse
import uuid

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import tables
from conftest import need, upload
from service import curl

# Each with the condition to which its hint leads, or None if it works as it is.
TYPED = (
    ("minutes > 90", None),
    ("minutes != 90", None),
    ("minutes == 90", None),
    ("MINUTES >= 90 and minutes < 120", None),
    ("title = 'Slam'", None),
    ("title like 'S%'", None),
    ("title ILIKE '%slam%'", None),
    ("title not like '%a%'", None),
    ("title ~ '^S.*m$'", None),
    ("lower(title) = 'slam'", None),
    ("title in ('Slam', 'Heat')", None),
    ("title is null", None),
    ("title = null", None),
    ("minutes between 90 and 120", None),
    ("minutes / 60 > 1.5", None),
    ("minutes % 2 = 0 or rating > 8", None),
    ("released >= '2020-01-01'", None),
    ("year(released) = 2021 and month(released) <= 6", None),
    ('"Cost Total $" > 1000', None),
    ("not seen", None),
    ("length(title) > 4 and seen", None),
    ("coalesce(rating, 0) < 5", None),
    ("rating is not null and rating <> 5.0", None),
    ("minutes > 90 && seen", "minutes > 90 AND seen"),
    ("minutes > 110 || rating > 9", None),
    ('title = "Slam"', "title = 'Slam'"),
    ("Cost Total $ > 1000", '"Cost Total $" > 1000'),
    ("released > 2020-06-01", "released > '2020-06-01'"),
    ("80 < minutes < 100", "80 < minutes AND minutes < 100"),
    ("minuts > 90", "minutes > 90"),
    ("title contains 'a'", "contains(title, 'a')"),
    ("minutes >= 100;", "minutes >= 100"),
    ("where seen", "seen"),
    ("startswith(title, 'S')", "starts_with(title, 'S')"),
)

# Pieces of texts whose cases differ in length, in bytes or not at all.
PIECES = ("a", "A", "k", "K", "s", "S", "ſ", "ß", "ẞ", "ss", "ﬁ", "FI", "İ", "i", "ı", "é", "É", "e\u0301", "σ", "Σ", "ς", "µ", "ж", "Ж", "中", "😀", "𐐨", "𐐀", " ", "-", "%")  # fmt: skip


def movies():
    rng = random.Random(7)
    rows = 400
    titles = ["Slam", "Heat", "Drama Queen", "The Land Girls", "slam dunk", None]
    days = [datetime.date(2019, 1, 1) + datetime.timedelta(rng.randrange(1200)) for _ in range(rows)]
    return pa.table(
        {
            "id": range(rows),
            "title": [rng.choice(titles) for _ in range(rows)],
            "minutes": pa.array([rng.choice((None, 85, 90, 95, 110, 121)) for _ in range(rows)], pa.int32()),
            "rating": [rng.choice((None, 4.5, 5.0, 8.25, 9.5)) for _ in range(rows)],
            "released": pa.array(days, pa.date32()),
            "Cost Total $": pa.array([rng.randrange(3000) for _ in range(rows)], pa.int64()),
            "seen": [rng.random() < 0.5 for _ in range(rows)],
        }
    )


def ids(response):
    assert response.status == 200, response.body
    return pa.ipc.open_stream(io.BytesIO(response.body)).read_all()["id"].to_pylist()


def test_typed_conditions_select_as_duckdb_does(services, folder):
    need("duckdb")
    import duckdb

    source = movies()
    dataset = upload(services("default memory"), "typed", tables.write_stream(source, folder / "typed.arrows"))
    database = duckdb.connect()
    database.register("registered", source)
    database.sql("CREATE TABLE movies AS SELECT * FROM registered")

    def get(condition):
        return curl(f"{dataset.url}.arrows?where={urllib.parse.quote(condition)}")

    for typed, better in TYPED:
        response = get(typed)
        if response.status != 200:
            problem = json.loads(response.body)
            assert problem["hint"], (typed, problem)
            if better is None:
                assert "||" in typed and "Write OR" in problem["hint"], problem
                better = typed.replace("||", "OR")
            response = get(better)
        else:
            assert better is None, typed
            better = typed
        expected = database.sql(f"SELECT id FROM movies WHERE {better} ORDER BY id").fetchall()
        assert ids(response) == [row[0] for row in expected], typed


def text(rng):
    return "".join(rng.choice(PIECES) for _ in range(rng.choice((0, 1, 3, 8, 40))))


def searched(rng, rows):
    """A table with texts in every place that is searched, and the texts of each row."""
    texts = [[] for _ in range(rows)]

    def values(null=0.2):
        found = [None if rng.random() < null else text(rng) for _ in range(rows)]
        for row, value in zip(texts, found):
            row.extend([] if value is None else [value])
        return found

    uuids = [uuid.UUID(int=rng.getrandbits(128)) for _ in range(rows)]
    for row, value in zip(texts, uuids):
        row.append(str(value))
    few = [uuid.UUID(int=rng.getrandbits(128)) for _ in range(20)]
    indices = [rng.randrange(len(few)) for _ in range(rows)]
    for row, index in zip(texts, indices):
        row.append(str(few[index]))
    lists = list(zip(values(), values()))
    names = values(0)
    columns = {
        "id": pa.array(range(rows), pa.int32()),
        "utf8": pa.array(values(), pa.utf8()),
        "large": pa.array(values(), pa.large_utf8()),
        "view": pa.array(values(), pa.string_view()),
        "dictionary": pa.array(values(), pa.utf8()).dictionary_encode(),
        "runs": pc.run_end_encode(pa.array(values(), pa.utf8())),
        "uuid": pa.array([value.bytes for value in uuids], pa.uuid()),
        "uuids": pa.DictionaryArray.from_arrays(
            pa.array(indices, pa.int8()), pa.array([value.bytes for value in few], pa.uuid())
        ),
        "list": pa.array([list(pair) for pair in lists], pa.list_(pa.utf8())),
        "map": pa.array([[(name, None)] for name in names], pa.map_(pa.utf8(), pa.utf8())),
        "struct": pa.StructArray.from_arrays(
            [pa.array(values(), pa.utf8()), pa.array(range(rows)), pa.array(values(), pa.large_utf8())], ["a", "b", "c"]
        ),
        # Neither is a text.
        "binary": pa.array([text(rng).encode() + b"unfound" for _ in range(rows)], pa.binary()),
        "number": pa.array([4242] * rows, pa.int64()),
    }
    return pa.table(columns), texts


@pytest.mark.parametrize("seed", range(4))
def test_searches_find_as_python_does(services, folder, seed):
    rng = random.Random(seed)
    source, texts = searched(rng, 300)
    path = tables.write_stream(source, folder / f"searched-{seed}.arrows")
    dataset = upload(services("default memory"), f"searched-{seed}", path)
    found = 0
    for _ in range(25):
        row = rng.choice(texts)
        value = rng.choice([value for value in row if value])
        start = rng.randrange(len(value))
        needle = value[start : start + rng.randrange(1, 7)]
        needle = rng.choice((needle, needle.upper(), needle.lower(), needle + "z"))
        expected = [i for i, row in enumerate(texts) if any(needle.casefold() in value.casefold() for value in row)]
        # pyarrow does not read a dictionary of UUIDs, though it writes one.
        response = curl(f"{dataset.url}.arrows?columns=id&search={urllib.parse.quote(needle)}")
        assert ids(response) == expected, needle
        found += len(expected)
    assert found > 0
    for absent in ("unfound", "4242 "):
        assert ids(curl(f"{dataset.url}.arrows?columns=id&search={urllib.parse.quote(absent)}")) == []


def test_every_character_folds_as_in_python(services, folder):
    """Characters that this version of Python does not know are left out."""
    characters = [chr(i) for i in range(sys.maxunicode + 1) if chr(i).casefold() != chr(i) or chr(i).upper() != chr(i)]
    characters = [each for each in characters if unicodedata.category(each) != "Cn"]
    source = pa.table({"id": range(len(characters)), "character": characters})
    path = tables.write_stream(source, folder / "characters.arrows")
    dataset = upload(services("default memory"), "characters", path)
    for needle in random.Random(1).sample(characters, 40) + list("skSKiIfß") + ["ﬁ", "İ", "ı", "ς"]:
        expected = [i for i, each in enumerate(characters) if needle.casefold() in each.casefold()]
        assert ids(curl(f"{dataset.url}.arrows?search={urllib.parse.quote(needle)}")) == expected, needle

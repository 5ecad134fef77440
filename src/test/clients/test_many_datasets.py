"""A hundred thousand datasets: the list, its page, and whatever else looks for a name, on 128 MiB of heap."""

import datetime
import functools
import http.client
import itertools
import json
import os
import re
import shutil
import struct
import urllib.parse

import pyarrow as pa
import pytest

from service import Service, curl
from visitor import visit

pytestmark = pytest.mark.large

COUNT = 100_000
"""As many as `quiver.limits` lets be counted and ordered."""
SEEDS = 10
OTHERS = {"Zulu": 7, "alpha": 77_777, "many-0": 5_555}
"""The rows of datasets with other names, one of which others begin with."""
FIRST_TIME = datetime.datetime(2025, 1, 1)
SHORT_TIME = re.compile(rb'"committedAt":"[^".]*"')
STEP = 7919
"""Coprime to the count, so that names and times have different orders."""


def name(i):
    return f"many-{i:06}"


def time(i):
    """When a copy was modified, as its manifest says it."""
    later = datetime.timedelta(seconds=i * STEP % COUNT, milliseconds=123)
    return (FIRST_TIME + later).isoformat(timespec="milliseconds") + "Z"


@pytest.fixture(scope="module")
def many(folder):
    """A service with ten datasets of different sizes, their copies, and some others."""
    service = Service(folder / "many", ("-Xmx128m",), **{"quiver.storage.sync": "false"})
    for i in range(SEEDS):
        # The more rows, the fewer bytes.
        columns = {f"c{k}": list(range(100 * (i + 1))) for k in range(40 // (i + 1) ** 2 + 1)}
        put(service, name(i), pa.table(columns), folder)
        manifest = service.storage / "manifests" / f"_{name(i)}_"
        # In a manifest, the time of a whole second is shorter than that of any copy.
        while SHORT_TIME.search(next(manifest.iterdir()).read_bytes()):
            shutil.rmtree(manifest)
            put(service, name(i), pa.table(columns), folder)
    for other, rows in OTHERS.items():
        put(service, other, pa.table({"of_" + other.replace("-", "_"): list(range(rows))}), folder)
    listed = curl(f"{service.url}/datasets").json()["datasets"]
    stored = {entry[0]: entry for entry in map(sizes, listed)}
    service.seeds = [stored[name(i)][1:3] for i in range(SEEDS)]
    service.others = [stored[other] for other in OTHERS]
    service.stop()
    for i in range(SEEDS):
        copy(service.storage / "manifests", i)
    service.start()
    yield service
    service.stop()


def sizes(entry):
    return entry["name"], entry["rows"], entry["bytes"], entry["modified"]


def put(service, dataset, table, folder):
    path = folder / "many.arrows"
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    assert curl("-T", path, f"{service.url}/datasets/{dataset}").status == 201


def copy(manifests, seed):
    """Writes the manifests of the copies of a dataset, which name its data, and its own with another time."""
    (path,) = (manifests / f"_{name(seed)}_").iterdir()
    content = bytearray(path.read_bytes())
    summary_size, table_size = struct.unpack_from("<ii", content, 12)
    end = 20 + summary_size + table_size
    named = content.index(b'"name":"') + len(b'"name":"')
    timed = content.index(b'"committedAt":"') + len(b'"committedAt":"')
    assert content[timed + 23 : timed + 25] == b'Z"', content
    places = [*range(named, named + len(name(0))), *range(timed, timed + len(time(0)))]
    changes = [changed_checksums(end - place - 1) for place in places]
    before = (name(seed) + json.loads(content[20 : 20 + summary_size])["committedAt"]).encode()
    checksum = struct.unpack_from("<I", content, end)[0]
    for i in range(seed, COUNT - len(OTHERS), SEEDS):
        text = (name(i) + time(i)).encode()
        changed = checksum
        for table, old, new in zip(changes, before, text):
            changed ^= table[old ^ new]
        content[named : named + len(name(0))] = text[: len(name(0))]
        content[timed : timed + len(time(0))] = text[len(name(0)) :]
        struct.pack_into("<I", content, end, changed)
        copied = f"{manifests}/_{name(i)}_"
        if i != seed:
            os.mkdir(copied)
        file = os.open(f"{copied}/{path.name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.write(file, content)
        os.close(file)


def changed_checksums(following):
    """The changes of a CRC-32C for each changed bit of a byte that `following` bytes follow."""
    bits = []
    for bit in range(8):
        crc = 1 << bit
        for _ in range(8 * (following + 1)):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        bits.append(crc)
    changed = [0] * 256
    for change in range(256):
        for bit in range(8):
            changed[change] ^= bits[bit] if change >> bit & 1 else 0
    return changed


@functools.cache
def expected(service):
    """Names with rows, bytes and times, in the order of names."""
    listed = [(name(i), *service.seeds[i % SEEDS], time(i)) for i in range(COUNT - len(OTHERS))]
    listed += service.others
    # As in the store: an upper-case letter is written with a mark before it, and a name ends in a mark.
    written = ("".join("!" + c.lower() if c.isupper() else c for c in entry[0]) + "_" for entry in listed)
    return [entry for _, entry in sorted(zip(written, listed))]


def ordered(service, sort):
    listed = expected(service)
    key = ("name", "rows", "bytes", "modified").index(sort.lstrip("-"))
    if key == 0:
        return listed[::-1] if sort.startswith("-") else listed
    # Equal ones are by name in both directions.
    return sorted(listed, key=lambda entry: entry[key], reverse=sort.startswith("-"))


ORDERS = ["name", "-name", "rows", "-rows", "bytes", "-bytes", "modified", "-modified"]


def pages(service, path):
    """Follows the links of a list."""
    connection = http.client.HTTPConnection("localhost", service.port)
    while path:
        connection.request("GET", path)
        page = json.loads(connection.getresponse().read())
        yield page
        path = page.get("next")


def entries(page):
    return list(map(sizes, page["datasets"]))


def test_pages_have_each_dataset_once(many):
    found = list(itertools.chain.from_iterable(map(entries, pages(many, "/datasets?limit=1000"))))
    assert len(found) == COUNT
    assert found == expected(many)


@pytest.mark.parametrize("sort", ["-name", "-rows", "bytes", "-modified"])
def test_pages_are_in_every_order(many, sort):
    wanted = ordered(many, sort)
    listed = pages(many, f"/datasets?limit=100&total=true&sort={sort}")
    for start in range(0, 500, 100):
        page = next(listed)
        assert page["total"] == COUNT
        assert entries(page) == wanted[start : start + 100]
    # Without the pages between, the place of the last one is its name alone, or with its value.
    last = wanted[-3]
    value = dict(zip(("name", "rows", "bytes", "modified"), last))[sort.lstrip("-")]
    after = last[0] if sort.lstrip("-") == "name" else f"{value},{last[0]}"
    (page,) = pages(many, f"/datasets?{urllib.parse.urlencode({'sort': sort, 'after': after})}")
    assert entries(page) == wanted[-2:]


def test_search_finds_one_among_all(many):
    for query in ("q=Y-054321", "prefix=many-054321", "q=54321&sort=-rows"):
        (page,) = pages(many, f"/datasets?total=true&{query}")
        assert (page["total"], [entry[0] for entry in entries(page)]) == (1, ["many-054321"])


def test_one_more_is_not_counted_but_listed(many, folder):
    assert curl("-X", "PUT", "-H", "Content-Type: text/csv", "-d", "a\n1\n", f"{many.url}/datasets/zz").status == 201
    try:
        for query in ("total=true", "sort=rows"):
            problem = curl(f"{many.url}/datasets?{query}").problem(413)
            assert problem["limit"]["maximum"] == COUNT
        listed = curl(f"{many.url}/datasets?after=many-099980&limit=1000").json()["datasets"]
        assert [entry["name"] for entry in listed[-3:]] == ["many-099996", "many-0", "zz"]
        seen = visit("many_page.mjs", many, "beyond")
        assert seen["rows"] == 100
        assert seen["count"] == "more than 100,000 datasets"
        assert "quiver.limits.sorted-datasets" in seen["alert"]
    finally:
        assert curl("-X", "DELETE", f"{many.url}/datasets/zz").status == 204


def test_page_of_the_list(many):
    seen = visit("many_page.mjs", many, "list", "Y-054321", ordered(many, "-name")[0][0])
    assert seen["count"] == "100,000 datasets"
    assert seen["requests"] <= 20
    assert seen["bytes"] <= 100_000
    assert seen["orders"] == {sort: [entry[0] for entry in ordered(many, sort)[:3]] for sort in ORDERS}
    assert seen["found"] == ["many-054321"]
    assert seen["scrolled"] == [entry[0] for entry in expected(many)[: len(seen["scrolled"])]]
    assert len(seen["scrolled"]) == 500
    assert seen["fetched"] == 4
    assert seen["elements"] - seen["first elements"] <= 400 * 10
    assert seen["title"].startswith(ordered(many, "-name")[0][0])


def test_statements_name_datasets(many):
    response = curl("-d", 'SELECT count(*) AS n FROM "many-054321"', f"{many.url}/sql.csv")
    assert response.body.decode().split() == ["n", str(many.seeds[1][0])]
    response = curl("-d", 'SELECT * FROM "mnay-054321"', f"{many.url}/sql")
    assert response.status == 400
    # It is among the first 5,000 that the service has seen.
    assert re.search(r"; the nearest is many-\d{6}$", response.json()["detail"])
    seen = visit("many_page.mjs", many, "sql")
    assert 0 < seen["offered"] <= 60
    assert seen["typed"] == 'SELECT max(of_many_0) FROM "many-0"'
    assert seen["value"] == str(OTHERS["many-0"] - 1)

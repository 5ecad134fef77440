"""axe finds nothing in any view, in both schemes, on a wide screen and on a phone."""

import datetime
import json

import pyarrow as pa
import pytest

from conftest import need
from service import Service, curl
from visitor import visit

TOKEN = ["-H", "Authorization: Bearer s3cret"]
LONG = "SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b"
VIEWS = [
    *("list", "preview", "some previews", "uploading", "taken"),
    *("rows", "no rows", "filter", "filter form", "suggestions", "mistake", "downloads"),
    *("cell", "record", "column", "chooser", "copying", "keys"),
    *("profile", "schema", "versions", "comparison", "anatomy", "use it", "selected rows"),
    *("line", "bars", "grouped", "area", "points", "histogram", "map"),
    *("sql", "tables", "link to a statement", "several results", "column of a result"),
    *("result", "no result", "chart of a result", "parameters", "failed statement", "running statement"),
    *("inspect", "inspected file", "problem", "documents", "document", "api", "link"),
]


@pytest.fixture(scope="module")
def service(folder):
    need("axe-core")
    settings = {"quiver.storage.sync": "false", "quiver.where.timeout": "60s", "quiver.token": "s3cret", "quiver.token-required-for": "writes"}
    service = Service(folder / "accessible", **settings)
    yield service
    service.stop()


@pytest.fixture(scope="module")
def filled(service, folder):
    """The service with two versions of a dataset whose columns have a histogram, frequent values, nulls, places and lists."""
    count = 300
    table = pa.table(
        {
            "day": [datetime.date(2024, 1, 1) + datetime.timedelta(days=i) for i in range(count)],
            "kind": [None if i % 7 == 0 else "abcd"[i % 4] for i in range(count)],
            "name": [f"row {i % 40}" for i in range(count)],
            "amount": [i * 1.25 - 20 for i in range(count)],
            "latitude": [40 + i % 20 for i in range(count)],
            "longitude": [i % 30 - 10 for i in range(count)],
            "list": [list(range(i % 4)) for i in range(count)],
        }
    )
    path = folder / "values.arrows"
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    for method in ("PUT", "POST"):
        assert curl("-X", method, "-T", path, *TOKEN, f"{service.url}/datasets/values").status in (200, 201)
    return service


def axe(service, view, *parameters):
    return visit("accessibility_page.mjs", service, "axe", view, *parameters)


def test_empty_list_is_accessible(service):
    assert axe(service, "empty") == []


@pytest.mark.parametrize("view", VIEWS)
def test_view_is_accessible(filled, view):
    assert axe(filled, view) == []


def begun(service, name, sql):
    asynchronous = ["-H", "Prefer: respond-async", "-H", "Content-Type: application/sql"]
    return curl("-X", "PUT", *TOKEN, *asynchronous, "-d", sql, f"{service.url}/datasets/{name}").headers["location"].removeprefix(service.url)


def test_job_is_accessible(filled):
    job = begun(filled, "sums", LONG)
    try:
        assert axe(filled, "job", job) == []
    finally:
        assert curl("-X", "DELETE", *TOKEN, filled.url + job).status in (200, 202, 204)


def test_link_is_accessible(filled):
    made = curl("-X", "POST", *TOKEN, f"{filled.url}/datasets/values/links?expires=1h")
    assert axe(filled, "expiring link", json.loads(made.body)["url"].removeprefix(filled.url)) == []


def test_every_view_is_looked_at(filled):
    others = {"empty", "job", "expiring link"}
    assert {*visit("accessibility_page.mjs", filled, "names")} == {*VIEWS} | others

"""The looks of the pages in a real browser: empty places, side panels, a phone, a Mac, and each page in both schemes."""

import pyarrow as pa
import pyarrow.compute as compute
import pytest

import tables
from conftest import upload
from service import Service, curl
from visitor import visit


@pytest.fixture(scope="module")
def looked(folder):
    service = Service(folder / "looks", **{"quiver.sample": "true", "quiver.where.timeout": "60s"})
    for name in ("movies10", "movies2", "movies", "Alps"):
        upload(service, name, tables.write_stream(pa.table({"a": [1]}), folder / f"{name}.arrows"))
    columns = {f"column {i}": pa.array(range(5_000), pa.int64()) for i in range(9)}
    upload(service, "wide", tables.write_stream(pa.table(columns), folder / "wide.arrows"))
    upload(service, "hollow", tables.write_stream(pa.table({"a": pa.array([], pa.int64())}), folder / "hollow.arrows"))
    yield service
    service.stop()


def use(service, scenario, *parameters):
    return visit("looks_page.mjs", service, scenario, *parameters)


def test_empty_list_offers_an_example(folder):
    service = Service(folder / "empty-looks", **{"quiver.sample": "false"})
    try:
        seen = use(service, "example")
        assert seen["accessible"] == seen["phone"] == []
        assert not seen["table"]
        assert seen["rows"] == {
            "count": "53 rows",
            "first": [["1896", "Men", "Thomas Burke", "United States", "12", "Athens"]],
        }
        assert not seen["offered"]
        table = pa.ipc.open_stream(curl(f"{service.url}/datasets/sprints.arrows").body).read_all()
        assert table["event"].combine_chunks().value_counts().to_pylist() == [
            {"values": "Men", "counts": 30},
            {"values": "Women", "counts": 23},
        ]
        # The gold medal of the women of 2000 was withdrawn.
        assert table.filter(compute.is_null(table["winner"])).select(["year", "seconds"]).to_pylist() == [{"year": 2000, "seconds": None}]
        assert compute.min(table["seconds"]).as_py() == 9.63
    finally:
        service.stop()


def test_example_is_inspected(looked):
    seen = use(looked, "inspected")
    assert seen["accessible"] == []
    assert seen["told"].startswith("5 messages with 53 rows, 0 errors, 1 warning")
    assert not seen["offered"]
    assert "sprints" not in looked.names()


def test_list_has_the_order_of_people(looked):
    seen = use(looked, "list")
    assert seen["names"] == ["Alps", "hollow", "movies", "movies2", "movies10", "sample", "wide"]
    assert seen["told"] == "No dataset has this name"
    assert seen["accessible"] == []
    assert seen["again"] == 7


def test_empty_rows_say_what_to_do(looked):
    seen = use(looked, "nothing", "hollow", "wide")
    assert seen["top"] < 450
    assert seen["accessible"] == []


def test_no_panel_makes_the_page_scroll(looked):
    assert use(looked, "panels", "wide", 1130, 1280, 1440, 390) == []


def test_phone_shows_rows_first(looked):
    seen = use(looked, "phone", "wide")
    assert seen["top"] < 300
    assert seen["before"] == [False, False]
    assert seen["after"] == [True, True]
    assert seen["accessible"] == []
    assert not seen["scrolls"]


def test_keys_have_the_names_of_the_keyboard(looked):
    assert use(looked, "mac", "wide") == [[True, False], [False, True]]


def test_api_page_has_both_schemes_and_answers(looked):
    shown = use(looked, "api")
    assert shown.pop("hash").startswith("#/")
    assert shown == {"wider": [0, 0], "dark": [False, True], "status": "200"}

"""Rows as workbooks of Excel, read by openpyxl, pandas and polars."""

import datetime
import decimal
import io
import urllib.request

import openpyxl
import pandas
import polars
import pyarrow as pa
import pytest

from service import curl

DAY = datetime.date(2024, 2, 29)
NOON = datetime.datetime(2024, 2, 29, 12, 0, 0, 123_000)


def column(values, type_):
    return pa.array(values, type_)


TABLE = pa.table(
    {
        "id": column([1, None, -999_999_999_999_999], pa.int64()),
        "large": column([1 << 60, 1, None], pa.int64()),
        "price": column([decimal.Decimal("1.50"), decimal.Decimal("-99.99"), None], pa.decimal128(10, 2)),
        "share": column([0.1, None, 1e300], pa.float64()),
        "flag": column([True, False, None], pa.bool_()),
        "text": column(["=1+1", " é日本😀 ", "<&>\n\"'"], pa.string()),
        "day": column([DAY, None, datetime.date(1900, 3, 1)], pa.date32()),
        "early": column([datetime.date(1899, 12, 31)] * 3, pa.date32()),
        "moment": column([NOON, None, NOON], pa.timestamp("ms")),
        "time": column([datetime.time(23, 59, 59), None, datetime.time(0, 0)], pa.time32("s")),
        "duration": column([datetime.timedelta(days=2, seconds=1), None, None], pa.duration("s")),
        "kind": column(["a", "b", "a"], pa.string()).dictionary_encode(),
        "list": column([[1, None], [], None], pa.list_(pa.int8())),
        "bytes": column([b"\xff\x00", None, b""], pa.binary()),
    }
)


@pytest.fixture(scope="module")
def service(services):
    return services("default memory")


@pytest.fixture(scope="module")
def workbook(service):
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, TABLE.schema) as writer:
        writer.write_table(TABLE)
    request = urllib.request.Request(f"{service.url}/datasets/excel", sink.getvalue(), method="PUT")
    with urllib.request.urlopen(request):
        pass
    response = curl(f"{service.url}/datasets/excel.xlsx")
    assert response.status == 200, response
    return response.body


def test_openpyxl_reads_each_value_in_its_type(workbook):
    sheet = openpyxl.load_workbook(io.BytesIO(workbook)).active
    assert (sheet.title, sheet.freeze_panes, sheet.auto_filter.ref) == ("excel", "A2", "A1:N4")
    assert [cell.value for cell in sheet[1]] == TABLE.column_names
    assert all(cell.font.bold for cell in sheet[1])
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
    midnight = datetime.datetime.combine(DAY, datetime.time())
    assert rows == [
        [1, str(1 << 60), 1.5, 0.1, True, "=1+1", midnight, "1899-12-31", NOON, datetime.time(23, 59, 59),
         datetime.timedelta(days=2, seconds=1), "a", "[1,null]", "/wA="],
        [None, 1, -99.99, None, False, " é日本😀 ", None, "1899-12-31", None, None, None, "b", "[]", None],
        [-999_999_999_999_999, None, None, 1e300, None, "<&>\n\"'", datetime.datetime(1900, 3, 1), "1899-12-31", NOON,
         datetime.time(0, 0), None, "a", None, ""],
    ]  # fmt: skip
    assert all(cell.data_type != "f" for row in sheet for cell in row)
    assert sheet["C2"].number_format == "0.00"


def test_openpyxl_streams_the_rows(workbook):
    sheet = openpyxl.load_workbook(io.BytesIO(workbook), read_only=True).active
    assert sum(1 for _ in sheet.iter_rows()) == 4


def test_pandas_has_the_types(workbook):
    frame = pandas.read_excel(io.BytesIO(workbook))
    assert list(frame.columns) == TABLE.column_names
    kinds = {name: frame[name].dtype.kind for name in ("id", "price", "share", "day", "moment")}
    assert kinds == {"id": "f", "price": "f", "share": "f", "day": "M", "moment": "M"}
    assert frame["moment"][0] == pandas.Timestamp(NOON)


def test_polars_has_the_values(workbook):
    frame = polars.read_excel(io.BytesIO(workbook))
    assert frame.columns == TABLE.column_names
    assert frame["id"].to_list() == [1, None, -999_999_999_999_999]
    assert frame["price"].to_list() == [1.5, -99.99, None]
    assert frame["text"].to_list() == ["=1+1", " é日本😀 ", "<&>\n\"'"]
    assert frame["day"].to_list() == [DAY, None, datetime.date(1900, 3, 1)]
    assert frame["moment"].to_list() == [NOON, None, NOON]
    assert frame["duration"].to_list() == [datetime.timedelta(days=2, seconds=1), None, None]


def test_polars_reads_escaped_characters(service):
    statement = urllib.request.Request(f"{service.url}/sql.xlsx", b"SELECT 'a' || chr(8) || '_x0041_' || chr(13) AS text")
    with urllib.request.urlopen(statement) as response:
        frame = polars.read_excel(io.BytesIO(response.read()))
    assert frame["text"].to_list() == ["a\b_x0041_\r"]


def test_warnings_name_what_is_text(service, workbook):
    with urllib.request.urlopen(f"{service.url}/datasets/excel.xlsx") as response:
        assert response.headers["Quiver-Warnings"] == (
            '"Integers and decimals of more than 15 digits are text: 1, the first in cell B2", '
            '"Dates before 1900-03-01 or after 9999-12-31, times outside of a day, and durations below 0 or above '
            '2958465 days are text: 3, the first in cell H2"'
        )

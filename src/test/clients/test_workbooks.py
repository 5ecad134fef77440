"""Workbooks of Excel as uploads, written by openpyxl, pandas, polars and xlsxwriter."""

import datetime
import io
import zipfile

import openpyxl
import pandas
import polars
import pyarrow as pa
import pytest
import xlsxwriter
from openpyxl.worksheet.formula import ArrayFormula

from service import curl

MIDNIGHT = datetime.datetime(2024, 2, 29)
NOON = datetime.datetime(2024, 2, 29, 12, 30, 15, 250_000)
COLUMNS = {
    "id": [1, 2, 3],
    "zip": ["01067", "80331", None],
    "price": [1.5, None, -2.25e-7],
    "flag": [True, False, None],
    "day": [MIDNIGHT.date(), datetime.date(1900, 3, 1), None],
    "moment": [NOON, MIDNIGHT, None],
    "note": ["a\tb\nc\\d", " é日本😀 ", "_x0041_ <&>"],
}
TYPES = ["int64", "string", "double", "bool", "date32[day]", "timestamp[us]", "string"]


def by_openpyxl():
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.append(list(COLUMNS))
    for row in zip(*COLUMNS.values(), strict=True):
        sheet.append(row)
    return saved(workbook)


def by_pandas():
    sink = io.BytesIO()
    frame = pandas.DataFrame({name: pandas.Series(values, dtype=object) for name, values in COLUMNS.items()})
    frame.to_excel(sink, index=False, engine="openpyxl")
    return sink.getvalue()


def by_polars():
    sink = io.BytesIO()
    polars.DataFrame(COLUMNS).write_excel(sink, dtype_formats={polars.Datetime: "yyyy-mm-dd hh:mm:ss.000"})
    return sink.getvalue()


def saved(workbook):
    sink = io.BytesIO()
    workbook.save(sink)
    return sink.getvalue()


def put(service, name, body, path, **options):
    file = path / "body"
    file.write_bytes(body)
    query = "&".join(f"excel.{key}={value}" for key, value in options.items())
    return curl("-T", file, f"{service.url}/datasets/{name}?{query}")


def table(service, name):
    found = pa.ipc.open_stream(curl(f"{service.url}/datasets/{name}.arrows").body).read_all()
    found.validate(full=True)
    return found


@pytest.mark.parametrize("write", [by_openpyxl, by_pandas, by_polars])
def test_values_are_those_of_the_cells(service, tmp_path, write):
    name = f"workbook-{write.__name__}"
    response = put(service, f"{name}.xlsx", write(), tmp_path)
    assert response.status == 201, response.body
    assert "warnings" not in response.json()
    found = table(service, name)
    assert [str(field.type) for field in found.schema] == TYPES
    if write is by_pandas:
        # Texts that look like escapes are read as Excel reads them.
        assert found.column("note").to_pylist()[:2] == COLUMNS["note"][:2]
        found = found.drop(["note"])
    expected = {key: COLUMNS[key] for key in found.schema.names}
    if "note" in expected:
        expected["note"] = [*COLUMNS["note"][:2], found.column("note")[2].as_py()]
    assert found.to_pydict() == expected


def test_sheets_titles_and_codings(service, tmp_path):
    workbook = openpyxl.Workbook()
    workbook.active.title = "Notes"
    prices = workbook.create_sheet("Prices")
    prices["B2"] = "Prices of 2024"
    for row, values in enumerate([("item", None, "price"), ("a", None, 1.5), ("b", None, 2)], start=4):
        for column, value in enumerate(values, start=2):
            prices.cell(row, column, value)
    workbook.create_sheet("Last").append(["only"])
    workbook["Last"].append([7])
    body = saved(workbook)
    response = put(service, "workbook-sheets.xlsx", body, tmp_path)
    assert response.status == 201, response.body
    document = response.json()
    assert document["found"]["sheet"] == "Prices"
    assert document["found"]["sheets"] == ["Notes", "Prices", "Last"]
    assert table(service, "workbook-sheets").to_pydict() == {"item": ["a", "b"], "price": [1.5, 2.0]}
    option = document["options"][0]
    assert (option["option"], option["value"]) == ("excel.sheet", "Notes")
    assert put(service, "workbook-sheets.xlsx", body, tmp_path, sheet="Last").status == 200
    assert table(service, "workbook-sheets").to_pydict() == {"only": [7]}
    missing = put(service, "workbook-sheets.xlsx", body, tmp_path, sheet="None")
    assert missing.status == 400
    assert '"Notes", "Prices", "Last"' in missing.json()["detail"]
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("2024/book.xlsx", body)
    assert put(service, "workbook-archive.zip", archive.getvalue(), tmp_path, sheet=3).status == 201
    assert table(service, "workbook-archive").to_pydict() == {"only": [7]}
    # The first bytes tell as well.
    assert put(service, "workbook-bytes", body, tmp_path).status == 201
    assert put(service, "workbook-csv.csv", body, tmp_path).json()["hint"] == "Send a workbook with the suffix .xlsx."


def test_errors_name_cells_and_appends_have_the_types_of_the_dataset(service, tmp_path):
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    for row in [("n", "t"), (1, "x"), ("many", "y"), (3, 4)]:
        sheet.append(row)
    body = saved(workbook)
    response = put(service, "workbook-errors.xlsx", body, tmp_path, types="n:int32")
    assert response.status == 422
    problem = response.json()
    assert problem["detail"] == 'Expected int32 but found "many" in cell A3, column n'
    assert (problem["line"], problem["column"], problem["value"]) == (3, "n", "many")
    assert "excel.null" not in problem["hint"]
    assert "excel.types=n:utf8" in problem["hint"]
    skipped = put(service, "workbook-errors.xlsx", body, tmp_path, types="n:int32", rows="skip").json()
    assert skipped["skipped"]["rows"][0]["line"] == 3
    (tmp_path / "more").write_bytes(body)
    appended = curl("-X", "POST", "-T", tmp_path / "more", f"{service.url}/datasets/workbook-errors.xlsx?excel.null=many")
    assert appended.status == 200, appended.body
    found = table(service, "workbook-errors").to_pydict()
    assert found == {"n": [1, 3, 1, None, 3], "t": ["x", "4", "x", "y", "4"]}
    converted = curl(
        "-X", "POST", "-T", tmp_path / "more", "-H", "Accept: text/csv", f"{service.url}/convert?excel.skip=3&excel.header=false"
    )
    assert converted.body == b"column0,column1\r\n3,4\r\n"


def by_openpyxl_with_formulas():
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.append(["n", "sum"])
    sheet.append([1, "=ATAN2(A2,B2)"])
    sheet["B3"] = ArrayFormula("B3:B4", "=SUM(A2:A3*{1;2})")
    sheet["A3"] = 2
    return saved(workbook)


def by_xlsxwriter_with_formulas():
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink) as workbook:
        sheet = workbook.add_worksheet()
        sheet.write_row(0, 0, ["n", "sum", "word", "flag"])
        for row in (1, 2):
            sheet.write_number(row, 0, row)
            sheet.write_formula(row, 2, '=IF(A2>0,"a","b")', None, "#N/A as text" if row == 1 else "#N/A")
            sheet.write_formula(row, 3, "=A2>1", None, row > 1)
        sheet.write_array_formula(1, 1, 1, 1, "{=SUM(A2:A3*{1;2})}", None, 5)
        sheet.write_dynamic_array_formula(2, 1, 2, 1, "=LEN(A1:A3)", None, 1.5)
        chart = workbook.add_chart({"type": "line"})
        chart.add_series({"values": "=Sheet1!$A$2:$A$3"})
        workbook.add_chartsheet("Chart").set_chart(chart)
    return sink.getvalue()


def test_formulas_have_the_values_that_were_saved(service, tmp_path):
    response = put(service, "workbook-formulas.xlsx", by_openpyxl_with_formulas(), tmp_path)
    assert response.status == 201, response.body
    assert "lacks the value" in response.body.decode()
    assert table(service, "workbook-formulas").column("n").to_pylist() == [1, 2]
    response = put(service, "workbook-formulas.xlsx", by_xlsxwriter_with_formulas(), tmp_path)
    assert response.status == 200, response.body
    assert response.json()["warnings"] == ["Cell C3 is null, for it has the error #N/A"]
    expected = {"n": [1, 2], "sum": [5.0, 1.5], "word": ["#N/A as text", None], "flag": [False, True]}
    assert table(service, "workbook-formulas").to_pydict() == expected


TRANSITIONAL = {
    b"http://schemas.openxmlformats.org/spreadsheetml/2006/main": b"http://purl.oclc.org/ooxml/spreadsheetml/main",
    b"http://schemas.openxmlformats.org/officeDocument/2006/relationships": b"http://purl.oclc.org/ooxml/officeDocument/relationships",
}


def strict(body):
    """Returns a workbook with the namespaces of Strict Open XML."""
    sink = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(body)) as source, zipfile.ZipFile(sink, "w") as target:
        # The first part is not the one by which archives are usually known.
        for name in sorted(source.namelist(), reverse=True):
            content = source.read(name)
            for old, new in TRANSITIONAL.items():
                content = content.replace(old, new)
            target.writestr(name, content)
    return sink.getvalue()


@pytest.mark.parametrize("suffix", ["xlsx", "xlsm"])
def test_strict_workbooks_and_dates_of_iso_are_read(service, tmp_path, suffix):
    workbook = openpyxl.Workbook(iso_dates=True)
    workbook.iso_dates = True
    sheet = workbook.active
    rows = [("day", "moment", "time"), (MIDNIGHT.date(), NOON, datetime.time(6, 30)), (datetime.date(1900, 1, 1), MIDNIGHT, None)]
    for row in rows:
        sheet.append(row)
    body = saved(workbook)
    with zipfile.ZipFile(io.BytesIO(body)) as file:
        assert b't="d"' in file.read("xl/worksheets/sheet1.xml")
    name = f"workbook-strict-{suffix}"
    response = put(service, f"{name}.{suffix}", strict(body), tmp_path)
    assert response.status == 201, response.body
    assert "warnings" not in response.json()
    found = table(service, name)
    assert [str(field.type) for field in found.schema] == ["date32[day]", "timestamp[us]", "time64[us]"]
    expected = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    assert found.to_pylist() == expected


def test_appends_may_lack_a_column(service, tmp_path):
    for number, rows in enumerate([[("n", "t"), (1, "x")], [("n",), (2,)]]):
        workbook = openpyxl.Workbook()
        for row in rows:
            workbook.active.append(row)
        (tmp_path / "body").write_bytes(saved(workbook))
        response = curl("-X", "POST", "-T", tmp_path / "body", f"{service.url}/datasets/workbook-lacking.xlsx")
        assert response.status == (200 if number else 201), response.body
    assert table(service, "workbook-lacking").to_pydict() == {"n": [1, 2], "t": ["x", None]}


def test_moments_with_a_zone_come_back(service, tmp_path):
    zoned = pa.table({"at": pa.array([NOON, None], pa.timestamp("us", "UTC"))})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, zoned.schema) as writer:
        writer.write_table(zoned)
    assert put(service, "workbook-zoned.arrows", sink.getvalue().to_pybytes(), tmp_path).status == 201
    body = curl(f"{service.url}/datasets/workbook-zoned.xlsx").body
    assert put(service, "workbook-zoned-again.xlsx", body, tmp_path).status == 201
    assert table(service, "workbook-zoned-again").to_pydict() == {"at": zoned["at"].to_pylist()[:1]}

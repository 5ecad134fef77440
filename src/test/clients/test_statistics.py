"""Statistics of stored batches, against pyarrow's minimum and maximum of each batch."""

import pyarrow as pa
import pyarrow.compute as pc

import tables
from catalogue import KINDS, ROWS, SHAPES
from conftest import upload
from service import curl

WITHOUT_BOUNDS = ("list", "map", "union", "struct", "interval", "null")
"""Types whose statistics have a null count at most, by a part of their names."""


def dense(column):
    """The values of a column without dictionary or runs, in a type that pyarrow compares."""
    if pa.types.is_dictionary(column.type):
        values = dense(column.dictionary)
        return pa.DictionaryArray.from_arrays(column.indices, values).dictionary_decode()
    if pa.types.is_run_end_encoded(column.type):
        return dense(pc.run_end_decode(column))
    if str(column.type).endswith("_view"):
        return column.cast(pa.large_string() if "string" in str(column.type) else pa.large_binary())
    return column


def rendered(service, bounds, path):
    """The JSON forms of the members of a struct."""
    columns = [pa.repeat(bounds[name], 1) for name in ("min", "max")]
    batch = pa.record_batch(columns, names=["min", "max"])
    path.write_bytes(tables.stream_bytes([batch], batch.schema))
    body = curl("--data-binary", f"@{path}", "-H", "Accept: application/json", f"{service.url}/convert")
    assert body.status == 200, body
    return body.json()[0]


def test_bounds_are_those_of_pyarrow(service, folder):
    compared = 0
    for number, kind in enumerate(KINDS.values()):
        batches = kind.batches(ROWS)
        path = folder / "statistics.arrows"
        path.write_bytes(tables.stream_bytes(batches, kind.schema()))
        name = f"statistics-{number}"
        upload(service, name, path)
        index = curl(f"{service.url}/datasets/{name}/batches?statistics=true").json()
        for batch, described in zip(batches, index["batches"], strict=True):
            columns = {each["column"]: each for each in described["statistics"]}
            for shape in SHAPES:
                values = dense(batch.column(shape))
                found = columns.get(shape)
                if found is None or "nulls" not in found:
                    assert any(part in str(batch.column(shape).type) for part in WITHOUT_BOUNDS), kind.name
                    continue
                assert found["nulls"] == values.null_count, (kind.name, shape)
                try:
                    bounds = pc.min_max(values)
                except pa.ArrowNotImplementedError:
                    continue
                if not bounds["min"].is_valid:
                    assert "min" not in found and "max" not in found, (kind.name, shape)
                    continue
                if found.get("exact", True):
                    expected = rendered(service, bounds, folder / "bounds")
                    assert {"min": found["min"], "max": found["max"]} == expected, (kind.name, shape)
                    compared += 1
    assert compared > 100

"""Statistics of stored batches and of whole columns, against those of pyarrow."""

import bisect
import collections
import decimal
import fractions
import json
import math

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import tables
from catalogue import KINDS, ROWS, SHAPES
from conftest import need, upload
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


TOP = 10
BINS = 20


def logical_nulls(column):
    """The number of slots of a column that are null or refer to a null, whatever their type."""
    if pa.types.is_union(column.type):
        return sum(value.as_py() is None for value in column)
    return sum(dense(chunk).null_count for chunk in column.chunks)


def counted(values):
    """The distinct values of an array and their counts, the most frequent first and then in their order."""
    type_ = values.type
    if pa.types.is_floating(type_):
        # Zeros of both signs are one value.
        values = pa.array(np.array(as_numbers(values), dtype=float) + 0.0, pa.float64())
    if pa.types.is_decimal(type_):
        # pyarrow compares those of 128 and 256 bits only.
        values = values.cast(pa.decimal256(76, type_.scale))
    if "interval" in str(type_):
        counts = collections.Counter(values.to_pylist()).most_common()
        return pa.table({"value": pa.array([v for v, _ in counts], type_), "count": [c for _, c in counts]})
    counts = pc.value_counts(values)
    table = pa.table({"value": counts.field("values"), "count": counts.field("counts")})
    table = table.take(pc.sort_indices(table, sort_keys=[("count", "descending"), ("value", "ascending")]))
    return table.set_column(0, "value", table["value"].cast(type_))


def is_number(type_):
    """Whether a type has numbers or times, which have a histogram."""
    return pa.types.is_decimal(type_) or pa.types.is_primitive(type_) and not pa.types.is_boolean(type_)


def as_numbers(values):
    """The numbers of an array as Python compares them: whole ones except for floating-point numbers."""
    type_ = values.type
    if pa.types.is_floating(type_):
        return [float(value) for value in values.cast(pa.float64()).to_pylist()]
    if pa.types.is_decimal(type_):
        with decimal.localcontext(prec=100):
            return [int(value.scaleb(type_.scale)) for value in values.to_pylist()]
    if pa.types.is_integer(type_):
        return values.to_pylist()
    return values.view(pa.int32() if type_.bit_width == 32 else pa.int64()).to_pylist()


def as_values(numbers, type_):
    """The array of which `as_numbers` are these."""
    if pa.types.is_decimal(type_):
        with decimal.localcontext(prec=100):
            return pa.array([decimal.Decimal(number).scaleb(-type_.scale) for number in numbers], type_)
    if pa.types.is_floating(type_) or pa.types.is_integer(type_):
        return pa.array(numbers, pa.float64() if pa.types.is_floating(type_) else type_).cast(type_)
    return pa.array(numbers, pa.int32() if type_.bit_width == 32 else pa.int64()).view(type_)


def boundaries(least, greatest, type_):
    """The boundaries of the bins by the rule of the document."""
    if pa.types.is_floating(type_):
        parts = [least * (1 - i / BINS) + greatest * (i / BINS) for i in range(1, BINS)]
        inner = as_numbers(as_values(parts, type_))
        return [least, *sorted({number for number in inner if least < number < greatest}), greatest]
    span = greatest - least + 1
    count = min(span, BINS)
    return [*(least + span * i // count for i in range(count)), greatest]


def histogram(values):
    """The boundaries and the counts of the bins of an array without nulls."""
    numbers = [number for number in as_numbers(values) if math.isfinite(number)]
    if not numbers:
        return [], []
    bounds = boundaries(min(numbers), max(numbers), values.type)
    counts = [0] * (len(bounds) - 1)
    for number in numbers:
        counts[bisect.bisect_right(bounds, number, hi=len(bounds) - 1) - 1] += 1
    return bounds, counts


def as_json(service, values, path):
    """The JSON forms of an array, with strings for numbers that JSON lacks."""
    if not len(values):
        return []
    batch = pa.record_batch([values], names=["value"])
    path.write_bytes(tables.stream_bytes([batch], batch.schema))
    body = curl("--data-binary", f"@{path}", "-H", "Accept: application/json", f"{service.url}/convert")
    assert body.status == 200, body
    texts = [json.dumps(row["value"]) for row in body.json()]
    if pa.types.is_floating(values.type):
        names = {math.inf: '"Infinity"', -math.inf: '"-Infinity"'}
        numbers = as_numbers(values)
        texts = ['"NaN"' if number != number else names.get(number, text) for number, text in zip(numbers, texts)]
    return [json.loads(text) for text in texts]


def is_close(number, exact, relative=1e-15):
    """Whether a number in JSON is an exact one but for the last digit of a double."""
    return abs(fractions.Fraction(number) - exact) <= fractions.Fraction(relative) * abs(exact)


def check_numbers(service, found, values, folder):
    """Compares mean, deviation and quartiles of an array without nulls with those of exact fractions."""
    type_ = values.type
    numbers = sorted(number for number in as_numbers(values) if math.isfinite(number))
    names = ("mean", "deviation", "median", "quartiles")
    if not numbers:
        assert not any(name in found for name in names)
        return
    quartiles = [found["quartiles"][0], found["median"], found["quartiles"][1]]
    ranks = [divmod((len(numbers) - 1) * quartile, 4) for quartile in (1, 2, 3)]
    if not (pa.types.is_floating(type_) or pa.types.is_decimal(type_) or pa.types.is_integer(type_)):
        assert "mean" not in found and "deviation" not in found
        lower = as_values([numbers[rank] for rank, _ in ranks], type_)
        assert quartiles == as_json(service, lower, folder / "quartiles")
        return
    unit = fractions.Fraction(10) ** (-type_.scale if pa.types.is_decimal(type_) else 0)
    exact = [fractions.Fraction(number) * unit for number in numbers]
    mean = sum(exact) / len(exact)
    assert is_close(found["mean"], mean)
    if len(exact) > 1:
        variance = sum((number - mean) ** 2 for number in exact) / (len(exact) - 1)
        assert is_close(fractions.Fraction(found["deviation"]) ** 2, variance)
    else:
        assert "deviation" not in found
    digits = {pa.float16(): 1e-3, pa.float32(): 1e-7}.get(type_, 1e-15)
    for quartile, (rank, quarters) in zip(quartiles, ranks, strict=True):
        upper = exact[min(rank + 1, len(exact) - 1)]
        assert is_close(quartile, exact[rank] + (upper - exact[rank]) * quarters / 4, digits)


def check_column(service, found, column, folder):
    """Compares the statistics of a column with those that pyarrow and Python calculate."""
    assert found["nulls"] == logical_nulls(column)
    chunks = [dense(chunk) for chunk in column.chunks]
    if pa.types.is_nested(chunks[0].type) or pa.types.is_null(chunks[0].type):
        assert found.keys() == {"column", "type", "nulls"}, found
        return
    values = pa.chunked_array(chunks).combine_chunks().drop_null()
    if pa.types.is_floating(values.type):
        numbers = np.array(as_numbers(values))
        assert found["nan"] == np.isnan(numbers).sum()
        assert found["infinite"] == np.isinf(numbers).sum()
    counts = counted(values)
    assert found["distinctApproximate"] == len(counts)
    expected = as_json(service, counts["value"].combine_chunks()[:TOP], folder / "top")
    if "interval" in str(values.type):
        assert "min" not in found and "max" not in found
        assert [each["count"] for each in found["top"]] == counts["count"][:TOP].to_pylist()
        assert all(each["value"] in expected for each in found["top"])
        return
    assert [each["value"] for each in found["top"]] == expected
    assert [each["count"] for each in found["top"]] == counts["count"][:TOP].to_pylist()
    if is_number(values.type):
        numbers = [number for number in as_numbers(values) if number == number]
        extremes = as_values([min(numbers), max(numbers)], values.type) if numbers else values[:0]
    else:
        bounds = pc.min_max(values)
        extremes = pa.array([bounds["min"].as_py(), bounds["max"].as_py()], values.type).drop_null()
    found_extremes = [found[name] for name in ("min", "max") if name in found]
    assert found_extremes == as_json(service, extremes, folder / "extremes")
    if is_number(values.type):
        numbers, counts = histogram(values)
        expected = as_json(service, as_values(numbers, values.type), folder / "bins")
        assert [each["from"] for each in found["histogram"]] == expected[:-1]
        assert [each["to"] for each in found["histogram"]] == expected[1:]
        assert [each["count"] for each in found["histogram"]] == counts
        assert sum(counts) + found.get("nan", 0) + found.get("infinite", 0) == len(values)
        check_numbers(service, found, values, folder)
    else:
        assert not {"histogram", "mean", "deviation", "median", "quartiles"} & found.keys()
    lengths = pc.utf8_length(values) if "string" in str(values.type) else values[:0]
    if len(lengths):
        length = {"min": pc.min(lengths).as_py(), "max": pc.max(lengths).as_py(), "mean": pc.mean(lengths).as_py()}
        assert found["length"] == length
    else:
        assert "length" not in found


def test_columns_of_every_type_have_the_statistics_of_pyarrow(service, folder):
    for number, kind in enumerate(KINDS.values()):
        batches = kind.batches(ROWS)
        path = folder / "profile.arrows"
        path.write_bytes(tables.stream_bytes(batches, kind.schema()))
        name = f"profile-{number}"
        upload(service, name, path)
        found = curl(f"{service.url}/datasets/{name}/statistics").json()
        table = pa.Table.from_batches(batches)
        assert found["rows"] == len(table)
        columns = [each for each in found["columns"] if each["column"] in SHAPES]
        assert [each["column"] for each in columns] == list(SHAPES)
        for each in columns:
            try:
                check_column(service, each, table[each["column"]], folder)
            except AssertionError as error:
                raise AssertionError(f"{kind.name}, {each['column']}: {each}") from error


def test_columns_of_many_rows_have_the_statistics_of_pyarrow(service, folder):
    """More distinct values than are counted one by one, and several threads."""
    random = np.random.default_rng(1)
    rows = 300_000
    doubles = random.normal(size=rows)
    doubles[::1000] = np.nan
    doubles[1::1000] = np.inf
    table = pa.table(
        {
            "few": random.integers(0, 50, rows),
            "doubles": pa.array(doubles, mask=random.random(rows) < 0.1),
            "integers": random.integers(-(2**63), 2**63 - 1, rows),
            "decimals": pa.array(random.integers(0, 2**62, rows)).cast(pa.decimal256(60, 0)),
            "words": pa.array([f"word {number}" for number in random.integers(0, 1000, rows)]),
            "keys": pa.array([f"key {number}" for number in random.integers(0, 200_000, rows)]),
            "encoded": pa.array([f"word {number}" for number in random.integers(0, 5000, rows)]).dictionary_encode(),
        }
    )
    path = tables.write_stream(table, folder / "profile-large.arrows", "zstd")
    upload(service, "profile-large", path, "zstd", query="")
    found = {each["column"]: each for each in curl(f"{service.url}/datasets/profile-large/statistics").json()["columns"]}
    for name in ("few", "words", "encoded"):
        check_column(service, found[name], table[name], folder)
    for name in ("doubles", "integers", "decimals", "keys"):
        values = table[name].combine_chunks().drop_null()
        exact = len(pc.unique(values))
        assert abs(found[name]["distinctApproximate"] - exact) < 0.03 * exact, name
        assert "top" not in found[name]
        assert found[name]["nulls"] == table[name].null_count
        if name != "keys":
            numbers, counts = histogram(values)
            expected = as_json(service, as_values(numbers, values.type), folder / "bins")
            assert [each["from"] for each in found[name]["histogram"]] == expected[:-1]
            assert [each["count"] for each in found[name]["histogram"]] == counts
            check_numbers(service, found[name], values, folder)
    lengths = pc.utf8_length(table["keys"])
    assert found["keys"]["length"]["max"] == pc.max(lengths).as_py()
    assert found["keys"]["length"]["mean"] == pc.mean(lengths).as_py()
    bounds = pc.min_max(table["keys"])
    assert (found["keys"]["min"], found["keys"]["max"]) == (bounds["min"].as_py(), bounds["max"].as_py())


def test_statistics_of_matching_rows_are_those_of_pyarrow(service, folder):
    random = np.random.default_rng(2)
    rows = 200_000
    numbers = random.integers(-1000, 1000, rows)
    table = pa.table(
        {
            "number": numbers,
            "double": pa.array(random.normal(size=rows), mask=random.random(rows) < 0.1),
            "word": pa.array([f"word {number}" for number in random.integers(0, 60, rows)]).dictionary_encode(),
            "day": pa.array(random.integers(0, 20_000, rows, dtype=np.int32)).cast(pa.date32()),
        }
    )
    path = tables.write_stream(table, folder / "profile-some.arrows", "zstd")
    upload(service, "profile-some", path, "zstd", query="")
    for condition, kept in (
        ("number > 900 and number % 2 = 0", (numbers > 900) & (numbers % 2 == 0)),
        ("number = 7", numbers == 7),
        ("number < -1000", numbers < -1000),
    ):
        found = curl("-G", f"{service.url}/datasets/profile-some/statistics", "--data-urlencode", f"where={condition}").json()
        some = table.filter(pa.array(kept))
        assert found["rows"] == len(some)
        for each in found["columns"]:
            check_column(service, each, pa.chunked_array([some[each["column"]].combine_chunks()]), folder)


def test_more_than_a_million_rows_have_the_numbers_of_numpy_and_duckdb(service, folder):
    """Skewed values in several passes, with the quartiles of two other programs."""
    need("duckdb")
    import duckdb

    random = np.random.default_rng(3)
    rows = 1_200_000
    skewed = random.lognormal(10, 3, rows)
    skewed[0], skewed[1], skewed[2] = 1e300, -1e300, np.inf
    times = random.integers(1_500_000_000_000_000, 1_700_000_000_000_000, rows)
    # A date that stands for an unknown one.
    times[:5] = -62_135_596_800_000_000
    table = pa.table(
        {
            "skewed": skewed,
            "integers": random.integers(-(2**62), 2**62, rows),
            "times": pa.array(times).cast(pa.timestamp("us", "UTC")),
            "halves": pa.array(random.normal(size=rows).astype(np.float16)),
            "rounded": np.round(random.normal(size=rows), 2),
        }
    )
    path = tables.write_stream(table, folder / "profile-million.arrows", "zstd")
    upload(service, "profile-million", path, "zstd", query="")
    found = {each["column"]: each for each in curl(f"{service.url}/datasets/profile-million/statistics").json()["columns"]}
    connection = duckdb.connect()
    # DuckDB reads no numbers of 16 bits.
    connection.register("million", table.set_column(3, "halves", table["halves"].cast(pa.float32())))
    for name in ("skewed", "integers", "halves", "rounded"):
        values = table[name].to_numpy().astype(np.float64)
        values = values[np.isfinite(values)]
        quartiles = [found[name]["quartiles"][0], found[name]["median"], found[name]["quartiles"][1]]
        assert quartiles == pytest.approx(np.quantile(values, [0.25, 0.5, 0.75]), rel=1e-12 if name != "halves" else 1e-3), name
        others = connection.sql(f"SELECT quantile_cont({name}::DOUBLE, [0.25, 0.5, 0.75]) FROM million WHERE isfinite({name}::DOUBLE)")
        assert quartiles == pytest.approx(others.fetchone()[0], rel=1e-12 if name != "halves" else 1e-3), name
        if name != "skewed":
            # The mean of the integers is near zero, which the sums of numpy are not.
            assert found[name]["mean"] == pytest.approx(np.mean(values), rel=1e-9, abs=2**62 * 1e-12 if name == "integers" else 1e-15)
            assert found[name]["deviation"] == pytest.approx(np.std(values, ddof=1), rel=1e-9)
    assert found["skewed"]["deviation"] == pytest.approx(math.sqrt(2 / (rows - 2)) * 1e300, rel=1e-12)
    lower = np.quantile(times, [0.25, 0.5, 0.75], method="lower")
    expected = as_json(service, pa.array(lower.astype(np.int64)).cast(pa.timestamp("us", "UTC")), folder / "times")
    assert [found["times"]["quartiles"][0], found["times"]["median"], found["times"]["quartiles"][1]] == expected

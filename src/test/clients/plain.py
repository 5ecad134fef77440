"""A common form for the values that clients read: Python lists, with all times in nanoseconds."""

import math

import pyarrow as pa
import pyarrow.types as types

NANOSECONDS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
DAY = 86_400 * 10**9


def plain(array):
    """The values of an Arrow array of any layout; maps are lists of their entries.

    Values of unions have pyarrow's form.
    """
    if isinstance(array, pa.ChunkedArray):
        return [value for chunk in array.chunks for value in plain(chunk)]
    if not len(array):
        return []
    type_ = array.type
    if types.is_union(type_):
        return array.to_pylist()
    if types.is_run_end_encoded(type_):
        return _runs(array)
    valid = array.is_valid().to_pylist()
    if types.is_dictionary(type_):
        values = plain(array.dictionary)
        slots = array.indices.to_pylist()
        return [values[slot] if slot is not None else None for slot in slots]
    if types.is_struct(type_):
        columns = {type_.field(i).name: plain(array.field(i)) for i in range(type_.num_fields)}
        rows = ({name: column[i] for name, column in columns.items()} for i in range(len(array)))
        return [row if v else None for row, v in zip(rows, valid)]
    if types.is_nested(type_):
        return [plain(array[i].values) if v else None for i, v in enumerate(valid)]
    if types.is_temporal(type_) and not types.is_interval(type_):
        unit = _nanoseconds(type_)
        stored = array.view(pa.int32() if type_.bit_width == 32 else pa.int64()).to_pylist()
        return [value * unit if value is not None else None for value in stored]
    return array.to_pylist()


def _nanoseconds(type_):
    if types.is_date(type_):
        return DAY if type_.bit_width == 32 else NANOSECONDS["ms"]
    return NANOSECONDS[type_.unit]


def _runs(array):
    values, found, start = plain(array.values), [], 0
    for value, end in zip(values, array.run_ends.to_pylist()):
        found += [value] * (end - start)
        start = end
    return found[array.offset : array.offset + len(array)]


def javascript(type_, value):
    """A value of `plain` as readers.mjs reports it: 64-bit integers as text, times in milliseconds."""
    if value is None:
        return None
    if types.is_dictionary(type_) or types.is_run_end_encoded(type_):
        return javascript(type_.value_type, value)
    if types.is_struct(type_):
        return {name: javascript(type_.field(name).type, item) for name, item in value.items()}
    if types.is_map(type_):
        key, item = type_.key_type, type_.item_type
        pairs = (entry.values() for entry in value)
        return [[javascript(key, k), javascript(item, v)] for k, v in pairs]
    if types.is_nested(type_) and not types.is_union(type_):
        return [javascript(type_.value_type, item) for item in value]
    if types.is_decimal(type_):
        sign, digits, exponent = value.as_tuple()
        unscaled = int("".join(map(str, digits))) * 10 ** (exponent + type_.scale)
        return str(-unscaled if sign else unscaled)
    if types.is_interval(type_):
        return [str(part) for part in value]
    if types.is_date(type_) or types.is_timestamp(type_):
        return value / NANOSECONDS["ms"]
    if types.is_time(type_) or types.is_duration(type_):
        value //= NANOSECONDS[type_.unit]
        return value if type_.bit_width == 32 else str(value)
    if types.is_integer(type_) and type_.bit_width == 64:
        return str(value)
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return {"bytes": value.hex()} if isinstance(value, bytes) else value


def same(expected, actual):
    """Compares values, with tolerance for the last bit of a timestamp computed in JavaScript."""
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(map(same, expected, actual))
    if isinstance(expected, dict) and isinstance(actual, dict):
        return list(expected) == list(actual) and all(map(same, expected.values(), actual.values()))
    if isinstance(expected, float) and isinstance(actual, (int, float)):
        return math.isclose(expected, actual, rel_tol=1e-15)
    return type(expected) is type(actual) and expected == actual

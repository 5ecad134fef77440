"""Deterministic tables, one per Arrow type and parameter, with a column for each null pattern."""

import dataclasses
import decimal
import random
from collections.abc import Callable

import pyarrow as pa

ROWS = (11, 0, 5)
"""Rows per record batch: more than a byte of validity, an empty batch, and less than a byte."""

SHAPES = ("no nulls", "some nulls", "all nulls", "required", "sliced")

Value = object
Build = Callable[[list], pa.Array]


@dataclasses.dataclass(frozen=True)
class Kind:
    """A type, sample values, and a function that builds an array from Python values; None is a null."""

    name: str
    values: tuple
    build: Build

    @property
    def type(self):
        return self.build([]).type

    def column(self, shape, rows, start):
        """The rows of one batch, which cycle through the values from `start` on."""
        values = [self.values[(start + i) % len(self.values)] for i in range(rows + 8)]
        match shape:
            case "some nulls":
                values = [None if i % 3 == 1 else value for i, value in enumerate(values)]
            case "all nulls":
                values = [None] * len(values)
            case "sliced":
                values = [None if i % 4 == 2 else value for i, value in enumerate(values)]
                return self.build(values).slice(3, rows)
        return self.build(values[:rows])

    def schema(self):
        # A field of type null is always nullable.
        kinds = [(shape, shape != "required" or self.type == pa.null()) for shape in SHAPES]
        return pa.schema([pa.field(shape, self.type, nullable) for shape, nullable in kinds])

    def batches(self, rows=ROWS):
        batches, start = [], 0
        for count in rows:
            columns = [self.column(shape, count, start) for shape in SHAPES]
            batches.append(pa.record_batch(columns, schema=self.schema()))
            start += count
        return batches


def _of(type_, *values, name=None):
    return Kind(name or str(type_), values, lambda items: pa.array(items, type_))


def _integers(type_, bits, signed=True):
    generator = random.Random(bits)
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return _of(type_, low, high, 0, 1, *(generator.randint(low, high) for _ in range(4)))


def _decimals(type_):
    generator = random.Random(type_.precision)
    largest = 10**type_.precision - 1
    unscaled = [0, 1, -1, largest, -largest, *(generator.randint(-largest, largest) for _ in range(4))]
    with decimal.localcontext(prec=80):
        values = [decimal.Decimal(value).scaleb(-type_.scale) for value in unscaled]
    return _of(type_, *values, name=str(type_).replace(", ", ","))


def _numbers():
    for bits in (8, 16, 32, 64):
        yield _integers(getattr(pa, f"int{bits}")(), bits)
        yield _integers(getattr(pa, f"uint{bits}")(), bits, signed=False)
    for type_, largest in ((pa.float16(), 65504.0), (pa.float32(), 2.0**127), (pa.float64(), 1.7e308)):
        yield _of(type_, 0.0, -1.5, largest, float("inf"), float("-inf"), 2.0**-14, name=str(type_))
    for type_ in (pa.decimal32, pa.decimal64, pa.decimal128, pa.decimal256):
        largest = {pa.decimal32: 9, pa.decimal64: 18, pa.decimal128: 38, pa.decimal256: 76}[type_]
        for precision, scale in ((largest, 0), (largest - 2, 3), (5, -2)):
            yield _decimals(type_(precision, scale))


def _times():
    yield _of(pa.date32(), 0, 19_000, -1, -719_162, 2_932_896)
    yield _of(pa.date64(), *(days * 86_400_000 for days in (0, 19_000, -1, -719_162)))
    for unit, second in (("s", 1), ("ms", 10**3), ("us", 10**6), ("ns", 10**9)):
        time = pa.time32(unit) if second < 10**6 else pa.time64(unit)
        yield _of(time, 0, 86_400 * second - 1, 3_723 * second, 1)
        moments = (0, 1_700_000_000 * second + second // 7, -1, -3_000_000_000 * second, 1)
        yield _of(pa.timestamp(unit), *moments)
        yield _of(pa.timestamp(unit, tz="UTC"), *moments)
        yield _of(pa.timestamp(unit, tz="Asia/Kathmandu"), *moments)
        yield _of(pa.duration(unit), 0, 86_400 * second, -1, 3 * 10**15)
    yield _of(pa.month_day_nano_interval(), (0, 0, 0), (1, -2, 3), (-13, 400, -(10**15)))


SHORT = ("", "a", "Zürich", "twelve bytes")
LONG = ("thirteen bytes", "a text that is longer than what a view holds inline", "🏔️ 東京" * 5)


def _texts():
    for type_ in (pa.utf8(), pa.large_utf8(), pa.string_view()):
        yield _of(type_, *SHORT, *LONG)
    yield _of(pa.string_view(), *SHORT, name="string_view, all inline")
    values = [text.encode() + b"\x00\xff" for text in SHORT + LONG]
    for type_ in (pa.binary(), pa.large_binary(), pa.binary_view()):
        yield _of(type_, b"", *values)
    yield _of(pa.binary(3), b"abc", b"\x00\x00\x00", b"\xff\xfe\xfd")
    yield _of(pa.binary(0), b"")


def _lists():
    names = {pa.list_: "list", pa.large_list: "large_list"}
    names |= {pa.list_view: "list_view", pa.large_list_view: "large_list_view"}
    for make, name in names.items():
        yield _of(make(pa.int32()), [], [1], [2, None, 3], [4, 5, 6, 7], name=f"{name}<int32>")
        texts = (["a", None], [], ["thirteen bytes and more"])
        yield _of(make(pa.utf8()), *texts, name=f"{name}<string>")
    yield _of(pa.list_(pa.int16(), 3), [1, 2, 3], [4, None, 6], name="fixed_size_list<int16>[3]")
    yield _of(pa.list_(pa.utf8(), 2), ["a", "b"], ["", None], name="fixed_size_list<string>[2]")
    yield _of(pa.list_(pa.int8(), 0), [], name="fixed_size_list<int8>[0]")


def _structs():
    place = pa.struct([("latitude", pa.float64()), ("name", pa.utf8())])
    yield _of(place, {"latitude": 1.5, "name": "a"}, {"latitude": None, "name": ""}, name="struct")
    yield _of(pa.struct([]), {}, name="struct without fields")
    entries = ([("a", 1)], [], [("b", None), ("c", 3)])
    yield _of(pa.map_(pa.utf8(), pa.int32()), *entries, name="map<string,int32>")
    sorted_ = pa.map_(pa.int64(), pa.utf8(), keys_sorted=True)
    yield _of(sorted_, [(1, "a"), (2, "b")], [], name="map<int64,string>, sorted")


UNION_FIELDS = ["number", "text", "nothing"]


def _union_children(values):
    """The type code and child offset of each value, and the values of each child."""
    children = [[], [], []]
    codes, offsets = [], []
    for value in values:
        code = 2 if value is None else 1 if isinstance(value, str) else 0
        codes.append(code)
        offsets.append(len(children[code]))
        children[code].append(value)
    return codes, offsets, children


def _dense_union(values):
    codes, offsets, children = _union_children(values)
    return pa.UnionArray.from_dense(
        pa.array([5 if code == 2 else code for code in codes], pa.int8()),
        pa.array(offsets, pa.int32()),
        [pa.array(c, t) for c, t in zip(children, (pa.int32(), pa.utf8(), pa.null()))],
        UNION_FIELDS,
        [0, 1, 5],
    )


def _sparse_union(values):
    codes, _, _ = _union_children(values)
    return pa.UnionArray.from_sparse(
        pa.array(codes, pa.int8()),
        [
            pa.array([v if codes[i] == 0 else 0 for i, v in enumerate(values)], pa.int32()),
            pa.array([v if codes[i] == 1 else "" for i, v in enumerate(values)], pa.utf8()),
            pa.nulls(len(values)),
        ],
        UNION_FIELDS,
    )


def _run_ends(index, value):
    def build(values):
        ends, runs = [], []
        for i, item in enumerate(values):
            if runs and runs[-1] == item:
                ends[-1] = i + 1
            else:
                ends.append(i + 1)
                runs.append(item)
        return pa.RunEndEncodedArray.from_arrays(
            pa.array(ends, index), pa.array(runs, value), pa.run_end_encoded(index, value)
        )

    return build


def _others():
    yield Kind("null", (None,), lambda values: pa.nulls(len(values)))
    yield _of(pa.bool_(), True, False, True)
    yield Kind("dense_union", (1, "a", 2, "", None, -3), _dense_union)
    yield Kind("sparse_union", (1, "a", 2, "", None, -3), _sparse_union)
    for index in (pa.int16(), pa.int32(), pa.int64()):
        name = f"run_end_encoded<{index},string>"
        yield Kind(name, ("a", "a", "b", "c", "c", "c"), _run_ends(index, pa.utf8()))
    yield Kind("run_end_encoded<int32,int64>", (1, 1, 1, 2, -3), _run_ends(pa.int32(), pa.int64()))


def _dictionary(index, dictionary, ordered=False):
    """Builds batches with the same dictionary; the values are its indices."""

    def build(values):
        return pa.DictionaryArray.from_arrays(
            pa.array(values, index), dictionary, ordered=ordered, safe=False
        )

    return build


def _dictionaries():
    words = pa.array(["a", "b", "a much longer word than b", ""])
    slots = (0, 2, 1, 3, 3)
    for bits in (8, 16, 32, 64):
        for index in (getattr(pa, f"int{bits}")(), getattr(pa, f"uint{bits}")()):
            yield Kind(f"dictionary<{index},string>", slots, _dictionary(index, words))
    short = pa.int8()
    yield Kind("dictionary, ordered", slots, _dictionary(short, words, ordered=True))
    nulls = pa.array(["a", None, "c", ""])
    yield Kind("dictionary with a null value", slots, _dictionary(short, nulls))
    yield Kind("dictionary with values twice", slots, _dictionary(short, pa.array(list("abab"))))
    for values in (
        pa.array([3, -1, 2**40, 0]),
        pa.array([0.5, -1.0, 2.0, 0.0]),
        pa.array([0, 10**15, -1, 1], pa.timestamp("us", "UTC")),
        words.cast(pa.large_utf8()),
        words.cast(pa.string_view()),
        words.cast(pa.binary()),
        pa.array([True, False, None, True]),
    ):
        yield Kind(f"dictionary<int8,{values.type}>", slots, _dictionary(short, values))
    lists = pa.array([[1, 2], [], [None], [3]], pa.list_(pa.int32()))
    yield Kind("dictionary<int8,list<int32>>", slots, _dictionary(short, lists))
    structs = pa.array([{"x": 1}, {"x": None}, {"x": 3}, {"x": 4}], pa.struct([("x", pa.int8())]))
    yield Kind("dictionary<int8,struct>", slots, _dictionary(short, structs))
    inner = pa.DictionaryArray.from_arrays(pa.array([1, 0, 1, None], short), pa.array(["x", "y"]))
    nested = pa.StructArray.from_arrays([inner, pa.array(range(4))], ["inner", "number"])
    yield Kind("dictionary<int8,struct<dictionary>>", slots, _dictionary(short, nested))
    yield Kind("dictionary, growing", slots, _growing_dictionary)


def _growing_dictionary(values):
    """Builds a different dictionary for each batch, which replaces the previous one in a stream."""
    words = ["a", "b", "c", "d"]
    found = list(dict.fromkeys(words[value] for value in values if value is not None))
    indices = [None if value is None else found.index(words[value]) for value in values]
    return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int8()), pa.array(found, pa.utf8()))


def _in_a_list(child, make=pa.ListArray):
    """Builds lists of a value, a null and the value again, or null lists."""

    def build(values):
        offsets, flat = [0], []
        for value in values:
            flat += [] if value is None else [value, None, value]
            offsets.append(len(flat))
        mask = pa.array([value is None for value in values], pa.bool_())
        offset = pa.int64() if make is pa.LargeListArray else pa.int32()
        return make.from_arrays(pa.array(offsets, offset), child(flat), mask=mask)

    return build


def _in_a_struct(**children):
    def build(values):
        arrays = [child(list(values)) for child in children.values()]
        mask = pa.array([value is None for value in values], pa.bool_())
        fields = [pa.field(name, array.type) for name, array in zip(children, arrays)]
        return pa.StructArray.from_arrays(arrays, fields=fields, mask=mask)

    return build


def _nested():
    short = pa.int8()
    numbers = (1, 0, 3, 2)
    words = _dictionary(short, pa.array(["a", "b", "c", "d"]))
    deep = pa.list_(pa.list_(pa.struct([("x", pa.list_(pa.utf8()))])))
    values = ([[{"x": ["a", None]}, None], []], [], [None, [{"x": None}]])
    yield _of(deep, *values, name="list<list<struct<list<string>>>>")
    yield Kind("list<dictionary>", numbers, _in_a_list(words))
    yield Kind("large_list<dictionary>", numbers, _in_a_list(words, pa.LargeListArray))
    yield Kind("struct<dictionary, dictionary>", numbers, _in_a_struct(first=words, second=words))
    yield Kind("list<dense_union>", (1, "a", 2, ""), _in_a_list(_dense_union))
    yield Kind("struct<sparse_union>", (1, "a", 2, ""), _in_a_struct(union=_sparse_union))
    ends = _run_ends(pa.int32(), pa.utf8())
    yield Kind("struct<run_end_encoded>", ("a", "a", "b"), _in_a_struct(runs=ends))
    ones = pa.struct([("a", pa.list_(pa.int8(), 2)), ("b", pa.bool_()), ("c", pa.null())])
    yield _of(ones, {"a": [1, None], "b": True}, {"a": None}, name="struct<fixed_size_list>")
    mapped = pa.map_(pa.utf8(), pa.struct([("x", pa.list_(pa.float32()))]))
    yield _of(mapped, [("a", {"x": [1.5]})], [], [("b", None)], name="map<string,struct<list>>")
    views = pa.list_(pa.string_view())
    yield _of(views, list(SHORT), list(LONG), [None], name="list<string_view>")
    moments = pa.struct([("at", pa.timestamp("us", "UTC")), ("on", pa.date32())])
    yield _of(moments, {"at": 1, "on": 1}, {"at": None, "on": -1}, name="struct<timestamp, date>")


KINDS = {
    kind.name: kind
    for family in (_numbers, _times, _texts, _lists, _structs, _others, _dictionaries, _nested)
    for kind in family()
}

"""Types that a client cannot read from any writer: tested both ways, listed in src/docs/clients.md."""

import dataclasses
import fnmatch
import re

import pyarrow as pa
import pyarrow.types as types

from catalogue import KINDS

CLIENTS = ("pyarrow", "polars", "arrow-js", "flechette")

# Messages of pyarrow about values outside of a type's domain, which are legal in a file.
DOMAIN = re.compile(
    "does not represent a whole number of days|does not fit in precision|is not within the acceptable range"
)


@dataclasses.dataclass(frozen=True)
class Waiver:
    """Kinds that a client cannot read. `message` is a pattern that each failure has to match.

    A kind that the client reads from the service or from pyarrow must not be waived.
    """

    client: str
    types: str
    reason: str
    kinds: tuple[str, ...]
    message: str

    def covers(self, kind):
        return any(fnmatch.fnmatchcase(kind, pattern) for pattern in self.kinds)


WAIVERS = (
    Waiver(
        "polars",
        "decimals of a negative scale",
        "an error: it takes the scale for a length",
        ("decimal*,-2)",),
        "NegativeFooterLength",
    ),
    Waiver(
        "polars",
        "decimal256",
        "panics: it has 38 digits at most",
        ("decimal256(7*",),
        "Int256|precision <= 38",
    ),
    Waiver(
        "polars",
        "intervals",
        "panics, unless `POLARS_IMPORT_INTERVAL_AS_STRUCT=1`",
        ("month_day_nano_interval",),
        "could not import from `month_day_nano_interval`",
    ),
    Waiver(
        "polars",
        "list views and large list views",
        "panics: not implemented",
        ("list_view<*", "large_list_view<*"),
        "not yet implemented",
    ),
    Waiver(
        "polars",
        "run-end encoding, also within a struct",
        "panics: not implemented",
        ("*run_end_encoded*",),
        "not yet implemented",
    ),
    Waiver(
        "polars",
        "dense and sparse unions, also within others",
        "panics: not implemented",
        ("*_union*",),
        "Union",
    ),
    Waiver(
        "polars",
        "fixed-size binary of width 0",
        "an error, where there are rows",
        ("fixed_size_binary[[]0]",),
        "expects a positive size",
    ),
    Waiver(
        "polars",
        "fixed-size lists of size 0",
        "an error, where there are rows",
        ("fixed_size_list<int8>[[]0]",),
        "Cannot read zero sized arrays",
    ),
    Waiver(
        "arrow-js",
        "list views and large list views",
        "an error: it does not know types 25 and 26",
        ("list_view<*", "large_list_view<*"),
        r'Unrecognized type: "(Large)?ListView"',
    ),
    Waiver(
        "arrow-js",
        "run-end encoding, also within a struct",
        "an error: it does not know type 22",
        ("*run_end_encoded*",),
        'Unrecognized type: "RunEndEncoded"',
    ),
    Waiver(
        "arrow-js",
        "dictionaries with 64-bit indices",
        "an error when a value is read",
        ("dictionary<int64,string>", "dictionary<uint64,string>"),
        "Cannot mix BigInt and other types",
    ),
    Waiver(
        "flechette",
        "decimals of a negative scale and more than 32 bits",
        "an error: it has no 10 to a negative power",
        ("decimal64(5,-2)", "decimal128(5,-2)", "decimal256(5,-2)"),
        "must be positive",
    ),
)

AS_WRITTEN = "as pyarrow wrote it"


def waivers(client, kind):
    return [waiver for waiver in WAIVERS if waiver.client == client and waiver.covers(kind)]


def waived(client):
    """Kinds that a client does not have to read."""
    return {kind for kind in KINDS if waivers(client, kind)}


def expect_only_waived_failures(client, kind, failures):
    """Fails if a failure is not waived, or if a waived kind is readable.

    `failures` maps each part that was read to its failure.
    """
    found = waivers(client, kind)
    assert len(found) <= 1, f"{kind} is waived twice: {found}"
    if found:
        assert failures, f"{client} reads {kind}: remove its waiver ({found[0].reason})"
        assert AS_WRITTEN in failures, f"{client} reads {kind} from pyarrow, but not from the service"
    message = found and found[0].message
    unexpected = {p: f for p, f in failures.items() if not (message and re.search(message, f))}
    assert not unexpected, "\n".join(f"{part}: {failure}" for part, failure in unexpected.items())


def clients_table():
    lines = ["| client | what it does not read | what happens |", "| --- | --- | --- |"]
    for client in CLIENTS:
        own = [waiver for waiver in WAIVERS if waiver.client == client]
        lines += [f"| {client} | {waiver.types} | {waiver.reason} |" for waiver in own]
        lines += [] if own else [f"| {client} | – | – |"]
    return "\n".join(lines)


def unused():
    """Waivers that match no kind."""
    return [waiver for waiver in WAIVERS if not any(map(waiver.covers, KINDS))]


LETTERS = {"pyarrow": "P", "polars": "L", "arrow-js": "A", "flechette": "F"}

INCOMPLETE = {"Interval"}
"""Types that pyarrow supports in part: its only intervals are of months, days and nanoseconds."""

TYPES = (
    (types.is_dictionary, "Dictionary"),
    (types.is_run_end_encoded, "RunEndEncoded"),
    (types.is_null, "Null"),
    (types.is_boolean, "Bool"),
    (types.is_integer, "Int"),
    (types.is_floating, "FloatingPoint"),
    (types.is_decimal, "Decimal"),
    (types.is_date, "Date"),
    (types.is_time, "Time"),
    (types.is_timestamp, "Timestamp"),
    (types.is_duration, "Duration"),
    (types.is_interval, "Interval"),
    (types.is_fixed_size_binary, "FixedSizeBinary"),
    (types.is_binary, "Binary"),
    (types.is_large_binary, "LargeBinary"),
    (types.is_binary_view, "BinaryView"),
    (types.is_string, "Utf8"),
    (types.is_large_string, "LargeUtf8"),
    (types.is_string_view, "Utf8View"),
    (types.is_map, "Map"),
    (types.is_fixed_size_list, "FixedSizeList"),
    (types.is_list, "List"),
    (types.is_large_list, "LargeList"),
    (types.is_list_view, "ListView"),
    (types.is_large_list_view, "LargeListView"),
    (types.is_struct, "Struct"),
    (types.is_union, "Union"),
)


def type_name(kind):
    type_ = KINDS[kind].type
    return next(name for holds, name in TYPES if holds(type_))


def written_letters(name):
    """Letters of the clients that read a type as Quiver writes it; lower case if only some of its kinds."""
    kinds = [kind for kind in KINDS if type_name(kind) == name]
    assert kinds, name
    letters = ""
    for client, letter in LETTERS.items():
        # A kind with nested types also stands for those.
        read = [kind for kind in kinds if not waivers(client, kind)]
        if read:
            whole = len(read) == len(kinds) and name not in INCOMPLETE
            letters += letter if whole else letter.lower()
    return letters


def types_table():
    """The client letters in the documents' table of types: read, write and validate."""
    table = {}
    for _, name in TYPES:
        pyarrow = "p" if name in INCOMPLETE else "P"
        table[name] = [pyarrow, written_letters(name), pyarrow, ""]
    return table


def validate(batch):
    """Validates in full with pyarrow, except for the domains of values."""
    batch.validate()
    try:
        batch.validate(full=True)
    except pa.ArrowInvalid as e:
        if not DOMAIN.search(str(e)):
            raise

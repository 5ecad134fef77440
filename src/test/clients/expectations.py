"""Types and values in the words of expectations that were written before the first run."""

import datetime
import decimal
import uuid

import pyarrow as pa

UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def extension(field):
    return getattr(field.type, "extension_name", None) or (field.metadata or {}).get(b"ARROW:extension:name", b"").decode()


def type_name(field):
    """The type in the words of the expectations."""
    known = {"arrow.uuid": "uuid", "arrow.json": "json"}.get(extension(field))
    if known:
        return known
    if pa.types.is_struct(field.type):
        return f"struct<{', '.join(f'{child.name}: {type_name(child)}' for child in field.type)}>"
    if pa.types.is_list(field.type):
        return f"list<{type_name(field.type.value_field)}>"
    text = str(field.type).replace("tz=", "")
    return {"string": "utf8", "double": "float64", "date32[day]": "date32"}.get(text, text)


def time_text(value, unit, start):
    seconds, fraction = divmod(value, UNITS[unit])
    digits = str(fraction).zfill(len(str(UNITS[unit])) - 1).rstrip("0")
    return start(seconds) + (f".{digits}" if digits else "")


def value_of(field, scalar):
    """The value in JSON, as the expectations have it."""
    if not scalar.is_valid:
        return None
    if extension(field) == "arrow.uuid":
        value = scalar.as_py()
        return str(value if isinstance(value, uuid.UUID) else uuid.UUID(bytes=value))
    if pa.types.is_struct(field.type):
        return {child.name: value_of(child, scalar[i]) for i, child in enumerate(field.type)}
    if pa.types.is_list(field.type):
        return [value_of(field.type.value_field, item) for item in scalar.values]
    if pa.types.is_timestamp(field.type):
        epoch = datetime.datetime(1970, 1, 1)
        text = time_text(scalar.value, field.type.unit, lambda s: (epoch + datetime.timedelta(seconds=s)).isoformat())
        return text + ("Z" if field.type.tz else "")
    if pa.types.is_time(field.type):
        return time_text(scalar.value, field.type.unit, lambda s: str(datetime.timedelta(seconds=s)).zfill(8))
    value = scalar.as_py()
    return str(value) if isinstance(value, (decimal.Decimal, datetime.date)) else value

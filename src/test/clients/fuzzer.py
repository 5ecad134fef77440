"""Media types that schemathesis does not know: loaded by it through SCHEMATHESIS_HOOKS."""

import schemathesis


@schemathesis.serializer("application/sql", "application/partial-upload")
def text_or_bytes(_context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")

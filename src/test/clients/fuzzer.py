"""Media types that schemathesis does not know, and parts of those that it knows: loaded by it through SCHEMATHESIS_HOOKS."""

import schemathesis


@schemathesis.serializer("application/sql", "application/partial-upload")
def text_or_bytes(_context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


@schemathesis.deserializer("application/json")
def document_or_part(_context, response):
    """A range of JSON is no JSON, and the OpenAPI document describes it as bytes."""
    return response.text if response.status_code == 206 else response.json()

"""The reports of `/inspect` agree with pyarrow's message reader."""

import io

import pyarrow as pa
import pytest

import tables
from service import curl

OCTETS = "Content-Type: application/octet-stream"


def post(service, path):
    return curl("--data-binary", f"@{path}", "-H", OCTETS, f"{service.url}/inspect")


def inspect(service, path):
    # The first use of a codec unpacks its library into the temporary folder.
    post(service, path)
    with service.unchanged():
        with service.completed("/inspect"):
            response = post(service, path)
    assert response.status == 200, response
    assert response.headers["content-length"] == str(len(response.body))
    return response.json()


def messages(stream):
    """The type, metadata length and body length of each message, as pyarrow reads them."""
    reader = pa.ipc.MessageReader.open_stream(io.BytesIO(stream))
    found = []
    while True:
        try:
            message = reader.read_next_message()
        except StopIteration:
            return found
        body = message.body.size if message.body is not None else 0
        found.append((message.type.removesuffix(" batch"), message.metadata.size, body))


def reported(report):
    return [
        (m["type"].removesuffix(" batch"), m["metadataLength"], m["bodyLength"])
        for m in report["messages"]
    ]


@pytest.mark.parametrize("codec", tables.CODECS, ids=lambda codec: codec or "uncompressed")
def test_stream_report(service, small_table, folder, codec):
    path = tables.write_stream(small_table, folder / "inspected.arrows", codec)
    report = inspect(service, path)
    assert reported(report) == messages(path.read_bytes())
    assert report["findings"] == []
    summary = report["summary"]
    assert summary["rows"] == small_table.num_rows
    assert summary["bytes"] == path.stat().st_size
    assert summary["acceptable"] is True


def test_file_report(service, small_table, folder):
    path = tables.write_file(small_table, folder / "inspected.arrow")
    report = inspect(service, path)
    whole = path.read_bytes()
    assert reported(report) == messages(whole[8 : report["file"]["footer"]["offset"]])
    assert report["findings"] == []
    assert report["summary"]["rows"] == small_table.num_rows
    reader = pa.ipc.open_file(path)
    assert report["file"]["footer"]["recordBatches"] == reader.num_record_batches


def test_report_of_a_replacement_dictionary(service, folder):
    batches = [
        pa.record_batch([pa.array(values).dictionary_encode()], ["letter"])
        for values in (["a", "b"], ["c"])
    ]
    path = folder / "replaced.arrows"
    path.write_bytes(tables.stream_bytes(batches, batches[0].schema))
    report = inspect(service, path)
    events = [m["dictionary"]["event"] for m in report["messages"] if "dictionary" in m]
    assert events == ["first", "replacement"]
    assert report["summary"]["errors"] == 0

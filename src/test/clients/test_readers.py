"""pandas, polars, fsspec and requests read the running service by their own means."""

import pyarrow as pa
import pytest

from conftest import need
from service import curl


def test_pandas_reads_the_file(small_dataset, small_table):
    need("pandas")
    import pandas

    frame = pandas.read_feather(small_dataset.url + ".arrow")
    pandas.testing.assert_frame_equal(frame, small_table.to_pandas())


def test_polars_reads_file_and_stream(polars_dataset, large_table):
    need("polars")
    import polars

    for frame in (
        polars.read_ipc(polars_dataset.url + ".arrow"),
        polars.read_ipc_stream(polars_dataset.url + ".arrows"),
    ):
        assert frame.height == large_table.num_rows
        assert frame["id"].to_arrow().equals(large_table["id"].combine_chunks())
        assert frame["text"].to_list()[:1000] == large_table["text"][:1000].to_pylist()


def test_polars_slice_fetches_one_block(polars_dataset, large_table):
    """The footer's row counts spare polars the search for the block that has the rows."""
    need("polars")
    import polars

    first = polars_dataset.index["batches"][0]
    with polars_dataset.service.recorded() as requests:
        frame = polars.scan_ipc(polars_dataset.url + ".arrow").slice(750_000, 10).collect()
    assert frame["id"].to_list() == list(range(750_000, 750_010))
    assert frame["text"].to_list() == large_table["text"][750_000:750_010].to_pylist()
    wanted = polars_dataset.index["batches"][7]
    block = wanted["metaDataLength"] + wanted["bodyLength"]
    ranges = [request.range for request in requests]
    assert f"bytes={wanted['offset']}-{wanted['offset'] + block - 1}" in ranges
    assert sum(request.byte_size for request in requests) < block + first["offset"] + 100_000


def test_polars_counts_rows_without_reading_batches(polars_dataset):
    need("polars")
    import polars

    with polars_dataset.service.recorded() as requests:
        counted = polars.scan_ipc(polars_dataset.url + ".arrow").select(polars.len()).collect()
    assert counted.item() == 1_000_000
    assert sum(request.byte_size for request in requests) < 100_000


def test_polars_filters_and_aggregates(polars_dataset, large_table):
    need("polars")
    import polars

    found = (
        polars.scan_ipc(polars_dataset.url + ".arrow")
        .filter(polars.col("id") % 100_000 == 17)
        .select("id")
        .collect()
    )
    assert found["id"].to_list() == [i * 100_000 + 17 for i in range(10)]


def test_fsspec_opens_one_batch(small_dataset, small_table):
    need("fsspec", "aiohttp")
    import fsspec

    files = fsspec.filesystem("http")
    with files.open(small_dataset.url + ".arrow", block_size=65536) as source:
        reader = pa.ipc.open_file(source)
        assert reader.num_record_batches == 10
        assert reader.get_batch(7).equals(small_table.to_batches()[7])


def test_pyarrow_dataset_over_fsspec(small_dataset, small_table):
    need("fsspec", "aiohttp")
    import fsspec
    import pyarrow.dataset

    dataset = pyarrow.dataset.dataset(
        small_dataset.url + ".arrow", format="ipc", filesystem=fsspec.filesystem("http")
    )
    read = dataset.to_table(columns=["id", "struct"])
    assert read.equals(small_table.select(["id", "struct"]))


def test_requests_streams_batches(small_dataset, small_table):
    """Nothing content-codes a suffix URL, though requests offers gzip: `raw` would not undo it."""
    need("requests")
    import requests

    with requests.get(small_dataset.url + ".arrows", stream=True) as answer:
        assert "content-encoding" not in answer.headers
        assert pa.ipc.open_stream(answer.raw).read_all().equals(small_table)


def test_schema_as_json_and_as_arrow(small_dataset, small_table):
    url = small_dataset.url + "/schema"
    fields = curl(url).json()["fields"]
    assert [field["name"] for field in fields] == small_table.schema.names
    arrow = curl("-H", "Accept: application/vnd.apache.arrow.stream", url)
    read = pa.ipc.open_stream(arrow.body).read_all()
    assert read.num_rows == 0
    assert read.schema.equals(small_table.schema, check_metadata=True)


@pytest.mark.parametrize("path", ["", ".arrows"])
def test_negotiated_url_gives_the_stream(small_dataset, small_table, path):
    answer = curl(small_dataset.url + path)
    assert pa.ipc.open_stream(answer.body).read_all().equals(small_table)

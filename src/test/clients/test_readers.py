"""Each client reads from the service with its own HTTP support."""

import urllib.request

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import tables
from conftest import need, upload
from proxy import Proxy
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


@pytest.fixture
def scanned(polars_dataset):
    """A polars scan through a proxy, which counts the bytes on the wire."""
    need("polars")
    import polars

    with Proxy(polars_dataset.service.port) as proxy:
        yield polars.scan_ipc(f"{proxy.url}/datasets/for-polars.arrow"), proxy


def message_length(batch):
    return batch["metaDataLength"] + batch["bodyLength"]


def range_of(batch):
    return f"bytes={batch['offset']}-{batch['offset'] + message_length(batch) - 1}"


def overhead(dataset):
    """The bytes of the footer, the dictionaries, and 10 requests and response heads of 1 KiB."""
    dictionaries = sum(dictionary["length"] for dictionary in dataset.index["dictionaries"])
    return dataset.index["footer"]["length"] + dictionaries + 10 * 1024


def test_polars_slice_fetches_one_batch(polars_dataset, scanned, large_table):
    """polars finds the batch by the row counts in the footer."""
    frame, proxy = scanned
    read = frame.slice(750_000, 10).collect()
    assert read["id"].to_list() == list(range(750_000, 750_010))
    assert read["text"].to_list() == large_table["text"][750_000:750_010].to_pylist()
    batch = polars_dataset.index["batches"][7]
    assert range_of(batch) in [request.range for request in proxy.requests]
    assert proxy.response_bytes < message_length(batch) + overhead(polars_dataset)


def test_polars_tail_fetches_the_last_batch(polars_dataset, scanned):
    frame, proxy = scanned
    assert frame.select("id").tail(10).collect()["id"].to_list() == list(range(999_990, 1_000_000))
    batch = polars_dataset.index["batches"][9]
    assert range_of(batch) in [request.range for request in proxy.requests]
    assert proxy.response_bytes < message_length(batch) + overhead(polars_dataset)


def test_polars_counts_rows_without_fetching_batches(polars_dataset, scanned):
    import polars

    frame, proxy = scanned
    assert frame.select(polars.len()).collect().item() == 1_000_000
    assert len(proxy.requests) <= 4
    assert proxy.response_bytes < overhead(polars_dataset)


def test_polars_fetches_one_column(polars_dataset, large_table):
    """A file of selected columns also has row counts and supports ranges."""
    need("polars")
    import polars

    batch = polars_dataset.index["batches"][7]
    with Proxy(polars_dataset.service.port) as proxy:
        url = f"{proxy.url}/datasets/for-polars.arrow?columns=id"
        read = polars.scan_ipc(url).slice(750_000, 10).collect()
        assert proxy.response_bytes < message_length(batch) / 10 + 10 * 1024
    assert read.columns == ["id"]
    assert read["id"].to_list() == list(range(750_000, 750_010))


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


def test_fsspec_opens_the_stream(small_dataset, small_table):
    """fsspec reads consecutive ranges."""
    need("fsspec", "aiohttp")
    import fsspec

    with fsspec.filesystem("http").open(small_dataset.url + ".arrows", block_size=65536) as source:
        assert pa.ipc.open_stream(source).read_all().equals(small_table)


def test_fsspec_fetches_little_more_than_a_batch(small_dataset):
    need("fsspec", "aiohttp")
    import fsspec

    batch = small_dataset.index["batches"][7]
    with Proxy(small_dataset.service.port) as proxy:
        url = f"{proxy.url}/datasets/small.arrow"
        with fsspec.filesystem("http").open(url, block_size=4096) as source:
            pa.ipc.open_file(source).get_batch(7)
    assert proxy.response_bytes < message_length(batch) + overhead(small_dataset) + 10 * 4096


def test_duckdb_queries_a_pyarrow_reader(service, small_table, folder):
    """Queries a stream as it arrives, and a file by ranges."""
    need("duckdb", "fsspec", "aiohttp")
    import duckdb
    import fsspec
    import pyarrow.dataset

    # DuckDB also has no decimals of more than 38 digits.
    stored = tables.for_polars(small_table)
    dataset = upload(service, "for-duckdb", tables.write_stream(stored, folder / "duckdb.arrows"))
    kept = small_table.slice(1000)
    expected = (kept.num_rows, pc.sum(kept["id"]).as_py(), pc.max(kept["text"]).as_py())

    def query(rows):
        connection = duckdb.connect()
        connection.register("stored", rows)
        sql = "select count(*), sum(id), max(text) from stored where id >= 1000"
        return connection.sql(sql).fetchone()

    with urllib.request.urlopen(dataset.url + ".arrows") as response:
        assert query(pa.ipc.open_stream(response)) == expected
    files = fsspec.filesystem("http")
    assert query(pyarrow.dataset.dataset(dataset.url + ".arrow", format="ipc", filesystem=files)) == expected


def test_java_reads_with_its_own_http_client(small_dataset, small_table, arrow_java):
    total = pc.sum(small_table["id"]).as_py()
    for path in (".arrows", "", ".arrows?codec=zstd", ".arrows?codec=lz4"):
        assert arrow_java.read(small_dataset.url + path) == (small_table.num_rows, total), path
    with pytest.raises(OSError):
        arrow_java.read(small_dataset.url + "-missing.arrows")


def test_requests_streams_batches(small_dataset, small_table):
    """URLs with a suffix have no content coding although requests accepts gzip: `raw` does not decode it."""
    need("requests")
    import requests

    with requests.get(small_dataset.url + ".arrows", stream=True) as response:
        assert "content-encoding" not in response.headers
        assert pa.ipc.open_stream(response.raw).read_all().equals(small_table)


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
    response = curl(small_dataset.url + path)
    assert pa.ipc.open_stream(response.body).read_all().equals(small_table)

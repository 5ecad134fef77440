"""Each client reads the running service by its own means."""

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
    """A scan by polars through a proxy, which counts what is on the wire."""
    need("polars")
    import polars

    with Proxy(polars_dataset.service.port) as proxy:
        yield polars.scan_ipc(f"{proxy.url}/datasets/for-polars.arrow"), proxy


def span(batch):
    return batch["metaDataLength"] + batch["bodyLength"]


def block(batch):
    return f"bytes={batch['offset']}-{batch['offset'] + span(batch) - 1}"


def beside_batches(dataset):
    """The footer, the dictionaries, and a KiB for the heads of each request and its answer."""
    dictionaries = sum(dictionary["length"] for dictionary in dataset.index["dictionaries"])
    return dataset.index["footer"]["length"] + dictionaries + 10 * 1024


def test_polars_slice_fetches_one_batch(polars_dataset, scanned, large_table):
    """The footer's row counts spare polars the search for the batch that has the rows."""
    frame, proxy = scanned
    read = frame.slice(750_000, 10).collect()
    assert read["id"].to_list() == list(range(750_000, 750_010))
    assert read["text"].to_list() == large_table["text"][750_000:750_010].to_pylist()
    wanted = polars_dataset.index["batches"][7]
    assert block(wanted) in [request.range for request in proxy.requests]
    assert proxy.answered_bytes < span(wanted) + beside_batches(polars_dataset)


def test_polars_tail_fetches_the_last_batch(polars_dataset, scanned):
    frame, proxy = scanned
    assert frame.select("id").tail(10).collect()["id"].to_list() == list(range(999_990, 1_000_000))
    wanted = polars_dataset.index["batches"][9]
    assert block(wanted) in [request.range for request in proxy.requests]
    assert proxy.answered_bytes < span(wanted) + beside_batches(polars_dataset)


def test_polars_counts_rows_without_a_batch(polars_dataset, scanned):
    import polars

    frame, proxy = scanned
    assert frame.select(polars.len()).collect().item() == 1_000_000
    assert len(proxy.requests) <= 4
    assert proxy.answered_bytes < beside_batches(polars_dataset)


def test_polars_fetches_a_column_alone(polars_dataset, large_table):
    """What is selected has row counts of its own, and is asked for by range as a whole is."""
    need("polars")
    import polars

    wanted = polars_dataset.index["batches"][7]
    with Proxy(polars_dataset.service.port) as proxy:
        url = f"{proxy.url}/datasets/for-polars.arrow?columns=id"
        read = polars.scan_ipc(url).slice(750_000, 10).collect()
        assert proxy.answered_bytes < span(wanted) / 10 + 10 * 1024
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
    """By ranges, one after the other."""
    need("fsspec", "aiohttp")
    import fsspec

    with fsspec.filesystem("http").open(small_dataset.url + ".arrows", block_size=65536) as source:
        assert pa.ipc.open_stream(source).read_all().equals(small_table)


def test_fsspec_fetches_little_more_than_a_batch(small_dataset):
    need("fsspec", "aiohttp")
    import fsspec

    wanted = small_dataset.index["batches"][7]
    with Proxy(small_dataset.service.port) as proxy:
        url = f"{proxy.url}/datasets/small.arrow"
        with fsspec.filesystem("http").open(url, block_size=4096) as source:
            pa.ipc.open_file(source).get_batch(7)
    assert proxy.answered_bytes < span(wanted) + beside_batches(small_dataset) + 10 * 4096


def test_duckdb_asks_what_pyarrow_opens(service, small_table, folder):
    """A stream as it comes, and a file by ranges."""
    need("duckdb", "fsspec", "aiohttp")
    import duckdb
    import fsspec
    import pyarrow.dataset

    # DuckDB has no decimals of more than 38 digits, either.
    stored = tables.for_polars(small_table)
    dataset = upload(service, "for-duckdb", tables.write_stream(stored, folder / "duckdb.arrows"))
    kept = small_table.slice(1000)
    expected = (kept.num_rows, pc.sum(kept["id"]).as_py(), pc.max(kept["text"]).as_py())

    def asked(rows):
        connection = duckdb.connect()
        connection.register("stored", rows)
        question = "select count(*), sum(id), max(text) from stored where id >= 1000"
        return connection.sql(question).fetchone()

    with urllib.request.urlopen(dataset.url + ".arrows") as answer:
        assert asked(pa.ipc.open_stream(answer)) == expected
    files = fsspec.filesystem("http")
    assert asked(pyarrow.dataset.dataset(dataset.url + ".arrow", format="ipc", filesystem=files)) == expected


def test_java_reads_with_its_own_http_client(small_dataset, small_table, arrow_java):
    total = pc.sum(small_table["id"]).as_py()
    for path in (".arrows", "", ".arrows?codec=zstd", ".arrows?codec=lz4"):
        assert arrow_java.read(small_dataset.url + path) == (small_table.num_rows, total), path
    with pytest.raises(OSError):
        arrow_java.read(small_dataset.url + "-which-is-not-there.arrows")


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

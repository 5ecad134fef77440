"""A batch of 2 GB with 256 MiB of heap and 64 MiB of direct memory."""

import pyarrow as pa
import pytest

import tables
from conftest import SMALL_MEMORY, upload
from service import Service, curl, download

pytestmark = pytest.mark.large


@pytest.fixture(scope="module")
def two_gigabytes():
    table = tables.two_gigabytes()
    assert table.nbytes > 2 << 30
    return table


@pytest.fixture(scope="module")
def small_service(folder):
    running = Service(folder / "small_service", SMALL_MEMORY)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def single_batch(small_service, two_gigabytes, codec, folder):
    path = tables.write_stream(two_gigabytes, folder / "two.arrows", codec)
    dataset = upload(small_service, f"two-{codec or 'plain'}", path, codec)
    path.unlink()
    return dataset


def test_download_equals_the_upload(single_batch, two_gigabytes, folder):
    for suffix, read in ((".arrow", pa.ipc.open_file), (".arrows", pa.ipc.open_stream)):
        path = download(single_batch.url + suffix, folder / f"two{suffix}")
        with pa.memory_map(str(path)) as source:
            assert read(source).read_all().equals(two_gigabytes)
        path.unlink()


def test_last_batch_has_the_last_rows(single_batch, two_gigabytes):
    last = single_batch.index["batches"][-1]
    body = download_batch(single_batch, last["index"])
    expected = two_gigabytes.slice(last["rowOffset"], last["rows"])
    assert pa.ipc.open_stream(body).read_all().equals(expected)


def download_batch(dataset, number):
    return curl(f"{dataset.url}/batches/{number}").body


def test_memory_is_bounded(single_batch):
    assert single_batch.service.peak_anonymous_bytes < 640 << 20

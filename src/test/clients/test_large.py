"""One batch of 2 GB through a service with 256 MB of heap and 64 MB of direct memory."""

import pyarrow as pa
import pytest

import tables
from conftest import SMALL_MEMORY, upload
from service import Service, curl, download

pytestmark = pytest.mark.large


@pytest.fixture(scope="module")
def two_gigabytes():
    made = tables.two_gigabytes()
    assert made.nbytes > 2 << 30
    return made


@pytest.fixture(scope="module")
def tight(folder):
    running = Service(folder / "tight", SMALL_MEMORY)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def single_batch(tight, two_gigabytes, codec, folder):
    path = tables.write_stream(two_gigabytes, folder / "two.arrows", codec)
    dataset = upload(tight, f"two-{codec or 'plain'}", path, codec)
    path.unlink()
    return dataset


def test_comes_back_equal(single_batch, two_gigabytes, folder):
    for suffix, read in ((".arrow", pa.ipc.open_file), (".arrows", pa.ipc.open_stream)):
        path = download(single_batch.url + suffix, folder / f"two{suffix}")
        with pa.memory_map(str(path)) as source:
            assert read(source).read_all().equals(two_gigabytes)
        path.unlink()


def test_last_batch_is_the_end_of_the_table(single_batch, two_gigabytes):
    last = single_batch.index["batches"][-1]
    answer = download_batch(single_batch, last["index"])
    expected = two_gigabytes.slice(last["rowOffset"], last["rows"])
    assert pa.ipc.open_stream(answer).read_all().equals(expected)


def download_batch(dataset, number):
    return curl(f"{dataset.url}/batches/{number}").body


def test_memory_is_bounded(single_batch):
    assert single_batch.service.peak_anonymous_bytes < 640 << 20

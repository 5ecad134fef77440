"""A batch of 2 GB, and 1 GB of text, with 256 MiB of heap and 64 MiB of direct memory."""

import concurrent.futures

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


def test_last_batch_has_the_last_rows(single_batch, two_gigabytes, folder):
    last = single_batch.index["batches"][-1]
    path = download(f"{single_batch.url}/batches/{last['index']}", folder / "last.arrows")
    expected = two_gigabytes.slice(last["rowOffset"], last["rows"])
    with pa.memory_map(str(path)) as source:
        assert pa.ipc.open_stream(source).read_all().equals(expected)
    path.unlink()


def test_memory_is_bounded(single_batch):
    assert single_batch.service.peak_anonymous_bytes < 640 << 20


def test_range_in_the_middle_of_a_gigabyte_of_text(folder):
    """Two HEADs at once render the text once; a range renders little more than itself."""
    service = Service(folder / "text_service", SMALL_MEMORY)
    try:
        text = tables.gigabyte_of_text()
        path = tables.write_stream(text, folder / "text.arrows")
        url = upload(service, "text", path).url + ".csv"
        path.unlink()
        with concurrent.futures.ThreadPoolExecutor() as clients:
            heads = list(clients.map(lambda _: curl(url, "--head"), range(2)))
        assert [head.status for head in heads] == [200, 200], heads
        length = int(heads[0].headers["content-length"])
        assert length > 10**9
        assert heads[1].headers["content-length"] == str(length)
        assert service.metric("quiver_text_written_total") == 1
        for middle in (length // 2, length // 3, length - 4096):
            part = curl(url, "--range", f"{middle}-{middle + 4095}").body
            assert len(part) == 4096
            _, *lines = part.decode().split("\r\n")[:-1]
            assert len(lines) > 30
            first = int(lines[0].split(",")[0])
            rows = text.slice(first, len(lines)).to_pylist()
            assert lines == [f"{row['id']},{row['text']}" for row in rows]
        assert service.metric("quiver_text_written_total") == 1
        assert service.peak_anonymous_bytes < 640 << 20
    finally:
        service.stop()

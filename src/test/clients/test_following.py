"""Clients that follow a growing dataset: each line of src/docs/clients.md as printed, and the script of http-api.md."""

import concurrent.futures
import importlib
import itertools
import json
import re
import subprocess
import threading
import time

import pyarrow as pa
import pytest

import tables
from conftest import need, upload
from proxy import Proxy
from service import TOP, Service, curl

ROW = re.compile(r"^\| (?P<client>[^|]+) \| `(?P<line>[^|]+)` \| (?P<what>[^|]+) \|$", re.MULTILINE)
SCRIPT = re.compile(r"^```js\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def documented():
    text = (TOP / "src/docs/clients.md").read_text()
    table = text.split("\n| client | line on new rows | what it reads |\n")[1].split("\n\n")[0]
    return [row.group("client", "line", "what") for row in ROW.finditer(table)]


NUMBERS = itertools.count()


@pytest.fixture
def dataset(services, folder):
    """A new dataset of the ids 0 to 2 in its first version, and 3 and 4 in its second."""
    stored = upload(services("default memory"), f"followed-{next(NUMBERS)}", written(folder, range(3)))
    append(stored, folder, range(3, 5))
    return stored


def written(folder, ids):
    table = pa.table({"id": pa.array(ids, pa.int32())})
    return tables.write_stream(table, folder / "following.arrows")


def append(dataset, folder, ids):
    assert curl("--data-binary", f"@{written(folder, ids)}", dataset.url).status == 200


def ids(lines):
    return [json.loads(line)["id"] for line in lines.splitlines()]


def events(text):
    """The data of a complete stream of events, checked against the fields beside it."""
    found = []
    for block in text.strip().split("\n\n"):
        lines = [line for line in block.split("\n") if not line.startswith(":")]
        if lines:
            type_, id_, data = lines
            event = json.loads(data.removeprefix("data: "))
            assert (type_, id_) == ("event: version", f"id: {event['version']}")
            found.append(tuple(event.values()))
    return found


def waiting(service):
    return service.metric("quiver_waiting_requests")


def started(client, line, dataset):
    """The output of a line, which may end only after the dataset has changed."""
    line = line.replace("http://localhost:8080/datasets/sample", dataset.url)
    if client == "curl":
        process = subprocess.Popen(["bash", "-c", line], stdout=subprocess.PIPE, text=True)
        return lambda: process.communicate(timeout=60)[0]
    need(client)
    names = {client: importlib.import_module(client)}
    result = concurrent.futures.Future()
    threading.Thread(target=lambda: result.set_result(eval(line, names)), daemon=True).start()
    return lambda: result.result(timeout=60)


def await_listener(service):
    deadline = time.monotonic() + 60
    while not waiting(service):
        assert time.monotonic() < deadline, "no request waits"
        time.sleep(0.05)


@pytest.mark.parametrize("client, line, what", documented())
def test_clients_follow_a_dataset(dataset, folder, client, line, what):
    output = started(client, line, dataset)
    if what == "the rows after version 1":
        assert ids(output()) == [3, 4]
        return
    await_listener(dataset.service)
    append(dataset, folder, range(5, 9))
    if what == "the next rows, once they are appended":
        assert ids(output()) == [5, 6, 7, 8]
        return
    assert curl("-X", "POST", dataset.url + "/compact?verbose=true").json()["kind"] == "compaction"
    assert curl("-X", "DELETE", dataset.url).status == 204
    expected = [(2, "append", 2, 5), (3, "append", 4, 9), (5, "delete", 0, 0)]
    assert what in ("an event for each version", "the events after version 1")
    assert events(output()) == expected


def script(url):
    """The script of the document, for another dataset."""
    found = SCRIPT.search((TOP / "src/docs/http-api.md").read_text())[1]
    assert "http://localhost:8080/datasets/sample" in found
    return found.replace("http://localhost:8080/datasets/sample", url)


def logged(browser, pages, url, change):
    """The lines that the script logs. Once there is one, the dataset is changed, and deleted at last."""

    def once_released():
        assert pages.released.wait(60)
        change()

    pages.released.clear()
    with concurrent.futures.ThreadPoolExecutor() as threads:
        changed = threads.submit(once_released)
        lines = browser.job("events", url, script=script(url), release=pages.url + "/release")
        changed.result()
    return lines


def test_page_listens(browser, dataset, folder, pages):
    """The page is one of another site. It runs the script of the document, which ends with the dataset."""

    def change():
        append(dataset, folder, range(5, 9))
        assert curl("-X", "DELETE", dataset.url).status == 204

    assert logged(browser, pages, dataset.url, change) == [
        "version 2: append of 2 rows, now 5",
        "version 3: append of 4 rows, now 9",
        "version 4: delete of 0 rows, now 0",
    ]


def test_page_resumes(browser, folder, pages):
    """The page's own EventSource connects again, after a cut and to a service that was away."""
    service = Service(folder / "resumed", **{"quiver.cors.allowed-origins": pages.url})
    try:
        dataset = upload(service, "resumed", written(folder, range(3)))
        with Proxy(service.port) as proxy:

            def await_connection(count):
                deadline = time.monotonic() + 60
                while len(proxy.requests) < count:
                    assert time.monotonic() < deadline, "the page has not connected again"
                    time.sleep(0.05)

            def change():
                proxy.cut()
                append(dataset, folder, range(3, 5))
                await_connection(2)
                append(dataset, folder, range(5, 9))
                service.stop()
                service.start()
                proxy.port = service.port
                append(dataset, folder, range(9, 10))
                await_connection(3)
                append(dataset, folder, range(10, 12))
                assert curl("-X", "DELETE", dataset.url).status == 204

            lines = logged(browser, pages, f"{proxy.url}/datasets/resumed", change)
    finally:
        service.stop()
    assert lines == [
        "version 1: upload of 3 rows, now 3",
        "version 2: append of 2 rows, now 5",
        "version 3: append of 4 rows, now 9",
        "version 4: append of 1 rows, now 10",
        "version 5: append of 2 rows, now 12",
        "version 6: delete of 0 rows, now 0",
    ]
    assert {request.path for request in proxy.requests} == {"/datasets/resumed/events"}
    resumed = [request.last_event_id for request in proxy.requests]
    assert resumed in (["", "1", "2"], ["", "1", "3"])

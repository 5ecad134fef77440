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
from service import TOP, curl

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
    metrics = curl(service.url + "/metrics").body.decode()
    return float(re.search(r"^quiver_waiting_requests(?:\{.*})? (\S+)$", metrics, re.MULTILINE)[1])


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
    assert curl("-X", "POST", dataset.url + "/compact").json()["kind"] == "compaction"
    assert curl("-X", "DELETE", dataset.url).status == 204
    expected = [(2, "append", 2, 5), (3, "append", 4, 9), (5, "delete", 0, 0)]
    assert what in ("an event for each version", "the events after version 1")
    assert events(output()) == expected


def test_page_listens(browser, dataset, folder, pages):
    """The page is one of another site. It runs the script of the document, which ends with the dataset."""
    script = SCRIPT.search((TOP / "src/docs/http-api.md").read_text())[1]
    script = script.replace("http://localhost:8080/datasets/sample", dataset.url)

    def change():
        assert pages.released.wait(60)
        append(dataset, folder, range(5, 9))
        assert curl("-X", "DELETE", dataset.url).status == 204

    pages.released.clear()
    with concurrent.futures.ThreadPoolExecutor() as threads:
        changed = threads.submit(change)
        logged = browser.job("events", dataset.url, script=script, release=pages.url + "/release")
        changed.result()
    assert logged == [
        "version 2: append of 2 rows, now 5",
        "version 3: append of 4 rows, now 9",
        "version 4: delete of 0 rows, now 0",
    ]

"""Each client reads every Arrow type from the service.

The catalogue's tables are uploaded as streams and as files, in each codec. Each client reads them
whole, by batch and by range of batches, and must find the uploaded values unless it has a waiver.
"""

import base64
import concurrent.futures
import dataclasses
import http.client
import itertools
import json
import multiprocessing
import re
import shutil
import subprocess

import pyarrow as pa
import pytest

import polars_reader
import support
import tables
from catalogue import KINDS, ROWS
from conftest import NODE_MODULES, need
from plain import javascript, plain, same
from service import TOP

PARTS = {
    None: (".arrow", ".arrows", "/batches/0", "/batches/0-1"),
    "lz4": (".arrow", "/batches/0-1"),
    "zstd": (".arrows", "/batches/0"),
}
"""The parts to read, by the codec of the upload. Each client reads every pair of codec and format."""

SCANNED = (None, "zstd")
"""Codecs whose files are also scanned by polars."""

GROWING = "dictionary, growing"


@dataclasses.dataclass(frozen=True)
class Upload:
    """A table of the catalogue as a dataset. Empty tables are uploaded in two ways only."""

    kind: str
    codec: str | None
    way: str
    empty: bool

    @property
    def name(self):
        number = list(KINDS).index(self.kind)
        return f"type-{number}-{self.way}-{self.codec or 'plain'}{'-empty' * self.empty}"

    def body(self):
        kind = KINDS[self.kind]
        batches = kind.batches((0,) if self.empty else ROWS)
        # A file has one dictionary per id, so pyarrow has to unify the dictionaries of a table.
        unify = self.way == "file" and self.kind == GROWING
        options = pa.ipc.IpcWriteOptions(compression=self.codec, unify_dictionaries=unify)
        make = pa.ipc.new_stream if self.way == "stream" else pa.ipc.new_file
        sink = pa.BufferOutputStream()
        with make(sink, kind.schema(), options=options) as writer:
            if unify:
                writer.write_table(pa.Table.from_batches(batches))
            else:
                for batch in batches:
                    writer.write_batch(batch)
        return sink.getvalue().to_pybytes()


REFERENCE = ("zstd", "stream", False)
"""The upload to read directly from pyarrow, to show that a failure is the client's fault."""

UPLOADS = [
    Upload(kind, codec, way, False)
    for kind, codec, way in itertools.product(KINDS, tables.CODECS, ("stream", "file"))
] + [
    Upload(kind, codec, way, True)
    for kind, (codec, way) in itertools.product(KINDS, ((None, "stream"), ("zstd", "file")))
]


@dataclasses.dataclass
class Served:
    """A dataset, the expected content of its parts, and the differences that pyarrow found."""

    upload: Upload
    url: str
    expected: dict
    messages: list
    dictionaries: list
    failures: dict


def fetch(connection, method, path, body=None):
    connection.request(method, path, body)
    response = connection.getresponse()
    content = response.read()
    assert response.status in (200, 201), f"{method} {path}: {response.status} {content[:500]}"
    return content


def serve(service, upload, tables_by_kind):
    connection = http.client.HTTPConnection("localhost", service.port)
    path = f"/datasets/{upload.name}"
    fetch(connection, "PUT", path + "?batches=keep", upload.body())
    index = json.loads(fetch(connection, "GET", path + "/batches?count=1000"))
    rows = [batch["rows"] for batch in index["batches"]]
    table = tables_by_kind[upload.kind, upload.empty]
    expected = {part: table for part in PARTS[upload.codec]}
    for part, count in (("/batches/0", 1), ("/batches/0-1", 2)):
        if part in expected and count <= len(rows):
            expected[part] = table.slice(0, sum(rows[:count]))
        else:
            expected.pop(part, None)
    failures, messages = {}, []
    for part, expected_table in expected.items():
        content = fetch(connection, "GET", path + part)
        failure = pyarrow_failure(part, content, expected_table)
        if failure:
            failures[upload.name + part] = failure
        if part == ".arrows":
            messages = [message.type for message in pa.ipc.MessageReader.open_stream(content)]
    connection.close()
    dictionaries = [dictionary["id"] for dictionary in index["dictionaries"]]
    return Served(upload, service.url + path, expected, messages, dictionaries, failures)


def pyarrow_failure(part, content, expected_table):
    try:
        opened = (pa.ipc.open_file if part == ".arrow" else pa.ipc.open_stream)(content)
        table = opened.read_all()
        table.validate(full=True)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if not table.schema.equals(expected_table.schema, check_metadata=True):
        return f"the schema {table.schema}"
    # Unified dictionaries have other indices for the same values.
    different = [
        name
        for name in expected_table.column_names
        if not table[name].equals(expected_table[name]) and plain(table[name]) != plain(expected_table[name])
    ]
    return f"other values of {different}" if different else None


@pytest.fixture(scope="session")
def served(services):
    """All uploads, read by pyarrow."""
    service = services("default memory")
    originals = {
        (name, empty): pa.ipc.open_stream(Upload(name, None, "stream", empty).body()).read_all()
        for name in KINDS
        for empty in (False, True)
    }
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda upload: serve(service, upload, originals), UPLOADS))


@pytest.fixture(scope="session")
def values(served):
    """The values of each part by column, computed once."""
    cache = {}

    def of(dataset, part):
        table = dataset.expected[part]
        key = (dataset.upload.kind, dataset.upload.empty, table.num_rows)
        if key not in cache:
            cache[key] = {name: plain(table[name]) for name in table.column_names}
        return cache[key]

    return of


def by_kind(failures):
    """Failures by kind, then by part. Without a dataset, the part was read from pyarrow."""
    found = {}
    for dataset, part, failure in failures:
        if failure:
            kind = dataset.upload.kind if dataset else part
            read = dataset.upload.name + part if dataset else support.AS_WRITTEN
            found.setdefault(kind, {})[read] = failure
    return found


@pytest.fixture(scope="session")
def polars_failures(served, values, javascript_lines):
    need("polars")
    found = []
    with PolarsProcess() as process:
        for dataset in served:
            for part in dataset.expected:
                actual = process.read(part, dataset.url)
                found.append((dataset, part, difference(values(dataset, part), actual)))
            if dataset.expected and dataset.upload.codec in SCANNED:
                actual = process.read("scan", dataset.url)
                found.append((dataset, "scan", difference(values(dataset, ".arrows"), actual)))
        for kind in support.waived("polars"):
            actual = process.read(".arrows", Upload(kind, *REFERENCE).body())
            found.append((None, kind, actual if isinstance(actual, str) else None))
    return by_kind(found)


class PolarsProcess:
    """A process that is replaced after a panic has ended it."""

    def __enter__(self):
        spawn = multiprocessing.get_context("spawn")
        self.pool = concurrent.futures.ProcessPoolExecutor(1, mp_context=spawn)
        return self

    def __exit__(self, *_):
        self.pool.shutdown()

    def read(self, part, url):
        try:
            return self.pool.submit(polars_reader.read, part, url).result(60)
        except concurrent.futures.process.BrokenProcessPool:
            self.__enter__()
            return "polars ended its process"


@pytest.fixture(scope="session")
def javascript_lines(served):
    """The future output of readers.mjs in Node, or None if Node is not installed."""
    if shutil.which("node") is None or not NODE_MODULES.is_dir():
        yield None
        return
    urls = [dataset.url + part for dataset in served for part in dataset.expected]
    urls += [data_url(kind) for kind in support.waived("arrow-js") | support.waived("flechette")]
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        yield pool.submit(
            subprocess.run,
            ["node", TOP / "src/test/clients/readers.mjs", NODE_MODULES.parent],
            input=json.dumps(urls),
            capture_output=True,
            text=True,
            timeout=300,
        )


def data_url(kind):
    """A `data:` URL with the stream as pyarrow writes it."""
    body = base64.b64encode(Upload(kind, *REFERENCE).body()).decode()
    return "data:application/vnd.apache.arrow.stream;base64," + body


@pytest.fixture(scope="session")
def javascript_failures(served, values, javascript_lines):
    need("node", "apache-arrow", "@uwdata/flechette")
    done = javascript_lines.result()
    results = {line["url"]: line for line in map(json.loads, done.stdout.splitlines())}
    lost = dict.fromkeys(("arrow-js", "flechette"), f"node ended: {done.stderr[-500:]}")
    found = {client: [] for client in lost}
    for dataset, part in ((dataset, part) for dataset in served for part in dataset.expected):
        schema = dataset.expected[part].schema
        expected_values = {
            name: [javascript(schema.field(name).type, value) for value in column]
            for name, column in values(dataset, part).items()
        }
        for client, failures in found.items():
            response = results.get(dataset.url + part, lost)[client]
            failures.append((dataset, part, difference(expected_values, response)))
    for client, failures in found.items():
        for kind in support.waived(client):
            response = results.get(data_url(kind), lost)[client]
            failures.append((None, kind, response if isinstance(response, str) else None))
    return {client: by_kind(failures) for client, failures in found.items()}


def difference(expected, actual):
    """The difference between the values of a client and the expected ones, or None."""
    if isinstance(actual, str):
        return actual
    if list(actual) != list(expected):
        return f"the columns {list(actual)}"
    for name, column in expected.items():
        if not same(column, actual[name]):
            return f"{name}: {actual[name]} instead of {column}"
    return None


@pytest.mark.parametrize("kind", KINDS)
def test_pyarrow_reads_kind(served, kind):
    found = {}
    for dataset in served:
        if dataset.upload.kind == kind:
            found |= dataset.failures
    support.expect_only_waived_failures("pyarrow", kind, found)


@pytest.mark.parametrize("kind", KINDS)
def test_polars_reads_kind(polars_failures, kind):
    support.expect_only_waived_failures("polars", kind, polars_failures.get(kind, {}))


@pytest.mark.parametrize("client", ["arrow-js", "flechette"])
@pytest.mark.parametrize("kind", KINDS)
def test_javascript_reads_kind(javascript_failures, client, kind):
    support.expect_only_waived_failures(client, kind, javascript_failures[client].get(kind, {}))


def test_stream_has_one_dictionary_per_id_before_the_batches(served):
    with_dictionaries = 0
    for dataset in served:
        ids, messages = dataset.dictionaries, dataset.messages
        if ".arrows" in dataset.expected:
            with_dictionaries += bool(ids)
            assert len(set(ids)) == len(ids), dataset
            head, batches = ["schema"] + ["dictionary"] * len(ids), messages[len(ids) + 1 :]
            assert messages == head + ["record batch"] * len(batches), dataset
    assert with_dictionaries > 100


def test_every_waiver_matches_a_kind():
    assert support.unused() == []


def test_table_of_clients_agrees_with_the_waivers():
    document = (TOP / "src/docs/clients.md").read_text()
    found = re.search(r"^\| client \| what it does .*?(?=\n\n)", document, re.MULTILINE | re.DOTALL)
    assert found and found[0] == support.clients_table(), support.clients_table()


def test_table_of_types_agrees_with_the_waivers():
    lines = (TOP / "src/docs/formats-and-types.md").read_text().splitlines()
    start = lines.index("| type | read | write | validate | render |") + 2
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines[start:])
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]
    letters = "".join(support.LETTERS.values())
    found = {
        name.strip("`"): ["".join(l for l in cell if l.upper() in letters) for cell in others]
        for name, *others in cells
    }
    assert found == support.types_table()

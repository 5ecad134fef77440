"""Two services on one bucket, with writers and readers, while connections break, processes die and the disk fills."""

import collections
import concurrent.futures
import contextlib
import http.client
import json
import random
import re
import threading
import time
import urllib.parse
import uuid

import numpy
import pyarrow as pa

from bucket import Bucket, Disk
from history import ABSENT, APPEND, COMPACTION, DELETE, UPLOAD, History, Read, Version, Write
from service import Service, threads
from unreliable import UnreliableProxy

WRITERS = 8
READERS = 8
SHARED = 2
DISK_BYTES = 1 << 30
MAXIMUM_ROWS = 20_000
WORDS = 3
SCHEMA = pa.schema(
    [
        pa.field("writer", pa.int32(), nullable=False),
        pa.field("sequence", pa.int32(), nullable=False),
        pa.field("row", pa.int32(), nullable=False),
        ("word", pa.dictionary(pa.int16(), pa.utf8())),
    ]
)
# The service may be busy, cannot reach the store, has no space, or lost the connection of a slow body.
EXCUSED = (408, 503, 507)
# Between two requests of a client, so that sixteen of them leave some time to the services.
THINKING_SECONDS = 0.03
PATIENCE_SECONDS = 60
KEPT_REQUESTS = 10_000
GRACE_SECONDS = 30
UPLOADS_EXPIRE_SECONDS = 60


def stream(writer, sequence, rows, codec):
    """The rows of a piece as a stream of one or two batches."""
    words = pa.array([word(writer, sequence, row) for row in range(WORDS)])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, SCHEMA, options=pa.ipc.IpcWriteOptions(compression=codec)) as target:
        for first, last in ((0, rows // 3), (rows // 3, rows)):
            numbers = numpy.arange(first, last, dtype=numpy.int32)
            columns = [
                numpy.full(len(numbers), writer, numpy.int32),
                numpy.full(len(numbers), sequence, numpy.int32),
                numbers,
                pa.DictionaryArray.from_arrays(pa.array(numbers % WORDS, pa.int16()), words),
            ]
            if len(numbers):
                target.write_batch(pa.record_batch(columns, schema=SCHEMA))
    return sink.getvalue().to_pybytes()


def word(writer, sequence, row):
    return f"w{writer}s{sequence}r{row % WORDS}"


def pieces(body):
    """The pieces in a stream, in order. Rows that belong to no piece become a piece that no writer sent."""
    table = pa.ipc.open_stream(body).read_all()
    if not table.num_rows:
        return ()
    writer, sequence, row = (table[name].to_numpy() for name in ("writer", "sequence", "row"))
    same = (writer[1:] == writer[:-1]) & (sequence[1:] == sequence[:-1]) & (row[1:] == row[:-1] + 1)
    starts = numpy.concatenate([[0], numpy.flatnonzero(~same) + 1, [len(row)]])
    words = table["word"].cast(pa.utf8())
    found = []
    for first, end in zip(starts[:-1].tolist(), starts[1:].tolist()):
        piece = (int(writer[first]), int(sequence[first]), int(row[first]), end - first)
        for index in {first, min(first + 1, end - 1), end - 1}:
            if words[index].as_py() != word(piece[0], piece[1], int(row[index])):
                piece += (f"with {words[index]} at row {row[index]}",)
        found.append(piece)
    return tuple(found)


class Unanswered(Exception):
    """No complete response came."""


class Soak:
    """The services, their bucket, and what their clients saw."""

    def __init__(self, folder, seed, **settings):
        self.folder = folder
        self.seed = seed
        self.history = History()
        self.disk = Disk(folder / "disk", DISK_BYTES)
        self.bucket = Bucket(self.disk.folder / "bucket")
        self.network = UnreliableProxy(self.bucket.port, f"{seed}/bucket")
        with concurrent.futures.ThreadPoolExecutor() as pool:
            self.services = list(pool.map(lambda i: self._start(f"replica-{i}", settings), range(2)))
        self.proxies = [UnreliableProxy(service.port, f"{seed}/{i}") for i, service in enumerate(self.services)]
        self.running = True
        self.errors = []
        self.kills = 0
        self.fillings = 0
        self.resumed = 0
        self.sent = collections.deque(maxlen=KEPT_REQUESTS)

    def _start(self, name, settings):
        credentials = {
            "aws.accessKeyId": Bucket.credentials["AWS_ACCESS_KEY_ID"],
            "aws.secretAccessKey": Bucket.credentials["AWS_SECRET_ACCESS_KEY"],
        }
        return Service(
            self.folder / name,
            ["-Xmx512m", *(f"-D{key}={value}" for key, value in credentials.items())],
            **{
                "quiver.storage.s3.bucket": Bucket.name,
                "quiver.storage.s3.endpoint": f"http://127.0.0.1:{self.network.own_port}",
                "quiver.storage.s3.region": "us-east-1",
                "quiver.storage.s3.path-style": "true",
                "quiver.storage.cache-path": self.disk.folder / name,
                "quiver.storage.cache-bytes": "64MB",
                "quiver.compaction.extents": "12",
                # Short enough for all work in the background to be done between two kills of a service.
                "quiver.storage.grace-period": f"{GRACE_SECONDS}s",
                "quiver.limits.upload-seconds": GRACE_SECONDS // 3,
                "quiver.scrub.period": "5s",
                "quiver.scrub.bytes-per-second": "100MB",
                "quiver.uploads.expires": f"{UPLOADS_EXPIRE_SECONDS}s",
                "quiver.audit.path": self.folder / name / "audit.jsonl",
                # The machine may be busy.
                "quiver.where.timeout": "60s",
            },
            **settings,
        )

    def close(self):
        for proxy in (*self.proxies, self.network):
            proxy.faulty = False
            proxy.close()
        for service in self.services:
            service.kill()
        self.bucket.stop()
        self.disk.close()

    # Requests

    def send(self, replica, method, path, body=None, headers=None):
        """A complete response: its status, headers and body."""
        id = uuid.uuid4().hex
        try:
            status, told, received = self._send(replica, method, path, body, (headers or {}) | {"X-Request-Id": id})
        except Unanswered as error:
            self.sent.append((id, f"{time.monotonic():.2f} {replica} {error}"))
            raise
        self.sent.append((id, f"{time.monotonic():.2f} {replica} {method} {path}: {status} {received[:300]}"))
        return status, told, received

    def trail(self, path):
        """The latest requests to a path, their responses, and the lines of the audit logs about them."""
        sent = [(id, line) for id, line in list(self.sent) if path in line]
        found = [line for _, line in sent]
        for log in self.folder.glob("*/audit.jsonl"):
            lines = log.read_text(errors="replace").splitlines()
            found += [line for line in lines if any(id in line for id, _ in sent)]
        return "\n".join(found)

    def _send(self, replica, method, path, body, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.proxies[replica].own_port, timeout=60)
        try:
            with contextlib.closing(connection):
                connection.request(method, path, body, headers or {})
                response = connection.getresponse()
                received = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Unanswered(f"{method} {path}: {error!r}") from None
        # The library takes a head that was cut for a whole one.
        framed = response.status == 204 or response.chunked or response.headers["Content-Length"]
        if not framed or (method == "HEAD" and response.status == 200 and not response.headers["Quiver-Version"]):
            raise Unanswered(f"{method} {path}: a head that was cut")
        if response.status == 503 and b"problem:damaged" in received:
            self.history.report("damage", f"{method} {path}: {received[:500]}")
            return response.status, response.headers, received
        if response.status >= 500 and response.status not in EXCUSED:
            self.history.report("failure", f"{method} {path}: {response.status} {received[:500]}")
        if response.status in EXCUSED:
            raise Unanswered(f"{method} {path}: {response.status} {received[:500]}")
        return response.status, response.headers, received

    def send_in_parts(self, chance, method, path, body, headers):
        """The response to a resumable upload. Each of its requests goes to either service."""
        started = headers | {"Upload-Complete": "?0", "Upload-Length": str(len(body))}
        status, told, answer = self.send(chance.randrange(2), method, path, b"", started)
        if status != 201 or not told["Location"].startswith("/uploads/"):
            return status, told, answer
        upload, offset, interrupted = told["Location"], 0, False
        for _ in range(30):
            end = min(len(body), offset + chance.randrange(1, len(body)))
            part = {"Upload-Offset": str(offset), "Upload-Complete": "?1" if end == len(body) else "?0"}
            part["Content-Type"] = "application/partial-upload"
            try:
                status, told, answer = self.send(chance.randrange(2), "PATCH", upload, body[offset:end], part)
                if status == 204:
                    offset = end
                elif status == 404:
                    # Such as with 409, if it may have been stored before a deletion. That response was lost.
                    if not interrupted:
                        self.history.report("failure", f"{method} {path} by {upload}\n{self.trail(upload)}")
                    raise Unanswered(f"PATCH {upload}: it was refused")
                elif status not in (409, 423) and b"#completed-upload" not in answer:
                    self.resumed += interrupted
                    return status, told, answer
            except Unanswered:
                interrupted = True
            if status != 204 or interrupted:
                offset = self.offset(chance, upload, offset)
        raise Unanswered(f"{method} {path} by {upload}")

    def offset(self, chance, upload, known):
        """Where an upload goes on."""
        try:
            status, told, _ = self.send(chance.randrange(2), "HEAD", upload)
        except Unanswered:
            return known
        if status == 404:
            raise Unanswered(f"HEAD {upload}: it was refused, and the response lost")
        return int(told["Upload-Offset"] or known)

    def persist(self, *request):
        """A response however long the services take for it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        replica = 0
        while True:
            try:
                return self.send(replica, *request)
            except Unanswered:
                if time.monotonic() > deadline:
                    raise
                replica = 1 - replica
                time.sleep(0.2)

    # Faults

    def run(self, seconds, actors, calm=False):
        """Runs actors for some time, then waits until they are done and the store is at rest."""
        threads = [threading.Thread(target=self._guarded, args=(actor,)) for actor in actors]
        for proxy in (*self.proxies, self.network):
            proxy.faulty = not calm
        self.running = True
        for thread in threads:
            thread.start()
        try:
            self._disturb(seconds) if not calm else time.sleep(seconds)
        finally:
            self.running = False
            for proxy in (*self.proxies, self.network):
                proxy.faulty = False
            for thread in threads:
                thread.join()
        assert not self.errors, self.errors

    def _guarded(self, actor):
        try:
            while self.running:
                actor()
                time.sleep(THINKING_SECONDS)
        except BaseException as error:
            self.errors.append(error)
            raise

    def _disturb(self, seconds):
        """Kills a service and fills the disk now and then."""
        chance = random.Random(f"{self.seed}/faults")
        deadline = time.monotonic() + seconds
        kills = True
        while (left := deadline - time.monotonic()) > 0:
            time.sleep(min(left, chance.uniform(2, 6)))
            if kills:
                self._restart(chance.randrange(len(self.services)))
            elif self.disk.mounted:
                self._fill(chance.uniform(0.5, 2))
            kills = not kills

    def _fill(self, seconds):
        self.disk.fill()
        self.fillings += 1
        time.sleep(seconds)
        self.disk.free()

    def _restart(self, replica):
        service = self.services[replica]
        service.kill()
        self.kills += 1
        try:
            service.start()
        except RuntimeError as error:
            raise RuntimeError(f"{error}\nThe bucket:\n{self.bucket.log.read_text(errors='replace')}\n{threads(self.bucket.process.pid)}") from None
        self.proxies[replica].port = service.port

    # The content of the store at rest

    def versions(self, dataset):
        """All versions of a dataset, in order, or None if one cannot be read, which is reported."""
        listed = []
        path = f"/datasets/{dataset}/versions?compactions=true&limit=1000"
        while path:
            status, _, body = self.persist("GET", path)
            if status != 200:
                self.history.report("failure", f"GET {path}: {status} {body[:500]}")
                return None
            document = json.loads(body)
            listed += document["versions"]
            path = document.get("next")
        found = []
        for version in reversed(listed):
            path = f"/datasets/{dataset}@{version['version']}.arrows"
            status, _, body = self.persist("GET", path)
            if status != 200:
                self.history.report("failure", f"GET {path}: {status} {body[:500]}")
                return None
            found.append(Version(version["version"], version["kind"], pieces(body)))
        return found

    def check(self, shared, own):
        """Compares what everybody saw with what the store has. Returns all anomalies."""
        for dataset in shared:
            versions = self.versions(dataset)
            if versions is not None:
                self.history.check_shared(dataset, versions)
        for dataset in own:
            # A response that is not a version is reported.
            with contextlib.suppress(Unanswered):
                Reader(self, "the end", (), own).read_own(dataset)
            self.history.check_own(dataset)
        for dataset in (*shared, *own):
            status, _, body = self.persist("POST", f"/datasets/{dataset}/verify")
            if status not in (200, 404, 410):
                self.history.report("damage", f"verify {dataset}: {status} {body[:500]}")
        # Reads without a whole response, and checks of the whole store, tell of it in the log alone.
        for line in self.logged(r"Expected the bytes of .* but found damaged ones .*"):
            if any(dataset in line for dataset in (*shared, *own)):
                self.history.report("damage", line)
        return self.history.anomalies

    def logged(self, pattern):
        """The matches of a pattern in the logs of the services."""
        logs = [service.log.read_text(errors="replace") for service in self.services]
        return [found[0] for log in logs for found in re.finditer(pattern, log)]

    def await_background(self):
        """Waits until blobs were collected, the whole store was checked, and no abandoned upload is left."""
        deadline = time.monotonic() + 2 * PATIENCE_SECONDS
        while waiting := self._expected_of_background():
            assert time.monotonic() < deadline, waiting
            time.sleep(0.5)

    def _expected_of_background(self):
        expected = {
            "blobs are collected": self.logged(r"Deleted \d+ versions and [1-9]\d* blobs"),
            "the store is checked": self.logged(r"Checked [1-9]\d* blobs"),
            "abandoned uploads are swept": not self.bucket.has("upload"),
        }
        return [sentence for sentence, done in expected.items() if not done]


    def logged_errors(self):
        """The errors in the logs of the services, each with the start of its stack trace."""
        found = []
        for service in self.services:
            lines = service.log.read_text(errors="replace").splitlines()
            for i, line in enumerate(lines):
                if " ERROR " in line:
                    found.append("\n".join(lines[i : i + 12]))
        return "\n".join(found[:5])


class Actor:
    """A client whose choices follow from the seed."""

    def __init__(self, soak, name):
        self.soak = soak
        self.history = soak.history
        self.random = random.Random(f"{soak.seed}/{name}")

    def replica(self):
        return self.random.randrange(2)

    def submit(self, method, path, body, headers):
        """A response to a write, whose body goes in one request or in several."""
        if body and self.random.random() < 0.25:
            return self.soak.send_in_parts(self.random, method, path, body, headers)
        return self.soak.send(self.replica(), method, path, body, headers)


class SharedWriter(Actor):
    """Appends to datasets to which others append, too; replaces and compacts them now and then."""

    def __init__(self, soak, number, datasets, prefix=""):
        super().__init__(soak, f"{prefix}writer {number}")
        self.number = number
        self.datasets = datasets
        self.prefix = prefix
        self.sequence = 0

    def __call__(self):
        dataset = self.random.choice(self.datasets)
        dice = self.random.random()
        if dice < 0.8:
            self.write(dataset, APPEND)
        elif dice < 0.9:
            self.write(dataset, UPLOAD)
        else:
            self.compact(dataset)

    def next_piece(self):
        self.sequence += 1
        rows = self.random.randrange(1, MAXIMUM_ROWS if self.random.random() < 0.1 else 40)
        return (self.number, self.sequence, 0, rows)

    def body(self, piece):
        return stream(piece[0], piece[1], piece[3], self.random.choice([None, "lz4", "zstd"]))

    def write(self, dataset, kind):
        """Sends a piece of the next number. Returns what is known of the request."""
        piece = self.next_piece()
        body = self.body(piece)
        start = time.monotonic()
        version = end = None
        # Only an append has a key, so only an append can be sent again.
        for _ in range(5 if kind == APPEND else 1):
            with contextlib.suppress(Unanswered):
                version = self.send(dataset, kind, piece, body)
                end = time.monotonic()
                break
            time.sleep(THINKING_SECONDS)
        write = Write(dataset, kind, piece, start, end, version)
        self.history.add(write)
        return write

    def send(self, dataset, kind, piece, body):
        headers = {"Content-Type": "application/vnd.apache.arrow.stream"}
        if kind == APPEND:
            headers["Idempotency-Key"] = f"{self.prefix}{piece[0]}-{piece[1]}"
        method = "POST" if kind == APPEND else "PUT"
        status, _, answer = self.submit(method, f"/datasets/{dataset}", body, headers)
        if status not in (200, 201):
            self.history.report("failure", f"{method} {dataset}: {status} {answer[:500]}")
            raise Unanswered(answer)
        return json.loads(answer)["version"]

    def compact(self, dataset):
        with contextlib.suppress(Unanswered):
            status, _, answer = self.soak.send(self.replica(), "POST", f"/datasets/{dataset}/compact")
            if status not in (200, 404):
                self.history.report("failure", f"compact {dataset}: {status} {answer[:500]}")


class OwnWriter(SharedWriter):
    """Does anything with a dataset of its own. Each write holds only for the version that the writer knows."""

    def __init__(self, soak, number, dataset, prefix=""):
        super().__init__(soak, number, [dataset], prefix + "own ")
        self.dataset = dataset
        self.contents = ABSENT
        self.etag = None

    def __call__(self):
        piece = None
        dice = self.random.random()
        method, path, body = "POST", f"/datasets/{self.dataset}", None
        headers = {"If-Match": self.etag} if self.etag else {"If-None-Match": "*"}
        if self.contents is ABSENT or dice < 0.2:
            kind, method, piece = UPLOAD, "PUT", self.next_piece()
            after = (piece,)
        elif dice < 0.65:
            kind, piece = APPEND, self.next_piece()
            after = (*self.contents, piece)
        elif dice < 0.8:
            kind, path, headers, after = COMPACTION, path + "/compact", {}, self.contents
        else:
            kind, method, after = DELETE, "DELETE", ABSENT
        if piece:
            body = self.body(piece)
        start = time.monotonic()
        try:
            status, _, answer = self.submit(method, path, body, headers)
        except Unanswered:
            self.history.add(Write(self.dataset, kind, piece, start, None, None, after))
            self.find_out()
            return
        if status == 412 or (kind in (COMPACTION, DELETE) and status in (404, 410)):
            # An earlier request without a response was done meanwhile.
            self.find_out()
        elif status in (200, 201, 204):
            end = time.monotonic()
            document = json.loads(answer) if answer else {}
            if kind != COMPACTION:
                self.history.add(
                    Write(self.dataset, kind, piece, start, end, document.get("version"), after)
                )
            self.contents = after
            self.etag = document.get("etag")
        else:
            self.history.report("failure", f"{method} {path}: {status} {answer[:500]}")

    def find_out(self):
        reader = Reader(self.soak, f"{self.prefix}{self.dataset} {self.sequence}", (), [self.dataset])
        while self.soak.running:
            with contextlib.suppress(Unanswered):
                self.contents, self.etag = reader.read_own(self.dataset)
                return
            time.sleep(0.1)


class Reader(Actor):
    """Reads whole versions, by ranges, by a condition, and what was appended since."""

    def __init__(self, soak, name, shared, own):
        super().__init__(soak, f"reader {name}")
        self.shared = shared
        self.own = own
        self.seen = {}

    def __call__(self):
        with contextlib.suppress(Unanswered):
            if self.random.random() < 0.4:
                self.read_own(self.random.choice(self.own))
                return
            dataset = self.random.choice(self.shared)
            self.random.choice([self.whole, self.whole, self.ranges, self.condition, self.since])(dataset)

    def get(self, path, **query):
        text = "?" + urllib.parse.urlencode(query) if query else ""
        return self.soak.send(self.replica(), "GET", f"/datasets/{path}{text}")

    def note(self, dataset, start, headers, body, selection="all"):
        version = int(headers["Quiver-Version"])
        self.history.add(Read(dataset, start, time.monotonic(), version, pieces(body), selection))
        self.seen[dataset] = version

    def whole(self, dataset):
        start = time.monotonic()
        status, headers, body = self.get(f"{dataset}.arrows")
        if status == 200:
            self.note(dataset, start, headers, body)
        elif status == 404:
            self.history.add(Read(dataset, start, time.monotonic(), None, ABSENT))
        else:
            self.history.report("failure", f"GET {dataset}: {status} {body[:500]}")

    def ranges(self, dataset):
        """Three ranges of one version, each from either service."""
        start = time.monotonic()
        status, headers, _ = self.soak.send(self.replica(), "HEAD", f"/datasets/{dataset}.arrows")
        if status != 200:
            return
        version = int(headers["Quiver-Version"])
        location, length = f"/datasets/{dataset}@{version}.arrows", int(headers["Content-Length"])
        body = b""
        for first, last in ((0, length // 3), (length // 3, length // 2), (length // 2, length)):
            if first == last:
                continue
            wanted = {"Range": f"bytes={first}-{last - 1}"}
            status, _, part = self.soak.send(self.replica(), "GET", location, None, wanted)
            if status != 206 or len(part) != last - first:
                self.history.report("failure", f"GET {location} {wanted}: {status} {part[:500]}")
                return
            body += part
        self.note(dataset, start, headers, body)

    def condition(self, dataset):
        writer = self.random.randrange(WRITERS)
        start = time.monotonic()
        status, headers, body = self.get(f"{dataset}.arrows", where=f"writer = {writer}")
        if status == 200:
            self.note(dataset, start, headers, body, ("writer", writer))

    def since(self, dataset):
        since = self.seen.get(dataset)
        if since is None:
            self.whole(dataset)
            return
        start = time.monotonic()
        status, headers, body = self.get(f"{dataset}.arrows", since=since)
        if status == 200:
            self.note(dataset, start, headers, body, ("since", since))
        elif status == 409:
            self.whole(dataset)
        else:
            self.history.report("failure", f"GET {dataset}?since={since}: {status} {body[:500]}")

    def read_own(self, dataset):
        """Returns the contents of a dataset, and its tag."""
        start = time.monotonic()
        status, headers, body = self.get(f"{dataset}.arrow")
        if status in (404, 410):
            self.history.add(Read(dataset, start, time.monotonic(), None, ABSENT))
            return ABSENT, None
        if status != 200:
            self.history.report("failure", f"GET {dataset}: {status} {body[:500]}")
            raise Unanswered(body)
        contents = file_pieces(body)
        self.history.add(Read(dataset, start, time.monotonic(), int(headers["Quiver-Version"]), contents))
        return contents, headers["ETag"]


def file_pieces(body):
    sink = pa.BufferOutputStream()
    table = pa.ipc.open_file(body).read_all()
    with pa.ipc.new_stream(sink, table.schema) as target:
        target.write_table(table)
    return pieces(sink.getvalue())

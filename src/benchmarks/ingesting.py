"""Benchmarks of uploads."""

import filecmp
import functools
import itertools

import data
from measuring import Side
from peers import Nginx, Worker, compiled, java_flight, quiver
from wire import Connection

LAYOUT = {"quiver.ingest.level": "layout"}
UNSYNCED = {"quiver.storage.sync": "false"}
# A stored file begins with these bytes, followed by the stream.
MAGIC_BYTES = 8
# Rounds until the JIT compiler is done. An upload has about a hundred batches, and each makes only
# a few calls. Meanwhile the compiler occupies a core.
WARM_UP = 60


class Uploads:
    """One stream, uploaded repeatedly. Speeds are of its bytes, or of `byte_size` if given."""

    NAMES = (f"uploaded-{i}" for i in itertools.count())

    def __init__(self, service, source, byte_size=None):
        self.service = service
        self.source = source
        self.byte_size = byte_size
        self.connection = Connection(service.port)

    def side(self, name):
        return Side(name, self.put, [self.service.process.pid], self.settle)

    def put(self):
        sent = self.connection.put(f"/datasets/{next(self.NAMES)}?batches=keep", self.source)
        return self.byte_size or sent

    def settle(self):
        """Compares the stored bytes, and deletes them before they fill the disk."""
        blobs = sorted(self.service.storage.rglob("*.arrow"))
        assert len(blobs) == 1, f"Expected one blob but found {blobs}"
        with blobs[0].open("rb") as stored, self.source.open("rb") as sent:
            stored.seek(MAGIC_BYTES)
            for piece in iter(lambda: sent.read(1 << 20), b""):
                assert stored.read(len(piece)) == piece, f"{blobs[0]} differs from the upload"
        blobs[0].unlink()


def put(bench):
    """PUT, against nginx with DAV, Flight's DoPut, and Quiver itself without validation or compression"""
    integers = bench.stream("integers", data.integers)
    services = Services(bench)

    def line(path, *sides):
        if bench.selects(path):
            bench.compare(path, [side for start in sides if (side := start())], warm_up=WARM_UP)

    def quiver_(source, **settings):
        return lambda: Uploads(services.get(**settings), source).side("quiver")

    def unchecked(source):
        return lambda: Uploads(services.get(**LAYOUT, **UNSYNCED), source).side("itself, layout only")

    line(
        "PUT, layout only, not synced",
        quiver_(integers, **LAYOUT, **UNSYNCED),
        lambda: bench.peer(lambda: dav(bench, integers)),
    )
    for name, make in (("ASCII", data.ascii_text), ("mixed", data.mixed_text)):
        text = bench.stream(f"{name}-text", make)
        for kernels, vector in (("vector", True), ("scalar", False)):
            path = f"PUT, {name} text validated, {kernels} kernels"
            line(path, quiver_(text, vector=vector, **UNSYNCED), unchecked(text))
    readings = bench.stream("readings", data.readings)
    byte_size = data.table(readings).nbytes
    for codec in ("lz4", "zstd"):

        def uploads(source, name):
            return lambda: Uploads(services.get(**UNSYNCED), source, byte_size).side(name)

        path = f"PUT, {codec} buffers validated, GB of Arrow data"
        line(path, uploads(data.compressed(readings, codec), "quiver"), uploads(readings, "itself, uncompressed"))
    flight = functools.cache(lambda: do_put(bench, integers))
    line("PUT, integers validated, not synced", quiver_(integers, **UNSYNCED), flight)
    line("PUT, integers validated, synced", quiver_(integers), flight)


class Services:
    """Services by their settings, each started when it is first needed."""

    def __init__(self, bench):
        self.bench = bench
        self.running = {}

    def get(self, vector=True, **settings):
        kind = (vector, *sorted(settings.items()))
        if kind not in self.running:
            folder = self.bench.folder / f"service-{len(self.running)}"
            self.running[kind] = self.bench.enter(quiver(folder, vector, **settings))
        return self.running[kind]


def do_put(bench, source):
    """Flight's DoPut; the client loads the batches into vectors before the clock starts."""
    server = java_flight(bench.stack, source)
    client = Worker(bench.stack, *compiled("TableClient", str(source)))
    byte_size = source.stat().st_size

    def discarded():
        return byte_size, client.ask("put", server.url)[0] / 1e9

    return Side("Flight DoPut, discarding", discarded, server.processes)


def dav(bench, source):
    nginx = Nginx(bench.folder / "nginx", bench.stack)
    connection = Connection(nginx.port)
    names = (f"uploaded-{i}.arrows" for i in itertools.count())

    def settle():
        for file in nginx.root.glob("uploaded-*"):
            assert filecmp.cmp(file, source, shallow=False), f"{file} differs from the upload"
            file.unlink()

    return Side("nginx", lambda: connection.put(f"/{next(names)}", source), nginx.processes, settle)

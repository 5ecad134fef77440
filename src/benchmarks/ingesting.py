"""What is uploaded."""

import filecmp
import itertools

import data
from measuring import Side
from peers import Nginx, quiver
from wire import Connection

VECTOR = ("--add-modules", "jdk.incubator.vector")
LAYOUT = {"quiver.ingest.level": "layout"}
UNSYNCED = {"quiver.storage.sync": "false"}
# What is before the stream in a stored file.
MAGIC_BYTES = 8


class Uploads:
    """A service of its own, to which one stream is uploaded again and again."""

    def __init__(self, bench, name, source, jvm=VECTOR, **settings):
        self.source = source
        self.service = bench.enter(quiver(bench.folder / name, jvm, **settings))
        self.connection = Connection(self.service.port)
        self.names = (f"uploaded-{i}" for i in itertools.count())
        self.first = True

    def side(self):
        return Side("quiver", self.put, [self.service.process.pid], self.settle)

    def put(self):
        return self.connection.put(f"/datasets/{next(self.names)}?batches=keep", self.source)

    def settle(self):
        """Looks at the bytes that were stored, and takes them away before they burden the disk."""
        blobs = sorted(self.service.storage.rglob("*.arrow"))
        assert len(blobs) == 1, f"one upload made {blobs}"
        with blobs[0].open("rb") as stored, self.source.open("rb") as sent:
            stored.seek(MAGIC_BYTES)
            for piece in iter(lambda: sent.read(1 << 20), b""):
                assert stored.read(len(piece)) == piece, f"{blobs[0]} is not what was uploaded"
        blobs[0].unlink()


def put(bench):
    """PUT of a dataset, against nginx's DAV, Flight's DoPut and without full validation"""
    source = bench.stream("integers", data.integers)
    if bench.wants("PUT layout only"):
        layout = Uploads(bench, "layout", source, **LAYOUT, **UNSYNCED)
        sides = [layout.side()]
        if nginx := bench.peer(lambda: Nginx(bench.folder / "nginx", bench.stack)):
            sides.append(dav(nginx, source))
        bench.compare("PUT layout only, not synced", sides)


def dav(nginx, source):
    connection = Connection(nginx.port)
    names = (f"uploaded-{i}.arrows" for i in itertools.count())

    def settle():
        for file in nginx.root.glob("uploaded-*"):
            assert filecmp.cmp(file, source, shallow=False), f"{file} is not what was uploaded"
            file.unlink()

    return Side("nginx", lambda: connection.put(f"/{next(names)}", source), nginx.processes, settle)

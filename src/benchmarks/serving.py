"""Benchmarks of reads without transformation: whole, by range and by batch."""

import functools
import urllib.request

import pyarrow as pa
from pyarrow import flight as arrow_flight

import data
from measuring import Side, repetitions
from peers import Iperf, Nginx, RangeClient, Worker, compiled, java_flight, pyarrow_flight, quiver
from wire import Connection

FILE = "/datasets/served.arrow"
STREAM = "/datasets/served.arrows"
BATCH_BYTES = 4 << 20
# Rounds with many small requests: the JIT compiler needs some thousands of them.
REQUESTS_WARM_UP = 8
# Rounds with few large requests.
BATCHES_WARM_UP = 40


class Endpoint:
    """A server, and a connection to it that stays open between rounds."""

    def __init__(self, name, port, processes):
        self.name = name
        self.port = port
        self.processes = processes
        self.connection = Connection(port)

    def side(self, work):
        return Side(self.name, functools.partial(work, self), self.processes)


class Served:
    """A dataset in a running service, and the same bytes at the same paths in nginx."""

    def __init__(self, bench, source):
        self.table = data.table(source)
        service = bench.enter(quiver(bench.folder / "service"))
        self.endpoints = [Endpoint("quiver", service.port, [service.process.pid])]
        self.endpoints[0].connection.put("/datasets/served?batches=keep", source)
        self.root = bench.folder / "nginx" / "root"
        if nginx := bench.peer(lambda: Nginx(bench.folder / "nginx", bench.stack)):
            self.endpoints.append(Endpoint("nginx", nginx.port, nginx.processes))

    def keep(self, path, expected):
        """Saves a response of the service for nginx to serve, after comparing it with the uploaded table."""
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as kept:
            self.endpoints[0].connection.save(path, kept)
        open_ = pa.ipc.open_file if path.endswith(".arrow") else pa.ipc.open_stream
        with pa.memory_map(str(file)) as mapped, open_(mapped) as reader:
            if not reader.read_all().equals(expected):
                raise AssertionError(f"Expected the uploaded table but found another at {path}")
        for endpoint in self.endpoints:
            endpoint.connection.compare(path, file)
        return file

    def sides(self, work):
        """Sides for all endpoints. `work` takes an endpoint and returns the number of bytes received."""
        return [endpoint.side(work) for endpoint in self.endpoints]


def get(bench):
    """GET of a whole dataset, four columns of int64, against nginx with sendfile and iperf3"""
    served = Served(bench, bench.stream("integers", data.integers))
    byte_size = served.keep(FILE, served.table).stat().st_size
    times = repetitions(byte_size)

    def drain(endpoint):
        return sum(endpoint.connection.drain(FILE) for _ in range(times))

    def copy(endpoint):
        return sum(endpoint.connection.copy(FILE) for _ in range(times))

    bench.compare("GET whole, draining client", served.sides(drain))
    bench.compare("GET whole, copying client", served.sides(copy))
    if iperf := bench.peer(lambda: Iperf(bench.stack)):
        peer = Side("iperf3", lambda: iperf.transfer(times * byte_size), iperf.processes)
        bench.compare("GET whole, copying clients", [served.endpoints[0].side(copy), peer])


def range_(bench):
    """GET of ranges at random positions over two connections, against nginx"""
    served = Served(bench, bench.stream("integers", data.integers))
    file = served.keep(FILE, served.table)
    client = RangeClient(bench.stack)
    for length, name in ((1 << 20, "1 MiB"), (64 << 10, "64 KiB"), (4 << 10, "4 KiB")):

        def load(endpoint, length=length):
            return client.load(endpoint.port, FILE, file, length, seconds=1)

        bench.compare(f"GET range of {name}", served.sides(load), warm_up=REQUESTS_WARM_UP)


def batch(bench):
    """GET of record batches of 4 MiB, against nginx with the same bytes as files"""
    rows = BATCH_BYTES // 32
    served = Served(bench, bench.stream("integers", data.integers, rows))
    batches = served.table.to_batches()
    paths = [f"/datasets/served/batches/{i}" for i in range(len(batches))]
    for path, one in zip(paths, batches):
        served.keep(path, pa.Table.from_batches([one]))

    times = repetitions(served.table.nbytes)

    def drain(endpoint):
        return sum(endpoint.connection.drain(path) for path in paths * times)

    bench.compare("GET batch of 4 MiB", served.sides(drain), warm_up=BATCHES_WARM_UP)


def flight(bench):
    """GET into a decoded table, against Arrow Flight's DoGet in Java and pyarrow"""
    source = bench.stream("integers", data.integers)
    service = bench.enter(quiver(bench.folder / "service"))
    with Connection(service.port) as connection:
        connection.put("/datasets/served?batches=keep", source)
    url = f"http://127.0.0.1:{service.port}{STREAM}"
    expected = data.table(source)

    java = java_flight(bench.stack, source)
    client = Worker(bench.stack, *compiled("TableClient", str(source)))
    sums = {tuple(client.call("sum", uri)) for uri in (source.as_uri(), url, java.url)}
    if len(sums) != 1:
        raise AssertionError(f"Expected equal checksums but found {sums}")

    def get(uri):
        return expected.nbytes, client.call("get", uri)[0] / 1e9

    ours = Side("quiver", lambda: get(url), [service.process.pid])
    theirs = Side("Flight DoGet, Java", lambda: get(java.url), java.processes)
    # Flight needs several gigabytes of traffic to warm up.
    bench.compare("GET to a table of Arrow Java", [ours, theirs], warm_up=8)
    java.process.kill()

    python = pyarrow_flight(bench.stack, source)
    connected = arrow_flight.connect(python.url)

    def read(table):
        if table.num_rows != expected.num_rows:
            raise AssertionError(f"Expected {expected.num_rows} rows but found {table.num_rows}")
        return table.nbytes

    def by_http():
        with urllib.request.urlopen(url) as response:
            return pa.ipc.open_stream(response).read_all()

    def by_flight():
        return connected.do_get(arrow_flight.Ticket(b"")).read_all()

    for table in (by_http(), by_flight()):
        if not table.equals(expected):
            raise AssertionError("Expected the uploaded table but found another")
    ours = Side("quiver", lambda: read(by_http()), [service.process.pid])
    theirs = Side("Flight DoGet, pyarrow", lambda: read(by_flight()), python.processes)
    bench.compare("GET to a table of pyarrow", [ours, theirs])

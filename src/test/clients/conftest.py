"""Services, tables and uploads that the tests share, and a count of results at the end."""

import collections
import dataclasses
import importlib.util
import os
import pathlib
import shutil

import pytest

import clients
import tables
from clients import NODE_MODULES
from service import Service, curl

REQUIRE_ALL = os.environ.get("QUIVER_REQUIRE") == "all"
READ_BYTES = 256 << 10
SMALL_MEMORY = ("-Xmx256m", "-XX:MaxDirectMemorySize=64m")

LONGEST = (
    *("soak", "large", "attacks", "many_datasets", "mutations", "files", "rows_page", "round_trip", "sql"),
    *("failures", "types", "resumable", "statement_jobs", "documents", "libraries", "views_page", "benchmarks"),
    *("statistics", "caches", "accessibility", "conditions", "tasks", "uploads", "import"),
)
"""The files whose tests take longest, the longest first."""


def need(*tools):
    """Skips the test unless these Python modules, Node modules or programs are installed.

    Fails instead if QUIVER_REQUIRE=all.
    """
    for tool in tools:
        found = (NODE_MODULES / tool).is_dir() or shutil.which(tool)
        if tool == "Arrow Java":
            found = (clients.ENVIRONMENT / "classpath.txt").is_file()
        if not found and (not tool.isidentifier() or importlib.util.find_spec(tool) is None):
            reason = f"skipped: {tool} is not installed"
            (pytest.fail if REQUIRE_ALL else pytest.skip)(reason)


def pytest_addoption(parser):
    parser.addoption("--large", action="store_true", help="include tests with 2 GB batches")
    parser.addoption("--mutations", type=int, default=500, help="number of damaged golden files")
    parser.addoption("--resumed-megabytes", type=int, default=200, help="the size of an upload that is cut")
    parser.addoption("--resumed-cuts", type=int, default=10, help="how often it is cut")
    parser.addoption("--query-scale", type=float, default=0.05, help="the size of a shop, of which 1 has 6 M items")
    parser.addoption("--soak-seconds", type=int, default=0, help="the time for which a soak breaks things; 0 for no soak")
    parser.addoption("--soak-seed", default="1", help="what a soak breaks, and when")
    parser.addoption("--openapi-seconds", type=int, default=20, help="the time for which requests are generated from /openapi")
    parser.addoption("--attack-seconds", type=int, default=10, help="the time that each attack lasts")
    parser.addoption(
        "--attack-request-seconds",
        type=int,
        default=15,
        help="the time that each request beside an attack may take",
    )


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--large"):
        items[:] = [item for item in items if "large" not in item.keywords]
    if not config.getoption("--soak-seconds"):
        items[:] = [item for item in items if "soak" not in item.keywords]
    # The longest files come first, so that no process waits for one at the end.
    counts = collections.Counter(item.path for item in items)
    ranks = {f"test_{name}.py": rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: (ranks.get(item.path.name, len(ranks)), -counts[item.path]))


def pytest_configure(config):
    config.addinivalue_line("markers", "large: needs 2 GB of memory and 10 GB of disk")
    config.addinivalue_line("markers", "soak: breaks connections, processes and disks for a while")


def pytest_unconfigure(config):
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    # Processes that run tests for another have none.
    if reporter is None:
        return
    counts = {key: len(reporter.stats.get(key, [])) for key in ("passed", "failed", "error", "skipped")}
    line = f"{counts['passed']} passed, {counts['failed'] + counts['error']} failed"
    reporter.write_line(line + (f", {counts['skipped']} skipped" if counts["skipped"] else ""))


@pytest.fixture(scope="session", autouse=True)
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("quiver")
    Service.engine = path / "engine"
    Service.engine.mkdir()
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="session")
def pages():
    site = clients.Pages()
    yield site
    site.stop()


@pytest.fixture(scope="session")
def services(folder, pages):
    """Starts each kind of service once, in any order of the tests."""
    running = {}

    def started(kind):
        if kind not in running:
            small = kind == "small memory"
            jvm = SMALL_MEMORY if small else ()
            allowed = {"quiver.cors.allowed-origins": pages.url}
            running[kind] = Service(folder / kind.replace(" ", "-"), jvm, **allowed)
            running[kind].small = small
        return running[kind]

    yield started
    for service in running.values():
        service.stop()


@pytest.fixture(scope="session", params=["default memory", "small memory"])
def service(request, services):
    return services(request.param)


@pytest.fixture(scope="session", params=tables.CODECS, ids=lambda codec: codec or "uncompressed")
def codec(request):
    return request.param


@pytest.fixture(scope="session")
def large_table():
    """A table of 10 batches and more than 200 MB."""
    table = tables.table(100_000)
    assert table.nbytes > 200_000_000
    return table


@pytest.fixture(scope="session")
def small_table():
    """A table of 10 batches, for clients that create an object for every value."""
    return tables.table(500)


@dataclasses.dataclass
class Dataset:
    service: Service
    name: str
    codec: str | None
    index: dict

    @property
    def url(self):
        return f"{self.service.url}/datasets/{self.name}"


def upload(service, name, path, codec=None, query="batches=keep"):
    response = curl("-T", path, f"{service.url}/datasets/{name}?{query}")
    assert response.status in (200, 201), response
    index = curl(f"{service.url}/datasets/{name}/batches?count=1000").json()
    return Dataset(service, name, codec, index)


@pytest.fixture(scope="session")
def large_dataset(service, codec, large_table, folder):
    """The large table, uploaded by `curl -T` as a stream written by pyarrow."""
    path = tables.write_stream(large_table, folder / "large.arrows", codec)
    yield upload(service, f"large-{codec or 'plain'}", path, codec)
    pathlib.Path(path).unlink()


@pytest.fixture(scope="session")
def small_dataset(service, small_table, folder):
    path = tables.write_stream(small_table, folder / "small.arrows")
    return upload(service, "small", path)


@pytest.fixture(scope="session")
def polars_dataset(service, large_table, folder):
    path = tables.write_stream(tables.for_polars(large_table), folder / "polars.arrows", "zstd")
    return upload(service, "for-polars", path, "zstd")


@pytest.fixture(scope="session")
def node():
    need("node", "apache-arrow", "@uwdata/flechette")
    helper = clients.node()
    yield helper
    helper.stop()


@pytest.fixture(scope="session")
def clickhouse():
    need("node", "chdb")
    helper = clients.JavaScript("node", clients.HERE / "chdb.mjs", NODE_MODULES)
    yield lambda query: helper.job("query", "", query=query)["rows"]
    helper.stop()


@pytest.fixture(scope="session")
def browser(pages):
    need("node", "chromium", "playwright-core", "apache-arrow", "@uwdata/flechette")
    helper = clients.browser(pages.url + "/")
    yield helper
    helper.stop()


@pytest.fixture(scope="session")
def arrow_java():
    need("Arrow Java")
    helper = clients.Java()
    yield helper
    helper.stop()


@pytest.fixture(scope="session")
def ids(folder):
    """A stream of 64 batches. After the first 47, and after the next one, the service starts a new read."""
    path = folder / "ids.arrows"
    path.write_bytes(tables.aligned(READ_BYTES, 64, 47))
    return path

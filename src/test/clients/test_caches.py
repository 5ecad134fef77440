"""The caches of src/docs/caches.md in front of the service, configured as printed there.

Only addresses and the folder of the cache differ.
"""

import contextlib
import re
import subprocess
import time

import pytest
import requests

import tables
from conftest import need
from proxy import NGINX
from service import TOP, Service, free_port

RECIPES = dict(re.findall(r"^```(nginx|vcl)\n(.*?)^```$", (TOP / "src/docs/caches.md").read_text(), re.M | re.S))
TOKEN = "s3cret"
DEADLINE_SECONDS = 60


def replaced(recipe, *pairs):
    for old, new in pairs:
        assert recipe.count(old) == 1, old
        recipe = recipe.replace(old, str(new))
    return recipe


def nginx(folder, backend, port, recipe=RECIPES["nginx"]):
    recipe = replaced(
        recipe,
        ("/var/cache/nginx/quiver", folder / "cache"),
        ("listen 80;", f"listen 127.0.0.1:{port};"),
        ("127.0.0.1:8080", f"127.0.0.1:{backend}"),
    )
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, recipe=recipe))
    return ["nginx", "-e", folder / "error.log", "-p", folder, "-c", folder / "nginx.conf"]


def varnish(folder, backend, port):
    recipe = replaced(RECIPES["vcl"], ('"8080"', f'"{backend}"'))
    (folder / "quiver.vcl").write_text(recipe)
    files = ["-f", folder / "quiver.vcl", "-n", folder / "varnish"]
    options = ["-F", "-j", "none", "-a", f"127.0.0.1:{port}", "-s", "malloc,64m"]
    return ["varnishd", *options, *files, "-p", "http_gzip_support=off"]


def old_nginx(folder, backend, port):
    """nginx as it talks to services by default: without chunks, so that it cannot tell where an event ends."""
    return nginx(folder, backend, port, replaced(RECIPES["nginx"], ("proxy_http_version 1.1;", "")))


CACHES = {"nginx": nginx, "varnishd": varnish}


@contextlib.contextmanager
def running(cache, folder, backend, command=None):
    """Starts the cache, and yields its URL once it forwards requests."""
    need(cache)
    command = command or CACHES[cache]
    folder.mkdir()
    port = free_port()
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            list(map(str, command(folder, backend, port))), stdout=log, stderr=subprocess.STDOUT
        )
    url = f"http://localhost:{port}"
    try:
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not healthy(url):
            assert process.poll() is None and time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.05)
        yield url
    finally:
        process.terminate()
        process.wait(DEADLINE_SECONDS)


def healthy(url):
    with contextlib.suppress(requests.ConnectionError):
        return requests.get(url + "/health").status_code == 200
    return False


@pytest.fixture(scope="module")
def open_service(folder):
    """A service that everybody may read."""
    service = Service(folder / "cached", **{"quiver.http.name-max-age": "1s", "quiver.token": TOKEN})
    yield service
    service.stop()


@pytest.fixture(scope="module")
def closed_service(folder):
    """A service that needs a token for reads as well."""
    settings = {"quiver.http.name-max-age": "1s", "quiver.token": TOKEN, "quiver.token-required-for": "all"}
    service = Service(folder / "cached-closed", **settings)
    yield service
    service.stop()


@pytest.fixture(scope="module")
def bodies(small_table):
    """Two versions of a dataset."""
    return [
        tables.stream_bytes(table.to_batches(), table.schema) for table in (small_table, small_table.slice(100))
    ]


def upload(url, body):
    requests.put(url, body, auth=("writer", TOKEN)).raise_for_status()


def upstream(service, path):
    return [request.status for request in service.requests() if request.path == path]


USERS = [{"User-Agent": "alice", "Authorization": "Bearer other"}, {"User-Agent": "bob"}]


@pytest.mark.parametrize("cache", CACHES)
def test_name_is_revalidated_once_a_second(open_service, bodies, folder, cache):
    name = f"/datasets/cached-{cache}"
    # The upload goes through the cache, too.
    with running(cache, folder / f"{cache}-name", open_service.port) as url:
        upload(url + name, bodies[0])
        path = name + ".arrows"
        whole = requests.get(open_service.url + name + "@1.arrows").content
        started = time.monotonic()
        reads = 0
        while len(upstream(open_service, path)) < 4:
            assert time.monotonic() - started < DEADLINE_SECONDS, "the cache does not revalidate"
            for user in USERS:
                response = requests.get(url + path, headers=user)
                assert response.content == whole
                assert response.headers["Cache-Control"] == "public, max-age=1, must-revalidate"
            ranged = requests.get(url + path, headers=USERS[1] | {"Range": "bytes=8-107"})
            assert (ranged.status_code, ranged.content) == (206, whole[8:108])
            reads += 3
            time.sleep(0.02)
        seconds = time.monotonic() - started
        asked = upstream(open_service, path)
        assert asked[0] == 200
        assert set(asked[1:]) == {304}, "unchanged data is not transferred again"
        assert len(asked) <= seconds + 2 < reads, (asked, seconds, reads)
        upload(url + name, bodies[1])
        changed = requests.get(open_service.url + name + "@2.arrows").content
        deadline = time.monotonic() + DEADLINE_SECONDS
        while (content := requests.get(url + path, headers=USERS[0]).content) != changed:
            assert content == whole and time.monotonic() < deadline
            time.sleep(0.1)


@pytest.mark.parametrize("cache", CACHES)
def test_version_is_fetched_once(open_service, bodies, folder, cache):
    name = f"/datasets/kept-{cache}"
    upload(open_service.url + name, bodies[0])
    path = name + "@1.arrow"
    with running(cache, folder / f"{cache}-version", open_service.port) as url:
        with open_service.completed(path):
            whole = requests.get(url + path, headers=USERS[0]).content
        upload(open_service.url + name, bodies[1])
        with open_service.recorded() as seen:
            for user in USERS * 5:
                assert requests.get(url + path, headers=user).content == whole
                ranged = requests.get(url + path, headers=user | {"Range": "bytes=-10"})
                assert (ranged.status_code, ranged.content) == (206, whole[-10:])
                head = requests.head(url + path, headers=user)
                assert head.headers["Content-Length"] == str(len(whole))
                known = requests.get(url + path, headers=user | {"If-None-Match": head.headers["ETag"]})
                assert known.status_code == 304
        assert [request for request in seen if request.path == path] == []


@pytest.mark.parametrize("cache", CACHES)
def test_cache_keeps_nothing_that_needs_a_token(closed_service, bodies, folder, cache):
    name = f"/datasets/secret-{cache}"
    upload(closed_service.url + name, bodies[0])
    with running(cache, folder / f"{cache}-token", closed_service.port) as url:
        for path in (name + ".arrow", name + "@1.arrow"):
            for _ in range(3):
                trusted = requests.get(url + path, auth=("alice", TOKEN))
                assert trusted.status_code == 200
                assert trusted.headers["Cache-Control"].startswith("private, max-age=")
                for auth in (None, ("bob", "other")):
                    assert requests.get(url + path, auth=auth).status_code == 401
            # The log has requests of several connections in any order, and may have the last ones late.
            expected = [200] * 3 + [401] * 6
            deadline = time.monotonic() + 60
            while (found := statuses(closed_service, path)) != expected:
                assert time.monotonic() < deadline, found
                time.sleep(0.05)


def statuses(service, path):
    return sorted(request.status for request in service.requests() if request.path == path)


def waiting(service):
    return service.metric("quiver_waiting_requests")


@pytest.mark.parametrize("cache, command", [*CACHES.items(), ("nginx", old_nginx)])
def test_events_pass_one_by_one(open_service, bodies, folder, cache, command):
    """Two clients listen, each on a connection to the service of its own, which ends when the client leaves."""
    name = f"{command.__name__}-events"
    upload(f"{open_service.url}/datasets/{name}", bodies[0])
    with running(cache, folder / name, open_service.port, command) as url:
        with contextlib.ExitStack() as stack:
            listeners = [
                stack.enter_context(requests.get(f"{url}/datasets/{name}/events", stream=True, timeout=60))
                for _ in range(2)
            ]
            lines = [listener.iter_lines(decode_unicode=True) for listener in listeners]
            for version in (1, 2, 3):
                for of_listener in lines:
                    assert next(line for line in of_listener if line.startswith("id: ")) == f"id: {version}"
                upload(f"{open_service.url}/datasets/{name}", bodies[version % 2])
            assert waiting(open_service) == 2
        deadline = time.monotonic() + DEADLINE_SECONDS
        while waiting(open_service):
            assert time.monotonic() < deadline, "the listeners have left, but not their requests"
            time.sleep(0.05)

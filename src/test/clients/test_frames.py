"""Pages of the service in frames of other sites, in a real browser."""

import json
import shutil
import subprocess
import urllib.parse

import pytest

import clients
from conftest import need
from service import Service, curl

SECONDS = 300

NO_PAGES = ("/favicon.ico", "/health")
"""Paths that no frame asks for: the browser's own, and that of the start, whose line in the log may come late."""


@pytest.fixture(scope="module")
def sites(pages):
    """A named site, another one, and another port of the named one."""
    return [pages.url.replace("localhost", name) + "/blank" for name in ("wiki.test", "evil.test")]


@pytest.fixture(scope="module")
def service(folder, pages):
    need("node", "chromium", "playwright-core")
    named = pages.url.replace("localhost", "wiki.test")
    service = Service(folder / "framed", **{"quiver.pages.frame-ancestors": named})
    file = folder / "framed.csv"
    file.write_text("n\n41\n42\n")
    with service.completed("/datasets/framed.csv"):
        assert curl("-T", file, f"{service.url}/datasets/framed.csv").status == 201
    yield service
    service.stop()


def shown(service, *frames):
    """The view in each frame, and the requests of the service."""
    job = json.dumps({"service": service.url, "frames": [list(each) for each in frames]})
    command = ["node", clients.HERE / "frames.mjs", clients.NODE_MODULES, shutil.which("chromium"), job]
    with service.recorded() as requests:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    seen = [(each.method, each.path, each.status) for each in requests if each.path not in NO_PAGES]
    return json.loads(done.stdout), seen


def test_named_site_shows_pages(service, sites):
    where = urllib.parse.quote("n > 41")
    outcomes, _ = shown(
        service,
        ("list", sites[0], "/", "list"),
        ("rows", sites[0], "/datasets/framed", "rows"),
        ("state", sites[0], f"/datasets/framed@1#rows&where={where}", "rows"),
        ("statement", sites[0], "/sql", "statement"),
        ("document", sites[0], "/docs/security", "document"),
        ("secretive", sites[0], "/datasets/framed", "rows", {"referrerPolicy": "no-referrer"}),
    )
    assert outcomes == {
        "list": {"uploads": 0, "left": ["_blank", service.url + "/"], "cell": "41"},
        "rows": {"cell": "41"},
        "state": {"cell": "42"},
        "statement": {"saves": 0, "cell": "42"},
        "document": {"shown": True},
        "secretive": {"cell": "41"},
    }


def test_pages_in_frames_only_read(service, sites):
    outcomes, requests = shown(service, ("write", sites[0], "/datasets/framed", "write"))
    seen = outcomes["write"]
    assert seen.pop("authorization") == {}
    assert seen.pop("POST /sql.csv").splitlines()[1:] == ["7"]
    assert set(seen.values()) == {"A page in a frame only reads. Open it in a tab of its own"}
    assert {method for method, path, _ in requests if path != "/sql.csv"} <= {"GET", "HEAD"}


def test_choice_of_a_site_is_followed_by_a_person(service, sites):
    path = "/datasets/framed?where=" + urllib.parse.quote("n > 41")
    outcomes, requests = shown(service, ("link", sites[0], path, "link"))
    assert outcomes == {"link": {"shown": "Follow this link?", "cell": "42"}}


def test_other_sites_show_nothing(service, sites):
    paths = ("/", "/datasets/framed", "/sql")
    frames = [(path, sites[1], path, "nothing") for path in paths]
    outcomes, requests = shown(service, *frames)
    assert all(each == "blocked" or "cross-site" in each["text"] for each in outcomes.values()), outcomes
    assert {(path, status) for _, path, status in requests} == {(path, 403) for path in paths}
    # A site that withholds its name makes its browser load the page, and sees nothing of it.
    hidden = [(*frame, {"referrerPolicy": "no-referrer"}) for frame in frames]
    outcomes, _ = shown(service, *hidden)
    assert set(outcomes.values()) == {"blocked"}


def test_named_site_shows_nothing_else(service, sites):
    paths = ("/inspect", "/datasets/framed/schema", "/datasets/framed.json", "/jobs", "/metrics")
    outcomes, requests = shown(service, *((path, sites[0], path, "nothing") for path in paths))
    assert all(each == "blocked" or "cross-site" in each["text"] for each in outcomes.values()), outcomes
    assert {(path, status) for _, path, status in requests} == {(path, 403) for path in paths}
    outcomes, _ = shown(service, ("api", sites[0], "/swagger-ui/index.html", "nothing"))
    assert outcomes == {"api": "blocked"}


def test_no_site_shows_pages_unless_it_is_named(folder, pages, sites):
    need("node", "chromium", "playwright-core")
    service = Service(folder / "unframed", **{"quiver.sample": "true"})
    paths = ("/", "/datasets/sample")
    try:
        outcomes, requests = shown(service, *((path, sites[0], path, "nothing") for path in paths))
        assert all(each == "blocked" or "cross-site" in each["text"] for each in outcomes.values()), outcomes
        assert {(path, status) for _, path, status in requests} == {(path, 403) for path in paths}
    finally:
        service.stop()

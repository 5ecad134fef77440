"""A page of another site in a real browser, which tries to use the service of its visitor."""

import json
import re
import shutil
import subprocess
import urllib.parse

import pytest

import clients
from conftest import need
from service import Service, curl

SECRET = "name,amount\nTOP,1\nLOW,2\n"
SECONDS = 300

COMPUTED = re.compile("quiver_(sql_statements_seconds_count|where|statistics)")

UNCOUNTED = ("/favicon.ico", "/metrics")

STATEMENT = "/sql.csv?q=" + urllib.parse.quote("SELECT count(*) FROM secret")
CONDITION = "/datasets/secret.csv?where=" + urllib.parse.quote("amount > 1")


def guess(prefix):
    """A condition that holds for no row if the guess is right, and fails otherwise."""
    condition = f"CASE WHEN name LIKE '{prefix}%' OR name = 'LOW' THEN 1 ELSE CAST('x' || name AS INTEGER) END > 5"
    return "/datasets/secret.csv?where=" + urllib.parse.quote(condition)


@pytest.fixture(scope="module")
def secret(folder):
    need("node", "chromium", "playwright-core")
    service = Service(folder / "secret")
    file = folder / "secret.csv"
    file.write_text(SECRET)
    assert curl("-T", file, f"{service.url}/datasets/secret.csv").status == 201
    yield service
    service.stop()


@pytest.fixture(params=["elsewhere.test", "localhost"], ids=["another site", "another port"])
def site(request, pages):
    return pages.url.replace("localhost", request.param) + "/blank"


def tries(service, site, *what):
    """The outcomes by name, and the status of each request that the service got."""
    job = json.dumps({"service": service.url, "site": site, "tries": [list(each) for each in what]})
    command = ["node", clients.HERE / "elsewhere.mjs", clients.NODE_MODULES, shutil.which("chromium"), job]
    with service.recorded() as requests:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), [(each.path, each.status) for each in requests if each.path not in UNCOUNTED]


def computed(service):
    """The counters of statements and conditions."""
    metrics = curl(service.url + "/metrics").body.decode().splitlines()
    return sorted(line for line in metrics if COMPUTED.match(line))


WAYS = (
    *("fetch", "fetch with credentials", "fetch without CORS", "head", "image", "image with CORS", "script", "module"),
    *("script with CORS", "stylesheet", "modulepreload", "video", "frame", "object", "embed", "events", "socket"),
)


def test_nothing_is_computed_or_read(secret, site):
    before = computed(secret)
    attempts = [(way, way, CONDITION) for way in WAYS]
    for path in (STATEMENT, "/datasets/secret/statistics", "/datasets/secret.parquet"):
        attempts += [(f"{way}: {path}", way, path) for way in ("fetch", "image with CORS", "frame", "socket")]
    outcomes, requests = tries(secret, site, *attempts)
    assert set(outcomes.values()) <= {"error", "silence", "load"}, outcomes
    # The browser reports a frame as loaded, whatever it shows.
    loaded = {name.partition(":")[0] for name, outcome in outcomes.items() if outcome == "load"}
    assert loaded <= {"frame", "object", "embed"}, outcomes
    # The browser may give up objects before it sends a request.
    assert len(requests) >= sum(way not in ("object", "embed") for _, way, _ in attempts), requests
    assert {status for _, status in requests} == {403}, requests
    assert computed(secret) == before


def test_events_are_not_listened_to(secret, site):
    path = "/datasets/secret/events"
    outcomes, requests = tries(secret, site, ("events", "events", path), ("socket", "socket", path))
    assert outcomes == {"events": "error", "socket": "error"}
    assert requests == [(path, 403)] * 2


def test_popup_tells_no_condition(secret, site):
    before = computed(secret)
    right, wrong = guess("TOP"), guess("BOT")
    assert (curl(secret.url + right).status, curl(secret.url + wrong).status) == (200, 422)
    after = computed(secret)
    assert after != before
    frames = (("frame: right", "frame", right), ("frame: wrong", "frame", wrong))
    outcomes, requests = tries(secret, site, *frames)
    assert outcomes["frame: right"] == outcomes["frame: wrong"]
    assert {status for _, status in requests} == {403}
    assert computed(secret) == after
    popups = (("right", "popup", right), ("wrong", "popup", wrong), ("missing", "popup", CONDITION.replace("secret", "no")))
    outcomes, _ = tries(secret, site, *popups)
    assert {(each["seen"], each["outcome"]) for each in outcomes.values()} == {("closed", "page")}, outcomes
    # Only a person who follows the link gets the file.
    assert {name: each["followed"] for name, each in outcomes.items()} == {
        "right": "secret.csv",
        "wrong": None,
        "missing": None,
    }


def test_pages_cannot_be_watched(secret, site):
    paths = ("/", "/datasets/secret", "/datasets/none", "/sql", STATEMENT, "/docs", "/datasets/secret/versions")
    outcomes, _ = tries(secret, site, *((path, "popup", path) for path in paths))
    assert {each["seen"] for each in outcomes.values()} == {"closed"}, outcomes


def test_link_to_a_file_is_a_download(secret, site):
    outcomes, requests = tries(secret, site, ("file", "popup", "/datasets/secret.csv"))
    assert outcomes["file"]["outcome"] == "download"
    assert requests == [("/datasets/secret.csv", 200)]

"""The service below a path of nginx, over TLS: every link of every page and document leads to a resource."""

import contextlib
import html.parser
import re
import subprocess
import time
import urllib.parse

import pyarrow as pa
import pytest
import requests

import tables
from conftest import need
from proxy import NGINX
from service import TOP, Service, free_port
from visitor import visit

PATH = "/quiver"
DEADLINE_SECONDS = 60
SECTION = (TOP / "src/docs/operations.md").read_text().partition("### Below a path")[2]
LOCATION = re.search(r"^```nginx\n(.*?)^```$", SECTION, re.M | re.S)[1]
"""The recipe of the document, of a proxy that removes its path and tells it."""

SHORT = """
location /quiver/ {{
  proxy_pass http://127.0.0.1:8080{to};
  proxy_http_version 1.1;
  client_max_body_size 0;
}}
"""
"""A proxy that tells nothing, and replaces `Host`."""

HOST = "  proxy_set_header Host $http_host;\n}"

KINDS = {
    "prefix": (LOCATION, lambda url: {"quiver.trusted-proxies": "127.0.0.1"}),
    "context-path": (SHORT.format(to="").replace("}", HOST), lambda url: {"server.servlet.context-path": PATH}),
    "public-url": (SHORT.format(to="/"), lambda url: {"quiver.public-urls": url}),
    "public-url, passed on": (SHORT.format(to=""), lambda url: {"quiver.public-urls": url}),
}
"""The configuration of nginx, and that of the service, by what tells the service its path."""

SERVER = """
  proxy_buffering {buffering};
  proxy_request_buffering {buffering};
  server {{
    listen 127.0.0.1:{port} ssl;
    ssl_certificate {folder}/cert.pem;
    ssl_certificate_key {folder}/key.pem;
{location}
  }}
"""


class Site:
    """The service as clients of nginx know it."""

    def __init__(self, url, service, session, knows_scheme):
        self.url = url
        self.service = service
        self.session = session
        self.knows_scheme = knows_scheme

    def seen(self, url):
        """An absolute URL of the service, which cannot know of TLS unless it is told."""
        return url if self.knows_scheme else url.replace("http:", "https:", 1)

    def request(self, method, link, **options):
        """Sends a request to a link, as found at the root of the service."""
        url = urllib.parse.urljoin(self.url + "/", link)
        assert url.startswith(self.url), f"{url} is not below {self.url}"
        return self.session.request(method, url, allow_redirects=False, timeout=DEADLINE_SECONDS, **options)


@contextlib.contextmanager
def nginx(folder, location, backend, port, buffering):
    location = location.replace("127.0.0.1:8080", f"127.0.0.1:{backend}")
    server = SERVER.format(folder=folder, port=port, location=location, buffering=buffering)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, recipe=server))
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    keys = ["-keyout", folder / "key.pem", "-out", folder / "cert.pem"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names, *keys],
        check=True,
        capture_output=True,
    )
    with open(folder / "log", "wb") as log:
        command = ["nginx", "-e", folder / "error.log", "-p", folder, "-c", folder / "nginx.conf"]
        process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=subprocess.STDOUT)
    try:
        session = requests.Session()
        # Certificates in the environment would come before its own.
        session.trust_env = False
        session.verify = str(folder / "cert.pem")
        deadline = time.monotonic() + DEADLINE_SECONDS
        while True:
            with contextlib.suppress(requests.ConnectionError):
                if session.get(f"https://localhost:{port}{PATH}/health").status_code == 200:
                    break
            assert process.poll() is None and time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.05)
        yield session
    finally:
        process.terminate()
        process.wait(DEADLINE_SECONDS)


@pytest.fixture(scope="module")
def small_table():
    """A table of three batches that every format can hold."""
    batch = pa.table({"city": ["Bern", "Oslo", None], "altitude": [540, 23, 2850], "seen": [0.5, 1.0, -2.0]})
    return pa.concat_tables([batch] * 3)


@pytest.fixture(
    scope="module",
    params=[("prefix", "on"), ("prefix", "off"), ("context-path", "off"), ("public-url", "on"), ("public-url, passed on", "off")],
    ids=lambda param: f"{param[0]}, buffering {param[1]}",
)
def site(request, folder, small_table):
    need("nginx", "openssl")
    kind, buffering = request.param
    location, settings = KINDS[kind]
    port = free_port()
    own = folder / f"{kind}-{buffering}".replace(", ", "-").replace(" ", "-")
    (own / "nginx").mkdir(parents=True)
    url = f"https://localhost:{port}{PATH}"
    service = Service(own, **{"quiver.allow-remote-writes": "true"}, **settings(url))
    try:
        with nginx(own / "nginx", location, service.port, port, buffering) as session:
            yield Site(url, service, session, kind != "context-path")
    finally:
        service.stop()


@pytest.fixture(scope="module")
def filled(site, small_table):
    """A site with a dataset of two versions, and with a job."""
    body = tables.stream_bytes(small_table.to_batches(), small_table.schema)
    assert site.request("PUT", "datasets/crawled?batches=keep", data=body).status_code == 201
    assert site.request("POST", "datasets/crawled", data=body).status_code == 200
    later = site.request("PUT", "datasets/later", data=body, headers={"Prefer": "respond-async"})
    assert later.status_code == 202
    ended(site, later)
    return site


def ended(site, accepted):
    """The redirect of a job that has ended, by the links of its first response."""
    assert accepted.headers["Location"] == accepted.json()["links"]["self"]
    deadline = time.monotonic() + DEADLINE_SECONDS
    while (response := site.request("GET", accepted.headers["Location"])).status_code != 303:
        assert response.status_code == 200 and time.monotonic() < deadline, response.text
        time.sleep(0.05)
    return response


class Links(html.parser.HTMLParser):
    """The targets of the links of a page."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in ("href", "src", "action")]


def links_of_json(value):
    """The texts of a document that are paths or URLs of a service."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [link for each in value for link in links_of_json(each)]
    return [value] if isinstance(value, str) and re.match(r"/[a-z]|https?://localhost", value) else []


def links(response):
    found = [response.headers[name] for name in ("Location", "Content-Location") if name in response.headers]
    found += re.findall(r"<([^>]*)>", response.headers.get("Link", ""))
    kind = response.headers.get("Content-Type", "").partition(";")[0]
    if kind == "text/html":
        found += Links(response.text).found
    elif kind == "application/json":
        found += links_of_json(response.json())
    elif kind == "text/javascript":
        found += re.findall(r"^(?:import|export) (?:[^']* from )?'([^']+)'", response.text, re.M)
        # Paths below the folder of all modules, which is the parent of the folder of each.
        found += ["../" + path for path in re.findall(r"\bload\('([^']+)'\)", response.text)]
    elif kind == "text/css":
        found += re.findall(r"""url\(["']?([^)"']+)""", response.text)
    return found


def crawl(site):
    """The status of each URL that a link leads to, the higher one of a browser and of a program."""
    waiting = [site.url + "/"]
    statuses = {}
    while waiting:
        url = waiting.pop()
        if url in statuses:
            continue
        accepted = ("text/html, */*;q=0.5", "application/json, */*;q=0.5")
        responses = [site.request("GET", url, headers={"Accept": accept}) for accept in accepted]
        statuses[url] = max(response.status_code for response in responses)
        # The document has patterns and examples, which another test follows.
        for response in responses if not url.endswith("/openapi") else []:
            for link in links(response):
                target = urllib.parse.urldefrag(urllib.parse.urljoin(url, site.seen(link)))[0]
                parts = urllib.parse.urlsplit(target)
                # Events have no end. Other sites are not asked, nor the service of the documents.
                other = parts.hostname != "localhost" or parts.port == 8080
                if not other and not parts.path.endswith("/events"):
                    waiting.append(target)
    return statuses


def test_every_link_leads_to_a_resource(filled):
    statuses = crawl(filled)
    # A program has to send a statement, and gets no page.
    assert {url: status for url, status in statuses.items() if status >= 400} == {filled.url + "/sql": 400}
    paths = {url.removeprefix(filled.url) for url in statuses}
    expected = ["/datasets/crawled@2/schema", "/datasets/crawled@1.parquet", "/docs/http-api", "/swagger-ui/index.html"]
    assert paths.issuperset(expected), expected
    assert any(path.endswith("-dataset-page/chart/map.js") for path in paths)
    assert len(paths) > 150


def test_paths_of_the_api_lead_to_resources(filled):
    """Each GET of the description without parameters, or with those of its examples."""
    url = filled.url + "/openapi"
    api = filled.request("GET", url).json()
    base = urllib.parse.urljoin(url, api["servers"][0]["url"])
    assert base == filled.url + "/"
    values = {"dataset": "crawled", "range": "0-0", "page": "operations"}
    refused = {}
    asked = 0
    for path, operations in api["paths"].items():
        if "get" not in operations or path.endswith("/events") or re.search(r"{(job|upload|statement)}", path):
            continue
        target = base + re.sub(r"{(\w+)}", lambda name: values[name[1]], path)[1:]
        response = filled.request("GET", target, params={"q": "SELECT 1"} if path.startswith("/sql") else None)
        asked += 1
        if response.status_code >= 400:
            refused[target] = response.status_code
    assert refused == {}
    assert asked > 30


def test_writes_are_followed(site, small_table):
    body = tables.stream_bytes(small_table.to_batches(), small_table.schema)
    stored = site.request("PUT", "datasets/written?verbose=true", data=body)
    assert site.request("GET", stored.headers["Location"]).status_code == 200
    for link in links_of_json(stored.json()["links"]):
        if not link.endswith("/events"):
            assert site.request("GET", link).status_code == 200, link
    redirect = ended(site, site.request("PUT", "datasets/written", data=body, headers={"Prefer": "respond-async"}))
    table = pa.ipc.open_stream(
        site.request("GET", redirect.headers["Location"], headers={"Accept": "application/vnd.apache.arrow.stream"}).content
    ).read_all()
    assert table.equals(small_table)
    selected = site.request("PUT", "datasets/selected", data="SELECT 1 AS a", headers={"Content-Type": "application/sql"})
    assert selected.status_code == 201
    form = site.request("POST", "datasets", files={"metadata": (None, '{"name": "formed"}', "application/json"), "data": ("a", body)})
    assert site.request("GET", form.headers["Location"]).status_code == 200


def test_upload_in_parts_is_continued(site, small_table):
    body = tables.stream_bytes(small_table.to_batches(), small_table.schema)
    draft = {"Upload-Draft-Interop-Version": "6"}
    begun = site.request("PUT", "datasets/parted", headers=draft | {"Upload-Complete": "?0"})
    assert begun.status_code == 201
    upload = begun.headers["Location"]
    for start in range(0, len(body), 10_000):
        part = body[start : start + 10_000]
        complete = "?1" if start + len(part) == len(body) else "?0"
        headers = draft | {"Upload-Offset": str(start), "Upload-Complete": complete, "Content-Type": "application/partial-upload"}
        assert site.request("HEAD", upload, headers=draft).headers["Upload-Offset"] == str(start)
        response = site.request("PATCH", upload, data=part, headers=headers)
    assert response.status_code == 201
    assert response.json()["rows"] == small_table.num_rows


def test_absolute_urls_are_those_of_clients(filled, small_table):
    document = filled.request("GET", "datasets/crawled@1/partitions?count=3").json()
    urls = [filled.seen(file["uri"]) for file in document["arrow_stream_files"]]
    assert len(urls) == 3 and all(url.startswith(filled.url + "/datasets/") for url in urls), urls
    batches = [pa.ipc.open_stream(filled.request("GET", url).content).read_all() for url in urls]
    assert pa.concat_tables(batches).equals(small_table)
    made = filled.seen(filled.request("POST", "datasets/crawled/links").json()["url"])
    assert made.startswith(filled.url + "/datasets/crawled?link="), made
    assert filled.request("GET", made).status_code == 200
    # The signature is of the dataset, not of the path.
    direct = requests.get(filled.service.url + made.removeprefix(filled.url))
    assert "private" in direct.headers["Cache-Control"]


def test_pages_work_in_a_browser(filled, folder):
    file = folder / "dropped.csv"
    file.write_text("n,name\n1,a\n2,b\n3,c\n")
    number = filled.request("PUT", "datasets/seen.csv", data=file.read_bytes())
    assert number.status_code in (200, 201)
    responses = visit("path_page.mjs", filled, "all", "seen", file)
    assert [each for each in responses if not isinstance(each[2], int) or each[2] >= 400] == []
    outside = [url for _, url, _ in responses if not url.startswith((filled.url + "/", "data:", "blob:"))]
    assert outside == []
    assert {"GET", "HEAD", "POST", "PUT", "PATCH"} <= {method for method, _, _ in responses}
    assert len(responses) > 50


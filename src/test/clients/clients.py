"""Clients with a common interface: some run as processes, others need only a few lines."""

import contextlib
import http.server
import json
import pathlib
import select
import shutil
import subprocess
import threading
import urllib.request

import pyarrow as pa
import pyarrow.compute as pc

from service import TOP, java

HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENT = TOP / "target" / "clients"
NODE_MODULES = ENVIRONMENT / "node_modules"
RESPONSE_SECONDS = 120


class Lines:
    """A process that responds to each line with a line."""

    def __init__(self, *command, **options):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=pipe, stdout=pipe, text=True, bufsize=1, **options
        )

    def ask(self, line, seconds=RESPONSE_SECONDS):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        response = self.process.stdout.readline() if ready else ""
        if not response:
            self.process.kill()
            raise RuntimeError(f"Expected a response but found none at {self.process.args} after {line}")
        return response.rstrip("\n")

    def stop(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class JavaScript(Lines):
    """A process that runs the jobs of reading.mjs."""

    def job(self, way, url, **more):
        result = json.loads(self.ask(json.dumps({"way": way, "url": url} | more)))
        if "error" in result:
            raise OSError(result["error"])
        return result

    def read(self, library, url):
        result = self.job(library, url)
        return result["rows"], int(result["sum"])


def node():
    return JavaScript("node", HERE / "node.mjs", NODE_MODULES)


def browser(page):
    return JavaScript("node", HERE / "browser.mjs", NODE_MODULES, shutil.which("chromium"), page)


def java_command(source):
    """The command that runs a source file with Arrow Java on the classpath."""
    classpath = (ENVIRONMENT / "classpath.txt").read_text()
    options = ["--sun-misc-unsafe-memory-access=allow", "--add-opens=java.base/java.nio=ALL-UNNAMED"]
    return [java(), *options, "-cp", classpath, source]


class Java(Lines):
    """The JDK's HTTP client and Arrow Java."""

    def __init__(self):
        super().__init__(*java_command(HERE / "Reader.java"), stderr=subprocess.DEVNULL)

    def read(self, url):
        result, *counts = self.ask(url).split("\t")
        if result == "error":
            raise OSError(counts[0])
        rows, _, total = map(int, counts)
        return rows, total


class Pages:
    """A separate site whose page reads from the service, with a `/blank` page. `/release` sets `released`."""

    FILES = {
        "/": HERE / "page.html",
        "/page.mjs": HERE / "page.mjs",
        "/reading.mjs": HERE / "reading.mjs",
        "/apache-arrow.js": NODE_MODULES / "apache-arrow" / "Arrow.es2015.min.js",
        "/flechette.mjs": NODE_MODULES / "@uwdata" / "flechette" / "dist" / "flechette.mjs",
    }
    TYPES = {".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript"}

    def __init__(self):
        self.released = threading.Event()
        pages = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path == "/release":
                    pages.released.set()
                    self.respond(b"", "text/plain")
                elif self.path == "/blank":
                    self.respond(b"<!DOCTYPE html><title>Blank</title>", "text/html")
                elif self.path in pages.FILES:
                    path = pages.FILES[self.path]
                    self.respond(path.read_bytes(), pages.TYPES[path.suffix])
                else:
                    self.send_error(404)

            def respond(self, content, type_):
                self.send_response(200)
                self.send_header("Content-Type", type_)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def tally(stream):
    """Reads a stream batch by batch. Returns its number of rows and the sum of `id`."""
    rows = total = 0
    with pa.ipc.open_stream(stream) as reader:
        for batch in reader:
            rows += batch.num_rows
            total += pc.sum(batch["id"]).as_py()
    return rows, total


def with_urllib(url):
    with urllib.request.urlopen(url) as response:
        return tally(response)


def with_zstandard(url):
    """Accepts the content coding zstd."""
    with urllib.request.urlopen(urllib.request.Request(url, headers={"Accept-Encoding": "zstd"})) as response:
        coded = response.headers["Content-Encoding"] == "zstd"
        return tally(pa.CompressedInputStream(response, "zstd") if coded else response)


def with_polars(url):
    import polars

    frame = polars.read_ipc_stream(url)
    return frame.height, frame["id"].sum()


def with_duckdb(url):
    import duckdb

    with urllib.request.urlopen(url) as response, pa.ipc.open_stream(response) as ids:
        connection = duckdb.connect()
        connection.register("ids", ids)
        rows, total = connection.sql("select count(*), sum(id) from ids").fetchone()
        return rows, int(total)

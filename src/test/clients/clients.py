"""Clients that are processes of their own, or that take a line or two, all asked in the same way."""

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
ANSWER_SECONDS = 120


class Lines:
    """A process that answers each line with a line."""

    def __init__(self, *command, **options):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=pipe, stdout=pipe, text=True, bufsize=1, **options
        )

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], ANSWER_SECONDS)
        answer = self.process.stdout.readline() if ready else ""
        if not answer:
            self.process.kill()
            raise RuntimeError(f"{self.process.args} said nothing to {line}")
        return answer.rstrip("\n")

    def stop(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class JavaScript(Lines):
    """What does the jobs of reading.mjs."""

    def job(self, way, url, **more):
        told = json.loads(self.ask(json.dumps({"way": way, "url": url} | more)))
        if "error" in told:
            raise OSError(told["error"])
        return told

    def read(self, library, url):
        told = self.job(library, url)
        return told["rows"], int(told["sum"])


def node():
    return JavaScript("node", HERE / "node.mjs", NODE_MODULES)


def browser(page):
    return JavaScript("node", HERE / "browser.mjs", NODE_MODULES, shutil.which("chromium"), page)


def java_command(source):
    """Runs a source file beside Arrow Java."""
    classpath = (ENVIRONMENT / "classpath.txt").read_text()
    openings = ["--sun-misc-unsafe-memory-access=allow", "--add-opens=java.base/java.nio=ALL-UNNAMED"]
    return [java(), *openings, "-cp", classpath, source]


class Java(Lines):
    """The JDK's HTTP client and Arrow Java."""

    def __init__(self):
        super().__init__(*java_command(HERE / "Reader.java"), stderr=subprocess.DEVNULL)

    def read(self, url):
        told, *counts = self.ask(url).split("\t")
        if told == "error":
            raise OSError(counts[0])
        rows, _, total = map(int, counts)
        return rows, total


class Pages:
    """A site of its own, whose page reads from others; what is sent to `/release` is called."""

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
                    self.answer(b"", "text/plain")
                elif self.path in pages.FILES:
                    path = pages.FILES[self.path]
                    self.answer(path.read_bytes(), pages.TYPES[path.suffix])
                else:
                    self.send_error(404)

            def answer(self, content, type_):
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
    """Rows and the sum of `id` of a stream that is read batch by batch."""
    rows = total = 0
    with pa.ipc.open_stream(stream) as reader:
        for batch in reader:
            rows += batch.num_rows
            total += pc.sum(batch["id"]).as_py()
    return rows, total


def with_urllib(url):
    with urllib.request.urlopen(url) as answer:
        return tally(answer)


def with_zstandard(url):
    """Content-coded, where the service does that."""
    with urllib.request.urlopen(urllib.request.Request(url, headers={"Accept-Encoding": "zstd"})) as answer:
        coded = answer.headers["Content-Encoding"] == "zstd"
        return tally(pa.CompressedInputStream(answer, "zstd") if coded else answer)


def with_polars(url):
    import polars

    frame = polars.read_ipc_stream(url)
    return frame.height, frame["id"].sum()


def with_duckdb(url):
    import duckdb

    with urllib.request.urlopen(url) as answer, pa.ipc.open_stream(answer) as ids:
        connection = duckdb.connect()
        connection.register("ids", ids)
        rows, total = connection.sql("select count(*), sum(id) from ids").fetchone()
        return rows, int(total)

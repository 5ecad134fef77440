"""The packaged service as a process, and curl as its first client."""

import contextlib
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

TOP = pathlib.Path(__file__).resolve().parents[3]

# Warnings that the JVM prints when native access or Unsafe is used without being granted.
JVM_WARNING = re.compile(
    r"WARNING: (A restricted method|A terminally deprecated method|Use --enable-native-access"
    r"|sun\.misc\.Unsafe|java\.lang\.foreign)"
)
SENTENCE = re.compile(r"Expected .+ but found .+ at .+", re.DOTALL)


def java():
    """A Java 25 or newer: from JAVA_HOME, then PATH, then the usual folders for JDKs."""
    on_path = shutil.which("java")
    homes = [os.environ.get("JAVA_HOME")]
    homes.append(on_path and str(pathlib.Path(on_path).resolve().parents[1]))
    for folder in ("/usr/lib/jvm", "/opt", "/opt/java", "~/.sdkman/candidates/java", "~/.jdks"):
        homes.extend(sorted(map(str, pathlib.Path(folder).expanduser().glob("*")), reverse=True))
    for home in filter(None, homes):
        with contextlib.suppress(OSError):
            release = pathlib.Path(home, "release").read_text()
            version = re.search(r'JAVA_VERSION="(\d+)', release)
            if version and int(version[1]) >= 25:
                return str(pathlib.Path(home, "bin", "java"))
    raise RuntimeError("Expected a JDK 25 but found none at JAVA_HOME, PATH or /usr/lib/jvm")


def threads(pid):
    """The stacks of the threads of a JVM, or the reason why they are missing."""
    command = [str(pathlib.Path(java()).with_name("jcmd")), str(pid), "Thread.print"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return repr(error)
    return done.stdout + done.stderr


def jar():
    """The newest jar in target, which may also contain jars of older versions."""
    found = sorted((TOP / "target").glob("quiver-*.jar"), key=os.path.getmtime)
    if not found:
        raise RuntimeError(f"Expected target/quiver-*.jar but found none at {TOP}; run `mvn package` first")
    return str(found[-1])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclasses.dataclass
class Request:
    """A line of the access log."""

    method: str
    path: str
    range: str
    status: int
    byte_size: int


class Service:
    """One running service with a storage folder, a log and an access log below `folder`."""

    engine = None
    """A folder for the library of the engine and the cache of its workers, which services share, or None."""

    def __init__(self, folder, jvm=(), port=None, is_started=True, **settings):
        """Starts the service on a port, or on another free one each time."""
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.storage = self.folder / "storage"
        self.scratch = self.folder / "scratch"
        self.scratch.mkdir(exist_ok=True)
        self.log = self.folder / "service.log"
        self.jvm = [f"-Djava.io.tmpdir={self.scratch}", *jvm]
        self.fixed_port = port
        self.settings = {"quiver.sample": "false"} | settings
        self.peak_anonymous_bytes = 0
        self.expected_errors = None
        own_engine = self.folder / "spool" / "engine"
        if self.engine and not own_engine.exists():
            own_engine.parent.mkdir(exist_ok=True)
            own_engine.symlink_to(self.engine)
        if is_started:
            self.start()

    def start(self):
        self.port = self.fixed_port or free_port()
        self.url = f"http://localhost:{self.port}"
        settings = {
            "server.port": self.port,
            "quiver.storage.path": self.storage,
            "server.tomcat.accesslog.enabled": "true",
            "server.tomcat.accesslog.buffered": "false",
            "server.tomcat.accesslog.directory": self.folder / "access",
            "server.tomcat.accesslog.pattern": "%m\t%U\t%{Range}i\t%s\t%B",
        } | self.settings
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command([f"--{key}={value}" for key, value in settings.items()]),
                cwd=self.folder,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        deadline = time.monotonic() + 300
        while not self._healthy():
            if self.process.poll() is not None or time.monotonic() > deadline:
                seen = f"{self.log.read_text()}\n/health: {self.health}\n{threads(self.process.pid)}"
                self.kill()
                raise RuntimeError(f"the service did not start:\n{seen}")
            time.sleep(0.1)
        threading.Thread(target=self._watch_memory, args=(self.process.pid,), daemon=True).start()

    def command(self, settings):
        return [java(), *self.jvm, "-jar", jar(), *settings]

    def _healthy(self):
        try:
            with urllib.request.urlopen(self.url + "/health", timeout=60) as response:
                return response.status == 200
        except urllib.error.HTTPError as error:
            self.health = f"{error.code} {error.read()}"
        except OSError as error:
            self.health = repr(error)
        return False

    def _watch_memory(self, pid):
        """Records the peak of anonymous memory. The kernel can drop pages of mapped files."""
        status = pathlib.Path(f"/proc/{pid}/status")
        with contextlib.suppress(OSError):
            while anonymous := re.search(r"RssAnon:\s+(\d+) kB", status.read_text()):
                self.peak_anonymous_bytes = max(
                    self.peak_anonymous_bytes, int(anonymous[1]) * 1024
                )
                time.sleep(0.02)

    def stop(self):
        """Stops the service with SIGTERM, and checks that its log has no JVM warnings and no errors."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        # When Maven runs the service, the text before its last line is Maven's. So is `[ERROR]`
        # after it, which may report how the service ended.
        log = self.log.read_text(errors="replace").rpartition("Attaching agents")[2]
        assert " serves http" in log, "the log does not say that the service has started"
        warnings = [line for line in log.splitlines() if JVM_WARNING.search(line)]
        errors = [line for line in log.splitlines() if re.search(r"(?<!\[)\bERROR\b", line)]
        if self.expected_errors:
            errors = [line for line in errors if not re.search(self.expected_errors, line)]
        assert code == 143, f"exit code {code}"
        assert not warnings, "\n".join(warnings)
        assert not errors, "\n".join(errors)

    def kill(self):
        """Kills the service and its child processes."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def requests(self):
        """The completed requests, in the order of completion."""
        lines = []
        for path in sorted((self.folder / "access").glob("*")):
            lines.extend(path.read_text().splitlines())
        fields = [line.split("\t") for line in lines]
        return [Request(f[0], f[1], f[2], int(f[3]), int(f[4])) for f in fields if len(f) == 5]

    @contextlib.contextmanager
    def recorded(self, complete=lambda requests: True):
        """Collects the requests made within the block, followed by a marker request.

        The log may have the last requests only after the marker, since each thread writes its own: a
        test that expects them says when they are complete.
        """
        before = len(self.requests())
        found = []
        yield found
        marker = f"/datasets/none-{before}"
        with self.completed(marker):
            curl(f"{self.url}{marker}")
        deadline = time.monotonic() + 60
        while True:
            found[:] = [r for r in self.requests()[before:] if r.path != marker]
            if complete(found) or time.monotonic() > deadline:
                return
            time.sleep(0.05)

    @contextlib.contextmanager
    def completed(self, path):
        """Waits until a request made within the block has completed, even one without a response."""
        before = sum(request.path == path for request in self.requests())
        yield
        deadline = time.monotonic() + 60
        while sum(request.path == path for request in self.requests()) == before:
            assert time.monotonic() < deadline, f"the request for {path} has not completed"
            time.sleep(0.05)

    def files(self):
        """The files in the storage and the temporary folder, with their sizes."""
        found = {}
        for folder in (self.storage, self.scratch):
            for path in folder.rglob("*"):
                with contextlib.suppress(FileNotFoundError):
                    if path.is_file():
                        found[str(path.relative_to(self.folder))] = path.stat().st_size
        return found

    @contextlib.contextmanager
    def unchanged(self):
        """Checks that the block leaves no files or datasets behind."""
        before = self.files()
        names = self.names()
        yield
        # Temporary files may be deleted after the response.
        deadline = time.monotonic() + 60
        while self.files() != before and time.monotonic() < deadline:
            time.sleep(0.05)
        assert self.files() == before
        assert self.names() == names

    def metric(self, name, **labels):
        """The value of a metric with these labels, or 0."""
        metrics = curl(self.url + "/metrics").body.decode()
        pairs = ",".join(f'{label}="{value}"' for label, value in labels.items())
        found = re.search(rf"^{name}(?:\{{{pairs}\}})? (\S+)$", metrics, re.MULTILINE)
        return float(found[1]) if found else 0

    def names(self):
        response = curl(f"{self.url}/datasets?limit=1000")
        assert response.status == 200, response
        return sorted(entry["name"] for entry in response.json()["datasets"])


@dataclasses.dataclass
class Response:
    status: int
    headers: dict
    body: bytes

    def json(self):
        return json.loads(self.body)

    def problem(self, *statuses):
        """Checks that this is a well-formed problem response, and returns its document."""
        assert self.status in statuses, self
        assert self.headers["content-type"].startswith("application/problem+json"), self
        problem = self.json()
        assert problem["status"] == self.status, problem
        assert problem["type"] and problem["title"], problem
        assert SENTENCE.search(problem["detail"]), problem["detail"]
        return problem


def curl(*arguments, check=True):
    """The last response that curl gets: status, headers by lower-case name, and body."""
    done = subprocess.run(
        ["curl", "-sS", "-i", "--suppress-connect-headers", *map(str, arguments)],
        capture_output=True,
    )
    if check and done.returncode != 0:
        raise RuntimeError(f"curl {arguments} ended with {done.returncode}: {done.stderr.decode()}")
    return parse_response(done.stdout)


def parse_response(received):
    head, _, body = received.partition(b"\r\n\r\n")
    while head.startswith(b"HTTP/1.1 100"):
        head, _, body = body.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    return Response(int(status.split()[1]), headers, body)


def download(url, path, *arguments):
    """Downloads into a file, for bodies that are too large for memory."""
    subprocess.run(["curl", "-sS", "-f", "-o", path, *map(str, arguments), url], check=True)
    return path

"""The servers that the service is compared with, and clients for which Python is too slow."""

import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "test" / "clients"))

from service import TOP, Service, jar, java  # noqa: E402

MAIN = "dev.quiver.Launcher"
# Without these options, Arrow Java and Netty do not start on JDK 25, or are slower. The Unsafe
# allocator was faster for Flight than the Netty one.
ARROW_JAVA = (
    "--sun-misc-unsafe-memory-access=allow",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.noUnsafe=false",
    "-Darrow.allocation.manager.type=Unsafe",
    "-Darrow.enable_unsafe_memory_access=true",
    "-Darrow.enable_null_check_for_get=false",
    "-XX:MaxDirectMemorySize=8g",
    f"-Dlogback.configurationFile={HERE / 'logback.xml'}",
)

NGINX = """
daemon off;
%(user)s
worker_processes %(workers)d;
pid nginx.pid;
error_log error.log;
events {}
http {
  access_log off;
  sendfile on;
  # Connections stay open indefinitely, as in the service.
  keepalive_requests 1000000000;
  client_max_body_size 0;
  # The default of 16 KiB would write uploads in small pieces.
  client_body_buffer_size 1m;
  client_body_temp_path temporary;
  proxy_temp_path temporary;
  fastcgi_temp_path temporary;
  uwsgi_temp_path temporary;
  scgi_temp_path temporary;
  server {
    listen 127.0.0.1:%(port)d%(tls)s;
    root root;
    location / { dav_methods PUT; }
  }
}
"""


class Missing(Exception):
    """A peer that is not installed."""


def program(name):
    """The path of a program, on PATH or in Debian's folders for administrators."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if found is None:
        raise Missing(f"{name} is not installed")
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        time.sleep(0.05)
    raise RuntimeError(f"Expected {process.args[0]} to listen but found nothing at port {port}")


# All clients of a benchmark have the same address.
DEFAULTS = {
    "server.tomcat.accesslog.enabled": "false",
    "quiver.limits.unbounded-addresses": "127.0.0.0/8",
}


class Quiver(Service):
    """The service with its defaults, without the access log of the tests."""

    def __init__(self, folder, vector=True, jvm=(), **settings):
        self.vector = vector
        super().__init__(folder, jvm, **DEFAULTS | settings)

    def command(self, settings):
        # The manifest, by which the module of vectors is loaded, counts only with -jar.
        main = ("-jar", jar()) if self.vector else ("--enable-native-access=ALL-UNNAMED", "-cp", jar(), MAIN)
        return [java(), *self.jvm, *main, *settings]


@contextlib.contextmanager
def quiver(folder, vector=True, jvm=(), **settings):
    service = Quiver(folder, vector, jvm, **settings)
    try:
        yield service
    finally:
        service.kill()


@contextlib.contextmanager
def terminated(process):
    """A process that is terminated at the end of the block."""
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)


class Nginx:
    """nginx serving the folder `root` with a worker per processor; `processes` has master and workers."""

    def __init__(self, folder, stack, tls=()):
        """Starts it; `tls` has the files of a certificate and its key."""
        self.root = folder / "root"
        self.root.mkdir(parents=True)
        self.port = free_port()
        # When started by root, it would switch to a user that may not have access to the folder.
        user = "user root;" if os.getuid() == 0 else ""
        settings = {"user": user, "workers": os.cpu_count(), "port": self.port, "tls": ""}
        if tls:
            settings["tls"] = " ssl;\n    ssl_certificate {};\n    ssl_certificate_key {}".format(*tls)
        (folder / "nginx.conf").write_text(NGINX % settings)
        self.process = subprocess.Popen(
            [program("nginx"), "-p", str(folder), "-c", "nginx.conf", "-e", "error.log"]
        )
        stack.enter_context(terminated(self.process))
        wait_for(self.port, self.process)
        self.processes = [self.process.pid, *children(self.process, os.cpu_count())]


def children(process, count):
    """Waits for `count` children of a process, which may listen before it has started all of them."""
    listed = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.monotonic() + 60
    found = []
    while time.monotonic() < deadline and process.poll() is None:
        found = [int(child) for child in listed.read_text().split()]
        if len(found) == count:
            return found
        time.sleep(0.01)
    raise RuntimeError(f"Expected {process.args[0]} to have {count} children but found {len(found)}")


class Iperf:
    """iperf3, one stream over loopback: the cost of copying alone."""

    def __init__(self, stack):
        self.port = free_port()
        self.process = subprocess.Popen(
            [program("iperf3"), "-s", "-B", "127.0.0.1", "-p", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        stack.enter_context(terminated(self.process))
        wait_for(self.port, self.process)
        self.processes = [self.process.pid]

    def transfer(self, byte_size):
        done = subprocess.run(
            [program("iperf3"), "-c", "127.0.0.1", "-p", str(self.port), "-R", "-n", str(byte_size), "-J"],
            capture_output=True, check=True,
        )  # fmt: skip
        received = json.loads(done.stdout)["end"]["sum_received"]
        return received["bytes"], received["seconds"]


class Worker:
    """A Java process that reads a task per line, and prints a line of numbers for each.

    The JVM stays up between rounds, because clients and peers need warm code as much as the service.
    """

    def __init__(self, stack, *command):
        self.process = subprocess.Popen(
            [java(), *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        stack.enter_context(terminated(self.process))

    def call(self, *words):
        self.send(*words)
        return self.receive()

    def send(self, *words):
        print(*words, file=self.process.stdin, flush=True)

    def receive(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"Expected a result but found the end of {self.process.args}")
        return [int(number) for number in line.split()]


class RangeClient(Worker):
    """The client for many small responses; its source needs only the JDK."""

    SOURCE = HERE / "java" / "dev" / "quiver" / "benchmarks" / "RangeClient.java"

    def __init__(self, stack):
        super().__init__(stack, "--enable-native-access=ALL-UNNAMED", str(self.SOURCE))

    def load(self, port, path, file, length, seconds, connections=2):
        requests, nanos = self.call(port, connections, seconds, length, file, path)
        return requests * length, nanos / 1e9


def compiled(name, *arguments, package="dev.quiver.benchmarks."):
    """The arguments after `java` that run a class compiled by the Maven profile `benchmarks`."""
    built = TOP / "target"
    libraries = (built / "benchmarks" / "classpath.txt").read_text().strip()
    return [*ARROW_JAVA, "-cp", f"{built}/test-classes:{built}/classes:{libraries}", package + name, *arguments]


class FlightServer:
    """A Flight server, in Java or pyarrow, with the batches of a stream in memory."""

    def __init__(self, stack, command, file):
        self.port = free_port()
        self.process = subprocess.Popen([*command, str(file), str(self.port)])
        stack.enter_context(terminated(self.process))
        wait_for(self.port, self.process)
        self.processes = [self.process.pid]
        self.url = f"grpc+tcp://127.0.0.1:{self.port}"


def java_flight(stack, file):
    return FlightServer(stack, [java(), *compiled("FlightPeer")], file)


def pyarrow_flight(stack, file):
    return FlightServer(stack, [sys.executable, str(HERE / "flight_server.py")], file)

"""The servers that the service is compared with, and clients that Python is too slow for."""

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

from service import Service, java  # noqa: E402

NGINX = """
daemon off;
%(user)s
worker_processes auto;
pid nginx.pid;
error_log error.log;
events {}
http {
  access_log off;
  sendfile on;
  # As the service: no end to a connection.
  keepalive_requests 1000000000;
  client_max_body_size 0;
  # Of 16 KiB, the default, uploads are written in as many small pieces.
  client_body_buffer_size 1m;
  client_body_temp_path temporary;
  proxy_temp_path temporary;
  fastcgi_temp_path temporary;
  uwsgi_temp_path temporary;
  scgi_temp_path temporary;
  server {
    listen 127.0.0.1:%(port)d;
    root root;
    location / { dav_methods PUT; }
  }
}
"""


class Missing(Exception):
    """A peer that is not installed."""


def program(name):
    """Where a program is, on the path or where Debian keeps what administrators use."""
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


@contextlib.contextmanager
def quiver(folder, jvm=(), **settings):
    """The service as it comes, but for what is not of interest here."""
    settings = {"server.tomcat.accesslog.enabled": "false"} | settings
    service = Service(folder, jvm, **settings)
    try:
        yield service
    finally:
        service.kill()


@contextlib.contextmanager
def ended(process):
    """A process that is ended with the block."""
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)


class Nginx:
    """nginx with the folder `root`, and its master and workers as `processes`."""

    def __init__(self, folder, stack):
        self.root = folder / "root"
        self.root.mkdir(parents=True)
        self.port = free_port()
        # Started by root it would become another user, who may not be let into the folder.
        user = "user root;" if os.getuid() == 0 else ""
        (folder / "nginx.conf").write_text(NGINX % {"user": user, "port": self.port})
        self.process = subprocess.Popen(
            [program("nginx"), "-p", str(folder), "-c", "nginx.conf", "-e", "error.log"]
        )
        stack.enter_context(ended(self.process))
        wait_for(self.port, self.process)
        self.processes = [self.process.pid, *children(self.process.pid)]


def children(pid):
    listed = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in listed.split()]


class Iperf:
    """iperf3, one stream over loopback: what copying costs, whoever serves."""

    def __init__(self, stack):
        self.port = free_port()
        self.process = subprocess.Popen(
            [program("iperf3"), "-s", "-B", "127.0.0.1", "-p", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        stack.enter_context(ended(self.process))
        wait_for(self.port, self.process)
        self.processes = [self.process.pid]

    def transfer(self, byte_size):
        done = subprocess.run(
            [program("iperf3"), "-c", "127.0.0.1", "-p", str(self.port), "-R", "-n", str(byte_size), "-J"],
            capture_output=True, check=True,
        )  # fmt: skip
        received = json.loads(done.stdout)["end"]["sum_received"]
        return received["bytes"], received["seconds"]


class RangeClient:
    """The client for many small answers; see its source."""

    SOURCE = HERE / "java" / "dev" / "quiver" / "benchmarks" / "RangeClient.java"

    def __init__(self, stack):
        self.process = subprocess.Popen(
            [java(), "--enable-native-access=ALL-UNNAMED", str(self.SOURCE)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        stack.enter_context(ended(self.process))

    def load(self, port, path, file, length, seconds, connections=2):
        print(port, connections, seconds, length, file, path, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().split()
        if len(answer) != 2:
            raise RuntimeError(f"the client of ranges ended at {path}")
        requests, nanos = map(int, answer)
        return requests * length, nanos / 1e9

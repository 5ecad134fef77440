"""Measures whether the time of a 404 tells that a dataset exists which the principal may not know.

    python src/test/clients/timing.py target/quiver-*.jar [pairs]

Requests for a name that exists and one that never did alternate over one connection, in random order
within each pair. For each kind of request it prints both medians, the median difference within a
pair, and the p value of Wilcoxon's signed-rank test. The rows `none` compare two names that never
existed: so large is what the test finds in noise.
"""

import hashlib
import http.client
import json
import math
import pathlib
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time

OWNER, PROBE = "o" * 32, "p" * 32
HIDDEN, ABSENT, OTHER = "secret.ab", "secret.cd", "secret.ef"


def sha256(token):
    return hashlib.sha256(token.encode()).hexdigest()


def started(jar, folder):
    settings = {
        "server.port": 0,
        "quiver.sample": "false",
        "quiver.storage.path": folder / "store",
        "quiver.auth.tokens[0].name": "owner",
        "quiver.auth.tokens[0].sha256": sha256(OWNER),
        "quiver.auth.tokens[0].permissions": "write:*",
        "quiver.auth.tokens[1].name": "probe",
        "quiver.auth.tokens[1].sha256": sha256(PROBE),
        "quiver.auth.tokens[1].permissions": "write:open.*",
    }
    log = folder / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            ["java", "-Xmx512m", "-jar", jar, *(f"--{key}={value}" for key, value in settings.items())],
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    deadline = time.monotonic() + 180
    while not (found := re.search(r"on port (\d+) \(http\)", log.read_text())):
        if process.poll() is not None or time.monotonic() > deadline:
            sys.exit(f"the service did not start:\n{log.read_text()}")
        time.sleep(0.2)
    return process, int(found[1])


class Probe:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.connection.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, method, path, body=None, token=PROBE, **headers):
        start = time.perf_counter_ns()
        self.connection.request(method, path, body, {"Authorization": f"Bearer {token}", **headers})
        response = self.connection.getresponse()
        content = response.read()
        return time.perf_counter_ns() - start, response.status, content


KINDS = {
    "GET": lambda probe, name: probe.send("GET", f"/datasets/{name}"),
    "GET .arrows": lambda probe, name: probe.send("GET", f"/datasets/{name}.arrows"),
    "HEAD": lambda probe, name: probe.send("HEAD", f"/datasets/{name}"),
    "schema": lambda probe, name: probe.send("GET", f"/datasets/{name}/schema"),
    "summary": lambda probe, name: probe.send("GET", f"/datasets/{name}/summary"),
    "versions": lambda probe, name: probe.send("GET", f"/datasets/{name}/versions"),
    "version 1": lambda probe, name: probe.send("GET", f"/datasets/{name}@1"),
    "POST": lambda probe, name: probe.send("POST", f"/datasets/{name}", b"n\n1\n", **{"Content-Type": "text/csv"}),
    "DELETE": lambda probe, name: probe.send("DELETE", f"/datasets/{name}"),
    "/sql": lambda probe, name: probe.send(
        "POST", "/sql", f'SELECT * FROM "{name}"'.encode(), **{"Content-Type": "application/sql"}
    ),
}


def p_value(differences):
    """The p-value of the signed-rank test, two-sided, by its normal approximation."""
    ordered = sorted((d for d in differences if d), key=abs)
    n = len(ordered)
    positive = sum(rank for rank, d in enumerate(ordered, 1) if d > 0)
    deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return math.erfc(abs(positive - n * (n + 1) / 4) / deviation / math.sqrt(2))


def compare(probe, label, kind, first, second, pairs):
    times = ([], [])
    for _ in range(pairs):
        order = [0, 1]
        random.shuffle(order)
        for which in order:
            nanos, status, _content = kind(probe, (first, second)[which])
            assert status == 404 or label.startswith("/sql"), (label, status)
            times[which].append(nanos)
    microseconds = [statistics.median(each) / 1000 for each in times]
    differences = [a - b for a, b in zip(*times, strict=True)]
    print(
        f"{label:24} {pairs:6} {microseconds[0]:9.1f} {microseconds[1]:9.1f}"
        f" {statistics.median(differences) / 1000:+8.2f} {p_value(differences):8.4f}",
        flush=True,
    )


def same(probe):
    """Answers must not differ but for the name and the id of the request."""
    for label, kind in KINDS.items():
        answers = []
        for name in (HIDDEN, ABSENT):
            _nanos, status, content = kind(probe, name)
            if content.startswith(b"{"):
                document = json.loads(content)
                document.pop("requestId", None)
                content = json.dumps(document).replace(name, "NAME").encode()
            answers.append((status, content))
        assert answers[0] == answers[1], (label, answers)


def main(jar, pairs=3000):
    random.seed(7)
    with tempfile.TemporaryDirectory() as folder:
        process, port = started(jar, pathlib.Path(folder))
        try:
            probe = Probe(port)
            rows = b"n\n" + b"1\n" * 1000
            _nanos, status, content = probe.send(
                "PUT", f"/datasets/{HIDDEN}", rows, OWNER, **{"Content-Type": "text/csv"}
            )
            assert status == 201, content
            same(probe)
            print(f"{'request':24} {'pairs':>6} {'hidden us':>9} {'absent us':>9} {'diff us':>8} {'p':>8}")
            for label, kind in KINDS.items():
                count = pairs // 10 if label == "/sql" else pairs
                compare(probe, f"{label} (warm-up)", kind, ABSENT, OTHER, count // 3)
                compare(probe, label, kind, HIDDEN, ABSENT, count)
                compare(probe, f"{label} none", kind, OTHER, ABSENT, count)
        finally:
            process.terminate()
            process.wait(60)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))

"""Statements at /sql: the lines of clients in src/docs/clients.md, and statements that are heavy.

Every fifth heavy statement runs; QUIVER_HEAVY=all runs them all.
"""

import csv
import http.client
import io
import json
import os
import pathlib
import re
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

import duckdb
import polars
import pyarrow
import pytest

from service import TOP, Service, curl
from test_documents import rows_in_python

STATEMENTS = TOP / "src/test/resources/sql"
DEADLINE_SECONDS = 1
# Only a statement that does not end takes this long, on however busy a machine.
GENEROUS_SECONDS = 60
MEMORY_BYTES = 256 << 20
JVM_BYTES = 512 << 20


@pytest.fixture(scope="module")
def strict(folder):
    running = Service(
        folder / "strict",
        **{
            "quiver.sample": "true",
            "quiver.where.timeout": f"{DEADLINE_SECONDS}s",
            "quiver.sql.memory": str(MEMORY_BYTES),
            "quiver.spool.path": str(folder / "strict-spool"),
        },
    )
    yield running
    running.stop()


def heavy():
    statements = (STATEMENTS / "heavy.sql").read_text().splitlines()
    return statements if os.environ.get("QUIVER_HEAVY") == "all" else statements[::5]


def statement(sql):
    return json.dumps({"sql": sql, "timeout": f"{DEADLINE_SECONDS}s"}).encode()


def ask(service, body, path="/sql.csv"):
    """Returns the status and the body of a response; the status is None if the response was cut."""
    headers = {"Content-Type": "application/json"} if body else {}
    request = urllib.request.Request(service.url + path, data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=120) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as problem:
        return problem.code, problem.read()
    except http.client.IncompleteRead as cut:
        return None, cut.partial


def private_bytes(parent):
    """The largest private memory of the children of a process now."""
    largest = 0
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue
        if re.search(rf"^PPid:\t{parent}$", text, re.MULTILINE):
            found = re.search(r"^RssAnon:\s+(\d+) kB$", text, re.MULTILINE)
            largest = max(largest, int(found.group(1)) << 10 if found else 0)
    return largest


# Conditions whose cost per row or per batch is the greatest that their functions allow.
CONDITIONS = [
    "text LIKE '" + "%a" * 12 + "%b'",
    "text || text LIKE '" + "%a_" * 12 + "%b'",
    "regexp_matches(text || '" + "a" * 4000 + "', '(a+)+b$')",
    "regexp_matches(text, text)",
    " || ".join(["text"] * 200) + " = 'b'",
    " OR ".join(f"number % 7919 = -{i}" for i in range(1, 300)),
    "number IN (" + ", ".join(f"number + {i}" for i in range(1, 500)) + ")",
    "upper(" * 200 + "text" + ")" * 200 + " = 'b'",
]


@pytest.fixture(scope="module")
def rows(strict):
    count = 1_000_000
    table = pyarrow.table(
        {
            "number": pyarrow.array(range(count)),
            "text": pyarrow.array("a" * 40 + str(i) for i in range(count)),
        }
    )
    body = io.BytesIO()
    with pyarrow.ipc.new_stream(body, table.schema) as writer:
        writer.write_table(table)
    request = urllib.request.Request(
        strict.url + "/datasets/rows",
        data=body.getvalue(),
        method="PUT",
        headers={"Content-Type": "application/vnd.apache.arrow.stream"},
    )
    urllib.request.urlopen(request, timeout=120).close()
    return strict


def where(condition):
    return "/datasets/rows.csv?limit=1&" + urllib.parse.urlencode({"where": condition})


@pytest.mark.skipif(not pathlib.Path("/proc/self/status").exists(), reason="the system has no /proc")
def test_heavy_statements_end_in_time_and_memory_while_others_are_answered(rows):
    strict = rows
    done = threading.Event()
    peak, failures, durations = [0], [], []

    def watch():
        while not done.wait(0.02):
            peak[0] = max(peak[0], private_bytes(strict.process.pid))

    def read():
        while not done.wait(0.1):
            try:
                urllib.request.urlopen(strict.url + "/datasets/sample.csv?limit=1", timeout=60).read()
            except OSError as failure:
                failures.append(failure)

    threads = [threading.Thread(target=watch), threading.Thread(target=read)]
    for thread in threads:
        thread.start()
    try:
        requests = [("/sql.csv", statement(sql)) for sql in heavy()]
        requests += [(where(condition), None) for condition in CONDITIONS]
        for path, body in requests:
            ask(strict, statement("SELECT 1"))  # A killed worker is replaced before the time counts.
            start = time.monotonic()
            status, answer = ask(strict, body, path)
            durations.append((time.monotonic() - start, path, body))
            assert status in (None, 200, 400, 413, 422, 504), f"{path} {body}\n{status} {answer[:300]}"
    finally:
        done.set()
        for thread in threads:
            thread.join()
    # With -rP: measured against the deadline and the three seconds that a killed worker may add.
    for duration, path, body in sorted(durations, reverse=True)[:5]:
        print(f"{duration:.2f} s of {DEADLINE_SECONDS + 3} s: {str(body or path)[:100]}")
    print(f"{peak[0] >> 20} MiB of {(MEMORY_BYTES + JVM_BYTES) >> 20} MiB")
    assert max(durations)[0] < GENEROUS_SECONDS
    assert not failures
    assert 0 < peak[0] <= MEMORY_BYTES + JVM_BYTES


def lines():
    """The clients and lines of the table of statements."""
    text = (TOP / "src/docs/clients.md").read_text()
    table = text.split("\n| client | line in SQL | what it reads |\n")[1].split("\n\n")[0]
    return re.findall(r"^\| ([^|]+) \| `(.+?)` \|", table, re.MULTILINE)


def test_the_table_has_every_line():
    assert len(lines()) == 7


@pytest.mark.parametrize("client, line", lines(), ids=str)
def test_clients_read_results(strict, client, line):
    line = line.replace("localhost:8080", f"localhost:{strict.port}")
    if client == "curl":
        printed = subprocess.check_output(["bash", "-c", line.replace("curl ", "curl -sSf ")], text=True)
        counts = [int(line.split(",")[1]) for line in printed.splitlines()[1:]]
        assert counts == sorted(counts, reverse=True)
        assert sum(counts) == 31
    else:
        assert rows_in_python(client, line) == 31


def test_conditions_are_parameters_of_a_url(strict):
    url = strict.url + "/datasets/sample.csv?columns=mission,minutes"
    everything = list(csv.reader(curl(url).body.decode().splitlines()))
    end = time.monotonic() + GENEROUS_SECONDS
    answer = curl(url + "&where=minutes%3E1000")
    while answer.status == 504 and time.monotonic() < end:
        # The first condition of a worker may exceed this deadline on a busy machine.
        answer = curl(url + "&where=minutes%3E1000")
    selected = list(csv.reader(answer.body.decode().splitlines()))
    assert selected == [row for row in everything if row[1] == "minutes" or int(row[1] or 0) > 1000]
    assert 1 < len(selected) < len(everything)


def test_a_tab_of_a_browser_shows_the_page_or_json(strict):
    query = "?q=SELECT+count(*)+AS+n+FROM+sample"
    accept = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    tab = ("-H", accept, "-H", "Sec-Fetch-Mode: navigate", "-H", "Sec-Fetch-Site: none")
    answer = curl(strict.url + "/sql.json" + query, *tab)
    assert answer.status == 200
    assert json.loads(answer.body) == [{"n": 31}]
    page = curl(strict.url + "/sql" + query, *tab)
    assert page.status == 200
    assert b"<pre>SELECT count(*) AS n FROM sample</pre>" in page.body


TYPES = """
    SELECT range::INTEGER AS i, range::UTINYINT AS u, range / 3 AS d, (range / 4)::DECIMAL(12, 3) AS e,
      'n' || range AS t, range % 3 = 0 AS b, DATE '2026-01-01' + range::INTEGER AS day,
      TIMESTAMP '2026-01-01 00:00:00' + to_seconds(range) AS moment,
      TIMESTAMPTZ '2026-01-01 00:00:00+00' + to_hours(range) AS zoned, TIME '01:02:03' AS time,
      [range, NULL] AS l, {'a': range, 'b': 'x'} AS s, MAP {'k': range} AS m, 'blob'::BLOB AS bytes,
      nullif(range, 2) AS n, '00000000-0000-0000-0000-000000000001'::UUID AS id
    FROM range(5) ORDER BY i
"""


def store(service, name, sql, method="PUT"):
    request = urllib.request.Request(
        f"{service.url}/datasets/{name}",
        sql.encode(),
        {"Content-Type": "application/sql"},
        method=method,
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def test_stored_results_are_those_of_duckdb(strict):
    stored = store(strict, "sql-types", TYPES)
    with urllib.request.urlopen(f"{strict.url}/datasets/{stored['name']}@{stored['version']}.arrow") as response:
        table = pyarrow.ipc.open_file(response.read()).read_all()
    table.validate(full=True)
    own = duckdb.sql(TYPES).to_arrow_table()
    assert table.column_names == own.column_names
    assert table.drop_columns("id").equals(own.drop_columns("id").cast(table.drop_columns("id").schema))
    assert [str(uuid.UUID(bytes=value) if isinstance(value, bytes) else value) for value in table["id"].to_pylist()] == [
        str(value) for value in duckdb.sql(TYPES).df()["id"]
    ]


def test_stored_rows_are_those_of_duckdb_over_the_same_rows(strict):
    sql = "SELECT program, count(*) AS n, sum(minutes) AS total, max(mission) AS last FROM sample GROUP BY program ORDER BY program"
    store(strict, "sql-grouped", sql)
    store(strict, "sql-grouped", sql, "POST")
    sample = polars.read_ipc(urllib.request.urlopen(strict.url + "/datasets/sample.arrow").read())
    own = duckdb.sql(sql).pl()
    stored = polars.read_ipc(urllib.request.urlopen(strict.url + "/datasets/sql-grouped.arrow").read())
    assert len(sample) == 31
    assert stored.rows() == own.rows() * 2
    partitions = json.load(urllib.request.urlopen(strict.url + "/datasets/sql-grouped/partitions?count=2"))
    parts = [
        polars.read_ipc_stream(urllib.request.urlopen(part["uri"]).read()).rows()
        for part in partitions["arrow_stream_files"]
    ]
    assert sum(parts, []) == stored.rows()

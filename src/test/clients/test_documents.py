"""Runs the commands and the one-line clients in README.md and src/docs as printed, against an empty store.

Only the port differs: `localhost:8080` is replaced by that of the service under test.
"""

import importlib
import importlib.util
import itertools
import os
import pathlib
import re
import subprocess
import sys

import pyarrow as pa
import pytest

import clients
from conftest import need
from service import TOP, Service, curl

FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def newcomer(folder):
    running = Service(folder / "newcomer", **{"quiver.sample": "true"})
    yield running
    running.stop()


class FromSource(Service):
    """`mvn spring-boot:run` with only the settings that two services on one machine need."""

    def command(self, settings):
        arguments = "-Dspring-boot.run.arguments=" + " ".join(settings)
        return ["env", "-u", "JAVA_HOME", "mvn", "-B", "-ntp", "-f", str(TOP), "spring-boot:run", arguments]


@pytest.fixture
def from_source(folder):
    need("mvn")
    running = FromSource(folder / "from-source")
    yield running
    running.stop()


def test_start_from_source(from_source):
    assert curl(from_source.url + "/datasets").json()["datasets"] == []
    maven = str(from_source.process.pid)
    children = subprocess.run(
        ["ps", "-ww", "-o", "args=", "--ppid", maven], check=True, capture_output=True, text=True
    )
    assert "java.base/jdk.internal.module" in children.stdout, "vector code could not be loaded"
    assert "TieredStopAtLevel" not in children.stdout, "without C2, vector code is a hundred times slower"


def documents():
    """The README, then the pages in the order of its list."""
    readme = (TOP / "README.md").read_text()
    pages = re.findall(r"^\| \[[^]]+\]\((src/docs/[^)]+\.md)\)", readme, re.MULTILINE)
    assert set(pages) == {f"src/docs/{path.name}" for path in (TOP / "src/docs").glob("*.md")}
    return {path: (TOP / path).read_text() for path in ["README.md", *pages]}


def blocks():
    """The fenced blocks by page, without the indentation of lists."""
    found = {}
    for path, text in documents().items():
        for indent, language, code in FENCE.findall(text):
            if language in ("nginx", "vcl", "js"):
                continue  # test_caches.py and test_following.py run these.
            found.setdefault(path, []).append((language, re.sub(f"^{indent}", "", code, flags=re.MULTILINE)))
    return found


def run(language, code, service, folder):
    code = code.replace("localhost:8080", f"localhost:{service.port}")
    command = {
        "sh": ["bash", "-euo", "pipefail", "-c", code.replace("curl ", "curl -f ")],
        "python": [sys.executable, "-c", code],
    }[language]
    path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        command, cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{code}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_commands_of_the_documents(newcomer, tmp_path):
    """Runs the blocks in order. A `text` block is the expected output of the one before; `…` is any text."""
    found = blocks()
    counts = {path: len(of_page) for path, of_page in found.items()}
    assert counts == {
        "README.md": 7,
        "src/docs/http-api.md": 22,
        "src/docs/rows.md": 15,
        "src/docs/uploads.md": 17,
        "src/docs/files.md": 7,
        "src/docs/formats-and-types.md": 1,
        "src/docs/sql.md": 7,
        "src/docs/storage.md": 6,
        "src/docs/clients.md": 1,
    }
    printed = ""
    for language, code in itertools.chain.from_iterable(found.values()):
        if language == "text":
            parts = map(re.escape, code.strip().split("…"))
            assert re.fullmatch(".+?".join(parts), printed.strip(), re.DOTALL), f"{code}\n{printed}"
        else:
            printed = run(language, code, newcomer, tmp_path)


def test_sample_dataset(newcomer):
    response = curl(newcomer.url + "/datasets/sample.arrow")
    reader = pa.ipc.open_file(response.body)
    assert reader.num_record_batches == 3
    flights = reader.read_all()
    flights.validate(full=True)
    assert flights.num_rows == 31
    eleven = next(row for row in flights.to_pylist() if row["mission"] == "Apollo 11")
    assert eleven["program"] == "Apollo"
    assert eleven["crew"] == ["Neil Armstrong", "Michael Collins", "Buzz Aldrin"]
    assert eleven["landing"]["lander"] == "Eagle"
    assert str(eleven["launched"]) == "1969-07-16 13:32:00+00:00"


CLIENT_ROW = re.compile(r"^\| (?P<client>[^|]+) \| `(?P<line>[^|]+)` \| [^|]+ \|$", re.MULTILINE)


def lines_of_clients():
    found = []
    for path in ("README.md", "src/docs/clients.md"):
        table = (TOP / path).read_text().split("\n| client | line | what it sends |\n")[1].split("\n\n")[0]
        found += [(row["client"].split(",")[0], row["line"]) for row in CLIENT_ROW.finditer(table)]
    return found


def test_documents_have_a_line_for_every_client():
    assert len(lines_of_clients()) == 21


@pytest.mark.parametrize("client, line", lines_of_clients(), ids=str)
def test_line_for_a_client(newcomer, request, tmp_path, client, line):
    """The line reads the 31 rows of the sample."""
    line = line.replace("localhost:8080", f"localhost:{newcomer.port}")
    if client in ("curl", "wget"):
        need(client)
        rows = rows_in_shell(line, newcomer, tmp_path)
    elif client == "rclone":
        need(client)
        subprocess.run(["bash", "-c", line], cwd=tmp_path, check=True, env=os.environ | {"HOME": str(tmp_path)})
        rows = pa.ipc.open_file(tmp_path / "copies/sample.arrow").read_all().num_rows
    elif client == "R":
        need("Rscript")
        rows = int(subprocess.check_output(["Rscript", "-e", f"cat(nrow({line}))"]))
    elif client == "ClickHouse":
        [[rows]] = request.getfixturevalue("clickhouse")(line)
        rows = int(rows)
    elif client in ("arrow-js", "flechette"):
        rows = request.getfixturevalue("node").job("line", newcomer.url, line=line)["rows"]
    elif client == "Arrow Java":
        need("Arrow Java")
        rows = rows_in_java(line, tmp_path)
    else:
        rows = rows_in_python(client, line)
    assert rows == 31


def rows_in_shell(line, service, folder):
    """Runs the line twice in a folder with a partial download."""
    path = folder / "copy.arrow"
    path.write_bytes(curl("-r", "0-999", service.url + "/datasets/sample.arrow").body)
    for _ in range(2):
        subprocess.run(["bash", "-c", line], cwd=folder, check=True)
    return pa.ipc.open_file(path).read_all().num_rows


LINE = """
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;

class Line {
  public static void main(String[] arguments) throws Exception {
    long rows = 0;
    try (ArrowStreamReader reader = %s) {
      while (reader.loadNextBatch()) {
        rows += reader.getVectorSchemaRoot().getRowCount();
      }
    }
    System.out.println("rows " + rows);
  }
}
"""


def rows_in_java(line, folder):
    source = folder / "Line.java"
    source.write_text(LINE % line)
    done = subprocess.run(clients.java_command(source), capture_output=True, text=True)
    return int(re.search(r"^rows (\d+)$", done.stdout, re.MULTILINE)[1])


def rows_in_python(client, line):
    need(client.lower(), "fsspec", "aiohttp")
    names = {name for name in re.findall(r"\b[a-z]+\b", line) if importlib.util.find_spec(name)}
    modules = {name: importlib.import_module(name) for name in names}
    for name in re.findall(r"pyarrow\.dataset|urllib\.request|dask\.dataframe", line):
        importlib.import_module(name)
    return len(eval(line, modules))


def test_home_page_shows_the_sample(newcomer):
    page = curl("-H", "Accept: text/html", newcomer.url + "/")
    assert page.headers["content-type"].startswith("text/html")
    assert "sample" in page.body.decode()
    assert "default-src" in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"


def test_deleted_sample_is_not_created_again(newcomer):
    """Only a store that never had a dataset gets the sample."""
    assert curl("-X", "DELETE", newcomer.url + "/datasets/sample").status == 204
    newcomer.stop()
    newcomer.start()
    assert "sample" not in newcomer.names()


def test_jar_has_every_file_of_the_api_page(newcomer):
    page = newcomer.url + "/swagger-ui/index.html"
    files = []
    for path in re.findall(r'(?:<link rel="stylesheet" href|src)="(/[^"]+)"', curl(page).body.decode()):
        files.append(path)
        assert curl("-L", newcomer.url + path).status == 200, path
    assert {"/swagger-ui/swagger-ui-bundle.js", "/swagger-ui/swagger-ui.css"} <= set(files)

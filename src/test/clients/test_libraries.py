"""Libraries and programs that read the sample: each line of src/docs/clients.md as printed.

Only the port differs.
"""

import ast
import asyncio
import importlib
import importlib.util
import inspect
import io
import os
import re
import subprocess

import pyarrow as pa
import pytest

from clients import NODE_MODULES
from conftest import need
from service import TOP, Service, curl

ROWS = 31
PROGRAMS = {"Miller": "mlr", "R": "Rscript", "aria2": "aria2c", "HTTPie": "http"}
MODULES = {
    "Altair": "altair",
    "DuckDB": "duckdb",
    "GeoPandas": "geopandas",
    "Hugging Face Datasets": "datasets",
    "Narwhals": "narwhals",
    "Ray": "ray",
    "universal-pathlib": "upath",
}
SUBMODULES = (
    "dask.dataframe",
    "pyarrow.csv",
    "pyarrow.feather",
    "pyarrow.parquet",
    "ray.data",
    "urllib.request",
)
PACKAGES = {
    "duckdb-wasm": "@duckdb/duckdb-wasm",
    "loaders.gl": "@loaders.gl/core",
    "perspective": "@finos/perspective",
}
# Statements of JavaScript; any other library is the only thing that its package exports.
IMPORTS = {
    "loaders.gl": """
        import * as loaders from "@loaders.gl/core";
        import { ArrowLoader } from "@loaders.gl/arrow";
        import { CSVLoader } from "@loaders.gl/csv";""",
    "d3-dsv": 'import * as d3 from "d3-dsv";',
    "duckdb-wasm": """
        import { createRequire } from "node:module";
        const require = createRequire(import.meta.url);
        const files = require.resolve("@duckdb/duckdb-wasm").replace(/[^/]*$/, "");
        const duckdb = require(files + "duckdb-node-blocking.cjs");
        const bundle = { mainModule: files + "duckdb-eh.wasm", mainWorker: "" };
        const bundles = { mvp: bundle, eh: bundle };
        const database = await duckdb.createDuckDB(bundles, new duckdb.VoidLogger(), duckdb.NODE_RUNTIME);
        await database.instantiate();
        const connection = database.connect();""",
    "papaparse": 'import Papa from "papaparse";',
    "parquet-wasm": 'import parquet from "parquet-wasm";',
    "perspective": 'import perspective from "@finos/perspective";',
    "vega-loader": 'import * as vega from "vega-loader";',
}


def table(head):
    """The first column of the table with this head, and the text between backticks of the second."""
    text = (TOP / "src/docs/clients.md").read_text()
    _, rows = re.split(rf"^\| \w+ \| {head} (?:\| .*)?\|$", text, flags=re.MULTILINE)
    return re.findall(r"^\| ([^|]+) \| `([^|]+)` \|", rows.split("\n\n")[0], re.MULTILINE)


@pytest.fixture(scope="module")
def server(folder):
    running = Service(folder / "libraries", **{"quiver.sample": "true"})
    yield running
    running.stop()


@pytest.fixture(scope="module")
def ray():
    """Ray starts by itself, but with a dashboard, and its processes would go on beside the tests that follow."""
    need("ray")
    import ray

    ray.init(num_cpus=1, include_dashboard=False)
    yield ray
    ray.shutdown()


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Caches and settings of libraries are not those of the user."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_UPDATE_DOWNLOAD_COUNTS", "0")
    monkeypatch.setenv("HF_HUB_DISABLE_TELEMETRY", "1")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")


def here(line, server):
    return line.replace("localhost:8080", f"localhost:{server.port}")


def evaluated(library, line, **variables):
    """The value of the last of the statements in a line of Python."""
    need(*(MODULES.get(name, name) for name in library.split(", a ")[0].split(", ")))
    modules = {"io": io} | variables
    for name in set(re.findall(r"\b([a-z_]+)\.", line)) - set(modules):
        if importlib.util.find_spec(name):
            modules[name] = importlib.import_module(name)
    for name in SUBMODULES:
        if name in line:
            importlib.import_module(name)
    *statements, last = line.split("; ")
    code = "\n".join([*statements, f"result = {last}"])
    running = eval(compile(code, "line", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), modules)
    if inspect.iscoroutine(running):
        asyncio.run(running)
    return modules["result"]


def test_document_has_these_lines():
    heads = ("line of Python", "line of JavaScript", "line of a shell", "line that uploads")
    assert [len(table(head)) for head in heads] == [28, 15, 9, 3]


@pytest.mark.parametrize("library, line", table("line of Python"))
def test_line_of_python(server, request, library, line):
    if library == "Ray":
        request.getfixturevalue("ray")
    assert evaluated(library, here(line, server)) == ROWS


@pytest.mark.parametrize("library, line", table("line of JavaScript"))
def test_line_of_javascript(server, library, line):
    need("node", PACKAGES.get(library, library))
    otherwise = f'import * as module from "{library}"; const {library} = module.default ?? module;'
    imported = IMPORTS.get(library, otherwise)
    *statements, last = here(line, server).split("; ")
    script = NODE_MODULES / f"line-{os.getpid()}.mjs"
    script.write_text(";\n".join([imported, *statements, f"console.log({last})"]))
    try:
        done = subprocess.run(["node", script], stdout=subprocess.PIPE, text=True, check=True)
    finally:
        script.unlink()
    assert int(done.stdout) == ROWS


@pytest.mark.parametrize("program, line", table("line of a shell"))
def test_line_of_a_shell(server, tmp_path, program, line):
    need("bash", "curl", PROGRAMS.get(program, program))
    command = ["bash", "-c", here(line, server)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    copy = tmp_path / "copy.arrow"
    if copy.exists():
        assert copy.read_bytes() == curl(server.url + "/datasets/sample.arrow").body
    else:
        assert int(done.stdout) == ROWS


@pytest.mark.parametrize("library, line", table("line that uploads"))
def test_line_that_uploads(server, library, line):
    frame = frame_of(library)
    response = evaluated(library, here(line, server), frame=frame)
    assert response.status_code in (200, 201)
    path = server.folder / "copy.arrow"
    path.write_bytes(curl(server.url + "/datasets/cities.arrow").body)
    assert_equal(library, frame, path)


def frame_of(library):
    columns = {"id": [1, 2, 3], "name": ["Bern", None, "Genf"], "x": [7.4, 8.5, 6.1]}
    module = importlib.import_module(library.lower())
    if library == "GeoPandas":
        points = module.GeoSeries.from_wkt(["POINT (7.4 46.9)", "POINT (8.5 47.4)", "POINT (6.1 46.2)"])
        return module.GeoDataFrame(columns, geometry=points, crs="EPSG:4326")
    return module.DataFrame(columns)


def assert_equal(library, frame, path):
    if library == "polars":
        import polars

        assert polars.read_ipc(path, memory_map=False).equals(frame)
    elif library == "pandas":
        import pandas

        pandas.testing.assert_frame_equal(pandas.read_feather(path), frame)
    else:
        import geopandas.testing

        read = geopandas.read_feather(path)
        assert read.crs == frame.crs
        geopandas.testing.assert_geodataframe_equal(read, frame)


@pytest.mark.parametrize("library, line", table("line that fails"))
def test_line_that_fails(server, library, line):
    before = server.names()
    with pytest.raises(Exception):
        evaluated(library, here(line, server))
    assert server.names() == before

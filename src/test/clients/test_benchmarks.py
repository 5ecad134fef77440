"""The benchmarks run and compare the right bytes. Tiny data is enough: speed is not tested."""

import os
import subprocess
import sys

import pytest

from conftest import need
from service import TOP


@pytest.mark.parametrize(
    "name, path",
    [("get", "GET whole, draining client"), ("csv", "GET .csv"), ("memory", "PUT of a file"), ("files", "PUT of Parquet"), ("statistics", "statistics calculated")],
)
def test_benchmark_compares_bytes_and_prints_its_table(name, path):
    need("numpy", "polars", "pyarrow")
    program = TOP / "src" / "benchmarks" / "benchmark.py"
    command = [sys.executable, program, name, "--rounds", "1", "--size", "2", "--only", path]
    # Peers that are not installed are skipped.
    environment = {key: value for key, value in os.environ.items() if key != "QUIVER_REQUIRE"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert f"| {path}" in done.stdout

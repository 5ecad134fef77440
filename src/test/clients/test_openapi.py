"""Requests that schemathesis generates from /openapi get responses that it describes, and no 500."""

import os
import pathlib
import subprocess
import sys

from conftest import need
from service import TOP, Service

CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance"),
)


def test_responses_are_described(folder, pytestconfig):
    need("schemathesis")
    service = Service(folder / "openapi")
    seconds = pytestconfig.getoption("--openapi-seconds")
    command = [
        *(pathlib.Path(sys.executable).with_name("schemathesis"), "run"),
        *(service.url + "/openapi", "--max-time", str(seconds), "--continue-on-failure"),
        *("--checks", ",".join(CHECKS), "--request-timeout", "30", "--suppress-health-check", "all"),
        *("--no-color", "--warnings", "off"),
    ]
    here = TOP / "src" / "test" / "clients"
    hooks = os.environ | {"SCHEMATHESIS_HOOKS": "fuzzer", "PYTHONPATH": str(here)}
    try:
        done = subprocess.run(command, env=hooks, cwd=folder, capture_output=True, text=True)
    finally:
        service.stop()
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr

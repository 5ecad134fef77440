"""The view of a person in a real browser."""

import json
import shutil

import clients
from conftest import need

SECONDS = 300
running = []
"""The browser, which scenarios share as long as none fails. It ends with this process, which closes its input."""


def visit(script, service, scenario, *parameters):
    """The observations of a scenario of a script that imports visitor.mjs."""
    need("node", "chromium", "playwright-core")
    if not running:
        running.append(clients.Lines("node", clients.HERE / "visitor.mjs", clients.NODE_MODULES, shutil.which("chromium")))
    job = {"script": script, "url": service.url, "scenario": scenario, "parameters": list(map(str, parameters))}
    findings = None
    try:
        findings = json.loads(running[0].ask(json.dumps(job), SECONDS))
    finally:
        if findings is None or "error" in findings:
            stop()
    assert "error" not in findings, findings["error"]
    return findings["seen"]


def stop():
    while running:
        running.pop().stop()

"""What a person sees in a real browser."""

import json
import shutil

import clients
from conftest import need

SECONDS = 300
running = []
"""The browser, which scenarios share as long as none fails. It ends with this process, which closes its input."""


def visit(script, service, scenario, *parameters):
    """What a scenario of a script that imports visitor.mjs saw."""
    need("node", "chromium", "playwright-core")
    if not running:
        running.append(clients.Lines("node", clients.HERE / "visitor.mjs", clients.NODE_MODULES, shutil.which("chromium")))
    job = {"script": script, "url": service.url, "scenario": scenario, "parameters": list(map(str, parameters))}
    answer = None
    try:
        answer = json.loads(running[0].ask(json.dumps(job), SECONDS))
    finally:
        if answer is None or "error" in answer:
            stop()
    assert "error" not in answer, answer["error"]
    return answer["seen"]


def stop():
    while running:
        running.pop().stop()

"""The view of a person in a real browser."""

import json
import shutil
import subprocess

import clients
from conftest import need
from service import TOP

MODULES = TOP / "src/main/resources/dev/quiver/server/pages/page"
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


def visit_in_firefox(script, service, *parameters):
    """The observations of a script that imports firefox_visitor.mjs."""
    firefox = "firefox-esr" if shutil.which("firefox-esr") else "firefox"
    need("node", firefox, "puppeteer-core")
    command = ["node", clients.HERE / script, clients.NODE_MODULES, shutil.which(firefox), service.url, *parameters]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def written(task, data):
    """The results of modules of the pages for some data, which Node runs without a browser."""
    need("node")
    command = ["node", clients.HERE / "quoting.mjs", MODULES, task]
    done = subprocess.run(command, input=json.dumps(data), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def stop():
    while running:
        running.pop().stop()

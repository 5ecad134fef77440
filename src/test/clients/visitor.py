"""What a person sees in a real browser."""

import json
import shutil
import subprocess

import clients
from conftest import need


def visit(script, service, scenario, *parameters):
    """What a scenario of a script that imports visitor.mjs saw."""
    need("node", "chromium", "playwright-core")
    command = ["node", clients.HERE / script, clients.NODE_MODULES, shutil.which("chromium"), service.url]
    done = subprocess.run([*command, scenario, *map(str, parameters)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)

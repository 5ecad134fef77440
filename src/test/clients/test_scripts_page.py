"""The scripts of the pages, which are joined from modules, in a real browser."""

import pytest

from service import Service, curl
from visitor import MODULES, visit

PAGES = ["/", "/inspect", "/sql", "/datasets/few", "/api"]
ALL = sorted(str(path.relative_to(MODULES)) for path in MODULES.glob("*/*.js") if path.parent.name != "vendor")
FETCHED = [name for name in ALL if not name.endswith("-page.js")]


@pytest.fixture(scope="module")
def shown(folder):
    service = Service(folder / "scripts")
    assert curl("-X", "PUT", "--data-binary", "n\n1\n", "-H", "Content-Type: text/csv", f"{service.url}/datasets/few").status == 201
    yield service
    service.stop()


@pytest.mark.parametrize("path", PAGES)
def test_modules_are_sent_whole_and_evaluated_once(shown, path):
    seen = visit("scripts_page.mjs", shown, "modules", path, *FETCHED)
    assert seen == {"modules": len(FETCHED) + 1, "differ": [], "others": []}

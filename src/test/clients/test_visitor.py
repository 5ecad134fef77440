"""The visitor of the pages fails where a page violates its policy, asks another host, or writes an error."""

import pytest

from service import Service
from visitor import visit


@pytest.fixture(scope="module")
def service(folder):
    service = Service(folder / "visited", **{"quiver.storage.sync": "false"})
    yield service
    service.stop()


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ("style", "style-src"),
        ("script", "TrustedScript"),
        ("image", "a request to http://elsewhere.invalid/image.png"),
        ("error", "TypeError"),
        ("other", "style-src"),
    ],
)
def test_planted_violation_fails(service, planted, told):
    with pytest.raises(AssertionError, match=told):
        visit("planted_page.mjs", service, planted)


def test_page_without_a_violation_does_not_fail(service):
    assert visit("planted_page.mjs", service, "nothing") == "Quiver"

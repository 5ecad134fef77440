"""Tests of what the packaged jar loads when it starts."""

import re

import pytest

from service import Service

DEFINITIONS = "dev.quiver.Quiver__ApplicationContextInitializer"
ENDPOINT = "management.opentelemetry.tracing.export.otlp.endpoint"


@pytest.fixture
def loaded(folder):
    """Starts a service with settings, and returns a function that tells whether it has loaded a class."""
    classes = folder / "classes.log"
    running = []

    def start(**settings):
        running.append(Service(folder / "started", jvm=[f"-Xlog:class+load:file={classes}"], **settings))
        return lambda name: f"] {name} source:" in classes.read_text()

    yield start
    for service in running:
        service.stop()


def test_defaults_start_with_generated_definitions(loaded):
    has_loaded = loaded()
    assert has_loaded(DEFINITIONS)


@pytest.mark.parametrize("name, value", [(ENDPOINT, "http://localhost:9/v1/traces"), ("spring.profiles.active", "other")])
def test_other_conditions_start_without(loaded, name, value):
    has_loaded = loaded(**{name: value})
    assert not has_loaded(DEFINITIONS)


def test_vectors_need_no_option(folder):
    service = Service(folder / "vectors", **{"logging.level.dev.quiver": "debug"})
    log = service.log.read_text()
    service.stop()
    assert re.search("Data is validated by vectors of [0-9]+ bits", log)
    assert "jdk.incubator" not in log, "expected no warning about modules"

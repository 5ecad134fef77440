"""Arguments that print something end the program before it opens a store or a port."""

import subprocess

import pytest

from service import jar, java


@pytest.mark.parametrize(("option", "beginning"), [("--version", "Quiver "), ("--help", "Quiver ")])
def test_program_prints_and_ends(folder, option, beginning):
    place = folder / option.strip("-")
    place.mkdir()
    command = [java(), "-jar", jar(), option, "--server.port=0"]
    ended = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith(beginning)
    assert ("Usage:" in ended.stdout) == (option == "--help")
    assert not list(place.iterdir())

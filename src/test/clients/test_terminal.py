"""Tables for a terminal, whose widths are compared with the tables of Unicode that Python has."""

import unicodedata

import pyarrow as pa

import tables
from conftest import upload
from service import curl

# Each cell is a character between two letters. The service knows a later version of Unicode than Python, which may have
# made some of these wide.
BATCH = 900
CHANGED = [range(0x2630, 0x2638), range(0x268A, 0x2690), range(0x4DC0, 0x4E00), range(0x1D300, 0x1D380)]


def width(text):
    """The columns of a text without emoji: Unicode Standard Annex #11, and none for marks."""
    marks = ("Mn", "Me", "Cf")
    wide = sum(unicodedata.east_asian_width(character) in ("W", "F") for character in text)
    return wide + sum(unicodedata.category(character) not in marks for character in text)


def characters():
    """Every 37th character that is displayed, but the letters of Hangul that join others."""
    for number in range(0xA1, 0x30000, 37):
        character = chr(number)
        joins = 0x1160 <= number < 0x1200 or 0xD7B0 <= number < 0xD800
        shown = unicodedata.category(character) not in ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Mc")
        if shown and not joins and not any(number in changed for changed in CHANGED):
            yield character


def test_columns_are_aligned_for_every_script(service, folder):
    cells = [f"a{character}b" for character in characters()]
    assert len(cells) > 2000
    for start in range(0, len(cells), BATCH):
        some = cells[start : start + BATCH]
        table = pa.table({"text": some, "number": list(range(len(some)))})
        dataset = upload(service, "terminal", tables.write_stream(table, folder / "terminal.arrows"))
        response = curl(f"{dataset.url}.txt?limit={BATCH}")
        assert response.headers["content-type"] == "text/plain;charset=utf-8"
        *box, counts = response.body.decode().splitlines()
        assert counts == f"{len(some)} rows, 2 columns"
        assert {width(line) for line in box} == {width(box[0])}, start
        assert [line.split("│")[1].strip() for line in box[4:-1]] == some


def test_home_page_is_text_for_curl(service):
    page = curl(service.url + "/")
    assert page.headers["content-type"] == "text/plain;charset=utf-8"
    lines = page.body.decode().splitlines()
    assert lines[0].startswith(f"Quiver at {service.url}")
    assert sum("curl " in line and not line.startswith(" ") for line in lines) == 3

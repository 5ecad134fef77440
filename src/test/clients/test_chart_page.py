"""Charts in a real browser, whose marks are read from their pictures and compared with values computed here."""

import collections
import datetime
import itertools
import json
import random
import re
import statistics
import struct
import urllib.parse
import xml.etree.ElementTree

import pyarrow as pa
import pytest

from conftest import need
from service import Service, curl
from visitor import visit

MOST_BYTES = 300_000
MOST_MAP_BYTES = 50_000
PIXELS = 0.6
"""The precision of a place in a picture, whose ends are rounded to pixels."""
SUFFIXES = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
UTC = datetime.UTC


@pytest.fixture(scope="module")
def shown(folder):
    service = Service(folder / "charts", **{"quiver.storage.sync": "false", "quiver.where.timeout": "60s"})
    yield service
    service.stop()


def put(service, name, table, folder):
    path = folder / f"{name}.arrows"
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    assert curl("-T", path, f"{service.url}/datasets/{name}").status in (200, 201)


def use(service, scenario, *parameters):
    return visit("chart_page.mjs", service, scenario, *parameters)


def state(**values):
    return "#chart" + "".join(f"&{key}={urllib.parse.quote(value, safe='')}" for key, value in values.items())


def number(text):
    text = text.replace("\u2212", "-").replace(",", "")
    return float(text[:-1]) * SUFFIXES[text[-1]] if text[-1] in SUFFIXES else float(text)


def scale(ticks, place):
    """The line through the first and the last tick of an axis, as a function of numbers."""
    (first, last) = (ticks[0], ticks[-1])
    (low, high) = (number(first[0]), number(last[0]))
    step = (last[place] - first[place]) / (high - low)
    return lambda value: first[place] + (value - low) * step


AGGREGATES = {
    "sum": sum,
    "mean": statistics.fmean,
    "median": statistics.median,
    "count": len,
}


def grouped(rows, aggregate):
    """The values by x and colour. None is a group whose values are all null."""
    groups = collections.defaultdict(list)
    for x, y, colour in rows:
        if x is not None:
            groups[x, colour].append(y)
    if aggregate is None:
        return {key: len(values) for key, values in groups.items()}
    known = {key: [y for y in values if y is not None] for key, values in groups.items()}
    return {key: AGGREGATES[aggregate](values) if values or aggregate == "count" else None for key, values in known.items()}


def random_rows(source, xs, colours):
    count = source.randrange(1, 200)
    least = source.choice([-1000, 0, 500])
    ys = [None if source.random() < 0.2 else source.choice([source.uniform(least, 1000), source.randrange(least, 1000)]) for _ in range(count)]
    return [(None if source.random() < 0.1 else source.choice(xs), float(y) if y is not None else None, source.choice(colours)) for y in ys]


MONTHS = [datetime.date(2020 + month // 12, month % 12 + 1, 1 + month % 27) for month in range(30)]
XS = {
    "category": (pa.utf8(), list("abcdefg"), str),
    "long": (pa.utf8(), [f"a longer name {i}, which needs more room than there is" for i in range(12)], str),
    "date": (pa.date32(), MONTHS, lambda day: day.isoformat()[:7]),
    "time": (pa.timestamp("us", "America/New_York"), [datetime.datetime(2024, 1, 31, 23, 30, tzinfo=UTC) + datetime.timedelta(hours=h) for h in range(0, 60, 7)], lambda at: at.isoformat(" ")[:13]),
    "whole": (pa.int16(), list(range(-3, 9)), str),
}


@pytest.mark.parametrize("seed", range(len(XS)))
def test_bars_are_as_high_as_their_values(shown, folder, seed):
    source = random.Random(seed)
    kind = list(XS)[seed]
    x_type, xs, key = XS[kind]
    rows = random_rows(source, xs, ["p", "q", None])
    name = f"chart-bars-{seed}"
    put(shown, name, pa.table([pa.array(column, type_) for column, type_ in zip(zip(*rows), (x_type, pa.float64(), pa.utf8()))], names=["x", "y", "c"]), folder)
    unit = {"date": {"unit": "month"}, "time": {"unit": "hour"}}.get(kind, {})
    choices = [(None, "bar"), *itertools.product(AGGREGATES, ["bar", "grouped"])]
    states = [state(type=type_, x="x", colour="c", **({"y": "y", "aggregate": aggregate} if aggregate else {}), **unit) for aggregate, type_ in choices]
    plain = state(type="bar", x="x", y="y", aggregate="sum", **unit)
    zone = source.choice(["America/New_York", "Asia/Kolkata", "Pacific/Auckland"])
    *seen, without = use(shown, "charts", name, zone, *states, plain)
    keyed = [(None if x is None else key(x), y, colour) for x, y, colour in rows]
    for (aggregate, type_), found in zip(choices, seen, strict=True):
        compare(found, grouped(keyed, aggregate), kind == "long", stacked=type_ == "bar" and aggregate in (None, "sum", "count"))
    compare(without, grouped([(x, y, "") for x, y, _ in keyed], "sum"), kind == "long", stacked=False)
    missing = sum(x is None for x, _, _ in rows)
    assert (f"{missing} row" in without["note"]) == (missing > 0)
    assert f"Over {len(rows)} row" in without["note"]


def compare(seen, expected, is_horizontal, stacked):
    """Compares the table and the bars of a chart with expected values."""
    told = {(row[0].removesuffix(":00Z"), "" if len(row) == 2 else None if row[1] == "null" else row[1]): row[-1] for row in seen["rows"]}
    assert told.keys() == expected.keys()
    for name, value in expected.items():
        assert told[name] == "none" if value is None else number(told[name]) == pytest.approx(value, rel=1e-9, abs=1e-9), name
    assert (seen["overlaps"], seen["outside"]) == (0, [])
    drawn = [(key, expected[key]) for key in told if expected[key] is not None]
    assert len(seen["bars"]) == len(drawn)
    if not drawn:
        return
    assert "0" in [text for text, *_ in seen["x" if is_horizontal else "y"]]
    at = scale(seen["x"], 1) if is_horizontal else scale(seen["y"], 2)
    ends = collections.defaultdict(float)
    for ((x, _), value), (left, top, width, height, _) in zip(drawn, seen["bars"], strict=True):
        base = ends[x, value < 0] if stacked else 0
        ends[x, value < 0] = base + value
        edges = sorted(map(at, (base, base + value)))
        assert ([left, left + width] if is_horizontal else [top, top + height]) == pytest.approx(edges, abs=PIXELS), (x, value)


@pytest.mark.parametrize("seed", range(4))
def test_points_and_lines_are_where_their_values_are(shown, folder, seed):
    source = random.Random(100 + seed)
    kind = ["whole", "date", "time", "number"][seed]
    x_type, xs, _ = (pa.float64(), [source.uniform(-5, 5) for _ in range(30)], None) if kind == "number" else XS[kind]
    rows = random_rows(source, xs, [""])
    name = f"chart-points-{seed}"
    put(shown, name, pa.table([pa.array(column, type_) for column, type_ in zip(zip(*rows), (x_type, pa.float64(), pa.utf8()))], names=["x", "y", "c"]), folder)
    zone = source.choice(["America/New_York", "Asia/Kolkata", "Pacific/Auckland"])
    points, lines = use(shown, "charts", name, zone, state(type="points", x="x", y="y"), state(type="line", x="x", y="y", aggregate="mean"))
    drawn = [(place_of(x), y) for x, y, _ in rows if x is not None and y is not None]
    left = len(rows) - len(drawn)
    without = sum(x is None for x, _, _ in rows)
    assert [int(count) for count in re.findall(r"(\d+) rows? without [xy]", points["note"])] == [count for count in (without, left - without) if count > 0]
    compare_places(points, drawn)
    means = sorted((place_of(x), y) for (x, _), y in grouped(rows, "mean").items())
    compare_places(lines, [(x, y) for x, y in means if y is not None])
    # A line ends before a null, and begins anew after it.
    runs = [list(run) for known, run in itertools.groupby(means, lambda mean: mean[1] is not None) if known]
    path = "".join(lines["lines"])
    assert path.count("M") == len(runs)
    assert [len(re.findall(r"[ML]|Z", part)) for part in re.findall(r"M[^M]*", path)] == [max(len(run), 2) for run in runs]


def place_of(x):
    """A place on an axis: a number, or microseconds, of which floats have all."""
    if isinstance(x, datetime.datetime):
        return (x - datetime.datetime(1970, 1, 1, tzinfo=UTC)) / datetime.timedelta(milliseconds=1)
    if isinstance(x, datetime.date):
        return (x - datetime.date(1970, 1, 1)) / datetime.timedelta(milliseconds=1)
    return x


def compare_places(seen, expected):
    assert (seen["overlaps"], seen["outside"]) == (0, [])
    assert len(seen["points"]) == len(expected)
    at = scale(seen["y"], 2)
    assert sorted(y for _, y in seen["points"]) == pytest.approx(sorted(at(y) for _, y in expected), abs=PIXELS)
    # Numbers are told by the ticks of x, and times by the distances between them.
    xs = sorted(x for x, _ in seen["points"])
    wanted = sorted(x for x, _ in expected)
    if wanted[-1] > 1e6:
        step = (xs[-1] - xs[0]) / (wanted[-1] - wanted[0])
        assert xs == pytest.approx([xs[0] + (x - wanted[0]) * step for x in wanted], abs=PIXELS)
    else:
        assert xs == pytest.approx(list(map(scale(seen["x"], 1), wanted)), abs=PIXELS)


def test_times_are_those_of_utc(shown, folder):
    """Midnight of a day is at the tick of that day, wherever the browser is."""
    starts = [datetime.datetime(2024, 1, 27, tzinfo=UTC) + datetime.timedelta(day) for day in range(10)]
    put(shown, "chart-zones", pa.table({"x": pa.array(starts, pa.timestamp("ns", "Asia/Tokyo")), "y": range(10)}), folder)
    for zone in ("America/Los_Angeles", "Asia/Tokyo"):
        (seen,) = use(shown, "charts", "chart-zones", zone, state(type="line", x="x", y="y"))
        # Such as 12 AM, and below it Jan 28.
        ticks = {f"{found[1]} {int(found[2]):02}": x for text, x, _ in seen["x"] if (found := re.fullmatch(r"12 AM.*?([A-Z][a-z]+) (\d+)", text, re.DOTALL))}
        assert len(ticks) >= 5
        for start, (x, _) in zip(starts, seen["points"], strict=True):
            assert f"{start:%b %d}" not in ticks or ticks[f"{start:%b %d}"] == pytest.approx(x, abs=PIXELS)
        assert [row[0] for row in seen["rows"]] == [f"{start:%Y-%m-%d} 00:00:00Z" for start in starts]
        assert seen["axes"] == ["y", "x (UTC)"]


def test_histogram_counts_exactly(shown, folder):
    """Bins have edges as they are written: 0.29 is in that from 0.29 on, although 100 * 0.29 is less than 29."""
    values = [i / 100 for i in range(31) for _ in range(1 + i % 5)] + [None, float("nan"), float("inf")]
    put(shown, "chart-bins", pa.table({"x": values, "i": [i % 7 for i in range(len(values))]}), folder)
    bins, whole = use(shown, "charts", "chart-bins", "UTC", state(type="histogram", x="x"), state(type="histogram", x="i"))
    told = {tuple(map(number, row[0].split(" to "))): number(row[1]) for row in bins["rows"]}
    assert told == {(i / 100, (i + 1) / 100): 1 + i % 5 for i in range(31)}
    at = scale(bins["y"], 2)
    assert [bar[3] for bar in bins["bars"]] == pytest.approx([at(0) - at(count) for count in told.values()], abs=PIXELS)
    assert bins["axes"] == ["Number of rows", "x, in bins of 0.01"]
    assert bins["title"] == "Distribution of x"
    assert "3 rows without x are left out." in bins["note"]
    counts = collections.Counter(i % 7 for i in range(len(values)))
    assert whole["rows"] == [[str(i), str(counts[i])] for i in range(7)]
    assert whole["heads"] == 7


def test_many_values_are_bounded(shown, folder):
    names = [f"name {i:03}" for i in range(300) for _ in range(i)]
    source = random.Random(7)
    put(shown, "chart-many", pa.table({"name": names, "y": [source.random() for _ in names], "c": [f"c{i % 12}" for i in range(len(names))]}), folder)
    bars, lines, points, bins = use(
        shown,
        "charts",
        "chart-many",
        "UTC",
        state(type="bar", x="name"),
        state(type="line", x="y", colour="c"),
        state(type="points", x="y", y="y", colour="c"),
        state(type="histogram", x="y", colour="c"),
    )
    assert [row[0] for row in bars["rows"]] == [f"name {i:03}" for i in range(299, 249, -1)]
    assert "The 50 greatest of 299 values of name are drawn." in bars["note"]
    assert len(bars["bars"]) == 50
    assert lines["legend"][-1] == "4 others"
    assert len(lines["legend"]) == 9
    assert sum(number(row[2]) for row in bins["rows"]) == len(names)
    assert "The 8 most frequent of 12 values of c have colours; the others are one." in lines["note"]
    every = -(-len(names) // 5000)
    assert every > 1
    assert f"One in {every} of {len(names):,} rows is drawn." in points["note"]
    assert len(points["points"]) == -(-len(names) // every)
    for seen in (bars, lines, points):
        assert (seen["overlaps"], seen["outside"]) == (0, [])


def series(folder, service, name="chart-series"):
    """Prices of three firms by day, and rows of one of them without a price."""
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(7 * i) for i in range(80)]
    rows = [(day, firm, float(10 * f + i % 13) if f or i % 9 else None) for i, day in enumerate(days) for f, firm in enumerate(["A", "B", "C"])]
    put(service, name, pa.table([pa.array(column) for column in zip(*rows)], names=["day", "firm", "price"]), folder)
    return rows


def test_choices_are_in_the_url(shown, folder):
    rows = series(folder, shown)
    seen = use(shown, "choices", "chart-series", "firm <> 'C'")
    standard, bars, points, again = (seen[key] for key in ("standard", "bars", "points", "again"))
    assert standard["hash"] == "#chart&where=firm <> 'C'&type=line&x=day&y=price&colour=firm&aggregate=mean"
    assert standard["legend"] == ["A", "B"]
    assert standard["title"] == "price by day and firm"
    assert len(standard["lines"]) == 2
    assert bars["hash"].endswith("&type=bar&x=day&y=price&colour=firm&aggregate=sum&unit=year")
    assert bars["axes"] == ["Sum of price", "day, by year"]
    expected = grouped([(str(day.year), price, firm) for day, firm, price in rows if firm != "C"], "sum")
    assert {(row[0], row[1]): number(row[2]) for row in bars["rows"]} == expected
    assert points["axes"] == ["price", "day"]
    assert len(points["points"]) == sum(price is not None for _, firm, price in rows if firm != "C")
    assert seen["link"] == "#chart&type=points&x=day&y=price&unit=year"
    assert seen["hash"].endswith("&type=points&x=day&y=price&unit=year&title=A%20%3Cb%3Etitle%3C%2Fb%3E%20of%20mine")
    assert again["title"] == "A <b>title</b> of mine"
    assert again["points"] == points["points"]
    assert "240 rows" in seen["all"]


def test_picture_is_saved(shown, folder):
    series(folder, shown)
    seen = use(shown, "files", "chart-series", state(type="bar", x="firm", y="price", aggregate="sum", title="Prices: all & <more>"))
    assert seen["names"] == ["prices-all-more.svg", "prices-all-more.png"]
    root = xml.etree.ElementTree.fromstring(seen["svg"])
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Prices: all & <more>" in texts and "Sum of price" in texts
    assert seen["pixels"] == [2 * round(float(root.get(size))) for size in ("width", "height")]
    assert seen["colours"] > 10
    typed = use(shown, "files", "chart-series", state(type="bar", x="firm", y="price", aggregate="sum"), "Of <mine> & yours")
    assert typed["names"][0] == "of-mine-yours.svg"
    assert texts_of(typed["svg"])[0] == "Of <mine> & yours"


def texts_of(svg):
    return ["".join(text.itertext()) for text in xml.etree.ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def told_below(svg):
    """The notes of a saved picture."""
    notes = [text.text for text in xml.etree.ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text") if text.get("class") == "note"]
    return " ".join(notes)


def test_search_narrows_charts(shown, folder):
    """The chart is of the rows that the search finds in their texts, and of no others. Its picture says so."""
    rows = series(folder, shown)
    choice = {"where": "price > 5", "type": "bar", "x": "day", "y": "price", "aggregate": "sum"}
    seen = use(shown, "files", "chart-series", state(search="a", **choice))
    found = [(day, price) for day, firm, price in rows if firm == "A" and price is not None and price > 5]
    assert seen["note"] == told_below(seen["svg"]) == f"Over {len(found)} rows."
    assert "Rows with “a” and price > 5" in texts_of(seen["svg"])
    chart, without = use(shown, "charts", "chart-series", "UTC", state(search="a", **choice), state(type="bar", x="firm"))
    assert [number(row[1]) for row in chart["rows"]] == [price for _, price in found]
    assert without["note"] == f"Over {len(rows)} rows."


def test_picture_says_where_a_search_narrows_its_chart_otherwise(shown, folder):
    """SQL folds fewer letters than the search, and no short condition finds texts within lists."""
    texts = ["Straße", "STRASSE", "a strasse", "Gasse", None]
    put(shown, "chart-streets", pa.table({"x": texts, "y": range(5)}), folder)
    put(shown, "chart-within", pa.table({"x": texts, "tags": [["strasse"], [], [], [], []]}), folder)
    seen = use(shown, "files", "chart-streets", state(search="strasse", type="bar", x="x"))
    sentence = "The search for “strasse” finds 3 rows, and the chart has 2: letters such as ß are only themselves in it."
    assert seen["note"] == told_below(seen["svg"]) == f"{sentence} Over 2 rows."
    within = use(shown, "files", "chart-within", state(search="strasse", type="bar", x="x", where="x <> 'Gasse'"))
    assert within["note"] == told_below(within["svg"]) == "The search for “strasse” narrows the rows, and not the chart. Over 3 rows."
    assert "Rows with x <> 'Gasse'" in texts_of(within["svg"])
    (same,) = use(shown, "sentences", "chart-streets" + state(search="gasse", type="bar", x="x"))
    assert same == "Over 1 row."


def test_tip_and_hostile_names(shown, folder):
    names = ["<img src=x onerror=alert(1)>", "a\u202eb"]
    put(shown, "chart-hostile", pa.table({names[0]: [names[1], names[1], "c"], "": [1, 2, 3], "__proto__": [4, 5, 6]}), folder)
    seen = use(shown, "tip", "chart-hostile", state(type="bar", x=names[0], y="[1]", aggregate="sum"))
    assert seen["text"] == [f"{names[0]}: a⟨202E⟩b", "Sum of (no name): 3", "2 rows"]
    assert (seen["images"], seen["styles"]) == (0, 0)


CAPITALS = {
    "France": (2.35, 48.86, "FR"),
    "Brazil": (-47.9, -15.8, "bra"),
    "Kenya": (36.8, -1.3, "404"),
    "Mongolia": (106.9, 47.9, "Mongolia"),
    "Australia": (149.1, -35.3, "Australia"),
    "Canada": (-75.7, 45.4, "CAN"),
    "Côte d'Ivoire": (-5.28, 6.82, "ivory coast"),
    "Russia": (37.6, 55.75, "Russian Federation"),
    "United States of America": (-98.0, 39.0, "The United States"),
    "South Korea": (127.8, 36.5, "Korea, Republic of"),
}
"""Places within countries, as the map names them, and names of these countries."""


def wkb(x, y, kind):
    """A point as WKB, in one of its forms."""
    return {
        "little": struct.pack("<BIdd", 1, 1, x, y),
        "big": struct.pack(">BIdd", 0, 1, x, y),
        "with z": struct.pack("<BIddd", 1, 1001, x, y, 5),
        "of PostGIS": struct.pack("<BIIdd", 1, 0x20000001, 4326, x, y),
    }[kind]


def test_maps_have_places_where_they_are(shown, folder):
    names, points = list(CAPITALS), [place[:2] for place in CAPITALS.values()]
    table = {
        "name": names,
        "code": [code for *_, code in CAPITALS.values()],
        "longitude": [x for x, _ in points],
        "lat": [y for _, y in points],
        "value": list(range(len(names))),
        "geojson": [json.dumps({"type": "Point", "coordinates": point}) for point in points],
        **{f"wkb {kind}": [wkb(*point, kind) for point in points] for kind in ("little", "big", "with z", "of PostGIS")},
    }
    types = {"geojson": pa.field("geojson", pa.utf8(), metadata={"ARROW:extension:name": "arrow.json"})}
    schema = pa.schema([types.get(name, pa.field(name, pa.array(values).type)) for name, values in table.items()])
    put(shown, "chart-places", pa.table(table, schema=schema), folder)
    geometries = [name for name in table if name.startswith(("geojson", "wkb"))]
    standard, *shapes, regions = use(
        shown,
        "maps",
        "chart-places#chart",
        *("chart-places" + state(type="map", x=name, colour="name") for name in geometries),
        "chart-places" + state(type="map", x="code", y="value", aggregate="sum"),
    )
    assert standard["hash"] == "#chart&type=map&x=longitude&y=lat"
    assert [within for *_, within in standard["points"]] == [[name] for name in names]
    for name, seen in zip(geometries, shapes, strict=True):
        assert [within for *_, within in seen["points"]] == [[name] for name in names], name
        for (*at, _), (*expected, _) in zip(seen["points"], standard["points"], strict=True):
            assert at == pytest.approx(expected), name
        assert seen["legend"][:2] == sorted(names)[:2]
    assert len(regions["shapes"]) == len(names)
    # Rows are from the greatest value down, and their colours from dark to light.
    for (_, box, _), name in zip(regions["shapes"], reversed(names), strict=True):
        assert box == regions["outlines"][name], name
    assert [row[-1] for row in regions["rows"]] == [str(i) for i in reversed(range(len(names)))]
    shades = [[int(part) for part in re.findall(r"\d+", shade)] for *_, shade in regions["shapes"]]
    assert sorted(shades) == shades and len(set(map(tuple, shades))) == len(names)


def test_shapes_of_either_direction(shown, folder):
    """A polygon is the smaller part of the globe, whether its ring is wound as GeoJSON wants it or not."""
    ring = [[0, 40], [10, 40], [10, 50], [0, 50], [0, 40]]
    hole = [[4, 44], [6, 44], [6, 46], [4, 46], [4, 44]]
    shapes = [
        {"type": "Polygon", "coordinates": [ring, hole]},
        {"type": "Polygon", "coordinates": [ring[::-1], hole[::-1]]},
        {"type": "MultiPolygon", "coordinates": [[ring]]},
        {"type": "Feature", "geometry": {"type": "GeometryCollection", "geometries": [{"type": "LineString", "coordinates": ring}]}},
        {"type": "Polygon", "coordinates": "far"},
        {"type": "Point", "coordinates": [200_000, 5_000_000]},
    ]
    field = pa.field("geometry", pa.utf8(), metadata={"ARROW:extension:name": "arrow.json"})
    put(shown, "chart-shapes", pa.table([[*map(json.dumps, shapes), "no JSON", None]], schema=pa.schema([field])), folder)
    put(shown, "chart-nowhere", pa.table({"country": ["Atlantis", None]}), folder)
    seen, nowhere = use(shown, "maps", "chart-shapes#chart", "chart-shapes" + state(type="map", x="geometry"))
    assert [box for _, box, _ in seen["shapes"]] == [pytest.approx(seen["shapes"][0][1], abs=0.1)] * 4
    assert seen["note"] == "Over 8 rows. 1 row without geometry is left out. 3 rows whose geometry is not a geometry in degrees are left out."
    assert nowhere["shapes"] == seen["shapes"]
    (told,) = use(shown, "notes", "chart-nowhere" + state(type="map", x="country"))
    assert told == "No rows have values to draw"


def test_countries_are_one_however_they_are_written(shown, folder):
    spellings = {"Germany": ["DE", "DEU", "Germany", " germany ", "GERMANY"], "France": ["fr", "FRA"], "Chad": ["TCD"]}
    rows = [(text, float(10 * i + len(country))) for country, texts in spellings.items() for i, text in enumerate(texts)] + [("de", None)]
    put(shown, "chart-spellings", pa.table([pa.array(column) for column in zip(*rows)], names=["country", "y"]), folder)
    aggregates = [None, "sum", "mean", "median", "count"]
    seen = use(shown, "maps", *("chart-spellings" + state(type="map", x="country", **({"y": "y", "aggregate": each} if each else {})) for each in aggregates))
    countries = {text: country for country, texts in spellings.items() for text in [*texts, "de"[: 2 * (country == "Germany")]]}
    for aggregate, found in zip(aggregates, seen, strict=True):
        expected = grouped([(countries[text], y, "") for text, y in rows], aggregate)
        assert {row[0]: number(row[1]) for row in found["rows"]} == {name: value for (name, _), value in expected.items()}, aggregate
        assert sorted(found["outlines"][name] for name in spellings) == sorted(box for _, box, _ in found["shapes"])
    assert seen[0]["note"] == "Over 9 rows."
    assert seen[1]["note"] == "Over 9 rows. 1 row without y is left out."


def test_notes_of_maps_count_all_rows(shown, folder):
    """Each row is drawn, or counted as left out by one reason, also those that a sample would not have."""
    places = [(float(i % 300) - 150, float(i % 100) - 50) for i in range(11_000)]
    wrong = [(500.0, 1.0), (1.0, -91.0), (None, 1.0), (1.0, None), (None, None), (float("nan"), 2.0)] * 7
    put(shown, "chart-wrong-places", pa.table([pa.array(column) for column in zip(*places, *wrong)], names=["longitude", "latitude"]), folder)
    names = ["CH", "Switzerland", "Atlantis", "Mu", "", None, "Lemuria", "Avalon", "Utopia", "Thule"]
    put(shown, "chart-wrong-names", pa.table({"country": names * 3, "y": [None, *range(29)]}), folder)
    field = pa.field("geometry", pa.utf8(), metadata={"ARROW:extension:name": "arrow.json"})
    put(shown, "chart-no-shapes", pa.table([[None, None]], schema=pa.schema([field])), folder)
    points, countries = use(shown, "maps", "chart-wrong-places#chart", "chart-wrong-names" + state(type="map", x="country", y="y", aggregate="sum"))
    assert points["note"] == (
        "One in 3 of 11,000 rows is drawn. 21 rows without longitude are left out. 7 rows without latitude are left out. "
        "14 rows with numbers that are not degrees are left out."
    )
    assert len(points["points"]) == -(-11_000 // 3)
    assert countries["note"] == (
        "Over 30 rows. 21 rows of names that are not on the map ((empty), Atlantis, Avalon, Lemuria, Mu and 2 others) are left out. "
        "3 rows without country are left out. 1 row without y is left out."
    )
    (told,) = use(shown, "sentences", "chart-no-shapes#chart")
    assert told == "Over 2 rows. 2 rows without geometry are left out."


def test_sample_of_points_has_no_period(shown, folder):
    """One row in 24 is of one hour of the day if each 24th is taken. Of each 24 rows, exactly one is drawn."""
    count = 24 * 5_000 - 7
    put(shown, "chart-hours", pa.table({"i": range(count), "hour": [i % 24 for i in range(count)]}), folder)
    seen, again = use(shown, "charts", "chart-hours", "UTC", *[state(type="points", x="i", y="hour")] * 2)
    assert seen["note"] == f"One in 24 of {count:,} rows is drawn."
    assert seen["points"] == again["points"]
    assert len(seen["points"]) == -(-count // 24)
    at = scale(seen["y"], 2)
    steps = at(0) - at(1)
    hours = collections.Counter(round((at(0) - y) / steps) for _, y in seen["points"])
    assert hours.keys() == set(range(24))
    assert max(hours.values()) < 2 * min(hours.values())
    ends = scale(seen["x"], 1)
    for i, (x, _) in enumerate(sorted(seen["points"])):
        assert ends(24 * i) - PIXELS <= x <= ends(24 * i + 23) + PIXELS


def test_counts_have_whole_ticks(shown, folder):
    put(shown, "chart-few", pa.table({"x": ["p", "q", "q"], "y": [0.5, 1.0, 2.0]}), folder)
    rows, means = use(shown, "charts", "chart-few", "UTC", state(type="bar", x="x"), state(type="bar", x="x", y="y"))
    assert [tick for tick, *_ in rows["y"]] == ["0", "1", "2"]
    assert any("." in tick for tick, *_ in means["y"])


def test_events_are_bars(shown, folder):
    """Rows at few of the times and colours are no series: lines of their numbers would cross everywhere."""
    days = [datetime.date(2020, 1, 1) + datetime.timedelta(days=i) for i in range(300)]
    rows = {"day": [*days, *days[:60]], "kind": ["abc"[i % 3] for i in range(360)]}
    put(shown, "chart-events", pa.table(rows), folder)
    seen = use(shown, "charts", "chart-events", "UTC", "#chart")[0]
    assert seen["hash"] == "#chart&type=bar&x=day&colour=kind"
    assert seen["axes"][0] == "Number of rows"


def monthly(count, months=1):
    return [datetime.date(2023 + i * months // 12, i * months % 12 + 1, 1) for i in range(count)]


@pytest.mark.parametrize(("unit", "days", "name"), [
    ("day", [datetime.date(2024, 2, 27 + i) for i in range(3)], str),
    ("week", [datetime.date(2024, 1, 1) + datetime.timedelta(7 * i) for i in range(9)], lambda day: f"week of {day}"),
    ("month", monthly(12), lambda day: f"{day:%Y-%m}"),
    ("quarter", monthly(8, 3), lambda day: f"{day.year} Q{day.month // 3 + 1}"),
    ("year", monthly(10, 12), lambda day: str(day.year)),
])
def test_bars_of_dates_have_their_steps(shown, folder, unit, days, name):
    """A bar is as wide as the time between two dates, and not as the finest step that fits."""
    rows = [(day, i + colour, "pq"[colour]) for i, day in enumerate(days) for colour in range(2)]
    put(shown, f"chart-by-{unit}", pa.table([pa.array(column) for column in zip(*rows)], names=["x", "y", "c"]), folder)
    stacked, alone = use(shown, "charts", f"chart-by-{unit}", "UTC", state(type="bar", x="x", y="y", colour="c", aggregate="sum"), state(type="bar", x="x"))
    assert stacked["title"] == f"y by {unit} and c"
    assert stacked["rows"] == sorted([[name(day), colour, str(y)] for day, y, colour in rows], key=lambda row: row[1])
    assert alone["rows"] == [[name(day), "2"] for day in days]
    lefts, widths = [bar[0] for bar in alone["bars"]], [bar[2] for bar in alone["bars"]]
    gap = lefts[1] - lefts[0] - widths[0]
    assert 0 <= gap < 5
    assert [left + width + gap for left, width in zip(lefts, widths)][:-1] == pytest.approx(lefts[1:], abs=PIXELS)


def test_one_date_is_a_day(shown, folder):
    """The first of January alone is no year."""
    put(shown, "chart-new-year", pa.table({"x": [datetime.date(2024, 1, 1)] * 2, "y": [1, 2]}), folder)
    bars, line, mean = use(shown, "charts", "chart-new-year", "UTC", state(type="bar", x="x"), state(type="line", x="x"), state(type="line", x="x", y="y"))
    for seen, value in ((bars, "2"), (line, "2"), (mean, "1.5")):
        assert seen["rows"] == [["2024-01-01", value]]
        assert [text for text, *_ in seen["x"]] == ["2024-01-01"]


def test_dates_have_ticks_of_days(shown, folder):
    days = [datetime.date(2024, 2, 28), datetime.date(2024, 2, 29), datetime.date(2024, 3, 1)]
    put(shown, "chart-three", pa.table({"x": days * 2, "y": range(6), "at": pa.array(days * 2, pa.date32()).cast(pa.timestamp("s"))}), folder)
    states = [state(type="line", x="x", y="y"), state(type="points", x="x", y="y"), state(type="area", x="at", y="y", aggregate="sum", unit="day")]
    for seen in (*use(shown, "charts", "chart-three", "UTC", *states), *use(shown, "narrow", "chart-three", *states)):
        assert [re.findall(r"\d+", text)[0] for text, *_ in seen["x"]] == ["28", "29", "1"], seen["hash"]
    # Many days have fewer ticks than days.
    put(shown, "chart-days", pa.table({"x": [datetime.date(2024, 1, 1) + datetime.timedelta(i) for i in range(60)], "y": range(60)}), folder)
    (many,) = use(shown, "narrow", "chart-days", state(type="line", x="x", y="y"))
    assert 2 <= len(many["x"]) <= 8


def test_complete_series_are_lines(shown, folder):
    """Each month has a row of each of 14 series, of which the 8 most frequent have lines of their own."""
    rows = [(month, f"s{i:02}", i * 10 + month.month) for month in monthly(24) for i in range(14)]
    put(shown, "chart-panel", pa.table([pa.array(column) for column in zip(*rows)], names=["month", "series", "n"]), folder)
    (seen,) = use(shown, "charts", "chart-panel", "UTC", "#chart")
    assert seen["hash"] == "#chart&type=line&x=month&y=n&colour=series&aggregate=mean"
    assert seen["legend"] == [*(f"s{i:02}" for i in range(8)), "6 others"]
    others = [float(row[2]) for row in seen["rows"] if row[1] == "6 others"]
    assert others == [statistics.fmean(i * 10 + month.month for i in range(8, 14)) for month in monthly(24)]


def test_events_of_many_kinds_are_no_series(shown, folder):
    """As many rows as days and kinds together are no series if several of them are of one day and kind."""
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(i) for i in range(50)]
    rows = [(days[i % 50], f"kind {i % 10}", i) for i in range(450)]
    put(shown, "chart-kinds", pa.table([pa.array(column) for column in zip(*rows)], names=["day", "kind", "n"]), folder)
    source = random.Random(3)
    put(shown, "chart-clusters", pa.table({"day": [source.choice(days) for _ in range(450)], "kind": [f"kind {source.randrange(10)}" for _ in range(450)]}), folder)
    clusters = use(shown, "charts", "chart-clusters", "UTC", "#chart")[0]
    assert clusters["hash"] == "#chart&type=bar&x=day"
    # Bars that are all of 9 rows say nothing.
    equal = use(shown, "charts", "chart-kinds", "UTC", "#chart")[0]
    assert equal["hash"] == "#chart&type=bar&x=day&y=n&aggregate=mean"


@pytest.mark.parametrize(("name", "first", "isTime"), [("year", 1960, True), ("Release Year", 2000, True), ("years", 1, False), ("year", 2190, False), ("yearly", 2000, False)])
def test_whole_numbers_of_years_are_times(shown, folder, name, first, isTime):
    rows = [(first + i, country, i * len(country)) for i in range(20) for country in ("Chad", "Togo", "Mali")]
    path = f"chart-year-{name.lower().replace(' ', '-')}-{first}"
    put(shown, path, pa.table([pa.array(column) for column in zip(*rows)], names=[name, "country", "sales"]), folder)
    (seen,) = use(shown, "charts", path, "UTC", "#chart")
    told = chosen(seen)
    if isTime:
        assert told == {"type": "line", "x": name, "y": "sales", "colour": "country", "aggregate": "mean"}
        assert [text for text, *_ in seen["x"]][0] == str(first)
    else:
        assert (told["x"], told["type"]) == ("country", "bar")


DATE_FORMS = ["%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d-%b-%Y", "%d%b%Y", "%d %B %Y", "%b %d %Y", "%B %d, %Y", "%m/%d/%Y", "%d/%m/%Y", "%m-%d-%y"]
TIME_FORMS = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S.%f", "%m/%d/%y %H:%M", "%b %d %Y, %I:%M %p"]


def test_texts_that_are_dates_are_times(shown, folder):
    """Each form that files have, of days before and after the twelfth of a month. One that reads in two ways stays text."""
    days = [datetime.datetime(2023, 1, 1, 3, 5) + datetime.timedelta(23 * i) for i in range(8)]
    forms = [*DATE_FORMS, *TIME_FORMS]
    columns = {f"x{i}": [day.strftime(form) for day in days] for i, form in enumerate(forms)}
    shorter = [text.removeprefix("0").replace("/0", "/") for text in columns["x9"]]
    both = [f"{i + 1}/{i + 2}/2023" for i in range(8)]
    put(shown, "chart-dates", pa.table({**columns, "shorter": [*shorter[:-1], ""], "both": both, "word": [*shorter[:-1], "soon"], "y": range(8)}), folder)
    states = [state(type="line", x=name, y="y") for name in (*columns, "shorter")]
    *seen, empty = use(shown, "charts", "chart-dates", "UTC", *states)
    for form, found in zip(forms, seen, strict=True):
        zone = "Z" if form.endswith("Z") else ""
        names = [f"{day:%Y-%m-%d}" if form in DATE_FORMS else f"{day:%Y-%m-%d %H:%M:%S}{zone}" for day in days]
        assert found["rows"] == [[name, str(i)] for i, name in enumerate(names)], form
        assert found["axes"][1].endswith(" (UTC)") == (zone != "")
    assert [row[0] for row in empty["rows"]] == [f"{day:%Y-%m-%d}" for day in days[:-1]]
    assert empty["note"] == "Over 8 rows. 1 row without shorter is left out."
    for column, texts in (("both", both), ("word", [*shorter[:-1], "soon"])):
        (text,) = use(shown, "charts", "chart-dates", "UTC", state(type="bar", x=column))
        assert sorted(row[0] for row in text["rows"]) == sorted(texts)


def test_first_texts_decide_whether_they_are_dates(shown, folder):
    """A word among the first 1,000 rows makes texts of them. One after these has no time."""
    days = [f"{datetime.date(2000, 1, 1) + datetime.timedelta(i):%b %d %Y}" for i in range(1_001)]
    for name, at in (("within", 999), ("after", 1_000)):
        texts = [*days[:at], "soon", *days[at + 1 :]]
        put(shown, f"chart-{name}", pa.table({"x": texts, "title": [f"t{i}" for i in range(1_001)], "y": [float(i) for i in range(1_001)]}), folder)
    within, after = (use(shown, "charts", f"chart-{name}", "UTC", "#chart")[0] for name in ("within", "after"))
    assert chosen(within) == {"type": "histogram", "x": "y"}
    assert chosen(after) == {"type": "line", "x": "x", "y": "y", "aggregate": "mean"}
    assert after["note"] == "Over 1,001 rows. 1 row without x is left out."


def test_bars_of_equal_numbers_of_rows_are_those_of_a_number(shown, folder):
    species = [name for name in ("setosa", "versicolor", "virginica") for _ in range(10)]
    put(shown, "chart-flowers", pa.table({"species": species, "id": range(30), "length": [i % 7 + i / 10 for i in range(30)]}), folder)
    put(shown, "chart-words", pa.table({"species": species, "id": range(30)}), folder)
    codes = "DE FR IT ES PT NL BE LU DK SE NO FI IS IE GB CH AT PL CZ HU".split()
    put(shown, "chart-codes", pa.table({"country": codes, "y": [float(i) for i in range(20)]}), folder)
    flowers, words, countries = (use(shown, "charts", name, "UTC", "#chart")[0] for name in ("chart-flowers", "chart-words", "chart-codes"))
    assert flowers["hash"] == "#chart&type=bar&x=species&y=length&aggregate=mean"
    assert flowers["axes"][0] == "Mean length"
    # An identifier is no number to draw.
    assert words["hash"] == "#chart&type=bar&x=species"
    assert countries["hash"] == "#chart&type=bar&x=country&y=y&aggregate=mean"
    assert countries["rows"] == [[code, str(i)] for i, code in reversed([*enumerate(codes)])]


def test_unknown_columns_are_told(shown, folder):
    """The columns of a link are drawn where they can be, and its URL stays until another choice."""
    rows = series(folder, shown)
    states = [
        state(type="bar", x="Genre", y="price", aggregate="sum"),
        state(type="bar", x="firm", y="Genre", colour="Nope"),
        state(type="bar", x="firm", y="firm"),
        state(type="points", x="Genre"),
    ]
    x, others, text, alone = use(shown, "charts", "chart-series", "UTC", *states)
    sums = grouped([(day.isoformat(), price, "") for day, _, price in rows], "sum")
    assert {row[0].removeprefix("week of "): number(row[1]) for row in x["rows"]} == {day: value for (day, _), value in sums.items()}
    left = sum(price is None for *_, price in rows)
    assert x["note"] == f"Unknown column for the X axis: Genre. Another column is drawn. Over {len(rows)} rows. {left} rows without price are left out."
    assert others["note"] == f"Unknown column for the Y axis: Genre. Unknown column for the colour: Nope. Over {len(rows)} rows."
    assert text["note"] == f"firm cannot be the Y axis. Over {len(rows)} rows."
    assert alone["note"].startswith("Unknown column for the X axis: Genre. Another column is drawn.")
    assert len(alone["points"]) == len(rows) - left
    assert [seen["hash"] for seen in (x, others, text, alone)] == [urllib.parse.unquote(each) for each in states]
    again = use(shown, "rechosen", "chart-series", states[0])
    assert again["hash"] == "#chart&type=grouped&x=day&y=price&aggregate=sum"
    assert "Unknown" not in again["note"]


def test_first_chart_has_no_controls_before_it(shown, folder):
    series(folder, shown)
    seen = use(shown, "waiting", "chart-series")
    assert [name for name in seen["before"] if name != "Share"] == []
    assert {"Type", "X axis", "Y axis", "Title", "Save as PNG", "Values as a table"} <= set(seen["after"])


def test_numbers_of_colours_may_be_null(shown, folder):
    table = {"x": [1, 2, 3], "y": [4, 5, 6], "longitude": [1.0, 2.0, 3.0], "latitude": [40.0, 41.0, 42.0], "n": [10, None, 20], "known": [1, 2, 3], "country": ["FR", "ES", "IT"]}
    put(shown, "chart-shades", pa.table(table), folder)
    states = [state(type="points", x="x", y="y", colour="n"), state(type="map", x="longitude", y="latitude", colour="n"), state(type="map", x="country", y="n", aggregate="sum")]
    for seen in use(shown, "maps", *(f"chart-shades{each}" for each in states)):
        assert seen["legend"] == ["null"], seen["hash"]
    known = [each.replace("=n", "=known") for each in states]
    for seen in use(shown, "maps", *(f"chart-shades{each}" for each in known)):
        assert seen["legend"] == [], seen["hash"]
    (points,) = use(shown, "charts", "chart-shades", "UTC", states[0])
    assert [row[1] for row in points["rows"]] == ["10", "null", "20"]


def test_rows_without_y_are_told(shown, folder):
    rows = [("p", 1.0), ("p", None), ("p", 3.0), ("q", None), (None, 4.0), (None, None), ("r", float("nan"))]
    put(shown, "chart-unknown", pa.table([pa.array(column) for column in zip(*rows)], names=["x", "y"]), folder)
    mean, rows_of, points = use(shown, "charts", "chart-unknown", "UTC", state(type="bar", x="x", y="y"), state(type="bar", x="x"), state(type="points", x="x", y="y"))
    told = "Over 7 rows. 2 rows without x are left out. 3 rows without y are left out."
    assert (mean["note"], points["note"]) == (told, told)
    assert rows_of["note"] == "Over 7 rows. 2 rows without x are left out."
    (known,) = use(shown, "charts", "chart-unknown", "UTC", state(type="bar", x="x", y="y", aggregate="count"))
    assert (known["title"], known["rows"]) == ("Rows with y by x", [["p", "2"], ["q", "0"], ["r", "0"]])
    tip = use(shown, "tip", "chart-unknown", state(type="bar", x="x", y="y"))
    assert tip["text"] == ["x: p", "Mean y: 2", "2 rows, and 1 without y"]


def test_steps_without_rows_are_gaps_or_zero(shown, folder):
    """Nothing was sold in a month without rows, of which no mean is known. A value between them would be invented."""
    months = [datetime.date(2024, month, 1) for month in (1, 2, 5, 5, 6, 12)]
    put(shown, "chart-steps", pa.table({"x": months, "y": [1.0, 2.0, 3.0, 5.0, None, 6.0], "i": [1, 2, 5, 5, 6, 12], "c": ["p", "p", "p", "q", "q", "q"]}), folder)
    choices = [("line", "mean"), ("line", "median"), ("line", "sum"), ("line", "count"), ("line", None), ("area", "sum"), ("bar", "sum")]
    states = [state(type=type_, x="x", unit="month", **({"y": "y", "aggregate": each} if each else {})) for type_, each in choices]
    *seen, automatic, whole, stacked = use(shown, "charts", "chart-steps", "UTC", *states, state(type="line", x="x"), state(type="line", x="i"), state(type="area", x="x", colour="c"))
    known = {1: [1.0], 2: [2.0], 5: [3.0, 5.0], 6: [], 12: [6.0]}
    for (type_, aggregate), found in zip(choices, seen, strict=True):
        isAdditive = aggregate in ("sum", "count", None)
        expected = {}
        for month in range(1, 13):
            ys = known.get(month)
            unknown = aggregate is not None and aggregate != "count" and not ys
            empty = "0" if isAdditive else "none"
            value = empty if ys is None else "none" if unknown else None
            expected[f"2024-{month:02}"] = value or str({"sum": sum, "mean": statistics.fmean, "median": statistics.median, "count": len}.get(aggregate, lambda _: {5: 2}.get(month, 1))(ys)).removesuffix(".0")
        if type_ == "bar":
            expected = {key: value for key, value in expected.items() if int(key[-2:]) in known}
        assert {row[0]: row[-1] for row in found["rows"]} == expected, (type_, aggregate)
        sentence = "" if type_ == "bar" else f"Steps without rows are {'zero' if isAdditive else 'gaps'}."
        assert ("Steps without" in found["note"], sentence in found["note"]) == (type_ != "bar", True)
    mean, total = seen[0], seen[4]
    assert "".join(mean["lines"]).count("M") == 3
    assert "".join(total["lines"]).count("M") == 1
    at = scale(total["y"], 2)
    assert [y for _, y in total["points"]] == pytest.approx([at(len(known.get(month, [])) or int(month == 6)) for month in range(1, 13)], abs=PIXELS)
    # Without a choice, steps are those that the times have.
    assert (automatic["rows"], automatic["note"]) == (total["rows"], total["note"])
    assert whole["rows"] == [[str(i), {1: "1", 2: "1", 5: "2", 6: "1", 12: "1"}.get(i, "0")] for i in range(1, 13)]
    assert len(stacked["rows"]) == 24
    assert all("M" in path and path.count("M") == 1 for path in stacked["areas"])


@pytest.mark.parametrize("kind", ["date", "time"])
def test_far_dates_are_left_out(shown, folder, kind):
    near = [datetime.datetime(2024, 1, 1) + datetime.timedelta(days=i % 90) for i in range(200)]
    far = [datetime.datetime(9999, 12, 31), datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31)]
    convert = (lambda at: at.date()) if kind == "date" else (lambda at: at)
    type_ = pa.date32() if kind == "date" else pa.timestamp("us")
    name = f"chart-far-{kind}"
    rows = [convert(at) for at in [*near, *far * 150]]
    put(shown, name, pa.table({"x": pa.array(rows, type_), "y": [float(i) for i in range(len(rows))]}), folder)
    # The middle ages are far from today, but not from the years between.
    old = pa.table({"x": pa.array([datetime.date(1000 + 10 * i, 1, 1) for i in range(103)], pa.date32()), "y": range(103)})
    put(shown, f"chart-old-{kind}", old, folder)
    states = [state(type="bar", x="x", unit="day"), state(type="line", x="x", y="y"), state(type="points", x="x", y="y")]
    bars, line, points = use(shown, "charts", name, "UTC", *states)
    for seen in (bars, line, points):
        assert "450 rows whose x is far from all others are left out." in seen["note"]
        assert {row[0][:4] for row in seen["rows"]} == {"2024"}
    assert len(bars["rows"]) == len(line["rows"]) == 90
    assert len(points["points"]) == 200
    (all_of,) = use(shown, "charts", f"chart-old-{kind}", "UTC", state(type="line", x="x", y="y"))
    assert len(all_of["rows"]) == 103
    assert all_of["note"] == "Over 103 rows."


def test_far_dates_need_three_days(shown, folder):
    """Of two days, neither is more usual, however many rows have it. Of three, the one far from both others is left out."""
    early, late, last = datetime.date(1066, 10, 14), datetime.date(2024, 5, 1), datetime.date(2024, 5, 2)
    put(shown, "chart-two-days", pa.table({"x": [early, late, late], "y": [1, 2, 3]}), folder)
    put(shown, "chart-three-days", pa.table({"x": [early, late, last], "y": [1, 2, 3]}), folder)
    (two,) = use(shown, "charts", "chart-two-days", "UTC", state(type="points", x="x", y="y"))
    assert [row[0][:4] for row in two["rows"]] == ["1066", "2024", "2024"]
    assert (len(two["points"]), two["note"]) == (3, "Over 3 rows.")
    (three,) = use(shown, "charts", "chart-three-days", "UTC", state(type="points", x="x", y="y"))
    assert [row[0] for row in three["rows"]] == [str(late), str(last)]
    assert three["note"] == "Over 3 rows. 1 row whose x is far from all others is left out."


def test_times_beyond_scripts_are_left_out(shown, folder):
    days = pa.array([0, 1, 2, 3, 2**31 - 1], pa.int32()).cast(pa.date32())
    put(shown, "chart-beyond", pa.table({"x": days}), folder)
    (seen,) = use(shown, "charts", "chart-beyond", "UTC", state(type="line", x="x"))
    assert [row[0] for row in seen["rows"]] == [f"1970-01-0{day}" for day in range(1, 5)]
    assert seen["note"] == "Over 5 rows. 1 row whose x is far from all others is left out."


def test_series_end_at_the_same_place(shown, folder):
    """20,010 values are more than are drawn, of which those of the last day are left out for all series."""
    days = [datetime.date(2020, 1, 1) + datetime.timedelta(i) for i in range(2001)]
    rows = [(day, colour) for day in days for colour in [*"abcdefghijk", None]] + [(None, "a")] * 5
    put(shown, "chart-cut", pa.table([pa.array(column) for column in zip(*rows)], names=["x", "c"]), folder)
    put(shown, "chart-uncut", pa.table([pa.array(column) for column in zip(*(row for row in rows if row[0] not in days[-1:]))], names=["x", "c"]), folder)
    (cut,) = use(shown, "charts", "chart-cut", "UTC", state(type="line", x="x", colour="c", unit="day"))
    (uncut,) = use(shown, "charts", "chart-uncut", "UTC", state(type="line", x="x", colour="c", unit="day"))
    assert len(cut["legend"]) == 10
    for seen, limit in ((cut, True), (uncut, False)):
        ends = {re.findall(r"([\d.]+),[\d.]+(?:Z)?$", path)[0] for path in seen["lines"]}
        assert len(seen["lines"]) == 10
        assert len(ends) == 1
        assert ("Only the first values by x are drawn, at most 20,000." in seen["note"]) == limit
        assert "5 rows without x are left out." in seen["note"]
    assert f"Over {len(rows):,} rows." in cut["note"]


@pytest.mark.parametrize("seed", range(3))
def test_several_ys_are_series(shown, folder, seed):
    """Each column of y has the marks of its values, as if it were drawn alone."""
    source = random.Random(200 + seed)
    kind = ["category", "date", "whole"][seed]
    x_type, xs, key = XS[kind]
    names = ["a, b", "y2", 'c "quoted"'][: 2 + seed % 2]
    rows = [(None if source.random() < 0.1 else source.choice(xs), *(None if source.random() < 0.3 else source.uniform(-50, 100) for _ in names)) for _ in range(80)]
    name = f"chart-wide-{seed}"
    put(shown, name, pa.table([pa.array(column, type_) for column, type_ in zip(zip(*rows), (x_type, *[pa.float64()] * len(names)))], names=["x", *names]), folder)
    ys = {f"y{i + 1}" if i else "y": each for i, each in enumerate(names)}
    unit = {"unit": "month"} if kind == "date" else {}
    choices = list(itertools.product(AGGREGATES, ["bar", "grouped", "line"]))
    seen = use(shown, "charts", name, "UTC", *(state(type=type_, x="x", aggregate=aggregate, **ys, **unit) for aggregate, type_ in choices))
    long = [(None if row[0] is None else key(row[0]), y, each) for row in rows for each, y in zip(names, row[1:])]
    for (aggregate, type_), found in zip(choices, seen, strict=True):
        expected = grouped(long, aggregate)
        assert found["legend"] == names
        if type_ == "line":
            told = {(row[0], row[1]): row[-1] for row in found["rows"]}
            for place, value in expected.items():
                assert told[place] == "none" if value is None else number(told[place]) == pytest.approx(value, rel=1e-9, abs=1e-9), place
            assert len(found["lines"]) == len(names)
        else:
            compare(found, expected, False, stacked=type_ == "bar" and aggregate in ("sum", "count"))
        for i, each in enumerate(names):
            without = sum(row[0] is not None and row[1 + i] is None for row in rows)
            assert f"{without} row{'' if without == 1 else 's'} {'has' if without == 1 else 'have'} no {each}." in found["note"]


def chosen(seen):
    """The choices of a chart in the URL, whatever their order."""
    values = dict(pair.split("=", 1) for pair in seen["hash"].split("&")[1:])
    return {key: value for key, value in values.items() if key != "q"}


def wide(folder, service):
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(i) for i in range(20)]
    table = {"day": days, "id": range(20), "low, high": [10.0 + i for i in range(20)], "b": [20.0 - i for i in range(20)], "far": [1000.0 * i for i in range(20)], "c": [5.0] * 20}
    put(service, "chart-columns", pa.table(table), folder)


@pytest.mark.parametrize("path", ["/datasets/chart-columns#chart", "/sql#sql&q=SELECT%20*%20FROM%20%22chart-columns%22"])
def test_ys_are_chosen(shown, folder, path):
    """Columns of about one size are one chart, whose columns are lists to add and to remove."""
    wide(folder, shown)
    seen = use(shown, "ys", path, "b")
    assert seen["standard"]["legend"] == ["low, high", "b", "c"]
    assert chosen(seen["standard"]) == {"type": "line", "x": "day", "y": "low, high", "y2": "b", "y3": "c", "aggregate": "mean"}
    assert seen["standard"]["title"] == "low, high, b and c by day"
    assert seen["standard"]["axes"] == ["Value", "day"]
    assert seen["focused"] == "Add Y axis"
    added = seen["added"]
    # The first one that is offered is another number.
    assert chosen(added) == {"type": "grouped", "x": "day", "y": "b", "y2": "id", "aggregate": "mean"}
    assert not seen["colour"]
    assert added["legend"] == ["b", "id"]
    assert len(added["bars"]) == 40
    assert chosen(seen["stacked"]) == {"type": "bar", "x": "day", "y": "b", "y2": "id", "aggregate": "sum"}
    assert seen["again"]["bars"] == seen["stacked"]["bars"]
    assert chosen(seen["counted"]) == {"type": "bar", "x": "day"}
    assert seen["counted"]["axes"][0] == "Number of rows"


def test_areas_are_stacked(shown, folder):
    """The edges of each area are those of the sums below it."""
    source = random.Random(5)
    rows = [(x, source.uniform(1, 50), colour) for x in range(8) for colour in "pqr" if source.random() < 0.8]
    put(shown, "chart-areas", pa.table([pa.array(column) for column in zip(*rows)], names=["x", "y", "c"]), folder)
    (seen,) = use(shown, "charts", "chart-areas", "UTC", state(type="area", x="x", y="y", colour="c", aggregate="sum"))
    (at, across) = (scale(seen["y"], 2), scale(seen["x"], 1))
    sums = grouped(rows, "sum")
    base = dict.fromkeys(range(8), 0.0)
    assert len(seen["areas"]) == 3
    for colour, path in zip(seen["legend"], seen["areas"], strict=True):
        top = {x: base[x] + sums.get((x, colour), 0) for x in base}
        points = [tuple(map(float, point)) for point in re.findall(r"([\d.]+),([\d.]+)", path)]
        expected = [(across(x), at(y)) for x, y in [*top.items(), *reversed(base.items())]]
        for found, wanted in zip(points, expected, strict=True):
            assert found == pytest.approx(wanted, abs=PIXELS)
        base = top


def test_long_names_never_overlap(shown, folder):
    long = "a name of a column that somebody wrote in a hurry, number "
    count = 300
    table = {
        f"{long}1": [f"category of a long name {i % 23}, for which there is no room" for i in range(count)],
        f"{long}2": [i * 12_345.678 for i in range(count)],
        f"{long}3": [i * -4_321.5 for i in range(count)],
        f"{long}4": [f"series of a long name {i % 12}, for which there is no room either" for i in range(count)],
        f"{long}5": [datetime.date(2020, 1, 1) + datetime.timedelta(i) for i in range(count)],
    }
    put(shown, "chart-long", pa.table(table), folder)
    (category, y, y2, colour, day) = table
    states = [
        *(state(type=type_, x=x, y=y, colour=colour) for type_ in ("line", "bar", "grouped", "area", "points") for x in (category, y2, day)),
        *(state(type=type_, x=x, y=y, y2=y2, title=long * 5) for type_ in ("line", "grouped") for x in (category, day)),
        state(type="histogram", x=y2, colour=colour, where=f"\"{category}\" <> '{long}'"),
    ]
    for seen in (*use(shown, "narrow", "chart-long", *states), *use(shown, "charts", "chart-long", "UTC", *states)):
        assert (seen["overlaps"], seen["outside"]) == (0, []), seen["hash"]
        assert seen.get("width", 390) == 390
    # Texts that are cut differ where their names do.
    (bars,) = use(shown, "narrow", "chart-long", state(type="bar", x=category))
    assert len({text for text, *_ in bars["y"]}) == 23


def test_colours_are_those_of_the_page(shown, folder):
    series(folder, shown)
    palette = [f"light-dark(rgb({i}, 2, 3), rgb({i}, 5, 6))" for i in range(8)]
    before, palette_of_page, light, dark = use(shown, "colours", "chart-series", state(type="bar", x="firm", colour="firm"), *palette)
    assert before == palette_of_page
    assert len(set(before)) == 3
    assert light == [f"rgb({i}, 2, 3)" for i in range(3)]
    assert dark == [f"rgb({i}, 5, 6)" for i in range(3)]


def test_colours_are_those_of_other_types(shown, folder):
    """The most frequent value has the first colour, also where most of its rows have no point, or none."""
    rows = [*[("p", 1.0, None)] * 9, *[("q", 2.0, None)] * 8, ("q", 2.0, 1.0), *[("r", 3.0, 2.0)] * 7, *[("s", 4.0, 3.0)] * 6]
    put(shown, "chart-kept", pa.table([pa.array(column) for column in zip(*rows)], names=["c", "x", "y"]), folder)
    bins, points = use(shown, "charts", "chart-kept", "UTC", state(type="histogram", x="x", colour="c"), state(type="points", x="x", y="y", colour="c"))
    assert (bins["legend"], points["legend"]) == (["p", "q", "r", "s"], ["q", "r", "s"])
    assert points["colours"] == bins["colours"][1:]


def test_bars_of_one_colour_each_have_the_room_of_all(shown, folder):
    series(folder, shown)
    coloured, plain, several = use(
        shown,
        "charts",
        "chart-series",
        "UTC",
        state(type="bar", x="firm", y="price", colour="firm"),
        state(type="bar", x="firm", y="price"),
        state(type="bar", x="firm", y="price", colour="day", unit="year"),
    )
    assert sorted(bar[:4] for bar in coloured["bars"]) == sorted(bar[:4] for bar in plain["bars"])
    assert max(bar[2] for bar in several["bars"]) < plain["bars"][0][2] / 2


def test_charts_and_profiles_are_shared(shown, folder):
    """A link has the choices, the filter and the version, and is shown where it cannot be copied."""
    series(folder, shown)
    chart, profile = use(shown, "share", "chart-series", state(where="firm <> 'C'", title="Prices"), "#profile&where=price%20%3E%2010&q=firm")
    for copied, hash_, told, selected in (chart, profile):
        assert re.fullmatch(r"/datasets/chart-series@\d+#.*", copied)
        assert (copied.partition("#")[2], told, selected) == (hash_[1:], copied, True)
    assert urllib.parse.unquote(chart[1]) == "#chart&where=firm <> 'C'&title=Prices&type=line&x=day&y=price&colour=firm&aggregate=mean"
    assert profile[1] == "#profile&where=price%20%3E%2010&q=firm"
    seen = use(shown, "charts", "chart-series", "UTC", chart[1])
    assert seen[0]["title"] == "Prices"


def test_chart_adds_little(shown, folder):
    put(shown, "chart-size", pa.table({"country": ["CH", "FR"], "n": [1, 2]}), folder)
    seen = use(shown, "size", "chart-size")
    assert seen["bytes"] < MOST_BYTES
    assert seen["map"] < MOST_MAP_BYTES
    assert seen["requests"] <= 20


def test_failure_is_told(shown, folder):
    series(folder, shown)
    seen = use(shown, "failing", "chart-series", state(type="bar", x="firm"))
    assert "Expected a free worker but found none" in seen["alert"]
    assert seen["title"] == "Number of rows by firm"


def test_chart_that_is_left_ends(shown, folder):
    series(folder, shown)
    assert use(shown, "left", "chart-series") == "#rows"


def test_text_that_is_no_condition_never_runs(shown, folder):
    series(folder, shown)
    where = "true) UNION ALL SELECT DATE '2020-01-01', 'X', 1.0 --"
    problem = curl(f"{shown.url}/datasets/chart-series.json?limit=1&where={urllib.parse.quote(where)}")
    assert problem.status == 400
    seen = use(shown, "refused", "chart-series", state(where=where, type="line", x="day", y="price"))
    assert problem.json()["detail"] in seen["told"]
    assert problem.json().get("hint", "") in seen["told"]
    assert seen["alerts"] == 0
    assert any("chart-series" in statement for statement in seen["statements"])
    assert not any("UNION" in statement for statement in seen["statements"])
    # These brackets fit only within others.
    closing = use(shown, "refused", "chart-series", state(where="true) OR (true", search="a", type="line", x="day", y="price"))
    assert not any("OR (true" in statement for statement in closing["statements"])


def test_empty_and_undrawable_rows(shown, folder):
    put(shown, "chart-nothing", pa.table({"a": pa.array([], pa.int32()), "t": pa.array([], pa.timestamp("us"))}), folder)
    put(shown, "chart-lists", pa.table({"a": [[1, 2]]}), folder)
    empty, without = use(shown, "notes", "chart-nothing", "chart-lists")
    assert empty == "No rows have values to draw"
    assert without == "No column of numbers, times or texts can be drawn."


def test_chart_needs_statements(shown, folder):
    series(folder, shown)
    with_sql, without = (use(shown, "views", "chart-series", has_sql) for has_sql in (1, 0))
    assert with_sql == ["Rows", "Profile", "Chart", "Schema", "Versions", "Use it", "Anatomy"]
    assert without == [name for name in with_sql if name != "Chart"]


def test_charts_are_accessible(shown, folder):
    need("axe-core")
    series(folder, shown)
    states = [
        state(type="line", x="day", y="price", colour="firm", aggregate="mean"),
        state(type="grouped", x="firm", y="price", aggregate="median", colour="day"),
        state(type="area", x="day", y="price", colour="firm", aggregate="sum", unit="month"),
        state(type="points", x="day", y="price", colour="price"),
    ]
    seen = use(shown, "accessible", "chart-series", *states)
    assert seen["found"] == []
    assert seen["order"][-1] == "Values as a table"
    assert [name for name in seen["order"] if name.startswith("Save")] == ["Save as PNG", "Save as SVG"]
    assert seen["widths"] == [[390, 0, []]] * len(states)

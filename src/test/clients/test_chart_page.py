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
    service = Service(folder / "charts", **{"quiver.storage.sync": "false"})
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
    assert (f"{left} row" in points["note"]) == (left > 0)
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
    assert seen["pixels"] == [2 * round(size) for size in seen["size"]]
    assert seen["colours"] > 10


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
    assert seen["note"] == "Over 7 rows with a geometry. 3 values are not geometries in degrees."
    assert nowhere["shapes"] == seen["shapes"]
    (told,) = use(shown, "notes", "chart-nowhere" + state(type="map", x="country"))
    assert told == "No rows have values to draw"


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


def test_empty_and_undrawable_rows(shown, folder):
    put(shown, "chart-nothing", pa.table({"a": pa.array([], pa.int32()), "t": pa.array([], pa.timestamp("us"))}), folder)
    put(shown, "chart-lists", pa.table({"a": [[1, 2]]}), folder)
    empty, without = use(shown, "notes", "chart-nothing", "chart-lists")
    assert empty == "No rows have values to draw"
    assert without == "No column of numbers, times or texts can be drawn."


def test_chart_needs_statements(shown, folder):
    series(folder, shown)
    with_sql, without = (use(shown, "views", "chart-series", has_sql) for has_sql in (1, 0))
    assert with_sql == ["Rows", "Schema", "Profile", "Chart", "Anatomy", "Versions", "Use it"]
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

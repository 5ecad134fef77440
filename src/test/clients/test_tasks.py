"""Four tasks of people on the pages, by a mouse and by keys alone, with files in the manner of those that people try first.

The page itself counts what is pressed. With TASK_PICTURES, a folder, each step is saved there as a picture."""

import collections
import csv
import datetime
import math
import random
import re
import statistics

import pyarrow as pa
import pytest

from service import Service, curl
from visitor import visit, visit_in_firefox

PIXELS = 0.6
"""The precision of a place in a picture, whose ends are rounded to pixels."""
HANDS = ("mouse", "keys")
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
STATES = {"Alaska": (64.1, -152.3), "Colorado": (39.0, -105.5), "Florida": (28.6, -82.4), "New York": (42.9, -75.5), "Texas": (31.4, -99.2)}
SIZES = ("Large", "Medium", "Small")
FILTER = ("Origin State", "Texas")
COLOUR = "Wildlife Size"
STATEMENT = "SELECT state, count(*) AS flights, avg(delay) AS delay FROM flights JOIN airports ON origin = iata GROUP BY state"


@pytest.fixture(scope="module")
def service(folder):
    service = Service(folder / "tasks", **{"quiver.storage.sync": "false", "quiver.where.timeout": "60s"})
    yield service
    service.stop()


@pytest.fixture
def empty(service):
    """The service without datasets."""
    for dataset in curl(f"{service.url}/datasets").json()["datasets"]:
        assert curl("-X", "DELETE", f"{service.url}/datasets/{dataset['name']}").status == 204
    return service


def written(path, names, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(rows)
    return path


@pytest.fixture(scope="module")
def strikes(folder):
    """Collisions of aircraft with birds: names with spaces, days of two years, and a few categories."""
    source = random.Random(1)
    first = datetime.date(2000, 1, 1)
    names = ["Airport Name", "Effect Amount of damage", "Flight Date", "Origin State", "Wildlife Size", "Wildlife Species", "Cost Total $", "Speed IAS in knots"]
    rows = [
        [
            source.choice(["BIRMINGHAM INTL", "DALLAS/FORT WORTH INTL ARPT", "LOGAN, BOSTON", "O'HARE"]),
            source.choice(["None", "Minor", "Substantial"]),
            first + datetime.timedelta(days=source.randrange(731)),
            source.choice(list(STATES)),
            source.choice(SIZES),
            source.choice([f"Gull no. {i}" for i in range(40)]),
            source.choice([0, 0, 0, source.randrange(100, 90_000)]),
            source.choice(["", source.randrange(80, 250)]),
        ]
        for _ in range(3000)
    ]
    return written(folder / "birdstrikes.csv", names, rows), rows


@pytest.fixture(scope="module")
def stocks(folder):
    """Prices by month of a few firms, one of which begins later."""
    source = random.Random(2)
    months = [(2000 + i // 12, i % 12) for i in range(123)]
    begin = {"MSFT": 0, "AMZN": 0, "IBM": 0, "GOOG": 55, "AAPL": 0}
    prices = {(symbol, month): round(source.uniform(20, 300), 2) for symbol, first in begin.items() for month in months[first:]}
    rows = [[symbol, f"{MONTHS[month]} 1 {year}", price] for (symbol, (year, month)), price in prices.items()]
    return written(folder / "stocks.csv", ["symbol", "date", "price"], rows), prices


@pytest.fixture(scope="module")
def airports(folder):
    source = random.Random(3)
    rows = []
    for i in range(200):
        state, (latitude, longitude) = source.choice(list(STATES.items()))
        code = f"{chr(65 + i // 26)}{chr(65 + i % 26)}{i % 10}"
        place = [round(latitude + source.uniform(-1, 1), 8), round(longitude + source.uniform(-1, 1), 8)]
        rows.append([code, f"{code} Municipal", f"City {i}", state, "USA", *place])
    return written(folder / "airports.csv", ["iata", "name", "city", "state", "country", "latitude", "longitude"], rows), rows


@pytest.fixture(scope="module")
def flights(folder, airports):
    source = random.Random(4)
    codes = [row[0] for row in airports[1]]
    first = datetime.datetime(2001, 1, 1)
    rows = [
        [f"{first + datetime.timedelta(minutes=source.randrange(129_600)):%Y/%m/%d %H:%M}", int(source.gauss(8, 25)), source.randrange(90, 2700), *source.sample(codes, 2)]
        for _ in range(2000)
    ]
    return written(folder / "flights.csv", ["date", "delay", "distance", "origin", "destination"], rows), rows


def perform(service, hand, task, presses, *parameters):
    """The outcome of a task that takes at most so many presses, or only keys, whose focus is seen wherever it is."""
    found = visit("tasks_page.mjs", service, hand, task, *parameters)
    used = collections.Counter(press.split(" ")[0] for press in found["presses"])
    if hand == "mouse":
        assert 1 < used.total() <= presses, found["presses"]
        assert used["drop"] == 1 and used["keydown"] == 0
    else:
        assert used.keys() <= {"keydown", "change"}
        assert found["unseen"] == []
    return found["seen"]


def scale(ticks, place, number):
    """The line through the first and the last tick of an axis."""
    first, last = ticks[0], ticks[-1]
    low, high = number(first[0]), number(last[0])
    step = (last[place] - first[place]) / (high - low)
    return lambda value: first[place] + (value - low) * step


def numeral(text):
    return float(text.replace("\u2212", "-").replace(",", ""))


def days(year, month=0):
    return (datetime.date(year, month + 1, 1) - datetime.date(1970, 1, 1)).days


def axes(seen):
    """The places of days and of numbers in a chart by month."""
    across = scale([tick for tick in seen["x"] if re.search(r"\d{4}$", tick[0])], 1, lambda text: days(int(text[-4:])))
    return across, scale(seen["y"], 2, numeral)


def compare_lines(seen, expected):
    """Compares the lines of a chart by year and month with values by colour."""
    assert {name for name, _ in seen["legend"]} == expected.keys()
    colours = dict(seen["lines"])
    assert len(colours) == len(seen["lines"]) == len(expected)
    across, up = axes(seen)
    for name, colour in seen["legend"]:
        places = [tuple(map(float, pair)) for pair in re.findall(r"([-\d.]+),([-\d.]+)", colours[colour])]
        wanted = [(across(days(year, month)), up(value)) for (year, month), value in sorted(expected[name].items())]
        assert [x for x, _ in places] == pytest.approx([x for x, _ in wanted], abs=PIXELS), name
        assert [y for _, y in places] == pytest.approx([y for _, y in wanted], abs=PIXELS), name


def compare_strikes(seen, rows):
    """Compares the stacked bars of the rows of one state by month and size."""
    expected = {size: collections.Counter() for size in SIZES}
    for _, _, day, state, size, *_ in rows:
        if state == "Texas":
            expected[size][day.year, day.month - 1] += 1
    assert {name for name, _ in seen["legend"]} == expected.keys()
    across, up = axes(seen)
    stacks = collections.defaultdict(list)
    for name, colour in seen["legend"]:
        bars = [bar for bar, fill in zip(seen["bars"], seen["fills"], strict=True) if fill == colour and bar[3] > 0]
        counts = sorted(expected[name].items())
        assert [height for *_, height in bars] == pytest.approx([up(0) - up(count) for _, count in counts], abs=PIXELS), name
        for (left, top, width, height), (month, _) in zip(bars, counts, strict=True):
            following = across(days(month[0] + month[1] // 11, (month[1] + 1) % 12))
            assert across(days(*month)) - PIXELS <= left and left + width <= following + PIXELS, month
            stacks[month].append((top, top + height))
    for month, stack in stacks.items():
        edges = sorted(stack)
        assert edges[-1][1] == pytest.approx(up(0), abs=PIXELS), month
        assert [low for _, low in edges[:-1]] == pytest.approx([top for top, _ in edges[1:]], abs=PIXELS), month


def compare_prices(seen, prices):
    expected = collections.defaultdict(dict)
    for (symbol, month), price in prices.items():
        expected[symbol][month] = price
    compare_lines(seen, expected)


def compare_places(seen, rows):
    """Compares the points of a map with the places of rows by Mercator."""
    points = seen["points"]
    assert len(points) == len(rows)
    longitudes, latitudes = [row[6] for row in rows], [math.degrees(math.asinh(math.tan(math.radians(row[5])))) for row in rows]
    across = scale(sorted(zip(longitudes, (x for x, _ in points))), 1, float)
    up = scale(sorted(zip(latitudes, (y for _, y in points))), 1, float)
    assert [x for x, _ in points] == pytest.approx(list(map(across, longitudes)), abs=PIXELS)
    assert [y for _, y in points] == pytest.approx(list(map(up, latitudes)), abs=PIXELS)
    assert across(1) - across(0) == pytest.approx(up(0) - up(1), rel=0.01)


def delays_by_state(flights, airports):
    delays = collections.defaultdict(list)
    states = {row[0]: row[3] for row in airports}
    for _, delay, _, origin, _ in flights:
        delays[states[origin]].append(delay)
    return delays


def compare_counts(seen, delays):
    """Compares the bars of the numbers of flights, the greatest first."""
    order = sorted(delays, key=lambda state: -len(delays[state]))
    assert [text for text, *_ in seen["x"]] == order
    up = scale(seen["y"], 2, numeral)
    edges = [edge for state in order for edge in (up(len(delays[state])), up(0))]
    assert [edge for _, top, _, height in seen["bars"] for edge in (top, top + height)] == pytest.approx(edges, abs=PIXELS)


@pytest.mark.parametrize("hand", HANDS)
def test_filtered_chart_by_month_and_colour_is_shared(empty, strikes, hand):
    path, rows = strikes
    seen = perform(empty, hand, "share", 8, path, *FILTER, COLOUR)
    compare_strikes(seen["own"], rows)
    assert seen["other"] == seen["own"]
    assert re.match(rf"{empty.url}/datasets/birdstrikes@\d+#chart&", seen["shared"])


@pytest.mark.parametrize("hand", HANDS)
def test_stocks_are_lines_by_symbol(empty, stocks, hand):
    path, prices = stocks
    compare_prices(perform(empty, hand, "lines", 4, path), prices)


@pytest.mark.parametrize("hand", HANDS)
def test_airports_are_on_a_map(empty, airports, hand):
    path, rows = airports
    compare_places(perform(empty, hand, "map", 4, path), rows)


@pytest.mark.parametrize("hand", HANDS)
def test_joined_files_are_charted_and_saved(empty, flights, airports, hand):
    delays = delays_by_state(flights[1], airports[1])
    compare_counts(perform(empty, hand, "join", 10, flights[0], airports[0], STATEMENT, "by-state"), delays)
    stored = pa.ipc.open_stream(curl(f"{empty.url}/datasets/by-state.arrows").body).read_all()
    assert {row["state"]: (row["flights"], row["delay"]) for row in stored.to_pylist()} == {
        state: (len(values), pytest.approx(statistics.fmean(values))) for state, values in delays.items()
    }
    assert stored.num_rows == len(delays)


def test_tasks_in_firefox(empty, strikes, stocks, airports, flights):
    files = [strikes[0], *FILTER, COLOUR, stocks[0], airports[0], flights[0]]
    seen = visit_in_firefox("tasks_firefox.mjs", empty, *files, STATEMENT)
    compare_strikes(seen["share"], strikes[1])
    compare_prices(seen["lines"], stocks[1])
    compare_places(seen["map"], airports[1])
    compare_counts(seen["join"], delays_by_state(flights[1], airports[1]))

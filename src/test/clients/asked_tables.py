"""Four tables that do not change, about which `asked/*.tsv` asks.

flights       1000 rows   dictionary strings, ints, floats, date, timestamp[ns, UTC], booleans, nulls
airports        40 rows   non-ASCII text, latitude/longitude, dates, nulls
orders-2024    300 rows   hyphen in the name; spaces, `$` and `%` in column names; decimals
events         520 rows   struct (nested), list, JSON text, uuid text (20 rows are repeats), durations

All float64 values but lat and lon are multiples of 0.25, so that sums are exact in any order.
"""
import datetime as dt
import decimal
import json
import random
import uuid

import pyarrow as pa

D = decimal.Decimal

# code, name, city, country, lat, lon, elevation_ft, opened, is_hub, zone
AIRPORTS = [
    ("JFK", "John F. Kennedy International", "New York", "United States", 40.6398, -73.7789, 13, "1948-07-01", True, "America/New_York"),
    ("LGA", "LaGuardia", "New York", "United States", 40.7772, -73.8726, 21, "1939-10-15", False, "America/New_York"),
    ("EWR", "Newark Liberty International", "Newark", "United States", 40.6925, -74.1687, 18, "1928-10-01", True, "America/New_York"),
    ("BOS", "Logan International", "Boston", "United States", 42.3643, -71.0052, 20, "1923-09-08", False, "America/New_York"),
    ("ORD", "O'Hare International", "Chicago", "United States", 41.9786, -87.9048, 672, "1944-02-01", True, "America/Chicago"),
    ("MDW", "Midway International", "Chicago", "United States", 41.7860, -87.7524, 620, None, False, "America/Chicago"),
    ("ATL", "Hartsfield-Jackson Atlanta International", "Atlanta", "United States", 33.6367, -84.4281, 1026, "1926-09-15", True, "America/New_York"),
    ("DFW", "Dallas/Fort Worth International", "Dallas", "United States", 32.8968, -97.0380, 607, "1974-01-13", True, "America/Chicago"),
    ("DEN", "Denver International", "Denver", "United States", 39.8617, -104.6731, 5434, "1995-02-28", True, "America/Denver"),
    ("LAX", "Los Angeles International", "Los Angeles", "United States", 33.9425, -118.4081, 125, "1930-06-07", True, "America/Los_Angeles"),
    ("SFO", "San Francisco International", "San Francisco", "United States", 37.6190, -122.3749, 13, "1927-05-07", True, "America/Los_Angeles"),
    ("SEA", "Seattle-Tacoma International", "Seattle", "United States", 47.4490, -122.3093, 433, "1944-10-31", True, "America/Los_Angeles"),
    ("MIA", "Miami International", "Miami", "United States", 25.7932, -80.2906, 8, "1928-09-15", True, "America/New_York"),
    ("HNL", "Daniel K. Inouye International", "Honolulu", "United States", 21.3187, -157.9225, 13, "1927-03-21", False, "Pacific/Honolulu"),
    ("ANC", "Ted Stevens Anchorage International", "Anchorage", "United States", 61.1744, -149.9964, 152, "1951-12-10", False, "America/Anchorage"),
    ("YYZ", "Toronto Pearson International", "Toronto", "Canada", 43.6772, -79.6306, 569, "1939-08-29", True, "America/Toronto"),
    ("YUL", "Montréal-Trudeau International", "Montréal", "Canada", 45.4706, -73.7408, 118, "1941-09-01", False, "America/Toronto"),
    ("YVR", "Vancouver International", "Vancouver", "Canada", 49.1939, -123.1844, 14, "1931-07-22", False, "America/Vancouver"),
    ("MEX", "Benito Juárez International", "Mexico City", "Mexico", 19.4363, -99.0721, 7316, "1931-05-15", True, "America/Mexico_City"),
    ("CUN", "Cancún International", "Cancún", "Mexico", 21.0365, -86.8771, 22, "1974-05-10", False, "America/Cancun"),
    ("GRU", "São Paulo/Guarulhos International", "São Paulo", "Brazil", -23.4356, -46.4731, 2459, "1985-01-20", True, "America/Sao_Paulo"),
    ("EZE", "Ministro Pistarini International", "Buenos Aires", "Argentina", -34.8222, -58.5358, 67, "1949-04-30", False, "America/Argentina/Buenos_Aires"),
    ("LHR", "London Heathrow", "London", "United Kingdom", 51.4706, -0.4619, 83, "1946-03-25", True, "Europe/London"),
    ("LGW", "London Gatwick", "London", "United Kingdom", 51.1481, -0.1903, 202, "1958-06-09", False, "Europe/London"),
    ("CDG", "Paris Charles de Gaulle", "Paris", "France", 49.0128, 2.5500, 392, "1974-03-08", True, "Europe/Paris"),
    ("FRA", "Frankfurt am Main", "Frankfurt", "Germany", 50.0333, 8.5706, 364, "1936-07-08", True, "Europe/Berlin"),
    ("MUC", "Munich Franz Josef Strauss", "München", "Germany", 48.3538, 11.7861, 1487, "1992-05-17", True, "Europe/Berlin"),
    ("BER", "Berlin Brandenburg", "Berlin", "Germany", 52.3514, 13.4939, 157, "2020-10-31", False, "Europe/Berlin"),
    ("ZRH", "Zürich", "Zürich", "Switzerland", 47.4647, 8.5492, 1416, "1948-06-14", True, "Europe/Zurich"),
    ("AMS", "Amsterdam Schiphol", "Amsterdam", "Netherlands", 52.3086, 4.7639, -11, "1916-09-16", True, "Europe/Amsterdam"),
    ("MAD", "Adolfo Suárez Madrid-Barajas", "Madrid", "Spain", 40.4719, -3.5626, 1998, "1931-04-22", True, "Europe/Madrid"),
    ("TRF", "Sandefjord Torp", "Sandefjord", "Norway", 59.1867, 10.2586, 286, None, False, "Europe/Oslo"),
    ("DXB", "Dubai International", "Dubai", "United Arab Emirates", 25.2528, 55.3644, 62, "1960-09-30", True, "Asia/Dubai"),
    ("DOH", "Hamad International", "Doha", "Qatar", 25.2731, 51.6081, 13, "2014-04-30", True, "Asia/Qatar"),
    ("DEL", "Indira Gandhi International", "Delhi", "India", 28.5665, 77.1031, 777, None, True, "Asia/Kolkata"),
    ("SIN", "Singapore Changi", "Singapore", "Singapore", 1.3502, 103.9944, 22, "1981-07-01", True, "Asia/Singapore"),
    ("HND", "Tokyo Haneda", "Tokyo", "Japan", 35.5523, 139.7797, 35, "1931-08-25", True, "Asia/Tokyo"),
    ("NRT", "Narita International", "Tokyo", "Japan", 35.7647, 140.3864, 141, "1978-05-20", False, "Asia/Tokyo"),
    ("SYD", "Sydney Kingsford Smith", "Sydney", "Australia", -33.9461, 151.1772, 21, "1920-01-09", True, "Australia/Sydney"),
    ("AKL", "Auckland", "Auckland", "New Zealand", -37.0081, 174.7917, None, "1966-01-29", False, "Pacific/Auckland"),
]
CARRIERS = ["AA", "DL", "UA", "B6", "WN", "AS", "LH", "BA"]
WEIGHTS = [22, 20, 18, 10, 14, 6, 5, 5]
REMARKS = ["Weather", "weather: heavy fog", "Fog at destination", "Crew late", "Late inbound aircraft",
           "gate_change", "100% full", "50% of seats blocked", "De-icing", "Air traffic control", "", "Passenger's baggage"]
UTC = dt.timezone.utc


def flights() -> pa.Table:
    r = random.Random(20240101)
    usual = ["JFK", "LAX", "ORD", "ATL", "DFW", "DEN", "SFO", "SEA", "MIA", "BOS", "EWR", "LGA", "LHR", "CDG", "FRA", "MEX", "YYZ"]
    rare = ["HNL", "ANC", "YVR", "ZRH", "HND", "GRU", "KEF", "PTY"]  # KEF and PTY are not in airports
    km = {}
    rows = []
    epoch = dt.datetime(1970, 1, 1, tzinfo=UTC)
    for i in range(1, 1001):
        carrier = r.choices(CARRIERS, WEIGHTS)[0]
        origin = r.choice(usual)
        destination = r.choice([c for c in (usual if r.random() < 0.9 else rare) if c != origin])
        pair = tuple(sorted((origin, destination)))
        if pair not in km:
            km[pair] = r.randrange(1200, 40000) * 0.25
        day = dt.date(2024, 1, 1) + dt.timedelta(days=r.randrange(366))
        cancelled = r.random() < 0.04
        seats = r.choice([50, 76, 128, 150, 180, 219, 305])
        departed = arrived = dep_delay = arr_delay = None
        if not cancelled:
            delay = max(-15, int(r.gauss(2, 9))) if r.random() < 0.78 else r.randrange(15, 240)
            when = dt.datetime(day.year, day.month, day.day, tzinfo=UTC) + dt.timedelta(
                minutes=r.randrange(5 * 60, 23 * 60) // 5 * 5 + delay, seconds=r.randrange(60))
            ns = int((when - epoch).total_seconds()) * 10**9 + (r.randrange(10**9) if r.random() < 0.2 else 0)
            departed = ns
            dep_delay = delay
            if r.random() > 0.01:  # a few have no arrival recorded
                arrived = ns + int(km[pair] / 13.0 + 35) * 60 * 10**9
                arr_delay = delay + r.randrange(-80, 60) * 0.25
        rows.append(dict(
            flight_id=i, carrier=carrier, flight_number=r.randrange(1, 3000),
            tail_number=None if r.random() < 0.05 else f"N{r.randrange(100, 999)}{carrier if carrier[0].isalpha() and carrier[1].isalpha() else 'JB'}",
            origin=origin, destination=destination, flight_date=day, departed_at=departed, arrived_at=arrived,
            dep_delay=dep_delay, arr_delay=arr_delay, distance_km=km[pair],
            fare=None if r.random() < 0.03 else r.randrange(200, 4000) * 0.25,
            seats=seats, cancelled=cancelled, remark=r.choice(REMARKS) if r.random() < 0.3 else None))
    schema = pa.schema([
        ("flight_id", pa.int64()), ("carrier", pa.string()), ("flight_number", pa.int32()), ("tail_number", pa.string()),
        ("origin", pa.string()), ("destination", pa.string()), ("flight_date", pa.date32()),
        ("departed_at", pa.timestamp("ns", "UTC")), ("arrived_at", pa.timestamp("ns", "UTC")),
        ("dep_delay", pa.int32()), ("arr_delay", pa.float64()), ("distance_km", pa.float64()), ("fare", pa.float64()),
        ("seats", pa.int16()), ("cancelled", pa.bool_()), ("remark", pa.string())])
    t = pa.table({f.name: pa.array([x[f.name] for x in rows], f.type) for f in schema}, schema=schema)
    return t.set_column(1, "carrier", pa.array(t["carrier"].to_pylist()).dictionary_encode())


def airports() -> pa.Table:
    names = ["code", "name", "city", "country", "lat", "lon", "elevation_ft", "opened", "is_hub", "zone"]
    types = [pa.string()] * 4 + [pa.float64()] * 2 + [pa.int32(), pa.date32(), pa.bool_(), pa.string()]
    cols = [list(c) for c in zip(*AIRPORTS)]
    cols[7] = [None if d is None else dt.date.fromisoformat(d) for d in cols[7]]
    return pa.table([pa.array(c, t) for c, t in zip(cols, types)], names=names)


def orders() -> pa.Table:
    r = random.Random(42)
    goods = [("USB-C Cable", "Accessories", "9.99"), ("Laptop 14\"", "Computers", "1199.00"), ("Desk Lamp", "Office", "34.50"),
             ("Office Chair", "Office", "249.90"), ("Wireless Mouse", "Accessories", "24.95"), ("27\" Monitor", "Computers", "329.00"),
             ("Notebook A5", "Stationery", "3.20"), ("Café Mug", "Kitchen", "12.00"), ("Standing Desk", "Office", "599.00"),
             ("Webcam HD", "Accessories", "59.99")]
    people = ["Ana García", "Liam O'Brien", "Chen Wei", "Sofia Rossi", "Noah Smith", "Emma Müller", "Olivia Brown",
              "Yuki Tanaka", "Lucas Silva", "Fatima Khan", "John Smith", "Mary O'Neil", None]
    regions = ["EMEA", "AMER", "APAC"]
    rows = []
    for i in range(300):
        product, category, price = r.choice(goods)
        quantity = r.choice([1, 1, 1, 2, 2, 3, 4, 5, 10, 12, 25])
        discount = r.choice([0.0, 0.0, 0.0, 5.0, 7.5, 10.0, 25.0])
        day = dt.date(2024, 1, 1) + dt.timedelta(days=r.randrange(366))
        total = (D(price) * quantity * (D(100) - D(str(discount))) / 100).quantize(D("0.01"), decimal.ROUND_HALF_UP)
        rows.append(("SO-%05d" % (1001 + i), day, None if r.random() < 0.12 else day + dt.timedelta(days=r.randrange(0, 12)),
                     r.choice(people), r.choice(regions), product, category, quantity, D(price), discount, total,
                     r.random() < 0.85, r.choice(["card", "Card", "paypal", "invoice", None]), r.choice(["SPRING24", "BF-2024", "vip", None, None, None, ""])))
    names = ["Order ID", "Order Date", "Ship Date", "Customer Name", "Region", "Product", "Category", "Quantity", "Unit Price $",
             "Discount %", "Total $", "Paid", "Payment Method", "Coupon"]
    types = [pa.string(), pa.date32(), pa.date32(), pa.string(), pa.string(), pa.string(), pa.string(), pa.int32(),
             pa.decimal128(10, 2), pa.float64(), pa.decimal128(12, 2), pa.bool_(), pa.string(), pa.string()]
    return pa.table([pa.array(list(c), t) for c, t in zip(zip(*rows), types)], names=names)


def events() -> pa.Table:
    r = random.Random(7)
    device = pa.struct([("os", pa.string()), ("version", pa.string()), ("screen", pa.struct([("w", pa.int32()), ("h", pa.int32())]))])
    rows = []
    ids = set()
    while len(rows) < 500:
        i = len(rows)
        kind = r.choices(["view", "click", "search", "signup", "purchase", "error"], [45, 25, 12, 5, 8, 5])[0]
        key = str(uuid.UUID(int=r.getrandbits(128), version=4))
        if key in ids:
            continue
        ids.add(key)
        # every event a distinct second
        ts = dt.datetime(2024, 3, 1) + dt.timedelta(minutes=i * 87, seconds=r.randrange(60), microseconds=r.choice([0, 0, 0, 500000, 123456]))
        payload = {"page": r.choice(["/", "/pricing", "/docs", "/docs/sql", "/blog?id=7"]), "ab": r.choice(["A", "B"])}
        if kind == "purchase":
            payload["items"] = [{"sku": f"P-{r.randrange(10)}", "qty": r.randrange(1, 4)} for _ in range(r.randrange(1, 4))]
            payload["amount"] = r.randrange(20, 900) * 0.25
        if kind == "search":
            payload["q"] = r.choice(["duckdb", "sql where", "zürich", "50% off"])
        if kind == "error":
            payload["code"] = r.choice([404, 500, 503])
        os = r.choice(["iOS", "Android", "Windows", "macOS", "Linux"])
        w, h = {"iOS": (390, 844), "Android": (412, 915), "Windows": (1920, 1080), "macOS": (1440, 900), "Linux": (2560, 1440)}[os]
        tags = None if r.random() < 0.08 else sorted(r.sample(["beta", "promo", "new", "vip", "bot", "eu"], r.choice([0, 1, 1, 2, 2, 3])))
        rows.append([key, ts, r.randrange(1, 61), kind,
                     None if r.random() < 0.04 else {"os": os, "version": f"{r.randrange(9, 18)}.{r.randrange(5)}", "screen": {"w": w, "h": h}},
                     tags, None if r.random() < 0.05 else json.dumps(payload, ensure_ascii=False),
                     None if r.random() < 0.05 else dt.timedelta(milliseconds=r.randrange(5, 9000)),
                     str(uuid.UUID(int=r.getrandbits(128), version=4)) if i % 5 == 0 else rows[-1][8],
                     1])
    for i in range(0, 500, 25):  # 20 events were sent twice: same event_id, later, attempt 2
        again = list(rows[i])
        again[1] = again[1] + dt.timedelta(seconds=90)
        again[9] = 2
        rows.append(again)
    names = ["event_id", "ts", "user_id", "kind", "device", "tags", "payload", "took", "session_id", "attempt"]
    types = [pa.string(), pa.timestamp("us"), pa.int64(), pa.string(), device, pa.list_(pa.string()), pa.string(),
             pa.duration("ms"), pa.string(), pa.int8()]
    return pa.table([pa.array(list(c), t) for c, t in zip(zip(*rows), types)], names=names)


def tables() -> dict[str, pa.Table]:
    return {"flights": flights(), "airports": airports(), "orders-2024": orders(), "events": events()}


"""Queries over a shop's tables, with every kind of join, subquery and decimal, against DuckDB on its own tables."""

import io
import math

import pyarrow as pa
import pytest

from conftest import need
from service import curl

# Each number is a hash, so the tables are always the same. `{n}` is the number of customers.
TABLES = {
    "regions": "SELECT i AS region, 'region ' || i AS region_name FROM range(5) t(i)",
    "nations": "SELECT i AS nation, 'nation ' || i AS nation_name, i % 5 AS region FROM range(25) t(i)",
    "suppliers": """SELECT i AS supplier, 'supplier ' || i AS supplier_name, number(i, 1) % 25 AS nation,
        (CAST(number(i, 2) % 1000000 AS DECIMAL(15,2)) * 0.01)::DECIMAL(15,2) - 999.99::DECIMAL(15,2) AS balance,
        CASE WHEN number(i, 3) % 20 = 0 THEN 'asks about complaints' ELSE 'a quiet remark ' || i END AS remark
        FROM range({n} // 15 + 10) t(i)""",
    "customers": """SELECT i AS customer, 'customer ' || i AS customer_name, number(i, 4) % 25 AS nation,
        (10 + number(i, 5) % 25)::VARCHAR || '-' || (100 + number(i, 6) % 900)::VARCHAR AS phone,
        (CAST(number(i, 7) % 1100000 AS DECIMAL(15,2)) * 0.01)::DECIMAL(15,2) - 999.99::DECIMAL(15,2) AS balance,
        ['motor', 'house', 'garden', 'tools', 'books'][1 + number(i, 8) % 5] AS segment FROM range({n}) t(i)""",
    "parts": """SELECT i AS part,
        ['almond', 'forest', 'green', 'ivory', 'lemon'][1 + number(i, 9) % 5] || ' ' || ['steel', 'tin', 'brass'][1 + number(i, 10) % 3] AS part_name,
        'brand ' || (1 + number(i, 11) % 5) || (1 + number(i, 12) % 5) AS brand,
        ['small', 'medium', 'large'][1 + number(i, 13) % 3] || ' ' || ['plated', 'brushed'][1 + number(i, 14) % 2] || ' ' || ['brass', 'copper', 'tin'][1 + number(i, 15) % 3] AS kind,
        CAST(1 + number(i, 16) % 50 AS INTEGER) AS size, ['box', 'bag', 'can', 'jar'][1 + number(i, 17) % 4] AS container
        FROM range({n} * 4 // 3) t(i)""",
    "offers": """SELECT p AS part, (p * 7 + k * (1 + {n} // 60)) % ({n} // 15 + 10) AS supplier,
        CAST(1 + number(p, k, 18) % 9999 AS INTEGER) AS available,
        (CAST(100 + number(p, k, 19) % 99900 AS DECIMAL(15,2)) * 0.01)::DECIMAL(15,2) AS cost
        FROM range({n} * 4 // 3) t(p), range(4) u(k)""",
    "orders": """SELECT i AS order_number, number(i, 20) % ({n} * 2 // 3) AS customer, ['F', 'O', 'P'][1 + number(i, 21) % 3] AS status,
        CAST(DATE '1992-01-01' + CAST(number(i, 22) % 2400 AS INTEGER) AS DATE) AS ordered,
        (1 + number(i, 23) % 5)::VARCHAR || '-priority' AS priority,
        CASE WHEN number(i, 24) % 50 = 0 THEN 'special packages, many requests' ELSE 'words ' || i END AS remark
        FROM range({n} * 10) t(i)""",
    "items": """SELECT o AS order_number, CAST(k AS INTEGER) AS line, number(o, k, 25) % ({n} * 4 // 3) AS part,
        (number(o, k, 25) % ({n} * 4 // 3) * 7 + number(o, k, 26) % 4 * (1 + {n} // 60)) % ({n} // 15 + 10) AS supplier,
        CAST(1 + number(o, k, 27) % 50 AS DECIMAL(15,2)) AS quantity,
        (CAST(90000 + number(o, k, 28) % 9000000 AS DECIMAL(15,2)) * 0.01)::DECIMAL(15,2) AS price,
        (CAST(number(o, k, 29) % 11 AS DECIMAL(15,2)) * 0.01)::DECIMAL(15,2) AS discount, (CAST(number(o, k, 30) % 9 AS DECIMAL(15,2)) * 0.01)::DECIMAL(15,2) AS tax,
        ['A', 'N', 'R'][1 + number(o, k, 31) % 3] AS returned, ['O', 'F'][1 + number(o, k, 32) % 2] AS line_status,
        CAST(DATE '1992-01-01' + CAST(number(o, 22) % 2400 + 1 + number(o, k, 33) % 120 AS INTEGER) AS DATE) AS shipped,
        CAST(DATE '1992-01-01' + CAST(number(o, 22) % 2400 + 30 + number(o, k, 34) % 60 AS INTEGER) AS DATE) AS promised,
        CAST(DATE '1992-01-01' + CAST(number(o, 22) % 2400 + 2 + number(o, k, 35) % 150 AS INTEGER) AS DATE) AS received,
        ['AIR', 'MAIL', 'RAIL', 'SHIP', 'TRUCK'][1 + number(o, k, 36) % 5] AS mode
        FROM range({n} * 10) t(o), range(7) u(k) WHERE k <= number(o, 37) % 7""",
}

# `{share}` is that of an offer in the value of many, which falls as their number grows.
QUERIES = {
    "sums by flag": """SELECT returned, line_status, sum(quantity) AS quantity, sum(price) AS price, sum(price * (1 - discount)) AS net,
        sum(price * (1 - discount) * (1 + tax)) AS gross, avg(quantity) AS mean, count(*) AS n
        FROM items WHERE shipped <= DATE '1998-09-02' GROUP BY ALL ORDER BY ALL""",
    "cheapest offer of a region": """SELECT s.balance, s.supplier_name, n.nation_name, p.part, o.cost FROM parts p JOIN offers o USING (part)
        JOIN suppliers s USING (supplier) JOIN nations n USING (nation) JOIN regions r USING (region)
        WHERE p.size = 15 AND p.kind LIKE '%brass' AND r.region_name = 'region 3' AND o.cost = (
          SELECT min(o2.cost) FROM offers o2 JOIN suppliers s2 USING (supplier) JOIN nations n2 USING (nation)
          WHERE o2.part = p.part AND n2.region = r.region) ORDER BY ALL LIMIT 100""",
    "unshipped orders": """SELECT order_number, sum(price * (1 - discount)) AS revenue, ordered FROM customers JOIN orders USING (customer)
        JOIN items USING (order_number) WHERE segment = 'books' AND ordered < DATE '1995-03-15' AND shipped > DATE '1995-03-15'
        GROUP BY ALL ORDER BY revenue DESC, ordered, order_number LIMIT 10""",
    "late orders": """SELECT priority, count(*) AS n FROM orders o WHERE ordered >= DATE '1993-07-01' AND ordered < DATE '1993-07-01' + INTERVAL 3 MONTH
        AND EXISTS (SELECT 1 FROM items i WHERE i.order_number = o.order_number AND promised < received) GROUP BY ALL ORDER BY ALL""",
    "revenue of neighbours": """SELECT nation_name, sum(price * (1 - discount)) AS revenue FROM customers c, orders o, items i, suppliers s, nations n, regions r
        WHERE c.customer = o.customer AND i.order_number = o.order_number AND i.supplier = s.supplier AND c.nation = s.nation
        AND s.nation = n.nation AND n.region = r.region AND region_name = 'region 2' AND year(ordered) = 1994 GROUP BY ALL ORDER BY ALL""",
    "discounted revenue": """SELECT sum(price * discount) AS revenue FROM items WHERE shipped >= DATE '1994-01-01' AND shipped < DATE '1995-01-01'
        AND discount BETWEEN 0.05 AND 0.07 AND quantity < 24""",
    "trade of two nations": """SELECT seller, buyer, year, sum(volume) AS volume FROM (SELECT n1.nation_name AS seller, n2.nation_name AS buyer,
          year(shipped) AS year, price * (1 - discount) AS volume FROM suppliers s JOIN items i USING (supplier) JOIN orders o USING (order_number)
          JOIN customers c USING (customer) JOIN nations n1 ON s.nation = n1.nation JOIN nations n2 ON c.nation = n2.nation
          WHERE (n1.nation_name, n2.nation_name) IN (('nation 6', 'nation 7'), ('nation 7', 'nation 6'))) GROUP BY ALL ORDER BY ALL""",
    "share of a market": """SELECT year(ordered) AS year, sum(CASE WHEN n2.nation_name = 'nation 4' THEN price * (1 - discount) ELSE 0 END)::DOUBLE / sum(price * (1 - discount))::DOUBLE AS share
        FROM parts JOIN items i USING (part) JOIN suppliers s USING (supplier) JOIN orders USING (order_number) JOIN customers c USING (customer)
        JOIN nations n1 ON c.nation = n1.nation JOIN nations n2 ON s.nation = n2.nation WHERE n1.region = 1 AND kind = 'small plated tin'
        GROUP BY ALL ORDER BY ALL""",
    "profit by nation and year": """SELECT nation_name, year(ordered) AS year, sum(price * (1 - discount) - cost * quantity) AS profit
        FROM parts JOIN items i USING (part) JOIN offers o ON o.part = i.part AND o.supplier = i.supplier JOIN suppliers s ON s.supplier = i.supplier
        JOIN orders USING (order_number) JOIN nations USING (nation) WHERE part_name LIKE '%green%' GROUP BY ALL ORDER BY ALL""",
    "returns": """SELECT customer, customer_name, sum(price * (1 - discount)) AS revenue, balance, nation_name, phone FROM customers
        JOIN orders USING (customer) JOIN items USING (order_number) JOIN nations USING (nation) WHERE ordered >= DATE '1993-10-01'
        AND ordered < DATE '1994-01-01' AND returned = 'R' GROUP BY ALL ORDER BY revenue DESC, customer LIMIT 20""",
    "valuable stock": """SELECT part, sum(cost * available) AS value FROM offers JOIN suppliers USING (supplier) WHERE nation = 7 GROUP BY part
        HAVING sum(cost * available) > (SELECT sum(cost * available) * {share} FROM offers JOIN suppliers USING (supplier) WHERE nation = 7)
        ORDER BY value DESC, part""",
    "priorities by mode": """SELECT mode, sum(CASE WHEN priority IN ('1-priority', '2-priority') THEN 1 ELSE 0 END) AS high, count(*) FILTER (priority > '2') AS low
        FROM orders JOIN items USING (order_number) WHERE mode IN ('MAIL', 'SHIP') AND promised < received AND shipped < promised
        AND year(received) = 1994 GROUP BY ALL ORDER BY ALL""",
    "customers by their orders": """SELECT n, count(*) AS customers FROM (SELECT c.customer, count(order_number) AS n FROM customers c LEFT JOIN orders o
        ON o.customer = c.customer AND remark NOT LIKE '%special%requests%' GROUP BY ALL) GROUP BY ALL ORDER BY customers DESC, n DESC""",
    "share of a kind": """SELECT 100.00 * sum(CASE WHEN kind LIKE 'small%' THEN price * (1 - discount) ELSE 0 END)::DOUBLE / sum(price * (1 - discount))::DOUBLE AS share
        FROM items JOIN parts USING (part) WHERE shipped >= DATE '1995-09-01' AND shipped < DATE '1995-10-01'""",
    "best suppliers": """WITH revenue AS (SELECT supplier, sum(price * (1 - discount)) AS total FROM items WHERE shipped >= DATE '1996-01-01'
        AND shipped < DATE '1996-04-01' GROUP BY ALL) SELECT supplier, supplier_name, total FROM suppliers JOIN revenue USING (supplier)
        WHERE total = (SELECT max(total) FROM revenue) ORDER BY ALL""",
    "suppliers of kinds": """SELECT brand, kind, size, count(DISTINCT supplier) AS n FROM offers JOIN parts USING (part) WHERE brand <> 'brand 45'
        AND kind NOT LIKE 'medium%' AND size IN (49, 14, 23, 45, 19, 3, 36, 9) AND supplier NOT IN (
          SELECT supplier FROM suppliers WHERE remark LIKE '%complaints%') GROUP BY ALL ORDER BY n DESC, brand, kind, size""",
    "small orders": """SELECT sum(price)::DOUBLE / 7.0 AS yearly FROM items i JOIN parts p USING (part) WHERE brand = 'brand 23' AND container = 'box'
        AND quantity < (SELECT 0.2 * avg(quantity) FROM items i2 WHERE i2.part = p.part)""",
    "large orders": """SELECT customer_name, order_number, ordered, sum(quantity) AS total FROM customers JOIN orders USING (customer)
        JOIN items USING (order_number) WHERE order_number IN (SELECT order_number FROM items GROUP BY order_number HAVING sum(quantity) > 270)
        GROUP BY ALL ORDER BY ALL LIMIT 100""",
    "one of three conditions": """SELECT sum(price * (1 - discount)) AS revenue FROM items JOIN parts USING (part) WHERE
        (brand = 'brand 12' AND container IN ('box', 'bag') AND quantity BETWEEN 1 AND 11 AND size BETWEEN 1 AND 5 AND mode IN ('AIR', 'MAIL'))
        OR (brand = 'brand 23' AND container = 'can' AND quantity BETWEEN 10 AND 20 AND size BETWEEN 1 AND 10)
        OR (brand = 'brand 34' AND quantity BETWEEN 20 AND 30 AND size BETWEEN 1 AND 15)""",
    "more than half sold": """SELECT supplier_name FROM suppliers WHERE supplier IN (SELECT supplier FROM offers WHERE part IN (
          SELECT part FROM parts WHERE part_name LIKE 'forest%') AND available > (SELECT 0.5 * sum(quantity) FROM items
          WHERE items.part = offers.part AND items.supplier = offers.supplier AND year(shipped) = 1994)) AND nation = 3 ORDER BY ALL""",
    "the only late supplier": """SELECT supplier_name, count(*) AS n FROM suppliers s JOIN items i1 USING (supplier) JOIN orders o USING (order_number)
        WHERE status = 'F' AND i1.received > i1.promised AND EXISTS (SELECT 1 FROM items i2 WHERE i2.order_number = i1.order_number
          AND i2.supplier <> i1.supplier) AND NOT EXISTS (SELECT 1 FROM items i3 WHERE i3.order_number = i1.order_number
          AND i3.supplier <> i1.supplier AND i3.received > i3.promised) AND nation < 5 GROUP BY ALL ORDER BY n DESC, supplier_name LIMIT 100""",
    "customers without orders": """SELECT left(phone, 2) AS code, count(*) AS n, sum(balance) AS balance FROM customers c WHERE left(phone, 2) IN ('13', '31', '23', '29', '30', '18', '17')
        AND balance > (SELECT avg(balance) FROM customers WHERE balance > 0.00) AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.customer)
        GROUP BY ALL ORDER BY ALL""",
}


@pytest.fixture(scope="module")
def shop(services, folder, request):
    """DuckDB with the tables, which the service has as datasets."""
    need("duckdb")
    import duckdb

    service = services("default memory")
    customers = int(150_000 * request.config.getoption("--query-scale"))
    database = duckdb.connect()
    database.sql("CREATE MACRO number(a, b) AS (hash(a, b) >> 1)::BIGINT, (a, b, c) AS (hash(a, b, c) >> 1)::BIGINT")
    for name, sql in TABLES.items():
        database.sql(f"CREATE TABLE {name} AS {sql.format(n=customers)}")
        table = database.sql(f"FROM {name}").arrow()
        table = table.read_all() if hasattr(table, "read_all") else table
        path = folder / f"{name}.arrows"
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=100_000)
        response = curl("-T", path, f"{service.url}/datasets/{name}")
        assert response.status in (200, 201), response
    return service, database


def equal(found, expected):
    """Whether values are equal. Sums of floating-point numbers differ in their last digits."""
    return math.isclose(found, expected, rel_tol=1e-12) if isinstance(expected, float) else found == expected


def test_there_are_22_queries():
    assert len(QUERIES) == 22


@pytest.mark.parametrize("name", QUERIES)
def test_results_equal_those_of_duckdb(shop, name, request):
    service, database = shop
    share = 0.00005 / request.config.getoption("--query-scale")
    sql = QUERIES[name].format(share=f"{share:.8f}")
    response = curl("--data-raw", sql, f"{service.url}/sql.arrows")
    assert response.status == 200, response.body
    found = pa.ipc.open_stream(io.BytesIO(response.body)).read_all()
    expected = database.sql(sql).arrow()
    expected = expected.read_all() if hasattr(expected, "read_all") else expected
    assert found.num_rows > 0
    assert found.schema.types == expected.schema.types
    assert found.column_names == expected.column_names
    assert found.num_rows == expected.num_rows
    for row, other in zip(found.to_pylist(), expected.to_pylist()):
        assert all(equal(row[key], other[key]) for key in other), (row, other)

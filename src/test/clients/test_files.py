"""Files of other formats as uploads: values and types as other programs read them."""

import base64
import collections
import concurrent.futures
import csv
import datetime
import decimal
import functools
import http.client
import io
import json
import random
import re
import uuid

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as encryption
import pytest

from service import curl

ROWS = 3_000


@pytest.fixture(scope="module")
def service(services):
    return services("default memory")


def put(service, path, name):
    response = curl("-T", str(path), f"{service.url}/datasets/{name}{path.suffix}")
    return response.status, response.json()


def stored(service, name):
    return pa.ipc.open_stream(curl(f"{service.url}/datasets/{name}.arrows").body).read_all()


def sometimes(values, type_):
    """The values of a column of the type, every seventh of them null."""
    return pa.array([None if i % 7 == 3 else value for i, value in enumerate(values)], type_)


@functools.cache
def typed_table():
    """Each type that Parquet with a stored Arrow schema keeps, with nulls."""
    ids = range(ROWS)
    day = datetime.date(1969, 1, 1)
    instants = [datetime.datetime(1969, 6, 1) + datetime.timedelta(seconds=1234 * i) for i in ids]
    texts = [f"text {i % 50} ü" for i in ids]
    columns = {
        **{str(t): sometimes([i % 100 for i in ids], t) for t in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())},
        "bool": sometimes([i % 3 == 0 for i in ids], pa.bool_()),
        "float": sometimes([i / 7 for i in ids], pa.float32()),
        "double": sometimes([i / 7 for i in ids], pa.float64()),
        "decimal": sometimes([decimal.Decimal(i * i - 1000).scaleb(-3) for i in ids], pa.decimal128(20, 3)),
        "large decimal": sometimes([decimal.Decimal(10**44 * (i - 1000)).scaleb(-3) for i in ids], pa.decimal256(50, 3)),
        "half": sometimes([i / 8 for i in range(-ROWS // 2, ROWS - ROWS // 2)], pa.float16()),
        "date32": sometimes([day + datetime.timedelta(days=i) for i in ids], pa.date32()),
        "date64": sometimes([day + datetime.timedelta(days=i) for i in ids], pa.date64()),
        "time32": sometimes([datetime.time(i % 24, i % 60, 1, 5000) for i in ids], pa.time32("ms")),
        "time64": sometimes([datetime.time(i % 24, i % 60, 1, i) for i in ids], pa.time64("us")),
        **{f"timestamp {u}": sometimes(instants, pa.timestamp(u)) for u in ("ms", "us", "ns")},
        "zoned": sometimes(instants, pa.timestamp("us", "Europe/Berlin")),
        "duration": sometimes([datetime.timedelta(seconds=i) for i in ids], pa.duration("ms")),
        "text": sometimes(texts, pa.string()),
        "large text": sometimes(texts, pa.large_string()),
        "binary": sometimes([text.encode() for text in texts], pa.binary()),
        "fixed": sometimes([uuid.UUID(int=i).bytes for i in ids], pa.binary(16)),
        "dictionary": sometimes(texts, pa.string()).dictionary_encode(),
        "list": sometimes([[i, None, i + 1][: i % 4] for i in ids], pa.list_(pa.int32())),
        "large list": sometimes([[str(i)] * (i % 3) for i in ids], pa.large_list(pa.string())),
        "pair": sometimes([[i, i + 1] for i in ids], pa.list_(pa.float32(), 2)),
        "struct": sometimes([{"a": i, "b": f"b{i}"} for i in ids], pa.struct([("a", pa.int16()), ("b", pa.string())])),
        "map": sometimes([[(f"k{j}", j) for j in range(i % 3)] for i in ids], pa.map_(pa.string(), pa.int64())),
    }
    table = pa.table(columns)
    field = pa.field("described", pa.int64(), metadata={"unit": "m"})
    return table.append_column(field, pa.array(ids, pa.int64())).replace_schema_metadata({"source": "test"})


def test_parquet_of_pyarrow_keeps_types_values_and_metadata(service, folder):
    table = typed_table()
    path = folder / "typed-pyarrow.parquet"
    pq.write_table(table, path, row_group_size=1000)
    status, document = put(service, path, "typed-pyarrow")
    assert status == 201, document
    assert "warnings" not in document
    found = stored(service, "typed-pyarrow")
    found.validate(full=True)
    # pyarrow itself does not read lists of a fixed size among which some are null.
    for name in table.column_names:
        assert found.schema.field(name).equals(table.schema.field(name), check_metadata=False), name
        assert found[name].to_pylist() == table[name].to_pylist(), name
    assert found.schema.metadata[b"source"] == b"test"
    assert found.schema.field("described").metadata[b"unit"] == b"m"


@pytest.mark.parametrize("codec", ["snappy", "zstd", "gzip", "brotli", "lz4", "none"])
def test_parquet_without_arrow_types_has_those_of_pyarrow(service, folder, codec):
    table = typed_table()
    path = folder / f"bare-{codec}.parquet"
    options = {"compression": codec, "data_page_version": "2.0" if codec == "zstd" else "1.0", "use_dictionary": codec != "none"}
    pq.write_table(table, path, row_group_size=1000, store_schema=False, **options)
    expected = pq.read_table(path)
    status, document = put(service, path, path.stem)
    assert (status, "warnings" in document) == (201, False), document
    found = stored(service, path.stem)
    found.validate(full=True)
    for name in table.column_names:
        assert found.schema.field(name).type == expected.schema.field(name).type, name
        assert found[name].to_pylist() == expected[name].to_pylist(), name


def test_timestamps_of_96_bits_are_exact_or_told(service, folder):
    instants = sometimes([datetime.datetime(1969, 6, 1, 0, 0, 0, i) for i in range(ROWS)], pa.timestamp("ns"))
    path = folder / "coarse.parquet"
    pq.write_table(pa.table({"t": instants}), path, use_deprecated_int96_timestamps=True, store_schema=False)
    status, document = put(service, path, "coarse")
    assert (status, "warnings" in document) == (201, False), document
    assert stored(service, "coarse")["t"].combine_chunks().equals(instants)
    late = sometimes([datetime.datetime(9999, 12, 31, 23, 59, 59, i) for i in range(ROWS)], pa.timestamp("us"))
    pq.write_table(pa.table({"t": late}), path, use_deprecated_int96_timestamps=True, store_schema=False)
    status, document = put(service, path, "coarse")
    assert status == 200 and "Column t has 96-bit timestamps" in document["warnings"][0], document
    assert stored(service, "coarse")["t"].combine_chunks().equals(late)


def test_checksums_of_pages_are_compared(service, folder):
    path = folder / "checked.parquet"
    table = pa.table({"a": pa.array([2**40 + i for i in range(ROWS)])})
    pq.write_table(table, path, write_page_checksum=True, use_dictionary=False, compression="none")
    whole = path.read_bytes()
    assert put(service, path, "checked")[0] == 201
    # A value is another one, and nothing else tells.
    at = whole.index((2**40 + 1000).to_bytes(8, "little"))
    path.write_bytes(whole[:at] + b"\x01" + whole[at + 1 :])
    status, document = put(service, path, "checked")
    assert (status, document["column"]) == (422, "a") and "checksum" in document["detail"], document


@pytest.mark.parametrize("writer", ["pandas", "polars", "duckdb"])
def test_parquet_of_other_writers_equals_what_pyarrow_reads(service, folder, writer):
    path = folder / f"written-by-{writer}.parquet"
    frame = pandas.DataFrame(
        {
            "id": range(ROWS),
            "text": [None if i % 5 == 0 else f"t{i}" for i in range(ROWS)],
            "when": pandas.date_range("2020-01-01", periods=ROWS, freq="37min"),
            "x": [i / 3 for i in range(ROWS)],
        }
    )
    if writer == "pandas":
        frame.astype({"text": "category"}).to_parquet(path)
    elif writer == "polars":
        polars.from_pandas(frame).with_columns(polars.col("text").cast(polars.Categorical)).write_parquet(path)
    else:
        duckdb.sql(f"COPY (SELECT * FROM frame) TO '{path}' (FORMAT parquet)")
    status, document = put(service, path, path.stem)
    assert status == 201, document
    expected = pq.read_table(path)
    found = stored(service, path.stem)
    for name in expected.column_names:
        values = found[name]
        assert values.to_pylist() == expected[name].to_pylist(), name
        # Of polars' categories, pyarrow itself makes another dictionary type.
        if not pa.types.is_dictionary(values.type):
            assert values.type == expected[name].type, name


def test_csv_equals_what_python_reads(service, folder):
    random.seed(7)
    header = ["id", "text", "id", "x", "day"]
    texts = ["", "plain", 'with "quotes"', "comma, and\nline", " spaces ", "ümlaut", "NULL"]
    rows = [
        [str(i), texts[i % len(texts)], str(-i), repr(random.random() * 1e6), f"2024-02-{i % 28 + 1:02d}"]
        for i in range(ROWS)
    ]
    path = folder / "python.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    status, document = put(service, path, "python-csv")
    assert status == 201, document
    fields = curl(f"{service.url}/datasets/python-csv/schema").json()["fields"]
    types = [field["arrowType"] for field in fields]
    assert types == ["int64", "utf8", "int64", "float64", "date32[day]"]
    found = stored(service, "python-csv")
    assert found.column_names == header
    kinds = [int, lambda text: text or None, int, float, datetime.date.fromisoformat]
    for i, kind in enumerate(kinds):
        assert found.column(i).to_pylist() == [kind(row[i]) for row in rows]


def test_json_lines_equal_what_python_reads(service, folder):
    rows = [
        {"id": i, "tags": [str(j) for j in range(i % 3)], "place": {"x": i / 2, "name": None if i % 2 else "n"}}
        for i in range(ROWS)
    ]
    path = folder / "python.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    status, document = put(service, path, "python-jsonl")
    assert status == 201, document
    assert stored(service, "python-jsonl").to_pylist() == rows


def damaged(original, generator):
    """A copy of which bytes were changed, lost, added or repeated."""
    copy = bytearray(original)
    for _ in range(generator.choice([1, 1, 3, 20])):
        start = generator.randrange(len(copy))
        match generator.randrange(4):
            case 0:
                copy[start] = generator.randrange(256)
            case 1:
                del copy[start : start + generator.randrange(1, 50)]
            case 2:
                copy[start:start] = generator.randbytes(generator.randrange(1, 20))
            case _:
                copy[start:start] = copy[: generator.randrange(1, 100)]
        if len(copy) < 8:
            break
    return bytes(copy)


def put_all(service, path, bodies):
    """Puts bodies over one connection, and returns their statuses and the details of failures."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=120)
    answers = []
    for body in bodies:
        connection.request("PUT", path, body)
        response = connection.getresponse()
        document = json.loads(response.read())
        answers.append((response.status, document.get("type", ""), document.get("detail", "")))
    connection.close()
    return answers


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".json", ".parquet"])
def test_file_becomes_the_dataset_of_its_name(service, folder, suffix):
    path = folder / f"trips-{suffix[1:]}{suffix}"
    frame = pandas.DataFrame({"id": range(100), "zone": [f"z{i % 7}" for i in range(100)]})
    match suffix:
        case ".csv" | ".tsv":
            frame.to_csv(path, index=False, sep="," if suffix == ".csv" else "\t")
        case ".json" | ".jsonl":
            frame.to_json(path, orient="records", lines=suffix == ".jsonl")
        case ".parquet":
            frame.to_parquet(path)
    response = curl("-T", str(path), f"{service.url}/datasets/")
    assert response.status == 201, response.body
    assert response.json()["name"] == path.stem
    assert stored(service, path.stem).to_pydict() == frame.to_dict("list")


def malformed(folder):
    """Files that no reader takes, and what is told of them."""
    text = folder / "malformed-text.csv"
    # Without the character before it, it would be text of another encoding.
    text.write_bytes(b"a,b\n1,\xc3\xa4\n2,\xff\n")
    yield text, {"line": 3}, "UTF-8"
    rows = folder / "malformed-rows.csv"
    rows.write_text("a,b\n1,2\n3\n")
    yield rows, {"line": 3}, "2 fields"
    several = folder / "malformed-several.csv"
    several.write_text('a,b\n1,"x\ny"\n2,"z\n')
    yield several, {"line": 4}, "quote"
    cut = folder / "malformed-cut.parquet"
    pq.write_table(typed_table(), cut)
    cut.write_bytes(cut.read_bytes()[:-1000])
    yield cut, {}, "truncated"


def test_malformed_files_are_told_and_not_stored(service, folder):
    for path, place, words in malformed(folder):
        status, problem = put(service, path, path.stem)
        assert status == 422 and problem["type"] == "urn:quiver:problem:invalid-file", problem
        assert words in problem["detail"], problem
        assert {key: problem.get(key) for key in place} == place, problem
        assert curl(f"{service.url}/datasets/{path.stem}").status == 404


def test_text_of_parquet_that_is_not_utf8_is_told(service, folder):
    path = folder / "not-utf8.parquet"
    texts = pa.array([b"a", b"\xff"]).view(pa.string())
    pq.write_table(pa.table({"id": [1, 2], "text": texts}), path)
    status, problem = put(service, path, "not-utf8")
    assert (status, problem["type"], problem["column"]) == (422, "urn:quiver:problem:invalid-file", "text"), problem
    assert curl(f"{service.url}/datasets/not-utf8").status == 404


def test_decimals_of_text_have_at_most_38_digits(service, folder):
    path = folder / "wide-decimals.csv"
    for largest, expected in ((10**38 - 1, 201), (10**38, 422)):
        path.write_text(f"d\n1\n{largest}\n")
        response = curl("-T", str(path), f"{service.url}/datasets/wide-decimals.csv?csv.types=d:decimal(38,0)")
        assert response.status == expected, response.body
    document = response.json()
    assert (document["line"], document["column"], document["value"]) == (3, "d", str(10**38)), document


@pytest.mark.parametrize("suffix", [".csv", ".json", ".jsonl", ".parquet"])
def test_mutated_files_are_stored_or_told(service, folder, suffix, pytestconfig):
    """A thousand damaged files leave the service alone; what is told names no path."""
    table = typed_table().select(["int32", "double", "text", "date32", "list"]).slice(0, 100)
    path = folder / f"mutated{suffix}"
    if suffix == ".parquet":
        pq.write_table(table, path)
    elif suffix == ".jsonl":
        path.write_text("".join(json.dumps(row, default=str) + "\n" for row in table.to_pylist()))
    elif suffix == ".json":
        path.write_text(json.dumps(table.to_pylist(), default=str))
    else:
        table.drop_columns(["list"]).to_pandas().to_csv(path, index=False)
    original = path.read_bytes()
    generator = random.Random(18)
    bodies = [damaged(original, generator) for _ in range(2 * pytestconfig.getoption("mutations"))]
    process = service.process.pid
    ended = service.metric("quiver_sql_workers_ended_total")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        halves = [
            pool.submit(put_all, service, f"/datasets/mutated-{suffix[1:]}-{i}{suffix}", bodies[i::2])
            for i in range(2)
        ]
        answers = [answer for half in halves for answer in half.result()]
    ended = service.metric("quiver_sql_workers_ended_total") - ended
    counts = collections.Counter(status for status, _, _ in answers)
    print(f"{suffix}: {dict(counts)}, {ended:.0f} workers ended")
    assert set(counts) <= {200, 201, 400, 413, 422, 500}, counts
    assert counts[200] > 0 and counts[422] > 0, counts
    for status, type_, detail in answers:
        assert status < 300 or type_.startswith("urn:quiver:problem:"), (status, type_, detail)
        assert not re.search(r"/\w+/", detail), detail
        assert status != 500 or detail.endswith("had ended"), (type_, detail)
    assert counts[500] <= ended
    assert service.process.pid == process and service.process.poll() is None
    assert [file for file in service.folder.rglob("file-*") if file.is_file()] == []
    assert service.peak_anonymous_bytes < 2 << 30


@pytest.mark.parametrize("suffix, columns", [("csv", 2_000), ("jsonl", 2_000), ("parquet", 2_000)])
def test_wide_files_fit_into_a_worker(service, folder, suffix, columns):
    rows = 20
    table = pa.table({f"c{i}": [f"t{i}"] * rows if i % 4 == 0 else [i * row for row in range(rows)] for i in range(columns)})
    path = folder / f"wide.{suffix}"
    match suffix:
        case "csv":
            polars.from_arrow(table).write_csv(path)
        case "jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
        case "parquet":
            pq.write_table(table, path)
    status, document = put(service, path, f"wide-{suffix}")
    assert status == 201, document
    assert stored(service, f"wide-{suffix}").cast(table.schema).equals(table)


def test_rows_are_bounded_by_the_bytes_of_their_file(service, folder):
    """Beyond 256 MiB, by `quiver.limits.decompression-ratio` for each byte."""
    path = folder / "zeros.parquet"
    free = (256 << 20) // 8
    for rows, expected in ((free - 100_000, 201), (free + 50_000_000, 413)):
        pq.write_table(pa.table({"zero": pa.array(memoryview(bytes(8 * rows)).cast("q"))}), path, row_group_size=1 << 24, data_page_size=64 << 20)
        assert path.stat().st_size * 1_000 < 8 * 50_000_000
        status, document = put(service, path, "zeros")
        assert status == expected, document
    assert document["limit"]["key"] == "quiver.limits.decompression-ratio"
    assert curl("-X", "DELETE", f"{service.url}/datasets/zeros").status == 204


def append(service, path, name):
    response = curl("-X", "POST", "--data-binary", f"@{path}", f"{service.url}/datasets/{name}{path.suffix}")
    return response.status, response.json()


def test_rows_as_text_are_appended_in_the_types_of_the_dataset(service, folder):
    """Appends rows as the service renders them, in CSV, TSV and JSON lines, to the dataset they came from."""
    table = typed_table()
    nested = ["list", "large list", "pair", "struct", "map"]
    table = table.drop_columns(["duration"])
    for suffix, kept in [
        ("csv", table.drop_columns(nested)),
        ("tsv", table.drop_columns(nested)),
        ("jsonl", table.drop_columns(["large decimal"])),
        ("parquet", table.drop_columns(["large decimal"])),
    ]:
        name = f"appended-{suffix}"
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, kept.schema) as writer:
            writer.write_table(kept)
        (folder / "first.arrows").write_bytes(sink.getvalue())
        assert put(service, folder / "first.arrows", name)[0] == 201
        path = folder / f"{name}.{suffix}"
        path.write_bytes(curl(f"{service.url}/datasets/{name}.{suffix}").body)
        status, document = append(service, path, name)
        assert status == 200, document
        found = stored(service, name)
        found.validate(full=True)
        for column in kept.column_names:
            expected = kept[column].to_pylist()
            assert found.schema.field(column).type == kept.schema.field(column).type, column
            assert found[column].to_pylist() == expected + expected, (suffix, column)


def test_appended_csv_that_does_not_convert_is_told(service, folder):
    path = folder / "distances.csv"
    path.write_text("id,distance\n1,1.5\n")
    assert put(service, path, "distances")[0] == 201
    path.write_text("id,distance\n2,3\n")
    assert append(service, path, "distances")[0] == 200
    path.write_text("id,distance\n3,far\n")
    status, document = append(service, path, "distances")
    assert (status, document["column"], document["value"]) == (422, "distance", "far"), document
    path.write_text("id,distance,more\n3,3,3\n")
    status, document = append(service, path, "distances")
    assert (status, document["type"]) == (409, "urn:quiver:problem:schema-mismatch"), document
    assert stored(service, "distances").to_pylist() == [{"id": 1, "distance": 1.5}, {"id": 2, "distance": 3.0}]


class Keys(encryption.KmsClient):
    """Keys that are no secret."""

    def __init__(self, config):
        encryption.KmsClient.__init__(self)

    def wrap_key(self, key_bytes, master_key_identifier):
        return base64.b64encode(key_bytes)

    def unwrap_key(self, wrapped_key, master_key_identifier):
        return base64.b64decode(wrapped_key)


@pytest.mark.parametrize("plaintext_footer", [True, False])
def test_encrypted_parquet_is_named(service, folder, plaintext_footer):
    table = pa.table({"a": range(100)})
    configuration = encryption.EncryptionConfiguration(
        footer_key="f", column_keys={"c": ["a"]}, plaintext_footer=plaintext_footer
    )
    properties = encryption.CryptoFactory(Keys).file_encryption_properties(
        encryption.KmsConnectionConfig(), configuration
    )
    path = folder / "encrypted.parquet"
    with pq.ParquetWriter(path, table.schema, encryption_properties=properties) as writer:
        writer.write_table(table)
    for suffix in (".parquet", ""):
        response = curl("-T", str(path), f"{service.url}/datasets/encrypted{suffix}")
        document = response.json()
        assert response.status == 422
        assert document["type"] == "urn:quiver:problem:invalid-file"
        assert document["detail"] == "Expected a Parquet file without encryption but found an encrypted one"


def test_unsupported_codec_of_parquet_is_named(service, folder):
    path = folder / "lzo.parquet"
    pq.write_table(pa.table({"a": range(100)}), path, compression="snappy")
    whole = path.read_bytes()
    # The path of the column, and then the field of the codec: Snappy is 1, LZO is 3.
    snappy, lzo = b"\x19\x18\x01a\x15\x02", b"\x19\x18\x01a\x15\x06"
    assert whole.count(snappy) == 1
    path.write_bytes(whole.replace(snappy, lzo))
    status, document = put(service, path, "lzo")
    assert (status, document["type"]) == (422, "urn:quiver:problem:invalid-file")
    assert document["detail"].endswith("zstd but found LZO")


def test_other_clients_send_files(service, folder):
    pytest.importorskip("requests")
    import requests

    text = "city,altitude\nBern,540\nOslo,23\n"
    form = requests.post(f"{service.url}/datasets?verbose=true", files={"file": ("peaks.csv", io.BytesIO(text.encode()))})
    assert form.status_code == 201, form.text
    assert [column["type"] for column in form.json()["columns"]] == ["utf8", "int64"]
    name = form.json()["name"]
    assert polars.read_ipc_stream(f"{service.url}/datasets/{name}.arrows").rows() == [("Bern", 540), ("Oslo", 23)]


@pytest.mark.parametrize(
    ("suffix", "form"), [("csv", "CSV"), ("csv", "CSVWithNames"), ("jsonl", "JSONEachRow"), ("parquet", "Parquet")]
)
def test_clickhouse_inserts_files(service, clickhouse, suffix, form):
    """The second INSERT appends. CSV, which is what the suffix alone means, has no names."""
    name = f"clickhouse-{form}"
    select = "SELECT toInt64(number) AS id, concat('page ', toString(number)) AS page FROM numbers(100)"
    for _ in range(2):
        clickhouse(f"INSERT INTO FUNCTION url('{service.url}/datasets/{name}.{suffix}', '{form}') {select}")
    table = stored(service, name)
    assert form == "CSV" or table.column_names == ["id", "page"]
    assert table[0].to_pylist() == [*range(100)] * 2
    assert table[1].to_pylist() == [f"page {i}" for i in range(100)] * 2

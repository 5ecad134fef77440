"""Mistakes that people make with curl. Each leads to success by doing what the hint says."""

import pathlib
import re
import subprocess
import time

import pytest

from conftest import need
from service import Service, curl, jar, java
from visitor import visit

TOKEN = "a-token-of-this-test"
BEARER = f"Authorization: Bearer {TOKEN}"
WEATHER = "day,temperature,rain\n2024-06-01,17.5,0\n2024-06-02,21.25,3\n"
PATH = re.compile(r"/[\w./@-]*\w")


@pytest.fixture(scope="module")
def folder_of_files(folder):
    path = folder / "mistakes-files"
    path.mkdir()
    (path / "weather.csv").write_text(WEATHER)
    return path


@pytest.fixture(scope="module")
def open_service(folder, folder_of_files):
    service = Service(folder / "mistakes")
    assert curl("-T", folder_of_files / "weather.csv", service.url + "/datasets/weather.csv").status == 201
    yield service
    service.stop()


@pytest.fixture(scope="module")
def guarded(folder, folder_of_files):
    settings = {"quiver.token": TOKEN, "quiver.token-required-for": "all", "quiver.limits.request-bytes": "20000B"}
    service = Service(folder / "guarded", **settings)
    file = folder_of_files / "weather.csv"
    assert curl("-H", BEARER, "-T", file, service.url + "/datasets/weather.csv").status == 201
    yield service
    service.stop()


@pytest.fixture
def url(open_service):
    return open_service.url


@pytest.fixture
def weather(folder_of_files):
    return folder_of_files / "weather.csv"


@pytest.fixture
def send(url, tmp_path):
    """Uploads a text by `curl -T`."""

    def sent(content, path, *arguments):
        file = tmp_path / "sent"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return curl("-T", file, *arguments, url + path)

    return sent


def hint(response, status):
    problem = response.json()
    assert (response.status, problem["status"]) == (status, status), response
    return problem["hint"]


def path_in(sentence):
    """The path that a hint names."""
    return PATH.search(sentence)[0]


def replacement(sentence):
    """The two words of a hint: the right one and the wrong one."""
    return re.fullmatch(r"Write (.+) in place of (.+)\.", sentence).groups()


def succeeds(response):
    assert response.status in (200, 201), response
    return response


# The detail or the hint says what to do.


def test_01_misspelt_column(url):
    query = "/datasets/weather.csv?columns=day,temprature"
    right, wrong = replacement(hint(curl(url + query), 400))
    assert succeeds(curl(url + query.replace(wrong, right))).body.startswith(b"day,temperature\r\n")


def test_02_misspelt_table_of_sql(url):
    problem = curl("-d", "SELECT count(*) AS n FROM wether", url + "/sql.csv").json()
    nearest = re.search("the nearest is (\\w+)", problem["detail"])[1]
    assert succeeds(curl("-d", f"SELECT count(*) AS n FROM {nearest}", url + "/sql.csv")).body == b"n\r\n2\r\n"


def test_03_unknown_parameter(url):
    query = "/datasets/weather.csv?colums=day"
    right, wrong = replacement(hint(curl(url + query), 400))
    assert succeeds(curl(url + query.replace(wrong, right))).body.startswith(b"day\r\n")


def test_04_a_word_for_a_number(url):
    detail = curl(url + "/datasets/weather.csv?limit=ten").problem(400)["detail"]
    assert detail.startswith("Expected a whole number from 0")
    assert succeeds(curl(url + "/datasets/weather.csv?limit=10"))


def test_05_too_large(guarded, tmp_path):
    rows = WEATHER.splitlines(keepends=True)[1:] * 600
    whole, half = tmp_path / "whole", tmp_path / "half"
    header = WEATHER.splitlines(keepends=True)[0]
    whole.write_text(header + "".join(rows))
    half.write_text(header + "".join(rows[:600]))
    address = guarded.url + "/datasets/large.csv"
    told = hint(curl("-H", BEARER, "-T", whole, address), 413)
    assert told == "Send or ask for less, or let the operator raise quiver.limits.request-bytes."
    assert succeeds(curl("-H", BEARER, "-T", half, address)).json()["rows"] == 600
    assert succeeds(curl("-H", BEARER, "-X", "POST", "-T", half, address)).json()["rows"] == 1200


def test_06_no_token(guarded):
    told = hint(curl(guarded.url + "/datasets"), 401)
    header = re.search("header (Authorization: Bearer TOKEN)", told)[1].replace("TOKEN", TOKEN)
    assert succeeds(curl("-H", header, guarded.url + "/datasets"))


def test_07_wrong_token(guarded):
    told = hint(curl("-H", "Authorization: Bearer wrong", guarded.url + "/datasets"), 401)
    assert "quiver.token" in told and TOKEN not in told
    assert succeeds(curl("-H", f"Authorization: Bearer {guarded.settings['quiver.token']}", guarded.url + "/datasets"))


def test_08_wrong_method(url, weather):
    succeeds(curl("-T", weather, url + "/datasets/method.csv"))
    told = hint(curl("-X", "PATCH", "-T", weather, url + "/datasets/method.csv"), 405)
    method = re.search("(\\w+) appends", told)[1]
    assert succeeds(curl("-X", method, "-T", weather, url + "/datasets/method.csv")).json()["rows"] == 4


def test_09_deleted_dataset(url, weather):
    succeeds(curl("-T", weather, url + "/datasets/removed.csv"))
    assert curl("-X", "DELETE", url + "/datasets/removed").status == 204
    told = hint(curl(url + "/datasets/removed.csv"), 410)
    assert "weather" in [each["name"] for each in succeeds(curl(url + path_in(told))).json()["datasets"]]


def test_10_a_name_with_a_dot(url, weather):
    succeeds(curl("-T", weather, url + "/datasets/of.june.csv"))
    told = hint(curl("-d", "SELECT * FROM of.june", url + "/sql.csv"), 400)
    name = re.search('"of\\.june"', told)[0]
    assert succeeds(curl("-d", f"SELECT * FROM {name}", url + "/sql.csv"))


def test_11_unknown_key_of_the_configuration(guarded):
    command = [java(), "-jar", jar(), "--quiver.limits.request-byte=20000B", "--server.port=0"]
    ended = subprocess.run(command, cwd=guarded.folder, capture_output=True, text=True, timeout=120)
    assert ended.returncode != 0
    key = re.search(r"the nearest key is (\S+)", ended.stdout + ended.stderr)[1]
    assert key in guarded.settings, "the service has started with this key"


def test_12_older_java(tmp_path):
    older = next(iter(sorted(pathlib.Path("/usr/lib/jvm").glob("*17*/bin/java"))), None)
    if older is None:
        pytest.skip("skipped: Java 17 is not installed")
    ended = subprocess.run([older, "-jar", jar(), "--version"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "Expected Java 25 or later" in ended.stdout + ended.stderr
    assert subprocess.run([java(), "-jar", jar(), "--version"], cwd=tmp_path, timeout=60, capture_output=True).returncode == 0


def test_13_more_columns_than_the_dataset(url, weather, send):
    succeeds(curl("-T", weather, url + "/datasets/growing.csv"))
    more = "day,temperature,rain,wind\n2024-06-03,20.5,1,7\n"
    told = hint(send(more, "/datasets/growing.csv", "-X", "POST"), 409)
    parameter = re.search("columns=\\w+", told)[0]
    assert succeeds(send(more, f"/datasets/growing.csv?{parameter}", "-X", "POST")).json()["rows"] == 3


# The sentence alone would say only that something is wrong.


def test_14_misspelt_path(url):
    assert succeeds(curl(url + path_in(hint(curl(url + "/dataset/weather.csv"), 404)))).body.count(b"\n") == 3


def test_15_dataset_at_the_top(url):
    assert succeeds(curl(url + path_in(hint(curl(url + "/weather.csv"), 404)))).body.count(b"\n") == 3


def test_16_upload(url, weather):
    told = hint(curl("-T", weather, url + "/upload"), 404)
    method, path = re.search("by (PUT) (\\S+),", told).groups()
    assert succeeds(curl("-X", method, "-T", weather, url + path.replace("NAME", "uploaded")))


def test_17_misspelt_dataset(url):
    assert succeeds(curl(url + path_in(hint(curl(url + "/datasets/wether.csv"), 404)))).body.count(b"\n") == 3


def test_18_version_that_does_not_exist(url):
    told = hint(curl(url + "/datasets/weather@9.csv"), 404)
    assert "latest version is 1" in told
    assert succeeds(curl(url + re.search("ask for (\\S+)\\.$", told)[1])).body


@pytest.mark.parametrize("suffix", [".html", ".geojson"])
def test_19_and_20_suffix_that_does_not_exist(url, suffix):
    told = hint(curl(url + "/datasets/weather" + suffix), 404)
    assert ".xlsx" in told
    assert succeeds(curl(url + path_in(told) + ".xlsx")).body.startswith(b"PK")


def test_21_csv_without_a_suffix(url, send):
    words = "heading\nrain\nsnow\n"
    told = hint(send(words, "/datasets/words"), 415)
    assert succeeds(send(words, path_in(told))).json()["rows"] == 2


def test_22_ragged_row(send):
    ragged = "a,b\n1,2\n3\n"
    told = hint(send(ragged, "/datasets/ragged.csv"), 422)
    parameters = re.findall(r"csv\.rows=\w+", told)
    assert parameters
    for parameter in parameters:
        assert succeeds(send(ragged, f"/datasets/ragged.csv?{parameter}"))


def test_23_latin_1(send, url):
    """Needs no hint any more: the encoding is found."""
    stored = succeeds(send("city\nKöln\n".encode("latin-1"), "/datasets/latin.csv")).json()
    assert stored["found"]["encoding"] and stored["warnings"]
    assert curl(url + "/datasets/latin.csv").body.decode() == "city\r\nKöln\r\n"


@pytest.mark.parametrize(
    ("invalid", "said", "wrong", "right"),
    [
        ('[{"a": 1}, {"a": 2},]', "Remove the comma after the last", ",]", "]"),
        ("[{'a': 1}, {\"a\": 2}]", "in double quotes", "'", '"'),
        ('[{a: 1}, {"a": 2}]', "in double quotes", "{a", '{"a"'),
        ('[{"a": 1}, {"a": NaN}]', "Write null in place of NaN", "NaN", "null"),
        ('[{"a": 1}, /* b */ {"a": 2}]', "Remove the comment", "/* b */", ""),
    ],
)
def test_24_invalid_json(send, invalid, said, wrong, right):
    assert said in hint(send(invalid, "/datasets/invalid.json"), 422)
    assert succeeds(send(invalid.replace(wrong, right), "/datasets/invalid.json")).json()["rows"] == 2


def test_25_misspelt_keyword(url):
    told = hint(curl("-d", "SELEC 1 AS n", url + "/sql.csv"), 400)
    assert succeeds(curl("-d", f"{re.search('SELECT', told)[0]} 1 AS n", url + "/sql.csv"))


def test_26_insert(url, weather):
    succeeds(curl("-T", weather, url + "/datasets/inserted.csv"))
    told = hint(curl("-d", "INSERT INTO inserted VALUES (1)", url + "/sql.csv"), 400)
    method = re.search("POST", told)[0]
    appended = succeeds(curl("-X", method, "-T", weather, url + path_in(told.split(" to ")[-1])))
    assert appended.json()["rows"] == 4


# The sentence alone would mislead.


def test_27_condition_as_it_is(url):
    assert succeeds(curl("-g", url + "/datasets/weather.csv?where=temperature>20")).body.count(b"\n") == 2
    failing = "where=CAST(day AS VARCHAR)<>'é'"
    told = hint(curl("-g", url + "/datasets/weather.csv?" + failing.replace(" ", "+")), 400)
    ways = re.search("(-G) (--data-urlencode) '", told).groups()
    assert succeeds(curl(*ways, failing, url + "/datasets/weather.csv")).body.count(b"\n") == 3


def test_28_semicolons(url, send):
    """Needs no hint any more: the delimiter is found."""
    stored = succeeds(send("a;b\n1,5;2\n", "/datasets/semicolons.csv")).json()
    assert stored["found"]["delimiter"] == ";"
    assert curl(url + "/datasets/semicolons.csv").body.startswith(b"a,b")


def test_29_show_tables(url):
    told = succeeds(curl("-d", "SHOW TABLES", url + "/sql.csv")).body.decode()
    assert "weather" in told.split()
    assert succeeds(curl("-d", "SHOW weather", url + "/sql.csv")).body.count(b"\n") == 4


def test_30_a_word_for_a_condition(url):
    told = hint(curl(url + "/datasets/weather.csv?where=drama"), 400)
    search = re.search(r"search=drama", told)[0]
    assert succeeds(curl(f"{url}/datasets/weather.csv?{search}"))


def test_31_a_column_that_no_name_is_near(url):
    response = curl("-d", "SELECT agency FROM weather", url + "/sql.csv")
    told = hint(response, 400)
    assert "Candidate" not in response.json()["detail"]
    statement = re.search("DESCRIBE", told)[0]
    assert b"temperature" in succeeds(curl("-d", f"{statement} weather", url + "/sql.csv")).body


def test_32_token_without_bearer(guarded):
    told = hint(curl("-H", f"Authorization: {TOKEN}", guarded.url + "/datasets"), 401)
    header = re.search("(Authorization: Bearer TOKEN)", told)[1]
    assert succeeds(curl("-H", header.replace("TOKEN", TOKEN), guarded.url + "/datasets"))
    user = re.search("-u (user:TOKEN)", told)[1].replace("TOKEN", TOKEN)
    assert succeeds(curl("-u", user, guarded.url + "/datasets"))


def test_33_line_ends_that_curl_removes(url, weather):
    def put(option):
        arguments = ("-X", "PUT", option, f"@{weather}")
        return succeeds(curl(*arguments, url + "/datasets/lines.csv")).json()

    [told] = [each for each in put("-d")["warnings"] if "curl -d" in each]
    stored = put(re.search("--[a-z-]+", told)[0])
    assert stored["rows"] == 2 and "warnings" not in stored


def test_34_link_that_has_expired(guarded):
    def made(expires):
        path = f"/datasets/weather/links?expires={expires}"
        response = curl("-X", "POST", "-H", BEARER, guarded.url + path)
        assert response.status == 201, response
        return re.sub(r"^https?://[^/]*", guarded.url, response.json()["url"])

    link = made("1s")
    deadline = time.monotonic() + 60
    while (response := curl(link)).status == 200:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert "ask whoever made the link for a new one" in hint(response, 401)
    assert succeeds(curl(made("1h")))
    assert "incomplete" in hint(curl(made("1h")[:-5]), 401)


def test_problem_in_a_browser(open_service):
    need("axe-core")
    seen = visit("problem_page.mjs", open_service, "problem", "/datasets/wether.csv")
    assert seen["status"] == 404
    assert seen["heading"] == "Not found"
    assert "Use /datasets/weather.csv." in seen["text"]
    assert seen["axe"] == []
    assert seen["start"] == open_service.url + "/"

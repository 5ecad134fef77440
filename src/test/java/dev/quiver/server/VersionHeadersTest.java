package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `Quiver-Version` and `Content-Location`: the version that a response is about, and its URL.
class VersionHeadersTest extends RunningService {

  private static final String PATH = "/datasets/located";

  @BeforeEach
  void upload() throws Exception {
    if (get(PATH).statusCode() == 404) {
      put(PATH, Streams.numbers(0, 7));
      put(PATH + "?batches=keep", Streams.numbers(0, 10, 20));
    }
  }

  private static void assertAbout(HttpResponse<byte[]> response, int version, String location) {
    assertThat(header(response, "Quiver-Version")).isEqualTo(Integer.toString(version));
    assertThat(header(response, "Content-Location")).isEqualTo(location);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".arrow",
        ".arrows",
        ".feather",
        ".ipc",
        ".json",
        ".jsonl",
        ".ndjson",
        ".csv",
        ".arrow?columns=number&offset=3&codec=zstd",
        ".csv?limit=2",
        "",
        "?limit=3",
        "/schema",
        "/batches",
        "/batches?from=1&count=1",
        "/batches/0",
        "/batches/0-1.arrows?codec=lz4",
        "/partitions?count=2",
        "/blobs",
      })
  void responseOfANameHasTheLocationOfItsVersion(String rest) throws Exception {
    HttpResponse<byte[]> named = get(PATH + rest);
    String location = PATH + "@2" + rest;
    assertThat(named.statusCode()).isEqualTo(200);
    assertAbout(named, 2, location);
    assertAbout(head(PATH + rest), 2, location);
    HttpResponse<byte[]> pinned = get(location);
    assertThat(pinned.body()).isEqualTo(named.body());
    assertThat(header(pinned, "ETag")).isEqualTo(header(named, "ETag"));
    assertAbout(pinned, 2, "");
    HttpResponse<byte[]> known = get(PATH + rest, "If-None-Match", header(named, "ETag"));
    assertThat(known.statusCode()).isEqualTo(304);
    assertAbout(known, 2, location);
  }

  @Test
  void rangeHasTheLocationToResumeFrom() throws Exception {
    byte[] whole = get(PATH + ".arrow").body();
    HttpResponse<byte[]> start = get(PATH + ".arrow", "Range", "bytes=0-99");
    assertThat(start.statusCode()).isEqualTo(206);
    assertAbout(start, 2, PATH + "@2.arrow");
    HttpResponse<byte[]> rest = get(header(start, "Content-Location"), "Range", "bytes=100-");
    assertThat(rest.body()).hasSize(whole.length - 100);
    assertAbout(rest, 2, "");
    assertAbout(get(PATH + "@1.arrow"), 1, "");
  }

  @ParameterizedTest
  @CsvSource({
    "/datasets/%6Cocated%2Ecsv, /datasets/located@2.csv",
    "/datasets/located.csv?columns=%6Eumber, /datasets/located@2.csv?columns=%6Eumber",
  })
  void locationKeepsTheQueryAsItCame(String target, String location) throws Exception {
    assertThat(
            RawHttp.exchange(
                port, "GET " + target + " HTTP/1.1\nHost: localhost\nConnection: close\n\n"))
        .startsWith("HTTP/1.1 200 ")
        .contains("\r\nContent-Location: " + location + "\r\n");
  }

  @Test
  void locationWithAnOverlongQueryIsOmitted() throws Exception {
    // With its question mark, the query is one character shorter than the longest.
    String query = "?offset=" + "0".repeat(4087);
    assertAbout(get(PATH + ".csv" + query + "1"), 2, PATH + "@2.csv" + query + "1");
    assertAbout(get(PATH + ".csv" + query + "01"), 2, "");
  }

  @Test
  void pageHasTheLocationOfItsVersion() throws Exception {
    assertAbout(get(PATH, "Accept", "text/html"), 2, PATH + "@2");
  }

  @Test
  void problemHasAVersionAndNoLocation() throws Exception {
    for (HttpResponse<byte[]> response :
        List.of(
            get(PATH + ".arrow", "Range", "bytes=9999999-"),
            get(PATH + ".arrow", "If-Match", "\"other\""),
            get(PATH + ".arrow?columns=nothing"),
            get(PATH, "Accept", "image/png"),
            get(PATH + "/batches/7"))) {
      assertThat(response.statusCode()).isBetween(400, 416);
      assertAbout(response, 2, "");
    }
    assertThat(header(get("/datasets/nowhere"), "Quiver-Version")).isEmpty();
  }

  @Test
  void responseToAWriteHasAVersionAndNoLocation() throws Exception {
    byte[] stream = Streams.numbers(0, 1);
    assertAbout(put("/datasets/written", stream), 1, "");
    assertAbout(post("/datasets/written", stream), 2, "");
    assertAbout(post("/datasets/written/compact", new byte[0]), 3, "");
    assertAbout(put("/datasets/written.arrows", stream), 4, "");
    assertAbout(delete("/datasets/written"), 5, "");
    assertAbout(post("/datasets", stream), 1, "");
  }

  @Test
  void listOfVersionsHasTheLatest() throws Exception {
    assertAbout(get(PATH + "/versions"), 2, "");
  }

  @Test
  void conversionHasNoVersion() throws Exception {
    HttpResponse<byte[]> converted = post("/convert", Streams.numbers(0, 1));
    assertThat(header(converted, "Quiver-Version")).isEmpty();
    assertThat(header(converted, "Content-Location")).isEmpty();
  }
}

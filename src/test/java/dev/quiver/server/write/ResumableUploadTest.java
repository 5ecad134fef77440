package dev.quiver.server.write;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RawHttp;
import dev.quiver.server.Streams;
import dev.quiver.server.WatchedStore;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.log.ResumableUpload;
import dev.quiver.store.log.UploadStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/// Uploads that arrive in several requests, by each version of the draft.
@TestPropertySource(
    properties = {
      "quiver.cors.allowed-origins=https://app.test",
      "quiver.storage.path=${test.folder}/resumable",
      "quiver.uploads.open=20"
    })
@Import(WatchedStore.class)
class ResumableUploadTest extends ResumableUploads {

  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

  @Autowired private UploadStore uploads;
  @Autowired private BlobStore blobs;

  private static byte[] part(byte[] whole, int from, int to) {
    return Arrays.copyOfRange(whole, from, to);
  }

  private long rows(String path) throws Exception {
    return Streams.rowsOfBatches(get(path + ".arrows").body()).stream().mapToLong(n -> n).sum();
  }

  private int versions(String path) throws Exception {
    return json(path + "/versions").get("versions").size();
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "6", NEWEST})
  void eachVersionUploadsInParts(String version) throws Exception {
    String path = "/datasets/parts" + version;
    byte[] whole = Streams.numbers(0, 100, 50);
    String length = Integer.toString(whole.length);
    HttpResponse<byte[]> created =
        create(
            "PUT",
            path,
            version,
            "Upload-Length",
            length,
            "Content-Type",
            "application/vnd.apache.arrow.stream");
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(header(created, "Upload-Complete")).isEqualTo("?0");
    assertThat(header(created, "Upload-Offset")).isEqualTo("0");
    assertThat(header(created, "Upload-Draft-Interop-Version"))
        .isEqualTo(version.equals(NEWEST) ? "" : version);
    assertThat(header(created, "Upload-Limit"))
        .contains(version.equals(NEWEST) ? "max-age=259200" : "expires=259200");
    String upload = header(created, "Location");
    assertThat(upload).matches("/uploads/[0-9a-f]{48}");

    HttpResponse<byte[]> first = patch(upload, part(whole, 0, 100), 0, false, version);
    assertThat(first.statusCode()).isEqualTo(204);
    assertThat(header(first, "Upload-Offset")).isEqualTo("100");
    assertThat(offset(upload)).isEqualTo(100);
    assertThat(get(path).statusCode()).isEqualTo(404);

    HttpResponse<byte[]> last = patch(upload, part(whole, 100, whole.length), 100, true, version);
    assertThat(last.statusCode()).isEqualTo(201);
    assertThat(header(last, "Upload-Complete")).isEqualTo("?1");
    assertThat(header(last, "Upload-Offset")).isEqualTo(length);
    assertThat(header(last, "Location")).contains(path);
    assertThat(rows(path)).isEqualTo(150L);

    // The response may have been lost.
    assertThat(offset(upload)).isEqualTo(whole.length);
    HttpResponse<byte[]> repeated = patch(upload, new byte[0], whole.length, true, version);
    assertThat(repeated.statusCode()).isEqualTo(201);
    assertThat(text(repeated)).isEqualTo(text(last));
    assertThat(header(repeated, "ETag")).isEqualTo(header(last, "ETag"));
    assertThat(versions(path)).isOne();
    assertThat(request("DELETE", upload, new byte[0], version).statusCode()).isEqualTo(204);
    assertThat(head(upload).statusCode()).isEqualTo(404);
  }

  @Test
  void anUploadMayArriveInItsFirstRequest() throws Exception {
    HttpResponse<byte[]> response =
        request(
            "POST",
            "/datasets",
            Streams.numbers(0, 7),
            NEWEST,
            "Upload-Complete",
            "?1",
            "Content-Type",
            "application/partial-upload");
    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(header(response, "Upload-Complete")).isEqualTo("?1");
    assertThat(rows(URI.create(header(response, "Location")).getPath().replaceAll("@.*", "")))
        .isEqualTo(7L);
  }

  @Test
  void aFirstRequestThatIsCutLeavesNothing() throws Exception {
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(
          """
          PUT /datasets/unnamed HTTP/1.1
          Host: localhost
          Upload-Complete: ?0
          Content-Length: 100

          cut\
          """);
      connection.finishSending();
      connection.readToEnd();
    }
    HttpResponse<byte[]> wrong =
        request(
            "PUT",
            "/datasets/unnamed",
            new byte[9],
            NEWEST,
            "Upload-Complete",
            "?0",
            "Content-Digest",
            digest(new byte[1]));
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(header(wrong, "Location")).isEmpty();
    assertThat(uploadsOf("/datasets/unnamed")).isEmpty();
  }

  /// Returns the keys of the uploads to a dataset that are open.
  private List<String> uploadsOf(String path) throws IOException {
    List<String> found = new ArrayList<>();
    for (String key : blobs.list("uploads/", null, 100)) {
      UploadStore.Stored stored =
          uploads.find(key.substring("uploads/".length(), key.indexOf('.')));
      if (stored != null && stored.upload().request().target().equals(path)) {
        found.add(key);
      }
    }
    return found;
  }

  /// A client that announced more requests needs the upload, and one that did not, its version.
  @Test
  void completeFirstRequestReturnsTheUploadOrTheVersion() throws Exception {
    byte[] whole = Streams.numbers(0, 6);
    HttpResponse<byte[]> open =
        request(
            "PUT",
            "/datasets/at-once",
            whole,
            NEWEST,
            "Upload-Complete",
            "?0",
            "Upload-Length",
            Integer.toString(whole.length));
    assertThat(open.statusCode()).as(text(open)).isEqualTo(201);
    assertThat(header(open, "Upload-Complete")).isEqualTo("?1");
    assertThat(header(open, "Quiver-Version")).isEqualTo("1");
    String upload = header(open, "Location");
    assertThat(offset(upload)).isEqualTo(whole.length);
    HttpResponse<byte[]> repeated = patch(upload, new byte[0], whole.length, true, NEWEST);
    assertThat(text(repeated)).isEqualTo(text(open));
    assertThat(header(repeated, "Location")).contains("/datasets/at-once");
  }

  @Test
  void firstRequestReturnsTheUploadIfItsDataIsNotStoredYet() throws Exception {
    byte[] whole = Streams.numbers(0, 6);
    AtomicReference<@Nullable String> deleted = new AtomicReference<>();
    WatchedStore.listenToCalls((method, key) -> {
      if (method.equals("open") && key.startsWith("upload-parts/")) {
        deleted.compareAndSet(null, key);
        deleteBlob(key);
      }
    });
    HttpResponse<byte[]> failed;
    try {
      failed = request("PUT", "/datasets/not-yet", whole, NEWEST, "Upload-Complete", "?1");
    } finally {
      WatchedStore.listenToCalls((_, _) -> {});
    }
    assertThat(failed.statusCode()).as(text(failed)).isEqualTo(503);
    String upload = header(failed, "Location");
    blobs.putIfAbsent(Objects.requireNonNull(deleted.get()), MemorySegment.ofArray(whole));
    assertThat(patch(upload, new byte[0], whole.length, true, NEWEST).statusCode()).isEqualTo(201);
    assertThat(rows("/datasets/not-yet")).isEqualTo(6L);
  }

  private void deleteBlob(String key) {
    try {
      blobs.delete(key);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void firstRequestFixesParametersAndConditions() throws Exception {
    byte[] csv = "a;b\n1;2\n3;4\n".getBytes(StandardCharsets.UTF_8);
    HttpResponse<byte[]> created =
        create(
            "PUT",
            "/datasets/fixed?csv.delimiter=%3B",
            NEWEST,
            "Content-Type",
            "text/csv",
            "If-None-Match",
            "*");
    assertThat(created.statusCode()).as(text(created)).isEqualTo(201);
    String upload = header(created, "Location");
    HttpResponse<byte[]> last = patch(upload, csv, 0, true, NEWEST);
    assertThat(last.statusCode()).as(text(last)).isEqualTo(201);
    assertThat(text(get("/datasets/fixed.csv"))).isEqualToNormalizingNewlines("a,b\n1,2\n3,4\n");
  }

  @Test
  void conditionsAreCheckedAgainAtTheEnd() throws Exception {
    byte[] whole = Streams.numbers(0, 5);
    String path = "/datasets/changed";
    String upload = header(create("PUT", path, NEWEST, "If-None-Match", "*"), "Location");
    assertThat(put(path, Streams.numbers(0, 9)).statusCode()).isEqualTo(201);
    HttpResponse<byte[]> last = patch(upload, whole, 0, true, NEWEST);
    assertThat(last.statusCode()).isEqualTo(412);
    assertThat(rows(path)).isEqualTo(9L);
    // A client that asks must not believe that it was stored.
    assertThat(head(upload).statusCode()).isEqualTo(404);
    assertThat(create("PUT", path, NEWEST, "If-None-Match", "*").statusCode()).isEqualTo(412);
  }

  @Test
  void checksTheHeadOfTheFirstRequest() throws Exception {
    assertThat(create("PUT", "/datasets/early?batches=x", NEWEST).statusCode()).isEqualTo(400);
    assertThat(create("PUT", "/datasets/early?unknown=1", NEWEST).statusCode()).isEqualTo(400);
    assertThat(create("PUT", "/datasets/early", NEWEST, "Content-Type", "image/png").statusCode())
        .isEqualTo(415);
    assertThat(create("PUT", "/datasets/early", NEWEST, "Content-Encoding", "unknown").statusCode())
        .isEqualTo(415);
    assertThat(create("PUT", "/datasets/early", "4").statusCode()).isEqualTo(400);
    assertThat(create("PUT", "/datasets/early", NEWEST, "Upload-Length", "-1").statusCode())
        .isEqualTo(400);
    assertThat(
            request("PUT", "/datasets/early", new byte[0], NEWEST, "Upload-Complete", "1")
                .statusCode())
        .isEqualTo(400);
  }

  @Test
  void wrongOffsetReturnsTheRightOne() throws Exception {
    String upload = header(create("PUT", "/datasets/offset", NEWEST), "Location");
    patch(upload, new byte[10], 0, false, NEWEST);
    HttpResponse<byte[]> wrong = patch(upload, new byte[5], 9, false, NEWEST);
    assertThat(wrong.statusCode()).isEqualTo(409);
    assertThat(header(wrong, "Upload-Offset")).isEqualTo("10");
    assertThat(json(wrong).get("type").asString()).isEqualTo(TYPES + "mismatching-upload-offset");
    assertThat(json(wrong).get("expected-offset").asLong()).isEqualTo(10);
    assertThat(json(wrong).get("provided-offset").asLong()).isEqualTo(9);
    assertThat(offset(upload)).isEqualTo(10);
  }

  @Test
  void aLengthHolds() throws Exception {
    String upload =
        header(create("PUT", "/datasets/length", NEWEST, "Upload-Length", "10"), "Location");
    HttpResponse<byte[]> less = patch(upload, new byte[9], 0, true, NEWEST);
    assertThat(less.statusCode()).isEqualTo(400);
    assertThat(json(less).get("type").asString()).isEqualTo(TYPES + "inconsistent-upload-length");
    HttpResponse<byte[]> more = patch(upload, new byte[11], 0, false, NEWEST);
    assertThat(json(more).get("type").asString()).isEqualTo(TYPES + "inconsistent-upload-length");
  }

  @Test
  void aLengthThatIsReachedEndsAnUpload() throws Exception {
    byte[] whole = Streams.numbers(0, 8);
    String length = Integer.toString(whole.length);
    String path = "/datasets/reached";
    String upload = header(create("PUT", path, "6", "Upload-Length", length), "Location");
    HttpResponse<byte[]> last = patch(upload, whole, 0, false, "6");
    assertThat(last.statusCode()).isEqualTo(201);
    assertThat(header(last, "Upload-Complete")).isEqualTo("?1");
    assertThat(patch(upload, new byte[0], whole.length, true, "6").statusCode()).isEqualTo(201);
    assertThat(versions(path)).isOne();
  }

  @Test
  void onlyNewVersionsNeedAMediaType() throws Exception {
    String upload = header(create("PUT", "/datasets/type", NEWEST), "Location");
    String[] headers = {"Upload-Offset", "0", "Upload-Complete", "?0"};
    assertThat(request("PATCH", upload, new byte[1], "6", headers).statusCode()).isEqualTo(415);
    assertThat(request("PATCH", upload, new byte[1], NEWEST, headers).statusCode()).isEqualTo(415);
    assertThat(request("PATCH", upload, new byte[1], "5", headers).statusCode()).isEqualTo(204);
  }

  @Test
  void bytesBeforeACutAreKept() throws Exception {
    byte[] whole = Streams.numbers(0, 4_000, 4_000);
    String path = "/datasets/cut";
    String upload =
        header(
            create("PUT", path, NEWEST, "Upload-Length", Integer.toString(whole.length)),
            "Location");
    long position = 0;
    for (int cut = 1; cut <= 10; cut++) {
      int end = whole.length * cut / 12;
      try (RawHttp connection = new RawHttp(port)) {
        connection.send(
            """
            PATCH %s HTTP/1.1
            Host: localhost
            Content-Type: application/partial-upload
            Upload-Offset: %d
            Upload-Complete: ?1
            Content-Length: %d

            """
                .formatted(upload, position, whole.length - position));
        connection.sendExactly(
            new String(part(whole, (int) position, end), StandardCharsets.ISO_8859_1));
        connection.finishSending();
        connection.readToEnd();
      }
      assertThat(offset(upload)).isEqualTo(end);
      position = end;
    }
    byte[] rest = part(whole, (int) position, whole.length);
    assertThat(patch(upload, rest, position, true, NEWEST).statusCode()).isEqualTo(201);
    assertThat(rows(path)).isEqualTo(8000L);
    assertThat(versions(path)).isOne();
    put("/datasets/uncut", whole);
    assertThat(get(path + ".arrows").body()).isEqualTo(get("/datasets/uncut.arrows").body());
  }

  @Test
  void aLaterRequestOvertakesASilentOne() throws Exception {
    byte[] whole = Streams.numbers(0, 10);
    String upload = header(create("PUT", "/datasets/silent", NEWEST), "Location");
    try (RawHttp silent = new RawHttp(port)) {
      silent.send(
          """
          PATCH %s HTTP/1.1
          Host: localhost
          Content-Type: application/partial-upload
          Upload-Offset: 0
          Upload-Complete: ?0
          Expect: 100-continue
          Content-Length: 10

          """
              .formatted(upload));
      // The service reads the body.
      assertThat(silent.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100");
      silent.sendExactly(new String(part(whole, 0, 5), StandardCharsets.ISO_8859_1));
      // Bytes that came before the first request was overtaken may count.
      long offset = offset(upload);
      assertThat(offset).isIn(0L, 5L);
      byte[] rest = part(whole, (int) offset, whole.length);
      assertThat(patch(upload, rest, offset, true, NEWEST).statusCode()).isEqualTo(201);
      silent.sendExactly("67890");
      assertThat(silent.readUntil("\r\n")).startsWith("HTTP/1.1 4");
    }
    assertThat(rows("/datasets/silent")).isEqualTo(10L);
  }

  @Test
  void digestsOfPartsAndOfTheWholeAreChecked() throws Exception {
    byte[] whole = Streams.numbers(0, 10);
    String right = digest(whole);
    String upload =
        header(create("PUT", "/datasets/digest", NEWEST, "Repr-Digest", right), "Location");
    HttpResponse<byte[]> wrong =
        request(
            "PATCH",
            upload,
            part(whole, 0, 50),
            "5",
            "Upload-Offset",
            "0",
            "Upload-Complete",
            "?0",
            "Content-Digest",
            right);
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(offset(upload)).isZero();
    byte[] changed = whole.clone();
    changed[whole.length - 30] ^= 1;
    assertThat(patch(upload, changed, 0, true, NEWEST).statusCode()).isEqualTo(400);
    assertThat(get("/datasets/digest").statusCode()).isEqualTo(404);
  }

  private static String digest(byte[] bytes) throws Exception {
    byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(bytes);
    return "sha-256=:" + Base64.getEncoder().encodeToString(sha256) + ":";
  }

  @Test
  void anAppendHappensOnce() throws Exception {
    String path = "/datasets/appended";
    put(path, Streams.numbers(0, 3));
    byte[] more = Streams.numbers(3, 4);
    String upload = header(create("POST", path, NEWEST), "Location");
    assertThat(patch(upload, more, 0, true, NEWEST).statusCode()).isEqualTo(200);
    assertThat(patch(upload, new byte[0], more.length, true, NEWEST).statusCode()).isEqualTo(200);
    assertThat(rows(path)).isEqualTo(7L);
  }

  @Test
  void aServiceThatWasKilledBeforeItsResponseHasStoredOnce() throws Exception {
    byte[] whole = Streams.numbers(0, 6);
    String path = "/datasets/killed";
    String upload = header(create("PUT", path, NEWEST), "Location");
    String id = upload.substring(upload.lastIndexOf('/') + 1);
    patch(upload, whole, 0, false, NEWEST);
    UploadStore.Stored stored = Objects.requireNonNull(uploads.find(id));
    UploadStore.Stored complete =
        uploads.put(stored.upload().completed(Instant.now()), stored.revision());
    // The service is killed before the commit: the next request stores it.
    assertThat(offset(upload)).isEqualTo(whole.length);
    assertThat(rows(path)).isEqualTo(6L);
    assertThat(versions(path)).isOne();
    assertThat(complete).isNotNull();
  }

  @Test
  void anUnknownUploadIsNotFound() throws Exception {
    for (String id : List.of("0".repeat(48), "x")) {
      assertThat(head("/uploads/" + id).statusCode()).isEqualTo(404);
      assertThat(patch("/uploads/" + id, new byte[1], 0, true, NEWEST).statusCode()).isEqualTo(404);
      assertThat(delete("/uploads/" + id).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void uploadsAreLimited() throws Exception {
    deleteUploads();
    byte[] whole = Streams.numbers(0, 6);
    List<String> open = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String upload = header(create("PUT", "/datasets/many", NEWEST), "Location");
      assertThat(patch(upload, part(whole, 0, 100), 0, false, NEWEST).statusCode()).isEqualTo(204);
      open.add(upload);
    }
    HttpResponse<byte[]> response = create("PUT", "/datasets/many", NEWEST);
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(text(response)).contains("quiver.uploads.open");
    assertThat(blobs.list("uploads/", null, 100)).hasSize(20);
    // A whole body needs no place.
    assertThat(
            request("PUT", "/datasets/many", whole, NEWEST, "Upload-Complete", "?1").statusCode())
        .isEqualTo(201);
    assertThat(blobs.list("uploads/", null, 100)).hasSize(20);
    for (String upload : open) {
      assertThat(delete(upload).statusCode()).isEqualTo(204);
    }
    response = create("PUT", "/datasets/many", NEWEST);
    assertThat(response.statusCode()).isEqualTo(201);
    delete(header(response, "Location"));
  }

  /// Deletes all uploads, also those of other tests.
  private void deleteUploads() throws Exception {
    for (String key : blobs.list("uploads/", null, 100)) {
      delete("/uploads/" + key.substring("uploads/".length(), "uploads/".length() + 48));
    }
    assertThat(blobs.list("uploads/", null, 100)).isEmpty();
  }

  @Test
  void damagedPartsAreFoundAndTheUploadEnds() throws Exception {
    byte[] whole = Streams.numbers(0, 6);
    String upload = header(create("PUT", "/datasets/rotten", NEWEST), "Location");
    patch(upload, part(whole, 0, 100), 0, false, NEWEST);
    String id = upload.substring(upload.lastIndexOf('/') + 1);
    String key = blobs.list("upload-parts/" + id + "/", null, 9).getFirst();
    byte[] damaged = part(whole, 0, 100);
    damaged[70] ^= 4;
    blobs.delete(key);
    assertThat(blobs.putIfAbsent(key, MemorySegment.ofArray(damaged))).isTrue();
    byte[] rest = part(whole, 100, whole.length);
    HttpResponse<byte[]> last = patch(upload, rest, 100, true, NEWEST);
    assertThat(last.statusCode()).isEqualTo(503);
    assertThat(json(last).get("type").asString()).isEqualTo("urn:quiver:problem:damaged");
    assertThat(json(last).get("blob").asString()).isEqualTo(key);
    assertThat(get("/datasets/rotten").statusCode()).isEqualTo(404);
    assertThat(head(upload).statusCode()).isEqualTo(404);
  }

  @Test
  void aFormMayArriveInParts() throws Exception {
    byte[] form =
        """
        --b\r
        Content-Disposition: form-data; name="data"; filename="numbers.csv"\r
        Content-Type: text/csv\r
        \r
        a
        1
        2
        \r
        --b--\r
        """
            .getBytes(StandardCharsets.UTF_8);
    HttpResponse<byte[]> created =
        create("POST", "/datasets", NEWEST, "Content-Type", "multipart/form-data; boundary=b");
    String upload = header(created, "Location");
    patch(upload, part(form, 0, 33), 0, false, NEWEST);
    HttpResponse<byte[]> last = patch(upload, part(form, 33, form.length), 33, true, NEWEST);
    assertThat(last.statusCode()).as(text(last)).isEqualTo(201);
    assertThat(text(get(header(last, "Location") + ".csv")))
        .isEqualToNormalizingNewlines("a\n1\n2\n");
  }

  @Test
  void codedContentMayArriveInParts() throws Exception {
    byte[] whole = gzipped(Streams.numbers(0, 300));
    String upload =
        header(create("PUT", "/datasets/coded", NEWEST, "Content-Encoding", "gzip"), "Location");
    patch(upload, part(whole, 0, 7), 0, false, NEWEST);
    HttpResponse<byte[]> last = patch(upload, part(whole, 7, whole.length), 7, true, NEWEST);
    assertThat(last.statusCode()).as(text(last)).isEqualTo(201);
    assertThat(rows("/datasets/coded")).isEqualTo(300L);
  }

  @Test
  void aJobMayStoreTheUpload() throws Exception {
    byte[] whole = Streams.numbers(0, 11);
    String path = "/datasets/queued";
    String upload = header(create("PUT", path, NEWEST, "Prefer", "respond-async"), "Location");
    HttpResponse<byte[]> last = patch(upload, whole, 0, true, NEWEST);
    assertThat(last.statusCode()).isEqualTo(202);
    assertThat(header(last, "Upload-Complete")).isEqualTo("?1");
    String job = header(last, "Location");
    eventually(() -> assertThat(json(job).get("state").asString()).isEqualTo("done"));
    assertThat(rows(path)).isEqualTo(11L);
    HttpResponse<byte[]> repeated = patch(upload, new byte[0], whole.length, true, NEWEST);
    assertThat(repeated.statusCode()).isEqualTo(202);
    assertThat(header(repeated, "Location")).isEqualTo(job);
    assertThat(versions(path)).isOne();
  }

  @Test
  void optionsTellTheLimit() throws Exception {
    String upload = header(create("PUT", "/datasets/options", NEWEST), "Location");
    String limit = "max-size=68719476736";
    for (String path : List.of("/datasets", "/datasets/options", upload)) {
      HttpResponse<byte[]> response = request("OPTIONS", path, new byte[0], NEWEST);
      assertThat(header(response, "Upload-Limit")).as(path).isEqualTo(limit);
      assertThat(header(response, "Accept-Patch"))
          .isEqualTo(path.equals(upload) ? "application/partial-upload" : "");
    }
    assertThat(header(request("OPTIONS", "/jobs", new byte[0], NEWEST), "Upload-Limit")).isEmpty();
    delete(upload);
  }

  @Test
  void browsersOfOtherOriginsMayUpload() throws Exception {
    HttpResponse<byte[]> preflight =
        request(
            "OPTIONS",
            "/uploads/" + "0".repeat(48),
            new byte[0],
            NEWEST,
            "Origin",
            "https://app.test",
            "Access-Control-Request-Method",
            "PATCH");
    assertThat(header(preflight, "Access-Control-Allow-Methods")).contains("PATCH");
    assertThat(header(preflight, "Access-Control-Allow-Headers"))
        .contains("Upload-Complete", "Upload-Draft-Interop-Version", "Upload-Offset");
    HttpResponse<byte[]> created =
        create("PUT", "/datasets/origin", NEWEST, "Origin", "https://app.test");
    assertThat(header(created, "Access-Control-Expose-Headers"))
        .contains("Location", "Upload-Complete", "Upload-Limit", "Upload-Offset");
    delete(header(created, "Location"));
  }

  @Test
  void uploadsAreCounted() throws Exception {
    double begun = metric("quiver_uploads_resumable_begun_total");
    double stored = metric("quiver_uploads_resumable_total{end=\"stored\"}");
    double rejected = metric("quiver_uploads_resumable_total{end=\"rejected\"}");
    double canceled = metric("quiver_uploads_resumable_total{end=\"canceled\"}");
    byte[] whole = Streams.numbers(0, 3);
    for (byte[] body : List.of(whole, "no Arrow data".getBytes(StandardCharsets.UTF_8))) {
      String upload = header(create("PUT", "/datasets/counted", NEWEST), "Location");
      patch(upload, body, 0, true, NEWEST);
    }
    delete(header(create("PUT", "/datasets/counted", NEWEST), "Location"));
    assertThat(metric("quiver_uploads_resumable_begun_total")).isEqualTo(begun + 3);
    assertThat(metric("quiver_uploads_resumable_total{end=\"stored\"}")).isEqualTo(stored + 1);
    assertThat(metric("quiver_uploads_resumable_total{end=\"rejected\"}")).isEqualTo(rejected + 1);
    assertThat(metric("quiver_uploads_resumable_total{end=\"canceled\"}")).isEqualTo(canceled + 1);
  }

  @Test
  void openUploadsAreCounted() throws Exception {
    assertThat(metric("quiver_uploads_resumable_open")).isNotNegative();
    assertThat(metric("quiver_uploads_resumable_parts_bytes")).isNotNegative();
  }

  private double metric(String line) throws Exception {
    return text(get("/metrics"))
        .lines()
        .filter(text -> text.startsWith(line + " "))
        .mapToDouble(text -> Double.parseDouble(text.substring(line.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static byte[] gzipped(byte[] bytes) throws IOException {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(coded)) {
      gzip.write(bytes);
    }
    return coded.toByteArray();
  }

  /// The readers of the body: the ingest, a decoder, the spool of files or of jobs.
  @ParameterizedTest
  @CsvSource({
    "stream, Accept, */*",
    "coded, Content-Encoding, gzip",
    "csv, Content-Type, text/csv",
    "job, Prefer, 'respond-async, wait=30'"
  })
  void unreadablePartsAreServerErrors(String kind, String header, String value) throws Exception {
    byte[] stream = Streams.numbers(0, 6);
    byte[] whole =
        switch (kind) {
          case "coded" -> gzipped(stream);
          case "csv" -> ("n\n" + "1\n".repeat(99) + "2\n").getBytes(StandardCharsets.UTF_8);
          default -> stream;
        };
    String path = "/datasets/unread-" + kind;
    String upload = header(create("PUT", path, NEWEST, header, value), "Location");
    patch(upload, part(whole, 0, 40), 0, false, NEWEST);
    String id = upload.substring(upload.lastIndexOf('/') + 1);
    String key = blobs.list("upload-parts/" + id + "/", null, 9).getFirst();
    blobs.delete(key);
    byte[] rest = part(whole, 40, whole.length);
    HttpResponse<byte[]> last = patch(upload, rest, 40, true, NEWEST);
    assertThat(last.statusCode()).as(text(last)).isEqualTo(503);
    assertThat(text(last)).contains("store-unavailable");
    // A client that gets another failure than this begins anew.
    HttpResponse<byte[]> asked = head(upload);
    assertThat(asked.statusCode()).isEqualTo(423);
    assertThat(header(asked, "Retry-After")).isNotEmpty();
    blobs.putIfAbsent(key, MemorySegment.ofArray(part(whole, 0, 40)));
    HttpResponse<byte[]> stored = head(upload);
    assertThat(stored.statusCode()).isEqualTo(204);
    assertThat(header(stored, "Upload-Complete")).isEqualTo("?1");
    assertThat(header(stored, "Location")).isEmpty();
    assertThat(header(stored, "Quiver-Version")).isEmpty();
    assertThat(rows(path)).isEqualTo(kind.equals("csv") ? 100L : 6L);
  }

  @Test
  void anUploadIsNotStoredOnceItsKeyMayBeForgotten() throws Exception {
    byte[] whole = Streams.numbers(0, 6);
    String upload = header(create("PUT", "/datasets/late", NEWEST), "Location");
    patch(upload, whole, 0, false, NEWEST);
    UploadStore.Stored stored =
        Objects.requireNonNull(uploads.find(upload.substring(upload.lastIndexOf('/') + 1)));
    Instant yesterday = Instant.now().minus(Duration.ofHours(24));
    uploads.put(stored.upload().completed(yesterday), stored.revision());
    assertThat(patch(upload, new byte[0], whole.length, true, NEWEST).statusCode()).isEqualTo(404);
    assertThat(head(upload).statusCode()).isEqualTo(404);
    assertThat(get("/datasets/late").statusCode()).isEqualTo(404);
  }

  /// The service was killed after the commit, and its outcome is not kept.
  @Test
  void uploadOfADeletedDatasetIsNotStoredTwice() throws Exception {
    byte[] whole = Streams.numbers(0, 6);
    for (boolean deleted : new boolean[] {true, false}) {
      String path = "/datasets/forgotten-" + deleted;
      String upload = header(create("PUT", path, NEWEST), "Location");
      patch(upload, whole, 0, false, NEWEST);
      put(path, whole);
      UploadStore.Stored stored =
          Objects.requireNonNull(uploads.find(upload.substring(upload.lastIndexOf('/') + 1)));
      Instant now = Instant.now();
      uploads.put(stored.upload().completed(now).tried(now), stored.revision());
      if (deleted) {
        assertThat(delete(path).statusCode()).isEqualTo(204);
      }
      HttpResponse<byte[]> last = patch(upload, new byte[0], whole.length, true, NEWEST);
      assertThat(last.statusCode()).as(text(last)).isEqualTo(deleted ? 409 : 200);
      assertThat(head(upload).statusCode()).isEqualTo(deleted ? 404 : 204);
      assertThat(get(path).statusCode()).isEqualTo(deleted ? 410 : 200);
    }
  }

  @Test
  void questionsKeepNoUploadFromItsEnd() throws Exception {
    String upload = header(create("PUT", "/datasets/asked", NEWEST), "Location");
    String id = upload.substring(upload.lastIndexOf('/') + 1);
    Instant before = Objects.requireNonNull(uploads.find(id)).upload().changedAt();
    assertThat(offset(upload)).isZero();
    assertThat(Objects.requireNonNull(uploads.find(id)).upload().changedAt()).isEqualTo(before);
    patch(upload, new byte[10], 0, false, NEWEST);
    String[] short5 = {
      "Upload-Offset", "10",
      "Upload-Complete", "?0",
      "Upload-Length", "5",
      "Content-Type", "application/partial-upload"
    };
    assertThat(request("PATCH", upload, new byte[0], NEWEST, short5).statusCode()).isEqualTo(400);
    assertThat(patch(upload, new byte[1], 10, false, NEWEST).statusCode()).isEqualTo(204);
  }

  /// A part ends after 32 MiB, so that one is kept before the digest is known.
  @Test
  void partsOfAWrongDigestAreDeleted() throws Exception {
    String upload = header(create("PUT", "/datasets/digests", NEWEST), "Location");
    String[] headers = {
      "Upload-Offset", "0",
      "Upload-Complete", "?0",
      "Content-Type", "application/partial-upload",
      "Content-Digest", digest(new byte[1])
    };
    byte[] content = new byte[33 << 20];
    assertThat(request("PATCH", upload, content, NEWEST, headers).statusCode()).isEqualTo(400);
    assertThat(offset(upload)).isZero();
    String id = upload.substring(upload.lastIndexOf('/') + 1);
    assertThat(blobs.list("upload-parts/" + id + "/", null, 9)).isEmpty();
    delete(upload);
  }

  @Test
  void theResponseOfAServiceThatStoredItMeanwhileIsRepeated() throws Exception {
    byte[] whole = Streams.numbers(0, 6);
    String upload = header(create("PUT", "/datasets/meanwhile", NEWEST), "Location");
    String id = upload.substring(upload.lastIndexOf('/') + 1);
    patch(upload, part(whole, 0, 100), 0, false, NEWEST);
    ResumableUpload.Outcome outcome =
        new ResumableUpload.Outcome(
            201, List.of(new ResumableUpload.Header("Location", "/datasets/meanwhile@7")), "{}");
    AtomicBoolean stored = new AtomicBoolean();
    WatchedStore.listen(key -> {
      // The parts are opened once this service stores the upload, too.
      if (key.startsWith("upload-parts/" + id)
          && isWhole(id)
          && stored.compareAndSet(false, true)) {
        end(id, outcome);
      }
    });
    try {
      byte[] rest = part(whole, 100, whole.length);
      HttpResponse<byte[]> last = patch(upload, rest, 100, true, NEWEST);
      assertThat(stored).isTrue();
      assertThat(last.statusCode()).as(text(last)).isEqualTo(201);
      assertThat(header(last, "Location")).isEqualTo("/datasets/meanwhile@7");
      assertThat(header(last, "Content-Type")).isEmpty();
      assertThat(header(last, "Retry-After")).isEmpty();
      assertThat(text(last)).isEqualTo("{}");
    } finally {
      WatchedStore.listen(_ -> {});
    }
    assertThat(offset(upload)).isEqualTo(whole.length);
  }

  private boolean isWhole(String id) {
    try {
      UploadStore.Stored found = uploads.find(id);
      return found != null && found.upload().complete();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void end(String id, ResumableUpload.Outcome outcome) {
    try {
      ResumableUpload whole = Objects.requireNonNull(uploads.find(id)).upload();
      uploads.end(whole.ended(outcome, Instant.now()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

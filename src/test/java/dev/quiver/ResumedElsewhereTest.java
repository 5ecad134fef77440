package dev.quiver;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.server.RawHttp;
import dev.quiver.server.Streams;
import dev.quiver.server.WatchedStore;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.S3ProxyServer;
import dev.quiver.store.log.ResumableUpload;
import dev.quiver.store.log.UploadStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/// Uploads that services on one bucket continue for each other, and for one that was started again.
@Tag("long")
class ResumedElsewhereTest {

  private static final String OWNER = "o".repeat(32);
  private static final String OTHER = "p".repeat(32);

  @TempDir private static Path folder;
  private static final String BUCKET = S3ProxyServer.newBucket();

  /// The services of all tests, the first of which can be held.
  private static ConfigurableApplicationContext one;

  private static ConfigurableApplicationContext two;

  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void start() {
    one = start("one", WatchedStore.class);
    two = start("two");
  }

  @AfterAll
  static void end() {
    one.close();
    two.close();
  }

  private static ConfigurableApplicationContext start(String name, Class<?>... more) {
    SpringApplication application = Quiver.application();
    application.addPrimarySources(List.of(more));
    return application.run(
        "--server.port=0",
        "--quiver.sample=false",
        "--quiver.jobs.lost-after=4s",
        "--quiver.storage.path=" + folder.resolve("unused"),
        "--quiver.storage.s3.bucket=" + BUCKET,
        "--quiver.storage.s3.endpoint=" + S3ProxyServer.endpoint(),
        "--quiver.storage.s3.path-style=true",
        "--quiver.storage.cache-path=" + folder.resolve(name),
        "--quiver.auth.tokens[0].name=owner",
        "--quiver.auth.tokens[0].sha256=" + Sha256.hex(OWNER),
        "--quiver.auth.tokens[0].permissions=write:*",
        "--quiver.auth.tokens[1].name=other",
        "--quiver.auth.tokens[1].sha256=" + Sha256.hex(OTHER),
        "--quiver.auth.tokens[1].permissions=write:*");
  }

  private HttpResponse<String> send(
      ConfigurableApplicationContext service,
      String token,
      String method,
      String path,
      byte[] body,
      String... headers)
      throws Exception {
    String port = service.getEnvironment().getRequiredProperty("local.server.port");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, BodyPublishers.ofByteArray(body))
            .header("Authorization", "Bearer " + token);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> patch(
      ConfigurableApplicationContext service,
      String token,
      String upload,
      byte[] part,
      long offset,
      boolean complete)
      throws Exception {
    return send(
        service,
        token,
        "PATCH",
        upload,
        part,
        "Content-Type",
        "application/partial-upload",
        "Upload-Offset",
        Long.toString(offset),
        "Upload-Complete",
        complete ? "?1" : "?0");
  }

  @Test
  void anotherServiceContinues() throws Exception {
    byte[] whole = Streams.numbers(0, 1_000);
    byte[] nothing = new byte[0];
    String upload;
    try (ConfigurableApplicationContext restarted = start("restarted")) {
      HttpResponse<String> created =
          send(restarted, OWNER, "PUT", "/datasets/moved", nothing, "Upload-Complete", "?0");
      assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
      upload = created.headers().firstValue("Location").orElseThrow();
      assertThat(patch(restarted, OWNER, upload, Arrays.copyOf(whole, 700), 0, false).statusCode())
          .isEqualTo(204);
    }
    try (ConfigurableApplicationContext three = start("restarted")) {
      HttpResponse<String> head = send(three, OWNER, "HEAD", upload, nothing);
      assertThat(head.headers().firstValue("Upload-Offset")).hasValue("700");
      byte[] rest = Arrays.copyOfRange(whole, 700, whole.length);

      // To another principal the upload is as one that never existed.
      String unknown = "/uploads/" + "0".repeat(48);
      assertThat(send(two, OTHER, "HEAD", upload, nothing).statusCode()).isEqualTo(404);
      HttpResponse<String> foreign = patch(two, OTHER, upload, rest, 700, true);
      HttpResponse<String> absent = patch(two, OTHER, unknown, rest, 700, true);
      assertThat(foreign.statusCode()).isEqualTo(404);
      assertThat(withoutId(foreign.body()).replace(upload, unknown))
          .isEqualTo(withoutId(absent.body()));
      assertThat(send(two, OTHER, "DELETE", upload, nothing).statusCode()).isEqualTo(404);

      // One service is killed after it has committed, before it tells.
      assertThat(patch(two, OWNER, upload, rest, 700, false).statusCode()).isEqualTo(204);
      UploadStore store = two.getBean(UploadStore.class);
      String id = upload.substring("/uploads/".length());
      UploadStore.Stored stored = Objects.requireNonNull(store.find(id));
      store.put(stored.upload().completed(Instant.now()), stored.revision());
      BlobStore blobs = two.getBean(BlobStore.class);
      Map<String, MemorySegment> before = contents(blobs);
      HttpResponse<String> last = patch(two, OWNER, upload, nothing, whole.length, true);
      assertThat(last.statusCode()).as(last.body()).isEqualTo(201);
      assertThat(uploadBlobs(blobs, upload)).containsExactly("upload-outcomes/" + id);
      // The third one finds the state from before the commit, whose outcome was never written.
      blobs.delete("upload-outcomes/" + id);
      for (Map.Entry<String, MemorySegment> blob : before.entrySet()) {
        blobs.putIfAbsent(blob.getKey(), blob.getValue());
      }
      HttpResponse<String> repeated = patch(three, OWNER, upload, nothing, whole.length, true);
      assertThat(repeated.statusCode()).as(repeated.body()).isEqualTo(201);
      assertThat(repeated.headers().firstValue("ETag"))
          .isEqualTo(last.headers().firstValue("ETag"));
      HttpResponse<String> versions = send(two, OWNER, "GET", "/datasets/moved/versions", nothing);
      assertThat(versions.body().split("\"version\":", -1)).hasSize(2);
    }
  }

  /// One service holds its work while it stores the upload, once all but the last bytes are read.
  @Test
  void otherServicesNeitherStoreNorDeleteAClaimedUpload() throws Exception {
    byte[] whole = Streams.numbers(0, 1_000);
    byte[] nothing = new byte[0];
    String upload = created(two, "/datasets/claimed");
    patch(two, OWNER, upload, Arrays.copyOf(whole, 700), 0, false);
    try (HeldStore held = HeldStore.ofParts(upload)) {
      Future<HttpResponse<String>> storing =
          held.submit(() ->
              patch(one, OWNER, upload, Arrays.copyOfRange(whole, 700, whole.length), 700, true));
      held.awaitBegin();
      for (HttpResponse<String> refused :
          List.of(
              send(two, OWNER, "HEAD", upload, nothing),
              patch(two, OWNER, upload, nothing, whole.length, true),
              patch(two, OWNER, upload, nothing, 700, false),
              send(two, OWNER, "DELETE", upload, nothing))) {
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(423);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      }
      held.release();
      HttpResponse<String> stored = storing.get(60, TimeUnit.SECONDS);
      assertThat(stored.statusCode()).as(stored.body()).isEqualTo(201);
      HttpResponse<String> repeated = patch(two, OWNER, upload, nothing, whole.length, true);
      assertThat(repeated.body()).isEqualTo(stored.body());
    }
    HttpResponse<String> versions = send(two, OWNER, "GET", "/datasets/claimed/versions", nothing);
    assertThat(versions.body().split("\"version\":", -1)).hasSize(2);
  }

  /// The service that stores the upload has told nothing for so long that others take it for dead.
  @Test
  void aCanceledUploadIsNotStoredByAServiceThatStalled() throws Exception {
    byte[] whole = Streams.numbers(0, 1_000);
    byte[] nothing = new byte[0];
    String upload = created(two, "/datasets/stalled");
    try (HeldStore held = HeldStore.ofParts(upload)) {
      Future<HttpResponse<String>> storing =
          held.submit(() -> patch(one, OWNER, upload, whole, 0, true));
      held.awaitBegin();
      UploadStore store = two.getBean(UploadStore.class);
      UploadStore.Stored claimed =
          Objects.requireNonNull(store.find(upload.substring("/uploads/".length())));
      store.put(
          claimed.upload().claimed(new ResumableUpload.Claim("stalled", Instant.now())),
          claimed.revision());
      assertThat(send(two, OWNER, "DELETE", upload, nothing).statusCode()).isEqualTo(204);
      held.release();
      assertThat(storing.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(503);
    }
    assertThat(send(two, OWNER, "GET", "/datasets/stalled", nothing).statusCode()).isEqualTo(404);
    assertThat(uploadBlobs(two.getBean(BlobStore.class), upload)).isEmpty();
  }

  /// One service hangs after its response, before the job has stored anything.
  @Test
  void partsOutliveAJobThatIsLost() throws Exception {
    byte[] whole = Streams.numbers(0, 1_000);
    byte[] nothing = new byte[0];
    String upload = created(two, "/datasets/lost", "Prefer", "respond-async");
    try (HeldStore held = new HeldStore("begin", "data/")) {
      HttpResponse<String> last = patch(one, OWNER, upload, whole, 0, true);
      assertThat(last.statusCode()).as(last.body()).isEqualTo(202);
      String job = last.headers().firstValue("Location").orElseThrow();
      held.awaitBegin();
      HttpResponse<String> repeated = patch(two, OWNER, upload, nothing, whole.length, true);
      assertThat(repeated.body()).isEqualTo(last.body());
      eventually(() ->
          assertThat(send(two, OWNER, "GET", job, nothing).body()).contains("\"state\":\"lost\""));

      HttpResponse<String> again = patch(two, OWNER, upload, nothing, whole.length, true);
      assertThat(again.statusCode()).as(again.body()).isEqualTo(202);
      assertThat(again.headers().firstValue("Location")).hasValue(job);
      BlobStore blobs = two.getBean(BlobStore.class);
      eventually(() ->
          assertThat(uploadBlobs(blobs, upload))
              .containsExactly("upload-outcomes/" + upload.substring("/uploads/".length())));
      assertThat(send(two, OWNER, "GET", job, nothing).statusCode()).isEqualTo(303);
    }
    HttpResponse<String> versions = send(two, OWNER, "GET", "/datasets/lost/versions", nothing);
    assertThat(versions.body().split("\"version\":", -1)).hasSize(2);
  }

  @Test
  void aNewerRequestOvertakesOneOfAnotherService() throws Exception {
    byte[] whole = Streams.numbers(0, 1_000);
    String upload = created(two, "/datasets/overtaken");
    String port = one.getEnvironment().getRequiredProperty("local.server.port");
    try (RawHttp earlier = new RawHttp(Integer.parseInt(port))) {
      earlier.send(
          """
          PATCH %s HTTP/1.1
          Host: localhost
          Authorization: Bearer %s
          Content-Type: application/partial-upload
          Upload-Offset: 0
          Upload-Complete: ?0
          Expect: 100-continue
          Content-Length: 2

          """
              .formatted(upload, OWNER));
      earlier.readUntil("\r\n\r\n");
      // The later one has begun, and the earlier one ends before it.
      String other = two.getEnvironment().getRequiredProperty("local.server.port");
      try (RawHttp later = new RawHttp(Integer.parseInt(other))) {
        later.send(
            """
            PATCH %s HTTP/1.1
            Host: localhost
            Authorization: Bearer %s
            Content-Type: application/partial-upload
            Upload-Offset: 0
            Upload-Complete: ?0
            Expect: 100-continue
            Content-Length: 4

            """
                .formatted(upload, OWNER));
        later.readUntil("\r\n\r\n");
        earlier.sendExactly("xy");
        assertThat(earlier.readUntil("\r\n\r\n")).contains("HTTP/1.1 409");
        later.sendExactly(new String(whole, 0, 4, StandardCharsets.ISO_8859_1));
        assertThat(later.readUntil("\r\n\r\n")).contains("HTTP/1.1 204");
      }
    }
    byte[] rest = Arrays.copyOfRange(whole, 4, whole.length);
    assertThat(patch(two, OWNER, upload, rest, 4, true).statusCode()).isEqualTo(201);
  }

  /// Returns the keys of an upload.
  private static List<String> uploadBlobs(BlobStore blobs, String upload) throws IOException {
    String id = upload.substring("/uploads/".length());
    return blobs.list("upload", null, 1_000).stream().filter(key -> key.contains(id)).toList();
  }

  private String created(ConfigurableApplicationContext service, String dataset, String... more)
      throws Exception {
    List<String> headers = new ArrayList<>(List.of("Upload-Complete", "?0"));
    headers.addAll(List.of(more));
    HttpResponse<String> created =
        send(service, OWNER, "PUT", dataset, new byte[0], headers.toArray(String[]::new));
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    return created.headers().firstValue("Location").orElseThrow();
  }

  /// Holds a call of the watched store, such as the first to open the parts of an upload, which
  /// happens once it is stored, and all later ones from [#awaitBegin] on. Until then, other threads
  /// go on, such as the thread of a response.
  private static final class HeldStore implements AutoCloseable {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean holdsAll;
    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    static HeldStore ofParts(String upload) {
      return new HeldStore("open", "upload-parts/" + upload.substring("/uploads/".length()));
    }

    HeldStore(String call, String prefix) {
      WatchedStore.listenToCalls((method, key) -> {
        boolean begins = method.equals(call) && key.startsWith(prefix);
        if (begins) {
          begun.countDown();
        }
        if (begins || holdsAll) {
          await(released);
        }
      });
    }

    private static void await(CountDownLatch latch) {
      try {
        assertThat(latch.await(5, TimeUnit.MINUTES)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    <T> Future<T> submit(Callable<T> task) {
      return executor.submit(task);
    }

    void awaitBegin() {
      await(begun);
      holdsAll = true;
    }

    void release() {
      released.countDown();
    }

    @Override
    public void close() {
      release();
      WatchedStore.listenToCalls((_, _) -> {});
      executor.close();
    }
  }

  private static String withoutId(String body) {
    return body.replaceAll("\"requestId\":\"[^\"]*\"", "");
  }

  /// Returns all that is kept of uploads.
  private static Map<String, MemorySegment> contents(BlobStore blobs) throws IOException {
    Map<String, MemorySegment> contents = new HashMap<>();
    for (String key : blobs.list("upload", null, 100)) {
      try (Blob blob = blobs.open(key)) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(blob.byteSize())]);
        blob.readFully(0, bytes);
        contents.put(key, bytes);
      }
    }
    return contents;
  }
}

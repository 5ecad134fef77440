package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.log.HeldWork;
import dev.quiver.store.log.JobOptions;
import dev.quiver.store.log.JobProgress;
import dev.quiver.store.log.JobState;
import dev.quiver.store.log.Jobs;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Uploads with `Prefer: respond-async`, and their jobs. Jobs of the test play those of another
/// service that shares the store.
class UploadJobsTest extends RunningService {

  private static final String[] ASYNC = {"Prefer", "respond-async"};
  private static final String[] CSV = {"Content-Type", "text/csv"};

  @Autowired private Jobs jobs;
  @Autowired private Spool spool;
  @Autowired private MeterRegistry registry;

  private final List<HeldWork> held = new ArrayList<>();

  /// Files of other tests may be kept.
  private long spooledBefore;

  @BeforeEach
  void begin() {
    spooledBefore = spool.taken();
  }

  @AfterEach
  void finish() {
    held.forEach(HeldWork::finish);
    eventually(() -> assertThat(jobs.runningCount() + jobs.queuedCount()).isZero());
    eventually(() -> assertThat(spool.taken()).isEqualTo(spooledBefore));
  }

  private static String[] async(String... headers) {
    String[] all = Arrays.copyOf(ASYNC, ASYNC.length + headers.length);
    System.arraycopy(headers, 0, all, ASYNC.length, headers.length);
    return all;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Has a service work on something else.
  private String hold(Jobs service) throws Exception {
    HeldWork work = new HeldWork();
    held.add(work);
    String id = service.submit(service.takePlace(), service.newId(), "held", work).id();
    work.awaitBegin();
    return id;
  }

  private void holdAllRunners() throws Exception {
    hold(jobs);
    hold(jobs);
  }

  private static String accepted(HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).as(text(response)).isEqualTo(202);
    assertThat(header(response, "Preference-Applied")).isEqualTo("respond-async");
    String location = header(response, "Location");
    assertThat(location).isEqualTo("/jobs/" + json(response).get("id").asString());
    assertThat(json(response).at("/links/self").asString()).isEqualTo(location);
    return location;
  }

  private JsonNode awaitEnd(String job) throws Exception {
    eventually(() -> assertThat(json(job).get("state").asString()).isNotIn("queued", "running"));
    return json(job);
  }

  @Test
  void aPutContinuesAsAJob() throws Exception {
    holdAllRunners();
    byte[] stream = Streams.numbers(0, 3);
    HttpResponse<byte[]> response =
        put("/datasets/job-put", stream, "Prefer", "handling=lenient, Respond-Async; x=1, wait=0");
    String job = accepted(response);
    assertThat(json(response).get("state").asString()).isEqualTo("queued");
    assertThat(json(response).get("dataset").asString()).isEqualTo("job-put");
    HttpResponse<byte[]> waiting = get(job);
    assertThat(waiting.statusCode()).isEqualTo(200);
    assertThat(json(waiting).propertyNames())
        .containsExactly(
            "id",
            "state",
            "dataset",
            "created",
            "ended",
            "progress",
            "rowsRead",
            "rowsTotal",
            "requestId",
            "problem",
            "result",
            "links");
    assertThat(get("/datasets/job-put").statusCode()).isEqualTo(404);
    held.forEach(HeldWork::finish);
    assertThat(awaitEnd(job).get("state").asString()).isEqualTo("done");
    HttpResponse<byte[]> done = get(job);
    assertThat(done.statusCode()).isEqualTo(303);
    assertThat(header(done, "Location")).isEqualTo("/datasets/job-put@1");
    assertThat(json(done).get("rowsRead").asLong()).isEqualTo(3);
    assertThat(json(done).get("progress").asDouble()).isEqualTo(1.0);
    assertThat(json(done).at("/links/version").asString()).isEqualTo("/datasets/job-put@1");
    assertThat(json(done).at("/result/rows").asLong()).isEqualTo(3);
    assertThat(json("/datasets/job-put.json")).hasSize(3);
  }

  @Test
  void aClientMayWaitForAWhile() throws Exception {
    String[] waiting = {"Prefer", "respond-async, wait=60"};
    byte[] stream = Streams.numbers(0, 3);
    HttpResponse<byte[]> stored = put("/datasets/job-wait", stream, waiting);
    assertThat(stored.statusCode()).as(text(stored)).isEqualTo(201);
    assertThat(header(stored, "Preference-Applied")).isEqualTo("wait=60");
    assertThat(header(stored, "Location")).isEqualTo("/datasets/job-wait");
    assertThat(header(stored, "Quiver-Version")).isEqualTo("1");
    assertThat(json(stored).get("rows").asLong()).isEqualTo(3);
    assertThat(put("/datasets/job-wait", stream, waiting).statusCode()).isEqualTo(200);
    byte[] irregular = utf8("a,b\n1,2\n3\n");
    HttpResponse<byte[]> failed =
        put("/datasets/job-wait", irregular, "Prefer", waiting[1], CSV[0], CSV[1]);
    HttpResponse<byte[]> waited = put("/datasets/job-wait", irregular, CSV);
    assertThat(failed.statusCode()).isEqualTo(waited.statusCode()).isEqualTo(422);
    assertThat(withoutRequestId(json(failed))).isEqualTo(withoutRequestId(json(waited)));
    assertThat(header(failed, "Content-Type")).isEqualTo("application/problem+json");
    // If that is not enough, the job goes on.
    holdAllRunners();
    HttpResponse<byte[]> late =
        put("/datasets/job-wait-2", stream, "Prefer", "wait=1, respond-async");
    String job = accepted(late);
    assertThat(header(late, "Retry-After")).isEqualTo("2");
    held.forEach(HeldWork::finish);
    assertThat(awaitEnd(job).get("state").asString()).isEqualTo("done");
  }

  private double counted(String name, String kind) {
    Counter counter = registry.find(name).tag("kind", kind).counter();
    return counter == null ? 0 : counter.count();
  }

  /// Whether the client waits for the job or not.
  @ParameterizedTest
  @ValueSource(strings = {"handling=lenient", "respond-async", "respond-async, wait=60"})
  void whatAnUploadHasIsCountedOnce(String preference) throws Exception {
    String[] json = {"Content-Type", "application/json", "Prefer", preference};
    double found = counted("quiver.found", "records");
    double refused = counted("quiver.refused", "invalid-file");
    HttpResponse<byte[]> stored =
        put("/datasets/job-counted", utf8("{\"data\":[{\"a\":1}],\"total\":1}"), json);
    HttpResponse<byte[]> failed = put("/datasets/job-counted", utf8("[{]"), json);
    for (HttpResponse<byte[]> response : List.of(stored, failed)) {
      if (response.statusCode() == 202) {
        awaitEnd(header(response, "Location"));
      }
    }
    assertThat(counted("quiver.found", "records")).isEqualTo(found + 1);
    assertThat(counted("quiver.refused", "invalid-file")).isEqualTo(refused + 1);
  }

  @Test
  void aJobThatIsCancelledEndsTheWait() throws Exception {
    holdAllRunners();
    Thread cancelling =
        Thread.ofPlatform()
            .start(() ->
                eventually(() -> {
                  JsonNode last =
                      json("/jobs?limit=1000")
                          .get("jobs")
                          .valueStream()
                          .filter(job -> job.get("dataset").asString("").equals("job-wait-3"))
                          .findFirst()
                          .orElseThrow(AssertionError::new);
                  assertThat(delete(last.at("/links/self").asString()).statusCode()).isEqualTo(200);
                }));
    HttpResponse<byte[]> response =
        put("/datasets/job-wait-3", Streams.numbers(0, 3), "Prefer", "respond-async, wait=60");
    cancelling.join();
    accepted(response);
    assertThat(json(response).get("state").asString()).isEqualTo("cancelled");
  }

  @Test
  void everyUploadMayBeAJob() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    put("/datasets/job-append", stream);
    byte[] rows = get("/datasets/job-append.parquet").body();
    // The service keeps the file that it wrote.
    spooledBefore = spool.taken();
    JsonNode append = awaitEnd(accepted(post("/datasets/job-append", stream, ASYNC)));
    JsonNode unnamed = awaitEnd(accepted(post("/datasets", stream, ASYNC)));
    JsonNode csv =
        awaitEnd(accepted(put("/datasets/job.csv?verbose=true", utf8("a,b\n1,x\n2,y\n"), ASYNC)));
    JsonNode json =
        awaitEnd(
            accepted(
                put(
                    "/datasets/job-json",
                    utf8("\uFEFF{\"a\": 1}\n"),
                    async("Content-Type", "application/x-ndjson"))));
    JsonNode parquet = awaitEnd(accepted(put("/datasets/job.parquet", rows, ASYNC)));
    byte[] file = get("/datasets/job-append.arrow").body();
    JsonNode arrow = awaitEnd(accepted(put("/datasets/job-file?batches=keep", file, ASYNC)));
    assertThat(append.at("/result/version").asLong()).isEqualTo(2);
    assertThat(append.at("/result/rows").asLong()).isEqualTo(6);
    String name = unnamed.get("dataset").asString();
    assertThat(name).startsWith("ds-");
    assertThat(get("/datasets/" + name).statusCode()).isEqualTo(200);
    assertThat(csv.at("/result/columns/1/type").asString()).isEqualTo("utf8");
    assertThat(csv.get("rowsRead").asLong()).isEqualTo(2);
    assertThat(csv.get("rowsTotal").isNull()).isTrue();
    assertThat(parquet.get("rowsRead").asLong()).isEqualTo(3);
    assertThat(parquet.get("rowsTotal").asLong()).isEqualTo(3);
    assertThat(json.at("/result/rows").asLong()).as(json.toString()).isEqualTo(1);
    assertThat(arrow.get("rowsRead").asLong()).isEqualTo(6);
    assertThat(get("/datasets/job-file.arrow").body()).isEqualTo(file);
  }

  @Test
  void fileIsAppendedWithTheTypesOfTheDataset() throws Exception {
    put("/datasets/job-typed.csv", utf8("a\nx\n"));
    JsonNode done = awaitEnd(accepted(post("/datasets/job-typed.csv", utf8("a\n07\n"), ASYNC)));
    assertThat(done.get("state").asString()).as(done.toString()).isEqualTo("done");
    assertThat(new String(get("/datasets/job-typed.csv").body(), StandardCharsets.UTF_8))
        .isEqualTo("a\r\nx\r\n07\r\n");
  }

  @Test
  void aStatementMayBeAJob() throws Exception {
    put("/datasets/job-source", Streams.numbers(0, 3));
    String[] headers = async("Content-Type", "application/sql");
    byte[] sql = utf8("SELECT number FROM \"job-source\" WHERE number > 0");
    JsonNode done = awaitEnd(accepted(put("/datasets/job-result?verbose=true", sql, headers)));
    byte[] wrong = utf8("SELECT nothing FROM \"job-source\"");
    JsonNode failed = awaitEnd(accepted(put("/datasets/job-wrong", wrong, headers)));
    assertThat(done.at("/result/rows").asLong()).as(done.toString()).isEqualTo(2);
    // These are rows of the dataset.
    assertThat(done.get("rowsRead").asLong()).isEqualTo(3);
    assertThat(done.get("rowsTotal").asLong()).isEqualTo(3);
    assertThat(done.at("/result/lineage/reads/0").asString()).isEqualTo("job-source@1");
    assertThat(withoutRequestId(failed.get("problem")))
        .isEqualTo(
            withoutRequestId(
                json(put("/datasets/job-wrong", wrong, "Content-Type", "application/sql"))));
  }

  @Test
  void aStatementIsCheckedBeforeTheResponse() throws Exception {
    String[] sql = {"Content-Type", "application/sql"};
    for (String statement :
        List.of(
            "",
            "SELEC 1",
            "SELECT 1; SELECT 2",
            "COPY (SELECT 1) TO 'x'",
            "SELECT getenv('HOME')",
            "FROM \"job-nowhere\"")) {
      HttpResponse<byte[]> waited = put("/datasets/job-typo", utf8(statement), sql);
      HttpResponse<byte[]> response = put("/datasets/job-typo", utf8(statement), async(sql));
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(withoutRequestId(json(response))).isEqualTo(withoutRequestId(json(waited)));
    }
    byte[] large = utf8("SELECT '" + "x".repeat(1 << 20) + "'");
    HttpResponse<byte[]> tooLarge = put("/datasets/job-typo", large, async(sql));
    assertThat(tooLarge.statusCode()).isEqualTo(413);
    assertThat(json(tooLarge).at("/limit/key").asString()).isEqualTo("quiver.sql.text-bytes");
    byte[] bytes = {'S', (byte) 0xFF};
    assertThat(put("/datasets/job-typo", bytes, async(sql)).statusCode()).isEqualTo(400);
  }

  @Test
  void aNamedFormIsRecognized() throws Exception {
    byte[] metadata = part("metadata", "", utf8("{\"name\": \"job-form-key\"}"));
    byte[] form = form(metadata, part("data", "; filename=\"n.arrow\"", Streams.numbers(0, 3)));
    String[] type = {
      "Content-Type", "multipart/form-data; boundary=b", "Idempotency-Key", "job-form-key"
    };
    holdAllRunners();
    String first = accepted(post("/datasets", form, async(type)));
    String second = accepted(post("/datasets", form, async(type)));
    held.forEach(HeldWork::finish);
    assertThat(awaitEnd(first).get("state").asString()).isEqualTo("done");
    HttpResponse<byte[]> third = post("/datasets", form, async(type));
    HttpResponse<byte[]> waited = post("/datasets", form, type);
    assertThat(second).isEqualTo(first);
    assertThat(third.statusCode()).isEqualTo(waited.statusCode()).isEqualTo(201);
    assertThat(json(third)).isEqualTo(json(waited));
    assertThat(header(third, "Location")).isEqualTo("/datasets/job-form-key");
    assertThat(json("/datasets/job-form-key/versions").get("versions")).hasSize(1);
    // Another form with that name is in conflict.
    type[3] = "job-form-key-2";
    assertThat(post("/datasets", form, async(type)).statusCode()).isEqualTo(409);
  }

  @Test
  void aFormMayBeAJob() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    byte[] metadata = part("metadata", "", utf8("{\"name\": \"job-form\", \"codec\": \"zstd\"}"));
    byte[] data = part("data", "; filename=\"n.arrow\"", stream);
    String[] headers = async("Content-Type", "multipart/form-data; boundary=b");
    JsonNode first =
        awaitEnd(accepted(post("/datasets?verbose=true", form(metadata, data), headers)));
    assertThat(first.at("/result/codec").asString()).as(first.toString()).isEqualTo("zstd");
    assertThat(first.get("dataset").asString()).isEqualTo("job-form");
    // The digest of the form is not that of its data.
    byte[] digested = form(part("metadata", "", utf8("{\"name\": \"job-digest\"}")), data);
    String digest = "sha-256=:" + sha256(digested) + ":";
    String[] withDigest = Arrays.copyOf(headers, headers.length + 2);
    withDigest[headers.length] = "Content-Digest";
    withDigest[headers.length + 1] = digest;
    awaitEnd(accepted(post("/datasets?batches=keep", digested, withDigest)));
    HttpResponse<byte[]> stored =
        get("/datasets/job-digest.arrows", "Want-Repr-Digest", "sha-256=1");
    assertThat(header(stored, "Repr-Digest")).contains("sha-256=:" + sha256(stored.body()) + ":");
    // The condition is checked before the response, whichever part comes first.
    HttpResponse<byte[]> again = post("/datasets", form(data, metadata), headers);
    HttpResponse<byte[]> waited =
        post("/datasets", form(data, metadata), "Content-Type", headers[3]);
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(withoutRequestId(json(again))).isEqualTo(withoutRequestId(json(waited)));
    HttpResponse<byte[]> other = post("/datasets", form(data, part("data", "", stream)), headers);
    assertThat(other.statusCode()).isEqualTo(400);
  }

  private static JsonNode withoutRequestId(JsonNode problem) {
    assertThat(((ObjectNode) problem).remove("requestId")).isNotNull();
    return problem;
  }

  private static String sha256(byte[] bytes) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
    return Base64.getEncoder().encodeToString(digest);
  }

  private static byte[] part(String name, String more, byte[] content) throws IOException {
    ByteArrayOutputStream part = new ByteArrayOutputStream();
    part.write(
        utf8("--b\r\nContent-Disposition: form-data; name=\"%s\"%s\r\n\r\n".formatted(name, more)));
    part.write(content);
    part.write(utf8("\r\n"));
    return part.toByteArray();
  }

  private static byte[] form(byte[]... parts) throws IOException {
    ByteArrayOutputStream form = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      form.write(part);
    }
    form.write(utf8("--b--\r\n"));
    return form.toByteArray();
  }

  @Test
  void checksTheHeadBeforeAccepting() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    put("/datasets/job-check", stream);
    String path = "/datasets/job-check";
    assertThat(put(path, stream, async("If-None-Match", "*")).statusCode()).isEqualTo(412);
    assertThat(put(path, stream, async("If-Match", "\"other.1\"")).statusCode()).isEqualTo(412);
    assertThat(post(path, stream, async("If-Match", "\"other.1\"")).statusCode()).isEqualTo(412);
    assertThat(put(path + "?codec=gz", stream, ASYNC).statusCode()).isEqualTo(400);
    assertThat(put("/datasets/-", stream, ASYNC).statusCode()).isEqualTo(400);
    assertThat(put(path, stream, async("Content-Type", "image/png")).statusCode()).isEqualTo(415);
    String wrong = "sha-256=:" + "A".repeat(43) + "=:";
    assertThat(put(path, stream, async("Content-Digest", wrong)).statusCode()).isEqualTo(400);
    assertThat(json("/datasets/job-check/versions").get("versions")).hasSize(1);
  }

  @Test
  void aConditionHoldsAtTheCommit() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    String etag = json(put("/datasets/job-match", stream)).get("etag").asString();
    holdAllRunners();
    String job = accepted(put("/datasets/job-match", stream, async("If-Match", etag)));
    String dated =
        accepted(
            put(
                "/datasets/job-match",
                stream,
                async("If-Unmodified-Since", "Fri, 01 Jan 2100 00:00:00 GMT")));
    put("/datasets/job-match", stream);
    held.forEach(HeldWork::finish);
    assertThat(awaitEnd(job).at("/problem/type").asString())
        .isEqualTo("urn:quiver:problem:precondition-failed");
    assertThat(awaitEnd(dated).at("/problem/status").asLong()).isEqualTo(412);
  }

  @Test
  void failedJobHasTheProblemOfASynchronousRequest() throws Exception {
    byte[] truncated = Arrays.copyOf(Streams.numbers(0, 3), 100);
    byte[] irregular = utf8("a,b\n1,2\n3\n");
    JsonNode arrow = awaitEnd(accepted(put("/datasets/job-bad", truncated, ASYNC)));
    JsonNode csv = awaitEnd(accepted(put("/datasets/job-bad", irregular, async(CSV))));
    assertThat(arrow.get("state").asString()).isEqualTo("failed");
    assertThat(withoutRequestId(arrow.get("problem")))
        .isEqualTo(withoutRequestId(json(put("/datasets/job-bad", truncated))));
    assertThat(withoutRequestId(csv.get("problem")))
        .isEqualTo(withoutRequestId(json(put("/datasets/job-bad", irregular, CSV))));
    assertThat(csv.at("/problem/line").asLong()).isEqualTo(3);
    assertThat(get("/datasets/job-bad").statusCode()).isEqualTo(404);
  }

  @Test
  void aJobIsCancelledWhileItWaits() throws Exception {
    holdAllRunners();
    String job = accepted(put("/datasets/job-gone", Streams.numbers(0, 3), ASYNC));
    assertThat(spool.taken()).isGreaterThan(spooledBefore);
    HttpResponse<byte[]> cancelled = delete(job);
    assertThat(cancelled.statusCode()).isEqualTo(200);
    assertThat(json(cancelled).get("state").asString()).isEqualTo("cancelled");
    // While the others are still held.
    eventually(() -> assertThat(spool.taken()).isEqualTo(spooledBefore));
    assertThat(delete(job).statusCode()).isEqualTo(200);
    assertThat(json(job).get("state").asString()).isEqualTo("cancelled");
    held.forEach(HeldWork::finish);
    assertThat(get("/datasets/job-gone").statusCode()).isEqualTo(404);
  }

  private static JobOptions options(Duration lostAfter) {
    return new JobOptions(
        new Limit("running", 1), new Limit("queued", 1), Duration.ofHours(1), lostAfter);
  }

  @Test
  void jobsOfAnotherServiceAreSeenAndCancelled() throws Exception {
    BlobStore shared = FolderBlobStore.open(FOLDER.resolve("shared"), /* syncs= */ false);
    try (Jobs other = new Jobs(shared, options(Duration.ofSeconds(1)))) {
      String job = "/jobs/" + hold(other);
      held.getFirst().progress(new JobProgress(0.5, 10L, 20L));
      eventually(() -> assertThat(json(job).get("rowsRead").asLong(0)).isEqualTo(10));
      assertThat(json(job).get("rowsTotal").asLong()).isEqualTo(20);
      assertThat(json(job).get("progress").asDouble()).isEqualTo(0.5);
      assertThat(json(delete(job)).get("state").asString()).isEqualTo("cancelled");
      // Its next heartbeat ends the work.
      eventually(() -> assertThat(held.getFirst().closeCount()).isOne());
    }
  }

  @Tag("long")
  @Test
  void anotherServiceCancelsAJob() throws Exception {
    String id = hold(jobs);
    BlobStore shared = FolderBlobStore.open(FOLDER.resolve("shared"), /* syncs= */ false);
    try (Jobs other = new Jobs(shared, options(Duration.ofSeconds(30)))) {
      assertThat(other.cancel(id)).extracting("state").isEqualTo(JobState.CANCELLED);
    }
    eventually(() -> assertThat(held.getFirst().closeCount()).isOne());
    assertThat(json("/jobs/" + id).get("state").asString()).isEqualTo("cancelled");
  }

  @Test
  void anEndedJobIsNotCancelled() throws Exception {
    String job = accepted(put("/datasets/job-done", Streams.numbers(0, 3), ASYNC));
    awaitEnd(job);
    HttpResponse<byte[]> late = delete(job);
    assertThat(late.statusCode()).isEqualTo(409);
    assertThat(json(late).get("detail").asString())
        .isEqualTo("Expected a job that is queued or running but found one that is done at " + job);
  }

  @Test
  void aFullQueueIsAnError() throws Exception {
    List<Permit> places = new ArrayList<>();
    for (int i = 0; i < 18; i++) {
      places.add(jobs.takePlace());
    }
    HttpResponse<byte[]> full = put("/datasets/job-full", Streams.numbers(0, 3), ASYNC);
    places.forEach(Permit::close);
    assertThat(full.statusCode()).isEqualTo(503);
    assertThat(header(full, "Retry-After")).isEqualTo("5");
    assertThat(json(full).get("detail").asString())
        .isEqualTo(
            "Expected at most 18 jobs at a time but found more"
                + " (quiver.jobs.running, quiver.jobs.queued)");
    awaitEnd(accepted(put("/datasets/job-full", Streams.numbers(0, 3), ASYNC)));
  }

  @Test
  void aKeyHasOneJobAndOneResult() throws Exception {
    holdAllRunners();
    String[] headers = async("Idempotency-Key", "job-key");
    byte[] stream = Streams.numbers(0, 3);
    String first = accepted(post("/datasets/job-key", stream, headers));
    String second = accepted(post("/datasets/job-key", stream, headers));
    String other = accepted(post("/datasets/job-key-2", stream, headers));
    held.forEach(HeldWork::finish);
    awaitEnd(first);
    awaitEnd(other);
    HttpResponse<byte[]> third = post("/datasets/job-key", stream, headers);
    assertThat(second).isEqualTo(first);
    assertThat(other).isNotEqualTo(first);
    assertThat(third.statusCode()).isEqualTo(201);
    assertThat(json(third).get("version").asLong()).isEqualTo(1);
    // A job that failed is tried again.
    String[] failing = async("Idempotency-Key", "job-again");
    JsonNode failed =
        awaitEnd(
            accepted(
                post(
                    "/datasets",
                    utf8("a,b\n1\n"),
                    async("Idempotency-Key", "job-again", "Content-Type", "text/csv"))));
    JsonNode again = awaitEnd(accepted(post("/datasets", stream, failing)));
    assertThat(failed.get("state").asString()).isEqualTo("failed");
    assertThat(again.get("state").asString()).isEqualTo("done");
    assertThat(again.get("id")).isEqualTo(failed.get("id"));
  }

  @Test
  void aBrowserSeesAPageThatRefreshesItself() throws Exception {
    String job = "/jobs/" + hold(jobs);
    held.getFirst().progress(new JobProgress(0.25, 12_345L, null));
    eventually(() -> assertThat(json(job).get("progress").asDouble(0)).isEqualTo(0.25));
    HttpResponse<byte[]> page = get(job, "Accept", "text/html,*/*;q=0.8");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(header(page, "Content-Type")).startsWith("text/html");
    assertThat(header(page, "Refresh")).isEqualTo("2");
    assertThat(header(page, "Vary")).contains("Accept");
    assertThat(header(page, "Content-Security-Policy"))
        .startsWith("default-src 'none'; script-src 'self'; style-src 'self';");
    assertThat(text(page))
        .contains(
            "<td>running<td>held",
            "value=\"0.250\" aria-label=\"Progress\"></progress> 25 %",
            "12,345")
        .doesNotContain("<script");
    assertThat(header(get(job), "Content-Type")).isEqualTo("application/json");
    assertThat(header(get(job), "Refresh")).isEmpty();
    String failed = accepted(put("/datasets/job-page", utf8("a,b\n<i>\n"), async(CSV)));
    awaitEnd(failed);
    HttpResponse<byte[]> ended = get(failed, "Accept", "text/html");
    assertThat(header(ended, "Refresh")).isEmpty();
    assertThat(text(ended)).contains("File that cannot be read").doesNotContain("<i>");
  }

  @Test
  void jobsAreListed() throws Exception {
    for (int i = 0; i < 3; i++) {
      awaitEnd(accepted(put("/datasets/job-list", Streams.numbers(0, 3), ASYNC)));
    }
    List<String> ids = new ArrayList<>();
    for (String path = "/jobs?limit=2"; !path.isEmpty(); ) {
      JsonNode page = json(path);
      page.get("jobs").forEach(job -> ids.add(job.get("id").asString()));
      path = page.get("next").asString("");
    }
    assertThat(ids).hasSizeGreaterThanOrEqualTo(3).doesNotHaveDuplicates().isSorted();
    JsonNode listed = json("/jobs").get("jobs");
    assertThat(listed).hasSize(ids.size());
    ObjectNode whole = (ObjectNode) json("/jobs/" + ids.getLast());
    assertThat(whole.remove(List.of("problem", "result"))).isSameAs(whole);
    assertThat(listed.get(ids.size() - 1)).isEqualTo(whole);
    assertThat(get("/jobs?after=x").statusCode()).isEqualTo(400);
    assertThat(get("/jobs?limit=0").statusCode()).isEqualTo(400);
  }

  @Test
  void anUnknownJobDoesNotExist() throws Exception {
    for (String id : List.of(jobs.newId(), "x", "..%2Fdata")) {
      assertThat(get("/jobs/" + id).statusCode()).isIn(400, 404);
    }
    HttpResponse<byte[]> unknown = delete("/jobs/" + jobs.newId());
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(json(get("/jobs/x?y=1")).get("status").asLong()).isEqualTo(404);
  }
}

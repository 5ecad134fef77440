package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.store.UnreliableStore;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// Many lists of datasets at a time, while the store does not answer them.
@TestPropertySource(
    properties = {
      "quiver.sample=false",
      "quiver.storage.path=${test.folder}/list-flood",
      "quiver.limits.sorted-datasets=10000"
    })
@Import(ListFloodTest.GatedStore.class)
@Timeout(60)
class ListFloodTest extends RunningService {

  /// The number of lists that read the store at a time.
  private static final int TURNS = Math.max(2, Runtime.getRuntime().availableProcessors());

  /// More than there are permits for documents, and no more than may wait.
  private static final int CLIENTS =
      (int) Math.min(150, Runtime.getRuntime().maxMemory() / (128 << 20) + TURNS + 10);

  @Autowired private Gate gate;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  static class GatedStore {

    @Bean
    @Primary
    Gate gate(QuiverProperties properties) throws IOException {
      return new Gate(FolderBlobStore.open(properties.storage().path()));
    }
  }

  /// A store that counts the lists that begin to read all names, and lets them wait.
  static final class Gate extends UnreliableStore {

    private final AtomicInteger begun = new AtomicInteger();
    private boolean closed;

    Gate(BlobStore store) {
      super(store);
    }

    @Override
    public List<String> listFolders(String prefix, @Nullable String after, int limit)
        throws IOException {
      if (prefix.equals("manifests/_") && after == null) {
        begun.incrementAndGet();
        pass();
      }
      return super.listFolders(prefix, after, limit);
    }

    private synchronized void pass() {
      try {
        while (closed) {
          wait();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    synchronized void set(boolean close) {
      closed = close;
      notifyAll();
    }
  }

  @BeforeEach
  void close() throws Exception {
    for (String name : new String[] {"a1", "a2", "b1"}) {
      put("/datasets/" + name, Streams.numbers(0, 1 + name.charAt(1) - '0'));
    }
    gate.begun.set(0);
    gate.set(true);
  }

  @AfterEach
  void open() {
    gate.set(false);
    eventually(() -> assertThat(waitingThreads()).isZero());
    threads.shutdownNow();
  }

  /// Returns the number of requests that wait for a turn, or for the scan of another one.
  private static long waitingThreads() {
    return Thread.getAllStackTraces().values().stream()
        .filter(stack ->
            Arrays.stream(stack)
                .anyMatch(frame ->
                    frame.getClassName().startsWith("dev.quiver.arrow.parallel.Admission")
                        || frame
                                .getClassName()
                                .startsWith("dev.quiver.arrow.parallel.SharedTasks$Shared")
                            && frame.getMethodName().equals("await")))
        .count();
  }

  private void awaitBusyAndWaiting(int clients) {
    eventually(() -> assertThat(gate.begun).hasValue(TURNS));
    eventually(() -> assertThat(waitingThreads()).isEqualTo(clients - TURNS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets?sort=bytes&limit=1",
        "/datasets?sort=bytes&limit=1&q=%d",
        "/datasets?total=true&q=%d",
        "/datasets",
        "/datasets.csv?sort=rows&q=%d",
        "/datasets.arrow?sort=rows",
        "/datasets.csv",
        "/datasets/",
      })
  void listsOfClientsThatLeftAreNotRead(String path) throws Exception {
    List<RawHttp> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      RawHttp client = new RawHttp(port);
      client.send("GET " + path.formatted(i) + " HTTP/1.1\nHost: localhost\n\n");
      clients.add(client);
    }
    awaitBusyAndWaiting(CLIENTS);
    // No other response waits for lists.
    assertThat(get("/datasets/a1/schema").statusCode()).isEqualTo(200);
    assertThat(get("/datasets/a1").statusCode()).isEqualTo(200);
    assertThat(get("/datasets/a1.csv").statusCode()).isEqualTo(200);
    assertThat(get("/datasets/a1.arrow?limit=1").statusCode()).isEqualTo(200);
    assertThat(put("/datasets/a1", Streams.numbers(0, 2)).statusCode()).isEqualTo(200);
    for (RawHttp client : clients) {
      client.reset();
    }
    eventually(() -> assertThat(waitingThreads()).isZero());
    assertThat(gate.begun).hasValue(TURNS);
    Future<HttpResponse<byte[]>> list = threads.submit(() -> get("/datasets?sort=-rows&prefix=a"));
    gate.set(false);
    assertThat(list.get().statusCode()).isEqualTo(200);
    assertThat(json(list.get()).get("datasets").findValuesAsString("name"))
        .containsExactly("a2", "a1");
    // An index reads the names first, and its lists that were begun go on.
    assertThat(gate.begun.get()).isBetween(TURNS, path.equals("/datasets/") ? 2 * TURNS : TURNS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets?sort=%s&limit=2",
        "/datasets.csv?sort=-%s",
        "/datasets?total=true&limit=1&q="
      })
  void requestsShareAScanThatHasNotBegun(String path) throws Exception {
    String[] orders = {"modified", "bytes", "rows"};
    List<Future<HttpResponse<byte[]>>> responses = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      String requested = path.formatted(orders[i % orders.length]);
      responses.add(threads.submit(() -> get(requested)));
    }
    awaitBusyAndWaiting(CLIENTS);
    // A scan that begins now finds what is written before.
    put("/datasets/b2", Streams.numbers(0, 1));
    Future<HttpResponse<byte[]>> last = threads.submit(() -> get("/datasets.jsonl?sort=bytes"));
    eventually(() -> assertThat(waitingThreads()).isEqualTo(CLIENTS + 1 - TURNS));
    gate.set(false);
    for (Future<HttpResponse<byte[]>> response : responses) {
      assertThat(response.get().statusCode()).isEqualTo(200);
    }
    assertThat(text(last.get())).contains("\"b2\"");
    // The last request shares the scan only if it reads as many datasets at most.
    assertThat(gate.begun).hasValue(TURNS + (path.contains("total") ? 2 : 1));
    delete("/datasets/b2");
  }

  /// The service cannot tell such a client from one that has left, unless it sends something.
  @ParameterizedTest
  @ValueSource(
      strings = {"/datasets?sort=bytes&total=true", "/datasets.csv?sort=rows", "/datasets/"})
  void servesAClientThatOnlyEndsItsSending(String path) throws Exception {
    gate.set(false);
    try (RawHttp client = new RawHttp(port)) {
      client.send("GET " + path + " HTTP/1.1\nHost: localhost\nConnection: close\n\n");
      client.finishSending();
      assertThat(client.readToEnd()).startsWith("HTTP/1.1 200 ").contains("b1");
    }
  }

  @Test
  void pagesThatFollowAreOfTheSameScanUntilTheNextWrite() throws Exception {
    gate.set(false);
    JsonNode first = json("/datasets?sort=-rows&limit=1&total=true");
    assertThat(gate.begun).hasValue(1);
    String next = first.get("next").asString();
    assertThat(json(next).at("/datasets/0/name").asString()).isEqualTo("a1");
    assertThat(gate.begun).hasValue(1);
    put("/datasets/a2", Streams.numbers(0, 1));
    put("/datasets/b2", Streams.numbers(0, 9));
    JsonNode second = json(next);
    assertThat(second.get("total").intValue()).isEqualTo(4);
    assertThat(gate.begun).hasValue(2);
    // The first page is never of an earlier scan.
    assertThat(json("/datasets?sort=-rows&limit=1").at("/datasets/0/name").asString())
        .isEqualTo("b2");
    assertThat(gate.begun).hasValue(3);
    delete("/datasets/b2");
  }

  /// In another order, a list is complete before it is sent.
  @Test
  void sortedTablesHaveALength() throws Exception {
    gate.set(false);
    HttpResponse<byte[]> response = get("/datasets.csv?sort=-rows");
    assertThat(header(response, "Content-Length")).isEqualTo("" + response.body().length);
    assertThat(text(response).lines().skip(1))
        .extracting(line -> line.split(",")[0])
        .containsExactly("a2", "a1", "b1");
  }
}

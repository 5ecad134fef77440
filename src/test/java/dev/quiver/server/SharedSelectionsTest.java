package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.store.UnreliableStore;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.DelegatingBlob;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.version.ByteRange;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.test.context.TestPropertySource;

/// Selections that take work before the first byte, such as those with reduced dictionaries, whose
/// batches are all decoded: equal requests share that work, and it ends if their clients leave.
@TestPropertySource(
    properties = {"quiver.sample=false", "quiver.storage.path=${test.folder}/shared-selections"})
@Import(SharedSelectionsTest.GatedStore.class)
@Timeout(120)
class SharedSelectionsTest extends RunningService {

  private static final int BATCH_COUNT = 30;

  /// So many that no block of checksums has parts of two bodies.
  private static final int BATCH_ROW_COUNT = 5_000;

  private static final int GATED_BATCH = 5;
  private static final String MANY_PATH = "/datasets/many.arrow?columns=";
  private static final String PATH = "/datasets/shared.arrow?dictionaries=used";

  @Autowired private Gate gate;

  /// The positions of bodies of batches, which are learned by reading parts of them.
  private long gatedBody;

  private long lastBody;

  private long gatedMessage;
  private long lastMessage;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  static class GatedStore {

    @Bean
    @Primary
    Gate gate(QuiverProperties properties) throws IOException {
      return new Gate(FolderBlobStore.open(properties.storage().path()));
    }
  }

  /// A store that lets reads of one position wait, and remembers the ranges read.
  static final class Gate extends UnreliableStore {

    private final List<ByteRange> reads = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger openBlobs = new AtomicInteger();
    private long gated = -1;
    private int waiting;

    Gate(BlobStore store) {
      super(store);
    }

    @Override
    public Blob open(String key) throws IOException {
      Blob blob = super.open(key);
      if (!key.startsWith("data/")) {
        return blob;
      }
      openBlobs.incrementAndGet();
      return new DelegatingBlob(blob) {
        @Override
        public long read(long byteOffset, MemorySegment destination) throws IOException {
          pass(byteOffset, destination.byteSize());
          return super.read(byteOffset, destination);
        }

        @Override
        public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
          pass(byteOffset, byteSize);
          return super.map(byteOffset, byteSize, arena);
        }

        @Override
        public void close() throws IOException {
          openBlobs.decrementAndGet();
          super.close();
        }
      };
    }

    private synchronized void pass(long byteOffset, long byteSize) {
      ByteRange range = new ByteRange(byteOffset, byteSize);
      reads.add(range);
      waiting++;
      try {
        while (contains(range, gated)) {
          wait();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      } finally {
        waiting--;
      }
    }

    synchronized int waiting() {
      return waiting;
    }

    synchronized void close(long position) {
      gated = position;
    }

    synchronized void open() {
      gated = -1;
      notifyAll();
    }

    long reads(long position) {
      synchronized (reads) {
        return reads.stream().filter(read -> contains(read, position)).count();
      }
    }

    private static boolean contains(ByteRange range, long position) {
      return range.byteOffset() <= position && position < range.end();
    }
  }

  @BeforeEach
  void close() throws Exception {
    int[] rows = new int[BATCH_COUNT];
    Arrays.fill(rows, BATCH_ROW_COUNT);
    put("/datasets/shared?batches=keep", Streams.table(Codec.ZSTD, rows));
    eventually(() -> assertThat(gate.openBlobs).hasValue(0));
    gatedBody = body(GATED_BATCH);
    lastBody = body(BATCH_COUNT - 1);
    gate.close(gatedBody);
    gate.reads.clear();
  }

  @AfterEach
  void open() {
    gate.open();
    threads.shutdownNow();
  }

  /// Returns the position of the body of a stored batch.
  private long body(int index) throws Exception {
    var batch = json("/datasets/shared/batches?count=1&from=" + index).at("/batches/0");
    return batch.get("offset").longValue() + batch.get("metaDataLength").longValue();
  }

  private static long threadsThatWaitForAnother() {
    return threadsIn("dev.quiver.arrow.parallel.SharedTasks$Shared", "await");
  }

  /// Returns the number of threads that lay out many batches, or wait for their turn to.
  private static long threadsWithManyBatches() {
    return threadsIn("dev.quiver.store.read.SelectedLayouts", "computeInTurn");
  }

  private static long threadsIn(String className, String methodName) {
    return Thread.getAllStackTraces().values().stream()
        .filter(stack ->
            Arrays.stream(stack)
                .anyMatch(frame ->
                    frame.getClassName().equals(className)
                        && frame.getMethodName().equals(methodName)))
        .count();
  }

  /// Leaves while the pass that finds the used values waits for a batch.
  @ParameterizedTest
  @CsvSource({"GET, ''", "HEAD, ''", "GET, &codec=lz4", "GET, &offset=1&sample=900"})
  void workEndsIfItsClientLeaves(String method, String parameters) throws Exception {
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(method + " " + PATH + parameters + " HTTP/1.1\nHost: localhost\n\n");
      eventually(() -> assertThat(gate.waiting()).isEqualTo(1));
      connection.reset();
    }
    gate.open();
    eventually(() -> assertThat(gate.openBlobs).hasValue(0));
    assertThat(gate.reads(gatedBody)).isEqualTo(1);
    assertThat(gate.reads(lastBody)).isZero();
    assertThat(get(PATH + parameters).statusCode()).isEqualTo(200);
    assertThat(gate.reads(lastBody)).isPositive();
  }

  /// Stores a version with so many batches that layouts of it take turns, and lets the next one
  /// wait at one of them.
  private void closeAmongManyBatches() throws Exception {
    gate.open();
    int[] rows = new int[12_000];
    Arrays.fill(rows, 1);
    put("/datasets/many?batches=keep", Streams.table(Codec.NONE, rows));
    gatedMessage = message(rows.length * 3 / 4);
    lastMessage = message(rows.length - 1);
    eventually(() -> assertThat(gate.openBlobs).hasValue(0));
    gate.reads.clear();
    gate.close(gatedMessage);
  }

  /// Returns the position of a batch among many.
  private long message(int index) throws Exception {
    return json("/datasets/many/batches?count=1&from=" + index).at("/batches/0/offset").longValue();
  }

  /// Leaves while the layout of stored buffers, which decodes no batch, reads metadata.
  @Test
  void layoutOfManyBatchesEndsIfItsClientLeaves() throws Exception {
    closeAmongManyBatches();
    try (RawHttp connection = new RawHttp(port)) {
      connection.send("HEAD " + MANY_PATH + "number HTTP/1.1\nHost: localhost\n\n");
      eventually(() -> assertThat(gate.reads(gatedMessage)).isEqualTo(1));
      connection.reset();
    }
    gate.open();
    eventually(() -> assertThat(gate.openBlobs).hasValue(0));
    assertThat(gate.reads(lastMessage)).isZero();
    assertThat(head(MANY_PATH + "number").statusCode()).isEqualTo(200);
    assertThat(gate.reads(lastMessage)).isEqualTo(1);
  }

  /// Leaves while the layout of many batches waits for the end of another one.
  @Tag("long")
  @Test
  void layoutGivesUpItsTurnIfItsClientLeaves() throws Exception {
    closeAmongManyBatches();
    Future<HttpResponse<byte[]>> first = threads.submit(() -> head(MANY_PATH + "number"));
    eventually(() -> assertThat(gate.reads(gatedMessage)).isEqualTo(1));
    try (RawHttp connection = new RawHttp(port)) {
      connection.send("HEAD " + MANY_PATH + "point HTTP/1.1\nHost: localhost\n\n");
      eventually(() -> assertThat(threadsWithManyBatches()).isEqualTo(2));
      connection.reset();
    }
    eventually(() -> assertThat(threadsWithManyBatches()).isEqualTo(1));
    Future<HttpResponse<byte[]>> third = threads.submit(() -> head(MANY_PATH + "point.x"));
    eventually(() -> assertThat(threadsWithManyBatches()).isEqualTo(2));
    gate.open();
    assertThat(first.get().statusCode()).isEqualTo(200);
    assertThat(third.get().statusCode()).isEqualTo(200);
    assertThat(gate.reads(lastMessage)).isEqualTo(2);
  }

  /// The rows are read for their values and once more for the layout, then by the second request
  /// for its response. The first one has kept them.
  @Test
  void equalRequestsShareTheWork() throws Exception {
    Future<HttpResponse<byte[]>> first = threads.submit(() -> get(PATH));
    eventually(() -> assertThat(gate.waiting()).isEqualTo(1));
    Future<HttpResponse<byte[]>> second = threads.submit(() -> get(PATH));
    Future<HttpResponse<byte[]>> third = threads.submit(() -> head(PATH));
    eventually(() -> assertThat(threadsThatWaitForAnother()).isEqualTo(2));
    gate.open();
    assertThat(first.get().statusCode()).isEqualTo(200);
    assertThat(second.get().statusCode()).isEqualTo(200);
    assertThat(second.get().body()).isEqualTo(first.get().body());
    assertThat(header(third.get(), "Content-Length")).isEqualTo("" + first.get().body().length);
    assertThat(gate.reads(lastBody)).isEqualTo(3);
  }

  @Test
  void requestGetsTheResultOfAClientThatLeaves() throws Exception {
    try (RawHttp connection = new RawHttp(port)) {
      connection.send("GET " + PATH + " HTTP/1.1\nHost: localhost\n\n");
      eventually(() -> assertThat(gate.waiting()).isEqualTo(1));
      Future<HttpResponse<byte[]>> second = threads.submit(() -> get(PATH));
      eventually(() -> assertThat(threadsThatWaitForAnother()).isEqualTo(1));
      connection.reset();
      gate.open();
      assertThat(second.get().statusCode()).isEqualTo(200);
      assertThat(second.get().body()).isEqualTo(get(PATH).body());
    }
  }

  /// A client that only ends its sending looks as if it had left.
  @Test
  void windowIsSentToAClientThatOnlyEndsItsSending() throws Exception {
    gate.open();
    try (RawHttp connection = new RawHttp(port)) {
      connection.send("GET " + PATH + "&offset=4995&limit=9 HTTP/1.1\nHost: localhost\n\n");
      connection.finishSending();
      assertThat(connection.readToEnd()).startsWith("HTTP/1.1 200 ");
    }
  }
}

package dev.quiver.sql.engine;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/// A process one thread of which is restricted before it opens an engine. It prints what each
/// thread may do, a line each.
///
/// Its arguments are the library, a file to read and a folder to write to.
final class RestrictedProcess {

  private RestrictedProcess() {}

  public static void main(String[] arguments) throws Exception {
    Path library = Path.of(arguments[0]);
    Path file = Path.of(arguments[1]);
    Path folder = Path.of(arguments[2]);
    Engine.load(library);
    try (ServerSocket server = new ServerSocket(0)) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      Thread thread =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  runRestricted(file, folder, server);
                  done.complete(null);
                } catch (Throwable e) {
                  done.completeExceptionally(e);
                }
              });
      thread.join();
      done.get();
    }
    print("main thread reads", () -> read(file));
  }

  private static void runRestricted(Path file, Path folder, ServerSocket server) throws Exception {
    System.out.println("restricted: " + Landlock.restrictCurrentThread(List.of(folder)));
    print("restricted thread reads", () -> read(file));
    print("restricted thread lists", () -> Files.list(file.getParent()).close());
    print("restricted thread writes", () -> Files.createFile(file.resolveSibling("new")));
    print("restricted thread deletes", () -> Files.delete(file));
    print(
        "restricted thread connects", () -> new Socket("127.0.0.1", server.getLocalPort()).close());
    print(
        "restricted thread writes to the folder",
        () -> {
          Files.writeString(folder.resolve("new"), "text");
          read(folder.resolve("new"));
          Files.delete(folder.resolve("new"));
        });
    print("restricted thread reads through a link", () -> read(folder.resolve("link.csv")));
    print(
        "restricted thread links",
        () -> Files.createSymbolicLink(folder.resolve("new-link.csv"), file));
    Set<String> outcomes = ConcurrentHashMap.newKeySet();
    CountDownLatch threads = new CountDownLatch(2);
    EngineOptions options =
        new EngineOptions(64 << 20, 2, Duration.ofMinutes(1), folder, 1L << 30, folder);
    try (Engine engine = Engine.open(Path.of("library that is mapped already"), options)) {
      throw new IllegalStateException("Expected another library but found " + engine.version());
    } catch (IllegalArgumentException e) {
      System.out.println("another library: refused");
    }
    List<Long> values = LongStream.range(0, 50_000).boxed().toList();
    Field field = Field.of("id", false, new ArrowType.Int(64, true));
    try (TestTable table = TestTable.of(field, values, 5000, false);
        Engine engine = Engine.open(TestEngine.library(), options);
        Session session = engine.connect()) {
      Table watched =
          new Table() {
            @Override
            public dev.quiver.arrow.type.Schema schema() {
              return table.schema();
            }

            @Override
            public long rowCount() {
              return table.rowCount();
            }

            @Override
            public int batchCount() {
              return table.batchCount();
            }

            @Override
            public TableBatch read(int batchIndex, int[] columnIndices) {
              threads.countDown();
              try {
                threads.await(1, TimeUnit.MINUTES);
                outcomes.add(outcome(() -> RestrictedProcess.read(file)));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return table.read(batchIndex, columnIndices);
            }
          };
      System.out.println(
          "sum: " + TestEngine.rows(session, "SELECT sum(id) FROM t", Map.of("t", watched)));
      System.out.println("engine's threads read: " + outcomes);
      String sort =
          "SELECT max(s) FROM (SELECT md5(range::VARCHAR) s, row_number() OVER (ORDER BY s) FROM range(2000000))";
      System.out.println("spilled: " + TestEngine.rows(session, sort).size());
      String copied = folder.resolve("copied.parquet").toString();
      System.out.println(
          "copied: " + TestEngine.rows(session, "COPY (SELECT 7 AS n) TO '" + copied + "'"));
      System.out.println(
          "read: " + TestEngine.rows(session, "SELECT n FROM read_parquet('" + copied + "')"));
    }
  }

  private interface Action {
    void run() throws IOException;
  }

  private static void read(Path file) throws IOException {
    try (FileInputStream input = new FileInputStream(file.toFile())) {
      input.readAllBytes();
    }
  }

  private static void print(String name, Action action) {
    System.out.println(name + ": " + outcome(action));
  }

  private static String outcome(Action action) {
    try {
      action.run();
      return "allowed";
    } catch (IOException e) {
      return "denied";
    }
  }
}

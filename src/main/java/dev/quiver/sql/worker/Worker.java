package dev.quiver.sql.worker;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.transform.InvalidCastException;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.excel.Workbook;
import dev.quiver.sql.engine.Engine;
import dev.quiver.sql.engine.EngineException;
import dev.quiver.sql.engine.EngineOptions;
import dev.quiver.sql.engine.Landlock;
import dev.quiver.sql.engine.Session;
import dev.quiver.sql.engine.Statement;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The two threads of a worker: one reads requests, the other runs them in order.
final class Worker {

  /// The stack of the thread that parses statements, which nest.
  private static final long STACK_BYTE_SIZE = 16 << 20;

  private final FrameChannel channel;
  private final WorkerOptions options;
  private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();

  /// Whether the service wants the current statement to end.
  private volatile boolean interrupted;

  /// The session of the current statement, or null.
  private volatile @Nullable Session running;

  /// The files of statements.
  private final MappedPieces pieces = new MappedPieces(System::nanoTime);

  /// A request, which runs in the thread of the engine.
  @FunctionalInterface
  private interface Request {

    void run(Engine engine) throws IOException;
  }

  Worker(FrameChannel channel, WorkerOptions options) {
    this.channel = channel;
    this.options = options;
  }

  /// Reads requests until the connection ends.
  ///
  /// @throws java.io.EOFException if the service closes the connection
  void run() throws IOException {
    Thread.ofPlatform().name("engine").daemon().stackSize(STACK_BYTE_SIZE).start(this::runRequests);
    while (true) {
      WorkerFrame frame = channel.read();
      switch (frame.type()) {
        case PARSE -> {
          String sql = frame.text();
          add(engine -> parse(engine, sql));
        }
        case BIND -> open(RunRequest.read(Payload.of(frame)), /* runs= */ false);
        case RUN -> open(RunRequest.read(Payload.of(frame)), /* runs= */ true);
        case SHEET -> {
          SheetRequest request = SheetRequest.read(Payload.of(frame));
          add(_ -> readSheet(request));
        }
        case INTERRUPT -> interrupt();
        case READY, TREE, DATA, PROGRESS, DONE, FAILED ->
            throw new IOException("Expected a request but found " + frame.type());
      }
    }
  }

  private void add(Request request) {
    interrupted = false;
    requests.add(request);
  }

  /// Maps the files of a statement in this thread, which the kernel does not restrict.
  private void open(RunRequest request, boolean runs) throws IOException {
    ScannedRows scanned =
        new ScannedRows(count -> channel.write(FrameType.PROGRESS, new RowsRead(count)));
    MappedTables tables;
    try {
      tables = MappedTables.open(request.tables(), pieces, scanned, this::requireWanted);
    } catch (IOException e) {
      fail(FailureKind.GONE, "Expected the stored data of a dataset but found none");
      return;
    } catch (DamagedFileException e) {
      fail(FailureKind.DAMAGED, e.range().message());
      return;
    } catch (RuntimeException e) {
      fail(FailureKind.INVALID_VERSION, String.valueOf(e.getMessage()));
      return;
    }
    add(engine -> {
      try (tables) {
        run(engine, request, tables, scanned, runs);
      }
    });
  }

  private void interrupt() {
    interrupted = true;
    Session session = running;
    if (session != null) {
      session.interrupt();
    }
  }

  private void runRequests() {
    try {
      if (!loadLibrary()) {
        return;
      }
      Codec.loadLibraries();
      // The threads that the engine starts from here on inherit the restriction.
      boolean denied =
          Landlock.restrictCurrentThread(Stream.ofNullable(options.filesFolder()).toList());
      run(openEngine(), denied);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      // After any failure, the service starts another worker.
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private Engine openEngine() {
    return Engine.open(
        options.library(),
        new EngineOptions(
            options.memoryByteSize(),
            options.threadCount(),
            options.timeout(),
            /* temporaryFolder= */ null,
            /* temporaryByteSize= */ 0,
            options.filesFolder()));
  }

  /// Reports to the service a library that is not for this system. The service then ends the
  /// connection.
  private boolean loadLibrary() throws IOException {
    try {
      Engine.load(options.library());
      return true;
    } catch (IllegalArgumentException | UnsatisfiedLinkError e) {
      fail(FailureKind.FATAL, String.valueOf(e.getMessage()));
      return false;
    }
  }

  private void run(Engine engine, boolean fileAccessDenied)
      throws IOException, InterruptedException {
    try (engine) {
      channel.write(FrameType.READY, new WorkerStatus(engine.version(), fileAccessDenied));
      while (true) {
        Request request =
            requests.poll(MappedPieces.UNUSED_MAXIMUM.toMillis(), TimeUnit.MILLISECONDS);
        if (request == null) {
          pieces.closeExpired();
        } else {
          request.run(engine);
        }
      }
    }
  }

  private void parse(Engine engine, String sql) throws IOException {
    try (Session session = engine.connect()) {
      running = session;
      byte[] tree = session.syntaxTree(sql).getBytes(StandardCharsets.UTF_8);
      if (tree.length > WorkerFrame.PAYLOAD_BYTE_SIZE_MAXIMUM) {
        fail(FailureKind.SYNTAX, "Expected a shorter statement");
      } else {
        channel.write(FrameType.TREE, tree);
      }
    } catch (EngineException e) {
      fail(e);
    } finally {
      running = null;
    }
  }

  private void run(
      Engine engine, RunRequest request, MappedTables tables, ScannedRows scanned, boolean runs)
      throws IOException {
    try {
      runOn(engine, request, tables, runs);
      scanned.tellAll();
      channel.write(FrameType.DONE);
    } catch (EngineException e) {
      fail(e);
    } catch (InvalidCastException e) {
      fail(FailureKind.CONVERSION, String.valueOf(e.getMessage()));
    } catch (OutOfMemoryError e) {
      // Memory outside of the heap: without heap, the JVM ends.
      fail(FailureKind.MEMORY, "Expected memory for the result but found none");
    } finally {
      running = null;
    }
  }

  private void runOn(Engine engine, RunRequest request, MappedTables tables, boolean runs)
      throws IOException {
    try (Session session = engine.connect()) {
      running = session;
      requireWanted();
      try (Statement statement =
          session.prepare(
              request.sql(),
              tables.byName(),
              ParameterValues.of(request.parameters()),
              request.threadCount())) {
        requireWanted();
        if (runs) {
          send(statement, request, tables);
        }
      }
    }
  }

  private void send(Statement statement, RunRequest request, MappedTables tables)
      throws IOException {
    ResultCast cast = ResultCast.of(statement.schema(), request, tables.schemas());
    try (DataFrames data = new DataFrames(channel)) {
      StreamWriter stream = new StreamWriter(data, cast.schema(), Codec.NONE);
      boolean complete = false;
      while (!complete) {
        requireWanted();
        try (Arena arena = Arena.ofConfined()) {
          RecordBatch batch = statement.next(arena);
          complete = batch == null;
          if (batch != null) {
            stream.write(cast.apply(batch, arena));
          }
        }
        data.flush();
      }
      stream.close();
      data.flush();
    }
  }

  private void readSheet(SheetRequest request) throws IOException {
    try (DataFrames data = new DataFrames(channel)) {
      Workbook.write(
          Path.of(request.file()),
          request.sheet(),
          Set.copyOf(request.nulls()),
          request.inflated(),
          data,
          this::requireWanted);
      data.flush();
      channel.write(FrameType.DONE);
    } catch (EngineException e) {
      fail(e);
    } catch (TooLargeInputException e) {
      fail(FailureKind.TOO_LARGE, String.valueOf(e.getMessage()));
    } catch (ForeignDataException e) {
      fail(FailureKind.OTHER, String.valueOf(e.getMessage()));
    }
  }

  private void requireWanted() {
    if (interrupted) {
      throw new EngineException(EngineException.Kind.INTERRUPTED, "The statement was interrupted");
    }
  }

  private void fail(EngineException e) throws IOException {
    Throwable cause = e.getCause();
    if (cause instanceof DamagedFileException damaged) {
      fail(FailureKind.DAMAGED, damaged.range().message());
      return;
    }
    FailureKind kind = kind(e.kind());
    String message = String.valueOf(e.getMessage());
    if (cause != null && kind == FailureKind.OTHER) {
      // A table could not be read.
      kind = FailureKind.INVALID_VERSION;
      message = String.valueOf(cause.getMessage());
    }
    channel.write(FrameType.FAILED, new Failure(kind, message, e.hint(), e.position(), e.length()));
  }

  private void fail(FailureKind kind, String message) throws IOException {
    channel.write(FrameType.FAILED, new Failure(kind, message, /* hint= */ null, -1, 0));
  }

  private static FailureKind kind(EngineException.Kind kind) {
    return switch (kind) {
      case SYNTAX -> FailureKind.SYNTAX;
      case NAME -> FailureKind.NAME;
      case BINDING -> FailureKind.BINDING;
      case NOT_ALLOWED -> FailureKind.NOT_ALLOWED;
      case UNSUPPORTED_TYPE -> FailureKind.UNSUPPORTED_TYPE;
      case CONVERSION -> FailureKind.CONVERSION;
      case MEMORY -> FailureKind.MEMORY;
      case INTERRUPTED -> FailureKind.INTERRUPTED;
      case FATAL -> FailureKind.FATAL;
      case OTHER -> FailureKind.OTHER;
    };
  }
}

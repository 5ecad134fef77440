package dev.quiver.sql.engine;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.quiver.sql.library.Databases;
import dev.quiver.sql.library.Library;
import dev.quiver.sql.library.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/// One instance of DuckDB in memory that reads no files but the ones of one folder, if it is given
/// one. It loads no extensions, and its settings are locked.
public final class Engine implements AutoCloseable {

  /// The depth of an expression at which the engine rejects it, before its stack overflows.
  private static final String EXPRESSION_DEPTH_MAXIMUM = "250";

  private static final long RESULT_BYTE_SIZE = 48;

  /// The functions about the engine that a name without parentheses calls where no column has it.
  /// Only the binder knows whether one has. It finds a macro of the same name first, and the macro
  /// takes an argument that is missing, so only columns are left.
  private static final List<String> FUNCTIONS_WITHOUT_PARENTHESES =
      List.of(
          "current_catalog",
          "current_role",
          "current_schema",
          "current_user",
          "session_user",
          "user");

  private final Library library;
  private final TableScans scans;
  private final Arena callbacks = Arena.ofShared();
  private final AtomicInteger sessionCount = new AtomicInteger();
  private final long database;
  private final EngineOptions options;

  private Engine(Library library, EngineOptions options) {
    this.library = library;
    this.database = openDatabase(settings(options));
    this.options = options;
    this.scans = new TableScans(library, callbacks);
  }

  /// Applies the settings that only statements can make. Their order matters: external access must
  /// be off before, and nothing can be set after the lock.
  private void harden() {
    long connection = openConnection();
    try {
      harden(connection);
    } finally {
      closeConnection(connection);
    }
  }

  private void harden(long connection) {
    run(connection, "SET GLOBAL TimeZone = 'UTC'");
    Path files = options.filesFolder();
    if (files != null) {
      // Only a statement can set a list.
      String folder = (files + "/").replace("'", "''");
      run(connection, "SET GLOBAL allowed_directories = ['" + folder + "']");
      run(connection, "SET GLOBAL enable_external_access = false");
      // Arrow has no type for geometries, but has one for their bytes.
      run(connection, "SET GLOBAL enable_geoparquet_conversion = false");
    } else if (options.temporaryFolder() == null) {
      run(connection, "SET disabled_filesystems = 'LocalFileSystem'");
    }
    for (String name : FUNCTIONS_WITHOUT_PARENTHESES) {
      run(connection, "CREATE MACRO \"%s\"(not_allowed) AS not_allowed".formatted(name));
    }
    scans.register(database, connection);
    run(connection, "SET lock_configuration = true");
  }

  /// Maps the library into this process, as [#open] does if it has not been. A thread that may open
  /// no files must find it mapped.
  ///
  /// @throws IllegalArgumentException if the file is not a library for this platform
  public static void load(Path libraryFile) {
    Library.load(libraryFile);
  }

  /// Opens an instance.
  ///
  /// @param libraryFile DuckDB's library
  /// @throws IllegalArgumentException if the file is not a library for this platform
  /// @throws IllegalStateException if the library rejects an option
  public static Engine open(Path libraryFile, EngineOptions options) {
    Engine engine = new Engine(Library.load(libraryFile), options);
    try {
      engine.harden();
      return engine;
    } catch (Throwable e) {
      engine.close();
      throw e;
    }
  }

  /// Returns the version of DuckDB, such as `v2.0.0`.
  public String version() {
    return Objects.requireNonNull(library.databases().version());
  }

  /// Returns a new session. Each has one statement at a time.
  ///
  /// @throws EngineException if memory is missing
  public Session connect() {
    long connection;
    try {
      connection = openConnection();
    } catch (IllegalStateException e) {
      throw new EngineException(
          EngineException.Kind.MEMORY, "Expected memory for a session but found none");
    }
    sessionCount.incrementAndGet();
    return new Session(this, connection);
  }

  /// Closes the instance, whose sessions must be closed before.
  @Override
  public void close() {
    if (sessionCount.get() > 0) {
      throw new IllegalStateException(sessionCount + " sessions are open");
    }
    try (Arena arena = Arena.ofConfined()) {
      library.databases().close(arena.allocateFrom(JAVA_LONG, database).address());
    }
    callbacks.close();
  }

  Library library() {
    return library;
  }

  /// Returns whether statements may read and write the files of a folder.
  boolean readsFiles() {
    return options.filesFolder() != null;
  }

  TableScans scans() {
    return scans;
  }

  void disconnect(long connection) {
    closeConnection(connection);
    sessionCount.decrementAndGet();
  }

  private static Map<String, String> settings(EngineOptions options) {
    Path folder = options.temporaryFolder();
    Map<String, String> settings = new LinkedHashMap<>();
    // Without external access, folders can no longer be set.
    settings.put("temp_directory", folder == null ? "" : folder.toString());
    settings.put("max_temp_directory_size", options.temporaryByteSize() + "B");
    if (options.filesFolder() == null) {
      settings.put("enable_external_access", "false");
    }
    for (String refused :
        List.of(
            "autoinstall_known_extensions",
            "autoload_known_extensions",
            "allow_community_extensions",
            "allow_unsigned_extensions",
            "allow_persistent_secrets",
            "enable_external_file_cache")) {
      settings.put(refused, "false");
    }
    settings.put("memory_limit", options.memoryByteSize() + "B");
    settings.put("threads", Integer.toString(options.threadCount()));
    settings.put("max_execution_time", Long.toString(options.timeout().toMillis()));
    settings.put("max_expression_depth", EXPRESSION_DEPTH_MAXIMUM);
    settings.put("errors_as_json", "true");
    return settings;
  }

  private long openDatabase(Map<String, String> settings) {
    Databases databases = library.databases();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment configuration = arena.allocate(JAVA_LONG);
      MemorySegment opened = arena.allocate(JAVA_LONG);
      MemorySegment error = arena.allocate(JAVA_LONG);
      require(databases.createConfiguration(configuration.address()), "a configuration");
      try {
        long handle = configuration.get(JAVA_LONG, 0);
        settings.forEach((name, value) ->
            require(
                databases.configure(
                    handle,
                    arena.allocateFrom(name).address(),
                    arena.allocateFrom(value).address()),
                name + " = " + value));
        boolean open = databases.open(0, opened.address(), handle, error.address());
        if (!open) {
          throw new IllegalStateException(NativeMemory.text(error.get(JAVA_LONG, 0)));
        }
        return opened.get(JAVA_LONG, 0);
      } finally {
        databases.destroyConfiguration(configuration.address());
      }
    }
  }

  long openConnection() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment connection = arena.allocate(JAVA_LONG);
      require(library.databases().connect(database, connection.address()), "a connection");
      return connection.get(JAVA_LONG, 0);
    }
  }

  void closeConnection(long connection) {
    try (Arena arena = Arena.ofConfined()) {
      library.databases().disconnect(arena.allocateFrom(JAVA_LONG, connection).address());
    }
  }

  private void run(long connection, String sql) {
    try (Arena arena = Arena.ofConfined()) {
      long result = arena.allocate(RESULT_BYTE_SIZE, Long.BYTES).address();
      boolean done =
          library.databases().query(connection, arena.allocateFrom(sql).address(), result);
      library.statements().destroyResult(result);
      require(done, sql);
    }
  }

  private static void require(boolean accepted, String what) {
    if (!accepted) {
      throw new IllegalStateException("The engine rejects " + what);
    }
  }
}

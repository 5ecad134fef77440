package dev.quiver.sql.execution;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The command that starts a worker.
///
/// The worker runs the same Java with the same classes. A shell limits its memory and lowers its
/// priority before it becomes the worker. The limit counts private memory alone, so that mapped
/// data is free.
///
/// @param library the unpacked library of the engine
/// @param memoryIsLimited whether the system can limit the memory of a process
/// @param classPath the absolute class path
/// @param cacheOptions the options of the JVM on a [WorkerCache]; may be empty
record WorkerCommand(
    Path library,
    WorkerPoolOptions options,
    boolean memoryIsLimited,
    String classPath,
    List<String> cacheOptions) {

  /// The time that the engine's allocator keeps freed memory. Statements free and allocate the
  /// memory of each chunk of rows, and would spend more than half of their time on getting it from
  /// the system again. What it kept for long would count as memory of the next statement.
  private static final int DECAY_MILLIS = 100;

  private static final String MAIN_CLASS = "dev.quiver.sql.worker.WorkerMain";

  private static final Path SHELL = Path.of("/bin/sh");

  /// Runs its arguments with a lower priority, so that the service answers while workers compute.
  /// Without a `nice`, they run as they are.
  static final String NICE =
      "command -v nice >/dev/null 2>&1 && exec nice -n 10 \"$@\"; exec \"$@\"";

  /// The heap of a worker of statements: metadata, decoded one batch at a time.
  private static final int HEAP_MEBIBYTES = 128;

  /// The level of compilation that the command of this process states: a worker compiles alike.
  private static final List<String> COMPILATION =
      ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .filter(argument -> argument.startsWith("-XX:TieredStopAtLevel="))
          .toList();

  /// The memory of a worker beyond the engine's: heap, code, classes, stacks, buffers.
  private static final long OVERHEAD_BYTE_SIZE = 512L << 20;

  /// Returns whether the system can limit the memory of a worker.
  static boolean limitsMemory(WorkerPoolOptions options) throws IOException {
    if (!Files.isExecutable(SHELL)) {
      return false;
    }
    Process probe =
        new ProcessBuilder(SHELL.toString(), "-c", "ulimit -d \"$0\"", limitKibibytes(options))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return probe.waitFor() == 0 && System.getProperty("os.name").equals("Linux");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static String limitKibibytes(WorkerPoolOptions options) {
    return Long.toString((options.memory().maximum() + OVERHEAD_BYTE_SIZE) >> 10);
  }

  WorkerCommand withCacheOptions(List<String> changed) {
    return new WorkerCommand(library, options, memoryIsLimited, classPath, changed);
  }

  /// Returns the environment of a worker.
  Map<String, String> environment() {
    return Map.of(
        "DUCKDB_JE_MALLOC_CONF",
        "retain:false,dirty_decay_ms:%d,muzzy_decay_ms:0".formatted(DECAY_MILLIS),
        "MALLOC_ARENA_MAX",
        "2");
  }

  /// Returns a class path for a process in another folder.
  static String classPath(String here) {
    return Arrays.stream(here.split(Pattern.quote(File.pathSeparator)))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /// Returns the heap of a worker. One of files also reads workbooks, whose texts are in memory.
  private long heapMebibytes() {
    return options.readsFiles()
        ? Math.max(HEAP_MEBIBYTES, options.memory().maximum() >> 20)
        : HEAP_MEBIBYTES;
  }

  /// Returns the program and its arguments.
  ///
  /// @param folder the worker's own folder
  /// @param socket the socket to which it connects
  /// @param filesFolder the folder whose files its statements reach, or null
  List<String> arguments(Path folder, Path socket, @Nullable Path filesFolder) {
    List<String> arguments = new ArrayList<>();
    if (memoryIsLimited) {
      arguments.addAll(
          List.of(
              SHELL.toString(),
              "-c",
              "ulimit -d \"$0\" || exit; " + NICE,
              limitKibibytes(options)));
    } else if (Files.isExecutable(SHELL)) {
      arguments.addAll(List.of(SHELL.toString(), "-c", NICE, SHELL.toString()));
    }
    arguments.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    arguments.addAll(COMPILATION);
    arguments.addAll(cacheOptions);
    arguments.addAll(
        List.of(
            "-Xmx" + heapMebibytes() + "m",
            // Batches leave little garbage, and a larger young generation is memory that is
            // touched.
            "-Xmn16m",
            "-Xss512k",
            "-XX:+UseSerialGC",
            "-XX:ReservedCodeCacheSize=64m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:-UsePerfData",
            "-XX:+DisableAttachMechanism",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=" + folder.resolve("crash.log"),
            "-Djava.io.tmpdir=" + folder,
            // Without an environment, paths would be ASCII.
            "-Dsun.jnu.encoding=" + System.getProperty("sun.jnu.encoding"),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath,
            MAIN_CLASS,
            socket.toString(),
            library.toString(),
            Long.toString(options.memory().maximum()),
            Integer.toString(options.threadCount()),
            Long.toString(options.timeout().maximum())));
    if (filesFolder != null) {
      arguments.add(filesFolder.toString());
    }
    return arguments;
  }
}

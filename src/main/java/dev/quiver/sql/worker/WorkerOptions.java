package dev.quiver.sql.worker;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The command line of a worker.
///
/// @param socket the socket of the service, to which the worker connects
/// @param library the engine's library
/// @param memoryByteSize the memory that the engine may allocate
/// @param threadCount the threads of the engine
/// @param timeout the time after which the engine ends a statement by itself
/// @param filesFolder the folder whose files statements may read and write, or null
record WorkerOptions(
    Path socket,
    Path library,
    long memoryByteSize,
    int threadCount,
    Duration timeout,
    @Nullable Path filesFolder) {

  /// Parses the arguments, in the order of the components. The last may be absent.
  static WorkerOptions parse(String[] arguments) {
    if (arguments.length != 5 && arguments.length != 6) {
      throw new IllegalArgumentException(
          "Expected 5 or 6 arguments but found "
              + arguments.length
              + "; the service starts workers");
    }
    return new WorkerOptions(
        Path.of(arguments[0]),
        Path.of(arguments[1]),
        Long.parseLong(arguments[2]),
        Integer.parseInt(arguments[3]),
        Duration.ofMillis(Long.parseLong(arguments[4])),
        arguments.length == 5 ? null : Path.of(arguments[5]));
  }
}

package dev.quiver.arrow.parallel;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The end of a process that has no heap or direct memory left.
///
/// Any of its threads may have stopped halfway through something, so it is better started again.
/// Committed data is on disk. The JVM's own `-XX:+ExitOnOutOfMemoryError` ignores direct memory and
/// also ends the process if a single array is too long for any heap.
public final class MemoryExhaustion {

  /// The exit code, the same as of the JVM's own option.
  public static final int EXIT_CODE = 3;

  private static final Logger LOG = System.getLogger(MemoryExhaustion.class.getName());

  /// The starts of the JVM's messages for the heap and for direct memory. Others are about threads,
  /// arrays and allocations that no memory would suffice for.
  private static final List<String> MESSAGES =
      List.of("Java heap space", "GC overhead limit exceeded", "Cannot reserve");

  private static final String LAST_WORDS = "The process ends because its memory is exhausted";

  /// The same, for a log that itself has no memory.
  private static final byte[] LAST_BYTES = (LAST_WORDS + "\n").getBytes(StandardCharsets.US_ASCII);

  private static final int CAUSES_MAXIMUM = 20;

  private MemoryExhaustion() {}

  /// Ends the process at once if exhausted memory is the cause of a failure.
  public static void endProcessIfCauseOf(Throwable failure) {
    OutOfMemoryError cause = causeOf(failure);
    if (cause != null) {
      endProcess(cause);
    }
  }

  /// Ends the process also if exhausted memory ends one of its threads.
  public static void watchThreads() {
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
      endProcessIfCauseOf(failure);
      LOG.log(Level.ERROR, "Thread " + thread.getName() + " ended by a failure", failure);
    });
  }

  /// Returns the error about exhausted memory that is or caused a failure, or null if absent.
  static @Nullable OutOfMemoryError causeOf(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; i < CAUSES_MAXIMUM && cause != null; i++) {
      String message = cause.getMessage();
      if (cause instanceof OutOfMemoryError error
          && message != null
          && MESSAGES.stream().anyMatch(message::startsWith)) {
        return error;
      }
      cause = cause.getCause();
    }
    return null;
  }

  private static void endProcess(OutOfMemoryError cause) {
    try {
      LOG.log(Level.ERROR, LAST_WORDS, cause);
    } catch (Throwable e) {
      writeLastBytes();
    } finally {
      // A regular exit waits for requests in progress, which may wait for memory.
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  private static void writeLastBytes() {
    try (FileOutputStream error = new FileOutputStream(FileDescriptor.err)) {
      error.write(LAST_BYTES);
    } catch (Throwable e) {
      // Nothing is left to say it with.
    }
  }
}

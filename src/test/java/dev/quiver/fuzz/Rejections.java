package dev.quiver.fuzz;

import dev.quiver.arrow.ipc.UnsupportedFormatException;
import dev.quiver.arrow.memory.InputException;
import java.io.IOException;
import java.io.UncheckedIOException;

/// The permitted outcomes for hostile input: it is read, or rejected with a proper message.
final class Rejections {

  @FunctionalInterface
  interface Reading {
    void run() throws IOException;
  }

  private Rejections() {}

  /// Returns whether `reading` accepted the input.
  ///
  /// @throws AssertionError if a rejection does not name what was expected and found
  static boolean allow(Reading reading) {
    try {
      reading.run();
      return true;
    } catch (InputException | UnsupportedFormatException e) {
      String message = e.getMessage();
      if (message == null || !message.startsWith("Expected ") || !message.contains(" but found ")) {
        throw new AssertionError(
            "Expected \"Expected … but found …\" but the message is: " + message, e);
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Runs a reading of our own output, which must not be rejected.
  static void forbid(Reading reading) {
    try {
      reading.run();
    } catch (InputException e) {
      throw new AssertionError("Expected our own output to be accepted but it was rejected", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.quiver.fuzz;

import dev.quiver.input.InputException;
import dev.quiver.ipc.UnsupportedFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;

/// The permitted outcomes for hostile input: it is read, or rejected with a proper message.
final class Refusals {

  @FunctionalInterface
  interface Reading {
    void run() throws IOException;
  }

  private Refusals() {}

  /// Returns whether `reading` accepted the input.
  ///
  /// @throws AssertionError if a rejection does not name what was expected and found
  static boolean allow(Reading reading) {
    try {
      reading.run();
      return true;
    } catch (InputException | UnsupportedFormatException e) {
      String sentence = e.getMessage();
      if (sentence == null
          || !sentence.startsWith("Expected ")
          || !sentence.contains(" but found ")) {
        throw new AssertionError("Not a sentence: " + sentence, e);
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
      throw new AssertionError("Our own output is rejected", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

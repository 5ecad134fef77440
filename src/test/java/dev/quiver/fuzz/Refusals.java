package dev.quiver.fuzz;

import dev.quiver.input.InputException;
import dev.quiver.ipc.UnsupportedFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;

/// What may happen to hostile input: it is read, or refused with a sentence.
final class Refusals {

  @FunctionalInterface
  interface Reading {
    void run() throws IOException;
  }

  private Refusals() {}

  /// Whether `reading` took the input.
  ///
  /// @throws AssertionError when a refusal does not say what was expected and found
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

  /// Runs what must not refuse, since we wrote what it reads.
  static void forbid(Reading reading) {
    try {
      reading.run();
    } catch (InputException e) {
      throw new AssertionError("What we wrote is refused", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

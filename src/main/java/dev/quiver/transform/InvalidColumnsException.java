package dev.quiver.transform;

/// Columns asked for that a schema does not have, or that a path cannot lead to. The message reads
/// *Expected X but found Y at WHERE*.
public final class InvalidColumnsException extends RuntimeException {

  InvalidColumnsException(String expected, String found, String token) {
    super("Expected %s but found %s at columns \"%s\"".formatted(expected, found, token));
  }
}

package dev.quiver.sql.library;

/// A column of a type that the other side lacks.
public final class UnsupportedTypeException extends RuntimeException {

  public UnsupportedTypeException(String message) {
    super(message);
  }
}

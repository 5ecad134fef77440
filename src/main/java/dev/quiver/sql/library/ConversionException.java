package dev.quiver.sql.library;

/// A value that the type of the other side cannot hold.
public final class ConversionException extends RuntimeException {

  public ConversionException(String message) {
    super(message);
  }
}

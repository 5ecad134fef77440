package dev.quiver.sql.engine;

import dev.quiver.sql.engine.EngineException.Kind;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.UnsupportedTypeException;

/// Failures of Java code that the engine calls, or that reads its results.
final class CallFailures {

  private CallFailures() {}

  /// Returns the exception for a failure at a place in the statement. A table's own exceptions stay
  /// as they are.
  static EngineException exception(RuntimeException failure, int position, int length) {
    Kind kind =
        switch (failure) {
          case UnsupportedTypeException _ -> Kind.UNSUPPORTED_TYPE;
          case ConversionException _ -> Kind.CONVERSION;
          case EngineException sql -> sql.kind();
          default -> Kind.OTHER;
        };
    String message =
        kind == Kind.OTHER ? "A table of the statement could not be read" : failure.getMessage();
    EngineException exception =
        new EngineException(
            kind,
            message == null ? "" : message,
            failure instanceof EngineException sql ? sql.hint() : null,
            position,
            length);
    exception.initCause(failure);
    return exception;
  }
}

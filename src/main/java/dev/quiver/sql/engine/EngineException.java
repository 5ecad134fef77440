package dev.quiver.sql.engine;

import org.jspecify.annotations.Nullable;

/// A statement that is invalid, or that failed. The message is for the author of the statement: it
/// has neither paths nor the engine's internals.
public final class EngineException extends RuntimeException {

  /// Causes, as far as the caller handles them differently.
  public enum Kind {
    /// The statement is not SQL.
    SYNTAX,
    /// A table, column or function is unknown.
    NAME,
    /// The statement means nothing, such as the sum of texts, lacks a parameter, or passes
    /// something invalid to a function.
    BINDING,
    /// The statement is of a kind or uses something that is never allowed.
    NOT_ALLOWED,
    /// A value does not fit into the type that it is converted to.
    CONVERSION,
    /// The statement uses or returns a column of a type that the other side lacks.
    UNSUPPORTED_TYPE,
    /// The statement needs more memory than the engine has.
    MEMORY,
    /// The statement was interrupted, or ran for too long.
    INTERRUPTED,
    /// The engine is damaged and must be replaced.
    FATAL,
    /// The engine failed, or a table could not be read. The statement is not to blame.
    OTHER
  }

  /// The position of an error that belongs to no place in the statement.
  public static final int NO_POSITION = -1;

  private final Kind kind;
  private final @Nullable String hint;
  private final int position;
  private final int length;

  public EngineException(Kind kind, String message) {
    this(kind, message, NO_POSITION, 0);
  }

  /// @param position the first byte of the place in the statement's UTF-8, or [#NO_POSITION]
  /// @param length the bytes of the place, or 0 if unknown
  public EngineException(Kind kind, String message, int position, int length) {
    this(kind, message, /* hint= */ null, position, length);
  }

  /// @param hint a sentence that says what to do, or null if unknown
  /// @param position the first byte of the place in the statement's UTF-8, or [#NO_POSITION]
  /// @param length the bytes of the place, or 0 if unknown
  public EngineException(
      Kind kind, String message, @Nullable String hint, int position, int length) {
    super(message);
    this.kind = kind;
    this.hint = hint;
    this.position = position;
    this.length = length;
  }

  public Kind kind() {
    return kind;
  }

  /// Returns a sentence that says what to do, or null if unknown.
  public @Nullable String hint() {
    return hint;
  }

  /// Returns the offset of the error in the UTF-8 of the statement in bytes, or [#NO_POSITION].
  public int position() {
    return position;
  }

  /// Returns the bytes of the statement that the error is about, or 0 if unknown.
  public int length() {
    return length;
  }
}

package dev.quiver.sql.execution;

import dev.quiver.arrow.memory.Limit;
import org.jspecify.annotations.Nullable;

/// A statement that was rejected or that failed.
public abstract sealed class SqlException extends RuntimeException {

  private final String sql;
  private final int position;
  private final int length;
  private final @Nullable String hint;

  SqlException(String message) {
    this(message, /* hint= */ null);
  }

  SqlException(String message, @Nullable String hint) {
    this(message, /* sql= */ "", /* position= */ -1, /* length= */ 0, hint);
  }

  /// @param sql the statement, for the line and the excerpt
  /// @param position the offset in the statement in characters, or -1 if unknown
  /// @param length the number of characters, or 0 if unknown
  /// @param hint a sentence that says what the client can do, or null if unknown
  SqlException(String message, String sql, int position, int length, @Nullable String hint) {
    super(message);
    this.sql = sql;
    this.position = position;
    this.length = length;
    this.hint = hint;
  }

  /// Returns the offset in the statement in characters, or -1 if unknown.
  public int position() {
    return position;
  }

  /// Returns the number of characters, or 0 if unknown.
  public int length() {
    return length;
  }

  /// Returns the number of the line, from 1, or 0 if unknown.
  public int line() {
    return sql.isEmpty() || position < 0 ? 0 : SqlText.line(sql, position);
  }

  /// Returns the text around the position, or an empty text if unknown.
  public String excerpt() {
    return sql.isEmpty() || position < 0 ? "" : SqlText.excerpt(sql, position);
  }

  /// Returns a sentence that says what the client can do, or null if unknown.
  public @Nullable String hint() {
    return hint;
  }

  /// A statement that is not a single SELECT, does not parse or bind, names something that
  /// statements may not use, or has a parameter too many or too few.
  public static final class Invalid extends SqlException {

    private final Reason reason;

    /// @param position the offset in the statement in characters, or -1 if unknown
    /// @param length the number of characters, or 0 if unknown
    public Invalid(Reason reason, String message, int position, int length) {
      this(reason, message, "", position, length);
    }

    /// @param sql the statement, for the line and the excerpt
    /// @param position the offset in the statement in characters, or -1 if unknown
    /// @param length the number of characters, or 0 if unknown
    public Invalid(Reason reason, String message, String sql, int position, int length) {
      this(reason, message, sql, position, length, /* hint= */ null);
    }

    /// @param sql the statement, for the line and the excerpt
    /// @param position the offset in the statement in characters, or -1 if unknown
    /// @param length the number of characters, or 0 if unknown
    /// @param hint a sentence that says what the client can do, or null if unknown
    public Invalid(
        Reason reason,
        String message,
        String sql,
        int position,
        int length,
        @Nullable String hint) {
      super(message, sql, position, length, hint);
      this.reason = reason;
    }

    public Reason reason() {
      return reason;
    }
  }

  /// Why a statement is invalid.
  public enum Reason {
    /// It does not parse or bind.
    INVALID_SQL,
    /// It uses something that statements may not use.
    SQL_NOT_ALLOWED,
    /// It names a dataset or a version that does not exist.
    UNKNOWN_DATASET,
    /// It uses a column whose type has no equivalent.
    UNSUPPORTED_TYPE
  }

  /// A value that does not convert, or for which a computation is undefined.
  public static final class Value extends SqlException {
    public Value(String message) {
      this(message, /* hint= */ null);
    }

    public Value(String message, @Nullable String hint) {
      super(message, hint);
    }

    /// @param sql the statement, for the line and the excerpt
    /// @param position the offset of the value in the statement in characters, or -1 if unknown
    /// @param length the number of characters, or 0 if unknown
    /// @param hint a sentence that says what the client can do, or null if unknown
    public Value(String message, String sql, int position, int length, @Nullable String hint) {
      super(message, sql, position, length, hint);
    }
  }

  /// A statement, or a file, that takes too long.
  public static final class Timeout extends SqlException {
    public Timeout(String message, @Nullable String hint) {
      super(message, hint);
    }
  }

  /// A statement, a file or a result that exceeds a limit.
  public static final class TooLarge extends SqlException {

    private final Limit limit;

    public TooLarge(String message, Limit limit, @Nullable String hint) {
      super(message, hint);
      this.limit = limit;
    }

    public Limit limit() {
      return limit;
    }
  }

  /// A stored version whose data is invalid.
  public static final class InvalidVersion extends SqlException {
    InvalidVersion(String message) {
      super(message);
    }
  }

  /// A worker that ended before its statement, for no reason of the service's. The log has its exit
  /// code.
  public static final class WorkerLost extends SqlException {
    public WorkerLost(String message) {
      super(message);
    }
  }

  /// A worker that did not start.
  public static final class WorkerUnavailable extends SqlException {
    public WorkerUnavailable(String message) {
      super(message);
    }
  }

  /// A failure of the engine that is not the statement's. The log has its message.
  public static final class EngineFailure extends SqlException {
    EngineFailure(String message) {
      super(message);
    }
  }

  /// SQL that is disabled, or that the platform does not support.
  public static final class Unavailable extends SqlException {
    public Unavailable(String message) {
      super(message);
    }
  }

  /// Returns the message, which every such exception has.
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}

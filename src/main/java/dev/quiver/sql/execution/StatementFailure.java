package dev.quiver.sql.execution;

import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.worker.DamagedRange;
import dev.quiver.sql.worker.Failure;
import dev.quiver.store.blob.StorageFullException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Failures of statements after which a worker can run others, as exceptions.
final class StatementFailure {

  private static final System.Logger LOG = System.getLogger(StatementFailure.class.getName());

  /// A part of the engine's message about a cast of the result of a division by zero.
  private static final Pattern NOT_FINITE = Pattern.compile("with value -?(?:inf|nan) can't");

  private StatementFailure() {}

  /// @param sql the statement without what the service put before it
  /// @param prefixByteSize the bytes that the service put before it
  static RuntimeException of(Failure failure, String sql, int prefixByteSize) {
    String sentence = SqlText.sentence(failure.message());
    int bytes = failure.position() < prefixByteSize ? -1 : failure.position() - prefixByteSize;
    int position = SqlText.characters(sql, bytes);
    int length = bytes < 0 ? 0 : SqlText.characters(sql, bytes + failure.length()) - position;
    return switch (failure.kind()) {
      case SYNTAX, NAME, BINDING -> invalid(Reason.INVALID_SQL, failure, sql, position, length);
      case NOT_ALLOWED -> invalid(Reason.SQL_NOT_ALLOWED, failure, sql, position, length);
      case UNSUPPORTED_TYPE -> invalid(Reason.UNSUPPORTED_TYPE, failure, sql, position, length);
      case CONVERSION -> new SqlException.Value(sentence, conversionHint(failure));
      case DAMAGED -> new DamagedTableException(DamagedRange.parse(failure.message()));
      case INVALID_VERSION -> new SqlException.InvalidVersion(sentence);
      case GONE -> new OverloadedException(sentence + "; it may have been replaced, so try again");
      case OTHER, MEMORY, TOO_LARGE, INTERRUPTED, FATAL -> {
        // The engine passes on the operating system's words about a file that it writes.
        IOException cause = StorageFullException.recognized(new IOException(failure.message()));
        if (cause instanceof StorageFullException full) {
          yield new UncheckedIOException(full);
        }
        LOG.log(System.Logger.Level.WARNING, "The engine failed: {0}", failure.message());
        yield new SqlException.EngineFailure("Expected a result but found a failure of the engine");
      }
    };
  }

  private static @Nullable String conversionHint(Failure failure) {
    if (failure.hint() != null) {
      return failure.hint();
    }
    return NOT_FINITE.matcher(failure.message()).find()
        ? "For a null in place of this failure, divide by nullif(divisor, 0), or write TRY_CAST in place of CAST."
        : failure.message().contains("when casting from source column")
            ? "For a null in place of this failure, write TRY_CAST in place of CAST."
            : null;
  }

  private static SqlException invalid(
      Reason reason, Failure failure, String sql, int position, int length) {
    return new SqlException.Invalid(
        reason, SqlText.sentence(failure.message()), sql, position, length, failure.hint());
  }
}

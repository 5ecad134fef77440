package dev.quiver.server;

import dev.quiver.arrow.ipc.UnsupportedFormatException;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.arrow.transform.InvalidColumnsException;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.arrow.validate.Rule;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.parquet.UnrepresentableTypeException;
import dev.quiver.server.access.PrincipalMetrics;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.write.UploadFormat;
import dev.quiver.server.write.UploadMetrics;
import dev.quiver.server.write.WriteProblems;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.store.blob.StorageFullException;
import dev.quiver.store.blob.StoreUnavailableException;
import dev.quiver.store.catalog.WriterFullException;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DamagedDatasetException;
import dev.quiver.store.version.DatasetException;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReplacedException;
import dev.quiver.store.version.InvalidVersionException;
import dev.quiver.store.version.PreconditionFailedException;
import dev.quiver.store.version.SchemaMismatchException;
import dev.quiver.store.write.MissingEndOfStreamException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/// The problem of each exception of the packages below, whether the response to a request or the
/// end of a job reports it.
@Component
final class FailureProblems implements WriteProblems {

  private static final Logger LOG = LoggerFactory.getLogger(FailureProblems.class);
  private static final String RETRY_AFTER_SECONDS = "5";

  /// The shortest time between two garbage collections, before which nothing becomes free.
  private static final String GARBAGE_SECONDS = "3600";

  private final UploadMetrics metrics;
  private final PrincipalMetrics principals;
  private final String storageKey;

  FailureProblems(UploadMetrics metrics, PrincipalMetrics principals, QuiverProperties properties) {
    this.metrics = metrics;
    this.principals = principals;
    this.storageKey = properties.storage().key();
  }

  @Override
  public Problem of(Throwable failure, String requestId) {
    Problem problem = failure instanceof Exception e ? find(e) : null;
    if (problem == null) {
      problem =
          Problem.of(
                  ProblemType.INTERNAL,
                  "The log of the service names the cause under this requestId")
              .withHint(Problem.REPORT_HINT);
      LOG.atError()
          .addKeyValue("problem", problem.type())
          .setCause(failure)
          .log("A job failed as request {}", requestId);
    }
    return problem.with("requestId", requestId);
  }

  /// Returns the problem of an exception, or null if it has no problem.
  @Override
  public @Nullable Problem find(Exception failure) {
    Problem unhinted = problem(failure);
    Problem problem =
        unhinted == null || unhinted.hasHint()
            ? unhinted
            : unhinted.withHint(FailureHints.of(failure));
    if (problem != null && isAboutData(failure)) {
      metrics.countRefused(problem.type().substring(problem.type().lastIndexOf(':') + 1));
    }
    return problem;
  }

  /// Returns whether data that was sent is the reason of a failure.
  private static boolean isAboutData(Exception failure) {
    return failure instanceof ForeignDataException
        || failure instanceof InputException
        || failure instanceof InvalidDataException
        || failure instanceof MissingEndOfStreamException
        || failure instanceof SchemaMismatchException
        || failure instanceof UnsupportedFormatException;
  }

  private @Nullable Problem problem(Exception failure) {
    return switch (failure) {
      case ProblemException e -> e.problem();
      case InvalidColumnsException e -> Problem.of(ProblemType.BAD_REQUEST, sentence(e));
      case InputException e -> problem(e);
      case InvalidDataException e -> {
        metrics.count(e.findings());
        yield problem(e);
      }
      case MissingEndOfStreamException e -> problem(e);
      case SchemaMismatchException e -> problem(e);
      case DatasetReplacedException e ->
          Problem.of(type(e), sentence(e)).with("replacement", e.replacement());
      case DatasetGoneException e ->
          Problem.of(type(e), sentence(e))
              .with("oldest", e.oldest())
              .with("expires", e.expiredAt() == null ? null : e.expiredAt().toString());
      case DatasetException e -> problem(e);
      case UnsupportedFormatException e -> UploadFormat.unsupported(sentence(e)).withHint(e.hint());
      case WriterFullException e -> problem(e);
      case StorageFullException e -> full(e);
      case StoreUnavailableException e -> unavailable(e);
      case OverloadedException e -> overloaded(sentence(e));
      case CancelledException e -> overloaded(sentence(e));
      case SqlException e -> problem(e);
      case ForeignDataException e ->
          Problem.of(ProblemType.INVALID_FILE, sentence(e))
              .withHint(e.hint())
              .with("line", e.line())
              .with("row", e.row())
              .with("column", e.column() == null ? e.columnNumber() : e.column())
              .with("value", e.value());
      case UnrepresentableTypeException e ->
          Problem.of(ProblemType.UNSUPPORTED, sentence(e))
              .with("column", e.column())
              .with("arrowType", e.type());
      case InvalidOptionException e -> Problem.of(ProblemType.BAD_REQUEST, sentence(e));
      case DamagedBlobException e -> problem(e);
      case UncheckedIOException e when e.getCause() instanceof DamagedBlobException damage ->
          problem(damage);
      case UncheckedIOException e when e.getCause() instanceof StoreUnavailableException lost ->
          unavailable(lost);
      // Working memory spilled to disk.
      case UncheckedIOException e when recognized(e) instanceof StorageFullException full ->
          full(full);
      default -> null;
    };
  }

  private Problem problem(WriterFullException failure) {
    principals.count(failure.limit());
    return Problem.of(ProblemType.QUOTA_EXCEEDED, sentence(failure))
        .with("limit", limit(failure.limit()))
        .withHeader("Retry-After", GARBAGE_SECONDS);
  }

  private static Problem full(StorageFullException failure) {
    return logged(Problem.of(ProblemType.STORAGE_FULL, sentence(failure)), failure);
  }

  private static IOException recognized(UncheckedIOException failure) {
    return StorageFullException.recognized(Objects.requireNonNull(failure.getCause()));
  }

  static Problem overloaded(String detail) {
    return Problem.of(ProblemType.OVERLOADED, detail)
        .withHint(Problem.RETRY_HINT)
        .withHeader("Retry-After", RETRY_AFTER_SECONDS);
  }

  /// Returns the problem, and logs errors of stored data for the operator.
  private static Problem problem(DatasetException failure) {
    Problem problem = Problem.of(type(failure), sentence(failure));
    return problem.status() >= HttpStatus.INTERNAL_SERVER_ERROR.value()
        ? logged(problem, failure)
        : problem;
  }

  private static Problem problem(DamagedBlobException failure) {
    return Problem.of(ProblemType.DAMAGED, sentence(failure))
        .with("version", failure.version())
        .with("blob", failure.blob())
        .with("byteOffset", failure.byteOffset());
  }

  /// Logs the message of the store for the operator; clients do not see it.
  private Problem unavailable(StoreUnavailableException failure) {
    Problem problem =
        Problem.of(
                ProblemType.STORE_UNAVAILABLE,
                "Expected a response from the store but found none at " + storageKey)
            .withHeader("Retry-After", RETRY_AFTER_SECONDS);
    return logged(problem, failure);
  }

  /// Logs the message of a failure that the operator must know of.
  private static Problem logged(Problem problem, Exception failure) {
    LOG.atWarn().addKeyValue("problem", problem.type()).log(failure.getMessage());
    return problem;
  }

  private static Problem problem(SqlException failure) {
    return switch (failure) {
      case SqlException.Invalid e ->
          placed(Problem.of(type(e.reason()), sentence(e)).withHint(hint(e)), e);
      case SqlException.Value e ->
          placed(Problem.of(ProblemType.INVALID_VALUE, sentence(e)).withHint(hint(e)), e);
      case SqlException.Timeout e ->
          Problem.of(ProblemType.QUERY_TIMEOUT, sentence(e)).withHint(e.hint());
      case SqlException.TooLarge e ->
          Problem.of(ProblemType.QUERY_MEMORY, sentence(e))
              .withHint(e.hint())
              .with("limit", limit(e.limit()));
      case SqlException.InvalidVersion e -> Problem.of(ProblemType.INVALID_VERSION, sentence(e));
      case SqlException.EngineFailure e -> Problem.of(ProblemType.INTERNAL, sentence(e));
      case SqlException.WorkerLost e -> Problem.of(ProblemType.INTERNAL, sentence(e));
      case SqlException.WorkerUnavailable e ->
          Problem.of(ProblemType.WORKER_UNAVAILABLE, sentence(e));
      case SqlException.Unavailable e -> Problem.of(ProblemType.NOT_IMPLEMENTED, sentence(e));
    };
  }

  /// Returns a problem with the place of the mistake in the statement, as far as it is known.
  private static Problem placed(Problem problem, SqlException failure) {
    return problem
        .with("position", failure.position() < 0 ? null : failure.position())
        .with("length", failure.length() == 0 ? null : failure.length())
        .with("line", failure.line() == 0 ? null : failure.line())
        .with("excerpt", failure.excerpt().isEmpty() ? null : failure.excerpt());
  }

  /// Returns the hint as a sentence with the paths that the client knows.
  private static @Nullable String hint(SqlException failure) {
    String hint = failure.hint();
    if (hint == null) {
      return null;
    }
    String sentence = hint.endsWith(".") ? hint : hint + ".";
    return PublicPath.inSentence(sentence);
  }

  private static ProblemType type(SqlException.Reason reason) {
    return switch (reason) {
      case INVALID_SQL -> ProblemType.INVALID_SQL;
      case SQL_NOT_ALLOWED -> ProblemType.SQL_NOT_ALLOWED;
      case UNKNOWN_DATASET -> ProblemType.UNKNOWN_DATASET;
      case UNSUPPORTED_TYPE -> ProblemType.UNSUPPORTED_TYPE;
    };
  }

  private static Problem problem(InputException e) {
    Problem problem =
        Problem.of(type(e), sentence(e))
            .with("messageIndex", e.place().messageIndex())
            .with("byteOffset", e.place().byteOffset())
            .with("field", e.place().field());
    return e instanceof TooLargeInputException tooLarge
        ? problem.with("limit", limit(tooLarge.limit()))
        : problem;
  }

  private static Problem problem(InvalidDataException e) {
    Rule rule = e.findings().getFirst().rule();
    return Problem.of(ProblemType.MALFORMED, rule, sentence(e))
        .with("messageIndex", e.place().messageIndex())
        .with("byteOffset", e.place().byteOffset())
        .with("field", e.place().field())
        .with("rule", rule.name())
        .with("specification", rule.link().toString());
  }

  private static Problem problem(MissingEndOfStreamException e) {
    return Problem.of(ProblemType.END_OF_STREAM, sentence(e))
        .with("byteOffset", e.byteOffset())
        .with("batchCount", e.batchCount());
  }

  private static Problem problem(SchemaMismatchException e) {
    return Problem.of(ProblemType.SCHEMA_MISMATCH, sentence(e))
        .withHint(
            switch (e.remedy()) {
              case DATA ->
                  "Append columns and values that fit those of the dataset, or replace it by PUT.";
              case ADD_COLUMNS ->
                  "The parameter columns=extend adds the columns that the dataset lacks.";
              case CONVERT ->
                  "Without the parameter types=exact, the append is converted to the types of the"
                      + " dataset.";
            })
        .with("differences", e.differences().stream().map(Documents.SchemaDifference::of).toList())
        .with("differenceCount", e.count());
  }

  private static Map<String, Object> limit(Limit limit) {
    return Map.of("key", limit.name(), "maximum", limit.maximum());
  }

  private static ProblemType type(InputException e) {
    return switch (e) {
      case MalformedInputException _ -> ProblemType.MALFORMED;
      case TruncatedInputException _ -> ProblemType.TRUNCATED;
      case UnsupportedInputException _ -> ProblemType.UNSUPPORTED;
      case TooLargeInputException _ -> ProblemType.TOO_LARGE;
    };
  }

  private static ProblemType type(DatasetException e) {
    return switch (e) {
      case DatasetNotFoundException _ -> ProblemType.NOT_FOUND;
      case DatasetGoneException gone ->
          gone.expiredAt() == null ? ProblemType.GONE : ProblemType.EXPIRED;
      case DatasetReplacedException _ -> ProblemType.REPLACED;
      case DamagedDatasetException _ -> ProblemType.DAMAGED;
      case InvalidVersionException _ -> ProblemType.INVALID_VERSION;
      case PreconditionFailedException _ -> ProblemType.PRECONDITION_FAILED;
      case SchemaMismatchException _ -> ProblemType.SCHEMA_MISMATCH;
    };
  }

  private static String sentence(Exception e) {
    return String.valueOf(e.getMessage());
  }
}

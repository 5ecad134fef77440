package dev.quiver.web;

import dev.quiver.dataset.ingest.InvalidDataException;
import dev.quiver.dataset.ingest.MissingEndOfStreamException;
import dev.quiver.dataset.version.DamagedDatasetException;
import dev.quiver.dataset.version.DatasetException;
import dev.quiver.dataset.version.DatasetGoneException;
import dev.quiver.dataset.version.DatasetNotFoundException;
import dev.quiver.dataset.version.DatasetReplacedException;
import dev.quiver.dataset.version.InvalidVersionException;
import dev.quiver.dataset.version.PreconditionFailedException;
import dev.quiver.dataset.version.SchemaMismatchException;
import dev.quiver.foreign.ForeignDataException;
import dev.quiver.foreign.InvalidOptionException;
import dev.quiver.input.InputException;
import dev.quiver.input.MalformedInputException;
import dev.quiver.input.OverloadedException;
import dev.quiver.input.TooLargeInputException;
import dev.quiver.input.TruncatedInputException;
import dev.quiver.input.UnsupportedInputException;
import dev.quiver.ipc.UnsupportedFormatException;
import dev.quiver.memory.MemoryExhaustion;
import dev.quiver.query.execution.SqlException;
import dev.quiver.storage.StorageFullException;
import dev.quiver.storage.StoreUnavailableException;
import dev.quiver.transform.InvalidColumnsException;
import dev.quiver.validate.Rule;
import dev.quiver.web.dataset.FindingMetrics;
import dev.quiver.web.filter.AcceptPost;
import dev.quiver.web.filter.AllowedMethods;
import dev.quiver.web.problem.ContainerErrors;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemReportValve;
import dev.quiver.web.problem.ProblemType;
import dev.quiver.web.problem.ProblemWriter;
import dev.quiver.web.request.UploadFormat;
import dev.quiver.web.resource.Documents;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/// Maps each exception to its problem.
///
/// Other exceptions propagate to Tomcat, which logs them; [ProblemReportValve] reports them as a
/// 500. If the response is committed, the connection is closed instead.
@RestControllerAdvice
public final class ProblemAdvice {

  private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);
  private static final String RETRY_AFTER_SECONDS = "5";

  private final FindingMetrics metrics;

  ProblemAdvice(FindingMetrics metrics) {
    this.metrics = metrics;
  }

  @ExceptionHandler({
    ProblemException.class,
    InvalidColumnsException.class,
    InputException.class,
    SqlException.class,
    ForeignDataException.class,
    InvalidOptionException.class,
    InvalidDataException.class,
    MissingEndOfStreamException.class,
    DatasetException.class,
    UnsupportedFormatException.class,
    StorageFullException.class,
    StoreUnavailableException.class,
    OverloadedException.class,
    UncheckedIOException.class,
    ServletException.class,
    InvalidParameterException.class
  })
  void handle(Exception failure, HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    MemoryExhaustion.endProcessIfCauseOf(failure);
    if (!response.isCommitted()) {
      ProblemWriter.write(request, response, withAcceptPost(problem(failure, request), request));
    } else if (request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) != null) {
      // The request body ended early. Tomcat then lets only the valve respond.
      request.setAttribute(ProblemReportValve.PROBLEM, problem(failure, request));
    } else {
      throw failure;
    }
  }

  /// Adds the accepted media types, whether the type or the coding is unsupported: RFC 9110
  /// §15.5.16.
  private static Problem withAcceptPost(Problem problem, HttpServletRequest request) {
    return problem.status() == ProblemType.UNSUPPORTED_MEDIA_TYPE.status()
        ? problem.withHeader("Accept-Post", AcceptPost.of(request))
        : problem;
  }

  private Problem problem(Exception failure, HttpServletRequest request) throws Exception {
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
      case DatasetGoneException e -> Problem.of(type(e), sentence(e)).with("oldest", e.oldest());
      case DatasetException e -> problem(e);
      case UnsupportedFormatException e -> UploadFormat.unsupported(sentence(e));
      case StorageFullException e -> full(e);
      case StoreUnavailableException e -> unavailable(e);
      case OverloadedException e -> overloaded(sentence(e));
      case SqlException e -> problem(e);
      case ForeignDataException e ->
          Problem.of(ProblemType.INVALID_FILE, sentence(e))
              .with("line", e.line())
              .with("column", e.column())
              .with("value", e.value());
      case InvalidOptionException e -> Problem.of(ProblemType.BAD_REQUEST, sentence(e));
      // Working memory spilled to disk.
      case UncheckedIOException e when recognized(e) instanceof StorageFullException full ->
          full(full);
      // Memory is left, but not a thread or an array of that length.
      case ServletException e when e.getCause() instanceof OutOfMemoryError ->
          overloaded("Expected enough memory or threads for the request but found too few");
      case HttpRequestMethodNotSupportedException e ->
          AllowedMethods.problem(request, e.getSupportedMethods());
      case NoHandlerFoundException e -> Problem.notFound(e.getRequestURL());
      case NoResourceFoundException _ -> Problem.notFound(request.getRequestURI());
      case InvalidParameterException _ -> ContainerErrors.query(request);
      case ErrorResponse e -> problem(e);
      default -> throw failure;
    };
  }

  private static Problem full(StorageFullException failure) {
    LOG.warn(failure.getMessage());
    return Problem.of(ProblemType.STORAGE_FULL, sentence(failure));
  }

  private static IOException recognized(UncheckedIOException failure) {
    return StorageFullException.recognized(Objects.requireNonNull(failure.getCause()));
  }

  private static Problem overloaded(String detail) {
    return Problem.of(ProblemType.OVERLOADED, detail)
        .withHeader("Retry-After", RETRY_AFTER_SECONDS);
  }

  /// Returns the problem, and logs errors of stored data for the operator.
  private static Problem problem(DatasetException failure) {
    Problem problem = Problem.of(type(failure), sentence(failure));
    if (problem.status() >= HttpStatus.INTERNAL_SERVER_ERROR.value()) {
      LOG.warn(failure.getMessage());
    }
    return problem;
  }

  /// Logs the message of the store for the operator; clients do not see it.
  private static Problem unavailable(StoreUnavailableException failure) {
    LOG.warn(failure.getMessage());
    return Problem.of(
            ProblemType.STORE_UNAVAILABLE, "Expected a response from the store but found none")
        .withHeader("Retry-After", RETRY_AFTER_SECONDS);
  }

  private static Problem problem(SqlException failure) {
    return switch (failure) {
      case SqlException.Invalid e ->
          Problem.of(type(e.reason()), sentence(e))
              .with("position", e.position() < 0 ? null : e.position())
              .with("length", e.length() == 0 ? null : e.length())
              .with("line", e.line() == 0 ? null : e.line())
              .with("excerpt", e.excerpt().isEmpty() ? null : e.excerpt());
      case SqlException.Value e -> Problem.of(ProblemType.INVALID_VALUE, sentence(e));
      case SqlException.Timeout e -> Problem.of(ProblemType.QUERY_TIMEOUT, sentence(e));
      case SqlException.TooLarge e ->
          Problem.of(ProblemType.QUERY_MEMORY, sentence(e))
              .with("limit", Map.of("key", e.limit().name(), "maximum", e.limit().maximum()));
      case SqlException.InvalidVersion e -> Problem.of(ProblemType.INVALID_VERSION, sentence(e));
      case SqlException.EngineFailure e -> Problem.of(ProblemType.INTERNAL, sentence(e));
      case SqlException.WorkerLost e -> Problem.of(ProblemType.WORKER_LOST, sentence(e));
      case SqlException.Unavailable e -> Problem.of(ProblemType.NOT_IMPLEMENTED, sentence(e));
      case SqlException.Cancelled e -> overloaded(sentence(e));
    };
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
        ? problem.with("limit", limit(tooLarge))
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
        .with("differences", e.differences().stream().map(Documents.SchemaDifference::of).toList())
        .with("differenceCount", e.count());
  }

  private static Map<String, Object> limit(TooLargeInputException e) {
    return Map.of("key", e.limit().name(), "maximum", e.limit().maximum());
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
      case DatasetGoneException _ -> ProblemType.GONE;
      case DatasetReplacedException _ -> ProblemType.REPLACED;
      case DamagedDatasetException _ -> ProblemType.DAMAGED;
      case InvalidVersionException _ -> ProblemType.INVALID_VERSION;
      case PreconditionFailedException _ -> ProblemType.PRECONDITION_FAILED;
      case SchemaMismatchException _ -> ProblemType.SCHEMA_MISMATCH;
    };
  }

  /// Returns the problem of other exceptions for which Spring has a status.
  private static Problem problem(ErrorResponse error) {
    int status = error.getStatusCode().value();
    HttpStatus known = HttpStatus.resolve(status);
    String title = known == null ? "Status " + status : known.getReasonPhrase();
    String detail = error.getBody().getDetail();
    return Problem.ofStatus(status, title, detail == null ? title : detail);
  }

  private static String sentence(Exception e) {
    return String.valueOf(e.getMessage());
  }
}

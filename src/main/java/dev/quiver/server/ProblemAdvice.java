package dev.quiver.server;

import dev.quiver.arrow.ipc.UnsupportedFormatException;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.MemoryExhaustion;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.arrow.transform.InvalidColumnsException;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.parquet.UnrepresentableTypeException;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.ProblemWriter;
import dev.quiver.server.transfer.Exchange;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.store.blob.StorageFullException;
import dev.quiver.store.blob.StoreUnavailableException;
import dev.quiver.store.catalog.WriterFullException;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DatasetException;
import dev.quiver.store.write.MissingEndOfStreamException;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.UncheckedIOException;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/// Maps each exception to its problem.
///
/// Other exceptions propagate to Tomcat, which logs them and reports them as a 500. If the response
/// is committed, the connection is closed instead.
@RestControllerAdvice
public final class ProblemAdvice {

  private final FailureProblems problems;
  private final RequestHints hints;

  ProblemAdvice(FailureProblems problems, RequestHints hints) {
    this.problems = problems;
    this.hints = hints;
  }

  @ExceptionHandler({
    ProblemException.class,
    InvalidColumnsException.class,
    InputException.class,
    SqlException.class,
    ForeignDataException.class,
    UnrepresentableTypeException.class,
    InvalidOptionException.class,
    InvalidDataException.class,
    MissingEndOfStreamException.class,
    DatasetException.class,
    DamagedBlobException.class,
    UnsupportedFormatException.class,
    WriterFullException.class,
    StorageFullException.class,
    StoreUnavailableException.class,
    OverloadedException.class,
    CancelledException.class,
    UncheckedIOException.class,
    ServletException.class
  })
  void handle(Exception failure, HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    MemoryExhaustion.endProcessIfCauseOf(failure);
    if (!response.isCommitted()) {
      Problem problem = hints.add(problem(failure, request), failure, request);
      ProblemWriter.write(request, response, withAcceptPost(problem, request));
    } else if (request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) != null) {
      // The request body ended early. Tomcat then lets only the valve respond.
      Exchange.of(request).report(problem(failure, request));
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
    Problem found = problems.find(failure);
    if (found != null) {
      return found;
    }
    return switch (failure) {
      // Memory is left, but not a thread or an array of that length.
      case ServletException e when e.getCause() instanceof OutOfMemoryError ->
          FailureProblems.overloaded(
              "Expected enough memory or threads for the request but found too few");
      case HttpRequestMethodNotSupportedException e ->
          AllowedMethods.problem(request, e.getSupportedMethods());
      case NoHandlerFoundException e -> Problem.notFound(e.getRequestURL());
      case NoResourceFoundException _ -> Problem.notFound(request.getRequestURI());
      case ErrorResponse e -> problem(e);
      default -> throw failure;
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
}

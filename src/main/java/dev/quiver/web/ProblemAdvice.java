package dev.quiver.web;

import dev.quiver.dataset.ingest.InvalidDataException;
import dev.quiver.dataset.ingest.MissingEndOfStreamException;
import dev.quiver.dataset.integrity.DamagedBlobException;
import dev.quiver.dataset.quota.WriterFullException;
import dev.quiver.dataset.version.DatasetException;
import dev.quiver.foreign.ForeignDataException;
import dev.quiver.foreign.InvalidOptionException;
import dev.quiver.foreign.parquet.UnrepresentableTypeException;
import dev.quiver.input.InputException;
import dev.quiver.input.OverloadedException;
import dev.quiver.ipc.UnsupportedFormatException;
import dev.quiver.memory.MemoryExhaustion;
import dev.quiver.query.execution.SqlException;
import dev.quiver.storage.StorageFullException;
import dev.quiver.storage.StoreUnavailableException;
import dev.quiver.transform.InvalidColumnsException;
import dev.quiver.web.filter.AcceptPost;
import dev.quiver.web.filter.AllowedMethods;
import dev.quiver.web.problem.ContainerErrors;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemReportValve;
import dev.quiver.web.problem.ProblemType;
import dev.quiver.web.problem.ProblemWriter;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.UncheckedIOException;
import org.apache.tomcat.util.http.InvalidParameterException;
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

  private final FailureProblems problems;

  ProblemAdvice(FailureProblems problems) {
    this.problems = problems;
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
      case InvalidParameterException _ -> ContainerErrors.query(request);
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

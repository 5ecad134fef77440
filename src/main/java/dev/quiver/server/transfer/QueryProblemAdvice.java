package dev.quiver.server.transfer;

import dev.quiver.server.http.ProblemWriter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/// Maps Tomcat's exception about a malformed query to its problem.
@RestControllerAdvice
public final class QueryProblemAdvice {

  @ExceptionHandler(InvalidParameterException.class)
  void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
    ProblemWriter.write(request, response, ContainerErrors.query(request));
  }
}

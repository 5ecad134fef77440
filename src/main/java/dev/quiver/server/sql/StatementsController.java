package dev.quiver.server.sql;

import dev.quiver.server.access.Access;
import dev.quiver.server.http.CacheControl;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.Problem;
import dev.quiver.server.resource.Paths;
import dev.quiver.sql.query.Queries;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The progress of statements, each for its own principal.
///
/// A statement may end just before its client asks. That is not a failure: any id that a statement
/// may have is a 200.
@RestController
final class StatementsController {

  private final Queries queries;
  private final RunningStatements statements;

  StatementsController(Queries queries, RunningStatements statements) {
    this.queries = queries;
    this.statements = statements;
  }

  @GetMapping(Paths.STATEMENT)
  void get(
      @PathVariable("statement") String id,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    if (!StatementId.isValid(id)) {
      throw Problem.notFound(request.getRequestURI()).asException();
    }
    queries.requireAvailable();
    Json.write(
        response,
        HttpServletResponse.SC_OK,
        CacheControl.NO_STORE,
        statements.find(Access.of(request).principal(), id));
  }
}

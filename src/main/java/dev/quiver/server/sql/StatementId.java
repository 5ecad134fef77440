package dev.quiver.server.sql;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The id that a client chooses for its statement, to ask how far it is.
final class StatementId {

  static final String NAME = "Quiver-Statement";
  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private StatementId() {}

  static boolean isValid(String id) {
    return VALID.matcher(id).matches();
  }

  /// Returns the id of the statement of a request, or null if absent.
  ///
  /// @throws ProblemException 400 if the id is invalid, or if there are several
  static @Nullable String of(HttpServletRequest request) {
    List<String> lines = Collections.list(request.getHeaders(NAME));
    if (lines.isEmpty()) {
      return null;
    }
    if (lines.size() > 1) {
      throw badRequest("Expected one id but found " + lines.size());
    }
    String id = lines.getFirst();
    if (!isValid(id)) {
      throw badRequest(
          "Expected 1 to 64 characters from A-Z a-z 0-9 _ - but found \"%s\""
              .formatted(Excerpt.of(id, Problem.QUOTE_LENGTH)));
    }
    return id;
  }

  private static ProblemException badRequest(String finding) {
    return Problem.badRequest(finding + " at header " + NAME);
  }
}

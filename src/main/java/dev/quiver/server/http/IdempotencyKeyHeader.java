package dev.quiver.server.http;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.store.version.IdempotencyKey;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The header that makes a write safe to retry.
///
/// In the draft of the HTTPAPI working group the key is a structured-field string; most clients
/// send the bare key. Both forms are equivalent.
///
/// @see <a
///   href="https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/">draft</a>
public final class IdempotencyKeyHeader {

  private static final String NAME = "Idempotency-Key";

  /// RFC 9651 §3.3.3.
  private static final Pattern STRING = Pattern.compile("\"((?:[ !#-\\[\\]-~]|\\\\[\"\\\\])*+)\"");

  private static final Pattern ESCAPED = Pattern.compile("\\\\([\"\\\\])");

  private IdempotencyKeyHeader() {}

  /// Returns the key of a request, or null if absent.
  ///
  /// @throws ProblemException 400 if the key is invalid, or if there are several
  public static @Nullable IdempotencyKey of(RequestHead head) {
    List<String> lines = head.headers(NAME);
    if (lines.isEmpty()) {
      return null;
    }
    if (lines.size() > 1) {
      throw badRequest("Expected one key but found " + lines.size());
    }
    String value = lines.getFirst().strip();
    try {
      return new IdempotencyKey(value.startsWith("\"") ? unquoted(value) : value);
    } catch (IllegalArgumentException e) {
      throw badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static String unquoted(String value) {
    Matcher string = STRING.matcher(value);
    if (!string.matches()) {
      throw badRequest(
          "Expected a string with a closing quote but found "
              + Excerpt.of(value, Problem.QUOTE_LENGTH));
    }
    return ESCAPED.matcher(string.group(1)).replaceAll("$1");
  }

  private static ProblemException badRequest(String finding) {
    return Problem.badRequest(finding + " at header " + NAME);
  }
}

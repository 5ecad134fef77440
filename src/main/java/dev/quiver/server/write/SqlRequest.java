package dev.quiver.server.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.server.http.MediaTypes;
import dev.quiver.server.http.ParameterizedValue;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.RequestHead;
import dev.quiver.server.resource.ParameterParser;
import dev.quiver.sql.worker.Parameter;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement with the values of its parameters, as a request brings them.
///
/// ```text
/// GET  → parameter 'q', parameters 'p.name' or 'p.1'
/// POST → the body as the statement | 'q=' form-encoded | JSON: see [SqlDocument]
/// ```
///
/// `curl -d` sends a statement as it is, under the media type of a form. A body of that type is a
/// form only if it starts with `q=`.
///
/// @param timeout the time that the client grants, or null
public record SqlRequest(String sql, List<Parameter> parameters, @Nullable Duration timeout) {

  /// Precedes the names of parameters in the query.
  static final String PARAMETER_PREFIX = "p.";

  private static final String FORM_PREFIX = "q=";

  /// The media types of statements, for `Accept-Post` and in problems.
  public static final String ACCEPTED = "application/sql, text/plain, application/json";

  /// Reads the statement of a GET.
  ///
  /// @throws ProblemException 400 if it is absent
  public static SqlRequest ofQuery(HttpServletRequest request) {
    String sql = find(request);
    if (sql == null) {
      throw bad("Expected a statement but found none at parameter q");
    }
    return new SqlRequest(sql, parameters(RequestHead.of(request)), null);
  }

  /// Returns the statement of a GET, or null if absent.
  public static @Nullable String find(HttpServletRequest request) {
    return ParameterParser.only(request, "q");
  }

  /// Reads the statement of a POST.
  ///
  /// @param limit the limit on the size of the body
  /// @throws ProblemException 415 if the media type is not one of statements, 400 if the body is
  ///   invalid
  public static SqlRequest ofBody(RequestHead head, ByteSource body, Limit limit)
      throws IOException {
    String type = ParameterizedValue.withoutParameters(head.contentType());
    List<Parameter> parameters = parameters(head);
    return switch (type) {
      case "application/json" -> SqlDocument.parse(text(body, limit), parameters);
      case "application/x-www-form-urlencoded" ->
          new SqlRequest(formField(text(body, limit)), parameters, null);
      case "", MediaTypes.SQL, "text/plain", "application/octet-stream" ->
          new SqlRequest(text(body, limit), parameters, null);
      default ->
          throw UploadFormat.unsupported(
                  "Expected " + ACCEPTED + " but found " + type + " at header Content-Type")
              .withHint("Send Content-Type: application/sql.")
              .asException();
    };
  }

  /// Reads a statement.
  ///
  /// @throws ProblemException 400 if it is empty or not in UTF-8
  static String text(ByteSource body, Limit limit) throws IOException {
    byte[] bytes = new byte[Math.toIntExact(limit.maximum() + 1)];
    int byteSize = (int) body.readFully(MemorySegment.ofArray(bytes));
    limit.check(byteSize, "bytes of a statement", InputLocation.UNKNOWN);
    if (byteSize == 0) {
      throw Problem.badRequest(
          "Expected a statement but found no data",
          "Send the statement as the body, as in curl -d 'SELECT 1' URL.");
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, 0, byteSize))
          .toString();
    } catch (CharacterCodingException e) {
      throw bad("Expected a statement in UTF-8 but found other bytes");
    }
  }

  private static String formField(String body) {
    if (!body.startsWith(FORM_PREFIX)) {
      return body;
    }
    if (body.indexOf('&') >= 0) {
      throw bad("Expected q as the only field of the form but found others");
    }
    try {
      return URLDecoder.decode(body.substring(FORM_PREFIX.length()), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw bad("Expected percent-encoded text but found other characters at field q");
    }
  }

  /// Returns the parameters of the query as text, which the engine converts.
  static List<Parameter> parameters(RequestHead head) {
    List<Parameter> parameters = new ArrayList<>();
    head.parameters()
        .forEach((name, values) -> {
          if (name.startsWith(PARAMETER_PREFIX)) {
            String value = ParameterParser.only(values, name);
            parameters.add(
                new Parameter(
                    name.substring(PARAMETER_PREFIX.length()), Parameter.Type.VARCHAR, value));
          }
        });
    return parameters;
  }

  static ProblemException bad(String detail) {
    return Problem.badRequest(detail);
  }
}

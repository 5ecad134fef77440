package dev.quiver.server.write;

import dev.quiver.server.http.ParameterizedValue;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.RequestHead;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The boundary between the parts of a `multipart/form-data` body: RFC 2046 §5.1.1.
public record Boundary(String value) {

  private static final Pattern FORM = Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{1,70}(?<! )");

  public Boundary {
    if (!FORM.matcher(value).matches()) {
      throw unexpected('"' + value + '"');
    }
  }

  /// Returns the boundary that `Content-Type` declares, or null if the body is not a form.
  ///
  /// @throws ProblemException if the boundary is missing or invalid: status 400
  static @Nullable Boundary of(RequestHead head) {
    String contentType = head.contentType();
    if (contentType == null
        || !ParameterizedValue.withoutParameters(contentType).equals(UploadFormat.FORM)) {
      return null;
    }
    UploadFormat.requireWhole(head);
    ParameterizedValue parsed = ParameterizedValue.parse(contentType);
    String value = parsed == null ? null : parsed.parameters().get("boundary");
    if (value == null) {
      throw unexpected("none");
    }
    return new Boundary(value);
  }

  private static ProblemException unexpected(String found) {
    return Problem.badRequest(
        "Expected a boundary of 1 to 70 characters but found %s at header Content-Type"
            .formatted(found),
        "Leave Content-Type to the client, which states the boundary, as in curl -F file=@FILE URL.");
  }
}

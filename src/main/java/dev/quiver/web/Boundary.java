package dev.quiver.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/// What stands between the parts of a `multipart/form-data` body: RFC 2046 §5.1.1.
record Boundary(String value) {

  private static final Pattern FORM = Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{1,70}(?<! )");

  Boundary {
    if (!FORM.matcher(value).matches()) {
      throw unexpected('"' + value + '"');
    }
  }

  /// The boundary that the type of a body names; null when it is of another type.
  ///
  /// @throws ProblemException 400 when it names none, or one that cannot be
  static @Nullable Boundary of(HttpServletRequest request) {
    String contentType = request.getContentType();
    if (!UploadFormat.mediaType(contentType).equals(UploadFormat.FORM)) {
      return null;
    }
    UploadFormat.requireWhole(request);
    String value = parameter(contentType);
    if (value == null) {
      throw unexpected("none");
    }
    boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return new Boundary(quoted ? value.substring(1, value.length() - 1) : value);
  }

  private static @Nullable String parameter(String contentType) {
    try {
      return MediaType.parseMediaType(contentType).getParameter("boundary");
    } catch (InvalidMediaTypeException e) {
      return null;
    }
  }

  private static ProblemException unexpected(String found) {
    return Problem.of(
            ProblemType.BAD_REQUEST,
            "Expected a boundary of 1 to 70 characters but found %s at header Content-Type"
                .formatted(found))
        .asException();
  }
}

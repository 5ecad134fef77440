package dev.quiver.server.write;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.server.http.ParameterizedValue;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The header of a part of a form: RFC 7578 §4.
///
/// @param fileName the name of a file on another machine, whose end may tell a format; null if
///   absent
/// @param contentType the media type of the content, or null if absent
record FormPart(String name, @Nullable String fileName, @Nullable String contentType) {

  boolean isFile() {
    return fileName != null;
  }

  /// Collects a header line by line. Unknown header fields are ignored.
  static final class Builder {

    /// The encodings that leave content unchanged: RFC 2045 §6.2.
    private static final Set<String> PLAIN = Set.of("7bit", "8bit", "binary");

    /// The parameters with the name of a file. The second one is invalid in forms but sent: RFC
    /// 7578 §4.2.
    private static final List<String> FILENAMES = List.of("filename", "filename*");

    private static final String HEADER = "the header of a part";

    private @Nullable String name;
    private @Nullable String fileName;
    private @Nullable String contentType;

    void add(String line) {
      int colon = line.indexOf(':');
      if (colon < 1 || !line.substring(0, colon).matches("[!#-'*+.0-9A-Z^-z|~-]+")) {
        throw unexpected("a name and a colon in each line", "none", HEADER);
      }
      String value = line.substring(colon + 1).strip();
      switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
        case "content-disposition" -> {
          if (name != null) {
            throw unexpected("one Content-Disposition", "two", HEADER);
          }
          disposition(value);
        }
        case "content-type" -> contentType = value;
        case "content-transfer-encoding" -> {
          if (!PLAIN.contains(value.toLowerCase(Locale.ROOT))) {
            throw unexpected("no encoding", value, "Content-Transfer-Encoding of a part");
          }
        }
        default -> {}
      }
    }

    private void disposition(String value) {
      ParameterizedValue parsed = ParameterizedValue.parse(value);
      if (parsed == null
          || !parsed.value().equals("form-data")
          || !parsed.parameters().containsKey("name")) {
        throw unexpected("form-data and a name", value, "Content-Disposition of a part");
      }
      name = parsed.parameters().get("name");
      fileName =
          FILENAMES.stream()
              .map(parsed.parameters()::get)
              .filter(Objects::nonNull)
              .findFirst()
              .orElse(null);
    }

    FormPart build() {
      if (name == null) {
        throw unexpected("a Content-Disposition", "none", HEADER);
      }
      return new FormPart(name, fileName, contentType);
    }

    private static ProblemException unexpected(String expected, String found, String where) {
      return Problem.badRequest(
          "Expected %s but found %s at %s"
              .formatted(expected, Excerpt.of(found, Problem.QUOTE_LENGTH), where));
    }
  }
}

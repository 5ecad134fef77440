package dev.quiver.web.request;

import dev.quiver.codec.RequestedCodec;
import dev.quiver.render.Numbers;
import dev.quiver.render.TextOptions;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.resource.DatasetFormat;
import dev.quiver.web.resource.RowsFormat;
import dev.quiver.web.resource.StoredFormat;
import jakarta.servlet.http.HttpServletRequest;

/// The form in which a request wants the result of a statement.
///
/// @param codec of Arrow data
/// @param text the form of text
/// @param explain whether the plan of the statement is wanted instead of its result
public record ResultOptions(RequestedCodec codec, TextOptions text, boolean explain) {

  private static final String MAX_VALUE_BYTES = "max-value-bytes";

  /// Reads the parameters of a request.
  ///
  /// @throws ProblemException 400 if a parameter is invalid, or if the format does not have it
  public static ResultOptions of(HttpServletRequest request, DatasetFormat format) {
    if (!(format instanceof StoredFormat)) {
      Parameters.reject(request, Parameters.CODEC, "Arrow data");
    }
    if (!(format instanceof RowsFormat)) {
      Parameters.reject(request, MAX_VALUE_BYTES, "text");
    }
    return new ResultOptions(
        Parameters.codec(request),
        new TextOptions(
            Parameters.choice(request, "numbers", Numbers.class, Numbers.NUMBER),
            Parameters.number(request, MAX_VALUE_BYTES, Long.MAX_VALUE, 1, Long.MAX_VALUE)),
        Parameters.flag(request, "explain"));
  }

  /// Returns the text that precedes the statement.
  public String prefix() {
    return explain ? "EXPLAIN " : "";
  }
}

package dev.quiver.web.request;

import dev.quiver.codec.RequestedCodec;
import dev.quiver.render.JsonNumbers;
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
      ParameterParser.reject(request, ParameterParser.CODEC, "Arrow data");
    }
    if (!(format instanceof RowsFormat)) {
      ParameterParser.reject(request, MAX_VALUE_BYTES, "text");
    }
    return new ResultOptions(
        ParameterParser.codec(request),
        new TextOptions(
            ParameterParser.choice(request, "numbers", JsonNumbers.class, JsonNumbers.NUMBER),
            ParameterParser.number(request, MAX_VALUE_BYTES, Long.MAX_VALUE, 1, Long.MAX_VALUE)),
        ParameterParser.flag(request, "explain"));
  }

  /// Returns the text that precedes the statement.
  public String prefix() {
    return explain ? "EXPLAIN " : "";
  }
}

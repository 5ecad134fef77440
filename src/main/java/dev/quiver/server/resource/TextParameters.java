package dev.quiver.server.resource;

import dev.quiver.arrow.text.CellTexts;
import dev.quiver.arrow.text.JsonNumbers;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.formats.Format;
import dev.quiver.server.http.ProblemException;
import jakarta.servlet.http.HttpServletRequest;

/// The query parameters that choose the form of values in text.
public final class TextParameters {

  private static final String MAX_VALUE_BYTES = "max-value-bytes";
  private static final String TEXT = "text";

  private TextParameters() {}

  /// Returns the form that a request wants.
  ///
  /// @throws ProblemException 400 if a parameter is invalid, or only other formats have it
  public static TextOptions of(HttpServletRequest request, Format format) {
    if (format.family() != Format.Family.TEXT && format.family() != Format.Family.PAGE) {
      ParameterParser.reject(request, MAX_VALUE_BYTES, "text");
    }
    if (format != Format.CSV && format != Format.TSV) {
      ParameterParser.reject(request, TEXT, "CSV or TSV");
    }
    return new TextOptions(
        ParameterParser.choice(request, "numbers", JsonNumbers.class, JsonNumbers.NUMBER),
        ParameterParser.number(request, MAX_VALUE_BYTES, Long.MAX_VALUE, 1, Long.MAX_VALUE),
        ParameterParser.choice(request, TEXT, CellTexts.class, CellTexts.EXACT));
  }
}

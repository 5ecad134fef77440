package dev.quiver.server.resource;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.terminal.TerminalTable;
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
  private static final String BYTE_ORDER_MARK = "bom";
  private static final String ENVELOPE = "envelope";

  private static final String WIDTH = "width";
  private static final String LIMIT = "limit";

  private TextParameters() {}

  /// Returns the form of a table for a terminal that a request wants. Of more rows than one shows,
  /// those in the middle are left out.
  ///
  /// @param rows the limit on the rows of a table
  /// @throws ProblemException 400 if a parameter is invalid
  public static TerminalTable.Form table(HttpServletRequest request, Limit rows) {
    long width =
        ParameterParser.number(
            request,
            WIDTH,
            TerminalTable.Form.WIDTH_DEFAULT,
            TerminalTable.Form.WIDTH_MINIMUM,
            TerminalTable.Form.WIDTH_MAXIMUM);
    long wanted =
        ParameterParser.number(
            request, LIMIT, TerminalTable.Form.ROWS_DEFAULT, /* minimum= */ 0, Long.MAX_VALUE);
    return new TerminalTable.Form((int) width, (int) Math.min(wanted, rows.maximum()));
  }

  /// Returns the form that a request wants.
  ///
  /// @throws ProblemException 400 if a parameter is invalid, or only other formats have it
  public static TextOptions of(HttpServletRequest request, Format format) {
    switch (format.family()) {
      case TEXT, EXCEL, TABLE, PAGE -> {}
      case ARROW, PARQUET, MULTIPART -> ParameterParser.reject(request, MAX_VALUE_BYTES, "text");
    }
    if (format != Format.CSV && format != Format.TSV) {
      ParameterParser.reject(request, TEXT, "CSV or TSV");
      ParameterParser.reject(request, BYTE_ORDER_MARK, "CSV or TSV");
    }
    if (format != Format.JSON) {
      ParameterParser.reject(request, ENVELOPE, "JSON");
    }
    if (format != Format.TABLE) {
      ParameterParser.reject(request, WIDTH, "a table of characters");
    }
    return new TextOptions(
        ParameterParser.choice(request, "numbers", JsonNumbers.class, JsonNumbers.NUMBER),
        ParameterParser.number(request, MAX_VALUE_BYTES, Long.MAX_VALUE, 1, Long.MAX_VALUE),
        ParameterParser.choice(request, TEXT, CellTexts.class, CellTexts.EXACT),
        ParameterParser.flag(request, BYTE_ORDER_MARK),
        ParameterParser.flag(request, ENVELOPE));
  }
}

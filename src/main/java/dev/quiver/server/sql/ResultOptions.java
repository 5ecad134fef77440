package dev.quiver.server.sql;

import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.terminal.TerminalTable;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.formats.Format;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.ParameterParser;
import dev.quiver.server.resource.TextParameters;
import dev.quiver.store.version.DatasetName;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// The form in which a request wants the result of a statement.
///
/// @param codec of Arrow data
/// @param text the form of text
/// @param table the form of a table for a terminal, or null for another format
/// @param explain whether the plan of the statement is wanted instead of its result
/// @param name the name of the file without its suffix, and of the worksheet
public record ResultOptions(
    RequestedCodec codec,
    TextOptions text,
    TerminalTable.@Nullable Form table,
    boolean explain,
    DatasetName name) {

  private static final DatasetName RESULT = new DatasetName("result");

  /// Reads the parameters of a request.
  ///
  /// @param tableRows the limit on the rows of a table for a terminal
  /// @throws ProblemException 400 if a parameter is invalid, or if the format does not have it
  public static ResultOptions of(HttpServletRequest request, Format format, Limit tableRows) {
    if (format.family() != Format.Family.ARROW) {
      ParameterParser.reject(request, ParameterParser.CODEC, "Arrow data");
    }
    boolean isTable = format == Format.TABLE;
    if (!isTable) {
      ParameterParser.reject(request, "limit", "a table of characters");
    }
    String name = ParameterParser.only(request, "name");
    return new ResultOptions(
        ParameterParser.codec(request),
        TextParameters.of(request, format),
        isTable ? TextParameters.table(request, tableRows) : null,
        ParameterParser.flag(request, "explain"),
        name == null ? RESULT : DatasetPath.name(name));
  }

  /// Returns the text that precedes the statement.
  public String prefix() {
    return explain ? "EXPLAIN " : "";
  }
}

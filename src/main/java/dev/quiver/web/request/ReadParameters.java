package dev.quiver.web.request;

import dev.quiver.dataset.read.Selection;
import dev.quiver.render.Numbers;
import dev.quiver.web.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the parameters of a read ask for: which columns and rows, and in which form.
///
/// @param codec of all buffers, or null for that in which they are stored
/// @param numbers how text has large ones
public record ReadParameters(Selection selection, @Nullable CodecParameter codec, Numbers numbers) {

  /// What a request asks for.
  ///
  /// @throws ProblemException 400 when a parameter says nothing that there is
  public static ReadParameters of(HttpServletRequest request) {
    String[] columns = request.getParameterValues("columns");
    Selection selection =
        new Selection(
            columns == null ? List.of() : List.of(columns),
            Parameters.number(request, "offset", 0, 0, Long.MAX_VALUE),
            Parameters.number(request, "limit", Long.MAX_VALUE, 0, Long.MAX_VALUE));
    return new ReadParameters(
        selection,
        CodecParameter.of(request),
        Parameters.choice(request, "numbers", Numbers.class, Numbers.NUMBER));
  }

  /// What a request for text asks for.
  ///
  /// @throws ProblemException 400 when a parameter says nothing that there is, or asks for a codec
  public static ReadParameters ofText(HttpServletRequest request) {
    CodecParameter.refuseForText(request);
    return of(request);
  }

  /// The same columns and rows in another codec.
  public ReadParameters in(@Nullable CodecParameter other) {
    return new ReadParameters(selection, other, numbers);
  }

  /// What follows a path, so that it leads to the same columns and rows: empty for all of them,
  /// else with its `?`. It has no codec, which only some representations have.
  public String query() {
    List<String> query = new ArrayList<>();
    for (String columns : selection.columns()) {
      query.add("columns=" + URLEncoder.encode(columns, StandardCharsets.UTF_8));
    }
    if (selection.offset() > 0) {
      query.add("offset=" + selection.offset());
    }
    if (selection.limit() < Long.MAX_VALUE) {
      query.add("limit=" + selection.limit());
    }
    if (numbers == Numbers.STRING) {
      query.add("numbers=string");
    }
    return query.isEmpty() ? "" : "?" + String.join("&", query);
  }
}

package dev.quiver.server.read;

import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.text.JsonNumbers;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.formats.Format;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.resource.ParameterParser;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.TextParameters;
import dev.quiver.sql.query.RowCondition;
import dev.quiver.store.read.DictionaryValues;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.RowNumbers;
import dev.quiver.store.read.Selection;
import dev.quiver.store.read.Snapshot;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parameters of a read: its columns, its rows, its dictionaries, its codec and the form of its
/// text.
///
/// @param selection the columns and rows, counted after the ones of `since`
/// @param since the version whose rows are omitted, or null
/// @param condition of the rows among which the selection counts, or null
/// @param codec the codec of all bodies
/// @param text the form of values in text
public record ReadParameters(
    Selection selection,
    @Nullable Long since,
    @Nullable RowCondition condition,
    RequestedCodec codec,
    TextOptions text) {

  private static final String SINCE = "since";
  private static final String WHERE = Paths.CONDITION_PARAMETER;
  private static final String SEARCH = Paths.SEARCH_PARAMETER;
  private static final String ROWS = "rows";
  private static final String DICTIONARIES = "dictionaries";

  /// Each row of a sample takes time and memory, even where rows have no data.
  private static final int SAMPLE_MAXIMUM = 100_000;

  /// As many as fit a request line.
  private static final int ROWS_MAXIMUM = 1_000;

  /// Reads the parameters of a request.
  ///
  /// @throws ProblemException 400 if a parameter is invalid
  private static ReadParameters of(HttpServletRequest request, TextOptions text) {
    String[] columns = request.getParameterValues("columns");
    Selection selection =
        new Selection(
                columns == null ? List.of() : List.of(columns),
                ParameterParser.number(request, "offset", 0, Long.MIN_VALUE, Long.MAX_VALUE),
                ParameterParser.number(request, "limit", Long.MAX_VALUE, 0, Long.MAX_VALUE),
                sample(request),
                ParameterParser.choice(
                    request, DICTIONARIES, DictionaryValues.class, DictionaryValues.ALL))
            .choosing(numbers(request));
    return new ReadParameters(
        selection, since(request), condition(request), ParameterParser.codec(request), text);
  }

  private static @Nullable Integer sample(HttpServletRequest request) {
    return request.getParameter("sample") == null
        ? null
        : Integer.valueOf((int) ParameterParser.number(request, "sample", 0, 0, SAMPLE_MAXIMUM));
  }

  private static @Nullable RowNumbers numbers(HttpServletRequest request) {
    List<Long> numbers = ParameterParser.numbers(request, ROWS, ROWS_MAXIMUM);
    return numbers == null ? null : new RowNumbers(numbers.stream().mapToLong(Long::longValue));
  }

  /// Returns the version whose rows a request omits, or null if absent.
  ///
  /// @throws ProblemException 400 if it is not the number of a version
  public static @Nullable Long since(HttpServletRequest request) {
    return request.getParameter(SINCE) == null
        ? null
        : Long.valueOf(ParameterParser.number(request, SINCE, 0, 1, Long.MAX_VALUE));
  }

  /// Returns what the rows of a request have to match, or null if they need not match anything.
  ///
  /// @throws ProblemException 400 if the text to search for is empty or too long
  static @Nullable RowCondition condition(HttpServletRequest request) {
    String where = ParameterParser.only(request, WHERE);
    String search = ParameterParser.only(request, SEARCH);
    if (search != null && !RowCondition.isSearchable(search)) {
      throw Problem.of(
              ProblemType.BAD_REQUEST,
              "Expected 1 to %d characters but found %d at parameter %s"
                  .formatted(
                      RowCondition.SEARCH_LENGTH_MAXIMUM,
                      search.codePointCount(0, search.length()),
                      SEARCH))
          .withHint(
              search.isEmpty()
                  ? "Leave search out to get the rows whatever their text."
                  : "Search for a part of the text, or find all of it in one column with"
                      + " where=contains(column, 'text').")
          .asException();
    }
    return where == null && search == null ? null : new RowCondition(where, search);
  }

  /// Reads the parameters of a request for Arrow data.
  ///
  /// @throws ProblemException 400 if a parameter is invalid, or cuts values
  public static ReadParameters ofArrow(HttpServletRequest request) {
    return of(request, Format.STREAM);
  }

  /// Reads the parameters of a request for a format.
  ///
  /// @throws ProblemException 400 if a parameter is invalid, or only other formats have it
  public static ReadParameters of(HttpServletRequest request, Format format) {
    boolean isArrow =
        switch (format.family()) {
          case ARROW, MULTIPART -> true;
          case TEXT, EXCEL, TABLE, PAGE, PARQUET -> false;
        };
    if (!isArrow) {
      ParameterParser.reject(request, ParameterParser.CODEC, "Arrow data");
      ParameterParser.reject(request, DICTIONARIES, "Arrow data");
    }
    return of(request, TextParameters.of(request, format));
  }

  /// Returns the parameters for the same columns and rows in another codec.
  public ReadParameters in(RequestedCodec other) {
    return new ReadParameters(selection, since, condition, other, text);
  }

  /// Finds the rows that match a condition.
  @FunctionalInterface
  public interface Evaluation {
    RowMatches matches(RowCondition condition) throws IOException;
  }

  /// Returns the parameters for the same columns and rows among the matches of the condition, if
  /// there is one.
  ///
  /// @throws ProblemException 400 if fewer rows match than the numbers of rows require
  public ReadParameters matching(Snapshot snapshot, Evaluation evaluation) throws IOException {
    RowMatches matches = condition == null ? null : evaluation.matches(condition);
    RowNumbers numbers = selection.numbers();
    if (numbers != null) {
      long rowCount =
          matches == null
              ? Math.max(snapshot.summary().file().rows() - snapshot.firstRow(), 0)
              : matches.count();
      if (numbers.last() >= rowCount) {
        throw Problem.badRequest(
            "Expected numbers below %d, the number of rows, but found %d at parameter %s"
                .formatted(rowCount, numbers.last(), ROWS));
      }
    }
    return matches == null
        ? this
        : new ReadParameters(selection.among(matches), since, condition, codec, text);
  }

  /// Returns the parameters for some of the rows.
  public ReadParameters window(long offset, long limit) {
    return new ReadParameters(selection.window(offset, limit), since, condition, codec, text);
  }

  /// Returns the query for the same columns and rows, including its `?`; empty for all of them. It
  /// omits the codec, the values of dictionaries, the maximum size of values, the form of texts in
  /// cells and the byte order mark, which only some representations have.
  public String query() {
    List<String> query = new ArrayList<>();
    for (String columns : selection.columns()) {
      query.add("columns=" + encode(columns));
    }
    if (since != null) {
      query.add(SINCE + "=" + since);
    }
    if (condition != null && condition.where() != null) {
      query.add(WHERE + "=" + encode(condition.where()));
    }
    if (condition != null && condition.search() != null) {
      query.add(SEARCH + "=" + encode(condition.search()));
    }
    RowNumbers numbers = selection.numbers();
    if (numbers != null) {
      query.add(ROWS + "=" + numbers.text());
    }
    if (selection.offset() != 0) {
      query.add("offset=" + selection.offset());
    }
    if (selection.limit() < Long.MAX_VALUE) {
      query.add("limit=" + selection.limit());
    }
    if (selection.sample() != null) {
      query.add("sample=" + selection.sample());
    }
    if (text.numbers() == JsonNumbers.STRING) {
      query.add("numbers=string");
    }
    return query.isEmpty() ? "" : "?" + String.join("&", query);
  }

  private static String encode(String value) {
    // Some clients take an asterisk in a URL for a pattern.
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("*", "%2A");
  }
}

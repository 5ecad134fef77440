package dev.quiver.server.lists;

import dev.quiver.server.access.Access;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.resource.ParameterParser;
import dev.quiver.server.resource.Paths;
import dev.quiver.store.catalog.DatasetFilter;
import dev.quiver.store.catalog.DatasetOrder;
import dev.quiver.store.catalog.DatasetOrder.Position;
import dev.quiver.store.catalog.DatasetQuery;
import dev.quiver.store.version.DatasetName;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The query parameters of a list of datasets.
///
/// @param total whether to count all datasets that pass the filter
public record ListParameters(DatasetQuery query, boolean total) {

  private static final int PAGE_DEFAULT = 100;
  private static final int PAGE_MAXIMUM = 1000;

  private static final String AFTER = "after";
  private static final String PREFIX = "prefix";
  private static final String SORT = "sort";
  private static final String TOTAL = "total";

  /// The values of `sort`.
  private static final List<String> ORDERS =
      Stream.of(DatasetOrder.Key.values())
          .map(ListParameters::word)
          .flatMap(word -> Stream.of(word, "-" + word))
          .toList();

  /// Returns the parameters of a document, which has at most 1,000 datasets.
  ///
  /// @throws ProblemException 400 if a parameter is invalid
  public static ListParameters ofDocument(HttpServletRequest request) {
    return of(request, ParameterParser.number(request, "limit", PAGE_DEFAULT, 1, PAGE_MAXIMUM));
  }

  /// Returns the parameters of a table, which has every dataset unless limited.
  ///
  /// @throws ProblemException 400 if a parameter is invalid
  public static ListParameters ofTable(HttpServletRequest request) {
    if (request.getParameter(TOTAL) != null) {
      throw invalid("no total, which only JSON has,", request.getParameter(TOTAL), TOTAL);
    }
    return of(request, ParameterParser.number(request, "limit", Long.MAX_VALUE, 1, Long.MAX_VALUE));
  }

  /// Returns the filter of an index.
  ///
  /// @throws ProblemException 400 if no name starts with the prefix
  public static DatasetFilter ofIndex(HttpServletRequest request) {
    return new DatasetFilter(prefix(request), "", Access.permissions(request));
  }

  private static ListParameters of(HttpServletRequest request, long limit) {
    String text = ParameterParser.only(request, "q");
    DatasetFilter filter =
        new DatasetFilter(prefix(request), text == null ? "" : text, Access.permissions(request));
    DatasetOrder order = order(request);
    return new ListParameters(
        new DatasetQuery(filter, order, after(request, order), limit),
        ParameterParser.flag(request, TOTAL));
  }

  /// Returns the path of the page that follows a place.
  public String next(Position last) {
    StringBuilder next = new StringBuilder(Paths.DATASETS);
    next.append("?limit=").append(query.limit());
    next.append("&after=").append(cursor(query.order(), last));
    append(next, PREFIX, query.filter().prefix());
    append(next, "q", query.filter().text());
    append(next, SORT, query.order().equals(DatasetOrder.BY_NAME) ? "" : word(query.order()));
    append(next, TOTAL, total ? "true" : "");
    return next.toString();
  }

  private static void append(StringBuilder path, String name, String value) {
    if (!value.isEmpty()) {
      String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8);
      path.append('&').append(name).append('=').append(encoded);
    }
  }

  private static String prefix(HttpServletRequest request) {
    String prefix = ParameterParser.only(request, PREFIX);
    if (prefix != null && !DatasetName.mayStartWith(prefix)) {
      throw invalid("the start of a dataset's name", prefix, PREFIX);
    }
    return prefix == null ? "" : prefix;
  }

  private static DatasetOrder order(HttpServletRequest request) {
    String value = ParameterParser.only(request, SORT);
    if (value == null) {
      return DatasetOrder.BY_NAME;
    }
    for (DatasetOrder.Key key : DatasetOrder.Key.values()) {
      for (boolean descending : new boolean[] {false, true}) {
        DatasetOrder order = new DatasetOrder(key, descending);
        if (word(order).equals(value)) {
          return order;
        }
      }
    }
    throw invalid(ParameterParser.oneOf(ORDERS), value, SORT);
  }

  private static String word(DatasetOrder order) {
    return (order.descending() ? "-" : "") + word(order.key());
  }

  private static String word(DatasetOrder.Key key) {
    return key.name().toLowerCase(Locale.ROOT);
  }

  /// Returns the place after which the list starts: a name or, in another order, a value and a
  /// name, so that a dataset that changed or was deleted since has a place as well.
  private static @Nullable Position after(HttpServletRequest request, DatasetOrder order) {
    String value = ParameterParser.only(request, AFTER);
    if (value == null) {
      return null;
    }
    try {
      int comma = value.indexOf(',');
      DatasetName name = new DatasetName(value.substring(comma + 1));
      if (order.key() == DatasetOrder.Key.NAME && comma < 0) {
        return new Position(0, name);
      }
      if (order.key() != DatasetOrder.Key.NAME && comma > 0) {
        String text = value.substring(0, comma);
        return new Position(
            order.key() == DatasetOrder.Key.MODIFIED
                ? Instant.parse(text).toEpochMilli()
                : Long.parseLong(text),
            name);
      }
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      if (order.key() == DatasetOrder.Key.NAME) {
        throw Problem.badRequest(String.valueOf(e.getMessage()));
      }
    }
    throw invalid(
        switch (order.key()) {
          case NAME -> "a name such as flights";
          case MODIFIED -> "a time and a name such as 2026-11-20T07:34:20.125Z,flights";
          case BYTES, ROWS -> "a number and a name such as 5892434,flights";
        },
        value,
        AFTER);
  }

  private static String cursor(DatasetOrder order, Position position) {
    return switch (order.key()) {
      case NAME -> position.name().value();
      case MODIFIED -> Instant.ofEpochMilli(position.value()) + "," + position.name();
      case BYTES, ROWS -> position.value() + "," + position.name();
    };
  }

  private static ProblemException invalid(String expected, String found, String name) {
    return Problem.badRequest(
        "Expected %s but found \"%s\" at parameter %s".formatted(expected, found, name));
  }
}

package dev.quiver.sql.syntax;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Words and functions of other databases, and what the engine has instead.
public final class OtherDialects {

  /// Expressions with the same value, by functions in lower case.
  private static final Map<String, String> FUNCTIONS =
      Map.ofEntries(
          Map.entry("addtime", "x + INTERVAL 1 HOUR"),
          Map.entry("add_months", "x + INTERVAL 1 MONTH"),
          Map.entry("array_size", "len(x)"),
          Map.entry("charindex", "strpos(text, part)"),
          Map.entry("collect_list", "list(x)"),
          Map.entry("convert", "CAST(x AS BIGINT)"),
          Map.entry("curdate", "current_date"),
          Map.entry("curtime", "current_time"),
          Map.entry("dateadd", "x + INTERVAL 1 DAY"),
          Map.entry("date_format", "strftime(x, '%Y-%m-%d')"),
          Map.entry("dateserial", "make_date(year, month, day)"),
          Map.entry("datefromparts", "make_date(year, month, day)"),
          Map.entry("days_between", "date_diff('day', first, last)"),
          Map.entry("eomonth", "last_day(x)"),
          Map.entry("explode", "unnest(x)"),
          Map.entry("fillna", "coalesce(x, other)"),
          Map.entry("find_in_set", "list_position(string_split(text, ','), part)"),
          Map.entry("from_unixtime", "to_timestamp(x)"),
          Map.entry("generate_array", "range(first, last)"),
          Map.entry("getdate", "now()"),
          Map.entry("iif", "if(condition, a, b)"),
          Map.entry("isin", "x IN (a, b)"),
          Map.entry("isna", "x IS NULL"),
          Map.entry("isnull", "coalesce(x, other)"),
          Map.entry("locate", "strpos(text, part)"),
          Map.entry("months_between", "date_diff('month', first, last)"),
          Map.entry("newid", "uuid()"),
          Map.entry("notna", "x IS NOT NULL"),
          Map.entry("notnull", "x IS NOT NULL"),
          Map.entry("nvl", "coalesce(x, other)"),
          Map.entry("nvl2", "if(x IS NOT NULL, a, b)"),
          Map.entry("parse_date", "strptime(text, '%Y-%m-%d')::DATE"),
          Map.entry("rand", "random()"),
          Map.entry("regexp_like", "regexp_matches(text, pattern)"),
          Map.entry("regexp_substr", "regexp_extract(text, pattern)"),
          Map.entry("safe_cast", "TRY_CAST(x AS BIGINT)"),
          Map.entry("safe_divide", "x / nullif(y, 0)"),
          Map.entry("str", "CAST(x AS VARCHAR)"),
          Map.entry("str_to_date", "strptime(text, '%Y-%m-%d')"),
          Map.entry("stuff", "left(text, n) || part || right(text, m)"),
          Map.entry("substring_index", "split_part(text, delimiter, n)"),
          Map.entry("sysdate", "now()"),
          Map.entry("timestampadd", "x + INTERVAL 1 DAY"),
          Map.entry("timestampdiff", "date_diff('day', first, last)"),
          Map.entry("to_char", "strftime(x, '%Y-%m-%d')"),
          Map.entry("to_date", "strptime(text, '%Y-%m-%d')::DATE"),
          Map.entry("to_number", "TRY_CAST(text AS DOUBLE)"),
          Map.entry("to_varchar", "CAST(x AS VARCHAR)"),
          Map.entry("truncate", "trunc(x)"),
          Map.entry("try_convert", "TRY_CAST(x AS BIGINT)"),
          Map.entry("unix_timestamp", "epoch(x)"),
          Map.entry("zeroifnull", "coalesce(x, 0)"));

  /// Replacements of words that another database takes for values.
  private static final Map<String, String> WORDS =
      Map.of(
          "sysdate", "now()",
          "systimestamp", "now()",
          "rownum", "LIMIT, or row_number() OVER ()",
          "rowid", "row_number() OVER ()",
          "_rowid_", "row_number() OVER ()");

  private OtherDialects() {}

  /// Returns what to write instead of a function that the engine lacks, or null if unknown.
  ///
  /// @param name the name in lower case
  public static @Nullable String function(String name) {
    return FUNCTIONS.get(name);
  }

  /// Returns the functions with an equivalent, for tests.
  public static Map<String, String> functions() {
    return FUNCTIONS;
  }

  /// Returns what to write instead of a word that is not a column, or null if unknown.
  ///
  /// @param name the name in lower case
  static @Nullable String word(String name) {
    return WORDS.get(name);
  }
}

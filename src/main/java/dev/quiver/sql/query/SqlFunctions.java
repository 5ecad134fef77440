package dev.quiver.sql.query;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The functions that statements may use, and the ones whose results change between calls.
final class SqlFunctions {

  /// The functions that may stand for a dataset. All others read files, settings or the catalog, or
  /// run text as SQL.
  static final Set<String> TABLE_FUNCTIONS =
      Set.of("range", "generate_series", "unnest", "json_each", "json_tree", "repeat");

  /// The functions whose result is not determined by their arguments.
  static final Set<String> VOLATILE =
      Set.of(
          "ago",
          "age",
          "current_date",
          "current_localtime",
          "current_localtimestamp",
          "current_time",
          "current_timestamp",
          "gen_random_uuid",
          "get_current_time",
          "get_current_timestamp",
          "localtime",
          "localtimestamp",
          "now",
          "random",
          "setseed",
          "today",
          "transaction_timestamp",
          "uuid",
          "uuidv4",
          "uuidv7");

  /// The functions that reveal the process, its settings and other statements, wait, write, or run
  /// text as SQL.
  private static final Set<String> REFUSED =
      Set.of(
          "col_description",
          "current_catalog",
          "current_connection_id",
          "current_database",
          "current_query",
          "current_query_id",
          "current_role",
          "current_schema",
          "current_schemas",
          "current_setting",
          "current_transaction_id",
          "current_user",
          "currval",
          "format_pg_type",
          "format_type",
          "get_block_size",
          "getenv",
          "getvariable",
          "in_search_path",
          "json_deserialize_sql",
          "json_execute_serialized_sql",
          "json_serialize_plan",
          "json_serialize_sql",
          "map_to_pg_oid",
          "nextval",
          "obj_description",
          "session_user",
          "setval",
          "shobj_description",
          "sleep_ms",
          "stats",
          "txid_current",
          "user",
          "vector_type",
          "version",
          "write_log");

  /// The functions that the engine calls for its own operators and plans. They trust its binder to
  /// have given them the types that they expect. As the function of a statement they bypass it, and
  /// may read beyond their values.
  private static final Set<String> INTERNAL =
      Set.of(
          "=",
          "==",
          "!=",
          "<>",
          "<",
          "<=",
          ">",
          ">=",
          "is distinct from",
          "is not distinct from",
          "combine",
          "combine_aggr",
          "constant_or_null",
          "create_sort_key",
          "finalize",
          "invoke",
          "remap_struct",
          "to_aggregate_state",
          "variant_to_parquet_variant");

  /// Begins the names of further functions of that kind.
  private static final String INTERNAL_PREFIX = "__";

  /// The functions and operators of conditions: each is computed from the values of a row, in time
  /// and memory that are proportional to them.
  static final Set<String> CONDITION =
      Set.of(
          "+",
          "-",
          "*",
          "/",
          "//",
          "%",
          "||",
          "~~",
          "!~~",
          "~~*",
          "!~~*",
          "~~~",
          "abs",
          "array_length",
          "cardinality",
          "ceil",
          "ceiling",
          "coalesce",
          "contains",
          "date_part",
          "date_trunc",
          "datepart",
          "datetrunc",
          "day",
          "dayofweek",
          "dayofyear",
          "ends_with",
          "epoch",
          "epoch_ms",
          "floor",
          "hour",
          "ilike_escape",
          "if",
          "ifnull",
          "isfinite",
          "isinf",
          "isnan",
          "isodow",
          "len",
          "length",
          "like_escape",
          "list_contains",
          "list_has",
          "lower",
          "ltrim",
          "microsecond",
          "millisecond",
          "minute",
          "month",
          "not_ilike_escape",
          "not_like_escape",
          "nullif",
          "prefix",
          "quarter",
          "regexp_full_match",
          "regexp_matches",
          "round",
          "rtrim",
          "second",
          "sign",
          "starts_with",
          "strlen",
          "struct_extract",
          "substr",
          "substring",
          "suffix",
          "to_days",
          "to_hours",
          "to_microseconds",
          "to_milliseconds",
          "to_minutes",
          "to_months",
          "to_quarters",
          "to_seconds",
          "to_weeks",
          "to_years",
          "trim",
          "trunc",
          "union_tag",
          "upper",
          "week",
          "year");

  /// The functions whose second argument is the name of an aggregate.
  private static final Set<String> BY_NAME =
      Set.of("list_aggregate", "list_aggr", "array_aggregate", "array_aggr", "aggregate");

  private static final Pattern REFUSED_NAMES =
      Pattern.compile("(duckdb|pg|pragma|has|inet|read|which)_(?!typeof).*|.*_privilege");

  /// The names of the engine's own tables, which win over datasets.
  private static final Pattern RESERVED_TABLES =
      Pattern.compile("(duckdb|pg|pragma|sqlite)_[a-z_]*|__show_.*");

  private SqlFunctions() {}

  /// Returns whether a name other than a dataset's may denote a table of the engine.
  ///
  /// @param name the name in lower case
  static boolean isReservedTable(String name) {
    return RESERVED_TABLES.matcher(name).matches();
  }

  /// Returns whether statements may not use a scalar or aggregate function.
  ///
  /// @param name the name in lower case
  static boolean isRefused(String name) {
    return REFUSED.contains(name)
        || INTERNAL.contains(name)
        || name.startsWith(INTERNAL_PREFIX)
        || REFUSED_NAMES.matcher(name).matches();
  }

  /// Returns whether the second argument of a function is the name of an aggregate.
  ///
  /// @param name the name in lower case
  static boolean takesAggregate(String name) {
    return BY_NAME.contains(name);
  }

  /// Returns the names of the table functions as a list for people.
  static String tableFunctions() {
    return String.join(", ", new TreeSet<>(TABLE_FUNCTIONS));
  }
}

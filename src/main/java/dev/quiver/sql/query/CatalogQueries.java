package dev.quiver.sql.query;

import dev.quiver.sql.syntax.SqlNames;

/// Queries in the place of tables of the engine's catalog. Their columns have the names, types and
/// order of those in the engine. Datasets lie in the engine's database `memory` and schema `main`.
final class CatalogQueries {

  static final String SCHEMATA =
      """
      (SELECT 'memory' AS catalog_name, 'main' AS schema_name, NULL::VARCHAR AS schema_owner, \
      NULL::VARCHAR AS default_character_set_catalog, \
      NULL::VARCHAR AS default_character_set_schema, \
      NULL::VARCHAR AS default_character_set_name, NULL::VARCHAR AS sql_path)\
      """;

  private static final String NAMES = "[{\"name\":\"VARCHAR\"}]";

  private static final String COLUMNS =
      """
      [{"name":"VARCHAR","columns":["VARCHAR"],"types":["VARCHAR"],"nullable":["BOOLEAN"]}]\
      """;

  private static final String TABLES =
      """
      (SELECT 'memory' AS table_catalog, 'main' AS table_schema, name AS table_name, \
      'BASE TABLE' AS table_type, NULL::VARCHAR AS self_referencing_column_name, \
      NULL::VARCHAR AS reference_generation, NULL::VARCHAR AS user_defined_type_catalog, \
      NULL::VARCHAR AS user_defined_type_schema, NULL::VARCHAR AS user_defined_type_name, \
      'NO' AS is_insertable_into, 'NO' AS is_typed, NULL::VARCHAR AS commit_action, \
      NULL::VARCHAR AS "TABLE_COMMENT" FROM %s)\
      """;

  private static final String NAMES_AND_COLUMNS =
      """
      (SELECT 'memory' AS "database", 'main' AS "schema", name, "columns" AS column_names, \
      "types" AS column_types, false AS "temporary" FROM %s)\
      """;

  /// The widths of numbers in bits.
  private static final String PRECISIONS =
      """
      MAP {'TINYINT': 8, 'UTINYINT': 8, 'SMALLINT': 16, 'USMALLINT': 16, 'INTEGER': 32, \
      'UINTEGER': 32, 'BIGINT': 64, 'UBIGINT': 64, 'FLOAT': 24, 'DOUBLE': 53}\
      """;

  private static final String DECIMAL = "'^DECIMAL\\((\\d+),(\\d+)\\)$'";

  private static final String COLUMN_ROWS =
      """
      (SELECT 'memory' AS table_catalog, 'main' AS table_schema, name AS table_name, column_name, \
      ordinal_position::INTEGER AS ordinal_position, NULL::VARCHAR AS column_default, \
      if(nullable, 'YES', 'NO') AS is_nullable, data_type, \
      NULL::INTEGER AS character_maximum_length, NULL::INTEGER AS character_octet_length, \
      coalesce(bits, digits)::INTEGER AS numeric_precision, \
      if(bits IS NULL, if(digits IS NULL, NULL, 10), 2)::INTEGER AS numeric_precision_radix, \
      if(bits IS NULL, scale, 0)::INTEGER AS numeric_scale, NULL::INTEGER AS datetime_precision, \
      NULL::VARCHAR AS interval_type, NULL::INTEGER AS interval_precision, \
      NULL::VARCHAR AS character_set_catalog, NULL::VARCHAR AS character_set_schema, \
      NULL::VARCHAR AS character_set_name, NULL::VARCHAR AS collation_catalog, \
      NULL::VARCHAR AS collation_schema, NULL::VARCHAR AS collation_name, \
      NULL::VARCHAR AS domain_catalog, NULL::VARCHAR AS domain_schema, \
      NULL::VARCHAR AS domain_name, NULL::VARCHAR AS udt_catalog, NULL::VARCHAR AS udt_schema, \
      NULL::VARCHAR AS udt_name, NULL::VARCHAR AS scope_catalog, NULL::VARCHAR AS scope_schema, \
      NULL::VARCHAR AS scope_name, NULL::BIGINT AS maximum_cardinality, \
      NULL::VARCHAR AS dtd_identifier, NULL::BOOLEAN AS is_self_referencing, \
      NULL::BOOLEAN AS is_identity, NULL::VARCHAR AS identity_generation, \
      NULL::VARCHAR AS identity_start, NULL::VARCHAR AS identity_increment, \
      NULL::VARCHAR AS identity_maximum, NULL::VARCHAR AS identity_minimum, \
      NULL::BOOLEAN AS identity_cycle, NULL::VARCHAR AS is_generated, \
      NULL::VARCHAR AS generation_expression, NULL::BOOLEAN AS is_updatable, \
      NULL::VARCHAR AS "COLUMN_COMMENT" \
      FROM (SELECT *, %s[data_type] AS bits, \
      TRY_CAST(nullif(regexp_extract(data_type, %s, 1), '') AS INTEGER) AS digits, \
      TRY_CAST(nullif(regexp_extract(data_type, %s, 2), '') AS INTEGER) AS scale \
      FROM (SELECT name, unnest("columns") AS column_name, unnest("types") AS data_type, \
      unnest(nullable) AS nullable, unnest(range(1, len("columns") + 1)) AS ordinal_position \
      FROM %s)))\
      """;

  private CatalogQueries() {}

  /// Returns the query of `SHOW TABLES`.
  ///
  /// @param json an array of objects with the name of a dataset
  static String names(String json) {
    return "(FROM %s)".formatted(rows(json, NAMES));
  }

  /// Returns the query of `information_schema.tables`.
  ///
  /// @param json as for [#names]
  static String tables(String json) {
    return TABLES.formatted(rows(json, NAMES));
  }

  /// Returns the query of `SHOW ALL TABLES`.
  ///
  /// @param json an array of objects with the name of a dataset, and an array each of the names,
  ///   the types and the nullability of its columns
  static String namesAndColumns(String json) {
    return NAMES_AND_COLUMNS.formatted(rows(json, COLUMNS));
  }

  /// Returns the query of `information_schema.columns`.
  ///
  /// @param json as for [#namesAndColumns]
  static String columns(String json) {
    return COLUMN_ROWS.formatted(PRECISIONS, DECIMAL, DECIMAL, rows(json, COLUMNS));
  }

  /// Returns the query that describes a dataset.
  static String description(String dataset) {
    return "(DESCRIBE %s)".formatted(SqlNames.quoted(dataset));
  }

  private static String rows(String json, String structure) {
    return "(SELECT unnest(from_json(%s, %s), max_depth := 2))"
        .formatted(SqlNames.literal(json), SqlNames.literal(structure));
  }
}

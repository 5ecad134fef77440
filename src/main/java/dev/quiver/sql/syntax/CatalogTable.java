package dev.quiver.sql.syntax;

import dev.quiver.sql.syntax.SyntaxTree.Use;
import org.jspecify.annotations.Nullable;

/// A place of a statement that a query over the list of datasets replaces.
///
/// @param name the dataset that `SHOW` describes, or the name of the table, which its columns have
///   before them; empty if an alias follows
/// @param compared names all datasets of the rows that the statement may need; null for all
public record CatalogTable(Kind kind, Use place, String name, @Nullable ComparedNames compared) {

  /// The columns of a list.
  public enum Kind {
    /// `SHOW TABLES`.
    NAMES,
    /// `SHOW ALL TABLES`.
    NAMES_AND_COLUMNS,
    /// `SHOW` with the name of a dataset, which is `DESCRIBE` here.
    DESCRIPTION,
    /// `information_schema.tables`.
    TABLES,
    /// `information_schema.columns`.
    COLUMNS,
    /// `information_schema.schemata`, which has one row.
    SCHEMATA;

    boolean hasColumns() {
      return this == NAMES_AND_COLUMNS || this == COLUMNS;
    }
  }
}

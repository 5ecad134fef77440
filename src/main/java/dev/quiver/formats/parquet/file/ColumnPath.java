package dev.quiver.formats.parquet.file;

import dev.quiver.arrow.memory.Excerpt;
import org.jspecify.annotations.Nullable;

/// The names from a top-level column to a node of the schema.
///
/// Paths share their parents: a long name counts once, however many columns are below it.
public record ColumnPath(@Nullable ColumnPath parent, String name) {

  private static final int LENGTH_MAXIMUM = 1_000;

  ColumnPath child(String childName) {
    return new ColumnPath(this, childName);
  }

  /// Returns the names separated by dots, truncated if long.
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(name);
    for (ColumnPath above = parent; above != null; above = above.parent) {
      text.insert(0, above.name + ".");
    }
    return Excerpt.of(text.toString(), LENGTH_MAXIMUM);
  }
}

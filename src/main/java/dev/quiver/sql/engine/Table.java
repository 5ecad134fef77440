package dev.quiver.sql.engine;

import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.vector.Microseconds;

/// Rows that a statement reads under a name.
public interface Table {

  Schema schema();

  /// Returns a schema some of whose timestamps in nanoseconds with a zone are whole microseconds,
  /// and so have the engine's type with all functions. The batches of the table have its fields.
  ///
  /// @param columns the indices of the columns that have no other value, at any depth
  static Schema inMicroseconds(Schema schema, int[] columns) {
    return Microseconds.marked(schema, columns);
  }

  /// Returns the maximum number of rows of all batches together.
  long rowCount();

  int batchCount();

  /// Returns whether the engine reads the batches in their order, with one thread.
  default boolean isOrdered() {
    return false;
  }

  /// Returns columns of a batch. Several threads call this method at once. Each batch is read at
  /// most once per use of the table in a statement.
  ///
  /// @param columnIndices positions in the schema's fields, in ascending order; may be empty
  TableBatch read(int batchIndex, int[] columnIndices);
}

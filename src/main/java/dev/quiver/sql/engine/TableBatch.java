package dev.quiver.sql.engine;

import dev.quiver.arrow.array.RecordBatch;

/// A batch of a [Table] in memory.
///
/// The batch must be valid. Its memory must be outside of the heap and accessible to all threads,
/// since the thread that closes the batch may differ from the one that read it.
public interface TableBatch extends AutoCloseable {

  /// Returns the requested columns, in that order.
  RecordBatch rows();

  /// Returns whether the memory of text and binary values lives until the statement is closed, even
  /// if the batch is closed earlier. These values need not be copied then.
  boolean outlivesClose();

  @Override
  void close();
}

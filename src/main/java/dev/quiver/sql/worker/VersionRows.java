package dev.quiver.sql.worker;

import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.engine.Table;
import dev.quiver.sql.engine.TableBatch;
import java.lang.foreign.Arena;

/// A table with the batches of a version in another form.
abstract class VersionRows implements Table {

  final MappedVersion version;
  private final Schema schema;

  VersionRows(MappedVersion version, Schema schema) {
    this.version = version;
    this.schema = schema;
  }

  @Override
  public final Schema schema() {
    return schema;
  }

  @Override
  public final long rowCount() {
    return version.rowCount();
  }

  @Override
  public final int batchCount() {
    return version.batchCount();
  }

  /// Makes rows of a stored batch, in the memory of an arena where they have their own.
  @FunctionalInterface
  interface Derivation {

    /// @return rows with the memory of both, or the batch itself without the arena
    TableBatch of(TableBatch batch, Arena arena);
  }

  /// Returns rows that are made from columns of a stored batch. If that fails, nothing stays open.
  final TableBatch derived(int batchIndex, int[] columnIndices, Derivation derivation) {
    TableBatch batch = version.read(batchIndex, columnIndices);
    Arena arena = Arena.ofShared();
    try {
      TableBatch rows = derivation.of(batch, arena);
      if (rows == batch) {
        arena.close();
      }
      return rows;
    } catch (RuntimeException | Error e) {
      arena.close();
      batch.close();
      throw e;
    }
  }
}

package dev.quiver.sql.engine;

import dev.quiver.arrow.type.Schema;

/// A table that reads another one, unless a subclass does.
class DelegatingTable implements Table {

  private final Table table;

  DelegatingTable(Table table) {
    this.table = table;
  }

  @Override
  public Schema schema() {
    return table.schema();
  }

  @Override
  public long rowCount() {
    return table.rowCount();
  }

  @Override
  public int batchCount() {
    return table.batchCount();
  }

  @Override
  public TableBatch read(int batchIndex, int[] columnIndices) {
    return table.read(batchIndex, columnIndices);
  }
}

package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/// A cast of record batches from one schema to another, column by column.
public final class BatchCast {

  private final Schema to;
  private final List<Cast> casts;

  private BatchCast(Schema to, List<Cast> casts) {
    this.to = to;
    this.casts = casts;
  }

  /// @param from a schema without dictionaries
  /// @param to a schema with as many columns, to each of which the one of the same index casts
  /// @throws IllegalArgumentException if a column does not cast
  public static BatchCast of(Schema from, Schema to) {
    return new BatchCast(to, Casts.of(from, to));
  }

  /// Returns the same rows in the other schema. Memory that stays the same is shared.
  ///
  /// @param batch valid, of the schema that this casts from
  /// @param allocator for other memory
  /// @throws InvalidCastException if a value has no equal one in the type of its column
  public RecordBatch apply(RecordBatch batch, SegmentAllocator allocator) {
    List<ArrayData> columns = new ArrayList<>();
    for (int i = 0; i < casts.size(); i++) {
      columns.add(casts.get(i).apply(batch.columns().get(i), allocator));
    }
    return new RecordBatch(to, batch.length(), columns, batch.customMetadata());
  }
}

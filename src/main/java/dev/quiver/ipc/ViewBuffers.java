package dev.quiver.ipc;

import dev.quiver.columnar.Field;
import dev.quiver.columnar.Layout;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;

/// Where the data buffers of views are among the buffers of a body.
///
/// They matter when they are empty, as pyarrow writes one beside views that are all short. Polars
/// looks into each for the length that compressed buffers begin with, and fails where there is
/// none.
public final class ViewBuffers {

  private final BitSet positions = new BitSet();
  private final Iterator<Long> counts;
  private final int bufferCount;
  private int position;

  private ViewBuffers(List<Long> counts, int bufferCount) {
    this.counts = counts.iterator();
    this.bufferCount = bufferCount;
  }

  /// The positions of data buffers, parents before children.
  ///
  /// Counts that do not fit the fields are for [RecordBatchReader] to refuse: here the search ends.
  ///
  /// @param variadicBufferCounts data buffers of each view array
  /// @param bufferCount buffers of the body
  public static BitSet positions(
      List<Field> fields, List<Long> variadicBufferCounts, int bufferCount) {
    ViewBuffers found = new ViewBuffers(variadicBufferCounts, bufferCount);
    if (!variadicBufferCounts.isEmpty()) {
      fields.forEach(found::add);
    }
    return found.positions;
  }

  private void add(Field field) {
    Layout layout = Layout.of(field);
    position = Math.min(position + layout.buffers().size(), bufferCount);
    if (layout.variadic() && counts.hasNext()) {
      long end = position + Math.clamp(counts.next(), 0, bufferCount - position);
      positions.set(position, (int) end);
      position = (int) end;
    }
    field.storageChildren().forEach(this::add);
  }
}

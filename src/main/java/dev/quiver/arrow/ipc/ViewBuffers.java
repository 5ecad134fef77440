package dev.quiver.arrow.ipc;

import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;

/// The positions of views' data buffers among the buffers of a body.
///
/// They matter for empty buffers, such as the one that pyarrow writes if all views are short.
/// Polars reads the length prefix of every compressed buffer, and fails if it is missing.
public final class ViewBuffers {

  private final BitSet positions = new BitSet();
  private final Iterator<Long> counts;
  private final int bufferCount;
  private int position;

  private ViewBuffers(List<Long> counts, int bufferCount) {
    this.counts = counts.iterator();
    this.bufferCount = bufferCount;
  }

  /// Returns the positions of data buffers, parents before children. The search ends where the
  /// counts no longer match the fields; [RecordBatchReader] rejects them later.
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

package dev.quiver.arrow.transform;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The entries of an array in the header of a batch.
///
/// @param buffers of the array, data buffers of views included
/// @param variadicBufferCount the number of data buffers of views, or null if the layout has none
public record ListedArray(
    FieldNode node,
    List<Buffer> buffers,
    @Nullable Long variadicBufferCount,
    List<ListedArray> children) {

  /// Returns the arrays of a header, one per field.
  ///
  /// @throws MalformedInputException if the header has more or fewer entries than the fields need
  public static List<ListedArray> of(List<Field> fields, RecordBatchHeader header) {
    Walk walk = new Walk(header);
    List<ListedArray> arrays = fields.stream().map(walk::next).toList();
    walk.requireEnd();
    return arrays;
  }

  private static final class Walk {
    private final RecordBatchHeader header;
    private int node;
    private int buffer;
    private int variadic;

    Walk(RecordBatchHeader header) {
      this.header = header;
    }

    ListedArray next(Field field) {
      FieldNode own = header.nodes().get(advance(node, 1, header.nodes(), "nodes"));
      node++;
      Layout layout = Layout.of(field);
      Long variadicBufferCount = null;
      long count = layout.buffers().size();
      if (layout.variadic()) {
        List<Long> counts = header.variadicBufferCounts();
        variadicBufferCount = counts.get(advance(variadic, 1, counts, "variadicBufferCounts"));
        variadic++;
        count += Math.clamp(variadicBufferCount, 0, Integer.MAX_VALUE);
      }
      int start = advance(buffer, count, header.buffers(), "buffers");
      buffer = (int) (start + count);
      List<Buffer> buffers = header.buffers().subList(start, buffer);
      List<ListedArray> children = new ArrayList<>(field.storageChildren().size());
      for (Field child : field.storageChildren()) {
        children.add(next(child));
      }
      return new ListedArray(own, buffers, variadicBufferCount, children);
    }

    void requireEnd() {
      requireEnd(node, header.nodes(), "nodes");
      requireEnd(buffer, header.buffers(), "buffers");
      requireEnd(variadic, header.variadicBufferCounts(), "variadicBufferCounts");
    }

    /// @return `position`, if the list has as many entries as needed
    private static int advance(int position, long count, List<?> list, String name) {
      if (count > list.size() - position) {
        throw malformed("more " + name + " for the schema", list, name);
      }
      return position;
    }

    private static void requireEnd(int position, List<?> list, String name) {
      if (position < list.size()) {
        throw malformed("%d %s for the schema".formatted(position, name), list, name);
      }
    }

    private static MalformedInputException malformed(String expected, List<?> list, String name) {
      return new MalformedInputException(
          expected, Integer.toString(list.size()), InputLocation.detail("RecordBatch." + name));
    }
  }

  /// The lists of a header, built from arrays.
  ///
  /// @param nodes parents before children
  record Lists(List<FieldNode> nodes, List<Buffer> buffers, List<Long> variadicBufferCounts) {

    Lists() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    /// Adds an array without its children.
    void add(ListedArray array) {
      nodes.add(array.node());
      buffers.addAll(array.buffers());
      if (array.variadicBufferCount() != null) {
        variadicBufferCounts.add(array.variadicBufferCount());
      }
    }

    /// Adds an array and all its descendants.
    void addWhole(ListedArray array) {
      add(array);
      array.children().forEach(this::addWhole);
    }
  }
}

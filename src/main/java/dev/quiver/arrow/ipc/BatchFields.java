package dev.quiver.arrow.ipc;

import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.Layout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// The fields of a batch's nodes and buffers, in the order of the message: parents before children.
///
/// They follow from the schema, so a forged header may have fewer or more nodes and buffers.
///
/// @param nodes the field of each node
/// @param buffers the use of each buffer
public record BatchFields(List<NodeField> nodes, List<BufferUse> buffers) {

  /// The field of a node.
  ///
  /// @param column the position of the column that has it
  public record NodeField(int column, FieldPath path) {}

  /// The use of a buffer.
  ///
  /// @param node the index of the node that has it
  public record BufferUse(int node, BufferRole role) {}

  /// @param fields the fields of the schema, or the values of a dictionary
  public static BatchFields of(
      MetadataVersion version, List<Field> fields, RecordBatchHeader header) {
    Walk walk = new Walk(version, fields, header);
    for (int i = 0; i < fields.size(); i++) {
      walk.add(fields.get(i), i, FieldPath.of(fields.get(i)));
    }
    return new BatchFields(walk.nodes, walk.buffers);
  }

  /// A walk over the fields, which takes the counts of variadic buffers in its order.
  private static final class Walk {

    private final List<NodeField> nodes = new ArrayList<>();
    private final List<BufferUse> buffers = new ArrayList<>();
    private final LegacyValidityBuffers legacyValidity;
    private final Iterator<Long> variadicBufferCounts;
    private final int bufferCount;

    Walk(MetadataVersion version, List<Field> fields, RecordBatchHeader header) {
      this.legacyValidity = LegacyValidityBuffers.of(version, fields, header);
      this.variadicBufferCounts = header.variadicBufferCounts().iterator();
      this.bufferCount = header.buffers().size();
    }

    void add(Field field, int column, FieldPath path) {
      int node = nodes.size();
      nodes.add(new NodeField(column, path));
      if (legacyValidity.concerns(field)) {
        buffers.add(new BufferUse(node, BufferRole.VALIDITY));
      }
      Layout layout = Layout.of(field);
      for (BufferLayout buffer : layout.buffers()) {
        buffers.add(new BufferUse(node, buffer.role()));
      }
      if (layout.variadic() && variadicBufferCounts.hasNext()) {
        // Caps a forged count at the number of buffers.
        long count = Math.min(variadicBufferCounts.next(), bufferCount - buffers.size());
        for (long i = 0; i < count; i++) {
          buffers.add(new BufferUse(node, BufferRole.DATA));
        }
      }
      for (Field child : field.storageChildren()) {
        add(child, column, path.child(child));
      }
    }
  }
}

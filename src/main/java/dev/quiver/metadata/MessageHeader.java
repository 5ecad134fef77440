package dev.quiver.metadata;

import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a message carries: the union `MessageHeader` of Message.fbs.
public sealed interface MessageHeader {

  record SchemaHeader(Schema schema) implements MessageHeader {}

  /// @param delta whether the values are to be appended to those already known
  record DictionaryBatchHeader(long id, RecordBatchHeader data, boolean delta)
      implements MessageHeader {}

  /// @param length rows
  /// @param nodes one per array, parents before children
  /// @param buffers in the order of the nodes
  /// @param compression of every buffer, or null
  /// @param variadicBufferCounts one per array of a view type, in the order of the nodes
  record RecordBatchHeader(
      long length,
      List<FieldNode> nodes,
      List<Buffer> buffers,
      @Nullable BodyCompression compression,
      List<Long> variadicBufferCounts)
      implements MessageHeader {

    public RecordBatchHeader {
      nodes = List.copyOf(nodes);
      buffers = List.copyOf(buffers);
      variadicBufferCounts = List.copyOf(variadicBufferCounts);
    }
  }

  /// A dense tensor: recognised, its cells not read.
  ///
  /// @param type of the cells, or null when the message has none
  /// @param shape cells along each dimension
  record TensorHeader(@Nullable ArrowType type, List<Long> shape) implements MessageHeader {

    public TensorHeader {
      shape = List.copyOf(shape);
    }
  }

  /// A sparse tensor: recognised, its cells not read.
  ///
  /// @param type of the cells, or null when the message has none
  /// @param shape cells along each dimension, zeros included
  /// @param nonZeroLength cells that are stored
  record SparseTensorHeader(@Nullable ArrowType type, List<Long> shape, long nonZeroLength)
      implements MessageHeader {

    public SparseTensorHeader {
      shape = List.copyOf(shape);
    }
  }
}

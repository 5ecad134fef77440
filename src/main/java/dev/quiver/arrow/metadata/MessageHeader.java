package dev.quiver.arrow.metadata;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The content of a message: the union `MessageHeader` of Message.fbs.
public sealed interface MessageHeader {

  record SchemaHeader(Schema schema) implements MessageHeader {}

  /// @param delta whether the values extend the known ones instead of replacing them
  record DictionaryBatchHeader(long id, RecordBatchHeader data, boolean delta)
      implements MessageHeader {}

  /// @param length rows
  /// @param nodes one per array, parents before children
  /// @param buffers in the order of the nodes
  /// @param compression of every buffer, or null if uncompressed
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

  /// A dense tensor, recognized but not read.
  ///
  /// @param type the type of the cells, or null if absent
  /// @param shape cells along each dimension
  record TensorHeader(@Nullable ArrowType type, List<Long> shape) implements MessageHeader {

    public TensorHeader {
      shape = List.copyOf(shape);
    }
  }

  /// A sparse tensor, recognized but not read.
  ///
  /// @param type the type of the cells, or null if absent
  /// @param shape cells along each dimension, zeros included
  /// @param nonZeroLength stored cells
  record SparseTensorHeader(@Nullable ArrowType type, List<Long> shape, long nonZeroLength)
      implements MessageHeader {

    public SparseTensorHeader {
      shape = List.copyOf(shape);
    }
  }
}

package dev.quiver.store.file;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The buffers of a dictionary or record batch message of a version, by their positions in the IPC
/// file.
///
/// @param index the index among the dictionaries and record batches, in the order of the file
/// @param dictionary the id of a dictionary, or null for a record batch
/// @param block its position in the IPC file
/// @param codec the codec of the buffers
public record MessageLayout(
    long index,
    @Nullable Long dictionary,
    Block block,
    long rows,
    Codec codec,
    List<FieldLayout> fields) {

  /// The node and buffers of a field.
  ///
  /// @param column the position of the column that has the field, 0 in a dictionary
  public record FieldLayout(
      int column, FieldPath path, FieldNode node, List<StoredBuffer> buffers) {}

  /// A buffer.
  ///
  /// @param byteOffset its position in the IPC file
  /// @param byteSize the stored size, with the length that precedes compressed bytes
  /// @param compressed whether its bytes are in the codec of the message
  public record StoredBuffer(
      BufferRole role,
      long byteOffset,
      long byteSize,
      long uncompressedByteSize,
      boolean compressed) {}
}

package dev.quiver.store.file;

import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.store.blob.BlockChecksums;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The checksums of a blob as its messages are written. Small messages share blocks. Of a large
/// one, the metadata and each large buffer have blocks of their own, so that a reader of one column
/// checks little else.
final class MessageChecksums {

  private static final int ALIGNMENT = 8;

  private final BlockChecksums.Builder blocks = new BlockChecksums.Builder();

  /// Whether the last message is a record batch, which the next batch may continue.
  private boolean inBatches;

  /// Begins a message, before which an extent may end.
  void begin(MessageHeader header, long bodyLength) {
    boolean isBatch = header instanceof RecordBatchHeader;
    if (isBatch && inBatches && bodyLength < blocks.minimum()) {
      blocks.boundary();
    } else {
      blocks.edge();
    }
    inBatches = isBatch;
    blocks.mark();
  }

  /// Begins the body of the message, whose metadata is complete.
  void beginBody(MessageHeader header, long bodyLength) {
    if (bodyLength < blocks.minimum()) {
      return;
    }
    blocks.edge();
    long minimum = blocks.minimum();
    long end = 0;
    for (Buffer buffer : buffers(header)) {
      if (buffer.offset() < end) {
        // Buffers that overlap are rare.
        return;
      }
      end = Padding.padded(buffer.offset() + buffer.length(), ALIGNMENT);
      if (buffer.length() >= minimum) {
        blocks.edgeAfter(buffer.offset());
        blocks.edgeAfter(end);
      }
    }
  }

  private static List<Buffer> buffers(MessageHeader header) {
    return switch (header) {
      case DictionaryBatchHeader dictionary -> dictionary.data().buffers();
      case RecordBatchHeader batch -> batch.buffers();
      case MessageHeader.SchemaHeader _,
          MessageHeader.TensorHeader _,
          MessageHeader.SparseTensorHeader _ ->
          List.of();
    };
  }

  void update(MemorySegment bytes) {
    blocks.update(bytes);
  }

  /// Continues at another position.
  void moveTo(long position) {
    blocks.moveTo(position);
  }

  /// Ends a block, so that an extent can start or end here.
  void edge() {
    blocks.edge();
  }

  /// Returns the checksum of the message begun last, as far as it is written.
  int ofMessage() {
    return blocks.sinceMark();
  }

  BlockChecksums build() {
    return blocks.build();
  }
}

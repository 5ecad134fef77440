package dev.quiver.store.read;

import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.metadata.Block;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The layout of the IPC file of a selection, which [SelectedFile#layout] computes. Immutable, and
/// shared by threads.
///
/// @param dictionaries their messages in this file
/// @param recordBatches their messages in this file
/// @param footerOffset the start of the footer, and the end of the stream that starts at 8
/// @param tail the footer and everything after it
/// @param usedIndices the stored indices of the values that reduced dictionaries have, by the ids
///   of the dictionaries; null if dictionaries are not reduced or these are many
public record SelectedFileLayout(
    List<Block> dictionaries,
    List<Block> recordBatches,
    long footerOffset,
    byte[] tail,
    @Nullable Map<Long, long[]> usedIndices) {

  /// The bytes of the three numbers of a block.
  private static final long BLOCK_BYTE_SIZE = 20;

  private static final long OBJECTS_BYTE_SIZE = 1000;

  /// The approximate size of the objects for the indices of a dictionary.
  private static final long DICTIONARY_BYTE_SIZE = 100;

  long byteSize() {
    return footerOffset + tail.length;
  }

  /// Returns where the messages after the schema start.
  long messagesOffset() {
    return dictionaries.isEmpty() ? batchesOffset() : dictionaries.getFirst().offset();
  }

  /// Returns where the record batches start.
  long batchesOffset() {
    return recordBatches.isEmpty()
        ? footerOffset - Framing.PREFIX_BYTE_SIZE
        : recordBatches.getFirst().offset();
  }

  /// Returns the approximate number of bytes of memory that this layout takes.
  long memoryByteSize() {
    return OBJECTS_BYTE_SIZE
        + BLOCK_BYTE_SIZE * (dictionaries.size() + recordBatches.size())
        + tail.length
        + usedByteSize();
  }

  private long usedByteSize() {
    long byteSize = 0;
    if (usedIndices != null) {
      for (long[] indices : usedIndices.values()) {
        byteSize += DICTIONARY_BYTE_SIZE + Long.BYTES * (long) indices.length;
      }
    }
    return byteSize;
  }

  /// Returns the index of the first record batch that ends after a position, or their number if
  /// absent.
  int firstBatchAfter(long position) {
    int low = 0;
    int high = recordBatches.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (recordBatches.get(middle).end() <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

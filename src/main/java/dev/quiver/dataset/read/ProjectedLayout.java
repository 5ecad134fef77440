package dev.quiver.dataset.read;

import dev.quiver.ipc.Framing;
import dev.quiver.metadata.Block;
import java.util.List;

/// Where everything lies in the IPC file that a selection makes. Never changes, and is shared by
/// threads.
///
/// @param dictionaries where they lie in this file
/// @param recordBatches where they lie in this file
/// @param footerOffset where the footer starts: the end of the stream that starts at 8
/// @param tail the footer and what follows it
record ProjectedLayout(
    List<Block> dictionaries, List<Block> recordBatches, long footerOffset, byte[] tail) {

  /// Bytes of the three numbers of a block.
  private static final long BLOCK_BYTE_SIZE = 20;

  private static final long OBJECTS_BYTE_SIZE = 1000;

  long byteSize() {
    return footerOffset + tail.length;
  }

  /// Where the messages after the schema start.
  long messagesOffset() {
    return dictionaries.isEmpty() ? batchesOffset() : dictionaries.getFirst().offset();
  }

  /// Where the record batches start.
  long batchesOffset() {
    return recordBatches.isEmpty()
        ? footerOffset - Framing.PREFIX_BYTE_SIZE
        : recordBatches.getFirst().offset();
  }

  /// Bytes of memory that it takes, roughly.
  long memoryByteSize() {
    return OBJECTS_BYTE_SIZE
        + BLOCK_BYTE_SIZE * (dictionaries.size() + recordBatches.size())
        + tail.length;
  }

  /// The first record batch that ends after a position, or their number when none does.
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

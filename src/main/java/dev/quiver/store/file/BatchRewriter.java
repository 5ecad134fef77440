package dev.quiver.store.file;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.file.Path;
import java.util.List;

/// Rewrites record batches to another file, unchanged or with other columns.
public final class BatchRewriter {

  private final MessageSource source;
  private final Limits limits;
  private final Path scratchFolder;

  public BatchRewriter(MessageSource source, Limits limits, Path scratchFolder) {
    this.source = source;
    this.limits = limits;
    this.scratchFolder = scratchFolder;
  }

  /// A change to the columns of a batch.
  public interface ColumnChange {

    /// Returns the new columns.
    ///
    /// @param allocator the allocator of new arrays
    List<ArrayData> of(List<ArrayData> columns, SegmentAllocator allocator);
  }

  /// Copies batches byte for byte.
  public void copy(List<Block> blocks, CanonicalWriter destination) throws IOException {
    try (ScratchMemory memory = new ScratchMemory(scratchFolder)) {
      for (int i = 0; i < blocks.size(); i++) {
        try (Arena arena = Arena.ofConfined()) {
          destination.begin(source.message(blocks.get(i), i));
          destination.write(source.body(blocks.get(i), arena, memory));
          addStatistics(blocks.get(i), destination);
        }
        memory.reset();
      }
    }
  }

  /// Writes batches with other columns of the same values, each in its original codec.
  ///
  /// @param schema the schema of the batches in `blocks`
  public void write(
      Schema schema, List<Block> blocks, ColumnChange change, CanonicalWriter destination)
      throws IOException {
    RecordBatchReader reader = new RecordBatchReader(schema, limits);
    try (ScratchMemory memory = new ScratchMemory(scratchFolder)) {
      for (int i = 0; i < blocks.size(); i++) {
        try (Arena arena = Arena.ofConfined()) {
          EncapsulatedMessage message = source.message(blocks.get(i), i);
          MemorySegment body = source.body(blocks.get(i), arena, memory);
          RecordBatch batch = reader.readBatch(message, body, memory);
          Codec codec = BodyCodecs.of((RecordBatchHeader) message.message().header());
          List<ArrayData> columns = change.of(batch.columns(), memory);
          destination.writeBatch(
              EncodedBody.of(batch.length(), columns, codec, memory), batch.customMetadata());
          addStatistics(blocks.get(i), destination);
        }
        memory.reset();
      }
    }
  }

  private void addStatistics(Block block, CanonicalWriter destination) throws IOException {
    BatchStatistics statistics = source.statistics(block);
    if (statistics != null) {
      destination.addStatistics(statistics);
    }
  }
}

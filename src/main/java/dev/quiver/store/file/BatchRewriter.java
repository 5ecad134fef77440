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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /// Returns the columns that follow them.
    ///
    /// @param length the number of rows
    /// @param allocator the allocator of new arrays
    default Added added(long length, SegmentAllocator allocator) {
      return Added.NONE;
    }
  }

  /// Columns that a batch gets in addition, and their statistics.
  public record Added(List<ArrayData> columns, BatchStatistics statistics) {

    private static final Added NONE = new Added(List.of(), new BatchStatistics(List.of()));
  }

  /// Copies batches byte for byte.
  public void copy(List<Block> blocks, CanonicalWriter destination) throws IOException {
    try (ScratchMemory memory = new ScratchMemory(scratchFolder)) {
      for (int i = 0; i < blocks.size(); i++) {
        try (Arena arena = Arena.ofConfined()) {
          destination.begin(source.message(blocks.get(i), i));
          destination.write(source.body(blocks.get(i), arena, memory));
          addStatistics(source.statistics(blocks.get(i)), destination);
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
          List<ArrayData> columns = new ArrayList<>(change.of(batch.columns(), memory));
          Added added = change.added(batch.length(), memory);
          columns.addAll(added.columns);
          destination.writeBatch(
              EncodedBody.of(batch.length(), columns, codec, memory), batch.customMetadata());
          BatchStatistics before = source.statistics(blocks.get(i));
          addStatistics(before == null ? null : before.followedBy(added.statistics), destination);
        }
        memory.reset();
      }
    }
  }

  private static void addStatistics(
      @Nullable BatchStatistics statistics, CanonicalWriter destination) {
    if (statistics != null) {
      destination.addStatistics(statistics);
    }
  }
}

package dev.quiver.store.write;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.arrow.transform.BatchCoalescer;
import dev.quiver.store.file.CanonicalWriter;
import dev.quiver.store.file.SnapshotBytes;
import dev.quiver.store.file.StoredLevel;
import dev.quiver.store.file.StoredVersion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Writes a version's record batches in order, and coalesces each run of small ones into one. Other
/// batches are copied byte for byte. So are batches with invalid values, which were not validated
/// when they were stored.
///
/// Each batch is read once.
final class CompactedBatches implements AutoCloseable {

  private final StoredVersion stored;
  private final StoredLevel level;
  private final SnapshotBytes messages;
  private final CanonicalWriter destination;
  private final long batchByteSize;
  private final RecordBatchReader reader;
  private final BatchCoalescer<IOException> coalescer;
  private final AlternatingMemory memory;
  private final ScratchMemory concatenationMemory;
  private @Nullable Message first;

  /// The statistics of the pending batches.
  private final List<Optional<BatchStatistics>> pending = new ArrayList<>();

  /// @param batchByteSize the maximum size of the uncompressed body of a run, in bytes
  CompactedBatches(
      StoredVersion stored, CanonicalWriter destination, long batchByteSize, Path scratchFolder) {
    this.stored = stored;
    this.level = new StoredLevel(stored.summary());
    this.messages = stored.bytes();
    this.destination = destination;
    this.batchByteSize = batchByteSize;
    this.reader = new RecordBatchReader(stored.schema(), Limits.ACCEPTED);
    this.coalescer = new BatchCoalescer<>(batchByteSize, Long.MAX_VALUE, this::write);
    this.memory = new AlternatingMemory(scratchFolder);
    this.concatenationMemory = new ScratchMemory(scratchFolder);
  }

  /// Adds a batch, and writes it now or later with others.
  ///
  /// @param index the index of the batch in the version
  void add(int index) throws IOException {
    Block block = stored.footer().recordBatches().get(index);
    EncapsulatedMessage message = messages.message(block, index);
    BatchStatistics statistics = stored.statistics(index);
    if (block.bodyLength() >= batchByteSize / 2) {
      flush();
      write(
          new Message(message, messages.body(block, memory.arena(), memory.scratch())), statistics);
      memory.reset();
      return;
    }
    MemorySegment body = messages.body(block, memory.arena(), memory.scratch());
    RecordBatch batch = reader.readBatch(message, body, memory.scratch());
    if (!level.isValid(batch)) {
      coalescer.flush();
      write(new Message(message, body), statistics);
      memory.reset();
      return;
    }
    RecordBatchHeader header = (RecordBatchHeader) message.message().header();
    coalescer.add(batch, BodyCodecs.of(header), message.metaDataLength());
    if (coalescer.size() == 1) {
      first = new Message(message, body);
    }
    pending.add(Optional.ofNullable(statistics));
  }

  /// Writes the pending batches.
  void flush() throws IOException {
    coalescer.flush();
    memory.reset();
  }

  @Override
  public void close() throws IOException {
    try (memory) {
      concatenationMemory.close();
    }
  }

  private void write(BatchCoalescer.Run run) throws IOException {
    List<Optional<BatchStatistics>> parts = pending.subList(0, run.batches().size());
    BatchStatistics statistics =
        parts.stream().allMatch(Optional::isPresent)
            ? BatchStatistics.merged(
                stored.schema(), parts.stream().flatMap(Optional::stream).toList())
            : null;
    parts.clear();
    if (run.batches().size() == 1) {
      write(Objects.requireNonNull(first), statistics);
    } else {
      RecordBatch batch = run.concatenated(concatenationMemory);
      destination.writeBatch(
          EncodedBody.of(batch.length(), batch.columns(), run.codec(), concatenationMemory),
          batch.customMetadata());
      concatenationMemory.reset();
      addStatistics(statistics);
    }
    memory.alternate();
  }

  private void write(Message single, @Nullable BatchStatistics statistics) throws IOException {
    destination.begin(single.message);
    destination.write(single.body);
    requireAsStored(single.message);
    addStatistics(statistics);
  }

  /// Requires a message to be written as it was stored: its new checksums must not vouch for bytes
  /// that were damaged in memory after they were checked.
  private void requireAsStored(EncapsulatedMessage message) throws IOException {
    if (CanonicalWriter.isCanonical(message) && CanonicalWriter.isFramed(message)) {
      Integer checksum = messages.checksum(message.block());
      if (checksum != null && checksum != destination.messageChecksum()) {
        throw messages.damaged(message.block());
      }
    }
  }

  private void addStatistics(@Nullable BatchStatistics statistics) {
    if (statistics != null) {
      destination.addStatistics(statistics);
    }
  }

  /// A message as it is stored.
  private record Message(EncapsulatedMessage message, MemorySegment body) {}
}

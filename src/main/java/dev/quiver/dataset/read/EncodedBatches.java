package dev.quiver.dataset.read;

import dev.quiver.codec.Codec;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.dataset.stored.SnapshotBytes;
import dev.quiver.dataset.stored.StoredVersion;
import dev.quiver.input.InputException;
import dev.quiver.ipc.BodyCodecs;
import dev.quiver.ipc.EncodedBody;
import dev.quiver.ipc.MessageWriter;
import dev.quiver.ipc.RecordBatchReader;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The batches of a selection that have some of their rows or other indices than stored, each in
/// its stored codec.
///
/// A batch is encoded on first use. It is kept until this is closed if it is among the first
/// megabytes, since a request lays out its response before it writes it, and may have many ranges
/// in a batch; otherwise until the next one is encoded. Batches are in working memory, which is a
/// file if they are large. Used by one thread.
final class EncodedBatches implements AutoCloseable {

  /// The maximum size of the kept batches together.
  private static final long KEPT_BYTE_SIZE = 16 << 20;

  /// The approximate size of the objects for a node or buffer.
  private static final long OBJECTS_BYTE_SIZE = 128;

  private final SelectedMessages messages;
  private final @Nullable ReducedDictionaries reduced;
  private final RecordBatchReader reader;
  private final ScratchMemory memory;
  private final ScratchMemory keptMemory;
  private final Map<Integer, EncodedBatch> kept = new HashMap<>();
  private Arena arena = Arena.ofConfined();
  private @Nullable EncodedBatch current;
  private int currentBatch;
  private long keptByteSize;

  private record EncodedBatch(EncodedBody body, Metadata customMetadata) {}

  /// @param reduced null if indices stay as stored
  EncodedBatches(
      SelectedMessages messages, @Nullable ReducedDictionaries reduced, Path scratchFolder) {
    this.messages = messages;
    this.reduced = reduced;
    this.reader = new RecordBatchReader(messages.schema(), StoredVersion.LIMITS);
    this.memory = new ScratchMemory(scratchFolder);
    this.keptMemory = new ScratchMemory(scratchFolder);
  }

  /// Writes the selected rows of a batch.
  Block write(int batch, MessageWriter writer) throws IOException {
    EncodedBatch encoded = encoded(batch);
    return writer.writeRecordBatch(encoded.body(), encoded.customMetadata());
  }

  /// Writes as many bytes as [#write] does. Their content is undefined if the batch would not be
  /// kept and its size is faster to find.
  Block writeSizes(int batch, MessageWriter writer) throws IOException {
    boolean mayBeKept = messages.block(batch).bodyLength() <= KEPT_BYTE_SIZE - keptByteSize;
    EncodedBatch sizes = reduced == null && !mayBeKept ? sizes(batch) : null;
    return sizes == null
        ? write(batch, writer)
        : writer.writeRecordBatch(sizes.body(), sizes.customMetadata());
  }

  private @Nullable EncodedBatch sizes(int batch) throws IOException {
    begin();
    try {
      RecordBatch sizes = messages.readSizes(batch, reader, arena, memory);
      return sizes == null
          ? null
          : new EncodedBatch(
              EncodedBody.of(sizes.length(), sizes.columns(), Codec.NONE, memory),
              sizes.customMetadata());
    } catch (InputException e) {
      throw SnapshotBytes.damaged(e);
    }
  }

  @Override
  public void close() throws IOException {
    arena.close();
    try (keptMemory) {
      memory.close();
    }
  }

  private EncodedBatch encoded(int batch) throws IOException {
    EncodedBatch present = currentBatch == batch ? current : null;
    if (present == null) {
      present = kept.get(batch);
    }
    if (present == null) {
      present = encode(batch);
      long byteSize = byteSize(present.body());
      if (byteSize <= KEPT_BYTE_SIZE - keptByteSize) {
        present = new EncodedBatch(copy(present.body()), present.customMetadata());
        kept.put(batch, present);
        keptByteSize += byteSize;
      } else {
        current = present;
        currentBatch = batch;
      }
    }
    return present;
  }

  /// Releases the memory of the last batch that is not kept.
  private void begin() {
    current = null;
    arena.close();
    arena = Arena.ofConfined();
    memory.reset();
  }

  private EncodedBatch encode(int batch) throws IOException {
    begin();
    try {
      RecordBatch rows = messages.read(batch, reader, arena, memory);
      RecordBatch selected = reduced == null ? rows : reduced.rewritten(rows, memory);
      var stored = (RecordBatchHeader) messages.message(batch).message().header();
      EncodedBody body =
          EncodedBody.of(selected.length(), selected.columns(), BodyCodecs.of(stored), memory);
      return new EncodedBatch(body, selected.customMetadata());
    } catch (InputException e) {
      throw SnapshotBytes.damaged(e);
    }
  }

  private static long byteSize(EncodedBody body) {
    long objectCount = body.header().nodes().size() + body.buffers().size();
    return body.byteSize() + OBJECTS_BYTE_SIZE * objectCount;
  }

  private EncodedBody copy(EncodedBody body) {
    List<MemorySegment> buffers = new ArrayList<>();
    for (MemorySegment buffer : body.buffers()) {
      buffers.add(keptMemory.allocate(buffer.byteSize(), Long.BYTES).copyFrom(buffer));
    }
    return new EncodedBody(body.header(), buffers, body.byteSize());
  }
}

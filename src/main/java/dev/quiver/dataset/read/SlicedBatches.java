package dev.quiver.dataset.read;

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

/// The partially selected batches of a selection, each in its stored codec.
///
/// A slice is computed on first use. It is kept until this is closed if it is among the first
/// megabytes, since a request lays out its response before it writes it, and may have many ranges
/// in a slice; otherwise until the next one is computed. Slices are in working memory, which is a
/// file if they are large. Used by one thread.
final class SlicedBatches implements AutoCloseable {

  /// The maximum size of the kept slices together.
  private static final long KEPT_BYTE_SIZE = 16 << 20;

  /// The approximate size of the objects for a node or buffer.
  private static final long OBJECTS_BYTE_SIZE = 128;

  private final SelectedMessages messages;
  private final RecordBatchReader reader;
  private final ScratchMemory memory;
  private final ScratchMemory keptMemory;
  private final Map<Integer, EncodedSlice> kept = new HashMap<>();
  private Arena arena = Arena.ofConfined();
  private @Nullable EncodedSlice current;
  private int currentBatch;
  private long keptByteSize;

  private record EncodedSlice(EncodedBody body, Metadata customMetadata) {}

  SlicedBatches(SelectedMessages messages, Path scratchFolder) {
    this.messages = messages;
    this.reader = new RecordBatchReader(messages.schema(), StoredVersion.LIMITS);
    this.memory = new ScratchMemory(scratchFolder);
    this.keptMemory = new ScratchMemory(scratchFolder);
  }

  /// Writes the selected rows of a batch.
  Block write(int batch, MessageWriter writer) throws IOException {
    EncodedSlice slice = slice(batch);
    return writer.writeRecordBatch(slice.body(), slice.customMetadata());
  }

  @Override
  public void close() throws IOException {
    arena.close();
    try (keptMemory) {
      memory.close();
    }
  }

  private EncodedSlice slice(int batch) throws IOException {
    EncodedSlice present = currentBatch == batch ? current : null;
    if (present == null) {
      present = kept.get(batch);
    }
    if (present == null) {
      present = encode(batch);
      long byteSize = byteSize(present.body());
      if (byteSize <= KEPT_BYTE_SIZE - keptByteSize) {
        present = new EncodedSlice(copy(present.body()), present.customMetadata());
        kept.put(batch, present);
        keptByteSize += byteSize;
      } else {
        current = present;
        currentBatch = batch;
      }
    }
    return present;
  }

  private EncodedSlice encode(int batch) throws IOException {
    current = null;
    arena.close();
    arena = Arena.ofConfined();
    memory.reset();
    try {
      RecordBatch slice = messages.read(batch, reader, arena, memory);
      var stored = (RecordBatchHeader) messages.message(batch).message().header();
      EncodedBody body =
          EncodedBody.of(slice.length(), slice.columns(), BodyCodecs.of(stored), memory);
      return new EncodedSlice(body, slice.customMetadata());
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

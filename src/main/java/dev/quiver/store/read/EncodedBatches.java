package dev.quiver.store.read;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.parallel.TaskQueue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.store.file.SnapshotBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
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
  private final Path scratchFolder;
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
    this.scratchFolder = scratchFolder;
    this.reader = new RecordBatchReader(messages.schema(), Limits.ACCEPTED);
    this.memory = new ScratchMemory(scratchFolder);
    this.keptMemory = new ScratchMemory(scratchFolder);
  }

  /// Writes the selected rows of a batch.
  Block write(int batch, MessageWriter writer) throws IOException {
    EncodedBatch present = kept.get(batch);
    if (present == null && currentBatch == batch) {
      present = current;
    }
    return write(present == null ? read(batch) : present, writer);
  }

  /// Returns a writer of batches in their order, which other threads gather ahead.
  ///
  /// @param from the first batch
  /// @param to the batch after the last one
  /// @param sizesSuffice whether the content of a batch is undefined if it would not be kept, and
  ///   its size is faster to find
  InOrder inOrder(int from, int to, boolean sizesSuffice) {
    int[] batches =
        IntStream.range(from, to).filter(batch -> !messages.hasStoredBuffers(batch)).toArray();
    return new InOrder(batches, sizesSuffice);
  }

  /// Writes some batches, each once.
  final class InOrder implements AutoCloseable {

    private final int[] batches;
    private final boolean sizesSuffice;
    private final MessagesAhead<Block> ahead;
    private final TaskQueue queue = CpuPool.PROCESS.queue();
    private @Nullable MessageWriter writer;

    private InOrder(int[] batches, boolean sizesSuffice) {
      this.batches = batches;
      this.sizesSuffice = sizesSuffice;
      this.ahead =
          new MessagesAhead<>(
              batches.length, index -> messages.block(batches[index]).bodyLength(), scratchFolder);
    }

    /// Writes the next batch.
    Block write(MessageWriter destination) throws IOException {
      writer = destination;
      try {
        return ahead.finishNext(
            (index, aheadArena, aheadMemory) -> begin(batches[index], aheadArena, aheadMemory));
      } catch (InputException e) {
        throw SnapshotBytes.damaged(e);
      }
    }

    private Block write(EncodedBatch encoded) throws IOException {
      return EncodedBatches.write(encoded, Objects.requireNonNull(writer));
    }

    private MessagesAhead.Begun<Block> begin(int batch, Arena aheadArena, ScratchMemory aheadMemory)
        throws IOException {
      EncodedBatch present = kept.get(batch);
      if (present != null) {
        return () -> write(present);
      }
      boolean mayBeKept = messages.block(batch).bodyLength() <= KEPT_BYTE_SIZE - keptByteSize;
      var gathered =
          messages.begin(
              batch,
              reader,
              aheadArena,
              aheadMemory,
              queue,
              sizesSuffice && reduced == null && !mayBeKept);
      return () -> {
        SelectedMessages.GatheredRows rows = gathered.await();
        EncodedBatch encoded = encoded(batch, rows.batch(), aheadMemory);
        if (rows.hasValues()) {
          keep(batch, encoded);
        }
        return write(encoded);
      };
    }

    /// Ends the work ahead.
    @Override
    public void close() throws IOException {
      // Closes the memory after the threads that use it.
      try (ahead) {
        queue.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    arena.close();
    try (keptMemory) {
      memory.close();
    }
  }

  private static Block write(EncodedBatch encoded, MessageWriter writer) throws IOException {
    return writer.writeRecordBatch(encoded.body(), encoded.customMetadata());
  }

  /// Reads a batch that is not kept. It replaces the last one.
  private EncodedBatch read(int batch) throws IOException {
    current = null;
    arena.close();
    arena = Arena.ofConfined();
    memory.reset();
    try {
      EncodedBatch read = encoded(batch, messages.read(batch, reader, arena, memory), memory);
      if (!keep(batch, read)) {
        current = read;
        currentBatch = batch;
      }
      return read;
    } catch (InputException e) {
      throw SnapshotBytes.damaged(e);
    }
  }

  /// @param rows the selected rows, with indices into the stored dictionaries
  private EncodedBatch encoded(int batch, RecordBatch rows, ScratchMemory allocator)
      throws IOException {
    RecordBatch selected = reduced == null ? rows : reduced.rewritten(rows, allocator);
    var stored = (RecordBatchHeader) messages.message(batch).message().header();
    EncodedBody body =
        EncodedBody.of(selected.length(), selected.columns(), BodyCodecs.of(stored), allocator);
    return new EncodedBatch(body, selected.customMetadata());
  }

  /// Keeps a copy of a batch if that is among the first megabytes, and returns whether it does.
  private boolean keep(int batch, EncodedBatch encoded) {
    long byteSize = byteSize(encoded.body());
    if (byteSize > KEPT_BYTE_SIZE - keptByteSize) {
      return false;
    }
    kept.put(batch, new EncodedBatch(copy(encoded.body()), encoded.customMetadata()));
    keptByteSize += byteSize;
    return true;
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

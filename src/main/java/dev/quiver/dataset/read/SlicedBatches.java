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
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// The partially selected batches of a selection, at most two, each in its stored codec.
///
/// A slice is computed on first use and kept until this is closed, since a request may have many
/// ranges in it. Slices are in working memory, which is a file if they are large. Used by one
/// thread.
final class SlicedBatches implements AutoCloseable {

  private final SelectedMessages messages;
  private final RecordBatchReader reader;
  private final ScratchMemory memory;
  private final Arena arena = Arena.ofConfined();
  private final Map<Integer, EncodedSlice> slices = new HashMap<>();

  private record EncodedSlice(EncodedBody body, Metadata customMetadata) {}

  SlicedBatches(SelectedMessages messages, Path scratchFolder) {
    this.messages = messages;
    this.reader = new RecordBatchReader(messages.schema(), StoredVersion.LIMITS);
    this.memory = new ScratchMemory(scratchFolder);
  }

  /// Writes the selected rows of a batch.
  Block write(int batch, MessageWriter writer) throws IOException {
    EncodedSlice slice = slices.get(batch);
    if (slice == null) {
      slice = encode(batch);
      slices.put(batch, slice);
    }
    return writer.writeRecordBatch(slice.body(), slice.customMetadata());
  }

  @Override
  public void close() throws IOException {
    arena.close();
    memory.close();
  }

  private EncodedSlice encode(int batch) throws IOException {
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
}

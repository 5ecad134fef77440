package dev.quiver.dataset.read;

import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.dataset.stored.BatchIndex;
import dev.quiver.dataset.stored.StoredMessages;
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

/// The batches of a selection that have only some of their rows, two at most, each in the codec in
/// which it is stored.
///
/// One is made when it is wanted first, and is there until this is closed: a request may have many
/// ranges in it. What is made is in working memory, which is a file when it is large. Used by one
/// thread.
final class SlicedBatches implements AutoCloseable {

  private final SelectedMessages messages;
  private final RecordBatchReader reader;
  private final ScratchMemory memory;
  private final Arena arena = Arena.ofConfined();
  private final Map<Integer, CutBatch> made = new HashMap<>();

  private record CutBatch(EncodedBody body, Metadata customMetadata) {}

  SlicedBatches(SelectedMessages messages, Path scratchFolder) {
    this.messages = messages;
    this.reader = new RecordBatchReader(messages.schema(), BatchIndex.STORED);
    this.memory = new ScratchMemory(scratchFolder);
  }

  /// Writes a batch of which some rows are selected.
  Block write(int batch, MessageWriter writer) throws IOException {
    CutBatch cut = made.get(batch);
    if (cut == null) {
      cut = make(batch);
      made.put(batch, cut);
    }
    return writer.writeRecordBatch(cut.body(), cut.customMetadata());
  }

  @Override
  public void close() throws IOException {
    arena.close();
    memory.close();
  }

  private CutBatch make(int batch) throws IOException {
    try {
      RecordBatch cut = messages.read(batch, reader, arena, memory);
      var stored = (RecordBatchHeader) messages.message(batch).message().header();
      EncodedBody body = EncodedBody.of(cut.length(), cut.columns(), BodyCodecs.of(stored), memory);
      return new CutBatch(body, cut.customMetadata());
    } catch (InputException e) {
      throw StoredMessages.damaged(e);
    }
  }
}

package dev.quiver.dataset;

import dev.quiver.columnar.RecordBatch;
import dev.quiver.ipc.RecordBatchReader;
import dev.quiver.memory.InputException;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.Footer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/// The record batches of a version, decoded one at a time.
///
/// Large bodies are mapped where they are stored; what is decompressed is in working memory, which
/// is a file when it is large. Dictionaries stay as long as this is open, a batch until the next
/// one is read. Used by one thread.
public final class DecodedBatches implements AutoCloseable {

  private final StoredMessages messages;
  private final Footer footer;
  private final RecordBatchReader reader;
  private final ScratchMemory dictionaryMemory;
  private final ScratchMemory batchMemory;
  private final Arena dictionaryArena = Arena.ofConfined();
  private Arena batchArena = Arena.ofConfined();

  private DecodedBatches(SnapshotBytes bytes, Footer footer, Path scratchFolder) {
    this.messages = new StoredMessages(bytes);
    this.footer = footer;
    this.reader = new RecordBatchReader(footer.schema(), BatchIndex.STORED);
    this.dictionaryMemory = new ScratchMemory(scratchFolder);
    this.batchMemory = new ScratchMemory(scratchFolder);
  }

  /// Reads the dictionaries.
  static DecodedBatches open(SnapshotBytes bytes, BatchIndex index, Path scratchFolder)
      throws IOException {
    DecodedBatches batches = new DecodedBatches(bytes, index.footer(), scratchFolder);
    try {
      batches.readDictionaries();
      return batches;
    } catch (IOException | RuntimeException | Error e) {
      batches.close();
      throw e;
    }
  }

  public long count() {
    return footer.recordBatches().size();
  }

  /// Reads a record batch, which lives until the next one is read.
  ///
  /// @throws IndexOutOfBoundsException when there is no such batch
  public RecordBatch read(long index) throws IOException {
    closeBatch();
    Block block = footer.recordBatches().get(Math.toIntExact(index));
    try {
      MemorySegment body = messages.body(block, batchArena, batchMemory);
      return reader.readBatch(messages.message(block, index), body, batchMemory);
    } catch (InputException e) {
      throw StoredMessages.damaged(e);
    }
  }

  @Override
  public void close() throws IOException {
    batchArena.close();
    dictionaryArena.close();
    try {
      batchMemory.close();
    } finally {
      dictionaryMemory.close();
    }
  }

  private void closeBatch() {
    batchArena.close();
    batchArena = Arena.ofConfined();
    batchMemory.reset();
  }

  private void readDictionaries() throws IOException {
    List<Block> blocks = footer.dictionaries();
    for (int i = 0; i < blocks.size(); i++) {
      try {
        Block block = blocks.get(i);
        MemorySegment body = messages.body(block, dictionaryArena, dictionaryMemory);
        reader.readDictionary(messages.message(block, i), body, dictionaryMemory);
      } catch (InputException e) {
        throw StoredMessages.damaged(e);
      }
    }
  }
}

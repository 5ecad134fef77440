package dev.quiver.store.read;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.store.file.SnapshotBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The selected rows and columns of a version's record batches, decoded one at a time.
///
/// Batch indices and rows count within the selection. Large bodies are mapped from the store.
/// Decompressed data is in working memory, which is a file if it is large. Dictionaries live until
/// this is closed, and a batch until the next one is read. Used by one thread.
public final class DecodedBatches implements AutoCloseable {

  private final SelectedMessages messages;
  private final RecordBatchReader reader;
  private final ScratchMemory dictionaryMemory;
  private final ScratchMemory batchMemory;
  private final Arena dictionaryArena = Arena.ofConfined();
  private Arena batchArena = Arena.ofConfined();
  private @Nullable RecordBatch current;
  private long currentIndex;

  private DecodedBatches(SelectedMessages messages, Path scratchFolder) {
    this.messages = messages;
    this.reader = new RecordBatchReader(messages.schema(), Limits.ACCEPTED);
    this.dictionaryMemory = new ScratchMemory(scratchFolder);
    this.batchMemory = new ScratchMemory(scratchFolder);
  }

  /// Reads the dictionaries.
  static DecodedBatches open(SelectedMessages messages, Path scratchFolder) throws IOException {
    DecodedBatches batches = new DecodedBatches(messages, scratchFolder);
    try {
      batches.readDictionaries();
      return batches;
    } catch (IOException | RuntimeException | Error e) {
      batches.close();
      throw e;
    }
  }

  public long count() {
    return messages.batchCount();
  }

  /// Returns the index of the batch with a row.
  public int batchOf(long row) {
    return messages.rows().batchOf(row);
  }

  /// Returns the number of rows before a batch.
  ///
  /// @param index the index of the batch, or the number of batches
  public long rowsBefore(int index) {
    return messages.rows().before(index);
  }

  /// Reads a record batch, which lives until another one is read.
  ///
  /// @throws IndexOutOfBoundsException if the index is out of range
  public RecordBatch read(long index) throws IOException {
    RecordBatch present = current;
    if (present == null || currentIndex != index) {
      int batch = Math.toIntExact(Objects.checkIndex(index, count()));
      closeBatch();
      present = read(batch, batchArena, batchMemory);
      current = present;
      currentIndex = index;
    }
    return present;
  }

  /// Reads a record batch into other memory.
  RecordBatch read(int batch, Arena arena, ScratchMemory memory) throws IOException {
    try {
      return messages.read(batch, reader, arena, memory);
    } catch (InputException e) {
      throw SnapshotBytes.damaged(e);
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

  /// Returns the values of a dictionary, which live until this is closed.
  ArrayData dictionary(long id) {
    return Objects.requireNonNull(reader.dictionaries().get(id));
  }

  /// Releases the memory of the record batch that was read last.
  void closeBatch() {
    current = null;
    batchArena.close();
    batchArena = Arena.ofConfined();
    batchMemory.reset();
  }

  private void readDictionaries() throws IOException {
    List<Block> blocks = messages.dictionaries();
    for (int i = 0; i < blocks.size(); i++) {
      try {
        Block block = blocks.get(i);
        MemorySegment body = messages.bytes().body(block, dictionaryArena, dictionaryMemory);
        reader.readDictionary(messages.bytes().message(block, i), body, dictionaryMemory);
      } catch (InputException e) {
        throw SnapshotBytes.damaged(e);
      }
    }
  }
}

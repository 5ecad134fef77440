package dev.quiver.arrow;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.arrow.validate.Level;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A file, mapped to memory, whose batches can be read in any order.
public final class ArrowFile extends ArrowReader {

  private final FileReader file;
  private final Arena arena;

  /// The number of dictionary batches that were read, or are not needed.
  private int dictionaryCount;

  private int position;

  private ArrowFile(FileReader file, Limits limits, Arena arena) {
    super(file.footer().schema(), file.footer().version(), limits);
    this.file = file;
    this.arena = arena;
  }

  static ArrowFile map(Path path, Limits limits) throws IOException {
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(path)) {
      long byteSize = channel.size();
      MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, byteSize, arena);
      FileReader file = new FileReader(bytes, limits, arena);
      FileReader.requireSmallBlocks(file.footer(), byteSize);
      return new ArrowFile(file, limits, arena);
    } catch (IOException | RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  @Override
  public ArrowFile select(String... columns) {
    super.select(columns);
    return this;
  }

  @Override
  public ArrowFile validate(Level newLevel) {
    super.validate(newLevel);
    return this;
  }

  /// Returns the number of batches.
  public int batchCount() {
    return file.batchCount();
  }

  /// Returns the custom metadata of the footer, which differs from that of the schema.
  public Metadata metadata() {
    return file.footer().customMetadata();
  }

  /// Reads a batch. Without compression, its arrays are in the mapped file.
  ///
  /// @throws IndexOutOfBoundsException if the file does not have this batch
  /// @throws InputException if the batch, or a dictionary, does not fit the schema or the file
  /// @throws InvalidDataException if the batch, or a dictionary, breaks a rule
  public RecordBatch batch(int index) {
    Objects.checkIndex(index, batchCount());
    start();
    readDictionaries();
    EncapsulatedMessage message = file.batchMessage(index);
    return readBatch(message, file.body(message), Arena.ofAuto());
  }

  private void readDictionaries() {
    while (dictionaryCount < file.footer().dictionaries().size()) {
      EncapsulatedMessage message = file.dictionaryMessage(dictionaryCount);
      if (isNeeded(message)) {
        FileReader.requireNotReplaced(message, batches().dictionaries());
        readDictionary(message, file.body(message), arena);
      }
      dictionaryCount++;
    }
  }

  @Override
  @Nullable RecordBatch next() {
    return position == batchCount() ? null : batch(position++);
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}

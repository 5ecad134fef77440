package dev.quiver.dataset.read;

import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.dataset.stored.SnapshotBytes;
import dev.quiver.dataset.stored.StoredLevel;
import dev.quiver.dataset.stored.StoredMessages;
import dev.quiver.dataset.version.ByteRange;
import dev.quiver.dataset.version.InvalidVersionException;
import dev.quiver.input.InputException;
import dev.quiver.ipc.DictionaryFields;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.MessageWriter;
import dev.quiver.ipc.RecordBatchReader;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.Footer;
import dev.quiver.metadata.Message;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.transform.Projection;
import dev.quiver.transform.RowRange;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The messages of a version that a selection needs. Batch indices count from the first selected
/// batch.
final class SelectedMessages {

  private final StoredMessages stored;
  private final Footer footer;
  private final ByteRange schemaMessage;
  private final @Nullable Projection projection;
  private final SelectedRows rows;
  private final StoredLevel level;
  private @Nullable List<Block> dictionaries;

  /// @param projection null for all columns
  /// @param level of the version
  SelectedMessages(
      SnapshotBytes bytes,
      Footer footer,
      ByteRange schemaMessage,
      @Nullable Projection projection,
      SelectedRows rows,
      StoredLevel level) {
    this.stored = new StoredMessages(bytes);
    this.footer = footer;
    this.schemaMessage = schemaMessage;
    this.projection = projection;
    this.rows = rows;
    this.level = level;
  }

  SnapshotBytes bytes() {
    return stored.bytes();
  }

  SelectedRows rows() {
    return rows;
  }

  Schema schema() {
    return projection == null ? footer.schema() : projection.schema();
  }

  /// Writes the schema message; if all columns are selected, it is the stored one.
  void writeSchema(MessageWriter writer) throws IOException {
    if (projection == null) {
      writer.write(stored.bytes().read(schemaMessage.byteOffset(), (int) schemaMessage.byteSize()));
    } else {
      writer.writeSchema(projection.schema());
    }
  }

  /// Returns the stored positions of the dictionaries that the schema needs.
  List<Block> dictionaries() throws IOException {
    List<Block> present = dictionaries;
    if (present == null) {
      present = projection == null ? footer.dictionaries() : neededDictionaries();
      dictionaries = present;
    }
    return present;
  }

  EncapsulatedMessage dictionary(Block block, long index) throws IOException {
    return stored.message(block, index);
  }

  MemorySegment body(Block block, Arena arena, ScratchMemory memory) throws IOException {
    return stored.body(block, arena, memory);
  }

  int batchCount() {
    return rows.batchCount();
  }

  /// Returns the stored position of a batch, with all its rows and columns.
  Block block(int batch) {
    return footer.recordBatches().get(rows.firstBatch() + batch);
  }

  /// Returns whether the selected batch is the stored one.
  boolean isStored(int batch) {
    return projection == null && slice(batch) == null;
  }

  /// Returns the selected rows of a batch, or null for all of them.
  @Nullable RowRange slice(int batch) {
    return rows.slice(rows.firstBatch() + batch);
  }

  /// Returns the metadata of a batch with all its rows. The header has the nodes and buffers of the
  /// selected columns, at their positions in the stored body.
  ///
  /// @throws InputException if the batch is damaged
  EncapsulatedMessage message(int batch) throws IOException {
    EncapsulatedMessage encapsulated = stored.message(block(batch), batch);
    if (projection == null) {
      return encapsulated;
    }
    Message message = encapsulated.message();
    RecordBatchHeader header = projection.apply((RecordBatchHeader) message.header());
    return new EncapsulatedMessage(
        encapsulated.index(),
        encapsulated.byteOffset(),
        encapsulated.prefixByteSize(),
        encapsulated.metaDataLength(),
        encapsulated.metadata(),
        new Message(message.version(), header, message.bodyLength(), message.customMetadata()));
  }

  /// Reads the selected rows and columns of a batch.
  ///
  /// @param reader of the selected columns
  /// @param arena the lifetime of a mapped body
  /// @param memory for decompressed or copied data
  /// @throws InputException if the batch is damaged
  /// @throws InvalidVersionException if its values are invalid, and were not checked before
  RecordBatch read(int batch, RecordBatchReader reader, Arena arena, ScratchMemory memory)
      throws IOException {
    MemorySegment body = stored.body(block(batch), arena, memory);
    RecordBatch whole = reader.readBatch(message(batch), body, memory);
    level.raise(whole, rows.firstBatch() + batch);
    RowRange range = slice(batch);
    return range == null ? whole : range.of(whole, memory);
  }

  /// Returns the footer of a file with these messages.
  Footer footerAt(List<Block> dictionaryBlocks, List<Block> recordBatchBlocks) {
    return new Footer(
        footer.version(),
        schema(),
        dictionaryBlocks,
        recordBatchBlocks,
        rows.selected().in(footer.customMetadata()));
  }

  private List<Block> neededDictionaries() throws IOException {
    Set<Long> ids = DictionaryFields.of(schema()).byId().keySet();
    if (ids.isEmpty()) {
      return List.of();
    }
    List<Block> needed = new ArrayList<>();
    for (Block block : footer.dictionaries()) {
      Message message = stored.message(block, needed.size()).message();
      if (ids.contains(((DictionaryBatchHeader) message.header()).id())) {
        needed.add(block);
      }
    }
    return List.copyOf(needed);
  }
}

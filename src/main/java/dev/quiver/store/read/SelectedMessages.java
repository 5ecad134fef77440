package dev.quiver.store.read;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Sha256;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.parallel.TaskQueue;
import dev.quiver.arrow.transform.Projection;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.file.SnapshotBytes;
import dev.quiver.store.file.StoredLevel;
import dev.quiver.store.file.StoredVersion;
import dev.quiver.store.file.UncheckedBody;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.InvalidVersionException;
import dev.quiver.store.version.VersionSummary;
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

  /// The length above which positions are hashed, since an entity tag is sent with every request.
  private static final int POSITIONS_MAXIMUM = 40;

  /// The hexadecimal digits of 128 bits.
  private static final int HASH_LENGTH = 32;

  private final StoredVersion version;
  private final @Nullable Projection projection;
  private final SelectedRows rows;
  private final boolean reducesDictionaries;
  private @Nullable List<Block> dictionaries;

  /// @param projection null for all columns
  SelectedMessages(
      StoredVersion version,
      @Nullable Projection projection,
      SelectedRows rows,
      DictionaryValues dictionaryValues) {
    this.version = version;
    this.projection = projection;
    this.rows = rows;
    this.reducesDictionaries =
        dictionaryValues == DictionaryValues.USED
            && !DictionaryFields.of(schema()).byId().isEmpty();
  }

  /// Returns the same rows of those columns that have dictionaries, as stored.
  SelectedMessages withDictionaries() {
    Projection columns = projection == null ? Projection.all(schema()) : projection;
    return new SelectedMessages(version, columns.withDictionaries(), rows, DictionaryValues.ALL);
  }

  /// Returns whether dictionaries have only values that the rows use, so that indices change.
  boolean reducesDictionaries() {
    return reducesDictionaries;
  }

  SnapshotBytes bytes() {
    return version.bytes();
  }

  VersionSummary summary() {
    return version.summary();
  }

  SelectedRows rows() {
    return rows;
  }

  /// Returns a short text that identifies this selection of the version. Selections with equal ids
  /// are equal.
  ///
  /// ```text
  /// Id           → Columns? '-'? Rows? '-'? Dictionaries?
  /// Columns      → 'columns-' (positions | SHA-256 of them, if they are long)
  /// Rows         → 'rows-' first '-' after last ('-sample-' count)?
  /// Dictionaries → 'dictionaries-used'
  /// ```
  String id() {
    List<String> parts = new ArrayList<>();
    if (projection != null) {
      String positions = projection.positions();
      parts.add(
          positions.length() <= POSITIONS_MAXIMUM
              ? "columns-" + positions
              : "columns-sha256-" + Sha256.hex(positions).substring(0, HASH_LENGTH));
    }
    if (!rows.isAll()) {
      parts.add(rows.id());
    }
    if (reducesDictionaries) {
      parts.add("dictionaries-used");
    }
    return String.join("-", parts);
  }

  Schema schema() {
    return projection == null ? version.footer().schema() : projection.schema();
  }

  /// Writes the schema message; if all columns are selected, it is the stored one.
  void writeSchema(MessageWriter writer) throws IOException {
    if (projection == null) {
      writer.write(
          bytes().read(Framing.FILE_HEADER_BYTE_SIZE, summary().file().schemaMetaDataLength()));
    } else {
      writer.writeSchema(projection.schema());
    }
  }

  /// Returns the stored positions of the dictionaries that the schema needs.
  List<Block> dictionaries() throws IOException {
    List<Block> present = dictionaries;
    if (present == null) {
      present = projection == null ? version.footer().dictionaries() : neededDictionaries();
      dictionaries = present;
    }
    return present;
  }

  /// Returns the stored header of a dictionary.
  ///
  /// @param index the index among [#dictionaries]
  DictionaryBatchHeader dictionary(int index) throws IOException {
    Message message = bytes().message(dictionaries().get(index), index).message();
    return (DictionaryBatchHeader) message.header();
  }

  int batchCount() {
    return rows.batchCount();
  }

  /// Returns the stored position of a batch, with all its rows and columns.
  Block block(int batch) {
    return version.footer().recordBatches().get(rows.storedBatch(batch));
  }

  /// Returns whether the buffers of the selected batch are stored ones.
  boolean hasStoredBuffers(int batch) {
    return rows.isWhole(batch) && !reducesDictionaries;
  }

  /// Returns whether the selected batch is the stored one.
  boolean isStored(int batch) {
    return projection == null && hasStoredBuffers(batch);
  }

  /// Returns whether a batch or a dictionary has other buffers than the stored ones.
  boolean encodesBodies() {
    return rows.slicesBatches() || reducesDictionaries;
  }

  /// Returns the metadata of a batch with all its rows. The header has the nodes and buffers of the
  /// selected columns, at their positions in the stored body.
  ///
  /// @throws InputException if the batch is damaged
  EncapsulatedMessage message(int batch) throws IOException {
    EncapsulatedMessage encapsulated = bytes().message(block(batch), batch);
    if (projection == null) {
      return encapsulated;
    }
    return encapsulated.withHeader(
        projection.apply((RecordBatchHeader) encapsulated.message().header()));
  }

  /// Returns the size of a buffer after decompression.
  ///
  /// @param header of the message at `block`
  long uncompressedByteSize(RecordBatchHeader header, Buffer buffer, Block block)
      throws IOException {
    return version.uncompressedByteSize(header, buffer, block.offset() + block.metaDataLength());
  }

  /// Reads the selected rows and columns of a batch, with indices into the stored dictionaries.
  ///
  /// @param reader the reader of the selected columns
  /// @param arena the lifetime of a mapped body
  /// @param memory the memory for decompressed or copied data
  /// @throws InputException if the batch is damaged
  /// @throws InvalidVersionException if its values are invalid and were not validated before
  RecordBatch read(int batch, RecordBatchReader reader, Arena arena, ScratchMemory memory)
      throws IOException {
    RecordBatch whole = readWhole(batch, reader, arena, memory);
    return rows.isWhole(batch) ? whole : rows.of(batch, whole, memory);
  }

  /// Reads as [#read] does, but lets another thread gather the rows.
  ///
  /// @param memory shared memory
  /// @param sizesSuffice whether values are wanted only if the sizes of the buffers take as long
  Gathering begin(
      int batch,
      RecordBatchReader reader,
      Arena arena,
      ScratchMemory memory,
      TaskQueue queue,
      boolean sizesSuffice)
      throws IOException {
    EncapsulatedMessage message = message(batch);
    RecordBatchHeader header = (RecordBatchHeader) message.message().header();
    if (header.compression() != null) {
      RecordBatch whole = readWhole(batch, reader, arena, memory).withBuffers(CpuPool::lent);
      return queue.submit(() -> gathered(batch, whole, memory, /* sizesSuffice= */ false))::await;
    }
    UncheckedBody body = bytes().uncheckedBody(block(batch), header, arena, memory);
    RecordBatch whole = reader.readBatch(message, body.bytes(), memory).withBuffers(CpuPool::lent);
    TaskQueue.Result<GatheredRows> gathered =
        queue.submit(() -> {
          if (!body.isIntact()) {
            return GatheredRows.DAMAGED;
          }
          requireValid(batch, whole);
          return gathered(batch, whole, memory, sizesSuffice);
        });
    return () -> {
      GatheredRows found = gathered.await();
      return found == GatheredRows.DAMAGED
          ? new GatheredRows(read(batch, reader, arena, memory), true)
          : found;
    };
  }

  private GatheredRows gathered(
      int batch, RecordBatch whole, ScratchMemory memory, boolean sizesSuffice) {
    if (rows.isWhole(batch)) {
      return new GatheredRows(whole, true);
    }
    RecordBatch sizes = sizesSuffice ? rows.sizesOf(batch, whole, memory) : null;
    return sizes == null
        ? new GatheredRows(rows.of(batch, whole, memory), true)
        : new GatheredRows(sizes, false);
  }

  /// Rows that another thread gathers.
  interface Gathering {

    /// Waits for them, in the thread that has begun this.
    ///
    /// @throws DamagedBlobException if the batch is damaged
    GatheredRows await() throws IOException;
  }

  /// The selected rows of a batch.
  ///
  /// @param hasValues whether the buffers have content, or only the right sizes
  record GatheredRows(RecordBatch batch, boolean hasValues) {

    /// In place of rows whose local copy is damaged.
    private static final GatheredRows DAMAGED =
        new GatheredRows(new RecordBatch(Schema.of(), 0, List.of()), false);
  }

  private RecordBatch readWhole(
      int batch, RecordBatchReader reader, Arena arena, ScratchMemory memory) throws IOException {
    EncapsulatedMessage message = message(batch);
    RecordBatchHeader header = (RecordBatchHeader) message.message().header();
    MemorySegment body = bytes().body(block(batch), header, arena, memory);
    RecordBatch whole = reader.readBatch(message, body, memory);
    requireValid(batch, whole);
    return whole;
  }

  private void requireValid(int batch, RecordBatch whole) {
    new StoredLevel(summary()).requireValid(whole, rows.storedBatch(batch));
  }

  /// Returns the footer of a file with these messages.
  Footer footerAt(List<Block> dictionaryBlocks, List<Block> recordBatchBlocks) {
    return new Footer(
        version.footer().version(),
        schema(),
        dictionaryBlocks,
        recordBatchBlocks,
        rows.cumulative().in(version.footer().customMetadata()));
  }

  private List<Block> neededDictionaries() throws IOException {
    Set<Long> ids = DictionaryFields.of(schema()).byId().keySet();
    if (ids.isEmpty()) {
      return List.of();
    }
    List<Block> needed = new ArrayList<>();
    for (Block block : version.footer().dictionaries()) {
      Message message = bytes().message(block, needed.size()).message();
      if (ids.contains(((DictionaryBatchHeader) message.header()).id())) {
        needed.add(block);
      }
    }
    return List.copyOf(needed);
  }
}

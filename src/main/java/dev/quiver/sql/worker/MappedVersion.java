package dev.quiver.sql.worker;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.FooterDecoder;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.transform.Projection;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Finding;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import dev.quiver.sql.engine.EngineException;
import dev.quiver.sql.engine.EngineException.Kind;
import dev.quiver.sql.engine.Table;
import dev.quiver.sql.engine.TableBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A stored version as a table of the engine, or some of its batches. Only the columns that a
/// statement uses are decoded.
///
/// Uncompressed data is read where it is mapped. Several threads read batches at a time.
final class MappedVersion implements Table, AutoCloseable {

  private final StoredTable table;
  private final Arena arena;
  private final MappedFile file;
  private final Footer footer;
  private final Schema schema;
  private final BatchMemory.Pool memory;
  private final ScannedRows.Batches scanned;

  /// The decoded dictionaries by id, in memory of the arena.
  private final Map<Long, ArrayData> dictionaries = new HashMap<>();

  private MappedVersion(
      StoredTable table, Arena arena, MappedFile file, Footer footer, ScannedRows scanned) {
    this.table = table;
    this.arena = arena;
    this.file = file;
    this.footer = footer;
    this.schema = Table.inMicroseconds(footer.schema(), table.microseconds());
    this.memory = new BatchMemory.Pool(arena);
    this.scanned = scanned.ofVersion(batchCount());
  }

  /// Maps the file and reads its footer.
  ///
  /// @param pieces the mapped pieces of files
  /// @param scanned counts the rows of the batches that are read
  /// @throws IOException if a piece of the file is gone
  static MappedVersion open(StoredTable table, MappedPieces pieces, ScannedRows scanned)
      throws IOException {
    MappedFile file = MappedFile.open(table.name(), table.extents(), pieces);
    Arena arena = Arena.ofShared();
    try {
      file.requireIntact(table.footerOffset(), table.footerByteSize());
      MemorySegment flatbuffer = file.range(table.footerOffset(), table.footerByteSize(), arena);
      return new MappedVersion(
          table, arena, file, FooterDecoder.decode(flatbuffer, Limits.ACCEPTED), scanned);
    } catch (RuntimeException e) {
      arena.close();
      file.close();
      throw e;
    }
  }

  @Override
  public Schema schema() {
    return schema;
  }

  /// Returns the schema as it is stored.
  Schema storedSchema() {
    return footer.schema();
  }

  @Override
  public long rowCount() {
    return table.rowCount();
  }

  @Override
  public int batchCount() {
    int[] batches = table.batches();
    return batches == null ? footer.recordBatches().size() : batches.length;
  }

  @Override
  public TableBatch read(int batchIndex, int[] columnIndices) {
    Projection projection = Projection.ofColumns(schema(), columnIndices);
    RecordBatchReader reader = reader(projection.schema());
    int[] batches = table.batches();
    int stored = batches == null ? batchIndex : batches[batchIndex];
    Block block = footer.recordBatches().get(stored);
    BatchMemory decompressed = memory.take();
    try {
      EncapsulatedMessage message = message(block, stored, decompressed);
      RecordBatchHeader header = projection.apply((RecordBatchHeader) message.message().header());
      EncapsulatedMessage projected = message.withHeader(header);
      requireIntact(block, header);
      RecordBatch batch =
          reader.readBatch(projected, body(block, message, decompressed), decompressed);
      if (!table.validated()) {
        requireValid(Validator.validate(batch, Level.VALUES));
      }
      scanned.add(batchIndex, batch.length());
      return new DecodedBatch(batch, isMapped(block, header), decompressed);
    } catch (OutOfMemoryError e) {
      decompressed.close();
      throw new EngineException(Kind.MEMORY, "Expected memory for a record batch but found none");
    } catch (RuntimeException | Error e) {
      decompressed.close();
      throw e;
    }
  }

  /// Returns whether all buffers of a batch are parts of the mapped file.
  private boolean isMapped(Block block, RecordBatchHeader header) {
    return header.compression() == null
        && file.isContiguous(block.offset() + block.metaDataLength(), block.bodyLength());
  }

  /// Returns a reader that knows the dictionaries of some columns.
  private RecordBatchReader reader(Schema projected) {
    RecordBatchReader reader = new RecordBatchReader(projected, Limits.ACCEPTED);
    Map<Long, ?> needed = DictionaryFields.of(projected).byId();
    if (!needed.isEmpty()) {
      synchronized (dictionaries) {
        readDictionaries();
        needed
            .keySet()
            .forEach(id -> {
              ArrayData values = dictionaries.get(id);
              if (values != null) {
                reader.dictionaries().put(id, values);
              }
            });
      }
    }
    return reader;
  }

  private void readDictionaries() {
    if (!dictionaries.isEmpty() || footer.dictionaries().isEmpty()) {
      return;
    }
    RecordBatchReader reader = new RecordBatchReader(schema(), Limits.ACCEPTED);
    for (int i = 0; i < footer.dictionaries().size(); i++) {
      Block block = footer.dictionaries().get(i);
      EncapsulatedMessage message = message(block, i, arena);
      requireIntact(block, ((DictionaryBatchHeader) message.message().header()).data());
      reader.readDictionary(message, body(block, message, arena), arena);
    }
    reader
        .dictionaryFields()
        .byId()
        .keySet()
        .forEach(id -> {
          ArrayData values = reader.dictionaries().get(id);
          if (values != null) {
            if (!table.validated()) {
              requireValid(Validator.validateDictionary(values, Level.VALUES, "dictionary " + id));
            }
            dictionaries.put(id, values);
          }
        });
  }

  /// Validates what the engine relies on, unless it was validated before it was stored.
  private void requireValid(List<Finding> findings) {
    if (!findings.isEmpty()) {
      throw new UncheckedIOException(
          new IOException("Stored data is invalid: " + findings.getFirst().sentence()));
    }
  }

  /// Checks the buffers that are read of a message.
  ///
  /// @param header of the message, with these buffers
  private void requireIntact(Block block, RecordBatchHeader header) {
    long bodyOffset = block.offset() + block.metaDataLength();
    long checkedEnd = -1;
    for (Buffer buffer : header.buffers()) {
      if (buffer.length() > 0 && buffer.offset() <= block.bodyLength() - buffer.length()) {
        // Small buffers share a block.
        checkedEnd = file.requireIntact(bodyOffset + buffer.offset(), buffer.length(), checkedEnd);
      }
    }
  }

  private EncapsulatedMessage message(Block block, int index, SegmentAllocator allocator) {
    file.requireIntact(block.offset(), block.metaDataLength());
    MemorySegment metadata =
        file.range(block.offset(), block.metaDataLength(), allocator)
            .asSlice(Framing.PREFIX_BYTE_SIZE);
    return new EncapsulatedMessage(
        index,
        block.offset(),
        Framing.PREFIX_BYTE_SIZE,
        block.metaDataLength(),
        metadata,
        MessageDecoder.decode(metadata, Limits.ACCEPTED));
  }

  private MemorySegment body(Block block, EncapsulatedMessage message, SegmentAllocator allocator) {
    return file.range(
        block.offset() + block.metaDataLength(), message.message().bodyLength(), allocator);
  }

  /// Gives up the file. No statement may use the table anymore.
  @Override
  public void close() {
    arena.close();
    file.close();
  }

  /// A batch that lives until it is closed, or as long as the version.
  private record DecodedBatch(RecordBatch rows, boolean outlivesClose, BatchMemory memory)
      implements TableBatch {

    @Override
    public void close() {
      memory.close();
    }
  }
}

package dev.quiver.store.file;

import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.FooterDecoder;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.ByteRange;
import dev.quiver.store.version.StoredFile;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A version with its bytes, and the positions of its messages from its footer. The metadata of a
/// message is read only on request.
public record StoredVersion(
    VersionSummary summary, SnapshotBytes bytes, Contents contents, StoredStatistics statistics)
    implements MessageSource {

  private static final int LARGE_FOOTER_BYTE_SIZE = 1 << 20;

  /// The size of a batch in memory: three numbers of its block and one of its rows.
  private static final long BATCH_BYTE_SIZE = 28;

  /// The approximate ratio of a schema's size as objects to its encoded size.
  private static final long SCHEMA_FACTOR = 10;

  /// The number of buffers after which a list of batches ends.
  private static final int BUFFER_COUNT = 100_000;

  /// The contents of a version's footer. Immutable, and shared by threads.
  ///
  /// @param footer without the rows in its metadata
  public record Contents(Footer footer, CumulativeRows rows) {}

  /// Returns a version whose footer comes from a cache, or is read. Large footers are read one at a
  /// time, since reading takes several times the memory of the result.
  public static StoredVersion of(VersionSummary summary, SnapshotBytes bytes, VersionCaches caches)
      throws IOException {
    StoredFile file = summary.file();
    long weight = BATCH_BYTE_SIZE * file.batches() + SCHEMA_FACTOR * file.schemaMetaDataLength();
    bytes.share(summary.id(), weight);
    Contents contents =
        caches
            .contents()
            .get(
                summary.id(),
                file.footerLength() >= LARGE_FOOTER_BYTE_SIZE,
                () -> read(bytes, file),
                _ -> weight);
    return new StoredVersion(
        summary, bytes, contents, new StoredStatistics(bytes, caches.statistics()));
  }

  private static Contents read(SnapshotBytes bytes, StoredFile file) throws IOException {
    MemorySegment flatbuffer = bytes.read(file.footerOffset(), file.footerLength());
    Footer footer = FooterDecoder.decode(flatbuffer, Limits.ACCEPTED);
    CumulativeRows rows = CumulativeRows.of(footer.customMetadata());
    if (rows.batchCount() != footer.recordBatches().size()) {
      throw new IOException(
          "Expected the rows of %d batches but found those of %d in the footer"
              .formatted(footer.recordBatches().size(), rows.batchCount()));
    }
    return new Contents(
        new Footer(
            footer.version(),
            footer.schema(),
            footer.dictionaries(),
            footer.recordBatches(),
            CumulativeRows.without(footer.customMetadata())),
        rows);
  }

  public Schema schema() {
    return footer().schema();
  }

  public Footer footer() {
    return contents.footer();
  }

  public CumulativeRows rows() {
    return contents.rows();
  }

  /// Returns the dictionary messages by id, in the order of the file.
  public Map<Long, Block> dictionaries() throws IOException {
    Map<Long, Block> byId = new LinkedHashMap<>();
    for (Block block : footer().dictionaries()) {
      DictionaryBatchHeader header =
          (DictionaryBatchHeader) bytes.message(block, byId.size()).message().header();
      byId.put(header.id(), block);
    }
    return byId;
  }

  public List<BatchEntry> batches(long from, int count) throws IOException {
    List<BatchEntry> entries = new ArrayList<>();
    long end = Math.min(rows().batchCount(), from + count);
    long bufferCount = 0;
    for (long i = from; i < end && bufferCount < BUFFER_COUNT; i++) {
      Block block = footer().recordBatches().get((int) i);
      RecordBatchHeader header = (RecordBatchHeader) bytes.message(block, i).message().header();
      bufferCount += header.buffers().size();
      entries.add(batch((int) i, block, header));
    }
    return entries;
  }

  /// Returns the statistics of a record batch, or null if unknown.
  ///
  /// @param index the index of the batch in the version
  public @Nullable BatchStatistics statistics(int index) throws IOException {
    return statistics(footer().recordBatches().get(index));
  }

  /// Reads what [#statistics(int)] needs of several batches, faster than one by one.
  ///
  /// @param check runs before each read of a remote store, and throws if no further one is wanted
  public void prefetchStatistics(int firstBatch, int endBatch, Runnable check) throws IOException {
    statistics.prefetch(footer().recordBatches().subList(firstBatch, endBatch), check);
  }

  @Override
  public @Nullable BatchStatistics statistics(Block block) throws IOException {
    return statistics.of(block);
  }

  @Override
  public EncapsulatedMessage message(Block block, long index) throws IOException {
    return bytes.message(block, index);
  }

  @Override
  public MemorySegment body(Block block, Arena arena, ScratchMemory memory) throws IOException {
    return bytes.body(block, arena, memory);
  }

  public ByteRange batchRange(long from, long to) {
    checkRange(from, to);
    List<Block> blocks = footer().recordBatches();
    long start = blocks.get((int) from).offset();
    return new ByteRange(start, blocks.get((int) to).end() - start);
  }

  public long rows(long from, long to) {
    checkRange(from, to);
    return rows().before((int) to + 1) - rows().before((int) from);
  }

  private void checkRange(long from, long to) {
    Objects.checkIndex(to, (long) rows().batchCount());
    Objects.checkIndex(from, to + 1);
  }

  private BatchEntry batch(int index, Block block, RecordBatchHeader header) throws IOException {
    return new BatchEntry(
        index,
        rows().before(index),
        header.length(),
        block,
        BodyCodecs.of(header),
        uncompressedByteSize(header, block.offset() + block.metaDataLength()));
  }

  private long uncompressedByteSize(RecordBatchHeader header, long bodyOffset) throws IOException {
    long total = 0;
    for (Buffer buffer : header.buffers()) {
      total += uncompressedByteSize(header, buffer, bodyOffset);
    }
    return total;
  }

  /// Returns the size of a buffer after decompression.
  ///
  /// @param bodyOffset the offset in the IPC file of the body that has the buffer
  public long uncompressedByteSize(RecordBatchHeader header, Buffer buffer, long bodyOffset)
      throws IOException {
    if (!hasPrefix(header, buffer)) {
      return buffer.length();
    }
    long declared = declaredByteSize(buffer, bodyOffset);
    return declared < 0 ? buffer.length() - Long.BYTES : declared;
  }

  /// Returns whether the bytes of a buffer follow their uncompressed size.
  static boolean hasPrefix(RecordBatchHeader header, Buffer buffer) {
    return header.compression() != null && buffer.length() >= Long.BYTES;
  }

  /// Returns the size that precedes the bytes of a buffer, which is negative if they are not
  /// compressed.
  ///
  /// @param bodyOffset the offset in the IPC file of the body that has the buffer
  long declaredByteSize(Buffer buffer, long bodyOffset) throws IOException {
    return LittleEndian.getInt64(bytes.read(bodyOffset + buffer.offset(), Long.BYTES), 0);
  }

  /// Returns the extents of the file header and the schema message.
  public List<BlobExtent> schemaPieces() {
    return bytes.extents(0, Framing.FILE_HEADER_BYTE_SIZE + summary.file().schemaMetaDataLength());
  }

  /// Returns the extents of a message.
  public List<BlobExtent> pieces(Block block) {
    return bytes.extents(block.offset(), block.byteSize());
  }

  /// Returns the extents of consecutive messages.
  public List<BlobExtent> pieces(List<Block> blocks) {
    if (blocks.isEmpty()) {
      return List.of();
    }
    long start = blocks.getFirst().offset();
    return bytes.extents(start, blocks.getLast().end() - start);
  }

  /// Returns the extents of everything before the first batch.
  public List<BlobExtent> head() {
    List<Block> batches = footer().recordBatches();
    long end =
        batches.isEmpty()
            ? summary.file().footerOffset() - Framing.PREFIX_BYTE_SIZE
            : batches.getFirst().offset();
    return bytes.extents(0, end);
  }
}

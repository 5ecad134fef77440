package dev.quiver.store.read;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.arrow.transform.InvalidColumnsException;
import dev.quiver.arrow.transform.Projection;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.FileParameters;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.LocalRange;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.file.BatchEntry;
import dev.quiver.store.file.KeptStatistics;
import dev.quiver.store.file.MessageLayout;
import dev.quiver.store.file.MessageLayouts;
import dev.quiver.store.file.SnapshotBytes;
import dev.quiver.store.file.StoredVersion;
import dev.quiver.store.file.VersionCaches;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.ByteRange;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.FileChecksums;
import dev.quiver.store.version.Lineage;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.UploadDigest;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One version, open for reading. A reader can always finish it, regardless of what is written or
/// deleted meanwhile.
///
/// Byte offsets refer to the version's IPC file; the IPC stream is its range `[8, footer)`. Used by
/// one thread at a time.
public final class Snapshot implements AutoCloseable {

  private final Manifest manifest;
  private final VersionSummary summary;
  private final SnapshotBytes bytes;
  private final VersionCaches caches;
  private final SelectedLayouts layouts;
  private final Path scratchFolder;
  private final List<SelectedVersion> selections = new ArrayList<>();
  private @Nullable StoredVersion version;
  private int @Nullable [] microsecondColumns;

  /// The row at which selections start to count.
  private long firstRow;

  private Snapshot(
      Manifest manifest,
      SnapshotBytes bytes,
      VersionCaches caches,
      SelectedLayouts layouts,
      Path scratchFolder) {
    this.manifest = manifest;
    this.summary = manifest.summary();
    this.bytes = bytes;
    this.caches = caches;
    this.layouts = layouts;
    this.scratchFolder = scratchFolder;
  }

  /// Opens all blobs of a version. If that fails, closes the manifest's blob.
  ///
  /// @param inFlight accounts for the metadata that is decoded
  public static Snapshot open(
      BlobStore store,
      Catalog.OpenManifest open,
      InFlightBytes inFlight,
      VersionCaches caches,
      SelectedLayouts layouts)
      throws IOException {
    return new Snapshot(
        open.manifest(),
        SnapshotBytes.open(store, open, caches, inFlight),
        caches,
        layouts,
        store.scratchFolder());
  }

  public VersionSummary summary() {
    return summary;
  }

  /// Returns the CRC-32C of the IPC file and of the stream within it, as far as they are known.
  public FileChecksums checksums() {
    return manifest.checksums();
  }

  /// Returns the digest sent with the upload, or null if it is not the digest of a representation.
  public @Nullable UploadDigest digest() {
    return manifest.digest();
  }

  /// Returns the statement that computed the rows which the version added, or null if none did.
  public @Nullable Lineage lineage() {
    return manifest.lineage();
  }

  /// Returns the parameters of the last file of text that was uploaded to the dataset.
  public FileParameters fileParameters() {
    return manifest.fileParameters();
  }

  /// Returns the footer, without the metadata about the rows of batches.
  public Footer footer() throws IOException {
    return stored().footer();
  }

  public Schema schema() throws IOException {
    return footer().schema();
  }

  /// Returns the blob ranges that make up the file, in order, the manifest's own blob included.
  public List<BlobExtent> extents() {
    return bytes.extents();
  }

  /// Checks the block of a blob at an offset. If a local copy is damaged, it is replaced.
  ///
  /// @throws DamagedBlobException if the block is damaged in the store itself
  public void requireIntact(String blob, long byteOffset) throws IOException {
    bytes.requireIntact(blob, byteOffset);
  }

  /// Returns the ranges of local files that make up the file, in order. Remote ranges are fetched.
  public List<LocalRange> localRanges() throws IOException {
    return bytes.localRanges();
  }

  /// Returns the range of the whole IPC file.
  public ByteRange file() {
    return new ByteRange(0, summary.file().byteSize());
  }

  /// Returns the range of the IPC stream: everything from the schema message to the end-of-stream
  /// marker.
  public ByteRange stream() {
    return new ByteRange(8, summary.file().footerOffset() - 8);
  }

  /// Returns the range of the schema message.
  public ByteRange schemaMessage() {
    return new ByteRange(8, summary.file().schemaMetaDataLength());
  }

  /// Returns the range of the footer's flatbuffer, without the size and the magic bytes that
  /// follow.
  public ByteRange footerRange() {
    return new ByteRange(summary.file().footerOffset(), summary.file().footerLength());
  }

  /// Returns the positions of the dictionary messages by id, in the order of the file: all before
  /// the first record batch.
  public Map<Long, Block> dictionaries() throws IOException {
    return stored().dictionaries();
  }

  /// Returns at most `count` record batches from index `from` on; empty past the last one.
  ///
  /// If the batches have very many buffers, the list is shorter, but not empty: each compressed
  /// buffer takes a read.
  public List<BatchEntry> batches(long from, int count) throws IOException {
    return stored().batches(from, count);
  }

  /// Returns the layouts of at most `count` messages from index `from` on, of the dictionaries and
  /// then the record batches; empty past the last one.
  ///
  /// If the messages have very many buffers, the list is shorter, but not empty.
  public List<MessageLayout> layouts(long from, int count) throws IOException {
    return new MessageLayouts(stored()).read(from, count);
  }

  /// Reads what [#statistics] needs of several batches, faster than one by one.
  ///
  /// @param check runs before each read of a remote store, and throws if no further one is wanted
  public void prefetchStatistics(int firstBatch, int endBatch, Runnable check) throws IOException {
    stored().prefetchStatistics(firstBatch, endBatch, check);
  }

  /// Returns the statistics of the leaf columns of a record batch, or null if its values were not
  /// validated when it was stored, or if they are lost.
  ///
  /// @throws IndexOutOfBoundsException if the index is out of range
  public @Nullable BatchStatistics statistics(int index) throws IOException {
    return stored().statistics(index);
  }

  /// Returns the indices of the columns whose timestamps in nanoseconds with a zone are all whole
  /// microseconds, by the statistics of all record batches, which are read once.
  ///
  /// @param check runs before each read of a remote store, and throws if no further one is wanted
  public int[] microsecondColumns(Runnable check) throws IOException {
    int[] present = microsecondColumns;
    if (present == null) {
      present = MicrosecondColumns.of(this, check);
      microsecondColumns = present;
    }
    return present;
  }

  /// Returns the statistics of columns that are kept beside the data.
  public KeptStatistics keptStatistics() {
    return bytes.keptStatistics(summary);
  }

  /// Returns the contiguous range of the record batch messages `from` to `to`, both included.
  ///
  /// @throws IndexOutOfBoundsException if an index is out of range
  public ByteRange batchRange(long from, long to) throws IOException {
    return stored().batchRange(from, to);
  }

  /// Returns the number of rows of the record batches `from` to `to`, both included.
  ///
  /// @throws IndexOutOfBoundsException if an index is out of range
  public long rows(long from, long to) throws IOException {
    return stored().rows(from, to);
  }

  /// Restricts selections to the rows from `row` on, and returns this snapshot.
  public Snapshot startingAt(long row) {
    firstRow = row;
    return this;
  }

  /// Charges what readers of this version share, once for all of them.
  ///
  /// @param key identifies it
  public void share(String key, long byteSize) {
    bytes.share(key, byteSize);
  }

  /// Returns the first row that selections may have.
  public long firstRow() {
    return firstRow;
  }

  /// Returns the number of record batches.
  public int batchCount() throws IOException {
    return stored().rows().batchCount();
  }

  /// Returns the number of rows before a batch.
  ///
  /// @param batch the index of the batch, or the number of batches
  public long rowsBefore(int batch) throws IOException {
    return stored().rows().before(batch);
  }

  /// Returns whether no row is left to select.
  public boolean isEmpty() {
    return summary.file().rows() <= firstRow;
  }

  /// Selects columns and rows. Use the result before this is closed.
  ///
  /// @throws InvalidColumnsException if the selection names unknown columns
  public SelectedVersion select(Selection selection) throws IOException {
    Schema schema = schema();
    Projection projection =
        selection.columns().isEmpty() ? null : Projection.of(schema, selection.columns());
    if (projection != null && projection.keepsAll()) {
      projection = null;
    }
    SelectedRows rows = SelectedRows.of(stored().rows(), firstRow, selection);
    return select(projection, rows, selection.dictionaries());
  }

  /// Selects whole columns of some rows. Use the result before this is closed.
  ///
  /// @param columns the indices of the columns
  public SelectedVersion select(int[] columns, RowMatches matches) throws IOException {
    SelectedRows rows = MatchingRows.of(stored().rows(), matches, Selection.ALL);
    return select(Projection.ofColumns(schema(), columns), rows, DictionaryValues.ALL);
  }

  private SelectedVersion select(
      @Nullable Projection projection, SelectedRows rows, DictionaryValues dictionaries)
      throws IOException {
    SelectedMessages messages = new SelectedMessages(stored(), projection, rows, dictionaries);
    SelectedVersion selected = new SelectedVersion(messages, layouts, scratchFolder);
    selections.add(selected);
    return selected;
  }

  /// Returns the record batches, decoded one at a time. Close the result before this.
  public DecodedBatches decodedBatches() throws IOException {
    return select(Selection.ALL).decodedBatches();
  }

  /// Returns the messages with their bodies in another codec. Write them before this is closed.
  public RecompressedMessages recompressed(Codec codec) throws IOException {
    return select(Selection.ALL).recompressed(codec);
  }

  /// Reads a range of the IPC file into `sink`, at most 256 KiB at a time.
  ///
  /// @throws IndexOutOfBoundsException if the range is not within the file
  public void read(ByteRange range, ByteSink sink) throws IOException {
    write(range.byteOffset(), range.byteSize(), BlobSink.reading(sink));
  }

  /// Writes a range of the IPC file to `sink`, blob by blob.
  ///
  /// @throws IndexOutOfBoundsException if the range is not within the file
  public void write(long byteOffset, long byteSize, BlobSink sink) throws IOException {
    bytes.read(byteOffset, byteSize, sink);
  }

  /// Returns the size of each blob by its key, in the order of the extents.
  public Map<String, Long> blobByteSizes() throws IOException {
    return bytes.blobByteSizes();
  }

  /// Ends the decoding of metadata for a document, whose own bytes are charged next.
  public void endDecoding() {
    bytes.giveBackDecoding();
  }

  @Override
  public void close() throws IOException {
    try (bytes) {
      for (SelectedVersion selected : selections) {
        selected.close();
      }
    }
  }

  private StoredVersion stored() throws IOException {
    StoredVersion present = version;
    if (present == null) {
      present = StoredVersion.of(summary, bytes, caches);
      version = present;
    }
    return present;
  }
}

package dev.quiver.store.read;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.version.ByteRange;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Some columns and rows of a version, as an unstored IPC file of their own.
///
/// A batch with all its rows reuses the stored buffers without decoding them: their layout follows
/// from the metadata. A batch with some of its rows is decoded, sliced and encoded in its own
/// codec: at most two of consecutive rows, any number of a sample. If dictionaries have only the
/// used values, every batch is decoded and encoded. The layout is computed once per version and
/// selection, and cached.
///
/// Used by one thread at a time, while the snapshot is open.
///
/// A change that yields different bytes for the same selection needs a new number in entity tags
/// (`TagVariant`).
public final class SelectedVersion {

  /// Large layouts are computed one at a time, since computing one takes several times its memory.
  private static final int LARGE_BATCH_COUNT = 10_000;

  private final SelectedMessages messages;
  private final String id;
  private final SelectedLayouts layouts;
  private final Path scratchFolder;
  private final @Nullable ReducedDictionaries reduced;
  private final SelectedFile file;

  SelectedVersion(SelectedMessages messages, SelectedLayouts layouts, Path scratchFolder) {
    this.messages = messages;
    this.id = messages.id();
    this.layouts = layouts;
    this.scratchFolder = scratchFolder;
    this.reduced =
        messages.reducesDictionaries() ? new ReducedDictionaries(messages, scratchFolder) : null;
    this.file = new SelectedFile(messages, reduced, scratchFolder);
  }

  /// Returns whether this is the whole version in its stored order.
  public boolean isAll() {
    return id.isEmpty();
  }

  /// Returns an id of the columns, rows and dictionary values, in letters, digits and `.()-`; empty
  /// for all.
  ///
  /// Selections of a version with the same id select the same columns and rows. The same columns
  /// and consecutive rows have the same id, regardless of how they were requested.
  public String id() {
    return id;
  }

  /// Returns whether the rows are spread over the batches.
  public boolean isSample() {
    return !(messages.rows() instanceof RowWindow);
  }

  /// Returns whether any bodies of [#file] and [#stream] are not stored ones, and thus encoded
  /// anew.
  public boolean encodesBodies() {
    return messages.encodesBodies();
  }

  public Schema schema() {
    return messages.schema();
  }

  public long rows() {
    return messages.rows().count();
  }

  public long batches() {
    return messages.batchCount();
  }

  /// Returns whether the stored bodies of all selected batches have at most `byteSize` bytes.
  public boolean isStoredWithin(long byteSize) {
    long remaining = byteSize;
    for (int i = 0; i < messages.batchCount() && remaining >= 0; i++) {
      remaining -= messages.block(i).bodyLength();
    }
    return remaining >= 0;
  }

  /// Returns the number of selected rows before a selected batch.
  ///
  /// @param batch the index of the batch, or the number of batches
  public long rowsBefore(int batch) {
    return messages.rows().before(batch);
  }

  /// Returns the size of a selected batch as it is stored, with all its columns and rows.
  public long storedByteSize(int batch) {
    return messages.block(batch).byteSize();
  }

  /// Returns the index in the version of a selected batch.
  public long storedBatch(int batch) {
    return messages.rows().storedBatch(batch);
  }

  /// Returns the approximate size of a row without any encoding, of the batch with the largest
  /// rows.
  ///
  /// @throws CancelledException if the client leaves meanwhile
  public long plainRowByteSize() throws IOException {
    messages.bytes().chargeDecoding();
    return new PlainRowSize(messages).maximum(new WantedWork());
  }

  /// Lays out the IPC file.
  ///
  /// @throws CancelledException if the client leaves meanwhile
  public SelectedBytes file() throws IOException {
    SelectedFileLayout layout = layout();
    return new SelectedBytes(file, layout, new ByteRange(0, layout.byteSize()));
  }

  /// Lays out the IPC stream: everything from the schema message to the end-of-stream marker.
  ///
  /// @throws CancelledException if the client leaves meanwhile
  public SelectedBytes stream() throws IOException {
    SelectedFileLayout layout = layout();
    long start = Framing.FILE_HEADER_BYTE_SIZE;
    return new SelectedBytes(file, layout, new ByteRange(start, layout.footerOffset() - start));
  }

  private SelectedFileLayout layout() throws IOException {
    messages.bytes().chargeDecoding();
    VersionSummary summary = messages.summary();
    SelectedFileLayout layout =
        layouts.get(
            summary.id() + "." + id, summary.file().batches() >= LARGE_BATCH_COUNT, file::layout);
    if (reduced != null) {
      reduced.setUsedIndices(layout.usedIndices());
    }
    return layout;
  }

  /// Returns the record batches, decoded one at a time. Close the result before the snapshot.
  public DecodedBatches decodedBatches() throws IOException {
    messages.bytes().chargeDecoding();
    return DecodedBatches.open(messages, scratchFolder);
  }

  /// Processes all rows in slices, several at a time, and passes on the results in the order of the
  /// rows until `results` wants no more.
  ///
  /// @return whether all rows were processed
  public <R> boolean forEachSlice(RowSlices.Work<R> work, RowSlices.Results<R> results)
      throws IOException {
    messages.bytes().chargeDecoding();
    return new RowSlices<>(messages, scratchFolder, work, results).run();
  }

  /// Returns the messages with their bodies in another codec.
  public RecompressedMessages recompressed(Codec codec) {
    return new RecompressedMessages(messages, reduced, codec, scratchFolder);
  }

  void close() throws IOException {
    try (ReducedDictionaries _ = reduced) {
      file.close();
    }
  }
}

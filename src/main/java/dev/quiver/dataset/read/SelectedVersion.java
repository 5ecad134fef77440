package dev.quiver.dataset.read;

import dev.quiver.codec.Codec;
import dev.quiver.columnar.Schema;
import dev.quiver.dataset.version.ByteRange;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.ipc.Framing;
import dev.quiver.memory.ByteSink;
import dev.quiver.metadata.Block;
import dev.quiver.storage.BlobSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Some columns and rows of a version, as an IPC file of their own that is stored nowhere.
///
/// Whole batches are stored buffers at other places: nothing of them is decoded, and where they lie
/// is known from their metadata. A batch of which some rows are selected is decoded, cut and
/// encoded in its own codec; there are two at most. Where everything lies is found out once per
/// version and selection, and then known for some time.
///
/// Byte offsets are those of that file; the IPC stream is `[8, footer)` of it. Used by one thread
/// at a time, and as long as its snapshot is open.
public final class SelectedVersion {

  /// Changes whenever other bytes are made of the same version and selection.
  public static final int FORMAT_NUMBER = 1;

  private final VersionSummary summary;
  private final SelectedMessages messages;
  private final String id;
  private final LayoutCache plans;
  private final Path scratchFolder;
  private final SelectedFile file;
  private @Nullable ProjectedLayout plan;

  SelectedVersion(
      VersionSummary summary,
      SelectedMessages messages,
      String id,
      LayoutCache plans,
      Path scratchFolder) {
    this.summary = summary;
    this.messages = messages;
    this.id = id;
    this.plans = plans;
    this.scratchFolder = scratchFolder;
    this.file = new SelectedFile(messages, scratchFolder);
  }

  /// Whether it is all of the version, in its order: then it is what is stored.
  public boolean isAll() {
    return id.isEmpty();
  }

  /// Which columns and rows, in letters, digits and `.()-`; empty for all.
  ///
  /// No two that differ have the same, and those that do not differ have, however they were asked
  /// for.
  public String id() {
    return id;
  }

  /// Whether there is a batch with only some of its rows.
  public boolean cutsBatches() {
    return messages.rows().cutsBatches();
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

  /// Whether the bodies of all selected batches have at most so many bytes together, as they are
  /// stored.
  public boolean isStoredWithin(long byteSize) {
    long left = byteSize;
    for (int i = 0; i < messages.batchCount() && left >= 0; i++) {
      left -= messages.block(i).bodyLength();
    }
    return left >= 0;
  }

  /// The index in the version of the first selected batch.
  public long firstBatch() {
    return messages.rows().firstBatch();
  }

  /// The whole IPC file.
  public ByteRange file() throws IOException {
    return new ByteRange(0, plan().byteSize());
  }

  /// The IPC stream: everything from the schema message to the end-of-stream marker.
  public ByteRange stream() throws IOException {
    return new ByteRange(
        Framing.FILE_HEADER_BYTE_SIZE, plan().footerOffset() - Framing.FILE_HEADER_BYTE_SIZE);
  }

  /// Where the dictionary messages lie.
  public List<Block> dictionaryBlocks() throws IOException {
    return plan().dictionaries();
  }

  /// Where the record batch messages lie.
  public List<Block> batchBlocks() throws IOException {
    return plan().recordBatches();
  }

  /// Reads a range of the IPC file into `sink`, in pieces of at most 256 KiB.
  ///
  /// @throws IndexOutOfBoundsException when the range is not within the file
  public void read(long byteOffset, long byteSize, ByteSink sink) throws IOException {
    write(byteOffset, byteSize, BlobSink.reading(sink));
  }

  /// Writes a range of the IPC file to `sink`; stored buffers as ranges of their blobs.
  ///
  /// @throws IndexOutOfBoundsException when the range is not within the file
  public void write(long byteOffset, long byteSize, BlobSink sink) throws IOException {
    Objects.checkFromIndexSize(byteOffset, byteSize, plan().byteSize());
    file.write(plan(), new ByteRange(byteOffset, byteSize), sink);
  }

  /// The record batches, decoded one at a time. To be closed before the snapshot is.
  public DecodedBatches decodedBatches() throws IOException {
    return DecodedBatches.open(messages, scratchFolder);
  }

  /// The messages with their bodies in another codec.
  public RecompressedMessages recompressed(Codec codec) {
    return new RecompressedMessages(messages, codec, scratchFolder);
  }

  void close() throws IOException {
    file.close();
  }

  private ProjectedLayout plan() throws IOException {
    ProjectedLayout present = plan;
    if (present == null) {
      present = plans.get(summary, id, file::plan);
      plan = present;
    }
    return present;
  }
}

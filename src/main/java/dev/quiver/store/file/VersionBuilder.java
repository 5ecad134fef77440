package dev.quiver.store.file;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Level;
import dev.quiver.store.catalog.NextVersion;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.StoredFile;
import dev.quiver.store.version.VersionKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// A builder of versions from messages in blobs, written by an upload, an append or a compaction.
/// It writes the footer of the version.
///
/// Messages are added in the order of a stream: the schema, the dictionaries, the batches. In the
/// blobs they may lie in another order, with dead bytes between them.
public final class VersionBuilder {

  private final List<BlobExtent> extents = new ArrayList<>();
  private final List<Block> dictionaries = new ArrayList<>();
  private final List<Block> recordBatches = new ArrayList<>();
  private final CumulativeRows rows = new CumulativeRows();
  private int schemaMetaDataLength;
  private long end;

  /// Adds everything before the first dictionary: the start of the file and the schema message.
  public void addSchema(List<BlobExtent> pieces) {
    pieces.forEach(this::add);
    schemaMetaDataLength = Math.toIntExact(end - Framing.FILE_HEADER_BYTE_SIZE);
  }

  /// Adds the start and the schema message of a written file.
  public void addSchema(WrittenFile file) {
    long byteSize =
        Framing.FILE_HEADER_BYTE_SIZE + (long) file.version().file().schemaMetaDataLength();
    addSchema(List.of(new BlobExtent(file.key(), 0, byteSize)));
  }

  /// Adds a dictionary that consists of these pieces.
  ///
  /// @param block the lengths of the dictionary; its offset is ignored
  public void addDictionary(List<BlobExtent> pieces, Block block) {
    dictionaries.add(moved(block, end));
    pieces.forEach(this::add);
  }

  /// Adds a dictionary of a blob.
  public void addDictionary(String key, Block block) {
    addDictionary(List.of(extent(key, block)), block);
  }

  /// Adds batches of a blob, at any position in it.
  ///
  /// @param fileRows the rows of all batches of the file, of which these are the first
  public void addBatches(String key, List<Block> blocks, CumulativeRows fileRows) {
    for (Block block : blocks) {
      recordBatches.add(moved(block, end));
      add(extent(key, block));
    }
    rows.addAll(fileRows, 0, blocks.size());
  }

  /// Adds consecutive batches of a file, without gaps between them.
  ///
  /// @param pieces the ranges of blobs that hold them
  /// @param blocks their positions in the file
  /// @param fileRows the rows of all batches of the file
  /// @param first the index in the file of the first of these batches
  public void addBatches(
      List<BlobExtent> pieces, List<Block> blocks, CumulativeRows fileRows, int first) {
    long start = end;
    for (Block block : blocks) {
      recordBatches.add(moved(block, start + block.offset() - blocks.getFirst().offset()));
    }
    pieces.forEach(this::add);
    rows.addAll(fileRows, first, first + blocks.size());
  }

  /// Returns the number of bytes in the start of the file and all messages.
  long byteSize() {
    return end;
  }

  /// Returns the version, whose manifest holds the end of the file.
  ///
  /// @param customMetadata the footer's metadata, to which the rows are added
  /// @param codec the codec of the first compressed record batch, or NONE if absent
  /// @param mixedCodecs whether any body has a codec other than `codec`
  /// @param level the level at which the data is known to be valid
  public NextVersion build(
      VersionKind kind,
      Schema schema,
      Metadata customMetadata,
      Codec codec,
      boolean mixedCodecs,
      Level level)
      throws IOException {
    ByteArrayOutputStream tail = new ByteArrayOutputStream();
    MessageWriter writer =
        new MessageWriter(part -> tail.writeBytes(part.toArray(LittleEndian.INT8)));
    writer.writeEndOfStream();
    int footerLength =
        writer.writeFooter(
            new Footer(
                MetadataVersion.V5, schema, dictionaries, recordBatches, rows.in(customMetadata)));
    StoredFile file =
        new StoredFile(
            rows.total(),
            rows.batchCount(),
            end + tail.size(),
            codec,
            mixedCodecs,
            level,
            schemaMetaDataLength,
            end + Framing.PREFIX_BYTE_SIZE,
            footerLength);
    return new NextVersion(kind, file, extents, MemorySegment.ofArray(tail.toByteArray()));
  }

  private void add(BlobExtent extent) {
    BlobExtent last = extents.isEmpty() ? null : extents.getLast();
    if (last != null
        && last.key().equals(extent.key())
        && last.byteOffset() + last.byteSize() == extent.byteOffset()) {
      extents.set(
          extents.size() - 1,
          new BlobExtent(last.key(), last.byteOffset(), last.byteSize() + extent.byteSize()));
    } else if (extent.byteSize() > 0) {
      extents.add(extent);
    }
    end = Math.addExact(end, extent.byteSize());
  }

  private static BlobExtent extent(String key, Block block) {
    return new BlobExtent(key, block.offset(), block.byteSize());
  }

  private static Block moved(Block block, long offset) {
    return new Block(offset, block.metaDataLength(), block.bodyLength());
  }
}

package dev.quiver.dataset.file;

import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.Schema;
import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.ipc.MessageWriter;
import dev.quiver.memory.LittleEndian;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.Footer;
import dev.quiver.metadata.MetadataVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The messages of an IPC file in the order of a stream, schema, dictionaries, batches, and the
/// ranges of blobs in which they are. In the blobs they may lie in another order, with something
/// between them that nobody reads any more.
public final class FileLayout {

  private final List<BlobExtent> extents = new ArrayList<>();
  private final List<Block> dictionaries = new ArrayList<>();
  private final List<Block> recordBatches = new ArrayList<>();
  private long end;

  /// Appends what is before the first dictionary: what a file starts with, and the schema message.
  public void addSchema(List<BlobExtent> pieces) {
    pieces.forEach(this::add);
  }

  /// Appends a dictionary that lies in these pieces.
  ///
  /// @param block its lengths; where it lies is not looked at
  public void addDictionary(List<BlobExtent> pieces, Block block) {
    dictionaries.add(moved(block, end));
    pieces.forEach(this::add);
  }

  /// Appends a dictionary of a blob.
  public void addDictionary(String key, Block block) {
    addDictionary(List.of(extent(key, block)), block);
  }

  /// Appends batches of a blob, wherever they lie in it.
  public void addBatches(String key, List<Block> blocks) {
    for (Block block : blocks) {
      recordBatches.add(moved(block, end));
      add(extent(key, block));
    }
  }

  /// Appends batches that follow one another.
  ///
  /// @param pieces all of them
  /// @param blocks where they are in a file, without gaps
  public void addBatches(List<BlobExtent> pieces, List<Block> blocks) {
    long start = end;
    for (Block block : blocks) {
      recordBatches.add(moved(block, start + block.offset() - blocks.getFirst().offset()));
    }
    pieces.forEach(this::add);
  }

  /// The ranges of blobs, those that lie together joined.
  public List<BlobExtent> extents() {
    return extents;
  }

  /// Bytes of all messages and what is before them.
  public long byteSize() {
    return end;
  }

  /// What follows: the end-of-stream marker, the footer, its size, and what a file ends with.
  public Tail tail(Schema schema, Metadata customMetadata) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    MessageWriter writer =
        new MessageWriter(part -> bytes.writeBytes(part.toArray(LittleEndian.INT8)));
    writer.writeEndOfStream();
    int footerLength =
        writer.writeFooter(
            new Footer(MetadataVersion.V5, schema, dictionaries, recordBatches, customMetadata));
    return new Tail(MemorySegment.ofArray(bytes.toByteArray()), footerLength);
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
    return new BlobExtent(key, block.offset(), block.end() - block.offset());
  }

  private static Block moved(Block block, long offset) {
    return new Block(offset, block.metaDataLength(), block.bodyLength());
  }

  /// The end of a file.
  ///
  /// @param footerLength bytes of the footer's flatbuffer, which starts after the marker
  public record Tail(MemorySegment bytes, int footerLength) {}
}

package dev.quiver.dataset.stored;

import dev.quiver.columnar.Schema;
import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.ipc.Framing;
import dev.quiver.memory.LruCache;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.Footer;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A version on which the next one is based.
public record StoredVersion(
    VersionSummary summary, SnapshotBytes bytes, BatchIndex.Contents contents) {

  public static StoredVersion of(
      VersionSummary summary, SnapshotBytes bytes, LruCache<String, BatchIndex.Contents> footers)
      throws IOException {
    return new StoredVersion(summary, bytes, BatchIndex.Contents.of(summary, bytes, footers));
  }

  public Schema schema() {
    return footer().schema();
  }

  public Footer footer() {
    return contents.footer();
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

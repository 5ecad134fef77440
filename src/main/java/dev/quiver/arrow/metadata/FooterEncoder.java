package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.*;

import dev.quiver.arrow.type.KeyValue;
import java.util.List;

/// An encoder of table `Footer` of File.fbs.
public final class FooterEncoder {

  private FooterEncoder() {}

  /// Returns the flatbuffer, without its size and the magic. The same footer gives the same bytes.
  ///
  /// The version is V5, regardless of the footer's own.
  public static byte[] encode(Footer footer) {
    FlatWriter writer = new FlatWriter(approximateByteSize(footer));
    int schema = SchemaWriter.write(writer, footer.schema());
    int dictionaries = writeBlocks(writer, footer.dictionaries());
    int recordBatches = writeBlocks(writer, footer.recordBatches());
    int metadata = KeyValueWriter.writeAll(writer, footer.customMetadata());
    return writer.finish(
        writer
            .begin()
            .number(FOOTER_VERSION, VersionReader.code(MetadataVersion.V5))
            .reference(FOOTER_SCHEMA, schema)
            .reference(FOOTER_DICTIONARIES, dictionaries)
            .reference(FOOTER_RECORD_BATCHES, recordBatches)
            .reference(FOOTER_CUSTOM_METADATA, metadata)
            .end());
  }

  /// Returns the size of the parts of a footer that may be large.
  private static int approximateByteSize(Footer footer) {
    long blockCount = (long) footer.dictionaries().size() + footer.recordBatches().size();
    long byteSize = blockCount * BLOCK_BYTE_SIZE;
    for (KeyValue entry : footer.customMetadata().entries()) {
      byteSize += entry.value().byteSize();
    }
    return (int) Math.min(byteSize + byteSize / 16, Integer.MAX_VALUE / 2);
  }

  private static int writeBlocks(FlatWriter writer, List<Block> blocks) {
    return writer.vector(
        blocks.size(),
        BLOCK_BYTE_SIZE,
        i -> {
          Block block = blocks.get(i);
          writer.addInt64(block.bodyLength());
          writer.addInt32(0); // the padding after metaDataLength
          writer.addInt32(block.metaDataLength());
          writer.addInt64(block.offset());
        });
  }
}

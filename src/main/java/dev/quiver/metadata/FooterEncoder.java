package dev.quiver.metadata;

import static dev.quiver.metadata.VtableSlots.*;

import java.util.List;

/// An encoder of table `Footer` of File.fbs.
public final class FooterEncoder {

  private FooterEncoder() {}

  /// Returns the flatbuffer, without its size and the magic. The same footer gives the same bytes.
  ///
  /// The version is V5, regardless of the footer's own.
  public static byte[] encode(Footer footer) {
    FlatWriter writer = new FlatWriter();
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

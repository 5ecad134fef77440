package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.*;

import dev.quiver.arrow.memory.Limits;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A decoder of table `Footer` of File.fbs, as distrustful as [MessageDecoder].
///
/// It does not check that the blocks are inside the file.
public final class FooterDecoder {

  private FooterDecoder() {}

  /// @param flatbuffer the footer without its size and the magic, at any alignment
  /// @throws dev.quiver.arrow.memory.InputException if the footer is malformed, has an unsupported
  ///   version or feature, or exceeds one of `limits`
  public static Footer decode(MemorySegment flatbuffer, Limits limits) {
    FlatTable table = new FlatBuffer(flatbuffer).root("Footer");
    return new Footer(
        VersionReader.readLenient(table, FOOTER_VERSION),
        SchemaReader.read(table.requiredTable(FOOTER_SCHEMA), limits),
        readBlocks(table.elements(FOOTER_DICTIONARIES, BLOCK_BYTE_SIZE)),
        readBlocks(table.elements(FOOTER_RECORD_BATCHES, BLOCK_BYTE_SIZE)),
        KeyValueReader.readAll(table.tables(FOOTER_CUSTOM_METADATA)));
  }

  private static List<Block> readBlocks(FlatVector structs) {
    return BlockList.of(structs.length(), index -> readBlock(structs, index));
  }

  private static Block readBlock(FlatVector structs, int index) {
    long offset = structs.nonNegativeInt64(index, BLOCK_OFFSET, "offset");
    int metaDataLength = structs.int32(index, BLOCK_META_DATA_LENGTH);
    if (metaDataLength < 0) {
      throw structs.malformed(index, "metaDataLength", "0 or more", metaDataLength);
    }
    long bodyLength = structs.nonNegativeInt64(index, BLOCK_BODY_LENGTH, "bodyLength");
    if (offset > Long.MAX_VALUE - metaDataLength
        || bodyLength > Long.MAX_VALUE - metaDataLength - offset) {
      throw structs.malformed(
          index,
          "bodyLength",
          "an end below 2^63",
          "%d + %d + %d".formatted(offset, metaDataLength, bodyLength));
    }
    return new Block(offset, metaDataLength, bodyLength);
  }
}

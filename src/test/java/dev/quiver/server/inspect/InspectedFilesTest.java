package dev.quiver.server.inspect;

import static dev.quiver.server.inspect.InspectedInputs.SCHEMA;
import static dev.quiver.server.inspect.InspectedInputs.TEXT;
import static dev.quiver.server.inspect.InspectedInputs.batch;
import static dev.quiver.server.inspect.InspectedInputs.builder;
import static dev.quiver.server.inspect.InspectedInputs.writeText;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Tests reports on files, valid or with an invalid footer. `InspectorTest` covers streams.
class InspectedFilesTest {

  @TempDir private Path folder;

  private Inspected inspect(byte[] input) throws IOException {
    return Inspected.of(MemorySegment.ofArray(input), folder);
  }

  @Test
  void comparesAFileWithItsFooter() throws IOException {
    Inspected inspected = inspect(file());
    assertThat(inspected.findings()).isEmpty();
    assertThat(inspected.types())
        .containsExactly("schema", "dictionary batch", "record batch", "record batch");
    assertThat(inspected.report().get("file").get("schemaMessage").asString()).isEqualTo("equal");
    assertThat(inspected.messages().get(3).get("block").get("name").asString())
        .isEqualTo("Footer.recordBatches[1]");
  }

  @Test
  void readsAFileWithoutItsEndLikeAStream() throws IOException {
    byte[] whole = file();
    Inspected inspected = inspect(Arrays.copyOf(whole, whole.length - 1));
    assertThat(inspected.findings().getFirst())
        .isEqualTo(
            "error truncated: Expected ARROW1 at the end of a file but found other bytes at byte"
                + " offset "
                + (whole.length - 7));
    assertThat(inspected.summary().get("rows").intValue()).isEqualTo(5);
    assertThat(inspected.summary().get("errors").intValue()).isEqualTo(1);
  }

  @Test
  void leadingMagicDoesNotCountAsTrailingMagic() throws IOException {
    byte[] whole = file();
    for (int byteSize : new int[] {6, 8, 17}) {
      JsonNode magic = inspect(Arrays.copyOf(whole, byteSize)).report().get("file");
      assertThat(magic.get("leadingMagic").booleanValue()).isTrue();
      assertThat(magic.get("trailingMagic").booleanValue()).isFalse();
    }
    assertThat(inspect(whole).report().get("file").get("trailingMagic").booleanValue()).isTrue();
  }

  @Test
  void warnsOfABlockThatIsTooLong() throws IOException {
    assertThat(inspect(fileWith(block -> List.of(longer(block)))).findings())
        .containsExactly(
            "warning block-length: Expected the message's bodyLength of 24 but found 32 at message"
                + " 1, byte offset 128, Footer.recordBatches[0]");
  }

  @Test
  void reportsABlockThatIsTooShort() throws IOException {
    assertThat(
            inspect(
                    fileWith(block ->
                        List.of(
                            new Block(
                                block.offset(), block.metaDataLength(), block.bodyLength() - 8))))
                .findings())
        .containsExactly(
            "error block: Expected the message's bodyLength of 24 but found 16 at message 1, byte"
                + " offset 128, Footer.recordBatches[0]");
  }

  @Test
  void warnsOfOverlappingBlocks() throws IOException {
    Inspected inspected = inspect(fileWith(block -> List.of(block, block)));
    assertThat(inspected.findings()).hasSize(1);
    assertThat(inspected.findings().getFirst())
        .matches(
            "warning block-overlap: Expected a Block after byte \\d+ but found one that overlaps at"
                + " byte offset 128, Footer.recordBatches\\[1]");
  }

  @Test
  void warnsOfAMessageWithoutABlock() throws IOException {
    assertThat(inspect(fileWith(_ -> List.of())).findings())
        .containsExactly(
            "warning unnamed-message: Expected a Block that points to the message but found none at"
                + " message 1, byte offset 128");
  }

  /// The full dictionary batch comes first in the footer and last in the file.
  @Test
  void appliesDeltasInFooterOrder() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeFileHeader();
    writer.writeSchema(SCHEMA);
    List<Block> dictionaries = new ArrayList<>();
    for (int i = 99; i >= 0; i--) {
      EncodedBody body = dictionary("value " + i);
      DictionaryBatchHeader header = new DictionaryBatchHeader(7, body.header(), i > 0);
      dictionaries.addFirst(writer.write(header, Metadata.EMPTY, body.byteSize()));
      body.writeTo(writer);
    }
    Block batch =
        writer.writeRecordBatch(
            EncodedBody.of(1, lastIndex(), Codec.NONE, Arena.ofAuto()), Metadata.EMPTY);
    writer.writeEndOfStream();
    writer.writeFooter(
        new Footer(MetadataVersion.V5, SCHEMA, dictionaries, List.of(batch), Metadata.EMPTY));
    Inspected inspected = inspect(bytes.toByteArray());
    assertThat(inspected.summary().get("acceptable").booleanValue()).isTrue();
    assertThat(inspected.summary().get("errors").intValue()).isZero();
    assertThat(inspected.summary().get("messages").intValue()).isEqualTo(102);
  }

  private static EncodedBody dictionary(String value) {
    Field field = Field.of("c", true, new ArrowType.Utf8());
    ArrayData values = new ArrayBuilder(Arena.ofAuto()).array(field, List.of(value));
    return EncodedBody.of(1, List.of(values), Codec.NONE, Arena.ofAuto());
  }

  /// Returns the columns of a row with the last of 100 values.
  private static List<ArrayData> lastIndex() {
    ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto());
    return List.of(
        builder.array(SCHEMA.fields().getFirst(), List.of(1)),
        builder.array(Field.of("c", true, new ArrowType.Int(8, true)), List.of(99)));
  }

  private static byte[] file() throws IOException {
    Bytes bytes = new Bytes();
    FileWriter writer = new FileWriter(bytes, SCHEMA, Codec.NONE);
    ArrayBuilder builder = builder();
    writer.write(batch(builder, 3));
    writer.write(batch(builder, 2));
    writer.close(Metadata.EMPTY);
    return bytes.toByteArray();
  }

  private interface Blocks {
    List<Block> of(Block valid);
  }

  /// Returns a file of one batch with different Blocks in its footer.
  private static byte[] fileWith(Blocks blocks) throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeFileHeader();
    writer.writeSchema(TEXT);
    Block valid = writeText(writer, new byte[] {'a'});
    writer.writeEndOfStream();
    writer.writeFooter(
        new Footer(MetadataVersion.V5, TEXT, List.of(), blocks.of(valid), Metadata.EMPTY));
    return bytes.toByteArray();
  }

  private static Block longer(Block block) {
    return new Block(block.offset(), block.metaDataLength(), block.bodyLength() + 8);
  }
}

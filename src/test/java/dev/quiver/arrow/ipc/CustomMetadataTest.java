package dev.quiver.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Feature;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Tests that the custom metadata of schemas, fields, messages and footers survives streams and
/// files, in order and with duplicate keys.
class CustomMetadataTest {

  private static final Field ITEM =
      Field.of("item", true, new ArrowType.Int(32, true)).withMetadata(metadata("of the child"));
  private static final Field FIELD =
      Field.of("l", true, new ArrowType.List(), ITEM).withMetadata(metadata("of the field"));
  private static final Schema SCHEMA =
      new Schema(
          List.of(FIELD),
          metadata("of the schema"),
          Endianness.LITTLE,
          List.of(Feature.DICTIONARY_REPLACEMENT, Feature.COMPRESSED_BODY));
  private static final List<List<Long>> VALUES = List.of(List.of(1L), List.of());

  @Test
  void streamsPreserveCustomMetadata() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeSchema(SCHEMA);
    messages.writeRecordBatch(body(), metadata("of the message"));
    messages.writeEndOfStream();
    try (StreamReader reader = new StreamReader(bytes.source(), Limits.DEFAULT)) {
      assertThat(reader.schema()).isEqualTo(SCHEMA);
      assertThat(reader.schema().fields().getFirst().children()).containsExactly(ITEM);
      assertBatch(Objects.requireNonNull(reader.next()));
    }
  }

  @Test
  void filesPreserveCustomMetadataIncludingTheFooters() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeFileHeader();
    Block block = messages.writeRecordBatch(body(), metadata("of the message"));
    Metadata fileMetadata = metadata("of the file");
    messages.writeFooter(
        new Footer(MetadataVersion.V5, SCHEMA, List.of(), List.of(block), fileMetadata));
    FileReader reader = new FileReader(bytes.segment(), Limits.DEFAULT, Arena.ofAuto());
    assertThat(reader.schema()).isEqualTo(SCHEMA);
    assertThat(reader.footer().customMetadata()).isEqualTo(fileMetadata);
    assertBatch(reader.batch(0));
  }

  /// A reader must understand every declared feature to interpret the rest.
  @Test
  void rejectsAnUnknownFeature() throws IOException {
    Bytes bytes = new Bytes();
    new MessageWriter(bytes).writeSchema(SCHEMA);
    byte[] known = bytes.toByteArray();
    int rejected = 0;
    for (int i = 8; i + 8 <= known.length; i += 8) {
      if (LittleEndian.getInt64(MemorySegment.ofArray(known), i)
          == Feature.COMPRESSED_BODY.ordinal()) {
        byte[] stream = known.clone();
        stream[i] = 3;
        try {
          MessageReader reader =
              new MessageReader(new Bytes().bytes(stream).source(), Limits.DEFAULT);
          assertThat(MessageReader.schemaOf(reader.readSchema())).isEqualTo(SCHEMA);
        } catch (UnsupportedInputException e) {
          rejected++;
          assertThat(e)
              .hasMessage(
                  "Expected a feature of 0 to 2 but found 3 at message 0, byte offset 0,"
                      + " Schema.features[1]");
        } catch (InputException e) {
          assertThat(e).hasMessageStartingWith("Expected ");
        }
      }
    }
    assertThat(rejected).isEqualTo(1);
  }

  private static EncodedBody body() {
    RecordBatch batch = new ArrayBuilder(Arena.ofAuto()).recordBatch(SCHEMA, 2, List.of(VALUES));
    return EncodedBody.of(2, batch.columns(), Codec.NONE, Arena.ofAuto());
  }

  private static void assertBatch(RecordBatch batch) {
    assertThat(batch.customMetadata()).isEqualTo(metadata("of the message"));
    assertThat(batch.schema()).isEqualTo(SCHEMA);
    assertThat(Values.of(batch.columns().getFirst())).isEqualTo(VALUES);
  }

  private static Metadata metadata(String origin) {
    return Metadata.of(
        KeyValue.of("z", origin),
        KeyValue.of("a", ""),
        KeyValue.of("z", "again"),
        KeyValue.of("ARROW:x", "矢"));
  }
}

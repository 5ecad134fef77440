package dev.quiver.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests streams and files from before release 0.15, whose messages start with their length. Those
/// of other writers are among the golden files.
class LegacyFramingTest {

  private static final Schema SCHEMA = Schema.of(Field.of("n", true, new ArrowType.Int(32, true)));

  @Test
  void readsMessagesThatStartWithTheirLength() throws IOException {
    byte[] stream = LegacyFraming.of(stream());
    MessageReader reader = new MessageReader(source(stream), Limits.DEFAULT);
    EncapsulatedMessage schema = reader.readSchema();
    assertThat(schema.prefixByteSize()).isEqualTo(4);
    assertThat(schema.metaDataLength()).isEqualTo(4 + schema.metadata().byteSize());
    assertThat(values(stream)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void readsMixedFramings() throws IOException {
    assertThat(values(LegacyFraming.of(stream(), index -> index % 2 == 0)))
        .containsExactly(1L, 2L, 3L);
    assertThat(values(LegacyFraming.of(stream(), index -> index % 2 == 1)))
        .containsExactly(1L, 2L, 3L);
  }

  @Test
  void streamMayEndWithOrWithoutFourZeroBytes() throws IOException {
    byte[] stream = LegacyFraming.of(stream());
    MessageReader reader = new MessageReader(source(stream), Limits.DEFAULT);
    reader.readSchema();
    while (reader.next() != null) {
      assertThat(reader.bodyRemaining()).isPositive();
    }
    assertThat(reader.endOfStreamSeen()).isTrue();
    assertThat(reader.position()).isEqualTo(stream.length);
    assertThat(values(Arrays.copyOf(stream, stream.length - 4))).containsExactly(1L, 2L, 3L);
  }

  @Test
  void reportsTruncationInsideAnyMessage() throws IOException {
    byte[] whole = LegacyFraming.of(stream());
    int boundaries = 0;
    for (int length = 0; length < whole.length; length++) {
      try {
        values(Arrays.copyOf(whole, length));
        boundaries++;
      } catch (TruncatedInputException e) {
        assertThat(e).hasMessageStartingWith("Expected ").hasMessageContaining(" but found ");
      }
    }
    assertThat(boundaries).as("after the schema and after each batch").isEqualTo(3);
  }

  @Test
  void rejectsAnImplausibleLegacyLength() {
    assertThatThrownBy(() -> values(new Bytes().int32(256).int32(16).toByteArray()))
        .isInstanceOf(TruncatedInputException.class)
        .hasMessage(
            "Expected metadata of 256 bytes but found the end of the input after 4 at message 0,"
                + " byte offset 0");
    assertThatThrownBy(() -> values(new Bytes().int32((64 << 20) + 1).toByteArray()))
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(
            "Expected the continuation marker FFFFFFFF but found bytes 01000004 at message 0, byte"
                + " offset 0");
    assertThatThrownBy(() -> values(new Bytes().int32(-2).toByteArray()))
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(
            "Expected the continuation marker FFFFFFFF but found bytes FEFFFFFF at message 0, byte"
                + " offset 0");
  }

  @Test
  void blocksIncludeTheFourBytePrefix() throws IOException {
    byte[] stream = LegacyFraming.of(stream(), index -> index != 1);
    List<Long> values = new ArrayList<>();
    FileReader reader = fileOf(stream, 0);
    for (int i = 0; i < reader.batchCount(); i++) {
      values.addAll(longs(reader.batch(i)));
    }
    assertThat(values).containsExactly(1L, 2L, 3L);
    assertThat(reader.batchMessage(0).prefixByteSize()).isEqualTo(8);
    assertThat(reader.batchMessage(1).prefixByteSize()).isEqualTo(4);
  }

  @Test
  void rejectsABlockShorterThanItsMetadata() throws IOException {
    FileReader reader = fileOf(LegacyFraming.of(stream()), -8);
    assertThatThrownBy(() -> reader.batch(0))
        .isInstanceOf(MalformedInputException.class)
        .hasMessageMatching(
            "Expected the continuation marker FFFFFFFF but found bytes [0-9A-F]{8} at message 1,"
                + " byte offset [0-9]+");
  }

  private static byte[] stream() throws IOException {
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, SCHEMA, Codec.NONE);
    ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto());
    writer.write(builder.recordBatch(SCHEMA, 2, List.of(List.of(1, 2))));
    writer.write(builder.recordBatch(SCHEMA, 1, List.of(List.of(3))));
    writer.close();
    return bytes.toByteArray();
  }

  /// Returns a file around a stream.
  ///
  /// @param error the number added to the metadata length of each Block
  private static FileReader fileOf(byte[] stream, int error) throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeFileHeader();
    messages.write(MemorySegment.ofArray(stream));
    List<Block> blocks = new ArrayList<>();
    MessageReader reader = new MessageReader(source(stream), Limits.DEFAULT);
    reader.readSchema();
    for (EncapsulatedMessage message = reader.next(); message != null; message = reader.next()) {
      Block block = message.block();
      blocks.add(new Block(8 + block.offset(), block.metaDataLength() + error, block.bodyLength()));
    }
    messages.writeFooter(new Footer(MetadataVersion.V4, SCHEMA, List.of(), blocks, Metadata.EMPTY));
    return new FileReader(bytes.segment(), Limits.DEFAULT, Arena.ofAuto());
  }

  private static List<Long> values(byte[] stream) throws IOException {
    List<Long> values = new ArrayList<>();
    try (StreamReader reader = new StreamReader(source(stream), Limits.DEFAULT)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        values.addAll(longs(batch));
      }
    }
    return values;
  }

  private static List<Long> longs(RecordBatch batch) {
    return Values.of(batch.columns().getFirst()).stream().map(Long.class::cast).toList();
  }

  private static ByteSource source(byte[] bytes) {
    return ByteSource.of(MemorySegment.ofArray(bytes));
  }
}

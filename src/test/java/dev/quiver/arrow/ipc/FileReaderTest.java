package dev.quiver.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests that files are read through their footer alone, and the errors for invalid files and
/// Blocks. The metadata tests cover the footer's flatbuffer, the golden files every type.
class FileReaderTest {

  private static final Schema SCHEMA = Schema.of(Field.of("n", true, new ArrowType.Int(32, true)));

  @Test
  void fileContainsTheStreamBetweenMagicAndFooter() throws IOException {
    Bytes stream = new Bytes();
    StreamWriter streamWriter = new StreamWriter(stream, SCHEMA, Codec.NONE);
    streamWriter.write(batch(1));
    streamWriter.write(batch(2));
    streamWriter.close();
    byte[] file = twoBatches();
    FileReader reader = readerOf(file);

    assertThat(Arrays.copyOfRange(file, 8, 8 + stream.toByteArray().length))
        .isEqualTo(stream.toByteArray());
    assertThat(reader.batchCount()).isEqualTo(2);
    assertThat(valueOf(reader.batch(1))).isEqualTo(2);
    assertThat(valueOf(reader.batch(0))).isEqualTo(1);
    assertThat(reader.footer().customMetadata().get("written")).hasToString("by a test");
  }

  @Test
  void messagesAndBuffersAreAligned() throws IOException {
    FileReader reader = readerOf(twoBatches());
    for (Block block : reader.footer().recordBatches()) {
      assertThat(Padding.isAligned(block.offset(), 8)).isTrue();
      assertThat(Padding.isAligned(block.metaDataLength(), 8)).isTrue();
      assertThat(Padding.isAligned(block.bodyLength(), 64)).isTrue();
    }
  }

  @Test
  void ignoresBytesBetweenTheBlocks() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeFileHeader();
    messages.write(MemorySegment.ofArray("no schema, but noise padded to 40 bytes.".getBytes()));
    Block second = writeBatch(messages, 2);
    Block first = writeBatch(messages, 1);
    messages.writeFooter(footer(first, second));

    FileReader reader = readerOf(bytes.toByteArray());
    assertThat(valueOf(reader.batch(0))).isEqualTo(1);
    assertThat(valueOf(reader.batch(1))).isEqualTo(2);
  }

  /// Some writers place the first message at a multiple of 64, so sequential readers mistake the
  /// zeros after the magic for the end of the stream. One writer placed it at an odd byte.
  @Test
  void findsTheFirstMessageThroughTheFooter() throws IOException {
    for (int start : new int[] {9, 64, 4096}) {
      Bytes bytes = new Bytes();
      MessageWriter messages = new MessageWriter(bytes);
      messages.writeFileHeader();
      messages.write(MemorySegment.ofArray(new byte[start - 8]));
      messages.writeSchema(SCHEMA);
      Block block = writeBatch(messages, 5);
      messages.writeEndOfStream();
      messages.writeFooter(footer(block));

      assertThat(valueOf(readerOf(bytes.toByteArray()).batch(0))).isEqualTo(5);
    }
  }

  /// A batch that the footer omits is not part of the file; one that it lists twice appears twice.
  @Test
  void readsExactlyTheBatchesOfTheFooter() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeFileHeader();
    messages.writeSchema(SCHEMA);
    Block one = writeBatch(messages, 1);
    writeBatch(messages, 2);
    Block three = writeBatch(messages, 3);
    messages.writeEndOfStream();
    messages.writeFooter(footer(three, one, three));

    FileReader reader = readerOf(bytes.toByteArray());
    assertThat(reader.batchCount()).isEqualTo(3);
    List<Long> values = new ArrayList<>();
    for (int i : new int[] {2, 1, 0, 1}) {
      values.add(valueOf(reader.batch(i)));
    }
    assertThat(values).containsExactly(3L, 1L, 3L, 1L);
  }

  @Test
  void readsTheSchemaOfTheFooter() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeFileHeader();
    messages.writeSchema(Schema.of(Field.of("other", true, new ArrowType.Utf8())));
    messages.writeFooter(footer(writeBatch(messages, 5)));

    FileReader reader = readerOf(bytes.toByteArray());
    assertThat(reader.schema()).isEqualTo(SCHEMA);
    assertThat(valueOf(reader.batch(0))).isEqualTo(5);
  }

  @Test
  void rejectsAFileShorterThanMagicAndTrailer() {
    assertRejected(
        "ARROW1".getBytes(),
        TruncatedInputException.class,
        "Expected a file of at least 18 bytes but found 6 bytes at byte offset 6");
  }

  @Test
  void rejectsATruncatedFile() throws IOException {
    byte[] whole = twoBatches();
    byte[] truncated = Arrays.copyOf(whole, whole.length - 1);
    assertRejected(
        truncated,
        TruncatedInputException.class,
        "Expected ARROW1 at the end of a file but found other bytes at byte offset "
            + (truncated.length - 6));
  }

  @Test
  void rejectsAFooterLengthThatExceedsTheFile() throws IOException {
    byte[] file = twoBatches();
    assertRejected(
        withFooterLength(file, file.length),
        MalformedInputException.class,
        "Expected a footer length of 1 to %d but found %d at byte offset %d"
            .formatted(file.length - 18, file.length, file.length - 10));
    assertRejected(
        withFooterLength(file, -1),
        MalformedInputException.class,
        "Expected a footer length of 1 to %d but found -1 at byte offset %d"
            .formatted(file.length - 18, file.length - 10));
    assertRejected(
        withFooterLength(file, (64 << 20) + 1),
        TooLargeInputException.class,
        "Expected at most 67108864 bytes of a footer (metadata-bytes) but found"
            + " 67108865 at byte offset "
            + (file.length - 10));
  }

  @Test
  void rejectsABlockThatOverlapsTheFooter() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeFileHeader();
    Block block = writeBatch(messages, 1);
    long footerStart = messages.position();
    messages.writeFooter(
        footer(new Block(block.offset(), block.metaDataLength(), block.bodyLength() + 8)));
    FileReader reader = readerOf(bytes.toByteArray());
    assertThatThrownBy(() -> reader.batch(0))
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(
            "Expected a Block of at least 8 bytes that ends before the footer at %d but found"
                + " metaDataLength %d and bodyLength 72 at message 1, byte offset 8",
            footerStart, block.metaDataLength());
  }

  @Test
  void rejectsABlockOfTheWrongMessageKind() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeFileHeader();
    Block schema = messages.writeSchema(SCHEMA);
    messages.writeFooter(
        footer(schema, new Block(schema.offset() + 8, schema.metaDataLength() - 8, 0)));
    FileReader reader = readerOf(bytes.toByteArray());
    assertThatThrownBy(() -> reader.batch(0))
        .isInstanceOf(MalformedInputException.class)
        .hasMessage("Expected a record batch but found a schema at message 1, byte offset 8");
    assertThatThrownBy(() -> reader.batch(1)).isInstanceOf(InputException.class);
  }

  private static void assertRejected(byte[] file, Class<?> type, String message) {
    assertThatThrownBy(() -> readerOf(file)).isInstanceOf(type).hasMessage(message);
  }

  private static byte[] withFooterLength(byte[] file, int footerLength) {
    return new Bytes()
        .bytes(Arrays.copyOf(file, file.length - 10))
        .int32(footerLength)
        .bytes("ARROW1".getBytes())
        .toByteArray();
  }

  private static FileReader readerOf(byte[] file) {
    return new FileReader(MemorySegment.ofArray(file), Limits.DEFAULT, Arena.ofAuto());
  }

  private static byte[] twoBatches() throws IOException {
    Bytes bytes = new Bytes();
    FileWriter writer = new FileWriter(bytes, SCHEMA, Codec.NONE);
    writer.write(batch(1));
    writer.write(batch(2));
    writer.close(Metadata.of(KeyValue.of("written", "by a test")));
    return bytes.toByteArray();
  }

  private static Block writeBatch(MessageWriter messages, int value) throws IOException {
    EncodedBody body =
        EncodedBody.of(1, batch(value).columns(), Codec.NONE, (_, _) -> MemorySegment.NULL);
    return messages.writeRecordBatch(body, Metadata.EMPTY);
  }

  private static Footer footer(Block... batches) {
    return new Footer(MetadataVersion.V5, SCHEMA, List.of(), List.of(batches), Metadata.EMPTY);
  }

  private static RecordBatch batch(int value) {
    MemorySegment data = MemorySegment.ofArray(new int[] {value});
    ArrayData column =
        new ArrayData(
            SCHEMA.fields().getFirst(), 1, 0, List.of(MemorySegment.NULL, data), List.of(), null);
    return new RecordBatch(SCHEMA, 1, List.of(column));
  }

  private static long valueOf(RecordBatch batch) {
    return ((Array.FixedWidth) Array.of(batch.columns().getFirst())).integer(0);
  }
}

package dev.quiver.arrow.ipc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests that framing is read correctly however the bytes arrive, and the errors for invalid
/// framing. The metadata tests cover the metadata, the golden files whole streams of every type.
class MessageReaderTest {

  private static final Schema SCHEMA = Schema.of(Field.of("n", true, new ArrowType.Int(32, true)));

  @Test
  void readsMessagesWithTheirLocationsFromASlowSource() throws IOException {
    Bytes stream = twoBatches();
    MessageReader reader = new MessageReader(stream.slowSource(), Limits.DEFAULT);

    EncapsulatedMessage schema = reader.readSchema();
    assertThat(MessageReader.schemaOf(schema)).isEqualTo(SCHEMA);
    assertThat(schema.byteOffset()).isZero();
    EncapsulatedMessage first = requireNonNull(reader.next());
    assertThat(first.index()).isEqualTo(1);
    assertThat(first.byteOffset()).isEqualTo(schema.block().end());
    MemorySegment body = MemorySegment.ofArray(new byte[64]);
    assertThat(reader.bodyRemaining()).isEqualTo(64);
    assertThat(reader.readBodyPart(body.asSlice(0, 10))).isEqualTo(10);
    EncapsulatedMessage second = requireNonNull(reader.next());
    assertThat(second.byteOffset()).isEqualTo(first.block().end());
    assertThat(reader.next()).isNull();
    assertThat(reader.endOfStreamSeen()).isTrue();
    assertThat(reader.position()).isEqualTo(stream.toByteArray().length);
    reader.requireEnd();
  }

  @Test
  void streamMayEndWithoutItsMarker() throws IOException {
    MessageReader reader = readerOf(twoBatches().without(8));
    reader.readSchema();
    assertThat(reader.next()).isNotNull();
    assertThat(reader.next()).isNotNull();
    assertThat(reader.next()).isNull();
    assertThat(reader.endOfStreamSeen()).isFalse();
  }

  @Test
  void reportsTruncationInsideAnyMessage() throws IOException {
    byte[] whole = twoBatches().toByteArray();
    int boundaries = 0;
    for (int length = 0; length < whole.length; length++) {
      try {
        readAll(ByteSource.of(MemorySegment.ofArray(whole).asSlice(0, length)));
        boundaries++;
      } catch (TruncatedInputException e) {
        assertThat(e).hasMessageStartingWith("Expected ").hasMessageContaining(" but found ");
      }
    }
    assertThat(boundaries).as("after the schema and after each batch").isEqualTo(3);
  }

  @Test
  void reportsTheLocationOfATruncatedBody() throws IOException {
    byte[] truncated = twoBatches().without(8 + 60);
    MessageReader reader = readerOf(truncated);
    long schemaEnd = reader.readSchema().block().end();
    long secondStart = requireNonNull(reader.next()).block().end();
    assertThat(schemaEnd).isLessThan(secondStart);
    assertThatThrownBy(() -> readAll(ByteSource.of(MemorySegment.ofArray(truncated))))
        .isInstanceOf(TruncatedInputException.class)
        .hasMessage(
            "Expected a body of 64 bytes but found the end of the input after 4 at message 2, byte"
                + " offset %d",
            secondStart);
  }

  @Test
  void rejectsEmptyInput() {
    assertThatThrownBy(() -> readerOf(new byte[0]).readSchema())
        .isInstanceOf(TruncatedInputException.class)
        .hasMessage(
            "Expected a schema message but found the end of the input at message 0, byte offset 0");
  }

  @Test
  void rejectsGarbageInsteadOfAContinuationMarker() {
    assertThatThrownBy(() -> readerOf("<html><body>".getBytes()).readSchema())
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(
            "Expected the continuation marker FFFFFFFF but found bytes 3C68746D at message 0, byte"
                + " offset 0");
  }

  @Test
  void rejectsANegativeMetadataLength() {
    assertThatThrownBy(() -> readerOf(new Bytes().int32(-1).int32(-8).toByteArray()).readSchema())
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(
            "Expected a metadata length of 0 or more but found -8 at message 0, byte offset 0");
  }

  @Test
  void rejectsMetadataOverTheLimitBeforeReadingIt() {
    byte[] forged = new Bytes().int32(-1).int32((64 << 20) + 1).toByteArray();
    assertThatThrownBy(() -> readerOf(forged).readSchema())
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most 67108864 bytes of metadata in a message"
                + " (metadata-bytes) but found 67108865 at message 0, byte offset 0");
  }

  @Test
  void acceptsMetadataAtTheLimit() {
    byte[] forged = new Bytes().int32(-1).int32(64 << 20).toByteArray();
    assertThatThrownBy(() -> readerOf(forged).readSchema())
        .isInstanceOf(TruncatedInputException.class)
        .hasMessage(
            "Expected metadata of 67108864 bytes but found the end of the input after 0 at message"
                + " 0, byte offset 0");
  }

  @Test
  void rejectsAStreamThatStartsWithoutASchema() throws IOException {
    Bytes bytes = new Bytes();
    new MessageWriter(bytes).writeRecordBatch(body(1), Metadata.EMPTY);
    assertThatThrownBy(() -> readerOf(bytes.toByteArray()).readSchema())
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(
            "Expected a schema as first message but found a record batch at message 0, byte offset"
                + " 0");
  }

  @Test
  void rejectsASecondSchema() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    long end = writer.writeSchema(SCHEMA).end();
    writer.writeSchema(SCHEMA);
    assertThatThrownBy(() -> readAll(bytes.source()))
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(
            "Expected a dictionary batch or record batch but found a second schema at message 1,"
                + " byte offset %d",
            end);
  }

  @Test
  void errorNamesAnUnsupportedTensor() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    long end = writer.writeSchema(SCHEMA).end();
    writer.writeMetadata(MemorySegment.ofArray(tensorMessage()), 0);
    assertThatThrownBy(() -> readAll(bytes.source()))
        .isInstanceOf(UnsupportedInputException.class)
        .hasMessage(
            "Expected a dictionary batch or record batch but found a tensor of shape [] at message 1,"
                + " byte offset %d",
            end);
  }

  @Test
  void rejectsASecondStreamAfterTheFirst() throws IOException {
    byte[] one = twoBatches().toByteArray();
    MessageReader reader = readerOf(new Bytes().bytes(one).bytes(one).toByteArray());
    reader.readSchema();
    while (reader.next() != null) {
      assertThat(reader.bodyRemaining()).isPositive();
    }
    assertThatThrownBy(reader::requireEnd)
        .isInstanceOf(UnsupportedInputException.class)
        .hasMessage(
            "Expected the end of the input after the end of the stream but found a second stream at"
                + " byte offset %d",
            one.length);
  }

  /// A megabyte of gzip holds a gigabyte of zeros.
  @Test
  void readsZerosAfterTheEndInLargeBlocks() throws IOException {
    byte[] one = twoBatches().toByteArray();
    int zeros = 4 << 20;
    ByteSource source =
        ByteSource.of(
            MemorySegment.ofArray(new Bytes().bytes(one).bytes(new byte[zeros]).toByteArray()));
    long[] reads = {0};
    MessageReader reader =
        new MessageReader(
            destination -> {
              reads[0]++;
              return source.read(destination);
            },
            Limits.DEFAULT);
    reader.readSchema();
    while (reader.next() != null) {
      assertThat(reader.bodyRemaining()).isPositive();
    }
    reads[0] = 0;
    assertThat(reader.requireEnd()).isEqualTo(zeros);
    assertThat(reads[0]).isLessThan(100);
  }

  @Test
  void onlyZerosMayFollowTheEndOfTheStream() throws IOException {
    byte[] one = twoBatches().toByteArray();
    assertThat(endOf(new Bytes().bytes(one).bytes(new byte[11])).requireEnd()).isEqualTo(11);
    assertThatThrownBy(() ->
            endOf(new Bytes().bytes(one).bytes(new byte[9]).bytes("<p>".getBytes())).requireEnd())
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(
            "Expected the end of the input after the end of the stream but found more bytes at"
                + " byte offset %d",
            one.length + 9);
    assertThatThrownBy(() ->
            endOf(new Bytes().bytes(one).bytes(new byte[8]).bytes(LegacyFraming.of(one)))
                .requireEnd())
        .isInstanceOf(UnsupportedInputException.class)
        .hasMessage(
            "Expected the end of the input after the end of the stream but found a second stream at"
                + " byte offset %d",
            one.length + 8);
  }

  @Test
  void rejectsAnEndOfStreamMarkerInsteadOfASchema() {
    assertThatThrownBy(() -> readerOf(new byte[64]).readSchema())
        .isInstanceOf(TruncatedInputException.class)
        .hasMessage(
            "Expected a schema message but found the end-of-stream marker at message 0, byte offset"
                + " 0");
  }

  private static MessageReader endOf(Bytes bytes) throws IOException {
    MessageReader reader = new MessageReader(bytes.source(), Limits.DEFAULT);
    reader.readSchema();
    while (reader.next() != null) {
      assertThat(reader.bodyRemaining()).isPositive();
    }
    return reader;
  }

  /// Returns a V5 message whose header is an empty tensor.
  private static byte[] tensorMessage() {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    builder.startTable(0);
    int tensor = builder.endTable();
    builder.startTable(4);
    builder.addShort(0, (short) 4, 0);
    builder.addByte(1, (byte) 4, 0);
    builder.addOffset(2, tensor, 0);
    builder.finish(builder.endTable());
    byte[] bytes = builder.sizedByteArray();
    return Arrays.copyOf(bytes, (bytes.length + 7) / 8 * 8);
  }

  private static MessageReader readerOf(byte[] bytes) {
    return new MessageReader(ByteSource.of(MemorySegment.ofArray(bytes)), Limits.DEFAULT);
  }

  private static void readAll(ByteSource source) throws IOException {
    MessageReader reader = new MessageReader(source, Limits.DEFAULT);
    reader.readSchema();
    while (reader.next() != null) {
      assertThat(reader.bodyRemaining()).isPositive();
    }
  }

  private static Bytes twoBatches() throws IOException {
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, SCHEMA, Codec.NONE);
    writer.write(new RecordBatch(SCHEMA, 1, List.of(column(1))));
    writer.write(new RecordBatch(SCHEMA, 1, List.of(column(2))));
    writer.close();
    return bytes;
  }

  private static EncodedBody body(int value) {
    return EncodedBody.of(1, List.of(column(value)), Codec.NONE, (size, _) -> MemorySegment.NULL);
  }

  private static ArrayData column(int value) {
    MemorySegment data = MemorySegment.ofArray(new int[] {value});
    return new ArrayData(
        SCHEMA.fields().getFirst(), 1, 0, List.of(MemorySegment.NULL, data), List.of(), null);
  }
}

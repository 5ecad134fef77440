package dev.quiver.arrow.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.metadata.MessageHeader.TensorHeader;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Feature;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that the decoders restore exactly what the encoders write.
///
/// `ArrowJavaMetadataTest` tests that other libraries read the result. `MalformedMetadataTest` and
/// `MalformedSchemaTest` test rejected input.
class MetadataRoundTripTest {

  private static final Metadata SEVERAL =
      Metadata.of(
          KeyValue.of("a", "1"),
          KeyValue.of("a", "2"),
          KeyValue.of("", ""),
          new KeyValue("bytes", ByteString.of(new byte[] {(byte) 0xFF, 0, (byte) 0xC3})));

  static Stream<Field> fields() {
    return Samples.fields().stream();
  }

  @ParameterizedTest
  @MethodSource("fields")
  void fieldOfEveryTypeRoundTrips(Field field) {
    assertReadBack(Samples.schemaMessage(field));
  }

  @Test
  void schemaWithAllPropertiesRoundTrips() {
    for (Endianness endianness : Endianness.values()) {
      Schema schema = new Schema(Samples.fields(), SEVERAL, endianness, List.of(Feature.values()));
      assertReadBack(new Message(MetadataVersion.V5, new SchemaHeader(schema), 0, SEVERAL));
      assertThat(
              decodeFooter(
                  new Footer(MetadataVersion.V5, schema, List.of(), List.of(), Metadata.EMPTY)))
          .extracting(Footer::schema)
          .isEqualTo(schema);
    }
  }

  @Test
  void schemaWithoutFieldsRoundTrips() {
    assertReadBack(Samples.schemaMessage());
  }

  @Test
  void recordBatchRoundTrips() {
    assertReadBack(message(batch(null), 1L << 33));
    assertReadBack(message(batch(CompressionType.LZ4_FRAME), 4096));
    assertReadBack(message(batch(CompressionType.ZSTD), 4096));
    assertReadBack(message(new RecordBatchHeader(3, List.of(), List.of(), null, List.of()), 0));
  }

  @Test
  void dictionaryBatchRoundTrips() {
    RecordBatchHeader data = batch(CompressionType.ZSTD);
    assertReadBack(message(new DictionaryBatchHeader(0, data, false), 64));
    assertReadBack(message(new DictionaryBatchHeader(Long.MIN_VALUE, data, true), 64));
  }

  @Test
  void footerRoundTrips() {
    Footer footer =
        new Footer(
            MetadataVersion.V5,
            Schema.of(Field.of("a", true, Samples.INT32)),
            List.of(new Block(8, 128, 1 << 20)),
            List.of(new Block(1L << 40, Integer.MAX_VALUE, 1L << 50), new Block(0, 0, 0)),
            SEVERAL);
    assertThat(decodeFooter(footer)).isEqualTo(footer);
  }

  @Test
  void encodingIsDeterministic() {
    Message message = Samples.schemaMessage(Samples.fields().toArray(Field[]::new));
    assertThat(MessageEncoder.encode(message)).isEqualTo(MessageEncoder.encode(message));
  }

  @Test
  void writesOlderVersionsAsV5() {
    Message older = new Message(MetadataVersion.V4, batch(null), 4096, Metadata.EMPTY);
    assertThat(decode(older).version()).isEqualTo(MetadataVersion.V5);
  }

  @Test
  void readsMetadataAtAnyAlignment() {
    Message message = Samples.schemaMessage(Samples.fields().toArray(Field[]::new));
    byte[] flatbuffer = MessageEncoder.encode(message);
    for (int shift = 1; shift < 8; shift++) {
      byte[] shifted = new byte[shift + flatbuffer.length];
      System.arraycopy(flatbuffer, 0, shifted, shift, flatbuffer.length);
      assertThat(
              MessageDecoder.decode(
                  MemorySegment.ofArray(shifted).asSlice(shift).asReadOnly(), Limits.DEFAULT))
          .isEqualTo(message);
    }
  }

  @Test
  void rejectsWritingTensors() {
    assertThatThrownBy(() -> MessageEncoder.encode(message(new TensorHeader(null, List.of()), 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected a schema or batch but found a tensor, which cannot be written");
  }

  private static RecordBatchHeader batch(@Nullable CompressionType codec) {
    return new RecordBatchHeader(
        1000,
        IntStream.range(0, 50).mapToObj(i -> new FieldNode(1000 + i, i - 1)).toList(),
        IntStream.range(0, 99).mapToObj(i -> new Buffer(64L * i, i)).toList(),
        codec == null ? null : new BodyCompression(codec),
        List.of(0L, 17L, 1L));
  }

  private static Message message(MessageHeader header, long bodyLength) {
    return new Message(MetadataVersion.V5, header, bodyLength, SEVERAL);
  }

  private static void assertReadBack(Message message) {
    assertThat(decode(message)).isEqualTo(message);
  }

  private static Message decode(Message message) {
    return MessageDecoder.decode(
        MemorySegment.ofArray(MessageEncoder.encode(message)), Limits.DEFAULT);
  }

  private static Footer decodeFooter(Footer footer) {
    return FooterDecoder.decode(
        MemorySegment.ofArray(FooterEncoder.encode(footer)), Limits.DEFAULT);
  }
}

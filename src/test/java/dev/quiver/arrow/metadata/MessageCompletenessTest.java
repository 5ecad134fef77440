package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.Flat.field;
import static dev.quiver.arrow.metadata.Flat.int32;
import static dev.quiver.arrow.metadata.Flat.message;
import static dev.quiver.arrow.metadata.Flat.schemaMessage;
import static dev.quiver.arrow.metadata.FlatBytes.table;
import static dev.quiver.arrow.metadata.FlatBytes.tables;
import static dev.quiver.arrow.metadata.FlatBytes.text;
import static dev.quiver.arrow.metadata.VtableSlots.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.FlatBytes.Table;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests that every absent field that strict readers require is detected, and that our own messages
/// are complete. `AbsentFieldsTest` covers the meaning of absent fields.
class MessageCompletenessTest {

  @Test
  void detectsAbsentFieldsThatReadersRequire() {
    assertThat(isComplete(schemaMessage(int32("a")))).isTrue();
    Table type = table().put(FIELD_TYPE_TYPE, TypeCode.UTF8.ordinal()).put(FIELD_TYPE, table());
    assertThat(isComplete(schemaMessage(type.put(FIELD_NAME, text("a"))))).isFalse();
    Table children = field("a", TypeCode.STRUCT, table(), type);
    assertThat(isComplete(schemaMessage(children))).isFalse();
    assertThat(isComplete(message(HeaderCode.SCHEMA, table()))).isFalse();
    assertThat(isComplete(message(HeaderCode.RECORD_BATCH, table()))).isFalse();
    assertThat(
            isComplete(
                message(HeaderCode.DICTIONARY_BATCH, table().put(DICTIONARY_BATCH_DATA, table()))))
        .isFalse();
  }

  @Test
  void detectsAnAbsentDictionaryIndexType() {
    assertThat(isComplete(schemaMessage(Flat.dictionary(int32("a"), 1)))).isTrue();
    assertThat(isComplete(schemaMessage(int32("a").put(FIELD_DICTIONARY, table())))).isFalse();
  }

  @Test
  void detectsAbsentKeysAndValues() {
    Table key = table().put(KEY_VALUE_KEY, text("k"));
    Table value = table().put(KEY_VALUE_VALUE, text("v"));
    Table both = table().put(KEY_VALUE_KEY, text("k")).put(KEY_VALUE_VALUE, text("v"));
    assertThat(isComplete(withMetadata(both))).isTrue();
    assertThat(isComplete(withMetadata(key))).isFalse();
    assertThat(isComplete(withMetadata(value))).isFalse();
  }

  @Test
  void encodedMessagesAreComplete() {
    RecordBatchHeader empty = new RecordBatchHeader(0, List.of(), List.of(), null, List.of());
    for (MessageHeader header :
        List.of(
            new SchemaHeader(Schema.of()),
            Samples.schemaMessage(Samples.fields().toArray(Field[]::new)).header(),
            empty,
            new DictionaryBatchHeader(1, empty, false))) {
      byte[] encoded =
          MessageEncoder.encode(new Message(MetadataVersion.V5, header, 0, Metadata.EMPTY));
      assertThat(MessageCompleteness.isComplete(MemorySegment.ofArray(encoded))).isTrue();
      assertThat(MessageCompleteness.isStrict(MemorySegment.ofArray(encoded))).isTrue();
    }
  }

  /// The name of field "a" is the only string, so the byte after it is the terminating zero.
  @Test
  void messageIsNotStrictIfAStringHasNoTerminatingZero() {
    byte[] encoded =
        MessageEncoder.encode(
            Samples.schemaMessage(Field.of("a", true, new ArrowType.Int(32, true))));
    assertThat(MessageCompleteness.isStrict(MemorySegment.ofArray(encoded))).isTrue();
    for (int i = 0; i < encoded.length - 5; i++) {
      if (encoded[i] == 1 && encoded[i + 1] == 0 && encoded[i + 4] == 'a' && encoded[i + 5] == 0) {
        encoded[i + 5] = 1;
      }
    }
    assertThat(MessageCompleteness.isStrict(MemorySegment.ofArray(encoded))).isFalse();
  }

  /// Tests a buffer whose root table, with everything it refers to, is shifted by `shift` bytes.
  @ParameterizedTest
  @CsvSource({"8, true", "4, false", "2, false", "1, false"})
  void messageIsStrictOnlyIfEverythingIsAligned(int shift, boolean strict) {
    RecordBatchHeader header =
        new RecordBatchHeader(
            1, List.of(new FieldNode(1, 0)), List.of(new Buffer(0, 4)), null, List.of(3L));
    byte[] encoded =
        MessageEncoder.encode(new Message(MetadataVersion.V5, header, 8, Metadata.EMPTY));
    byte[] moved = new byte[encoded.length + shift];
    System.arraycopy(encoded, 4, moved, 4 + shift, encoded.length - 4);
    moved[0] = (byte) (encoded[0] + shift);
    MemorySegment flatbuffer = MemorySegment.ofArray(moved);
    assertThat(MessageDecoder.decode(flatbuffer, Limits.DEFAULT).header()).isEqualTo(header);
    assertThat(MessageCompleteness.isStrict(flatbuffer)).isEqualTo(strict);
  }

  private static Table withMetadata(Table keyValue) {
    return schemaMessage(int32("a").put(FIELD_CUSTOM_METADATA, tables(keyValue)));
  }

  private static boolean isComplete(Table message) {
    return MessageCompleteness.isComplete(FlatBytes.build(message));
  }
}

package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.FlatBytes.table;
import static dev.quiver.arrow.metadata.FlatBytes.tables;
import static dev.quiver.arrow.metadata.FlatBytes.text;
import static dev.quiver.arrow.metadata.VtableSlots.*;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.FlatBytes.Table;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// Valid metadata as [FlatBytes], for tests to damage.
final class Flat {

  private static final int V5 = 4;

  private Flat() {}

  static Table message(HeaderCode code, Table header) {
    return table()
        .put(MESSAGE_VERSION, V5)
        .put(MESSAGE_HEADER_TYPE, code.ordinal())
        .put(MESSAGE_HEADER, header);
  }

  static Table schemaMessage(Table... fields) {
    return message(HeaderCode.SCHEMA, schema(fields));
  }

  static Table schema(Table... fields) {
    return table().put(SCHEMA_FIELDS, tables(fields));
  }

  static Table field(String name, TypeCode code, Table type, Table... children) {
    return table()
        .put(FIELD_NAME, text(name))
        .put(FIELD_TYPE_TYPE, code.ordinal())
        .put(FIELD_TYPE, type)
        .put(FIELD_CHILDREN, tables(children));
  }

  static Table int32(String name) {
    return field(name, TypeCode.INT, intType(32));
  }

  static Table intType(int bitWidth) {
    return table().put(INT_BIT_WIDTH, bitWidth).put(INT_IS_SIGNED, 1);
  }

  static Table dictionary(Table field, long id) {
    return field.put(
        FIELD_DICTIONARY,
        table().put(DICTIONARY_ENCODING_ID, id).put(DICTIONARY_ENCODING_INDEX_TYPE, intType(8)));
  }

  static Message decode(Table message) {
    return MessageDecoder.decode(FlatBytes.build(message), Limits.DEFAULT);
  }

  static Footer decodeFooter(Table footer) {
    return FooterDecoder.decode(FlatBytes.build(footer), Limits.DEFAULT);
  }

  static void assertRejected(Table message, Class<? extends InputException> type, String error) {
    assertRejected(() -> decode(message), type, error);
  }

  static void assertRejected(
      ThrowingCallable decoding, Class<? extends InputException> type, String error) {
    assertThatThrownBy(decoding).isExactlyInstanceOf(type).hasMessage(error);
  }
}

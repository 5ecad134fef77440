package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.Flat.field;
import static dev.quiver.arrow.metadata.Flat.int32;
import static dev.quiver.arrow.metadata.Flat.message;
import static dev.quiver.arrow.metadata.Flat.schemaMessage;
import static dev.quiver.arrow.metadata.FlatBytes.bytes;
import static dev.quiver.arrow.metadata.FlatBytes.int32s;
import static dev.quiver.arrow.metadata.FlatBytes.table;
import static dev.quiver.arrow.metadata.FlatBytes.tables;
import static dev.quiver.arrow.metadata.FlatBytes.text;
import static dev.quiver.arrow.metadata.VtableSlots.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.metadata.FlatBytes.Table;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests the meaning of absent optional fields. Writers omit every field that has its default, so
/// an empty table is an ordinary value.
class AbsentFieldsTest {

  @Test
  void absentTypeParametersHaveDefaults() {
    assertType(TypeCode.FLOATING_POINT, table(), new ArrowType.FloatingPoint(Precision.HALF));
    assertType(TypeCode.DATE, table(), new ArrowType.Date(DateUnit.MILLISECOND));
    assertType(TypeCode.TIME, table(), new ArrowType.Time(TimeUnit.MILLISECOND, 32));
    assertType(TypeCode.TIMESTAMP, table(), new ArrowType.Timestamp(TimeUnit.SECOND, null));
    assertType(TypeCode.DURATION, table(), new ArrowType.Duration(TimeUnit.MILLISECOND));
    assertType(TypeCode.INTERVAL, table(), new ArrowType.Interval(IntervalUnit.YEAR_MONTH));
    assertType(TypeCode.FIXED_SIZE_BINARY, table(), new ArrowType.FixedSizeBinary(0));
    assertType(
        TypeCode.DECIMAL, table().put(DECIMAL_PRECISION, 5), new ArrowType.Decimal(5, 0, 128));
    assertType(TypeCode.INT, table().put(INT_BIT_WIDTH, 16), new ArrowType.Int(16, false));
    assertType(TypeCode.FIXED_SIZE_LIST, table(), new ArrowType.FixedSizeList(0), int32("item"));
    assertType(
        TypeCode.MAP,
        table(),
        new ArrowType.Map(false),
        field("entries", TypeCode.STRUCT, table(), int32("key"), int32("value")));
  }

  @Test
  void unionWithoutIdsNumbersItsChildrenFromZero() {
    assertType(
        TypeCode.UNION,
        table(),
        new ArrowType.Union(UnionMode.SPARSE, List.of(0, 1)),
        int32("a"),
        int32("b"));
    assertType(TypeCode.UNION, table(), new ArrowType.Union(UnionMode.SPARSE, List.of()));
    assertType(
        TypeCode.UNION,
        table().put(UNION_TYPE_IDS, int32s()),
        new ArrowType.Union(UnionMode.SPARSE, List.of()));
  }

  @Test
  void emptyTimezoneMeansAbsent() {
    assertType(
        TypeCode.TIMESTAMP,
        table().put(TIMESTAMP_TIMEZONE, text("")),
        new ArrowType.Timestamp(TimeUnit.SECOND, null));
  }

  @Test
  void fieldRequiresOnlyItsType() {
    Table field = table().put(FIELD_TYPE_TYPE, TypeCode.UTF8.ordinal()).put(FIELD_TYPE, table());
    assertThat(read(field)).isEqualTo(Field.of("", false, new ArrowType.Utf8()));
  }

  @Test
  void dictionaryIndicesDefaultToInt32() {
    assertThat(read(int32("a").put(FIELD_DICTIONARY, table())).dictionary())
        .isEqualTo(new DictionaryEncoding(0, new ArrowType.Int(32, true), false));
  }

  @Test
  void metadataValueDefaultsToEmpty() {
    Table entry = table().put(KEY_VALUE_KEY, text("k"));
    assertThat(read(int32("a").put(FIELD_CUSTOM_METADATA, tables(entry))).metadata())
        .isEqualTo(Metadata.of(KeyValue.of("k", "")));
  }

  @Test
  void metadataValueMayBeAnyBytes() {
    Table entry = table().put(KEY_VALUE_KEY, text("k")).put(KEY_VALUE_VALUE, bytes(0xFF, 0));
    assertThat(read(int32("a").put(FIELD_CUSTOM_METADATA, tables(entry))).metadata().get("k"))
        .isEqualTo(ByteString.of(new byte[] {(byte) 0xFF, 0}));
  }

  @Test
  void schemaMayBeEmpty() {
    assertThat(Flat.decode(message(HeaderCode.SCHEMA, table())).header())
        .isEqualTo(new SchemaHeader(Schema.of()));
  }

  @Test
  void batchesMayBeEmpty() {
    RecordBatchHeader empty = new RecordBatchHeader(0, List.of(), List.of(), null, List.of());
    assertThat(Flat.decode(message(HeaderCode.RECORD_BATCH, table())).header()).isEqualTo(empty);
    assertThat(
            Flat.decode(
                    message(
                        HeaderCode.DICTIONARY_BATCH, table().put(DICTIONARY_BATCH_DATA, table())))
                .header())
        .isEqualTo(new DictionaryBatchHeader(0, empty, false));
  }

  @Test
  void compressionDefaultsToLz4() {
    Message message =
        Flat.decode(
            message(HeaderCode.RECORD_BATCH, table().put(RECORD_BATCH_COMPRESSION, table())));
    assertThat(message.header())
        .isEqualTo(
            new RecordBatchHeader(
                0,
                List.of(),
                List.of(),
                new BodyCompression(CompressionType.LZ4_FRAME),
                List.of()));
  }

  /// Golden files of release 0.14 have footers without a version.
  @Test
  void footerRequiresOnlyItsSchema() {
    assertThat(Flat.decodeFooter(table().put(FOOTER_SCHEMA, table())))
        .isEqualTo(
            new Footer(MetadataVersion.V4, Schema.of(), List.of(), List.of(), Metadata.EMPTY));
  }

  private static void assertType(TypeCode code, Table type, ArrowType expected, Table... children) {
    assertThat(read(field("a", code, type, children)).type()).isEqualTo(expected);
  }

  private static Field read(Table field) {
    return switch (Flat.decode(schemaMessage(field)).header()) {
      case SchemaHeader(Schema schema) -> schema.fields().getFirst();
      case MessageHeader other -> throw new AssertionError(other);
    };
  }
}

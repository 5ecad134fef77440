package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.Flat.assertRejected;
import static dev.quiver.arrow.metadata.Flat.field;
import static dev.quiver.arrow.metadata.Flat.int32;
import static dev.quiver.arrow.metadata.Flat.message;
import static dev.quiver.arrow.metadata.Flat.schema;
import static dev.quiver.arrow.metadata.Flat.schemaMessage;
import static dev.quiver.arrow.metadata.FlatBytes.table;
import static dev.quiver.arrow.metadata.FlatBytes.tables;
import static dev.quiver.arrow.metadata.FlatBytes.text;
import static dev.quiver.arrow.metadata.VtableSlots.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.metadata.FlatBytes.Numbers;
import dev.quiver.arrow.metadata.FlatBytes.Table;
import dev.quiver.arrow.metadata.FlatBytes.Tables;
import dev.quiver.arrow.metadata.FlatBytes.Text;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests that invalid FlatBuffers buffers are rejected before any access outside of them, and small
/// buffers before they expand into large trees.
///
/// `MalformedMetadataTest` and `MalformedSchemaTest` cover invalid content of valid buffers;
/// `MutatedMetadataTest` covers random damage.
class MalformedFlatBufferTest {

  @Test
  void rejectsABufferWithoutARoot() {
    assertRejected(
        () -> MessageDecoder.decode(MemorySegment.ofArray(new byte[3]), Limits.DEFAULT),
        TruncatedInputException.class,
        "Expected a root offset of 4 bytes but found 3 bytes at Message");
    assertRejected(
        () -> FooterDecoder.decode(MemorySegment.ofArray(new byte[0]), Limits.DEFAULT),
        TruncatedInputException.class,
        "Expected a root offset of 4 bytes but found 0 bytes at Footer");
  }

  @Test
  void rejectsARootOutsideTheBuffer() {
    // The offset is unsigned. Read as signed, it would point before the start.
    for (int rootOffset : new int[] {5, -4}) {
      MemorySegment bytes = MemorySegment.ofArray(new byte[8]);
      LittleEndian.setInt32(bytes, 0, rootOffset);
      assertRejected(
          () -> MessageDecoder.decode(bytes, Limits.DEFAULT),
          MalformedInputException.class,
          "Expected a table inside the metadata of 8 bytes but found 4 bytes at byte "
              + Integer.toUnsignedString(rootOffset)
              + " at Message");
    }
  }

  @Test
  void rejectsAVtableOutsideTheBuffer() {
    assertMalformed(
        message(HeaderCode.SCHEMA, schema().vtableOffsetError(1000)),
        "Expected a vtable inside the metadata of 45 bytes but found 4 bytes at byte -975 at"
            + " Message.header");
    assertMalformed(
        message(HeaderCode.SCHEMA, schema().vtableOffsetError(-1000)),
        "Expected a vtable inside the metadata of 45 bytes but found 4 bytes at byte 1025 at"
            + " Message.header");
    assertMalformed(
        message(HeaderCode.SCHEMA, schema().vtableSizeError(1000)),
        "Expected a vtable inside the metadata of 45 bytes but found 1008 bytes at byte 25 at"
            + " Message.header");
  }

  @Test
  void rejectsAnOddVtableSize() {
    assertMalformed(
        message(HeaderCode.SCHEMA, schema().vtableSizeError(-1)),
        "Expected an even vtable size of 4 or more but found 7 at Message.header");
    assertMalformed(
        message(HeaderCode.SCHEMA, schema().vtableSizeError(-6)),
        "Expected an even vtable size of 4 or more but found 2 at Message.header");
  }

  @Test
  void rejectsATableOutsideTheBuffer() {
    assertMalformed(
        message(HeaderCode.SCHEMA, schema().tableSizeError(1000)),
        "Expected a table inside the metadata of 45 bytes but found 1008 bytes at byte 33 at"
            + " Message.header");
    assertMalformed(
        message(HeaderCode.SCHEMA, schema().tableSizeError(-5)),
        "Expected a table size of 4 or more but found 3 at Message.header");
  }

  @Test
  void rejectsAFieldOutsideItsTable() {
    assertMalformed(
        schemaMessage().tableSizeError(-1),
        "Expected a field inside its table of 10 bytes but found byte 7 at Message.header");
  }

  @Test
  void rejectsAStringOutsideTheBuffer() {
    assertMalformed(
        schemaMessage(int32("a").put(FIELD_NAME, new Text(new byte[1], 1000))),
        "Expected a string inside the metadata of 108 bytes but found 1001 bytes at byte 86 at"
            + " Field.name");
    // Lengths are unsigned.
    assertMalformed(
        schemaMessage(int32("a").put(FIELD_NAME, new Text(new byte[1], -2))),
        "Expected a string inside the metadata of 108 bytes but found 4294967295 bytes at byte 86 at"
            + " Field.name");
  }

  @Test
  void rejectsAVectorOutsideTheBuffer() {
    assertMalformed(
        message(HeaderCode.SCHEMA, table().put(SCHEMA_FIELDS, new Tables(List.of(), 1000))),
        "Expected a vector inside the metadata of 45 bytes but found 4000 bytes at byte 45 at"
            + " Schema.fields");
    assertMalformed(
        message(
            HeaderCode.RECORD_BATCH,
            table().put(RECORD_BATCH_NODES, new Numbers(0xFFFFFFFFL, new byte[16]))),
        "Expected a vector inside the metadata of 61 bytes but found 68719476720 bytes at byte 45 at"
            + " RecordBatch.nodes");
  }

  @Test
  void errorInAnElementNamesItsIndex() {
    assertMalformed(
        schemaMessage(int32("a"), int32("b").vtableSizeError(-1)),
        "Expected an even vtable size of 4 or more but found 15 at Schema.fields[1]");
  }

  @Test
  void ignoresFieldsOfLaterVersions() {
    Slot later = new Slot("Message.later", 200, Slot.Type.INT64);
    assertThat(Flat.decode(schemaMessage(int32("a")).put(later, 1)))
        .isEqualTo(Flat.decode(schemaMessage(int32("a"))));
  }

  @Test
  void acceptsSharedTables() {
    Table type = table();
    Table[] fields = new Table[7];
    Arrays.setAll(fields, i -> field("f" + i, TypeCode.UTF8, type));
    Message message = Flat.decode(schemaMessage(fields));
    assertThat(((SchemaHeader) message.header()).schema().fields()).hasSize(7);
  }

  @Test
  void rejectsSharedFieldsThatExpandExponentially() {
    Table field = int32("x");
    for (int level = 0; level < 40; level++) {
      field = field("x", TypeCode.STRUCT, table(), field, field);
    }
    Table message = schemaMessage(field);
    Limits unlimited =
        Limits.of(1L << 40, 1L << 40, 1L << 40, 1L << 40, 64, 1L << 40, 1L << 40, 1L << 40);
    MemorySegment bytes = FlatBytes.build(message);
    assertRejected(
        () -> MessageDecoder.decode(bytes, unlimited),
        MalformedInputException.class,
        "Expected tables and strings of at most "
            + (bytes.byteSize() * 3 / 2 + (16 << 10))
            + " bytes, counted once per reference but found more at field "
            + "x.".repeat(38)
            + "x, Field.children");
  }

  @Test
  void rejectsSharedTextThatExpandsTooFar() {
    Text text = text("x".repeat(1000));
    Table[] entries = new Table[100];
    Arrays.setAll(entries, i -> table().put(KEY_VALUE_KEY, text).put(KEY_VALUE_VALUE, text));
    Table message = schemaMessage().put(MESSAGE_CUSTOM_METADATA, tables(entries));
    assertRejected(
        message,
        MalformedInputException.class,
        "Expected tables and strings of at most 21575 bytes, counted once per reference"
            + " but found more at KeyValue.key");
  }

  private static void assertMalformed(Table message, String error) {
    assertRejected(message, MalformedInputException.class, error);
  }
}

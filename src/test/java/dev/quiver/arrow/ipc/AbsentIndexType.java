package dev.quiver.arrow.ipc;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// Schema messages without the index type of a dictionary, which our writer always writes. The
/// vtable entry of a 16-bit index type is found by trial and error. Without the entry, the index
/// type reads as 32-bit.
public final class AbsentIndexType {

  private AbsentIndexType() {}

  /// Returns a stream of one dictionary-encoded column without its index type.
  ///
  /// @param stream the stream as our writer writes it
  public static byte[] of(byte[] stream, Field column) throws IOException {
    Bytes schema = new Bytes();
    new MessageWriter(schema).writeSchema(Schema.of(column));
    return new Bytes()
        .bytes(schemaMessage(column))
        .bytes(Arrays.copyOfRange(stream, schema.toByteArray().length, stream.length))
        .toByteArray();
  }

  /// Returns a schema message of one dictionary-encoded column, with its prefix.
  private static byte[] schemaMessage(Field column) throws IOException {
    Bytes bytes = new Bytes();
    new MessageWriter(bytes).writeSchema(Schema.of(withIndices(column, 16)));
    byte[] message = bytes.toByteArray();
    MemorySegment metadata = MemorySegment.ofArray(message).asSlice(Framing.PREFIX_BYTE_SIZE);
    Schema expected = Schema.of(withIndices(column, 32));
    for (long i = 0; i < metadata.byteSize(); i += Short.BYTES) {
      short entry = LittleEndian.getInt16(metadata, i);
      LittleEndian.setInt16(metadata, i, (short) 0);
      if (holds(metadata, expected)) {
        return message;
      }
      LittleEndian.setInt16(metadata, i, entry);
    }
    throw new AssertionError("Expected a vtable entry of the index type but found none");
  }

  private static Field withIndices(Field column, int bitWidth) {
    DictionaryEncoding encoding = Objects.requireNonNull(column.dictionary());
    return column.withDictionary(
        new DictionaryEncoding(
            encoding.id(), new ArrowType.Int(bitWidth, true), encoding.ordered()));
  }

  private static boolean holds(MemorySegment metadata, Schema expected) {
    try {
      return MessageDecoder.decode(metadata, Limits.DEFAULT).header()
              instanceof SchemaHeader(Schema schema)
          && schema.equals(expected);
    } catch (InputException e) {
      return false;
    }
  }
}

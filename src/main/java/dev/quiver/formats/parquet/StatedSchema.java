package dev.quiver.formats.parquet;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MessageEncoder;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The Arrow schema that a Parquet file states beside its columns, as a schema message in Base64.
///
/// Files of our own state two: in [#KEY] the types that any reader can restore, and in [#EXACT_KEY]
/// the rows' types, which are preferred. A tool that writes the rows again may keep the second one,
/// though it is stale, but not the first one beside it. So the second one begins with the SHA-256
/// of the first one.
final class StatedSchema {

  /// The key under which writers of Parquet state the schema.
  static final String KEY = "ARROW:schema";

  static final String EXACT_KEY = "QUIVER:schema";

  private static final int CONTINUATION = -1;
  private static final int PREFIX_BYTE_SIZE = 8;
  private static final int ALIGNMENT = 8;

  private StatedSchema() {}

  /// Returns the schema that a file states, or null if unreadable: the columns themselves have all
  /// that is needed.
  ///
  /// @param stated the value of [#KEY]
  /// @param exact the value of [#EXACT_KEY], or null if absent
  static @Nullable Schema decode(String stated, @Nullable String exact, Limits limits) {
    return decode(
        exact != null && isExact(stated, exact)
            ? exact.substring(exactPrefix(stated).length())
            : stated,
        limits);
  }

  /// Returns whether the value of [#EXACT_KEY] belongs to the value of [#KEY], so that one writer
  /// wrote both and the columns.
  static boolean isExact(String stated, String exact) {
    return exact.startsWith(exactPrefix(stated));
  }

  private static @Nullable Schema decode(String text, Limits limits) {
    try {
      MemorySegment message = MemorySegment.ofArray(Base64.getDecoder().decode(text.strip()));
      // Writers before version 0.15 of Arrow leave out the first four bytes.
      long start = LittleEndian.getInt32(message, 0) == CONTINUATION ? Integer.BYTES : 0;
      long byteSize = LittleEndian.getInt32(message, start);
      MemorySegment metadata = message.asSlice(start + Integer.BYTES, byteSize);
      return MessageDecoder.decode(metadata, limits).header() instanceof SchemaHeader(Schema schema)
          ? schema
          : null;
    } catch (IllegalArgumentException | IndexOutOfBoundsException | InputException e) {
      return null;
    }
  }

  /// Returns the value of [#KEY].
  static String encode(Schema schema) {
    byte[] metadata = MessageEncoder.encode(Message.of(schema));
    int byteSize = (metadata.length + ALIGNMENT - 1) & -ALIGNMENT;
    byte[] message = new byte[PREFIX_BYTE_SIZE + byteSize];
    MemorySegment segment = MemorySegment.ofArray(message);
    LittleEndian.setInt32(segment, 0, CONTINUATION);
    LittleEndian.setInt32(segment, Integer.BYTES, byteSize);
    System.arraycopy(metadata, 0, message, PREFIX_BYTE_SIZE, metadata.length);
    return Base64.getEncoder().encodeToString(message);
  }

  /// Returns the value of [#EXACT_KEY].
  ///
  /// @param stated the value of [#KEY]
  static String encodeExact(Schema schema, String stated) {
    return exactPrefix(stated) + encode(schema);
  }

  private static String exactPrefix(String stated) {
    return Sha256.hex(stated) + ":";
  }
}

package dev.quiver.arrow.ipc;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TruncatedInputException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A body with the format that its first bytes indicate.
///
/// @param format never unknown
/// @param source the whole body, including the first bytes
public record SniffedBody(BodyFormat format, ByteSource source) {

  private static final int SNIFFED_BYTE_SIZE = 16;

  /// The minimum size of a schema's flatbuffer metadata.
  private static final int SMALLEST_SCHEMA_BYTE_SIZE = 16;

  /// The first bytes of other formats in hexadecimal, and their names.
  private static final Map<String, String> OTHERS =
      Map.ofEntries(
          Map.entry("46454131", "a Feather V1 file"),
          Map.entry("50415231", "a Parquet file"),
          Map.entry("1F8B", "gzip data"),
          Map.entry("28B52FFD", "Zstandard data"),
          Map.entry("04224D18", "LZ4 data"),
          Map.entry("425A68", "bzip2 data"),
          Map.entry("FD377A585A00", "xz data"),
          Map.entry("504B0304", "a ZIP archive"),
          Map.entry(
              "D0CF11E0A1B11AE1",
              "an old Excel workbook, one with a password, or another document of Office"),
          Map.entry("53514C69746520666F726D617420330", "a SQLite database"),
          Map.entry("4F5243", "an ORC file"),
          Map.entry("4F626A01", "an Avro file"));

  /// The bytes of a DuckDB database after its checksum.
  private static final byte[] DUCKDB = "DUCK".getBytes(StandardCharsets.US_ASCII);

  private static final int DUCKDB_OFFSET = 8;

  /// Reads the first bytes of a body.
  ///
  /// @param declared the declared format, used only if the bytes are ambiguous
  /// @throws UnsupportedFormatException if the body is neither a stream nor a file
  public static SniffedBody of(ByteSource source, BodyFormat declared, Limits limits)
      throws IOException {
    MemorySegment buffer = MemorySegment.ofArray(new byte[SNIFFED_BYTE_SIZE]);
    MemorySegment first = buffer.asSlice(0, source.readFully(buffer));
    if (first.byteSize() == 0) {
      throw new TruncatedInputException(
          "an Arrow IPC stream or file", "no data", InputLocation.byteOffset(0));
    }
    return new SniffedBody(format(first, declared, limits), ByteSource.joined(first, source));
  }

  private static BodyFormat format(MemorySegment first, BodyFormat declared, Limits limits) {
    if (Framing.isMagic(first, 0)) {
      return BodyFormat.FILE;
    }
    int number = first.byteSize() < Integer.BYTES ? 0 : LittleEndian.getInt32(first, 0);
    if (number == Framing.CONTINUATION) {
      return BodyFormat.STREAM;
    }
    byte[] bytes = first.toArray(ValueLayout.JAVA_BYTE);
    String binary = otherBinary(bytes);
    if (binary != null) {
      throw new UnsupportedFormatException(binary, /* text= */ null);
    }
    String text = text(bytes);
    if (text != null) {
      throw otherText(text.replaceFirst("^\uFEFF", "").stripLeading());
    }
    // Streams from before release 0.15 start with the metadata length.
    if (number >= SMALLEST_SCHEMA_BYTE_SIZE && number <= limits.metadataBytes().maximum()) {
      return BodyFormat.STREAM;
    }
    if (declared == BodyFormat.UNKNOWN) {
      throw new UnsupportedFormatException(
          "bytes " + HexFormat.ofDelimiter(" ").withUpperCase().formatHex(bytes), /* text= */ null);
    }
    return declared;
  }

  private static @Nullable String otherBinary(byte[] first) {
    if (first.length >= DUCKDB_OFFSET + DUCKDB.length
        && Arrays.equals(
            first, DUCKDB_OFFSET, DUCKDB_OFFSET + DUCKDB.length, DUCKDB, 0, DUCKDB.length)) {
      return "a DuckDB database";
    }
    String hexadecimal = HexFormat.of().withUpperCase().formatHex(first);
    for (Map.Entry<String, String> other : OTHERS.entrySet()) {
      if (hexadecimal.startsWith(other.getKey())) {
        return other.getValue();
      }
    }
    return null;
  }

  /// Returns what a file is that cannot be text of columns or JSON, by its first bytes; null if it
  /// can be.
  public static @Nullable String notText(byte[] first) {
    String text = text(first);
    if (text == null) {
      // Letters by which other formats begin may also begin the name of a column.
      return Framing.isMagic(MemorySegment.ofArray(first), 0)
          ? "an Arrow IPC file"
          : otherBinary(first);
    }
    String lowerCase = text.stripLeading().toLowerCase(Locale.ROOT);
    if (lowerCase.startsWith("<!doctype html") || lowerCase.startsWith("<html")) {
      return "HTML";
    }
    return text.equals("version https://") ? "a Git LFS pointer" : null;
  }

  /// Returns the bytes as text, or null if they are not text. The metadata length of old streams
  /// contains control characters.
  private static @Nullable String text(byte[] first) {
    CharBuffer characters = CharBuffer.allocate(first.length);
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    // The last character may be incomplete.
    if (decoder.decode(ByteBuffer.wrap(first), characters, /* endOfInput= */ false).isError()) {
      return null;
    }
    String text = characters.flip().toString();
    return text.codePoints().allMatch(SniffedBody::isText) ? text : null;
  }

  private static boolean isText(int character) {
    return !Character.isISOControl(character) || Character.isWhitespace(character);
  }

  private static UnsupportedFormatException otherText(String text) {
    if (text.startsWith("<")) {
      return new UnsupportedFormatException("HTML or XML", UnsupportedFormatException.Text.MARKUP);
    }
    if (text.startsWith("{") || text.startsWith("[")) {
      return new UnsupportedFormatException("JSON", UnsupportedFormatException.Text.JSON);
    }
    if (text.equals("version https://")) {
      return new UnsupportedFormatException("a Git LFS pointer", /* text= */ null);
    }
    String line = text.lines().findFirst().orElse("");
    return new UnsupportedFormatException(
        "the text \"%s%s\"".formatted(line, line.length() < text.length() ? "" : "…"),
        UnsupportedFormatException.Text.OTHER);
  }
}

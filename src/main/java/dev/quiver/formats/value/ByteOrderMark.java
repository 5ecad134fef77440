package dev.quiver.formats.value;

import java.nio.charset.Charset;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The mark at the start of a file that tells its encoding: U+FEFF in UTF-8, UTF-16 or UTF-32.
///
/// @param byteSize of the mark
public record ByteOrderMark(Charset charset, int byteSize) {

  /// The bytes of a file after which all marks are known.
  public static final int BYTE_SIZE_MAXIMUM = 4;

  /// The marks, the longer before those that they begin with.
  private static final List<Bytes> MARKS =
      List.of(
          new Bytes("0000FEFF", "UTF-32BE"),
          new Bytes("FFFE0000", "UTF-32LE"),
          new Bytes("EFBBBF", "UTF-8"),
          new Bytes("FEFF", "UTF-16BE"),
          new Bytes("FFFE", "UTF-16LE"));

  private record Bytes(byte[] bytes, Charset charset) {

    Bytes(String hex, String charset) {
      this(HexFormat.of().parseHex(hex), Charset.forName(charset));
    }

    boolean begins(byte[] start) {
      boolean begins = start.length >= bytes.length;
      for (int i = 0; begins && i < bytes.length; i++) {
        begins = start[i] == bytes[i];
      }
      return begins;
    }
  }

  /// Returns the mark of a file, or null if it has none.
  ///
  /// @param start the first bytes
  public static @Nullable ByteOrderMark of(byte[] start) {
    for (Bytes mark : MARKS) {
      if (mark.begins(start)) {
        return new ByteOrderMark(mark.charset, mark.bytes.length);
      }
    }
    return null;
  }
}

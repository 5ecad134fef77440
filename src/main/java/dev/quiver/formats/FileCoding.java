package dev.quiver.formats;

import dev.quiver.arrow.memory.ByteSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A coding around a file, which its first bytes tell. In the name of a file, its suffix follows
/// that of the format.
public enum FileCoding {
  GZIP(".gz", "1F8B"),
  ZSTANDARD(".zst", "28B52FFD"),
  /// An archive with one file.
  ZIP(".zip", "504B0304");

  /// The bytes that tell what a file is unless it is an archive, of which the first name tells
  /// more.
  private static final int START_BYTE_SIZE = 16;

  /// The bytes that tell what an archive is. None with a file has fewer than 100 bytes.
  private static final int ARCHIVE_START_BYTE_SIZE = 96;

  /// The offset of the first name in an archive (APPNOTE.TXT, 4.3.7).
  private static final int NAME_OFFSET = 30;

  /// The starts of the first names in workbooks and other documents of office programs, which are
  /// archives, in lower case.
  private static final List<String> DOCUMENT_NAMES =
      List.of(
          "[content_types].xml",
          "_rels/",
          "docprops/",
          "customxml/",
          "xl/",
          "word/",
          "ppt/",
          "mimetype");

  /// The ends of the names of other parts of such documents.
  private static final List<String> PART_SUFFIXES = List.of(".xml", ".rels");

  /// The offset of the length of the first name in an archive.
  private static final int NAME_LENGTH_OFFSET = 26;

  private final String suffix;
  private final byte[] magic;

  FileCoding(String suffix, String magic) {
    this.suffix = suffix;
    this.magic = HexFormat.of().parseHex(magic);
  }

  /// Reads the first bytes of a file, which tell its coding, and as many as tell other formats. No
  /// more is waited for.
  public static MemorySegment readStart(ByteSource file) throws IOException {
    MemorySegment buffer = MemorySegment.ofArray(new byte[ARCHIVE_START_BYTE_SIZE]);
    long byteSize = file.readFully(buffer.asSlice(0, START_BYTE_SIZE));
    byte[] start = buffer.asSlice(0, byteSize).toArray(ValueLayout.JAVA_BYTE);
    if (ofMagic(start) == ZIP && byteSize == START_BYTE_SIZE) {
      byteSize += file.readFully(buffer.asSlice(START_BYTE_SIZE));
    }
    return buffer.asSlice(0, byteSize);
  }

  /// Returns the coding of a file, or null if it has none.
  ///
  /// @param start the first bytes
  public static @Nullable FileCoding ofStart(byte[] start) {
    return isDocument(start) ? null : ofMagic(start);
  }

  /// Returns whether a file is an archive that is a document of an office program itself.
  ///
  /// @param start the first bytes
  public static boolean isDocument(byte[] start) {
    if (ofMagic(start) != ZIP || start.length <= NAME_OFFSET) {
      return false;
    }
    int length = start[NAME_LENGTH_OFFSET] & 0xFF | (start[NAME_LENGTH_OFFSET + 1] & 0xFF) << 8;
    int count = Math.min(length, start.length - NAME_OFFSET);
    String name =
        new String(start, NAME_OFFSET, count, StandardCharsets.ISO_8859_1)
            .toLowerCase(Locale.ROOT)
            .replace('\\', '/');
    return DOCUMENT_NAMES.stream().anyMatch(name::startsWith)
        || PART_SUFFIXES.stream().anyMatch(name::endsWith);
  }

  private static @Nullable FileCoding ofMagic(byte[] start) {
    for (FileCoding coding : values()) {
      boolean begins = start.length >= coding.magic.length;
      for (int i = 0; begins && i < coding.magic.length; i++) {
        begins = start[i] == coding.magic[i];
      }
      if (begins) {
        return coding;
      }
    }
    return null;
  }

  /// Returns the name of a file without the suffix of a coding, in any case.
  public static String withoutSuffix(String name) {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    for (FileCoding coding : values()) {
      if (lowerCase.endsWith(coding.suffix)) {
        return name.substring(0, name.length() - coding.suffix.length());
      }
    }
    return name;
  }
}

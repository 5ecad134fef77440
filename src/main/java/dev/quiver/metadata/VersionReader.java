package dev.quiver.metadata;

/// Reads enum `MetadataVersion` of Schema.fbs, of which only the newer half is in use.
final class VersionReader {

  /// The code of V4.
  private static final int OLDEST = 3;

  private VersionReader() {}

  /// An absent version is V1, which is refused, as are V2, V3 and what is to come.
  static MetadataVersion read(FlatTable table, Slot slot) {
    return read(table, slot, table.number(slot));
  }

  /// As `read`, but an absent version is V4: writers of that time left it out of footers, and each
  /// message of a file has its own.
  static MetadataVersion readLenient(FlatTable table, Slot slot) {
    long code = table.number(slot);
    return code == 0 ? MetadataVersion.V4 : read(table, slot, code);
  }

  private static MetadataVersion read(FlatTable table, Slot slot, long code) {
    if (code < OLDEST || code >= OLDEST + MetadataVersion.values().length) {
      throw table.unsupported(
          slot, "metadata version V4 or V5", code < 0 ? "code " + code : "V" + (code + 1));
    }
    return MetadataVersion.values()[(int) code - OLDEST];
  }

  static int code(MetadataVersion version) {
    return OLDEST + version.ordinal();
  }
}

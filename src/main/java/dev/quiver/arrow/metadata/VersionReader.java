package dev.quiver.arrow.metadata;

/// A reader of enum `MetadataVersion` of Schema.fbs, of which only V4 and V5 are supported.
final class VersionReader {

  /// The code of V4.
  private static final int OLDEST = 3;

  private VersionReader() {}

  /// Returns the version. An absent one is V1, which is rejected like any other unsupported
  /// version.
  static MetadataVersion read(FlatTable table, Slot slot) {
    return read(table, slot, table.number(slot));
  }

  /// Returns the same as `read`, but V4 for an absent version. Writers of that time omitted it from
  /// footers, and each message of a file has its own.
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

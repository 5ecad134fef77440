package dev.quiver.sql.worker;

/// A range of a stored file whose bytes are corrupt.
///
/// @param table the name of the table that has the file
/// @param blob the key of the blob that the file has the bytes of
/// @param byteOffset where the range starts in the blob
public record DamagedRange(String table, String blob, long byteOffset) {

  /// Returns the range that a message of a [FailureKind#DAMAGED] names.
  ///
  /// @throws IllegalArgumentException if it names none
  public static DamagedRange parse(String message) {
    String[] parts = message.split("\n", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("Expected a range but found " + message);
    }
    return new DamagedRange(parts[0], parts[1], Long.parseLong(parts[2]));
  }

  /// Returns the message of a failure.
  public String message() {
    return table + "\n" + blob + "\n" + byteOffset;
  }
}

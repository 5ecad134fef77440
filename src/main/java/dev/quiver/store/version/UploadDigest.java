package dev.quiver.store.version;

/// The verified SHA-256 sent with an upload, of the representation that is the upload byte for
/// byte.
///
/// @param crc32c the CRC-32C of the same bytes
/// @param sha256 64 hexadecimal digits
public record UploadDigest(Form form, int crc32c, String sha256) {

  /// The representation. Its ordinal is stored.
  public enum Form {
    /// The IPC file.
    FILE,
    /// The IPC stream.
    STREAM
  }
}

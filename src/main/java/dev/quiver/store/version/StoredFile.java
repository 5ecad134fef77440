package dev.quiver.store.version;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.validate.Level;

/// The properties of a version's IPC file that are known without opening its data.
///
/// @param byteSize the size of the whole file
/// @param codec the codec of the first compressed record batch, or [Codec#NONE] if all are
///   uncompressed
/// @param mixedCodecs whether the body of some dictionary or batch is in another codec than `codec`
/// @param level the level up to which the data was validated
/// @param schemaMetaDataLength the number of bytes of the schema message, which starts at byte 8
/// @param footerOffset where the footer's flatbuffer starts, which is the end of the stream that
///   starts at byte 8
/// @param footerLength the number of bytes of the footer's flatbuffer
public record StoredFile(
    long rows,
    long batches,
    long byteSize,
    Codec codec,
    boolean mixedCodecs,
    Level level,
    int schemaMetaDataLength,
    long footerOffset,
    int footerLength) {

  /// The file of a version that deletes a dataset.
  public static final StoredFile NONE =
      new StoredFile(0, 0, 0, Codec.NONE, false, Level.DOMAIN, 0, 0, 0);

  /// Returns whether all bodies are in `other`.
  public boolean isAllIn(Codec other) {
    return !mixedCodecs && codec == other;
  }
}

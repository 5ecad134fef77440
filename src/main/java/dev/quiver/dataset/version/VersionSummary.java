package dev.quiver.dataset.version;

import dev.quiver.codec.Codec;
import dev.quiver.validate.Level;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// What is known of a version without opening its data.
///
/// @param version counted from 1 per name; never used twice
/// @param commitId random; what an entity tag is made of
/// @param firstVersion the version that created the dataset; those before were deleted
/// @param committedAt to the millisecond
/// @param byteSize of the IPC file
/// @param codec of the first compressed record batch, or [Codec#NONE] if all are uncompressed
/// @param mixedCodecs whether some body, of a dictionary or a batch, is in another codec than
///   `codec`
/// @param level how far the data was found to be what the format says
/// @param schemaMetaDataLength bytes of the schema message, which starts at byte 8
/// @param footerOffset where the footer's flatbuffer starts: the end of the stream that starts at 8
/// @param footerLength bytes of the footer's flatbuffer
/// @param source the file that was imported last, by this version or one before, whatever was
///   written in between; null when none was
public record VersionSummary(
    DatasetName name,
    long version,
    String commitId,
    VersionKind kind,
    long firstVersion,
    Instant committedAt,
    long rows,
    long batches,
    long byteSize,
    Codec codec,
    boolean mixedCodecs,
    Level level,
    int schemaMetaDataLength,
    long footerOffset,
    int footerLength,
    @Nullable ImportSource source) {

  /// Returns whether all bodies are in `other`.
  public boolean isAllIn(Codec other) {
    return !mixedCodecs && codec == other;
  }

  /// A version that is to be committed.
  public static VersionSummary of(
      DatasetName name,
      long version,
      String commitId,
      VersionKind kind,
      long firstVersion,
      Instant committedAt,
      StoredFile file,
      @Nullable ImportSource source) {
    return new VersionSummary(
        name,
        version,
        commitId,
        kind,
        firstVersion,
        committedAt.truncatedTo(ChronoUnit.MILLIS),
        file.rows(),
        file.batches(),
        file.byteSize(),
        file.codec(),
        file.mixedCodecs(),
        file.level(),
        file.schemaMetaDataLength(),
        file.footerOffset(),
        file.footerLength(),
        source);
  }
}

package dev.quiver.dataset.version;

import dev.quiver.codec.Codec;
import dev.quiver.validate.Level;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// The properties of a version that are known without opening its data.
///
/// @param version counted from 1 per name; never reused
/// @param commitId random; the basis of entity tags
/// @param firstVersion the version that created the dataset; earlier ones belong to a deleted
///   dataset
/// @param committedAt to the millisecond
/// @param byteSize of the IPC file
/// @param codec of the first compressed record batch, or [Codec#NONE] if all are uncompressed
/// @param mixedCodecs whether the body of some dictionary or batch is in another codec than `codec`
/// @param level up to which the data was validated
/// @param schemaMetaDataLength bytes of the schema message, which starts at byte 8
/// @param footerOffset where the footer's flatbuffer starts: the end of the stream that starts at 8
/// @param footerLength bytes of the footer's flatbuffer
/// @param source the file imported last, by this version or an earlier one, whatever was written in
///   between; null if none was imported
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

  /// Returns the summary of a version about to be committed.
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

package dev.quiver.store.log;

import org.jspecify.annotations.Nullable;

/// The progress of a job.
///
/// @param fraction of its input that is read, from 0 to 1, or null if unknown
/// @param rowsRead the rows read so far, or null if unknown
/// @param rowsTotal the rows to read, or null if unknown
public record JobProgress(
    @Nullable Double fraction, @Nullable Long rowsRead, @Nullable Long rowsTotal) {

  public static final JobProgress UNKNOWN = new JobProgress(null, null, null);
}

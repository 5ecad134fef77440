package dev.quiver.server.write;

import dev.quiver.server.resource.Paths;
import dev.quiver.store.log.Job;
import dev.quiver.store.log.JobProgress;
import dev.quiver.store.version.DatasetReference;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A job as a JSON document.
///
/// @param dataset the name of the dataset to write, or null while it is not known
/// @param created when the upload was received
/// @param ended null before the end
/// @param progress the part of the input that is read, from 0 to 1, or null if unknown
/// @param requestId the id of the request that brought the upload, or null if unknown
/// @param problem the problem with which the job failed, otherwise null
/// @param result the document of the stored version, otherwise null
record JobDocument(
    String id,
    String state,
    @Nullable String dataset,
    String created,
    @Nullable String ended,
    @Nullable Double progress,
    @Nullable Long rowsRead,
    @Nullable Long rowsTotal,
    @Nullable String requestId,
    @Nullable Map<String, Object> problem,
    @Nullable Map<String, Object> result,
    Links links) {

  /// @param version the stored version, or null
  record Links(String self, @Nullable String version) {}

  /// A job in a list, without its problem and its result, of which a list has too many.
  record Listed(
      String id,
      String state,
      @Nullable String dataset,
      String created,
      @Nullable String ended,
      @Nullable Double progress,
      @Nullable Long rowsRead,
      @Nullable Long rowsTotal,
      @Nullable String requestId,
      Links links) {

    static Listed of(Job job) {
      JobDocument whole = JobDocument.of(job);
      return new Listed(
          whole.id,
          whole.state,
          whole.dataset,
          whole.created,
          whole.ended,
          whole.progress,
          whole.rowsRead,
          whole.rowsTotal,
          whole.requestId,
          whole.links);
    }
  }

  /// A page of jobs.
  ///
  /// @param next the next page, or null on the last one
  record JobList(List<Listed> jobs, @Nullable String next) {}

  static JobDocument of(Job job) {
    JobProgress progress = job.progress();
    Instant ended = job.endedAt();
    DatasetReference version = version(job);
    return new JobDocument(
        job.id(),
        job.state().word(),
        version == null ? job.dataset() : version.name().value(),
        job.createdAt().toString(),
        ended == null ? null : ended.toString(),
        progress.fraction(),
        progress.rowsRead(),
        progress.rowsTotal(),
        job.requestId(),
        job.problem(),
        job.result() == null ? null : job.result().document(),
        new Links(path(job.id()), version == null ? null : path(version)));
  }

  private static @Nullable DatasetReference version(Job job) {
    return job.result() == null ? null : job.result().version();
  }

  static String path(String id) {
    return Paths.JOBS + "/" + id;
  }

  static String path(DatasetReference version) {
    return Paths.DATASETS + "/" + version;
  }
}

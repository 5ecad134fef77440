package dev.quiver.server.write;

import dev.quiver.server.http.PublicPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.store.log.Job;
import dev.quiver.store.log.JobProgress;
import dev.quiver.store.version.DatasetReference;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonSerialize;

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
  record Links(
      @JsonSerialize(using = PublicPath.Serializer.class) String self,
      @JsonSerialize(using = PublicPath.Serializer.class) @Nullable String version) {}

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
  record JobList(
      List<Listed> jobs,
      @JsonSerialize(using = PublicPath.Serializer.class) @Nullable String next) {}

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
        result(job),
        new Links(path(job.id()), version == null ? null : path(version)));
  }

  /// Returns the stored document, whose links get the prefix of this response.
  private static @Nullable Map<String, Object> result(Job job) {
    if (job.result() == null) {
      return null;
    }
    Map<String, Object> document = new LinkedHashMap<>(job.result().document());
    if (document.get("links") instanceof Map<?, ?> links) {
      Map<Object, String> paths = new LinkedHashMap<>();
      links.forEach((name, path) -> paths.put(name, PublicPath.prefix() + path));
      document.put("links", paths);
    }
    return document;
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

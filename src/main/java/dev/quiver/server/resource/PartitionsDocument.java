package dev.quiver.server.resource;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.quiver.formats.Format;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A version as several streams or files. The members have the names of the Arrow project's
/// examples of indirect access.
public record PartitionsDocument(
    @JsonProperty("arrow_stream_files") @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable List<Partition> streams,
    @JsonProperty("arrow_files") @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable List<Partition> files) {

  public static PartitionsDocument of(Format format, List<Partition> partitions) {
    return format == Format.FILE
        ? new PartitionsDocument(null, partitions)
        : new PartitionsDocument(partitions, null);
  }

  /// A part of a version as a separate stream or file.
  ///
  /// @param uri the absolute URI, of a pinned version
  /// @param filename the path relative to the service, which one of the examples appends to its
  ///   base URL
  /// @param batches the number of stored batches, if they are served as they are stored
  /// @param bytes the size of those
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Partition(
      String uri, String filename, long rows, @Nullable Long batches, @Nullable Long bytes) {

    public static Partition of(
        String baseUrl, String path, long rows, @Nullable Long batches, @Nullable Long bytes) {
      return new Partition(baseUrl + path, path.substring(1), rows, batches, bytes);
    }

    public static Partition of(String baseUrl, String path, long rows) {
      return of(baseUrl, path, rows, null, null);
    }
  }
}

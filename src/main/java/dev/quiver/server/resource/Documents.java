package dev.quiver.server.resource;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.Advice;
import dev.quiver.formats.FileOption;
import dev.quiver.formats.FileReport;
import dev.quiver.formats.Format;
import dev.quiver.formats.SkippedRows;
import dev.quiver.server.http.EntityTag;
import dev.quiver.server.http.PublicPath;
import dev.quiver.store.file.BatchEntry;
import dev.quiver.store.version.ByteRange;
import dev.quiver.store.version.ColumnConversion;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.Lineage;
import dev.quiver.store.version.VersionChange;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonSerialize;

/// The JSON documents. Their members have the names of the record components.
public final class Documents {

  /// The resources of a version, by the last segments of their paths.
  private static final List<String> RESOURCES =
      List.of("summary", "schema", "batches", "layout", "partitions", "statistics", "blobs");

  private Documents() {}

  /// The list of datasets.
  ///
  /// @param total the number of datasets on all pages, absent unless requested
  /// @param next the next page, absent on the last one
  public record DatasetList(
      List<Version> datasets,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long total,
      @JsonSerialize(using = PublicPath.Serializer.class) @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String next) {}

  /// A link to a dataset.
  ///
  /// @param url absolute, unless the service does not know its own address
  /// @param expires when it ends
  public record Link(String url, Instant expires) {}

  /// The outcome of a verification.
  ///
  /// @param blobs the number of blobs
  /// @param bytes their bytes, as far as they have checksums
  public record Verification(long blobs, long bytes, List<Damage> damaged) {}

  /// Damaged bytes of a blob.
  ///
  /// @param byteOffset where the block starts that is damaged somewhere
  public record Damage(String version, String blob, long byteOffset) {}

  /// The versions of one dataset, newest first.
  public record VersionList(
      List<Version> versions,
      @JsonSerialize(using = PublicPath.Serializer.class) @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String next) {}

  /// A version.
  ///
  /// @param kind the write that created it: `upload`, `append`, `extend` or `compaction`; `damaged`
  ///   if that is unknown
  /// @param damaged true if its manifest is damaged, so that only its name and version are known;
  ///   otherwise absent
  /// @param etag the tag of the file, as `If-Match` expects it
  /// @param expires when the version ends, absent if it has no end
  /// @param columns the columns that were inferred from a file of another format, otherwise absent
  /// @param found what was found rather than stated in a file of another format, by name; absent if
  ///   nothing was
  /// @param warnings the warnings of a write, otherwise absent
  /// @param options what would read a file of another format in another way; absent if nothing
  ///   would
  /// @param skipped the rows of a file of another format that were left out, absent if none were
  /// @param converted the columns of an append that have another type in the dataset, absent if
  ///   none
  /// @param lineage the statement that computed the rows which the version added; absent if none
  ///   did, and in lists of datasets
  public record Version(
      String name,
      long version,
      String kind,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean damaged,
      String etag,
      long rows,
      long batches,
      long bytes,
      @Nullable String codec,
      String modified,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String expires,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Column> columns,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Object> found,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> warnings,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Option> options,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable SkippedRows skipped,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ColumnConversion> converted,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable LineageJson lineage,
      @JsonSerialize(contentUsing = PublicPath.Serializer.class) Map<String, String> links) {

    public static Version of(VersionSummary summary) {
      return of(summary, null);
    }

    /// @param lineage the statement that computed the rows, or null
    public static Version of(VersionSummary summary, @Nullable Lineage lineage) {
      return of(summary, null, null, null, List.of(), lineage);
    }

    /// @param inferred the schema of a file of another format, or null
    /// @param report what there is to tell of the file
    public static Version of(WriteResult result, @Nullable Schema inferred, FileReport report) {
      List<Column> columns =
          inferred == null ? null : inferred.fields().stream().map(Column::of).toList();
      List<String> warnings =
          Stream.concat(Advice.sentences(report.advice()).stream(), result.warnings().stream())
              .toList();
      return of(
          result.summary(), columns, report, warnings, result.conversions(), result.lineage());
    }

    private static Version of(
        VersionSummary summary,
        @Nullable List<Column> columns,
        @Nullable FileReport report,
        @Nullable List<String> warnings,
        List<ColumnConversion> converted,
        @Nullable Lineage lineage) {
      return new Version(
          summary.name().value(),
          summary.version(),
          word(summary.kind()),
          summary.kind() == VersionKind.DAMAGED ? true : null,
          EntityTag.of(summary.id()).toString(),
          summary.file().rows(),
          summary.file().batches(),
          summary.file().byteSize(),
          codecName(summary.file().codec()),
          summary.committedAt().toString(),
          summary.expiresAt() == null ? null : summary.expiresAt().toString(),
          columns,
          report == null ? Map.of() : report.found(),
          warnings,
          report == null ? List.of() : Option.of(report.advice()),
          report == null || report.skipped().count() == 0 ? null : report.skipped(),
          converted,
          lineage == null ? null : LineageJson.of(lineage),
          Documents.links(summary));
    }
  }

  /// The answer to a write: the members of a version that its links do not lead to. Those that have
  /// nothing to tell are absent.
  public record Written(
      String name,
      long version,
      long rows,
      long bytes,
      String etag,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String expires,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Object> found,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> warnings,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Option> options,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable SkippedRows skipped,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ColumnConversion> converted) {

    public static Written of(Version version) {
      return new Written(
          version.name(),
          version.version(),
          version.rows(),
          version.bytes(),
          version.etag(),
          version.expires(),
          version.found(),
          version.warnings() == null ? List.of() : version.warnings(),
          version.options(),
          version.skipped(),
          version.converted());
    }
  }

  /// An option that a warning names.
  ///
  /// @param column whose values it concerns; absent if it concerns the whole file
  /// @param option the name of a parameter
  /// @param value that of the parameter, ready to be sent
  public record Option(
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String column,
      String option,
      String value) {

    public static Option of(FileOption option) {
      return new Option(option.column(), option.option(), option.value());
    }

    public static List<Option> of(List<Advice> advice) {
      List<Option> options = new ArrayList<>();
      for (Advice each : advice) {
        if (each.option() != null && each.value() != null) {
          options.add(new Option(each.column(), each.option(), each.value()));
        }
      }
      return options;
    }
  }

  /// The statement that computed the rows which a version added.
  ///
  /// @param parameters the values of its parameters by name, absent if it has none
  /// @param reads the versions that it read, such as `flights@3`
  public record LineageJson(
      String sql,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> parameters,
      List<String> reads) {

    static LineageJson of(Lineage lineage) {
      return new LineageJson(
          lineage.sql(),
          lineage.parameters(),
          lineage.reads().stream().map(DatasetReference::toString).toList());
    }
  }

  /// A column, with its type as text such as `int64`.
  public record Column(String name, String type) {

    public static Column of(Field field) {
      return new Column(field.name(), field.describeType());
    }
  }

  /// A version, in the stream of events of its dataset.
  ///
  /// @param kind the write that created it: `upload`, `append`, `extend` or `delete`
  /// @param rows the rows that the write added, absent if unknown
  public record VersionEvent(
      long version,
      String kind,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long rows,
      long totalRows) {

    public static VersionEvent of(VersionChange change) {
      VersionSummary summary = change.summary();
      return new VersionEvent(
          summary.version(), word(summary.kind()), change.rows(), summary.file().rows());
    }
  }

  /// Returns the paths of a version by their names. `latest`, `versions` and `events` are those of
  /// its dataset; the others are immutable.
  static Map<String, String> links(VersionSummary summary) {
    String latest = DatasetPath.of(summary.name());
    String pinned = DatasetPath.pinned(summary);
    Map<String, String> links = new LinkedHashMap<>();
    links.put("latest", latest);
    Format.SUFFIXED.forEach(format -> links.put(format.camelCase(), pinned + format.suffix()));
    for (String resource : RESOURCES) {
      links.put(resource, pinned + "/" + resource);
    }
    links.put("versions", latest + "/versions");
    links.put("events", latest + "/events");
    return links;
  }

  /// The locations of a version's messages in its file.
  public record BatchIndex(
      String dataset,
      long version,
      String etag,
      @JsonSerialize(using = PublicPath.Serializer.class) String file,
      @JsonSerialize(using = PublicPath.Serializer.class) String stream,
      long rows,
      long bytes,
      ExtentJson schema,
      List<DictionaryExtent> dictionaries,
      ExtentJson footer,
      List<Batch> batches,
      @JsonSerialize(using = PublicPath.Serializer.class) @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String next) {}

  /// A byte range of the file.
  public record ExtentJson(long offset, long length) {

    public static ExtentJson of(ByteRange range) {
      return new ExtentJson(range.byteOffset(), range.byteSize());
    }
  }

  /// A dictionary message.
  public record DictionaryExtent(long id, long offset, long length) {

    public static DictionaryExtent of(long id, Block block) {
      return new DictionaryExtent(id, block.offset(), block.byteSize());
    }
  }

  /// A record batch message. Its length includes the metadata and the body.
  ///
  /// @param statistics absent unless requested and known
  public record Batch(
      long index,
      long rowOffset,
      long rows,
      long offset,
      int metaDataLength,
      long bodyLength,
      @Nullable String codec,
      long uncompressedBytes,
      @JsonSerialize(using = PublicPath.Serializer.class) String href,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<ColumnStatisticsJson> statistics) {

    public static Batch of(
        BatchEntry entry, String batchesPath, @Nullable List<ColumnStatisticsJson> statistics) {
      return new Batch(
          entry.index(),
          entry.rowOffset(),
          entry.rows(),
          entry.block().offset(),
          entry.block().metaDataLength(),
          entry.block().bodyLength(),
          codecName(entry.codec()),
          entry.uncompressedByteSize(),
          batchesPath + "/" + entry.index() + Format.STREAM.suffix(),
          statistics);
    }
  }

  /// Statistics of columns of a version.
  public record Statistics(
      String dataset, long version, long rows, List<ColumnProfileJson> columns) {}

  /// The blobs of a version in the store.
  ///
  /// @param bytes the size of the version's file
  /// @param extents the blob ranges that, concatenated, are the version's file
  public record Blobs(
      String dataset,
      long version,
      String etag,
      long bytes,
      List<Blob> blobs,
      List<BlobExtent> extents) {}

  /// @param key the key of the blob; in a folder, the path of a file below it
  public record Blob(String key, long bytes) {}

  /// A byte range of a blob.
  ///
  /// @param blob the key of the blob
  public record BlobExtent(String blob, long offset, long length) {

    public static BlobExtent of(dev.quiver.store.version.BlobExtent extent) {
      return new BlobExtent(extent.key(), extent.byteOffset(), extent.byteSize());
    }
  }

  /// A difference between a field of a body and the dataset.
  ///
  /// @param aspect the differing aspect, in lower case
  public record SchemaDifference(String field, String aspect, String expected, String found) {

    public static SchemaDifference of(dev.quiver.store.version.SchemaDifference difference) {
      return new SchemaDifference(
          difference.field(),
          difference.aspect().name().toLowerCase(Locale.ROOT),
          difference.expected(),
          difference.found());
    }
  }

  static String word(VersionKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  static @Nullable String codecName(Codec codec) {
    return codec == Codec.NONE ? null : codec.word();
  }
}

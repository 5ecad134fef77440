package dev.quiver.config;

import dev.quiver.dataset.catalog.Retention;
import dev.quiver.dataset.write.CompactionPolicy;
import dev.quiver.input.Limit;
import dev.quiver.input.Limits;
import dev.quiver.storage.S3Options;
import dev.quiver.validate.Level;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.unit.DataSize;

/// Every key below `quiver`, with its default.
///
/// @param storage where datasets are kept
/// @param cors which other sites may use the service from a browser
/// @param allowedHosts names that a `Host` header may have besides localhost and IP addresses, as
///   long as the service listens on a loopback address
/// @param allowRemoteWrites whether a service that others reach accepts writes without a token
/// @param token what a write has to have as a bearer; empty without one
/// @param tokenRequiredFor the requests that need the token
/// @param sample whether a small dataset is made when the store is empty
/// @param importFolder whose files become datasets; empty for none
/// @param importInterval how long after the folder was looked at it is looked at again, and a file
///   has to be as it is
/// @param publicUrls where clients reach the service, for absolute URLs
/// @param interop conventions of the Arrow project's HTTP examples that `/` follows
/// @param sendfile whether stored bytes are moved to the network by the operating system
/// @param uncheckedLz4 whether LZ4 is decoded without the bounds checks of the JVM
/// @param ingest how uploads are stored
/// @param retention which versions are kept
/// @param compaction when small appends are compacted
/// @param limits on what requests may hold
@ConfigurationProperties("quiver")
public record QuiverProperties(
    @DefaultValue Storage storage,
    @DefaultValue Cors cors,
    @DefaultValue List<String> allowedHosts,
    @DefaultValue("false") boolean allowRemoteWrites,
    @DefaultValue("") String token,
    @DefaultValue("writes") TokenRequiredFor tokenRequiredFor,
    @DefaultValue("true") boolean sample,
    @Name("import") @DefaultValue("") String importFolder,
    @DefaultValue("10s") Duration importInterval,
    @DefaultValue List<URI> publicUrls,
    @DefaultValue List<Interop> interop,
    @DefaultValue("true") boolean sendfile,
    @DefaultValue("true") boolean uncheckedLz4,
    @DefaultValue Ingest ingest,
    @DefaultValue RetentionRules retention,
    @DefaultValue Compaction compaction,
    @DefaultValue RequestLimits limits) {

  /// @param path the folder that holds the datasets, made when missing
  /// @param sync whether a write is on the disk before it is answered, so that it outlives a loss
  ///   of power; of a bucket, the store decides
  /// @param gracePeriod how long whatever was stored stays there
  /// @param maxStaleness how long ago the store may have been asked which version is the newest of
  ///   a dataset that is read without a version; 0s: every time
  /// @param s3 a bucket that holds the datasets instead
  /// @param cachePath the folder for what is kept of a bucket, made when missing
  /// @param cacheBytes how much of blobs is kept there at most
  public record Storage(
      @DefaultValue("./data") Path path,
      @DefaultValue("true") boolean sync,
      @DefaultValue("24h") Duration gracePeriod,
      @DefaultValue("0s") Duration maxStaleness,
      @DefaultValue S3 s3,
      @DefaultValue("./cache") Path cachePath,
      @DefaultValue("10GB") DataSize cacheBytes) {

    public Storage {
      require(
          gracePeriod.isPositive(),
          "more than no time",
          gracePeriod,
          "quiver.storage.grace-period");
    }

    /// The store on S3; null without a bucket.
    public @Nullable S3Options onS3() {
      return s3.bucket().isEmpty()
          ? null
          : new S3Options(
              s3.bucket(),
              s3.endpoint().isEmpty() ? null : URI.create(s3.endpoint()),
              s3.region(),
              s3.prefix(),
              s3.pathStyle(),
              s3.checksums(),
              cachePath,
              cacheBytes.toBytes());
    }
  }

  /// @param bucket empty for none
  /// @param endpoint empty for the region's of AWS
  /// @param region empty for that of the environment
  /// @param prefix what the names of all objects start with, without a slash at its end
  /// @param pathStyle whether the bucket is the first part of the path rather than of the host
  /// @param checksums when requests carry checksums
  public record S3(
      @DefaultValue("") String bucket,
      @DefaultValue("") String endpoint,
      @DefaultValue("") String region,
      @DefaultValue("") String prefix,
      @DefaultValue("false") boolean pathStyle,
      @DefaultValue("when-required") S3Options.Checksums checksums) {}

  /// @param allowedOrigins such as `https://example.org`; `*` lets every site read, and none write
  public record Cors(@DefaultValue List<String> allowedOrigins) {}

  /// The requests that need `quiver.token`.
  public enum TokenRequiredFor {
    /// Requests that write.
    WRITES,
    /// Every request for data.
    ALL
  }

  /// @param batchBytes what a batch that is cut or joined has about, not compressed
  /// @param level how far record batches are checked that are stored as they came
  public record Ingest(
      @DefaultValue("8MB") DataSize batchBytes, @DefaultValue("values") Level level) {

    public Ingest {
      long bytes = batchBytes.toBytes();
      require(bytes > 0, "1 or more", bytes, "quiver.ingest.batch-bytes");
      require(
          level != Level.DOMAIN,
          "layout, offsets or values",
          level.name().toLowerCase(Locale.ROOT),
          "quiver.ingest.level");
    }
  }

  /// @param count how many of the newest commits are kept whatever their age
  /// @param age how long the versions before are kept after they were replaced
  public record RetentionRules(@DefaultValue("1") int count, @DefaultValue("24h") Duration age) {

    public RetentionRules {
      require(count > 0, "1 or more", count, "quiver.retention.count");
      require(!age.isNegative(), "no negative time", age, "quiver.retention.age");
    }
  }

  /// @param extents how many ranges of blobs a version should have at most; 0 compacts nothing
  ///   unless asked
  /// @param batches how many record batches, as far as they are small
  public record Compaction(@DefaultValue("256") int extents, @DefaultValue("2000") int batches) {

    public Compaction {
      require(extents >= 0, "0 or more", extents, "quiver.compaction.extents");
      require(batches >= 0, "0 or more", batches, "quiver.compaction.batches");
    }

    /// Returns when appends are compacted without a request for it.
    public CompactionPolicy policy() {
      return new CompactionPolicy(extents, batches);
    }
  }

  /// Returns which versions are kept.
  ///
  /// @throws IllegalArgumentException if an upload may take longer than half of the grace period,
  ///   since its blobs could be deleted before it is committed
  public Retention kept() {
    long maximum = storage.gracePeriod().toSeconds() / 2;
    require(
        limits.uploadSeconds() <= maximum,
        "at most half of quiver.storage.grace-period, %d s,".formatted(maximum),
        limits.uploadSeconds() + " s",
        "quiver.limits.upload-seconds");
    return new Retention(retention.count(), retention.age(), storage.gracePeriod());
  }

  private static void require(boolean valid, String expected, Object found, String key) {
    if (!valid) {
      throw new IllegalArgumentException(
          "Expected %s but found %s at %s".formatted(expected, found, key));
    }
  }

  /// @param metadataBytes flatbuffer metadata of one message, or a footer
  /// @param bodyBytes the body of one message
  /// @param batchRows rows of one record batch
  /// @param schemaFields fields of a schema, children included
  /// @param schemaDepthLevels levels of nesting of a field
  /// @param dictionaryBytes one dictionary, decompressed
  /// @param uploadDictionaryBytes all dictionaries of one upload together
  /// @param decompressionRatio bytes that compressed data may grow to, per byte: a buffer past what
  ///   the schema can need, and past a moderate amount all bodies of an input together
  /// @param uploadBatches record batches of one upload
  /// @param requestBytes the body of a request
  /// @param formMetadataBytes a `multipart/form-data` body but for its data
  /// @param reportBytes what the report of an inspection may take, before it is cut short
  /// @param textResponseBytes rows sent as JSON or CSV, without content coding
  /// @param storageBytes what the store takes, uploads on their way included; 0 sets no limit
  /// @param generatedResponses responses that are made at once while they are sent: some columns or
  ///   rows, another codec, text, a content coding; as many conversions and inspections. Who comes
  ///   then waits as long as a connection may be idle, and is refused
  /// @param inFlightBytes memory that the metadata of all uploads and inspections, and documents on
  ///   their way, take together, with the windows of bodies coded as zstd, and up to half of it
  ///   buffers for bodies; 0 is a quarter of the heap
  /// @param uploadSeconds how long a request body may take
  /// @param idleSeconds how long a connection may send or take nothing
  /// @param minimumBytesPerSecond the average rate below which a transfer is given up, once it has
  ///   taken as long as an idle connection may
  public record RequestLimits(
      @DefaultValue("64MB") DataSize metadataBytes,
      @DefaultValue("16GB") DataSize bodyBytes,
      @DefaultValue("2147483647") long batchRows,
      @DefaultValue("100000") long schemaFields,
      @DefaultValue("64") long schemaDepthLevels,
      @DefaultValue("1GB") DataSize dictionaryBytes,
      @DefaultValue("4GB") DataSize uploadDictionaryBytes,
      @DefaultValue("1000") long decompressionRatio,
      @DefaultValue("1000000") long uploadBatches,
      @DefaultValue("64GB") DataSize requestBytes,
      @DefaultValue("1MB") DataSize formMetadataBytes,
      @DefaultValue("64MB") DataSize reportBytes,
      @DefaultValue("1GB") DataSize textResponseBytes,
      @DefaultValue("0B") DataSize storageBytes,
      @DefaultValue("200") int generatedResponses,
      @DefaultValue("0B") DataSize inFlightBytes,
      @DefaultValue("21600") long uploadSeconds,
      @DefaultValue("60") int idleSeconds,
      @DefaultValue("1024") long minimumBytesPerSecond) {

    /// Returns the limits on Arrow data.
    public Limits arrow() {
      return new Limits(
          limit("metadata-bytes", metadataBytes),
          limit("body-bytes", bodyBytes),
          limit("batch-rows", batchRows),
          limit("schema-fields", schemaFields),
          limit("schema-depth-levels", schemaDepthLevels),
          limit("dictionary-bytes", dictionaryBytes),
          limit("decompression-ratio", decompressionRatio),
          limit("upload-batches", uploadBatches));
    }

    /// Returns the limit on all dictionaries of an upload.
    public Limit uploadDictionaries() {
      return limit("upload-dictionary-bytes", uploadDictionaryBytes);
    }

    /// Returns the limit on the body of a request.
    public Limit request() {
      return limit("request-bytes", requestBytes);
    }

    /// Returns the limit on everything but the data of a form.
    public Limit form() {
      return limit("form-metadata-bytes", formMetadataBytes);
    }

    /// Returns the limit on the report of an inspection.
    public Limit report() {
      return limit("report-bytes", reportBytes);
    }

    /// Returns the limit on rows as text.
    public Limit rendered() {
      return limit("text-response-bytes", textResponseBytes);
    }

    /// Returns the limit on the bytes in the store, of which 0 means unlimited.
    public Limit storage() {
      return limit("storage-bytes", storageBytes);
    }

    /// Returns the limit on concurrent generated responses.
    public Limit generated() {
      return limit("generated-responses", generatedResponses);
    }

    /// Returns the limit on the memory of all requests together, of which 0 means a quarter of the
    /// heap.
    public Limit inFlight() {
      return limit("in-flight-bytes", inFlightBytes);
    }

    private static Limit limit(String key, DataSize maximum) {
      return limit(key, maximum.toBytes());
    }

    private static Limit limit(String key, long maximum) {
      return new Limit("quiver.limits." + key, maximum);
    }
  }
}

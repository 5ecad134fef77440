package dev.quiver.config;

import dev.quiver.dataset.catalog.GracePeriod;
import dev.quiver.dataset.catalog.Retention;
import dev.quiver.dataset.write.CompactionPolicy;
import dev.quiver.input.Limit;
import dev.quiver.input.Limits;
import dev.quiver.storage.S3Options;
import dev.quiver.validate.Level;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/// Every key below `quiver`, with its default.
///
/// @param storage the store of the datasets
/// @param cors the access of pages from other sites
/// @param allowedHosts names that `Host` may have besides localhost and IP addresses, while the
///   service listens on loopback
/// @param allowRemoteWrites whether a service that others can reach accepts writes without a token
/// @param token the bearer token required for writes, or empty
/// @param tokenRequiredFor the requests that require the token
/// @param sample whether a store that was never written to gets a sample dataset
/// @param importFolder the folder whose files become datasets, or empty
/// @param importInterval the time between two scans of the folder, and the time for which a file
///   must be unchanged
/// @param publicUrls the URLs at which clients reach the service, for absolute URLs
/// @param interop conventions of the Arrow project's HTTP examples that `/` follows
/// @param sendfile whether the kernel moves stored bytes to the network
/// @param uncheckedLz4 whether LZ4 is decoded without the bounds checks of the JVM
/// @param ingest how uploads are stored
/// @param retention which versions are kept
/// @param compaction when small appends are compacted
/// @param limits the limits of requests
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
    @DefaultValue("10s") @DurationUnit(ChronoUnit.SECONDS) Duration importInterval,
    @DefaultValue List<URI> publicUrls,
    @DefaultValue List<Interop> interop,
    @DefaultValue("true") boolean sendfile,
    @DefaultValue("true") boolean uncheckedLz4,
    @DefaultValue Ingest ingest,
    @DefaultValue RetentionRules retention,
    @DefaultValue Compaction compaction,
    @DefaultValue RequestLimits limits) {

  /// The characters of a bearer token: RFC 6750 §2.1.
  public static final Pattern TOKEN = Pattern.compile("[0-9A-Za-z._~+/-]+=*");

  private static final Pattern HOST_NAME = Pattern.compile("[0-9A-Za-z_-]+(\\.[0-9A-Za-z_-]+)*");

  /// An origin as browsers send it: RFC 6454 §6.1.
  private static final Pattern ORIGIN =
      Pattern.compile("[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\\[[0-9a-f:.]+])(:[0-9]{1,5})?");

  public QuiverProperties {
    allowedHosts.forEach(host ->
        require(
            HOST_NAME.matcher(host).matches(),
            "a host name without scheme and port",
            host,
            "quiver.allowed-hosts"));
    require(
        token.isEmpty() || TOKEN.matcher(token).matches(),
        "letters, digits, -._~+/ and trailing =",
        "other characters",
        "quiver.token");
    require(
        !token.isEmpty() || tokenRequiredFor != TokenRequiredFor.ALL,
        "a token",
        "none",
        "quiver.token, with quiver.token-required-for=all");
    require(
        importInterval.toMillis() >= 1, "1ms or more", importInterval, "quiver.import-interval");
    publicUrls.forEach(
        url -> require(isUrl(url), "a URL such as https://example.org", url, "quiver.public-urls"));
    Interop.requireDistinct(interop);
    long uploadSecondsMaximum = storage.gracePeriod().toSeconds() / 2;
    // Otherwise the blobs of an upload could be deleted before it is committed.
    require(
        limits.uploadSeconds() <= uploadSecondsMaximum,
        "at most half of quiver.storage.grace-period, %d s,".formatted(uploadSecondsMaximum),
        limits.uploadSeconds() + " s",
        "quiver.limits.upload-seconds");
  }

  /// @param path the folder that holds the datasets; created if missing
  /// @param sync whether a write is synced to disk before the response, so that it survives a loss
  ///   of power; with a bucket, the store decides
  /// @param gracePeriod how long stored data is kept, whether or not a version names it
  /// @param maxStaleness how stale the latest version may be for unversioned reads; `0s` always
  ///   asks the store
  /// @param s3 the bucket that replaces the folder
  /// @param cachePath the folder for the local cache of a bucket; created if missing
  /// @param cacheBytes the maximum size of cached blobs
  public record Storage(
      @DefaultValue("./data") Path path,
      @DefaultValue("true") boolean sync,
      @DefaultValue("24h") @DurationUnit(ChronoUnit.SECONDS) Duration gracePeriod,
      @DefaultValue("0s") @DurationUnit(ChronoUnit.SECONDS) Duration maxStaleness,
      @DefaultValue S3 s3,
      @DefaultValue("./cache") Path cachePath,
      @DefaultValue("10GB") DataSize cacheBytes) {

    public Storage {
      require(
          gracePeriod.isPositive(),
          "a positive duration",
          gracePeriod,
          "quiver.storage.grace-period");
      require(
          !maxStaleness.isNegative(),
          "a duration of 0 or more",
          maxStaleness,
          "quiver.storage.max-staleness");
      require(
          !cacheBytes.isNegative(), "0 or more bytes", cacheBytes, "quiver.storage.cache-bytes");
    }

    /// Returns the options of the bucket, or null if it is not configured.
    public @Nullable S3Options s3Options() {
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

  /// @param bucket the bucket that holds the datasets, or empty
  /// @param endpoint the URL of the store; if empty, that of AWS in the region
  /// @param region the region; if empty, that of the environment
  /// @param prefix the prefix of all object names, without a trailing slash
  /// @param pathStyle whether the bucket is the first part of the path rather than of the host
  /// @param checksums when requests and responses carry checksums
  public record S3(
      @DefaultValue("") String bucket,
      @DefaultValue("") String endpoint,
      @DefaultValue("") String region,
      @DefaultValue("") String prefix,
      @DefaultValue("false") boolean pathStyle,
      @DefaultValue("when-required") S3Options.Checksums checksums) {

    public S3 {
      require(
          endpoint.isEmpty() || isUrl(endpoint),
          "a URL such as https://storage.example.org",
          endpoint,
          "quiver.storage.s3.endpoint");
    }
  }

  /// @param allowedOrigins origins such as `https://example.org`; `*` lets every site read, and
  ///   none write
  public record Cors(@DefaultValue List<String> allowedOrigins) {

    public Cors {
      allowedOrigins.forEach(origin ->
          require(
              origin.equals("*") || ORIGIN.matcher(origin).matches(),
              "* or an origin such as https://example.org, in lower case and without a path,",
              origin,
              "quiver.cors.allowed-origins"));
    }
  }

  /// The requests that need `quiver.token`.
  public enum TokenRequiredFor {
    /// Requests that write.
    WRITES,
    /// Every request for data.
    ALL
  }

  /// @param batchBytes the approximate size, before compression, of a batch that is split or
  ///   coalesced
  /// @param level how thoroughly batches that are stored as they arrive are validated
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

  /// @param count how many of the newest commits are kept regardless of age
  /// @param age how long earlier versions are kept after they were replaced
  public record RetentionRules(
      @DefaultValue("1") int count,
      @DefaultValue("24h") @DurationUnit(ChronoUnit.SECONDS) Duration age) {

    public RetentionRules {
      require(count > 0, "1 or more", count, "quiver.retention.count");
      require(!age.isNegative(), "a duration of 0 or more", age, "quiver.retention.age");
    }
  }

  /// @param extents the number of blob ranges of a version above which appends are compacted; 0
  ///   compacts only on request
  /// @param batches the number of record batches of a version above which small ones are compacted
  public record Compaction(@DefaultValue("256") int extents, @DefaultValue("2000") int batches) {

    public Compaction {
      require(extents >= 0, "0 or more", extents, "quiver.compaction.extents");
      require(batches >= 0, "0 or more", batches, "quiver.compaction.batches");
    }

    /// Returns the policy of automatic compaction.
    public CompactionPolicy policy() {
      return new CompactionPolicy(extents, batches);
    }
  }

  /// Returns how long versions and blobs are kept.
  public Retention retentionPolicy() {
    return new Retention(
        retention.count(),
        retention.age(),
        new GracePeriod("quiver.storage.grace-period", storage.gracePeriod()));
  }

  private static void require(boolean valid, String expected, Object found, String key) {
    if (!valid) {
      throw ConfigurationException.of(expected, found, key);
    }
  }

  /// Returns whether a URL is absolute and may be followed by a path.
  private static boolean isUrl(URI url) {
    return ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
        && url.getHost() != null
        && url.getRawUserInfo() == null
        && url.getRawQuery() == null
        && url.getRawFragment() == null;
  }

  private static boolean isUrl(String text) {
    try {
      return isUrl(new URI(text));
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /// The limits on the bodies of requests and responses, and the minimum transfer rate.
  ///
  /// @param metadataBytes flatbuffer metadata of one message, or a footer
  /// @param bodyBytes the body of one message
  /// @param batchRows rows of one record batch
  /// @param schemaFields fields of a schema, including children
  /// @param schemaDepthLevels levels of nesting of a field
  /// @param dictionaryBytes one dictionary, decompressed
  /// @param uploadDictionaryBytes all dictionaries of one upload together
  /// @param decompressionRatio decompressed bytes per compressed byte. It bounds a buffer beyond
  ///   what its schema can need, and all bodies of an input together beyond a moderate size
  /// @param uploadBatches record batches of one upload
  /// @param requestBytes the body of a request
  /// @param formMetadataBytes a `multipart/form-data` body without its data
  /// @param reportBytes the report of an inspection before it is truncated
  /// @param textResponseBytes rows of one response as JSON or CSV, before content coding
  /// @param storageBytes the size of the store, including uploads in progress; 0 is unlimited
  /// @param generatedResponses concurrent responses that are generated while they are sent:
  ///   selected columns or rows, another codec, text, a content coding. It also limits concurrent
  ///   conversions and inspections. Further requests wait as long as a connection may be idle, and
  ///   are then rejected
  /// @param inFlightBytes memory for metadata of all uploads and inspections, for documents being
  ///   sent, and for windows of zstd-coded bodies. Up to half of it may buffer bodies of batches. 0
  ///   is a quarter of the heap
  /// @param uploadSeconds the time within which a request body must arrive
  /// @param idleSeconds the time for which a connection may send or accept nothing
  /// @param headSeconds the time in which the head of a request, or a TLS handshake, must arrive
  /// @param connectionsPerAddress the maximum number of connections of one address; 0 is half of
  ///   all
  /// @param unboundedAddresses addresses and networks that may have any number of connections, such
  ///   as those of proxies
  /// @param minimumBytesPerSecond the average rate below which a transfer is aborted, once it has
  ///   taken longer than a connection may be idle
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
      @DefaultValue("10") int headSeconds,
      @DefaultValue("0") int connectionsPerAddress,
      @DefaultValue List<AddressRange> unboundedAddresses,
      @DefaultValue("1024") long minimumBytesPerSecond) {

    /// Tomcat takes the time in milliseconds, as an `int`.
    private static final long SECONDS_MAXIMUM = Integer.MAX_VALUE / 1000;

    public RequestLimits {
      requireFrom(1, metadataBytes.toBytes(), "metadata-bytes");
      requireFrom(1, bodyBytes.toBytes(), "body-bytes");
      requireFrom(1, batchRows, "batch-rows");
      requireFrom(1, schemaFields, "schema-fields");
      requireFrom(1, schemaDepthLevels, "schema-depth-levels");
      requireFrom(1, dictionaryBytes.toBytes(), "dictionary-bytes");
      requireFrom(1, uploadDictionaryBytes.toBytes(), "upload-dictionary-bytes");
      requireFrom(1, decompressionRatio, "decompression-ratio");
      requireFrom(1, uploadBatches, "upload-batches");
      requireFrom(1, requestBytes.toBytes(), "request-bytes");
      requireFrom(1, formMetadataBytes.toBytes(), "form-metadata-bytes");
      requireFrom(1, reportBytes.toBytes(), "report-bytes");
      requireFrom(1, textResponseBytes.toBytes(), "text-response-bytes");
      requireFrom(0, storageBytes.toBytes(), "storage-bytes");
      requireFrom(1, generatedResponses, "generated-responses");
      requireFrom(0, inFlightBytes.toBytes(), "in-flight-bytes");
      requireFrom(1, uploadSeconds, "upload-seconds");
      requireSeconds(idleSeconds, "idle-seconds");
      requireSeconds(headSeconds, "head-seconds");
      requireFrom(0, connectionsPerAddress, "connections-per-address");
      requireFrom(0, minimumBytesPerSecond, "minimum-bytes-per-second");
    }

    private static void requireFrom(long minimum, long found, String key) {
      require(found >= minimum, minimum + " or more", found, "quiver.limits." + key);
    }

    private static void requireSeconds(int found, String key) {
      require(
          found >= 1 && found <= SECONDS_MAXIMUM,
          "1 to %d".formatted(SECONDS_MAXIMUM),
          found,
          "quiver.limits." + key);
    }

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
    public Limit text() {
      return limit("text-response-bytes", textResponseBytes);
    }

    /// Returns the limit on the bytes in the store; 0 is unlimited.
    public Limit storage() {
      return limit("storage-bytes", storageBytes);
    }

    /// Returns the limit on concurrent generated responses.
    public Limit generated() {
      return limit("generated-responses", generatedResponses);
    }

    /// Returns the limit on the memory of all requests together; 0 is a quarter of the heap.
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

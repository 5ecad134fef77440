package dev.quiver.server.config;

import static dev.quiver.server.config.ConfigurationException.require;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.validate.Level;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.store.blob.S3Options;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.write.CompactionPolicy;
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
/// @param pages how pages are shown
/// @param trustedProxies the addresses and networks of proxies whose `X-Forwarded-*` count
/// @param allowedHosts names that `Host` may have besides localhost and IP addresses, on loopback
///   and in writes of pages
/// @param allowRemoteWrites whether a service that others can reach accepts writes without a token
/// @param token the token required for writes, or empty
/// @param tokenRequiredFor the requests that require the token
/// @param auth the principals and what they may do
/// @param audit the audit log
/// @param sample whether a store that was never written to gets a sample dataset
/// @param importFolder the folder whose files become datasets, or empty
/// @param importInterval the time between two scans of the folder, and the time for which a file
///   must be unchanged
/// @param publicUrls the URLs at which clients reach the service, for links
/// @param interop conventions of the Arrow project's HTTP examples that `/` follows
/// @param http the headers of responses
/// @param sendfile whether the kernel moves stored bytes to the network
/// @param uncheckedLz4 whether LZ4 is decoded without the bounds checks of the JVM
/// @param ingest how uploads are stored
/// @param retention which versions are kept
/// @param compaction when small appends are compacted
/// @param scrub how the store is checked in the background
/// @param sql how statements run
/// @param files how files of other formats are read and written
/// @param jobs how uploads run that go on after their response
/// @param uploads how uploads are kept that arrive in several requests
/// @param where how conditions are evaluated
/// @param spool the folder for temporary results
/// @param limits the limits of requests
@ConfigurationProperties("quiver")
public record QuiverProperties(
    @DefaultValue Storage storage,
    @DefaultValue Cors cors,
    @DefaultValue Pages pages,
    @DefaultValue List<String> allowedHosts,
    @DefaultValue List<String> trustedProxies,
    @DefaultValue("false") boolean allowRemoteWrites,
    @DefaultValue("") String token,
    @DefaultValue("writes") TokenRequiredFor tokenRequiredFor,
    @DefaultValue AuthProperties auth,
    @DefaultValue AuditProperties audit,
    @DefaultValue("true") boolean sample,
    @Name("import") @DefaultValue("") String importFolder,
    @DefaultValue("10s") @DurationUnit(ChronoUnit.SECONDS) Duration importInterval,
    @DefaultValue List<URI> publicUrls,
    @DefaultValue List<Interop> interop,
    @DefaultValue Http http,
    @DefaultValue("true") boolean sendfile,
    @DefaultValue("true") boolean uncheckedLz4,
    @DefaultValue Ingest ingest,
    @DefaultValue RetentionRules retention,
    @DefaultValue Compaction compaction,
    @DefaultValue ScrubProperties scrub,
    @DefaultValue SqlProperties sql,
    @DefaultValue FilesProperties files,
    @DefaultValue JobsProperties jobs,
    @DefaultValue UploadsProperties uploads,
    @DefaultValue Where where,
    @DefaultValue Spool spool,
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
    trustedProxies.forEach(QuiverProperties::trustedProxy);
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
        auth.anonymous().isEmpty() || tokenRequiredFor != TokenRequiredFor.ALL,
        "no permission",
        auth.anonymous().size(),
        "quiver.auth.anonymous, with quiver.token-required-for=all");
    require(
        importInterval.toMillis() >= 1, "1ms or more", importInterval, "quiver.import-interval");
    publicUrls.forEach(url -> {
      require(isUrl(url), "a URL such as https://example.org", url, "quiver.public-urls");
      BasePath.requireValid(url.getRawPath(), "quiver.public-urls");
    });
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

    /// Returns the key that says where the store is.
    public String key() {
      return s3.bucket().isEmpty() ? "quiver.storage.path" : "quiver.storage.s3.bucket";
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
  /// @param endpoint the URL of the store; if empty, the URL of AWS in the region
  /// @param region the region; if empty, the region of the environment
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

  /// @param frameAncestors the origins of the sites that may show pages in a frame, such as
  ///   `https://wiki.example.org`
  public record Pages(@DefaultValue List<String> frameAncestors) {

    public Pages {
      frameAncestors.forEach(origin ->
          require(
              ORIGIN.matcher(origin).matches() && origin.startsWith("http"),
              "an origin such as https://example.org, in lower case and without a path,",
              origin,
              "quiver.pages.frame-ancestors"));
    }
  }

  /// @param nameMaxAge how long caches may keep the response to a name without asking; `0s` makes
  ///   them ask each time
  public record Http(@DefaultValue("0s") @DurationUnit(ChronoUnit.SECONDS) Duration nameMaxAge) {

    public Http {
      require(
          !nameMaxAge.isNegative(),
          "a duration of 0 or more",
          nameMaxAge,
          "quiver.http.name-max-age");
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

  /// @param timeout how long the evaluation of a condition may take
  /// @param memory the memory for the matches of one condition
  public record Where(
      @DefaultValue("10s") @DurationUnit(ChronoUnit.SECONDS) Duration timeout,
      @DefaultValue("64MB") DataSize memory) {

    public Where {
      require(timeout.toMillis() >= 1, "1ms or more", timeout, "quiver.where.timeout");
      require(memory.toBytes() > 0, "1 or more", memory.toBytes(), "quiver.where.memory");
    }
  }

  /// @param path the folder for results that are larger than memory, and for the library of the SQL
  ///   engine; created if missing
  /// @param bytes the maximum size of all results that wait in the folder
  public record Spool(@DefaultValue("./spool") Path path, @DefaultValue("10GB") DataSize bytes) {

    public Spool {
      require(bytes.toBytes() >= 0, "0 or more", bytes.toBytes(), "quiver.spool.bytes");
    }
  }

  /// Returns how statements run on this machine.
  ///
  /// @param machineByteSize the memory of the machine
  /// @param heapByteSize the maximum heap of this process
  /// @param processors the processors of the machine
  public SqlOptions sqlOptions(long machineByteSize, long heapByteSize, int processors) {
    return new SqlOptions(
        sql.pool(spool, machineByteSize, processors),
        sql.uploadPool(spool, machineByteSize, processors),
        files.pool(spool, sql.queueWait(), sql.spare(), processors),
        files.pages(heapByteSize),
        new Limit("quiver.files.workbook-bytes", files.workbookBytes().toBytes()),
        new Limit("quiver.sql.result-bytes", sql.resultBytes().toBytes()),
        sql.text(),
        new Limit("quiver.sql.datasets", sql.datasets()),
        new Limit("quiver.sql.catalog", sql.catalog()),
        new Limit("quiver.where.timeout", where.timeout().toMillis()),
        new Limit("quiver.where.memory", where.memory().toBytes()),
        new Limit("quiver.spool.bytes", spool.bytes().toBytes()));
  }

  private static AddressRange trustedProxy(String text) {
    return AddressRange.of(text, "quiver.trusted-proxies");
  }

  /// Returns the addresses of `quiver.trusted-proxies`.
  public List<AddressRange> trustedRanges() {
    return trustedProxies.stream().map(QuiverProperties::trustedProxy).toList();
  }

  /// Returns how long versions and blobs are kept.
  public Retention retentionPolicy() {
    return new Retention(
        retention.count(), retention.age(), storage.gracePeriod(), "quiver.storage.grace-period");
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
}

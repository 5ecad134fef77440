package dev.quiver.server.write;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.server.access.Access;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.RequestHead;
import dev.quiver.store.write.Expiry;
import dev.quiver.store.write.UploadOptions;
import dev.quiver.store.write.UploadOptions.BatchSizes;
import dev.quiver.store.write.UploadOptions.SchemaPolicy;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/// The storage options of an upload, from its query or form.
public final class UploadParameters {

  private static final String QUERY = "parameter %s";
  private static final String VERBOSE = "verbose";

  /// The last year of RFC 3339.
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private UploadParameters() {}

  /// Parses the query. The options are those of a body that is the data; a form has its own end.
  ///
  /// @throws ProblemException 400 if a value is invalid
  static UploadOptions of(RequestHead head, Access access) {
    return of(
            head.parameter("batches"),
            head.parameter("codec"),
            head.parameter("expires"),
            QUERY,
            UploadOptions.DEFAULT)
        .withEndOfStream(requiresEndOfStream(head))
        .withSchemaPolicy(new SchemaPolicy(exactTypes(head), addsColumns(head)))
        .writtenBy(access.writer());
  }

  /// Returns whether an append has to have the types of the dataset.
  private static boolean exactTypes(RequestHead head) {
    String types = head.parameter("types");
    if (types != null && !types.equals("exact")) {
      throw unexpected("exact", types, QUERY.formatted("types"));
    }
    return types != null;
  }

  /// Returns whether an append adds columns to the dataset.
  private static boolean addsColumns(RequestHead head) {
    String columns = head.parameter("columns");
    if (columns == null || columns.equals("keep")) {
      return false;
    }
    if (columns.equals("extend")) {
      return true;
    }
    throw unexpected("keep or extend", columns, QUERY.formatted("columns"));
  }

  /// Returns whether a stream must have its end-of-stream marker. It need not if the body has a
  /// declared length, of which every byte must arrive. A chunked body ends alike whether its
  /// producer succeeded or failed.
  private static boolean requiresEndOfStream(RequestHead head) {
    return !acceptsTruncated(head) && head.byteSize() < 0;
  }

  /// Returns whether the body may lack its end.
  ///
  /// @throws ProblemException 400 if the parameter is invalid
  public static boolean acceptsTruncated(RequestHead head) {
    String truncated = head.parameter("truncated");
    if (truncated != null && !truncated.equals("accept")) {
      throw unexpected("accept", truncated, QUERY.formatted("truncated"));
    }
    return truncated != null;
  }

  /// Returns whether the response has all members of the version.
  ///
  /// @throws ProblemException 400 if the parameter is invalid
  static boolean isVerbose(RequestHead head) {
    String verbose = head.parameter(VERBOSE);
    if (verbose != null && !verbose.equals("true") && !verbose.equals("false")) {
      throw unexpected("false or true", verbose, QUERY.formatted(VERBOSE));
    }
    return "true".equals(verbose);
  }

  /// Parses the values of a query or form, for data whose end is known.
  ///
  /// @param where a format for the location of a value with this name
  /// @param defaults the options for null values
  /// @throws ProblemException 400 if a value is invalid
  static UploadOptions of(
      @Nullable String batches,
      @Nullable String codec,
      @Nullable String expires,
      String where,
      UploadOptions defaults) {
    return new UploadOptions(
            batches == null ? defaults.batches() : batchSizes(batches, where),
            codec == null ? defaults.codec() : codec(codec, where))
        .withExpiry(expires == null ? defaults.expiry() : expiry(expires, Instant.now(), where))
        .writtenBy(defaults.writer());
  }

  /// Parses an end: a time, a duration from now, or `never`.
  private static Expiry expiry(String value, Instant now, String where) {
    if (value.equals("never")) {
      return new Expiry.Never();
    }
    Expiry expiry = parsed(value);
    Instant end = null;
    try {
      end = expiry == null ? null : expiry.end(now, null);
    } catch (DateTimeException | ArithmeticException e) {
      // It is too late for a time.
    }
    if (expiry == null || end == null || !end.isAfter(now) || end.isAfter(LATEST)) {
      throw unexpected(
          "a time to come such as 2030-01-31T12:00:00Z, a duration such as 24h, or never",
          value,
          where.formatted("expires"));
    }
    return expiry;
  }

  private static @Nullable Expiry parsed(String value) {
    try {
      return new Expiry.At(Instant.parse(value));
    } catch (DateTimeParseException e) {
      // It may be a duration.
    }
    try {
      return new Expiry.After(DurationStyle.detectAndParse(value, ChronoUnit.SECONDS));
    } catch (IllegalArgumentException | ArithmeticException e) {
      return null;
    }
  }

  private static BatchSizes batchSizes(String value, String where) {
    if (value.equals("keep")) {
      return BatchSizes.PRESERVED;
    }
    throw unexpected("keep", value, where.formatted("batches"));
  }

  private static RequestedCodec codec(String value, String where) {
    for (Codec codec : Codec.values()) {
      if (codec.word().equals(value)) {
        return new RequestedCodec(codec);
      }
    }
    throw unexpected("none, lz4 or zstd", value, where.formatted("codec"));
  }

  private static ProblemException unexpected(String expected, String found, String where) {
    return Problem.badRequest(
        "Expected %s but found \"%s\" at %s"
            .formatted(expected, Excerpt.of(found, Problem.QUOTE_LENGTH), where));
  }
}

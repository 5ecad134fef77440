package dev.quiver.store.write;

import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.formats.FileParameters;
import dev.quiver.store.catalog.NextVersion;
import dev.quiver.store.catalog.VersionUpdate;
import dev.quiver.store.catalog.Writer;
import dev.quiver.store.version.Lineage;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The options by which an upload is stored.
///
/// @param requiresEndOfStream whether a stream that ends between two messages, without the
///   end-of-stream marker, is rejected. A producer that fails behind a pipe ends a chunked body in
///   the same way
/// @param digest called before the body is read
/// @param observer of the progress of the upload
/// @param lineage called after the body was read; the statement that computed it, or null
/// @param fileParameters called after the body was read; those by which it was read as a file of
///   text, or null
/// @param expiry the end of the version
/// @param writer the principal that sent it
/// @param schemaPolicy the schemas that an append may have
public record UploadOptions(
    BatchSizes batches,
    RequestedCodec codec,
    boolean requiresEndOfStream,
    BodyDigest digest,
    UploadObserver observer,
    Supplier<@Nullable Lineage> lineage,
    Supplier<@Nullable FileParameters> fileParameters,
    Expiry expiry,
    Writer writer,
    SchemaPolicy schemaPolicy) {

  private static final BodyDigest NO_DIGEST = () -> null;

  /// Batches of sizes that suit readers, in their original codec.
  public static final UploadOptions DEFAULT =
      new UploadOptions(BatchSizes.OPTIMIZED, RequestedCodec.PRESERVE);

  /// Batches as they arrived.
  public static final UploadOptions KEEP =
      new UploadOptions(BatchSizes.PRESERVED, RequestedCodec.PRESERVE);

  /// The options for data whose end is known without the end-of-stream marker.
  public UploadOptions(BatchSizes batches, RequestedCodec codec) {
    this(
        batches,
        codec,
        /* requiresEndOfStream= */ false,
        NO_DIGEST,
        UploadObserver.NONE,
        /* lineage= */ () -> null,
        /* fileParameters= */ () -> null,
        new Expiry.Unstated(),
        Writer.SERVICE,
        SchemaPolicy.DEFAULT);
  }

  /// Returns the same options for a stream that must have its end-of-stream marker, or need not.
  public UploadOptions withEndOfStream(boolean required) {
    return new UploadOptions(
        batches,
        codec,
        required,
        digest,
        observer,
        lineage,
        fileParameters,
        expiry,
        writer,
        schemaPolicy);
  }

  /// Returns the same options for a body that may have a digest.
  public UploadOptions withDigest(BodyDigest other) {
    return new UploadOptions(
        batches,
        codec,
        requiresEndOfStream,
        other,
        observer,
        lineage,
        fileParameters,
        expiry,
        writer,
        schemaPolicy);
  }

  /// Returns the same options with an observer.
  public UploadOptions observedBy(UploadObserver other) {
    return new UploadOptions(
        batches,
        codec,
        requiresEndOfStream,
        digest,
        other,
        lineage,
        fileParameters,
        expiry,
        writer,
        schemaPolicy);
  }

  /// Returns the same options for a body that a statement may compute.
  public UploadOptions withLineage(Supplier<@Nullable Lineage> other) {
    return new UploadOptions(
        batches,
        codec,
        requiresEndOfStream,
        digest,
        observer,
        other,
        fileParameters,
        expiry,
        writer,
        schemaPolicy);
  }

  /// Returns the same options for a body that may be a file of text.
  public UploadOptions withFileParameters(Supplier<@Nullable FileParameters> other) {
    return new UploadOptions(
        batches,
        codec,
        requiresEndOfStream,
        digest,
        observer,
        lineage,
        other,
        expiry,
        writer,
        schemaPolicy);
  }

  /// Returns the same options for a version with another end.
  public UploadOptions withExpiry(Expiry other) {
    return new UploadOptions(
        batches,
        codec,
        requiresEndOfStream,
        digest,
        observer,
        lineage,
        fileParameters,
        other,
        writer,
        schemaPolicy);
  }

  /// Returns the same options for a version of another writer.
  public UploadOptions writtenBy(Writer other) {
    return new UploadOptions(
        batches,
        codec,
        requiresEndOfStream,
        digest,
        observer,
        lineage,
        fileParameters,
        expiry,
        other,
        schemaPolicy);
  }

  /// Returns the same options for an append with other schemas.
  public UploadOptions withSchemaPolicy(SchemaPolicy other) {
    return new UploadOptions(
        batches,
        codec,
        requiresEndOfStream,
        digest,
        observer,
        lineage,
        fileParameters,
        expiry,
        writer,
        other);
  }

  /// Returns an update whose version also names the origin of its rows, and its end.
  public VersionUpdate describing(VersionUpdate update, InstantSource clock) {
    return newest -> {
      NextVersion next = update.applyTo(newest);
      if (next == null) {
        return null;
      }
      Instant before =
          newest != null && next.kind().isAppend() ? newest.summary().expiresAt() : null;
      return next.computedBy(lineage.get())
          .readBy(fileParameters.get())
          .expiringAt(expiry.end(clock.instant(), before));
    };
  }

  /// The schemas that an append may have.
  ///
  /// @param exactTypes whether it has to have the types of the dataset, and is not converted
  /// @param addsColumns whether the dataset gets the columns that it lacks
  public record SchemaPolicy(boolean exactTypes, boolean addsColumns) {

    /// An append is converted, and has only columns of the dataset.
    public static final SchemaPolicy DEFAULT =
        new SchemaPolicy(/* exactTypes= */ false, /* addsColumns= */ false);
  }

  /// The digest of a body.
  @FunctionalInterface
  public interface BodyDigest {

    /// Returns the SHA-256 of the body as hexadecimal digits, which the source of the body verifies
    /// at its end; null if unknown.
    @Nullable String sha256() throws IOException;
  }

  /// The treatment of very large and very small batches.
  public enum BatchSizes {
    /// Large batches are split, and runs of small ones are coalesced.
    OPTIMIZED,
    /// Batches stay as they arrived.
    PRESERVED
  }
}

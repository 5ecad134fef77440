package dev.quiver.store.catalog;

import dev.quiver.formats.FileParameters;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.BlobWriters;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.FileChecksums;
import dev.quiver.store.version.ImportSource;
import dev.quiver.store.version.Lineage;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.RememberedKeys;
import dev.quiver.store.version.UploadDigest;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The contents of a version that follows the latest one.
///
/// @param commitId the commit id of the write, which a compaction does not use
/// @param newest the latest version, even if that is a delete; null for the first version of a name
/// @param current the latest version, or null if it is a delete or has expired
/// @param isKeyed whether the write has an idempotency key. Only a repeated one asks for converted
///   columns
/// @param keys the remembered writes with idempotency keys
/// @param checksums of the written bytes
/// @param writer the id of the writer, or empty
record NextManifest(
    DatasetName name,
    String commitId,
    Catalog.@Nullable OpenManifest newest,
    Catalog.@Nullable OpenManifest current,
    NextVersion next,
    boolean isKeyed,
    RememberedKeys keys,
    FileChecksums checksums,
    String writer) {

  /// Returns the number of the version after the latest one.
  static long version(Catalog.@Nullable OpenManifest newest) {
    return newest == null ? 1 : Math.addExact(newest.summary().version(), 1);
  }

  /// Returns the manifest.
  ///
  /// The time of a commit is after that of the version before it, even if the clock was set back in
  /// between.
  Manifest committedAt(Instant now) {
    Instant before = newest == null ? Instant.MIN : newest.summary().committedAt();
    Instant time = now.isAfter(before) ? now : before.plusMillis(1);
    long version = version(newest);
    VersionSummary summary =
        new VersionSummary(
            name,
            version,
            current != null && next.kind() == VersionKind.COMPACTION
                ? current.summary().commitId()
                : commitId,
            next.kind(),
            current == null ? version : current.summary().firstVersion(),
            time,
            next.file(),
            source(version),
            expiresAt());
    return new Manifest(
        summary,
        newest == null ? null : newest.summary().commitId(),
        lastReplacement(version),
        keys,
        next.extents(),
        checksums,
        digest(),
        lineage(),
        isKeyed ? next.conversions() : List.of(),
        fileParameters(),
        writers(),
        List.of(),
        0,
        next.tail().byteSize(),
        /* tailChecksum= */ null);
  }

  private long lastReplacement(long version) {
    return switch (next.kind()) {
      case UPLOAD, EXTEND, DELETE -> version;
      case APPEND, COMPACTION -> current == null ? 0 : current.manifest().lastReplacement();
      case DAMAGED ->
          throw new IllegalStateException("Expected a write but found one of kind " + next.kind());
    };
  }

  /// Returns the statement of the version. A compaction keeps the statement of the version it
  /// compacts, whose rows are the same.
  private @Nullable Lineage lineage() {
    return current != null && next.kind() == VersionKind.COMPACTION
        ? current.manifest().lineage()
        : next.lineage();
  }

  /// Returns the parameters of the last file of text. Rows that are added otherwise leave them, and
  /// so does a compaction.
  private FileParameters fileParameters() {
    FileParameters read = next.fileParameters();
    if (read != null) {
      return read;
    }
    return switch (next.kind()) {
      case APPEND, EXTEND, COMPACTION ->
          current == null ? FileParameters.NONE : current.manifest().fileParameters();
      case UPLOAD, DELETE, DAMAGED -> FileParameters.NONE;
    };
  }

  /// Returns the writers of the data. Blobs of the version before keep their writers. Blobs of a
  /// compaction have the writer of most of what it compacted.
  private BlobWriters writers() {
    if (current == null) {
      return BlobWriters.NONE.next(List.of(), next.extents(), writer);
    }
    List<BlobExtent> before = current.manifest().extents();
    BlobWriters writers = current.manifest().writers();
    return writers.next(
        before,
        next.extents(),
        next.kind() == VersionKind.COMPACTION
            ? writers.ofCompacted(before, next.extents())
            : writer);
  }

  /// Returns when the version ends. A compaction ends with the version it compacts.
  private @Nullable Instant expiresAt() {
    return current != null && next.kind() == VersionKind.COMPACTION
        ? current.summary().expiresAt()
        : next.expiresAt();
  }

  /// Returns the digest sent with the upload, unless the bytes that were written are others.
  private @Nullable UploadDigest digest() {
    UploadDigest sent = next.digest();
    if (sent == null) {
      return null;
    }
    Integer written =
        switch (sent.form()) {
          case FILE -> checksums.file();
          case STREAM -> checksums.stream();
        };
    return written != null && written == sent.crc32c() ? sent : null;
  }

  /// Returns the file that was imported last. A deleted dataset keeps it, so that the same file is
  /// not imported again.
  private @Nullable ImportSource source(long version) {
    ImportSource imported = next.source();
    if (imported != null) {
      return imported.in(version);
    }
    return newest == null ? null : newest.summary().source();
  }
}

package dev.quiver.store.catalog;

import dev.quiver.formats.FileParameters;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.ColumnConversion;
import dev.quiver.store.version.ImportSource;
import dev.quiver.store.version.Lineage;
import dev.quiver.store.version.StoredFile;
import dev.quiver.store.version.UploadDigest;
import dev.quiver.store.version.VersionKind;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A version about to be committed.
///
/// @param tail the end of the file, after the extents; empty if a blob has it
/// @param source the imported file, or null to keep the source of the version before
/// @param digest the digest sent with the upload, or null
/// @param lineage the statement that computed the added rows, or null
/// @param conversions the columns that the write converted
/// @param fileParameters those by which the added rows were read from a file of text, or null
/// @param expiresAt when the version ends, or null
public record NextVersion(
    VersionKind kind,
    StoredFile file,
    List<BlobExtent> extents,
    MemorySegment tail,
    @Nullable ImportSource source,
    @Nullable UploadDigest digest,
    @Nullable Lineage lineage,
    List<ColumnConversion> conversions,
    @Nullable FileParameters fileParameters,
    @Nullable Instant expiresAt) {

  public static final NextVersion DELETE =
      new NextVersion(VersionKind.DELETE, StoredFile.NONE, List.of(), MemorySegment.NULL);

  public NextVersion {
    extents = List.copyOf(extents);
    conversions = List.copyOf(conversions);
  }

  public NextVersion(
      VersionKind kind, StoredFile file, List<BlobExtent> extents, MemorySegment tail) {
    this(
        kind,
        file,
        extents,
        tail,
        /* source= */ null,
        /* digest= */ null,
        /* lineage= */ null,
        /* conversions= */ List.of(),
        /* fileParameters= */ null,
        /* expiresAt= */ null);
  }

  /// Returns this version with its whole file in one blob, the end of the file included.
  public NextVersion in(BlobExtent blob) {
    return new NextVersion(
        kind,
        file,
        List.of(blob),
        MemorySegment.NULL,
        source,
        digest,
        lineage,
        conversions,
        fileParameters,
        expiresAt);
  }

  public NextVersion from(ImportSource imported) {
    return new NextVersion(
        kind,
        file,
        extents,
        tail,
        imported,
        digest,
        lineage,
        conversions,
        fileParameters,
        expiresAt);
  }

  public NextVersion withDigest(UploadDigest sent) {
    return new NextVersion(
        kind, file, extents, tail, source, sent, lineage, conversions, fileParameters, expiresAt);
  }

  public NextVersion computedBy(@Nullable Lineage statement) {
    return new NextVersion(
        kind,
        file,
        extents,
        tail,
        source,
        digest,
        statement,
        conversions,
        fileParameters,
        expiresAt);
  }

  public NextVersion converting(List<ColumnConversion> converted) {
    return new NextVersion(
        kind, file, extents, tail, source, digest, lineage, converted, fileParameters, expiresAt);
  }

  public NextVersion readBy(@Nullable FileParameters parameters) {
    return new NextVersion(
        kind, file, extents, tail, source, digest, lineage, conversions, parameters, expiresAt);
  }

  public NextVersion expiringAt(@Nullable Instant end) {
    return new NextVersion(
        kind, file, extents, tail, source, digest, lineage, conversions, fileParameters, end);
  }
}

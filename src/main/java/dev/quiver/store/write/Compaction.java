package dev.quiver.store.write;

import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.catalog.NextVersion;
import dev.quiver.store.catalog.VersionUpdate;
import dev.quiver.store.catalog.WriteTransaction;
import dev.quiver.store.file.CanonicalWriter;
import dev.quiver.store.file.LargeVersions;
import dev.quiver.store.file.SnapshotBytes;
import dev.quiver.store.file.StoredVersion;
import dev.quiver.store.file.VersionBuilder;
import dev.quiver.store.file.VersionCaches;
import dev.quiver.store.file.WrittenFile;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An update that combines many small blobs into one, and small record batches into larger ones.
///
/// The compacted data replaces its pieces in the version that is the latest at the commit, if that
/// version still has them. Concurrent appends do not conflict with it.
public final class Compaction implements VersionUpdate, AutoCloseable {

  private final BlobStore store;
  private final DatasetOptions options;
  private final VersionCaches caches;
  private final WriteTransaction transaction;
  private final Function<List<CompactionPlan.Input>, List<CompactionPlan.Run>> plan;
  private @Nullable List<Compacted> compacted;

  /// The permission to build the version, until it is committed.
  private @Nullable Permit turn;

  /// @param plan chooses the pieces to compact
  public Compaction(
      BlobStore store,
      DatasetOptions options,
      VersionCaches caches,
      WriteTransaction transaction,
      Function<List<CompactionPlan.Input>, List<CompactionPlan.Run>> plan) {
    this.store = store;
    this.options = options;
    this.caches = caches;
    this.transaction = transaction;
    this.plan = plan;
  }

  @Override
  public @Nullable NextVersion applyTo(Catalog.@Nullable OpenManifest newest) throws IOException {
    if (newest == null) {
      return null;
    }
    try (SnapshotBytes bytes = SnapshotBytes.openLazily(store, newest, caches)) {
      StoredVersion stored = StoredVersion.of(newest.summary(), bytes, caches);
      List<CompactionPlan.Input> pieces = pieces(stored);
      List<Compacted> replacements = compacted;
      if (replacements == null) {
        replacements = compacted(stored, pieces);
        compacted = replacements;
      }
      if (replacements.isEmpty()) {
        return null;
      }
      if (turn == null) {
        turn = LargeVersions.await(stored.summary().file().batches());
      }
      return version(stored, pieces, replacements);
    }
  }

  @Override
  public void close() {
    if (turn != null) {
      turn.close();
    }
  }

  /// Returns the pieces of a version.
  static List<CompactionPlan.Input> pieces(StoredVersion stored) {
    List<Block> batches = stored.footer().recordBatches();
    List<CompactionPlan.Input> pieces = new ArrayList<>();
    int batch = 0;
    long end = batches.isEmpty() ? 0 : batches.getFirst().offset();
    for (BlobExtent extent : stored.pieces(batches)) {
      end += extent.byteSize();
      int first = batch;
      while (batch < batches.size() && batches.get(batch).offset() < end) {
        batch++;
      }
      pieces.add(new CompactionPlan.Input(extent, first, batch - first));
    }
    return pieces;
  }

  private List<Compacted> compacted(StoredVersion stored, List<CompactionPlan.Input> pieces)
      throws IOException {
    List<Compacted> replacements = new ArrayList<>();
    for (CompactionPlan.Run run : plan.apply(pieces)) {
      List<CompactionPlan.Input> parts = pieces.subList(run.start(), run.end());
      List<BlobExtent> extents = parts.stream().map(CompactionPlan.Input::extent).toList();
      WrittenFile file = write(stored, parts.getFirst().firstBatch(), parts.getLast().endBatch());
      int batchesBefore = parts.getLast().endBatch() - parts.getFirst().firstBatch();
      if (parts.size() > 1 || file.recordBatches().size() < batchesBefore) {
        replacements.add(new Compacted(extents, file));
      }
    }
    return replacements;
  }

  private WrittenFile write(StoredVersion stored, int firstBatch, int endBatch) throws IOException {
    String key = transaction.newKey();
    CanonicalWriter writer = new CanonicalWriter(key, transaction.begin(key));
    writer.writeSchema(stored.schema());
    try (CompactedBatches batches =
        new CompactedBatches(stored, writer, options.batchBytes(), store.scratchFolder())) {
      stored.prefetchStatistics(firstBatch, endBatch, () -> {});
      for (int i = firstBatch; i < endBatch; i++) {
        batches.add(i);
      }
      batches.flush();
    }
    WrittenFile file =
        writer.finish(stored.schema(), Metadata.EMPTY, stored.summary().file().level());
    transaction.addSidecar(key, file.sidecar());
    return file;
  }

  /// Returns the version with the compacted data in place of its pieces, or null if the version no
  /// longer has all of them.
  private static @Nullable NextVersion version(
      StoredVersion stored, List<CompactionPlan.Input> pieces, List<Compacted> replacements)
      throws IOException {
    List<BlobExtent> extents = pieces.stream().map(CompactionPlan.Input::extent).toList();
    VersionBuilder builder = new VersionBuilder();
    if (Collections.indexOfSubList(extents, replacements.getFirst().pieces) == 0) {
      // Otherwise the blob of the first pieces would be kept for its schema alone.
      builder.addSchema(replacements.getFirst().file);
    } else {
      builder.addSchema(stored.schemaPieces());
    }
    for (Block block : stored.footer().dictionaries()) {
      builder.addDictionary(stored.pieces(block), block);
    }
    int piece = 0;
    for (Compacted replacement : replacements) {
      int start = Collections.indexOfSubList(extents, replacement.pieces);
      if (start < piece) {
        return null;
      }
      add(stored, pieces.subList(piece, start), builder);
      builder.addBatches(
          replacement.file.key(), replacement.file.recordBatches(), replacement.file.rows());
      piece = start + replacement.pieces.size();
    }
    add(stored, pieces.subList(piece, pieces.size()), builder);
    VersionSummary summary = stored.summary();
    return builder.build(
        VersionKind.COMPACTION,
        stored.schema(),
        stored.footer().customMetadata(),
        summary.file().codec(),
        summary.file().mixedCodecs(),
        summary.file().level());
  }

  private static void add(
      StoredVersion stored, List<CompactionPlan.Input> pieces, VersionBuilder builder) {
    if (pieces.isEmpty()) {
      return;
    }
    int start = pieces.getFirst().firstBatch();
    int end = pieces.getLast().endBatch();
    builder.addBatches(
        pieces.stream().map(CompactionPlan.Input::extent).toList(),
        stored.footer().recordBatches().subList(start, end),
        stored.rows(),
        start);
  }

  /// Pieces and the file that replaces them.
  private record Compacted(List<BlobExtent> pieces, WrittenFile file) {}
}

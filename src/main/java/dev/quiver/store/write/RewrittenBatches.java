package dev.quiver.store.write;

import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.file.StoredVersion;
import dev.quiver.store.file.VersionBuilder;
import dev.quiver.store.file.WrittenFile;
import dev.quiver.store.version.BlobExtent;
import java.util.ArrayList;
import java.util.List;

/// The stored batches that an append has rewritten, before another commit overtook it. If that
/// commit only added batches, the rewritten ones need not be rewritten again. Frequent small
/// appends therefore do not keep a long rewrite from its commit.
///
/// @param schema the schema in which they were rewritten
/// @param pieces the extents that they had before
/// @param parts the files with the rewritten batches, in order
record RewrittenBatches(Schema schema, List<BlobExtent> pieces, List<Part> parts) {

  RewrittenBatches {
    pieces = List.copyOf(pieces);
    parts = List.copyOf(parts);
  }

  /// The first batches of a file.
  record Part(WrittenFile file, int count) {}

  /// Returns no batches.
  static RewrittenBatches none(Schema schema) {
    return new RewrittenBatches(schema, List.of(), List.of());
  }

  /// Returns the number of batches.
  int count() {
    return parts.stream().mapToInt(Part::count).sum();
  }

  /// Returns the same batches if a version starts with them, otherwise none.
  ///
  /// @param target the schema in which its batches are needed
  RewrittenBatches in(StoredVersion stored, Schema target) {
    List<Block> batches = stored.footer().recordBatches();
    boolean isStart =
        schema.equals(target)
            && count() <= batches.size()
            && stored.pieces(batches.subList(0, count())).equals(pieces);
    return isStart ? this : none(target);
  }

  /// Returns all batches of a version, of which a file has those that follow these.
  RewrittenBatches followedBy(WrittenFile file, StoredVersion stored) {
    List<Block> batches = stored.footer().recordBatches();
    List<Part> all = new ArrayList<>(parts);
    all.add(new Part(file, batches.size() - count()));
    return new RewrittenBatches(schema, stored.pieces(batches), all);
  }

  /// Adds the batches to a version.
  void addTo(VersionBuilder version) {
    for (Part part : parts) {
      version.addBatches(
          part.file.key(), part.file.recordBatches().subList(0, part.count), part.file.rows());
    }
  }
}

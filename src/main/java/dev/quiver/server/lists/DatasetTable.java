package dev.quiver.server.lists;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.server.resource.Documents;
import dev.quiver.store.version.VersionSummary;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The list of datasets as record batches. The columns have the names that the members of the JSON
/// document have.
final class DatasetTable {

  private static final ArrowType UTF8 = new ArrowType.Utf8();
  private static final ArrowType INT64 = new ArrowType.Int(64, true);
  private static final ArrowType TIME = new ArrowType.Timestamp(TimeUnit.MILLISECOND, "UTC");

  static final Schema SCHEMA =
      Schema.of(
          Field.of("name", false, UTF8),
          Field.of("version", false, INT64),
          Field.of("kind", false, UTF8),
          Field.of("etag", false, UTF8),
          Field.of("rows", false, INT64),
          Field.of("batches", false, INT64),
          Field.of("bytes", false, INT64),
          Field.of("codec", true, UTF8),
          Field.of("modified", false, TIME),
          Field.of("expires", true, TIME));

  private DatasetTable() {}

  /// Returns a batch with a row for each dataset, in buffers of `allocator`.
  static RecordBatch batch(List<VersionSummary> datasets, SegmentAllocator allocator) {
    List<List<@Nullable Object>> columns =
        SCHEMA.fields().stream()
            .map(_ -> (List<@Nullable Object>) new ArrayList<@Nullable Object>())
            .toList();
    for (VersionSummary summary : datasets) {
      Documents.Version version = Documents.Version.of(summary);
      columns.get(0).add(version.name());
      columns.get(1).add(version.version());
      columns.get(2).add(version.kind());
      columns.get(3).add(version.etag());
      columns.get(4).add(version.rows());
      columns.get(5).add(version.batches());
      columns.get(6).add(version.bytes());
      columns.get(7).add(version.codec());
      columns.get(8).add(summary.committedAt().toEpochMilli());
      columns.get(9).add(summary.expiresAt() == null ? null : summary.expiresAt().toEpochMilli());
    }
    return new ArrayBuilder(allocator).recordBatch(SCHEMA, datasets.size(), columns);
  }
}

package dev.quiver.server.resource;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.arrow.statistics.ColumnStatistics;
import dev.quiver.arrow.statistics.LeafColumn;
import dev.quiver.arrow.text.JsonNumbers;
import dev.quiver.arrow.text.JsonText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Statistics of a leaf column in a record batch. A member is absent if it is unknown or does not
/// exist.
///
/// @param column the path of the column, joined by dots
/// @param min the lower bound in the JSON form of its type
/// @param max the upper bound in the JSON form of its type
/// @param exact false if a bound was truncated
/// @param nan true if a value is NaN
/// @param wholeMicroseconds whether all timestamps in nanoseconds with a zone are known to be whole
///   microseconds, or null in a column of other types
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ColumnStatisticsJson(
    String column,
    @Nullable Long nulls,
    @JsonRawValue @Nullable String min,
    @JsonRawValue @Nullable String max,
    @Nullable Boolean exact,
    @Nullable Boolean nan,
    @Nullable Boolean wholeMicroseconds) {

  /// Returns the statistics of the leaf columns of a batch.
  ///
  /// @param leaves the leaf columns of its schema
  public static List<ColumnStatisticsJson> of(
      List<LeafColumn> leaves, BatchStatistics batch, JsonNumbers numbers) {
    List<ColumnStatisticsJson> columns = new ArrayList<>();
    for (int i = 0; i < batch.columns().size(); i++) {
      columns.add(of(leaves.get(i), batch.columns().get(i), numbers));
    }
    return columns;
  }

  private static ColumnStatisticsJson of(
      LeafColumn leaf, ColumnStatistics statistics, JsonNumbers numbers) {
    String minimum = null;
    String maximum = null;
    if (statistics.minimum() != null) {
      ArrayData bounds = leaf.bounds(statistics);
      minimum = JsonText.of(bounds, 0, numbers);
      maximum = statistics.maximum() == null ? null : JsonText.of(bounds, 1, numbers);
    }
    return new ColumnStatisticsJson(
        leaf.path().toString(),
        statistics.nullCount() < 0 ? null : statistics.nullCount(),
        minimum,
        maximum,
        statistics.isExact() ? null : false,
        statistics.hasNan() ? true : null,
        leaf.field().hasZonedNanoseconds() ? statistics.isWholeMicroseconds() : null);
  }
}

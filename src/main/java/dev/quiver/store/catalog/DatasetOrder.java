package dev.quiver.store.catalog;

import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.VersionSummary;
import java.util.Comparator;
import java.util.function.ToLongFunction;

/// An order of datasets. Those with equal values follow each other by name.
///
/// @param descending whether the largest value, or the last name, comes first
public record DatasetOrder(Key key, boolean descending) {

  /// The order of a store, which lists names without reading all of them first.
  public static final DatasetOrder BY_NAME = new DatasetOrder(Key.NAME, /* descending= */ false);

  /// The property that decides.
  public enum Key {
    NAME(_ -> 0),
    MODIFIED(summary -> summary.committedAt().toEpochMilli()),
    BYTES(summary -> summary.file().byteSize()),
    ROWS(summary -> summary.file().rows());

    private final ToLongFunction<VersionSummary> value;

    Key(ToLongFunction<VersionSummary> value) {
      this.value = value;
    }
  }

  /// A place in the order, whether or not a dataset is there.
  ///
  /// @param value in milliseconds for [Key#MODIFIED], 0 for [Key#NAME]
  public record Position(long value, DatasetName name) {}

  /// Returns the place of a dataset.
  public Position position(VersionSummary summary) {
    return new Position(key.value.applyAsLong(summary), summary.name());
  }

  /// Returns a comparator of places, by which no two datasets are equal.
  public Comparator<Position> comparator() {
    Comparator<Position> byValue = Comparator.comparingLong(Position::value);
    Comparator<Position> byName = Comparator.comparing(Position::name);
    return key == Key.NAME && descending
        ? byName.reversed()
        : (descending ? byValue.reversed() : byValue).thenComparing(byName);
  }
}

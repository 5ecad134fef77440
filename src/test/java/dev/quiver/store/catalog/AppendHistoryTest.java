package dev.quiver.store.catalog;

import static dev.quiver.store.AgingDatasets.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.AgingDatasets;
import dev.quiver.store.Datasets;
import dev.quiver.store.StoragePolicy;
import dev.quiver.store.read.Selection;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.DatasetReplacedException;
import dev.quiver.store.version.EarlierStores;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.CompactionPolicy;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The rows since a version, in stores of this release and of the one before.
class AppendHistoryTest {

  private static final DatasetReference LATEST = new DatasetReference(NAME, null);

  @TempDir private Path folder;

  /// Each version has one row more than the one before, unless it is a compaction.
  private AgingDatasets open() throws IOException {
    return new AgingDatasets(folder, Retention.DEFAULT, VersionKind.APPEND);
  }

  private static long rowsSince(Datasets datasets, @Nullable Long version, long since)
      throws IOException {
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, version), since)) {
      return snapshot.select(Selection.ALL).rows();
    }
  }

  private static void replace(AgingDatasets aging) throws IOException {
    AgingDatasets.put(aging.datasets, NAME, AgingDatasets.body(9));
  }

  @Test
  void appendsAndCompactionsKeepTheRowsBefore() throws IOException {
    AgingDatasets aging = open();
    aging.put();
    aging.put();
    aging.put();
    aging.datasets.compact(NAME, new WriteCondition.None());
    aging.put();
    assertThat(aging.latestVersion()).isEqualTo(5);
    assertRowsSinceEach(aging.datasets);
    EarlierStores.convert(aging.store);
    assertRowsSinceEach(aging.on(aging.store));
    aging.put(aging.on(aging.store));
    assertThat(rowsSince(aging.on(aging.store), null, 5)).isEqualTo(1);
    assertThat(rowsSince(aging.on(aging.store), null, 1)).isEqualTo(4);
  }

  private static void assertRowsSinceEach(Datasets datasets) throws IOException {
    assertThat(rowsSince(datasets, null, 5)).isZero();
    assertThat(rowsSince(datasets, null, 4)).isEqualTo(1);
    assertThat(rowsSince(datasets, null, 3)).isEqualTo(1);
    assertThat(rowsSince(datasets, null, 2)).isEqualTo(2);
    assertThat(rowsSince(datasets, null, 1)).isEqualTo(3);
    assertThat(rowsSince(datasets, 3L, 1)).isEqualTo(2);
  }

  @Test
  void rowsAreCountedFromTheLastReplacement() throws IOException {
    AgingDatasets aging = open();
    aging.put();
    replace(aging);
    aging.put();
    assertReplacedBySecond(aging.datasets);
    EarlierStores.convert(aging.store);
    assertReplacedBySecond(aging.on(aging.store));
    aging.put(aging.on(aging.store));
    assertReplacedBySecond(aging.on(aging.store));
  }

  private static void assertReplacedBySecond(Datasets datasets) throws IOException {
    assertThat(rowsSince(datasets, 3L, 2)).isEqualTo(1);
    assertThatThrownBy(() -> rowsSince(datasets, null, 1))
        .isInstanceOfSatisfying(
            DatasetReplacedException.class, e -> assertThat(e.replacement()).isEqualTo(2))
        .hasMessage(
            "Expected only appends after version 1 but found that version 2 replaced the rows at"
                + " flights");
  }

  @Test
  void aDatasetThatWasCreatedAgainReplacesItsRows() throws IOException {
    AgingDatasets aging = open();
    aging.put();
    aging.datasets.delete(NAME, new WriteCondition.None());
    assertThatThrownBy(() -> rowsSince(aging.datasets, null, 1))
        .isInstanceOf(DatasetGoneException.class);
    AgingDatasets.put(aging.datasets, NAME, AgingDatasets.body(9));
    aging.put();
    for (long since = 1; since <= 2; since++) {
      long earlier = since;
      assertThatThrownBy(() -> rowsSince(aging.datasets, null, earlier))
          .isInstanceOfSatisfying(
              DatasetReplacedException.class, e -> assertThat(e.replacement()).isEqualTo(3));
    }
    assertThat(rowsSince(aging.datasets, null, 3)).isEqualTo(1);
  }

  @Test
  void anExpiredVersionNamesTheOldestOneKept() throws IOException {
    AgingDatasets aging = open();
    aging.put();
    aging.put();
    aging.clock.advanceHours(25);
    aging.put();
    aging.clock.advanceHours(1);
    aging.put();
    aging.collectGarbage();
    assertThat(aging.versions()).isEqualTo(List.of(4L, 3L, 2L));
    assertExpired(aging.datasets);
    EarlierStores.convert(aging.store);
    assertExpired(aging.on(aging.store));
  }

  private static void assertExpired(Datasets datasets) throws IOException {
    assertThat(rowsSince(datasets, null, 2)).isEqualTo(2);
    assertThatThrownBy(() -> rowsSince(datasets, null, 1))
        .isInstanceOfSatisfying(
            DatasetGoneException.class, e -> assertThat(e.oldest()).isEqualTo(2))
        .hasMessage(
            "Expected a retained version, the oldest of which is 2, but found an expired one at"
                + " flights@1");
  }

  @Test
  void reportsAReplacementEvenIfTheVersionHasExpired() throws IOException {
    AgingDatasets aging = open();
    aging.put();
    replace(aging);
    aging.put();
    aging.clock.advanceHours(25);
    aging.collectGarbage();
    assertThat(aging.versions()).isEqualTo(List.of(3L));
    assertThatThrownBy(() -> rowsSince(aging.datasets, null, 1))
        .isInstanceOfSatisfying(
            DatasetReplacedException.class, e -> assertThat(e.replacement()).isEqualTo(2));
    assertThatThrownBy(() -> rowsSince(aging.datasets, null, 2))
        .isInstanceOfSatisfying(
            DatasetGoneException.class, e -> assertThat(e.oldest()).isEqualTo(3));
  }

  @Test
  void aVersionBeyondTheLatestIsAskedAnewAtTheStore() throws IOException {
    AgingDatasets aging = open();
    aging.put();
    StoragePolicy stale =
        new StoragePolicy(Retention.DEFAULT, CompactionPolicy.NEVER, Duration.ofHours(1));
    try (Datasets other = new Datasets(aging.store, DatasetOptions.DEFAULT, stale)) {
      assertThat(rowsSince(other, null, 1)).isZero();
      aging.put();
      assertThat(rowsSince(other, null, 1)).isZero();
      assertThat(rowsSince(other, null, 2)).isZero();
      assertThat(other.summary(LATEST).version()).isEqualTo(2);
      assertThatThrownBy(() -> rowsSince(other, null, 3))
          .isInstanceOf(DatasetNotFoundException.class)
          .hasMessage("Expected a version up to 2 but found 3 at flights");
      assertThatThrownBy(() -> rowsSince(other, 1L, 2))
          .isInstanceOf(DatasetNotFoundException.class)
          .hasMessage("Expected a version up to 1 but found 2 at flights");
    }
  }
}

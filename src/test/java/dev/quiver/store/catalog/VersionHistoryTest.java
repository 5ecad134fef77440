package dev.quiver.store.catalog;

import static dev.quiver.store.AgingDatasets.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.AgingDatasets;
import dev.quiver.store.Datasets;
import dev.quiver.store.UnreliableStore;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionChange;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Cursors over the history of a dataset, as listeners have them.
class VersionHistoryTest {

  @TempDir private Path folder;

  /// Each version has one row more than the one before, unless it is a compaction.
  private AgingDatasets open(int versions) throws IOException {
    AgingDatasets aging = new AgingDatasets(folder, Retention.DEFAULT, VersionKind.APPEND);
    for (int i = 0; i < versions; i++) {
      aging.put();
    }
    return aging;
  }

  /// Returns the rest of a history as texts like `2 APPEND 1`, which ends with the rows.
  private static List<String> rest(VersionCursor cursor, VersionSummary latest) throws IOException {
    List<String> rest = new ArrayList<>();
    for (VersionChange change = cursor.next(latest); change != null; change = cursor.next(latest)) {
      VersionSummary summary = change.summary();
      rest.add(summary.version() + " " + summary.kind() + " " + change.rows());
    }
    return rest;
  }

  private static VersionCursor after(VersionHistory history, VersionSummary latest, long version)
      throws IOException {
    return Objects.requireNonNull(history.after(latest, version));
  }

  @Test
  void passesOverEachVersionOnceInOrder() throws IOException {
    AgingDatasets aging = open(3);
    aging.datasets.compact(NAME, new WriteCondition.None());
    aging.put();
    AgingDatasets.put(aging.datasets, NAME, AgingDatasets.body(9));
    VersionHistory history = aging.datasets.history();
    VersionSummary latest = history.latest(NAME, 0);
    VersionCursor cursor = after(history, latest, 1);
    assertThat(rest(cursor, latest))
        .containsExactly("2 APPEND 1", "3 APPEND 1", "5 APPEND 1", "6 UPLOAD 9");
    assertThat(cursor.seen()).isEqualTo(latest);
    assertThat(rest(cursor, latest)).isEmpty();
    assertThat(rest(history.startingAt(latest), latest)).containsExactly("6 UPLOAD 9");
  }

  @Test
  void startsWithTheVersionThatACompactionCompacted() throws IOException {
    AgingDatasets aging = open(3);
    aging.datasets.compact(NAME, new WriteCondition.None());
    VersionHistory history = aging.datasets.history();
    VersionSummary latest = history.latest(NAME, 0);
    assertThat(latest.kind()).isEqualTo(VersionKind.COMPACTION);
    VersionCursor cursor = history.startingAt(latest);
    assertThat(rest(cursor, latest)).containsExactly("3 APPEND 1");
    assertThat(cursor.seen()).isEqualTo(latest);
  }

  @Test
  void knowsNoPlaceBeforeADeletionOrBeyondTheLatestVersion() throws IOException {
    AgingDatasets aging = open(2);
    aging.datasets.delete(NAME, new WriteCondition.None());
    AgingDatasets.put(aging.datasets, NAME, AgingDatasets.body(4));
    VersionHistory history = aging.datasets.history();
    VersionSummary latest = history.latest(NAME, 0);
    assertThat(rest(after(history, latest, 3), latest)).containsExactly("4 UPLOAD 4");
    assertThat(rest(after(history, latest, 4), latest)).isEmpty();
    assertThat(history.after(latest, 2)).isNull();
    assertThat(history.after(latest, 5)).isNull();
  }

  @Test
  void endsWhereAVersionHasExpired() throws IOException {
    AgingDatasets aging = open(4);
    VersionHistory history = aging.datasets.history();
    VersionSummary latest = history.latest(NAME, 0);
    VersionCursor cursor = after(history, latest, 1);
    aging.store.delete(StoreKeys.manifest(NAME, 1));
    aging.store.delete(StoreKeys.manifest(NAME, 2));
    assertThatThrownBy(() -> cursor.next(latest))
        .isInstanceOf(DatasetGoneException.class)
        .hasMessageContaining("flights@2");
    assertThat(history.after(latest, 1)).isNull();
  }

  /// Another process commits ten versions between two questions to the store.
  @Test
  void anyNumberOfCursorsReadsEachManifestOnce() throws Exception {
    AgingDatasets aging = open(1);
    AtomicInteger opened = new AtomicInteger();
    UnreliableStore counting =
        new UnreliableStore(aging.store) {
          @Override
          public Blob open(String key) throws IOException {
            opened.incrementAndGet();
            return super.open(key);
          }
        };
    try (Datasets listening = aging.on(counting);
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      VersionHistory history = listening.history();
      VersionSummary first = history.latest(NAME, 0);
      for (int i = 0; i < 10; i++) {
        aging.put();
      }
      VersionSummary latest = history.latest(NAME, 11);
      opened.set(0);
      List<Future<List<String>>> told = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        VersionCursor cursor = after(history, first, 1);
        told.add(threads.submit(() -> rest(cursor, latest)));
      }
      for (Future<List<String>> each : told) {
        assertThat(each.get()).hasSize(10).endsWith("11 APPEND 1");
      }
      assertThat(opened).hasValue(9);
    }
  }
}

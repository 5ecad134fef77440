package dev.quiver.store.catalog;

import static dev.quiver.store.AgingDatasets.NAME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.AgingDatasets;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The listed and the kept versions of datasets whose small appends were compacted.
class VersionListingTest {

  @TempDir private Path folder;

  /// Writes versions 1 to 6; versions 4 and 6 are compactions.
  private AgingDatasets open(Retention retention) throws IOException {
    AgingDatasets aging = new AgingDatasets(folder, retention, VersionKind.APPEND);
    for (int i = 0; i < 3; i++) {
      aging.put();
    }
    aging.datasets.compact(NAME, new WriteCondition.None());
    aging.put();
    aging.datasets.compact(NAME, new WriteCondition.None());
    return aging;
  }

  @Test
  void listsCompactionsOnlyOnRequest() throws IOException {
    AgingDatasets aging = open(Retention.DEFAULT);
    assertThat(list(aging, false, 100))
        .containsExactly("5 APPEND", "3 APPEND", "2 APPEND", "1 UPLOAD");
    assertThat(list(aging, true, 100))
        .containsExactly(
            "6 COMPACTION", "5 APPEND", "4 COMPACTION", "3 APPEND", "2 APPEND", "1 UPLOAD");
    assertThat(aging.datasets.summary(new DatasetReference(NAME, null)).version()).isEqualTo(6);
  }

  @Test
  void listsTheSameVersionsInPagesOfAnySize() throws IOException {
    AgingDatasets aging = open(Retention.DEFAULT);
    for (int limit = 1; limit <= 7; limit++) {
      assertThat(list(aging, false, limit)).isEqualTo(list(aging, false, 100));
      assertThat(list(aging, true, limit)).isEqualTo(list(aging, true, 100));
    }
    aging.datasets.compact(NAME, new WriteCondition.None());
    assertThat(list(aging, false, 1)).isEqualTo(list(aging, false, 100));
  }

  /// A commit is listed once, whichever of its versions remain.
  @Test
  void listsACompactionWhoseAppendsWereDeleted() throws IOException {
    AgingDatasets aging = open(Retention.DEFAULT);
    aging.clock.advanceHours(25);
    aging.collectGarbage();
    assertThat(list(aging, false, 100)).containsExactly("6 COMPACTION");
    assertThat(list(aging, true, 1)).containsExactly("6 COMPACTION");
    aging.put();
    assertThat(list(aging, false, 1)).containsExactly("7 APPEND", "6 COMPACTION");
  }

  @Test
  void retentionCountsACompactionAndItsAppendOnce() throws IOException {
    AgingDatasets aging =
        open(new Retention(2, Duration.ZERO, Duration.ofHours(24), "the grace period"));
    aging.clock.advanceHours(25);
    aging.collectGarbage();
    assertThat(list(aging, true, 100)).containsExactly("6 COMPACTION", "5 APPEND", "4 COMPACTION");
    assertThat(list(aging, false, 100)).containsExactly("5 APPEND", "4 COMPACTION");
    for (long version = 4; version <= 6; version++) {
      try (Snapshot snapshot = aging.datasets.open(new DatasetReference(NAME, version))) {
        assertThat(snapshot.rows(0, snapshot.summary().file().batches() - 1))
            .isEqualTo(version == 4 ? 3 : 4);
        DatasetTestFolder.read(snapshot, snapshot.file());
      }
    }
    assertThat(aging.collectGarbage()).isEqualTo(GarbageStatistics.NOTHING);
  }

  @Test
  void listsNoVersionBeforeADelete() throws IOException {
    AgingDatasets aging = open(Retention.DEFAULT);
    aging.datasets.delete(NAME, new WriteCondition.None());
    aging.put();
    assertThat(list(aging, false, 100)).containsExactly("8 UPLOAD");
    assertThat(list(aging, true, 1)).containsExactly("8 UPLOAD");
  }

  /// Lists all versions, in pages of `limit`.
  private List<String> list(AgingDatasets aging, boolean compactions, int limit)
      throws IOException {
    List<String> all = new ArrayList<>();
    @Nullable Long before = null;
    List<VersionListing.Entry> page;
    do {
      page = aging.datasets.versions(NAME, before, limit, compactions);
      assertThat(page).hasSizeLessThanOrEqualTo(limit);
      for (VersionListing.Entry entry : page) {
        VersionSummary summary = entry.summary();
        all.add(summary.version() + " " + summary.kind());
        before = summary.version();
      }
    } while (!page.isEmpty());
    return all;
  }
}

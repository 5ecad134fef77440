package dev.quiver.store.catalog;

import static dev.quiver.Eventually.eventually;
import static dev.quiver.store.AgingDatasets.NAME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.AgingDatasets;
import dev.quiver.store.Datasets;
import dev.quiver.store.UnreliableStore;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionWatchTest {

  private static final DatasetReference LATEST = new DatasetReference(NAME, null);

  @TempDir private Path folder;

  private final List<Long> told = new CopyOnWriteArrayList<>();

  private AgingDatasets open() throws IOException {
    AgingDatasets aging = new AgingDatasets(folder, Retention.DEFAULT, VersionKind.APPEND);
    aging.put();
    return aging;
  }

  private VersionWatch.Registration await(Datasets datasets) throws IOException {
    return await(datasets, datasets.summary(LATEST));
  }

  private VersionWatch.Registration await(Datasets datasets, VersionSummary seen) {
    return datasets.watch().await(seen, latest -> told.add(latest.version()));
  }

  @Test
  void tellsACommitOfThisProcessBeforeItReturns() throws IOException {
    AgingDatasets aging = open();
    await(aging.datasets);
    aging.put();
    assertThat(told).containsExactly(2L);
    assertThat(aging.datasets.watch().datasets()).isZero();
    aging.put();
    assertThat(told).containsExactly(2L);
    await(aging.datasets);
    aging.datasets.delete(NAME, new WriteCondition.None());
    assertThat(told).containsExactly(2L, 4L);
  }

  @Test
  void tellsCommitsOfOtherProcesses() throws IOException {
    AgingDatasets aging = open();
    try (Datasets other = aging.on(aging.store)) {
      List<VersionWatch.Registration> many = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        many.add(await(other));
      }
      assertThat(other.watch().datasets()).isEqualTo(1);
      many.getFirst().close();
      aging.put();
      eventually(() -> assertThat(told).hasSize(99).containsOnly(2L));
      assertThat(other.watch().datasets()).isZero();
    }
  }

  @Test
  void tellsNoCompaction() throws IOException {
    AgingDatasets aging = open();
    aging.put();
    await(aging.datasets);
    aging.datasets.compact(NAME, new WriteCondition.None());
    assertThat(aging.latestVersion()).isEqualTo(3);
    aging.put();
    assertThat(told).containsExactly(4L);
  }

  @Test
  void reportsCommitsSinceTheCallerLooked() throws IOException {
    AgingDatasets aging = open();
    VersionSummary seen = aging.datasets.summary(LATEST);
    aging.put();
    await(aging.datasets, seen);
    eventually(() -> assertThat(told).containsExactly(2L));
  }

  @Test
  void asksForNoDatasetWithoutListeners() throws IOException {
    AgingDatasets aging = open();
    VersionWatch.Registration one = await(aging.datasets);
    VersionWatch.Registration other = await(aging.datasets);
    one.close();
    one.close();
    assertThat(aging.datasets.watch().datasets()).isEqualTo(1);
    other.close();
    assertThat(aging.datasets.watch().datasets()).isZero();
  }

  /// A listener that handles one version while the next is committed learns of that by itself,
  /// however many there are.
  @Test
  void aListenerThatComesBackAsksNothing() throws IOException {
    AgingDatasets aging = open();
    AtomicInteger asked = new AtomicInteger();
    UnreliableStore counting =
        new UnreliableStore(aging.store) {
          @Override
          public List<String> list(String prefix, @Nullable String after, int limit)
              throws IOException {
            asked.incrementAndGet();
            return super.list(prefix, after, limit);
          }

          @Override
          public boolean exists(String key) throws IOException {
            asked.incrementAndGet();
            return super.exists(key);
          }
        };
    try (Datasets replica = aging.on(counting)) {
      VersionSummary seen = replica.summary(LATEST);
      aging.put(replica);
      asked.set(0);
      for (int i = 0; i < 100; i++) {
        await(replica, seen);
      }
      eventually(() -> assertThat(told).hasSize(100).containsOnly(2L));
      assertThat(asked).hasValue(0);
    }
  }
}

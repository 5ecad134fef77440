package dev.quiver.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.AgingDatasets;
import dev.quiver.store.Datasets;
import dev.quiver.store.UnreliableStore;
import dev.quiver.store.blob.StoreUnavailableException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commits beside a clock that is set back, and a store that contradicts itself.
class CommitsTest {

  @TempDir private Path folder;
  private AgingDatasets aging;

  @BeforeEach
  void open() throws IOException {
    aging = new AgingDatasets(folder);
  }

  @Test
  void timesOfVersionsDoNotGoBack() throws IOException {
    VersionSummary first = aging.put(aging.datasets);
    aging.clock.advance(Duration.ofHours(-2));
    VersionSummary second = aging.put(aging.datasets);
    VersionSummary third = aging.put(aging.datasets);
    assertThat(second.committedAt()).isEqualTo(first.committedAt().plusMillis(1));
    assertThat(third.committedAt()).isEqualTo(first.committedAt().plusMillis(2));
    aging.clock.advanceHours(3);
    assertThat(aging.put(aging.datasets).committedAt()).isEqualTo(aging.clock.instant());
  }

  /// A bucket may say that a version exists which it does not list.
  @Test
  void commitEndsIfTheStoreKeepsAVersionThatItDoesNotList() throws IOException {
    aging.put();
    AtomicInteger refusals = new AtomicInteger();
    Datasets refused =
        aging.on(
            new UnreliableStore(aging.store) {
              @Override
              public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
                if (key.startsWith(StoreKeys.MANIFESTS)) {
                  refusals.incrementAndGet();
                  return false;
                }
                return super.putIfAbsent(key, content);
              }
            });
    assertThatThrownBy(() -> aging.put(refused))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage(
            "Expected the store to keep the version after 1 or to list another one but found"
                + " neither");
    assertThat(refusals.get()).isBetween(2, 30);
    assertThat(aging.datasets.summary(DatasetReference.parse("flights")).version()).isEqualTo(1);
  }
}

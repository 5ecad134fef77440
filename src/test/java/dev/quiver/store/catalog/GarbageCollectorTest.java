package dev.quiver.store.catalog;

import static dev.quiver.store.AgingDatasets.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.store.AgingDatasets;
import dev.quiver.store.Datasets;
import dev.quiver.store.InterruptedStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.StoreUnavailableException;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.Ulid;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The choice of garbage, and the cost of finding it. `GarbageCollectionRacesTest` covers
/// concurrent readers and writers.
class GarbageCollectorTest {

  private static final Duration DAY = Duration.ofHours(24);

  @TempDir private Path folder;
  private AgingDatasets aging;

  @BeforeEach
  void open() throws IOException {
    aging = new AgingDatasets(folder);
  }

  @Test
  void keepsTheLatestVersionAndThoseReplacedWithinADay() throws IOException {
    aging.put();
    aging.clock.advanceHours(30);
    aging.put();
    aging.clock.advanceHours(12);
    aging.put();
    assertThat(aging.collectGarbage()).isEqualTo(GarbageStatistics.NOTHING);
    aging.clock.advanceHours(12);
    assertThat(aging.collectGarbage()).isEqualTo(GarbageStatistics.NOTHING);
    assertThat(aging.versions()).containsExactly(3L, 2L, 1L);
    aging.clock.advanceHours(1);
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(1, 2));
    assertThat(aging.versions()).containsExactly(3L, 2L);
    aging.clock.advanceHours(24 * 365);
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(1, 2));
    assertThat(aging.collectGarbage()).isEqualTo(GarbageStatistics.NOTHING);
    assertThat(aging.versions()).containsExactly(3L);
    assertThat(aging.data()).hasSize(1);
    assertThat(aging.assertConsistent()).isEqualTo(3);
  }

  @Test
  void distinguishesCollectedVersionsFromUnknownOnes() throws IOException {
    aging.put();
    aging.put();
    aging.clock.advanceHours(25);
    aging.collectGarbage();
    assertThatThrownBy(() -> aging.datasets.open(DatasetReference.parse("flights@1")))
        .isInstanceOf(DatasetGoneException.class)
        .hasMessage(
            "Expected a retained version but found one that was replaced and then deleted at"
                + " flights@1");
    assertThatThrownBy(() -> aging.datasets.open(DatasetReference.parse("flights@3")))
        .isInstanceOf(DatasetNotFoundException.class);
  }

  /// The folder is gone before each of the operations in turn, and comes back afterwards.
  @Test
  void deletesNothingThatALostStoreNeeds() throws IOException {
    DatasetName other = new DatasetName("other");
    boolean isLost = true;
    for (int operation = 0; isLost; operation++) {
      Path root = folder.resolve("lost-" + operation);
      Path elsewhere = folder.resolve("elsewhere-" + operation);
      aging = new AgingDatasets(root);
      aging.put();
      aging.put();
      AgingDatasets.put(aging.datasets, other);
      aging.clock.advanceHours(50);
      InterruptedStore store = new InterruptedStore(aging.store);
      store.interrupt(operation, () -> Files.move(root, elsewhere));
      Datasets collecting = aging.on(store);
      try {
        collecting.collectGarbage();
        assertThat(store.wasInterrupted()).isFalse();
      } catch (StoreUnavailableException lost) {
        Files.move(elsewhere, root);
      }
      isLost = store.wasInterrupted();
      assertThat(isLost || operation > 3).isTrue();
      aging.assertConsistent();
      assertThat(aging.versions()).startsWith(2L);
      aging.datasets.open(new DatasetReference(other, null)).close();
    }
  }

  @Test
  void keepsTheConfiguredNumberOfLatestVersions() throws IOException {
    aging = new AgingDatasets(folder, new Retention(3, Duration.ZERO, DAY, "the grace period"));
    for (int i = 0; i < 5; i++) {
      aging.put();
    }
    aging.clock.advanceHours(24 * 365);
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(2, 4));
    assertThat(aging.versions()).containsExactly(5L, 4L, 3L);
    assertThat(aging.assertConsistent()).isEqualTo(3);
  }

  @Test
  void keepsReplacedVersionsUntilTheConfiguredAge() throws IOException {
    aging =
        new AgingDatasets(folder, new Retention(1, Duration.ofHours(100), DAY, "the grace period"));
    aging.put();
    aging.put();
    aging.clock.advanceHours(100);
    assertThat(aging.collectGarbage()).isEqualTo(GarbageStatistics.NOTHING);
    aging.clock.advanceHours(1);
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(1, 2));
  }

  /// Versions before a kept one stay, too, so that the kept ones are contiguous.
  @Test
  void keepsContiguousVersionsAlthoughAClockWasAhead() throws IOException {
    aging.put();
    aging.clock.advanceHours(30);
    aging.put();
    aging.clock.advanceHours(-29);
    aging.put();
    aging.clock.advanceHours(1);
    aging.put();
    aging.clock.advanceHours(26);
    assertThat(aging.collectGarbage()).isEqualTo(GarbageStatistics.NOTHING);
    assertThat(aging.versions()).containsExactly(4L, 3L, 2L, 1L);
    aging.clock.advanceHours(27);
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(3, 6));
  }

  @Test
  void keepsAYoungVersionWithAnOlderSuccessor() throws IOException {
    aging.clock.advanceHours(29);
    aging.put();
    aging.clock.advanceHours(-29);
    aging.put();
    aging.clock.advanceHours(28);
    assertThat(aging.collectGarbage()).isEqualTo(GarbageStatistics.NOTHING);
    aging.clock.advanceHours(26);
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(1, 2));
  }

  /// Deleted versions are kept only for the grace period, whatever the retention.
  @Test
  void collectsADeletedDatasetAfterTheGracePeriod() throws IOException {
    aging =
        new AgingDatasets(
            folder, new Retention(10, Duration.ofDays(1000), DAY, "the grace period"));
    aging.put();
    aging.put();
    aging.clock.advanceHours(100);
    aging.datasets.delete(NAME, new WriteCondition.None());
    aging.clock.advanceHours(24);
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(1, 2));
    aging.clock.advanceHours(1);
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(1, 2));
    assertThat(aging.data()).isEmpty();
    assertThatThrownBy(() -> aging.on(aging.store).open(DatasetReference.parse("flights")))
        .isInstanceOf(DatasetGoneException.class);
    AgingDatasets.put(aging.datasets, NAME, AgingDatasets.body(4));
    assertThat(aging.versions()).containsExactly(4L);
    aging.clock.advanceHours(25);
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(1, 0));
    assertThat(aging.store.list(StoreKeys.MANIFESTS, null, 9)).hasSize(1);
    aging.datasets.open(DatasetReference.parse("flights@4")).close();
  }

  @Test
  void deletesUnreferencedDataAfterTheGracePeriod() throws IOException {
    aging.put();
    String unreferenced = unreferencedData(NAME);
    String withoutVersions = unreferencedData(new DatasetName("empty"));
    putEmpty(StoreKeys.sidecar(withoutVersions));
    putEmpty(StoreKeys.newKeys(NAME, aging.clock.instant()));
    aging.clock.advanceHours(24);
    assertThat(aging.collectGarbage()).isEqualTo(GarbageStatistics.NOTHING);
    String young = unreferencedData(NAME);
    aging.clock.advanceHours(1);
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(0, 2));
    assertThat(aging.data()).contains(withoutVersions).doesNotContain(unreferenced);
    // The second run finds no version of the other name either.
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(0, 2));
    assertThat(aging.data())
        .hasSize(2)
        .contains(young)
        .doesNotContain(unreferenced, withoutVersions);
    assertThat(aging.blobs()).hasSize(3);
    assertThat(aging.assertConsistent()).isEqualTo(1);
  }

  /// As while a backup is restored, whose files keep their age.
  @Test
  void dataStaysWhileTheStoreHasNoManifests() throws IOException {
    aging.put();
    aging.put();
    aging.clock.advanceHours(25);
    List<String> data = aging.data();
    Path elsewhere = folder.resolve("elsewhere");
    Files.move(folder.resolve("manifests"), elsewhere);
    assertThat(aging.collectGarbage()).isEqualTo(GarbageStatistics.NOTHING);
    assertThat(aging.collectGarbage()).isEqualTo(GarbageStatistics.NOTHING);
    assertThat(aging.data()).isEqualTo(data);
    Files.move(elsewhere, folder.resolve("manifests"));
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(1, 2));
    assertThat(aging.assertConsistent()).isEqualTo(2);
  }

  @Test
  void ignoresForeignKeys() throws IOException {
    String id = Ulid.next(Instant.EPOCH);
    for (String key :
        List.of("data/readme", "data/" + id, "data/_a_/b/" + id, "data/_a_/c", "other/_a_/" + id)) {
      putEmpty(key);
    }
    assertThat(aging.collectGarbage()).isEqualTo(GarbageStatistics.NOTHING);
    assertThat(aging.store.list("", null, 9)).hasSize(5);
  }

  @Test
  void deletesNothingOfADatasetWithABrokenManifest() throws IOException {
    DatasetName other = new DatasetName("zoo");
    for (int i = 0; i < 4; i++) {
      aging.put();
      AgingDatasets.put(aging.datasets, other);
    }
    unreferencedData(NAME);
    aging.clock.advanceHours(25);
    List<String> manifests = aging.store.list("manifests/_flights_/", null, 9);
    for (String manifest : manifests) {
      Path file = folder.resolve(manifest);
      byte[] bytes = Files.readAllBytes(file);
      Files.write(file, new byte[] {'{', '"'});
      GarbageStatistics removed = aging.collectGarbage();
      assertThat(removed).isIn(GarbageStatistics.NOTHING, new GarbageStatistics(3, 6));
      assertThat(aging.versions(other)).containsExactly(4L);
      assertThat(aging.store.list("manifests/_flights_/", null, 9)).isEqualTo(manifests);
      assertThat(aging.store.list("data/_flights_/", null, 99)).hasSize(9);
      Files.write(file, bytes);
    }
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(3, 7));
    assertThat(aging.assertConsistent()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 100})
  void deletesTheSameGarbageWithAnyLimitOnKeys(int maximumKeys) throws IOException {
    List<DatasetName> names = new ArrayList<>();
    for (String name : List.of("a", "a-", "a-b", "a.b", "a_b", "a_", "ab", "B", "flights")) {
      names.add(new DatasetName(name));
    }
    for (int i = 0; i < 4; i++) {
      for (DatasetName name : names) {
        AgingDatasets.put(aging.datasets, name);
      }
    }
    unreferencedData(new DatasetName("a-a"));
    unreferencedData(new DatasetName("z"));
    aging.clock.advanceHours(25);
    AgingDatasets.put(aging.datasets, new DatasetName("young"));
    AgingDatasets.put(aging.datasets, new DatasetName("a-young"));
    GarbageCollector collector =
        new GarbageCollector(aging.store, Retention.DEFAULT, aging.clock, _ -> {}, maximumKeys);
    assertThat(collector.run())
        .isEqualTo(new GarbageStatistics(3 * names.size(), 6 * names.size()));
    assertThat(collector.run()).isEqualTo(new GarbageStatistics(0, 2));
    for (DatasetName name : names) {
      assertThat(aging.versions(name)).containsExactly(4L);
    }
    assertThat(aging.data()).hasSize(names.size() + 2);
  }

  @Test
  void readsManifestsOnlyOfDatasetsThatMayHaveGarbage() throws IOException {
    for (int i = 0; i < 40; i++) {
      AgingDatasets.put(aging.datasets, new DatasetName("a" + i));
    }
    InterruptedStore counting = new InterruptedStore(aging.store);
    Datasets other = aging.on(counting);
    other.collectGarbage();
    assertThat(counting.lists()).as("all versions are young").isEqualTo(1);
    assertThat(counting.opens()).isZero();
    aging.clock.advanceHours(25);
    counting.resetCounts();
    other.collectGarbage();
    assertThat(counting.lists()).as("some versions are old").isEqualTo(2);
    assertThat(counting.opens()).isEqualTo(40);
    counting.resetCounts();
    other.collectGarbage();
    assertThat(counting.lists()).as("nothing is garbage").isEqualTo(2);
    assertThat(counting.opens()).isZero();
    AgingDatasets.put(aging.datasets, new DatasetName("a7"));
    aging.datasets.delete(new DatasetName("a8"), new WriteCondition.None());
    counting.resetCounts();
    assertThat(other.collectGarbage()).isEqualTo(GarbageStatistics.NOTHING);
    assertThat(counting.opens()).as("two datasets have changed").isEqualTo(4);
    aging.clock.advanceHours(25);
    assertThat(other.collectGarbage()).isEqualTo(new GarbageStatistics(2, 4));
  }

  @Test
  void leavesAConsistentStoreWhereverItIsStopped() throws IOException {
    for (int i = 0; i < 4; i++) {
      aging.put();
    }
    aging.clock.advanceHours(25);
    GarbageStatistics removed = GarbageStatistics.NOTHING;
    for (int steps = 0; aging.blobs().size() > 2; steps++) {
      AtomicInteger left = new AtomicInteger(steps % 12);
      removed =
          removed.plus(
              Cancellation.when(() -> left.getAndDecrement() <= 0)
                  .call(aging.datasets::collectGarbage));
      aging.assertConsistent();
    }
    assertThat(removed).isEqualTo(new GarbageStatistics(3, 6));
  }

  private String unreferencedData(DatasetName name) throws IOException {
    return putEmpty(StoreKeys.newData(name, aging.clock.instant()));
  }

  private String putEmpty(String key) throws IOException {
    try (BlobUpload upload = aging.store.begin(key)) {
      upload.commit();
    }
    return key;
  }
}

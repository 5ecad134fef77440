package dev.quiver.dataset.catalog;

import static dev.quiver.dataset.AgingDatasets.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.dataset.AgingDatasets;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.InterruptedStore;
import dev.quiver.dataset.version.DatasetGoneException;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.DatasetNotFoundException;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.Ulid;
import dev.quiver.dataset.version.WriteCondition;
import dev.quiver.storage.BlobUpload;
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

/// The choice of garbage, and the cost of finding it. Concurrent work is in
/// `GarbageCollectionRacesTest`.
class GarbageCollectorTest {

  private static final Duration DAY = Duration.ofHours(24);

  @TempDir private Path folder;
  private AgingDatasets aging;

  @BeforeEach
  void open() throws IOException {
    aging = new AgingDatasets(folder);
  }

  @Test
  void keepsTheNewestAndWhatWasReplacedInADay() throws IOException {
    aging.put();
    aging.clock.advanceHours(30);
    aging.put();
    aging.clock.advanceHours(12);
    aging.put();
    assertThat(aging.remove()).isEqualTo(GarbageStatistics.NOTHING);
    aging.clock.advanceHours(12);
    assertThat(aging.remove()).isEqualTo(GarbageStatistics.NOTHING);
    assertThat(aging.versions()).containsExactly(3L, 2L, 1L);
    aging.clock.advanceHours(1);
    assertThat(aging.remove()).isEqualTo(new GarbageStatistics(1, 1));
    assertThat(aging.versions()).containsExactly(3L, 2L);
    aging.clock.advanceHours(24 * 365);
    assertThat(aging.remove()).isEqualTo(new GarbageStatistics(1, 1));
    assertThat(aging.remove()).isEqualTo(GarbageStatistics.NOTHING);
    assertThat(aging.versions()).containsExactly(3L);
    assertThat(aging.data()).hasSize(1);
    assertThat(aging.assertWhole()).isEqualTo(3);
  }

  @Test
  void tellsRemovedVersionsFromThoseThatNeverWere() throws IOException {
    aging.put();
    aging.put();
    aging.clock.advanceHours(25);
    aging.remove();
    assertThatThrownBy(() -> aging.datasets.open(DatasetReference.parse("flights@1")))
        .isInstanceOf(DatasetGoneException.class)
        .hasMessage(
            "Expected a retained version but found one that was replaced and then deleted at"
                + " flights@1");
    assertThatThrownBy(() -> aging.datasets.open(DatasetReference.parse("flights@3")))
        .isInstanceOf(DatasetNotFoundException.class);
  }

  @Test
  void keepsSoManyOfTheNewest() throws IOException {
    aging =
        new AgingDatasets(
            folder, new Retention(3, Duration.ZERO, new GracePeriod("the grace period", DAY)));
    for (int i = 0; i < 5; i++) {
      aging.put();
    }
    aging.clock.advanceHours(24 * 365);
    assertThat(aging.remove()).isEqualTo(new GarbageStatistics(2, 2));
    assertThat(aging.versions()).containsExactly(5L, 4L, 3L);
    assertThat(aging.assertWhole()).isEqualTo(3);
  }

  @Test
  void keepsWhatIsNotOfAgeYet() throws IOException {
    aging =
        new AgingDatasets(
            folder,
            new Retention(1, Duration.ofHours(100), new GracePeriod("the grace period", DAY)));
    aging.put();
    aging.put();
    aging.clock.advanceHours(100);
    assertThat(aging.remove()).isEqualTo(GarbageStatistics.NOTHING);
    aging.clock.advanceHours(1);
    assertThat(aging.remove()).isEqualTo(new GarbageStatistics(1, 1));
  }

  /// The kept versions are one run, even if a writer's clock was ahead.
  @Test
  void stopsAtTheFirstThatIsKept() throws IOException {
    aging.put();
    aging.clock.advanceHours(30);
    aging.put();
    aging.clock.advanceHours(-29);
    aging.put();
    aging.clock.advanceHours(1);
    aging.put();
    aging.clock.advanceHours(26);
    assertThat(aging.remove()).isEqualTo(GarbageStatistics.NOTHING);
    assertThat(aging.versions()).containsExactly(4L, 3L, 2L, 1L);
    aging.clock.advanceHours(27);
    assertThat(aging.remove()).isEqualTo(new GarbageStatistics(3, 3));
  }

  @Test
  void keepsWhatIsYoungThoughItWasReplacedLongAgo() throws IOException {
    aging.clock.advanceHours(29);
    aging.put();
    aging.clock.advanceHours(-29);
    aging.put();
    aging.clock.advanceHours(28);
    assertThat(aging.remove()).isEqualTo(GarbageStatistics.NOTHING);
    aging.clock.advanceHours(26);
    assertThat(aging.remove()).isEqualTo(new GarbageStatistics(1, 1));
  }

  /// A version that cannot be read any more is kept for the grace alone.
  @Test
  void removesWhatWasDeletedWhateverIsKept() throws IOException {
    aging =
        new AgingDatasets(
            folder,
            new Retention(10, Duration.ofDays(1000), new GracePeriod("the grace period", DAY)));
    aging.put();
    aging.put();
    aging.clock.advanceHours(100);
    aging.datasets.delete(NAME, new WriteCondition.None());
    aging.clock.advanceHours(24);
    assertThat(aging.remove()).isEqualTo(new GarbageStatistics(1, 1));
    aging.clock.advanceHours(1);
    assertThat(aging.remove()).isEqualTo(new GarbageStatistics(1, 1));
    assertThat(aging.data()).isEmpty();
    assertThatThrownBy(() -> aging.on(aging.store).open(DatasetReference.parse("flights")))
        .isInstanceOf(DatasetGoneException.class);
    AgingDatasets.put(aging.datasets, NAME, AgingDatasets.body(4));
    assertThat(aging.versions()).containsExactly(4L);
    aging.clock.advanceHours(25);
    assertThat(aging.remove()).isEqualTo(new GarbageStatistics(1, 0));
    assertThat(aging.store.list(StoreKeys.MANIFESTS, null, 9)).hasSize(1);
    aging.datasets.open(DatasetReference.parse("flights@4")).close();
  }

  @Test
  void removesDataThatNoVersionNames() throws IOException {
    aging.put();
    String unnamed = data(NAME);
    String withoutVersions = data(new DatasetName("nobody"));
    aging.clock.advanceHours(24);
    assertThat(aging.remove()).isEqualTo(GarbageStatistics.NOTHING);
    String young = data(NAME);
    aging.clock.advanceHours(1);
    assertThat(aging.remove()).isEqualTo(new GarbageStatistics(0, 2));
    assertThat(aging.data()).hasSize(2).contains(young).doesNotContain(unnamed, withoutVersions);
    assertThat(aging.assertWhole()).isEqualTo(1);
  }

  @Test
  void leavesAloneWhatIsNotOurs() throws IOException {
    String id = Ulid.next(Instant.EPOCH);
    for (String key :
        List.of("data/readme", "data/" + id, "data/_a_/b/" + id, "data/_a_/c", "other/_a_/" + id)) {
      begin(key);
    }
    assertThat(aging.remove()).isEqualTo(GarbageStatistics.NOTHING);
    assertThat(aging.store.list("", null, 9)).hasSize(5);
  }

  @Test
  void removesNothingOfANameWithAManifestThatCannotBeRead() throws IOException {
    DatasetName other = new DatasetName("zoo");
    for (int i = 0; i < 4; i++) {
      aging.put();
      AgingDatasets.put(aging.datasets, other);
    }
    data(NAME);
    aging.clock.advanceHours(25);
    List<String> manifests = aging.store.list("manifests/_flights_/", null, 9);
    for (String manifest : manifests) {
      Path file = folder.resolve(manifest);
      byte[] bytes = Files.readAllBytes(file);
      Files.write(file, new byte[] {'{', '"'});
      GarbageStatistics removed = aging.remove();
      assertThat(removed).isIn(GarbageStatistics.NOTHING, new GarbageStatistics(3, 3));
      assertThat(aging.versions(other)).containsExactly(4L);
      assertThat(aging.store.list("manifests/_flights_/", null, 9)).isEqualTo(manifests);
      assertThat(aging.store.list("data/_flights_/", null, 9)).hasSize(5);
      Files.write(file, bytes);
    }
    assertThat(aging.remove()).isEqualTo(new GarbageStatistics(3, 4));
    assertThat(aging.assertWhole()).isEqualTo(4);
  }

  /// However few keys are held at once.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 100})
  void goesThroughTheStoreInPieces(int maximumKeys) throws IOException {
    List<DatasetName> names = new ArrayList<>();
    for (String name : List.of("a", "a-", "a-b", "a.b", "a_b", "a_", "ab", "B", "flights")) {
      names.add(new DatasetName(name));
    }
    for (int i = 0; i < 4; i++) {
      for (DatasetName name : names) {
        AgingDatasets.put(aging.datasets, name);
      }
    }
    data(new DatasetName("a-a"));
    data(new DatasetName("z"));
    aging.clock.advanceHours(25);
    AgingDatasets.put(aging.datasets, new DatasetName("young"));
    AgingDatasets.put(aging.datasets, new DatasetName("a-young"));
    GarbageCollector removal =
        new GarbageCollector(aging.store, Retention.DEFAULT, aging.clock, maximumKeys);
    assertThat(removal.run(() -> true))
        .isEqualTo(new GarbageStatistics(3 * names.size(), 3 * names.size() + 2));
    for (DatasetName name : names) {
      assertThat(aging.versions(name)).containsExactly(4L);
    }
    assertThat(aging.data()).hasSize(names.size() + 2);
  }

  @Test
  void readsManifestsOnlyWhereSomethingMayGo() throws IOException {
    for (int i = 0; i < 40; i++) {
      AgingDatasets.put(aging.datasets, new DatasetName("a" + i));
    }
    InterruptedStore counting = new InterruptedStore(aging.store);
    Datasets other = aging.on(counting);
    other.removeExpired(() -> true);
    assertThat(counting.lists()).as("all are young").isEqualTo(1);
    assertThat(counting.opens()).isZero();
    aging.clock.advanceHours(25);
    counting.count();
    other.removeExpired(() -> true);
    assertThat(counting.lists()).as("some are old").isEqualTo(2);
    assertThat(counting.opens()).isEqualTo(40);
    counting.count();
    other.removeExpired(() -> true);
    assertThat(counting.lists()).as("nothing can go").isEqualTo(2);
    assertThat(counting.opens()).isZero();
    AgingDatasets.put(aging.datasets, new DatasetName("a7"));
    aging.datasets.delete(new DatasetName("a8"), new WriteCondition.None());
    counting.count();
    assertThat(other.removeExpired(() -> true)).isEqualTo(GarbageStatistics.NOTHING);
    assertThat(counting.opens()).as("two have changed").isEqualTo(4);
    aging.clock.advanceHours(25);
    assertThat(other.removeExpired(() -> true)).isEqualTo(new GarbageStatistics(2, 2));
  }

  /// Stopped anywhere, what is left is right.
  @Test
  void stopsWhenItIsTold() throws IOException {
    for (int i = 0; i < 4; i++) {
      aging.put();
    }
    aging.clock.advanceHours(25);
    GarbageStatistics removed = GarbageStatistics.NOTHING;
    for (int steps = 0; aging.data().size() > 1; steps++) {
      AtomicInteger left = new AtomicInteger(steps % 12);
      removed = removed.plus(aging.datasets.removeExpired(() -> left.getAndDecrement() > 0));
      aging.assertWhole();
    }
    assertThat(removed).isEqualTo(new GarbageStatistics(3, 3));
  }

  private String data(DatasetName name) throws IOException {
    return begin(StoreKeys.newData(name, aging.clock.instant()));
  }

  private String begin(String key) throws IOException {
    try (BlobUpload upload = aging.store.begin(key)) {
      upload.commit();
    }
    return key;
  }
}

package dev.quiver.dataset.catalog;

import static dev.quiver.dataset.AgingDatasets.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.dataset.AgingDatasets;
import dev.quiver.dataset.DatasetTestFolder;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.InterruptedStore;
import dev.quiver.dataset.UnreliableStore;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.DatasetGoneException;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.VersionKind;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.memory.ByteSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Garbage collection, readers and writers, one of which is paused for hours or days before any of
/// its operations on the store. The choice of garbage is in `GarbageCollectorTest`.
class GarbageCollectionRacesTest {

  private static final DatasetReference NEWEST = new DatasetReference(NAME, null);

  @TempDir private Path folder;
  private int stores;

  /// One of the two that meet, which is paused.
  interface Paused {
    void run(AgingDatasets aging, Datasets datasets) throws IOException;
  }

  /// The actions of the others meanwhile.
  interface Meanwhile {
    void run(AgingDatasets aging) throws IOException;
  }

  /// Does both in a new store for each operation before which the first can be paused, and checks
  /// what is left, then and when all that is old is removed.
  private void pauseAnywhere(Meanwhile before, Paused paused, Meanwhile meanwhile)
      throws IOException {
    pauseAnywhere(VersionKind.UPLOAD, before, paused, meanwhile);
    pauseAnywhere(VersionKind.APPEND, before, paused, meanwhile);
  }

  private void pauseAnywhere(VersionKind kind, Meanwhile before, Paused paused, Meanwhile meanwhile)
      throws IOException {
    boolean wasInterrupted = true;
    for (int operation = 0; wasInterrupted; operation++) {
      AgingDatasets aging =
          new AgingDatasets(folder.resolve("paused-" + stores++), Retention.DEFAULT, kind);
      InterruptedStore store = new InterruptedStore(aging.store);
      Datasets datasets = aging.on(store);
      // It looks later for the version that it saw then.
      aging.put();
      datasets.open(NEWEST).close();
      before.run(aging);
      store.interrupt(operation, () -> meanwhile.run(aging));
      paused.run(aging, datasets);
      wasInterrupted = store.wasInterrupted();
      assertThat(wasInterrupted || operation > 0).isTrue();
      aging.assertWhole();
      aging.clock.advanceHours(50);
      aging.remove();
      assertThat(aging.versions()).hasSize(1);
      assertThat(aging.data()).hasSize(kind == VersionKind.APPEND ? aging.newest() : 1);
      aging.assertWhole();
    }
  }

  private static void put(AgingDatasets aging, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      aging.put();
    }
  }

  private static void putAndRemove(AgingDatasets aging) throws IOException {
    aging.clock.advanceHours(25);
    put(aging, 20);
    aging.clock.advanceHours(25);
    put(aging, 1);
    aging.remove();
  }

  private static void remove(AgingDatasets aging, Datasets datasets) throws IOException {
    datasets.removeExpired(() -> true);
  }

  @Test
  void readersSeeTheNewest() throws IOException {
    pauseAnywhere(
        aging -> put(aging, 4),
        (aging, reader) -> {
          try (Snapshot snapshot = reader.open(NEWEST)) {
            // The newest when it began, or when it went on.
            assertThat(snapshot.summary().version()).isIn(5L, 26L);
            AgingDatasets.assertReadable(snapshot);
          }
        },
        GarbageCollectionRacesTest::putAndRemove);
  }

  @Test
  void readersThatNeverSawTheNameSeeTheNewest() throws IOException {
    boolean wasInterrupted = true;
    for (int operation = 0; wasInterrupted; operation++) {
      AgingDatasets aging = new AgingDatasets(folder.resolve("new-" + operation));
      put(aging, 5);
      InterruptedStore store = new InterruptedStore(aging.store);
      store.interrupt(operation, () -> putAndRemove(aging));
      try (Snapshot snapshot = aging.on(store).open(NEWEST)) {
        assertThat(snapshot.summary().version()).isIn(5L, 26L);
        AgingDatasets.assertReadable(snapshot);
      }
      wasInterrupted = store.wasInterrupted();
      assertThat(wasInterrupted || operation > 0).isTrue();
    }
  }

  @Test
  void readersSeeTheNewestAfterTheyWerePaused() throws IOException {
    pauseAnywhere(
        aging -> {},
        (aging, reader) -> {
          reader.open(NEWEST).close();
          try (Snapshot snapshot = reader.open(NEWEST)) {
            assertThat(snapshot.summary().version()).isIn(1L, 22L);
          }
          assertThat(reader.summary(NEWEST).version()).isIn(1L, 22L);
        },
        GarbageCollectionRacesTest::putAndRemove);
    AgingDatasets aging = new AgingDatasets(folder.resolve("after"));
    Datasets reader = aging.on(aging.store);
    aging.put();
    reader.open(NEWEST).close();
    putAndRemove(aging);
    assertThat(reader.summary(NEWEST).version()).isEqualTo(22);
  }

  @Test
  void readersOfAVersionReadItOrHearThatItIsGone() throws IOException {
    pauseAnywhere(
        aging -> put(aging, 4),
        (aging, reader) -> {
          try (Snapshot snapshot = reader.open(new DatasetReference(NAME, 3L))) {
            assertThat(snapshot.summary().version()).isEqualTo(3);
            AgingDatasets.assertReadable(snapshot);
          } catch (DatasetGoneException e) {
            assertThat(e)
                .hasMessage(
                    "Expected a retained version but found one that was replaced and then"
                        + " deleted at flights@3");
          }
        },
        GarbageCollectionRacesTest::putAndRemove);
  }

  @Test
  void listsShowOnlyWhatIsThere() throws IOException {
    pauseAnywhere(
        aging -> put(aging, 4),
        (aging, reader) -> {
          List<Long> versions =
              reader.versions(NAME, null, 100).stream().map(VersionSummary::version).toList();
          // As many as were there when each was read, from the newest down.
          assertThat(versions).isNotEmpty();
          assertThat(versions.getFirst()).isIn(5L, 26L);
          assertThat(versions)
              .isEqualTo(
                  LongStream.range(0, versions.size())
                      .mapToObj(i -> versions.getFirst() - i)
                      .toList());
        },
        GarbageCollectionRacesTest::putAndRemove);
    pauseAnywhere(
        aging -> put(aging, 4),
        (aging, reader) ->
            assertThat(reader.list(null, 9)).extracting(VersionSummary::version).hasSize(1),
        GarbageCollectionRacesTest::putAndRemove);
  }

  @Test
  void twoRemovalsAreAsOne() throws IOException {
    Meanwhile some =
        aging -> {
          put(aging, 5);
          aging.clock.advanceHours(25);
          put(aging, 2);
        };
    pauseAnywhere(some, GarbageCollectionRacesTest::remove, AgingDatasets::remove);
    pauseAnywhere(
        some, GarbageCollectionRacesTest::remove, GarbageCollectionRacesTest::putAndRemove);
  }

  /// A writer that is late by any number of hours has its version, or hears that it has none.
  @Test
  void removalsLoseNothingThatIsWrittenMeanwhile() throws IOException {
    Meanwhile some =
        aging -> {
          put(aging, 3);
          aging.clock.advanceHours(25);
        };
    pauseAnywhere(some, GarbageCollectionRacesTest::remove, AgingDatasets::put);
    for (int hours : new int[] {1, 11, 13, 26}) {
      pauseAnywhere(
          some,
          GarbageCollectionRacesTest::remove,
          aging -> {
            aging.put();
            aging.clock.advanceHours(hours);
            aging.put();
          });
    }
  }

  /// The rows of a writer that was paused are in the newest version, or it gets an error.
  @Test
  void writersAreNotLostThatOthersOvertake() throws IOException {
    pauseAnywhere(
        VersionKind.APPEND,
        aging -> put(aging, 4),
        (aging, writer) -> {
          try {
            aging.put(writer);
            assertThat(aging.newest()).isIn(6, 27);
          } catch (IOException e) {
            assertLate(e);
          }
        },
        GarbageCollectionRacesTest::putAndRemove);
  }

  @Test
  void writersWhoseDataWereRemovedHearIt() throws IOException {
    pauseAnywhere(
        VersionKind.APPEND,
        aging -> put(aging, 4),
        (aging, writer) -> {
          try {
            aging.put(writer);
            assertThat(aging.newest()).isEqualTo(6);
          } catch (IOException e) {
            assertLate(e);
          }
        },
        aging -> {
          aging.clock.advanceHours(30);
          aging.remove();
        });
  }

  /// Until its writer takes it back, what was put under the number of a removed version is not
  /// taken for the newest, also not by those who saw that number when it was.
  @Test
  void nobodySeesWhatIsPutTooLate() throws IOException {
    AgingDatasets aging = new AgingDatasets(folder, Retention.DEFAULT, VersionKind.APPEND);
    Datasets other = aging.on(aging.store);
    put(aging, 5);
    List<String> late = new ArrayList<>();
    Datasets writer =
        aging.on(
            new UnreliableStore(aging.store) {
              @Override
              public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
                aging.put();
                assertThat(other.summary(NEWEST).version()).isEqualTo(6);
                putAndRemove(aging);
                assertThat(super.putIfAbsent(key, content)).isTrue();
                late.add(key);
                assertThat(other.summary(NEWEST).version()).isEqualTo(27);
                return true;
              }
            });
    assertThatThrownBy(() -> aging.put(writer)).isInstanceOf(IOException.class);
    assertThat(late).hasSize(1);
    assertThat(aging.store.exists(late.getFirst())).isFalse();
    assertThat(other.summary(NEWEST).file().rows()).isEqualTo(27);
    aging.assertWhole();
  }

  private static void assertLate(IOException e) {
    assertThat(e.getMessage())
        .matches(
            "Expected a blob begun at most PT12H ago, half of the grace period, but found one"
                + " begun PT\\d+H ago at data/_flights_/[0-9a-z]{26}\\.arrow"
                + "|Expected version 6 but found it deleted before its commit was confirmed at"
                + " flights");
  }

  @Test
  void removalsAndCompactionsDoNotHarmEachOther() throws IOException {
    Meanwhile compactAndCollect =
        aging -> {
          aging.put();
          aging.datasets.compact(NAME);
          aging.clock.advanceHours(26);
          aging.put();
          aging.datasets.compact(NAME);
          aging.remove();
        };
    compactAnywhere((aging, paused) -> remove(aging, paused), compactAndCollect);
    compactAnywhere((aging, paused) -> compact(paused), compactAndCollect);
    compactAnywhere(
        (aging, paused) -> compact(paused),
        aging -> {
          aging.clock.advanceHours(26);
          aging.remove();
        });
  }

  private static void compact(Datasets datasets) throws IOException {
    try {
      datasets.compact(NAME);
    } catch (IOException e) {
      assertThat(e.getMessage())
          .startsWith("Expected a blob begun at most PT12H ago, half of the grace period");
    }
  }

  private void compactAnywhere(Paused paused, Meanwhile meanwhile) throws IOException {
    boolean wasInterrupted = true;
    for (int operation = 0; wasInterrupted; operation++) {
      AgingDatasets aging =
          new AgingDatasets(
              folder.resolve("compacted-" + stores++), Retention.DEFAULT, VersionKind.APPEND);
      put(aging, 6);
      aging.datasets.compact(NAME);
      put(aging, 3);
      aging.clock.advanceHours(25);
      InterruptedStore store = new InterruptedStore(aging.store);
      Datasets datasets = aging.on(store);
      datasets.open(NEWEST).close();
      store.interrupt(operation, () -> meanwhile.run(aging));
      paused.run(aging, datasets);
      wasInterrupted = store.wasInterrupted();
      Datasets fresh = aging.on(aging.store);
      for (VersionSummary summary : fresh.versions(NAME, null, 100, /* compactions= */ true)) {
        try (Snapshot snapshot = fresh.open(new DatasetReference(NAME, summary.version()))) {
          DatasetTestFolder.read(snapshot, snapshot.file());
        }
      }
      assertThat(fresh.summary(NEWEST).file().rows()).isEqualTo(aging.puts());
      aging.clock.advanceHours(50);
      aging.remove();
      try (Snapshot snapshot = fresh.open(NEWEST)) {
        assertThat(snapshot.extents())
            .extracting(BlobExtent::key)
            .filteredOn(key -> key.startsWith(StoreKeys.DATA))
            .hasSameElementsAs(aging.data());
      }
    }
  }

  @Test
  void uploadsThatTakeHoursLoseNothing() throws IOException {
    for (int hours : new int[] {1, 11, 23, 26}) {
      AgingDatasets aging = new AgingDatasets(folder.resolve("slow-" + hours));
      aging.put();
      ByteSource body = AgingDatasets.body(2);
      List<Long> reads = new ArrayList<>();
      ByteSource slow =
          destination -> {
            if (reads.isEmpty()) {
              aging.clock.advanceHours(hours);
              aging.remove();
            }
            reads.add(destination.byteSize());
            return body.read(destination);
          };
      if (hours <= 12) {
        AgingDatasets.put(aging.datasets, NAME, slow);
        assertThat(aging.versions()).containsExactly(2L, 1L);
      } else {
        assertThatThrownBy(() -> AgingDatasets.put(aging.datasets, NAME, slow))
            .isInstanceOf(IOException.class)
            .hasMessageStartingWith(
                "Expected a blob begun at most PT12H ago, half of the grace period, but found"
                    + " one begun PT%dH ago at data/_flights_/".formatted(hours));
        assertThat(aging.versions()).containsExactly(1L);
      }
      aging.assertWhole();
    }
  }

  /// A process that ends before any operation of a removal leaves one run of versions that can be
  /// read, and the next removal goes on.
  @Test
  void crashesLeaveOneRun() throws IOException {
    boolean crashed = true;
    for (int operation = 0; crashed; operation++) {
      AgingDatasets aging = new AgingDatasets(folder.resolve("crash-" + operation));
      put(aging, 6);
      aging.clock.advanceHours(25);
      put(aging, 1);
      InterruptedStore store = new InterruptedStore(aging.store);
      store.interrupt(
          operation,
          () -> {
            throw new Crash();
          });
      crashed = false;
      try {
        remove(aging, aging.on(store));
      } catch (Crash e) {
        crashed = true;
      }
      assertThat(crashed || operation > 10).isTrue();
      aging.assertWhole();
      aging.remove();
      assertThat(aging.versions()).containsExactly(7L, 6L);
      assertThat(aging.data()).hasSize(2);
      aging.assertWhole();
    }
  }

  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}

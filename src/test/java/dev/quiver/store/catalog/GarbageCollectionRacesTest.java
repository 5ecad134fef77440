package dev.quiver.store.catalog;

import static dev.quiver.store.AgingDatasets.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.store.AgingDatasets;
import dev.quiver.store.DatasetLists;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.Datasets;
import dev.quiver.store.InterruptedStore;
import dev.quiver.store.UnreliableStore;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Races of the garbage collector with readers and writers. One of them pauses for hours or days
/// before one of its store operations. `GarbageCollectorTest` covers the choice of garbage.
@Tag("long")
class GarbageCollectionRacesTest {

  private static final DatasetReference LATEST = new DatasetReference(NAME, null);

  @TempDir private Path folder;
  private int stores;

  /// The work of the process that pauses.
  interface PausedWork {
    void run(AgingDatasets aging, Datasets datasets) throws IOException;
  }

  /// The work of the other processes before or during the pause.
  interface OtherWork {
    void run(AgingDatasets aging) throws IOException;
  }

  /// Pauses the work before each of its store operations in turn, each time in a new store. Checks
  /// the store afterwards, and again once all expired versions are deleted.
  private void pauseAnywhere(OtherWork before, PausedWork paused, OtherWork others)
      throws IOException {
    pauseAnywhere(VersionKind.UPLOAD, before, paused, others);
    pauseAnywhere(VersionKind.APPEND, before, paused, others);
  }

  private void pauseAnywhere(
      VersionKind kind, OtherWork before, PausedWork paused, OtherWork others) throws IOException {
    boolean wasInterrupted = true;
    for (int operation = 0; wasInterrupted; operation++) {
      AgingDatasets aging =
          new AgingDatasets(folder.resolve("paused-" + stores++), Retention.DEFAULT, kind);
      InterruptedStore store = new InterruptedStore(aging.store);
      Datasets datasets = aging.on(store);
      // The process that will pause caches this version as the latest one.
      aging.put();
      datasets.open(LATEST).close();
      before.run(aging);
      store.interrupt(operation, () -> others.run(aging));
      paused.run(aging, datasets);
      wasInterrupted = store.wasInterrupted();
      assertThat(wasInterrupted || operation > 0).isTrue();
      aging.assertConsistent();
      aging.clock.advanceHours(50);
      aging.collectGarbage();
      assertThat(aging.versions()).hasSize(1);
      assertThat(aging.data()).hasSize(kind == VersionKind.APPEND ? aging.latestVersion() : 1);
      aging.assertConsistent();
    }
  }

  private static void put(AgingDatasets aging, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      aging.put();
    }
  }

  private static void putAndCollect(AgingDatasets aging) throws IOException {
    aging.clock.advanceHours(25);
    put(aging, 20);
    aging.clock.advanceHours(25);
    put(aging, 1);
    aging.collectGarbage();
  }

  private static void collectGarbage(AgingDatasets aging, Datasets datasets) throws IOException {
    datasets.collectGarbage();
  }

  @Test
  void pausedReaderOpensTheLatestVersion() throws IOException {
    pauseAnywhere(
        aging -> put(aging, 4),
        (aging, reader) -> {
          try (Snapshot snapshot = reader.open(LATEST)) {
            // The latest version before or after the pause.
            assertThat(snapshot.summary().version()).isIn(5L, 26L);
            AgingDatasets.assertReadable(snapshot);
          }
        },
        GarbageCollectionRacesTest::putAndCollect);
  }

  @Test
  void pausedReaderOfAnUnknownNameOpensTheLatestVersion() throws IOException {
    boolean wasInterrupted = true;
    for (int operation = 0; wasInterrupted; operation++) {
      AgingDatasets aging = new AgingDatasets(folder.resolve("new-" + operation));
      put(aging, 5);
      InterruptedStore store = new InterruptedStore(aging.store);
      store.interrupt(operation, () -> putAndCollect(aging));
      try (Snapshot snapshot = aging.on(store).open(LATEST)) {
        assertThat(snapshot.summary().version()).isIn(5L, 26L);
        AgingDatasets.assertReadable(snapshot);
      }
      wasInterrupted = store.wasInterrupted();
      assertThat(wasInterrupted || operation > 0).isTrue();
    }
  }

  @Test
  void readerOpensTheLatestVersionAfterAPause() throws IOException {
    pauseAnywhere(
        aging -> {},
        (aging, reader) -> {
          reader.open(LATEST).close();
          try (Snapshot snapshot = reader.open(LATEST)) {
            assertThat(snapshot.summary().version()).isIn(1L, 22L);
          }
          assertThat(reader.summary(LATEST).version()).isIn(1L, 22L);
        },
        GarbageCollectionRacesTest::putAndCollect);
    AgingDatasets aging = new AgingDatasets(folder.resolve("after"));
    Datasets reader = aging.on(aging.store);
    aging.put();
    reader.open(LATEST).close();
    putAndCollect(aging);
    assertThat(reader.summary(LATEST).version()).isEqualTo(22);
  }

  @Test
  void pausedReaderReadsItsVersionOrReportsItGone() throws IOException {
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
        GarbageCollectionRacesTest::putAndCollect);
  }

  @Test
  void listingsShowOnlyExistingVersions() throws IOException {
    pauseAnywhere(
        aging -> put(aging, 4),
        (aging, reader) -> {
          List<Long> versions =
              DatasetLists.versions(reader, NAME, null, 100).stream()
                  .map(VersionSummary::version)
                  .toList();
          // The versions that existed when each was read, contiguous from the latest down.
          assertThat(versions).isNotEmpty();
          assertThat(versions.getFirst()).isIn(5L, 26L);
          assertThat(versions)
              .isEqualTo(
                  LongStream.range(0, versions.size())
                      .mapToObj(i -> versions.getFirst() - i)
                      .toList());
        },
        GarbageCollectionRacesTest::putAndCollect);
    pauseAnywhere(
        aging -> put(aging, 4),
        (aging, reader) ->
            assertThat(DatasetLists.list(reader, null, 9))
                .extracting(VersionSummary::version)
                .hasSize(1),
        GarbageCollectionRacesTest::putAndCollect);
  }

  @Test
  void concurrentCollectionsActAsOne() throws IOException {
    OtherWork expiredVersions =
        aging -> {
          put(aging, 5);
          aging.clock.advanceHours(25);
          put(aging, 2);
        };
    pauseAnywhere(
        expiredVersions, GarbageCollectionRacesTest::collectGarbage, AgingDatasets::collectGarbage);
    pauseAnywhere(
        expiredVersions,
        GarbageCollectionRacesTest::collectGarbage,
        GarbageCollectionRacesTest::putAndCollect);
  }

  @Test
  void pausedCollectionKeepsConcurrentWrites() throws IOException {
    OtherWork expiredVersions =
        aging -> {
          put(aging, 3);
          aging.clock.advanceHours(25);
        };
    pauseAnywhere(expiredVersions, GarbageCollectionRacesTest::collectGarbage, AgingDatasets::put);
    for (int hours : new int[] {1, 11, 13, 26}) {
      pauseAnywhere(
          expiredVersions,
          GarbageCollectionRacesTest::collectGarbage,
          aging -> {
            aging.put();
            aging.clock.advanceHours(hours);
            aging.put();
          });
    }
  }

  /// The latest version has the rows of the paused writer, or the writer gets an error.
  @Test
  void appendOvertakenByOthersIsCommittedOrFails() throws IOException {
    pauseAnywhere(
        VersionKind.APPEND,
        aging -> put(aging, 4),
        (aging, writer) -> {
          try {
            aging.put(writer);
            assertThat(aging.latestVersion()).isIn(6, 27);
          } catch (IOException e) {
            assertStaleCommit(e);
          }
        },
        GarbageCollectionRacesTest::putAndCollect);
  }

  @Test
  void appendPausedBeyondTheGracePeriodIsCommittedOrFails() throws IOException {
    pauseAnywhere(
        VersionKind.APPEND,
        aging -> put(aging, 4),
        (aging, writer) -> {
          try {
            aging.put(writer);
            assertThat(aging.latestVersion()).isEqualTo(6);
          } catch (IOException e) {
            assertStaleCommit(e);
          }
        },
        aging -> {
          aging.clock.advanceHours(30);
          aging.collectGarbage();
        });
  }

  /// A late commit reuses the number of a deleted version until its writer deletes the manifest.
  /// Readers must not mistake it for the latest version, even if they saw that number when it was
  /// the latest.
  @Test
  void readersNeverSeeACommitThatIsTooLate() throws IOException {
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
                assertThat(other.summary(LATEST).version()).isEqualTo(6);
                putAndCollect(aging);
                assertThat(super.putIfAbsent(key, content)).isTrue();
                late.add(key);
                assertThat(other.summary(LATEST).version()).isEqualTo(27);
                return true;
              }
            });
    assertThatThrownBy(() -> aging.put(writer)).isInstanceOf(IOException.class);
    assertThat(late).hasSize(1);
    assertThat(aging.store.exists(late.getFirst())).isFalse();
    assertThat(other.summary(LATEST).file().rows()).isEqualTo(27);
    aging.assertConsistent();
  }

  private static void assertStaleCommit(IOException e) {
    assertThat(e.getMessage())
        .matches(
            "Expected a blob begun at most PT12H ago, half of the grace period, but found one"
                + " begun PT\\d+H ago at data/_flights_/[0-9a-z]{26}\\.arrow"
                + "|Expected version 6 but found it deleted before its commit was confirmed at"
                + " flights");
  }

  @Test
  void collectionsAndCompactionsDoNotHarmEachOther() throws IOException {
    OtherWork compactAndCollect =
        aging -> {
          aging.put();
          aging.datasets.compact(NAME, new WriteCondition.None());
          aging.clock.advanceHours(26);
          aging.put();
          aging.datasets.compact(NAME, new WriteCondition.None());
          aging.collectGarbage();
        };
    compactAnywhere((aging, paused) -> collectGarbage(aging, paused), compactAndCollect);
    compactAnywhere((aging, paused) -> compact(paused), compactAndCollect);
    compactAnywhere(
        (aging, paused) -> compact(paused),
        aging -> {
          aging.clock.advanceHours(26);
          aging.collectGarbage();
        });
  }

  private static void compact(Datasets datasets) throws IOException {
    try {
      datasets.compact(NAME, new WriteCondition.None());
    } catch (IOException e) {
      assertThat(e.getMessage())
          .startsWith("Expected a blob begun at most PT12H ago, half of the grace period");
    }
  }

  private void compactAnywhere(PausedWork paused, OtherWork others) throws IOException {
    boolean wasInterrupted = true;
    for (int operation = 0; wasInterrupted; operation++) {
      AgingDatasets aging =
          new AgingDatasets(
              folder.resolve("compacted-" + stores++), Retention.DEFAULT, VersionKind.APPEND);
      put(aging, 6);
      aging.datasets.compact(NAME, new WriteCondition.None());
      put(aging, 3);
      aging.clock.advanceHours(25);
      InterruptedStore store = new InterruptedStore(aging.store);
      Datasets datasets = aging.on(store);
      datasets.open(LATEST).close();
      store.interrupt(operation, () -> others.run(aging));
      paused.run(aging, datasets);
      wasInterrupted = store.wasInterrupted();
      Datasets fresh = aging.on(aging.store);
      for (var entry : fresh.versions(NAME, null, 100, /* compactions= */ true)) {
        try (Snapshot snapshot =
            fresh.open(new DatasetReference(NAME, entry.summary().version()))) {
          DatasetTestFolder.read(snapshot, snapshot.file());
        }
      }
      assertThat(fresh.summary(LATEST).file().rows()).isEqualTo(aging.puts());
      aging.clock.advanceHours(50);
      aging.collectGarbage();
      try (Snapshot snapshot = fresh.open(LATEST)) {
        assertThat(snapshot.extents())
            .extracting(BlobExtent::key)
            .filteredOn(key -> key.startsWith(StoreKeys.DATA))
            .hasSameElementsAs(aging.data());
      }
    }
  }

  @Test
  void uploadOfManyHoursIsCommittedOrFails() throws IOException {
    for (int hours : new int[] {1, 11, 23, 26}) {
      AgingDatasets aging = new AgingDatasets(folder.resolve("slow-" + hours));
      aging.put();
      ByteSource body = AgingDatasets.body(2);
      List<Long> reads = new ArrayList<>();
      ByteSource slow =
          destination -> {
            if (reads.isEmpty()) {
              aging.clock.advanceHours(hours);
              aging.collectGarbage();
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
      aging.assertConsistent();
    }
  }

  /// A process that crashes before any operation of a collection leaves contiguous, readable
  /// versions. The next collection finishes the work.
  @Test
  void crashDuringACollectionLeavesContiguousVersions() throws IOException {
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
        collectGarbage(aging, aging.on(store));
      } catch (Crash e) {
        crashed = true;
      }
      assertThat(crashed || operation > 10).isTrue();
      aging.assertConsistent();
      aging.collectGarbage();
      assertThat(aging.versions()).containsExactly(7L, 6L);
      assertThat(aging.data()).hasSize(2);
      aging.assertConsistent();
    }
  }

  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}

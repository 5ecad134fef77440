package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.store.Intent.Action;
import dev.quiver.store.Pieces.Piece;
import dev.quiver.store.UnreliableStore.Moment;
import dev.quiver.store.UnreliableStore.Operation;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.write.CompactionPolicy;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The guarantees of datasets to several processes that share a store, of whatever kind.
@Tag("random")
abstract class DatasetStoreContract {

  private static final int WRITERS = 8;
  private static final int APPENDS = Math.max(Trials.of(10), 2);
  private static final int CREATORS = 16;
  private static final int WRITES_DURING_A_PAUSE = 20;

  private static final String DATA = "data/";
  private static final String MANIFESTS = "manifests/";
  private static final Moment PUT = new Moment(Operation.PUT, true, MANIFESTS);
  private static final DatasetName NAME = new DatasetName("data");
  private static final StoragePolicy POLICY =
      new StoragePolicy(
          new Retention(1, Duration.ofHours(1), Duration.ofHours(1), "the grace period"),
          CompactionPolicy.NEVER,
          Duration.ZERO);

  private BlobStore store;
  private final TestClock clock = new TestClock();
  private int sequence;

  /// Returns the location of an empty store, in the format of [WriterProcess#open].
  protected abstract String location();

  @BeforeEach
  void open() throws IOException {
    store = WriterProcess.open(location());
  }

  @Test
  void keepsEveryRowOfConcurrentWriters() throws Exception {
    Set<String> done = new HashSet<>();
    Set<String> expected = new HashSet<>();
    for (String line : inTwoProcesses("append", WRITERS, APPENDS)) {
      assertThat(done.add(line)).as(line).isTrue();
    }
    for (int writer = 0; writer < WRITERS; writer++) {
      for (int i = 0; i < APPENDS; i++) {
        expected.add("done " + writer + " " + i);
      }
    }
    assertThat(done).isEqualTo(expected);
    Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT);
    long latestVersion = datasets.summary(new DatasetReference(Intent.SHARED, null)).version();
    assertThat(datasets.versions(Intent.SHARED, null, 1000, /* compactions= */ true))
        .extracting(entry -> entry.summary().version())
        .isEqualTo(LongStream.rangeClosed(1, latestVersion).boxed().toList().reversed());
    List<VersionSummary> versions = DatasetLists.versions(datasets, Intent.SHARED, null, 1000);
    assertThat(versions).hasSize(WRITERS * APPENDS);
    assertThat(versions).extracting(VersionSummary::commitId).doesNotHaveDuplicates();
    ServedDatasets served = new ServedDatasets(datasets);
    List<Piece> latest = served.pieces(Intent.SHARED, null);
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      assertThat(latest)
          .filteredOn(piece -> piece.writer() == writer)
          .isEqualTo(
              IntStream.range(0, APPENDS).mapToObj(number -> new Piece(writer, number)).toList());
    }
    int pieces = latest.size();
    for (VersionSummary version : versions) {
      assertThat(served.pieces(Intent.SHARED, version.version()))
          .isEqualTo(latest.subList(0, pieces--));
    }
  }

  @Test
  void exactlyOneOfManyConcurrentCreatesSucceeds() throws Exception {
    List<String> output = inTwoProcesses("create", CREATORS, 1);
    assertThat(output).hasSize(CREATORS);
    List<String> created = output.stream().filter(line -> line.startsWith("created ")).toList();
    assertThat(created).hasSize(1);
    int winner = Integer.parseInt(created.getFirst().split(" ")[1]);
    ServedDatasets served = new ServedDatasets(new Datasets(store, DatasetOptions.DEFAULT));
    assertThat(served.versions(Intent.SHARED)).containsExactly(1L);
    assertThat(served.pieces(Intent.SHARED, null)).containsExactly(new Piece(winner, 0));
    // The losers deleted their data.
    assertThat(DatasetTestFolder.dataKeys(store)).hasSize(1);
    assertThat(store.list(DATA, null, CREATORS)).hasSize(2);
  }

  /// Some stores list an upload in progress under a name of its own, which sorts before the latest
  /// version.
  @Test
  void ignoresBlobsBesideTheManifests() throws IOException {
    Datasets datasets = datasets(store);
    write(datasets, Action.PUT);
    write(datasets, Action.PUT);
    String latest = store.list(MANIFESTS, null, 1).getFirst();
    store.putIfAbsent(latest.substring(0, latest.length() - 1) + "0-upload", MemorySegment.NULL);
    store.putIfAbsent(latest + "-upload", MemorySegment.NULL);
    store.putIfAbsent("manifests/_data_/readme", MemorySegment.NULL);
    Datasets other = datasets(store);
    assertThat(DatasetLists.list(other, null, 9))
        .extracting(VersionSummary::version)
        .containsExactly(2L);
    assertThat(DatasetLists.versions(other, NAME, null, 9))
        .extracting(VersionSummary::version)
        .containsExactly(2L, 1L);
    write(other, Action.PUT);
    assertThat(other.summary(new DatasetReference(NAME, null)).version()).isEqualTo(3);
  }

  /// Returns the output of two processes, each with half of the writers.
  private List<String> inTwoProcesses(String task, int writers, int count) throws Exception {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    try (ChildProcess one = new ChildProcess(WriterProcess.class);
        ChildProcess other = new ChildProcess(WriterProcess.class)) {
      List<ChildProcess> children = List.of(one, other);
      for (ChildProcess child : children) {
        assertThat(child.readLine()).isEqualTo("ready");
      }
      for (int i = 0; i < children.size(); i++) {
        StringBuilder line = new StringBuilder(task + " " + location() + " 0");
        for (int writer = i; writer < writers; writer += children.size()) {
          line.append(" ").append(writer).append(":0:").append(count);
        }
        children.get(i).send(line.toString());
      }
      for (ChildProcess child : children) {
        for (String line = child.readLine(); !"done".equals(line); line = child.readLine()) {
          lines.add(String.valueOf(line));
          assertThat(line).as("all of %s", lines).isNotNull();
        }
      }
    }
    return lines;
  }

  static Stream<Predicate<Moment>> momentsOfWriters() {
    return Stream.of(
        at(Operation.COMMIT, false, DATA),
        at(Operation.COMMIT, true, DATA),
        at(Operation.PUT, false, MANIFESTS),
        at(Operation.PUT, true, MANIFESTS));
  }

  /// A writer pauses during its commit, until the version that it read and the blobs that it wrote
  /// are deleted as garbage.
  @ParameterizedTest
  @MethodSource("momentsOfWriters")
  void pausedWriterCommitsOrFailsWithoutLosingData(Predicate<Moment> moment) throws Exception {
    for (Action action : List.of(Action.APPEND, Action.PUT)) {
      write(datasets(store), Action.PUT);
      UnreliableStore paused = new UnreliableStore(store);
      Datasets writer = datasets(paused);
      List<Piece> piecesOfOthers = new ArrayList<>();
      paused.setFault(
          Faults.pause(moment, () -> piecesOfOthers.addAll(writeAndCollectGarbage(action))));
      List<Piece> expected = piecesOfOthers;
      try {
        Piece own = write(writer, action);
        // After the put, the other writers built on it.
        if (!moment.test(PUT)) {
          expected = action == Action.PUT ? new ArrayList<>() : new ArrayList<>(piecesOfOthers);
          expected.add(own);
        }
      } catch (IOException e) {
        // The writer knows that its commit failed.
      }
      assertThat(piecesOfOthers).as("%s", action).isNotEmpty();
      assertThat(latest(datasets(store))).as("%s", action).isEqualTo(expected);
      // The writer can continue, and so can others.
      assertThat(latest(writer)).as("%s", action).isEqualTo(expected);
      Piece next = write(writer, Action.APPEND);
      assertThat(latest(datasets(store)))
          .as("%s", action)
          .endsWith(next)
          .hasSize(expected.size() + 1);
    }
  }

  /// @return the pieces of the latest version afterwards
  private List<Piece> writeAndCollectGarbage(Action action) throws IOException {
    Datasets others = datasets(store);
    for (int i = 0; i < WRITES_DURING_A_PAUSE; i++) {
      write(others, action);
      clock.advance(Duration.ofMinutes(10));
    }
    clock.advance(Duration.ofHours(2));
    others.collectGarbage();
    return latest(others);
  }

  static Stream<Predicate<Moment>> momentsOfReaders() {
    return Stream.of(
        at(Operation.LIST, false, MANIFESTS),
        at(Operation.OPEN, false, MANIFESTS),
        at(Operation.READ, false, MANIFESTS),
        at(Operation.OPEN, false, DATA));
  }

  /// A reader pauses while it opens a dataset, until the version that was the latest is deleted.
  @ParameterizedTest
  @MethodSource("momentsOfReaders")
  void pausedReaderOpensTheLatestVersion(Predicate<Moment> moment) throws Exception {
    write(datasets(store), Action.PUT);
    for (Action others : List.of(Action.APPEND, Action.PUT)) {
      List<Piece> known = latest(datasets(store));
      UnreliableStore paused = new UnreliableStore(store);
      Datasets reader = datasets(paused);
      paused.setFault(Faults.pause(moment, () -> writeAndCollectGarbage(others)));
      List<Piece> found = latest(reader);
      List<Piece> latest = latest(datasets(store));
      assertThat(latest).isNotEqualTo(known);
      // The previous version remains readable when other processes append to it.
      assertThat(found).isIn(others == Action.APPEND ? List.of(known, latest) : List.of(latest));
      assertThat(latest(reader)).isEqualTo(latest);
    }
  }

  /// A reader that cached the latest version pauses until that version is deleted.
  @Test
  void readerOfADeletedVersionOpensTheLatestOne() throws Exception {
    Datasets reader = datasets(store);
    write(datasets(store), Action.PUT);
    List<Piece> known = latest(reader);
    List<Piece> latest = writeAndCollectGarbage(Action.PUT);
    assertThat(latest).isNotEqualTo(known);
    assertThat(latest(reader)).isEqualTo(latest);
  }

  private static Predicate<Moment> at(Operation operation, boolean after, String prefix) {
    return new Predicate<>() {
      @Override
      public boolean test(Moment moment) {
        return moment.operation() == operation
            && moment.after() == after
            && moment.key().startsWith(prefix);
      }

      @Override
      public String toString() {
        return new Moment(operation, after, prefix).toString();
      }
    };
  }

  private Datasets datasets(BlobStore view) {
    return new Datasets(view, DatasetOptions.DEFAULT, POLICY, clock);
  }

  private Piece write(Datasets datasets, Action action) throws IOException {
    Intent intent = Intent.of(0, sequence++, action, NAME);
    WriterProcess.run(datasets, intent, null);
    return Piece.of(intent);
  }

  private static List<Piece> latest(Datasets datasets) throws IOException {
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null))) {
      return Pieces.ofFile(DatasetTestFolder.read(snapshot, snapshot.file()));
    }
  }
}

package dev.quiver.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.dataset.Intent.Action;
import dev.quiver.dataset.Pieces.Piece;
import dev.quiver.dataset.UnreliableStore.Moment;
import dev.quiver.dataset.UnreliableStore.Operation;
import dev.quiver.dataset.catalog.GracePeriod;
import dev.quiver.dataset.catalog.Retention;
import dev.quiver.dataset.ingest.DatasetOptions;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.dataset.write.CompactionPolicy;
import dev.quiver.storage.BlobStore;
import java.io.IOException;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The promises of datasets to several processes that share a store of any kind.
abstract class DatasetStoreContract {

  private static final int WRITERS = 8;
  private static final int APPENDS = 10;
  private static final int CREATORS = 16;
  private static final int MEANWHILE = 20;

  private static final String DATA = "data/";
  private static final String MANIFESTS = "manifests/";
  private static final Moment PUT = new Moment(Operation.PUT, true, MANIFESTS);
  private static final DatasetName NAME = new DatasetName("data");
  private static final StoragePolicy POLICY =
      new StoragePolicy(
          new Retention(
              1, Duration.ofHours(1), new GracePeriod("the grace period", Duration.ofHours(1))),
          CompactionPolicy.NEVER,
          Duration.ZERO);

  private BlobStore store;
  private final TestClock clock = new TestClock();
  private int sequence;

  /// Where a store is that is empty at first, in the words of [WriterProcess#open].
  protected abstract String location();

  @BeforeEach
  void open() throws IOException {
    store = WriterProcess.open(location());
  }

  @Test
  void keepsEveryRowOfManyWriters() throws Exception {
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
    long newestVersion = datasets.summary(new DatasetReference(Intent.SHARED, null)).version();
    assertThat(datasets.versions(Intent.SHARED, null, 1000, /* compactions= */ true))
        .extracting(VersionSummary::version)
        .isEqualTo(LongStream.rangeClosed(1, newestVersion).boxed().toList().reversed());
    List<VersionSummary> versions = datasets.versions(Intent.SHARED, null, 1000);
    assertThat(versions).hasSize(WRITERS * APPENDS);
    assertThat(versions).extracting(VersionSummary::commitId).doesNotHaveDuplicates();
    ServedDatasets served = new ServedDatasets(datasets);
    List<Piece> newest = served.pieces(Intent.SHARED, null);
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      assertThat(newest)
          .filteredOn(piece -> piece.writer() == writer)
          .isEqualTo(
              IntStream.range(0, APPENDS).mapToObj(number -> new Piece(writer, number)).toList());
    }
    int pieces = newest.size();
    for (VersionSummary version : versions) {
      assertThat(served.pieces(Intent.SHARED, version.version()))
          .isEqualTo(newest.subList(0, pieces--));
    }
  }

  @Test
  void createsOnce() throws Exception {
    List<String> answers = inTwoProcesses("create", CREATORS, 1);
    assertThat(answers).hasSize(CREATORS);
    List<String> created = answers.stream().filter(line -> line.startsWith("created ")).toList();
    assertThat(created).hasSize(1);
    int winner = Integer.parseInt(created.getFirst().split(" ")[1]);
    ServedDatasets served = new ServedDatasets(new Datasets(store, DatasetOptions.DEFAULT));
    assertThat(served.versions(Intent.SHARED)).containsExactly(1L);
    assertThat(served.pieces(Intent.SHARED, null)).containsExactly(new Piece(winner, 0));
    // The losers deleted their data.
    assertThat(store.list(DATA, null, CREATORS)).hasSize(1);
  }

  /// Returns the output of two processes, each with half of the writers.
  private List<String> inTwoProcesses(String task, int writers, int count) throws Exception {
    List<String> said = Collections.synchronizedList(new ArrayList<>());
    try (ChildProcess one = new ChildProcess(WriterProcess.class);
        ChildProcess other = new ChildProcess(WriterProcess.class)) {
      List<ChildProcess> children = List.of(one, other);
      for (ChildProcess child : children) {
        assertThat(child.line()).isEqualTo("ready");
      }
      for (int i = 0; i < children.size(); i++) {
        StringBuilder line = new StringBuilder(task + " " + location() + " 0");
        for (int writer = i; writer < writers; writer += children.size()) {
          line.append(" ").append(writer).append(":0:").append(count);
        }
        children.get(i).tell(line.toString());
      }
      for (ChildProcess child : children) {
        for (String line = child.line(); !"done".equals(line); line = child.line()) {
          said.add(String.valueOf(line));
          assertThat(line).as("all of %s", said).isNotNull();
        }
      }
    }
    return said;
  }

  static Stream<Predicate<Moment>> momentsOfWriters() {
    return Stream.of(
        at(Operation.COMMIT, false, DATA),
        at(Operation.COMMIT, true, DATA),
        at(Operation.PUT, false, MANIFESTS),
        at(Operation.PUT, true, MANIFESTS));
  }

  /// A writer stands still within its commit, until what it had read, and what it had put, was
  /// removed as nobody's.
  @ParameterizedTest
  @MethodSource("momentsOfWriters")
  void losesNothingOfAWriterThatStandsStill(Predicate<Moment> moment) throws Exception {
    for (Action action : List.of(Action.APPEND, Action.PUT)) {
      write(datasets(store), Action.PUT);
      UnreliableStore paused = new UnreliableStore(store);
      Datasets writer = datasets(paused);
      List<Piece> ofOthers = new ArrayList<>();
      paused.fail(Faults.pause(moment, () -> ofOthers.addAll(commitMeanwhile(action))));
      List<Piece> expected = ofOthers;
      try {
        Piece mine = write(writer, action);
        // Once it was put, the others came after it.
        if (!moment.test(PUT)) {
          expected = action == Action.PUT ? new ArrayList<>() : new ArrayList<>(ofOthers);
          expected.add(mine);
        }
      } catch (IOException e) {
        // It was told.
      }
      assertThat(ofOthers).as("%s", action).isNotEmpty();
      assertThat(newest(datasets(store))).as("%s", action).isEqualTo(expected);
      // It goes on, and so do others.
      assertThat(newest(writer)).as("%s", action).isEqualTo(expected);
      Piece next = write(writer, Action.APPEND);
      assertThat(newest(datasets(store)))
          .as("%s", action)
          .endsWith(next)
          .hasSize(expected.size() + 1);
    }
  }

  /// @return what the newest version consists of then
  private List<Piece> commitMeanwhile(Action action) throws IOException {
    Datasets others = datasets(store);
    for (int i = 0; i < MEANWHILE; i++) {
      write(others, action);
      clock.advance(Duration.ofMinutes(10));
    }
    clock.advance(Duration.ofHours(2));
    others.removeExpired(() -> true);
    return newest(others);
  }

  static Stream<Predicate<Moment>> momentsOfReaders() {
    return Stream.of(
        at(Operation.LIST, false, MANIFESTS),
        at(Operation.OPEN, false, MANIFESTS),
        at(Operation.READ, false, MANIFESTS),
        at(Operation.OPEN, false, DATA));
  }

  /// A reader stands still while it opens a dataset, until the version that was the newest is gone.
  @ParameterizedTest
  @MethodSource("momentsOfReaders")
  void givesTheNewestToAReaderThatStandsStill(Predicate<Moment> moment) throws Exception {
    write(datasets(store), Action.PUT);
    for (Action others : List.of(Action.APPEND, Action.PUT)) {
      List<Piece> known = newest(datasets(store));
      UnreliableStore paused = new UnreliableStore(store);
      Datasets stranger = datasets(paused);
      paused.fail(Faults.pause(moment, () -> commitMeanwhile(others)));
      List<Piece> found = newest(stranger);
      List<Piece> newest = newest(datasets(store));
      assertThat(newest).isNotEqualTo(known);
      // The pieces of the version before remain when other processes append to it.
      assertThat(found).isIn(others == Action.APPEND ? List.of(known, newest) : List.of(newest));
      assertThat(newest(stranger)).isEqualTo(newest);
    }
  }

  /// One that knows which version was the newest, and stands still between two reads.
  @Test
  void givesTheNewestToAReaderThatKnowsOneThatIsGone() throws Exception {
    Datasets reader = datasets(store);
    write(datasets(store), Action.PUT);
    List<Piece> known = newest(reader);
    List<Piece> newest = commitMeanwhile(Action.PUT);
    assertThat(newest).isNotEqualTo(known);
    assertThat(newest(reader)).isEqualTo(newest);
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

  private Datasets datasets(BlobStore way) {
    return new Datasets(way, DatasetOptions.DEFAULT, POLICY, clock);
  }

  private Piece write(Datasets datasets, Action action) throws IOException {
    Intent intent = Intent.of(0, sequence++, action, NAME);
    WriterProcess.run(datasets, intent, null);
    return Piece.of(intent);
  }

  private static List<Piece> newest(Datasets datasets) throws IOException {
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null))) {
      return Pieces.ofFile(DatasetTestFolder.read(snapshot, snapshot.file()));
    }
  }
}

package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.store.Intent.Action;
import dev.quiver.store.Pieces.Piece;
import dev.quiver.store.UnreliableStore.Moment;
import dev.quiver.store.blob.StorageFullException;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.CompactionPolicy;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Disk errors, full disks and lost connections at each moment of each operation. The last
/// committed version stays, nothing is incomplete or left open, and the next write works.
/// `CrashTest` covers killed processes.
class FailingStoreTest {

  /// Compacts nothing in the background.
  private static final StoragePolicy POLICY =
      new StoragePolicy(Retention.DEFAULT, CompactionPolicy.NEVER, Duration.ZERO);

  @TempDir private Path folder;
  private UnreliableStore store;
  private Datasets datasets;

  /// Reads the same folder without failures.
  private ServedDatasets served;

  private int sequence;

  /// Waiting for the disk would take most of the time of so many writes.
  @BeforeEach
  void open() throws IOException {
    open(/* sync= */ false);
    served = new ServedDatasets(new Datasets(FolderBlobStore.open(folder), DatasetOptions.DEFAULT));
  }

  private void open(boolean sync) throws IOException {
    store = new UnreliableStore(FolderBlobStore.open(folder, sync));
    datasets = new Datasets(store, DatasetOptions.DEFAULT, POLICY);
  }

  @AfterEach
  void assertNothingLeft() throws IOException {
    try (Stream<Path> files = Files.list(store.scratchFolder())) {
      assertThat(files).isEmpty();
    }
    assertThat(OpenFiles.below(folder)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void createSucceedsOrHasNoEffect(Faults.Mode mode) throws IOException {
    open(/* sync= */ true);
    atEachMoment(mode, Action.PUT, List.of());
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void replaceSucceedsOrHasNoEffect(Faults.Mode mode) throws IOException {
    atEachMoment(mode, Action.PUT, List.of(Action.PUT));
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void appendSucceedsOrHasNoEffect(Faults.Mode mode) throws IOException {
    atEachMoment(mode, Action.APPEND, List.of(Action.PUT, Action.APPEND));
  }

  /// So many keys are remembered that the next write puts them into a blob as well.
  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {".arrow", ".sidecar", ".keys"})
  void appendThatPutsKeysSucceedsOrHasNoEffect(String suffix) throws IOException {
    List<String> moments = List.of("before BEGIN", "before WRITE", "before COMMIT", "after COMMIT");
    for (Faults.Mode mode : Faults.Mode.values()) {
      for (String moment : moments) {
        Faults.Break fault =
            new Faults.Break(
                mode, now -> now.toString().startsWith(moment) && now.key().endsWith(suffix));
        DatasetName name = new DatasetName("data-" + sequence);
        List<Action> before = Collections.nCopies(16, Action.APPEND);
        assertThat(fails(fault, mode, name, Action.APPEND, before)).as(moment).isTrue();
      }
    }
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void compactionSucceedsOrHasNoEffect(Faults.Mode mode) throws IOException {
    atEachMoment(mode, Action.COMPACT, List.of(Action.PUT, Action.APPEND, Action.APPEND));
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void deleteSucceedsOrHasNoEffect(Faults.Mode mode) throws IOException {
    atEachMoment(mode, Action.DELETE, List.of(Action.PUT));
  }

  private void atEachMoment(Faults.Mode mode, Action action, List<Action> before)
      throws IOException {
    long number = 1;
    while (failsAt(mode, number, action, before)) {
      number++;
    }
    assertThat(number).as("moments of %s", action).isGreaterThan(5);
  }

  /// @return whether the operation has a moment of this number
  private boolean failsAt(Faults.Mode mode, long number, Action action, List<Action> before)
      throws IOException {
    DatasetName name = new DatasetName("data-" + number);
    return fails(new Faults.Break(mode, number), mode, name, action, before);
  }

  /// @return whether the operation has the moment of the fault
  private boolean fails(
      Faults.Break fault, Faults.Mode mode, DatasetName name, Action action, List<Action> before)
      throws IOException {
    List<List<Piece>> history = new ArrayList<>();
    for (Action earlier : before) {
      run(earlier, name, history);
    }
    List<List<Piece>> expected = new ArrayList<>(history);
    List<String> data = data(name);
    store.setFault(fault);
    Intent intent = Intent.of(0, sequence++, action, name);
    Throwable thrown = catchThrowable(() -> run(intent, expected));
    store.setFault(_ -> {});
    Moment first = fault.first();
    if (thrown == null) {
      assertServed(name, expected);
    } else {
      assertThat(first).as("the moment of %s", thrown).isNotNull();
      assertThat(thrown).isInstanceOf(IOException.class);
      if (mode == Faults.Mode.FULL) {
        assertThat(thrown).isInstanceOf(StorageFullException.class);
        // The space of the failed write is free again.
        assertThat(data(name)).isEqualTo(data);
      }
      // If the connection is lost after the manifest was put, even a successful commit is reported
      // as a failure.
      boolean outcomeUnknown = mode == Faults.Mode.DISCONNECTED && fault.puts() > 0;
      assertServed(name, outcomeUnknown ? expected : history);
    }
    if (thrown != null && action == Action.APPEND) {
      // The retry has the same idempotency key.
      WriterProcess.run(datasets, intent, intent.key());
      assertServed(name, expected);
    }
    List<List<Piece>> now = read(name);
    run(Action.APPEND, name, now);
    assertServed(name, now);
    assertThat(OpenFiles.below(folder)).as("files open after %s", first).isEmpty();
    return first != null;
  }

  /// Executes an action and records the expected versions.
  private void run(Action action, DatasetName name, List<List<Piece>> history) throws IOException {
    run(Intent.of(0, sequence++, action, name), history);
  }

  private void run(Intent intent, List<List<Piece>> history) throws IOException {
    switch (intent.action()) {
      case PUT -> history.add(List.of(Piece.of(intent)));
      case APPEND -> {
        List<Piece> pieces = new ArrayList<>(history.isEmpty() ? List.of() : history.getLast());
        pieces.add(Piece.of(intent));
        history.add(pieces);
      }
      case COMPACT -> {
        // A compaction changes no data.
      }
      case DELETE -> history.clear();
    }
    WriterProcess.run(datasets, intent, intent.key());
  }

  private List<String> data(DatasetName name) throws IOException {
    return store.list("data/_" + name + "_/", null, 1000);
  }

  private void assertServed(DatasetName name, List<List<Piece>> history) throws IOException {
    assertThat(read(name)).isEqualTo(history);
    if (!history.isEmpty()) {
      assertThat(served.pieces(name, null)).isEqualTo(history.getLast());
    }
    assertThat(served.names().contains(name)).isEqualTo(!history.isEmpty());
  }

  private List<List<Piece>> read(DatasetName name) throws IOException {
    List<List<Piece>> versions = new ArrayList<>();
    for (long version : served.versions(name).reversed()) {
      versions.add(served.pieces(name, version));
    }
    return versions;
  }

  /// The next collection deletes the remaining garbage; the latest version is always present.
  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void failedGarbageCollectionKeepsTheLatestVersion(Faults.Mode mode) throws IOException {
    TestClock clock = new TestClock();
    datasets = new Datasets(store, DatasetOptions.DEFAULT, POLICY, clock);
    DatasetName name = new DatasetName("data");
    List<List<Piece>> history = new ArrayList<>();
    run(Action.PUT, name, history);
    Faults.Break fault;
    long number = 1;
    do {
      run(Action.PUT, name, history);
      run(Action.APPEND, name, history);
      run(Action.PUT, name, history);
      clock.advance(Duration.ofHours(72));
      fault = new Faults.Break(mode, number++);
      store.setFault(fault);
      catchThrowable(() -> datasets.collectGarbage());
      store.setFault(_ -> {});
      List<List<Piece>> remaining = read(name);
      assertThat(history).endsWith(remaining.toArray(List[]::new));
      assertThat(remaining).isNotEmpty();
      datasets.collectGarbage();
      history = new ArrayList<>(List.of(history.getLast()));
      assertThat(read(name)).isEqualTo(history);
      assertThat(DatasetTestFolder.dataKeys(store)).hasSize(1);
      assertNothingLeft();
    } while (fault.first() != null);
    assertThat(number).isGreaterThan(5);
  }

  @Test
  void failedReadLeavesNoFileOpen() throws IOException {
    DatasetName name = new DatasetName("data");
    List<List<Piece>> history = new ArrayList<>();
    run(Action.PUT, name, history);
    run(Action.APPEND, name, history);
    Faults.Break fault;
    long number = 1;
    do {
      // New datasets have empty caches.
      ServedDatasets failing = new ServedDatasets(new Datasets(store, DatasetOptions.DEFAULT));
      fault = new Faults.Break(Faults.Mode.ONCE, number++);
      store.setFault(fault);
      Throwable thrown =
          catchThrowable(() -> failing.pieces(name, failing.versions(name).getFirst()));
      store.setFault(_ -> {});
      if (fault.first() != null) {
        assertThat(thrown).isInstanceOf(IOException.class);
      }
      assertThat(OpenFiles.below(folder)).as("files open after %s", fault.first()).isEmpty();
      assertThat(failing.pieces(name, null)).isEqualTo(history.getLast());
    } while (fault.first() != null);
    assertThat(number).isGreaterThan(5);
  }

  /// A body breaks off when its client disconnects.
  @Test
  void brokenBodyLeavesTheCommittedVersion() throws IOException {
    DatasetName name = new DatasetName("data");
    List<List<Piece>> history = new ArrayList<>();
    run(Action.PUT, name, history);
    byte[] body = Intent.of(0, sequence, Action.PUT, name).body();
    for (int end = 0; end < body.length; end += 1 + body.length / 50) {
      ByteSource start = ByteSource.of(MemorySegment.ofArray(body).asSlice(0, end));
      ByteSource broken =
          destination -> {
            long count = start.read(destination);
            if (count < 0) {
              throw new IOException("Connection reset");
            }
            return count;
          };
      assertThat(
              catchThrowable(
                  () -> datasets.put(name, broken, BodyFormat.STREAM, new WriteCondition.None())))
          .hasMessage("Connection reset");
      assertThat(read(name)).isEqualTo(history);
      assertThat(DatasetTestFolder.dataKeys(store)).hasSize(1);
      assertNothingLeft();
    }
    run(Action.PUT, name, history);
    assertThat(read(name)).isEqualTo(history);
  }
}

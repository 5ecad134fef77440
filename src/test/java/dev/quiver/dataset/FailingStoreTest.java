package dev.quiver.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.quiver.dataset.Intent.Action;
import dev.quiver.dataset.Pieces.Piece;
import dev.quiver.dataset.UnreliableStore.Moment;
import dev.quiver.dataset.catalog.Retention;
import dev.quiver.dataset.ingest.DatasetOptions;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.WriteCondition;
import dev.quiver.dataset.write.CompactionPolicy;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.memory.ByteSource;
import dev.quiver.storage.StorageFullException;
import dev.quiver.storage.filesystem.FolderBlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Disks that break or are full, and connections that are cut, at each moment of each write: the
/// last committed version stays, nothing is half there, nothing is left open, and the next write
/// works. What a process leaves that is killed is in `CrashTest`.
class FailingStoreTest {

  /// Nothing happens in the background.
  private static final StoragePolicy POLICY =
      new StoragePolicy(Retention.DEFAULT, CompactionPolicy.NEVER, Duration.ZERO);

  @TempDir private Path folder;
  private UnreliableStore store;
  private Datasets datasets;

  /// Sees nothing of the failures.
  private ServedDatasets served;

  private int sequence;

  @BeforeEach
  void open() throws IOException {
    store = new UnreliableStore(FolderBlobStore.open(folder));
    datasets = new Datasets(store, DatasetOptions.DEFAULT, POLICY);
    served = new ServedDatasets(new Datasets(FolderBlobStore.open(folder), DatasetOptions.DEFAULT));
  }

  @AfterEach
  void leavesNothingBehind() throws IOException {
    try (Stream<Path> files = Files.list(store.scratchFolder())) {
      assertThat(files).isEmpty();
    }
    assertThat(OpenFiles.below(folder)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void createsOrDoesNot(Faults.How how) throws IOException {
    atEachMoment(how, Action.PUT, List.of());
  }

  @ParameterizedTest
  @EnumSource
  void replacesOrDoesNot(Faults.How how) throws IOException {
    atEachMoment(how, Action.PUT, List.of(Action.PUT));
  }

  @ParameterizedTest
  @EnumSource
  void appendsOrDoesNot(Faults.How how) throws IOException {
    atEachMoment(how, Action.APPEND, List.of(Action.PUT, Action.APPEND));
  }

  @ParameterizedTest
  @EnumSource
  void compactsOrDoesNot(Faults.How how) throws IOException {
    atEachMoment(how, Action.COMPACT, List.of(Action.PUT, Action.APPEND, Action.APPEND));
  }

  @ParameterizedTest
  @EnumSource
  void deletesOrDoesNot(Faults.How how) throws IOException {
    atEachMoment(how, Action.DELETE, List.of(Action.PUT));
  }

  private void atEachMoment(Faults.How how, Action action, List<Action> before) throws IOException {
    long number = 1;
    while (breaks(how, number, action, before)) {
      number++;
    }
    assertThat(number).as("moments of %s", action).isGreaterThan(5);
  }

  /// @return whether there is a moment of this number
  private boolean breaks(Faults.How how, long number, Action action, List<Action> before)
      throws IOException {
    DatasetName name = new DatasetName("data-" + number);
    List<List<Piece>> history = new ArrayList<>();
    for (Action earlier : before) {
      run(earlier, name, history);
    }
    List<List<Piece>> wanted = new ArrayList<>(history);
    List<String> data = data(name);
    Faults.Break fault = new Faults.Break(how, number);
    store.fail(fault);
    Intent intent = Intent.of(0, sequence++, action, name);
    Throwable thrown = catchThrowable(() -> run(intent, wanted));
    store.fail(_ -> {});
    Moment first = fault.first();
    if (thrown == null) {
      assertServed(name, wanted);
    } else {
      assertThat(first).as("the moment of %s", thrown).isNotNull();
      assertThat(thrown).isInstanceOf(IOException.class);
      if (how == Faults.How.FULL) {
        assertThat(thrown).isInstanceOf(StorageFullException.class);
        // The bytes written for it are freed.
        assertThat(data(name)).isEqualTo(data);
      }
      // Where even what became of the manifest cannot be told, a failure may be a success.
      boolean doubtful = how == Faults.How.CUT && fault.puts() > 0;
      assertServed(name, doubtful ? wanted : history);
    }
    if (thrown != null && action == Action.APPEND) {
      // Sent again, with its key.
      WriterProcess.run(datasets, intent, intent.key());
      assertServed(name, wanted);
    }
    List<List<Piece>> now = read(name);
    run(Action.APPEND, name, now);
    assertServed(name, now);
    assertThat(OpenFiles.below(folder)).as("open after %s", first).isEmpty();
    return first != null;
  }

  /// Writes, and notes which versions there are then.
  private void run(Action action, DatasetName name, List<List<Piece>> history) throws IOException {
    run(Intent.of(0, sequence++, action, name), history);
  }

  private void run(Intent intent, List<List<Piece>> history) throws IOException {
    switch (intent.action()) {
      case PUT -> history.add(List.of(Piece.of(intent)));
      case APPEND -> {
        List<Piece> grown = new ArrayList<>(history.isEmpty() ? List.of() : history.getLast());
        grown.add(Piece.of(intent));
        history.add(grown);
      }
      case COMPACT -> {
        // Nobody's data changed.
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

  /// A later collection deletes the garbage; until then the latest versions are present.
  @ParameterizedTest
  @EnumSource
  void removesOrDoesNot(Faults.How how) throws IOException {
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
      fault = new Faults.Break(how, number++);
      store.fail(fault);
      catchThrowable(() -> datasets.removeExpired(() -> true));
      store.fail(_ -> {});
      List<List<Piece>> left = read(name);
      assertThat(history).endsWith(left.toArray(List[]::new));
      assertThat(left).isNotEmpty();
      datasets.removeExpired(() -> true);
      history = new ArrayList<>(List.of(history.getLast()));
      assertThat(read(name)).isEqualTo(history);
      assertThat(store.list("data/", null, 10)).hasSize(1);
      leavesNothingBehind();
    } while (fault.first() != null);
    assertThat(number).isGreaterThan(5);
  }

  @Test
  void readsOrDoesNot() throws IOException {
    DatasetName name = new DatasetName("data");
    List<List<Piece>> history = new ArrayList<>();
    run(Action.PUT, name, history);
    run(Action.APPEND, name, history);
    Faults.Break fault;
    long number = 1;
    do {
      // Remembers nothing.
      ServedDatasets failing = new ServedDatasets(new Datasets(store, DatasetOptions.DEFAULT));
      fault = new Faults.Break(Faults.How.ONCE, number++);
      store.fail(fault);
      Throwable thrown =
          catchThrowable(() -> failing.pieces(name, failing.versions(name).getFirst()));
      store.fail(_ -> {});
      if (fault.first() != null) {
        assertThat(thrown).isInstanceOf(IOException.class);
      }
      assertThat(OpenFiles.below(folder)).as("open after %s", fault.first()).isEmpty();
      assertThat(failing.pieces(name, null)).isEqualTo(history.getLast());
    } while (fault.first() != null);
    assertThat(number).isGreaterThan(5);
  }

  /// As when a client goes away.
  @Test
  void keepsWhatWasCommittedWhenABodyBreaksOff() throws IOException {
    DatasetName name = new DatasetName("data");
    List<List<Piece>> history = new ArrayList<>();
    run(Action.PUT, name, history);
    byte[] body = Intent.of(0, sequence, Action.PUT, name).body();
    for (int end = 0; end < body.length; end += 1 + body.length / 50) {
      ByteSource start = ByteSource.of(MemorySegment.ofArray(body).asSlice(0, end));
      ByteSource cut =
          destination -> {
            long count = start.read(destination);
            if (count < 0) {
              throw new IOException("Connection reset");
            }
            return count;
          };
      assertThat(
              catchThrowable(
                  () -> datasets.put(name, cut, BodyFormat.STREAM, new WriteCondition.None())))
          .hasMessage("Connection reset");
      assertThat(read(name)).isEqualTo(history);
      assertThat(store.list("data/", null, 10)).hasSize(1);
      leavesNothingBehind();
    }
    run(Action.PUT, name, history);
    assertThat(read(name)).isEqualTo(history);
  }
}

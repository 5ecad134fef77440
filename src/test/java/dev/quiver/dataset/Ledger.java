package dev.quiver.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.dataset.Pieces.Piece;
import dev.quiver.dataset.version.DatasetName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The acknowledged intents of the writers of a crash test, each of which runs its intents in turn.
/// It checks what is served: everything that was acknowledged, and of each writer at most the one
/// intent that was under way.
final class Ledger {

  /// The served datasets.
  interface Served {

    /// The datasets that are listed.
    Set<DatasetName> names() throws Exception;

    /// The versions that are listed, newest first; none of a dataset that is not there.
    List<Long> versions(DatasetName name) throws Exception;

    /// Returns the pieces of a version.
    ///
    /// @param version null means the newest, be it listed or not
    List<Piece> pieces(DatasetName name, @Nullable Long version) throws Exception;
  }

  private final int[] next;

  /// How many intents of each writer were done, answered or not.
  private final int[] done;

  /// @param writers how many there are, counted from 0
  Ledger(int writers) {
    next = new int[writers];
    done = new int[writers];
  }

  int writers() {
    return next.length;
  }

  /// Returns the next intent of a writer: the first that is neither acknowledged nor known to be
  /// done. An append is sent again all the same, which changes nothing.
  int next(int writer) {
    return next[writer];
  }

  void acknowledge(int writer, int sequence) {
    assertThat(sequence).as("what is acknowledged to writer %d", writer).isEqualTo(next[writer]);
    next[writer]++;
  }

  /// Checks what is served after a crash, and which intents were done without an answer.
  ///
  /// @param versions how many of the newest versions of each dataset to read
  void settle(Served served, int versions) throws Exception {
    Set<DatasetName> expectedNames = new HashSet<>();
    System.arraycopy(next, 0, done, 0, next.length);
    for (int writer = 0; writer < next.length; writer++) {
      settleOwn(served, writer);
    }
    settleShared(served);
    for (int writer = 0; writer < next.length; writer++) {
      for (DatasetName name : Intent.ownNames(writer)) {
        List<List<Piece>> history = history(writer, name, done[writer]);
        assertHistory(served, name, history, versions);
        if (!history.isEmpty()) {
          expectedNames.add(name);
        }
      }
    }
    if (assertShared(served, versions)) {
      expectedNames.add(Intent.SHARED);
    }
    assertThat(served.names()).isEqualTo(expectedNames);
    for (int writer = 0; writer < next.length; writer++) {
      if (Intent.any(writer, next[writer]).action() != Intent.Action.APPEND) {
        next[writer] = done[writer];
      }
    }
  }

  private void settleOwn(Served served, int writer) throws Exception {
    Intent pending = Intent.any(writer, next[writer]);
    if (pending.name().equals(Intent.SHARED)) {
      return;
    }
    List<List<Piece>> doneToo = history(writer, pending.name(), next[writer] + 1);
    List<List<Piece>> notDone = history(writer, pending.name(), next[writer]);
    List<Piece> newest = newest(served, pending.name());
    if (!newest.equals(newest(notDone)) && newest.equals(newest(doneToo))) {
      done[writer]++;
    }
  }

  private void settleShared(Served served) throws Exception {
    List<Piece> newest = newest(served, Intent.SHARED);
    for (int writer = 0; writer < next.length; writer++) {
      Intent pending = Intent.any(writer, next[writer]);
      if (pending.name().equals(Intent.SHARED) && newest.contains(Piece.of(pending))) {
        done[writer]++;
      }
    }
  }

  private static void assertHistory(
      Served served, DatasetName name, List<List<Piece>> history, int count) throws Exception {
    List<Long> versions = served.versions(name);
    assertThat(versions).as("versions of %s", name).hasSameSizeAs(history);
    assertThat(newest(served, name)).as("the newest of %s", name).isEqualTo(newest(history));
    for (int i = 0; i < Math.min(count, versions.size()); i++) {
      assertThat(served.pieces(name, versions.get(i)))
          .as("%s@%d", name, versions.get(i))
          .isEqualTo(history.get(history.size() - 1 - i));
    }
  }

  /// Each version has one piece more than the one before, and the newest all of each writer.
  ///
  /// @return whether there is anything
  private boolean assertShared(Served served, int count) throws Exception {
    List<Long> versions = served.versions(Intent.SHARED);
    List<Piece> newest = newest(served, Intent.SHARED);
    assertThat(versions).as("versions of %s", Intent.SHARED).hasSameSizeAs(newest);
    for (int i = 0; i < Math.min(count, versions.size()); i++) {
      assertThat(served.pieces(Intent.SHARED, versions.get(i)))
          .as("%s@%d", Intent.SHARED, versions.get(i))
          .isEqualTo(newest.subList(0, newest.size() - i));
    }
    for (int writer = 0; writer < next.length; writer++) {
      int mine = writer;
      List<Piece> expected = new ArrayList<>();
      for (int sequence = 0; sequence < done[writer]; sequence++) {
        Intent intent = Intent.any(writer, sequence);
        if (intent.name().equals(Intent.SHARED) && intent.action() == Intent.Action.APPEND) {
          expected.add(Piece.of(intent));
        }
      }
      assertThat(newest).filteredOn(piece -> piece.writer() == mine).isEqualTo(expected);
    }
    return !newest.isEmpty();
  }

  private static List<Piece> newest(Served served, DatasetName name) throws Exception {
    return served.versions(name).isEmpty() ? List.of() : served.pieces(name, null);
  }

  private static List<Piece> newest(List<List<Piece>> history) {
    return history.isEmpty() ? List.of() : history.getLast();
  }

  /// Returns the pieces of each version since the dataset was last created.
  private static List<List<Piece>> history(int writer, DatasetName name, int intents) {
    List<List<Piece>> history = new ArrayList<>();
    for (int sequence = 0; sequence < intents; sequence++) {
      Intent intent = Intent.any(writer, sequence);
      if (intent.name().equals(name)) {
        switch (intent.action()) {
          case PUT -> history.add(List.of(Piece.of(intent)));
          case APPEND -> {
            List<Piece> grown = new ArrayList<>(newest(history));
            grown.add(Piece.of(intent));
            history.add(grown);
          }
          case COMPACT -> {
            // Nobody's data changed.
          }
          case DELETE -> history.clear();
        }
      }
    }
    return history;
  }
}

package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.Pieces.Piece;
import dev.quiver.store.version.DatasetName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The acknowledged intents of the writers in a crash test. Each writer runs its intents in
/// sequence. After a crash, every acknowledged intent must be served, and at most the next one of
/// each writer.
final class Ledger {

  /// The served datasets.
  interface Served {

    /// Returns the names of the listed datasets.
    Set<DatasetName> names() throws Exception;

    /// Returns the listed versions, the latest first, or an empty list if the dataset is missing.
    List<Long> versions(DatasetName name) throws Exception;

    /// Returns the pieces of a version.
    ///
    /// @param version a version, or null for the latest, listed or not
    List<Piece> pieces(DatasetName name, @Nullable Long version) throws Exception;
  }

  private final int[] next;

  /// The number of completed intents of each writer, acknowledged or not.
  private final int[] completed;

  /// @param writers the number of writers, which are numbered from 0
  Ledger(int writers) {
    next = new int[writers];
    completed = new int[writers];
  }

  int writers() {
    return next.length;
  }

  /// Returns the next intent of a writer: the first that is neither acknowledged nor known to be
  /// complete. An append is repeated in any case, which changes nothing.
  int next(int writer) {
    return next[writer];
  }

  void acknowledge(int writer, int sequence) {
    assertThat(sequence).as("acknowledged intent of writer %d", writer).isEqualTo(next[writer]);
    next[writer]++;
  }

  /// Checks the served data after a crash, and finds the intents that completed without a response.
  ///
  /// @param versions the number of versions of each dataset to read, from the latest down
  void settle(Served served, int versions) throws Exception {
    Set<DatasetName> expectedNames = new HashSet<>();
    System.arraycopy(next, 0, completed, 0, next.length);
    for (int writer = 0; writer < next.length; writer++) {
      settleOwn(served, writer);
    }
    settleShared(served);
    for (int writer = 0; writer < next.length; writer++) {
      for (DatasetName name : Intent.ownNames(writer)) {
        List<List<Piece>> history = history(writer, name, completed[writer]);
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
        next[writer] = completed[writer];
      }
    }
  }

  private void settleOwn(Served served, int writer) throws Exception {
    Intent pending = Intent.any(writer, next[writer]);
    if (pending.name().equals(Intent.SHARED)) {
      return;
    }
    List<List<Piece>> withPending = history(writer, pending.name(), next[writer] + 1);
    List<List<Piece>> withoutPending = history(writer, pending.name(), next[writer]);
    List<Piece> latest = latest(served, pending.name());
    if (!latest.equals(latest(withoutPending)) && latest.equals(latest(withPending))) {
      completed[writer]++;
    }
  }

  private void settleShared(Served served) throws Exception {
    List<Piece> latest = latest(served, Intent.SHARED);
    for (int writer = 0; writer < next.length; writer++) {
      Intent pending = Intent.any(writer, next[writer]);
      if (pending.name().equals(Intent.SHARED) && latest.contains(Piece.of(pending))) {
        completed[writer]++;
      }
    }
  }

  private static void assertHistory(
      Served served, DatasetName name, List<List<Piece>> history, int count) throws Exception {
    List<Long> versions = served.versions(name);
    assertThat(versions).as("versions of %s", name).hasSameSizeAs(history);
    assertThat(latest(served, name)).as("the latest of %s", name).isEqualTo(latest(history));
    for (int i = 0; i < Math.min(count, versions.size()); i++) {
      assertThat(served.pieces(name, versions.get(i)))
          .as("%s@%d", name, versions.get(i))
          .isEqualTo(history.get(history.size() - 1 - i));
    }
  }

  /// Checks that each version has one piece more than the previous one, and the latest has all
  /// pieces of each writer.
  ///
  /// @return whether the dataset has any piece
  private boolean assertShared(Served served, int count) throws Exception {
    List<Long> versions = served.versions(Intent.SHARED);
    List<Piece> latest = latest(served, Intent.SHARED);
    assertThat(versions).as("versions of %s", Intent.SHARED).hasSameSizeAs(latest);
    for (int i = 0; i < Math.min(count, versions.size()); i++) {
      assertThat(served.pieces(Intent.SHARED, versions.get(i)))
          .as("%s@%d", Intent.SHARED, versions.get(i))
          .isEqualTo(latest.subList(0, latest.size() - i));
    }
    for (int writer = 0; writer < next.length; writer++) {
      int owner = writer;
      List<Piece> expected = new ArrayList<>();
      for (int sequence = 0; sequence < completed[writer]; sequence++) {
        Intent intent = Intent.any(writer, sequence);
        if (intent.name().equals(Intent.SHARED) && intent.action() == Intent.Action.APPEND) {
          expected.add(Piece.of(intent));
        }
      }
      assertThat(latest).filteredOn(piece -> piece.writer() == owner).isEqualTo(expected);
    }
    return !latest.isEmpty();
  }

  private static List<Piece> latest(Served served, DatasetName name) throws Exception {
    return served.versions(name).isEmpty() ? List.of() : served.pieces(name, null);
  }

  private static List<Piece> latest(List<List<Piece>> history) {
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
            List<Piece> pieces = new ArrayList<>(latest(history));
            pieces.add(Piece.of(intent));
            history.add(pieces);
          }
          case COMPACT -> {
            // A compaction changes no data.
          }
          case DELETE -> history.clear();
        }
      }
    }
    return history;
  }
}

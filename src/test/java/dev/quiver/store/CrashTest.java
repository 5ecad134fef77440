package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process killed while it writes leaves everything that it had committed or acknowledged, and
/// nothing incomplete. `FailingStoreTest` covers single operations that fail, `ServiceCrashTest`
/// the whole service.
///
/// The profile `crashes` kills more often than a normal build.
@Tag("crashes")
@Tag("random")
class CrashTest {

  private static final int ROUNDS = Trials.of(20);

  /// Enough to give a store old versions, and few enough to read them all quickly.
  private static final int ROUNDS_PER_STORE = 20;

  private static final int WRITERS = 2;

  /// The maximum time between the first commit of a process and its kill.
  private static final int MAXIMUM_MILLIS = 400;

  /// More writes than any process completes before it is killed.
  private static final int ENDLESS = 1_000_000;

  private static final int LATEST_VERSIONS = 20;

  /// The number of moments to halt at, more than two intents have.
  private static final int MOMENTS = 60;

  /// Coprime to [#MOMENTS], so that each moment has its turn.
  private static final int MOMENT_STEP = 7;

  @TempDir private Path folder;

  @Test
  void servesEveryCommittedVersionAfterACrash() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    Ledger ledger = new Ledger(WRITERS);
    int acknowledged = 0;
    int halted = 0;
    ChildProcess next = start();
    try {
      for (int round = 0; round < ROUNDS; round++) {
        if (round % ROUNDS_PER_STORE == 0) {
          ledger = new Ledger(WRITERS);
        }
        Path store = folder.resolve("store" + round / ROUNDS_PER_STORE);
        try (ChildProcess child = next) {
          // The next process starts while this one works.
          next = start();
          assertThat(child.readLine()).isEqualTo("ready");
          boolean halts = round % 3 != 2;
          int moment = halts ? 1 + halted * MOMENT_STEP % MOMENTS : 0;
          acknowledged +=
              writeUntilKilled(
                  child, store, ledger, moment, halts ? 0 : random.nextInt(MAXIMUM_MILLIS));
          halted += halts ? 1 : 0;
        }
        check(store, ledger);
      }
    } finally {
      next.close();
    }
    System.out.printf(
        "%d crashes, %d of them at a chosen moment, %d commits acknowledged%n",
        ROUNDS, halted, acknowledged);
  }

  private ChildProcess start() throws IOException {
    return new ChildProcess(WriterProcess.class, folder.resolve("first").toString());
  }

  /// @param moment the moment at which the process halts, or 0 to kill it
  /// @param millis the time between its first commit and the kill
  private static int writeUntilKilled(
      ChildProcess child, Path store, Ledger ledger, int moment, int millis) throws Exception {
    // A process that halts runs a single writer, whose moments it counts.
    int writers = moment > 0 ? 1 : ledger.writers();
    StringBuilder task = new StringBuilder("any " + store + " " + moment);
    for (int writer = 0; writer < writers; writer++) {
      int from = ledger.next(writer);
      task.append(" ").append(writer).append(":").append(from).append(":").append(from + ENDLESS);
    }
    child.send(task.toString());
    int acknowledged = 0;
    Thread killer = null;
    for (String line = child.readLine(); line != null; line = child.readLine()) {
      String[] words = line.split(" ");
      assertThat(words[0]).isEqualTo("done");
      assertThat(words).as("intents remain").hasSize(3);
      ledger.acknowledge(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
      acknowledged++;
      if (moment == 0 && killer == null) {
        killer = Thread.ofPlatform().start(() -> killAfter(child, millis));
      }
    }
    if (killer != null) {
      killer.join();
    }
    assertThat(child.awaitEnd()).isEqualTo(moment > 0 ? Faults.HALTED : 137);
    return acknowledged;
  }

  private static void killAfter(ChildProcess child, int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    child.kill();
  }

  private static void check(Path store, Ledger ledger) throws Exception {
    Datasets datasets = new Datasets(FolderBlobStore.open(store), DatasetOptions.DEFAULT);
    try (Stream<Path> left = Files.list(store.resolve("tmp"))) {
      assertThat(left).isEmpty();
    }
    ledger.settle(new ServedDatasets(datasets), LATEST_VERSIONS);
  }
}
